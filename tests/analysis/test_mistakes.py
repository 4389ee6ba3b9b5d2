"""Mistakes as people make them are told once, at their place, by their cause, with a cure that compiles."""

from __future__ import annotations

import pytest

from tests.analysis.mistakes import Case, cases, problems

CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_one_mistake_gives_one_message_with_a_cure_that_works(case: Case) -> None:
    assert problems(case) == []


def test_there_are_forty_of_them() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 40
