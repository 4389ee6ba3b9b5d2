"""Trajectories: a play carried out again, in parts: its shuffles, its turns, and how likely each was.

A *turn* is a whole decision of a player, of one or several small actions, or what `random` gave.  A
*shuffle* is the moment at which the cards of a pile became tokens, with the face that each token has: the
one drawn for it or, where nobody drew it, one imputed.  What others see of a play always says how many
turns there were and whose, so two plays in which a player has seen the same have the same turns in number
and order, however they differ inside.

Marks are copies of the state on the way, from which another play can go on that differs only later.

A trajectory is carried out by plain states.  What was told on the way is known from a second, logged play of the
same history: `Truth` has both for the play as it was.
"""

from __future__ import annotations

from math import log
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from interpreter.runtime import chance, interruption
from interpreter.runtime.belief.tokens import TokenState
from interpreter.runtime.faults import IllegalActionError, RuleError
from interpreter.runtime.knowledge.events import Chosen, Event, Fell, eyes_of
from interpreter.runtime.logged import LoggedMachine, first_log, log_of
from interpreter.runtime.machine import CHANCE, HistoryItem, Machine

if TYPE_CHECKING:
    from interpreter.runtime.game_base import PlainState

Key = tuple[int, int]
"""The number of a shuffle in its play, and a token of it."""

LOGS = tuple(map(log, range(1, 1025)))
"""The logarithms of small numbers, that of 1 first."""


class Impossible(Exception):  # noqa: N818 -- no error, but what most proposals come to
    """A play cannot go on like this, or its player would see something else."""


@attrs.frozen(eq=False)
class Mark:
    """A copy of a play on the way, with how many turns, shuffles and draws lie behind it.

    `since` are the draws since the last turn.
    """

    state: TokenState
    turns: int
    shuffles: int
    draws: int
    since: int

    @property
    def place(self) -> int:
        """How long the history is up to here: two marks of one play are the same point if it is the same."""
        return len(self.state.entries)


@attrs.frozen(eq=False)
class Turn:
    """One decision, or one outcome of `random` (`player` is then -1).

    `load` is the logarithm of how many legal actions there were, multiplied over its small actions; of an
    outcome, of one over its probability.  `ended` is whether it is over.  A mark lies in front of it where the guide
    wanted one.
    """

    player: int
    actions: tuple[int, ...]
    load: float
    ended: bool
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

    state: TokenState
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

    def to_end(self) -> Trajectory:
        """Return a copy, to be extended independently of this; a turn that has not ended is left out."""
        if self.turns and not self.turns[-1].ended:
            marks = [mark for mark in self.marks() if mark.turns < len(self.turns)]
            return self.from_mark(marks[-1]) if marks else Trajectory(TokenState.first(self.state.game))
        return self.from_mark(self.mark())

    def marks(self) -> list[Mark]:
        """Return all marks, the earliest first."""
        found = [s.mark for s in self.shuffles] + [t.mark for t in self.turns if t.mark is not None]
        return sorted(found, key=lambda mark: mark.place)

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


class Guide(Protocol):
    """Who says how a play goes on: each method answers, or returns None to stop there.

    All may raise Impossible.
    """

    def shuffled(self, trajectory: Trajectory) -> None:
        """Take note of the newest shuffle."""

    def draw(self, trajectory: Trajectory) -> HistoryItem | None:
        """Return what is drawn for the waiting pile, or for all."""

    def act(self, trajectory: Trajectory, legal: list[int], done: list[int]) -> int | None:
        """Return the next small action or outcome of a turn of which some are done."""

    def marks(self, trajectory: Trajectory) -> bool:
        """Say whether a mark is wanted in front of the next turn."""


def extend(trajectory: Trajectory, guide: Guide) -> None:
    """Play on as the guide says, until it stops or the play is over.  Raises Impossible, Interrupted."""
    state = trajectory.state
    while True:
        interruption.check()
        _note_shuffles(trajectory, guide)
        if state.awaited is not None:
            item = guide.draw(trajectory)
            if item is None:
                return
            _draw(trajectory, item)
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
    tokens = [token for _, token in state.tokens_in_order()] if whole else [state.awaited]
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
    player = state.to_act
    mark = trajectory.mark() if guide.marks(trajectory) else None
    actions: list[int] = []
    load = 0.0
    ended = False
    try:
        while not ended:
            legal = state.legal_actions()
            action = guide.act(trajectory, legal, actions)
            if action is None:
                break
            if action not in legal:
                raise Impossible
            load += _load(state, action, len(legal))
            state.apply_action(action)
            trajectory.since = 0
            actions.append(action)
            ended = state.to_act != player or not state.is_unfinished()
    except RuleError:
        raise Impossible from None
    if actions:
        trajectory.turns.append(Turn(player, tuple(actions), load, ended, mark))
    return ended


def _load(state: Machine, action: int, legal: int) -> float:
    if state.to_act == CHANCE:
        return -log(dict(state.chance_outcomes())[action])
    return LOGS[legal - 1] if legal <= len(LOGS) else log(legal)


# ---- the play as it was


class Again:
    """Guides a play to go as its history says."""

    def __init__(self, items: list[HistoryItem], places: set[int]) -> None:
        self.items, self.places = items[::-1], places

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

    def marks(self, trajectory: Trajectory) -> bool:
        """Want marks in some places."""
        return len(trajectory.state.entries) in self.places


@attrs.frozen
class Told:
    """What the log tells of a turn: the number of its event (-1: not told yet), and whether everybody saw all of it.

    `before` is how long the history was in front of it.
    """

    event: int
    public: bool
    before: int


@attrs.define(eq=False)
class Truth:
    """The play as it was, with its log, and what the log tells of each turn that has ended.

    `logs` are copies of the logged play by the length of its history: at each turn that, or the one before, was not
    public, and at each shuffle.  `begun` is that length in front of a turn that has not ended, or -1.  `enough` and
    `exact` keep, for each player, how many steps a walk needs from here, and all worlds if these are few (or None).
    """

    trajectory: Trajectory
    logged: LoggedMachine
    told: list[Told]
    logs: dict[int, LoggedMachine]
    begun: int = -1
    enough: dict[int, int] = attrs.field(factory=dict)
    exact: dict[int, Any] = attrs.field(factory=dict)

    @property
    def entries(self) -> list[Any]:
        """The history of the play."""
        return self.logged.entries

    @property
    def log(self) -> list[Event]:
        """All that has happened."""
        return self.logged.log

    def secret(self) -> list[int]:
        """Return the numbers of the turns that were kept from all others when they were made."""
        log = self.log
        return [n for n, told in enumerate(self.told) if told.event >= 0 and getattr(log[told.event], "secret", False)]

    def hidden(self, player: int) -> list[int]:
        """Return the numbers of the turns of which a player has not seen all, not even later."""
        turns = self.trajectory.turns
        owners = {told.event: number for number, told in enumerate(self.told)}
        eyes = eyes_of(player)
        secret: dict[Any, list[int]] = {}
        found = set(range(len(turns)))
        for place, event in enumerate(self.log):
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
        return [n for n in sorted(found) if turns[n].player != player]


def truth_of(state: Machine) -> Truth:
    """Return a play as it was.  It is remembered with the log of the play, and extended from there."""
    kept = log_of(state).told
    truth: Truth | None = kept.get("truth")
    if truth is None or truth.entries != state.entries:
        known = 0 if truth is None else _common(truth, state.entries)
        truth = _begun(state) if truth is None or not known else _part(truth, known)
        _read_on(truth, state.entries)
        kept["truth"] = truth
    return truth


def _begun(state: Machine) -> Truth:
    logged = first_log(state.game)
    logged.told = {}
    return Truth(Trajectory(TokenState.first(state.game)), logged, [], {0: logged.clone()})


def _common(truth: Truth, entries: list[Any]) -> int:
    """Return how long the beginning is that a play and a history share, up to a place that the truth has a log of."""
    if truth.begun < 0 and truth.entries == entries[: len(truth.entries)]:
        return len(truth.entries)
    marks = {mark.place for mark in truth.trajectory.marks()}
    fitting = [place for place in truth.logs if place in marks and truth.entries[:place] == entries[:place]]
    return max(fitting, default=0)


def _part(truth: Truth, place: int) -> Truth:
    """Return a play up to a place with a mark, or all of it."""
    if place == len(truth.entries):
        trajectory, logged = truth.trajectory.to_end(), truth.logged
    else:
        mark = next(mark for mark in truth.trajectory.marks() if mark.place == place)
        trajectory, logged = truth.trajectory.from_mark(mark), truth.logs[place]
    logs = {at: log for at, log in truth.logs.items() if at <= place}
    # Where there were too many worlds to go through, there are too many behind it: what is learned later comes later.
    wide = {player: found for player, found in truth.exact.items() if found is None and place == len(truth.entries)}
    return Truth(trajectory, logged.clone(), truth.told[: len(trajectory.turns)], logs, exact=wide)


def _read_on(truth: Truth, entries: list[Any]) -> None:
    """Carry a play out to the end of a history: first with its log, then in parts."""
    logged, first = truth.logged, len(truth.entries)
    epoch = logged.epoch
    start: LoggedMachine | None = None
    for place in range(first, len(entries), 2):
        interruption.check()
        if logged.epoch != epoch or place == first:
            epoch = logged.epoch
            truth.logs[place] = logged.clone()
        if logged.awaited is not None:
            logged.apply_item(entries[place + 1])
            continue
        player = logged.to_act
        if truth.begun < 0:
            truth.begun, start = place, logged.clone()
        assert start is not None
        logged.apply_item(entries[place + 1])
        if logged.to_act == player and logged.is_unfinished():
            continue
        kind = Fell if player == CHANCE else Chosen
        # One whose effect waits for a card is not told yet.
        event = next((n for n in range(len(start.log), len(logged.log)) if isinstance(logged.log[n], kind)), -1)
        everybody = map(eyes_of, range(logged.game.num_players))
        public = event >= 0 and not any(map(logged.log[event].hides, everybody))
        if not public or (truth.told and not truth.told[-1].public):
            truth.logs[truth.begun] = start
        truth.told.append(Told(event, public, truth.begun))
        truth.begun = -1
    if truth.begun >= 0 and start is not None:
        truth.logs[truth.begun] = start
    if logged.epoch != epoch:
        truth.logs[len(entries)] = logged.clone()
    extend(truth.trajectory, Again(entries[len(truth.trajectory.state.entries) + 1 :: 2], set(truth.logs)))


# ---- chance answered all at once


class _Redrawn:
    """Guides a play to make the turns that it made, with all waiting cards drawn when the first is needed, or each."""

    def __init__(self, trajectory: Trajectory, rng: chance.Rng, *, whole: bool) -> None:
        self.turns, self.whole = trajectory.turns, whole
        self.known: dict[Key, int] = {}
        for shuffle, faces in zip(trajectory.shuffles, trajectory.faces(rng), strict=True):
            self.known.update(zip(shuffle.keys, faces, strict=True))

    def shuffled(self, trajectory: Trajectory) -> None:
        """Leave the tokens as they are."""

    def draw(self, trajectory: Trajectory) -> HistoryItem | None:
        """Return the faces of all tokens, or of the one that is waited for."""
        return drawn(trajectory.state, self.known, whole=self.whole)

    def act(self, trajectory: Trajectory, legal: list[int], done: list[int]) -> int | None:
        """Return what was done."""
        del legal
        number = len(trajectory.turns)
        if number >= len(self.turns) or len(done) >= len(self.turns[number].actions):
            return None
        return self.turns[number].actions[len(done)]

    def marks(self, trajectory: Trajectory) -> bool:
        """Want none."""
        del trajectory
        return False


def drawn(state: TokenState, known: dict[Key, int], *, whole: bool) -> HistoryItem:
    """Return the faces of all tokens, or of the one that is waited for.  Raises Impossible where one is not known."""
    assert state.awaited is not None
    tokens = [token for _, token in state.tokens_in_order()] if whole else [state.awaited]
    try:
        faces = tuple([known[state.token_epochs[token], token] for token in tokens])
    except KeyError:
        raise Impossible from None
    return faces if whole else faces[0]


def at_once(state: Machine, rng: chance.Rng) -> PlainState:
    """Return a play in which all waiting cards were drawn when the first was needed, and everybody sees the same.

    Plays in which each is drawn when it is needed are undone and carried out again wherever one is, which takes long.
    A play that waits for a card, or that has other shuffles then, is left as it is.
    """
    if state.awaited is not None or not any(
        actor == CHANCE and isinstance(item, int) for actor, item in state.history()
    ):
        return state
    true = truth_of(state).trajectory
    if all(draw.whole for draw in true.draws):
        return state
    return _redrawn(true, rng, whole=True) or state


def one_by_one(state: Machine) -> PlainState | None:
    """Return a play in which each card was drawn when it was needed; None where it has other shuffles then."""
    if all(isinstance(item, int) for item in state.entries[1::2]):
        return state
    trajectory = Trajectory(TokenState.first(state.game))
    extend(trajectory, Again(state.entries[1::2], set()))
    return _redrawn(trajectory, Random(0), whole=False)


def _redrawn(true: Trajectory, rng: chance.Rng, *, whole: bool) -> PlainState | None:
    again = Trajectory(TokenState.first(true.state.game))
    try:
        extend(again, _Redrawn(true, rng, whole=whole))
    except Impossible:
        return None
    alike = again.state.to_act == true.state.to_act and (again.state.awaited is None) == (true.state.awaited is None)
    if not alike or len(again.turns) != len(true.turns) or len(again.shuffles) != len(true.shuffles):
        return None
    return again.state.plain()
