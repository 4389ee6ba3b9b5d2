"""Changes that an editor offers: the fixes of diagnostics, one kind of fix for a whole text, and formatting."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

import attrs

from grammar.diagnostics import Diagnostic, Edit, SpecError
from grammar.format import FormatError, formatted
from grammar.source import Source, Span
from interpreter.editor.workspace import Snapshot


@attrs.frozen
class Action:
    """A change with its title; `diagnostics` are what it fixes, `is_of_all` says that it fixes all of one code."""

    title: str
    edits: tuple[Edit, ...]
    diagnostics: tuple[Diagnostic, ...]
    is_of_all: bool = False


def actions(snapshot: Snapshot, start: int, end: int) -> Iterator[Action]:
    """Yield the fixes of the diagnostics that a stretch touches; then, for each of their codes, of all in the text.

    Where it touches none, those on its lines count: a cursor is often somewhere else on the line.
    """
    fixable = [d for d in snapshot.diagnostics() if d.edits]
    touched = [d for d in fixable if d.span.start <= end and start <= d.span.end]
    if not touched:
        first, last = (snapshot.source.position(offset)[0] for offset in (start, end))
        touched = [d for d in fixable if first <= d.span.line <= last]
    for diagnostic in touched:
        yield Action(diagnostic.help, diagnostic.edits, (diagnostic,))
    for code in dict.fromkeys(d.code for d in touched):
        same = [d for d in fixable if d.code == code]
        edits = together(same)
        if len(same) > 1 and edits:
            yield Action(f"Fix all {len(same)} of {code} in this file", edits, tuple(same), is_of_all=True)


def all_fixes(snapshot: Snapshot) -> tuple[Edit, ...]:
    """Return the edits of all diagnostics of a text that can be fixed."""
    return together([d for d in snapshot.diagnostics() if d.edits])


def together(diagnostics: list[Diagnostic]) -> tuple[Edit, ...]:
    """Return the edits of several diagnostics; where two would overlap, those of the first."""
    made: list[Edit] = []
    for diagnostic in diagnostics:
        if not any(_overlap(one, other) for one in diagnostic.edits for other in made):
            made += diagnostic.edits
    return tuple(made)


def _overlap(one: Edit, other: Edit) -> bool:
    if one.span.source is not other.span.source:
        return False
    same_place = one.span.start == other.span.start
    return same_place or (one.span.start < other.span.end and other.span.start < one.span.end)


def formatting(snapshot: Snapshot) -> list[Edit]:
    """Return the edits that format a text, line by line; none where it has mistakes of form."""
    source = snapshot.source
    try:
        made = formatted(source, "scenario" if snapshot.is_scenarios else "cardgame")
    except (SpecError, FormatError):
        return []
    return line_edits(source, made)


def line_edits(source: Source, text: str) -> list[Edit]:
    """Return edits of whole lines that turn a text into another."""
    old, new = source.text.splitlines(keepends=True), text.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    edits: list[Edit] = []
    for tag, one, other, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            edits.append(Edit(Span(source, starts[one], starts[other]), "".join(new[begin:end])))
    return edits
