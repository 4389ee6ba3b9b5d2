"""Run scenarios: place cards and variables, act, and check the expectations.

A scenario that says `start PHASE` begins there, as if the calls that lead to it had just been made; every
card it does not place is conserved: it fills the zones that ask for a number of cards, and the rest lies
in the deck's own zone, in an order that follows from a seed alone.  Without `start` a play begins at its beginning.
Chance that a scenario does not answer is answered from the same seed.

Each scenario is run by itself: a mistake in one, also one of form, does not keep the others of its file from running.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from grammar import scenario as syntax
from grammar.diagnostics import Diagnostic, SpecError
from grammar.expressions import Expr, evolved
from grammar.source import Source, Span
from grammar.suggest import suggestion
from interpreter.engine.faults import RuleError
from interpreter.engine.game import Game
from interpreter.loader import SUFFIX, find_spec, load
from interpreter.scenarios.scenario_run import Failed, Runner
from interpreter.setting import SettingError

Loader = Callable[[str | Path, int | None, dict[str, Any]], Game]
"""Loads the game of a spec in a setting."""

SCENARIOS = ".scenarios"
SEED = 1
"""The default seed of the cards and the chance events that a scenario does not determine."""

_SECTION = re.compile(r"\S")


@attrs.frozen
class Failure:
    """A failed scenario: the place, the expected and the actual value.

    `rule` is the span of a rule that raised a fault, and `code` the code of that fault.
    """

    span: Span
    message: str
    table: str = ""
    rule: Span | None = None
    code: str = ""


@attrs.frozen
class Result:
    """The result of one scenario; `tags` are the rules that it names, `reached` those that it ran.

    `diagnostics` are the mistakes of a scenario that cannot run.
    """

    name: str
    span: Span
    tags: tuple[str, ...]
    reached: frozenset[str] = frozenset()
    failure: Failure | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether everything was as expected."""
        return self.failure is None and not self.diagnostics


def failure_report(result: Result) -> str:
    """Return what a scenario that failed has found: its line, what was so instead, the rule and the table."""
    failure = result.failure
    if failure is None:
        return ""
    span, rule = failure.span, failure.rule
    lines = [f"{span.source.name}:{span.line}: {failure.message}",
             f"{span.line:>4} | {span.source.line(span.line).strip()}"]  # fmt: skip
    if rule is not None:
        lines += [f"  --> {rule}", f"     | {rule.source.line(rule.line).strip()}"]
    return "\n".join([*lines, *(f"     | {line}" for line in failure.table.splitlines())])


def scenario_files(target: str | Path) -> list[Path]:
    """Return the scenario files that a path or a bundled game's name means.

    A file of scenarios is itself; a spec is the file of its name beside it.  Raises SpecNotFoundError.
    """
    path = Path(target)
    if path.suffix == SCENARIOS and path.is_file():
        return [path]
    spec = find_spec(target)
    beside = spec.with_suffix(SCENARIOS)
    return [beside] if beside.is_file() else []


def run_source(source: Source, folder: Path | None, seed: int = SEED) -> list[Result]:
    """Run the scenarios of a text; `folder` is where its game is looked for.

    Raises SpecError for mistakes in the head of the text or in its game; SpecNotFoundError where the game is not there.
    """
    suite = Suite.of(source, folder, seed)
    return [suite.run(case) for case in suite.cases]


@attrs.frozen
class Case:
    """A scenario of a file before it is run; `diagnostics` are the mistakes of one that cannot be read."""

    name: str
    span: Span
    tags: tuple[str, ...]
    scenario: syntax.Scenario | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    def has(self, words: str | None) -> bool:
        """Say whether these words stand in its name or tags; None stand in all."""
        return words is None or words.lower() in " ".join([self.name, *self.tags]).lower()


@attrs.define
class Suite:
    """The scenarios of a file, `cases`, to be run one by one.  Each game that they need is loaded once."""

    file: syntax.ScenarioFile
    spec: str | Path
    seed: int
    cases: tuple[Case, ...]
    loaded: Loader
    games: dict[tuple[Any, ...], Game] = attrs.field(factory=dict)

    @classmethod
    def of(cls, source: Source, folder: Path | None, seed: int = SEED, loaded: Loader | None = None) -> Suite:
        """Read a text; `folder` is where its game is looked for, `loaded` what loads it.

        Raises SpecError for a mistake in its head.
        """
        file, broken = _readable(source)
        beside = None if folder is None else folder / file.of
        spec: str | Path = beside if beside is not None and beside.is_file() else file.of.removesuffix(SUFFIX)
        read = [Case(scenario.name, scenario.span, scenario.tags, scenario) for scenario in file.scenarios]
        return cls(
            file, spec, seed, tuple(sorted([*broken, *read], key=lambda case: case.span.start)), loaded or _loaded
        )

    def run(self, case: Case) -> Result:
        """Run a scenario.  Raises SpecError for mistakes in its game; SpecNotFoundError where that is not there."""
        if case.scenario is None:
            return Result(case.name, case.span, case.tags, diagnostics=case.diagnostics)
        runner = failure = None
        diagnostics: tuple[Diagnostic, ...] = ()
        try:
            whole = _with_setup(case.scenario, self.file)
            runner = Runner(whole, self._game(whole), self.seed, own=len(case.scenario.givens))
            runner.run()
        except Failed as failed:
            assert runner is not None
            failure = Failure(failed.span, failed.message, runner.table(), failed.rule)
        except RuleError as fault:
            if runner is None:
                raise
            failure = Failure(runner.at, f"{fault.code} {fault.message}", runner.table(), fault.span, fault.code)
        except SpecError as error:
            if runner is None and any(d.span.source.name != case.span.source.name for d in error.diagnostics):
                raise  # The game is at fault, not this scenario.
            diagnostics = error.diagnostics
        state = None if runner is None else runner.play
        reached = frozenset[str]() if state is None else frozenset(state.tags)
        return Result(case.name, case.span, case.tags, reached, failure, diagnostics)

    def _game(self, scenario: syntax.Scenario) -> Game:
        options = {given.name: _option_text(given.value) for given in scenario.options}
        key = (scenario.players, *sorted(options.items()))
        if key not in self.games:
            try:
                self.games[key] = self.loaded(self.spec, scenario.players, options)
            except SettingError as error:
                span = scenario.options[0].span if scenario.options else scenario.span
                raise SpecError.of("CG223", str(error), span) from error
        return self.games[key]


def _loaded(spec: str | Path, players: int | None, options: dict[str, Any]) -> Game:
    return load(spec, players, options, native=False)


def _readable(source: Source) -> tuple[syntax.ScenarioFile, list[Case]]:
    """Return what can be read of a file, and each scenario that cannot with its mistakes.

    The sections that have mistakes are blanked out, so that everything else keeps its place.
    """
    from grammar.parser import parse_scenarios  # late: lark

    try:
        return parse_scenarios(source), []
    except SpecError as error:
        mistakes = error.diagnostics
    sections = _sections(source)
    wrong: dict[Span, list[Diagnostic]] = {}
    for diagnostic in mistakes:
        section = next((s for s in sections if s.start <= diagnostic.span.start < s.end), None)
        if section is None:
            raise SpecError(mistakes)
        wrong.setdefault(section, []).append(diagnostic)
    text = source.text
    for section in wrong:
        text = text[: section.start] + re.sub(r"[^\r\n]", " ", section.text) + text[section.end :]
    try:
        file = parse_scenarios(Source(source.name, text))
    except SpecError:
        raise SpecError(mistakes) from None
    return file, [_unreadable(section, tuple(found)) for section, found in wrong.items()]


def _sections(source: Source) -> list[Span]:
    """Return the scenarios and set-ups of a text, by the lines that are not indented; the head is none of them."""
    starts = [
        match.start()
        for match in re.finditer(r"(?m)^.*$", source.text)
        if _SECTION.match(match[0]) and not match[0].startswith("#")
    ]
    ends = [*starts[1:], len(source.text)]
    return [Span(source, start, end) for start, end in zip(starts, ends, strict=True)][1:]


def _unreadable(section: Span, diagnostics: tuple[Diagnostic, ...]) -> Case:
    head = re.match(r'\w+\s+"([^"\n]*)"', section.text)
    span = Span(section.source, section.start, section.start + len(section.text.splitlines()[0]))
    return Case(head[1] if head else span.text, span, (), diagnostics=diagnostics)


def _with_setup(scenario: syntax.Scenario, file: syntax.ScenarioFile) -> syntax.Scenario:
    """Return a scenario that begins with the lines of its set-up; what both say is as the scenario says it."""
    setup = None
    if scenario.setup is not None:
        named = {one.name: one for one in file.setups}
        setup = named.get(scenario.setup)
        if setup is None:
            place = scenario.span.part(f'"{scenario.setup}"')
            cure = suggestion(scenario.setup, list(named), place)
            message = f"no set-up of this file is called “{scenario.setup}”"
            raise SpecError.of("CG861", message, place, cure or _set_ups(list(named)))
    if not scenario.steps and (setup is None or not setup.steps):
        raise SpecError.of(
            "CG860", f"the scenario “{scenario.name}” has no action and no expectation",
            Span(scenario.span.source, scenario.span.start, scenario.span.start + len("scenario")),
            "write an action, or an expectation such as `expect player 1 to act`",
        )  # fmt: skip
    if setup is None:
        return scenario
    options = {option.name: option for option in (*setup.options, *scenario.options)}
    later = (*scenario.givens, *scenario.steps) if setup.steps else scenario.steps
    return evolved(
        scenario,
        players=scenario.players or setup.players,
        options=tuple(options.values()),
        start=scenario.start or setup.start,
        givens=setup.givens if setup.steps else (*setup.givens, *scenario.givens),
        steps=(*setup.steps, *later),
    )


def _set_ups(names: list[str]) -> str:
    if not names:
        return 'write one: `setup "a name"`, and below it the lines that scenarios share'
    return "there is " + ", ".join(f"“{name}”" for name in names)


def _option_text(value: Expr) -> str:
    return value.span.text.strip()
