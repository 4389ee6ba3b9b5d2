"""Put expressions in the place of local names."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import attrs

from interpreter.analysis import core
from interpreter.analysis.symbols import Local

_FIXED = ("type", "span", "local", "name", "having", "kinds", "table", "op", "which", "define", "function")


def substitute(expr: core.Expr, by: dict[Local, core.Expr]) -> core.Expr:
    """Return the expression with each of the named locals replaced; definitions are not entered."""
    replaced: core.Expr = _replace(expr, by, {}) if by else expr
    return replaced


def with_folds(expr: core.Expr, by: dict[core.SetFold, core.SetFold]) -> core.Expr:
    """Return the condition on a set with its measures replaced."""
    replaced: core.Expr = _replace(expr, {}, by) if by else expr
    return replaced


def with_parts(expr: core.Expr, change: Callable[[core.Expr], core.Expr]) -> core.Expr:
    """Return the expression with each expression directly inside it changed."""

    def changed(node: Any) -> Any:
        match node:
            case core.Binder() | core.KindTest() | core.SetFold() | core.SetCondition():
                return _evolved(node, changed)
            case tuple():
                items = tuple(map(changed, node))
                return node if all(a is b for a, b in zip(items, node, strict=True)) else items
        return change(node) if isinstance(node, core.Expr) else node

    whole: core.Expr = _evolved(expr, changed)
    return whole


def _evolved(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a node with what its fields hold changed."""
    changes: dict[str, Any] = {}
    for name in _parts(node.__class__):
        value = getattr(node, name)
        if value is not None:
            new = change(value)
            if new is not value:
                changes[name] = new
    return attrs.evolve(node, **changes) if changes else node


def _replace(node: Any, by: dict[Local, core.Expr], folds: dict[core.SetFold, core.SetFold]) -> Any:
    match node:
        case core.LocalRef():
            return by.get(node.local, node)
        case core.SetFoldRef():
            return core.SetFoldRef(folds[node.fold], node.type, node.span) if node.fold in folds else node
        case tuple():
            items = tuple(_replace(item, by, folds) for item in node)
            return node if all(a is b for a, b in zip(items, node, strict=True)) else items
        case core.SetCondition():
            new = _replace(node.folds, by, folds)
            renamed = folds | dict(zip(node.folds, new, strict=True))
            return core.SetCondition(new, _replace(node.condition, by, renamed))
    if not isinstance(node, core.Expr | core.Binder | core.KindTest | core.SetFold):
        return node
    return _evolved(node, lambda part: _replace(part, by, folds))


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    """Return the fields of a kind of node that can hold expressions."""
    names: Any = attrs.fields(kind)
    card = ("card",) if kind is core.SetFold else ()
    return tuple(f.name for f in names if f.name not in (*_FIXED, *card))
