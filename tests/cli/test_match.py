"""`cardgame match` at the command line."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import run


def test_agents_of_one_name_differ_by_nothing() -> None:
    result = run("match", "classics/kuhn_poker", "--agents", "random,random", "--plays", "5")
    assert result.exit_code == 0
    assert "No difference between random and random (2) is shown (p = 1)" in result.output
    assert "random - random (2)  +0.000  [+0.000, +0.000]" in result.output
    assert "6 plays on 3 deals, in all rotations of the seats, seed 1" in result.output


def test_the_same_match_as_data() -> None:
    asked = ("match", "chalice_and_wand", "--agents", "random,random-small", "--plays", "1", "--format", "json")
    found = json.loads(run(*asked, "--option", "hands=open").output)
    assert found["options"]["hands"] == "open"
    assert found["teams"] is True
    assert found["agents"] == ["random", "random-small"]
    assert [play["lineup"] for play in found["deals"][0]["plays"]] == [[0, 0], [1, 1]]
    assert found["comparisons"][0]["low"] is None, "one block has no interval"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--agents", "serch,random"), "there is no agent `serch`; did you mean `search`?"),
        (("--agents", "search"), "a match needs two agents: --agents search,random"),
        (("--agents", ","), "there is no agent ``"),
        (("--agents", ",".join(["random"] * 13)), "a match has at most 12 agents, not 13"),
        (("--agents", "random,random:5"), "`random` does not think, so it takes no budget"),
        (("--agents", "random,search:1h"), "`1h` is no budget: write a number of iterations, such as 1000"),
        (("--agents", "random,random", "--players", "9"), "Kuhn Poker is for 2 to 5 players, not 9"),
        (("--agents", "random,random", "--plays", "0"), "0 is not in the range"),
        (("--agents", "random,random", "--blocks", "3"), "the option `--blocks` is now `--plays`"),
        ((), "Missing option '--agents'"),
    ],
)
def test_wrong_usage_is_reported(words: tuple[str, ...], problem: str) -> None:
    result = run("match", "classics/kuhn_poker", *words)
    assert result.exit_code == 2
    assert problem in " ".join(result.output.split())
