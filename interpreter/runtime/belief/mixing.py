"""Whether walks have mixed: split-R-hat and autocorrelation of what was recorded of several of them.

Several walks begin far apart.  Each records some numbers behind every step (`Walk.features`).  While they still
remember where they began, the means of one walk differ from those of another by more than each varies in itself: the
ratio of the two, over halves of the walks, is split-R-hat (Gelman and Rubin), which is 1 in the limit.  How many steps
make one independent sample is estimated by the means of batches.

It finds no part of a belief that none of the walks has come to.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt

import attrs

BATCHES = 4
"""Into how many batches each walk is cut to estimate how far it remembers."""


@attrs.frozen
class Mixing:
    """What was measured of some walks: how many, how many steps each took, the greatest split-R-hat of all features
    (1 where they are mixed), how many steps make two worlds nearly independent, and whether the target was reached.
    """

    walks: int
    steps: int
    rhat: float
    apart: int
    reached: bool


def rhat(walks: Sequence[Sequence[Sequence[float]]]) -> float:
    """Return the greatest split-R-hat of all features; 1 where none varies, infinite where no half does in itself.

    `walks[w][s][f]` is feature f of walk w behind step s.
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


def moved(walks: Sequence[Sequence[Sequence[float]]]) -> bool:
    """Say whether any feature has varied: walks that never moved agree because they stand where they began."""
    first = walks[0][0]
    return any(step != first for walk in walks for step in walk)


def apart(walks: Sequence[Sequence[Sequence[float]]]) -> int:
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
