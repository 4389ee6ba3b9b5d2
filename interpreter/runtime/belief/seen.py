"""What a player has seen of a play, and whether another play shows them the same.

Two comparisons: a quick one at each turn, of what lies open to the player by then, which plain states answer; and all
that the player was told, which takes a play with its log.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

from interpreter.analysis.types import Card, Cards, base_of
from interpreter.runtime import interruption
from interpreter.runtime.belief.tokens import TokenState
from interpreter.runtime.belief.traced import TracedState
from interpreter.runtime.belief.trajectories import Again, Impossible, Trajectory, Truth, extend
from interpreter.runtime.knowledge.events import Chosen, Event, Moved, Shown, Turned, eyes_of
from interpreter.runtime.knowledge.visibility import Past, Sight
from interpreter.runtime.machine import CHANCE, HistoryItem, Machine

if TYPE_CHECKING:
    from interpreter.runtime.game_base import GameBase
    from interpreter.runtime.logged import LoggedMachine


FEATURES = 32
HIDDEN = 8
"""How many numbers tell where cards lie, and how many of the last hidden turns have one."""


def _number(action: int) -> float:
    """Return a number from 0 to 1 for an action: multiples of the golden ratio lie far from each other."""
    return (action * 0.6180339887498949) % 1.0


class Table:
    """What a player sees of the table of a game at a glance: how many cards lie where, open cards, open variables."""

    def __init__(self, game: GameBase, player: int) -> None:
        self.faces = (*game.card_faces, *(-1 for _ in range(game.num_cards))) if game.has_copies else None
        self.places = [n for n, viewers in enumerate(game.place_viewers) if viewers >> player & 1]
        self.slots = [
            n for n, (viewers, type_) in enumerate(zip(game.variable_viewers, game.variable_types, strict=True))
            if viewers >> player & 1 and not isinstance(base_of(type_), Card | Cards)
        ]  # fmt: skip

    def look(self, state: Machine) -> tuple[Any, ...]:
        """Return what the player sees, to be compared; cards that are turned in their places are left out."""
        z, v = state.zones, state.values
        sizes = [*map(len, z)]
        if state.turned:
            return (sizes, [v[slot] for slot in self.slots])
        lying = [z[place] for place in self.places]
        if self.faces is not None:
            lying = [[*map(self.faces.__getitem__, zone)] for zone in lying]
        return (sizes, lying, [v[slot] for slot in self.slots])


class _Looking(Again):
    """Guides a play to go as its history says, and looks at the table in front of each turn of a player."""

    def __init__(self, items: list[HistoryItem], table: Table) -> None:
        super().__init__(items, set())
        self.table = table
        self.looks: list[tuple[Any, ...] | None] = []

    def marks(self, trajectory: Trajectory) -> bool:
        """Look; want no mark."""
        state = trajectory.state
        self.looks.append(None if state.to_act == CHANCE else self.table.look(state.clone()))
        return False


class Wanted:
    """What a player has seen of a play (`seen`), and where the state stands.

    `views` is what the player has seen of each event of the true log; the logs of other plays mostly begin like the
    one that was read before.
    """

    def __init__(self, state: Machine, player: int, truth: Truth) -> None:
        self.state, self.player = state, player
        self.eyes = eyes_of(player)
        self.past = Past(Sight(player), state.game.everyone)
        self.log = truth.log[:]
        self.views = [event.view(self.eyes) for event in self.log]
        self.seen = [told.event for told in self.past.read_on(self.log)]
        self.table = Table(state.game, player)
        looking = _Looking(state.entries[1::2], self.table)
        again = Trajectory(TokenState.first(state.game))
        extend(again, looking)
        self.looks = looking.looks
        self.last = None if again.state.to_act == CHANCE else self.table.look(again.state)
        self.logs = sorted(truth.logs.items(), reverse=True, key=lambda pair: pair[0])
        self.compared = 0
        self.traces = self._traced(truth)
        self.trace = self.traces[len(state.entries)].log
        self.learned_faces = self._learned_faces(truth)
        rng = Random("features")
        self.unseen = [
            (place, rng.random()) for place, viewers in enumerate(state.game.place_viewers) if not viewers >> player & 1
        ]

    def _traced(self, truth: Truth) -> dict[int, TracedState]:
        """Return the true play with its trace, at the places where it has marks and at its end."""
        entries = self.state.entries
        places = {mark.place for mark in truth.trajectory.marks()}
        traced = TracedState.first(self.state.game, self.player)
        kept = {0: traced.clone()}
        for at in range(0, len(entries), 2):
            interruption.check()
            if at in places:
                kept[at] = traced.clone()
            traced.apply_item(entries[at + 1])
        kept[len(entries)] = traced
        return kept

    def _learned_faces(self, truth: Truth) -> list[tuple[tuple[int, ...], frozenset[int]]] | None:
        """Return what was shuffled each time, and which cards of it the player has learned.

        None where cards have copies.  It is the same in all worlds in which the same was shuffled.
        """
        if self.state.game.has_copies:
            return None
        shuffles = truth.trajectory.shuffles
        known = set(self.traces[len(self.state.entries)].known)
        drawn = dict(pair for draw in truth.trajectory.draws for pair in draw.faces)
        return [(s.content, frozenset(drawn[key] for key in s.keys if key in known)) for s in shuffles]

    def learned_by_face(self, trajectory: Trajectory, faces: list[list[int]]) -> list[list[int]] | None:
        """Return for each shuffle the ranks of the cards that the player has learned, if the play shows them the same.

        None where it takes the trace to find out.
        """
        if self.learned_faces is None:
            return None
        found = []
        for shuffle, dealt, (content, learned) in zip(trajectory.shuffles, faces, self.learned_faces, strict=True):
            if shuffle.content != content:
                return None
            found.append([rank for rank, face in enumerate(dealt) if face in learned])
        return found

    def features(self, trajectory: Trajectory, hidden: list[int]) -> list[float]:
        """Return numbers that tell one world from another: for each face (several together where there are many) the
        places in which it lies unseen, for each hidden turn what was chosen, and how likely the decisions were.

        Places and actions have random numbers, which add up.
        """
        game, state = trajectory.state.game, trajectory.state
        faces, count = game.card_faces, len(game.card_faces)
        found = [0.0] * min(game.num_faces, FEATURES)
        width = len(found)
        for place, number in self.unseen:
            for card in state.zones[place]:
                if card < count:
                    face = faces[card]
                    found[face % width] += number * (1 + face // width * 0.37)
        turns = trajectory.turns
        found += [sum([_number(action) for action in turns[turn].actions]) for turn in hidden[-HIDDEN:]]
        found.append(sum([turn.load for turn in turns if turn.player != self.player]))
        return found

    def looks_alike(self, turn: int, state: Machine) -> bool:
        """Say whether the table in front of a turn looks as it did; of chance this is not asked."""
        look = self.looks[turn]
        return look is None or self.table.look(state) == look

    def waits(self, trajectory: Trajectory, other: Trajectory) -> bool:
        """Say whether a play that waits for a card ends here: as far into its draws as another one."""
        if self.state.awaited is None or len(trajectory.turns) != len(other.turns):
            return False
        return trajectory.since >= other.since

    def stands(self, state: Machine) -> None:
        """Raise Impossible where a play does not end as the true one: who acts, what they have picked, the table."""
        true = self.state
        if state.to_act != true.to_act or (state.awaited is None) != (true.awaited is None):
            raise Impossible
        if state.to_act == self.player and state.picked() != true.picked():
            raise Impossible
        if self.last is not None and self.table.look(state) != self.last:
            raise Impossible

    def retold(self, trajectory: Trajectory, traces: dict[int, TracedState], place: int) -> dict[int, TracedState]:
        """Carry a play out with its trace, and compare what the player sees.

        It begins at the last copy of a play, in some place or before, up to which that one is the same.

        Returns its copies at the marks of the play and at its end.  Raises Impossible where the player sees something
        else.
        """
        entries = trajectory.state.entries
        first = max(at for at, traced in traces.items() if at <= place and traced.entries == entries[:at])
        kept = {at: state for at, state in traces.items() if at <= first}
        wanted = {mark.place for mark in trajectory.marks()}
        traced = traces[first].clone()
        true, same = self.trace, True
        read = len(traced.log)
        for at in range(first, len(entries), 2):
            interruption.check()
            if at in wanted and at > first:
                kept[at] = traced.clone()
            item = entries[at + 1]
            if traced.awaited is None and isinstance(item, int):
                traced.apply_unchecked(item)
            else:
                traced.apply_action(item)
            if same and len(traced.log) > read:
                same = traced.log[read:] == true[read : len(traced.log)]
                read = len(traced.log)
                if not same:
                    self._compare(entries)
        if same and len(true) != read:
            self._compare(entries)
        kept[len(entries)] = traced
        return kept

    def _compare(self, entries: list[Any]) -> None:
        """Compare all that the player sees of a play, by its log.  Raises Impossible."""
        self.compared += 1
        place, log = self.logged_until(entries)
        logged = log.clone()
        comparison = Comparison(self, len(logged.log))
        for at in range(place, len(entries), 2):
            interruption.check()
            item = entries[at + 1]
            if logged.awaited is None and isinstance(item, int):
                logged.apply_unchecked(item)
            else:
                logged.apply_action(item)
            comparison.read_on(logged.log)
        comparison.end(logged.log)

    def logged_until(self, entries: list[Any]) -> tuple[int, LoggedMachine]:
        """Return the true play with its log as far as a history begins alike, and how far that is."""
        true = self.state.entries
        return next((at, log) for at, log in self.logs if entries[:at] == true[:at])


class Comparison:
    """Compares a log that grows with what a player has seen; each method raises Impossible where they part."""

    def __init__(self, wanted: Wanted, read: int) -> None:
        self.wanted = wanted
        self.checked = 0
        self.read = read
        self.abreast = True

    def copy(self) -> Comparison:
        """Return a copy, for a log that goes on otherwise."""
        other = Comparison(self.wanted, self.read)
        other.checked, other.abreast = self.checked, self.abreast
        return other

    def read_on(self, log: list[Event]) -> None:
        """Compare what is new.

        Who saw a decision's cards may be known only when they have moved, and what was seen last may still grow.
        """
        if len(log) == self.read:
            return
        first, self.read = self.read, len(log)
        if self.abreast:
            # Mostly each event is the one that happened, or looks like it; putting together what was seen takes longer.
            true = self.wanted.log
            self.abreast = len(log) <= len(true) and all(self._alike(log[n], n) for n in range(first, len(log)))
            if self.abreast:
                return
        seen, wanted = self.wanted.past.read_on(log), self.wanted.seen
        if len(seen) > len(wanted):
            raise Impossible
        for place in range(self.checked, len(seen) - 1):
            event = seen[place].event
            if event is not wanted[place] and not isinstance(event, Chosen) and event != wanted[place]:
                raise Impossible
        if seen and not _begins(seen[-1].event, wanted[len(seen) - 1]):
            raise Impossible
        self.checked = max(0, len(seen) - 1)

    def _alike(self, event: Event, place: int) -> bool:
        true = self.wanted.log[place]
        if isinstance(event, Chosen) or isinstance(true, Chosen):
            return type(event) is type(true)
        return event == true or event.view(self.wanted.eyes) == self.wanted.views[place]

    def end(self, log: list[Event]) -> None:
        """Compare all of it."""
        if [seen.event for seen in self.wanted.past.read_on(log)] != self.wanted.seen:
            raise Impossible


def _begins(event: Event, whole: Event) -> bool:
    """Say whether what was seen last can still become all of an event: cards that go one way are told together."""
    if event == whole or isinstance(event, Chosen):
        return True
    if type(event) is not type(whole) or not isinstance(event, Moved | Turned | Shown):
        return False
    assert isinstance(whole, Moved | Turned | Shown)
    return len(event.cards) < len(whole.cards) and not Counter(event.cards) - Counter(whole.cards)


def learned_of(trajectory: Trajectory, traces: dict[int, TracedState]) -> list[list[int]]:
    """Return for each shuffle the ranks of the tokens whose card the player has learned, ascending."""
    known = traces[len(trajectory.state.entries)].known
    return [[rank for rank, key in enumerate(shuffle.keys) if key in known] for shuffle in trajectory.shuffles]
