"""Trajectories: a play carried out again, in parts: its shuffles, its turns, and how likely each was.

A *turn* is a whole decision of a player, of one or several small actions, or what `random` gave.  A
*shuffle* is the moment at which the cards of a pile became tokens, with the face that each token has: the
one drawn for it or, where nobody drew it, one imputed.  What others see of a play always says how many
turns there were and whose, so two plays in which a player has seen the same have the same turns in number
and order, however they differ inside.

Marks are copies of the state on the way, from which another play can go on that differs only later.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from interpreter.runtime import chance
from interpreter.runtime.faults import IllegalActionError, RuleError
from interpreter.runtime.knowledge.events import Chosen, Fell, eyes_of
from interpreter.runtime.machine import CHANCE

if TYPE_CHECKING:
    from interpreter.runtime.logged import LoggedState
    from interpreter.runtime.machine import HistoryItem
    from interpreter.runtime.state import State

Key = tuple[int, int]
"""The number of a shuffle in its play, as the logged state counts, and a token of it."""


class Impossible(Exception):  # noqa: N818 -- no error, but what most proposals come to
    """A play cannot go on like this, or its player would see something else."""


@attrs.frozen(eq=False)
class Mark:
    """A copy of a play on the way, with how many turns, shuffles and draws lie behind it.

    `since` are the draws since the last turn.
    """

    state: LoggedState
    turns: int
    shuffles: int
    draws: int
    since: int


@attrs.frozen(eq=False)
class Turn:
    """One decision, or one outcome of `random` (`player` is then -1).

    `load` is the logarithm of how many legal actions there were, multiplied over its small actions; of an
    outcome, of one over its probability.  `event` is where the log tells of it, None for a turn that has not
    ended.  `public` is whether everybody saw all of it at once.  A mark lies in front of it if it, or the turn
    before, was not public.
    """

    player: int
    actions: tuple[int, ...]
    load: float
    event: int | None
    public: bool
    mark: Mark | None


@attrs.frozen(eq=False)
class Shuffle:
    """The cards of a pile became tokens: which, by their rank in the pile, and of which faces (ascending)."""

    keys: tuple[Key, ...]
    content: tuple[int, ...]
    mark: Mark


@attrs.frozen(eq=False)
class Draw:
    """Cards were drawn, those of all waiting piles or one; with the faces that they turned out to have."""

    whole: bool
    faces: tuple[tuple[Key, int], ...]


@attrs.define(eq=False)
class Trajectory:
    """A play, as the steps it took.  `since` counts the draws behind the last turn."""

    state: LoggedState
    turns: list[Turn] = attrs.field(factory=list)
    shuffles: list[Shuffle] = attrs.field(factory=list)
    draws: list[Draw] = attrs.field(factory=list)
    since: int = 0

    def mark(self, more: int = 0) -> Mark:
        """Return a mark at this point, behind so many more shuffles."""
        return Mark(self.state.clone(), len(self.turns), len(self.shuffles) + more, len(self.draws), self.since)

    def from_mark(self, mark: Mark) -> Trajectory:
        """Return the part up to a mark, to be extended independently of this."""
        return Trajectory(
            mark.state.clone(), self.turns[: mark.turns], self.shuffles[: mark.shuffles], self.draws[: mark.draws],
            mark.since,
        )  # fmt: skip

    def marks(self) -> list[Mark]:
        """Return all marks, the earliest first."""
        found = [s.mark for s in self.shuffles] + [t.mark for t in self.turns if t.mark is not None]
        return sorted(found, key=lambda mark: len(mark.state.hist))

    def faces(self, rng: chance.Rng) -> list[list[int]]:
        """Return the face of each token of each shuffle; those that nobody drew get what is left, at random."""
        made = []
        drawn = dict(pair for draw in self.draws for pair in draw.faces)
        for shuffle in self.shuffles:
            left = list(shuffle.content)
            known = [drawn.get(key) for key in shuffle.keys]
            for face in known:
                if face is not None:
                    left.remove(face)
            chance.mix(rng, left)
            made.append([left.pop() if face is None else face for face in known])
        return made

    def learned(self, player: int) -> list[list[int]]:
        """Return for each shuffle the ranks of the tokens whose card a player has learned, ascending."""
        known = self.state.learned[player]
        return [[rank for rank, key in enumerate(shuffle.keys) if key in known] for shuffle in self.shuffles]

    def secret(self) -> list[int]:
        """Return the numbers of the turns that were kept from all others when they were made."""
        events = self.state.log
        return [
            n for n, t in enumerate(self.turns) if t.event is not None and getattr(events[t.event], "secret", False)
        ]

    def hidden(self, player: int) -> list[int]:
        """Return the numbers of the turns of which a player has not seen all, not even later."""
        events, owners = self.state.log, {turn.event: n for n, turn in enumerate(self.turns)}
        eyes = eyes_of(player)
        secret: dict[Any, list[int]] = {}
        found = set(range(len(self.turns)))
        for place, event in enumerate(events):
            if not isinstance(event, Chosen | Fell):
                continue
            number = owners.get(place)
            if isinstance(event, Chosen):
                if number is None:
                    # A decision that was kept is told when it takes effect.
                    waiting = secret.get((event.player, event.verb, event.args))
                    number = waiting.pop(0) if waiting else None
                elif event.secret:
                    secret.setdefault((event.player, event.verb, event.args), []).append(number)
            if number is not None and not event.hides(eyes):
                found.discard(number)
        return [n for n in sorted(found) if self.turns[n].player != player]


class Guide(Protocol):
    """Who says how a play goes on: each method answers, or returns None to stop there; `check` may object.

    All may raise Impossible.
    """

    def shuffled(self, trajectory: Trajectory) -> None:
        """Take note of the newest shuffle."""

    def draw(self, trajectory: Trajectory) -> HistoryItem | None:
        """Return what is drawn for the waiting pile, or for all."""

    def act(self, trajectory: Trajectory, legal: list[int], done: list[int]) -> int | None:
        """Return the next small action or outcome of a turn of which some are done."""

    def check(self, trajectory: Trajectory) -> None:
        """Look at what has happened since."""

    def marks(self, trajectory: Trajectory) -> bool:
        """Say whether a mark may be wanted in front of the next turn."""


def extend(trajectory: Trajectory, guide: Guide) -> None:
    """Play on as the guide says, until it stops or the play is over.  Raises Impossible."""
    state = trajectory.state
    while True:
        _note_shuffles(trajectory, guide)
        if state.awaited is not None:
            item = guide.draw(trajectory)
            if item is None:
                return
            _draw(trajectory, item)
            guide.check(trajectory)
        elif state.is_terminal() or not _turn(trajectory, guide):
            return


def _note_shuffles(trajectory: Trajectory, guide: Guide) -> None:
    state = trajectory.state
    noted = trajectory.shuffles[-1].keys[0][0] if trajectory.shuffles else 0
    if state.epoch == noted or not state.undetermined:
        return
    found: dict[int, list[int]] = {}
    for token in sorted(state.undetermined):
        epoch = state.token_epochs[token]
        if epoch > noted:
            found.setdefault(epoch, []).append(token)
    if not found:
        return
    faces = state.game.card_faces
    mark = trajectory.mark(len(found))
    for epoch, tokens in sorted(found.items()):
        content = tuple(sorted(faces[card] for card in state.pools[state.undetermined[tokens[0]]]))
        trajectory.shuffles.append(Shuffle(tuple((epoch, token) for token in tokens), content, mark))
        guide.shuffled(trajectory)


def _draw(trajectory: Trajectory, item: HistoryItem) -> None:
    state = trajectory.state
    assert state.awaited is not None
    whole = not isinstance(item, int)
    tokens = [token for _, token in chance.tokens_in_order(state)] if whole else [state.awaited]
    faces = (item,) if isinstance(item, int) else item
    keys = [(state.token_epochs[token], token) for token in tokens]
    trajectory.draws.append(Draw(whole, tuple(zip(keys, faces, strict=True))))
    trajectory.since += 1
    try:
        state.apply_action(item)
    except (IllegalActionError, RuleError):
        raise Impossible from None


def _turn(trajectory: Trajectory, guide: Guide) -> bool:
    """Let one turn be made; say whether the guide went on to its end."""
    state = trajectory.state
    player, place = state.to_act, len(state.log)
    mark = trajectory.mark() if guide.marks(trajectory) else None
    actions: list[int] = []
    load = 0.0
    ended = False
    while not ended:
        try:
            legal = state.legal_actions()
            action = guide.act(trajectory, legal, actions)
            if action is None:
                break
            if action not in legal:
                raise Impossible
            load += _load(state, action, len(legal))
            state.apply_unchecked(action)
        except (IllegalActionError, RuleError):
            raise Impossible from None
        trajectory.since = 0
        actions.append(action)
        guide.check(trajectory)
        ended = state.to_act != player or not state.is_unfinished()
    if actions:
        kind = Fell if player == CHANCE else Chosen
        event = next(n for n in range(place, len(state.log)) if isinstance(state.log[n], kind)) if ended else None
        public = event is not None and _public(state, event)
        marked = not public or bool(trajectory.turns and not trajectory.turns[-1].public)
        trajectory.turns.append(Turn(player, tuple(actions), load, event, public, mark if marked else None))
    return ended


def _load(state: State, action: int, legal: int) -> float:
    if state.to_act == CHANCE:
        return -log(dict(state.chance_outcomes())[action])
    return log(legal)


def _public(state: LoggedState, place: int) -> bool:
    event = state.log[place]
    return not any(event.hides(eyes_of(p)) for p in range(state.game.num_players))


# ---- the play itself


class _Truth:
    """Guides a play to go as it went."""

    def __init__(self, items: list[HistoryItem]) -> None:
        self.items = items[::-1]

    def shuffled(self, trajectory: Trajectory) -> None:
        """Leave the tokens as they are."""

    def draw(self, trajectory: Trajectory) -> HistoryItem | None:
        """Return the next entry of the history."""
        del trajectory
        return self.items.pop() if self.items else None

    def act(self, trajectory: Trajectory, legal: list[int], done: list[int]) -> int | None:
        """Return the next entry of the history."""
        del trajectory, legal, done
        item = self.items.pop() if self.items else None
        assert item is None or isinstance(item, int)
        return item

    def check(self, trajectory: Trajectory) -> None:
        """Object to nothing."""

    def marks(self, trajectory: Trajectory) -> bool:
        """Want every mark: who sees what is not known yet."""
        del trajectory
        return True


def trajectory_of(state: State) -> Trajectory:
    """Return a play as it was, in parts.  It is remembered with the log of the play, and extended from there."""
    kept = state._logged().told
    trajectory: Trajectory | None = kept.get("trajectory")
    if trajectory is None or trajectory.state.hist != state.hist:
        trajectory = (
            Trajectory(state.game.new_logged_state()) if trajectory is None else _common(trajectory, state.hist)
        )
        extend(trajectory, _Truth(state.hist[len(trajectory.state.hist) + 1 :: 2]))
        kept["trajectory"] = trajectory
    return trajectory


def _common(trajectory: Trajectory, hist: list[Any]) -> Trajectory:
    """Return as much of a play as another begins with."""
    marks = trajectory.marks()
    if not trajectory.turns or trajectory.turns[-1].event is not None:
        marks.append(trajectory.mark())
    fitting = [mark for mark in marks if mark.state.hist == hist[: len(mark.state.hist)]]
    return trajectory.from_mark(fitting[-1]) if fitting else Trajectory(trajectory.state.game.new_logged_state())
