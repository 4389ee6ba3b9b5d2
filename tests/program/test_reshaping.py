"""What is printed in a quicker form comes to the same, and asks for the same cards."""

from __future__ import annotations

import pytest

from interpreter import load_text
from tests.program.playing import cards, holds, legal, spec, start, value, values

DEALT = "move first 2 c in stock where c.suit == hearts to hand[player 2]\nmove last 2 c in stock to table\n"
"""Hearts 1 and 2 in the hand of player 2; both jesters on the table."""


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("some c in hand[player 2] where c is Number and c.rank == 2", True),
        ("some c in hand[player 2] where c is Number and c.rank > 2", False),
        ("no c in table where c is Number", True),
        ("every c in hand[player 2] has c.suit == hearts", True),
        ("some c in hand[player 1] where c is Number(hearts, 1)", False),
        ("some p in players where hand[p] is not empty", True),
        ("every p in players has hand[p] is not empty", False),
        ("(all p in players where hand[p] is empty) is empty", False),
        ("player 1 is in (all p in players where hand[p] is not empty)", False),
        ("(first p in (all q in players where hand[q] is not empty) from player 1) == player 2", True),
        ("(last p in players where hand[p] is empty) == player 1", True),
        ("some p in (all q in players where hand[q] is not empty) where p == player 1", False),
        ("not (not (some c in table where c is Jester))", True),
        ("flag == (some p in players where count(hand[p]) > 2)", True),
    ],
)
def test_conditions_hold_as_they_are_written(condition: str, expected: bool) -> None:
    assert holds(condition, DEALT) is expected
    assert holds(f"not ({condition})", DEALT) is not expected
    assert value(f"if {condition} then 1 else 0", DEALT) == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("count(p in players where hand[p] is empty)", 1),
        ("count(all p in players where hand[p] is empty)", 1),
        ("count(all c in table where c is Jester)", 2),
        ("sum(count(hand[p]) + 1 for p in players)", 4),
        ("max(count(hand[p]) for p in players)", 2),
        ("min(count(hand[p]) for p in players)", 0),
        ("max(c.rank for c in box where c is Number) else 9", 9),
        ("sum(c.rank else 0 for c in hand[player 2])", 3),
        ("sum((c.rank else 0) * 10 / 5 rounded down for c in hand[player 2])", 6),
        ("count(hand[players])", 2),
        ("count(table + hand[players])", 4),
        ("count(table + (all c in table where c is Jester))", 2),
        ("count(all highest p in players by count(hand[p]))", 1),
    ],
)
def test_numbers_are_what_is_written(number: str, expected: int) -> None:
    assert value(number, DEALT) == expected


def test_a_truth_value_is_kept_as_one() -> None:
    state = start("""
play
    move first c in stock to hand[player 2]
    flag = (some p in players where hand[p] is not empty)
    ask
""")
    assert values(state)["flag"] is True


def test_values_that_some_card_has_are_evaluated_at_once() -> None:
    state = start("""
phase ask
    player 2 chooses
        call r from 1..5 where some c in hand[player 2] where c is Number and c.rank == r
        shout s from Suit where some c in hand[player 2] where c is Number and c.suit == s
        hint t from 1..5 where no c in hand[player 2] where c is Number and c.rank == t

play
    move first 2 c in stock where c is Number and c.rank == 4 to hand[player 2]
    move last c in stock to hand[player 2]
    ask
""")
    assert legal(state) == ["call 4", "shout clubs", "shout hearts", "hint 1", "hint 2", "hint 3", "hint 5"]


VISIT = "for s in Suit, n in 2..4, c in table where c is Number(s, n)"


def test_cards_are_visited_in_the_order_of_what_is_printed_on_them() -> None:
    state = start(f"""
play
    for k in 1..5: move first c in stock where c is Number and c.rank == 6 - k to table
    move first c in stock where c is Number(hearts, 2) to table
    {VISIT}: a = a * 10 + n
    {VISIT}
        b = b * 10 + (if s == hearts then 9 else 1)
        move first e in stock to heap
    ask
""")
    assert cards(state, "table") == "C5 C4 C3 C2 C1 H2"
    assert values(state)["a"] == 2342
    assert values(state)["b"] == 1119


def test_cards_that_are_moved_meanwhile_are_visited_where_they_lie() -> None:
    state = start(f"""
play
    move all c in stock where c.suit == clubs to table
    {VISIT}
        a = a * 10 + n
        move first e in table where e is Number(_, 3) to heap
    ask
""")
    assert values(state)["a"] == 24


def test_a_hidden_pile_is_searched_for_the_same_card() -> None:
    text = spec("""
zones
    stock:         pile, seen by nobody
    hand[player]:  cards, seen by nobody
    table:         row, seen by all
    heap, box:     cards, seen by all

play
    for p in players: deal 1 from stock to hand[p]
    shuffle stock
    b = count(p in players where top of stock is Jester)
    ask
""")
    state = load_text(text).new_initial_state()
    assert state.is_chance_node()


def test_cards_with_a_name_are_looked_for_again_when_they_have_moved() -> None:
    state = start("""
play
    let both = all c in stock where c is Jester
    for p in players: move both to hand[p]
    let clubs_of_stock = all c in stock where c.suit == clubs
    if count(clubs_of_stock) == 4: move clubs_of_stock to heap
    else: move clubs_of_stock to table
    move all c in table where (c.rank else 0) > 3 to bottom of heap
    move all c in table where (c.rank else 0) > 1 to heap
    move table + hand[player 2] to heap
    player 1 chooses
        take card e from heap
            for p in players: move e to hand[p]
    ask
""")
    assert cards(state, "heap") == "J J C1 C3 C2 C4 C5"
    assert cards(state, "table") == ""
    state.apply_action(state.string_to_action("take C5"))
    assert cards(state, "hand[player 2]") == "C5"
