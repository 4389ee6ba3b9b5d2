"""Order analysis: which groups of cards come lowest first, so that a set of bits is all there is to know of them.

Cards of a zone without an order, and what is kept of them, do; a row, a pile or a join of several zones does not.  What
a parameter holds depends on its calls, so it is found by going from "all do" down to a fixed point.
"""

from __future__ import annotations

import attrs

from interpreter.analysis import core
from interpreter.analysis.symbols import Local, Zone
from interpreter.analysis.types import Card, Cards, base_of
from interpreter.program.nodes import Program


def is_set(zone: Zone) -> bool:
    """Say whether a place of a zone is a set: it has no order, or holds one card."""
    return zone.kind == "cards" or (zone.kind == "slot" and zone.capacity == 1)


@attrs.define(eq=False)
class Order:
    """Decides for the groups of cards of one game whether they come lowest first."""

    listed: set[Local] = attrs.field(factory=set)
    """Names of groups that may come in another order."""

    @classmethod
    def of(cls, program: Program) -> Order:
        """Find the names of a program that hold groups in another order."""
        order, rules = cls(), program.rules
        everything = [*rules.expressions(), *(body for define in rules.defines for body in define.bodies)]
        calls = [part for expr in everything for part in core.walk(expr) if isinstance(part, core.CallDefine)]
        given = [pair for call in calls for pair in zip(call.define.params, call.args, strict=True)]
        given += [pair for define in rules.defines for pair in define.lets]
        for stmt in (*rules.statements(), *program.steps()):
            if isinstance(stmt, core.Let):
                given.append((stmt.local, stmt.value))
            elif isinstance(stmt, core.CallPhase):
                given += zip(stmt.phase.params, stmt.args, strict=True)
        while found := {
            local for local, value in given
            if isinstance(base_of(local.type), Cards) and local not in order.listed and not order.ascends(value)
        }:  # fmt: skip
            order.listed |= found
        return order

    def ascends(self, expr: core.Expr) -> bool:
        """Say whether a group of cards, or one card, comes lowest first."""
        match expr:
            case core.ZoneRef():
                return is_set(expr.zone)
            case core.LocalRef():
                return expr.local not in self.listed
            case core.Select(which="all" | "first" | "last", binder=binder):
                return binder.start is None and self.ascends(binder.domain)
            case core.Extreme(ties=True, binder=binder):
                return binder.start is None and self.ascends(binder.domain)
            case core.Op(op="without", args=(cards, _)):
                return self.ascends(cards)
            case core.Op(op="join", args=(only,)):
                return self.ascends(only)
            case core.CallDefine():
                return expr.define.value is not None and self.ascends(expr.define.value)
            case core.Builtin(name="listed"):
                return True
            case core.Builtin(name="spent" | "there", args=(inner, *_)):
                return self.ascends(inner)
            case core.VarRef():
                return True  # What is chosen is chosen in ascending order.
            case core.Chain():
                return all(self.ascends(value) for _, value in expr.alternatives)
        return isinstance(base_of(expr.type), Card)  # Joins and sorted groups have an order of their own.
