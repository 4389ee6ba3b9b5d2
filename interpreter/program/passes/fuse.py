"""Loop fusion: a selection from a selection goes through the cards once, with both conditions, and makes no list.

`first c in (all d in hand where W) where V` becomes `first c in hand where W and V`.  What one condition skips is no
longer seen by the other, which nobody notices where both are total.  Counting a selection, asking whether it is empty,
and asking whether a player is among some players need no list either.
"""

from __future__ import annotations

import attrs

from interpreter.analysis import core
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import BOOL, Player
from interpreter.program.passes.rewriting import bottom_up
from interpreter.program.passes.totality import Totality, is_players


@attrs.define
class Fusion:
    """The pass for one program."""

    totality: Totality

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression without lists between its loops."""
        return bottom_up(expr, self._fused)

    def _fused(self, expr: core.Expr) -> core.Expr:
        match expr:
            case core.Select() | core.Fold() | core.Extreme():
                binder = self.binder(expr.binder)
                return expr if binder is expr.binder else core.evolved(expr, binder=binder)
            case core.IsIn():
                return self._membership(expr) or expr
            case core.Builtin(name="empty", args=(core.Select(which="all", count=None, binder=binder),)):
                return core.Select("no", binder, None, BOOL, expr.span)
            case core.Builtin(name="count", args=(core.Select(which="all", count=None, binder=binder),)):
                return expr if binder.where is None else core.Select("count", binder, None, expr.type, expr.span)
        return expr

    def binder(self, binder: core.Binder) -> core.Binder:
        """Return a binder that goes through the same things without a list between.

        A rotation of some players is what is kept of the rotation of all.
        """
        while isinstance(inner := binder.domain, core.Select) and inner.which == "all" and inner.count is None:
            within = inner.binder
            item = core.LocalRef(binder.local, binder.local.type, inner.span)
            first = None if within.where is None else substitute(within.where, {within.local: item})
            start = within.start
            if binder.start is not None:
                if start is not None or not is_players(within.domain) or not self._total(binder.start, binder.local):
                    return binder
                start = binder.start
            where = binder.where
            if first is not None and where is not None:
                if not self._total(first, binder.local) or not self._total(where, binder.local):
                    return binder
                where = core.Op("and", (first, where), BOOL, where.span)
            binder = core.Binder(binder.local, within.domain, start, first if where is None else where)
        return binder

    def _membership(self, expr: core.IsIn) -> core.Expr | None:
        """Return the condition that one of some players fulfils, for a player who is tested to be among them."""
        domain = expr.domain
        if not isinstance(domain, core.Select) or domain.which != "all" or domain.count is not None:
            return None
        binder = domain.binder
        if not isinstance(expr.value, core.LocalRef | core.VarRef | core.Const) or binder.where is None:
            return None
        if not is_players(binder.domain) or not isinstance(expr.value.type, Player):
            return None
        if not self._total(binder.where, binder.local) or not self.totality.is_total(expr.value):
            return None
        if binder.start is not None and not self.totality.is_total(binder.start):
            return None
        return substitute(binder.where, {binder.local: expr.value})

    def _total(self, expr: core.Expr, local: Local) -> bool:
        return self.totality.is_total(expr, frozenset({local}))
