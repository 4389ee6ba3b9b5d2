"""The particle filter weighs worlds as the exact belief does, and says where it has degenerated."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise, product
from random import Random
from statistics import mean, stdev

import pytest

from interpreter import Belief, State, load
from interpreter.belief import enumeration, particle_filter
from interpreter.belief.evidence import Shuffle
from interpreter.belief.particle_filter import ParticleFilter, dealt
from interpreter.engine.faults import NoWorldError
from interpreter.engine.interruption import until
from tests.belief.beliefs import Key, belief, key
from tests.belief.test_belief import decisions
from tests.belief.test_truth_invariance import GAMES, exact_states

BATCHES = 10
"""How many filters are run at a position; their estimates are independent."""

LIMIT = 5.0
"""Standard errors that chance is allowed; the seeds are fixed, so this either holds or does not."""


@pytest.fixture
def in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let beliefs be neither enumerated nor walked in C."""
    monkeypatch.setattr(enumeration, "MOST", 0)
    monkeypatch.setenv("CARDGAME_NATIVE", "off")


def estimates(state: State, player: int, work: int, monkeypatch: pytest.MonkeyPatch) -> list[dict[Key, float]]:
    """Return the share of each world by some independent filters."""
    monkeypatch.setattr(particle_filter, "PARTICLES", 100)
    monkeypatch.setattr(particle_filter, "ENOUGH", float("inf"))
    monkeypatch.setattr(particle_filter, "WORK", work)
    found = []
    for seed in range(BATCHES):
        shares: dict[Key, float] = defaultdict(float)
        for world, share in ParticleFilter(state, player, Random(seed)).weighted():
            shares[key(world)] += share
        found.append(shares)
    return found


@pytest.mark.parametrize(
    ("name", "positions", "work"),
    [
        ("boast", 1, 300),
        *(pytest.param(name, 4, 3000, marks=pytest.mark.soak) for name in GAMES if not name.startswith("short")),
    ],
)
def test_weights_of_worlds_agree_with_the_exact_belief(
    name: str, positions: int, work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0
    game = GAMES[name]()
    for state, player in product(exact_states(game, positions), range(game.num_players)):
        exact = belief(state, player)
        found = [shares for shares in estimates(state, player, work, monkeypatch) if shares]
        assert found
        assert all(world in exact for shares in found for world in shares)
        if len(found) < BATCHES or len(exact) == 1:
            continue  # Where some have degenerated, too few particles survive to judge their shares.
        for world, share in exact.items():
            values = [shares.get(world, 0.0) for shares in found]
            error = max(stdev(values), 0.01) / BATCHES**0.5
            assert abs(mean(values) - share) < LIMIT * error + 0.01, f"{name}, player {player + 1}: {world}"
            compared += 1
    assert compared


def test_a_shuffle_is_dealt_with_the_odds_that_its_weight_says() -> None:
    """The mixture over what is dealt, divided by the odds, is the uniform distribution."""
    shuffle, learned, rng = Shuffle(tuple((1, token) for token in range(4)), (0, 0, 1, 2)), {1: 0, 3: 2}, Random(1)
    weights: dict[tuple[int, ...], float] = defaultdict(float)
    for _ in range(20_000):
        faces, odds = dealt(shuffle, learned, rng)
        weights[tuple(faces)] += 2.718281828459045**-odds
    assert len(weights) == 12
    assert all(abs(weight / 20_000 - 1 / 12) < 0.02 for weight in weights.values())


@pytest.mark.usefixtures("in_python")
def test_worlds_of_a_filter_are_plays_that_look_the_same_also_while_a_play_waits_for_chance() -> None:
    game = load("classics/leduc_poker")
    state, rng = game.new_initial_state(), Random(4)
    waiting = 0
    while not state.is_terminal():
        waiting += state.is_chance_node()
        for player in (0, 1):
            for world in Belief(state, player, 3).draw(3):
                assert world.information_state_string(player) == state.information_state_string(player)
                assert world.current_player() == state.current_player()
                assert game.play_history([item for _, item in world.history()]) == world
        state.apply_action(rng.choice(state.legal_actions()))
    assert waiting >= 3


@pytest.mark.usefixtures("in_python")
def test_particles_go_on_when_more_has_happened() -> None:
    states = list(decisions(load("classics/kuhn_poker"), range(3), whole=True))
    for before, after in pairwise(states):
        if after.num_actions != before.num_actions + 1:
            continue
        kept = Belief(before, 0)
        assert kept.draw(2)
        kept.advance(after)
        assert kept.mixing.method == "particles"
        assert kept.mixing.effective > 1
        assert all(w.information_state_string(0) == after.information_state_string(0) for w in kept.draw(4))


@pytest.mark.usefixtures("in_python")
def test_a_filter_that_has_degenerated_says_so_and_has_no_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The true play is never given out as if it had been drawn."""
    monkeypatch.setattr(particle_filter, "UNINFORMED", 1.0)
    monkeypatch.setattr(particle_filter, "WORK", 100)
    state = next(s for s in decisions(load("classics/hearts"), range(1), whole=True) if s.num_actions == 20)
    kept = Belief(state, state.current_player())
    assert (kept.mixing.reached, kept.mixing.particles, kept.draw(2)) == (False, 0, [])
    with pytest.raises(NoWorldError, match=r"cardgame\[native\]"):
        state.resample_from_infostate(state.current_player(), Random(1))


@pytest.mark.usefixtures("in_python")
def test_a_filter_that_is_interrupted_gives_no_worlds() -> None:
    state = list(decisions(load("classics/leduc_poker"), range(1), whole=True))[-1]
    with until(lambda _: True):
        assert Belief(state, 0).draw(1) == []
    assert Belief(state, 0).draw(1)
