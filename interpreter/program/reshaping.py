"""Say the same thing in a form that takes Python less time: selections joined, players told one by one.

Each function here returns an equal expression, or None where it cannot be sure that nobody would notice.
"""

from __future__ import annotations

from collections.abc import Container

import attrs

from interpreter.analysis import core
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Define, Local
from interpreter.analysis.types import BOOL, PLAYER, Player, is_optional
from interpreter.program.hoisting import Hoisting, written_out

SPREAD_WEIGHT = 72
"""The parts that a condition may come to when it is written out for each player."""


def is_players(expr: core.Expr) -> bool:
    """Say whether an expression is all players."""
    return isinstance(expr, core.Builtin) and expr.name == "players"


def is_always_there(expr: core.Expr) -> bool:
    """Say whether a value is there although its type does not promise it: the greatest of what all players have."""
    match expr:
        case core.Fold(function="max" | "min", value=value, binder=core.Binder(domain=domain, where=None)):
            return is_players(domain) and not is_optional(value.type)
        case _:
            return False


def names_of(*exprs: core.Expr) -> set[Local]:
    """Return the local names that expressions read."""
    return {part.local for expr in exprs for part in core.walk(expr) if isinstance(part, core.LocalRef)}


@attrs.frozen
class Reshaping:
    """What may be said otherwise in the code of one program."""

    hoisting: Hoisting
    num_players: int
    static: Container[Define]
    """Definitions that are looked up, however long they are."""
    _weights: dict[Define, int] = attrs.field(factory=dict)

    def weight_of(self, expr: core.Expr) -> int:
        """Return how many parts an expression has with all that it calls written out, one for each look-up."""
        parts = list(core.walk(expr))
        called = [part.define for part in parts if isinstance(part, core.CallDefine) and part.define not in self.static]
        return len(parts) + sum(map(self._weight, called))

    def _weight(self, define: Define) -> int:
        if define not in self._weights:
            parts = [value for _, value in define.lets] + ([] if define.value is None else [define.value])
            self._weights[define] = sum(map(self.weight_of, parts))
        return self._weights[define]

    def selected(self, expr: core.Expr) -> core.Select | None:
        """Return the `all x in D where W` that an expression is, itself or by a plain definition."""
        seen = expr
        while isinstance(seen, core.CallDefine):
            define = seen.define
            if define.lets or define.value is None or define.weight > SPREAD_WEIGHT or not self.hoisting.may_open(seen):
                return None
            seen = written_out(seen)
        return seen if isinstance(seen, core.Select) and seen.which == "all" and seen.count is None else None

    def joined(self, binder: core.Binder) -> core.Binder:
        """Return a binder that goes through the same without a list between: both conditions on each thing.

        What is skipped by one condition is no longer seen by the other, which nobody notices if both surely have
        a value.  A rotation of some players is what is kept of the rotation of all.
        """
        while (inner := self.selected(binder.domain)) is not None:
            within = inner.binder
            item = core.LocalRef(binder.local, binder.local.type, inner.span)
            first = None if within.where is None else substitute(within.where, {within.local: item})
            start = within.start
            if binder.start is not None:
                if start is not None or not is_players(within.domain) or not self._sure(binder.start, binder.local):
                    return binder
                start = binder.start
            where = binder.where
            if first is not None and where is not None:
                if not self._sure(first, binder.local) or not self._sure(where, binder.local):
                    return binder
                where = core.Op("and", (first, where), BOOL, where.span)
            binder = core.Binder(binder.local, within.domain, start, first if where is None else where)
        return binder

    def each(self, binder: core.Binder, said: core.Expr) -> list[core.Expr] | None:
        """Return what is said of the things of a binder for every player by number; the order must not matter.

        None where it is long, where something in it is better reckoned once for all, or where it may have no value:
        told player by player, Python may stop at the first that decides.
        """
        if not is_players(binder.domain) or (binder.start is not None and not self._sure(binder.start, binder.local)):
            return None
        if self.num_players < 2 or self.hoisting.logged or self.weight_of(said) * self.num_players > SPREAD_WEIGHT:
            return None
        if not self._sure(said, binder.local) or self.hoisting.same_throughout(said, frozenset({binder.local})):
            return None
        return [substitute(said, {binder.local: core.Const(p, PLAYER, said.span)}) for p in range(self.num_players)]

    def membership(self, expr: core.IsIn) -> core.Expr | None:
        """Return the condition that one of some players fulfils, for a player who is asked to be among them."""
        chosen = self.selected(expr.domain)
        if chosen is None or not isinstance(expr.value, core.LocalRef | core.VarRef | core.Const):
            return None
        binder = self.joined(chosen.binder)
        if not is_players(binder.domain) or not isinstance(expr.value.type, Player) or binder.where is None:
            return None
        if not self._sure(binder.where, binder.local) or not self.hoisting.is_sure(expr.value):
            return None
        if binder.start is not None and not self.hoisting.is_sure(binder.start):
            return None
        return substitute(binder.where, {binder.local: expr.value})

    def whole_zones(self, cards: core.Expr) -> list[core.ZoneRef] | None:
        """Return the places whose cards, all of them and in this order, a group is; None where it is anything else."""
        match cards:
            case core.ZoneRef():
                return [cards]
            case core.Op(op="join"):
                parts: list[core.Expr] | None = list(cards.args)
            case core.Fold(function="union", binder=core.Binder(where=None, start=None) as binder):
                parts = self.each(binder, cards.value)
            case core.CallDefine(define=define) if define.value is not None and not define.lets:
                if not self.hoisting.may_open(cards):
                    return None
                parts = [written_out(cards)]
            case _:
                return None
        found = [None] if parts is None else [self.whole_zones(part) for part in parts]
        zones = [zone for places in found if places is not None for zone in places]
        return zones if None not in found and lie_apart(list(zones), self) else None

    def alike(self, binder: core.Binder, own: core.Expr, other: core.Expr) -> bool:
        """Say whether `own` of all things of a binder can be compared with `other` in one go.

        The other side is then reckoned once and first, even where there is nothing to compare it with.
        """
        if binder.local in names_of(other) or (is_optional(own.type) and is_optional(other.type)):
            return False
        named = isinstance(other, core.LocalRef) or (
            isinstance(other, core.CardAttr) and isinstance(other.card, core.LocalRef)
        )
        return named or self.hoisting.is_sure(other)

    def _sure(self, expr: core.Expr, local: Local) -> bool:
        return self.hoisting.is_sure(expr, frozenset({local}))


def lie_apart(exprs: list[core.Expr], reshaping: Reshaping) -> bool:
    """Say whether no card can be in two of several groups, since they lie in places that surely differ."""
    places = [place for expr in exprs for place in _places(expr, reshaping)]
    return all(
        one is not None and other is not None and _differ(one, other)
        for number, one in enumerate(places)
        for other in places[:number]
    ) and None not in places  # fmt: skip


def lies_apart_for_each(value: core.Expr, local: Local, reshaping: Reshaping) -> bool:
    """Say whether groups of cards have none in common, one group for each value of a local name."""
    places = _places(value, reshaping)
    own = all(
        place is not None and any(isinstance(i, core.LocalRef) and i.local is local for i in place.index)
        for place in places
    )
    families = [place.zone for place in places if place is not None]
    return own and len(set(families)) == len(families)


def _differ(one: core.ZoneRef, other: core.ZoneRef) -> bool:
    if one.zone is not other.zone:
        return True
    return any(
        isinstance(a, core.Const) and isinstance(b, core.Const) and a.value != b.value
        for a, b in zip(one.index, other.index, strict=True)
    )


def _places(expr: core.Expr, reshaping: Reshaping) -> list[core.ZoneRef | None]:
    """Return the places that cards lie in, None for what is not known."""
    match expr:
        case core.ZoneRef():
            return [expr]
        case core.Select(which="all", binder=binder):
            return _places(binder.domain, reshaping)
        case core.Op(op="join"):
            return [place for arg in expr.args for place in _places(arg, reshaping)]
        case core.CallDefine(define=define) if define.value is not None and not define.lets:
            if reshaping.hoisting.may_open(expr):
                return _places(written_out(expr), reshaping)
    return [None]
