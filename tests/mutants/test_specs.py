"""Mutants of specs are refused in words, or are games that play."""

from __future__ import annotations

from tests.mutants import specs


def test_mutants_are_refused_or_play_and_reach_all_that_a_spec_goes_through() -> None:
    ends = {number: specs.outcome(7, number) for number in range(12)}
    assert {number: end for number, end in ends.items() if end not in ("refused", "plays", "fault")} == {}
    assert set(ends.values()) >= {"refused", "plays"}


def test_a_mutant_is_the_same_wherever_it_is_made() -> None:
    assert [specs.mutant(3, n)[1] for n in range(5)] == [specs.mutant(3, n)[1] for n in range(5)]
    assert specs.mutant(3, 0)[1] != specs.mutant(4, 0)[1]
