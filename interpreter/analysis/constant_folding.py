"""Constant folding: expressions with a value before play become constants, and whole numbers keep their bounds.

Options are constants of a compiled game, so a test of an option disappears from the program here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.limits import NUMBER_LIMIT
from interpreter.analysis.types import BOOL, Int, Optional, Player, Type, base_of, lies_within

ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "mod": operator.mod, "/down": operator.floordiv,
    "/up": lambda a, b: -(-a // b), "/nearest": lambda a, b: (2 * a + b) // (2 * b),
}  # fmt: skip
"""The integer operations; `/nearest` rounds halves up, and a division by zero raises ZeroDivisionError."""

COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def fold(expr: core.Op) -> core.Expr:
    """Reduce a comparison or a logical operation where its sides are known."""
    if all(type(arg) is not core.Const for arg in expr.args):
        return expr
    match expr:
        case core.Op(op="not", args=(core.Const(value=bool(value)),)):
            return core.Const(not value, BOOL, expr.span)
        case core.Op(op="and", args=(core.Const(value=bool(value)), other)):
            return other if value else core.Const(False, BOOL, expr.span)
        case core.Op(op="and", args=(other, core.Const(value=True))):
            return other
        case core.Op(op="and", args=(other, core.Const(value=False) as never)) if _has_value(other):
            return never
        case core.Op(op="or", args=(other, core.Const(value=True) as always)) if _has_value(other):
            return always
        case core.Op(op="or", args=(core.Const(value=bool(value)), other)):
            return core.Const(True, BOOL, expr.span) if value else other
        case core.Op(op="or", args=(other, core.Const(value=False))):
            return other
        case core.Op(op=op, args=(core.Const(value=int(a)), core.Const(value=int(b)))) if op in COMPARISONS:
            return core.Const(COMPARISONS[op](a, b), BOOL, expr.span)
    return expr


def _has_value(expr: core.Expr) -> bool:
    """Say whether an expression plainly has a value in every state, so that it need not be evaluated."""
    plain = False
    match expr:
        case core.Const() | core.LocalRef() | core.IsNone() | core.Builtin(name="players"):
            plain = True
        case core.VarRef(index=index) | core.Builtin(name="empty" | "count", args=(core.ZoneRef(index=index),)):
            return all(isinstance(i, core.LocalRef | core.VarRef) and isinstance(i.type, Player) for i in index)
        case core.Op(op=op):
            plain = op in ("not", "and", "or") or op in COMPARISONS
    return plain and all(_has_value(part) for part in core.children(expr))


def reduced(expr: core.Expr) -> core.Expr:
    """Return what an expression comes to where its parts are known."""
    match expr:
        case core.EnumAttr(value=core.Const(value=int(number))):
            return core.Const(expr.table[number], expr.type, expr.span)
        case core.IsIn(
            value=core.Const(value=int(value)),
            domain=core.Range(low=core.Const(value=int(low)), high=core.Const(value=int(high))),
        ):
            return core.Const(low <= value <= high, expr.type, expr.span)
        case core.Op(op=op, args=(left, right)) if op in ARITHMETIC:
            return arithmetic(op, left, right, expr.span)
        case core.Op():
            return fold(expr)
        case core.Chain():
            return fold_chain(expr)
    return expr


def fold_chain(chain: core.Chain) -> core.Expr:
    """Drop the alternatives of a chain that never hold, and all after one that always does."""
    kept: list[tuple[core.Expr | None, core.Expr]] = []
    tags: list[tuple[str, ...]] = []
    for (condition, value), tag in zip(chain.alternatives, chain.tags, strict=True):
        if isinstance(condition, core.Const) and condition.value is False:
            continue
        certain = isinstance(condition, core.Const) and condition.value is True
        kept.append((None if certain and not kept else condition, value))
        tags.append(tag)
        if certain:
            break
    if not kept:
        return core.Const(None, chain.type, chain.span)
    if len(kept) == 1 and kept[0][0] is None and not tags[0]:
        return kept[0][1]
    return core.Chain(tuple(kept), chain.type, chain.span, tuple(tags))


def bounds(op: str, left: Int, right: Int) -> Int:
    """Return the bounds of the result of `+ - * mod /up /down /nearest`; none beyond `NUMBER_LIMIT`."""
    found = _bounds(op, left, right)
    if found.low is None or found.high is None or found.low < -NUMBER_LIMIT or found.high > NUMBER_LIMIT:
        return Int()
    return found


def _bounds(op: str, left: Int, right: Int) -> Int:
    if op == "mod":
        if right.low is not None and right.low > 0 and right.high is not None:
            return Int(0, right.high - 1)
        return Int()
    if left.low is None or left.high is None or right.low is None or right.high is None:
        return Int()
    if op.startswith("/"):
        # By zero there is no value, only a fault; the least divisors give the greatest values.
        divisors = [d for d in (right.low, -1, 1, right.high) if d != 0 and right.low <= d <= right.high]
        ends = [ARITHMETIC[op](a, b) for a in (left.low, left.high) for b in divisors]
        return Int(min(ends), max(ends)) if ends else Int()
    ends = [ARITHMETIC[op](a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    return Int(min(ends), max(ends))


def arithmetic(op: str, left: core.Expr, right: core.Expr, span: Span) -> core.Expr:
    """Return the operation with its bounds, as a constant where both sides are known."""
    if not isinstance(left.type, Int) or not isinstance(right.type, Int):
        return left if not isinstance(left.type, Int) else right
    type_ = bounds(op, left.type, right.type)
    match left, right:
        case core.Const(value=int(a)), core.Const(value=int(b)) if b != 0 or op in ("+", "-", "*"):
            value = ARITHMETIC[op](a, b)
            if abs(value) <= NUMBER_LIMIT:
                return core.Const(value, Int(value, value), span)
    made = core.Op(op, (left, right), type_, span)
    # Only a product can overflow before it is stored; other results are checked when they are stored.
    return within(made, type_) if op == "*" and type_.low is None else made


def within(expr: core.Expr, wanted: Type) -> core.Expr:
    """Return an expression with a range check, which faults (CG801) if its number is outside the wanted range.

    The expression needs no check if its type lies within the range.
    """
    given, target = base_of(expr.type), base_of(wanted)
    if not isinstance(given, Int) or not isinstance(target, Int):
        return expr
    if target.low is None or target.high is None:
        # A stored number is within the bounds of `integer`; a product may exceed them.
        if not (isinstance(expr, core.Op) and expr.op == "*"):
            return expr
    elif lies_within(given, target.low, target.high):
        return expr
    kept: Type = Optional(target) if isinstance(expr.type, Optional) else target
    return core.Builtin("within", (expr,), kept, expr.span)


def unproved(expr: core.Expr, wanted: Type) -> Int | None:
    """Return the range for which a number is checked when it is stored; None if its type lies within the range."""
    given, target = base_of(expr.type), base_of(wanted)
    if not isinstance(target, Int) or (target.low is None and isinstance(expr, core.VarRef)):
        return None
    if isinstance(expr, core.Const) and isinstance(expr.value, int) and abs(expr.value) <= NUMBER_LIMIT:
        given = Int(int(expr.value), int(expr.value))
    low = -NUMBER_LIMIT if target.low is None else target.low
    high = NUMBER_LIMIT if target.high is None else target.high
    return None if lies_within(given, low, high) else target


def constant(expr: core.Expr) -> int | bool | None:
    """Return the value of a constant, or None for anything else (and for `none`)."""
    return expr.value if isinstance(expr, core.Const) else None
