"""Rule tags in the middle of a line, where the lexer reads them as something else."""

from __future__ import annotations

import re

from grammar.diagnostics import Cure, Diagnostic, Edit
from grammar.source import Span

_TAG = re.compile(r"[ \t]*\[[A-Z]+[0-9]+[a-z]?(?:(?:-|,[ ]?)[A-Z]*[0-9]+[a-z]?)*\]")
_EDIT = re.compile(r"[ \t]*(?:in|replace|remove|before|after)\b")
_CODE_OF_LINE = re.compile(r'(?:"[^"\n]*"|[^"#\n])*')


def tag_inside(place: Span) -> Diagnostic | None:
    """Return the diagnostic of a rule tag at a place that is not the end of its line; None if there is no tag."""
    source = place.source
    if _EDIT.match(source.line(place.line)):  # The tag names the place of an edit.
        return None
    begin = place.start
    while begin > 0 and source.text[begin - 1] in " \t":
        begin -= 1
    found = _TAG.match(source.text, begin)
    if found is None:
        return None
    span = Span(source, source.text.index("[", begin), found.end())
    line = _CODE_OF_LINE.match(source.text, found.end())
    end = found.end() if line is None else found.end() + len(line.group().rstrip())
    start, gone = begin, found.end()
    if source.text[begin - 1 : begin] in ("", "\n"):  # In front of the line, whose indentation stays.
        start, gone = span.start, len(source.text) - len(source.text[found.end() :].lstrip(" \t"))
    edits = (Edit(Span(source, start, gone), ""), Edit(Span(source, end, end), f" {span.text}"))
    return Diagnostic("CG131", "a rule tag belongs at the end of its line", span,
                      Cure(f"move `{span.text}` to the end of the line", edits))  # fmt: skip
