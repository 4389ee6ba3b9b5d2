"""The vector environment keeps Gymnasium's contract, beside its own `SyncVectorEnv` on the same spaces and wrappers."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from interpreter import IllegalActionError
from interpreter.adapters.gymnasium import VectorEnvironment, vector_env
from interpreter.loader import bundled_games
from tests import bundled
from tests.native.test_c import needs_compiler

pytestmark = needs_compiler

PLAYS = 5


class Still(gymnasium.Env[Any, Any]):
    """An environment of the same spaces in which nothing happens, for Gymnasium to put side by side."""

    def __init__(self, envs: VectorEnvironment) -> None:
        self.observation_space = envs.single_observation_space
        self.action_space = envs.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        return np.zeros(self.observation_space.shape or (), np.float32), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        del action
        return np.zeros(self.observation_space.shape or (), np.float32), 0.0, False, False, {}


def keeps_the_contract(envs: VectorEnvironment, steps: int) -> int:
    """Step at random, and hold all that is told beside Gymnasium's own; return how many plays ended."""
    theirs = SyncVectorEnv([lambda: Still(envs)] * PLAYS)
    assert envs.observation_space == theirs.observation_space
    assert envs.action_space == theirs.action_space
    assert envs.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    (seen, infos), (their_seen, _) = envs.reset(seed=1), theirs.reset(seed=1)
    assert (seen.shape, seen.dtype) == (their_seen.shape, their_seen.dtype)
    theirs_stepped, over, ends = theirs.step(theirs.action_space.sample()), np.zeros(PLAYS, np.bool_), 0
    for _ in range(steps):
        actions = envs.sample()
        assert infos["action_mask"][np.arange(PLAYS), actions][~over].all()
        assert envs.action_space.contains(actions)
        told: Any = envs.step(actions)
        stepped, infos = told[:4], told[4]
        assert [(s.shape, s.dtype) for s in stepped] == [(s.shape, s.dtype) for s in theirs_stepped[:4]]
        assert envs.observation_space.contains(stepped[0])
        ended = stepped[2] | stepped[3]
        assert not (ended & over).any(), "the step behind an end begins a play"
        assert not stepped[1][~ended].any()
        assert (infos["action_mask"].any(axis=1) == ~ended).all()
        over, ends = ended, ends + int(ended.sum())
    envs.close()
    return ends


@pytest.mark.parametrize("name", ["classics/kuhn_poker", pytest.param("classics/hearts", marks=pytest.mark.soak)])
def test_it_keeps_the_contract_from_every_seat(name: str) -> None:
    game = bundled.game(name)
    for seat in range(game.num_players):
        assert keeps_the_contract(VectorEnvironment(game, PLAYS, seat=seat), 60) > 0


@pytest.mark.soak
@pytest.mark.parametrize("name", bundled_games())
def test_it_keeps_the_contract_in_every_game(name: str) -> None:
    game = bundled.game(name)
    for seat in range(game.num_players):
        keeps_the_contract(VectorEnvironment(game, PLAYS, seat=seat), 3_000)


def test_only_the_seat_decides_and_gets_its_returns() -> None:
    game = bundled.game("classics/kuhn_poker")
    for seat in range(2):
        plays = game.vector(200, 3, seat=seat)
        for _ in range(20):
            assert set(plays.current_player.tolist()) <= {seat, -4}
            assert (plays.current_player < 0).tolist() == (plays.terminated | plays.truncated).tolist()
            assert (plays.observations(seat)[:, seat] == 1).all()
            plays.step(plays.sample())
            assert not plays.rewards.sum(axis=1).any()


def test_the_same_seed_gives_the_same_plays_and_without_one_they_go_on() -> None:
    envs = vector_env("classics/kuhn_poker", PLAYS)
    first, again, further = (envs.reset(seed=seed)[0] for seed in (3, 3, None))
    assert np.array_equal(first, again)
    assert not np.array_equal(again, further)
    assert np.array_equal(further, (envs.reset(seed=3), envs.reset())[1][0])


def test_what_is_returned_is_not_changed_by_the_next_step() -> None:
    envs = vector_env("classics/kuhn_poker", PLAYS)
    envs.reset(seed=1)
    told = envs.step(envs.sample())
    before = [part.tobytes() for part in (*told[:4], told[4]["action_mask"])]
    for _ in range(5):
        envs.step(envs.sample())
    assert before == [part.tobytes() for part in (*told[:4], told[4]["action_mask"])]


def test_wrappers_of_gymnasium_count_its_episodes() -> None:
    envs = vector_env("classics/kuhn_poker", PLAYS)
    wrapped: Any = RecordEpisodeStatistics(envs)
    wrapped.reset(seed=1)
    ends = 0
    for _ in range(20):
        _, rewards, ended, _, infos = wrapped.step(envs.sample())
        if ended.any():
            ends += 1
            assert (infos["episode"]["r"][ended] == rewards[ended]).all()
    assert ends > 0
    listed: Any = DictInfoToList(vector_env("classics/kuhn_poker", PLAYS))
    assert len(listed.reset(seed=1)[1]) == PLAYS


def test_what_is_wrong_is_said() -> None:
    game = bundled.game("classics/kuhn_poker")
    with pytest.raises(ValueError, match="there is no seat 2; they are 0 to 1"):
        VectorEnvironment(game, 2, seat=2)
    with pytest.raises(ValueError, match="there is no player 2; they are 0 to 1"):
        game.vector(2, seat=2)
    envs = VectorEnvironment(game, 2)
    with pytest.raises(ValueError, match="there are no options"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    envs.reset(seed=1)
    with pytest.raises(IllegalActionError, match="99 is not legal in play 1"):
        envs.step([int(envs.sample()[0]), 99])
