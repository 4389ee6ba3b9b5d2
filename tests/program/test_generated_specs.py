"""Random well-typed specs are the same play in the oracle, in Python and in C."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.lockstep import Engines, lockstep
from tests.program.generated import generated

FEW, MANY = 1, 2_000
"""Specs that are compiled to C in `make test`, and specs of the soak."""

DECISIONS = 40
"""Decisions in each spec."""

LEAST_TAKEN = 0.8
"""The part of all specs that the checker takes, at least: else the writer writes what is no spec."""

quietly = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


def agree(rng: Random, *, native: bool) -> bool:
    """Play a random spec in lockstep; return whether the checker takes it."""
    text, game, _ = generated(rng)
    if game is None:
        return False
    engines = Engines.of(game) if native else Engines(game, None)
    _, _, differences = lockstep(engines, DECISIONS)
    assert differences == [], text
    return True


@pytest.mark.parametrize("seed", range(FEW))
def test_engines_agree_on_a_few_generated_specs(seed: int) -> None:
    assert agree(Random(seed), native=True)


def test_most_generated_specs_are_taken() -> None:
    taken = sum(generated(Random(number))[1] is not None for number in range(5))
    assert taken >= LEAST_TAKEN * 5


@pytest.mark.parametrize("seed", [1004, 6340])
def test_engines_agree_on_further_generated_specs(seed: int) -> None:
    assert agree(Random(seed), native=False)


@pytest.mark.soak
def test_engines_agree_on_many_generated_specs() -> None:
    taken: list[bool] = []

    @settings(max_examples=MANY, derandomize=True, database=None, suppress_health_check=quietly)
    @given(st.randoms(use_true_random=False))
    def check(rng: Random) -> None:
        taken.append(agree(rng, native=True))

    check()
    print(f"{sum(taken)} of {len(taken)} specs taken")
    assert sum(taken) >= LEAST_TAKEN * len(taken)
