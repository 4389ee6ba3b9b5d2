"""Random plays of whole games: what a seed gives, how a play ends, and faults on the way."""

from __future__ import annotations

from random import Random

import pytest

from interpreter import Game, load, load_text
from interpreter.engine.faults import RuleError
from interpreter.engine.outcome import Outcome, Termination
from tests.program.playing import legal, spec, start, values


def stepwise(game: Game, count: int, seed: int) -> tuple[list[Outcome], list[int]]:
    """Return the results and lengths of plays that draw from a generator for decisions and another for chance."""
    actions, chance = Random(f"{seed}/actions"), Random(f"{seed}/chance")
    results, lengths = [], []
    for _ in range(count):
        state = game.new_initial_state()
        state.resolve_chance(chance)
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(actions.random() * len(legal))])
            state.resolve_chance(chance)
        outcome = state.outcome()
        assert outcome is not None
        results.append(outcome)
        lengths.append(state.num_actions)
    return results, lengths


@pytest.mark.parametrize("name", ["classics/leduc_poker", "classics/go_fish", "chalice_and_wand"])
def test_random_playouts_draw_decisions_and_chance_from_the_seed(name: str) -> None:
    game = load(name)
    results, lengths = stepwise(game, 3, 7)
    made = game.random_playouts(3, 7)
    assert made.outcomes == tuple(results)
    assert made.lengths == tuple(lengths)
    assert made.decisions == sum(lengths)


TURNS = """
state
    a, b: integer = 0
    high: 0..9 = 0
    passed[player]: boolean = false
play
    shuffle stock
    for p in players: deal 4 from stock to hand[p]
    at once p in players
        p chooses secretly
            give 1 to 2 cards given from hand[p] such that different(c.suit else spades for c in given)
                move given to hand[next(p)]
                if count(given) == 2: second(p)
            otherwise pass
    in turn p in players from player 2 where not passed[p]
        p chooses
            bid n from 1..9, s from Suit where n > high and s != spades
                high = n
                reopen
            pass: passed[p] = true
    repeat
        random die from 1..6
        if die == 5: end game
        b = die
        outer
    until high > 7 or b == 6
    for s in Suit, n in 1..2: a += n * 3
    ask
phase second(p: player)
    p chooses
        show card c from hand[p] only if count(hand[p]) > 2: move c to table for p
        otherwise pass
phase outer
    state
        left: 0..5 = 2
    for p in players: inner(p)
    a += 100
phase inner(p: player)
    p chooses
        stay n from 0..2: a += n
        leave: end outer
        lay any cards laid from hand[p] where each is Number such that sum(c.rank for c in laid) <= 7
            move laid to heap
            for c in heap: move c to bottom of stock
"""


def test_turns_sets_dice_and_early_ends_come_to_several_results() -> None:
    text = spec(TURNS).replace("stock:        pile, seen by all", "stock: pile, seen by nobody")
    game = load_text(text)
    ends = {o.scores for o in game.random_playouts(40, 1).outcomes}
    assert len(ends) > 5


def test_the_same_seed_gives_the_same_plays_and_another_seed_others() -> None:
    game = load("chalice_and_wand")
    assert game.random_playouts(5, 1) == game.random_playouts(5, 1)
    assert game.random_playouts(5, 1) != game.random_playouts(5, 2)
    assert len(game.random_playouts(5, 1).returns) == 5
    assert game.random_playouts(0).outcomes == ()


def test_a_play_that_would_be_too_long_is_over() -> None:
    text = spec("play\n    while a == 0: ask\n").replace("players 2", "players 2\n    at most 7 decisions")
    made = load_text(text).random_playouts(2)
    assert [o.termination for o in made.outcomes] == [Termination.TOO_LONG] * 2
    assert made.decisions == 14


GRAB = "phase grab(p: player)\n    p chooses\n        take card c from stock: move c to one\n"


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ("play\n    while a == 0: b = 0\n    ask\n", "CG804"),
        ("play\n    for c in stock: move c to one\n    ask\n", "CG805"),
        ("play\n    ask\n    for p in players: grab(p)\n" + GRAB, "CG805"),
        ("play\n    player 1 chooses\n        take card c from one\n    ask\n", "CG807"),
        ("play\n    player 1 chooses\n        take card c from one, n from 1..3\n    ask\n", "CG807"),
        ("play\n    random card c from one\n    ask\n", "CG808"),
        ("play\n    a = 5 / b rounded down\n    ask\n", "CG809"),
    ],
)  # fmt: skip
def test_a_fault_names_the_line_of_its_rule(rules: str, code: str) -> None:
    text = spec(rules + "zones\n    one: slot, seen by all\n    stock: pile, seen by all\n")
    with pytest.raises(RuleError) as caught:
        load_text(text).random_playouts(1)
    assert caught.value.code == code
    assert caught.value.span is not None


@pytest.mark.parametrize(
    "turn",
    ["turn hand[p] face up", "turn first c in hand[p] face up", "turn best(p) face up",
     "let mine = first c in hand[p]\n    turn mine face up", "deal 1 from stock to hand[p] face up"],
)  # fmt: skip
def test_a_chosen_card_that_was_turned_forgets_it_when_it_moves(turn: str) -> None:
    rules = (
        "play\n    for p in players: deal 3 from stock to hand[p]\n    for p in players: turn_one(p)\n    ask\n"
        f"phase turn_one(p: player)\n    {turn}\n    p chooses\n        play card c from hand[p]\n"
        "            move c to table for p\n            if not face_down(c): a += 1\n    turn table face down\n"
        "    p chooses\n        back: move table to hand[p]\n"
        "    p chooses\n        play card c from hand[p]\n            move c to table for p\n"
        "            if not face_down(c): a += 1\n"
        "define best(p: player) = highest c in hand[p] by (c.rank else 0)\n"
    )
    state, rng = start(rules), Random(1)
    while legal(state) != ["pass"]:
        state.apply_action(rng.choice(state.legal_actions()))
    assert values(state)["a"] == 4
