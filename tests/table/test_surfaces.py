"""The check by exchange compares everything that an interface shows a seat, and notices an interface that leaks."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter import load
from interpreter.engine.machine import Machine
from interpreter.fuzz import fuzz
from interpreter.fuzz.exchange.check import CHECK
from interpreter.fuzz.exchange.shown import shown
from interpreter.knowledge.observation import Observation, observe
from interpreter.table import information, surfaces
from interpreter.table.help_text import COMMANDS
from tests.bundled import game as bundled
from tests.docs.samples import ROOT


@pytest.fixture(autouse=True)
def _only_exchanges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "ALL_CHECKS", (CHECK,))
    monkeypatch.setattr(fuzz, "SHRINKING", 0.0)


@pytest.mark.parametrize(
    "name",
    [
        "classics/kuhn_poker",
        "classics/go_fish",
        "chalice_and_wand",
        pytest.param("two_player_wizard", marks=pytest.mark.soak),
    ],
)
def test_surfaces_do_not_depend_on_what_a_seat_cannot_know(name: str) -> None:
    report = fuzz.fuzz(bundled(name), 3, seed=5, decisions=150)
    assert report.failure is None, report.failure
    assert report.tally["exchanges"] > 0


def test_the_page_on_the_table_lists_every_surface() -> None:
    """Each name that the check by exchange reports, and each command at the table, is in a row of `docs/table.md`."""
    rows = [line for line in (ROOT / "docs" / "table.md").read_text(encoding="utf-8").splitlines() if line[:2] == "| "]
    state = bundled("chalice_and_wand").new_initial_state()
    state.resolve_chance(Random(1))
    names = {name for seat in (None, 0, 1) for name, _ in shown(state, seat, "1", numbers=True)}
    listed = {name.partition(" `")[0] for name in names} | set(COMMANDS)
    assert [name for name in sorted(listed) if not any(f"`{name}" in row for row in rows)] == []


def all_cards(state: Machine, player: int | None, *, public: bool = False) -> Observation:
    """Observe as if nothing were hidden."""
    del player, public
    return observe(state, None)


@pytest.mark.parametrize("leak", ["cards", "zones"])
def test_an_interface_that_leaks_is_noticed(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("two_player_wizard")
    if leak == "cards":
        monkeypatch.setattr(information, "observe", all_cards)
    else:
        real = surfaces.surfaces

        def leaking(state: Machine, seat: int | None) -> Any:
            yield from real(state, seat)
            yield "the screen", str(state.zones)

        monkeypatch.setattr("interpreter.fuzz.exchange.shown.surfaces", leaking)
    failure = fuzz.fuzz(game, 10, seed=5).failure
    assert failure is not None
    assert ("the frame" if leak == "cards" else "the screen") + " reads" in failure.problem.message
