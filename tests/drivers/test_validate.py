"""Validation looks at every setting, and tells each mistake once."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.drivers.validate import validate
from tests.cli.running import CHALICE, OFFERS, write


def test_a_mistake_of_one_setting_alone_is_found_and_named(tmp_path: Path) -> None:
    text = OFFERS.replace("    1 of each Chip", "    8 - held of each Chip").replace("1..3 = 1", "1..9 = 1")
    found = validate(write(tmp_path / "spec.cardgame", text))
    errors = [d for d in found.diagnostics if d.is_error]
    assert not found.sound
    assert found.summary is None
    assert len(errors) == 1
    assert "with held = 9" in errors[0].note


def test_a_mistake_of_every_setting_is_told_once(tmp_path: Path) -> None:
    found = validate(write(tmp_path / "spec.cardgame", OFFERS.replace("move c to shown", "move c to shwon")))
    assert len(found.diagnostics) == 1
    assert found.diagnostics[0].note == ""
    assert found.settings > 1


def test_settings_are_the_players_and_each_option_one_at_a_time(tmp_path: Path) -> None:
    found = validate(write(tmp_path / "spec.cardgame", OFFERS))
    assert found.sound
    assert found.settings == 4  # the default, 3 and 4 players, held = 3; its least value is the default
    assert found.summary is not None
    assert found.summary.players == (2, 4)
    assert found.summary.actions == {"bid": 10, "reveal": 12}
    assert found.summary.tags == 2


def test_settings_beyond_the_most_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.drivers.validate.MOST_SETTINGS", 2)
    found = validate(write(tmp_path / "spec.cardgame", OFFERS))
    assert (found.settings, found.skipped) == (2, 2)


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


def test_a_deal_too_large_for_some_number_of_players_is_told_with_that_number(tmp_path: Path) -> None:
    text = OFFERS.replace("deal held from stock", "deal held + 3 from stock")
    found = validate(write(tmp_path / "spec.cardgame", text))
    assert found.sound
    assert [(d.code, d.note) for d in found.diagnostics] == [("CG506", "with 4 players")]
