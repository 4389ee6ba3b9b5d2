"""Check expressions that stand outside a spec but speak of it: those of scenarios."""

from __future__ import annotations

from grammar.expressions import Expr as SyntaxExpr
from interpreter.analysis import core
from interpreter.analysis.check import expressions
from interpreter.analysis.check.type_conformance import condition, typed
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.rules import Rules
from interpreter.analysis.types import Type


def context_of(rules: Rules) -> Context:
    """Return a context in which everything that the rules declare is known."""
    cx = Context(rules.num_players, expressions.check)
    cx.deck_size = len(rules.card_faces)
    cx.copies = len(rules.faces) < len(rules.card_faces)
    cx.kinds = dict(rules.kinds)
    for group in (rules.options, rules.enums, rules.kinds.values(), rules.zones, rules.variables, rules.defines,
                  rules.phases):  # fmt: skip
        for symbol in group:
            cx.symbols[symbol.name] = symbol
    for enum in rules.enums:
        for number, value in enumerate(enum.values):
            cx.values.setdefault(value, []).append((enum, number))
    return cx


def check_condition(cx: Context, expr: SyntaxExpr) -> core.Expr:
    """Check a condition; mistakes are reported in the context."""
    return condition(cx, expr, Scope())


def check_value(cx: Context, expr: SyntaxExpr, wanted: Type, what: str) -> core.Expr:
    """Check a value of a type; mistakes are reported in the context."""
    return typed(cx, expr, Scope(), wanted, what)


def check_any(cx: Context, expr: SyntaxExpr) -> core.Expr:
    """Check any expression; mistakes are reported in the context."""
    return cx.expr(expr, Scope())
