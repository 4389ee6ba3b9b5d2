"""Semi-join: whether some card has a value becomes whether the value is in the set of values that the cards have.

`some c in hand where c.suit == s` becomes `s is in {c.suit for c in hand}`, and `all r in 1..13 where some c in hand
where c.rank == r` the values of that set in their order.  The set is a `Fold` whose function is `values` (`ascending`
where the order counts), which only passes make.
"""

from __future__ import annotations

import attrs

from interpreter.analysis import core
from interpreter.analysis.types import BOOL, Card, EnumType, Int, is_optional
from interpreter.program.card_tables import CardFunctions
from interpreter.program.passes.rewriting import bottom_up
from interpreter.program.passes.totality import Totality, names_of


@attrs.define
class Membership:
    """The pass for one program."""

    totality: Totality
    functions: CardFunctions

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression in which sets of values replace loops that compare."""
        return bottom_up(expr, self._rewritten)

    def _rewritten(self, expr: core.Expr) -> core.Expr:
        match expr:
            case core.Select(which="some"):
                return self._among_values(expr) or expr
            case core.Select(which="no"):
                found = self._among_values(expr)
                return expr if found is None else core.Op("not", (found,), BOOL, expr.span)
            case core.Select(which="all", count=None):
                return self._ascending(expr) or expr
        return expr

    def _among_values(self, expr: core.Select) -> core.Expr | None:
        """Return whether a value is among those of the cards, where a condition compares each card with it.

        The value is evaluated once and first, even where there is no card to compare it with.
        """
        binder, where = expr.binder, expr.binder.where
        if not isinstance(where, core.Op) or where.op != "==" or not isinstance(binder.local.type, Card):
            return None
        for own, other in (where.args, where.args[::-1]):
            if binder.local in names_of(other) or (is_optional(own.type) and is_optional(other.type)):
                continue
            named = isinstance(other, core.LocalRef) or (
                isinstance(other, core.CardAttr) and isinstance(other.card, core.LocalRef)
            )
            if (named or self.totality.is_total(other)) and self.functions.is_function_of(own, binder.local):
                through = core.Binder(binder.local, binder.domain, binder.start, None)
                values = core.Fold("values", own, through, None, expr.type, expr.span)
                return core.IsIn(other, values, BOOL, expr.span)
        return None

    def _ascending(self, expr: core.Select) -> core.Expr | None:
        """Return the values that some card has, where a selection keeps these of all that cards can have."""
        match expr.binder:
            case core.Binder(
                local=local,
                domain=core.Range(low=core.Const(value=int() as low), high=core.Const(value=int() as high)),
                start=None,
                where=core.IsIn(
                    value=core.LocalRef(local=asked), domain=core.Fold(function="values", value=own, binder=of) as fold
                ),
            ) if asked is local and of.start is None and self.totality.is_total(of.domain):
                if local not in names_of(of.domain) and _is_within(own, low, high):
                    return core.Fold("ascending", own, of, None, expr.type, fold.span)
        return None


def _is_within(own: core.Expr, low: int, high: int) -> bool:
    """Whether an attribute of a card is never outside of a range."""
    match own:
        case core.CardAttr(type=Int(low=int() as least, high=int() as most)):
            return low <= least and most <= high
        case core.CardAttr(type=EnumType() as enum):
            return low == 0 and high == len(enum.values) - 1
    return False
