"""Names and prose follow the style guide: no dialect words, short sentences, no misspelling; limits only go down."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.docs.samples import ROOT
from tests.style import PACKAGES, dialect, figures, in_dialect, limits, sentences, words

MISSPELT_ON_PURPOSE = ROOT / "tests" / "spelling.txt"
"""Words that codespell takes for mistakes: mistakes in examples, names of cards, a technical term."""


def test_no_figure_is_above_its_limit() -> None:
    known = limits()
    above = {f.name: (f.now, limit) for f in figures() if f.now > (limit := known.get(f.name, f.goal))}
    assert not above, "figure and limit; see `python -m tests.style`"


def test_nothing_is_misspelt() -> None:
    pytest.importorskip("codespell_lib", reason="a package of the extra `dev`")
    places = [ROOT / name for name in (*PACKAGES, "docs", "README.md", "CHANGELOG.md")]
    options = ["--ignore-words", str(MISSPELT_ON_PURPOSE), "--skip", "*/vendor/*"]
    command = [sys.executable, "-m", "codespell_lib", *options, *map(str, places)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("One two. Three `a b` [four five](x.md)!", [2, 4]),
        ("Cards, e.g. the ten, count 1.5 points\nand more", [9]),
        ("# No words here\n\n- one\n- two three\n\n| a | b |\n|---|---|\n| c d | e |\n\n```text\nnone\n```\n", [1, 2]),
        ("It is **bold. Next** one", [3, 2]),
        ("A dash -- is no word", [5]),
    ],
)
def test_sentences_are_found(text: str, lengths: list[int]) -> None:
    assert [words(sentence) for sentence in sentences(text)] == lengths


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("This is plain. Who wins?", 0),
        ("It stands behind what was told.", 3),
        ("It hangs on that, and on `told_of`.", 1),
        ("A rule. What is counted is written. Who knows it?", 1),
        ("# Who cannot follow may play a shield.", 1),
    ],
)
def test_dialect_words_are_counted(text: str, count: int) -> None:
    assert dialect(text) == count


@pytest.mark.parametrize(
    ("name", "found"),
    [("told_of", True), ("LeafTeller", True), ("_behind", True), ("notold", False), ("teller", True), ("atoll", False)],
)
def test_dialect_words_in_identifiers_are_found(name: str, found: bool) -> None:
    assert in_dialect(name) == found
