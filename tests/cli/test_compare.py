"""`cardgame compare`."""

from __future__ import annotations

import json

import pytest

from cli.commands.compare import STATISTICS
from interpreter.simulate import comparing
from tests.cli.running import run

DUEL = "wizards_duel"


def test_two_settings_are_compared_with_a_verdict_as_data() -> None:
    """`docs/simulate.md` has the words of the same command."""
    args = ("compare", DUEL, f"{DUEL}:sides=20", "--on", "length", "--within", "2")
    (data,) = json.loads(run(*args, "--format", "json").stdout)
    assert (data["verdict"], data["statistic"], data["unit"]) == ("more", "length", "decisions")
    assert data["means"]["difference"]["low"] > 0


def test_an_option_is_gone_through() -> None:
    done = run("compare", DUEL, "--sweep", "fool_second_roll", "--on", "ties", "--within", "20%", "--plays", "100")
    assert done.exit_code == 0, done.stderr
    assert "wizards_duel:fool_second_roll=false" in done.stdout
    assert "Holm's correction" in done.stdout
    assert done.stdout.splitlines()[0] == "Verdict: equal. The means differ by less than 20.0 percentage points."


def test_the_command_knows_all_statistics() -> None:
    assert tuple(comparing.STATISTICS) == STATISTICS


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((DUEL, "--on", "length", "--within", "2"), "name two games"),
        ((DUEL,), "name two specs to compare their rules"),
        ((DUEL, DUEL, "--within", "2"), "name two specs to compare their rules"),
        ((DUEL, DUEL, "--on", "length"), "--on needs --within D"),
        ((DUEL, DUEL, "--sweep", "sides", "--on", "length", "--within", "2"), "name two games"),
        ((DUEL, DUEL, "--on", "length", "--within", "5%"), "a number of decisions, such as 2"),
        ((DUEL, DUEL, "--on", "ties", "--within", "2"), "a percentage, such as 5%"),
        ((DUEL, DUEL, "--on", "ties", "--within", "0%"), "above 0"),
        ((DUEL, DUEL, "--on", "ties", "--within", "200%"), "100% at most"),
        ((DUEL, DUEL, "--on", "fun", "--within", "2"), "'fun' is not one of"),
        ((DUEL, f"{DUEL}:side=2", "--on", "length", "--within", "2"), "did you mean `sides`?"),
        ((DUEL, f"{DUEL}:sides=2,", "--on", "length", "--within", "2"), "write wizards_duel:NAME=VALUE,NAME=VALUE"),
        ((DUEL, "--sweep", "side", "--on", "length", "--within", "2"), "has no option `side`"),
        (("chalice_and_wand", DUEL, "--on", "first", "--within", "2%"), "is cooperative"),
        (("wizards_grimoire", DUEL, "--on", "score", "--within", "2"), "has no score"),
        ((DUEL, DUEL, "--on", "length", "--within", "2", "--agents", "random,random,random"), "there are 2 seats"),
    ],
)
def test_what_is_wrong_is_said_in_words(args: tuple[str, ...], said: str) -> None:
    done = run("compare", *args)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_statistic_the_rules_are_compared_sentence_by_sentence() -> None:
    done = run("compare", "classics/hearts", "variants/hearts_black_maria")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert "  - If you are the moon shooter, subtract 26 from your score. Otherwise, add 26 to your score." in lines
    assert "  + If you are the moon shooter, subtract 43 from your score. Otherwise, add 43 to your score." in lines
    data = json.loads(run("compare", "classics/hearts", "classics/hearts", "--format", "json").stdout)
    assert data["rules"] == []
