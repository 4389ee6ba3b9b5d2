"""What a player can believe of a play, kept while the play goes on.

Where all worlds can be gone through (`interpreter.runtime.belief.enumeration`), they are drawn as often as they are
likely.  Else several walks (`interpreter.runtime.belief.walk`) begin far apart, are burnt in until they have measurably
mixed (`interpreter.runtime.belief.mixing`), and are kept: each further world costs some steps from the last one.  When
more has happened, the worlds that were found are carried on with it (a particle filter): those in which the player sees
the same go on, as often as what others did was likely in them, and the walks start from these.

All of it can be interrupted (`interpreter.runtime.interruption`); then the walks stand where they have come to.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Protocol, cast

import attrs

from interpreter.runtime import chance
from interpreter.runtime.belief.carrying import carried, chosen
from interpreter.runtime.belief.enumeration import MOST, Enumeration, enumerated
from interpreter.runtime.belief.mixing import HOT, PREPARING, WALKS, Bounds, Mixing, burn_in
from interpreter.runtime.belief.proposals import World
from interpreter.runtime.belief.trajectories import at_once, truth_of
from interpreter.runtime.belief.walk import Ground, PlayWalk
from interpreter.runtime.interruption import Interrupted, check, within
from interpreter.runtime.logged import log_of

if TYPE_CHECKING:
    from interpreter.native.watched import WatchedGame
    from interpreter.runtime.game_base import GameBase, PlainState
    from interpreter.runtime.machine import Machine

BOUNDS = Bounds(records=48, gap=1, work=60_000, steps=2_000, still=15_000)
"""How walks burn in; early in a play steps carry out few turns, and are no cheaper."""

WORK_FOR_ONE = 10_000
"""The same as the work in it, where only one world is wanted."""

KEPT = 32
"""How many worlds are kept to be carried on when more has happened."""

ENUMERATING = 0.15
"""Which share of what may be spent until worlds are wanted goes into looking whether they are few."""

THIN = 8
"""Into how many parts the steps that make an independent world are cut: each further world is so many apart."""


class Engine(Protocol):
    """What finds the worlds of a belief: a list of all, or walks, in Python or in C (`interpreter.native.belief`)."""

    exact: bool

    @property
    def library(self) -> WatchedGame | None:
        """The game as C, where worlds can be had as states of it."""
        ...

    @property
    def mixing(self) -> Mixing:
        """What was measured of the walks."""
        ...

    def draw(self, n: int) -> list[PlainState]:
        """Return so many worlds; fewer where it is interrupted."""
        ...

    def advance(self, state: Machine) -> None:
        """Take in that more has happened.  Raises Interrupted; then it is of no more use."""
        ...


class NativeEngine(Engine, Protocol):
    """The same, where there is a library of the game, so that worlds can be had as states of C."""

    def states(self, n: int) -> bytes:
        """Return so many worlds as states of C, side by side; fewer where it is interrupted."""
        ...


class Belief:
    """The worlds that a player cannot tell from the true one, as likely as they are for others who play at random.

    They are found in C where the game is at hand as C: random plays are native, or an agent has asked for it; else in
    Python, and at a chance event.  Raises ValueError for a player who does not take part.
    """

    def __init__(self, state: Machine, player: int, seed: int | str = 0) -> None:
        if not 0 <= player < state.game.num_players:
            raise ValueError(f"there is no player {player}")
        self.player = player
        self._rng = Random(f"{seed}/belief")
        self._state = state.clone()
        self._engine: Engine | None = None
        self._behind = True
        self._few = True

    def __repr__(self) -> str:
        return f"<Belief of player {self.player + 1} at {self._state!r}>"

    @property
    def exact(self) -> bool:
        """Whether worlds are drawn from the exact distribution, all of them being known."""
        return self._ready().exact

    @property
    def mixing(self) -> Mixing:
        """What was measured of the walks, which burn in when somebody asks for this, or for worlds that are many."""
        return self._ready().mixing

    @property
    def native(self) -> NativeEngine | None:
        """What gives worlds as states of C; None where the game is not at hand as C."""
        engine = self._ready()
        return None if engine.library is None else cast("NativeEngine", engine)

    def draw(self, n: int) -> list[PlainState]:
        """Return so many worlds: plain states in which the player has seen the same and the same player is to act.

        There are fewer where it is interrupted.
        """
        with suppress(Interrupted):
            return self._ready().draw(n)
        return []

    def worlds(self, most: int) -> list[tuple[PlainState, float]] | None:
        """Return all worlds, each with how likely it is; None where there are more, or they are not known (`exact`)."""
        with suppress(Interrupted):
            engine = self._ready()
            return engine.all(most) if isinstance(engine, ExactBelief) else None
        return None

    def advance(self, state: Machine) -> None:
        """Take in that more has happened: the same play, as it stands now.  It is looked at when worlds are wanted."""
        self._state, self._behind = state.clone(), True

    def _ready(self) -> Engine:
        """Return what finds the worlds of the play as it stands now.  Raises Interrupted, and begins anew then."""
        before, state = self._engine, self._state
        if before is not None and not self._behind:
            return before
        self._engine = None
        library = None if state.is_chance_node() else _library(state.game)
        found = self._exact(library) or self._carried(before, library) or self._begun(library)
        self._engine, self._behind = found, False
        return found

    def _exact(self, library: WatchedGame | None) -> Engine | None:
        """Return all worlds where they are few; where they were too many, there are too many behind it.

        What is learned later comes later.
        """
        state = self._state
        if not self._few or state.awaited is not None:
            return None
        self._few = False
        if len(state.entries) > 2 * MOST:
            return None
        try:
            with within(ENUMERATING):
                found = all_worlds(_ground(state, self.player))
        except Interrupted:
            check()
            return None
        self._few = found is not None
        return None if found is None else ExactBelief(found, library, self._rng)

    def _carried(self, before: Engine | None, library: WatchedGame | None) -> Engine | None:
        if before is None or before.exact or before.library is not library:
            return None
        try:
            before.advance(self._state)
        except MemoryError:
            return None
        return before

    def _begun(self, library: WatchedGame | None) -> Engine:
        if library is not None:
            from interpreter.native.belief import NativeBelief  # late: native

            with suppress(MemoryError):
                return NativeBelief(library, self._state, self.player, self._rng)
        return PlayBelief(self._state, self.player, self._rng)


class ExactBelief:
    """All worlds of a player at a state, drawn as often as they are likely; with a library also as states of C."""

    exact = True
    mixing = Mixing(walks=0, steps=0, rhat=1.0, apart=1, reached=True)

    def __init__(self, worlds: Enumeration, library: WatchedGame | None, rng: chance.Rng) -> None:
        self._worlds, self.library, self._rng = worlds, library, rng

    def draw(self, n: int) -> list[PlainState]:
        """Return so many worlds."""
        return [self._worlds.draw(self._rng) for _ in range(n)]

    def all(self, most: int) -> list[tuple[PlainState, float]] | None:
        """Return all worlds, each with how likely it is; None where there are more."""
        return self._worlds.worlds(most)

    def states(self, n: int) -> bytes:
        """Return so many worlds as states of C, side by side; fewer where it is interrupted.

        Cards that nobody has drawn yet are drawn for each.
        """
        from interpreter.native.tapes import native_play, record_of  # late: native

        library = self.library
        assert library is not None
        found: list[bytes] = []
        with suppress(Interrupted):
            for world in self.draw(n):
                found.append(native_play(library, record_of(world, self._rng)).content()[: library.size])
        return b"".join(found)

    def advance(self, state: Machine) -> None:
        """Do nothing: what may be behind it is gone through anew."""


class PlayBelief:
    """The belief of a player, found by walks of Python's machine."""

    exact = False
    library: WatchedGame | None = None
    _bounds = BOUNDS

    def __init__(self, state: Machine, player: int, rng: chance.Rng) -> None:
        self.player = player
        self._rng = rng
        self._mixing: Mixing | None = None
        self._next = 0
        self._kept: list[World] = []
        self._stand(state)
        self._start([])

    @property
    def mixing(self) -> Mixing:
        """What was measured of the walks, which burn in when somebody asks for this, or for worlds that are many."""
        if self._mixing is None:
            with within(PREPARING):
                self._mixing = burn_in(self._walks, self._bounds)
            each = KEPT // WALKS
            self._kept = [world for walk in self._walks for world in walk.passed(each)]
        return self._mixing

    def draw(self, n: int) -> list[PlainState]:
        """Return so many worlds: plain states in which the player has seen the same and the same player is to act."""
        steps = -(-self.mixing.apart // THIN)
        worlds: list[PlainState] = []
        with suppress(Interrupted):
            while len(worlds) < n:
                walk = self._walks[self._next]
                walk.go(steps)
                while not walk.settle():
                    walk.go(self.mixing.apart)
                self._keep(walk.world)
                self._next = (self._next + 1) % len(self._walks)
                worlds.append(walk.state())
        return worlds

    def advance(self, state: Machine) -> None:
        """Take in that more has happened: the same play, as it stands now.  Raises Interrupted."""
        before, known, measured, entries = self._ground, self._kept, self._mixing, self._entries
        self._stand(state)
        self._mixing, self._kept = None, []
        if measured is None or entries != self._entries[: len(entries)]:
            self._start([])
            return
        survivors = carried(self._ground, known, self._rng)
        fresh = len(self._ground.truth.trajectory.shuffles) > len(before.truth.trajectory.shuffles)
        worlds = chosen(survivors, WALKS, self._rng)
        self._start(worlds)
        if len(worlds) == WALKS and not fresh and measured.reached:
            for walk in self._walks:
                walk.go(measured.apart)
            self._mixing = measured
            self._kept = chosen(survivors, KEPT - WALKS, self._rng) + [walk.world for walk in self._walks]

    # ---- walking

    def _stand(self, state: Machine) -> None:
        self._entries = state.entries[:]
        self._ground = _ground(state, self.player)

    def _start(self, worlds: Sequence[World]) -> None:
        """Begin the walks: in these worlds, or far from the true one."""
        rng, ground = self._rng, self._ground
        self._walks = [
            PlayWalk(ground, worlds[n % len(worlds)] if worlds else ground.world(rng), rng) for n in range(WALKS)
        ]
        if not worlds:
            for walk in self._walks:
                walk.go(HOT, anywhere=True)

    def _keep(self, world: World) -> None:
        self._kept.append(world)
        del self._kept[:-KEPT]


def all_worlds(ground: Ground) -> Enumeration | None:
    """Return all worlds where they are few, else None; they are gone through once.  Raises Interrupted."""
    truth, player = ground.truth, ground.wanted.player
    if player not in truth.exact:
        truth.exact[player] = enumerated(truth, ground.wanted, ground.hidden)
    found: Enumeration | None = truth.exact[player]
    return found


def _library(game: GameBase) -> WatchedGame | None:
    """Return the game as C, if that is wanted: random plays are native, or somebody has asked for it."""
    if not game.native and "watched" not in game.libraries:
        return None
    from interpreter.native.library import NativeUnavailableError  # late: native
    from interpreter.native.watched import WatchedGame  # late: native

    with suppress(NativeUnavailableError):
        return WatchedGame.of(game)
    return None


def resample(state: Machine, player: int, rng: chance.Rng, steps: int | None = None) -> PlainState:
    """Return a state that the player cannot tell from this one, after a walk of so many steps; of as many as were
    measured to be enough, if nobody says.

    Raises ValueError for a player who does not take part.
    """
    if not 0 <= player < state.game.num_players:
        raise ValueError(f"there is no player {player}")
    ground = _ground(state, player)
    if steps is None:
        known = all_worlds(ground)
        if known is not None:
            return known.draw(rng)
        steps = _enough(ground)
    walk = PlayWalk(ground, ground.world(rng), rng)
    walk.go(min(HOT, steps // 2), anywhere=True)
    walk.go(steps - min(HOT, steps // 2))
    while not walk.settle():
        walk.go(steps)
    return walk.state()


def _ground(state: Machine, player: int) -> Ground:
    """Return what a player has seen of a play; the last of each player is remembered with the log of the play."""
    kept = log_of(state).told.setdefault("grounds", {})
    if player not in kept or kept[player][0] != state.entries:
        rng = Random("ground")
        whole = at_once(state, rng).clone()
        kept[player] = (state.entries[:], Ground(whole, player, truth_of(whole), rng))
    found: Ground = kept[player][1]
    return found


def _enough(ground: Ground) -> int:
    """Return how many steps a walk needs until it has forgotten where it began; it is measured once for each state."""
    player, known = ground.wanted.player, ground.truth.enough
    if player not in known:
        belief = PlayBelief(ground.wanted.state, player, Random("enough/belief"))
        belief._bounds = attrs.evolve(BOUNDS, work=WORK_FOR_ONE)
        measured = belief.mixing
        # Where the walks have not agreed, nobody knows what is enough; then it is all that each of them took.
        known[player] = HOT + (measured.steps // 2 if measured.reached else measured.steps)
    return known[player]
