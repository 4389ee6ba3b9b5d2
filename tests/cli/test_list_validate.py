"""`cardgame list` and `cardgame validate`."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from interpreter.loader import find_spec
from tests.cli.running import CHALICE, OFFERS, run, write


def test_list_shows_title_players_and_options() -> None:
    text = run("list").stdout
    assert "chalice_and_wand: Chalice and Wand, 2 players, together" in text
    assert "--option hands=hidden  of open | hidden" in text
    games = json.loads(run("list", "--format", "json").stdout)
    game = next(g for g in games if g["name"] == CHALICE)
    assert game["players"] == [2, 2]
    assert game["options"][0]["values"] == ["open", "hidden"]


def test_list_shows_the_options_of_classics_too_and_variants_in_a_line() -> None:
    lines = run("list").stdout.splitlines()
    hearts = lines.index("classics/hearts: Hearts, 4 players")
    assert any(line.startswith("  --option limit=1") for line in lines[hearts + 1 : lines.index("", hearts)])
    variants = [number for number, line in enumerate(lines) if line.startswith("variants/")]
    assert variants
    assert all(not lines[number + 1].startswith(" ") for number in variants[:-1])


def test_a_broken_bundled_game_does_not_hide_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Path(write(tmp_path / "broken.cardgame", "cardgame 1\nthis is nothing\n"))
    monkeypatch.setattr(import_module("interpreter.loader"), "bundled_games", lambda: ["broken", CHALICE])
    monkeypatch.setattr(
        import_module("interpreter.loader"), "find_spec", lambda name: broken if name == "broken" else find_spec(name)
    )
    result = run("list")
    assert result.exit_code == 0
    assert "broken: cannot be read" in result.stdout
    assert "Chalice and Wand" in result.stdout


def test_a_sound_spec_is_summed_up() -> None:
    result = run("validate", CHALICE)
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    for said in ("is sound", "cards 60, of 20 faces", "phases 7", "discard 21", "longest play 2000 small actions",
                 "returns identical, 0 to ", "rule tags 27", "settings 7 checked"):  # fmt: skip
        assert said in text


def test_several_specs_in_one_run_fail_together(tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.cardgame", OFFERS.replace("move c to shown", "move c to shwon"))
    result = run("validate", CHALICE, bad)
    assert result.exit_code == 1
    assert "is sound" in result.stdout
    assert "did you mean `shown`?" in result.stdout
    concise = run("validate", bad, "--format", "concise").stdout
    assert concise.startswith(f"{bad}:")
    assert concise.count("\n") == 1
    data = json.loads(run("validate", CHALICE, bad, "--format", "json").stdout)
    assert [one["sound"] for one in data] == [True, False]
    assert data[0]["summary"]["cards"] == 60
    assert data[1]["summary"] is None
    assert data[1]["diagnostics"][0]["severity"] == "error"


def test_a_faulty_file_is_json_where_json_is_asked_for(tmp_path: Path) -> None:
    spec, scenarios = tmp_path / "bad.cardgame", tmp_path / "bad.scenarios"
    spec.write_text("cardgame 1\nplay\n    shufle stock\n")
    scenarios.write_text('scenarios 1 of "bad.cardgame"\nscenario "one"\n    expect game over\n')
    for command, found in (("test", scenarios), ("fuzz", spec)):
        result = run(command, str(found), "--format", "json")
        assert result.exit_code == 1
        told = json.loads(result.stdout)
        (first, *_) = (told[0] if command == "test" else told)["diagnostics"]
        assert (first["code"], first["line"], first["edits"][0]["text"]) == ("CG103", 3, "shuffle")
