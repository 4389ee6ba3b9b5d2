"""Convergence of several Markov chains: split-R-hat and autocorrelation of recorded features.

Several walks begin far from each other.  Each records some numbers after every few steps.  While they still remember
where they began, the means of one walk differ from those of another by more than each varies in itself: the ratio of
the two, over halves of the walks, is split-R-hat (Gelman and Rubin, 1992), which is 1 in the limit.  The number of
steps that make one independent sample is estimated by batch means.

It cannot find a part of the belief that no walk has reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt

import attrs

WALKS = 4
"""How many walks a belief has."""

HOT = 24
"""The first steps go to anything possible, likely or not, so that the walks begin far from each other."""

TARGET = 1.2
"""The greatest split-R-hat of walks that are taken to have mixed: some six independent worlds in each half of each."""

BIASED = 2.0
"""The split-R-hat above which the worlds of walks are not used: the walks still remember the true play."""

REMEMBERED = 5
"""How many times as long as a world is remembered the last stage has to be."""

PREPARING = 0.5
"""The share of what may be spent after which the burn-in ends at the latest: the rest is for worlds."""

BATCHES = 4
"""Into how many batches each walk is cut to estimate how far it remembers."""


@attrs.frozen
class Mixing:
    """How a belief samples worlds, and how reliable they are.

    `method` is `"enumeration"`, `"walks"` or `"particles"`; `reached` is whether its target was reached.  Of walks:
    their number, the `steps` of each, the greatest split-R-hat of all features, and `spacing`, the number of steps
    between two nearly independent worlds.  Of a particle filter: the surviving `particles` and their `effective`
    sample size.  `moved` is whether any walk has moved.
    """

    method: str
    reached: bool
    walks: int = 0
    steps: int = 0
    rhat: float = 1.0
    spacing: int = 1
    particles: int = 0
    effective: float = 0.0
    moved: bool = True

    @property
    def shortfall(self) -> str:
        """Why worlds are not usable; empty if they are."""
        if self.method == "particles":
            return "" if self.particles else "the particle filter lost all its particles"
        if not self.moved:
            return "walks found no other play than the true one"
        if self.rhat > BIASED:
            return f"walks had not mixed after {self.steps:,} steps (split R-hat {self.rhat:.1f})"
        return ""


class MixingWarning(UserWarning):
    """Walks had not mixed when their limit was reached, so a world may resemble the true play."""


def rhat(walks: Sequence[Sequence[Sequence[float]]]) -> float:
    """Return the greatest split-R-hat of all features; 1 where none varies, infinite where no half does in itself.

    `walks[w][s][f]` is feature f of walk w after step s.
    """
    halves = [part for walk in walks for part in _cut(walk, 2)]
    greatest = 1.0
    for number in range(len(walks[0][0])):
        columns = [[step[number] for step in half] for half in halves]
        length = len(columns[0])
        within = sum(map(_variance, columns)) / len(columns)
        between = _variance([sum(column) / length for column in columns])
        if between <= 1e-12:
            continue
        if within <= 1e-12:
            return float("inf")
        greatest = max(greatest, sqrt((length - 1) / length + between / within))
    return greatest


def steps_between_worlds(walks: Sequence[Sequence[Sequence[float]]]) -> int:
    """Return how many steps of a walk are worth one independent world: the mean over the features that vary."""
    batches = [part for walk in walks for part in _cut(walk, BATCHES)]
    length = len(batches[0])
    times = []
    for number in range(len(walks[0][0])):
        columns = [[step[number] for step in batch] for batch in batches]
        whole = _variance([value for column in columns for value in column])
        if whole > 1e-12:
            times.append(length * _variance([sum(column) / length for column in columns]) / whole)
    return max(1, ceil(sum(times) / len(times))) if times else 1


def _cut(walk: Sequence[Sequence[float]], parts: int) -> list[Sequence[Sequence[float]]]:
    """Return a walk in parts of one length; the first steps are left out where they do not come out even."""
    length = len(walk) // parts
    first = len(walk) - parts * length
    return [walk[first + part * length : first + (part + 1) * length] for part in range(parts)]


def _variance(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
