"""Covering arrays: every two values of two parameters occur together, in few rows."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.fuzz.covering_array import all_pairs, covering_array

LEVELS = st.lists(st.integers(1, 4), min_size=2, max_size=7)


@given(LEVELS)
def test_every_two_values_occur_and_each_row_says_how_many_are_new(levels: list[int]) -> None:
    first = [(number, *(level - 1 for level in levels[1:])) for number in range(levels[0])]
    rows = list(covering_array(levels, first))
    assert [row for row, _ in rows[: len(first)]] == first
    seen: set[tuple[int, int, int, int]] = set()
    for row, new in rows:
        pairs = {(i, row[i], j, row[j]) for i, j in combinations(range(len(levels)), 2)}
        assert len(pairs - seen) == new
        seen |= pairs
    assert len(seen) == all_pairs(levels) == sum(new for _, new in rows)
    for parameter, level in enumerate(levels):
        assert {row[parameter] for row, _ in rows} == set(range(level))


def test_there_are_few_rows() -> None:
    assert len(list(covering_array([2] * 10, [(0,) * 10]))) == 6
    assert len(list(covering_array([3] * 10, [(0,) * 10]))) <= 16
    assert len(list(covering_array([4] * 3, [(0,) * 3]))) == 16
    assert len(list(covering_array([2, 2, 3, 2, 2, 2, 3, 2, 2, 3], [(0,) * 10]))) <= 10


@pytest.mark.parametrize("levels", [[9, 3, 2], [7, 3, 3, 3], [3, 3, 2, 2, 2], [1, 3, 2, 2], [2, 3, 2, 2]])
def test_the_lower_bound_spares_no_row_that_could_be_spared(levels: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    first = [(number, *(1 if level == 3 else 0 for level in levels[1:])) for number in range(levels[0])]
    bounded = list(covering_array(levels, first))
    monkeypatch.setattr("interpreter.fuzz.covering_array._least", lambda *_: 0)
    assert list(covering_array(levels, first)) == bounded


def test_thousands_of_parameters_do_not_take_long() -> None:
    rows = covering_array([3] * 2_000, [(0,) * 2_000])
    assert sum(next(rows)[1] for _ in range(10)) > all_pairs([3] * 2_000) / 2


def test_one_parameter_has_a_row_for_each_value_and_none_has_one_row() -> None:
    assert list(covering_array([3], [(1,)])) == [((1,), 1), ((0,), 1), ((2,), 1)]
    assert all_pairs([3]) == 3
    assert list(covering_array([], [()])) == [((), 0)]
    assert all_pairs([]) == 0
