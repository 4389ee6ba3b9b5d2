"""A spec is no longer than the rule sheet that it stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.words import SHEETS, Count, counts, libraries, words


@pytest.mark.parametrize("count", counts(), ids=lambda count: count.game)
def test_a_spec_has_no_more_words_than_its_rule_sheet(count: Count) -> None:
    assert count.game in SHEETS, "count the words of its rule sheet, and enter them"
    assert 0 < count.spec <= count.sheet


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0),
        ("play\n    shuffle  stock\n", 3),
        ("# nothing here\n", 0),
        ("hand[player]: cards, seen by owner   [R3, R4-R6]   \n", 5),
        ("hand[player]: cards, seen by owner   [R3]  # and why\n", 5),
        ("hand[p]\n", 1),
        ('say "card #1"  # one\n', 3),
        ('say "no # comment" # but "this" is\n', 4),
    ],
)
def test_words_stand_between_white_space_without_comments_and_tags(text: str, number: int) -> None:
    assert words(text) == number


def test_libraries_are_found_through_libraries(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "game.cardgame").write_text('use "lib/a.cardgame"\nuse "lib/b.cardgame"\n')
    (tmp_path / "lib" / "a.cardgame").write_text('use "b.cardgame"\n')
    (tmp_path / "lib" / "b.cardgame").write_text('use "c.cardgame"\n')
    (tmp_path / "lib" / "c.cardgame").write_text("define one = 1\n")
    assert {path.name for path in libraries(tmp_path / "game.cardgame")} == {f"{n}.cardgame" for n in "abc"}
