"""Convergence diagnostics of walks: split-R-hat and batch means."""

from __future__ import annotations

from random import Random

from interpreter.belief.mixing import rhat, steps_between_worlds


def test_walks_that_went_different_ways_have_not_mixed() -> None:
    rng = Random(1)
    apart_for_good = [[[walk + rng.random()] for _ in range(40)] for walk in range(4)]
    together = [[[rng.random()] for _ in range(40)] for _ in range(4)]
    assert rhat(apart_for_good) > 2 > 1.2 > rhat(together) >= 1
    assert steps_between_worlds(together) <= 4


def test_a_long_autocorrelation_gives_distant_samples() -> None:
    rng = Random(2)
    walks = [
        [[float(step // 10 * 0.618 * (number + 1) % 1 + rng.random() / 100)] for step in range(80)]
        for number in range(4)
    ]
    assert steps_between_worlds(walks) >= 5


def test_features_that_never_vary_say_nothing() -> None:
    assert (rhat([[[1.0]] * 8] * 4), steps_between_worlds([[[1.0]] * 8] * 4)) == (1.0, 1)
