"""Beta reduction: expressions in the place of local names, and the body of a definition in the place of its call."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.analysis import core
from interpreter.analysis.symbols import Local

INLINED_WEIGHT = 200
"""Definitions of more parts, with all that they call in turn, stay calls everywhere."""


def substitute(expr: core.Expr, by: dict[Local, core.Expr]) -> core.Expr:
    """Return the expression with each of the named locals replaced; definitions are not entered."""
    if isinstance(expr, core.LocalRef):
        return by.get(expr.local, expr)
    if not by or expr.__class__ in core.LEAVES:
        return expr
    return core.map_children(expr, lambda part: substitute(part, by))


def inlined(call: core.CallDefine, args: Sequence[core.Expr] | None = None) -> core.Expr | None:
    """Return the body of a definition with the arguments of a call (or other ones) in it.

    None for one that is too large, that names values first, or whose body is still being checked.
    """
    define = call.define
    if define.value is None or define.lets or define.weight > INLINED_WEIGHT:
        return None
    return substitute(define.value, dict(zip(define.params, call.args if args is None else args, strict=True)))
