"""Every resampled world is a play by the rules in which its player has seen the same, all along."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from interpreter import Game, State, load
from interpreter.loader import bundled_games, bundled_variants
from tests.adapters.settings import short_of
from tests.bundled import player_counts

SHORTER = {
    "arcanity": {"limit": 10}, "arcanity_schools": {"limit": 10}, "arcanity_second_thoughts": {"limit": 10},
    "big_two": {"deals": 1}, "gin_rummy": {"goal": 0}, "pinochle": {"goal": 1, "loss": 1}, "rummy_500": {"goal": 1},
    "scopa": {"goal": 1}, "uno": {"goal": 1},
}  # fmt: skip
"""Options with which a play does not take many rounds that are all alike."""

PLAYS = 200
"""Plays of each spec in a long run, shared among the numbers of players."""

SETTINGS = [(name, players) for name in (*bundled_games(), *bundled_variants()) for players in player_counts(name)]
FEW = [
    (name, player_counts(name)[-1]) for name in ("arcanity", "chalice_and_wand", "classics/go_fish", "classics/hearts")
]
"""Games with decisions at once, sets of cards, requests for cards, and cards that are passed.

PettingZoo's tests draw worlds of one in which cards are put away unseen.
"""


def game_of(name: str, players: int) -> Game:
    return load(name, players=players, options={**short_of(name), **SHORTER.get(name.rpartition("/")[2], {})})


def plays(game: Game, seeds: range) -> Iterator[State]:
    """Yield every decision of random plays; chance is answered for all piles at once in even plays."""
    for seed in seeds:
        state, rng = game.new_initial_state(), Random(seed)
        while not state.is_terminal():
            if state.is_chance_node() and seed % 2 == 0:
                state.resolve_chance(rng)
                continue
            if state.current_player() >= 0:
                yield state.clone()
            state.apply_action(rng.choice(state.legal_actions()))


def own_past(state: State, player: int) -> list[tuple[str, list[float]]]:
    """Play a state's history from the start, every action legal; return what the player saw at each own decision."""
    seen = []
    again = state.game.new_initial_state()
    for actor, item in state.history():
        assert again.current_player() == actor
        if isinstance(item, int):
            assert item in again.legal_actions()
        if actor == player:
            seen.append((again.observation_string(player), again.observation_tensor(player)))
        again.apply_action(item)
    assert again == state
    assert again.information_state_string(player) == state.information_state_string(player)
    return seen


def compare(state: State, player: int, rng: Random, steps: int) -> bool:
    """Compare one world with a state; return whether it is another one."""
    world = state.resample_from_infostate(player, rng, steps)
    assert own_past(world, player) == own_past(state, player)
    again = state.game.play_history([item for _, item in world.history()])
    assert again.information_state_string(player) == state.information_state_string(player)
    assert again.information_state_tensor(player) == state.information_state_tensor(player)
    assert again.observation_string(player) == state.observation_string(player)
    assert again.current_player() == state.current_player()
    if player == state.current_player():
        assert again.legal_actions() == state.legal_actions()
    return world != state


@pytest.mark.parametrize(("name", "players"), FEW)
def test_a_world_is_a_play_in_which_its_player_has_seen_the_same(name: str, players: int) -> None:
    """Decisions early and late in a play, for the player to act and others.

    `tests/adapters/test_pettingzoo.py` draws worlds with the least number of players.
    """
    states = list(islice(plays(game_of(name, players), range(players, players + 1)), 100))
    others = 0
    for number in range(4):
        state, rng = states[(len(states) - 1) * number // 3], Random(number)
        others += compare(state, (state.current_player() + number) % players, rng, 6)
    assert others


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players"), SETTINGS)
def test_every_decision_of_many_plays_has_other_worlds(name: str, players: int) -> None:
    """Hundreds of plays of each bundled spec: every decision, for every player."""
    rng, others = Random(7), 0
    for state in plays(game_of(name, players), range(-(-PLAYS // len(player_counts(name))))):
        for player in range(players):
            others += compare(state, player, rng, 6)
    assert others
