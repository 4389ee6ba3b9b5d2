"""Tree search in C, and flat Monte Carlo in C and in Python: what they find where the answer is known."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from interpreter import Game, State, load_text
from interpreter.agents.flat import FlatMonteCarlo
from interpreter.engine.interruption import until
from interpreter.engine.search_tables import before_others
from interpreter.native.plays import WatchedGame
from interpreter.native.search import NativeSearch
from tests.native.test_c import HAS_COMPILER

BEGINNING = """cardgame 1

game "Tiny"
    players 2
    at most 20 decisions

enum Side: heads, tails
card Number(n: 1..6) written "{n}"

deck in box
    1 of each Number

zones
    box:          cards, seen by all
    hand[player]: cards, seen by all

state
    shown[player]: Side or none
    left: 0..12 = 7

"""

PENNIES = """play
    at once p in players
        p chooses
            show s from Side: shown[p] = s

define paid = if shown[player 1] != shown[player 2] then 0 - 1 else if shown[player 1] == heads then 3 else 1

result
    returns p = if p == player 1 then paid else 0 - paid
"""

NIM = """    mover: player = player 1

play
    while left > 0
        mover chooses
            take n from 1..3: left = max(0, left - n)
        if left > 0: mover = across(mover)

result
    winners = mover  # who took the last
"""

SETS = """play
    player 1 chooses
        keep 3 cards kept from box
            move kept to hand[player 1]

result
    score p = sum(c.n for c in hand[p])
"""

GIFTS = """play
    at once p in players
        p chooses
            keep 2 cards kept from box
                turn kept face up

result
    score p = count(box)
"""

FAULTY = """play
    player 1 chooses
        divide n from 0..2: left = 12 / n rounded down
        stop: left = 3

result
    returns p = if p == player 1 then left else 0
"""

DEALS, DEALS_SELDOM = "shuffle box into stock", "if rounds > 3: shuffle box into stock"

ROUNDS = """    won[player]: 0..9 = 0
    rounds: 0..5 = 0

play
    repeat one_deal until rounds == 5

phase one_deal
    DEAL
    player 1 chooses
        claim n from 0..2: won[player 1] += if n == 1 then 1 else 0
    rounds += 1

result
    score p = won[p]
"""

RETURNS = """play
    player 1 chooses
        safe
        risky

result
    winners = player 1
    returns p = if p == player 1 then 3 else 7
"""

MOST_CARDS = """play
    deal 1 from box to hand[player 1]
    player 1 chooses
        take: deal 1 from box to hand[player 1]
        give: deal 2 from box to hand[player 2]

result
    winners = if left > 0 then all highest p in players by (count(hand[p]), p == player 2) else player 1
"""

needs_compiler = pytest.mark.skipif(not HAS_COMPILER, reason="there is no C compiler")
engines = pytest.mark.parametrize("engine", ["Python", pytest.param("C", marks=needs_compiler)])


def trees(game: Game, player: int, seed: int = 1) -> NativeSearch:
    return NativeSearch(WatchedGame.of(game), player, seed, limit=20)


def flat_trees(engine: str, game: Game, player: int, seed: int = 1) -> FlatMonteCarlo | NativeSearch:
    if engine == "C":
        return NativeSearch(WatchedGame.of(game), player, seed, limit=20, flat=True)
    return FlatMonteCarlo(game, player, seed, limit=20)


def rounds(dealing: str) -> Game:
    """Return a game in which a player decides alone, round by round."""
    zones = BEGINNING.replace("zones\n", "zones\n    stock: pile, seen by nobody\n")
    return load_text(zones + ROUNDS.replace("DEAL", dealing))


def tried(state: State, iterations: int, actions: Sequence[int] = (), seed: int = 1) -> dict[str, int]:
    grown = trees(state.game, state.current_player(), seed)
    grown.grow([state], iterations)
    return {state.game.texts.action(each.action): each.visits for each in grown.tried(actions)}


@needs_compiler
def test_a_move_that_wins_by_force_is_tried_most() -> None:
    state = load_text(BEGINNING + NIM).new_initial_state()
    found = tried(state, 600)
    assert max(found, key=found.__getitem__) == "take 3"


@needs_compiler
def test_where_both_decide_at_once_the_choices_come_near_the_equilibrium() -> None:
    state = load_text(BEGINNING + PENNIES).new_initial_state()
    grown = trees(state.game, 0)
    grown.grow([state], 4000)
    weights = [each.weight for each in grown.tried()]
    # Heads in a third of all plays leaves the other indifferent.
    assert 0.2 < weights[0] / sum(weights) < 0.45


@needs_compiler
def test_the_second_player_does_not_answer_what_the_first_chose_at_the_same_time() -> None:
    state = load_text(BEGINNING + PENNIES).new_initial_state()
    state.apply_action(0)
    before = before_others(state)
    assert not before.history()
    grown = trees(state.game, 1)
    grown.grow([before], 4000)
    weights = [each.weight for each in grown.tried()]
    assert 0.2 < weights[0] / sum(weights) < 0.45


def test_where_nobody_has_decided_at_the_same_time_a_world_is_searched_as_it_is() -> None:
    state = load_text(BEGINNING + PENNIES).new_initial_state()
    assert before_others(state) is state
    other = load_text(BEGINNING + NIM).new_initial_state()
    assert before_others(other) is other


@engines
def test_cards_of_a_set_are_picked_in_one_order_alone(engine: str) -> None:
    state = load_text(BEGINNING + SETS).new_initial_state()
    grown = flat_trees(engine, state.game, 0)
    grown.grow([state], 1500)
    orders = [
        (one.action, two.action, three.action)
        for one in grown.tried()
        for two in grown.tried([one.action])
        for three in grown.tried([one.action, two.action])
    ]
    assert len(orders) == len({frozenset(order) for order in orders}) == 20
    assert all(order == tuple(sorted(order)) for order in orders)
    best = max(grown.tried(), key=lambda each: each.visits)
    assert state.game.texts.action(best.action) == "keep +4"


@needs_compiler
def test_sets_that_are_chosen_at_once_are_not_mixed() -> None:
    state = load_text(BEGINNING + GIFTS).new_initial_state()
    grown = trees(state.game, 0)
    grown.grow([state], 100)
    assert [each.weight for each in grown.tried()] == [0.0] * len(grown.tried())


@engines
def test_an_action_that_leads_to_a_fault_of_the_rules_is_worth_nothing_and_stops_nobody(engine: str) -> None:
    state = load_text(BEGINNING + FAULTY).new_initial_state()
    grown = flat_trees(engine, state.game, 0)
    grown.grow([state], 500)
    found = {state.game.texts.action(each.action): each.visits for each in grown.tried()}
    assert max(found, key=found.__getitem__) == "divide 1"
    assert found["divide 0"] < 20
    if engine == "C":
        found = tried(state, 500)
        assert max(found, key=found.__getitem__) == "divide 1"


@needs_compiler
def test_the_same_seed_grows_the_same_trees() -> None:
    state = load_text(BEGINNING + NIM).new_initial_state()
    first, again, other = (tried(state, 200, seed=seed) for seed in (5, 5, 6))
    assert first == again != other


@engines
def test_the_same_seed_grows_the_same_flat_tree(engine: str) -> None:
    state = load_text(BEGINNING + NIM).new_initial_state()
    found = []
    for seed in (5, 5, 6):
        grown = flat_trees(engine, state.game, 0, seed)
        grown.grow([state], 200)
        found.append(grown.tried())
    assert found[0] == found[1] != found[2]


@engines
def test_the_trees_grow_on_after_what_is_decided(engine: str) -> None:
    state = load_text(BEGINNING + SETS).new_initial_state()
    grown = flat_trees(engine, state.game, 0)
    grown.grow([state], 40)
    first = state.legal_actions()[0]
    before = sum(each.visits for each in grown.tried([first]))
    grown.decide([first])
    grown.grow([state], 100)
    assert sum(each.visits for each in grown.tried([first])) == before + 100


@needs_compiler
@pytest.mark.parametrize("dealing", [DEALS, DEALS_SELDOM])
def test_an_iteration_ends_with_the_round_where_each_deals_anew(dealing: str) -> None:
    state = rounds(dealing).new_initial_state()
    grown = trees(state.game, 0)
    grown.grow([state], 500)
    assert len(grown.tried()) == 3
    assert max(grown.tried(), key=lambda each: each.visits).action == 1
    assert (dealing == DEALS_SELDOM) is any(grown.tried([each.action]) for each in grown.tried())


@engines
def test_a_flat_tree_ends_with_the_decision(engine: str) -> None:
    state = rounds(DEALS_SELDOM).new_initial_state()
    flat = flat_trees(engine, state.game, 0)
    assert flat.grow([state], 300) == 300
    assert sum(each.visits for each in flat.tried()) == 300
    assert not any(flat.tried([each.action]) for each in flat.tried())


@engines
def test_a_flat_tree_has_all_small_actions_of_its_decision(engine: str) -> None:
    state = load_text(BEGINNING + SETS).new_initial_state()
    flat = flat_trees(engine, state.game, 0)
    flat.grow([state], 1500)
    best = [0]
    while found := flat.tried(best[1:]):
        best.append(max(found, key=lambda each: each.visits).action)
    assert [state.game.texts.action(action) for action in best[1:]] == ["keep +4", "keep +5", "keep +6"]


@engines
def test_who_is_first_counts_where_payoffs_say_more_than_that(engine: str) -> None:
    state = load_text(BEGINNING + RETURNS).new_initial_state()
    grown = flat_trees(engine, state.game, 0)
    grown.grow([state], 10)
    assert {(each.worth, each.standing) for each in grown.tried()} == {(3.0, -0.5)}


@needs_compiler
def test_players_are_ranked_by_the_number_that_names_the_winners() -> None:
    box = BEGINNING.replace("box:          cards, seen by all", "box: pile, seen by nobody")
    state = load_text(box + MOST_CARDS).new_initial_state()
    grown = flat_trees("C", state.game, 0)
    grown.grow([state], 20)
    assert {(each.worth, each.standing) for each in grown.tried()} == {(1.0, 2.0), (-1.0, -1.0)}


@needs_compiler
def test_trees_without_room_stay_as_they_are_and_go_on_counting() -> None:
    state = load_text(BEGINNING + NIM).new_initial_state()
    search = NativeSearch(WatchedGame.of(state.game), 0, 1, limit=20, room=4)
    search.grow([state], 300)
    assert 0 < len(search.tried()) <= 2


@engines
def test_trees_without_time_to_grow_give_no_advice(engine: str) -> None:
    state = load_text(BEGINNING + NIM).new_initial_state()
    grown = flat_trees(engine, state.game, 0)
    with until(lambda _: True):
        assert grown.grow([state], 10) == 0
    assert grown.tried() == grown.tried([0]) == []
