"""A list as index of a zone: several places at once, to look at, to take from and to deal to."""

from __future__ import annotations

import pytest

from grammar.diagnostics import SpecError
from interpreter import State
from tests.program.playing import start, values

MELDS = """
game "Small"
    players 3
zones
    stock:                pile, seen by all
    hand[player]:         cards, seen by owner
    meld[player, 1..2]:   cards, seen by all
    fan[player, Suit]:    row, seen by all
    table:                row, seen by all
    heap:                 pile, seen by all
"""


def played(statements: str) -> State:
    """Return the small game for three at its first decision, after some statements."""
    body = "\n".join(f"    {line}" for line in statements.splitlines())
    return start(f"{MELDS}play\n{body}\n    ask\n")


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("deal 2 from stock to hand[players]\na = count(hand[players])", 6),
        ("deal 2 from stock to hand[player 2]\na = count(hand[players])", 2),
        ("deal 1 from stock to meld[players, 1..2]\na = count(meld[players, 1..2])", 6),
        ("deal 1 from stock to meld[players, 1..2]\na = count(meld[player 1, 1..2])", 2),
        ("deal 1 from stock to fan[player 3, Suit]\na = count(fan[players, hearts])", 1),
        ("deal 1 from stock to hand[all p in players where p != player 2]\na = count(hand[player 2])", 0),
        ("deal 2 from stock to hand[players]\nmove hand[players] to heap\na = count(heap)", 6),
        ("deal 2 from stock to hand[players]\na = sum(c.rank else 0 for c in hand[players])", 16),
        ("deal 2 from stock to hand[players]\na = max(c.rank for c in hand[players] where c is Number) else 0", 5),
        ("deal 17 from stock to hand[players]\na = count(hand[player 3])", 0),
    ],
)  # fmt: skip
def test_a_list_as_index_means_all_those_places(statements: str, expected: int) -> None:
    if "hand[all" in statements:
        statements = "let others = all p in players where p != player 2\n" + statements.replace(
            "hand[all p in players where p != player 2]", "hand[others]"
        )
    assert values(played(statements))["a"] == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("hand[players] is empty", False),
        ("meld[players, 1..2] is empty", True),
        ("fan[player 1, Suit] is not empty", False),
        ("count(meld[players, 1..2]) == 0", True),
        ("(top of heap) is in hand[players]", False),
    ],
)
def test_places_are_empty_when_all_of_them_are(condition: str, expected: bool) -> None:
    assert values(played(f"deal 1 from stock to hand[player 2]\nflag = {condition}"))["flag"] is expected


def test_cards_are_moved_place_by_place_in_the_order_of_the_places() -> None:
    state = played("deal 2 from stock to hand[players]\nmove hand[players] to table")
    again = played("deal 2 from stock to hand[players]\nfor p in players: move hand[p] to table")
    assert state.zones == again.zones
    assert state.information_state_string(0) == again.information_state_string(0)


def test_the_test_for_empty_places_reads_no_card() -> None:
    hidden = MELDS.replace("stock:                pile, seen by all", "stock: pile, seen by nobody").replace(
        "seen by owner", "seen by nobody"
    )
    state = start(
        f"{hidden}play\n    shuffle stock\n    deal 2 from stock to hand[players]\n    a = count(hand[players])\n"
        "    flag = hand[players] is empty\n    ask\n"
    )
    assert values(state)["a"] == 6
    assert all(card >= state.game.num_cards for place in range(1, 4) for card in state.zones[place])


SLOTS = """
zones
    stock:        pile, seen by all
    hand[player]: slot, seen by all
    turned:       slot, seen by all
    table:        row, seen by all
    heap:         pile, seen by all
define worth(c: card) = c.rank else 7
define loud(c: card) = c is Jester
"""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("turned.rank else 9", 2),
        ("hand[player 1].rank else 9", 1),
        ("hand[player 2].rank else 9", 9),
        ("if turned is Number(clubs, 2) then 1 else 0", 1),
        ("if hand[player 2] is Number then 1 else 0", 0),
        ("if turned.suit == hand[player 1].suit then 1 else 0", 1),
        ("the worth(turned)", 2),
        ("worth(hand[player 2]) else 8", 8),
        ("if loud(hand[player 2]) then 1 else 0", 0),
        ("if turned == hand[player 1] then 1 else 0", 0),
        ("if turned is in table then 1 else 0", 0),
        ("if holder(hand[player 1]) == player 1 then 1 else 0", 1),
        ("count(turned)", 1),
        ("if hand[player 2] is empty then 1 else 0", 1),
    ],
)
def test_the_name_of_a_slot_is_its_card_where_one_card_is_meant(value: str, expected: int) -> None:
    dealt = "    deal 1 from stock to hand[player 1]\n    deal 1 from stock to turned\n"
    state = start(f"{SLOTS}play\n{dealt}    a = {value}\n    ask\n")
    assert values(state)["a"] == expected


@pytest.mark.parametrize("cards", ["top of turned", "bottom of hand[player 1]"])
def test_a_slot_has_no_ends(cards: str) -> None:
    with pytest.raises(SpecError) as error:
        start(f"{SLOTS}play\n    move {cards} to table\n    ask\n")
    assert [d.code for d in error.value.diagnostics if d.is_error] == ["CG323"]
