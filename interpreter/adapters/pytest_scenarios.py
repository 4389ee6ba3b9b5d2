"""A plugin of pytest: each scenario in a file that ends in `.scenarios` is a test.

pytest finds it by itself where both are installed (entry point `pytest11`), so nothing here asks for pytest otherwise.
What a scenario needs is imported when there is one, as every run of pytest imports this.  `-k` knows scenarios by their
names and tags.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from grammar.diagnostics import Diagnostic
    from interpreter.scenarios.scenario import Case, Result, Suite


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    """Take files of scenarios; a hook of pytest."""
    return ScenarioFile.from_parent(parent, path=file_path) if file_path.suffix == ".scenarios" else None


class ScenarioFile(pytest.File):
    """A file of scenarios."""

    def collect(self) -> Iterator[ScenarioItem]:
        """Yield its scenarios; a mistake in its head is an error of the file."""
        from grammar.diagnostics import SpecError  # late: pytest
        from grammar.source import read_source  # late: pytest
        from interpreter.scenarios.scenario import Suite  # late: pytest

        try:
            suite = Suite.of(read_source(self.path), self.path.parent)
        except SpecError as error:
            raise self.CollectError(_report(error.diagnostics)) from error
        for case in suite.cases:
            yield ScenarioItem.from_parent(self, name=case.name, suite=suite, case=case)


class ScenarioFailed(Exception):  # noqa: N818 - what happened, not a mistake
    """The rules did something else than a scenario expects, or the scenario has mistakes."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.name)
        self.result = result


class ScenarioItem(pytest.Item):
    """A scenario as a test."""

    def __init__(self, *, suite: Suite, case: Case, **known: Any) -> None:
        super().__init__(**known)
        self.suite = suite
        self.case = case
        self.funcargs: dict[str, object] = {}
        """Fixtures, of which a scenario has none; plugins such as pytest-lsp look for them in every item."""
        self.extra_keyword_matches.update(case.tags)

    def runtest(self) -> None:
        """Run the scenario.  Raises ScenarioFailed, and SpecError where its game has mistakes."""
        result = self.suite.run(self.case)
        if not result.passed:
            raise ScenarioFailed(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what the scenario has found, as `cardgame test` prints it."""
        from grammar.diagnostics import SpecError  # late: pytest
        from interpreter.scenarios.scenario import failure_report  # late: pytest

        match excinfo.value:
            case ScenarioFailed(result=result):
                return failure_report(result) or _report(result.diagnostics)
            case SpecError(diagnostics=diagnostics):
                return _report(diagnostics)
            case _:
                return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file, the line from 0, and the name."""
        return self.path, self.case.span.line - 1, self.case.name


def _report(diagnostics: Iterable[Diagnostic]) -> str:
    from grammar.render import more_about_codes, render_full  # late: pytest

    return f"{render_full(diagnostics)}\n{more_about_codes(d.code for d in diagnostics)}"
