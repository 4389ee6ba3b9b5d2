"""OpenSpiel's algorithms on our games: equilibria of small ones, search in all of them."""

from __future__ import annotations

import random

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, ismcts, mcts

from interpreter.adapters import openspiel
from tests.adapters.settings import EVERY_SETTING, load_string

KUHN = str(openspiel.load_game("classics/kuhn_poker", options={"zero_sum": True}))
LEDUC = str(openspiel.load_game("classics/leduc_poker", options={"zero_sum": True}))
KUHN_VALUE = -1 / 18
"""What the first player of Kuhn poker wins on average when both play best."""


def test_cfr_solves_kuhn_poker() -> None:
    game = pyspiel.load_game(KUHN)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.exploitability(game, policy) < 0.01
    first, second = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert first == pytest.approx(KUHN_VALUE, abs=0.002)
    assert first == -second


@pytest.mark.parametrize(("load", "iterations"), [(KUHN, 100), (LEDUC, 200)])
def test_cfr_in_cpp_solves_small_games_whose_tree_is_kept(load: str, iterations: int) -> None:
    game = pyspiel.convert_to_cached_tree(pyspiel.load_game(load))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(game, solver.average_policy()) < 0.01


@pytest.mark.parametrize(("name", "players"), EVERY_SETTING)
def test_search_over_information_sets_plays_every_game(name: str, players: int) -> None:
    game = pyspiel.load_game(load_string(name, players))
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=2.0, max_simulations=4, random_state=np.random.RandomState(2))
    state, rng, decisions = game.new_initial_state(), random.Random(3), 0
    while not state.is_terminal() and decisions < 3:
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            decisions += 1
    assert decisions
