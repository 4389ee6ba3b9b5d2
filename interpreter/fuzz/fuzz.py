"""The fuzzing loop: seeded random plays with checks of every state.

`fuzz` stops at the first failure and shrinks it; otherwise it reports what the playouts were like.  All of
it follows from the game, the seed and the number of playouts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from statistics import median
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.interruption import Interrupted, until
from interpreter.fuzz import noninterference, truth_invariance
from interpreter.fuzz.checks import CHECKS, Account, Check, CheckContext, Problem, fault_problem
from interpreter.fuzz.coverage import Coverage
from interpreter.fuzz.diagnosis import Diagnosis, cure_of, diagnose
from interpreter.fuzz.exchange import check as exchange
from interpreter.fuzz.exchange.goals import goals_of
from interpreter.fuzz.playouts import Plan, Playout, sentences
from interpreter.fuzz.shrink import Failure, failing, same, shrink
from interpreter.fuzz.time_limit import TimeLimit
from interpreter.records.retelling import retell
from interpreter.setting import Setting

if TYPE_CHECKING:
    from grammar.source import Span
    from interpreter.engine.game import Game, State
    from interpreter.engine.machine import HistoryItem

RUN, PLAY = 16_000, 4
"""The budget of checks, in decisions: of a whole run, and of each play in addition."""

NO_LIMIT = TimeLimit()

ALONE = 10
"""A single playout is first checked with the budget that it would have among so many."""

SHRINKING = 6.0
"""The limit on shrinking a failing play, in seconds of processor time."""

TWINS = 100
"""The most playouts with ordinary chance that are tried to reproduce a failure with stepwise chance."""

ALL_CHECKS = (*CHECKS, noninterference.CHECK, truth_invariance.CHECK, exchange.CHECK)


@attrs.frozen
class CounterExample:
    """A play that breaks a check.

    `sentences` are its decisions in words, shortened as far as the same check still fails; `length` is the
    number of small actions before it was shortened; `saved` the state as text where one can be saved.  `history` is the
    play up to the last state in which the rules were whole, and `fatal` what was done there, where that is known.
    `dice` is the seed with which a session deals the same cards, None where chance was answered one by one.
    """

    problem: Problem
    setting: Setting
    seed: int
    playout: int
    sentences: tuple[str, ...]
    actions: tuple[int, ...]
    length: int
    saved: str | None
    diagnosis: Diagnosis = attrs.field(factory=Diagnosis)
    history: tuple[HistoryItem, ...] = ()
    fatal: HistoryItem | None = None
    dice: int | None = None


@attrs.define
class Report:
    """The results of fuzzing one spec, in one setting or in several.

    `tally` counts the checks by name, and the resampled worlds.  `unfinished` counts the playouts that a time limit
    ended.  `branches` are those that read hidden information, with the number of comparisons of both ways.
    """

    seed: int
    settings: list[Setting]
    max_decisions: int
    cooperative: bool
    coverage: Coverage
    playouts: int = 0
    lengths: list[int] = attrs.field(factory=list)
    terminations: Counter[str] = attrs.field(factory=Counter)
    scores: list[tuple[int, ...]] = attrs.field(factory=list)
    tally: Counter[str] = attrs.field(factory=Counter)
    published: dict[tuple[Span, str], tuple[str, ...]] = attrs.field(factory=dict)
    account: Account = attrs.field(factory=Account)
    failure: CounterExample | None = None
    unfinished: int = 0
    branches: dict[tuple[str, int], tuple[Span, int]] = attrs.field(factory=dict)

    @classmethod
    def of(cls, game: Game, seed: int, account: Account) -> Report:
        """Return the report of a game before the first play."""
        coverage = Coverage.of(game)
        return cls(seed, [game.setting], game.max_decisions, game.cooperative, coverage, account=account)

    def join(self, other: Report) -> None:
        """Add the playouts of another part of the run."""
        self.settings += [setting for setting in other.settings if setting not in self.settings]
        self.max_decisions = max(self.max_decisions, other.max_decisions)
        self.coverage.join(other.coverage)
        self.playouts += other.playouts
        self.lengths += other.lengths
        self.terminations.update(other.terminations)
        self.scores += other.scores
        self.tally.update(other.tally)
        for (span, what), tags in other.published.items():
            # Another process has read the spec again: a place is the same where its text and lines are.
            known = {(s.source.name, s.start, w) for s, w in self.published}
            if (span.source.name, span.start, what) not in known:
                self.published[span, what] = tags
        self.failure = self.failure or other.failure
        self.unfinished += other.unfinished
        for key, (span, count) in other.branches.items():
            self.branches[key] = span, count + self.branches.get(key, (span, 0))[1]

    @property
    def decisions(self) -> int:
        """How many decisions were made."""
        return sum(self.lengths)

    def spread(self, values: list[int]) -> tuple[int, float, int]:
        """Return the least, the median and the greatest of some values (0 where there are none)."""
        return (min(values), median(values), max(values)) if values else (0, 0, 0)


def account_of(playouts: int, *, bounded: bool) -> Account:
    """Return the account of a run of so many plays, which share its grant."""
    return Account(grant=RUN / playouts, bounded=bounded)


def fuzz(
    game: Game,
    playouts: int,
    seed: int,
    first: int = 0,
    on_progress: Callable[[int], None] | None = None,
    decisions: float = math.inf,
    report: Report | None = None,
    limit: TimeLimit = NO_LIMIT,
) -> Report:
    """Play so many random games, numbered from `first`, and return the report; it ends at the first failure.

    `on_progress` is called before each playout with their number.  After so many decisions, or at the end of the time
    `limit`, no further one is begun; the first is begun in any case.  A single playout that passes is checked again, as
    thoroughly as possible, so that it fails again if it failed among others.  A given `report` holds what was found
    until then also where something stops the run.
    """
    game.quick_build = True  # A slow build would cost more than it saves.
    if report is None:
        report = Report.of(game, seed, account_of(playouts, bounded=playouts > 1))
    if not report.account.bounded:
        quick = Report.of(game, seed, account_of(ALONE, bounded=True))
        if fuzz(game, playouts, seed, first, on_progress, decisions, quick, limit).failure is not None:
            report.join(quick)
            return report
    for number in range(first, first + playouts):
        if sum(report.lengths) >= decisions or (number > first and limit.over):
            break
        if on_progress is not None:
            on_progress(number - first)
        plan = Plan(seed, number)
        found = _play(game, plan, report, limit)
        if found is not None:
            failure, check = found
            report.failure = _counter_example(game, *_plainest(game, plan, failure, check))
            break
    for goal in goals_of(game).values():
        if goal.is_branch:
            compared = report.account.tried["compared", goal]
            report.branches[goal.span.source.name, goal.span.start] = goal.span, compared
    return report


def _plainest(game: Game, plan: Plan, failure: Failure, check: Check | None) -> tuple[Plan, Failure, int]:
    """Return the play to be shown for a failure, with its plan, and how long it was before it was shortened.

    A play in which chance is answered one by one cannot be gone on with at the table; one of the next that are not so,
    and fails in the same way, is shown in its place.
    """
    limit = TimeLimit.after(SHRINKING)
    if plan.stepwise and (check is None or check.rate == 1):
        for number in range(plan.number + 1, plan.number + 1 + TWINS):
            if limit.over:
                break
            twin = Plan(plan.seed, number)
            found = None if twin.stepwise else failing(game, twin, None, check)
            if found is not None and same(found.problem, failure.problem):
                plan, failure = twin, found
                break
    return plan, shrink(game, plan, failure, check, limit), len(failure.taken)


def _play(game: Game, plan: Plan, report: Report, limit: TimeLimit) -> tuple[Failure, Check | None] | None:
    """Play one game, until the end of the time, and record it; return how it fails, or None."""
    report.playouts += 1
    report.account.plays += PLAY + report.account.grant
    try:
        playout = Playout(game, plan)
    except RuleError as fault:
        return Failure(fault_problem(fault), (), None), None
    memory: dict[str, Any] = {}
    while True:
        if limit.over:
            report.unfinished += 1
            return None
        at = CheckContext(
            game, plan, playout.state, playout.position, report.tally, memory, report.published, report.account
        )
        report.account.plays += 1
        for check in _due(at):
            try:
                with nullcontext() if limit.end is None else until(lambda _share: limit.over):
                    problem = check.problem(at)
            except Interrupted:
                report.unfinished += 1
                return None
            if problem is not None:
                if check is noninterference.CHECK:
                    problem, check = _by_exchange(at) or (problem, check)
                return Failure(problem, tuple(playout.taken), playout.state), check
        try:
            if not playout.step():
                break
        except (RuleError, IllegalActionError) as error:
            return Failure(_stopped(error), tuple(playout.taken), None), None
    return _finished(playout, report)


def _by_exchange(at: CheckContext) -> tuple[Problem, Check] | None:
    """Return a leak found by an exchange, with the statement that reveals it, if there is one."""
    thoroughly = attrs.evolve(at, account=Account(bounded=False), tally={})
    problem = exchange.CHECK.problem(thoroughly) if exchange.CHECK.fits(at.state) else None
    return None if problem is None else (problem, exchange.CHECK)


def _due(at: CheckContext) -> Iterator[Check]:
    return (check for check in ALL_CHECKS if check.due(at))


def _stopped(error: RuleError | IllegalActionError) -> Problem:
    if isinstance(error, RuleError):
        return fault_problem(error)
    return Problem("actions", f"a legal action was refused: {error}")


def _finished(playout: Playout, report: Report) -> tuple[Failure, Check | None] | None:
    state = playout.state
    problem = _repeat(playout)
    report.tally["repeats"] += 1
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
    said = tuple(sentences(game, failure.taken))
    last, fatal = _replayed(game, plan, failure.actions)
    if last is not None and len(failure.problem.history) > len(last.history()):
        steps = list(retell(game, failure.problem.history))
        said = tuple(f"player {one.actor + 1}: {one.text}" for one in steps if one.actor >= 0)
        last = steps[-1].after
    starts = [number for number, step in enumerate(failure.taken) if step.first]

    def earlier(number: int) -> State:
        state, _ = _replayed(game, plan, failure.actions[: starts[number]])
        assert state is not None
        return state

    diagnosis = Diagnosis(cure=cure_of(failure.problem))
    if last is not None:
        diagnosis = diagnose(failure.problem, last, said, earlier)
    problem = attrs.evolve(failure.problem, span=failure.problem.span or diagnosis.loop)
    return CounterExample(
        problem, game.setting, plan.seed, plan.number, said, tuple(failure.actions), length, saved, diagnosis,
        () if last is None else tuple(item for _, item in last.history()), fatal,
        None if plan.stepwise else plan.dice,
    )  # fmt: skip


def _replayed(game: Game, plan: Plan, script: list[int]) -> tuple[State | None, HistoryItem | None]:
    """Return the last state of a play in which the rules were whole, and the action on which they failed, if any.

    The state is None where they fail before the first.
    """
    try:
        playout = Playout(game, plan, script)
    except RuleError:
        return None, None
    while True:
        last = playout.state.clone()
        try:
            if not playout.step():
                return last, None
        except (RuleError, IllegalActionError):
            history = playout.state.history()
            return last, history[-1][1] if len(history) > len(last.entries) // 2 else None
