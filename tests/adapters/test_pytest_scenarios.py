"""The plugin of pytest: scenarios are tests, and what it writes is what `cardgame test --junit` writes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from click.testing import CliRunner

from cli.main import main

ROOT = Path(__file__).parents[2]
SPEC = """cardgame 1
game "Takes"
    players 2
enum Suit: red "R", blue "B"
card Plain(suit: Suit, rank: 1..3) written "{suit}{rank}"
deck in stock
    1 of each Plain
zones
    stock: pile, seen by nobody
    hand[player]: cards, seen by owner
play
    for p in players: take(p)
phase take(p: player)
    p chooses
        take
            deal 1 from stock to hand[p]
        pass
result
    score p = count(hand[p])
"""
SCENARIOS = """scenarios 1 of "takes.cardgame"

scenario "who takes has a card" [R1]
    player 1 does take
    expect count(hand[player 1]) == 1

scenario "who passes has one too" [R2]
    player 1 does pass
    expect count(hand[player 1]) == 1

scenario "who passes has none <&>"
    player 1 does pass
    expect turns == 0

scenario "who passes has two"
    player 1 does pass
    expect player 2 to act
    expect count(hand[player 1]) == 2
"""


def cases(path: Path) -> list[tuple[str, tuple[str, ...]]]:
    """Return the names of the test cases of a report, each with what it says of them."""
    suites = ElementTree.parse(path).getroot()
    assert suites.tag == "testsuites"
    (suite,) = suites
    assert {"name", "errors", "failures", "skipped", "tests", "time"} <= set(suite.attrib)
    assert [case.tag for case in suite] == ["testcase"] * int(suite.get("tests", "0"))
    assert all({"classname", "name", "time"} <= set(case.attrib) for case in suite)
    assert all(found.get("message") for case in suite for found in case)
    return [(case.get("name", ""), tuple(found.tag for found in case)) for case in suite]


def test_scenarios_are_tests_and_both_reports_have_one_form(tmp_path: Path) -> None:
    (tmp_path / "takes.cardgame").write_text(SPEC)
    (tmp_path / "takes.scenarios").write_text(SCENARIOS)
    words = ["-m", "pytest", "-q", "-p", "interpreter.adapters.pytest_scenarios", "-p", "no:cacheprovider",
             "--rootdir", str(tmp_path), "-c", "/dev/null", "--junit-xml", "theirs.xml", str(tmp_path)]  # fmt: skip
    # Named on the command line, since whether it is found by itself hangs on how the package is installed.
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    told = subprocess.run([sys.executable, *words], cwd=tmp_path, env=environment,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert told.returncode == 1, told.stdout + told.stderr
    assert "1 passed" in told.stdout
    assert "3 failed" in told.stdout
    assert "`count(hand[player 1]) == 1` does not hold: 0 == 1" in told.stdout
    assert "error[CG201]" in told.stdout
    result = CliRunner().invoke(
        main, ["test", str(tmp_path / "takes.scenarios"), "--junit", str(tmp_path / "ours.xml")]
    )
    assert result.exit_code == 1
    ours, theirs = cases(tmp_path / "ours.xml"), cases(tmp_path / "theirs.xml")
    assert [name for name, _ in ours] == [name for name, _ in theirs]
    assert [found for _, found in ours] == [(), ("failure",), ("error",), ("failure",)]
    assert [bool(found) for _, found in ours] == [bool(found) for _, found in theirs]
