"""Loop-invariant code motion: what is the same in all rounds of a loop is evaluated once, in front of it.

A condition "follows suit" reads for every card of a hand which suit was led, and whether the hand holds it; neither
depends on the card.  Only parts that are loops themselves move, and only total ones: in front of the loop they are
evaluated even where an earlier condition, or an empty hand, would have made them unnecessary.  Equal parts share one
name.
"""

from __future__ import annotations

from collections.abc import Hashable

import attrs

from interpreter.analysis import core
from interpreter.analysis.symbols import Local
from interpreter.program.passes.rewriting import key
from interpreter.program.passes.totality import LOOPS, Totality, goes_through_something, names_of


@attrs.define
class Hoisting:
    """The pass for one program."""

    totality: Totality

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression in which each loop names in front of it what is the same in all its rounds."""
        if isinstance(expr, core.SomeSubset):
            return expr
        if isinstance(expr, LOOPS) and expr.binder.where is not None:
            found = _Invariants(self.totality)
            where = found.named(expr.binder.where, frozenset({expr.binder.local}))
            if found.lets:
                binder = core.evolved(expr.binder, where=where, before=tuple(found.lets.values()))
                expr = core.evolved(expr, binder=binder)
        return core.map_children(expr, self.run)


@attrs.define
class _Invariants:
    """The greatest parts of a condition that are the same in all rounds of a loop, each with its name."""

    totality: Totality
    lets: dict[Hashable, tuple[Local, core.Expr]] = attrs.field(factory=dict)

    def named(self, expr: core.Expr, changing: frozenset[Local]) -> core.Expr:
        """Return an expression with names for its invariant parts, where `changing` change in each round."""
        if not names_of(expr) & changing and goes_through_something(expr) and self.totality.is_total(expr):
            local, _ = self.lets.setdefault(key(expr), (Local("", expr.type, -1, expr.span), expr))
            return core.LocalRef(local, expr.type, expr.span)
        if isinstance(expr, core.SomeSubset):
            return expr
        if isinstance(expr, LOOPS):
            changing |= {expr.binder.local}
        return core.map_children(expr, lambda part: self.named(part, changing))
