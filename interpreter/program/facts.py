"""Facts about expressions, for passes and printers: totality, disjointness, structural equality.

A *total* expression has a value in every state, without a card that may be undetermined.  It can be worked out earlier
than the rules ask for it, or not at all, and nobody notices: it raises no fault and makes no chance event.  Groups of
cards are *disjoint* if they come from places that surely differ.  What can be decided here is decided by form and type
alone.

Nodes compare by identity, so that each can carry what the checker knows of it; a pass that looks for the same
expression in two places compares their structural keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import assert_never

import attrs

from interpreter.analysis import core
from interpreter.analysis.core import Define
from interpreter.analysis.memoized import Memoized
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Card, Int, Sequence, base_of, is_optional
from interpreter.program.layout import Layout

CLOSED = core.LEAVES | {core.SomeSubset}
"""Expressions of which passes change no part: the measures in a condition on a subset belong together."""

LONGEST_RANGE = 1_000
"""Ranges that may be longer are never gone through before they are needed."""


@attrs.define(slots=False)
class Totality:
    """Decides for the expressions of one program whether they are total, for one layout of its states."""

    layout: Layout
    logged: bool = False
    """Whether reaching a rule with tags is recorded, so that it must not happen earlier."""

    def is_total(self, expr: core.Expr, bound: frozenset[Local] = frozenset()) -> bool:
        """Say whether an expression is total, where the `bound` locals are cards that are gone through.

        A card with a name from outside may be known, there, to be of some kind; so it is not sure to have anything.
        """
        match expr:
            case core.Const():
                return True
            case core.LocalRef():
                proved = is_optional(expr.local.type) and not is_optional(expr.type)  # By a test in front of it.
                return expr.local in bound or not (proved or isinstance(base_of(expr.type), Card))
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
            case core.SetFoldRef() | core.SomeSubset() | core.Subsets() | core.Rests():
                return False
            case core.Select() | core.Fold() | core.Extreme() | core.Sorted():
                bound |= {expr.binder.local}
            case (
                core.CardAttr() | core.EnumAttr() | core.IsKind() | core.IsNone() | core.IsIn()
                | core.CardAt() | core.TupleOf()
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

    @Memoized
    def _is_total_define(self, define: Define) -> bool:
        bound = frozenset(define.params)
        total = define.value is not None
        for local, value in define.lets:
            total = total and self.is_total(value, bound)
            bound |= {local}
        return total and define.value is not None and self.is_total(define.value, bound)


def is_tagged(define: Define) -> bool:
    """Say whether carrying out a definition reaches rules."""
    links = isinstance(define.value, core.Chain) and any(define.value.tags)
    return bool(define.declaration.tags) or links


def reaches_rules(expr: core.Expr) -> bool:
    """Say whether working an expression out reaches rules, in itself or in a definition."""
    parts = core.walk_with_definitions(expr)
    return any(
        is_tagged(part.define) if isinstance(part, core.CallDefine) else isinstance(part, core.Chain) and any(part.tags)
        for part in parts
    )


def is_players(expr: core.Expr) -> bool:
    """Say whether an expression is all players."""
    return isinstance(expr, core.Builtin) and expr.name == "players"


def goes_through_something(expr: core.Expr) -> bool:
    """Say whether working an expression out takes a loop, in itself or in a definition."""
    return any(part.__class__ in core.LOOPS for part in core.walk_with_definitions(expr))


def are_disjoint(exprs: Iterable[core.Expr]) -> bool:
    """Say whether no card can be in two of several groups."""
    places = [place for expr in exprs for place in _places(expr)]
    return all(
        one is not None and other is not None and _differ(one, other)
        for number, one in enumerate(places)
        for other in places[:number]
    ) and None not in places  # fmt: skip


def is_disjoint_for_each(value: core.Expr, local: Local) -> bool:
    """Say whether groups of cards have none in common, one group for each value of a local name."""
    places = _places(value)
    own = all(
        place is not None and any(isinstance(i, core.LocalRef) and i.local is local for i in place.index)
        for place in places
    )
    families = [place.zone for place in places if place is not None]
    return own and len(set(families)) == len(families)


def whole_zones(cards: core.Expr) -> list[core.ZoneRef]:
    """Return the places whose cards, all of them and in this order, a group is; none where it is anything else."""
    match cards:
        case core.ZoneRef():
            return [cards]
        case core.Op(op="join", args=args):
            found = [whole_zones(part) for part in args]
            zones = [zone for places in found for zone in places]
            return zones if all(found) and are_disjoint(zones) else []
    return []


def _differ(one: core.ZoneRef, other: core.ZoneRef) -> bool:
    if one.zone is not other.zone:
        return True
    return any(
        isinstance(a, core.Const) and isinstance(b, core.Const) and a.value != b.value
        for a, b in zip(one.index, other.index, strict=True)
    )


def _places(expr: core.Expr) -> list[core.ZoneRef | None]:
    """Return the places that cards lie in, None for what is not known."""
    match expr:
        case core.ZoneRef():
            return [expr]
        case core.Select(which="all", binder=binder):
            return _places(binder.domain)
        case core.Op(op="join"):
            return [place for arg in expr.args for place in _places(arg)]
    return [None]


def bottom_up(expr: core.Expr, change: Callable[[core.Expr], core.Expr]) -> core.Expr:
    """Return an expression with each part changed, those inside before those around them."""
    if expr.__class__ in CLOSED:
        return change(expr)
    return change(core.map_children(expr, lambda part: bottom_up(part, change)))


def operands(expr: core.Expr, op: str) -> list[core.Expr]:
    """Return what an operator joins (`and`, `or`, `+`), however it is nested; any other expression is the only one."""
    if isinstance(expr, core.Op) and expr.op == op:
        return [part for arg in expr.args for part in operands(arg, op)]
    return [expr]
