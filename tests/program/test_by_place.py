"""A card that its player does not see is chosen by its place: the number is an argument like any other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grammar.diagnostics import SpecError
from grammar.source import Source
from interpreter import load_text
from interpreter.fuzz import fuzz
from interpreter.scenarios.scenario import run_source

REFUSED = """cardgame 1

game "Blind"
    players 2
    at most 20 decisions

enum Suit: red "R", blue "B"
card Plain(suit: Suit, rank: 1..4) written "{suit}{rank}"

deck in stock
    1 of each Plain

zones
    stock:         pile, seen by nobody
    blind[player]: row at most 3, seen by all but owner
    table:         row, seen by all

play
    shuffle stock
    deal 3 from stock to blind[players]
    for p in players
        turn_of(p)

phase turn_of(p: player)
    p chooses
        lay card c from blind[p]
            move c to table for p

result
    score p = count(blind[p])
"""

SCENARIO = """scenarios 1 of "blind.cardgame"

scenario "the second of three cards, which its player does not see"
    start turn_of(player 1)
    given blind[player 1] holds "R3 B1 R2"
    given blind[player 2] holds "R1 B4"
    player 1 can only lay 1, lay 2, lay 3
    player 1 cannot lay 4
    player 1 does lay 2
    expect table holds "B1"
    expect player 2 to act
    player 2 can only lay 1, lay 2
    player 2 does lay 1
    expect table holds "B1 R1"
"""


def mended() -> str:
    """Return the spec with the cure that its refusal tells, obeyed."""
    with pytest.raises(SpecError) as refused:
        load_text(REFUSED)
    (found,) = refused.value.diagnostics
    assert found.code == "CG407"
    argument, line, _ = re.findall("`(.*?)`", found.help)
    return REFUSED.replace("card c from blind[p]\n", f"{argument}\n            {line}\n")


def test_the_refusal_suggests_a_replacement_that_compiles() -> None:
    assert "lay n from 1..count(blind[p])" in mended()
    assert fuzz.fuzz(load_text(mended()), playouts=5, seed=1).failure is None


def test_scenarios_speak_of_the_place(tmp_path: Path) -> None:
    (tmp_path / "blind.cardgame").write_text(mended())
    (result,) = run_source(Source("blind.scenarios", SCENARIO), tmp_path)
    assert result.passed, result.failure


def test_all_learn_the_place_and_its_player_learns_the_card_when_it_lies_open() -> None:
    state = load_text(mended()).new_initial_state()
    drawn = iter(["R3", "B1", "R2", "R1", "B4", "B3"])
    while state.is_chance_node():
        state.apply_action(state.string_to_action(next(drawn)))
    assert "blind[player 1]: 3 unseen" in state.observation_string(0)
    assert "blind[player 1]: R3 B1 R2" in state.observation_string(1)
    state.apply_action(state.string_to_action("lay 2"))
    assert "blind[player 1]: 2 unseen" in state.observation_string(0)
    assert all("lay 2" in state.information_state_string(player) for player in (0, 1))
    assert all("table: B1" in state.observation_string(player) for player in (0, 1))
