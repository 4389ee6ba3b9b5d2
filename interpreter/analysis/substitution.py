"""Put expressions in the place of local names."""

from __future__ import annotations

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
    changes: dict[str, Any] = {}
    whole: Any = node
    for name in _parts(whole.__class__):
        value = getattr(node, name)
        if value is not None:
            changed = _replace(value, by, folds)
            if changed is not value:
                changes[name] = changed
    return attrs.evolve(whole, **changes) if changes else node


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    """Return the fields of a kind of node that can hold expressions."""
    names: Any = attrs.fields(kind)
    card = ("card",) if kind is core.SetFold else ()
    return tuple(f.name for f in names if f.name not in (*_FIXED, *card))
