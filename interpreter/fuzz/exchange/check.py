"""The fuzzer's leak check: exchanges of hidden information at the states of a random play.

Several exchanges are drawn at a state, and the most novel one is made.  Novelty is count-based: it falls with the
number of earlier exchanges in the run that share the viewer, the kind of exchange or the decision.

An exchange in the state itself is tried first, which costs one step.  If the viewer is then shown a difference, the
exchanged position may still be unreachable.  So the play runs again from its start, in lockstep with the exchanged one,
and only the result of that run counts.  It also finds an earlier leak at its own statement.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, product
from random import Random
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.analysis.types import Card, Cards, Int, Player, Type, base_of, is_optional, values_of
from interpreter.engine import chance
from interpreter.engine.faults import RuleError
from interpreter.fuzz.checks import DECISION, Check, CheckContext, Problem
from interpreter.fuzz.exchange.goals import Goal, goals_of
from interpreter.fuzz.exchange.leak_site import BY_RULES, LeakSite, leak_site
from interpreter.fuzz.exchange.lockstep import Change, Difference, FaultInVariant, Lockstep, Piles, Unmatched
from interpreter.fuzz.exchange.traced import Traced, Viewer, sees, traced

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.engine.machine import HistoryItem

SHARE = 1 / 3
"""The limit on the cost of the check, as a share of the cost of the plays; both are estimated."""

ENTRY = 1.0
"""The cost of replaying one entry of a history, in decisions of the plays."""

COMPARISON, CARDS = 4.0, 50
"""The cost of comparing everything that is shown, in decisions of the plays; added once for every 50 cards."""

RATE = 2
"""The check runs at every second decision after it has used half of its share, and at each decision before."""

FURTHER = 3
"""One exchange in 3 is followed for several decisions instead of one."""

FURTHEST = 4
"""The most decisions for which an exchange is followed."""

NUMBERS = 4
"""One exchange in 4 also compares tensors and events."""

FROM_START, EARLY = 2, 4
"""One exchange in 2 replays from the start at once, because rules may have read hidden information long before.

In a play with more than 8 entries it is one in (entries / 4)."""

Found = Difference | RuleError | None
"""The result of two plays: a difference that is shown, a fault of the second play, or None."""

AT_A_GOAL = 3
"""The exchanges that are tried at a branch that reads hidden information."""

STARTS = 3
"""The steps of a play at which an exchange may begin."""

DRAWN = 24
"""The exchanges that are drawn at a state.  The most novel one is made; without a budget all of them are."""


@attrs.define
class PlayFollower:
    """A copy of the play of which statements record their side effects; `follow` advances it."""

    state: Traced
    values: list[list[Any]] = attrs.field(factory=list)
    """The variables after each entry of the history."""
    nodes: list[int] = attrs.field(factory=list)
    """The nodes before each entry."""
    effects: list[int] = attrs.field(factory=list)
    """The number of side effects up to the end of each entry."""
    met: dict[Goal, None] = attrs.field(factory=dict)
    """The goals that were reached since the last exchange."""

    @classmethod
    def of(cls, game: Game) -> PlayFollower:
        """Return the beginning of a play."""
        return cls(traced(game))

    def follow(self, entries: list[Any]) -> Traced:
        """Advance to the end of a history that extends the one before; return the state."""
        goals = goals_of(self.state.game)
        for place in range(len(self.state.entries), len(entries), 2):
            self.nodes.append(self.state.node)
            self.state.trace = [] if goals else None
            self.state.apply_item(entries[place + 1])
            self.met.update((goals[site], None) for site, _ in self.state.trace or () if site in goals)
            self.effects.append(len(self.state.done))
            self.values.append(self.state.values[: len(self.state.game.variable_types)])
        return self.state


def exchanges(at: CheckContext) -> Problem | None:
    """Nothing that a viewer is shown depends on hidden information, unless a statement publishes it."""
    if at.state.is_unfinished():
        return None
    follower = at.memory.setdefault("exchanges", None) or PlayFollower.of(at.game)
    at.memory["exchanges"] = follower
    at.account.checks += ENTRY * (len(at.state.entries) - len(follower.state.entries)) / 2
    follower.follow(at.state.entries)
    follower.state.trace = None
    problem = _towards_goals(at, follower)
    if problem is not None:
        return problem
    drawn = [_drawn(at, follower, at.rng(f"exchange/{number}")) for number in range(DRAWN)]
    if not at.account.bounded:
        return next((problem for one in drawn if (problem := one.problem()) is not None), None)
    newest = max(drawn, key=lambda one: one.key.novelty(at.account.tried))
    newest.key.count(at.account.tried)
    return newest.problem()


def _towards_goals(at: CheckContext, follower: PlayFollower) -> Problem | None:
    """Exchange the hidden information that the branches since the last exchange read, from the start of the play."""
    for goal, number in product(follower.met, range(AT_A_GOAL)):
        if at.account.bounded and not goal.is_open(at.account):
            continue
        rng = at.rng(f"goal/{goal.span.start}/{number}")
        viewer = (None, *range(at.game.num_players))[chance.below(rng, at.game.num_players + 1)]
        kinds: list[type[_Exchange]] = [_ChangeVariables] * bool(goal.slots) + [_SwapTwoCards] * bool(goal.places)
        made = kinds[chance.below(rng, len(kinds))](at, follower, viewer, rng, goal)
        if not made.possible:
            # The viewer has seen all cards there before, so only a hidden decision or outcome can have moved others.
            made = _ChangeChoice(at, follower, viewer, rng, goal)
        if not made.possible:
            continue
        at.account.tried["tried", goal] += 1
        if (problem := made.problem()) is not None:
            return problem
    follower.met.clear()
    return None


@attrs.frozen
class NoveltyKey:
    """The features of an exchange by which novelty is counted: node, viewer, kind, and subject or place."""

    node: int
    viewer: Viewer
    way: str
    what: tuple[Any, ...]

    def _features(self) -> tuple[tuple[Any, ...], ...]:
        return (
            (None, None, self.way, None),
            (None, None, self.way, self.what),
            (self.node, None, self.way, self.what),
            (None, self.viewer, self.way, self.what),
            (self.node, self.viewer, self.way, None),
            (self.node, self.viewer, self.way, self.what),
        )

    def novelty(self, tried: Counter[tuple[Any, ...]]) -> float:
        """Return the novelty: the sum over the features of 1 / (1 + their number of earlier exchanges)."""
        return sum(1 / (1 + tried[feature]) for feature in self._features())

    def count(self, tried: Counter[tuple[Any, ...]]) -> None:
        """Count the exchange as made."""
        tried.update(self._features())


def _drawn(at: CheckContext, follower: PlayFollower, rng: Random) -> _Exchange:
    """Draw an exchange that is possible at this state."""
    # The player to act is shown the most, so that viewer is drawn twice as often.
    viewers = (None, *range(at.game.num_players), at.state.to_act)
    viewer = viewers[chance.below(rng, len(viewers))]
    ways: list[type[_Exchange]] = [
        _SwapTwoCards,
        _SwapTwoCards,
        _PermuteUnseen,
        _PermuteUnseen,
        _PermutePlace,
        _PermutePlace,
        _ChangeVariables,
        _ChangeChoice,
        _SwapCopies,
    ]
    way = ways[chance.below(rng, len(ways))]
    made = way(at, follower, viewer, rng)
    return made if made.possible else _ChangeChoice(at, follower, viewer, rng)


class _Exchange(ABC):
    """One exchange at a state, for one viewer: drawn by the constructor, and made by `problem`.

    `possible` is false if there is nothing to exchange.
    """

    way = ""

    def __init__(
        self, at: CheckContext, follower: PlayFollower, viewer: Viewer, rng: Random, goal: Goal | None = None
    ) -> None:
        self.goal = goal
        self.at, self.follower, self.state, self.viewer, self.rng = at, follower, follower.state, viewer, rng
        self.game = at.game
        self.numbers = rng.random() * NUMBERS < 1
        self.decisions = 1 + (chance.below(rng, FURTHEST) if rng.random() * FURTHER < 1 else 0)
        early = rng.random() * max(FROM_START, at.position / EARLY) < 1
        self.at_once = bool(self.state.entries) and (goal is not None or early)
        what = self._draw()
        self.possible = what is not None
        self.key = NoveltyKey(self.state.node, viewer, self.way + " from the start" * self.at_once, what or ())

    @abstractmethod
    def _draw(self) -> tuple[Any, ...] | None:
        """Draw the subject of the exchange; return it for `NoveltyKey`, or None if there is none."""

    @abstractmethod
    def problem(self) -> Problem | None:
        """Make the exchange; return the leak, if any."""

    def _one_of(self, items: list[Any]) -> Any:
        return items[chance.below(self.rng, len(items))]

    def _unseen(self, state: Traced) -> dict[int, list[int]]:
        """Return for each place the cards that the viewer has not seen, without empty places."""
        found: dict[int, list[int]] = {}
        for place, zone in enumerate(state.zones):
            cards = [
                c for c in zone
                if c not in state.waiting and not sees(self.viewer, state.aware(c, place), self.game.everyone)
            ]  # fmt: skip
            if cards:
                found[place] = cards
        return found

    def _other_values(self, most: int) -> dict[int, tuple[Any, int]]:
        """Return other values of some variables that the viewer does not see, each with the step that set it."""
        state, sights = self.state, self.state.sights.variables
        hidden = [
            slot for slot, value in enumerate(state.values[: len(sights)])
            if value is not None and not sees(self.viewer, sights[slot], self.game.everyone)
            and (self.goal is None or slot in self.goal.slots)
        ]  # fmt: skip
        chance.mix(self.rng, hidden)
        found: dict[int, tuple[Any, int]] = {}
        for slot in hidden:
            start, now = self._set_at(slot), state.values[slot]
            others = [v for v in _values(self.game, self.game.variable_types[slot]) if v != now]
            if start is not None and others and len(found) < most:
                found[slot] = (self._one_of(others), start)
        return found

    def _set_at(self, slot: int) -> int | None:
        """Return the step of the play at which a variable got its value; None for the initial value."""
        values, entries = self.follower.values, self.state.entries
        now = self.state.values[slot]
        number = len(values)
        while number > 0 and values[number - 1][slot] == now:
            number -= 1
        if number == len(values) or (number == 0 and not values):
            return None
        actor = entries[2 * number]
        while number > 0 and actor >= 0 and entries[2 * number - 2] == actor and self._goes_on(number):
            number -= 1
        return number

    def _goes_on(self, number: int) -> bool:
        """Return whether an entry of the history continues the decision of the entry before it."""
        shape = self.game.texts.shape_of(self.state.entries[2 * number - 1])
        return shape.is_set

    # ---- two plays

    def _probe(self, one: Traced, other: Traced, change: Change) -> tuple[Found, list[HistoryItem]]:
        """Continue from a state with and without an exchange; return the difference, and the actions taken."""
        self.at.count("exchanges")
        mine = one.clone()
        mine.forget()
        other.forget()
        run = Lockstep(self.viewer, mine, other, change, self.rng, numbers=self.numbers)
        found: Found
        try:
            found = run.compare() or run.run([], self.decisions)
        except FaultInVariant as broken:
            found = broken.fault
        except Unmatched:
            found = None
        finally:
            self._paid(run)
        return found, [] if found is None else run.one.entries[len(one.entries) + 1 :: 2]

    def _replay(self, change: Change, taken: list[HistoryItem], piles: Piles | None) -> Found:
        """Replay the play from its start, in lockstep with the exchanged one from the exchange on."""
        self.at.count("exchanges from the start")
        one = traced(self.game)
        history = [*self.state.entries[1::2], *taken]
        begun, in_common = one.clone(), 0
        for number, item in enumerate(history[: change.first], 1):
            one.apply_item(item)
            if not one.is_unfinished():
                begun, in_common = one.clone(), number
        self.at.account.checks += ENTRY * change.first
        begun.forget()
        run = Lockstep(self.viewer, begun, begun.clone(), change, self.rng, numbers=self.numbers)
        if self.goal is not None:
            run.one.trace, run.other.trace = [], []
        try:
            return run.run(history[in_common:], 0 if taken else self.decisions, piles, len(self.state.entries) // 2)
        except FaultInVariant as broken:
            return broken.fault
        except Unmatched:
            return None
        finally:
            self._paid(run)
            goal = self.goal
            if goal is not None and (not goal.is_branch or _went_both_ways(run, goal)):
                self.at.account.tried["compared", goal] += 1

    def _paid(self, run: Lockstep) -> None:
        """Put to the account what two plays have cost."""
        comparison = COMPARISON + self.game.num_cards / CARDS
        self.at.account.checks += comparison * run.comparisons + ENTRY * run.entries

    # ---- what is shown

    def _noted(self, found: Difference | RuleError) -> bool:
        """Say whether it is known already that a statement publishes this."""
        if isinstance(found, RuleError):
            return False
        by = leak_site(found, self.viewer)
        return by.published and (by.openly or by.span is None or (by.span, by.how) in self.at.published)

    def _problem_of(self, found: Difference | RuleError) -> Problem | None:
        if isinstance(found, RuleError):
            return _broken(found, self.viewer)
        by = leak_site(found, self.viewer)
        if by.published:
            if not by.openly and by.span is not None:
                self.at.published.setdefault((by.span, by.how), by.tags)
            return None
        return _problem(found, by, self.viewer)


def _went_both_ways(run: Lockstep, goal: Goal) -> bool:
    """Say whether two plays took different ways at a branch that both came to."""
    ways = zip(_ways_taken(run.one, goal), _ways_taken(run.other, goal), strict=False)
    return any(one != other for one, other in ways)


def _ways_taken(state: Traced, goal: Goal) -> list[int]:
    """Return the sites that a play carried out next after each time that it came to a branch."""
    goals, sites = goals_of(state.game), [site for site, _ in state.trace or ()]
    return [after for site, after in pairwise(sites) if goals.get(site) == goal and goals.get(after) != goal]


class _SwapTwoCards(_Exchange):
    """Swap two cards of different faces that the viewer has not seen."""

    way = "cards"

    def _draw(self) -> tuple[Any, ...] | None:
        unseen = self._unseen(self.state)
        if sum(map(len, unseen.values())) < 2:
            return None
        # Places, not cards, are equally likely, because cards in small places matter most.
        read = [place for place in unseen if self.goal is not None and place in self.goal.places]
        if self.goal is not None and not read:
            return None
        one = self._one_of(read or list(unseen))
        away = [place for place in unseen if place != one]
        self.places: tuple[int, ...] = (one, self._one_of(away) if away else one)
        return self._zones()

    def _zones(self) -> tuple[str, ...]:
        return tuple(sorted({self.game.places[place][0].name for place in self.places}))

    def problem(self) -> Problem | None:
        state = self.state.clone()
        piles = Piles(len(state.entries) // 2, state.draw_all(self.rng)) if state.undetermined else None
        if piles is not None:
            state.determine_all(piles.faces)
        cards = self._cards(state)
        if not cards:
            return None
        starts = self._starts(cards)
        if self.at_once:
            self.at.count("exchanges")
            return self._from_start(cards, [self._one_of(starts)] if starts else [], [], piles)
        found, taken = self._probe(state, exchanged(state, cards), Change(cards))
        if found is None or self._noted(found):
            return None
        return self._from_start(cards, starts, taken, piles)

    def _cards(self, state: Traced) -> dict[int, int]:
        """Return which card is to lie in the place of which; none where all would look the same."""
        unseen, faces = self._unseen(state), self.game.card_faces
        first, second = (list(unseen.get(place, ())) for place in self.places[:2])
        chance.mix(self.rng, first)
        for one in first:
            others = [c for c in second if faces[c] != faces[one]]
            if others:
                other = self._one_of(others)
                return {one: other, other: one}
        return {}

    def _starts(self, cards: dict[int, int]) -> list[int]:
        """Return the steps of the play from which on cards can have been exchanged, the latest first."""
        found = [length // 2 for length, mixed in self.state.shuffles if cards.keys() <= mixed]
        shuffled = max(found, default=-1)
        items = self.state.entries[0::2]
        decided = [n for n, actor in enumerate(items) if actor >= 0 and n >= shuffled]
        return [*found[:-STARTS:-1], *decided[: -STARTS - 1 : -1]]

    def _from_start(
        self, cards: dict[int, int], starts: list[int], taken: list[HistoryItem], piles: Piles | None
    ) -> Problem | None:
        slots = self._other_values(1) if self.goal is not None and self.rng.random() < 0.5 else {}
        for start in starts:
            found = self._replay(Change(cards, slots, start), taken, piles)
            if found is not None:
                return self._problem_of(found)
        return None


class _PermuteUnseen(_SwapTwoCards):
    """Permute the cards that the viewer has not seen since one shuffle, in all places or some."""

    way = "many cards"

    def _draw(self) -> tuple[Any, ...] | None:
        if not self.state.shuffles:
            return None
        # Cards that were seen since stay, so the play so far is the same for the viewer.
        unseen = list(self._unseen(self.state))
        if not self.at_once:
            # Cards that the next step shows on purpose would hide every other difference, so some places stay.
            unseen = [place for place in unseen if self.rng.random() < 0.5]
        self.places = tuple(unseen)
        return self._zones() if len(unseen) > 1 else None

    def _cards(self, state: Traced) -> dict[int, int]:
        _, mixed = self._one_of(state.shuffles[-2:])
        unseen = self._unseen(state)
        mine = [card for place in self.places for card in unseen.get(place, ()) if card in mixed]
        # A random cycle: no card stays where it is.
        chance.mix(self.rng, mine)
        cards = dict(zip(mine, [*mine[1:], *mine[:1]], strict=True))
        faces = self.game.card_faces
        return cards if any(faces[one] != faces[other] for one, other in cards.items()) else {}

    def _starts(self, cards: dict[int, int]) -> list[int]:
        return [length // 2 for length, mixed in self.state.shuffles if cards.keys() <= mixed][:-STARTS:-1]


class _PermutePlace(_PermuteUnseen):
    """Permute the cards of one place that the viewer has not seen since one shuffle."""

    way = "one place"

    def _draw(self) -> tuple[Any, ...] | None:
        # The order in a place matters only while the cards are there, so the exchange is not made earlier.
        self.at_once = False
        several = [place for place, cards in self._unseen(self.state).items() if len(cards) > 1]
        if not several or not self.state.shuffles:
            return None
        self.places = (self._one_of(several),)
        return self._zones()


class _SwapCopies(_Exchange):
    """Swap two copies of a card in a place without order: no viewer may notice it."""

    way = "copies"

    def _draw(self) -> tuple[int, ...] | None:
        state, faces = self.state, self.game.card_faces
        self.at_once = False
        slots = _card_slots(self.game)
        if not self.game.has_copies:
            return None
        # A running phase may refer to one of the copies; a declared variable refers to either.
        busy = {c for slot in slots[_declared(self.game) :] for c in _listed(state.values[slot])} | state.waiting
        meant = {c for slot in slots[: _declared(self.game)] for c in _listed(state.values[slot])}
        pairs: list[tuple[int, int, int]] = []
        for place, zone in enumerate(state.zones):
            first: dict[tuple[int, int | None], int] = {}
            for card in zone if state.sights.unordered[place] else ():
                if card >= len(faces) or card in busy:
                    continue
                other = first.setdefault((faces[card], state.turned.get(card)), card)
                if other != card:
                    pairs.append((place, other, card))
        if not pairs:
            return None
        self.place, self.one, self.two = self._one_of(pairs)
        # A variable that means one of two copies distinguishes them most easily.
        return (self.game.places[self.place][0].name, self.one in meant, self.two in meant)

    def problem(self) -> Problem | None:
        other = self.state.clone()
        zone = other.zones[self.place]
        one, two = zone.index(self.one), zone.index(self.two)
        zone[one], zone[two] = self.two, self.one
        other._legal = None
        found, _ = self._probe(self.state, other, Change())
        return None if found is None or self._noted(found) else self._problem_of(found)


class _ChangeVariables(_Exchange):
    """Change the values of one or two variables that the viewer does not see."""

    way = "value"

    def _draw(self) -> tuple[str, ...] | None:
        self.slots = self._other_values(1 + chance.below(self.rng, 2))
        return tuple(self.game.variables[slot][0].name for slot in self.slots) or None

    def problem(self) -> Problem | None:
        taken: list[HistoryItem] = []
        if self.at_once:
            self.at.count("exchanges")
        else:
            other = self.state.clone()
            for slot, (value, _) in self.slots.items():
                other.values[slot] = value
            other._legal = None
            found, taken = self._probe(self.state, other, Change())
            if found is None or self._noted(found):
                return None
        start = min(step for _, step in self.slots.values())
        again = self._replay(Change(slots=self.slots, start=start), taken, None)
        return None if again is None else self._problem_of(again)


class _ChangeChoice(_Exchange):
    """Change hidden decisions of other players and hidden outcomes of chance."""

    way = "choice"

    def _draw(self) -> tuple[int, ...] | None:
        self.start = -1
        if not self.at_once:
            return ()
        steps = list(range(len(self.state.entries) // 2)) if self.goal is None else self._hidden_moves(self.goal)
        if not steps:
            return None
        self.start = self._one_of(steps)
        return (self.follower.nodes[self.start], self.state.entries[2 * self.start])

    def _hidden_moves(self, goal: Goal) -> list[int]:
        """Return the steps in which unseen cards came to places of the goal or left them, each with the one before."""
        found: set[int] = set()
        for step, (begin, end) in enumerate(pairwise((0, *self.follower.effects))):
            moves = (effect for effect in self.state.done[begin:end] if effect.kind == "move")
            if any(
                not goal.places.isdisjoint(move.common[:2])
                and any(not sees(self.viewer, card.before | card.now, self.game.everyone) for card in move.cards)
                for move in moves
            ):
                found |= {max(0, step - 1), step}
        return sorted(found)

    def problem(self) -> Problem | None:
        if self.at_once:
            self.at.count("exchanges")
            found = self._replay(Change(hidden=True, start=self.start), [], None)
        else:
            found, _ = self._probe(self.state, self.state.clone(), Change(hidden=True))
        return None if found is None or self._noted(found) else self._problem_of(found)


def _broken(fault: RuleError, viewer: Viewer) -> Problem:
    message = f"{fault.message}; it happens if only information hidden from {_named(viewer)} changes"
    return Problem("fault", message, fault.span, fault.code)


def _named(viewer: Viewer) -> str:
    return "spectators" if viewer is None else f"player {viewer + 1}"


def _problem(found: Difference, by: LeakSite, viewer: Viewer) -> Problem:
    who, versions = _named(viewer), " or ".join(_versions(found.one, found.other))
    message = f"{by.how} reveals hidden information to {who}: if only that changes, {found.what} reads {versions}"
    if by.how in BY_RULES:
        message += "; if the rules reveal it on purpose, write `openly` before the statement"
    return Problem("leak", message, by.span, history=tuple(found.after[0].entries[1::2]))


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


def exchanged(state: Traced, names: dict[int, int]) -> Traced:
    """Return a copy in which determined cards are permuted, with all that lies or refers there.

    `names` says which card takes the place of which.
    """
    copy = state.clone()
    for place, zone in enumerate(copy.zones):
        zone[:] = [names.get(card, card) for card in zone]
        if copy.game.unordered[place]:
            zone.sort()
    for held in (copy.turned, copy.played_by, copy.known):
        moved = {names[card]: held.pop(card) for card in names if card in held}
        held.update(moved)
    for slot in _card_slots(copy.game):
        copy.values[slot] = _renamed(copy.values[slot], names)
    copy._legal = None
    return copy


def _renamed(value: Any, names: dict[int, int]) -> Any:
    if isinstance(value, list):
        return [names.get(item, item) for item in value]
    if isinstance(value, tuple):
        return tuple(names.get(item, item) for item in value)
    return names.get(value, value) if isinstance(value, int) else value


@lru_cache(maxsize=64)
def _card_slots(game: Game) -> list[int]:
    """Return the slots of a state whose values are cards."""
    layout = game.layout
    slots = [slot for slot, type_ in enumerate(game.variable_types) if _is_card(type_)]
    slots += [slot for local, slot in layout.local_slots.items() if _is_card(local.type)]
    slots.append(layout.picked)
    cells = [cell for cell in game.program.cells if _is_card(cell.type)]
    return slots + [cell.base + place for cell in cells for place in range(cell.places)]


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
    """Return at most 50 values of a type; of a type without bounds those that occur in plays."""
    match base := base_of(type_):
        case Player():
            known: Sequence[int] | None = range(game.num_players)
        case Int(low, None):
            known = range(low or 0, (low or 0) + 20)
        case _:  # All others have the values that the spec bounds, or none.
            known = values_of(base)
    return [] if known is None else [*known[:50], *([None] if is_optional(type_) else [])]


@attrs.frozen
class Exchanges(Check):
    """The check, as often as it may be by the account of the run."""

    def due(self, at: CheckContext) -> bool:
        """Say whether an exchange is made here."""
        if not at.account.bounded:
            return self.fits(at.state)
        left = SHARE * at.account.plays - at.account.checks
        rate = 1 if left > at.account.checks else self.rate
        return left >= 0 and self.fits(at.state) and at.plan.sampled(at.position, rate)


CHECK = Exchanges("exchange", exchanges, DECISION, RATE)
