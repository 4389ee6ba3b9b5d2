"""The observations of one player in a play, and the comparison of another play with them.

`Evidence` holds the true play as its player saw it: the events, and the turns with the actions that the player knows.
A *turn* is one whole decision, of one or several small actions.  Plays with the same observations have the same turns
in number and order; the number of chance events between them may differ if nobody sees the outcomes.  A `Comparison`
follows the growing log of another play and raises `InconsistentError` at the first event that the player sees
differently.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import attrs

from interpreter.engine import interruption
from interpreter.engine.logged import LoggedMachine, first_log
from interpreter.engine.machine import CHANCE, HistoryItem, Machine
from interpreter.knowledge.events import Chosen, Event, Eyes, Fell, Moved, Shown, Turned, eyes_of
from interpreter.knowledge.observation import observation_text
from interpreter.knowledge.visibility import Past, Sight

TokenKey = tuple[int, int]
"""The number of a shuffle in its play (its epoch), and one of its tokens."""


class InconsistentError(Exception):
    """A play cannot go on like this, or its player would see something else."""


@attrs.frozen
class Turn:
    """One decision.

    `ended` is whether it is over; `hidden` whether the player has not seen all of it, not even later.
    """

    player: int
    actions: tuple[int, ...]
    ended: bool
    hidden: bool


@attrs.frozen
class Shuffle:
    """The cards of a pile became tokens: their keys by rank in the pile, their faces ascending (`content`).

    `learned` maps the ranks of the tokens whose card the player has learned since to the faces of these cards.
    """

    keys: tuple[TokenKey, ...]
    content: tuple[int, ...]
    learned: dict[int, int] = attrs.field(factory=dict)


class Evidence:
    """A play as one player has seen it up to a state."""

    def __init__(self, state: Machine, player: int) -> None:
        self.state, self.player = state, player
        self.entries: list[Any] = state.entries[:]
        self.eyes = eyes_of(player)
        self.past = Past(Sight(player), state.game.everyone)
        replay = _Replay(state.game)
        for item in self.entries[1::2]:
            interruption.check()
            replay.apply(item)
        self.log = replay.state.log
        self.views = [event.view(self.eyes) for event in self.log]
        self.seen = [seen.event for seen in self.past.read_on(self.log)]
        self.turns = replay.turns(player)
        self.shuffles = replay.learned_shuffles(player)
        self.whole_draws = replay.whole_draws
        self.outcomes = replay.seen_outcomes(self.eyes)
        self.table = observation_text(state, player)

    @property
    def finished_turns(self) -> int:
        """How many turns have ended."""
        return len(self.turns) - (bool(self.turns) and not self.turns[-1].ended)

    def is_end(self, state: LoggedMachine, comparison: Comparison) -> bool:
        """Return whether a play is where the true one does, as the player sees it: who acts, the log, the table."""
        true = self.state
        if state.to_act != true.to_act or (state.awaited is None) != (true.awaited is None):
            return False
        if state.to_act == self.player and state.picked() != true.picked():
            return False
        return comparison.is_end(state.log) and observation_text(state, self.player) == self.table


class _Replay:
    """The true play carried out again, with notes on its turns, shuffles and draws."""

    def __init__(self, game: Any) -> None:
        self.state = first_log(game)
        self.state.derived = {}
        self.begun: list[tuple[int, int]] = []  # of each turn: its player, and how long the log was before it
        self.actions: list[list[int]] = []
        self.ended = True
        self.whole_draws: list[bool] = []
        self._outcomes: list[tuple[int, list[Event]]] = []
        self._shuffles = new_shuffles(self.state, 0)

    def apply(self, item: HistoryItem) -> None:
        """Carry out one entry of the history."""
        state = self.state
        if state.awaited is not None:
            self.whole_draws.append(not isinstance(item, int))
            state.apply_item(item)
        else:
            assert isinstance(item, int)
            player = state.to_act
            if self.ended:
                self.begun.append((player, len(state.log)))
                self.actions.append([])
            self.actions[-1].append(item)
            before = len(state.log)
            state.apply_item(item)
            if player == CHANCE:
                self._outcomes.append((item, state.log[before:]))
            self.ended = is_turn_over(state, player)
        self._shuffles += new_shuffles(state, last_epoch(self._shuffles))

    def turns(self, player: int) -> list[Turn]:
        """Return the turns of the play as a player knows them."""
        hidden = self._hidden(player)
        last = len(self.begun) - 1
        return [
            Turn(actor, tuple(actions), self.ended or number < last, number in hidden)
            for number, ((actor, _), actions) in enumerate(zip(self.begun, self.actions, strict=True))
            if actor != CHANCE
        ]

    def seen_outcomes(self, eyes: Eyes) -> list[int]:
        """Return the outcomes of chance that a player saw as soon as they were drawn."""
        return [outcome for outcome, events in self._outcomes if saw_outcome(events, eyes)]

    def _hidden(self, player: int) -> set[int]:
        """Return the numbers of the others' decisions of which a player has not seen all, not even later.

        A decision that was kept secret is logged again when it takes effect.
        """
        log, eyes = self.state.log, eyes_of(player)
        owners: dict[int, int] = {}
        limits = [place for _, place in self.begun[1:]] + [len(log)]
        for number, ((actor, first), limit) in enumerate(zip(self.begun, limits, strict=False)):
            if actor != CHANCE:
                place = next((n for n in range(first, limit) if isinstance(log[n], Chosen)), -1)
                owners[place] = number
        secret: dict[Any, list[int]] = {}
        hidden = {number for number, (actor, _) in enumerate(self.begun) if actor != player}
        for place, event in enumerate(log):
            if not isinstance(event, Chosen):
                continue
            turn = owners.get(place)
            if turn is None:
                waiting = secret.get((event.player, event.verb, event.args))
                turn = waiting.pop(0) if waiting else None
            elif event.secret:
                secret.setdefault((event.player, event.verb, event.args), []).append(turn)
            if turn is not None and not event.hides(eyes):
                hidden.discard(turn)
        return hidden

    def learned_shuffles(self, player: int) -> list[Shuffle]:
        """Return the shuffles, with what a player has learned of their cards."""
        known = self.state.learned[player]
        return [
            attrs.evolve(shuffle, learned={rank: known[key] for rank, key in enumerate(shuffle.keys) if key in known})
            for shuffle in self._shuffles
        ]


def saw_outcome(events: list[Event], eyes: Eyes) -> bool:
    """Return whether a player saw what `random` chose, by the events that it led to at once."""
    return any(isinstance(event, Fell) and not event.hides(eyes) for event in events)


def is_turn_over(state: Machine, player: int) -> bool:
    """Return whether the turn of a player is over after one of its small actions."""
    return state.to_act != player or not state.is_unfinished()


def last_epoch(shuffles: list[Shuffle]) -> int:
    """Return the epoch of the newest shuffle, or 0."""
    return shuffles[-1].keys[0][0] if shuffles else 0


def new_shuffles(state: LoggedMachine, after: int) -> list[Shuffle]:
    """Return the shuffles since an epoch whose tokens are still undetermined, the earliest first."""
    if state.epoch == after or not state.undetermined:
        return []
    found: dict[int, list[int]] = {}
    for token in sorted(state.undetermined):
        epoch = state.token_epochs[token]
        if epoch > after:
            found.setdefault(epoch, []).append(token)
    faces = state.game.card_faces
    return [
        Shuffle(
            tuple((epoch, token) for token in tokens),
            tuple(sorted(faces[card] for card in state.pools[state.undetermined[tokens[0]]])),
        )
        for epoch, tokens in sorted(found.items())
    ]


class Comparison:
    """Compares the growing log of a play with what a player has seen of the true one."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self._checked = 0
        self._read = 0
        self._identical = True

    def copy(self) -> Comparison:
        """Return a copy, for a log that goes on otherwise."""
        other = Comparison(self.evidence)
        other._checked, other._read, other._identical = self._checked, self._read, self._identical
        return other

    def read_on(self, log: list[Event]) -> None:
        """Compare the new events.  Raises InconsistentError.

        Who saw the cards of a decision may be known only after they have moved, and the event seen last may still grow.
        """
        if len(log) == self._read:
            return
        first, self._read = self._read, len(log)
        evidence = self.evidence
        if self._identical:
            # Mostly each event is the one that happened, or looks like it; joining what was seen takes longer.
            true = evidence.log
            new = range(first, len(log))
            self._identical = len(log) <= len(true) and all(self._looks_alike(log[n], n) for n in new)
            if self._identical:
                return
        seen, wanted = evidence.past.read_on(log), evidence.seen
        if len(seen) > len(wanted):
            raise InconsistentError
        for place in range(self._checked, len(seen) - 1):
            event = seen[place].event
            if event is not wanted[place] and not isinstance(event, Chosen) and event != wanted[place]:
                raise InconsistentError
        if seen and not _begins(seen[-1].event, wanted[len(seen) - 1]):
            raise InconsistentError
        self._checked = max(0, len(seen) - 1)

    def _looks_alike(self, event: Event, place: int) -> bool:
        true = self.evidence.log[place]
        if isinstance(event, Chosen) or isinstance(true, Chosen):
            return type(event) is type(true)
        return event == true or event.view(self.evidence.eyes) == self.evidence.views[place]

    def is_end(self, log: list[Event]) -> bool:
        """Return whether the player has seen the same in all."""
        return [seen.event for seen in self.evidence.past.read_on(log)] == self.evidence.seen


def _begins(event: Event, whole: Event) -> bool:
    """Return whether the event seen last can still grow into another one: cards that go one way are one event."""
    if event == whole or isinstance(event, Chosen):
        return True
    if type(event) is not type(whole) or not isinstance(event, Moved | Turned | Shown):
        return False
    assert isinstance(whole, Moved | Turned | Shown)
    return len(event.cards) < len(whole.cards) and not Counter(event.cards) - Counter(whole.cards)
