"""Small games are solved: strategies that nobody gains much against, and values that are known."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from interpreter import Game, load_text
from interpreter.agents import AgentError, AgentView, agent
from interpreter.agents.search import SearchAgent
from interpreter.agents.solve import SolveAgent, beginnings, solution
from interpreter.records.session import Session
from interpreter.solve.solution import Cfr, exploitability, values_of
from interpreter.solve.tree import Tree
from tests.bundled import game as bundled

KUHN = "classics/kuhn_poker"

PENNIES = """cardgame 1

game "Cards and Guesses"
    players 2
    at most 12 decisions

card Plain(v: 1..3) written "{v}"

deck in stock
    1 of each Plain

zones
    stock:        cards, seen by all
    hand[player]: cards, seen by owner
    kept:         cards, seen by nobody

state
    caught: boolean = false

play
    move stock to hand[player 1]
    player 1 chooses
        hide 1 cards cs from hand[player 1]: move cs to kept
    player 2 chooses
        guess n from 1..3
            caught = some c in kept where c.v == n

result
    winners = if caught then player 2 else player 1
"""
"""Matching pennies with three sides: the equilibrium is even, and the guesser gets -1/3."""


def solved(game: Game) -> Cfr:
    found = solution(game, 100)
    assert found is not None
    return found


def test_kuhn_poker_has_the_value_that_is_known_and_nobody_gains_much() -> None:
    found = solved(bundled(KUHN))
    assert exploitability(found.tree, found.average()) <= 0.01
    first, second = values_of(found.tree, found.average())
    assert first == pytest.approx(-1 / 18, abs=0.002)
    assert first == pytest.approx(-second)


def test_a_strategy_that_is_not_improved_can_be_exploited() -> None:
    tree = Tree(bundled(KUHN))
    assert exploitability(tree, tree.uniform()) > 0.3


@pytest.mark.soak
def test_leduc_poker_has_the_value_that_is_known_and_nobody_gains_much() -> None:
    found = solved(bundled("classics/leduc_poker"))
    assert exploitability(found.tree, found.average()) <= 0.05
    assert values_of(found.tree, found.average())[0] == pytest.approx(-0.0856, abs=0.005)


def test_hidden_choices_are_mixed() -> None:
    game = load_text(PENNIES)
    found = solved(game)
    assert exploitability(found.tree, found.average()) <= 0.02
    assert values_of(found.tree, found.average())[1] == pytest.approx(-1 / 3, abs=0.02)
    guesses: Counter[int] = Counter()
    for seed in range(60):
        session = Session(game, [agent("solve", game, seed), agent("solve", game, seed)], seed)
        session.play()
        guesses[session.decisions()[-1][1]] += 1
    assert len(guesses) == 3
    assert min(guesses.values()) > 8


NIM = """cardgame 1

game "Two Heaps"
    players 2
    at most 40 decisions

card Blank written "X"

deck in box
    1 of Blank

zones
    box: cards, seen by all

state
    heap[player]: 0..20 = 20
    mover: player = player 1

play
    while some p in players where heap[p] > 0
        mover chooses
            take n from 1..3, p from players where n <= heap[p]: heap[p] -= n
        mover = next(mover)

result
    winners = next(mover)  # who took the last
"""
"""Of a heap of four times as many nobody gains anything by taking first."""

BLUFFS = """cardgame 1

game "Bluffs"
    players 2
    at most 12 decisions

card Number(v: 1..3) written "{v}"

deck in stock
    1 of each Number

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner

state
    bet[player]: 0..1 = 0
    noise: 0..60 = 0

play
    shuffle stock
    deal 1 from stock to hand[players]
    for round in 1..3
        for p in players
            p chooses
                say n from 1..20: noise = n
    for p in players
        p chooses
            bet: bet[p] = 1
            pass

define high(p: player) = sum(c.v for c in hand[p])
define paid = 1 + bet[player 1] * bet[player 2]

result
    returns p = if high(p) > high(next(p)) then paid else 0 - paid
"""
"""What is said means nothing, so the ending is worth what it is from the start."""


def test_an_ending_in_which_nothing_is_hidden_is_solved() -> None:
    game = load_text(NIM)
    state = game.new_initial_state()
    for text in ("take 3 player 1", "take 3 player 2") * 5:
        state.apply_action(state.string_to_action(text))
    state.apply_action(state.string_to_action("take 3 player 1"))
    for text in ("take 1 player 1", "take 2 player 2"):
        state.apply_action(state.string_to_action(text))
    # Heaps of 1 and 3: taking 2 of the larger leaves the other player 1 and 1.
    advice = solver(game).think(AgentView(state))
    assert advice.exact
    assert advice.estimates[0].text == "take 2 2"
    assert advice.estimates[0].value == pytest.approx(1, abs=0.05)


def test_a_game_that_is_too_large_is_searched_until_its_ending_is_small() -> None:
    game = load_text(NIM)
    thinker = solver(game)
    assert thinker.solution is None
    assert isinstance(thinker.search, SearchAgent)
    assert not thinker.think(AgentView(game.new_initial_state())).exact


def test_an_endgame_begins_in_all_plays_that_a_player_considers_possible() -> None:
    game = load_text(BLUFFS)
    state = game.new_initial_state()
    state.resolve_chance(Random(1))
    for _ in range(6):
        state.apply_action(state.string_to_action("say 5"))
    view = AgentView(state)
    begin = beginnings(view)
    assert begin is not None
    # All deals: who holds 2 may face 1 or 3, who holds these 2 again.
    assert [odds for _, odds in begin] == pytest.approx([1 / 6] * 6)
    advice = solver(game).think(view)
    assert advice.exact
    found = Cfr(Tree(game, begin))
    found.improve(100)
    assert exploitability(found.tree, found.average()) <= 0.01


def solver(game: Game) -> SolveAgent:
    found = agent("solve", game)
    assert isinstance(found, SolveAgent)
    return found


def test_what_is_no_budget_for_it_is_refused_in_words() -> None:
    with pytest.raises(AgentError, match="`solve` takes a number of iterations, at most 100,000: write solve:1000"):
        agent("solve:2s", bundled(KUHN))
