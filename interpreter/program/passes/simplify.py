"""Algebraic simplification: double negation, negated comparisons, and what always or never holds."""

from __future__ import annotations

from interpreter.analysis import core
from interpreter.analysis.constant_folding import fold
from interpreter.analysis.types import is_optional
from interpreter.program.passes.rewriting import bottom_up


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
    return expr
