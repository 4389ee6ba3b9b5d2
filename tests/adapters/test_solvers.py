"""OpenSpiel's algorithms on our games: equilibria of small ones, search in all of them."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, ismcts, mcts

from interpreter.adapters import openspiel
from tests.adapters import playthroughs
from tests.adapters.settings import EVERY_SETTING, load_string

KUHN = str(openspiel.load_game("classics/kuhn_poker"))
LEDUC = str(openspiel.load_game("classics/leduc_poker"))
KUHN_VALUE = -1 / 18
"""What the first player of Kuhn poker wins on average when both play best."""


def test_cfr_solves_kuhn_poker() -> None:
    game = pyspiel.load_game(KUHN)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.exploitability(game, policy) < 0.01
    first, second = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert first == pytest.approx(KUHN_VALUE, abs=0.002)
    assert first == -second


@pytest.mark.parametrize(("load", "iterations"), [(KUHN, 100), pytest.param(LEDUC, 200, marks=pytest.mark.soak)])
def test_cfr_in_cpp_solves_small_games_whose_tree_is_kept(load: str, iterations: int) -> None:
    game = pyspiel.convert_to_cached_tree(pyspiel.load_game(load))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(game, solver.average_policy()) < 0.01


def searched(load: str, simulations: int, most: int) -> tuple[int, bool]:
    """Let a bot of OpenSpiel decide for everybody; return how often, and whether the play came to its end."""
    game = pyspiel.load_game(load)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game, evaluator, uct_c=2.0, max_simulations=simulations, random_state=np.random.RandomState(2)
    )
    state, rng, decisions = game.new_initial_state(), random.Random(3), 0
    while not state.is_terminal() and decisions < most:
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            decisions += 1
    return decisions, state.is_terminal()


LONG = ("wizards_duel", "arcanity", "wizards_grimoire", "classics/hearts")


# Where a walk has to mix first, a search of others that asks for single worlds takes its time: those play in the soak.
@pytest.mark.parametrize(("name", "players"), [setting for setting in EVERY_SETTING if setting.values[0] not in LONG])
def test_search_over_information_sets_plays_games(name: str, players: int) -> None:
    decisions, ended = searched(load_string(name, players), 2, 1)
    assert decisions == 1 or ended


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players"), EVERY_SETTING)
def test_search_over_information_sets_plays_every_game_to_its_end(name: str, players: int) -> None:
    assert searched(playthroughs.told(name, players), 2, 10_000)[1]


CPP_BOT = """
import pyspiel
import open_spiel.python.games.kuhn_poker
from interpreter.adapters import openspiel

for name in ("kuhn_poker", "{name}"):
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    rollouts = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = {bot}
    print(bot.step(state) in state.legal_actions(), flush=True)
"""


@pytest.mark.soak
@pytest.mark.parametrize(
    "bot",
    [
        "pyspiel.MCTSBot(game, rollouts, 2.0, 9, 9, False, 1, False)",
        "pyspiel.ISMCTSBot(1, rollouts, 2.0, 9, -1, pyspiel.ISMCTSFinalPolicyType.MAX_VALUE, False, False)",
    ],
    ids=["mcts", "ismcts"],
)
def test_bots_in_cpp_step_through_our_games_no_more_than_through_other_games_in_python(bot: str) -> None:
    """They end the process.  If one day they do not, the page need not warn of them."""
    for name in ("python_kuhn_poker", "cardgame_kuhn_poker"):
        code = CPP_BOT.format(name=name, bot=bot)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        # The game in C++ is played.
        assert done.stdout == "True\n"
        assert done.returncode != 0
