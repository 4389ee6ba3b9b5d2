"""Mutants of specs are refused in words, or are games that play."""

from __future__ import annotations

import pytest

from tests.mutants import specs


@pytest.mark.parametrize("number", range(30))
def test_a_mutant_is_refused_or_plays(number: int) -> None:
    assert specs.outcome(7, number) in ("refused", "plays", "fault")


def test_mutants_reach_all_that_a_spec_goes_through() -> None:
    assert {specs.outcome(1, number) for number in range(40)} >= {"refused", "plays"}


def test_a_mutant_is_the_same_wherever_it_is_made() -> None:
    assert [specs.mutant(3, n)[1] for n in range(5)] == [specs.mutant(3, n)[1] for n in range(5)]
    assert specs.mutant(3, 0)[1] != specs.mutant(4, 0)[1]
