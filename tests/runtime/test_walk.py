"""The short cuts of a walk say the same as the log does."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from interpreter import State, load_text
from interpreter.loader import bundled_games
from interpreter.runtime.belief.belief import PlayBelief
from interpreter.runtime.belief.mixing import apart, moved, rhat
from interpreter.runtime.belief.proposals import Replay
from interpreter.runtime.belief.seen import Wanted
from interpreter.runtime.belief.trajectories import Impossible, truth_of
from interpreter.runtime.belief.walk import Ground, PlayWalk
from tests.bundled import player_counts
from tests.runtime.test_belief import SEALED
from tests.runtime.test_resampling import game_of, plays


def shows_the_same(state: State, other: State, player: int) -> bool:
    """Say whether two plays show a player the same, by their logs."""
    return state.events(player) == other.events(player)


def comparisons(state: State, player: int, steps: int) -> tuple[int, int]:
    """Walk, and judge each proposal by the log as well; return how many were possible and how many were not."""
    rng = Random(3)
    walk = PlayWalk(
        Ground(state, player, truth_of(state), rng), Ground(state, player, truth_of(state), rng).world(rng), rng
    )
    possible = refused = 0
    for number in range(steps):
        proposal = walk.proposer.leap(walk.world) if number % 5 == 0 else walk.proposer.step(walk.world)
        if proposal is None:
            continue
        replay = Replay(walk.wanted, walk.world, proposal, rng)
        looks: list[bool] = []
        replay.wanted = _Noting(walk.wanted, looks)  # type: ignore[assignment]
        try:
            replay.run()
        except Impossible:
            continue
        same = shows_the_same(state, replay.trajectory.state.plain(), player)
        assert all(looks) or not same, "a table that looks otherwise is one"
        try:
            walk.world = replay.told()
        except Impossible:
            refused += 1
            continue
        assert same, "a trace that is the same shows the same"
        possible += 1
    return possible, refused


class _Noting:
    """What a player wants to see, with every table taken, and noted whether it looks as it should."""

    def __init__(self, wanted: Wanted, looks: list[bool]) -> None:
        self._wanted, self._looks = wanted, looks

    def __getattr__(self, name: str) -> object:
        return getattr(self._wanted, name)

    def looks_alike(self, turn: int, state: State) -> bool:
        """Note it."""
        self._looks.append(self._wanted.looks_alike(turn, state))
        return True


@pytest.mark.parametrize(
    "name",
    [
        "classics/love_letter",
        "wizards_duel",
        "sealed",
        *(pytest.param(n, marks=pytest.mark.soak) for n in bundled_games()),
    ],
)
def test_what_a_walk_takes_for_the_same_is_the_same_by_the_log(name: str) -> None:
    game = load_text(SEALED) if name == "sealed" else game_of(name, player_counts(name)[0])
    states = list(islice(plays(game, range(2, 3)), 40))
    taken = [comparisons(state, state.current_player(), 25) for state in states[len(states) // 2 :: len(states) // 2]]
    assert sum(possible for possible, _ in taken) >= 3


def test_walks_that_went_different_ways_have_not_mixed() -> None:
    rng = Random(1)
    apart_for_good = [[[walk + rng.random()] for _ in range(40)] for walk in range(4)]
    together = [[[rng.random()] for _ in range(40)] for _ in range(4)]
    assert rhat(apart_for_good) > 2 > 1.2 > rhat(together) >= 1
    assert apart(together) <= 4


def test_what_is_remembered_long_is_far_apart() -> None:
    rng = Random(2)
    walks = [
        [[float(step // 10 * 0.618 * (number + 1) % 1 + rng.random() / 100)] for step in range(80)]
        for number in range(4)
    ]
    assert apart(walks) >= 5


def test_features_that_never_vary_say_nothing() -> None:
    assert (rhat([[[1.0]] * 8] * 4), apart([[[1.0]] * 8] * 4)) == (1.0, 1)


def test_walks_that_never_moved_are_told_from_walks_that_agree() -> None:
    still, walking = [[1.0, 2.0]] * 8, [[1.0, float(step % 2)] for step in range(8)]
    assert not moved([still] * 4)
    assert moved([still, still, still, walking])


def test_walks_of_a_first_decision_stay_where_the_player_sees_the_same() -> None:
    """No turn lies behind them in front of which the table could be compared, so it is compared at the end."""
    state = next(plays(game_of("classics/hearts", 4), range(1)))
    kept = PlayBelief(state, state.current_player(), Random(1))
    assert kept.mixing.reached
    hand = sorted(state.zones[1 + state.current_player()])
    assert all(sorted(walk.world.trajectory.state.zones[1 + state.current_player()]) == hand for walk in kept._walks)
