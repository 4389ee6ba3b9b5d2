"""The check by exchange at a state of a random play, as the fuzzer makes it.

An exchange is tried in the state itself first, which costs one step.  Where the viewer is then shown something else, it
must still be asked whether the exchanged position could have come about: so the play is carried out once more from its
start with that exchange, in step with itself, and only what this comes to counts.  What was told on the way is found
there, at its own statement.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.analysis.types import Bool, Card, Cards, EnumType, Int, Player, Type, base_of, is_optional
from interpreter.drivers.checks import DECISION, Check, Moment, Problem
from interpreter.drivers.exchange.blame import BY_RULES, Blame, blame
from interpreter.drivers.exchange.lockstep import Apart, Change, Difference, Lockstep, Piles, Step
from interpreter.drivers.exchange.watched import Viewer, Watched, sees, watched
from interpreter.program.nodes import Auto, Commit, StartAgain, StartLoop
from interpreter.runtime import chance
from interpreter.runtime.faults import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interpreter.runtime.game import Game
    from interpreter.runtime.machine import HistoryItem

SHARE = 1 / 3
"""What the check may cost of what the plays cost without it: a quarter of all."""

ENTRY = 0.25
"""What it costs to follow an entry of a history once more, in decisions of the plays."""

COMPARISON, CARDS = 1.0, 50
"""What it costs to compare all that is shown, in decisions of the plays; once more for so many cards of the game."""

RATE = 2
"""Where it has cost more than half of its share, it is made at one decision in so many; where less, at each."""

FURTHER = 3
"""One exchange in so many goes on for some decisions, not for one."""

FURTHEST = 4
"""Decisions that such a one goes on."""

NUMBERS = 4
"""One exchange in so many compares tensors and events too."""

FROM_START, EARLY = 2, 4
"""One exchange in so many is made from the start at once, as what hangs on hidden things may have been worked out long
before; fewer the longer the play is, by so many entries of its history."""

SAME_PLACE = 3
"""One pair of cards in so many lies in one place."""

STARTS = 3
"""Steps of a play at which it is tried to begin an exchange."""


@attrs.define
class Watch:
    """A play as it goes on, watched: `follow` reads on."""

    state: Watched
    values: list[list[Any]] = attrs.field(factory=list)
    """The variables behind each entry of the history."""

    @classmethod
    def of(cls, game: Game) -> Watch:
        """Return the beginning of a play."""
        return cls(watched(game))

    def follow(self, hist: list[Any]) -> Watched:
        """Return the play after a history that goes on from the one before."""
        for place in range(len(self.state.hist), len(hist), 2):
            self.state.apply_item(hist[place + 1])
            self.values.append(self.state.v[: len(self.state.game.variable_types)])
        return self.state


def exchanges(at: Moment) -> Problem | None:
    """No viewer is shown anything that hangs on what the viewer cannot know, unless a statement publishes it."""
    if at.state.is_unfinished():
        return None
    watch = at.memory.setdefault("exchanges", None) or Watch.of(at.game)
    at.memory["exchanges"] = watch
    at.account.checks += ENTRY * (len(at.state.hist) - len(watch.state.hist)) / 2
    state = watch.follow(at.state.hist)
    rng = at.rng("exchange")
    viewers = (None, *range(at.game.num_players))
    try:
        return _Exchange(at, watch, state, viewers[chance.below(rng, len(viewers))], rng).problem()
    except RuleError:
        # Rules that come apart in a play with other cards do so in a play of their own, which is told as it is.
        return None


class _Exchange:
    """One exchange at a moment, for one viewer."""

    def __init__(self, at: Moment, watch: Watch, state: Watched, viewer: Viewer, rng: Random) -> None:
        self.at, self.watch, self.state, self.viewer, self.rng = at, watch, state, viewer, rng
        self.game = at.game
        self.numbers = rng.random() * NUMBERS < 1
        self.decisions = 1 + (chance.below(rng, FURTHEST) if rng.random() * FURTHER < 1 else 0)

    def problem(self) -> Problem | None:
        """Make the exchange; return what leaks."""
        ways = [self._cards, self._cards, self._cards, self._value, self._hidden, self._copies]
        return ways[chance.below(self.rng, len(ways))]()

    # ---- cards

    def _cards(self) -> Problem | None:
        state = self.state.clone()
        piles = Piles(len(state.hist) // 2, chance.draw_all(state, self.rng)) if state.und else None
        if piles is not None:
            chance.determine_all(state, piles.faces)
        pair = self._pair(state)
        if pair is None:
            return self._hidden()
        if self._at_once():
            self.at.count("exchanges")
            return self._from_start(pair, self._starts(pair), [], piles)
        found, taken = self._probe(state, exchanged(state, *pair), Change(pair))
        if found is None or self._noted(found):
            return None
        return self._from_start(pair, self._starts(pair), taken, piles)

    def _pair(self, state: Watched) -> tuple[int, int] | None:
        """Return two cards of different faces that the viewer has not seen, best of different places."""
        unseen = {
            place: cards for place, zone in enumerate(state.z)
            if (cards := [c for c in zone if c not in state.waiting
                          and not sees(self.viewer, state.aware(c, place), self.game.everyone)])
        }  # fmt: skip
        if not unseen:
            return None
        # Places, not cards, are as likely as each other: where few cards lie, they matter most.
        place = self._one_of(list(unseen))
        one, faces = self._one_of(unseen[place]), self.game.card_faces
        away = [other for other in unseen if other != place]
        for there in (self._one_of(away) if away and self.rng.random() * SAME_PLACE >= 1 else place, place, *away):
            others = [c for c in unseen[there] if faces[c] != faces[one]]
            if others:
                return one, self._one_of(others)
        return None

    def _one_of(self, items: list[int]) -> int:
        return items[chance.below(self.rng, len(items))]

    def _starts(self, pair: tuple[int, int]) -> Iterator[int]:
        """Give the steps of the play from which on two cards can have been exchanged, the latest first."""
        found = [length // 2 for length, mixed in self.state.shuffles if set(pair) <= mixed]
        yield from found[:-STARTS:-1]
        shuffled = max(found, default=-1)
        items = self.state.hist[0::2]
        decided = [n for n, actor in enumerate(items) if actor >= 0 and n >= shuffled]
        yield from decided[: -STARTS - 1 : -1]

    def _from_start(
        self, pair: tuple[int, int], starts: Iterable[int], taken: list[HistoryItem], piles: Piles | None
    ) -> Problem | None:
        for start in starts:
            found = self._replay(Change(pair, start=start), taken, piles)
            if found is not None:
                return self._told(found)
        return None

    # ---- copies

    def _copies(self) -> Problem | None:
        """Let two copies of a card change places where they lie in no order, of which nobody can notice anything."""
        state, faces = self.state, self.game.card_faces
        slots, kept = _card_slots(self.game)
        if not self.game.has_copies or any(state.v[slot] is not None for slot in kept):
            return self._cards()
        # What rules are carrying out may mean one of them; a variable means any.
        busy = {c for slot in slots[_declared(self.game) :] for c in _listed(state.v[slot])} | state.waiting
        for place, zone in enumerate(state.z):
            first: dict[tuple[int, int | None], int] = {}
            for card in zone if state.sights.unordered[place] else ():
                if card >= len(faces) or card in busy:
                    continue
                key = (faces[card], state.turned.get(card))
                if key in first and self.rng.random() < 0.5:
                    other = state.clone()
                    one, two = zone.index(first[key]), zone.index(card)
                    other.z[place][one], other.z[place][two] = card, first[key]
                    other._legal = None
                    found, _ = self._probe(state, other, Change())
                    return None if found is None or self._noted(found) else self._told(found)
                first.setdefault(key, card)
        return self._cards()

    # ---- values

    def _value(self) -> Problem | None:
        state = self.state
        slots = [
            slot for slot, players in enumerate(state.sights.variables)
            if not sees(self.viewer, players, self.game.everyone) and state.v[slot] is not None
        ]  # fmt: skip
        others: list[Any] = []
        if slots:
            slot = slots[chance.below(self.rng, len(slots))]
            others = [v for v in _values(self.game, self.game.variable_types[slot]) if v != state.v[slot]]
        if not others:
            return self._hidden()
        value = others[chance.below(self.rng, len(others))]
        start = self._set_at(slot)
        if start is None:
            return self._hidden()
        other = state.clone()
        other.v[slot] = value
        other._legal = None
        found, taken = self._probe(state, other, Change(slot=slot, value=value))
        if found is None or self._noted(found):
            return None
        again = self._replay(Change(slot=slot, value=value, start=start), taken, None)
        return None if again is None else self._told(again)

    def _set_at(self, slot: int) -> int | None:
        """Return the step of the play at which a variable got its value, None where it has the first one."""
        values, hist = self.watch.values, self.state.hist
        now = self.state.v[slot]
        number = len(values)
        while number > 0 and values[number - 1][slot] == now:
            number -= 1
        if number == len(values) or (number == 0 and not values):
            return None
        actor = hist[2 * number]
        while number > 0 and actor >= 0 and hist[2 * number - 2] == actor and self._goes_on(number):
            number -= 1
        return number

    def _goes_on(self, number: int) -> bool:
        """Say whether an entry of the history goes on with the decision in front of it."""
        shape = self.game.texts.shape_of(self.state.hist[2 * number - 1])
        return shape.is_set

    # ---- what somebody, or chance, decides unseen

    def _at_once(self) -> bool:
        return self.rng.random() * max(FROM_START, self.at.position / EARLY) < 1

    def _hidden(self) -> Problem | None:
        state = self.state
        if state.hist and self._at_once():
            self.at.count("exchanges")
            again = self._replay(Change(hidden=True, start=chance.below(self.rng, len(state.hist) // 2)), [], None)
            return None if again is None else self._told(again)
        found, _ = self._probe(state, state.clone(), Change(hidden=True))
        return None if found is None or self._noted(found) else self._told(found)

    # ---- two plays

    def _probe(self, one: Watched, other: Watched, change: Change) -> tuple[Difference | None, list[HistoryItem]]:
        """Go on from a state with and without an exchange; return what differs, and what was done."""
        self.at.count("exchanges")
        mine = one.clone()
        mine.forget()
        other.forget()
        run = Lockstep(self.viewer, mine, other, change, self.rng, numbers=self.numbers)
        try:
            found = run.compare((mine.clone(), other.clone()), (Step(), Step())) or run.run([], self.decisions)
        except Apart:
            return None, []
        finally:
            self._paid(run)
        return found, run.one.hist[len(one.hist) + 1 :: 2]

    def _replay(self, change: Change, taken: list[HistoryItem], piles: Piles | None) -> Difference | None:
        self.at.count("exchanges from the start")
        one = watched(self.game)
        other = one.clone()
        history = [*self.state.hist[1::2], *taken]
        run = Lockstep(self.viewer, one, other, change, self.rng, numbers=self.numbers)
        try:
            return run.run(history, 0 if taken else self.decisions, piles)
        except Apart:
            return None
        finally:
            self._paid(run)

    def _paid(self, run: Lockstep) -> None:
        """Put to the account what two plays have cost."""
        comparison = COMPARISON + self.game.num_cards / CARDS
        self.at.account.checks += comparison * run.comparisons + ENTRY * run.entries

    # ---- what is told

    def _noted(self, found: Difference) -> bool:
        """Say whether it is known already that a statement publishes this."""
        by = blame(found, self.viewer)
        return by.published and (by.openly or by.span is None or (by.span, by.how) in self.at.published)

    def _told(self, found: Difference) -> Problem | None:
        by = blame(found, self.viewer)
        if by.published:
            if not by.openly and by.span is not None:
                self.at.published.setdefault((by.span, by.how), by.tags)
            return None
        return _problem(found, by, self.viewer)


def _problem(found: Difference, by: Blame, viewer: Viewer) -> Problem:
    who = "onlookers" if viewer is None else f"player {viewer + 1}"
    mine, theirs = _versions(found.one, found.other)
    message = (
        f"{by.how} tells {who} what {who} may not know: where only that differs, {found.what} reads {mine} or {theirs}"
    )
    if by.how in BY_RULES:
        message += "; if it is meant to be told, write `openly` in front of the statement"
    return Problem("leak", message, by.span)


def _versions(one: Any, other: Any) -> tuple[str, str]:
    """Return two versions of what is shown, without what they have in common."""
    if isinstance(one, str) and isinstance(other, str):
        mine, theirs = one.splitlines(), other.splitlines()
        number = next((n for n, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), None)
        number = min(len(mine), len(theirs)) if number is None else number
        return _line_of(mine, number), _line_of(theirs, number)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        places = [n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
        if places:
            return f"{_short(one[places[0]])} (item {places[0] + 1})", _short(other[places[0]])
        return f"{len(one)} items", f"{len(other)}"
    return _short(one), _short(other)


def _line_of(lines: list[str], number: int) -> str:
    return f"`{lines[number]}`" if number < len(lines) else "nothing more"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 200 else text[:200] + ".."


# ---- exchanging


def exchanged(state: Watched, one: int, other: int) -> Watched:
    """Return a copy in which two determined cards have changed places, with all that lies or refers there."""
    copy = state.clone()
    names = {one: other, other: one}
    for zone in copy.z:
        if one in zone or other in zone:
            zone[:] = [names.get(card, card) for card in zone]
    for held in (copy.turned, copy.by, copy.known):
        moved = {names[card]: held.pop(card) for card in (one, other) if card in held}
        held.update(moved)
    slots, kept = _card_slots(copy.game)
    for slot in slots:
        copy.v[slot] = _renamed(copy.v[slot], names)
    for slot in kept:
        if copy.v[slot] is not None:
            # The number of an action, and its arguments.
            copy.v[slot] = (copy.v[slot][0], *(_renamed(value, names) for value in copy.v[slot][1:]))
    copy._legal = None
    return copy


def _renamed(value: Any, names: dict[int, int]) -> Any:
    if isinstance(value, list):
        return [names.get(item, item) for item in value]
    if isinstance(value, tuple):
        return tuple(names.get(item, item) for item in value)
    return names.get(value, value) if isinstance(value, int) else value


@lru_cache(maxsize=64)
def _card_slots(game: Game) -> tuple[list[int], list[int]]:
    """Return the slots of a state whose values are cards, and those that keep a decision about cards."""
    layout = game.logged_code.layout
    assert layout is not None
    slots = [slot for slot, type_ in enumerate(game.variable_types) if _is_card(type_)]
    slots += [slot for local, slot in layout.local_slots.items() if _is_card(local.type)]
    slots.append(layout.picked)
    kept: list[int] = []
    steps = [step for node in game.program.nodes if isinstance(node, Auto) for step in node.steps]
    loops = {step.loop for step in steps if isinstance(step, StartLoop) and _is_card(step.binder.local.type)}
    loops |= {step.loop for step in steps if isinstance(step, StartAgain) and step.other in loops}
    slots += [layout.loop(loop) for loop in loops]
    for step in steps:
        if isinstance(step, Commit) and step.action.args and all(_is_card(a.local.type) for a in step.action.args):
            kept += range(layout.commits[step.store], layout.commits[step.store] + game.num_players)
    return slots, kept


def _declared(game: Game) -> int:
    """Return how many of the slots for cards are those of variables."""
    return sum(_is_card(type_) for type_ in game.variable_types)


def _listed(value: Any) -> list[int]:
    if isinstance(value, list | tuple):
        return list(value)
    return [value] if isinstance(value, int) else []


def _is_card(type_: Type) -> bool:
    return isinstance(base_of(type_), Card | Cards)


def _values(game: Game, type_: Type) -> list[Any]:
    """Return values of a type, at most as many as anybody would try."""
    some: list[Any]
    match base_of(type_):
        case Int(low, high):
            start = 0 if low is None else low
            some = list(range(start, start + 20 if high is None else min(high + 1, start + 50)))
        case Bool():
            some = [False, True]
        case EnumType() as enum:
            some = list(range(len(enum.values)))
        case Player():
            some = list(range(game.num_players))
        case _:
            return []
    return [*some, None] if is_optional(type_) else some


@attrs.frozen
class Exchanges(Check):
    """The check, as often as it may be by the account of the run."""

    def due(self, at: Moment) -> bool:
        """Say whether an exchange is made here."""
        if not at.account.bounded:
            return self.fits(at.state)
        left = SHARE * at.account.plays - at.account.checks
        rate = 1 if left > at.account.checks else self.rate
        return left >= 0 and self.fits(at.state) and at.plan.sampled(at.position, rate)


CHECK = Exchanges("exchange", exchanges, DECISION, RATE)
