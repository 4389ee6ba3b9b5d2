"""Calls of the functions of the language, by the signature in the table of functions or a type rule of their own."""

from __future__ import annotations

from collections.abc import Callable

from grammar import expressions as syntax
from interpreter.analysis import core, types
from interpreter.analysis.check import conversions, selections
from interpreter.analysis.check.type_conformance import arguments, maybe_absent
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.functions import CALLABLE, Function, extremum


def check(cx: Context, expr: syntax.Call, scope: Scope) -> core.Expr:
    """Check a call of a function of the language; an unknown name is reported here."""
    function = CALLABLE.get(expr.name)
    if function is not None:
        own = _OWN_RULES.get(function.name)
        return _by_signature(cx, expr, scope, function) if own is None else own(cx, expr, scope)
    if expr.name in cx.coming and expr.name not in cx.symbols:
        return cx.wrong("CG314", f"`{expr.name}` is not known before play", expr.span,
                        "use numbers, options and `count(players)`")  # fmt: skip
    cx.look_at(expr.args, scope)
    known = [*CALLABLE, *(n for n in cx.symbols)]
    return cx.unknown("CG201", f"nothing here is called `{expr.name}`", expr.name, expr.span, known)


def _args(cx: Context, expr: syntax.Call, scope: Scope, wanted: int) -> list[core.Expr] | None:
    if len(expr.args) != wanted:
        cx.report("CG207", f"`{expr.name}` takes {arguments(wanted)}, not {len(expr.args)}", expr.span)
        cx.look_at(expr.args, scope)
        return None
    return [cx.expr(a, scope) for a in expr.args]


def _by_signature(cx: Context, expr: syntax.Call, scope: Scope, function: Function) -> core.Expr:
    """Check a call by the signature in the table of functions."""
    signature = function.signature
    assert signature is not None, function.name
    args = _args(cx, expr, scope, signature.arity)
    if args is None:
        return core.Const(None, types.UNKNOWN, expr.span)
    if signature.from_slot:
        args = [conversions.card_in(arg) for arg in args]
    for arg, given in zip(args, expr.args, strict=True):
        if not isinstance(arg.type, types.Unknown) and not signature.accepts(arg.type):
            return cx.wrong("CG301", f"`{expr.name}` takes {signature.takes}", given.span)
    if any(isinstance(arg.type, types.Unknown) for arg in args):
        return core.Const(None, types.UNKNOWN, expr.span)
    return core.Builtin(expr.name, tuple(args), signature.result(tuple(arg.type for arg in args)), expr.span)


def _count(cx: Context, expr: syntax.Call, scope: Scope) -> core.Expr:
    if len(expr.args) == 1:
        chosen = selections.open_set(cx, expr.args[0], scope)
        if chosen is not None:
            return selections.measure_count(cx, chosen, expr.span)
    args = _args(cx, expr, scope, 1)
    if args is None or isinstance(args[0].type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    if isinstance(args[0], core.Builtin) and args[0].name == "players":
        return core.Const(cx.num_players, types.Int(cx.num_players, cx.num_players), expr.span)
    type_ = args[0].type
    if not isinstance(type_, types.Cards | types.Sequence):
        return cx.wrong("CG301", "`count` asks cards, players or a list", expr.args[0].span)
    return conversions.how_many(args[0], type_.at_most if type_.at_most >= 0 else None)


def _extremum(cx: Context, expr: syntax.Call, scope: Scope) -> core.Expr:
    if len(expr.args) < 2:
        return cx.wrong(
            "CG207", f"`{expr.name}` takes two or more values", expr.span,
            f"over many things it is `{expr.name}(e for c in Z)`",
        )  # fmt: skip
    args = [cx.expr(a, scope) for a in expr.args]
    type_: types.Type = args[0].type
    for arg, given in zip(args, expr.args, strict=True):
        if types.is_optional(arg.type):
            return maybe_absent(cx, "this may be absent", arg, given)
        joined = types.join(type_, arg.type)
        if joined is None or isinstance(types.base_of(arg.type), types.Cards | types.Card | types.Player | types.Bool):
            return cx.wrong("CG301", f"`{expr.name}` compares numbers or values of one enumeration", given.span)
        type_ = joined
    numbers = extremum(min if expr.name == "min" else max, tuple(arg.type for arg in args))
    if numbers is not None:
        type_ = numbers
        if numbers.low is not None and numbers.low == numbers.high and all(isinstance(a, core.Const) for a in args):
            return core.Const(numbers.low, type_, expr.span)
    return core.Builtin(expr.name, tuple(args), type_, expr.span)


def _subsets(cx: Context, expr: syntax.Call, _: Scope) -> core.Expr:
    return cx.wrong(
        "CG316", "`subsets` stands only behind `some t in` and `no t in`", expr.span,
        "say what the subset must be: `some t in subsets(Z) where ..`",
    )  # fmt: skip


_OWN_RULES: dict[str, Callable[[Context, syntax.Call, Scope], core.Expr]] = {
    "count": _count,
    "min": _extremum,
    "max": _extremum,
    "subsets": _subsets,
}
"""The type rules of functions that take more than a signature can say."""
