"""State on cards: values that move with cards from slot to slot, and end where a card leaves them."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import RuleError, State
from interpreter.loader import load_text
from tests.lockstep import Engines, lockstep
from tests.program.playing import cards, do, values

SPEC = """cardgame 1
game "Beasts"
    players 2
    at most 60 decisions
enum Token: venom, shield
card Beast(power: 1..3, health: 1..4) written "{power}{health}"
deck in stock
    1 of each Beast
zones
    stock:               pile, seen by all
    field[player, 1..3]: slot, seen by all
    cave:                slot, seen by all
    grave:               cards, seen by all
state
    damage[card in field]:        0..99 = 1
    tokens[card in field, Token]: 0..9
    secret[card in field]:        1..6, seen by owner
    asleep[card in cave]:         boolean
    mover:                        player = player 1
play
    while stock is not empty: one_turn
phase one_turn
    mover chooses
        summon n from 1..3 where field[mover, n] is empty
            deal 1 from stock to field[mover, n]
            random secret[field[mover, n]] from 1..6
            tokens[field[mover, n], shield] = n
        fight card a from field[mover, 1..3], card d from field[next(mover), 1..3]
            damage[d] += a.power
            tokens[d, venom] += damage[a]
        step n from 1..3, m from 1..3 where field[mover, n] is not empty and field[mover, m] is empty
            let c = the field[mover, n]
            move c to field[mover, m]
        change n from 1..3, m from 1..3: swap field[mover, n] with field[mover, m]
        hide n from 1..3
            swap field[mover, n] with cave
            if cave is not empty: asleep[cave] = true
        mark n from 1..3: damage[field[mover, n]] = 5
        sweep: move (all c in field[mover, 1..3] where damage[c] > 2) to grave
        wait: move first c in stock to grave
    mover = next(mover)
result
    score p = sum(damage[c] + tokens[c, venom] for c in field[p, 1..3])
"""


def played(*sentences: str, rolls: int = 3) -> State:
    """Return the state after some actions; all rolls are the same."""
    state = load_text(SPEC).new_initial_state()
    for sentence in sentences:
        state.apply_action(state.string_to_action(sentence))
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[rolls - 1][0])
    return state


def of(state: State, slot: str) -> dict[str, Any]:
    """Return the values of the card in a slot that differ from the first ones."""
    first = values(load_text(SPEC).new_initial_state())
    return {name: value for name, value in values(state).items() if slot in name and value != first[name]}


def test_values_move_with_their_card_by_move_and_swap() -> None:
    """All values of a card go with it, and the slot that it leaves has the first ones."""
    state = played("summon 2", "summon 1", "fight 11 12")
    here, there = "field[player 1, 2]", "field[player 1, 3]"
    fought = {f"secret[{here}]": 3, f"tokens[{here}, shield]": 2}
    assert of(state, here) == fought
    do(state, "wait", "step 2 3")
    assert of(state, here) == {}
    assert of(state, there) == {f"secret[{there}]": 3, f"tokens[{there}, shield]": 2}
    do(state, "mark 1", "change 3 2")
    assert of(state, here) == fought
    assert values(state)["damage[field[player 2, 1]]"] == 5


def test_a_card_that_leaves_its_slots_loses_its_values() -> None:
    """By a swap with another zone, also one whose cards have values, and by a move of a set; it returns without."""
    state = played("summon 1", "wait", "mark 1", "wait", "hide 1", "wait", "hide 2", "wait")
    assert of(state, "field[player 1, 2]") == of(state, "field[player 1, 1]") == of(state, "cave") == {}
    state = played("summon 1", "summon 1", "fight 11 12", "mark 1", "sweep", "sweep")
    assert [cards(state, f"field[player {n}, 1]") for n in (1, 2)] == ["11", ""]
    assert of(state, "field[player 2, 1]") == {}


def test_the_value_of_an_empty_slot_cannot_be_set() -> None:
    """It would belong to the next card there."""
    with pytest.raises(RuleError, match="belongs to cards in `field`") as raised:
        played("mark 2")
    assert raised.value.code == "CG802"


def test_a_hidden_value_stays_hidden_where_its_card_moves() -> None:
    """Plays that differ in it alone look the same to all but the owner of the slot."""
    plays = [played("summon 1", "wait", "step 1 2", "wait", "hide 2", "wait", rolls=rolls) for rolls in (3, 5)]
    for player, sees in ((0, True), (1, False)):
        one, other = (state.information_state_string(player) for state in plays)
        assert (one != other) == sees


def test_printed_python_and_c_agree_with_the_oracle() -> None:
    """Random plays with every way of moving cards."""
    engines = Engines.of(
        load_text(SPEC.replace("mark n from 1..3:", "mark n from 1..3 where field[mover, n] is not empty:"))
    )
    assert lockstep(engines, 120)[2] == []
