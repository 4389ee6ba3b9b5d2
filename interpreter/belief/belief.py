"""The belief of a player about a play, updated during the play.

Worlds come from the first of three engines that applies:

1. exact enumeration (`interpreter.belief.enumeration`), where the worlds are few;
2. Metropolis-Hastings walks in C (`interpreter.native.belief`), where a C compiler is available, the rules have a form
   in C and `CARDGAME_NATIVE=off` is not set; the library is built when first needed, however the game was loaded;
3. a particle filter (`interpreter.belief.particle_filter`), elsewhere, while a play waits for chance, and where walks
   cannot be used: they have not mixed, none has moved, or the number of unseen draws depends on a secret.

Where no engine has worlds, `Belief.shortfall` says why; the true play is never used in their place.  All engines can be
interrupted (`interpreter.engine.interruption`).
"""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from interpreter.belief.enumeration import MOST, Enumeration, enumerated
from interpreter.belief.evidence import Evidence
from interpreter.belief.mixing import Mixing
from interpreter.belief.particle_filter import ParticleFilter
from interpreter.engine import chance
from interpreter.engine.faults import NoWorldError
from interpreter.engine.interruption import Interrupted, check, within
from interpreter.engine.logged import log_of

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase, PlainState
    from interpreter.engine.machine import Machine
    from interpreter.native.belief import NativeBelief
    from interpreter.native.plays import WatchedGame

    NativeEngine: TypeAlias = "ExactBelief | NativeBelief"
    Engine: TypeAlias = "NativeEngine | ParticleFilter"
    """A source of the worlds of a belief; those of the first two can be states of C."""

ENUMERATING = 0.15
"""The share of the time until worlds are wanted that an attempt at enumeration may take."""


class Belief:
    """The probability distribution over the worlds of a player, if the others play at random.

    The module says which engine finds them.  Raises ValueError for a player who does not take part.
    """

    def __init__(self, state: Machine, player: int, seed: int | str = 0) -> None:
        _check_player(state.game, player)
        self.player = player
        self._rng = Random(f"{seed}/belief")
        self._state = state.clone()
        self._engine: Engine | None = None
        self._outdated = True
        self._few = True
        self._passed_over: list[str] = []

    def __repr__(self) -> str:
        return f"<Belief of player {self.player + 1} at {self._state!r}>"

    @property
    def exact(self) -> bool:
        """Whether worlds are drawn from the exact distribution, all of them being known."""
        return self._ready().exact

    @property
    def mixing(self) -> Mixing:
        """How worlds are drawn, and how far they can be trusted; walks burn in on first use."""
        return self._ready().mixing

    @property
    def shortfall(self) -> str:
        """Why there are no worlds, in words; empty where there are some."""
        return _reason(self._state, [*self._passed_over, found]) if (found := self._ready().shortfall) else ""

    def unusable(self) -> NoWorldError:
        """Return the error that says why there are no worlds."""
        return NoWorldError.at(self.player, self._state.num_decisions, self.shortfall)

    @property
    def native(self) -> NativeEngine | None:
        """The engine that gives worlds as states of C; None where there is no library of the game."""
        engine = self._ready()
        return None if isinstance(engine, ParticleFilter) or engine.library is None else engine

    def draw(self, n: int) -> list[PlainState]:
        """Return so many worlds: plain states in which the player has seen the same and the same player is to act.

        There are fewer where it is interrupted, and none where no engine has worlds (`shortfall`).
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
        """Take in that more has happened: the same play, as it is now.  The work is done when worlds are wanted."""
        self._state, self._outdated = state.clone(), True

    def _ready(self) -> Engine:
        """Return the engine for the play as it is now.  Raises Interrupted, and begins anew then."""
        before = self._engine
        if before is not None and not self._outdated:
            return before
        self._engine = None
        found = self._exact() or self._carried(before) or self._begun()
        self._engine, self._outdated = found, False
        return found

    def _exact(self) -> Engine | None:
        """Return all worlds where they are few; once they were too many, they stay so."""
        state = self._state
        if not self._few or state.awaited is not None:
            return None
        self._few = False
        if len(state.entries) > 2 * MOST:
            return None
        try:
            with within(ENUMERATING):
                found = all_worlds(state, self.player)
        except Interrupted:
            check()
            return None
        self._few = found is not None
        return None if found is None else ExactBelief(found, state, self._rng)

    def _carried(self, before: Engine | None) -> Engine | None:
        if before is None or isinstance(before, ExactBelief) or before.library is not _library(self._state):
            return None
        try:
            before.advance(self._state)
        except MemoryError:
            return None
        return None if before.shortfall else before

    def _begun(self) -> Engine:
        library = _library(self._state)
        self._passed_over = []
        if library is not None:
            from interpreter.native.belief import NativeBelief  # late: native

            try:
                belief = NativeBelief(library, self._state, self.player, self._rng)
            except MemoryError as error:
                self._passed_over.append(str(error))
            else:
                if not belief.shortfall:
                    return belief
                self._passed_over.append(belief.shortfall)
        return ParticleFilter(self._state, self.player, self._rng)


class ExactBelief:
    """All worlds of a player at a state, drawn as often as they are likely; with a library also as states of C."""

    exact: Literal[True] = True
    shortfall = ""
    mixing = Mixing("enumeration", reached=True)

    def __init__(self, worlds: Enumeration, state: Machine, rng: chance.Rng) -> None:
        self._worlds, self._state, self._rng = worlds, state, rng

    @property
    def library(self) -> WatchedGame | None:
        """The game as C, built when worlds are first wanted as states of it."""
        return _library(self._state)

    def draw(self, n: int) -> list[PlainState]:
        """Return so many worlds."""
        return [self._worlds.draw(self._rng) for _ in range(n)]

    def all(self, most: int) -> list[tuple[PlainState, float]] | None:
        """Return all worlds, each with how likely it is; None where there are more."""
        return self._worlds.worlds(most)

    def states(self, n: int) -> bytes:
        """Return so many worlds as states of C, side by side; fewer where it is interrupted."""
        library = self.library
        assert library is not None
        return library.states((self._worlds.draw(self._rng) for _ in range(n)), self._rng)


def all_worlds(state: Machine, player: int) -> Enumeration | None:
    """Return all worlds of a player where they are few, else None.  Raises Interrupted.

    The result is kept with the log of the play.  Once the worlds were too many, they stay so: what a player learns
    later is not known while plays are enumerated from the start.
    """
    kept: dict[int, tuple[list[Any], Enumeration | None]] = log_of(state).derived.setdefault("worlds", {})
    entries, found = kept.get(player, ([], None))
    known = player in kept and entries == state.entries[: len(entries)]
    if known and (found is None or len(entries) == len(state.entries)):
        return found
    found = enumerated(Evidence(state, player))
    kept[player] = (state.entries[:], found)
    return found


def library_of(game: GameBase) -> WatchedGame | None:
    """Return the game as C, in which beliefs walk and trees are searched.

    None where there is no compiler, a rule has no form in C, or the environment says `CARDGAME_NATIVE=off`.
    """
    from interpreter.native.library import NativeUnavailableError  # late: native
    from interpreter.native.plays import WatchedGame  # late: native

    with suppress(NativeUnavailableError):
        return WatchedGame.wanted(game)
    return None


def _library(state: Machine) -> WatchedGame | None:
    """Return the game as C; None for a play that waits for chance, which has no form in C."""
    return None if state.is_chance_node() else library_of(state.game)


def resample(state: Machine, player: int, rng: chance.Rng, steps: int | None = None) -> PlainState:
    """Return a state that the player cannot distinguish from this one.

    Where the worlds are too many to enumerate, it is drawn by a walk in C of so many steps, or of as many as were
    measured to be enough.  Raises ValueError for a player who does not take part, NoWorldError where no engine has a
    world.
    """
    _check_player(state.game, player)
    known = all_worlds(state, player)
    if known is not None:
        return known.draw(rng)
    library, reasons = _library(state), []
    if library is not None:
        from interpreter.native.belief import resample_by_walk  # late: native

        try:
            world = resample_by_walk(library, state, player, rng, steps)
        except MemoryError as error:
            world = str(error)
        if not isinstance(world, str):
            return world
        reasons.append(world)
    particles = ParticleFilter(state, player, rng)
    found = particles.draw(1)
    if not found:
        check()
        raise NoWorldError.at(player, state.num_decisions, _reason(state, [*reasons, particles.shortfall]))
    return found[0]


def _reason(state: Machine, shortfalls: list[str]) -> str:
    """Return why no engine has worlds, and what helps where the game is not available in C."""
    found = "; ".join(shortfalls)
    if library_of(state.game) is None:
        found += ". Walks in C find more: install a C compiler, or run `pip install 'cardgame[native]'`"
    return found


def _check_player(game: GameBase, player: int) -> None:
    if not 0 <= player < game.num_players:
        raise ValueError(f"there is no player {player}")
