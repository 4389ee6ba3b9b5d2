"""Prune the enumeration of subsets: the part of a condition on a set that every part of a good set fulfils too.

A hereditary property holds for all subsets of a set for which it holds.  `weakened` returns the strongest one that
follows from a condition by its form, so that a depth-first search abandons a set that no further card can make good.
"""

from __future__ import annotations

from interpreter.analysis import core
from interpreter.analysis.core import Expr
from interpreter.analysis.substitution import inlined
from interpreter.analysis.sum_tables import MIRRORED
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import BOOL, Int


def weakened(condition: Expr | None, chosen: Local) -> Expr | None:
    """Return a hereditary condition that follows from a condition on a set of cards; None where none is known."""
    match condition:
        case core.Op(op="and", args=args):
            parts = [part for part in (weakened(arg, chosen) for arg in args) if part is not None]
            return core.joined("and", parts) if parts else None
        case core.Op(op="or", args=args):
            either = [weakened(arg, chosen) for arg in args]
            known = [part for part in either if part is not None]
            return core.joined("or", known) if len(known) == len(either) else None
        case core.Op(op="<" | "<=" | "==" | ">" | ">=" as op, args=(left, right)):
            return _bounded(op, left, right, chosen) or _bounded(MIRRORED[op], right, left, chosen)
        case core.IsIn(value=value, domain=core.Range(high=high)):
            return _bounded("<=", value, high, chosen)
        case core.Fold(function="same" | "different", binder=binder, value=value) if _is_over(binder, chosen):
            return None if chosen in core.names_of(value) else condition
        case core.Fold(function="consecutive"):
            return weakened(core.evolved(condition, function="different"), chosen)
        case core.Select(which="no", binder=binder) if _is_over(binder, chosen):
            return condition
        case core.CallDefine() if (body := inlined(condition)) is not None:
            return weakened(body, chosen)
    return None


def _bounded(op: str, grown: Expr, bound: Expr, chosen: Local) -> Expr | None:
    """Return an upper bound of a number that no further card makes smaller: a count, or a sum of no negative values."""
    if op not in ("<", "<=", "==") or chosen in core.names_of(bound):
        return None
    grows = False
    match grown:
        case core.Builtin(name="count", args=(core.LocalRef(local=local),)):
            grows = local is chosen
        case core.Select(which="count", binder=binder):
            grows = _is_over(binder, chosen)
        case core.Fold(function="sum", binder=binder, value=value):
            least = value.type.low if isinstance(value.type, Int) else None
            grows = _is_over(binder, chosen) and chosen not in core.names_of(value) and least is not None and least >= 0
    sign = "<" if op == "<" else "<="
    return core.Op(sign, (grown, bound), BOOL, grown.span) if grows else None


def _is_over(binder: core.Binder, chosen: Local) -> bool:
    """Say whether a binder keeps cards of the set, each by what does not depend on the others."""
    domain, where = binder.domain, binder.where
    itself = isinstance(domain, core.LocalRef) and domain.local is chosen
    return itself and binder.start is None and (where is None or chosen not in core.names_of(where))
