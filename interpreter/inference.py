"""Intervals and tests, from sums of whole numbers: the textbook formulas, each a few lines.

All intervals are of 95 % unless a `z` says otherwise; plays are independent of each other, seats of one play are not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import attrs

Z = 1.959964
"""The quantile of the normal distribution for intervals of 95 %."""


@attrs.frozen
class Estimate:
    """A number with its interval."""

    value: float
    low: float
    high: float

    def excludes(self, neutral: float) -> bool:
        """Say whether the interval lies on one side of a number."""
        return neutral < self.low or self.high < neutral


@attrs.define
class Ratio:
    """The sums from which a ratio of two numbers a play, and its spread, follow: of x, n, x*x, x*n and n*n."""

    x: int = 0
    n: int = 0
    xx: int = 0
    xn: int = 0
    nn: int = 0

    def add(self, x: int, n: int) -> None:
        """Add one play."""
        self.x += x
        self.n += n
        self.xx += x * x
        self.xn += x * n
        self.nn += n * n

    def join(self, other: Ratio) -> None:
        """Add the plays of another."""
        for name in ("x", "n", "xx", "xn", "nn"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def z_of(looks: int) -> float:
    """Return the quantile for intervals that all of so many hold together with 95 % (Bonferroni)."""
    return NormalDist().inv_cdf(1 - 0.025 / max(1, looks))


def wilson(hits: float, n: float, z: float = Z) -> Estimate:
    """Return a share with its interval by Wilson (1927); of parts of hits the interval is a little too wide."""
    if not n:
        return Estimate(0.0, 0.0, 1.0)
    p, zz = hits / n, z * z
    middle = (p + zz / (2 * n)) / (1 + zz / n)
    half = z / (1 + zz / n) * math.sqrt(max(0.0, p * (1 - p) / n + zz / (4 * n * n)))
    return Estimate(p, max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half)))


def mean(histogram: Mapping[int, int], z: float = Z) -> Estimate:
    """Return the mean of a histogram with the interval of the central limit theorem; of one number, without end."""
    n = sum(histogram.values())
    total = sum(value * times for value, times in histogram.items())
    squares = sum(value * value * times for value, times in histogram.items())
    return mean_of_sums(n, total, squares, z)


def mean_of_sums(n: int, total: int, squares: int, z: float = Z) -> Estimate:
    """Return the mean of so many numbers, of which the sum and the sum of squares are given."""
    if not n:
        return Estimate(0.0, -math.inf, math.inf)
    # In whole numbers up to the last division: a difference of great sums loses digits otherwise.
    middle, spread = total / n, (n * squares - total * total) / (n * n)
    half = z * math.sqrt(max(0.0, spread) / (n - 1)) if n > 1 else math.inf
    return Estimate(middle, middle - half, middle + half)


def ratio(sums: Ratio, z: float = Z) -> Estimate:
    """Return a ratio of sums over plays, with Fieller's interval (1954), which keeps its promise with few plays too.

    It holds all ratios r for which the sum of x - r * n is no further from 0 than chance allows, by the spread that
    x - r * n has in the plays.
    """
    if not sums.n:
        return Estimate(0.0, -math.inf, math.inf)
    x, n, zz = sums.x, sums.n, z * z
    r, width = x / n, n * n - zz * sums.nn
    if width <= 0:
        return Estimate(r, -math.inf, math.inf)
    # In whole numbers up to the last steps: of a ratio that is the same in all plays the interval has no width.
    shift = zz * (sums.xn * n - sums.nn * x) / n
    spread = n * n * sums.xx - 2 * x * n * sums.xn + x * x * sums.nn - zz * (sums.nn * sums.xx - sums.xn * sums.xn)
    middle, half = r - shift / width, z * math.sqrt(max(0.0, spread)) / width
    return Estimate(r, min(r, middle - half), max(r, middle + half))


def share(sums: Ratio, plays: int, z: float = Z) -> Estimate:
    """Return a share of parts that come in plays, with Wilson's interval for the effective sample size.

    The design effect (Kish, 1965; Korn and Graubard, 1998) says how many independent parts spread as these do.  Where
    nothing varies each play counts as one part, so the interval has a width.
    """
    if not sums.n:
        return Estimate(0.0, 0.0, 1.0)
    p = sums.x / sums.n
    spread = (sums.xx - 2 * p * sums.xn + p * p * sums.nn) / (sums.n * sums.n)
    size = p * (1 - p) / spread if spread > 1e-12 else float(plays)
    return wilson(p * size, size, z)


def scaled(found: Estimate, factor: float) -> Estimate:
    """Return an estimate in another unit."""
    return Estimate(found.value * factor, found.low * factor, found.high * factor)


def widened(found: Estimate, spread: float, z: float = Z) -> Estimate:
    """Return an estimate less a number that is estimated too, with a variance (MOVER; Zou and Donner, 2008).

    The interval is too wide where both are estimated from the same plays.
    """
    low, high = (math.hypot(found.value - end, z * math.sqrt(spread)) for end in (found.low, found.high))
    return Estimate(found.value, found.value - low, found.value + high)


def quantile(histogram: Mapping[int, int], share: float) -> Estimate:
    """Return a quantile of a histogram, with the interval of the order statistics, which holds for any distribution.

    An end for which the numbers are too few is infinite.
    """
    n = sum(histogram.values())
    if not n:
        return Estimate(0.0, -math.inf, math.inf)
    half = Z * math.sqrt(n * share * (1 - share))
    low, high = math.floor(n * share - half), math.ceil(n * share + half) + 1
    return Estimate(
        _ranked(histogram, math.ceil(n * share)),
        _ranked(histogram, low) if low >= 1 else -math.inf,
        _ranked(histogram, high) if high <= n else math.inf,
    )


def _ranked(histogram: Mapping[int, int], rank: int) -> float:
    """Return the number of a rank, from 1 to how many there are."""
    seen = 0
    for value in sorted(histogram):
        seen += histogram[value]
        if seen >= rank:
            return value
    return max(histogram)


def chi_squared_above(x: float, freedom: int) -> float:
    """Return the chance that a chi-squared number is above x: the closed forms for whole degrees of freedom."""
    if x <= 0 or freedom < 1:
        return 1.0
    half = x / 2
    if freedom % 2 == 0:
        term, total = 1.0, 1.0
        for k in range(1, freedom // 2):
            term *= half / k
            total += term
        return min(1.0, math.exp(-half) * total)
    total = math.erfc(math.sqrt(half))
    term = math.sqrt(half / math.pi) * 2
    for k in range(1, freedom // 2 + 1):
        total += math.exp(-half) * term
        term *= half / (k + 0.5)
    return min(1.0, total)


def all_alike(shares: Mapping[Any, int], whole: int) -> float:
    """Return the chance that equal seats differ as much as they do, from what each seat won in plays (tuples).

    Pearson's test where every play has one winner; with the spread that was seen where wins are shared.  `whole` is
    what all seats of a play have together.
    """
    n = sum(shares.values())
    seats = len(next(iter(shares))) if n else 0
    if n < 2 or seats < 2:
        return 1.0
    free = seats - 1
    centred = [([seats * share - whole for share in won[:free]], times) for won, times in shares.items()]
    sums = [sum(won[s] * times for won, times in centred) for s in range(free)]
    spread = [[sum(won[s] * won[t] * times for won, times in centred) / n for t in range(free)] for s in range(free)]
    solved = _solved(spread, [float(s) for s in sums])
    if solved is None:
        return 1.0
    return chi_squared_above(sum(a * b for a, b in zip(sums, solved, strict=True)) / n, free)


def _solved(matrix: list[list[float]], right: list[float]) -> list[float] | None:
    """Return the solution of a system of equations, by elimination; None where there is not one."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(len(rows)):
        pivot = max(range(at, len(rows)), key=lambda r: abs(rows[r][at]))
        if abs(rows[pivot][at]) < 1e-9:
            return None
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for other in range(len(rows)):
            if other != at:
                factor = rows[other][at] / rows[at][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [row[-1] / row[at] for at, row in enumerate(rows)]


def agreement(pairs: Mapping[Any, int]) -> Estimate | None:
    """Return how much of what seats win two plays of a pair have in common: the correlation within classes.

    That is the share of the variance between pairs, all seats together (Fisher's intraclass correlation).  None where
    nothing varies.
    """
    n = sum(pairs.values())
    if n < 2:
        return None
    seats = range(len(next(iter(pairs))[0]))
    means = [sum((one[s] + two[s]) * times for (one, two), times in pairs.items()) / (2 * n) for s in seats]
    sums = [0.0] * 5
    for (one, two), times in pairs.items():
        x = sum((one[s] - means[s]) * (two[s] - means[s]) for s in seats)
        w = sum((one[s] - means[s]) ** 2 + (two[s] - means[s]) ** 2 for s in seats) / 2
        for place, part in enumerate((x, w, x * x, x * w, w * w)):
            sums[place] += times * part
    if sums[1] <= 0:
        return None
    r = sums[0] / sums[1]
    half = Z * math.sqrt(max(0.0, sums[2] - 2 * r * sums[3] + r * r * sums[4])) / sums[1]
    return Estimate(r, max(-1.0, r - half), min(1.0, r + half))


def holm(chances: Sequence[float]) -> list[float]:
    """Return chances of false alarms, corrected for how many there are (Holm, 1979), in their order."""
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    found, most = [0.0] * len(chances), 0.0
    for done, place in enumerate(order):
        most = max(most, min(1.0, (len(chances) - done) * chances[place]))
        found[place] = most
    return found


def two_sided(z: float) -> float:
    """Return the chance of a normal number at least so far from 0."""
    return math.erfc(abs(z) / math.sqrt(2))


def at_least(heads: int, count: int) -> float:
    """Return the chance of at least so many heads of a fair coin, exactly but for the last rounding."""
    return float(sum(math.comb(count, number) for number in range(heads, count + 1)) / 2**count)


def sign_test(better: int, worse: int) -> float:
    """Return the chance of a split at least as uneven where each side is as likely; two-sided, ties left out."""
    return min(1.0, 2 * at_least(max(better, worse), better + worse))


def student(numbers: Sequence[Fraction]) -> tuple[float, float]:
    """Return the mean of independent numbers, and half of its interval of 95 % by Student's t."""
    n = len(numbers)
    mean = sum(numbers, Fraction(0)) / n
    if n < 2:
        return float(mean), math.inf
    variance = sum(((x - mean) ** 2 for x in numbers), Fraction(0)) / (n - 1)
    return float(mean), t_quantile(n - 1) * math.sqrt(variance / n) if variance else 0.0


def t_quantile(freedom: int) -> float:
    """Return the quantile of Student's t for two-sided intervals of 95 %.

    Exact for one and two degrees of freedom; else the expansion around the normal distribution (Abramowitz and Stegun
    26.7.5), which is off by less than 1 %.
    """
    if freedom == 1:
        return 12.7062
    if freedom == 2:
        return 4.3027
    z = z_of(1)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom**power for power, term in enumerate(terms, 1)))
