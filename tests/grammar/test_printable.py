"""Which characters print: a spec that holds others is refused, and no report shows them as they are."""

from __future__ import annotations

import json

import pytest

from grammar.printable import described, in_line, prints, visible
from grammar.render import objects, render_concise, render_full
from tests.grammar.examples import mistakes

UNSEEN = {
    "escape": "\x1b", "bell": "\x07", "backspace": "\b", "form feed": "\f", "delete": "\x7f", "next line": "\x85",
    "control sequence": "\x9b", "soft hyphen": "\xad", "no room": "\u200b", "joiner": "\u200d",
    "right to left": "\u202e",
    "isolate": "\u2066", "line separator": "\u2028", "mark of byte order": "\ufeff", "private": "\ue000",
    "not assigned": "\u0378", "no character": "\uffff", "tag": "\U000e0041",
}  # fmt: skip
"""One character of every sort that does not print."""

_PLACES = {
    "a comment": "cardgame 1\n# a{}b\n",
    "a text": 'cardgame 1\ngame "a{}b"\n    players 2\n',
    "between words": "cardgame 1\ndefine{} x = 1\n",
    "the beginning": "{}cardgame 1\n",
    "the end": "cardgame 1\n{}",
    "a scenario": 'scenarios 1 of "x"\n# a{}b\n',
}


@pytest.mark.parametrize("char", UNSEEN.values(), ids=UNSEEN)
def test_what_does_not_print_is_refused_by_its_name_and_shown_nowhere(char: str) -> None:
    for place, text in _PLACES.items():
        if char == "\ufeff" and place == "the beginning":
            continue
        found = mistakes(text.format(char))
        assert [d.code for d in found] == ["CG125"], place
        assert described(char) in found[0].message
        assert found[0].span.text == char
        for shown in (render_full(found), render_full(found, color=True), render_concise(found)):
            assert char not in shown.replace("\x1b[", "")
            assert prints(char) or in_line(char) in render_full(found)
        assert all(map(prints, found[0].message + found[0].help))
    assert not prints(char)


def test_each_character_is_reported_once_at_its_first_place_with_its_count() -> None:
    found = mistakes("cardgame 1\n# \x1b \u202e\n# \x1b \x1b\n")
    assert [(d.span.line, d.span.column, d.note) for d in found] == [
        (2, 3, "it occurs at 2 more places"),
        (2, 5, ""),
    ]
    many = "".join(map(chr, range(0xE000, 0xF8FF)))
    assert len(mistakes(f"cardgame 1\n# {many}\n")) == 20


def test_spaces_letters_marks_and_signs_of_any_script_print() -> None:
    text = "cardgame 1\r\n# 10\u00a0000 été e\u0301 日本 ♠\ufe0e ♥\ufe0f 🂡 ½\t→\r\n"
    assert mistakes(text) == ()
    assert mistakes("\ufeff" + text) == ()


def test_a_carriage_return_without_a_line_feed_is_refused() -> None:
    (found,) = mistakes("cardgame 1\r\n# kind\rcruel\n")
    assert (found.code, found.span.line, found.help) == ("CG125", 2, "end each line with a line feed")


def test_a_name_of_a_file_cannot_begin_a_line_of_its_own() -> None:
    from grammar.diagnostics import Diagnostic
    from grammar.source import Source, Span

    source = Source("a\nb\x1b[2J.cardgame", "cardgame 2\n")
    found = [Diagnostic("CG101", "x", Span(source, 0, 1))]
    for shown in (render_full(found), render_concise(found)):
        assert "a\\nb\\x1b[2J.cardgame:1:1" in shown
    assert "\x1b" not in json.dumps(objects(found))


def test_visible_keeps_lines_and_tabs_and_writes_out_the_rest() -> None:
    assert visible("a\n\tb ♠") == "a\n\tb ♠"
    assert visible("\x1b]0;\x07\r\u202e\udcff\U000e0041") == "\\x1b]0;\\x07\\r\\u202e\\udcff\\U000e0041"
    assert in_line("a\nb\tc") == "a\\nb\\tc"
