"""Print diagnostics: in full with the lines of their spans, one for each line, or as JSON.

All three put them in the order of their places, so that equal findings make equal texts.  Colour only
underlines what the words say already.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs
from rich.cells import cell_len

from grammar.codes import REGISTRY
from grammar.diagnostics import Diagnostic, Severity
from grammar.printable import in_line
from grammar.source import Source, Span

_COLORS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.NOTE: "1;36"}
_TAB = 4
_WIDEST = 160
_CUT = ".."

NOT_TEXT = "CG118"
"""The code of a file that is no text, of which no line is shown."""
MOST_CODES = 6
"""Codes that the last line of a report names."""


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


def more_about_codes(codes: Iterable[str]) -> str:
    """Return the last line of a report: how to ask what its codes mean; nothing where it has none."""
    known = sorted({code for code in codes if code in REGISTRY})
    if not known:
        return ""
    others = f", or {', '.join(known[1:MOST_CODES])}{', ..' if len(known) > MOST_CODES else ''}" if known[1:] else ""
    return f"more: cardgame explain {known[0]}{others}"


def objects(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Return an object for each diagnostic, for JSON; lines and columns count from 1."""
    return [_object(d) for d in in_order(diagnostics)]


def _concise(diagnostic: Diagnostic) -> str:
    fix = f"; {_safe(diagnostic.help)}" if diagnostic.help else ""
    return f"{diagnostic.span}: {diagnostic.severity.value} {diagnostic.code} {_safe(diagnostic.message)}{fix}"


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
    lines = [f"{head}: {_safe(diagnostic.message)}", f"{' ' * width}--> {diagnostic.span}"]
    if diagnostic.code == NOT_TEXT:
        marks = []
    lines += [bar] * bool(marks)
    shown: _Extract | None = None
    for mark in sorted(marks, key=lambda m: (m.span.source is not diagnostic.span.source, m.span.line, m.sign == "-")):
        if shown is None or not shown.has(mark.span):
            now = _Extract.around(mark.span)
            lines += _shown(now, shown, width, diagnostic.span.source, mark.span)
            shown = now
        lines.append(f"{bar} {shown.underlined(mark, paint)}")
    for word, text in (("note", diagnostic.note), ("help", diagnostic.help)):
        if text:
            lines.append(f"{' ' * width} = {paint(word, '1')}: {_safe(text)}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


@attrs.frozen
class _Extract:
    """The part of a line that is shown, from one character (counted from 0) to another: most often all of it."""

    source: Source
    line: int
    start: int
    end: int

    @classmethod
    def around(cls, span: Span) -> _Extract:
        """Return what is shown of the line of a place."""
        length, column = len(span.source.line(span.line)), span.column - 1
        if length <= _WIDEST:
            return cls(span.source, span.line, 0, length)
        start = max(0, min(column - _WIDEST // 2, length - _WIDEST))
        return cls(span.source, span.line, start, start + _WIDEST)

    def has(self, span: Span) -> bool:
        """Say whether the beginning of a place is shown."""
        whole = self.start == 0 and self.end == len(self.source.line(self.line))
        inside = whole or self.start <= span.column - 1 < self.end
        return (self.source, self.line) == (span.source, span.line) and inside

    @property
    def cut_in_front(self) -> str:
        """The mark for a part that is cut off at the beginning of the line; empty if none is."""
        return _CUT if self.start else ""

    def text(self) -> str:
        """Return the part as it is shown, with a mark where it is cut off."""
        line = self.source.line(self.line)
        return f"{self.cut_in_front}{_safe(line[self.start : self.end])}{_CUT if self.end < len(line) else ''}"

    def underlined(self, mark: _Mark, paint: Any) -> str:
        """Return the line beneath, with the sign under the span of the mark."""
        line = self.source.line(self.line)
        end_line, end_column = mark.span.end_position
        first, last = mark.span.column - 1, end_column - 1 if end_line == self.line else len(line)
        before = self.cut_in_front + _safe(line[self.start : first])
        sign = paint(mark.sign * max(cell_len(_safe(line[first : min(last, self.end)])), 1), mark.color)
        label = f" {_safe(mark.text)}" if mark.text else ""
        return f"{' ' * cell_len(before)}{sign}{label}"


def _shown(now: _Extract, before: _Extract | None, width: int, home: Source, span: Span) -> list[str]:
    """Return a line with its number, and what says how it follows the one shown before."""
    rows = []
    if now.source is not home and (before is None or before.source is not now.source):
        rows.append(f"{' ' * width}::: {span}")
    elif before is not None and now.line > before.line + 1:
        rows.append(f"{'.' * min(width, 3)}")
    return [*rows, f"{now.line:>{width}} | {now.text()}"]


def _safe(text: str) -> str:
    """Return a text that a terminal shows as it is: no tabs, and what does not print written out."""
    return in_line(text.replace("\t", " " * _TAB))
