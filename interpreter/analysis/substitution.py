"""Beta reduction: expressions in the place of local names, and the body of a definition in the place of its call; and
structural equality of expressions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from typing import Any

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


def key(node: Any) -> Hashable:
    """Return what two expressions have in common if they are the same but for their places in the spec."""
    kind: Any = node.__class__
    if kind is tuple:
        return tuple(map(key, node))
    if kind in core.EXPRESSIONS or kind in core.PARTS:
        return (kind, *(key(getattr(node, name)) for name in _fields(kind)))
    return (bool, node) if kind is bool else node


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    # The type of an equal expression can differ by its place, since conditions narrow it; a constant's type is its own.
    aside = ("span", "tags") if kind is core.Const else ("span", "tags", "type")
    return tuple(name for name in kind.__struct_fields__ if name not in aside)
