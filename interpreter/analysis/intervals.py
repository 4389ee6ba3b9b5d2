"""Bounds of numbers, in the interval domain: the least and the greatest value that an expression can have.

Constants, arithmetic, and the names of which more is known than their types; of all else the bounds of its type.
"""

from __future__ import annotations

from interpreter.analysis import core
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Int, Player, base_of

Interval = tuple[int, int]

FAR = 10**15
"""Stands for a number without a bound."""


class Intervals:
    """The bounds of expressions; `known` are those of names."""

    rules: Rules
    known: dict[Local, Interval]

    def interval(self, expr: core.Expr) -> Interval:
        """Return the least and the greatest value of a number, a player or an enumeration value."""
        match expr:
            case core.Const(value=int(value)):
                return int(value), int(value)
            case core.LocalRef(local=local) if local in self.known:
                return self.known[local]
            case core.Builtin(name="count", args=(core.Builtin(name="players"),)):
                return self.rules.num_players, self.rules.num_players
            case core.Op(op="+" | "-" | "*" as op, args=(left, right)):
                (a, b), (c, d) = self.interval(left), self.interval(right)
                ends = {"+": (a + c, b + d), "-": (a - d, b - c)}.get(op)
                products = (a * c, a * d, b * c, b * d)
                low, high = ends if ends is not None else (min(products), max(products))
                return max(-FAR, low), min(FAR, high)
            case core.Builtin(name="within", args=(inner,)):
                return self.interval(inner)
        return self.of_type(expr)

    def of_type(self, expr: core.Expr) -> Interval:
        """Return the bounds that the type of an expression has."""
        match base_of(expr.type):
            case Int(low, high):
                return (-FAR if low is None else low), (FAR if high is None else high)
            case Player():
                return 0, self.rules.num_players - 1
        return 0, FAR
