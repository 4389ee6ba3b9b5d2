"""Algebraic simplification: double negation, what always or never holds, and links of a chain that nobody comes to."""

from __future__ import annotations

from interpreter.analysis import core
from interpreter.analysis.constant_folding import fold
from interpreter.analysis.types import is_optional
from interpreter.program.passes.rewriting import bottom_up
from interpreter.program.passes.totality import is_always_there


def simplified(expr: core.Expr) -> core.Expr:
    """Return an expression in its simplest form."""
    return bottom_up(expr, _simpler)


def _simpler(expr: core.Expr) -> core.Expr:
    match expr:
        case core.Op(op="not", args=(core.Op(op="not", args=(inner,)),)):
            return inner
        case core.Op(op="not", args=(core.Op(op="==" | "!=" as op, args=(left, right)) as inner,)):
            if is_optional(left.type) and is_optional(right.type):
                return expr
            return core.Op("!=" if op == "==" else "==", (left, right), expr.type, inner.span)
        case core.Op():
            return fold(expr)
        case core.Chain():
            return _shortened(expr)
    return expr


def _shortened(expr: core.Chain) -> core.Expr:
    """Return a chain without the links behind a value that is always there."""
    links = list(enumerate(expr.alternatives))
    end = next((p for p, (condition, value) in links if condition is None and _is_there(value)), len(links))
    if end >= len(links) - 1:
        return expr
    return core.Chain(expr.alternatives[: end + 1], expr.type, expr.span, expr.tags[: end + 1])


def _is_there(value: core.Expr) -> bool:
    return is_always_there(value) or not is_optional(value.type)
