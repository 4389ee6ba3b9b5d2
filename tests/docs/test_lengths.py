"""The classics are at most half as long as the same rules in another language, and that is how the page tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load_text
from tests.docs.lengths import COUNTERPARTS, Length, classics, for_equal_rules, length, table
from tests.docs.words import bare

EQUAL_RULES = 0.5
"""For equal rules a spec has at most this share of the tokens of its counterpart."""

WHOLE = 0.71
"""With all its options and all that the counterpart leaves out."""

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"


def test_a_classic_is_at_most_half_as_long_as_its_counterpart_and_the_page_says_so() -> None:
    counts = classics()
    assert [count.game for count in counts] == list(COUNTERPARTS)
    for count in counts:
        assert count.equal.tokens <= EQUAL_RULES * count.other.length.tokens, count.game
        assert count.whole.tokens <= WHOLE * count.other.length.tokens, count.game
        assert count.equal.words < count.other.length.words, count.game
        assert count.equal.names < count.other.length.names, count.game
    assert table(counts) in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", COUNTERPARTS)
def test_what_is_counted_for_equal_rules_is_a_whole_game(game: str) -> None:
    text = for_equal_rules(game)
    rules = load_text(text, COUNTERPARTS[game].players)
    assert rules.random_playouts(20, seed=1).decisions > 20
    assert "option" not in text


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("", Length(0, 0, 0, 0)),
        ("(move (top 'P) 'Q)", Length(8, 4, 4, 18)),
        ("hand[p].rank == 1..3", Length(10, 5, 3, 20)),
        ('x += 2   # and why\n    say "a b"   [R1]', Length(5, 4, 6, 16)),
    ],
)
def test_tokens_are_names_numbers_texts_and_signs(text: str, counted: Length) -> None:
    assert length(bare(text)) == counted
