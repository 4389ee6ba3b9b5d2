"""Loop unrolling: what is asked of every player is written out player by player, where that is short.

`some p in players where W(p)` becomes `W(player 1) or W(player 2)`, a sum becomes an addition, the union of zones a
join of them.  Nothing is unrolled in logged code, which tells which rules were asked, in order.
"""

from __future__ import annotations

from collections.abc import Container
from functools import reduce
from typing import Any

import attrs

from interpreter.analysis import core
from interpreter.analysis.core import Define
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import BOOL, PLAYER, Cards, base_of, is_optional
from interpreter.program.passes.disjoint import are_disjoint
from interpreter.program.passes.hoist import invariants
from interpreter.program.passes.rewriting import bottom_up
from interpreter.program.passes.simplify import simplified
from interpreter.program.passes.totality import Totality, is_players

LIMIT = 72
"""The parts that an expression may come to when it is written out for each player."""


@attrs.define
class Unrolling:
    """The pass for one program; `tables` are definitions that cost a look-up, however long they are."""

    totality: Totality
    num_players: int
    tables: Container[Define]
    logged: bool
    _weights: dict[Define, int] = attrs.field(factory=dict)

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression with its short loops over the players written out."""
        done = bottom_up(expr, self._unrolled)
        return done if done is expr else simplified(done)

    def _unrolled(self, expr: core.Expr) -> core.Expr:
        match expr:
            case core.Select(binder=binder) if binder.where is not None:
                each = self._each(binder, binder.where)
                return expr if each is None else self._selected(expr, each)
            case core.Fold(function="sum" | "max" | "min" | "union", binder=binder) if binder.where is None:
                each = self._each(binder, expr.value)
                return expr if each is None else self._folded(expr, each)
            case core.Extreme(ties=True, binder=core.Binder(where=None, start=None) as binder):
                each = self._each(binder, expr.by)
                if each is None:
                    return expr
                keys = core.TupleOf(tuple(each), expr.by.type, expr.span)
                return core.Builtin(f"all_{expr.which}", (keys,), expr.type, expr.span)
        return expr

    def _selected(self, expr: core.Select, each: list[core.Expr]) -> core.Expr:
        match expr.which:
            case "some":
                return _joined("or", each, expr)
            case "no":
                return core.Op("not", (_joined("or", each, expr),), BOOL, expr.span)
            case "count":
                return _joined("+", each, expr)
            case "first" | "last" if expr.binder.start is None and expr.count is None:
                links = [(condition, core.Const(p, PLAYER, expr.span)) for p, condition in enumerate(each)]
                return core.Chain(tuple(links if expr.which == "first" else links[::-1]), expr.type, expr.span)
            case "first" | "last" | "all":
                return expr

    def _folded(self, expr: core.Fold, each: list[core.Expr]) -> core.Expr:
        if expr.function == "sum":
            return _joined("+", each, expr)
        if expr.function == "union":
            apart = expr.binder.start is None and isinstance(expr.value.type, Cards) and are_disjoint(each)
            return core.Op("join", tuple(each), expr.type, expr.span) if apart else expr
        if is_optional(expr.value.type):
            return expr
        return core.Builtin(expr.function, tuple(each), base_of(expr.type), expr.span)

    def _each(self, binder: core.Binder, said: core.Expr) -> list[core.Expr] | None:
        """Return what is said of the things of a binder for every player by number.

        None where it is long, where something in it is better worked out once for all, or where it may have no value:
        written out, it may stop at the first player who decides.
        """
        if not is_players(binder.domain) or (binder.start is not None and not self._total(binder.start, binder.local)):
            return None
        if self.num_players < 2 or self.logged or self._weight_of(said) * self.num_players > LIMIT:
            return None
        if not self._total(said, binder.local) or invariants(self.totality, said, frozenset({binder.local})):
            return None
        return [substitute(said, {binder.local: core.Const(p, PLAYER, said.span)}) for p in range(self.num_players)]

    def _weight_of(self, expr: core.Expr) -> int:
        """Return how many parts an expression has with all that it calls written out, one for each look-up."""
        parts = list(core.walk(expr))
        called = [part.define for part in parts if isinstance(part, core.CallDefine) and part.define not in self.tables]
        return len(parts) + sum(map(self._weight, called))

    def _weight(self, define: Define) -> int:
        if define not in self._weights:
            self._weights[define] = sum(map(self._weight_of, define.bodies))
        return self._weights[define]

    def _total(self, expr: core.Expr, local: Local) -> bool:
        return self.totality.is_total(expr, frozenset({local}))


def _joined(op: str, each: list[core.Expr], whole: Any) -> core.Expr:
    return reduce(lambda left, right: core.Op(op, (left, right), whole.type, whole.span), each)
