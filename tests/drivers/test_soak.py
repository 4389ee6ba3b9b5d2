"""Long runs of the fuzzer; `tests/README.md` says when and how."""

from __future__ import annotations

import pytest

from interpreter import load
from interpreter.drivers.fuzz import fuzz


@pytest.mark.soak
@pytest.mark.parametrize("hands", ["hidden", "open"])
@pytest.mark.parametrize("first_player", ["seat_1", "drawn"])
def test_two_thousand_plays_have_no_counter_example(hands: str, first_player: str) -> None:
    game = load("chalice_and_wand", options={"hands": hands, "first_player": first_player})
    report = fuzz(game, 2000, seed=20)
    assert report.failure is None
    assert dict(report.terminations) == {"finished": 2000}
    assert report.coverage.unreached() == []
    assert report.unchanged_share < 0.5


@pytest.mark.soak
def test_a_play_without_the_guard_for_empty_hands_has_no_counter_example() -> None:
    report = fuzz(load("chalice_and_wand", options={"empty_hand_guard": False}), 500, seed=21)
    assert report.failure is None
