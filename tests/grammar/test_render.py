"""The three ways to show diagnostics."""

from __future__ import annotations

import json

from grammar.diagnostics import Diagnostic, Label, Severity
from grammar.render import render_concise, render_full, render_json
from grammar.source import Source, Span
from tests.grammar.examples import mistakes

_SOURCE = Source("game.cardgame", "cardgame 1\nplay\n\tx = \x1b1 日本 here\nphase one\n    y = 2\n")


def _at(text: str) -> Span:
    start = _SOURCE.text.index(text)
    return Span(_SOURCE, start, start + len(text))


_TWO = (
    Diagnostic(
        "CG202",
        "`here` stands twice",
        _at("here"),
        "rename one",
        labels=(Label(_at("y = 2"), "first here"), Label(_at("x"), "and here")),
        note="names are told apart by their spelling",
    ),
    Diagnostic("CG501", "nobody reads this", _at("play"), severity=Severity.WARNING),
)


def test_in_full_with_the_lines_and_all_places() -> None:
    assert render_full(_TWO) == (
        "warning[CG501]: nobody reads this\n"
        " --> game.cardgame:2:1\n"
        "  |\n"
        "2 | play\n"
        "  | ^^^^\n"
        "\n"
        "error[CG202]: `here` stands twice\n"
        " --> game.cardgame:3:12\n"
        "  |\n"
        "3 |     x = \\x1b1 日本 here\n"
        "  |                    ^^^^\n"
        "  |     - and here\n"
        ".\n"
        "5 |     y = 2\n"
        "  |     ----- first here\n"
        "  = note: names are told apart by their spelling\n"
        "  = help: rename one\n"
    )


def test_colour_changes_nothing_but_colour() -> None:
    import re

    colored = render_full(_TWO, color=True)
    assert colored != render_full(_TWO)
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == render_full(_TWO)


def test_one_line_each() -> None:
    assert render_concise(_TWO) == (
        "game.cardgame:2:1: warning CG501 nobody reads this\n"
        "game.cardgame:3:12: error CG202 `here` stands twice; rename one\n"
    )


def test_as_json() -> None:
    first = json.loads(render_json(mistakes("cardgame 1\nplay\n    shufle stock\n")))[0]
    assert first == {
        "code": "CG103",
        "name": "misspelt-word",
        "severity": "error",
        "message": "`shufle` is no word of the language",
        "help": "did you mean `shuffle`?",
        "note": "",
        "file": "text.cardgame",
        "line": 3,
        "column": 5,
        "end_line": 3,
        "end_column": 11,
        "edits": [
            {"file": "text.cardgame", "line": 3, "column": 5, "end_line": 3, "end_column": 11, "text": "shuffle"}
        ],
        "labels": [],
    }
    assert render_json(()) == "[]\n"
    assert render_full(()) == render_concise(()) == ""


def test_the_order_is_that_of_the_places() -> None:
    assert render_full(_TWO) == render_full(reversed(_TWO))


def test_a_very_long_line_is_shown_around_the_place() -> None:
    source = Source("x", "a" * 5000 + " here " + "b" * 5000)
    shown = render_full([Diagnostic("CG101", "no", Span(source, 5001, 5005))])
    assert "here" in shown
    assert max(map(len, shown.splitlines())) < 200
