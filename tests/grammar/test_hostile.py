"""Texts that nobody writes in good faith: a few diagnostics, and never anything else."""

from __future__ import annotations

import pytest

from grammar.recovery import MAX_REPORTS
from tests.grammar.examples import REAL, mistakes

_HEAD = "cardgame 1\n"
_NESTED = {
    "brackets": "define x = " + "(" * 1000 + "1" + ")" * 1000 + "\n",
    "open brackets": "define x = " + "(" * 40_000,
    "calls": "define x = " + "f(" * 99 + "1" + ")" * 99 + "\n",
    "not": "define x = " + "not " * 10_000 + "a\n",
    "minus": "define x = " + "- " * 1000 + "a\n",
    "plus": "define x = " + "a + " * 4_000 + "a\n",
    "attributes": "define x = a" + ".b" * 5000 + "\n",
    "indices": "define x = a" + "[b]" * 1000 + "\n",
    "picks": "define x = " + "some c in d where " * 500 + "a\n",
    "or on lines": "define x = a\n" + "    or b\n" * 1000,
    "blocks": "play\n" + "".join(" " * (4 + n) + "if a\n" for n in range(500)),
    "else if": "play\n    if a: x\n" + "    else if b: y\n" * 500,
    "values": "enum A: " + ", ".join(f"v{n}" for n in range(20_000)) + "\n",
}


@pytest.mark.parametrize("text", _NESTED.values(), ids=_NESTED)
def test_what_is_nested_too_deeply_is_refused_in_one_report(text: str) -> None:
    assert [d.code for d in mistakes(_HEAD + text)] == ["CG115"]


@pytest.mark.parametrize("text", ["(" * 100_000, "a + " * 50_000], ids=["open brackets", "plus"])
def test_a_text_of_too_many_words_is_refused_for_that_alone(text: str) -> None:
    assert [d.code for d in mistakes(_HEAD + "define x = " + text)] == ["CG117"]


def test_many_comments_between_lines_that_end_as_on_windows_are_read_at_once() -> None:
    """The end of a comment is read in one way alone: with two, a text of 40 comments would take hours."""
    lines = REAL.splitlines()
    assert mistakes("\r\n".join([lines[0], *["# a comment"] * 60, *lines[1:], ""])) == ()


def test_what_is_nested_as_deeply_as_allowed_is_fine() -> None:
    for text in (
        "define x = " + "(" * 100 + "1" + ")" * 100 + "\n",
        "define x = " + "not " * 90 + "a\n",
        "define x = " + "a + " * 90 + "a\n",
        "play\n    if a: x\n" + "    else if b: y\n" * 90,
    ):
        assert mistakes(_HEAD + text) == ()


_GARBAGE = {
    "words": "\n".join("foo bar ( baz ] %% $ 12ab" for _ in range(600)),
    "words with a head": _HEAD + "\n".join("foo bar baz" for _ in range(600)),
    "words in a play": _HEAD + "play\n" + "\n".join("    foo bar baz" for _ in range(600)),
    "words of other languages": _HEAD + "play\n    " + "elif " * 2_000,
    "misspelt words": _HEAD + "define x = " + "whle a " * 1_000,
    "open texts": _HEAD + 'x = "\n' * 10_000,
    "quotes": '"' * 10_000,
    "hashes": "#" * 10_000,
    "newlines": "\n" * 10_000,
    "spaces": " " * 10_000,
    "digits": _HEAD + "define x = " + "1" * 10_000,
    "tags": _HEAD + "play [R1" + ",R1" * 10_000 + "]\n  )",
    "crossed brackets": _HEAD + "define x = " + "([)]" * 2_000,
    "uneven blocks": _HEAD + "play\n        a\n    b\n" * 1000,
    "nul": _HEAD + "\0",
    "half a character": _HEAD + "\udcff",
    "carriage returns": "\r" * 1000,
    "form feeds": _HEAD + "\f\v\x85\u2028" * 100,
    "nothing": "",
    "a mark of byte order": "\ufeff",
}


@pytest.mark.parametrize("text", _GARBAGE.values(), ids=_GARBAGE)
def test_garbage_gives_a_bounded_number_of_reports(text: str) -> None:
    assert 1 <= len(mistakes(text)) <= MAX_REPORTS


def test_a_text_that_is_too_large_is_not_even_read() -> None:
    assert [d.code for d in mistakes("(" * 250_001)] == ["CG117"]
