"""Which word is proposed in the place of one that means nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.source import Source, Span
from grammar.suggest import did_you_mean, nearest, suggestion

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("word", "candidates", "meant"),
    [
        ("hnad", ["hand", "band", "stock"], "hand"),
        ("Hearts", ["hearts", "clubs"], "hearts"),
        ("left_hand", ["hand_left", "hand"], "hand_left"),
        ("shufle", ["shuffle", "show"], "shuffle"),
        ("ponts", ["points", "pints"], "pints"),
        ("x", ["y", "stock"], None),
        ("is", ["no", "in"], "in"),
        ("won", ["one_round", "worth"], None),
        ("a" * 50, ["a" * 49], None),
        ("hand", ["hand"], None),
    ],
)
def test_the_nearest_is_at_most_a_third_of_its_letters_away(
    word: str, candidates: list[str], meant: str | None
) -> None:
    assert nearest(word, candidates) == meant
    assert did_you_mean(word, candidates) == (f"did you mean `{meant}`?" if meant else "")


def test_a_suggestion_replaces_the_word_in_place() -> None:
    span = Span(Source("x", "score p = c.rnak"), 10, 16)
    cure = suggestion("rnak", ["rank"], span)
    assert cure is not None
    assert [(edit.span.text, edit.text) for edit in cure.edits] == [("rnak", "rank")]


ALIGNING = {
    "interpreter/fuzz/exchange/leak_site.py",
    "interpreter/editor/changes.py",
    "cli/commands/fmt.py",
    "interpreter/rulebook/differences.py",
}
"""Files that align two plays or two texts, and propose no name."""


def test_there_is_one_way_to_find_what_is_near() -> None:
    for folder in ("grammar", "interpreter", "cli", "games"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.relative_to(ROOT).as_posix() not in ALIGNING:
                assert "difflib" not in path.read_text(encoding="utf-8"), path
