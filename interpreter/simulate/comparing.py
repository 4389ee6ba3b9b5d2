"""Which of two games has more of something: pairs of plays with one seed, judged one after another.

The test is a generalized sequential probability ratio test, twice: is the difference 0, or D above; is it 0, or D
below.  Each asks after every piece of work whether the likelihood ratio, with the spread that is seen, has left its
bounds (Wald, 1945; for an unknown spread the likelihoods at their maximum).  The chance of calling equal games
different is 5 %, both directions together; so is that of calling equal what differs by D.  What lies between may be
called either.

Plays are joined in the order of their numbers, and the test looks at a prefix of them alone, so the verdict is the same
however many workers there are: what they have played beyond it is thrown away.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from interpreter.engine.outcome import Termination
from interpreter.inference import Estimate, holm, mean_of_sums, two_sided
from interpreter.simulate.collecting import UNIT
from interpreter.simulate.recording import MEASURES, Row, margin_of
from interpreter.simulate.running import RESTARTS, Work, played

if TYPE_CHECKING:
    from interpreter.engine.game import Game

WRONG = 0.05
"""The chance of calling equal games different, and of calling equal what differs by D."""

UPPER = math.log((1 - WRONG) / (WRONG / 2))
LOWER = math.log(WRONG / (1 - WRONG / 2))
"""The bounds of each of the two tests: 2.5 % for each direction, and 5 % to miss."""

PAIRS, SLOW_PAIRS = 100, 4
"""Pairs between two looks at the test, of random plays in C and of all others."""

LEAST_PAIRS = 40
"""Pairs before the first look."""


class Verdict(Enum):
    """What a comparison comes to: the second game has more or less than the first, or about as much."""

    MORE = "more"
    LESS = "less"
    EQUAL = "equal"
    UNDECIDED = "undecided"


@attrs.frozen
class Question:
    """What is compared: a number of each play, in whole parts of `parts`; a share goes from 0 to 1."""

    name: str
    about: str
    unit: str
    parts: int
    of: Callable[[Row], int]
    """Gives the number of a play."""

    @property
    def is_share(self) -> bool:
        """Whether it is a share, told in percent."""
        return self.unit == "share"


def _measure(name: str) -> Callable[[Row], int]:
    place = MEASURES.index(name)
    return lambda row: row.numbers[place]


def _by_decision(name: str) -> Callable[[Row], int]:
    place, whole = MEASURES.index(name), MEASURES.index("decisions")
    return lambda row: UNIT * row.numbers[place] // max(1, row.numbers[whole])


def _won(row: Row) -> Sequence[int]:
    """Return what each seat won."""
    players = len(row.outcome.returns)
    return row.numbers[len(MEASURES) + players : len(MEASURES) + 2 * players]


def _is_cut(row: Row) -> bool:
    return row.outcome.termination is Termination.TOO_LONG


def _mean_score(row: Row) -> int:
    return sum(row.outcome.scores or ()) * UNIT // len(row.outcome.returns)


QUESTIONS: dict[str, Question] = {
    q.name: q
    for q in (
        Question("length", "decisions of a play", "decisions", 1, _measure("decisions")),
        Question("turns", "turns of a play", "turns", 1, _measure("turns")),
        Question("rounds", "rounds of a play", "rounds", 1, _measure("rounds")),
        Question("cut-off", "plays that reach the limit", "share", UNIT, lambda row: UNIT * _is_cut(row)),
        Question("ties", "plays that not one alone wins", "share", UNIT,
                 lambda row: UNIT * (not _is_cut(row) and len(row.outcome.winners) != 1)),
        Question("first", "wins of seat 1", "share", UNIT, lambda row: _won(row)[0]),
        Question("last", "wins of the last seat", "share", UNIT, lambda row: _won(row)[-1]),
        Question("choices", "legal actions at a decision", "actions", UNIT, _by_decision("legal")),
        Question("forced", "forced decisions", "share", UNIT, _by_decision("forced")),
        Question("wait", "longest wait, in decisions of others", "decisions", 1, _measure("wait")),
        Question("changes", "lead changes", "changes", 1, _measure("changes")),
        Question("settled", "when the winners lead for good, in percent of the turns", "percent", 1,
                 _measure("settled")),
        Question("score", "mean score of the players", "points", UNIT, _mean_score),
        Question("margin", "score of the winner above the next", "points", 1,
                 lambda row: margin_of(row.outcome) or 0),
    )
}  # fmt: skip
"""All questions, by name."""


@attrs.define
class Pairs:
    """Sums over pairs of plays, in parts of the question: how many, of each game and of the difference."""

    n: int = 0
    first: int = 0
    first_squares: int = 0
    second: int = 0
    second_squares: int = 0
    difference: int = 0
    squares: int = 0
    furthest: int = 0
    """The greatest difference of a pair, either way."""

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
        one, two, apart = (Estimate(e.value / parts, e.low / parts, e.high / parts) for e in found)
        return one, two, apart


def ratio_of_likelihoods(pairs: Pairs, within: float, far: float = 0) -> float:
    """Return the logarithm of how much likelier a difference of `within` (in parts) makes the pairs than none does.

    Two pairs more are thought to be there, one either way, as far from 0 as any yet, and `far` at least: what is rare
    cannot seem never to happen.
    """
    n = pairs.n + 2
    far = max(pairs.furthest, abs(within), far)
    middle = pairs.difference / n
    spread = max(0.0, (pairs.squares + 2 * far * far) / n - middle * middle)
    return n / 2 * (math.log(spread + middle * middle) - math.log(spread + (middle - within) ** 2))


@attrs.define
class Judge:
    """The two tests: what each has found so far, and the verdict once there is one.

    `within` is the difference that matters, and `far` the greatest that a pair can have, if that is known; in parts.
    """

    within: float
    far: float = 0
    above: bool | None = None
    below: bool | None = None

    def look(self, pairs: Pairs) -> Verdict | None:
        """Look at all pairs until now; return the verdict as soon as both tests allow one."""
        if pairs.n < LEAST_PAIRS:
            return None
        if self.above is None:
            self.above = _decided(ratio_of_likelihoods(pairs, self.within, self.far))
        if self.below is None:
            self.below = _decided(ratio_of_likelihoods(pairs, -self.within, self.far))
        if self.above:
            return Verdict.MORE
        if self.below:
            return Verdict.LESS
        return Verdict.EQUAL if self.above is False and self.below is False else None


def _decided(ratio: float) -> bool | None:
    return True if ratio >= UPPER else False if ratio <= LOWER else None


@attrs.frozen
class Comparison:
    """What a comparison of two games came to; `chance` is that of a false alarm, where several were compared."""

    question: Question
    within: float
    verdict: Verdict
    pairs: Pairs
    limit: int
    chance: float | None = None


def compare(
    first: Work,
    second: Work,
    question: Question,
    within: float,
    limit: int,
    executor: Callable[[], Executor] | None = None,
    watch: Callable[[Pairs], object] | None = None,
) -> Comparison:
    """Play pairs of two games until the test has a verdict, or `limit` pairs are played.

    `within` is in the question's unit.  `watch` is called after each piece.  Raises ValueError where `within` is not
    above 0; RuleError, IllegalActionError, BrokenExecutor.
    """
    if within <= 0:
        raise ValueError("the difference that matters must be above 0")
    judge, pairs = Judge(within * question.parts, question.parts if question.is_share else 0), Pairs()
    for found in _pieces(first, second, question, limit, executor):
        pairs.join(found)
        if watch is not None:
            watch(pairs)
        verdict = judge.look(pairs)
        if verdict is not None:
            return Comparison(question, within, verdict, pairs, limit)
    return Comparison(question, within, Verdict.UNDECIDED, pairs, limit)


def compare_several(
    first: Work,
    others: Sequence[Work],
    question: Question,
    within: float,
    plays: int,
    executor: Callable[[], Executor] | None = None,
    watch: Callable[[Pairs], object] | None = None,
) -> list[Comparison]:
    """Compare several games with one, each by so many pairs, so that 5 % of such sets of verdicts have a false one.

    A difference is called where it is beyond chance, and its interval not within `within`; games are called equal where
    the difference is within it beyond chance (two one-sided tests).  The chances are corrected by Holm's method.
    """
    found: list[Pairs] = []
    for other in others:
        pairs = Pairs()
        for piece in _pieces(first, other, question, plays, executor):
            pairs.join(piece)
            if watch is not None:
                watch(pairs)
        found.append(pairs)
    deviations = [_deviation(pairs, question) for pairs in found]
    differ = holm([two_sided(value / error) for value, error in deviations])
    alike = holm([two_sided(max(0.0, within - abs(value)) / error) / 2 for value, error in deviations])
    verdicts = []
    for (value, _), apart, same in zip(deviations, differ, alike, strict=True):
        if same < WRONG:
            verdicts.append(Verdict.EQUAL)
        elif apart < WRONG:
            verdicts.append(Verdict.MORE if value > 0 else Verdict.LESS)
        else:
            verdicts.append(Verdict.UNDECIDED)
    return [
        Comparison(question, within, verdict, pairs, plays, chance)
        for verdict, pairs, chance in zip(verdicts, found, differ, strict=True)
    ]


def _deviation(pairs: Pairs, question: Question) -> tuple[float, float]:
    """Return the mean difference, and its standard error, made careful as the sequential test's is."""
    n, far = pairs.n + 2, pairs.furthest or 1
    middle = pairs.difference / n
    spread = (pairs.squares + 2 * far * far) / n - middle * middle
    return middle / question.parts, math.sqrt(max(spread, 1e-12) / n) / question.parts


# ---- pieces of work


def pairs_of(first: Work, second: Work, question: str, begin: int, count: int) -> Pairs:
    """Play so many pairs from a number on, in this process.  Raises RuleError, IllegalActionError."""
    asked, found = QUESTIONS[question], Pairs()
    games = [(work, _game(work)) for work in (first, second)]
    ones, twos = (played(work, game, begin, count)[0] for work, game in games)
    for one, two in zip(ones, twos, strict=True):
        found.add(asked.of(one), asked.of(two))
    return found


@lru_cache(maxsize=4)
def _game(work: Work) -> Game:
    return work.game()


def _pieces(
    first: Work, second: Work, question: Question, limit: int, executor: Callable[[], Executor] | None
) -> Iterator[Pairs]:
    """Give what the pieces found, in their order; some are played ahead."""
    size = PAIRS if first.native and second.native else SLOW_PAIRS
    asked = [(begin, min(size, limit - begin)) for begin in range(0, limit, size)]
    if executor is None:
        for begin, count in asked:
            yield pairs_of(first, second, question.name, begin, count)
        return
    done = 0
    for attempt in range(RESTARTS + 1):
        try:
            with executor() as pool:
                ahead: list[Future[Pairs]] = []
                try:
                    for place in range(done, len(asked)):
                        while len(ahead) < AHEAD and place + len(ahead) < len(asked):
                            piece = asked[place + len(ahead)]
                            ahead.append(pool.submit(pairs_of, first, second, question.name, *piece))
                        found = ahead.pop(0).result()
                        done = place + 1
                        yield found
                finally:
                    for future in ahead:
                        future.cancel()
            return
        except BrokenExecutor:
            if attempt == RESTARTS:
                raise


AHEAD = 16
"""Pieces that are played ahead of the test, and thrown away where it has ended before."""
