"""One ply of search over a network, in worlds of a belief that assumes that all players use it.

The arithmetic is in `interpreter/native/c/look.h`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_char, c_double
from math import sqrt
from typing import TYPE_CHECKING

import attrs

from interpreter.native.plays import numbers
from interpreter.training.network import Network, takes_best

if TYPE_CHECKING:
    from interpreter.engine.game import State
    from interpreter.native.belief import NativeWalk

HOT = 64
"""First steps of a walk, which take it away from the true play."""
WORLDS, GAP = 128, 12
"""The most worlds of a decision, and steps between two of them."""
NOISE = 0.1
"""The share in which others are taken to play at random, so that no play is impossible."""
LIMIT = 400
"""The most decisions of a playout, after which the result counts as it is then."""


@attrs.define(eq=False)
class Candidate:
    """A small action that is played out: how often, and sums of results, of gains over the first one, and squares."""

    action: int
    plays: int = 0
    result: float = 0.0
    gain: float = 0.0
    square: float = 0.0

    @property
    def mean(self) -> float:
        """The mean result, on the scale of the returns where only these count."""
        return self.result / max(1, self.plays)

    @property
    def lead(self) -> float:
        """By how much it is better than the first candidate, in the mean."""
        return self.gain / max(1, self.plays)

    @property
    def error(self) -> float:
        """The standard error of the lead."""
        if self.plays < 2:
            return float("inf")
        return sqrt(max(0.0, self.square / self.plays - self.lead**2) / (self.plays - 1))


@attrs.frozen
class WalkReader:
    """Reads the play of an agent's view as a walk of its player's belief."""

    network: Network
    seed: int

    def position(self, state: State) -> NativeWalk:
        """Return the walk.  Raises MemoryError where the play is too long."""
        return self.network.library.walk(state, state.current_player(), self.seed)


class Look:
    """The look of one player at a decision.  Raises MemoryError."""

    def __init__(self, network: Network, walk: NativeWalk, seed: int) -> None:
        self.network, self.walk, self.seed = network, walk, seed
        self._calls = network.library.calls
        walk.go(HOT, ignore_acceptance=True)
        self._look: int | None = self._calls.look_new(walk.address, network.weights.ctypes.data, NOISE)
        if not self._look:
            raise MemoryError("there is no room to look ahead")
        self._calls.look_begin(self._look)
        self.states = b""
        """The worlds in which candidates are played out, as watched states of C side by side."""
        self.worlds = 0

    def __del__(self) -> None:
        if getattr(self, "_look", None):
            self._calls.look_free(self._look)
            self._look = None

    def burn_in(self, steps: int) -> None:
        """Take so many steps of the walk."""
        self._calls.look_go(self._look, steps)

    def draw(self, worlds: int = WORLDS, gap: int = GAP) -> None:
        """Draw so many more worlds; where nothing is hidden there is one."""
        if not self.walk.hides:
            worlds = 1 - self.worlds
        drawn = (c_char * (self.network.library.watched_size * worlds))()
        self._calls.look_worlds(self._look, drawn, worlds, gap)
        self.states += drawn.raw
        self.worlds += worlds

    def play_out(self, begun: Sequence[int], candidates: Sequence[Candidate], plays: int) -> None:
        """Play each candidate out so many times more, after small actions that begin the sentence.

        All meet the same worlds and luck, so they must have been played out as often.
        """
        sums = (c_double * (3 * len(candidates)))()
        scale, margin = self.network.library.scales
        actions = [candidate.action for candidate in candidates]
        self._calls.look_plays(
            self._look, self.states, self.worlds, numbers(begun), len(begun), numbers(actions), len(actions),
            self.seed % 2**64, candidates[0].plays, plays, int(takes_best(self.network.library.game)), LIMIT,
            scale, margin, ctypes.byref(sums),
        )  # fmt: skip
        for number, candidate in enumerate(candidates):
            result, gain, square = sums[3 * number : 3 * number + 3]
            candidate.plays += plays
            candidate.result += result / scale
            candidate.gain += gain / scale
            candidate.square += square / scale**2
