"""The three ways to show diagnostics."""

from __future__ import annotations

import json

from grammar.diagnostics import Diagnostic, Label, Severity
from grammar.render import objects, render_concise, render_full
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
    first = json.loads(json.dumps(objects(mistakes("cardgame 1\nplay\n    shufle stock\n"))))[0]
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
    assert objects(()) == []
    assert render_full(()) == render_concise(()) == ""


def test_the_order_is_that_of_the_places() -> None:
    assert render_full(_TWO) == render_full(reversed(_TWO))


def in_long_line(text: str, *places: tuple[int, int]) -> list[str]:
    """Return the lines and marks that are shown of a diagnostic at places in one long line."""
    spans = [Span(Source("x", text), *place) for place in places]
    labels = tuple(Label(Span(spans[0].source, s.start, s.end), "this") for s in spans[1:])
    shown = render_full([Diagnostic("CG101", "no", spans[0], labels=labels)])
    return [line[4:] for line in shown.splitlines()[3:]]


def test_a_very_long_line_is_shown_around_the_place_with_a_mark_at_each_cut() -> None:
    line, mark = in_long_line("a" * 5000 + "here" + "b" * 5000, (5000, 5004))
    assert line == ".." + "a" * 80 + "here" + "b" * 76 + ".."
    assert mark == " " * 82 + "^^^^"
    line, mark = in_long_line("here" + "b" * 5000, (0, 4))
    assert line == "here" + "b" * 156 + ".."
    assert mark == "^^^^"
    line, mark = in_long_line("a" * 5000 + "here", (5000, 5004))
    assert line == ".." + "a" * 156 + "here"
    assert mark == " " * 158 + "^^^^"


def test_what_is_wide_or_does_not_print_keeps_the_mark_under_its_place_in_a_long_line() -> None:
    line, mark = in_long_line("日" * 300 + "\x1b here" + "本" * 300, (302, 306))
    assert line == ".." + "日" * 78 + "\\x1b here" + "本" * 76 + ".."
    assert mark == " " * (2 + 2 * 78 + 5) + "^^^^"


def test_a_span_beyond_the_cut_is_underlined_up_to_it() -> None:
    _, mark = in_long_line("a" * 5000, (100, 4000))
    assert mark == " " * 82 + "^" * 80


def test_a_second_place_in_a_long_line_is_shown_with_text_of_its_own_where_it_is_far_away() -> None:
    text = "a" * 300 + "near" + "a" * 20 + "here" + "b" * 5000 + "away" + "c" * 5000
    place = {word: (text.index(word), text.index(word) + 4) for word in ("near", "here", "away")}
    line, mark, near = in_long_line(text, place["here"], place["near"])
    assert line[mark.index("^") :][:4] == "here"
    assert line[near.index("-") :][:4] == "near"
    line, mark, other, away = in_long_line(text, place["here"], place["away"])
    assert line[mark.index("^") :][:4] == "here"
    assert other[away.index("-") :][:4] == "away"
