"""Definitions about a set that is being chosen: they mean there what they mean alone."""

from __future__ import annotations

import pytest

from interpreter import load_text

SPEC = """cardgame 1

game "Sets"
    players 2
    at most 40 decisions

card Number(rank: 1..3) written "N{rank}"
card Fool written "F"

deck in stock
    1 of each Number
    2 of Fool

zones
    stock: cards, seen by all

play
    player 1 chooses
        take 2 cards taken from stock where each is Number such that fits(taken)
        otherwise pass

define fits(s: cards) = TEST

result
    score p = 0
"""


@pytest.mark.parametrize(
    ("test", "sentences"),
    [
        ("sum(c.rank else 0 for c in s) == 4", {"take N1 N3"}),
        ("sum(c.rank for c in s where c is Number) == 4", {"take N1 N3"}),
        ("count(c in s where c is Fool) == 0 and max(c.rank else 0 for c in s) == 3", {"take N1 N3", "take N2 N3"}),
        ("count(c in s where c is Fool) > 0", {"pass"}),
        ("some c in s where c is Number and c.rank == 3", {"take N1 N3", "take N2 N3"}),
        ("no c in s where c is Number and c.rank == 3", {"take N1 N2"}),
        ("every c in s where c is Number has c.rank != 2", {"take N1 N3"}),
    ],
)
def test_a_definition_for_any_cards_applies_to_numbers_only(test: str, sentences: set[str]) -> None:
    """That no Fool can be among the chosen cards is no reason to refuse a definition that allows for one."""
    state = load_text(SPEC.replace("TEST", test)).new_initial_state()
    found = set()
    for first in state.legal_actions():
        text = state.action_to_string(first)
        if text == "pass":
            found.add(text)
            continue
        picked = state.clone()
        picked.apply_action(first)
        for second in picked.legal_actions():
            found.add(f"take {text[-2:]} {picked.action_to_string(second)[-2:]}")
    assert found == sentences
