"""Training by self-play: rounds of PPO in C, a learning curve, and the best network so far.

A round plays whole plays of the network against itself and learns from them (`interpreter.training.learner`).  The rate
of learning falls over the training, so its length is planned: a number of rounds, or a time.  The same seed and number
of rounds give the same network, on any number of cores and machines.

At each point of the curve the network plays.  What is kept is the best network of all points and seeds, since what
partners agree on depends on the seed, and later is not always better.  Against opponents it is the one that does best
against the best so far and random players together.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import sqrt
from typing import TYPE_CHECKING

import attrs
import numpy as np

from interpreter.inference import Z
from interpreter.native.plays import NativeGame
from interpreter.sharing import Threads
from interpreter.training.learner import Learner, Plan
from interpreter.training.network import LearningGame, Network, Point, takes_best

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from interpreter.engine.game import Game
    from interpreter.sharing import Executors
    from interpreter.training.network import Weights

STEPS = 8_192
"""Decisions of a round, at least."""
EPOCHS = 2
BATCH, RATE = (1_024, 512), (1e-3, 2e-3)
"""Decisions of a batch, and the rate of learning at the start; the second where there are opponents."""
ENTROPY = 0.02, 0.05
"""The weight of the entropy at the start, the second where opponents could use a habit.  It and the rate fall to a
tenth."""
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
    """Trains networks of one game, in threads (by default as many as cores), with plays of an executor if there is one.

    Raises NativeUnavailableError where there is no C compiler.
    """

    def __init__(self, game: Game, threads: int | None = None, executor: Executors | None = None) -> None:
        self.game = game
        self._threads, self._executor = Threads(threads), executor
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
            if best is None or self._is_better(found.weights, best.weights):
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
        learner = Learner(self.library, seed, STEPS, self._threads, self._executor)
        plan, net = learner.plan, learner.net
        plan.epochs, plan.batch, plan.decay = EPOCHS, BATCH[not self.plays_itself], DECAY[not self.plays_itself]
        plan.together = int(self.game.cooperative)
        plan.scale, margin = self.library.scales
        plan.mixed = 0.0 if self.plays_itself else MIXED
        curve = list(before.curve) if before is not None else []
        if before is not None:
            net[:] = before.weights
        start = curve[-1] if curve else Point(0, 0, *self.strength(net))
        curve = curve or [start]
        plan.round = start.rounds
        kept, strongest = net.copy(), start.strength
        rounds, share, since = 0, 0.0, time.monotonic()
        while share < 1.0 and not self.is_stopped:
            self._schedule(plan, RESUMED + (1 - RESUMED) * share if before is not None else share, margin)
            learner.learn()
            rounds += 1
            past, share = share, budget.spent(rounds, since)
            if on_progress is not None and not on_progress(Progress(seed, share, curve[-1])):
                self.is_stopped = True
            if int(share * POINTS) > int(past * POINTS) or self.is_stopped:
                point = Point(start.rounds + rounds, start.decisions + learner.taken, *self.strength(net))
                curve.append(point)
                gain = point.strength - strongest
                if not self.plays_itself:
                    learner.keep()
                    gain += self._lead(net, kept, self.plays)
                if gain >= 0:
                    kept, strongest = net.copy(), point.strength
                    kept[-1] /= plan.unit  # The last row has the value.
        return Network(self.library, kept, seed, tuple(curve))

    def _schedule(self, plan: Plan, part: float, margin: float) -> None:
        """Set what depends on how much of the training is done."""
        plan.rate = RATE[not self.plays_itself] * 0.1**part
        plan.entropy = ENTROPY[not takes_best(self.game)] * 0.1**part
        plan.margin = MARGIN * margin * (1 - part)
        low, high = CLIFF
        plan.cliff = min(1.0, max(0.0, (part - low) / (high - low))) if self.game.cooperative else 1.0

    def _is_better(self, one: Weights, other: Weights) -> bool:
        """Compare networks of two seeds."""
        plays = FINAL * self.plays
        if not self.plays_itself:
            return self._lead(one, other, plays) > 0
        return self.strength(one, plays)[0] > self.strength(other, plays)[0]

    def _lead(self, one: Weights, other: Weights, plays: int) -> float:
        """Return by how much one network does better than opponents that have another, in the mean of so many plays."""
        paid = self._paid([one, *[other] * (self.game.num_players - 1)], plays)
        return float((paid[:, 0] - paid[:, 1:].mean(axis=1)).mean())

    def _paid(self, networks: list[Weights | None], plays: int) -> NDArray[np.float64]:
        return self.library.played(networks, plays, DEALS, self._threads.share)[0]

    def _decisions(self) -> float:
        """Return the mean number of decisions of a random play."""
        return float(np.mean(NativeGame.of(self.game).random_playouts(100, 1).lengths))


def _mean(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return a mean with the half width of its 95 % interval (normal approximation: there are hundreds of plays)."""
    return float(values.mean()), Z * float(values.std(ddof=1)) / sqrt(len(values))
