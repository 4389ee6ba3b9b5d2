"""The oracle, printed Python and printed C give the same play of every bundled game and variant."""

from __future__ import annotations

import pytest

from interpreter.loader import bundled_variants
from tests import bundled, oracle
from tests.lockstep import Engines, lockstep

DECISIONS = 100
"""Decisions of each game; `python -m tests.lockstep` makes as many as it is given."""


@pytest.mark.parametrize("name", bundled.EVERY)
def test_engines_agree_on_bundled_games(name: str) -> None:
    """Variants are compiled to C under `soak` only: their rules differ little from those of their base."""
    game = bundled.game(name)
    engines = Engines(game, None) if name in bundled_variants() else Engines.of(game, "-O0")
    plays, decisions, differences = lockstep(engines, DECISIONS)
    assert differences == []
    assert plays > 0
    assert decisions >= DECISIONS


def test_lockstep_finds_an_engine_with_another_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(oracle.OPERATORS, "-", lambda a, b: a - b + 1)
    _, _, differences = lockstep(Engines(bundled.game("classics/leduc_poker"), None), 60)
    assert any("differ" in difference for difference in differences)


@pytest.mark.soak
@pytest.mark.parametrize("name", bundled.EVERY)
def test_engines_agree_on_many_decisions(name: str) -> None:
    assert lockstep(Engines.of(bundled.game(name)), 5_000)[2] == []
