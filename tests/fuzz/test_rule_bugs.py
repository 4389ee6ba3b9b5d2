"""`fuzz` as it comes finds typical mistakes of rules and names the line at fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from interpreter.validate import validate
from tests.fuzz.rule_bugs import BUGS

REPORTED = ("a bonus that no hand can earn", "a card from the stock for what another hand holds")
"""What may be meant, so it is no failure: a rule that was never reached, and a secret that is published."""


SLOW = (*REPORTED, "a second deal that leaves the last seats short")
"""A run that finds no failure makes all its plays."""


@pytest.mark.parametrize("mistake", [pytest.param(m, marks=[pytest.mark.soak] * (m in SLOW)) for m in BUGS])
def test_the_default_run_names_the_line_at_fault(mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.fuzz.fuzz.SHRINKING", 0.0)
    text = BUGS[mistake]
    path = tmp_path / "bugs.cardgame"
    path.write_text(text, encoding="utf-8")
    assert not [found for found in validate(path).diagnostics if found.span and "BUG" in found.span.text]
    result = CliRunner().invoke(main, ["fuzz", str(path)])
    line = next(number for number, words in enumerate(text.splitlines(), 1) if "# BUG" in words)
    assert result.exit_code == (0 if mistake in REPORTED else 3)
    assert f"bugs.cardgame:{line}:" in result.output
