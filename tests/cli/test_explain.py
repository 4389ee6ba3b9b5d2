"""Every diagnostic can be asked about, by code or by name."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cli.main import main
from grammar.codes import REGISTRY


@pytest.mark.parametrize("code", sorted(REGISTRY))
def test_every_code_is_explained_with_text_that_a_terminal_can_show(code: str) -> None:
    result = CliRunner().invoke(main, ["explain", code])
    assert result.exit_code == 0, result.output
    assert REGISTRY[code].summary in result.output
    assert all(c.isprintable() or c == "\n" for c in result.output)


def test_a_name_does_for_a_code_and_case_does_not_matter() -> None:
    by_name = CliRunner().invoke(main, ["explain", REGISTRY["CG407"].name]).output
    assert by_name == CliRunner().invoke(main, ["explain", "cg407"]).output


def test_an_unknown_code_is_answered_with_the_nearest() -> None:
    result = CliRunner().invoke(main, ["explain", "unknown-nam"])
    assert result.exit_code == 2
    assert "did you mean" in result.output


def test_programs_get_all_of_an_entry() -> None:
    told = json.loads(CliRunner().invoke(main, ["explain", "CG407", "--format", "json"]).output)
    assert told["code"] == "CG407"
    assert told["severity"] == "error"
    assert all(told[side] for side in ("bad", "good"))
