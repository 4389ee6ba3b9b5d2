"""Compare a statistic of two games: paired plays with common random numbers, and a sequential test.

The test is a generalized sequential probability ratio test, once for each direction: is the mean difference 0 or D; is
it 0 or -D.  After every piece of work each test checks whether the likelihood ratio has left its bounds (Wald, 1945;
maximum likelihood for the unknown variance).  The probability of calling equal games different is at most 5 % for both
directions together; so is that of calling games equal that differ by D.  Between 0 and D either verdict is possible.

The test examines plays in the order of their numbers, so the verdict does not depend on the number of workers.  Plays
that workers have completed after the verdict are discarded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from interpreter.engine.outcome import Termination
from interpreter.inference import Estimate, holm, mean_of_sums, two_sided
from interpreter.sharing import share_out
from interpreter.simulate.collecting import UNIT
from interpreter.simulate.recording import MEASURES, Row, margin_of
from interpreter.simulate.report import POINTS, SHARE
from interpreter.simulate.running import Work, played

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from interpreter.engine.game import Game
    from interpreter.sharing import Executors

WRONG = 0.05
"""The probability of each error: calling equal games different, and calling games equal that differ by D."""

UPPER = math.log((1 - WRONG) / (WRONG / 2))
LOWER = math.log(WRONG / (1 - WRONG / 2))
"""The bounds of each of the two tests: 2.5 % for each direction, and 5 % to miss."""

PAIRS, SLOW_PAIRS = 100, 4
"""Pairs between two evaluations of the test, for random plays in C and for all others."""

LEAST_PAIRS = 40
"""Pairs before the first evaluation."""


class Verdict(Enum):
    """The result of a comparison: the second game has more or less than the first, or as much within D."""

    MORE = "more"
    LESS = "less"
    EQUAL = "equal"
    UNDECIDED = "undecided"


@attrs.frozen
class Statistic:
    """A number of each play, as a whole number of parts: `parts` are one unit, or a share of 1."""

    name: str
    about: str
    unit: str
    parts: int
    of: Callable[[Row], int]
    """Returns the number of a play."""

    @property
    def is_share(self) -> bool:
        """Whether it is a share, printed in percent."""
        return self.unit == SHARE


def _measure(name: str) -> Callable[[Row], int]:
    place = MEASURES.index(name)
    return lambda row: row.numbers[place]


def _by_decision(name: str) -> Callable[[Row], int]:
    place, whole = MEASURES.index(name), MEASURES.index("decisions")
    return lambda row: UNIT * row.numbers[place] // max(1, row.numbers[whole])


def _won(row: Row) -> Sequence[int]:
    """Return the share of the win of each seat."""
    players = len(row.outcome.returns)
    return row.numbers[len(MEASURES) + players : len(MEASURES) + 2 * players]


def _is_cut(row: Row) -> bool:
    return row.outcome.termination is Termination.TOO_LONG


def _mean_score(row: Row) -> int:
    return sum(row.outcome.scores or ()) * UNIT // len(row.outcome.returns)


STATISTICS: dict[str, Statistic] = {
    s.name: s
    for s in (
        Statistic("length", "decisions per play", "decisions", 1, _measure("decisions")),
        Statistic("turns", "turns per play", "turns", 1, _measure("turns")),
        Statistic("rounds", "rounds per play", "rounds", 1, _measure("rounds")),
        Statistic("cut-off", "plays stopped by the decision limit", SHARE, UNIT, lambda row: UNIT * _is_cut(row)),
        Statistic("ties", "plays without a single winner", SHARE, UNIT,
                  lambda row: UNIT * (not _is_cut(row) and len(row.outcome.winners) != 1)),
        Statistic("first", "wins of seat 1", SHARE, UNIT, lambda row: _won(row)[0]),
        Statistic("last", "wins of the last seat", SHARE, UNIT, lambda row: _won(row)[-1]),
        Statistic("choices", "legal actions per decision", "actions", UNIT, _by_decision("legal")),
        Statistic("forced", "decisions with only one possible choice", SHARE, UNIT, _by_decision("forced")),
        Statistic("wait", "longest wait", "decisions of others", 1, _measure("wait")),
        Statistic("changes", "lead changes per play", "changes", 1, _measure("changes")),
        Statistic("settled", "turn from which the winner leads", "% of turns", 1, _measure("settled")),
        Statistic("score", "mean score of the players", POINTS, UNIT, _mean_score),
        Statistic("margin", "score of the winner above the next player", POINTS, 1,
                  lambda row: margin_of(row.outcome) or 0),
    )
}  # fmt: skip
"""All statistics that can be compared, by name."""


@attrs.define
class Pairs:
    """Sums over pairs of plays, in parts of the statistic, for each game and for the difference."""

    n: int = 0
    first: int = 0
    first_squares: int = 0
    second: int = 0
    second_squares: int = 0
    difference: int = 0
    squares: int = 0
    furthest: int = 0
    """The greatest absolute difference of a pair."""

    def add(self, first: int, second: int) -> None:
        """Add a pair."""
        d = second - first
        self.join(Pairs(1, first, first * first, second, second * second, d, d * d, abs(d)))

    def join(self, other: Pairs) -> None:
        """Add the pairs of another."""
        furthest = max(self.furthest, other.furthest)
        for field in attrs.fields(Pairs):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))
        self.furthest = furthest

    def means(self, parts: int) -> tuple[Estimate, Estimate, Estimate]:
        """Return the means of the first game, of the second, and of their difference, with intervals."""
        sums = ((self.first, self.first_squares), (self.second, self.second_squares), (self.difference, self.squares))
        found = [mean_of_sums(self.n, total, squares) for total, squares in sums]
        one, two, difference = (Estimate(e.value / parts, e.low / parts, e.high / parts) for e in found)
        return one, two, difference


def log_likelihood_ratio(pairs: Pairs, within: float, far: float = 0) -> float:
    """Return the log likelihood ratio of a mean difference of `within` (in parts) against 0.

    Two pseudo-observations are added, one in each direction, at the greatest distance so far and at least `far`, so
    that the estimated variance of rare events is never 0.
    """
    n = pairs.n + 2
    far = max(pairs.furthest, abs(within), far)
    middle = pairs.difference / n
    spread = max(0.0, (pairs.squares + 2 * far * far) / n - middle * middle)
    return n / 2 * (math.log(spread + middle * middle) - math.log(spread + (middle - within) ** 2))


@attrs.define
class SequentialTest:
    """The two sequential tests, their results so far, and the verdict.

    `within` is the difference that matters, and `far` the greatest possible difference of a pair if known; in parts.
    """

    within: float
    far: float = 0
    above: bool | None = None
    below: bool | None = None

    def evaluate(self, pairs: Pairs) -> Verdict | None:
        """Evaluate the tests on all pairs so far; return the verdict as soon as both allow one."""
        if pairs.n < LEAST_PAIRS:
            return None
        if self.above is None:
            self.above = _decided(log_likelihood_ratio(pairs, self.within, self.far))
        if self.below is None:
            self.below = _decided(log_likelihood_ratio(pairs, -self.within, self.far))
        if self.above:
            return Verdict.MORE
        if self.below:
            return Verdict.LESS
        return Verdict.EQUAL if self.above is False and self.below is False else None


def _decided(ratio: float) -> bool | None:
    return True if ratio >= UPPER else False if ratio <= LOWER else None


@attrs.frozen
class Comparison:
    """The result of a comparison of two games; `p_value` is corrected if several games were compared."""

    statistic: Statistic
    within: float
    verdict: Verdict
    pairs: Pairs
    limit: int
    p_value: float | None = None


def compare(
    first: Work,
    second: Work,
    statistic: Statistic,
    within: float,
    limit: int,
    executor: Executors | None = None,
    on_progress: Callable[[Pairs], object] | None = None,
) -> Comparison:
    """Play pairs of two games until the test has a verdict, or `limit` pairs are played.

    `within` is in the unit of the statistic.  `on_progress` is called after each piece.  Raises ValueError if `within`
    is not above 0; RuleError, IllegalActionError, BrokenExecutor.
    """
    if within <= 0:
        raise ValueError("the difference that matters must be above 0")
    test = SequentialTest(within * statistic.parts, statistic.parts if statistic.is_share else 0)
    pairs = _paired(first, second, statistic, limit, executor, on_progress, lambda so_far: bool(test.evaluate(so_far)))
    return Comparison(statistic, within, test.evaluate(pairs) or Verdict.UNDECIDED, pairs, limit)


def compare_several(
    first: Work,
    others: Sequence[Work],
    statistic: Statistic,
    within: float,
    plays: int,
    executor: Executors | None = None,
    on_progress: Callable[[Pairs], object] | None = None,
) -> list[Comparison]:
    """Compare several games with one by a fixed number of pairs each, with a family-wise error rate of 5 %.

    Games are called equal if the difference is significantly within `within` (two one-sided tests), else different if
    it is significant.  p-values are corrected by Holm's method.
    """
    found = [_paired(first, other, statistic, plays, executor, on_progress, lambda _: False) for other in others]
    deviations = [_deviation(pairs, statistic) for pairs in found]
    differ = holm([two_sided(value / error) for value, error in deviations])
    alike = holm([two_sided(max(0.0, within - abs(value)) / error) / 2 for value, error in deviations])
    verdicts = []
    for (value, _), different, same in zip(deviations, differ, alike, strict=True):
        if same < WRONG:
            verdicts.append(Verdict.EQUAL)
        elif different < WRONG:
            verdicts.append(Verdict.MORE if value > 0 else Verdict.LESS)
        else:
            verdicts.append(Verdict.UNDECIDED)
    return [
        Comparison(statistic, within, verdict, pairs, plays, p)
        for verdict, pairs, p in zip(verdicts, found, differ, strict=True)
    ]


def _deviation(pairs: Pairs, statistic: Statistic) -> tuple[float, float]:
    """Return the mean difference and its standard error, with the pseudo-observations of the sequential test."""
    n, far = pairs.n + 2, pairs.furthest or 1
    middle = pairs.difference / n
    spread = (pairs.squares + 2 * far * far) / n - middle * middle
    return middle / statistic.parts, math.sqrt(max(spread, 1e-12) / n) / statistic.parts


# ---- pieces of work


def pairs_of(first: Work, second: Work, statistic: str, begin: int, count: int) -> Pairs:
    """Play a range of pairs in this process.  Raises RuleError, IllegalActionError."""
    compared, found = STATISTICS[statistic], Pairs()
    games = [(work, _game(work)) for work in (first, second)]
    ones, twos = (played(work, game, begin, count)[0] for work, game in games)
    for one, two in zip(ones, twos, strict=True):
        found.add(compared.of(one), compared.of(two))
    return found


@lru_cache(maxsize=4)
def _game(work: Work) -> Game:
    return work.game()


def _paired(
    first: Work,
    second: Work,
    statistic: Statistic,
    limit: int,
    executor: Executors | None,
    on_progress: Callable[[Pairs], object] | None,
    is_enough: Callable[[Pairs], bool],
) -> Pairs:
    """Return the sums of the pieces in order, until they are enough; workers play some of them ahead."""
    size = PAIRS if first.native and second.native else SLOW_PAIRS
    pairs, beyond = Pairs(), dict[int, Pairs]()

    def left() -> list[int]:
        return [begin for begin in range(pairs.n, limit, size) if begin not in beyond]

    def submit(pool: Executor, begin: int) -> Future[Pairs]:
        return pool.submit(pairs_of, first, second, statistic.name, begin, min(size, limit - begin))

    def is_over(begin: int, future: Future[Pairs]) -> bool:
        beyond[begin] = future.result()
        while due := beyond.pop(pairs.n, None):
            pairs.join(due)
            if on_progress is not None:
                on_progress(pairs)
            if is_enough(pairs):
                return True
        return False

    share_out(executor, submit, left, is_over)
    return pairs
