"""What was seen as numbers: parts that are told apart, sizes that are fixed, and no two pasts alike."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from interpreter import Game, State, load_text
from interpreter.knowledge.recall import (
    COLUMNS,
    KINDS,
    information_state_tensor,
    information_state_text,
    number_of_rows,
)
from interpreter.knowledge.tensors import observation_bounds, observation_tensor
from interpreter.knowledge.visibility import Sight
from tests import bundled
from tests.belief.tiny import GAMES

EVERY = [*GAMES, "chalice_and_wand", "arcanity"]

CHANCES = """cardgame 1

game "Chances"
    players 2..12
    at most 3 decisions

card Blank written "X"

deck in box
    1 of Blank

zones
    box: pile, seen by nobody

state
    depth: integer = 0
    who: player = player 1

play
    random number from -3..5
    depth = number
    random p from players
    who = p
    who chooses
        stop

result
    winners = who
"""


def named(name: str) -> Game:
    return GAMES[name] if name in GAMES else bundled.game(name)


def walk(game: Game, seed: int, steps: int = 60) -> list[State]:
    """Return the states of a random play in which chance is answered outcome by outcome."""
    state, rng = game.new_initial_state(), Random(seed)
    states = [state.clone()]
    while not state.is_terminal() and len(states) < steps:
        state.apply_action(rng.choice(state.legal_actions()))
        states.append(state.clone())
    return states


@pytest.mark.parametrize("name", EVERY)
def test_equal_information_states_have_equal_numbers_and_different_ones_different(name: str) -> None:
    game = named(name)
    seen: dict[tuple[int, str], list[float]] = {}
    numbers: dict[tuple[float, ...], tuple[int, str]] = {}
    for seed in range(3):
        for state in walk(game, seed):
            # While chance has not answered, nobody is to act, which the numbers say beside all that was seen.
            for player in () if state.is_chance_node() else range(game.num_players):
                key = (player, state.information_state_string(player))
                tensor = state.information_state_tensor(player)
                assert seen.setdefault(key, tensor) == tensor
                assert numbers.setdefault(tuple(tensor), key) == key


@pytest.mark.parametrize("name", EVERY)
def test_the_layout_is_without_gaps_and_covers_the_tensor(name: str) -> None:
    game = named(name)
    layout = game.information_state_layout()
    assert all(a[1] + a[2] == b[1] for a, b in pairwise(layout))
    assert len({part for part, _, _ in layout}) == len(layout)
    for state in walk(game, 1, 10):
        assert len(state.information_state_tensor(0)) == layout[-1][1] + layout[-1][2]


@pytest.mark.parametrize("name", EVERY)
def test_observations_lie_within_their_bounds(name: str) -> None:
    game = named(name)
    low, high = observation_bounds(game)
    assert len(low) == len(high)
    for state in walk(game, 2):
        tensor = state.observation_tensor(0)
        assert len(tensor) == len(low)
        assert all(least <= number <= most for least, number, most in zip(low, tensor, high, strict=True))


@pytest.mark.parametrize("name", EVERY)
def test_public_numbers_are_the_same_for_all_and_say_nothing_private(name: str) -> None:
    game, rng = named(name), Random(4)
    public = Sight(0, private="none")
    for state in walk(game, 3)[::7]:
        if state.is_terminal() or state.is_chance_node():
            continue
        world = state.resample_from_infostate(state.current_player(), rng, 40)
        assert observation_tensor(world, public) == observation_tensor(state, public)
        assert information_state_text(world, public) == information_state_text(state, public)
        assert information_state_tensor(world, public) == information_state_tensor(state, public)


@pytest.mark.parametrize("name", EVERY)
def test_what_a_player_sees_is_what_all_see_and_what_is_private(name: str) -> None:
    game = named(name)
    width = 1 + game.num_faces
    for state in walk(game, 5):
        for player in range(game.num_players):
            whole, public, private = (
                observation_tensor(state, sight)
                for sight in (Sight(player), Sight(player, private="none"), Sight(player, public=False))
            )
            first = 2 * game.num_players
            for place in range(game.num_places):
                cells = slice(first + place * width, first + (place + 1) * width)
                assert whole[cells] == [a + b for a, b in zip(public[cells], private[cells], strict=True)]
            assert whole == state.observation_tensor(player)


def test_what_all_players_know_together_is_what_each_knows() -> None:
    state = GAMES["poker"].new_initial_state()
    state.resolve_chance(Random(1))
    hands = [state.information_state_string(player).splitlines()[2 + player] for player in (0, 1)]
    told = information_state_text(state, Sight(0, private="all"))
    everybody = information_state_text(state, Sight(0, private="none"))
    assert all(line in told for line in hands)
    assert not any(line in everybody for line in hands)
    assert "1 card" in everybody


def test_only_private_things_are_reported_where_what_all_see_is_left_out() -> None:
    state = GAMES["poker"].new_initial_state()
    state.resolve_chance(Random(1))
    state.apply_action(state.string_to_action("bet"))
    told = information_state_text(state, Sight(0, public=False))
    assert "bet" not in told
    assert told.splitlines()[1:] == state.information_state_string(0).splitlines()[2:3]


def test_a_play_that_goes_another_way_is_reported_anew() -> None:
    """Copies of a play share what was made of its log, so one must not be told the other's events."""
    state = GAMES["poker"].new_initial_state()
    state.resolve_chance(Random(1))
    bet, check = state.clone(), state.clone()
    bet.apply_action(bet.string_to_action("bet"))
    check.apply_action(check.string_to_action("check"))
    told = [s.information_state_string(0) for s in (bet, check, bet, check)]
    assert told[0] == told[2] != told[1] == told[3]


def test_the_rows_say_what_happened() -> None:
    game = GAMES["poker"]
    state = game.new_initial_state()
    state.resolve_chance(Random(1))
    state.apply_action(state.string_to_action("bet"))
    start, size = next((at, size) for name, at, size in game.information_state_layout() if name == "seen events")
    numbers = state.information_state_tensor(1)[start : start + size]
    assert size == number_of_rows(game) * len(COLUMNS)
    rows = [dict(zip(COLUMNS, numbers[n : n + len(COLUMNS)], strict=True)) for n in range(0, size, len(COLUMNS))]
    rows = [row for row in rows if row["kind"]]
    kinds = [KINDS[int(row["kind"]) - 1] for row in rows]
    assert kinds == ["shuffle", "move", "move", "decision", "change"]
    assert [row["card"] for row in rows[1:3]] == [0.0, 1.0 + state.observation(1).zones[2].cards[0]]  # type: ignore[operator]
    assert (rows[3]["player"], rows[3]["value"]) == (1.0, game.texts.verbs["bet"])


@pytest.mark.parametrize("players", [2, 12])
def test_a_bound_on_chance_counts_players_and_numbers_below_zero(players: int) -> None:
    game = load_text(CHANCES, players)
    state = game.new_initial_state()
    numbers = state.chance_outcomes()
    assert [outcome for outcome, _ in numbers] == list(range(-3, 6))
    state.apply_action(-3)
    assert len(state.chance_outcomes()) == players
    assert game.max_chance_outcomes == max(len(numbers), players)
