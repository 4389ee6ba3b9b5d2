"""Two plays side by side: what chance gives in the second where it cannot give the same as in the first."""

from __future__ import annotations

from random import Random

from interpreter import load_text
from interpreter.fuzz.exchange.lockstep import Change, Lockstep
from interpreter.fuzz.exchange.traced import Traced, traced
from interpreter.fuzz.fuzz import fuzz
from tests.fuzz.leaks import DEAL, Game

HEAD = """cardgame 1

game "Side by side"
    players 2
    at most 20 decisions

card Number(rank: 1..4) written "N{rank}"

deck in stock
    1 of each Number

zones
    stock:        pile, seen by nobody
    urn:          cards, seen by nobody
    hand[player]: cards, seen by owner
    table:        row, seen by all

state
    points:        0..6 = 0
    limit[player]: 1..6 = 6, seen by owner

phase ask
    player 1 chooses
        nod

result
    score p = points
"""

DEALT = """play
    shuffle stock
    deal 1 from stock to hand[player 1]
    ask
    deal 3 from stock to hand[player 2]
    ask
"""

ROLLED = """play
    ask
    random n from 1..limit[player 1]
    points = n
    ask
"""

TAKEN = """play
    move first c in stock where c.rank == 1 to urn
    ask
    random card c from urn
    move c to table
    ask
"""


def begun(play: str, *cards: int) -> Traced:
    """Return a play at its first decision; `cards` are those that chance gives on the way."""
    state = traced(load_text(HEAD + play))
    for card in cards:
        state.apply_action(card)
    assert state.current_player() == 0
    return state


def side_by_side(one: Traced, other: Traced, cards: dict[int, int] | None = None) -> Lockstep:
    return Lockstep(None, one, other, Change(cards or {}), Random(1), numbers=False)


def hands(first: int, second: int, exchange: dict[int, int]) -> tuple[list[int], list[int]]:
    """Return the hands of player 2 in two plays, from what player 1 holds in each: in the first the others in order."""
    both = side_by_side(begun(DEALT, first), begun(DEALT, second), exchange)
    both._determine(tuple(sorted({0, 1, 2, 3} - {first})))
    for play in (both.one, both.other):
        assert not play.waiting
        play.apply_action(play.legal_actions()[0])
    return both.one.zones[3], both.other.zones[3]


def test_a_shuffled_pile_of_the_second_play_holds_the_cards_of_the_first_exchanged() -> None:
    assert hands(0, 1, {0: 1, 1: 0}) == ([1, 2, 3], [0, 2, 3])


def test_where_the_exchanged_card_lies_elsewhere_it_is_that_of_the_first_play() -> None:
    assert hands(1, 1, {0: 1, 1: 0}) == ([0, 2, 3], [0, 2, 3])


def test_where_that_lies_elsewhere_too_it_is_one_that_is_left() -> None:
    assert hands(0, 2, {0: 1, 1: 0}) == ([1, 2, 3], [0, 1, 3])


def test_a_value_that_chance_cannot_give_in_the_second_play_is_another_and_is_found_out() -> None:
    one = begun(ROLLED)
    other = one.clone()
    slot = next(n for n in range(len(one.game.variables)) if one.game.variable_name(n) == "limit[player 1]")
    other.values[slot] = 2
    both = side_by_side(one, other)
    found = both.run([], 1)
    points = next(n for n in range(len(one.game.variables)) if one.game.variable_name(n) == "points")
    assert both.one.values[points] > 2 >= both.other.values[points] > 0
    assert found is not None
    assert found.what == "what all have learned"


def test_a_card_that_chance_cannot_give_exchanged_is_that_of_the_first_play() -> None:
    one = begun(TAKEN)
    both = side_by_side(one, one.clone(), {0: 1, 1: 0})
    assert both.run([], 1) is None
    assert both.one.zones == both.other.zones


def test_the_end_publishes_the_result_and_no_surface_that_names_it_is_a_leak() -> None:
    text = Game(DEAL + "    for p in players: ask(p)\n").text.replace("score p = points[p]", "score p = suns(p)")
    assert fuzz(load_text(text), 12, seed=1).failure is None
