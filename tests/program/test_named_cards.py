"""A name keeps its cards when they are shuffled into a pile: they are found where the rules need them."""

from __future__ import annotations

from random import Random

import pytest

from interpreter import RuleError, load_text
from tests.lockstep import Engines, lockstep

HEAD = """cardgame 1

game "Named cards"
    players 2
    at most 30 decisions

card Number(rank: 1..6) written "{rank}"

deck in table
    2 of each Number

zones
    table: row, seen by all
    stock, under: pile, seen by nobody
    secret[player]: pile, seen by nobody
    box: cards, seen by all

state
    kept: card or none
    found: player or none
    lying: boolean = false

play
    move first 6 c in table to stock
    let taken = first 2 c in table
    kept = first c in taken
    shuffle taken into stock
"""

BACK = """    player 1 chooses
        turn_over
            deal 1 from stock to table
        pass
    move taken to table
"""

USES = """    deal 2 from stock to secret[player 1]
    deal 1 from stock to box face down
    for p in players
        p chooses
            turn_over
                deal 1 from stock to table
            search
                found = holder(kept) else none
            look
                lying = face_down(kept)
            hide
                move taken to under
            open
                turn taken face up
            shows
                show taken to all
            again
                shuffle taken into stock
            take_one card c from taken
                move c to secret[p]
            pass
    say "{taken} and {kept}"
    move taken to table
"""

ASKS = """    deal 2 from stock to secret[player 1]
    player 1 chooses
        yes only if holder(kept) != player 1
        pass
"""

RESULT = """
result
    score p = count(table)
"""


def test_a_move_finds_the_cards_that_a_name_means() -> None:
    game = load_text(HEAD + BACK + RESULT)
    for seed in range(30):
        state, rng = game.new_python_state(), Random(seed)
        while not state.is_terminal():
            if state.is_chance_node():
                state.resolve_chance(rng)
            else:
                state.apply_action(state.legal_actions()[0])
        assert {6, 7} <= set(state.zones[0])


def test_each_use_of_a_shuffled_card_means_the_same_to_all_engines() -> None:
    for body in (BACK, USES):
        _, _, differences = lockstep(Engines.of(load_text(HEAD + body + RESULT)), 150)
        assert differences == []


def test_a_condition_on_where_a_shuffled_card_lies_is_a_fault_where_nobody_can_know() -> None:
    state = load_text(HEAD + ASKS + RESULT).new_python_state()
    with pytest.raises(RuleError, match="CG810"):
        state.legal_actions()


SHOWN_TO = """cardgame 1

game "Shown to"
    players 2
    at most 10 decisions

card Number(rank: 1..6) written "{rank}"

deck in stock
    2 of each Number

zones
    stock: pile, seen by nobody
    table: row, seen by all
    hand[player]: cards, seen by owner
    heap: pile, seen by nobody

play
    shuffle stock
    deal 2 from stock to table
    deal 2 from stock to hand[players]
    deal 2 from stock to heap
    CARDS
    player 1 chooses
        again
            deal 1 from stock to table
        pass

result
    score p = count(table)
"""


@pytest.mark.parametrize("cards", ["table", "heap + hand[player 1]"])
def test_who_is_shown_cards_may_depend_on_unseen_ones(cards: str) -> None:
    to = "(if (some c in stock where c.rank > 5) then player 1 else player 2)"
    game = load_text(SHOWN_TO.replace("CARDS", f"show {cards} to {to}"))
    _, _, differences = lockstep(Engines.of(game), 60)
    assert differences == []
