"""What all passes share: going through a tree from its leaves, and structural equality of trees.

Nodes compare by identity, so that each can carry what the checker knows of it; a pass that looks for the same
expression in two places compares their structural keys.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from typing import Any

import attrs

from interpreter.analysis import core


def bottom_up(expr: core.Expr, change: Callable[[core.Expr], core.Expr]) -> core.Expr:
    """Return an expression with each part changed, those inside before those around them.

    The condition on a subset is left as it is: its measures belong together.
    """
    if isinstance(expr, core.SomeSubset | core.Const | core.LocalRef):
        return change(expr)
    return change(core.map_children(expr, lambda part: bottom_up(part, change)))


def operands(expr: core.Expr, op: str) -> list[core.Expr]:
    """Return what an operator joins (`and`, `or`, `+`), however it is nested; any other expression is the only one."""
    if isinstance(expr, core.Op) and expr.op == op:
        return [part for arg in expr.args for part in operands(arg, op)]
    return [expr]


def key(node: Any) -> Hashable:
    """Return what two expressions have in common if they are the same but for their places in the spec."""
    if isinstance(node, tuple):
        return tuple(map(key, node))
    if isinstance(node, core.Expr | core.Binder | core.KindTest | core.SetFold | core.SetCondition):
        kind: Any = node.__class__
        return (kind, *(key(getattr(node, name)) for name in _fields(kind)))
    return (bool, node) if isinstance(node, bool) else node


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    # What the checker knows of a value depends on where it is, too; only of a constant does the type say which it is.
    aside = ("span", "tags") if kind is core.Const else ("span", "tags", "type")
    return tuple(field.name for field in attrs.fields(kind) if field.name not in aside)
