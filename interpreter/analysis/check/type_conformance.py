"""Type checking against what a place needs: a condition, or a value of a type; and types in words."""

from __future__ import annotations

from typing import assert_never

from grammar import expressions as syntax
from grammar.diagnostics import Cure, Edit, Label
from grammar.source import Span
from interpreter.analysis import core, types
from interpreter.analysis.check import conversions
from interpreter.analysis.context import Context, Let, Scope


def condition(cx: Context, expr: syntax.Expr, scope: Scope) -> core.Expr:
    """Check an expression that must be true or false."""
    checked = cx.expr(expr, scope, types.BOOL)
    if not isinstance(checked.type, types.Bool | types.Unknown):
        help_ = "compare it: `.. == ..`"
        if isinstance(types.base_of(checked.type), types.Cards | types.Sequence):
            help_ = "ask `.. is not empty`"
        elif isinstance(types.base_of(checked.type), types.Card) or types.is_optional(checked.type):
            help_ = "ask `.. is not none`" if types.is_optional(checked.type) else "ask its kind: `.. is K`"
        return cx.wrong("CG301", f"a condition is needed here, but this is {shown(checked.type)}", expr.span, help_)
    return checked


def typed(cx: Context, expr: syntax.Expr, scope: Scope, wanted: types.Type, what: str) -> core.Expr:
    """Check an expression that must be of a type; `what` names the place in the message."""
    return suited(cx, cx.expr(expr, scope, wanted), expr, wanted, what)


def suited(cx: Context, checked: core.Expr, expr: syntax.Expr, wanted: types.Type, what: str) -> core.Expr:
    """Return a checked expression where it is of a type; report it, and return a stand-in, where it is not."""
    if isinstance(types.base_of(wanted), types.Card):
        checked = conversions.card_in(checked)
    if types.fits(checked.type, wanted):
        if is_literal(expr) and types.disjoint(checked.type, wanted):
            return cx.wrong("CG310", f"{what} must be {shown(wanted)}", expr.span, _within(checked, wanted, expr))
        return checked
    if types.fits(types.base_of(checked.type), wanted):
        return maybe_absent(cx, f"{what} must be {shown(wanted)}, but this may be absent", checked, expr)
    cure: str | Cure = ""
    given, asked = types.base_of(checked.type), types.base_of(wanted)
    message = f"{what} must be {shown(wanted)}, but this is {shown(checked.type)}"
    if isinstance(given, types.Card) and isinstance(asked, types.Card):
        cure = f"test it first: `.. is {asked}`"
    elif isinstance(given, types.Cards) and isinstance(asked, types.Card):
        slot = cx.lets.get(checked.local) if isinstance(checked, core.LocalRef) else None
        if slot is not None and conversions.is_slot(slot.checked):
            return _report_at_let(cx, slot, "is the place here, not the card in it", expr.span)
        cure = Cure("pick one of them: `the first x in ..`", (Edit(expr.span, f"(the first x in {expr.span.text})"),))
    elif isinstance(given, types.EnumType) and isinstance(asked, types.Int):
        number = f"if {expr.span.text} == {given.values[0]} then 1 else 0"
        cure = Cure(f"say which numbers the values are: `{number}`", (Edit(expr.span, f"({number})"),))
    elif isinstance(given, types.EnumType | types.Int | types.Player) and isinstance(asked, types.Bool):
        cure = "compare it with `==`"
    elif isinstance(given, types.Bool) and isinstance(asked, types.Int):
        cure = Cure(
            "count it as 1 or 0: `if .. then 1 else 0`", (Edit(expr.span, f"(if {expr.span.text} then 1 else 0)"),)
        )
    return cx.wrong("CG301", message, expr.span, cure)


def _within(checked: core.Expr, wanted: types.Type, expr: syntax.Expr) -> str | Cure:
    """Return the cure to write the nearest number of a range."""
    match checked, types.base_of(wanted):
        case core.Const(value=int(number)), types.Int(low=int(low), high=int(high)):
            near = min(max(number, low), high)
            return Cure(f"write `{near}`, or give its place a wider range", (Edit(expr.span, str(near)),))
    return "give its place a wider range"


def maybe_absent(cx: Context, message: str, checked: core.Expr, expr: syntax.Expr) -> core.Expr:
    """Report a value that may be absent where it must be there, and return a stand-in.

    Of a name that a `let` has given, it is reported at the `let`, once.
    """
    let = _let_of(cx, checked)
    if let is not None:
        return _report_at_let(cx, let, "may be absent, and is used where it must be there", expr.span)
    if (
        isinstance(checked, core.CardAttr)
        and isinstance(types.base_of(checked.type), types.Int)
        and not types.is_optional(checked.card.type)
    ):
        text = f"({expr.span.text} else 0)"
        cure = Cure(f"write `{text}`, or leave out with `where` what has none", (Edit(expr.span, text),))
        return cx.wrong("CG303", message, expr.span, cure)
    words = "put `the` in front where the rules say that it is there; otherwise add `else` and the value to take"
    return cx.wrong("CG303", message, expr.span, Cure(words, the_in_front(expr)))


def the_in_front(expr: syntax.Expr) -> tuple[Edit, ...]:
    """Return the edits that say `the` of an expression."""
    if isinstance(expr, syntax.Chain | syntax.Arithmetic):
        return Edit(expr.span.before, "the ("), Edit(expr.span.behind, ")")
    return (Edit(expr.span.before, "the "),)


def _let_of(cx: Context, checked: core.Expr) -> Let | None:
    """Return the `let` whose absent value makes an expression absent, if there is one that nothing asks about."""
    match checked:
        case core.LocalRef(local=local):
            let = cx.lets.get(local)
            return let if let is not None and not let.tested and types.is_optional(local.type) else None
        case core.CardAttr(card=inner) | core.EnumAttr(value=inner):
            return _let_of(cx, inner)
        case core.Builtin(args=(inner, *_)):
            return _let_of(cx, inner)
    return None


def _report_at_let(cx: Context, let: Let, what: str, used: Span) -> core.Expr:
    """Report what is wrong with the value of a `let` where it is, and take it for right from here on."""
    cure = Cure("put `the` in front", the_in_front(let.value))
    labels = (Label(used, "here it must be there"),)
    cx.report("CG303", f"`{let.local.name}` {what}", let.value.span, cure, labels=labels)
    del cx.lets[let.local]
    let.local.type = types.UNKNOWN
    return core.Const(None, types.UNKNOWN, used)


def is_literal(expr: syntax.Expr) -> bool:
    """Say whether an expression is a number as the spec writes it, the same with all options."""
    return isinstance(expr, syntax.Number) or (isinstance(expr, syntax.Negative) and is_literal(expr.value))


def shown(type_: types.Type) -> str:
    """Return a type in words, with its article."""
    match type_:
        case types.Int(low=None) | types.Int(high=None):
            return "a number"
        case types.Int():
            return f"a number in {type_}"
        case types.Bool():
            return "true or false"
        case types.Player():
            return "a player"
        case types.Card():
            return "a card" if str(type_) == "card" else f"a {type_}"
        case types.Cards():
            return "cards"
        case types.EnumType():
            return f"a value of {type_}"
        case types.Optional():
            return f"{shown(type_.base)} or none"
        case types.Sequence():
            return f"a list of {type_.item}s" if isinstance(type_.item, types.Player) else f"a {type_}"
        case types.Tuple() | types.Nothing() | types.Unknown():
            return str(type_)
        case _:
            assert_never(type_)


def arguments(number: int) -> str:
    """Return a number of arguments in words."""
    return "no arguments" if number == 0 else "one argument" if number == 1 else f"{number} arguments"


def pair(cx: Context, first: syntax.Expr, second: syntax.Expr, scope: Scope) -> tuple[core.Expr, core.Expr]:
    """Check two expressions of which either may determine which enumeration the other's value is of."""
    if isinstance(first, syntax.Name) and scope.find(first.name) is None and first.name not in cx.symbols:
        right = cx.expr(second, scope)
        return cx.expr(first, scope, types.base_of(right.type)), right
    left = cx.expr(first, scope)
    return left, cx.expr(second, scope, types.base_of(left.type))
