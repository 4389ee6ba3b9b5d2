"""Beta reduction: expressions in the place of local names, and the body of a definition in the place of its call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import is_
from typing import Any, get_args

import attrs

from interpreter.analysis import core
from interpreter.analysis.symbols import Local

INLINED_WEIGHT = 200
"""Definitions of more parts, with all that they call in turn, stay calls everywhere."""

_FIXED = ("type", "span", "local", "name", "having", "kinds", "table", "op", "which", "define", "function")


_EXPRESSIONS = frozenset(get_args(core.Expr))
_PARTS_OF_EXPRESSIONS = frozenset({core.Binder, core.KindTest, core.SetFold, core.SetCondition})


def substitute(expr: core.Expr, by: dict[Local, core.Expr]) -> core.Expr:
    """Return the expression with each of the named locals replaced; definitions are not entered."""
    replaced: core.Expr = _replace(expr, by, {}) if by else expr
    return replaced


def inlined(call: core.CallDefine, args: Sequence[core.Expr] | None = None) -> core.Expr | None:
    """Return the body of a definition with the arguments of a call (or other ones) in it.

    None for one that is too large, that names values first, or whose body is still being checked.
    """
    define = call.define
    if define.value is None or define.lets or define.weight > INLINED_WEIGHT:
        return None
    return substitute(define.value, dict(zip(define.params, call.args if args is None else args, strict=True)))


def with_folds(expr: core.Expr, by: dict[core.SetFold, core.SetFold]) -> core.Expr:
    """Return the condition on a set with its measures replaced."""
    replaced: core.Expr = _replace(expr, {}, by) if by else expr
    return replaced


def with_parts(expr: core.Expr, change: Callable[[core.Expr], core.Expr]) -> core.Expr:
    """Return the expression with each expression directly inside it changed; a measure belongs to its condition."""
    if expr.__class__ in core.LEAVES:
        return expr
    whole: core.Expr = _with_parts(expr, change)
    return whole


def _with_parts(node: Any, change: Callable[[core.Expr], core.Expr]) -> Any:
    changes: dict[str, Any] = {}
    for name in _parts(node.__class__):
        value = getattr(node, name)
        kind = value.__class__
        new: Any
        if kind in _EXPRESSIONS:
            new = change(value)
        elif kind is tuple:
            new = _changed(value, change)
        elif kind in _PARTS_OF_EXPRESSIONS:
            new = _with_parts(value, change)
        else:
            continue
        if new is not value:
            changes[name] = new
    return core.evolved(node, **changes) if changes else node


def _changed(items: tuple[Any, ...], change: Callable[[core.Expr], core.Expr]) -> tuple[Any, ...]:
    """Return a tuple with each expression in it changed."""
    made: list[Any] = []
    for item in items:
        kind = item.__class__
        if kind in _EXPRESSIONS:
            made.append(change(item))
        elif kind is tuple:
            made.append(_changed(item, change))
        else:
            made.append(_with_parts(item, change) if kind in _PARTS_OF_EXPRESSIONS else item)
    return items if all(map(is_, made, items)) else tuple(made)


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
    if node.__class__ not in _EXPRESSIONS and node.__class__ not in _PARTS_OF_EXPRESSIONS:
        return node
    changes: dict[str, Any] = {}
    for name in _parts(node.__class__):
        value = getattr(node, name)
        if value is not None and (new := _replace(value, by, folds)) is not value:
            changes[name] = new
    return core.evolved(node, **changes) if changes else node


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    """Return the fields of a kind of node that can hold expressions."""
    names: Any = attrs.fields(kind)
    card = ("card",) if kind is core.SetFold else ()
    return tuple(f.name for f in names if f.name not in (*_FIXED, *card))
