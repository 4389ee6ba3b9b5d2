"""What a player can believe of a play, kept while the play goes on.

Several walks (`interpreter.runtime.belief.walk`) begin far apart, are burnt in until they have measurably mixed
(`interpreter.runtime.belief.mixing`), and are kept: each further world costs some steps from the last one.  When more
has happened, the worlds that were found are carried on with it (a particle filter): those in which the player sees the
same go on, as often as what others did was likely in them, and the walks start from these.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import exp
from random import Random
from typing import TYPE_CHECKING, Protocol, cast

from interpreter.runtime import chance
from interpreter.runtime.belief import mixing
from interpreter.runtime.belief.carrying import carried
from interpreter.runtime.belief.enumeration import Enumeration, enumerated
from interpreter.runtime.belief.mixing import Mixing
from interpreter.runtime.belief.proposals import World
from interpreter.runtime.belief.trajectories import at_once, truth_of
from interpreter.runtime.belief.walk import Ground, PlayWalk
from interpreter.runtime.logged import log_of

if TYPE_CHECKING:
    from interpreter.native.belief import NativeBelief
    from interpreter.native.watched import WatchedGame
    from interpreter.runtime.game_base import GameBase, PlainState
    from interpreter.runtime.machine import Machine

WALKS = 4
"""How many walks there are."""

HOT = 24
"""The first steps go to whatever is possible, likely or not, so that the walks begin far apart."""

FIRST = 32
"""Behind how many steps of each walk it is measured first whether they have mixed; then behind half as many more."""

TARGET = 1.2
"""The greatest split-R-hat of walks that are taken to have mixed: some six independent worlds in each half of each."""

REMEMBERED = 5
"""How many times as long as a world is remembered what is thrown away has to be."""

WORK = 60_000
FEWEST = 48
"""How many turns may be carried out until that is reached; but each walk takes at least so many steps."""

MOST_STEPS = 2_000
"""How many steps each walk takes at most until then: early in a play they carry out few turns, and are no cheaper."""

STILL = 512
"""Behind how many steps walks that have not moved are given up: there may be one world alone, or none was found."""

WORK_FOR_ONE = 10_000
"""The same where only one world is wanted."""

KEPT = 32
"""How many worlds are kept to be carried on when more has happened."""

THIN = 8
"""Into how many parts the steps that make an independent world are cut: each further world is so many apart."""


class Engine(Protocol):
    """What finds the worlds of a belief: walks in Python, or in C (`interpreter.native.belief`)."""

    @property
    def exact(self) -> bool:
        """Whether worlds are drawn from the exact distribution."""
        ...

    @property
    def mixing(self) -> Mixing:
        """What was measured of the walks."""
        ...

    def draw(self, n: int) -> list[PlainState]:
        """Return so many worlds."""
        ...

    def advance(self, state: Machine) -> None:
        """Take in that more has happened."""
        ...


class Belief:
    """The worlds that a player cannot tell from the true one, as likely as they are for others who play at random.

    They are found in C where the game is at hand as C: random plays are native, or a search has asked for it; else in
    Python, and at a chance event.  Raises ValueError for a player who does not take part.
    """

    def __init__(self, state: Machine, player: int, seed: int | str = 0) -> None:
        if not 0 <= player < state.game.num_players:
            raise ValueError(f"there is no player {player}")
        self.player = player
        self._rng = Random(f"{seed}/belief")
        self._engine = self._made(state)

    @property
    def exact(self) -> bool:
        """Whether worlds are drawn from the exact distribution, all of them being known."""
        return self._engine.exact

    @property
    def mixing(self) -> Mixing:
        """What was measured of the walks, which burn in when somebody asks for this, or for worlds that are many."""
        return self._engine.mixing

    @property
    def native(self) -> NativeBelief | None:
        """What finds the worlds in C, and can give them as states of C; None where Python does."""
        return None if isinstance(self._engine, PlayBelief) else cast("NativeBelief", self._engine)

    def draw(self, n: int) -> list[PlainState]:
        """Return so many worlds: plain states in which the player has seen the same and the same player is to act."""
        return self._engine.draw(n)

    def advance(self, state: Machine) -> None:
        """Take in that more has happened: the same play, as it stands now."""
        if self.native is not None and state.is_chance_node():
            self._engine = self._made(state)
            return
        try:
            self._engine.advance(state)
        except MemoryError:
            self._engine = self._made(state)

    def _made(self, state: Machine) -> Engine:
        library = _library(state.game)
        if library is not None and not state.is_chance_node():
            from interpreter.native.belief import NativeBelief  # late: native

            with suppress(MemoryError):
                return NativeBelief(library, state, self.player, self._rng)
        return PlayBelief(state, self.player, self._rng)


class PlayBelief:
    """The belief of a player, found by Python's machine."""

    _work = WORK

    def __init__(self, state: Machine, player: int, rng: Random) -> None:
        self.player = player
        self._rng = rng
        self._mixing: Mixing | None = None
        self._next = 0
        self._kept: list[World] = []
        self._stand(state)
        self._start([])

    @property
    def exact(self) -> bool:
        """Whether worlds are drawn from the exact distribution, all of them being known."""
        return self._all is not None

    @property
    def mixing(self) -> Mixing:
        """What was measured of the walks, which burn in when somebody asks for this, or for worlds that are many."""
        if self._mixing is None:
            self._mixing = self._burn_in()
        return self._mixing

    def draw(self, n: int) -> list[PlainState]:
        """Return so many worlds: plain states in which the player has seen the same and the same player is to act."""
        if self._all is not None:
            return [self._all.draw(self._rng) for _ in range(n)]
        steps = -(-self.mixing.apart // THIN)
        worlds = []
        for _ in range(n):
            walk = self._walks[self._next]
            walk.go(steps)
            while not walk.settle():
                walk.go(self.mixing.apart)
            self._keep(walk.world)
            self._next = (self._next + 1) % len(self._walks)
            worlds.append(walk.state())
        return worlds

    def advance(self, state: Machine) -> None:
        """Take in that more has happened: the same play, as it stands now."""
        before, known, measured, hist = self._ground, self._kept, self._mixing, self._hist
        self._stand(state)
        self._mixing, self._kept = None, []
        if self._all is not None:
            return
        if measured is None or hist != self._hist[: len(hist)]:
            self._start([])
            return
        survivors = carried(self._ground, known, self._rng)
        fresh = len(self._ground.truth.trajectory.shuffles) > len(before.truth.trajectory.shuffles)
        worlds = _chosen(survivors, WALKS, self._rng)
        self._start(worlds)
        if len(worlds) == WALKS and not fresh and measured.reached:
            for walk in self._walks:
                walk.go(measured.apart)
            self._mixing = measured
            self._kept = _chosen(survivors, KEPT - WALKS, self._rng) + [walk.world for walk in self._walks]

    # ---- walking

    def _stand(self, state: Machine) -> None:
        self._hist = state.hist[:]
        self._ground = _ground(state, self.player)
        self._all = _all_of(self._ground)

    def _start(self, worlds: Sequence[World]) -> None:
        """Begin the walks: in these worlds, or far from the true one."""
        rng, ground = self._rng, self._ground
        self._walks = [
            PlayWalk(ground, worlds[n % len(worlds)] if worlds else ground.world(rng), rng) for n in range(WALKS)
        ]
        if not worlds:
            for walk in self._walks:
                walk.go(HOT, anywhere=True)

    def _burn_in(self) -> Mixing:
        """Walk until the walks have mixed, or have carried out as much as they may; keep worlds of the second half."""
        records: list[list[list[float]]] = [[] for _ in self._walks]
        passed: list[list[World]] = [[] for _ in self._walks]
        steps, until = 0, FIRST
        while True:
            for walk, record, worlds in zip(self._walks, records, passed, strict=True):
                for _ in range(until - steps):
                    walk.go(1)
                    record.append(walk.features())
                    worlds.append(walk.world)
            steps = until
            later = [record[steps // 2 :] for record in records]
            ratio, far = mixing.rhat(later), mixing.apart(later)
            still = not mixing.moved(records)
            reached = ratio <= TARGET and steps // 2 >= REMEMBERED * far and not still
            if (
                reached
                or steps >= MOST_STEPS
                or (still and steps >= STILL)
                or (steps >= FEWEST and sum(walk.work for walk in self._walks) >= self._work)
            ):
                break
            until = steps + steps // 2
        for walk in self._walks:
            while not walk.settle():
                walk.go(far)
        last = [worlds[steps // 2 :] for worlds in passed]
        each = KEPT // WALKS
        self._kept = [worlds[-1 - n * len(worlds) // each] for worlds in last for n in range(each)]
        return Mixing(len(self._walks), steps, ratio, far, reached)

    def _keep(self, world: World) -> None:
        self._kept.append(world)
        del self._kept[:-KEPT]


def _chosen(worlds: list[tuple[World, float]], count: int, rng: chance.Rng) -> list[World]:
    """Choose some worlds by the logarithms of their weights, none twice unless there are too few."""
    left = list(worlds)
    found: list[World] = []
    while len(found) < count and left:
        most = max(weight for _, weight in left)
        place, drawn = 0, rng.random() * sum(exp(weight - most) for _, weight in left)
        while place < len(left) - 1 and drawn >= exp(left[place][1] - most):
            drawn -= exp(left[place][1] - most)
            place += 1
        found.append(left.pop(place)[0])
    return found


def _all_of(ground: Ground) -> Enumeration | None:
    """Return all worlds where they are few; they are gone through once for each play, and not where they were many."""
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
        known = _all_of(ground)
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
    if player not in kept or kept[player][0] != state.hist:
        rng = Random("ground")
        whole = at_once(state, rng).clone()
        kept[player] = (state.hist[:], Ground(whole, player, truth_of(whole), rng))
    found: Ground = kept[player][1]
    return found


def _enough(ground: Ground) -> int:
    """Return how many steps a walk needs until it has forgotten where it began; it is measured once for each state."""
    player, known = ground.wanted.player, ground.truth.enough
    if player not in known:
        belief = PlayBelief(ground.wanted.state, player, Random("enough/belief"))
        belief._work = WORK_FOR_ONE
        measured = belief.mixing
        # Where the walks have not agreed, nobody knows what is enough; then it is all that each of them took.
        known[player] = HOT + (measured.steps // 2 if measured.reached else measured.steps)
    return known[player]
