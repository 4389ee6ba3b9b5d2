"""Metropolis-Hastings walks in C over the histories that a player cannot distinguish from the true one.

`interpreter/native/c/belief.h` has the walk.  Its stationary distribution is the belief of a player who assumes that
the others play at random: the weight of a play is the probability of its chance events, divided by the number of legal
small actions at each decision of another player (`docs/semantics.md` gives the reason).  Worlds are states in Python,
or an array of states in C for a search in C.
"""

from __future__ import annotations

import warnings
from contextlib import suppress
from ctypes import c_char, c_double, c_int32, c_int64
from math import exp, inf, log
from random import Random
from typing import TYPE_CHECKING, Any, Literal

import attrs

from interpreter.belief.mixing import (
    HOT,
    PREPARING,
    REMEMBERED,
    TARGET,
    WALKS,
    Mixing,
    MixingWarning,
    rhat,
    steps_between_worlds,
)
from interpreter.engine import chance, interruption
from interpreter.engine.interruption import Interrupted
from interpreter.engine.logged import log_of
from interpreter.native.plays import numbers
from interpreter.native.tapes import Record, Recorder, record_of, state_of

if TYPE_CHECKING:
    from interpreter.engine.game_base import PlainState
    from interpreter.engine.machine import Machine
    from interpreter.native.plays import WatchedGame

PIECE = 8
"""How many records of a stage are made at once; after them the remaining work is checked."""

CARDS, TURNS = 32, 8
"""The numbers of features of a walk: for the places of cards, and for the actions of the last hidden turns."""


@attrs.frozen
class Bounds:
    """Burn-in schedule: records in each stage, steps between records in the first stage, and limits.

    Burn-in ends after the first stage in which all walks together have done `work`, or each has taken `steps`, or no
    walk has moved after work `still`: there may be only one world.
    """

    records: int
    gap: int
    work: int
    steps: int
    still: int


BOUNDS = Bounds(records=64, gap=4, work=4_000_000, steps=4_000_000, still=50_000)
"""The burn-in schedule; it takes about a second at most."""

THIN = 4
"""Thinning: worlds are taken after a quarter of the steps between two independent worlds."""

TRIES, MOST_CARRIED, THINNEST = 64, 12, 4
"""After new events: the worlds that are tried, the consistent ones that are enough, and the steps between two tries."""

LONGER = 1.5
"""How many times as long as when walks were measured a play may get before carried walks are measured again."""

REPAIRED = 2
"""How many times the steps between two nearly independent worlds a walk takes that began in a repaired world."""

VARIES = "the number of unseen draws depends on a secret, and walks keep that number"
"""The reason why walks cannot reach all worlds of some plays."""

AT_ONCE = 4
"""The number of worlds, or of first steps, between two checks for an interruption."""


class NativeWalk:
    """A Metropolis-Hastings walk that begins at a play, over the plays that a player cannot distinguish from it.

    The same seed gives the same walk on every machine.  Raises MemoryError if the play with its snapshots is too large.
    """

    def __init__(self, native: WatchedGame, record: Record, player: int, seed: int) -> None:
        self.native = native
        self.calls = native.calls
        tape = record.tape
        self._tape, self._cards = len(tape), min(CARDS, native.game.num_faces)
        self._walk: int | None = self.calls.walk_new(
            player, seed, numbers(record.actions), len(record.actions), numbers(tape), len(tape)
        )
        if not self._walk:
            raise MemoryError("the play with its snapshots needs too much memory")

    def __del__(self) -> None:
        if getattr(self, "_walk", None):
            self.calls.walk_free(self._walk)
            self._walk = None

    @property
    def address(self) -> int:
        """The address of the walk in C."""
        assert self._walk is not None
        return self._walk

    @property
    def work(self) -> int:
        """How many small actions have been carried out, and steps have come to none."""
        done: int = self.calls.walk_work(self._walk)
        return done

    @property
    def varies(self) -> bool:
        """Whether the walk met a play that looks the same but has another number of draws, and cannot reach it."""
        return bool(self.calls.walk_varies(self._walk))

    @property
    def moved(self) -> bool:
        """Whether the walk has come to another play than the true one."""
        return bool(self.calls.walk_moved(self._walk))

    @property
    def hides(self) -> bool:
        """Whether the player has not seen something in the play; where not, it is the only world."""
        return bool(self.calls.walk_hides(self._walk))

    def go(self, steps: int, *, ignore_acceptance: bool = False) -> None:
        """Take so many steps; with `ignore_acceptance` each possible one, likely or not."""
        self.calls.walk_go(self._walk, steps, ignore_acceptance)

    def onward(self, before: NativeWalk, *, repairs: bool = False) -> float:
        """Begin in the current world of a walk over the beginning of this play, extended by the events since.

        With `repairs`, unseen cards of the world change places first, where what the player learned since says so.
        Returns the likelihood of the player's new observations in that world, up to a constant factor; 0 if they are
        impossible, and then all that this walk can do is to begin again in another world.
        """
        likely: float = self.calls.walk_onward(self._walk, before._walk, repairs)
        return likely

    def record(self, count: int, gap: int) -> list[list[float]]:
        """Take `count` times `gap` steps, and return the features of the walk after each."""
        interruption.check()
        width = self._cards + TURNS
        out = (c_double * (width * count))()
        self.calls.walk_record(self._walk, count, gap, out, self._cards, TURNS)
        numbers = list(out)
        return [numbers[start : start + width] for start in range(0, width * count, width)]

    def play(self) -> Record:
        """Return the current play of the walk."""
        room = self.calls.walk_room(self._walk)
        actions, ends, tape = (c_int32 * (room + 1))(), (c_int32 * (room + 1))(), (c_int32 * (self._tape + 1))()
        count = self.calls.walk_play(self._walk, actions, room, tape, ends)
        drawn, begin = [], 0
        for end in ends[: count + 1]:
            drawn.append(tuple(tape[begin:end]))
            begin = end
        return Record(tuple(actions[:count]), tuple(drawn))

    def state(self) -> PlainState:
        """Return a plain state at the end of the current play."""
        return state_of(self.native.game, self.play())

    def states(self, count: int, steps: int) -> bytes:
        """Take `steps` steps for each of `count` worlds, and return these as an array of states in C."""
        out = (c_char * (self.native.size * count))()
        self.calls.walk_states(self._walk, out, count, steps)
        return out.raw

    def counts(self) -> tuple[int, int, int]:
        """Return the number of steps proposed, of proposals consistent with the player, and of those accepted."""
        out = (c_int64 * 3)()
        self.calls.walk_counts(self._walk, out)
        return out[0], out[1], out[2]


class NativeBelief:
    """The belief of a player about a play, by walks in C.

    Several walks begin at dispersed histories, burn in until they have mixed, and are kept.  After new events they
    continue from worlds that are consistent with these.  Raises ValueError for a play that waits for chance,
    MemoryError for one that is too long.
    """

    exact: Literal[False] = False
    bounds = BOUNDS

    def __init__(self, library: WatchedGame, state: Machine, player: int, rng: chance.Rng) -> None:
        self.library, self.player, self._rng = library, player, rng
        self._mixing: Mixing | None = None
        self._measured = 0
        self._next = 0
        self._recorder = Recorder(state.game, rng).begin()
        self._walks = self._begun(self._recorder.follow(state).record())

    @property
    def mixing(self) -> Mixing:
        """The measurements of the walks; the first read of these, or of worlds, runs the burn-in."""
        if self._mixing is None:
            self._measured = self._recorder.num_actions
            with interruption.within(PREPARING):
                self._mixing = burn_in(self._walks, self.bounds)
        return self._mixing

    def draw(self, n: int) -> list[PlainState]:
        """Return `n` worlds as plain states with the same information state and the same player to act.

        An interruption leads to fewer.
        """
        worlds: list[PlainState] = []
        with suppress(Interrupted):
            while len(worlds) < n:
                interruption.check()
                walk = self._turn()
                walk.go(self._gap)
                worlds.append(walk.state())
        return worlds

    def states(self, n: int) -> bytes:
        """Return `n` worlds as an array of states in C; an interruption leads to fewer."""
        found: list[bytes] = []
        with suppress(Interrupted):
            for number in range(WALKS):
                walk, left = self._turn(), n // WALKS + (number < n % WALKS)
                while left > 0:
                    interruption.check()
                    found.append(walk.states(min(left, AT_ONCE), self._gap))
                    left -= AT_ONCE
        return b"".join(found)

    def advance(self, state: Machine) -> None:
        """Condition the belief on the new events of the play.  Raises ValueError, MemoryError, Interrupted."""
        before, measured, known = self._walks, self._mixing, self._recorder.entries
        goes_on = known == state.entries[: len(known)]
        if not goes_on:
            self._recorder = Recorder(state.game, self._rng).begin()
        record, self._mixing = self._recorder.follow(state).record(), None
        for repairs in (False, True):
            if goes_on and measured is not None and (walks := self._carried(record, before, repairs=repairs)):
                self._walks = walks
                if not measured.shortfall and len(record.actions) <= LONGER * self._measured:
                    for walk in walks:
                        walk.go((REPAIRED if repairs else 1) * measured.spacing)
                    self._mixing = measured
                return
        self._walks = self._begun(record)

    @property
    def shortfall(self) -> str:
        """Why the worlds of the walks cannot be used; empty if they can."""
        found = self.mixing.shortfall
        if any(walk.varies for walk in self._walks):
            return VARIES
        return found if self._walks[0].hides else ""

    def counts(self) -> list[tuple[int, int, int]]:
        """Return for each walk the number of steps proposed, of proposals consistent with the player, and accepted."""
        return [walk.counts() for walk in self._walks]

    @property
    def work_of_world(self) -> int:
        """The most small actions that are carried out for a world."""
        return self._gap * self._recorder.num_actions

    @property
    def _gap(self) -> int:
        return -(-self.mixing.spacing // THIN)

    def _turn(self) -> NativeWalk:
        self._next = (self._next + 1) % WALKS
        return self._walks[self._next]

    def _walk(self, record: Record) -> NativeWalk:
        interruption.check()
        return NativeWalk(self.library, record, self.player, int(self._rng.random() * 2**53))

    def _begun(self, record: Record) -> list[NativeWalk]:
        walks = [self._walk(record) for _ in range(WALKS)]
        for walk in walks:
            for _ in range(0, HOT, AT_ONCE):
                interruption.check()
                walk.go(AT_ONCE, ignore_acceptance=True)
        return walks

    def _carried(self, record: Record, before: list[NativeWalk], *, repairs: bool = False) -> list[NativeWalk]:
        """Return walks that begin in worlds of these, chosen by how likely what happened is there; none if too few."""
        found: list[tuple[NativeWalk, float]] = []
        walk: NativeWalk | None = None
        for tried in range(TRIES):
            interruption.check()
            walk = walk or self._walk(record)  # Most of a try is to make a walk.
            likely = walk.onward(before[tried % WALKS], repairs=repairs)
            if likely > 0:
                found.append((walk, log(likely)))
                walk = None
            before[tried % WALKS].go(THINNEST)
            if len(found) == MOST_CARRIED:
                break
        walks = _chosen(found, WALKS, self._rng)
        return walks if len(walks) == WALKS else []


def burn_in(walks: list[NativeWalk], bounds: Bounds) -> Mixing:
    """Run walks until they have mixed, reach a limit or are interrupted; return the measurements.

    Each stage is twice as long as the one before; only the last whole one is measured.
    """
    gap, steps = bounds.gap, 0
    found = Mixing("walks", reached=False, walks=len(walks), rhat=inf, spacing=gap)

    def spent() -> bool:
        return done() >= bounds.work or steps >= bounds.steps

    def done() -> int:
        return sum(walk.work for walk in walks)

    while True:
        records: list[list[list[float]]] = [[] for _ in walks]
        try:
            while len(records[0]) < bounds.records and not (gap > bounds.gap and spent()):
                for walk, record in zip(walks, records, strict=True):
                    record += walk.record(PIECE, gap)
                steps += PIECE * gap
        except Interrupted:
            return attrs.evolve(found, steps=steps)
        if len(records[0]) < bounds.records:
            return attrs.evolve(found, steps=steps)  # Of a part of a stage, little can be said.
        ratio, far, still = rhat(records), steps_between_worlds(records), not any(walk.moved for walk in walks)
        reached = ratio <= TARGET and far * REMEMBERED <= bounds.records and not still
        found = Mixing("walks", reached, len(walks), steps, ratio, far * gap, moved=not still)
        if reached or spent() or (still and done() >= bounds.still):
            return found
        gap *= 2


def resample_by_walk(
    library: WatchedGame, state: Machine, player: int, rng: chance.Rng, steps: int | None
) -> PlainState | str:
    """Return a world after one walk of so many steps, or of as many as were measured to be enough.

    Where no walk can be used, return why, in words.  Warns (`MixingWarning`) where the limit of the measurement was
    reached before walks had mixed.  Raises MemoryError for a play that is too long.
    """
    count = steps
    if count is None:
        measured, shortfall = _measured(library, state, player)
        if shortfall:
            return shortfall
        count = HOT + (measured.steps // 2 if measured.reached else measured.steps)
    walk = NativeWalk(library, record_of(state, rng), player, int(rng.random() * 2**53))
    walk.go(min(HOT, count // 2), ignore_acceptance=True)
    left = count - min(HOT, count // 2)
    while left > 0:
        interruption.check()
        walk.go(min(16 * AT_ONCE, left))
        left -= 16 * AT_ONCE
    return VARIES if walk.varies else walk.state()


def _measured(library: WatchedGame, state: Machine, player: int) -> tuple[Mixing, str]:
    """Return what was measured of walks, once for each state, and why they cannot be used, where they cannot."""
    kept: dict[int, tuple[list[Any], tuple[Mixing, str]]] = log_of(state).derived.setdefault("measured walks", {})
    if player not in kept or kept[player][0] != state.entries:
        belief = NativeBelief(library, state, player, Random("enough/belief"))
        measured, shortfall = belief.mixing, belief.shortfall
        if not measured.reached and not shortfall:
            warnings.warn(
                f"walks had not mixed after {measured.steps:,} steps (split R-hat {measured.rhat:.2f}): a world may "
                "resemble the true play",
                MixingWarning,
                stacklevel=2,
            )
        kept[player] = (state.entries[:], (measured, shortfall))
    return kept[player][1]


def _chosen(walks: list[tuple[NativeWalk, float]], count: int, rng: chance.Rng) -> list[NativeWalk]:
    """Draw some walks by the logarithms of their weights, without replacement."""
    left = list(walks)
    found: list[NativeWalk] = []
    while len(found) < count and left:
        most = max(weight for _, weight in left)
        place, rest = 0, rng.random() * sum(exp(weight - most) for _, weight in left)
        while place < len(left) - 1 and rest >= exp(left[place][1] - most):
            rest -= exp(left[place][1] - most)
            place += 1
        found.append(left.pop(place)[0])
    return found
