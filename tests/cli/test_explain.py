"""Every diagnostic can be asked about, by code or by name."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from cli.main import main
from grammar.codes import REGISTRY
from grammar.render import MOST_CODES, more_about_codes
from tests.cli.running import FAULTY, OFFERS, run


def test_every_code_is_explained_with_text_that_a_terminal_can_show() -> None:
    for code, entry in REGISTRY.items():
        result = CliRunner().invoke(main, ["explain", code])
        assert result.exit_code == 0, result.output
        assert entry.summary in result.output
        assert all(c.isprintable() or c == "\n" for c in result.output), code


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


def test_every_report_ends_with_the_command_that_explains_its_codes(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.cardgame"
    wrong.write_text(OFFERS.replace("shuffle stock", "shuffle stok").replace("offered[p] = n", "ofered[p] = n"))
    for command in ("validate", "play", "fuzz", "rules"):
        assert "more: cardgame explain CG201" in run(command, str(wrong)).output.splitlines()[-1], command
    again = tmp_path / "again.scenarios"
    again.write_text('scenarios 1 of "wrong.cardgame"\n\nscenario "one"\n    expect player 1 to act\n')
    assert "more: cardgame explain CG201\n0 passed, 1 failed" in run("test", str(again)).output
    faulty = tmp_path / "faulty.cardgame"
    faulty.write_text(FAULTY)
    assert "   = more: cardgame explain CG80" in run("play", str(faulty), text="bid 1\nreveal 1\n").output
    assert "   = more: cardgame explain CG80" in run("fuzz", str(faulty), "--plays", "2").output
    one = json.loads(run("validate", str(wrong), "--format", "json").output)
    assert "more: " not in json.dumps(one)


def test_a_report_of_many_codes_names_the_first_of_them() -> None:
    assert more_about_codes(["CG305", "CG201", "CG305"]) == "more: cardgame explain CG201, or CG305"
    assert more_about_codes(REGISTRY).count("CG") == MOST_CODES
    assert more_about_codes([""]) == ""
