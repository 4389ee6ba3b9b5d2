"""Type checking against what a place needs: a condition, or a value of a type; and types in words."""

from __future__ import annotations

from typing import assert_never

from grammar import expressions as syntax
from grammar.diagnostics import Cure, Edit, Label
from grammar.source import Span
from interpreter.analysis import core, types
from interpreter.analysis.check import conversions
from interpreter.analysis.context import Context, Let, Scope
from interpreter.english.words import article


def condition(cx: Context, expr: syntax.Expr, scope: Scope) -> core.Expr:
    """Check an expression that must be true or false."""
    checked = cx.expr(expr, scope, types.BOOL)
    if not isinstance(checked.type, types.Bool | types.Unknown):
        help_: str | Cure = "test `.. is not none`"
        if isinstance(expr, syntax.All):
            help_ = _as_every(expr)
        elif not types.is_optional(checked.type):
            help_ = advice(checked.type, types.BOOL, expr)
        return cx.wrong("CG301", f"expected a condition, found {shown(checked.type)}", expr.span, help_)
    return checked


def _as_every(expr: syntax.All) -> str | Cure:
    """Return the cure of `all x in Z where C` in the place of a condition."""
    words = "`all` gives the members, and a condition on all of them is `every x in Z has C`"
    selection, span = expr.selection, expr.span
    if selection.where is None:
        return words
    before = (selection.start or selection.domain).span.end
    where = Span(span.source, before, selection.where.span.start)
    every = Edit(Span(span.source, span.start, selection.span.start), "every ")
    return Cure(words, (every, Edit(where, where.text.replace("where", "has"))))


def typed(
    cx: Context, expr: syntax.Expr, scope: Scope, wanted: types.Type, what: str, *, bracketed: bool = False
) -> core.Expr:
    """Check an expression that must be of a type; `what` names the place in the message.

    `bracketed` says that only a name or something in brackets can be in this place.
    """
    return suited(cx, cx.expr(expr, scope, wanted), expr, wanted, what, bracketed=bracketed)


def suited(
    cx: Context, checked: core.Expr, expr: syntax.Expr, wanted: types.Type, what: str, *, bracketed: bool = False
) -> core.Expr:
    """Return a checked expression where it is of a type; report it, and return a stand-in, where it is not."""
    if isinstance(types.base_of(wanted), types.Card):
        checked = conversions.card_in(checked)
    if types.fits(checked.type, wanted):
        if is_literal(expr) and types.disjoint(checked.type, wanted):
            return cx.wrong("CG310", f"{what} must be {shown(wanted)}", expr.span, _within(checked, wanted))
        return checked
    if types.fits(types.base_of(checked.type), wanted):
        message = f"{what} must be {shown(wanted)}, but this may be absent"
        return maybe_absent(cx, message, checked, expr, wanted, bracketed=bracketed)
    if isinstance(types.base_of(wanted), types.Card):
        place = slot_under_name(cx, checked, expr.span)
        if place is not None:
            return place
    message = f"{what} must be {shown(wanted)}, but this is {shown(checked.type)}"
    return cx.wrong("CG301", message, expr.span, advice(checked.type, wanted, expr))


_MANY = (types.Cards, types.Sequence)

_ADVICE: tuple[tuple[tuple[type, ...], type, str, str], ...] = (
    ((types.Card,), types.Card, "test it first: `.. is {2}`", ""),
    ((types.Cards,), types.Card, "pick one of them: `the first x in ..`", "(the first x in {0})"),
    (_MANY, types.Int, "several things are no number: write `count({0})`", "count({0})"),
    (_MANY, types.Bool, "several things are no condition: write `{0} is not empty`", "{0} is not empty"),
    ((types.Card,), types.Cards, "one card is no list: move it to a zone and give that zone, or take a `card`", ""),
    ((types.Card,), types.Bool, "test its kind: `.. is K`", ""),
    ((types.Card,), types.Int, "a card is no number: take one of its attributes, as in `c.rank`", ""),
    ((types.EnumType,), types.Int, "count by its place in the enumeration: `position({0})`", "position({0})"),
    ((types.EnumType, types.Int, types.Player), types.Bool, "compare it with `==`", ""),
    ((types.Bool,), types.Int, "count it as 1 or 0: `if .. then 1 else 0`", "(if {0} then 1 else 0)"),
    ((types.Player,), types.Int, "players are no numbers; the next player in turn is `next(p)`", ""),
    ((types.Int,), types.Player, "players are no numbers: write `player {0}`", "player {0}"),
    ((types.Player,), types.Cards, "cards belong to zones: write a zone of this player, as in `hand[{0}]`", ""),
)  # fmt: skip
"""The fixes for a value of the wrong type: the given types, the wanted one, the description and the replacement.

`{0}` is the text of the value, `{1}` a value of its type, `{2}` the type.
"""


def advice(given: types.Type, wanted: types.Type, expr: syntax.Expr) -> str | Cure:
    """Return the fix of an expression of one type where another is wanted, or an empty text."""
    given, wanted = types.base_of(given), types.base_of(wanted)
    if isinstance(given, types.Sequence) and types.fits(given.item, wanted):
        return f"pick one of them, as in `the first x in {expr.span.text}`"
    for found, needed, words, write in _ADVICE:
        if isinstance(given, found) and isinstance(wanted, needed):
            text = expr.span.text
            value = given.values[0] if isinstance(given, types.EnumType) else ""
            words = words.format(text, value, wanted)
            fixed = write.format(text, value, wanted)
            sure = bool(fixed) and (not isinstance(given, types.Int) or is_literal(expr))
            return Cure(words, (Edit(expr.span, fixed),)) if sure else words
    return ""


def slot_under_name(cx: Context, checked: core.Expr, used: Span) -> core.Expr | None:
    """Report a name that a `let` gave to a slot where its card is wanted; None where it is no such name."""
    let = cx.lets.get(checked.local) if isinstance(checked, core.LocalRef) else None
    if let is None or not conversions.is_slot(let.checked):
        return None
    return _report_at_let(cx, let, "is the place here, not the card in it", used)


def _within(checked: core.Expr, wanted: types.Type) -> str:
    """Return what to write in the place of a number outside of a range."""
    match checked, types.base_of(wanted):
        case core.Const(value=int(number)), types.Int(low=int(low), high=int(high)):
            near = min(max(number, low), high)
            return f"write a number such as `{near}`, or give its place a wider range"
    return "give its place a wider range"


def maybe_absent(
    cx: Context,
    message: str,
    checked: core.Expr,
    expr: syntax.Expr,
    wanted: types.Type | None = None,
    *,
    bracketed: bool = False,
) -> core.Expr:
    """Report a value that may be absent where it must be there, of a type if it is known, and return a stand-in.

    Of a name that a `let` has given, it is reported at the `let`, once.
    """
    if cx.doubtful:
        return core.Const(None, types.UNKNOWN, expr.span)
    let = _let_of(cx, checked)
    if let is not None:
        return _report_at_let(cx, let, "may be absent, and is used where it must be there", expr.span)
    reason = _why_absent(checked)
    message = f"{message}: {reason}" if reason else message
    if isinstance(checked, core.CardAttr) and not types.is_optional(checked.card.type):
        words, edits = _leaving_out(checked)
        match types.base_of(checked.type):
            case types.Int():
                least = max(0, (isinstance(wanted, types.Int) and wanted.low) or 0)
                words += f", or write `({expr.span.text} else {least})`"
            case types.EnumType() as enum:
                words += f", or write `({expr.span.text} else V)` with a value such as `{enum.values[0]}`"
        return cx.wrong("CG303", message, expr.span, Cure(words, edits) if edits else words)
    words = "put `the` in front where the rules say that it is there; otherwise add `else` and the value to take"
    if bracketed and expr.span.source.text[expr.span.end : expr.span.end + 1] != ")":
        words = f"write `(the {expr.span.text})` {words.removeprefix('put `the` in front ')}"
        return cx.wrong("CG303", message, expr.span, Cure(words, (Edit(expr.span, f"(the {expr.span.text})"),)))
    return cx.wrong("CG303", message, expr.span, Cure(words, the_in_front(expr)))


def _leaving_out(checked: core.CardAttr) -> tuple[str, tuple[Edit, ...]]:
    """Return how to leave out the cards that have no such attribute, in words, and the edits if they are certain."""
    card = checked.card.span.text
    kinds = " or ".join(f"{card} is {kind}" for kind in sorted(checked.having))
    place = checked.card.local.span if isinstance(checked.card, core.LocalRef) else checked.card.span
    if place.text.startswith(f"{card}:"):
        return f"test the card first with `if {kinds}`", ()
    if not place.text.startswith("card "):
        return f"leave such cards out with `where {kinds}`", ()
    chosen, where, _ = place.text.partition(" where ")
    if where:
        first = f"({kinds})" if " or " in kinds else kinds
        return f"leave such cards out where `{card}` is chosen: `{chosen} where {first} and ..`", ()
    edit = Edit(place.after, f" where {kinds}")
    return f"leave such cards out where `{card}` is chosen: `{chosen} where {kinds}`", (edit,)


def _why_absent(checked: core.Expr) -> str:
    """Return why a value may be absent, or an empty text."""
    match checked:
        case core.CardAttr(card=card) if types.is_optional(card.type):
            return _why_absent(card)
        case core.CardAttr(card=card, name=name, having=having) if isinstance(card.type, types.Card):
            return f"a {' or '.join(sorted(card.type.kinds - having))} has no `{name}`"
        case core.EnumAttr(value=value):
            return _why_absent(value)
        case core.CardAt(at=at, zone=core.ZoneRef(zone=zone)):
            return f"`{zone.name}` may be empty" if isinstance(at, str) else f"`{zone.name}` may have fewer cards"
        case core.VarRef(variable=variable):
            return f"`{variable.name}` may be none"
        case core.Select() | core.Extreme():
            return "the selection may be empty"
    return ""


def the_in_front(expr: syntax.Expr) -> tuple[Edit, ...]:
    """Return the edits that say `the` of an expression."""
    if isinstance(expr, syntax.Chain | syntax.Arithmetic):
        return Edit(expr.span.before, "the ("), Edit(expr.span.after, ")")
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
            return str(type_.low) if type_.low == type_.high else f"a number in {type_}"
        case types.Bool():
            return "true or false"
        case types.Player():
            return "a player"
        case types.Card():
            return article(str(type_))
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
