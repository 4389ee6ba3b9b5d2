"""Tabulation: what depends on nothing but what is printed on one card is looked up in a table of all cards.

Such a thing (what a card is worth, whether it counts) has one value for each card, known before play.  A definition of
that kind has a table of its own.  Any other part of an expression becomes the argument of `tabulated`, a function that
only this pass calls, behind the card that it depends on; the printer makes the table.
"""

from __future__ import annotations

from collections.abc import Container
from typing import assert_never

import attrs

from interpreter.analysis import core
from interpreter.analysis.core import Define
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Card
from interpreter.program.passes.totality import is_tagged

_PLAIN_OPS = frozenset({"not", "and", "or", "+", "-", "*", "==", "!=", "<", "<=", ">", ">="})
_DIVISIONS = frozenset({"mod", "/down", "/up", "/nearest"})


def definitions_of_cards(rules: Rules, *, logged: bool) -> tuple[Define, ...]:
    """Return the definitions that depend on one card alone, those before that others need.

    Logged code carries out those with tags.
    """
    found: dict[Define, None] = {}
    for define in rules.defines:
        if _is_of_a_card(define, CardFunctions(found)) and not (logged and is_tagged(define)):
            found[define] = None
    return tuple(found)


def _is_of_a_card(define: Define, functions: CardFunctions) -> bool:
    if len(define.params) != 1 or define.lets or define.value is None:
        return False
    (param,) = define.params
    return isinstance(param.type, Card) and functions.card_of(define.value) in (param, None)


@attrs.define
class CardFunctions:
    """Tells of expressions whether they depend on one card alone; `known` are definitions that do."""

    known: Container[Define]
    _found: dict[core.Expr, Local | bool | None] = attrs.field(factory=dict)

    def card_of(self, expr: core.Expr) -> Local | bool | None:
        """Return the card that an expression depends on, None where on nothing, False where on anything else."""
        if expr not in self._found:
            self._found[expr] = self._worked_out(expr)
        return self._found[expr]

    def is_function_of(self, expr: core.Expr, card: Local) -> bool:
        """Say whether an expression depends on that card alone, and is more than the card."""
        return not isinstance(expr, core.LocalRef) and self.card_of(expr) is card

    def _worked_out(self, expr: core.Expr) -> Local | bool | None:
        match expr:
            case core.Const():
                return None
            case core.LocalRef(local=local):
                return local if isinstance(expr.type, Card) else False
            case core.Op(op=op, args=args):
                divides = op in _DIVISIONS and isinstance(args[1], core.Const) and bool(args[1].value)
                plain = divides or op in _PLAIN_OPS
            case core.IsIn(domain=domain):
                plain = isinstance(domain, core.Range)
            case core.Builtin(function=function):
                plain = function.of_card
            case core.CallDefine(define=define):
                plain = define in self.known
            case (
                core.CardAttr() | core.EnumAttr() | core.IsKind() | core.IsNone() | core.Range() | core.Chain()
                | core.TupleOf()
            ):  # fmt: skip
                plain = True
            case (
                core.VarRef() | core.ZoneRef() | core.Select() | core.Fold() | core.Extreme() | core.EndOf()
                | core.SetFoldRef() | core.SomeSubset()
            ):  # fmt: skip
                plain = False
            case _:
                assert_never(expr)
        if not plain:
            return False
        card: Local | bool | None = None
        for part in core.children(expr):
            of = self.card_of(part)
            if of is False or (of is not None and card is not None and of is not card):
                return False
            card = card if of is None else of
        return card


@attrs.define
class Tabulation:
    """The pass for one program."""

    functions: CardFunctions

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression with look-ups for its greatest parts that depend on one card alone."""
        if isinstance(expr, core.SomeSubset) or (isinstance(expr, core.Builtin) and expr.name == "tabulated"):
            return expr
        if not isinstance(expr, core.CardAttr | core.IsKind | core.CallDefine | core.Range):
            card = self.functions.card_of(expr)
            if isinstance(card, Local) and not isinstance(expr, core.LocalRef):
                return self._looked_up(expr, card)
        return core.map_children(expr, self.run)

    def _looked_up(self, expr: core.Expr, card: Local) -> core.Expr:
        return core.Builtin("tabulated", (core.LocalRef(card, card.type, expr.span), expr), expr.type, expr.span)
