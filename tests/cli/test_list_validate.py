"""`cardgame list` and `cardgame validate`."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from interpreter.loader import bundled_games, bundled_variants, find_spec, signature
from tests.cli.running import CHALICE, OFFERS, run, write


def test_list_has_one_line_for_each_game_in_groups() -> None:
    groups = [group.splitlines() for group in run("list").stdout.split("\n\n")]
    assert [title for title, *_ in groups] == ["Games", "Classics", "Variants"]
    assert [len([g for g in games if g[2] != " "]) for _, *games in groups] == [
        5,
        len(bundled_games()) - 5,
        len(bundled_variants()),
    ]
    lines = [" ".join(line.split()) for _, *games in groups for line in games]
    assert any(line.startswith("variants/duel_half 2 wizards_duel: The duel with half of") for line in lines)
    assert any(line.startswith("chalice_and_wand 2 (cooperative)") for line in lines)


def test_list_finds_games_by_words_and_number_of_players() -> None:
    assert "classics/hearts" in run("list", "HEARTS").stdout
    found = run("list", "duel", "half").stdout
    assert "variants/duel_half" in found
    assert "duel_majors" not in found
    four = {game["name"] for game in json.loads(run("list", "--players", "4", "--format", "json").stdout)}
    assert "classics/hearts" in four
    assert "wizards_duel" not in four


def test_list_shows_the_options_of_a_game_with_all_values() -> None:
    text = run("list", CHALICE).stdout
    assert text.startswith("chalice_and_wand: Chalice and Wand, 2 players, cooperative\n")
    assert "--option hands=hidden  of open | hidden" in text
    (game,) = json.loads(run("list", CHALICE, "--format", "json").stdout)
    assert game["players"] == [2, 2]
    assert game["options"][0]["values"] == ["open", "hidden"]
    text = run("list", "--options").stdout
    assert "--option open_shields=false  of false | true  (shields may lie face up)" in text
    hearts = text.partition("classics/hearts: Hearts, 4 players\n")[2].partition("\n\n")[0]
    assert "--option limit=1  of 1..200" in hearts
    variant = text.partition("variants/duel_d20:")[2].partition("\n\n")[0]
    assert "--option sides=20  of 4..100" in variant


def test_list_reads_the_name_of_a_game_without_its_folder_as_a_spec() -> None:
    for name in ("hearts", "duel_half"):
        (full,) = (one for one in (*bundled_games(), *bundled_variants()) if one.endswith(f"/{name}"))
        assert run("list", name).stdout == run("list", full).stdout
        assert run("list", name, "--format", "json").stdout == run("list", full, "--format", "json").stdout


def test_list_writes_names_in_the_idea_of_a_game_as_words(tmp_path: Path) -> None:
    about = 'about game "You reach {5} with {high_card}s, or {high card}. The rest follows {hands}."'
    path = write(tmp_path / "spec.cardgame", OFFERS.replace("enum Color", f"{about}\n\nenum Color", 1))
    assert "  You reach 5 with high cards, or high card.\n" in run("list", path).stdout
    assert not [line for line in run("list").stdout.splitlines() if "{" in line]


def test_list_breaks_no_word_and_no_line_beyond_100_columns() -> None:
    lines = run("list", "--options").stdout.splitlines()
    assert max(map(len, lines)) <= 100
    words = {word for name in ("arcanity", "classics/hearts") for word in signature_texts(name)}
    assert words <= {word for line in lines for word in line.replace("(", "").replace(")", "").split()}


def signature_texts(name: str) -> set[str]:
    texts = (decl.text or "" for decl in signature(find_spec(name)).declarations)
    return {word for text in texts for word in text.split()}


HANGING = OFFERS.replace(
    "option held",
    'option late = false "when"\noption dealt: 1..count(players) = if count(players) > 2 then 2 else 1\noption held',
)


def test_list_prints_defaults_by_players_and_json_has_them_by_number(tmp_path: Path) -> None:
    path = write(tmp_path / "spec.cardgame", HANGING)
    assert "--option dealt=1  of 1..count(players); 2 for 3 to 4 players" in run("list", path).stdout
    (game,) = json.loads(run("list", path, "--format", "json").stdout)
    late, dealt, held = game["options"]
    assert (late["values"], late["default"], late["text"]) == ([False, True], False, "when")
    assert (dealt["range"], dealt["default"]) == ([1, 2], 1)
    assert dealt["by_players"]["4"] == {"range": [1, 4], "default": 2}
    assert (held["range"], held["default"], held["by_players"]) == ([1, 3], 1, None)


def test_list_takes_folders_and_says_where_there_is_nothing(tmp_path: Path) -> None:
    empty = run("list", str(tmp_path))
    assert (empty.exit_code, "no game fits" in empty.stderr) == (2, True)
    assert json.loads(run("list", str(tmp_path), "--format", "json").stdout) == []
    write(tmp_path / "one.cardgame", OFFERS)
    write(tmp_path / "two.cardgame", "cardgame 1\nthis is nothing\n")
    text = " ".join(run("list", str(tmp_path)).stdout.split())
    assert f"{tmp_path / 'one.cardgame'} 2-4 High Offer" in text
    assert "two.cardgame cannot be read" in text
    missing = run("list", "no_such_game.cardgame")
    assert missing.exit_code == 2
    assert "there is no spec `no_such_game.cardgame`" in missing.stderr


def test_every_bundled_game_has_a_short_name_of_its_own() -> None:
    every = [*bundled_games(), *bundled_variants()]
    assert [find_spec(name.rsplit("/", 1)[-1]) for name in every] == [find_spec(name) for name in every]


def test_a_broken_bundled_game_does_not_hide_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Path(write(tmp_path / "broken.cardgame", "cardgame 1\nthis is nothing\n"))
    monkeypatch.setattr(import_module("interpreter.loader"), "bundled_games", lambda: ["broken", CHALICE])
    monkeypatch.setattr(
        import_module("interpreter.loader"), "find_spec", lambda name: broken if name == "broken" else find_spec(name)
    )
    result = run("list")
    assert result.exit_code == 0
    assert "cannot be read; see `cardgame validate broken`" in result.stdout
    assert "chalice_and_wand" in result.stdout


def test_a_sound_spec_is_summed_up() -> None:
    result = run("validate", CHALICE)
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    for said in ("is valid", "cards 60, of 20 faces", "phases 7", "discard 21", "longest play 2000 decisions",
                 "returns identical, 0 to ", "rule tags 27", "settings 6 checked"):  # fmt: skip
        assert said in text


def test_several_specs_in_one_run_fail_together(tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.cardgame", OFFERS.replace("move c to shown", "move c to shwon"))
    result = run("validate", CHALICE, bad)
    assert result.exit_code == 1
    assert "is valid" in result.stdout
    assert "did you mean `shown`?" in result.stdout
    concise = run("validate", bad, "--format", "concise").stdout
    assert concise.startswith(f"{bad}:")
    assert concise.count("\n") == 1
    data = json.loads(run("validate", CHALICE, bad, "--format", "json").stdout)
    assert [one["sound"] for one in data] == [True, False]
    assert data[0]["summary"]["cards"] == 60
    assert data[1]["summary"] is None
    assert data[1]["diagnostics"][0]["severity"] == "error"


def test_a_faulty_file_is_reported_as_json_with_that_format(tmp_path: Path) -> None:
    spec, scenarios = tmp_path / "bad.cardgame", tmp_path / "bad.scenarios"
    spec.write_text("cardgame 1\nplay\n    shufle stock\n")
    scenarios.write_text('scenarios 1 of "bad.cardgame"\nscenario "one"\n    expect game over\n')
    for command, found in (("test", scenarios), ("fuzz", spec)):
        result = run(command, str(found), "--format", "json")
        assert result.exit_code == 1
        told = json.loads(result.stdout)
        (first, *_) = (told[0] if command == "test" else told)["diagnostics"]
        assert (first["code"], first["line"], first["edits"][0]["text"]) == ("CG103", 3, "shuffle")


@pytest.mark.parametrize("command", ["fuzz", "play", "rules", "graph"])
def test_all_commands_have_the_same_options_for_settings(command: str) -> None:
    for arguments, words in (
        (("--option", "hands=open", "--option", "hands=open"), "`hands` is given twice"),
        (("--option", "hands"), "write NAME=VALUE, not `hands`"),
        (("--players", "0"), "0 is not in the range x>=1"),
        (("--players", "5"), "Chalice and Wand is for 2 players, not 5"),
        (("--option", "hands=shut"), "`hands` is one of open, hidden, not `shut`"),
    ):
        result = run(command, CHALICE, *arguments)
        assert result.exit_code == 2, (arguments, result.output)
        assert words in result.stderr
