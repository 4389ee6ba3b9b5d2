"""OpenSpiel's own tests, on every game that comes with the program."""

from __future__ import annotations

import random
import unittest
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import sample_some_states

from interpreter.adapters import openspiel
from tests.adapters import playthroughs
from tests.adapters.settings import EVERY_SETTING, load_string, soak_only

FEW_STATES = 20
MANY_STATES = 400
FULL_TREES = [
    ("kuhn_poker", 2, "kuhn_poker"),
    ("kuhn_poker", 3, "kuhn_poker3p"),
    pytest.param("leduc_poker", 2, "leduc_poker", marks=pytest.mark.soak),
]
"""Our game, its players, and the name under which OpenSpiel's test has the numbers of nodes."""


def run(base: type[Any], only: str = "", **fields: Any) -> None:
    """Run a class of their tests, of which OpenSpiel makes one for each of its games, on a game of ours."""
    made = type(base.__name__, (base,), fields)
    cases = [made(name) for name in unittest.defaultTestLoader.getTestCaseNames(made) if only in name]
    assert cases
    result = unittest.TestResult()
    unittest.TestSuite(cases).run(result)
    assert result.testsRun == len(cases)
    assert [text for _, text in (*result.failures, *result.errors)] == []


def theirs(module: str) -> Any:
    """Return a module of their tests.  They import SciPy, which would be half of what it takes to collect all tests."""
    return import_module(f"open_spiel.{module}")


def partial_tree(name: str, players: int, states: int) -> None:
    game = pyspiel.load_game(load_string(name, players))
    random.seed(f"{name}/{players}")
    api_test = theirs("integration_tests.api_test")

    def sampled(cls: Any) -> None:
        super(api_test.EnforceAPIOnPartialTreeBase, cls).setUpClass()
        cls.some_states = sample_some_states.sample_some_states(cls.game, max_states=states)
        cls.game_type = cls.game.get_type()

    fields = {"game": game, "game_name": game.get_type().short_name, "setUpClass": classmethod(sampled)}
    run(api_test.EnforceAPIOnPartialTreeBase, **fields)


# Plays with decisions at once are long; PettingZoo's tests play them too.
@pytest.mark.parametrize(
    ("name", "players"), [soak_only(*p.values) if p.values[0] == "arcanity" else p for p in EVERY_SETTING]
)
def test_random_simulations_in_cpp_find_nothing_wrong(name: str, players: int) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(load_string(name, players)), num_sims=1, serialize=True, verbose=False)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players"), EVERY_SETTING)
def test_random_simulations_in_python_find_nothing_wrong(name: str, players: int) -> None:
    np.random.seed(players)
    theirs("python.tests.games_sim_test").GamesSimTest().sim_game(pyspiel.load_game(load_string(name, players)))


@pytest.mark.parametrize(("name", "players"), EVERY_SETTING)
def test_some_states_of_the_tree_obey_the_interface(name: str, players: int) -> None:
    partial_tree(name, players, FEW_STATES)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players"), EVERY_SETTING)
def test_many_states_of_the_tree_obey_the_interface(name: str, players: int) -> None:
    partial_tree(name, players, MANY_STATES)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players"), EVERY_SETTING)
def test_playthroughs_regenerate_in_another_process(name: str, players: int, tmp_path: Path) -> None:
    for file in playthroughs.written_elsewhere([(name, players)], tmp_path):
        expected, actual = playthroughs.again(file)
        assert expected == actual
        assert "IsTerminal() = True" in expected


@pytest.mark.parametrize(("name", "players", "called"), FULL_TREES)
def test_every_state_of_a_small_game_obeys_the_interface(name: str, players: int, called: str) -> None:
    """Their numbers of nodes too: chance asks for no card that nobody sees."""
    game = pyspiel.load_game(load_string(f"classics/{name}", players))
    assert isinstance(game, openspiel.CardGame)
    run(theirs("integration_tests.api_test").EnforceAPIOnFullTreeBase, game=game, game_name=called)
