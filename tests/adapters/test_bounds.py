"""What OpenSpiel is told of payoffs, outcomes and lengths holds in every play."""

from __future__ import annotations

from math import isfinite
from random import Random
from typing import Any

import pyspiel
import pytest

from interpreter import load, load_text
from interpreter.adapters import openspiel
from tests.adapters.settings import EVERY_SETTING, load_string
from tests.belief.tiny import POKER

PLAYS = 40
MANY_PLAYS = 400
WALKS = 2


def paid_within(game: Any, plays: int) -> None:
    low, high = game.min_utility(), game.max_utility()
    assert isfinite(low)
    assert isfinite(high)
    assert low < high
    for returns in game.rules.random_playouts(plays, f"{game}").returns:
        assert all(low <= paid <= high for paid in returns)


@pytest.mark.parametrize(("name", "players"), EVERY_SETTING)
def test_payoffs_are_bounded_and_no_play_pays_more(name: str, players: int) -> None:
    paid_within(pyspiel.load_game(load_string(name, players)), PLAYS)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players"), EVERY_SETTING)
def test_many_plays_pay_no_more_than_the_bounds(name: str, players: int) -> None:
    paid_within(pyspiel.load_game(load_string(name, players)), MANY_PLAYS)


@pytest.mark.parametrize(
    "limit", [1, pytest.param(50, marks=pytest.mark.soak), pytest.param(200, marks=pytest.mark.soak)]
)
def test_whole_games_of_hearts_with_all_bonuses_pay_within_the_bounds(limit: int) -> None:
    paid_within(pyspiel.load_game(f"cardgame_hearts(limit={limit},jd_bonus=True,avoid_all_tricks_bonus=True)"), 20)


@pytest.mark.parametrize(("name", "players"), EVERY_SETTING)
def test_actions_outcomes_and_lengths_stay_below_their_bounds(name: str, players: int) -> None:
    """OpenSpiel writes beyond its memory where there are more outcomes than it was told."""
    game = pyspiel.load_game(load_string(name, players))
    rng = Random(players)
    for _ in range(WALKS):
        state, decisions, chances = game.new_initial_state(), 0, 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                assert sum(chance for _, chance in outcomes) == pytest.approx(1.0)
                assert all(0 <= outcome < game.max_chance_outcomes() for outcome, _ in outcomes)
                chances += 1
            else:
                assert all(0 <= action < game.num_distinct_actions() for action in state.legal_actions())
                decisions += 1
            state.apply_action(rng.choice(state.legal_actions()))
        assert decisions <= game.max_game_length()
        assert chances <= game.max_chance_nodes_in_history()


@pytest.mark.parametrize(
    ("name", "players", "options", "bounds"),
    [
        ("classics/big_two", 4, {"deals": 3}, (-117, 351)),
        ("classics/gin_rummy", 2, {"goal": 0}, (-200, 200)),
        ("classics/tichu", 4, {"deals": "one"}, (-825, 825)),
    ],
)
def test_bounds_of_scores_follow_the_options(
    name: str, players: int, options: dict[str, Any], bounds: tuple[float, float]
) -> None:
    assert load(name, players, options).utility_range == bounds


def test_payoffs_that_a_spec_does_not_bound_are_infinite(tmp_path: Any) -> None:
    text = POKER.replace("stake: 1..2", "stake: integer")
    assert load_text(text).utility_range == (float("-inf"), float("inf"))
    path = tmp_path / "unbounded.cardgame"
    path.write_text(text)
    game = openspiel.load_game(path)
    assert (game.min_utility(), game.max_utility()) == (float("-inf"), float("inf"))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
