"""Check arithmetic, ranges, and the joining of cards."""

from __future__ import annotations

import attrs

from grammar import expressions as syntax
from grammar.diagnostics import Cure, Edit
from interpreter.analysis import constant_folding, core, types
from interpreter.analysis.check.type_conformance import is_literal, maybe_absent, pair, shown, typed
from interpreter.analysis.context import Context, Scope


def check_arithmetic(cx: Context, expr: syntax.Arithmetic, scope: Scope) -> core.Expr:
    """Check `a + b`, `a - b`, `a * b`, `a mod b`; `+` and `-` also join and reduce cards."""
    left = cx.expr(expr.left, scope)
    right = cx.expr(expr.right, scope)
    unknown = isinstance(left.type, types.Unknown) or isinstance(right.type, types.Unknown)
    if expr.op in ("+", "-") and unknown:
        return core.Const(None, types.UNKNOWN, expr.span)
    if expr.op in ("+", "-") and isinstance(types.base_of(left.type), types.Cards | types.Card | types.Sequence):
        return _join(cx, expr, left, right)
    for side, checked in ((expr.left, left), (expr.right, right)):
        if types.is_optional(checked.type) and isinstance(types.base_of(checked.type), types.Int):
            maybe_absent(cx, "this may be absent, so it cannot be reckoned with", checked, side)
        elif not isinstance(checked.type, types.Int | types.Unknown):
            cx.report("CG301", f"a number is needed here, but this is {shown(checked.type)}", side.span)
    if not (isinstance(left.type, types.Int) and isinstance(right.type, types.Int)):
        return core.Const(None, types.UNKNOWN, expr.span)
    if expr.op == "mod" and isinstance(right, core.Const) and right.value == 0:
        return cx.wrong("CG312", "a division by zero", expr.right.span, "divide by a number that is never 0")
    return constant_folding.arithmetic(expr.op, left, right, expr.span)


def _join(cx: Context, expr: syntax.Arithmetic, left: core.Expr, right: core.Expr) -> core.Expr:
    def as_list(checked: core.Expr) -> types.Type:
        match checked.type:
            case types.Card() as card:
                return types.Cards(card.kinds, 1)
            case types.Player() | types.EnumType() | types.Int():
                return types.Sequence(checked.type, 1)
            case other:
                return other

    first, second = as_list(left), as_list(right)
    joined = types.join(first, second)
    if joined is None or not isinstance(joined, types.Cards | types.Sequence):
        message = f"{shown(left.type)} and {shown(right.type)} cannot be joined"
        for side, checked in ((expr.left, left), (expr.right, right)):
            if types.is_optional(checked.type) and isinstance(types.base_of(checked.type), types.Card):
                return maybe_absent(cx, f"{message}: this card may be absent", checked, side)
        return cx.wrong("CG301", message, expr.span)
    if expr.op == "-":
        return core.Op("without", (left, right), first, expr.span)
    assert isinstance(first, types.Cards | types.Sequence)
    assert isinstance(second, types.Cards | types.Sequence)
    both = first.at_most + second.at_most
    if first.at_most < 0 or second.at_most < 0:
        both = -1
    elif isinstance(joined, types.Cards):
        both = min(both, cx.deck_size)
    total = attrs.evolve(joined, at_most=both)
    return core.Op("join", (left, right), total, expr.span)


def check_divide(cx: Context, expr: syntax.Divide, scope: Scope) -> core.Expr:
    """Check `a / b rounded up`."""
    left = typed(cx, expr.left, scope, types.Int(), "what is divided")
    right = typed(cx, expr.right, scope, types.Int(), "what divides")
    if expr.rounded not in ("up", "down", "nearest"):
        place = expr.span.part(f"rounded {expr.rounded}")
        cure = Cure("write `rounded down`, `rounded up` or `rounded nearest`", (Edit(place, "rounded down"),))
        return cx.wrong("CG311", f"`rounded {expr.rounded}` says nothing", expr.span, cure)
    if isinstance(right, core.Const) and right.value == 0:
        return cx.wrong("CG312", "a division by zero", expr.right.span, "divide by a number that is never 0")
    if isinstance(left.type, types.Unknown) or isinstance(right.type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    return constant_folding.arithmetic("/" + expr.rounded, left, right, expr.span)


def check_negative(cx: Context, expr: syntax.Negative, scope: Scope) -> core.Expr:
    """Check `-a`."""
    value = typed(cx, expr.value, scope, types.Int(), "what is negated")
    if isinstance(value.type, types.Unknown):
        return value
    return constant_folding.arithmetic("-", core.Const(0, types.Int(0, 0), expr.span), value, expr.span)


def _known(number: core.Expr, otherwise: int | None) -> int | None:
    """Return a number that is known before play, or what its type says."""
    match number:
        case core.Const(value=int() as value) if not isinstance(value, bool):
            return value
    return otherwise


def check_range(cx: Context, expr: syntax.RangeValue, scope: Scope, expected: types.Type | None) -> core.Expr:
    """Check `1..n` and `arcane..ice`."""
    item = expected.item if isinstance(expected, types.Sequence) else expected
    if isinstance(item, types.EnumType):
        low, high = cx.expr(expr.low, scope, item), cx.expr(expr.high, scope, item)
    else:
        low, high = pair(cx, expr.low, expr.high, scope)
    if isinstance(low.type, types.Unknown) or isinstance(high.type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    if isinstance(low.type, types.EnumType) and low.type == high.type:
        return core.Range(low, high, types.Sequence(low.type, len(low.type.values)), expr.span)
    for side, given in ((low, expr.low), (high, expr.high)):
        if types.is_optional(side.type) and isinstance(types.base_of(side.type), types.Int | types.EnumType):
            return maybe_absent(cx, "this may be absent, so no range ends here", side, given)
        if not isinstance(side.type, types.Int):
            return cx.wrong("CG301", f"a range goes between numbers, but this is {shown(side.type)}", side.span)
    assert isinstance(low.type, types.Int)
    assert isinstance(high.type, types.Int)
    # An option's range says what it could be; here it is what it is.
    bound = types.Int(_known(low, low.type.low), _known(high, high.type.high))
    size = -1
    if bound.low is not None and bound.high is not None:
        size = max(0, bound.high - bound.low + 1)
        if size == 0:
            if is_literal(expr.low) and is_literal(expr.high):
                return cx.wrong("CG313", "this range has no number in it", expr.span, "the lesser number stands first")
            bound = types.Int(bound.low, bound.low)
    return core.Range(low, high, types.Sequence(bound, size), expr.span)
