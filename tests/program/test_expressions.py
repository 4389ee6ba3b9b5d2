"""What expressions mean: absence, chains, selections, folds, arithmetic.

The small game has three suits of ranks 1 to 5 and two Jesters; `stock` lies in the order of the deck, C1 on top.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter import Game, load_text
from interpreter.analysis.constant_folding import ARITHMETIC
from interpreter.engine.outcome import Outcome
from tests.program.playing import holds, value

DEAL = "deal 5 from stock to table"
JESTERS = "move all c in stock where c is Jester to heap"


@pytest.mark.parametrize(
    ("condition", "setup", "expected"),
    [
        ("suit == clubs", "", False),
        ("suit != clubs", "", True),
        ("suit is none", "", True),
        ("suit == clubs", "suit = clubs", True),
        ("suit is not none", "suit = clubs", True),
        ("(first c in table).suit == suit", "", False),
        ("(first c in table).suit != suit", "", True),
        ("(top of heap).suit == suit", JESTERS, False),
        ("some c in heap where c.suit == suit", JESTERS, False),
        ("(top of heap) is Jester", "", False),
        ("(top of heap) is not Jester", "", True),
        ("top of heap is none", "", True),
        ("(first c in table) is in heap", "", False),
        ("next(player 2) == player 1", "", True),
        ("next(clubs) == hearts and next(spades) == clubs", "", True),
        ("previous(clubs) == spades and previous(next(suit)) == suit", "suit = hearts", True),
        ("next(suit) is none", "", True),
        ("next(player 1 among players) == player 2 and previous(player 1 among players) == player 2", "", True),
        ("next(player 1 among all p in players where p == player 1) == player 1", "", True),
        ("next(player 1 among all p in players where hand[p] is not empty) == player 1", "", True),
        ("previous(player 2 among players - player 2) == player 1", "", True),
        ("suit is in clubs..hearts", "", False),
        ("suit is in clubs..hearts", "suit = hearts", True),
        ("suit is not in clubs..hearts", "suit = spades", True),
    ],
)
def test_absence(condition: str, setup: str, expected: bool) -> None:
    assert holds(condition, setup) is expected


@pytest.mark.parametrize(
    ("expression", "setup", "expected"),
    [
        ("(first c in table where c is Number).rank else 7", "", 7),
        ("(first c in table where c is Number).rank else 7", DEAL, 1),
        ("(max(c.rank for c in table where c is Number) else 0) + 1", "", 1),
        ("(top of heap).rank else (top of stock).rank else 9", JESTERS, 1),
        ("if flag then 1 else if a == 0 then 2 else 3", "", 2),
        ("if flag then 1 else if a == 0 then 2 else 3", "flag = true", 1),
        ("if flag then 1 else if a == 0 then 2 else 3", "a = 5", 3),
        # Once its condition holds an alternative is final, though it has no value.
        ("(if a == 0 then (first c in table).rank else 5) else 8", "", 8),
        ("(if a == 0 then (first c in table).rank) else 8", "", 8),
        ("(if a == 1 then (first c in table).rank else 5) else 8", "", 5),
    ],
)
def test_chains(expression: str, setup: str, expected: int) -> None:
    assert value(expression, setup) == expected


CHOSEN = "move all c in stock where c is Number and c.rank > 3 to table"  # C4 C5 H4 H5 S4 S5


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("count(c in stock where c.suit == hearts)", 5),
        ("sum(c.rank for c in stock where c.suit == hearts)", 15),
        ("sum(c.rank for c in table where c is Number)", 0),
        ("max(c.rank for c in stock where c is Number) else 0", 5),
        ("min(c.rank for c in table where c is Number) else 9", 9),
        ("(first c in stock where c.suit == hearts).rank else 0", 1),
        ("(last c in stock where c.suit == hearts).rank else 0", 5),
        ("count(first 3 c in stock)", 3),
        ("count(first 3 c in table)", 0),
        ("count(last 99 c in stock)", 17),
        ("count(all highest c in stock where c is Number by c.rank)", 3),
        ("count(all lowest c in stock where c is Number by c.suit)", 5),
        ("count(all highest c in table where c is Number by c.rank)", 0),
        ("count(stock) - count(table)", 17),
        ("count(hand[players])", 0),
        ("count(stock + stock)", 17),
        ("count(stock - (all c in stock where c is Jester))", 15),
        ("count(players - player 1)", 1),
        ("count(s in Suit)", 3),
        ("count(s in Suit from hearts where s != hearts)", 2),
        ("min(3, a, 2)", 0),
        ("max(3, a, 2)", 3),
        ("distance(2, 7)", 5),
        ("distance(spades, clubs)", 2),
        ("position(hearts) * 10 + position(previous(clubs))", 23),
        ("position(suit) else 7", 7),
        ("count(players) + (if (1, clubs) < (1, hearts) and not (2, clubs) < (1, hearts) then 1 else 0)", 3),
        ("7 mod 3", 1),
        ("(a - 7) mod 3", 2),
        ("2 * 3 + 4", 10),
        ("-(2 - 5)", 3),
    ],
)
def test_values(expression: str, expected: int) -> None:
    assert value(expression) == expected


def test_ties_go_to_the_first_in_order() -> None:
    move = "move all c in stock where c.rank == 5 to table"
    order = "(if (highest c in table where c is Number by c.rank).suit == clubs then 1 else 2)"
    assert value(order, move) == 1
    assert value(order.replace("highest", "lowest"), move) == 1
    assert value(order, "move all c in stock where c.suit == hearts to table\n" + move) == 2


def test_tuple_keys_compare_from_the_left() -> None:
    key = "(highest c in stock where c is Number by (c.rank mod 2, c.suit, c.rank))"
    assert value(f"{key}.rank else 0") == 5
    assert holds(f"{key}.suit == spades")
    assert holds("(1, clubs) < (1, hearts)")
    assert holds("(1, 5) < (2, 0)")


@pytest.mark.parametrize(
    ("condition", "setup", "expected"),
    [
        ("some c in table where c is Number", "", False),
        ("no c in table where c is Number", "", True),
        ("every c in table where c is Number has c.rank > 4", "", True),
        ("every c in table where c is Number has c.rank > 3", CHOSEN, True),
        ("every c in table where c is Number has c.rank > 4", CHOSEN, False),
        ("same(c.rank for c in table where c is Number)", "", True),
        ("different(c.rank for c in table where c is Number)", "", True),
        ("same(c.rank for c in table where c is Number)", CHOSEN, False),
        ("different(c.rank for c in table where c is Number)", CHOSEN, False),
        ("different(c.rank for c in table where c.suit == clubs)", CHOSEN, True),
        ("same(c.suit for c in table where c.suit == clubs)", CHOSEN, True),
        ("some t in subsets(table) where sum(c.rank else 0 for c in t) == 13", CHOSEN, True),
        ("some t in subsets(table) where sum(c.rank else 0 for c in t) == 11", CHOSEN, False),
        ("some t in subsets(table, 2) where sum(c.rank else 0 for c in t) == 13", CHOSEN, False),
        ("some t in subsets(table, 2..3) where sum(c.rank else 0 for c in t) == 13", CHOSEN, True),
        ("no t in subsets(table) where count(t) == 7", CHOSEN, True),
        ("some t in subsets(table) where count(table) > 1", CHOSEN, True),
        ("some t in subsets(table) where count(table) < 2", CHOSEN, False),
        ("some t in subsets(table, 99) where count(table) > 1", CHOSEN, False),
        ("some t in subsets(table) where same(c.suit else clubs for c in t) and count(t) == 2", CHOSEN, True),
        ("some t in subsets(table) where same(c.suit else clubs for c in t) and count(t) == 3", CHOSEN, False),
        ("table is empty", "", True),
        ("table is not empty", CHOSEN, True),
        ("not flag and a == 0 or flag", "", True),
        ("(bottom of stock) is Jester", "", True),
        ("(top of stock) is Number(clubs, 1)", "", True),
        ("(top of stock) is Number(_, 2..5)", "", False),
    ],
)
def test_conditions(condition: str, setup: str, expected: bool) -> None:
    assert holds(condition, setup) is expected


@pytest.mark.parametrize(
    ("word", "expected"), [("up", (4, -3, 4, -3)), ("down", (3, -4, 3, -4)), ("nearest", (4, -3, 4, -3))]
)
def test_division_says_how_it_rounds(word: str, expected: tuple[int, int, int, int]) -> None:
    assert value(f"7 / 2 rounded {word}") == expected[0]
    assert value(f"(0 - 7) / 2 rounded {word}") == expected[1]
    assert value(f"b / 2 rounded {word}", "b = 7") == expected[2]
    assert value(f"b / 2 rounded {word}", "b = 0 - 7") == expected[3]


@given(st.integers(-1000, 1000), st.integers(-50, 50).filter(bool))
def test_rounding_keeps_its_promise(left: int, right: int) -> None:
    exact = left / right
    down, up, nearest = (ARITHMETIC[f"/{word}"](left, right) for word in ("down", "up", "nearest"))
    assert down <= exact < down + 1
    assert up - 1 < exact <= up
    assert abs(nearest - exact) <= 0.5


def test_definitions_with_names_cases_and_absent_arguments() -> None:
    more = (
        "define twice(n: 0..9) =\n    let m = n + n\n    m\n"
        "define worth(c: card) =\n    match c\n        case Number(hearts, 2..3): 100\n        case Number: c.rank\n"
        "        case Jester: 50\n"
        "define wild(c: card) = c is Jester\n"
    )
    assert value("twice(4)", more=more) == 8
    assert value("sum(worth(c) for c in stock)", more=more) == 45 - 5 + 200 + 100
    assert value("worth(first c in table) else 9", more=more) == 9
    assert holds("not wild(first c in table)", more=more)


def test_enumerations_carry_a_table() -> None:
    more = "enum Role(strength: 1..9, mighty: boolean)\n    guard 2 false\n    king 8 true\n"
    assert value("sum(r.strength for r in Role)", more=more) == 10
    assert value("(highest r in Role by r.strength).strength", more=more) == 8
    assert value("count(r in Role where r.mighty)", more=more) == 1
    assert value("king.strength", more=more) == 8


TWO_RANKS = """cardgame 1
game "Ranks"
    players 2
enum Rank(points: 0..20)
    jack 11
    queen 12
card Number(rank: 1..5)
card Picture(rank: Rank)
deck in box
    1 of each Number
    1 of each Picture
zones
    box: pile, seen by nobody
    hand[player]: cards, seen by owner
define worth(c: card) =
    match c
        case Picture: c.rank.points
        otherwise: 0
play
    shuffle box
    deal 3 from box to hand[players]
    for p in players
        p chooses
            discard card c from hand[p] where worth(c) > 0 or c is Picture and c.rank.points > 11
                move c to box
            pass
result
    score p = sum(worth(c) for c in hand[p])
"""


def test_kinds_of_cards_may_have_attributes_of_one_name_and_different_types() -> None:
    game = load_text(TWO_RANKS)
    assert sum(sum(outcome.scores or ()) > 0 for outcome in (play(game, seed) for seed in range(20))) > 5


def play(game: Game, seed: int) -> Outcome:
    rng = Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.resolve_chance(rng)
        if not state.is_terminal():
            state.apply_action(state.legal_actions()[-1])
    outcome = state.outcome()
    assert outcome is not None
    return outcome
