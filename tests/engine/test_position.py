"""States share a position's key only if everything that can still matter is equal."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest

from interpreter import Game, State, load_text
from tests import bundled

KEPT = """cardgame 1

# What the first has chosen lies on no table until both have.
game "Kept"
    players 2
    at most 20 decisions

card Blank written "X"

deck in box
    1 of Blank

zones
    box: pile, seen by nobody

state
    points[player]: 0..60 = 0

play
    for round in 1..2
        at once p in players
            p chooses
                bid n from 1..3: points[p] += n
        for p in players
            p chooses
                raise: points[p] += 10
                stay

result
    score p = points[p]
"""


def decisions(game: Game, seeds: range) -> list[State]:
    """Return the decisions of some random plays."""
    found = []
    for seed in seeds:
        state, rng = game.new_initial_state(), Random(seed)
        while not state.is_terminal():
            state.resolve_chance(rng)
            if not state.is_terminal():
                found.append(state.clone())
                state.apply_action(rng.choice(state.legal_actions()))
    return found


def future(state: State, seed: int) -> list[object]:
    """Return what comes of a state in one way of playing on: who may do what, and how it ends."""
    state, rng = state.clone(), Random(seed)
    told: list[object] = []
    while not state.is_terminal():
        legal = [*state.legal_actions()]
        told.append((state.current_player(), legal, state.prompt()))
        state.apply_action(rng.choice(legal))
    return [*told, state.returns()]


def groups(states: list[State]) -> list[list[State]]:
    """Return states by their keys."""
    found = defaultdict(list)
    for state in states:
        found[state.position_key()].append(state)
    return list(found.values())


@pytest.mark.parametrize("name", ["classics/kuhn_poker", "classics/leduc_poker"])
def test_states_with_one_key_have_one_future(name: str) -> None:
    """Whatever led to it: the same actions, answered alike by chance, are legal and end alike."""
    shared = [group for group in groups(decisions(bundled.game(name), range(60))) if len(group) > 1]
    assert len(shared) >= 2
    for group in shared[:40]:
        for seed in range(2):
            assert future(group[0], seed) == future(group[-1], seed)


def test_ways_that_lead_to_one_position_have_one_key() -> None:
    game = load_text(KEPT, 2)
    assert len({tuple(state.entries) for state in decisions(game, range(80))}) > len(groups(decisions(game, range(80))))
    for group in groups(decisions(game, range(80))):
        assert len({str(future(state, 1)) for state in group}) == 1


def test_hidden_state_distinguishes_positions() -> None:
    """A key of the table alone takes all first bids for one."""
    game = load_text(KEPT, 2)
    bids = []
    for action in game.new_initial_state().legal_actions():
        state = game.new_initial_state()
        state.apply_action(action)
        bids.append(state)
    assert len({state.observation_string(1) for state in bids}) == 1
    assert len({state.position_key() for state in bids}) == 3


def test_the_place_in_a_loop_distinguishes_positions() -> None:
    """The first turn of the second round is not that of the first, though the table is the same."""
    game = load_text(KEPT.replace("bid n from 1..3: points[p] += n", "nod"), 2)
    state = game.new_initial_state()
    keys = set()
    while not state.is_terminal():
        keys.add(state.position_key()[1:2] + state.position_key()[3:])
        state.apply_action(state.legal_actions()[-1])
    assert len(keys) == state.num_actions
