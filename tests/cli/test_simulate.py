"""`cardgame simulate`."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path

import pytest

from tests.cli.running import FAULTY, OFFERS, run, write

KUHN = "classics/kuhn_poker"


def test_a_report_describes_plays_with_intervals_and_neutral_values() -> None:
    done = run("simulate", KUHN, "--plays", "2000", "--seconds", "0")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("Kuhn Poker, 2 players\n2,000 plays by random players, seed 1\n\nFindings\n")
    for title in ("Wins by seat", "Length of a play", "Choices", "Luck and skill", "Least used rules",
                  "Wins with a card in hand"):  # fmt: skip
        assert f"\n\n{title}" in done.stdout
    assert re.search(r"seat 1 .*\] +50\.0 %", done.stdout)
    assert "payment of seat 1 in equilibrium  -0.0556" in done.stdout
    assert "players win more than average with 3, and less than average with 1." in " ".join(done.stdout.split())
    assert not re.search(r"-0\.0+(?!\d)", done.stdout), "no negative zero"
    assert "random-small" not in done.stdout
    # The King wins whenever it is not given up, the Jack only where the other passes.
    assert "* 3 " in done.stdout


def test_the_same_command_prints_the_same_bytes() -> None:
    args = ("simulate", KUHN, "--plays", "700", "--seconds", "0", "--format", "json", "--seed", "5")
    assert run(*args).stdout == run(*args).stdout != run(*args[:-1], "6").stdout


def test_only_a_report_needs_the_package_for_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.delitem(sys.modules, "interpreter.simulate.page", raising=False)
    args = ("simulate", KUHN, "--plays", "20", "--seconds", "0")
    assert run(*args).exit_code == 0
    refused = run(*args, "--report", "page.html")
    assert refused.exit_code == 2
    assert "pip install 'cardgame[report]'" in refused.stderr


def test_json_and_csv_have_every_line() -> None:
    data = json.loads(run("simulate", KUHN, "--seconds", "0", "--format", "json").stdout)
    assert (data["game"], data["plays"], data["seats"]) == ("Kuhn Poker", 1000, ["random-small", "random-small"])
    rows = list(csv.DictReader(io.StringIO(run("simulate", KUHN, "--seconds", "0", "--format", "csv").stdout)))
    assert len(rows) == sum(len(section["lines"]) for section in data["sections"])
    first = data["sections"][0]["lines"][0]
    assert (rows[0]["section"], rows[0]["name"], float(rows[0]["value"])) == ("seat", "seat 1", first["value"])
    for section in data["sections"]:
        assert section["definition"].endswith(".")
        for line in section["lines"]:
            assert line["low"] is None or line["high"] is None or line["low"] <= line["value"] <= line["high"]


def test_a_decision_that_no_play_reaches_is_reported_and_no_cell_of_a_csv_file_is_a_formula(tmp_path: Path) -> None:
    words = dict(zip("RB", ("=cmd()", "+SUM(A1)"), strict=True))
    spec = OFFERS.replace("for p in players: reveal_one(p)", "if shown is not empty: reveal_one(player 1)")
    spec = spec.replace('"R"', f'"{words["R"]}"').replace('"B"', f'"{words["B"]}"')
    path = write(tmp_path / "formulas.cardgame", spec)
    table = run("simulate", path, "--plays", "5", "--seconds", "0", "--format", "csv").stdout
    assert {row["note"] for row in csv.DictReader(io.StringIO(table)) if row["name"] == "reveal_one"} == {"never"}
    rows = list(csv.reader(io.StringIO(table)))
    assert any(cell.startswith("'=cmd()") for row in rows for cell in row)
    for cell in (cell for row in rows for cell in row if cell.startswith(("=", "@", "+", "-"))):
        float(cell)


def test_a_run_goes_on_from_its_file_and_refuses_that_of_another(tmp_path: Path) -> None:
    kept = str(tmp_path / "run.json")
    args = ("simulate", KUHN, "--plays", "600", "--seconds", "0", "--format", "json")
    first = run(*args, "--resume", kept)
    assert first.stdout == run(*args, "--resume", kept).stdout == run(*args).stdout
    more = run("simulate", KUHN, "--plays", "900", "--seconds", "0", "--resume", kept, "--format", "json")
    assert more.stdout == run("simulate", KUHN, "--plays", "900", "--seconds", "0", "--format", "json").stdout
    other = run("simulate", KUHN, "--plays", "900", "--seconds", "0", "--resume", kept, "--seed", "2")
    assert other.exit_code == 2
    assert "another seed" in other.stderr


def test_random_players_and_players_who_think_are_in_adjacent_columns() -> None:
    args = ("simulate", KUHN, "--deals", "6", "--ladder", "random,solve")
    done = run(*args)
    assert done.exit_code == 0, done.stderr
    words = " ".join(done.stdout.split())
    assert "Is it fair? No: with best play seat 2 is paid 0.0556 points a play (Nash equilibrium, solved)." in words
    assert "Wins by seat random players solve" in words
    assert re.search(r"6 deals against random: \d better", words)
    assert done.stdout == run(*args).stdout
    data = json.loads(run(*args, "--format", "json").stdout)
    assert [answered["question"] for answered in data["answers"]] == ["Is it fair?", "Is it deep?", "What wins?"]
    assert data["beside"]["plays"] == 6
    for section in data["sections"] + data["beside"]["sections"]:
        for line in section["lines"]:
            ends = line["low"], line["high"]
            assert None in ends or ends[0] < ends[1] or "%" in line["name"], "an interval has a width"
    refused = run("simulate", KUHN, "--agents", "random", "--deals", "5")
    assert refused.exit_code == 2
    assert "exclude each other" in refused.stderr


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    spec = write(tmp_path / "faulty.cardgame", FAULTY)
    broken = run("simulate", spec)
    assert broken.exit_code == 1
    assert "CG803" in broken.stderr
    assert "faulty.cardgame:36" in broken.stderr
    for args in (["no_such_game"], [KUHN, "--plays", "0"], [KUHN, "--players", "9"], [KUHN, "--format", "xml"],
                 [KUHN, "--resume", str(tmp_path)]):  # fmt: skip
        done = run("simulate", *args)
        assert done.exit_code == 2, args
        assert "Traceback" not in done.stderr
