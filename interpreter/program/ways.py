"""Divide a condition on the things of a loop by what is the same for all of them.

"The first card must be a club; later ones follow suit, or, if the hand is void, .." is one condition on a card, but
which of its parts matters is the same for all cards of the hand.  It becomes questions in front of the loop, each
leading to a loop of its own with a shorter condition.
"""

from __future__ import annotations

import attrs

from interpreter.analysis import core
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import BOOL
from interpreter.program.hoisting import Hoisting

MOST_WAYS = 16
"""A condition that falls into more ways stays in one piece."""


@attrs.frozen(eq=False)
class Keep:
    """Keep what a condition holds for; None keeps everything."""

    condition: core.Expr | None


@attrs.frozen(eq=False)
class Drop:
    """Keep nothing."""


@attrs.frozen(eq=False)
class Ask:
    """Go one way or the other, by what is the same for all."""

    test: core.Expr
    yes: Way
    no: Way


Way = Keep | Drop | Ask


def divided(condition: core.Expr, changing: frozenset[Local], hoisting: Hoisting) -> Way:
    """Return the ways of a condition on `changing`; only tests that surely have a value are asked in front."""
    whole = hoisting.opened(condition, chains=True)
    way = _Division(changing, hoisting).of(whole)
    return way if _count(way) <= MOST_WAYS else Keep(condition)


def _count(way: Way) -> int:
    return _count(way.yes) + _count(way.no) if isinstance(way, Ask) else 1


@attrs.frozen
class _Division:
    changing: frozenset[Local]
    hoisting: Hoisting

    def same(self, expr: core.Expr) -> bool:
        """Whether an expression is the same for all things of the loop, and can be asked in front of it."""
        free = {e.local for e in core.walk(expr) if isinstance(e, core.LocalRef)}
        return not free & self.changing and self.hoisting.is_sure(expr)

    def of(self, expr: core.Expr) -> Way:
        """Return the ways of a condition."""
        if isinstance(expr, core.Const) and isinstance(expr.value, bool):
            return Keep(None) if expr.value else Drop()
        if self.same(expr):
            return Ask(expr, Keep(None), Drop())
        match expr:
            case core.Chain():
                return self.chain(expr)
            case core.Op(op="not"):
                return _negated(self.of(expr.args[0]))
            case core.Op(op="and" | "or"):
                joined = self.of(expr.args[0])
                for arg in expr.args[1:]:
                    joined = _joined(expr.op, joined, self.of(arg))
                return joined
            case _:
                return Keep(expr)

    def chain(self, expr: core.Chain) -> Way:
        """Return the ways of a chain: each condition that is the same for all leads to its value, or to the rest."""
        (condition, value), *rest = expr.alternatives
        if condition is None and not rest:
            return self.of(value)
        if condition is None or not rest or not self.same(condition):
            return Keep(expr)
        others = core.Chain(tuple(rest), expr.type, expr.span)
        return Ask(condition, self.of(value), self.of(others))


def _negated(way: Way) -> Way:
    match way:
        case Ask():
            return Ask(way.test, _negated(way.yes), _negated(way.no))
        case Drop():
            return Keep(None)
        case Keep(None):
            return Drop()
        case Keep(condition):
            assert condition is not None
            return Keep(core.Op("not", (condition,), BOOL, condition.span))


def _joined(op: str, left: Way, right: Way) -> Way:
    """Return the ways of two conditions with `and` or `or` between."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Drop):
            return one if op == "and" else other
        if isinstance(one, Keep) and one.condition is None:
            return other if op == "and" else one
    if isinstance(left, Ask):
        return Ask(left.test, _joined(op, left.yes, right), _joined(op, left.no, right))
    if isinstance(right, Ask):
        return Ask(right.test, _joined(op, left, right.yes), _joined(op, left, right.no))
    assert isinstance(left, Keep)
    assert isinstance(right, Keep)
    assert left.condition is not None
    assert right.condition is not None
    return Keep(core.Op(op, (left.condition, right.condition), BOOL, left.condition.span))
