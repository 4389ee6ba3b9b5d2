"""The work of checking a spec is counted, and what takes more than any game needs is refused, not waited for."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.codes.sample import complete
from grammar.diagnostics import SpecError
from grammar.source import Source, Span
from interpreter import loader
from interpreter.analysis.budget import MOST_WORK, OverBudgetError, budget, spend
from interpreter.loader import load_text
from interpreter.validate import validate

SOURCE = Source("<text>", "cardgame 1\n")
START = Span(SOURCE, 0, 0)
STATE = "state\n    trump: Suit or none = none\n    points[player]: 0..100 = 0\n    n: 0..1000 = 0\n"
TURN = "phase take_turn(p: player)\n    p chooses\n        pass\n"


def test_a_budget_ends_what_spends_more() -> None:
    with budget(10, START):
        spend(10)
        with pytest.raises(OverBudgetError) as refused:
            spend(1)
    (told,) = refused.value.diagnostics
    assert told.code == "CG405"
    assert told.span == START


def test_what_is_spent_inside_counts_outside_and_has_no_more_than_is_left_there() -> None:
    with budget(10, START) as around:
        with budget(100, START) as inside:
            assert inside.left == 10
            spend(7)
        assert around.left == 3
        with pytest.raises(OverBudgetError):
            spend(4)


def test_without_a_budget_nothing_is_refused() -> None:
    spend(10**15)


def test_the_work_of_a_spec_is_the_same_each_time() -> None:
    used = []
    for _ in range(2):
        with budget(10**12, START) as work:
            load_text(complete(""))
        used.append(work.used)
    assert used[0] == used[1] > 0


MANY_CHANGES = (
    STATE
    + "".join(f"whenever n == {i + 3}\n    n = {i + 2}\n" for i in range(60))
    + "phase change(p: player)\n"
    + "    n += 1\n" * 2_000
    + TURN
    + "play\n    change(player 1)\n    for p in players: take_turn(p)\n"
)


def test_more_work_than_there_is_is_refused_at_a_line_of_the_spec(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "MOST_WORK", MOST_WORK // 8)
    with pytest.raises(SpecError) as refused:
        load_text(complete(MANY_CHANGES))
    (told,) = refused.value.diagnostics
    assert told.code == "CG405"
    assert "budget" in told.message
    assert told.span.line > 1


def test_rules_that_set_one_another_going_without_end_of_their_chain_are_refused() -> None:
    rules = "".join(f"whenever n == {i + 3}\n    n = {i + 2}\n" for i in range(300))
    with pytest.raises(SpecError) as refused:
        load_text(complete(STATE + rules + TURN + "play\n    n = 200\n    for p in players: take_turn(p)\n"))
    assert {d.code for d in refused.value.diagnostics} == {"CG405"}


def test_validate_leaves_out_settings_beyond_its_budget_and_reports_how_many_it_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.validate.MOST_WORK", MOST_WORK // 8)
    options = "".join(f"option o{i}: 1..20 = 1\n" for i in range(30))
    asked = "".join(f"    if o{i} == 3: n = 1\n" for i in range(30)) * 3
    path = tmp_path / "many.cardgame"
    text = STATE + options + TURN + "play\n" + asked + "    n += 1\n" * 250 + "    for p in players: take_turn(p)\n"
    path.write_text(complete(text), encoding="utf-8")
    found = validate(path)
    assert found.sound
    assert found.settings > 1
    assert found.pairs[0] < found.pairs[1]
