"""RLCard's games and our variants with its rules are one game: 200 plays of each in the soak."""

from __future__ import annotations

import attrs
import pytest

from interpreter import load
from tests.differential import compare

pytest.importorskip("rlcard", reason="needs `pip install -e '.[rlcard]'`")

from tests.differential.rlcard_pairs import settings


@pytest.mark.parametrize("name", settings())
@pytest.mark.parametrize("plays", [3, pytest.param(200, marks=pytest.mark.soak)])
def test_a_game_of_rlcard_is_the_same_game(name: str, plays: int) -> None:
    compare(settings()[name](), plays)


def test_the_rules_that_people_play_are_another_game() -> None:
    pair = settings()["uno 2"]()
    with pytest.raises(AssertionError):
        compare(attrs.evolve(pair, ours=load("classics/uno", 2)), 3)
