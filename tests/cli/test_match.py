"""`cardgame match` at the command line."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import run


def test_agents_of_one_name_differ_by_nothing() -> None:
    result = run("match", "classics/kuhn_poker", "--agents", "random,random", "--blocks", "3")
    assert result.exit_code == 0
    assert "random against random (2): 0.000 a deal (95 % from 0.000 to 0.000)" in result.output
    assert "3 blocks (all rotations of the seats on one deal each), 6 plays" in result.output


def test_the_same_match_as_data() -> None:
    asked = ("match", "chalice_and_wand", "--agents", "random,random-small", "--blocks", "1", "--format", "json")
    found = json.loads(run(*asked, "--option", "hands=open").output)
    assert found["options"]["hands"] == "open"
    assert found["teams"] is True
    assert found["agents"] == ["random", "random-small"]
    assert [play["lineup"] for play in found["blocks"][0]["plays"]] == [[0, 0], [1, 1]]
    assert found["comparisons"][0]["low"] is None, "one block has no interval"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--agents", "serch,random"), "there is no agent `serch`; did you mean `search`?"),
        (("--agents", "search"), "a match needs two agents: --agents search,random"),
        (("--agents", ","), "there is no agent ``"),
        (("--agents", ",".join(["random"] * 13)), "these are 13 agents; a match has 12 at most"),
        (("--agents", "random,random:5"), "`random` does not think, so it takes no budget"),
        (("--agents", "random,search:1h"), "`1h` is no budget: write a number of iterations, such as 1000"),
        (("--agents", "random,random", "--players", "9"), "Kuhn Poker is for 2 to 5 players, not 9"),
        (("--agents", "random,random", "--blocks", "0"), "0 is not in the range"),
        ((), "Missing option '--agents'"),
    ],
)
def test_wrong_usage_is_told(words: tuple[str, ...], problem: str) -> None:
    result = run("match", "classics/kuhn_poker", *words)
    assert result.exit_code == 2
    assert problem in " ".join(result.output.split())
