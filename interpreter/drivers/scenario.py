"""Run scenarios: put cards and variables in place, act, and see whether the rules do what they should.

A scenario that says `start PHASE` begins there, as if the calls that lead to it had just been made; every
card it does not place is conserved: it fills the zones that ask for a number of cards, and the rest lies
in the deck's own zone, in an order that depends on the scenario's name alone.  Without `start` a play
begins at its beginning.  Chance that a scenario does not answer is answered from its name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

from grammar import scenario as syntax
from grammar.diagnostics import Diagnostic, SpecError
from grammar.expressions import Expr
from grammar.parser import parse_scenarios
from grammar.source import Source, Span, read_source
from interpreter.drivers.scenario_run import Failed, Runner
from interpreter.loader import SUFFIX, find_spec, load
from interpreter.runtime.faults import RuleError
from interpreter.runtime.game import Game
from interpreter.setting import SettingError

SCENARIOS = ".scenarios"
SENTENCE_LIMIT = 5_000


@attrs.frozen
class Failure:
    """What a scenario found wrong: where, what was wanted, and what was there instead."""

    span: Span
    message: str
    table: str = ""


@attrs.frozen
class Result:
    """How one scenario went; `tags` are the rules that it names, `reached` those that it carried out."""

    name: str
    span: Span
    tags: tuple[str, ...]
    reached: frozenset[str]
    failure: Failure | None = None

    @property
    def passed(self) -> bool:
        """Whether everything was as expected."""
        return self.failure is None


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


def run_file(path: Path, only: str | None = None) -> list[Result]:
    """Run the scenarios of a file: all, or those with the words `only` in their name or tags.

    Raises SpecError for mistakes in the file or in its game; SpecNotFoundError where the game is not there.
    """
    return run_source(read_source(path), path.parent, only)


def run_source(source: Source, folder: Path | None, only: str | None = None) -> list[Result]:
    """Run the scenarios of a text; `folder` is where its game is looked for."""
    file = parse_scenarios(source)
    beside = None if folder is None else folder / file.of
    spec: str | Path = beside if beside is not None and beside.is_file() else file.of.removesuffix(SUFFIX)
    games: dict[tuple[Any, ...], Game] = {}
    return [_run(scenario, spec, games) for scenario in file.scenarios if _wanted(scenario, only)]


def _wanted(scenario: syntax.Scenario, only: str | None) -> bool:
    return only is None or only.lower() in " ".join([scenario.name, *scenario.tags]).lower()


def _run(scenario: syntax.Scenario, spec: str | Path, games: dict[tuple[Any, ...], Game]) -> Result:
    game = _game(scenario, spec, games)
    runner = Runner(scenario, game)
    failure = None
    try:
        runner.run()
    except Failed as failed:
        failure = Failure(failed.span, failed.message, runner.table())
    except RuleError as fault:
        failure = Failure(fault.span or scenario.span, f"{fault.code} {fault.message}", runner.table())
    reached = frozenset(runner.state.tags) if runner.state is not None else frozenset()
    return Result(scenario.name, scenario.span, scenario.tags, reached, failure)


def _game(scenario: syntax.Scenario, spec: str | Path, games: dict[tuple[Any, ...], Game]) -> Game:
    options = {given.name: _option_text(given.value) for given in scenario.options}
    key = (scenario.players, *sorted(options.items()))
    if key not in games:
        try:
            games[key] = load(spec, scenario.players, options)
        except SettingError as error:
            span = scenario.options[0].span if scenario.options else scenario.span
            raise SpecError([Diagnostic("CG223", str(error), span)]) from error
    return games[key]


def _option_text(value: Expr) -> str:
    return value.span.text.strip()
