"""Complete decisions are drawn evenly, however many small actions they have."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from interpreter import load_text
from interpreter.engine import drawing
from interpreter.engine.drawing import draw_sentence
from interpreter.engine.game import State
from interpreter.text.sentences import sentences

SPEC = """cardgame 1

game "Sets of Every Kind"
    players 1
    at most 100 decisions

option copies: 1..2 = 1

option size: 3..20 = 3

card Plain(v: 1..TOP) written "{v}"

deck in stock
    copies of each Plain

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    mid:          cards, seen by all

play
    shuffle stock
    deal size from stock to hand[players]
    player 1 chooses
        WAYS

result
    winners = player 1
"""

WAYS = {
    "any": "keep any cards cs from hand[player 1]: move cs to mid",
    "bounds": "keep 2 to 3 cards cs from hand[player 1]: move cs to mid",
    "a sum": "keep at least 1 cards cs from hand[player 1] such that sum(c.v for c in cs) <= 12: move cs to mid",
    "a sum and a count": "keep any cards cs from hand[player 1] such that sum(c.v for c in cs) != 2 * count(cs)\n"
    "            move cs to mid",
    "a condition on each pair": "keep any cards cs from hand[player 1] such that different(c.v mod 5 for c in cs)\n"
    "            move cs to mid",
    "the highest": "keep any cards cs from hand[player 1] such that max(c.v for c in cs) != 3\n"
    "            move cs to mid",
    "a value behind": "keep any cards cs from hand[player 1], n from 1..3 where n <= 1 + count(cs): move cs to mid",
    "a card in front": "keep card c from hand[player 1], up to 2 cards cs from hand[player 1] such that "
    "count(cs) <= c.v: move cs to mid",
    "two sets": "keep up to 1 cards cs from hand[player 1], up to 2 cards ds from hand[player 1] such that "
    "count(ds) != count(cs): move cs to mid",
}


def dealt(ways: str, top: int = 8, **options: int) -> State:
    state = load_text(SPEC.replace("WAYS", ways).replace("TOP", str(top)), options=dict(options)).new_initial_state()
    state.resolve_chance(random.Random(3))
    return state


def is_even(state: State, draws: int = 16) -> bool:
    """Say whether all sentences come up about alike: chi square, four standard deviations at most."""
    rng = random.Random(5)
    known = [sentence.actions for sentence in sentences(state, 10_000) or []]
    counts = Counter(draw_sentence(state, rng) for _ in range(draws * len(known)))
    assert set(counts) <= set(known)
    chi = sum((counts[actions] - draws) ** 2 / draws for actions in known)
    return bool(chi < len(known) + 4 * (2 * len(known)) ** 0.5)


@pytest.mark.parametrize("kind", WAYS)
def test_each_sentence_is_as_likely_as_any_other(kind: str) -> None:
    assert is_even(dealt(f"{WAYS[kind]}\n        stop"))
    assert is_even(dealt(f"{WAYS[kind]}\n        stop", copies=2, size=4), 8)


def test_several_actions_with_sets_are_weighed_against_each_other() -> None:
    two = WAYS["any"] + "\n        give card c from hand[player 1]: move c to mid\n        " + WAYS["bounds"].replace(
        "keep 2 to 3 cards cs", "drop n from 1..2, up to 1 cards cs"
    )  # fmt: skip
    assert is_even(dealt(two))


def test_the_rest_of_a_set_that_was_begun_is_drawn_evenly() -> None:
    state = dealt(WAYS["any"])
    state.apply_action(state.legal_actions()[0])
    assert is_even(state)


def test_a_set_of_a_large_hand_is_half_of_it() -> None:
    """Card by card it would be two cards: each pick would be followed by the end of the set as often as by any card."""
    state = dealt(WAYS["any"], top=20, size=20)
    rng = random.Random(1)
    sizes = [len(draw_sentence(state, rng)) for _ in range(200)]
    assert 10 < sum(sizes) / 200 < 12


def test_what_is_too_much_to_count_is_drawn_about_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "MOST_TOTALS", 2)
    monkeypatch.setattr(drawing, "RESAMPLED", 32)
    state = dealt(WAYS["any"], size=6)
    rng = random.Random(1)
    sizes = Counter(len(draw_sentence(state, rng)) for _ in range(150))
    assert 3 < sum(size * count for size, count in sizes.items()) / 150 < 4.4
    assert sizes[1] < 15, "nothing at all would be one of seven, small action by small action"
