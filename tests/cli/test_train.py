"""`cardgame train` at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.native.test_c import needs_compiler

KUHN = "classics/kuhn_poker"


@needs_compiler
def test_a_policy_is_trained_continued_and_played(tmp_path: Path) -> None:
    file, more = str(tmp_path / "kuhn.policy"), str(tmp_path / "more.policy")
    result = run("train", KUHN, "-o", file, "--rounds", "2")
    assert result.exit_code == 0, result.output
    assert "Kuhn Poker, 2 players: 2 rounds" in result.output
    assert "strength of the policy: mean return against random players" in result.output
    assert f"policy:{file} plays it" in result.output
    again = run("train", KUHN, "-o", more, "--rounds", "1", "--resume", file, "--jobs", "2", "--format", "json")
    assert [point["rounds"] for point in json.loads(again.output)["curve"]] == [0, 1, 2, 3]
    played = run("match", KUHN, "--agents", f"policy:{more},random", "--plays", "2")
    assert played.exit_code == 0, played.output
    near = run("solve", KUHN, "--agents", f"policy:{more}", "--rows", "0")
    assert f"policy:{more}" in near.output


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((), "Missing option '-o'"),
        (("-o", "no_folder/x.policy"), "there is no folder `no_folder`"),
        (("-o", "x" * 300, "--seconds", "600"), f"`{'x' * 300}` cannot be written: file name too long"),
        (("-o", "x.policy", "--seconds", "1", "--rounds", "1"), "--seconds and --rounds exclude each other"),
        (("-o", "x.policy", "--resume", "missing.policy"), "missing.policy"),
        (("-o", "x.policy", "--resume", "broken.policy"), "`broken.policy` is no policy file: it is not JSON text"),
    ],
)
def test_wrong_usage_is_reported(
    words: tuple[str, ...], problem: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.policy").write_text("cos\nsystem\n")
    result = run("train", KUHN, *words)
    assert result.exit_code in (1, 2)
    assert problem in result.output
    assert "Traceback" not in result.output
