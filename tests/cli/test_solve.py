"""`cardgame solve` at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.solve import sampling
from tests.cli.running import run
from tests.native.test_c import needs_compiler

KUHN = "classics/kuhn_poker"


def test_the_answer_in_the_words_of_the_game(tmp_path: Path) -> None:
    file = str(tmp_path / "kuhn.policy")
    result = run("solve", KUHN, "--agents", "random", "-o", file)
    assert result.exit_code == 0, result.output
    assert "Kuhn Poker, 2 players: seat 2 has the advantage, +0.0556 a play (Nash equilibrium)" in result.output
    assert "player 2 (19.4 % of plays). hand: 2. Player 1 passes" in result.output.replace("19.3", "19.4")
    assert "random" in result.output
    assert "0.4583" in result.output, "the exploitability of uniform play"
    again = run("solve", KUHN, "--agents", "none", "--rows", "0", "--resume", file, "--format", "json")
    data = json.loads(again.output)
    assert data["concept"] == "Nash equilibrium"
    assert data["values"][0] == pytest.approx(-1 / 18, abs=0.001)
    played = run("match", KUHN, "--agents", f"policy:{file},random", "--plays", "2")
    assert played.exit_code == 0, played.output


def test_a_game_that_is_too_large_is_refused_with_a_setting_that_is_small_enough() -> None:
    result = run("solve", "classics/go_fish")
    assert result.exit_code == 1
    assert "Go Fish is too large: its tree has about" in result.output
    assert "--option ranks=2" in result.output


@pytest.mark.soak
@needs_compiler
def test_a_tree_that_takes_too_long_to_list_is_sampled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sampling, "FEW_NODES", 0)
    monkeypatch.setattr(sampling, "LISTING", 0.0)
    file = str(tmp_path / "leduc.policy")
    result = run("solve", "classics/leduc_poker", "--seconds", "0.4", "--agents", "random", "--rows", "2", "-o", file)
    assert result.exit_code == 0, result.output
    assert "approximate Nash equilibrium" in result.output
    assert "information sets met; external-sampling CFR" in result.output
    assert "the errors are estimates" in result.output
    assert "lost against the strategy" in result.output
    options = ("--seconds", "0.2", "--agents", "none", "--resume", file, "--format", "json")
    assert json.loads(run("solve", "classics/leduc_poker", *options).output)["sampled"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--agents", "serch"), "there is no agent `serch`"),
        (("--agents", "policy"), "`policy` takes a file: write policy:FILE"),
        (("--agents", "policy:missing.policy"), "`missing.policy` cannot be read: No such file or directory"),
        (("-o", "no_folder/x.policy"), "there is no folder `no_folder`"),
        (("--resume", "missing.policy"), "missing.policy"),
        (("--seconds", "0"), "0.0 is not in the range"),
    ],
)
def test_wrong_usage_is_reported(
    words: tuple[str, ...], problem: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("solve", KUHN, *words)
    assert result.exit_code in (1, 2)
    assert problem in result.output
    assert "Traceback" not in result.output
