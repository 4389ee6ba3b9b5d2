"""Run scenarios for an editor, each until it passes or fails, on the newest texts, saved or not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from grammar.diagnostics import Diagnostic, Label
from interpreter.analysis.files import SUFFIX
from interpreter.editor.workspace import Workspace, found_path, is_scenarios
from interpreter.engine.game import Game
from interpreter.loader import assemble, game_of
from interpreter.scenarios.scenario import Result, Suite


def scenario_file(workspace: Workspace, path: str) -> str | None:
    """Return the file of scenarios that a file is or has; None where there is none."""
    if is_scenarios(path):
        return path
    beside = [file for file in workspace.dependents(path) if is_scenarios(file)]
    own = [file for file in beside if path in workspace.brings_in(file)]
    same = str(Path(path).with_suffix(".scenarios"))
    return same if same in own else next(iter(own), None)


def run(workspace: Workspace, path: str, names: list[str] | None, is_wanted: Callable[[], bool]) -> list[Result]:
    """Run the scenarios of a file, those of some names, until nobody wants more.

    Raises OSError, and SpecError for mistakes in the head of the file or in its game.
    """
    folder = Path(path).parent

    def loaded(spec: str | Path, players: int | None, options: dict[str, Any]) -> Game:
        found = str(spec) if Path(spec).is_absolute() else _game_path(path, str(spec))
        tree = assemble(workspace.source(found), Path(found).parent, workspace.new_files())
        return game_of(tree, players, options, native=False)

    suite = Suite.of(workspace.source(path), folder, loaded=loaded)
    results = []
    for case in suite.cases:
        if (names is None or case.name in names) and is_wanted():
            results.append(suite.run(case))
    return results


def _game_path(path: str, name: str) -> str:
    """Return the path of the game of a file of scenarios.  Raises OSError where there is none."""
    found = found_path(path, name if name.endswith(SUFFIX) else name + SUFFIX) or found_path(path, name)
    if found is None:
        raise FileNotFoundError(f"there is no spec `{name}`")
    return found


def diagnostics(results: list[Result]) -> list[Diagnostic]:
    """Return what failed, each where the scenario says what it expects."""
    found = [d for result in results for d in result.diagnostics]
    for result in results:
        failure = result.failure
        if failure is not None:
            labels = () if failure.rule is None else (Label(failure.rule, "the rule"),)
            code = failure.code or "scenario"
            found.append(Diagnostic(code, failure.message, failure.span, note=failure.table, labels=labels))
    return found


def as_data(result: Result, line: int) -> dict[str, object]:
    """Return a result as data for a client; lines count from 0."""
    failure = result.failure
    message = ""
    failed_at = line
    if failure is not None:
        message, failed_at = f"{failure.message}\n{failure.table}".strip(), failure.span.line - 1
    elif result.diagnostics:
        message, failed_at = result.diagnostics[0].message, result.diagnostics[0].span.line - 1
    return {
        "name": result.name, "line": line, "passed": result.passed, "message": message, "failedAt": failed_at,
        "rulesReached": sorted(result.reached),
    }  # fmt: skip
