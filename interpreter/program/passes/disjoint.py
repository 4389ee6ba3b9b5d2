"""Disjointness of groups of cards: two groups have no card in common if they come from places that surely differ."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.analysis import core
from interpreter.analysis.symbols import Local


def are_disjoint(exprs: Sequence[core.Expr]) -> bool:
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
