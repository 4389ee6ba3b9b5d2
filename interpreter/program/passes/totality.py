"""Totality analysis: which expressions have a value in every state, without a card that may be undetermined.

A total expression can be worked out earlier than the rules ask for it, or not at all, and nobody notices: it raises no
fault and makes no chance event.  What can be decided here is decided by form and type alone.
"""

from __future__ import annotations

from typing import assert_never

import attrs

from interpreter.analysis import core
from interpreter.analysis.core import Define
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Card, Int, Sequence, base_of, is_optional
from interpreter.program.layout import Layout

LONGEST_RANGE = 1_000
"""Ranges that may be longer are never gone through before they are needed."""

LOOPS = (core.Select, core.Fold, core.Extreme)


@attrs.define
class Totality:
    """Decides for the expressions of one program whether they are total, for one layout of its states."""

    layout: Layout
    logged: bool = False
    """Whether reaching a rule with tags is recorded, so that it must not happen earlier."""
    _known: dict[Define, bool] = attrs.field(factory=dict)

    def is_total(self, expr: core.Expr, bound: frozenset[Local] = frozenset()) -> bool:
        """Say whether an expression is total, where the `bound` locals are cards that are gone through.

        A card with a name from outside may be known, there, to be of some kind; so it is not sure to have anything.
        """
        match expr:
            case core.Const():
                return True
            case core.LocalRef():
                return expr.local in bound or not isinstance(base_of(expr.type), Card)
            case core.VarRef() | core.ZoneRef():
                hidden = isinstance(expr, core.ZoneRef) and self.layout.may_be_unknown(expr.zone)
                return not hidden and self._exists(expr, bound)
            case core.Builtin(name="empty" | "count", args=(core.ZoneRef() as zone,)):
                return self._exists(zone, bound)  # How many cards there are, is known of all zones.
            case core.Op():
                if expr.op == "mod" or expr.op.startswith("/"):
                    return False
            case core.Range():
                if not isinstance(expr.type, Sequence) or not 0 <= expr.type.at_most <= LONGEST_RANGE:
                    return False
            case core.Builtin():
                if not expr.function.total:
                    return False
            case core.CallDefine():
                if not self._is_total_define(expr.define) or (self.logged and is_tagged(expr.define)):
                    return False
            case core.Chain():
                if self.logged and any(expr.tags):
                    return False
            case core.SetFoldRef() | core.SomeSubset():
                return False
            case core.Select() | core.Fold() | core.Extreme():
                bound |= {expr.binder.local}
            case (
                core.CardAttr() | core.EnumAttr() | core.IsKind() | core.IsNone() | core.IsIn()
                | core.EndOf() | core.TupleOf()
            ):  # fmt: skip
                pass
            case _:
                assert_never(expr)
        return all(self.is_total(part, bound) for part in core.children(expr))

    def _exists(self, expr: core.VarRef | core.ZoneRef, bound: frozenset[Local]) -> bool:
        """Say whether the place of a variable or zone exists in every state."""
        family = expr.variable if isinstance(expr, core.VarRef) else expr.zone
        plain = not any(isinstance(t, Int) or is_optional(i.type)
                        for t, i in zip(family.indices, expr.index, strict=True))  # fmt: skip
        return plain and all(self.is_total(i, bound) for i in expr.index)

    def _is_total_define(self, define: Define) -> bool:
        if define not in self._known:
            bound = frozenset(define.params)
            total = define.value is not None
            for local, value in define.lets:
                total = total and self.is_total(value, bound)
                bound |= {local}
            self._known[define] = total and define.value is not None and self.is_total(define.value, bound)
        return self._known[define]


def is_tagged(define: Define) -> bool:
    """Say whether carrying out a definition reaches rules."""
    links = isinstance(define.value, core.Chain) and any(define.value.tags)
    return bool(define.declaration.tags) or links


def is_players(expr: core.Expr) -> bool:
    """Say whether an expression is all players."""
    return isinstance(expr, core.Builtin) and expr.name == "players"


def goes_through_something(expr: core.Expr) -> bool:
    """Say whether working an expression out takes a loop, in itself or in a definition."""
    for part in core.walk(expr):
        if isinstance(part, LOOPS):
            return True
        value = part.define.value if isinstance(part, core.CallDefine) else None
        if value is not None and goes_through_something(value):
            return True
    return False


def names_of(*exprs: core.Expr) -> set[Local]:
    """Return the local names that expressions read."""
    return {part.local for expr in exprs for part in core.walk(expr) if isinstance(part, core.LocalRef)}
