"""State on cards: values that move with cards between slots or rows, and end where a card leaves these."""

from __future__ import annotations

from random import Random
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
        circle: rotate field[mover, 1..3] right
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
    do(state, "mark 1", "circle")
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


ROWS = """cardgame 1
game "Lines"
    players 2..3
    at most 90 decisions
enum Side: left, right
card Beast(number: 1..14) written "{number}"
deck in stock
    1 of each Beast
zones
    stock:        pile, seen by nobody
    grave:        pile, seen by all
    line[player]: row at most 5, seen by all
    nook[Side]:   slot, seen by all
state
    mark[card in line]:       0..14
    sign[card in line, Side]: 0..14
    dot[card in nook]:        0..14
    mover:                    player = player 1
    wrong:                    0..0
    turns:                    0..60
play
    shuffle stock
    deal 2 from stock to line[players]
    note
    repeat one_turn until turns == 60
define ally = next(mover)
define room = count(line[mover]) < 5
phase one_turn
    mover chooses
        draw only if room
            deal 1 from stock to line[mover]
            note
        squeeze n from 1..5, k from 1..2 where count(line[mover]) + k <= 5
            deal k from stock to place n of line[mover]
            note
        bury card c from line[mover]: move c to grave
        sweep any cards s from line[mover]: move s to grave
        clear: move line[mover] to grave
        mix any cards s from line[mover]: shuffle s into stock
        raise only if room
            move top of grave to place 2 of line[mover]
            note
        pass n from 1..6 where count(line[ally]) < 5: move card n of line[mover] to line[ally]
        insert card c from line[players], n from 0..6 where room or c is in line[mover]
            move c to place n of line[mover]
        send any cards s from line[mover], n from 1..5 where count(s) + count(line[ally]) <= 5
            move s to place n of line[ally]
        gather only if count(line[players]) <= 5: move line[ally] to line[mover]
        change: swap line[mover] with line[ally]
        turn_left: rotate line[players] left
        turn_right: rotate line[players] right
        hide s from Side, n from 1..5 where nook[s] is empty and n <= count(line[mover])
            move card n of line[mover] to nook[s]
            note
        leave s from Side where room
            move nook[s] to line[mover]
            note
        switch: rotate nook[Side] right
        wait
    mover = ally
    turns += 1
    wrong = count(c in line[players] where mark[c] != c.number or sign[c, right] != c.number or sign[c, left] != 0)
    wrong = count(s in Side where nook[s] is not empty and dot[nook[s]] != (nook[s].number else 0))
phase note
    for c in line[players] where mark[c] == 0
        wrong = sign[c, right]
        mark[c] = c.number
        sign[c, right] = c.number
    for s in Side where nook[s] is not empty and dot[nook[s]] == 0: dot[nook[s]] = the nook[s].number
result
    score p = sum(mark[card n of line[p]] for n in 1..5)
"""


def test_values_in_rows_stay_with_their_cards() -> None:
    """In every way in which cards enter, leave and change rows; each card is marked once, with its own number."""
    game = load_text(ROWS, 3)
    for seed in range(6):
        rng, state = Random(seed), game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.resolve_chance(rng)
            else:
                state.apply_action(rng.choice(state.legal_actions()))  # A wrong value raises a fault.
    assert lockstep(Engines.of(game), 60)[2] == []
