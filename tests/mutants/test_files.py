"""Mutants of saves, autosaves, transcripts, actions, scenarios and states end in words, or in a play."""

from __future__ import annotations

import pytest

from tests.mutants import files


@pytest.mark.parametrize("number", [*range(8), *(pytest.param(n, marks=pytest.mark.soak) for n in range(8, 15))])
def test_a_mutant_ends_in_words_or_in_a_play(number: int) -> None:
    assert files.outcome(7, number) in ("words", "plays")


@pytest.mark.parametrize("kind", files.KINDS)
def test_what_is_not_broken_plays(kind: str) -> None:
    """Otherwise the mutants would be refused for another reason than what is broken in them."""
    for data in files.KINDS[kind].originals()[:3]:
        with files.new_folder():
            assert files.KINDS[kind].read(data) == "plays"


def test_a_mutant_is_the_same_wherever_it_is_made() -> None:
    assert [files.mutant(3, n) for n in range(12)] == [files.mutant(3, n) for n in range(12)]
    assert files.mutant(3, 0) != files.mutant(4, 0)
