"""Mutation testing: the changes of a text, and what becomes of each mutant."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.parser import parse
from grammar.source import Source
from interpreter.loader import bundled_games, find_spec
from interpreter.mutation.mutants import mutants
from interpreter.mutation.run import MutationTest
from interpreter.scenarios.scenario import scenario_files

SPEC = """cardgame 1

game "Take Two"
    players 2

card Chip(value: 1..4) written "{value}"

deck in stock
    1 of each Chip

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner

state
    score[player]: 0..20 = 0

play
    shuffle stock
    deal 2 from stock to hand[players]                                  [R1]
    both_turns

phase both_turns
    for p in players from player 2
        p chooses
            keep card c from hand[p] where c.value > 1 and hand[p] is not empty  [R2]
                score[p] += c.value                                     [R3]
            pass

result
    score p = score[p]                                                  [R4]
"""

SCENARIOS = """scenarios 1 of "take_two.cardgame"

scenario "a kept three scores three"  [R2, R3]
    start both_turns
    given hand[player 2] holds "3 1"
    given hand[player 1] holds "2 4"
    player 2 does keep "3"
    player 1 does pass
    expect score[player 2] == 3
"""


def _changes(text: str) -> set[tuple[int, str]]:
    source = Source("<spec>", text)
    return {(mutant.line(source), mutant.change(source)) for mutant in mutants(parse(source))}


def test_every_operator_changes_one_place() -> None:
    changes = _changes(SPEC)
    assert {
        (20, "`2` becomes `1`"),
        (20, "`2` becomes `3`"),
        (20, "`deal 2 from stock to hand[players]` becomes `nothing`"),
        (19, "`shuffle stock` becomes `nothing`"),
        (24, "`from player 2` is removed"),
        (26, "`>` becomes `>=`"),
        (26, "`and` becomes `or`"),
        (26, "`is not` becomes `is`"),
        (26, "`where c.value > 1 and hand[p] is not empty` is removed"),
        (27, "`+=` becomes `-=`"),
    } <= changes


def test_names_bounds_and_claims_of_the_author_stay() -> None:
    assert {line for line, _ in _changes(SPEC)} <= {9, 16, *range(18, 34)}


@pytest.mark.parametrize("name", bundled_games())
def test_a_mutant_differs_from_its_spec_in_one_place(name: str) -> None:
    source = Source(name, find_spec(name).read_text(encoding="utf-8"))
    found = mutants(parse(source))
    assert found
    for mutant in found:
        text = mutant.text(source)
        assert text != source.text
        assert text[: mutant.start] == source.text[: mutant.start]
        assert text[len(text) - (len(source.text) - mutant.end) :] == source.text[mutant.end :]


@pytest.fixture
def take_two(tmp_path: Path) -> Path:
    path = tmp_path / "take_two.cardgame"
    path.write_text(SPEC, encoding="utf-8")
    return path


def _run(path: Path, number: int = 1000) -> MutationTest:
    run = MutationTest.of(path, scenario_files(path), 1, number, None)
    assert run.failing_test() is None
    run.run()
    return run


def _survivors(run: MutationTest) -> set[tuple[int, str]]:
    return {(verdict.mutant.line(run.source), verdict.mutant.new) for verdict in run.survivors}


def test_random_plays_kill_what_breaks_the_game_and_a_scenario_the_mutants_of_its_rule(
    take_two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = MutationTest._drawn
    monkeypatch.setattr(MutationTest, "_drawn", lambda run: [m for m in drawn(run) if m.line(run.source) in (26, 27)])
    bare = _run(take_two)
    assert "`+=` becomes `-=`" in {verdict.mutant.change(bare.source) for verdict in bare.counted if verdict.by}
    take_two.with_suffix(".scenarios").write_text(SCENARIOS, encoding="utf-8")
    left = _survivors(_run(take_two))
    assert (27, "nothing") in _survivors(bare)
    assert (27, "nothing") not in left
    assert left < _survivors(bare)


def test_a_mutant_with_the_same_rules_is_not_counted(take_two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, change = MutationTest._drawn, "`2` becomes `3`"
    monkeypatch.setattr(MutationTest, "_drawn", lambda run: [m for m in drawn(run) if m.change(run.source) == change])
    text = take_two.read_text(encoding="utf-8").replace("score p = score[p]", "score p = score[p] + 0 * 2")
    take_two.write_text(text, encoding="utf-8")
    run = _run(take_two)
    assert {verdict.outcome for verdict in run.verdicts} == {"equivalent", "survived"}


@pytest.mark.usefixtures("cache")
def test_verdicts_are_kept_for_the_next_run(take_two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _run(take_two, 5)
    monkeypatch.delattr("interpreter.mutation.run.MutationTest._judged")
    assert _run(take_two, 5).verdicts == first.verdicts
