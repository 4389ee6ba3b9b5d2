"""Validation looks at every setting, and tells each mistake once."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from grammar.codes.sample import complete
from grammar.diagnostics import SpecError
from interpreter.loader import bundled_games, bundled_variants, load_text
from interpreter.setting import SettingError, Signature
from interpreter.validate import MOST_SETTINGS, settings, validate
from tests.bundled import game
from tests.cli.running import CHALICE, OFFERS, write


def test_a_mistake_of_one_setting_alone_is_found_and_named(tmp_path: Path) -> None:
    text = OFFERS.replace("    1 of each Chip", "    8 - held of each Chip").replace("1..3 = 1", "1..9 = 1")
    found = validate(write(tmp_path / "spec.cardgame", text))
    errors = [d for d in found.diagnostics if d.is_error]
    assert not found.sound
    assert found.summary is None
    assert len(errors) == 1
    assert "with held = 9" in errors[0].note


def test_a_mistake_of_the_default_alone_names_the_value_that_is_without_it(tmp_path: Path) -> None:
    text = OFFERS.replace("    1 of each Chip", "    held - 2 of each Chip")
    found = validate(write(tmp_path / "spec.cardgame", text))
    assert [d.note for d in found.diagnostics if d.is_error] == ["not with held = 2"]


def test_a_mistake_of_every_setting_is_reported_once(tmp_path: Path) -> None:
    found = validate(write(tmp_path / "spec.cardgame", OFFERS.replace("move c to shown", "move c to shwon")))
    assert len(found.diagnostics) == 1
    assert found.diagnostics[0].note == ""
    assert found.settings > 1


def test_every_number_of_players_and_value_is_tried(tmp_path: Path) -> None:
    found = validate(write(tmp_path / "spec.cardgame", OFFERS))
    assert found.sound
    assert (found.settings, found.pairs) == (9, (9, 9))  # 2, 3 and 4 players, each with held = 1, 2 and 3
    assert found.summary is not None
    assert found.summary.players == (2, 4)
    assert found.summary.actions == {"bid": 10, "reveal": 12}
    assert found.summary.tags == 2


TOGETHER = OFFERS.replace("option held", "option low: 1..9 = 9\noption loud = false\noption held").replace(
    "    1 of each Chip", "    (if loud then low - held else 2) of each Chip"
)
"""No mistake of one option alone: `loud` needs `low` to be at least `held`."""


def test_two_options_that_are_wrong_only_together_are_found_and_named(tmp_path: Path) -> None:
    for setting in ({"loud": True}, {"low": 1}, {"held": 3}):
        assert load_text(TOGETHER, options=setting).setting
    with pytest.raises(SpecError):
        load_text(TOGETHER, options={"loud": True, "low": 1, "held": 3})
    found = validate(write(tmp_path / "spec.cardgame", TOGETHER))
    assert not found.sound
    notes = [d.note for d in found.diagnostics if d.is_error]
    assert len(notes) == 1
    assert "low = 1" in notes[0]
    assert "loud = true" in notes[0]
    assert "players" not in notes[0]


def test_pairs_that_were_left_out_for_want_of_settings_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "spec.cardgame", TOGETHER.replace("low - held", "low"))
    whole = validate(path)
    # low and loud 3 x 2, low and held 3 x 3, loud and held 2 x 3, and 3 numbers of players with 3 + 2 + 3 values.
    assert whole.pairs == (45, 45)
    monkeypatch.setattr("interpreter.validate.MOST_SETTINGS", 6)
    part = validate(path)
    assert part.settings == 6
    assert part.planned == whole.settings == whole.planned
    assert part.pairs[0] < part.pairs[1] == 45
    said = CliRunner().invoke(main, ["validate", str(path)]).output
    assert f"6 of {whole.settings} checked, with {part.pairs[0]} of 45 pairs of values" in said
    assert "--players and --option" in said


def test_only_the_requested_settings_are_checked(tmp_path: Path) -> None:
    path = write(tmp_path / "spec.cardgame", TOGETHER)
    assert [d.code for d in validate(path).diagnostics if d.is_error]
    assert validate(path, options={"low": "5"}).sound != validate(path, options={"low": "1"}).sound
    assert validate(path, players=3, options={"loud": "true"}).pairs == (
        22,
        22,
    )  # 3 x 3, and 13 of one value
    with pytest.raises(SettingError):
        validate(path, players=9)
    with pytest.raises(SettingError):
        validate(path, options={"quiet": "true"})


def test_numbers_of_players_that_were_left_out_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "spec.cardgame", complete('game "Example"\n    players 2..6\n'))
    monkeypatch.setattr("interpreter.validate.MOST_SETTINGS", 2)
    assert "2 of 5 checked; " in CliRunner().invoke(main, ["validate", str(path)]).output


@pytest.mark.parametrize("name", [*bundled_games(), *bundled_variants()])
def test_all_pairs_of_the_bundled_games_are_within_the_most_settings(name: str) -> None:
    signature = Signature.of(game(name).spec)
    seen = list(settings(signature))
    assert len({setting for setting, _ in seen}) <= MOST_SETTINGS
    low, high = game(name).rules.player_range
    for players in range(low, high + 1):
        told = [dict(setting.options) for setting, _ in seen if setting.players == players]
        # Ends and defaults may depend on the number of players.
        found = signature.begin(players).options
        for one in found:
            assert {options[one.name] for options in told} >= {one.in_words(value) for value in one.samples()}
    if not any(map(signature.asks, signature.declarations)):
        for one, other in combinations(found, 2):
            met = {(setting[one.name], setting[other.name]) for setting, _ in seen}
            assert met >= {(one.in_words(a), other.in_words(b)) for a in one.samples() for b in other.samples()}


def test_a_bundled_game_is_found_by_name() -> None:
    assert validate(CHALICE).sound


def test_what_an_option_shuts_off_on_purpose_is_not_warned_of(tmp_path: Path) -> None:
    kept = OFFERS.replace("option held", "option keep = false\noption held").replace(
        "    shown:        row, seen by all\n", "    shown, kept: row, seen by all\n"
    )
    turn = "            move c to shown\n"
    moved = kept.replace(turn, turn + "            if keep: move shown to kept\n")
    assert [d.code for d in validate(write(tmp_path / "never.cardgame", kept)).diagnostics] == ["CG505"]
    assert validate(write(tmp_path / "sometimes.cardgame", moved)).diagnostics == ()


def test_a_deal_too_large_for_some_number_of_players_is_reported_with_that_number(tmp_path: Path) -> None:
    text = OFFERS.replace("deal held from stock", "deal held + 3 from stock")
    found = validate(write(tmp_path / "spec.cardgame", text))
    assert found.sound
    assert [(d.code, d.note) for d in found.diagnostics] == [("CG506", "with 4 players")]


@pytest.mark.parametrize(("condition", "codes"), [("n > 2", []), ("offered[player 1] > 9", ["CG503"])])
def test_what_is_odd_for_the_given_players_alone_is_no_warning(
    tmp_path: Path, condition: str, codes: list[str]
) -> None:
    counted = f'play\n    let n = count(p in players where offered[p] == 0)\n    if {condition}: say "many"\n'
    path = write(tmp_path / "spec.cardgame", OFFERS.replace("play\n", counted))
    assert [d.code for d in validate(path).diagnostics] == codes
    assert [d.code for d in validate(path, players=2).diagnostics] == codes
    assert [d.code for d in validate(path, 2, {"held": 2}).diagnostics] == codes
