"""Choices of a set of cards pick by pick: each pick can still be completed to a legal set.

Each class answers, for the cards picked so far (a tuple in ascending order), which small actions are possible
next (`actions`, ascending): `base` plus a face for each card that can be picked, of copies the first that is
left, and `done` where the set may end here; and whether any legal set exists (`possible`).  Picks ascend, so no
set is reached in two ways.

For counting and drawing whole sets (`interpreter.engine.drawing`) each also says what must be known of some
picked cards to show how they can be completed: `total` of picked cards, `grown` by one more (None where no legal set is
reached any more), and whether the cards of a total are a legal set (`is_whole`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from interpreter.analysis.limits import MOST_RESTS, MOST_SETS, RESULT_LIMIT
from interpreter.engine.faults import RuleError

Picked = tuple[int, ...]

TOO_MANY_GROUPS = f"more than {MOST_SETS:,} groups would have to be tried to divide these cards"
TOO_MANY_UNIONS = f"these cards can be divided into groups in more than {MOST_RESTS:,} ways"


def sums(values: Iterable[int]) -> int:
    """Return all sums that subsets of the values can have, as set bits.

    Twenty-five cards have 33 million subsets, and one such number of a few hundred bits for all their sums.
    """
    bits = 1
    for value in values:
        bits |= bits << value
    return bits


def bits_that(bits: int, comparison: str, value: int | None) -> int:
    """Keep the sums that compare so with a value; no sum equals an absent one."""
    if value is None:
        return 0
    value = min(max(value, -1), bits.bit_length())
    below = bits & ((1 << max(value, 0)) - 1)
    up_to = bits & ((1 << (value + 1)) - 1)
    return {"<": below, "<=": up_to, "==": up_to ^ below, ">": bits ^ up_to, ">=": bits ^ below}[comparison]


def bits_where(bits: int, test: Callable[[int], bool]) -> int:
    """Keep the sums that pass a test."""
    return sum(1 << number for number in range(bits.bit_length()) if bits >> number & 1 and test(number))


class _Cards:
    """Cards of which some can be picked, from `low` to `high` of them (None: no bound)."""

    __slots__ = ("cards", "faces", "high", "low")

    def __init__(self, cards: list[int], low: int, high: int | None, faces: Sequence[int]) -> None:
        self.cards = cards
        self.low = low
        most = len(cards) if high is None else high
        # -1 where the bounds leave no set at all, not even the empty one.
        self.high = most if low <= most else -1
        self.faces = faces

    def picks(self, picked: Picked) -> list[int]:
        """Return the cards that can be picked next."""
        raise NotImplementedError

    def done(self, picked: Picked) -> bool:
        """Say whether the set may end here."""
        return self.low <= len(picked) <= self.high

    def actions(self, picked: Picked, base: int, done: int) -> list[int]:
        """Return the small actions that are possible next."""
        faces = self.faces
        out = [base + faces[card] for card in self.picks(picked)]
        if self.done(picked):
            out.append(done)
        return out

    def possible(self) -> bool:
        """Say whether any legal set exists."""
        return self.done(()) or bool(self.picks(()))


class Plain(_Cards):
    """Any cards; `unlike` where no two are alike: cards are faces."""

    __slots__ = ("unlike",)

    def __init__(self, cards: list[int], low: int, high: int | None, faces: Sequence[int], unlike: bool) -> None:
        super().__init__(cards, low, high, faces)
        self.unlike = unlike

    def actions(self, picked: Picked, base: int, done: int) -> list[int]:
        """Return the small actions that are possible next."""
        count, cards, faces = len(picked), self.cards, self.faces
        out: list[int] = []
        if count < self.high:
            rest = cards[bisect_right(cards, picked[-1]) :] if count else cards
            keep = self.low - count - 1
            if keep > 0:  # After the last of these there are enough for the rest.
                rest = rest[: max(0, len(rest) - keep)]
            if self.unlike:
                out = [base + card for card in rest]
            else:
                before = -1
                for card in rest:
                    face = faces[card]
                    if face != before:
                        out.append(base + face)
                        before = face
        if self.low <= count <= self.high:
            out.append(done)
        return out

    def possible(self) -> bool:
        """Say whether any legal set exists."""
        return self.low <= min(self.high, len(self.cards))

    def total(self, picked: Picked) -> int:
        """Return how many cards are picked."""
        return len(picked)

    def grown(self, total: int, card: int) -> int | None:
        """Return how many they are with one more."""
        del card
        return total + 1 if total < self.high else None

    def is_whole(self, total: int) -> bool:
        """Say whether so many cards are a legal set."""
        return self.low <= total <= self.high


class Hereditary(_Cards):
    """Cards with a condition that every part of a good set fulfils too: `test(picked, card)`.

    Whether enough cards fit is a search by depth (backtracking); `tried` counts how many cards it looks at.
    """

    __slots__ = ("test", "tried")

    def __init__(
        self,
        cards: list[int],
        low: int,
        high: int | None,
        test: Callable[[Picked, int], bool],
        tried: Callable[[int], None],
        faces: Sequence[int],
    ) -> None:
        super().__init__(cards, low, high, faces)
        self.test = test
        self.tried = tried

    def picks(self, picked: Picked) -> list[int]:
        """Return the cards that can be picked next."""
        if len(picked) >= self.high:
            return []
        last = picked[-1] if picked else -1
        test = self.test
        fine = first_copies([c for c in self.cards if c > last and test(picked, c)], self.faces)
        if self.low - len(picked) <= 1:
            return fine
        return [c for c in fine if self._completes((*picked, c))]

    def possible(self) -> bool:
        """Say whether any legal set exists."""
        return self.low <= self.high and (self.low == 0 or self._completes(()))

    def total(self, picked: Picked) -> Picked:
        """Return the cards themselves: the condition may ask for each."""
        return picked

    def grown(self, total: Picked, card: int) -> Picked | None:
        """Return them with one more."""
        return (*total, card) if len(total) < self.high and self.test(total, card) else None

    def is_whole(self, total: Picked) -> bool:
        """Say whether they are a legal set."""
        return self.done(total)

    def _completes(self, picked: Picked) -> bool:
        """Say whether enough cards can be added."""
        if len(picked) >= self.low:
            return True
        last = picked[-1] if picked else -1
        rest = [c for c in self.cards if c > last]
        if len(picked) + len(rest) < self.low:
            return False
        self.tried(len(rest))
        return any(self._completes((*picked, c)) for c in rest if self.test(picked, c))


class Sums(_Cards):
    """Cards whose sum (of `values`, none negative) must be one of the set bits of `accepted`."""

    __slots__ = ("accepted", "values")

    def __init__(self, cards: list[int], low: int, values: list[int], accepted: int, faces: Sequence[int]) -> None:
        super().__init__(cards, low, None, faces)
        self.values = values
        self.accepted = accepted

    def picks(self, picked: Picked) -> list[int]:
        """Return the cards that can be picked next: those after which some rest reaches an accepted sum."""
        accepted = self.accepted >> self._sum(picked)
        last = picked[-1] if picked else -1
        faces = self.faces
        out: list[int] = []
        bits = 1
        before = -1
        # From the last card back: `bits` are the sums that the cards after the one in question can add.
        for card, value in zip(reversed(self.cards), reversed(self.values), strict=True):
            if card <= last:
                break
            bits_with = bits << value
            if bits_with & accepted:
                face = faces[card]
                # An earlier copy can always stand for a later one, so it takes its place.
                if face == before:
                    out[-1] = card
                else:
                    out.append(card)
                    before = face
            bits |= bits_with
        out.reverse()
        return out

    def done(self, picked: Picked) -> bool:
        """Say whether the set may end here."""
        return self.is_whole(self.total(picked))

    def total(self, picked: Picked) -> tuple[int, int]:
        """Return how many cards are picked, as far as that matters, and their sum."""
        return min(len(picked), self.low), self._sum(picked)

    def grown(self, total: tuple[int, int], card: int) -> tuple[int, int] | None:
        """Return both with one card more."""
        whole = total[1] + self.values[self.cards.index(card)]
        return (min(total[0] + 1, self.low), whole) if self.accepted >> whole else None

    def is_whole(self, total: tuple[int, int]) -> bool:
        """Say whether they are a legal set."""
        return total[0] >= self.low and bool(self.accepted >> total[1] & 1)

    def _sum(self, picked: Picked) -> int:
        total = 0
        for card in picked:
            total += self.values[self.cards.index(card)]
        return total


class Completed:
    """Cards of a set after which the rest of the action can be chosen: a search by depth through what it can be.

    `chosen` is the set by itself, `rest` says whether the rest is possible once the set is a given one.  If `fewer`,
    the rest depends on the set only in that its cards are gone: where it is not possible, more cards in the set do not
    help.  `tried` counts the tries.
    """

    __slots__ = ("chosen", "faces", "fewer", "rest", "tried")

    def __init__(
        self, chosen: Any, rest: Callable[[Picked], bool], fewer: bool, tried: Callable[[], None], faces: Sequence[int]
    ) -> None:
        self.chosen = chosen
        self.rest = rest
        self.fewer = fewer
        self.tried = tried
        self.faces = faces

    def actions(self, picked: Picked, base: int, done: int) -> list[int]:
        """Return the small actions that are possible next."""
        out: list[int] = []
        for action in self.chosen.actions(picked, base, done):
            if self._fits(picked) if action == done else self._completes(self._with(picked, action - base)):
                out.append(action)
        return out

    def possible(self) -> bool:
        """Say whether any legal set exists."""
        return self._completes(())

    def total(self, picked: Picked) -> tuple[Any, Picked]:
        """Return what matters of the set by itself, and the cards: the rest of the action may ask for each."""
        return self.chosen.total(picked), picked

    def grown(self, total: tuple[Any, Picked], card: int) -> tuple[Any, Picked] | None:
        """Return both with one card more."""
        own = self.chosen.grown(total[0], card)
        return None if own is None else (own, (*total[1], card))

    def is_whole(self, total: tuple[Any, Picked]) -> bool:
        """Say whether the set can end here, so that the rest is possible."""
        return bool(self.chosen.is_whole(total[0])) and self._fits(total[1])

    @property
    def cards(self) -> list[int]:
        """The cards that can be picked."""
        cards: list[int] = self.chosen.cards
        return cards

    def _with(self, picked: Picked, face: int) -> Picked:
        last = picked[-1] if picked else -1
        faces = self.faces
        return (*picked, next(card for card in self.chosen.cards if card > last and faces[card] == face))

    def _fits(self, picked: Picked) -> bool:
        self.tried()
        return self.rest(picked)

    def _completes(self, picked: Picked) -> bool:
        """Say whether the set can end here or some cards later, so that the rest is possible.

        First tried is the shortest set of the lowest cards, no two of one face: most often it is legal.
        """
        missing = self.chosen.low - len(picked)
        rest = first_copies([card for card in self.cards if not picked or card > picked[-1]], self.faces)
        if 0 < missing <= len(rest):
            total: tuple[Any, Picked] | None = self.total(picked)
            for card in rest[:missing]:
                total = total and self.grown(total, card)
            if total and self.is_whole(total):
                return True
        return self._search(picked)

    def _search(self, picked: Picked) -> bool:
        done = len(self.faces)
        possible = self.chosen.actions(picked, 0, done)
        ends = bool(possible) and possible[-1] == done
        if ends or self.fewer:
            fits = self._fits(picked)
            if fits and ends:
                return True
            if self.fewer and not fits:
                return False
        return any(self._search(self._with(picked, face)) for face in possible if face != done)


# ---- sets of cards one by one, and divisions into groups


def subsets(
    cards: Sequence[int], low: int, high: int | None, part: Callable[[Picked], bool] | None, *, anchored: bool = False
) -> Iterator[Picked]:
    """Yield subsets of ascending cards in lexicographic order; those with the first card where they are `anchored`.

    A set that violates `part` is left out with all sets that begin with it (depth-first search with pruning).
    """
    most = len(cards) if high is None else min(high, len(cards))
    places = [0] * anchored
    leave = False
    if max(low, anchored) > most:
        return
    while True:
        picked = tuple([cards[place] for place in places])
        leave = part is not None and not part(picked)
        if not leave and len(places) >= low:
            yield picked
        following = places[-1] + 1 if places else 0
        if leave or len(places) >= most or following >= len(cards):
            while len(places) > anchored:
                following = places.pop() + 1
                if following < len(cards) and len(places) + len(cards) - following >= low:
                    break
            else:
                return
        places.append(following)


Kind = tuple[int | None, int | None, Callable[[Sequence[int]], Iterable[Picked]]]
"""One kind of group in a division: the least and the greatest number of groups (None: no bound), and its groups.

The groups are a function of the cards; where nothing may be left, it returns those with the lowest card.
"""


def rests(cards: Sequence[int], kinds: Sequence[Kind], exact: bool, tried: Callable[[int], None]) -> list[Picked]:
    """Return what can be left of cards after disjoint groups are taken out, each rest once; with `exact` nothing.

    Dynamic programming over unions of groups, not over divisions: the groups come in the order of their lowest cards,
    and each joins every union before it that it fits.  With `exact` groups are found only for a card that is the lowest
    one that some union leaves.  `tried` counts the unions that are tried.  Raises RuleError where there are too many
    groups or unions.
    """
    everything = sum(1 << card for card in cards)
    number = 0
    # A number beyond which groups of a kind need not be counted, and whether there may be no more.
    caps = [(low or 0) if high is None else max(0, high) for low, high, _ in kinds]
    unions: dict[tuple[int, tuple[int, ...]], None] = {(0, (0,) * len(kinds)): None}
    for start in range(len(cards) if exact else 1):
        # The lowest card that a union leaves is one if all cards before it are used, and it is not.
        passed = sum(1 << card for card in cards[:start])
        here = 1 << cards[start] if exact else 0
        if exact and not any(used & (passed | here) == passed for used, _ in unions):
            continue
        groups: list[tuple[int, int]] = []
        for kind, (_, _, sets) in enumerate(kinds):
            for members in sets(cards[start:]):
                groups.append((sum(1 << card for card in members), kind))
                number += 1
                if number > MOST_SETS:
                    raise RuleError("CG806", TOO_MANY_GROUPS)
        groups.sort(key=lambda group: group[0] & -group[0])
        for group, kind in groups:
            tried(len(unions))
            bounded, cap = kinds[kind][1] is not None, caps[kind]
            for used, counts in list(unions):
                if used & (passed | here | group) != passed or (bounded and counts[kind] >= cap):
                    continue
                more = counts if counts[kind] >= cap else (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
                unions[used | group, more] = None
                if len(unions) > MOST_RESTS:
                    raise RuleError("CG806", TOO_MANY_UNIONS)
    fewest = [low or 0 for low, _, _ in kinds]
    fitting = all(high is None or high >= max(0, low or 0) for low, high, _ in kinds)
    kept = dict.fromkeys(
        everything & ~used
        for used, counts in unions
        if fitting
        and all(n >= low for n, low in zip(counts, fewest, strict=True))
        and not (exact and used != everything)
    )
    return [tuple([card for card in cards if rest >> card & 1]) for rest in kept]


MIXED = object()
_Result = tuple[Any, ...]


def follow(values: Collection[int]) -> bool:
    """Say whether numbers, all of them different, follow one another without a gap, in any order."""
    return not values or max(values) - min(values) == len(values) - 1


_BOTH = "{b} if {a} is None else {a} if {b} is None else "
_UNITED = "MIXED if {a} is MIXED or {b} is MIXED or {a} & {b} else {a} | {b}"
_MEASURES: dict[str, tuple[Any, str, Callable[[Any], Any]]] = {
    "sum": (0, "{a} + {b}", lambda r: r),
    "count": (0, "{a} + {b}", lambda r: r),
    "min": (None, _BOTH + "{a} if {a} < {b} else {b}", lambda r: r),
    "max": (None, _BOTH + "{a} if {a} > {b} else {b}", lambda r: r),
    "same": (None, _BOTH + "{a} if {a} == {b} else MIXED", lambda r: r is not MIXED),
    "different": (frozenset(), _UNITED, lambda r: r is not MIXED),
    "consecutive": (frozenset(), _UNITED, lambda r: r is not MIXED and follow(r)),
}
"""For each measure: its result on no cards, how two results join as Python, and what the condition sees of one."""


@cache
def _join(names: tuple[str, ...]) -> Callable[[_Result, _Result], _Result]:
    """Return a function that joins two results of measures; it is compiled, since choices of sets call it most."""
    parts = ["a[0] + b[0]", *(_MEASURES[n][1].format(a=f"a[{i}]", b=f"b[{i}]") for i, n in enumerate(names, 1))]
    joined: Callable[[_Result, _Result], _Result] = eval(f"lambda a, b: ({', '.join(parts)},)", {"MIXED": MIXED})
    return joined


class Measures(_Cards):
    """Cards with any condition on measures; works on the results the measures can have, not on subsets.

    `measures` are pairs of a function's name and what a card adds to it (None: nothing).  `needs` are the places in a
    result of measures `same` and `different` that must hold: no card makes up for one that does not.
    """

    __slots__ = ("_join", "added", "measures", "needs", "nothing", "seen", "sums", "test")

    def __init__(
        self,
        cards: list[int],
        low: int,
        high: int | None,
        measures: tuple[tuple[str, Callable[[int], Any]], ...],
        test: Callable[..., bool],
        faces: Sequence[int],
        needs: tuple[int, ...] = (),
    ) -> None:
        super().__init__(cards, low, high, faces)
        self.measures = measures
        self.test = test
        self.needs = needs
        # Sums and counts alone start at 0, and the condition sees them as they are.
        self.sums = all(name in ("sum", "count") for name, _ in measures)
        self._join = _join(tuple([name for name, _ in measures]))
        self.seen = () if self.sums else tuple(_MEASURES[name][2] for name, _ in measures)
        self.nothing: _Result = (0, *(_MEASURES[name][0] for name, _ in measures))
        self.added: dict[int, _Result] = {}

    def _of(self, card: int) -> _Result:
        known = self.added.get(card)
        if known is None:
            known = self.added[card] = self._reckoned(card)
        return known

    def _reckoned(self, card: int) -> _Result:
        if self.sums:
            return (1, *[value(card) or 0 for _, value in self.measures])
        parts: list[Any] = [1]
        for name, value in self.measures:
            added = value(card)
            if name in ("different", "consecutive") and added is not None:
                added = frozenset((added,))
            parts.append(_MEASURES[name][0] if added is None else added)
        return tuple(parts)

    def _good(self, result: _Result) -> bool:
        if not self.low <= result[0] <= self.high:
            return False
        if self.sums:
            return bool(self.test(*result[1:]))
        return bool(self.test(*(see(part) for see, part in zip(self.seen, result[1:], strict=True))))

    def _can_hold(self, result: _Result) -> bool:
        return all(result[place] is not MIXED for place in self.needs)

    def _now(self, picked: Picked) -> _Result:
        result = self.nothing
        for card in picked:
            result = self._join(result, self._of(card))
        return result

    def picks(self, picked: Picked) -> list[int]:
        """Return the cards that can be picked next."""
        join, high, needs = self._join, self.high, self.needs
        if len(picked) >= high:
            return []
        # The results of what is picked, with cards after those that are tried.
        after = {self._now(picked)}
        possible: list[int] = []
        good: dict[_Result, bool] = {}
        rest = self.cards[bisect_right(self.cards, picked[-1]) :] if picked else self.cards
        for card in reversed(rest):
            own = self._of(card)
            longer = [join(own, result) for result in after]
            for result in longer:
                if (fits := good.get(result)) is None:
                    fits = good[result] = self._good(result)
                if fits:
                    possible.append(card)
                    break
            after.update([r for r in longer if r[0] < high and (not needs or self._can_hold(r))])
            if len(after) > RESULT_LIMIT:
                raise RuleError("CG806", "the condition on the chosen cards takes too many results to weigh")
        possible.reverse()
        return first_copies(possible, self.faces)

    def done(self, picked: Picked) -> bool:
        """Say whether the set may end here."""
        return self._good(self._now(picked))

    def total(self, picked: Picked) -> _Result:
        """Return the results of the measures."""
        return self._now(picked)

    def grown(self, total: _Result, card: int) -> _Result | None:
        """Return them with one card more."""
        return self._join(total, self._of(card)) if total[0] < self.high else None

    def is_whole(self, total: _Result) -> bool:
        """Say whether they are those of a legal set."""
        return self._good(total)


def first_copies(cards: list[int], faces: Sequence[int]) -> list[int]:
    """Return the first of each run of copies of one face."""
    out: list[int] = []
    before = -1
    for card in cards:
        face = faces[card]
        if face != before:
            out.append(card)
            before = face
    return out
