"""Beliefs where the number of unseen draws depends on a secret: every number is a possible world."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import pytest

from interpreter import Belief, Game, State, load_text
from interpreter.belief import enumeration
from tests.belief.beliefs import belief, key
from tests.belief.tiny import ROLL_OR_KEEP

LIMIT = 4.0
"""Standard deviations that chance is allowed; the seeds are fixed."""


def _ends(seeds: range) -> list[State]:
    """Return positions at which player 2 decides."""
    game: Game = load_text(ROLL_OR_KEEP)
    found = []
    for seed in seeds:
        state, rng = game.new_initial_state(), Random(seed)
        state.resolve_chance(rng)
        while state.current_player() != 1:
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            state.resolve_chance(rng)
        found.append(state)
    return found


def test_enumerated_worlds_have_every_number_of_draws() -> None:
    for state in _ends(range(4)):
        exact = belief(state, 1)
        found = Belief(state, 1)
        assert found.exact
        worlds: dict[object, float] = defaultdict(float)
        for world, share in found.worlds(1000) or ():
            worlds[key(world)] += share
        assert worlds == pytest.approx({world: float(share) for world, share in exact.items()})


@pytest.mark.parametrize("native", [pytest.param(True, marks=pytest.mark.soak), False])
def test_sampled_worlds_have_every_number_of_draws(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "MOST", 0)
    if not native:
        monkeypatch.setenv("CARDGAME_NATIVE", "off")
    state = _ends(range(1))[0]
    exact = belief(state, 1)
    found: Counter[object] = Counter()
    for seed in range(20):
        drawn = Belief(state, 1, seed)
        assert drawn.mixing.method == "particles"
        found.update(key(world) for world in drawn.draw(30))
    total = sum(found.values())
    assert total == 600
    assert found.keys() <= exact.keys()
    for world, share in exact.items():
        error = (float(share) * (1 - float(share)) / 200) ** 0.5  # 20 filters of some ten independent particles.
        assert abs(found[world] / total - share) < LIMIT * error, world


def test_a_resampled_world_does_not_depend_on_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "MOST", 0)
    alike: dict[str, list[State]] = defaultdict(list)
    for state in _ends(range(40)):
        alike[state.information_state_string(1)].append(state)
    states = next(found for found in alike.values() if len({len(state.history()) for state in found}) > 1)
    first, second = min(states, key=_draws), max(states, key=_draws)
    shares = [
        sum(_draws(state.resample_from_infostate(1, Random(seed))) for seed in range(60)) / 60
        for state in (first, second)
    ]
    assert abs(shares[0] - shares[1]) < LIMIT * (2 * 1.5 / 60) ** 0.5


def _draws(state: State) -> int:
    return sum(player < 0 for player, _ in state.history())
