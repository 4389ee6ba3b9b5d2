"""Play seeded random games and check at every state what must hold for every game.

`fuzz` stops at the first failure and shrinks it; otherwise it reports what the playouts were like.  All of
it follows from the game, the seed and the number of playouts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from statistics import median
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.drivers import worlds
from interpreter.drivers.checks import CHECKS, Account, Check, Moment, Problem, fault_problem
from interpreter.drivers.coverage import Coverage
from interpreter.drivers.exchange import check as exchange
from interpreter.drivers.playouts import Plan, Playout, sentences
from interpreter.drivers.shrink import Failure, shrink
from interpreter.runtime.faults import IllegalActionError, RuleError

if TYPE_CHECKING:
    from grammar.source import Span
    from interpreter.runtime.game import Game

RUN, PLAY = 2000, 4
"""What a run, and what each play, costs beside its decisions, in decisions: starting, compiling; beginning, ending."""

ALL_CHECKS = (*CHECKS, worlds.CHECK, exchange.CHECK)


@attrs.frozen
class CounterExample:
    """A play that breaks a check.

    `sentences` are its decisions in words, shortened as far as the same check still fails; `length` is the
    number of small actions before it was shortened; `saved` the state as text where one can be saved.
    """

    problem: Problem
    seed: int
    playout: int
    sentences: tuple[str, ...]
    actions: tuple[int, ...]
    length: int
    saved: str | None


@attrs.define
class Report:
    """What some playouts were like.  `tally` counts the checks made, by name, and the resamples."""

    game: Game
    seed: int
    coverage: Coverage
    playouts: int = 0
    lengths: list[int] = attrs.field(factory=list)
    terminations: Counter[str] = attrs.field(factory=Counter)
    scores: list[tuple[int, ...]] = attrs.field(factory=list)
    tally: dict[str, int] = attrs.field(factory=dict)
    published: dict[tuple[Span, str], tuple[str, ...]] = attrs.field(factory=dict)
    account: Account = attrs.field(factory=Account)
    failure: CounterExample | None = None

    @property
    def decisions(self) -> int:
        """How many small actions were carried out."""
        return sum(self.lengths)

    def spread(self, values: list[int]) -> tuple[int, float, int]:
        """Return the least, the median and the greatest of some values (0 where there are none)."""
        return (min(values), median(values), max(values)) if values else (0, 0, 0)

    @property
    def unchanged_share(self) -> float:
        """The share of resamples, from 0 to 1, that could not find another world."""
        asked = self.tally.get("resamples", 0)
        return self.tally.get("resamples without another world", 0) / asked if asked else 0.0


def fuzz(
    game: Game,
    playouts: int,
    seed: int,
    first: int = 0,
    watch: Callable[[int], None] | None = None,
    decisions: float = math.inf,
) -> Report:
    """Play so many random games, numbered from `first`, and return the report; it ends at the first failure.

    `watch` is called before each playout with how many are done.  After so many decisions
    no further one is begun.  A single playout is checked as thoroughly as can be,
    so that it fails again if it failed among others.
    """
    report = Report(game, seed, Coverage(game), account=Account(RUN, bounded=playouts > 1))
    for number in range(first, first + playouts):
        if sum(report.lengths) >= decisions:
            break
        if watch is not None:
            watch(number - first)
        plan = Plan(seed, number)
        found = _play(plan, report)
        if found is not None:
            failure, check = found
            smallest = shrink(game, plan, failure, check)
            report.failure = _counter_example(game, plan, smallest, len(failure.taken))
            break
    return report


def _play(plan: Plan, report: Report) -> tuple[Failure, Check | None] | None:
    """Play one game and note it; return how it fails, or None."""
    game = report.game
    report.playouts += 1
    report.account.plays += PLAY
    try:
        playout = Playout(game, plan)
    except RuleError as fault:
        return Failure(fault_problem(fault), (), None), None
    memory: dict[str, Any] = {}
    while True:
        at = Moment(game, plan, playout.state, playout.position, report.tally, memory, report.published, report.account)
        report.account.plays += 1
        for check in _due(at):
            problem = check.problem(at)
            if problem is not None:
                return Failure(problem, tuple(playout.taken), playout.state), check
        try:
            if not playout.step():
                break
        except (RuleError, IllegalActionError) as error:
            return Failure(_stopped(error), tuple(playout.taken), None), None
    return _finished(playout, report)


def _due(at: Moment) -> Iterator[Check]:
    return (check for check in ALL_CHECKS if check.due(at))


def _stopped(error: RuleError | IllegalActionError) -> Problem:
    if isinstance(error, RuleError):
        return fault_problem(error)
    return Problem("actions", f"a legal action was refused: {error}")


def _finished(playout: Playout, report: Report) -> tuple[Failure, Check | None] | None:
    state = playout.state
    problem = _repeat(playout)
    report.tally["repeats"] = report.tally.get("repeats", 0) + 1
    if problem is not None:
        return Failure(problem, tuple(playout.taken), state), None
    result = state.outcome()
    assert result is not None
    report.lengths.append(state.num_decisions)
    report.terminations[result.termination.value] += 1
    if result.scores is not None:
        report.scores.append(result.scores)
    report.coverage.add(state.reached())
    return None


def _repeat(playout: Playout) -> Problem | None:
    """The same seed gives the same play."""
    again = Playout(playout.game, playout.plan)
    while again.step():
        pass
    if again.state.history() != playout.state.history() or again.state.content() != playout.state.content():
        return Problem("repeats", "the same seed gave another play")
    return None


def _counter_example(game: Game, plan: Plan, failure: Failure, length: int) -> CounterExample:
    saved = None if failure.state is None else failure.state.serialize()
    told = tuple(sentences(game, failure.taken))
    return CounterExample(
        failure.problem, plan.seed, plan.number, told, tuple(failure.actions), length, saved
    )  # fmt: skip
