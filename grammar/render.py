"""Show diagnostics: in full with the lines they speak of, one a line, or as JSON.

All three put them in the order of their places, so that equal findings make equal texts.  Colour only
underlines what the words say already.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from typing import Any

import attrs

from grammar.codes import REGISTRY
from grammar.diagnostics import Diagnostic, Severity
from grammar.printable import in_line
from grammar.source import Source, Span

_COLORS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.NOTE: "1;36"}
_TAB = 4
_WIDEST = 160


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics by file, place and code."""
    return sorted(diagnostics, key=lambda d: (d.span.source.name, d.span.start, d.span.end, d.code, d.message))


def render_full(diagnostics: Iterable[Diagnostic], color: bool = False) -> str:
    """Return each diagnostic with the lines it speaks of, a blank line between two."""
    paint = _paint if color else _plain
    return "\n".join(_full(d, paint) for d in in_order(diagnostics))


def render_concise(diagnostics: Iterable[Diagnostic]) -> str:
    """Return one line for each diagnostic: `file:line:column: error CG101 message; help`."""
    return "".join(f"{_concise(d)}\n" for d in in_order(diagnostics))


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a JSON list with an object for each diagnostic; lines and columns count from 1."""
    return json.dumps(objects(diagnostics), indent=2) + "\n"


def objects(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Return what `render_json` writes: an object for each diagnostic."""
    return [_object(d) for d in in_order(diagnostics)]


def _concise(diagnostic: Diagnostic) -> str:
    behind = f"; {_safe(diagnostic.help)}" if diagnostic.help else ""
    return f"{diagnostic.span}: {diagnostic.severity.value} {diagnostic.code} {_safe(diagnostic.message)}{behind}"


def _object(diagnostic: Diagnostic) -> dict[str, Any]:
    registered = REGISTRY.get(diagnostic.code)
    return {
        "code": diagnostic.code,
        "name": registered.name if registered else "",
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "note": diagnostic.note,
        **_place(diagnostic.span),
        "edits": [{**_place(edit.span), "text": edit.text} for edit in diagnostic.edits],
        "labels": [{"text": label.text, **_place(label.span)} for label in diagnostic.labels],
    }


def _place(span: Span) -> dict[str, Any]:
    end_line, end_column = span.end_position
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": end_line,
        "end_column": end_column,
    }


# ---- in full


@attrs.define(frozen=True)
class _Mark:
    """A stretch of one line to underline, with a word about it."""

    span: Span
    sign: str
    text: str
    color: str


def _plain(text: str, _color: str) -> str:
    return text


def _paint(text: str, color: str) -> str:
    return f"\x1b[{color}m{text}\x1b[0m"


def _full(diagnostic: Diagnostic, paint: Any) -> str:
    color = _COLORS[diagnostic.severity]
    head = paint(f"{diagnostic.severity.value}[{diagnostic.code}]", color)
    marks = [_Mark(diagnostic.span, "^", "", color)]
    marks += [_Mark(label.span, "-", label.text, "1;34") for label in diagnostic.labels]
    width = max(len(str(mark.span.line)) for mark in marks)
    bar = " " * width + " |"
    lines = [f"{head}: {_safe(diagnostic.message)}", f"{' ' * width}--> {diagnostic.span}", bar]
    shown: tuple[Source, int] | None = None
    for mark in sorted(marks, key=lambda m: (m.span.source is not diagnostic.span.source, m.span.line, m.sign == "-")):
        lines += _marked(mark, shown, width, paint, diagnostic.span.source)
        shown = (mark.span.source, mark.span.line)
    for word, text in (("note", diagnostic.note), ("help", diagnostic.help)):
        if text:
            lines.append(f"{' ' * width} = {paint(word, '1')}: {_safe(text)}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _marked(mark: _Mark, shown: tuple[Source, int] | None, width: int, paint: Any, home: Source) -> list[str]:
    """Return the line of a mark, unless it is the one just shown, and the mark beneath it."""
    bar = " " * width + " |"
    span = mark.span
    line, source = span.line, span.source
    text = source.line(line)
    first = span.column - 1
    end_line, end_column = span.end_position
    last = end_column - 1 if end_line == line else len(text)
    start, text = _window(text, first)
    before, under = _safe(text[: first - start]), _safe(text[first - start : max(last - start, 0)])
    rows = []
    if shown != (source, line):
        if source is not home and (shown is None or shown[0] is not source):
            rows.append(f"{' ' * width}::: {span}")
        elif shown is not None and line > shown[1] + 1:
            rows.append(f"{'.' * min(width, 3)}")
        rows.append(f"{line:>{width}} | {_safe(text)}")
    sign = paint(mark.sign * max(_columns(under), 1), mark.color)
    behind = f" {_safe(mark.text)}" if mark.text else ""
    rows.append(f"{bar} {' ' * _columns(before)}{sign}{behind}")
    return rows


def _window(text: str, column: int) -> tuple[int, str]:
    """Return the part of a very long line around a column, and where it begins."""
    if len(text) <= _WIDEST:
        return 0, text
    start = max(0, column - _WIDEST // 2)
    return start, text[start : start + _WIDEST]


def _safe(text: str) -> str:
    """Return a text that a terminal shows as it is: no tabs, and what does not print written out."""
    return in_line(text.replace("\t", " " * _TAB))


def _columns(text: str) -> int:
    """Return how many columns a text takes on a terminal."""
    return sum(_width(c) for c in text)


def _width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
