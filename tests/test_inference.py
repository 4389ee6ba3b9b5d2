"""Intervals and tests are those of the textbooks, and hold what they promise."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction

import pytest

from interpreter import inference
from interpreter.inference import Ratio
from tests.simulate.peers import balances


def test_wilson_intervals_are_the_known_ones() -> None:
    found = inference.wilson(50, 100)
    assert (found.value, found.low, found.high) == pytest.approx((0.5, 0.403832, 0.596168), abs=1e-6)
    assert inference.wilson(0, 10).low == 0
    assert inference.wilson(0, 10).high == pytest.approx(0.277533, abs=1e-5)
    assert inference.wilson(10, 10).high == 1


@pytest.mark.parametrize(
    ("x", "freedom", "chance"),
    [(3.841459, 1, 0.05), (5.991465, 2, 0.05), (7.814728, 3, 0.05), (9.487729, 4, 0.05), (30, 7, 9.495973e-5)],
)
def test_chi_squared_is_that_of_the_tables(x: float, freedom: int, chance: float) -> None:
    assert inference.chi_squared_above(x, freedom) == pytest.approx(chance, rel=1e-5)


def test_quantiles_are_ranks_with_intervals_of_ranks() -> None:
    found = inference.quantile(Counter(range(1, 101)), 0.5)
    assert (found.value, found.low, found.high) == (50, 40, 61)
    assert inference.quantile(Counter({7: 1000}), 0.05).value == 7


def test_ratios_take_the_seats_of_one_play_together() -> None:
    # Two seats that always win and lose together are one observation a play, not two.
    together = Ratio()
    for number in range(100):
        together.add(2 * (number % 2), 2)
    found = inference.ratio(together)
    assert found.value == 0.5
    fewer = 100 - inference.Z**2  # As many plays as Fieller's interval reckons with.
    assert found.high - found.low == pytest.approx(2 * inference.Z * 0.5 / math.sqrt(fewer))
    assert inference.ratio(Ratio(1, 2, 1, 2, 4)).high == math.inf


def test_a_ratio_that_is_the_same_in_all_plays_has_an_interval_without_width() -> None:
    same = Ratio()
    for number in range(1, 1000):
        same.add(7 * number, 3 * number)
    assert inference.ratio(same) == inference.Estimate(7 / 3, 7 / 3, 7 / 3)


def test_equal_pairs_agree_wholly_and_independent_ones_not_at_all() -> None:
    assert inference.agreement(Counter({((1, 0), (1, 0)): 50, ((0, 1), (0, 1)): 50})) == inference.Estimate(1, 1, 1)
    fair = Counter({(a, b): 25 for a in ((1, 0), (0, 1)) for b in ((1, 0), (0, 1))})
    found = inference.agreement(fair)
    assert found is not None
    assert found.value == 0
    assert not found.excludes(0)
    assert inference.agreement(Counter({((1, 1), (1, 1)): 9})) is None


def test_seats_of_a_fair_game_are_rarely_called_different() -> None:
    rng = random.Random(5)
    for seats in (2, 4):
        alarms = 0
        for _ in range(400):
            wins = Counter(rng.randrange(seats) for _ in range(300))
            shares = Counter({tuple(int(s == won) for s in range(seats)): n for won, n in wins.items()})
            alarms += inference.all_alike(shares, 1) < 0.05
        assert alarms <= 400 * 0.05 + 3 * math.sqrt(400 * 0.05 * 0.95)
        assert alarms >= 5


def test_shared_wins_weigh_less_than_whole_ones() -> None:
    whole = Counter({(2, 0): 60, (0, 2): 40})
    shared = Counter({(2, 0): 60, (0, 2): 40, (1, 1): 900})
    # Draws neither hide a difference nor make one: the test asks of those who won.
    assert inference.all_alike(whole, 2) == pytest.approx(inference.all_alike(shared, 2), abs=0.002)
    assert inference.all_alike(Counter({(1, 1): 100}), 2) == 1


def test_holm_corrects_the_least_most() -> None:
    assert inference.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert inference.holm([]) == []


def test_a_number_without_an_interval_calls_fair_games_unfair() -> None:
    # Ludii's Balance of a fair game of two, at 100 plays, as docs/simulate.md says.
    found = balances(2, runs=500)
    assert sum(found) / len(found) == pytest.approx(0.92, abs=0.01)
    assert max(balances(4, runs=200)) < 1


def test_the_sign_test_is_exact() -> None:
    assert inference.sign_test(0, 0) == inference.sign_test(4, 4) == 1
    assert inference.sign_test(5, 0) == inference.sign_test(0, 5) == 2 / 32
    assert inference.sign_test(8, 2) == pytest.approx(2 * (1 + 10 + 45) / 1024)


def test_intervals_are_those_of_student() -> None:
    """Quantiles as in every table of them."""
    for freedom, quantile in {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 1000: 1.962}.items():
        assert inference.t_quantile(freedom) == pytest.approx(quantile, rel=0.01)
    assert inference.student([Fraction(3)]) == (3.0, math.inf)
    assert inference.student([Fraction(1, 3)] * 7) == (1 / 3, 0.0)
    mean, half = inference.student([Fraction(x) for x in (1, 2, 3, 4)])
    assert mean == 2.5
    assert half == pytest.approx(3.182 * (5 / 3 / 4) ** 0.5, rel=0.01)
