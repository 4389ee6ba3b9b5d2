"""`cardgame test --mutants`: the report, its exit codes, and wrong usage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.mutation.test_mutation import SCENARIOS, SPEC


@pytest.fixture
def take_two(tmp_path: Path) -> str:
    path = tmp_path / "take_two.cardgame"
    path.write_text(SPEC, encoding="utf-8")
    path.with_suffix(".scenarios").write_text(SCENARIOS, encoding="utf-8")
    return str(path)


def test_survivors_are_reported_with_their_lines(take_two: str) -> None:
    result = run("test", take_two, "--mutants", "100")
    assert result.exit_code == 3
    assert "  line 20: `2` becomes `3`\n    20 | deal 2 from stock" in result.output
    assert "the spec has no more mutants" in result.output


def test_the_report_as_json_has_every_verdict(take_two: str) -> None:
    data = json.loads(run("test", take_two, "--mutants", "4", "--format", "json").output)
    assert data["mutants"] == 4 == data["killed"] + data["survived"]
    assert {verdict["outcome"] for verdict in data["verdicts"]} <= {"killed", "survived", "refused", "equivalent"}


def test_tests_that_fail_without_a_change_are_refused(take_two: str) -> None:
    scenarios = Path(take_two).with_suffix(".scenarios")
    scenarios.write_text(SCENARIOS.replace("== 3", "== 4"), encoding="utf-8")
    result = run("test", take_two, "--mutants", "5")
    assert result.exit_code == 1
    assert "a test fails without any change: scenario “a kept three scores three”" in result.output


@pytest.mark.parametrize("extra", [["--only", "x"], ["--if-any"], ["another.cardgame"]])
def test_options_that_do_not_fit_are_wrong_usage(take_two: str, extra: list[str]) -> None:
    assert run("test", take_two, "--mutants", "5", *extra).exit_code == 2
    assert run("test", take_two, "--seconds", "5").exit_code == 2
