"""The functions that generated code calls, made for one game.

`support(game)` returns them by name.  They are closures over the game's tables, so that the hot ones
look nothing up.  `N` is the number of cards; numbers from `N` on are tokens of undetermined cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from grammar.english import counted as in_words
from interpreter.analysis.limits import NUMBER_LIMIT, RANGE_LIMIT, STEP_LIMIT, TEST_STEPS, TRY_STEPS
from interpreter.engine import sets
from interpreter.engine.faults import NeedCard, RuleError

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.machine import Machine

PROFILED = 200_000
"""Steps since the last decision from which on it is noted where they go."""

Cards = list[int]
Zones = list[Cards]


def there(value: Any, site: int) -> Any:
    """Return a value.  Raises RuleError where it is absent though the rules say that it is there."""
    if value is None:
        raise RuleError("CG811", "there is none, though the rule says `the`", at=site)
    return value


def fail(code: str, message: str, site: int) -> None:
    """Raise a fault that the rules foresee."""
    raise RuleError(code, message, at=site)


def divisor(number: int, site: int) -> int:
    """Return a divisor.  Raises RuleError where it is 0."""
    if number == 0:
        raise RuleError("CG809", "a division by zero", at=site)
    return number


def nearest(number: int, by: int) -> int:
    """Return a quotient rounded to the nearest number, halves up."""
    return (2 * number + by) // (2 * by)


def at(table: Sequence[Any], key: int | None) -> Any:
    """Look up what may be absent."""
    return None if key is None else table[key]


def is_kind(table: Sequence[bool], card: int | None) -> bool:
    """Test a card that may be absent."""
    return card is not None and table[card]


def inside(value: int | None, low: int, high: int) -> bool:
    """Test a range for a value that may be absent."""
    return value is not None and low <= value <= high


def distinct(values: Iterable[Any]) -> bool:
    """Say whether no value occurs twice."""
    listed = list(values)
    return len(set(listed)) == len(listed)


def consecutive(values: Iterable[int]) -> bool:
    """Say whether numbers differ and follow one another without a gap, in any order."""
    listed = list(values)
    return len(set(listed)) == len(listed) and sets.follow(listed)


def seat_after(player: int | None, step: int, count: int) -> int | None:
    """Return the player so many seats on."""
    return None if player is None else (player + step) % count


def rotated(items: Iterable[Any], start: Any) -> list[Any]:
    """Return the items in the rotation that begins at one of them, or at the next one where it is not there."""
    listed = list(items)
    if start in listed:
        place = listed.index(start)
    else:
        place = next((number for number, item in enumerate(listed) if item > start), 0)
    return listed[place:] + listed[:place]


def first_few(items: Iterable[Any], count: int) -> list[Any]:
    """Return the first items."""
    return list(items)[: max(0, count)]


def last_few(items: Iterable[Any], count: int) -> list[Any]:
    """Return the last items, in order."""
    listed = list(items)
    return listed[max(0, len(listed) - max(0, count)) :]


def all_extreme(function: Callable[..., Any], keyed: list[tuple[Any, Any]]) -> list[Any]:
    """Return all items whose key, which comes before each, is the best."""
    if not keyed:
        return []
    best = function(keyed)[0]
    return [item for key, item in keyed if key == best]


def unique(items: list[Any]) -> list[Any]:
    """Return each item once, where it first is."""
    return list(dict.fromkeys(items))


def without(items: list[Any], gone: list[Any]) -> list[Any]:
    """Return the items that are not among others."""
    away = set(gone)
    return [item for item in items if item not in away]


def short(numbers: range, site: int) -> range:
    """Return a range.  Raises RuleError where it is too long to go through."""
    if len(numbers) > RANGE_LIMIT:
        raise RuleError("CG804", f"a range of {len(numbers)} numbers is too long to go through", at=site)
    return numbers


def as_list(item: Any) -> list[Any]:
    """Return one thing, or nothing, as a list."""
    return [] if item is None else [item]


def as_tuple(item: Any) -> tuple[Any, ...]:
    """Return one thing, or nothing, as a tuple."""
    return () if item is None else (item,)


def bounded(value: int | None, low: int | None, high: int | None, site: int) -> int | None:
    """Return a value; no bounds are those of `integer`.  Raises RuleError where it is outside its range."""
    if low is None and high is None:
        low, high = -NUMBER_LIMIT, NUMBER_LIMIT
    if value is not None and ((low is not None and value < low) or (high is not None and value > high)):
        raise RuleError("CG801", f"{value} is outside of {low}..{high}", at=site)
    return value


def checked_index(value: int, low: int, high: int, site: int) -> int:
    """Return an index.  Raises RuleError where there is no such place."""
    if not low <= value <= high:
        raise RuleError("CG802", f"there is no place {value}: the index goes from {low} to {high}", at=site)
    return value


def spend(st: Machine, steps: int, place: str) -> None:
    """Count steps of a place in the spec.  Raises RuleError where too many come between two decisions."""
    st.steps += steps
    if st.steps > PROFILED:
        profiled(st, steps, place)


def profiled(st: Machine, steps: int, place: str) -> None:
    """Note where steps go when there have been many, and stop where they are too many."""
    if st.steps - steps <= PROFILED:
        st.spent, steps = {}, st.steps - PROFILED
    spent = st.spent
    spent[place] = spent.get(place, 0) + steps
    if st.steps > STEP_LIMIT:
        where = max(spent, key=spent.__getitem__)
        last = f"of the last {st.steps - PROFILED:,}, {spent[where]:,} were taken in {where}"
        raise RuleError("CG804", f"{st.steps:,} steps and no decision; {last}")


def tried(st: Machine, steps: int = TRY_STEPS) -> None:
    """Count the steps of trying whether a set, or an action, can be completed.  Raises RuleError beyond all bounds."""
    st.steps += steps
    if st.steps > STEP_LIMIT:
        raise RuleError("CG806", "too many sets of cards would have to be tried to know what can be chosen here")


def keep(st: Machine, chosen: Any) -> Any:
    """Return the set that is being chosen, kept in the state until it is complete."""
    st.set_memo = chosen
    return chosen


def round_of(items: Sequence[Any], item: Any, cyclic: bool) -> tuple[Any, Sequence[Any]]:
    """Return an item of a loop, the first where the loop has no such item, and the items that follow it."""
    if not items:
        return None, items
    place = items.index(item) if item in items else 0
    following = items[place + 1 :]
    return items[place], [*following, *items[:place]] if cyclic else following


def take(zones: Zones, card: int) -> None:
    """Take a card from wherever it lies."""
    for zone in zones:
        if card in zone:
            zone.remove(card)
            return
    raise RuleError("CG901", "a card lies nowhere")


def support(game: GameBase) -> dict[str, Any]:
    """Return the functions for one game, by the names that generated code uses."""
    count = game.num_players
    shared = (
        at, is_kind, inside, distinct, consecutive, seat_after, rotated, first_few, last_few, all_extreme, as_list,
        as_tuple, bounded, unique, without, short, checked_index, there, fail, divisor, nearest, keep, spend, profiled,
        round_of, sets.sums, sets.bits_that, sets.bits_where,
    )  # fmt: skip
    reading = _reading(game)
    known, put = reading["known"], _laying(game)
    return {
        **reading,
        **_moving(game, known, put),
        **_exchanging(game, known, put),
        **_turning(game, known),
        **{f.__name__: f for f in shared},
        **_choosing(game),
        "FACES": game.card_faces,
        "PROFILED": PROFILED,
        "PLAYERS": tuple(range(count)),
        "ROTATIONS": tuple(tuple((start + k) % count for k in range(count)) for start in range(count)),
    }


def _reading(game: GameBase) -> dict[str, Any]:
    """Return the functions that look up cards of zones; they raise NeedCard for a card that is undetermined."""
    n = game.num_cards
    faces = game.card_faces
    holders = game.place_owners
    copies: list[list[int]] = [[] for _ in range(game.num_faces)]
    for number, of_card in enumerate(faces):
        copies[of_card].append(number)

    def known(st: Machine, cards: Cards) -> Cards:
        if st.undetermined:
            for card in cards:
                if card >= n:
                    raise NeedCard(card, cards)
        return cards

    def end_of(st: Machine, cards: Cards, end: int) -> int | None:
        if not cards:
            return None
        if st.undetermined and cards[end] >= n:
            raise NeedCard(cards[end])
        return cards[end]

    def card_at(st: Machine, cards: Cards, number: int) -> int | None:
        return end_of(st, cards, number - 1) if 0 < number <= len(cards) else None

    def read(st: Machine, card: int, of: Callable[[int], int | None]) -> int | None:
        """Read something of where a card lies: what all tokens that it can be have in common, else it is located."""
        found = {of(token) for token in st.tokens_of(card) or (card,)}
        if len(found) > 1:
            st.locate((card,))
        return found.pop()

    def holder(st: Machine, z: Zones, card: int | None) -> int | None:
        for place, zone in enumerate(z):
            if card in zone:
                return holders[place]
        return None if card is None else read(st, card, lambda token: holders[st.place_of(token)])

    def face_down(st: Machine, card: int) -> bool:
        turned = st.turned
        return bool(turned) and (read(st, card, turned.get) if st.pools else turned.get(card)) == 2

    def player_of(st: Machine, card: int) -> int | None:
        played_by = st.played_by.get
        return read(st, card, played_by) if st.pools and st.played_by else played_by(card)

    def one_of(cards: Iterable[int], face: int) -> int:
        for card in cards:
            if faces[card] == face:
                return card
        raise RuleError("CG901", "the chosen card is not there")

    def next_copy(cards: Iterable[int], face: int, used: tuple[int, ...]) -> int:
        here = cards if isinstance(cards, list) else list(cards)
        for card in copies[face]:
            if card in here and card not in used:
                return card
        raise RuleError("CG901", "the chosen card is not there")

    return {f.__name__: f for f in (known, end_of, card_at, holder, face_down, player_of, one_of, next_copy)}


def _laying(game: GameBase) -> Callable[..., None]:
    """Return the function that puts cards in a place; nothing more is known of them than what it says of them."""
    piles = game.piles
    unordered = game.unordered
    caps = [min(cap, game.num_cards) for cap in game.capacities]

    def put(
        st: Machine, z: Zones, cards: Sequence[int], place: int, at: int,
        face: str | None = None, by: int | None = None,
    ) -> None:  # fmt: skip
        zone = z[place]
        if at > 0:
            # One after another: the zone may be shorter at first.
            late = max(0, at - 1 - len(zone))
            zone += cards[:late]
            zone[at - 1 : at - 1] = cards[late:][::-1]
        elif piles[place] and not at:
            zone[:0] = cards[::-1]
        else:
            zone += cards
            if unordered[place]:
                zone.sort()
        if len(zone) > caps[place]:
            raise RuleError("CG805", f"{game.place_name(place)} holds at most {caps[place]} cards")
        if face is not None:
            for card in cards:
                st.turned[card] = 1 if face == "up" else 2
        elif st.turned:
            for card in cards:
                st.turned.pop(card, None)
        if by is not None:
            for card in cards:
                st.played_by[card] = by
        elif st.played_by:
            for card in cards:
                st.played_by.pop(card, None)

    return put


def _moving(game: GameBase, known: Callable[..., Cards], put: Callable[..., None]) -> dict[str, Any]:
    """Return the functions that move cards; `known` requires that cards are determined."""
    unordered = game.unordered
    learned = _learning(game, known)

    def move(st: Any, z: Zones, cards: Cards, place: int, hint: int, at: int, face: str | None, by: int | None) -> None:
        near = z[hint]
        whole = cards is near
        if st.undetermined:
            learned(st, cards, place, face)
            if whole and unordered[hint] and not unordered[place]:
                known(st, cards)
            if not whole:
                st.locate([card for card in cards if card not in near])
        if st.logging:
            st.moving(cards, place, face, by, at)
        if whole:
            z[hint] = []
        else:
            if cards.__class__ is list:
                cards = cards[:]  # They may be the list of another zone.
            for card in cards:
                try:
                    near.remove(card)
                except ValueError:
                    take(z, card)
        put(st, z, cards, place, at, face, by)

    def deal(st: Any, z: Zones, count: int, origin: int, place: int, exactly: bool, at: int, face: str | None) -> None:
        source = z[origin]
        if exactly and count > len(source):
            raise RuleError("CG803", f"{game.place_name(origin)} has {in_words(len(source), 'card')}, not {count}")
        if count <= 0 or not source:
            return
        cards = source[:count]
        if st.undetermined:
            learned(st, cards, place, face)
        if st.logging:
            st.moving(cards, place, face, None, at)
        del source[:count]
        put(st, z, cards, place, at, face)

    return {f.__name__: f for f in (move, deal)}


def _learning(game: GameBase, known: Callable[..., Cards]) -> Callable[..., None]:
    """Return the function that requires that cards are determined if a player sees them in the place they go to."""
    sees = game.place_viewers

    def learned(st: Machine, cards: Cards, place: int, face: str | None) -> None:
        if face != "down" and (sees[place] or face == "up"):
            known(st, cards)

    return learned


def _exchanging(game: GameBase, known: Callable[..., Cards], put: Callable[..., None]) -> dict[str, Any]:
    """Return the functions that let places pass on their cards, and shuffle a pile with cards put into it first."""
    unordered = game.unordered
    learned = _learning(game, known)

    def rotate(st: Any, z: Zones, places: list[int]) -> None:
        if len(set(places)) < 2:
            return
        ways = list(zip(places, places[1:] + places[:1], strict=True))
        for origin, target in ways:
            learned(st, z[origin], target, None)
            if unordered[origin] and not unordered[target]:
                known(st, z[origin])
        if st.logging:
            st.rotating(ways)
        # Each goes to an empty place, and stays in its order.
        held = [z[place] for place in places]
        for place in places:
            z[place] = []
        for (_, target), cards in zip(ways, held, strict=True):
            put(st, z, cards, target, -1)

    def shuffle(st: Any, z: Zones, place: int, cards: Cards | None) -> None:
        if cards:
            st.locate(cards)
            if st.logging:
                st.moving(cards, place, None, None, 0)
            cards = list(cards)
            for card in cards:
                take(z, card)
            put(st, z, cards, place, 0)
        st.shuffling(place)
        st.shuffle_pile(z[place])

    return {f.__name__: f for f in (rotate, shuffle)}


def _turning(game: GameBase, known: Callable[..., Cards]) -> dict[str, Any]:
    """Return the functions that turn cards where they lie and show them to players."""
    everyone = (1 << game.num_players) - 1

    def turn(st: Any, cards: Cards, up: bool) -> None:
        if up:
            known(st, cards)
        st.locate(cards)
        if st.logging:
            st.turning(cards, up)
        for card in cards:
            st.turned[card] = 1 if up else 2

    def show(st: Any, cards: Cards, to: int | None) -> None:
        known(st, cards)
        st.locate(cards)
        if st.logging:
            st.showing(cards, everyone if to is None else 1 << to)

    return {f.__name__: f for f in (turn, show)}


def _choosing(game: GameBase) -> dict[str, Any]:
    """Return the constructors of the algorithms that complete sets of cards."""
    faces = game.card_faces
    unlike = not game.has_copies

    def plain(cards: Cards, low: int, high: int | None) -> sets.Plain:
        return sets.Plain(cards, low, high, faces, unlike)

    def hereditary(st: Machine, cards: Cards, low: int, high: int | None, test: Any) -> sets.Hereditary:
        return sets.Hereditary(cards, low, high, test, lambda tests: tried(st, tests * TEST_STEPS), faces)

    def summed(cards: Cards, low: int, values: list[int], accepted: int) -> sets.Sums:
        return sets.Sums(cards, low, values, accepted, faces)

    def measured(
        cards: Cards, low: int, high: int | None, measures: Any, test: Any, needs: tuple[int, ...] = ()
    ) -> sets.Measures:
        return sets.Measures(cards, low, high, measures, test, faces, needs)

    def rests(st: Machine, cards: Cards, kinds: Any, exact: bool, place: str) -> list[sets.Picked]:
        return sets.rests(cards, kinds, exact, lambda steps: spend(st, steps, place))

    def completed(st: Machine, chosen: Any, rest: Any, fewer: bool) -> sets.Completed:
        return sets.Completed(chosen, rest, fewer, lambda: tried(st), faces)

    return {
        "Plain": plain, "Hereditary": hereditary, "Sums": summed, "Measures": measured, "Completed": completed,
        "subsets": sets.subsets, "rests": rests,
    }  # fmt: skip
