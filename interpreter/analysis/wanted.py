"""Check that an expression is what its place needs: a condition, or a value of a type; and name types in words."""

from __future__ import annotations

from grammar import expressions as syntax
from interpreter.analysis import core, places
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.types import (
    BOOL,
    Bool,
    Card,
    Cards,
    EnumType,
    Int,
    Optional,
    Player,
    Sequence,
    Type,
    Unknown,
    apart,
    base_of,
    fits,
    is_optional,
)


def condition(cx: Context, expr: syntax.Expr, scope: Scope) -> core.Expr:
    """Check an expression that must be true or false."""
    checked = cx.expr(expr, scope, BOOL)
    if not isinstance(checked.type, Bool | Unknown):
        help_ = "compare it: `.. == ..`"
        if isinstance(base_of(checked.type), Cards | Sequence):
            help_ = "ask `.. is not empty`"
        elif isinstance(base_of(checked.type), Card) or is_optional(checked.type):
            help_ = "ask `.. is not none`" if is_optional(checked.type) else "ask its kind: `.. is K`"
        return cx.wrong("CG301", f"a condition is needed here, but this is {shown(checked.type)}", expr.span, help_)
    return checked


def typed(cx: Context, expr: syntax.Expr, scope: Scope, wanted: Type, what: str) -> core.Expr:
    """Check an expression that must be of a type; `what` names the place in the message."""
    return suited(cx, cx.expr(expr, scope, wanted), expr, wanted, what)


def suited(cx: Context, checked: core.Expr, expr: syntax.Expr, wanted: Type, what: str) -> core.Expr:
    """Return a checked expression where it is of a type; report it, and return a stand-in, where it is not."""
    if isinstance(base_of(wanted), Card):
        checked = places.card_in(checked)
    if fits(checked.type, wanted):
        if is_literal(expr) and apart(checked.type, wanted):
            return cx.wrong("CG310", f"{what} must be {shown(wanted)}", expr.span)
        return checked
    if fits(base_of(checked.type), wanted):
        return cx.wrong(
            "CG303",
            f"{what} must be {shown(wanted)}, but this may be absent",
            expr.span,
            "add `else` and the value to take when it is absent; where it never is, put `the` in front",
        )
    help_ = ""
    given, asked = base_of(checked.type), base_of(wanted)
    if isinstance(given, Card) and isinstance(asked, Card):
        help_ = f"test it first: `.. is {asked}`"
    elif isinstance(given, Cards) and isinstance(asked, Card):
        help_ = "pick one of them: `first c in ..`, `top of ..`"
    elif isinstance(given, EnumType | Int | Player) and isinstance(asked, Bool):
        help_ = "compare it with `==`"
    return cx.wrong("CG301", f"{what} must be {shown(wanted)}, but this is {shown(checked.type)}", expr.span, help_)


def is_literal(expr: syntax.Expr) -> bool:
    """Say whether an expression is a number as the spec writes it, the same with all options."""
    return isinstance(expr, syntax.Number) or (isinstance(expr, syntax.Negative) and is_literal(expr.value))


def shown(type_: Type) -> str:
    """Return a type in words, with its article."""
    match type_:
        case Int(low=None) | Int(high=None):
            return "a number"
        case Int():
            return f"a number in {type_}"
        case Bool():
            return "true or false"
        case Player():
            return "a player"
        case Card():
            return "a card" if str(type_) == "card" else f"a {type_}"
        case Cards():
            return "cards"
        case EnumType():
            return f"a value of {type_}"
        case Optional():
            return f"{shown(type_.base)} or none"
        case Sequence():
            return f"a list of {type_.item}s" if isinstance(type_.item, Player) else f"a {type_}"
        case _:
            return str(type_)


def pair(cx: Context, first: syntax.Expr, second: syntax.Expr, scope: Scope) -> tuple[core.Expr, core.Expr]:
    """Check two expressions of which either may tell which enumeration the other's value is of."""
    if isinstance(first, syntax.Name) and scope.find(first.name) is None and first.name not in cx.symbols:
        right = cx.expr(second, scope)
        return cx.expr(first, scope, base_of(right.type)), right
    left = cx.expr(first, scope)
    return left, cx.expr(second, scope, base_of(left.type))
