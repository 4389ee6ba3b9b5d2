"""`cardgame graph`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import CHALICE, OFFERS, run, write


def test_a_spec_is_drawn_for_mermaid_or_for_graphviz(tmp_path: Path) -> None:
    spec = write(tmp_path / "offers.cardgame", OFFERS)
    shown = run("graph", spec)
    assert shown.exit_code == 0
    assert "flowchart TD" in shown.stdout
    assert "<b>offer(p)</b><br>p: bid 0..9" in shown.stdout
    assert run("graph", spec, "--format", "dot").stdout.startswith("digraph {")


def test_options_decide_what_is_drawn() -> None:
    assert "random p" not in run("graph", CHALICE).stdout
    assert "random leader from players" in run("graph", CHALICE, "--option", "first_player=drawn").stdout


def test_the_picture_can_go_into_a_file(tmp_path: Path) -> None:
    target = tmp_path / "out.mmd"
    done = run("graph", CHALICE, "-o", str(target))
    assert (done.exit_code, done.stdout) == (0, "")
    assert target.read_text(encoding="utf-8") == run("graph", CHALICE).stdout


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.cardgame", OFFERS.replace("move c to shown", "move c to shwon"))
    broken = run("graph", bad)
    assert broken.exit_code == 1
    assert "did you mean `shown`?" in broken.stderr
    for args in ([CHALICE, "--players", "9"], [CHALICE, "--option", "hands=shut"], ["no_such_game"],
                 [CHALICE, "-o", str(tmp_path / "none" / "x")], [CHALICE, "--format", "svg"]):  # fmt: skip
        done = run("graph", *args)
        assert done.exit_code == 2
        assert "Traceback" not in done.stderr
