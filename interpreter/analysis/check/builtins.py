"""The functions of the language itself: few, and only what cannot be written as a definition."""

from __future__ import annotations

from grammar import expressions as syntax
from interpreter.analysis import constant_folding, core
from interpreter.analysis.check import conversions, selections
from interpreter.analysis.check.type_conformance import arguments, maybe_absent
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.types import (
    BOOL,
    PLAYER,
    UNKNOWN,
    Bool,
    Card,
    Cards,
    EnumType,
    Int,
    Player,
    Sequence,
    Type,
    Unknown,
    base_of,
    is_optional,
    join,
    optional,
)

SEATS = ("next", "previous", "left", "right", "across")
"""Functions from a player to a player: `left` is the next in turn, `right` the one before."""

AROUND = ("next", "previous")
"""Those of them that go round the values of an enumeration, too."""

CARD_FUNCTIONS: dict[str, Type] = {
    "player_of": optional(PLAYER),
    "holder": optional(PLAYER),
    "face_down": BOOL,
}
"""Functions of a card: who played it, in whose zone it lies, whether it lies face down."""

NAMES = (*SEATS, *CARD_FUNCTIONS, "count", "min", "max", "distance", "subsets")


def check(cx: Context, expr: syntax.Call, scope: Scope) -> core.Expr:
    """Check a call of a function of the language; an unknown name is reported here."""
    if expr.name in SEATS:
        return _unary(cx, expr, scope, Player, "a player", optional(PLAYER))
    if expr.name in CARD_FUNCTIONS:
        return _unary(cx, expr, scope, Card, "a card", CARD_FUNCTIONS[expr.name])
    if expr.name == "count":
        return _count(cx, expr, scope)
    if expr.name in ("min", "max"):
        return _extremum(cx, expr, scope)
    if expr.name == "distance":
        return _distance(cx, expr, scope)
    if expr.name == "subsets":
        return cx.wrong(
            "CG316", "`subsets` stands only behind `some t in` and `no t in`", expr.span,
            "say what the subset must be: `some t in subsets(Z) where ..`",
        )  # fmt: skip
    if expr.name in cx.coming and expr.name not in cx.symbols:
        return cx.wrong("CG314", f"`{expr.name}` is not known before play", expr.span,
                        "use numbers, options and `count(players)`")  # fmt: skip
    cx.look_at(expr.args, scope)
    known = [*NAMES, *(n for n in cx.symbols)]
    return cx.unknown("CG201", f"nothing here is called `{expr.name}`", expr.name, expr.span, known)


def _args(cx: Context, expr: syntax.Call, scope: Scope, wanted: int) -> list[core.Expr] | None:
    if len(expr.args) != wanted:
        cx.report("CG207", f"`{expr.name}` takes {arguments(wanted)}, not {len(expr.args)}", expr.span)
        cx.look_at(expr.args, scope)
        return None
    return [cx.expr(a, scope) for a in expr.args]


def _unary(cx: Context, expr: syntax.Call, scope: Scope, wanted: type, what: str, result: Type) -> core.Expr:
    args = _args(cx, expr, scope, 1)
    if args is None or isinstance(args[0].type, Unknown):
        return core.Const(None, UNKNOWN, expr.span)
    if wanted is Card:
        args = [conversions.card_in(args[0])]
    if expr.name in AROUND and isinstance(base_of(args[0].type), EnumType):
        return core.Builtin(expr.name, (args[0],), args[0].type, expr.span)
    if not isinstance(base_of(args[0].type), wanted):
        return cx.wrong("CG301", f"`{expr.name}` asks {what}", expr.args[0].span)
    if expr.name in SEATS and not is_optional(args[0].type):
        result = base_of(result)
    return core.Builtin(expr.name, (args[0],), result, expr.span)


def _count(cx: Context, expr: syntax.Call, scope: Scope) -> core.Expr:
    if len(expr.args) == 1:
        chosen = selections.open_set(cx, expr.args[0], scope)
        if chosen is not None:
            return selections.measure_count(cx, chosen, expr.span)
    args = _args(cx, expr, scope, 1)
    if args is None or isinstance(args[0].type, Unknown):
        return core.Const(None, UNKNOWN, expr.span)
    if isinstance(args[0], core.Builtin) and args[0].name == "players":
        return core.Const(cx.num_players, Int(cx.num_players, cx.num_players), expr.span)
    type_ = args[0].type
    if not isinstance(type_, Cards | Sequence):
        return cx.wrong("CG301", "`count` asks cards, players or a list", expr.args[0].span)
    return conversions.how_many(args[0], type_.at_most if type_.at_most >= 0 else None)


def _extremum(cx: Context, expr: syntax.Call, scope: Scope) -> core.Expr:
    if len(expr.args) < 2:
        return cx.wrong(
            "CG207", f"`{expr.name}` takes two or more values", expr.span,
            f"over many things it is `{expr.name}(e for c in Z)`",
        )  # fmt: skip
    args = [cx.expr(a, scope) for a in expr.args]
    type_: Type = args[0].type
    for arg, given in zip(args, expr.args, strict=True):
        if is_optional(arg.type):
            return maybe_absent(cx, "this may be absent", arg, given)
        joined = join(type_, arg.type)
        if joined is None or isinstance(base_of(arg.type), Cards | Card | Player | Bool):
            return cx.wrong("CG301", f"`{expr.name}` compares numbers or values of one enumeration", given.span)
        type_ = joined
    if isinstance(type_, Int) and all(isinstance(a.type, Int) for a in args):
        pick = min if expr.name == "min" else max
        lows = [a.type.low for a in args if isinstance(a.type, Int)]
        highs = [a.type.high for a in args if isinstance(a.type, Int)]
        low = None if None in lows else pick(v for v in lows if v is not None)
        high = None if None in highs else pick(v for v in highs if v is not None)
        type_ = Int(low, high)
        if low is not None and low == high and all(isinstance(a, core.Const) for a in args):
            return core.Const(low, type_, expr.span)
    return core.Builtin(expr.name, tuple(args), type_, expr.span)


def _distance(cx: Context, expr: syntax.Call, scope: Scope) -> core.Expr:
    args = _args(cx, expr, scope, 2)
    if args is None:
        return core.Const(None, UNKNOWN, expr.span)
    for arg, given in zip(args, expr.args, strict=True):
        if not isinstance(arg.type, Int | Unknown):
            return cx.wrong("CG301", "`distance` asks two numbers", given.span)
    left, right = args
    if not isinstance(left.type, Int) or not isinstance(right.type, Int):
        return core.Const(None, UNKNOWN, expr.span)
    span = constant_folding.bounds("-", left.type, right.type)
    high = None if span.low is None or span.high is None else max(abs(span.low), abs(span.high))
    return core.Builtin("distance", (left, right), Int(0, high), expr.span)
