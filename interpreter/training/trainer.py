"""Training by self-play: rounds of PPO in C, a learning curve, and the best network so far.

A round plays whole plays of the network against itself and learns from them (`interpreter/native/c/learn.h`).  The rate
of learning falls over the training, so its length is planned: a number of rounds, or a time.  The same seed and number
of rounds give the same network.

At each point of the curve the network plays.  What is kept is the best network of all points and seeds, since what
partners agree on depends on the seed, and later is not always better.  Against opponents it is the one that does best
against the best so far and random players together.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from math import sqrt
from typing import TYPE_CHECKING

import attrs
import numpy as np

from interpreter.inference import Z
from interpreter.native.plays import NativeGame
from interpreter.training.network import LearningGame, Network, Point, takes_best

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from interpreter.engine.game import Game
    from interpreter.training.network import Weights

STEPS = 8_192
"""Decisions of a round, at least."""
BATCH, EPOCHS = 1_024, 2
RATE, ENTROPY = 1e-3, (0.02, 0.05)
"""The rate of learning and the weight of the entropy at the start (the second where opponents could use a habit); all
fall to a tenth."""
MIXED = 0.5
"""The share of plays against earlier networks and random players, where there are opponents."""
MARGIN = 3.0
"""The weight of a player's standing at the start, where it goes with the returns; it falls to 0."""
DECAY = 0.95, 0.8
"""How much of an advantage goes back to the decision before (GAE): of a team, and among opponents, who add noise."""
CLIFF = 0.3, 0.7
"""In cooperative games a loss in the last step counts nothing in the first share of the training, and all after the
second."""
DEALS = 1_000_003
"""The seed of the deals on which networks are measured, so that all meet the same."""
POINTS = 20
"""Points of a learning curve."""
MEASURED = 16_384
"""Decisions of the plays of a point, about; there are 100 to 1,000 plays."""
FINAL = 4
"""So many times as many plays compare seeds."""
RESUMED = 0.5
"""The share of the schedule at which a resumed training begins."""


class _Learner(ctypes.Structure):
    """The beginning of `learner_t` in `learn.h`."""

    _fields_ = (
        ("steps", ctypes.c_int64), ("epochs", ctypes.c_int64), ("batch", ctypes.c_int64), ("scale", ctypes.c_double),
        ("rate", ctypes.c_double), ("entropy", ctypes.c_double), ("cliff", ctypes.c_double),
        ("mixed", ctypes.c_double), ("margin", ctypes.c_double), ("decay", ctypes.c_double),
        ("unit", ctypes.c_double), ("begun", ctypes.c_int64), ("taken", ctypes.c_int64),
    )  # fmt: skip


@attrs.frozen
class Budget:
    """The length of a training: a number of rounds, which gives the same network again, or a time in seconds."""

    rounds: int | None = None
    seconds: float | None = None

    def spent(self, rounds: int, since: float) -> float:
        """Return the share of the budget that is spent, from 0 to 1."""
        if self.rounds is not None:
            return min(1.0, rounds / self.rounds)
        return min(1.0, (time.monotonic() - since) / (self.seconds or 1.0))


@attrs.frozen
class Progress:
    """How far a training is: the number of its seed, the share of that seed's budget, and the last point."""

    seed: int
    share: float
    point: Point | None


OnProgress = Callable[[Progress], bool]
"""Hears how far a training is; returns False where it is to end with the best network so far."""


class Trainer:
    """Trains networks of one game.  Raises NativeUnavailableError where there is no C compiler."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.library = LearningGame.wanted(game)
        self.is_stopped = False
        self.plays = int(min(1000, max(100, MEASURED // max(1.0, self._decisions()))))
        """Plays of a point of the learning curve."""

    @property
    def plays_itself(self) -> bool:
        """Whether strength is what the network gets in all seats, since there are no opponents."""
        return bool(self.game.cooperative or self.game.num_players == 1)

    def train(
        self,
        budget: Budget,
        seed: int = 1,
        seeds: int = 1,
        on_progress: OnProgress | None = None,
        before: Network | None = None,
    ) -> Network:
        """Return the best network of so many seeds, which share the time; `before` is one to continue.

        When `on_progress` ends it early, `is_stopped` is set.
        """
        self.is_stopped = False
        each = budget if budget.seconds is None else Budget(seconds=budget.seconds / seeds)
        best: Network | None = None
        for number in range(seed, seed + seeds):
            found = self._trained(each, number, on_progress, before)
            if best is None or self._gain(found.weights, best.weights, FINAL * self.plays) > 0:
                best = found
            if self.is_stopped:
                break
        assert best is not None
        return best

    def strength(self, weights: Weights, plays: int | None = None) -> tuple[float, float]:
        """Return the mean return of a network with the half width of its 95 % interval.

        It plays in all seats of a cooperative game; else in one seat against random players, in turn in each seat.
        """
        others = weights if self.plays_itself else None
        return _mean(self._paid([weights, *[others] * (self.game.num_players - 1)], plays or self.plays)[:, 0])

    def _trained(self, budget: Budget, seed: int, on_progress: OnProgress | None, before: Network | None) -> Network:
        calls = self.library.calls
        address = calls.learn_new(seed % 2**64, STEPS)
        if not address:
            raise MemoryError("there is no room for the network")
        try:
            learner = _Learner.from_address(address)
            rows, columns = self.library.shape
            net = np.ctypeslib.as_array((ctypes.c_float * (rows * columns)).from_address(calls.learn_net(address)))
            net = net.reshape(rows, columns)
            learner.epochs, learner.batch = EPOCHS, BATCH
            learner.scale, margin = self.library.scales
            learner.decay = DECAY[not self.plays_itself]
            learner.mixed = 0.0 if self.plays_itself else MIXED
            if before is not None:
                net[:] = before.weights
                learner.begun = before.curve[-1].rounds << 20 if before.curve else 0
            return self._rounds(learner, address, net, budget, seed, on_progress, before, margin)
        finally:
            calls.learn_free(address)

    def _rounds(
        self, learner: _Learner, address: int, net: Weights, budget: Budget, seed: int, on_progress: OnProgress | None,
        before: Network | None, margin: float,
    ) -> Network:  # fmt: skip
        curve = list(before.curve) if before is not None else []
        start = curve[-1] if curve else Point(0, 0, *self.strength(net))
        curve = curve or [start]
        kept, strongest = net.copy(), start.strength
        rounds, share, since = 0, 0.0, time.monotonic()
        begin = RESUMED if before is not None else 0.0
        while share < 1.0 and not self.is_stopped:
            part = begin + (1 - begin) * share
            learner.rate = RATE * 0.1**part
            learner.entropy = ENTROPY[not takes_best(self.game)] * 0.1**part
            learner.margin = MARGIN * margin * (1 - part)
            low, high = CLIFF
            learner.cliff = min(1.0, max(0.0, (part - low) / (high - low))) if self.game.cooperative else 1.0
            self.library.calls.learn_round(address)
            rounds += 1
            past, share = share, budget.spent(rounds, since)
            if on_progress is not None and not on_progress(Progress(seed, share, curve[-1])):
                self.is_stopped = True
            if int(share * POINTS) > int(past * POINTS) or self.is_stopped:
                point = Point(start.rounds + rounds, start.decisions + learner.taken, *self.strength(net))
                curve.append(point)
                self.library.calls.learn_keep(address)
                gain = self._gain(net, kept, self.plays) + (0.0 if self.plays_itself else point.strength - strongest)
                if gain >= 0:
                    kept, strongest = net.copy(), point.strength
                    kept[-1] /= learner.unit  # The last row has the value.
        return Network(self.library, kept, seed, tuple(curve))

    def _gain(self, one: Weights, other: Weights, plays: int) -> float:
        """Return by how much one network is better than another, in the mean of so many plays."""
        players = self.game.num_players
        if self.plays_itself:
            return float((self._paid([one] * players, plays) - self._paid([other] * players, plays))[:, 0].mean())
        paid = self._paid([one, *[other] * (players - 1)], plays)
        return float((paid[:, 0] - paid[:, 1:].mean(axis=1)).mean())

    def _paid(self, networks: list[Weights | None], plays: int) -> NDArray[np.float64]:
        return self.library.played(networks, plays, DEALS)[0]

    def _decisions(self) -> float:
        """Return the mean number of decisions of a random play."""
        return float(np.mean(NativeGame.of(self.game).random_playouts(100, 1).lengths))


def _mean(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return a mean with the half width of its 95 % interval (normal approximation: there are hundreds of plays)."""
    return float(values.mean()), Z * float(values.std(ddof=1)) / sqrt(len(values))
