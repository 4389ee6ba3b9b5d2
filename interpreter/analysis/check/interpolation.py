"""String interpolation: check the texts that players hear or are asked, and the values that stand in their `{..}`."""

from __future__ import annotations

import re

from grammar.diagnostics import SpecError
from grammar.expressions import Expr, Name
from grammar.source import Span
from grammar.statements import Choice, Say
from interpreter.analysis import core
from interpreter.analysis.check.expressions import check as check_expr
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.types import Unknown

HOLE_LIMIT = 2_000
"""Values in the braces of all texts of a spec, besides plain names."""

_HOLE = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def text_parts(
    cx: Context, stmt: Say | Choice, text: str, scope: Scope, you: core.Expr | None = None
) -> tuple[str | core.Expr, ...]:
    """Return the words of a statement's text and the values that stand in its `{..}`; `{you}` is who is asked."""
    parts: list[str | core.Expr] = []
    written: list[str | Expr] = []
    end = 0
    span = stmt.span
    start = span.source.text.find(f'"{text}"', span.start) + 1
    for hole in _HOLE.finditer(text):
        parts.append(text[end : hole.start()])
        written.append(text[end : hole.start()])
        end = hole.end()
        if hole.group(1) == "you" and you is not None:
            parts.append(you)
            written.append("you")
            continue
        inside = Span(span.source, start + hole.start(1), start + hole.end(1))
        expr = _expression(cx, hole.group(1), inside)
        if expr is not None:
            written.append(expr)
            checked = check_expr(cx, expr, scope)
            if not isinstance(checked.type, Unknown):
                parts.append(checked)
    parts.append(text[end:])
    cx.info.hear(stmt, (*written, text[end:]))
    return tuple(p for p in parts if p != "")


def _expression(cx: Context, text: str, span: Span) -> Expr | None:
    """Return what stands between two braces."""
    if _NAME.fullmatch(text):
        return Name(text, span=span)
    cx.holes += 1
    if cx.holes == HOLE_LIMIT + 1:
        cx.report("CG405", f"the texts of this spec have more than {HOLE_LIMIT:,} values in braces", span,
                  "give what stands in many texts a name by `let`, and name it in the braces")  # fmt: skip
    if cx.holes > HOLE_LIMIT:
        return None
    from grammar.parser import parse_expression  # late: lark

    try:
        return parse_expression(span)
    except SpecError:
        cx.report("CG213", f"`{{{text}}}` holds no value", span, "write a name or an expression between the braces")
        return None
