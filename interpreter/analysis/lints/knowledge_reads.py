"""Who knows what an expression reads, at one statement: the secrets in it, and what statements do to cards.

`Reader` goes through an expression, `Knower` weighs what it reads against what is known there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.budget import STATEMENT, spend
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.lints.knowledge_facts import (
    Effect,
    Known,
    Mentions,
    Place,
    Point,
    Relation,
    Seats,
    Secret,
    Secrets,
    asks_backs_only,
    asks_face,
    existence,
    key_of,
    membership,
    names_given,
    owner_of,
    relations_of,
    united,
)
from interpreter.analysis.rules import Rules
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Family, Local, Zone
from interpreter.analysis.transforms.triggers import Changes
from interpreter.analysis.types import Card, Cards, Player, Sequence, base_of


class Knower:
    """What is the same at all statements of some rules; `variables` are the secrets in the variables of blocks."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.changes = Changes(rules)
        self.mentions = Mentions()
        self.seats = Seats(rules.num_players)
        self.ever_covered = frozenset(z for stmt in rules.statements() for z in self._effect(stmt).covered)
        """The zones in which cards can ever lie face down."""
        self.effects: dict[Phase, Effect] = {}
        self.variables: dict[Variable, Secrets] = {}
        self._plain: dict[core.Expr, bool] = {}
        self._effects: dict[core.Stmt, Effect] = {}
        self._blocks: dict[tuple[core.Stmt, ...], tuple[Effect, frozenset[Local]]] = {}

    # ---- what statements do

    def effect(self, stmt: core.Stmt) -> Effect:
        """Return what a statement itself may do; a phase that it carries out counts as its own."""
        if isinstance(stmt, core.CallPhase):
            return self.effects[stmt.phase]
        if stmt not in self._effects:
            self._effects[stmt] = self._effect(stmt)
        return self._effects[stmt]

    def _effect(self, stmt: core.Stmt) -> Effect:
        moved = core.transfers(stmt)
        entered = frozenset(m.target.zone for m in moved if m.face != "up")
        covered = frozenset(m.target.zone for m in moved if m.face == "down")
        if isinstance(stmt, core.Shuffle):
            entered |= {stmt.zone.zone}
        elif isinstance(stmt, core.Turn) and stmt.face == "down":
            entered = covered = self.lying(stmt.cards)
        return Effect(self.changes.of(stmt), entered, covered)

    def lying(self, cards: core.Expr) -> frozenset[Zone]:
        """Return the zones in which cards can lie: those that are named, else any."""
        zones = frozenset(e.zone for e in core.walk_with_definitions(cards) if isinstance(e, core.ZoneRef))
        names = any(
            isinstance(e, core.LocalRef | core.VarRef) and isinstance(base_of(e.type), Card | Cards)
            for e in core.walk(cards)
        )
        return frozenset(self.rules.zones) if names or not zones else zones

    def effect_of(self, block: tuple[core.Stmt, ...]) -> Effect:
        """Return what the statements of a block, and of blocks inside it, may do."""
        return self._block(block)[0]

    def names_of(self, block: tuple[core.Stmt, ...]) -> frozenset[Local]:
        """Return the names that the statements of a block, and of blocks inside it, give."""
        return self._block(block)[1]

    def _block(self, block: tuple[core.Stmt, ...]) -> tuple[Effect, frozenset[Local]]:
        if block not in self._blocks:
            effect, names = Effect(), frozenset(names_given(block))
            for stmt in block:
                spend(STATEMENT, stmt.span)
                effect |= self.effect(stmt)
                for inner in core.blocks_inside(stmt):
                    more, given = self._block(inner)
                    effect, names = effect | more, names | given
            self._blocks[block] = (effect, names)
        return self._blocks[block]

    def is_elsewhere(self, fact: Known, target: core.ZoneRef, point: Point) -> bool:
        """Whether a fact is surely of another place than a target."""
        for mine, other in zip(fact.index, target.index, strict=True):
            if mine is None:
                continue
            if isinstance(mine.type, Player) and self.seats.same(mine, other, point.relations) is False:
                return True
            if isinstance(mine, core.Const) and isinstance(other, core.Const) and mine.value != other.value:
                return True
        return False

    def learned(self, cards: core.Expr, to: core.Expr | None) -> list[Known]:
        """Return what a player, or everybody (None), learns with cards."""
        match cards:
            case core.ZoneRef():
                return [Known(cards.zone, cards.index, to)]
            case core.EndOf(zone=core.ZoneRef(zone=zone) as place) if zone.kind == "slot":
                return [Known(zone, place.index, to)]
            case core.LocalRef():
                return [Known(cards.local, (), to)]
        return []

    # ---- who knows what

    def tells_nothing(self, expr: core.Expr, point: Point) -> bool:
        """Whether an expression surely reads nothing hidden, by what is read in it wherever it stands."""
        if not self.is_plain(expr):
            return False
        return not any(name in point.live or name in point.sealed for name in self.mentions.of(expr)[1])

    def is_plain(self, expr: core.Expr) -> bool:
        """Whether all that an expression reads, itself and in definitions, is seen by everybody, or a name."""
        if expr not in self._plain:
            parts = list(core.children(expr))
            if isinstance(expr, core.CallDefine):
                parts += expr.define.bodies
            self._plain[expr] = not self.may_hide(expr) and all(map(self.is_plain, parts))
        return self._plain[expr]

    @staticmethod
    def may_hide(part: core.Expr) -> bool:
        """Whether not everybody may know what this part of an expression reads, beside names."""
        match part:
            case core.ZoneRef():
                return True
            case core.VarRef(variable=variable):
                return variable.local or variable.seen_by != "all"
        return False

    def secrets(self, exprs: Iterable[core.Expr], point: Point) -> Secrets:
        """Return what values are made of that not everybody knows now."""
        reader = Reader(self, None)
        return united((), tuple(s for expr in exprs for s, _ in reader.reads(expr, point, {})))

    def captured(self, read: Place, index: tuple[core.Expr, ...], declared: bool, point: Point) -> Secret | None:
        """Return what is read as a secret, with those who know it now; None where everybody does.

        `declared` says that only cards are looked at that do not lie face down.
        """
        family: Family = read.zone if isinstance(read, core.ZoneRef) else read.variable
        if isinstance(family, Variable):
            return None if family.seen_by == "all" else Secret(family.name, family, index)
        declared = declared or family not in point.covered
        if family in point.open or (declared and family.seen_by == "all"):
            return None
        to: list[core.Expr] = []
        for fact in point.known:
            if fact.what is family and self.covers(fact.index, index, point):
                if fact.to is None:
                    return None
                to.append(fact.to)
        return Secret(family.name, family, index, tuple(to), declared)

    def covers(self, fact: tuple[core.Expr | None, ...], read: tuple[core.Expr | None, ...], point: Point) -> bool:
        """Whether a fact of a place is of the one that is read."""
        for known, asked in zip(fact, read, strict=True):
            if known is None:
                continue
            if asked is None:
                return False
            if isinstance(known.type, Sequence):
                if not self.is_one_of(asked, known, point):
                    return False
            elif isinstance(known.type, Player):
                if self.seats.same(known, asked, point.relations) is not True:
                    return False
            elif key_of(known) != key_of(asked):
                return False
        return True

    def is_one_of(self, player: core.Expr, players: core.Expr, point: Point) -> bool:
        """Whether a player is surely one of a list."""
        return any(
            r.same is None and key_of(r.right) == key_of(players) and self.seats.same(r.left, player, point.relations)
            for r in point.relations
        )

    def knows(self, secret: Secret, player: core.Expr, point: Point) -> bool:
        """Whether a player knows a secret."""
        if any(self.seats.same(one, player, point.relations) for one in secret.to):
            return True
        family = secret.family
        if family is None:
            return False
        if isinstance(family, Zone) and secret.fresh:
            for fact in point.known:
                told = fact.to is None or self.seats.same(fact.to, player, point.relations)
                if fact.what is family and told and self.covers(fact.index, secret.index, point):
                    return True
        if not secret.declared:
            return False
        owner = owner_of(family, secret.index)
        match family.seen_by:
            case "all":
                return True
            case "owner" if owner is not None:
                return self.seats.same(owner, player, point.relations) is True
            case "all but owner" if owner is not None:
                return self.seats.same(owner, player, point.relations) is False
            case _:
                return False


class Reader:
    """Finds what an expression reads that not everybody knows; what the chooser is, the chooser knows."""

    def __init__(self, knower: Knower, chooser: core.Expr | None) -> None:
        self.knower = knower
        self.chooser = chooser

    def reads(self, expr: core.Expr, point: Point, bound: Mapping[Local, core.Expr]) -> Iterator[tuple[Secret, Span]]:
        """Give what an expression reads, each with its place in the guard; `bound` are arguments of a definition."""
        entered: set[tuple[object, ...]] = set()
        yield from self._reads(expr, point, bound, entered)

    def _reads(
        self, expr: core.Expr, point: Point, bound: Mapping[Local, core.Expr], entered: set[tuple[object, ...]]
    ) -> Iterator[tuple[Secret, Span]]:
        if self.knower.tells_nothing(expr, point):
            return

        def each(parts: Iterable[core.Expr], at: Point = point) -> Iterator[tuple[Secret, Span]]:
            for part in parts:
                yield from self._reads(part, at, bound, entered)

        if isinstance(expr.type, Player) and self.chooser is not None:
            meant = substitute(expr, dict(bound)) if bound else expr
            if self.knower.seats.same(meant, self.chooser, point.relations):
                return
        match expr:
            case core.Builtin(name="count" | "empty", args=(core.ZoneRef() as zone,)):
                yield from each(zone.index)
            case core.Select(
                which="count" | "some" | "no",
                binder=core.Binder(local=local, domain=core.ZoneRef() as zone, where=where),
            ) if asks_backs_only(where, local):
                yield from each((*zone.index, *((where,) if where is not None else ())))
            case core.IsNone(value=value) if self._is_backs(existence(value)):
                zone_of = existence(value)
                assert isinstance(zone_of, core.Select)
                assert isinstance(zone_of.binder.domain, core.ZoneRef)
                yield from each((*zone_of.binder.domain.index, *tuple(core.children(zone_of.binder))[1:]))
            case core.ZoneRef() | core.VarRef():
                yield from self._place(expr, point, bound, shown=False)
                yield from each(expr.index)
            case core.LocalRef(local=local):
                if local not in bound:
                    yield from self._name(local, expr.span, point)
            case core.Builtin(args=(core.LocalRef(local=local),)) if (
                "places" in expr.function.reads and local not in bound
            ):
                yield from each(expr.args)
                if local in point.live or local in point.sealed:
                    yield Secret(local.name, None), expr.span
            case core.Op(op="and" | "or" as op, args=parts):
                at = point
                for part in parts:
                    yield from each((part,), at)
                    at = at.relating(self._told(part, bound, holds=op == "and"))
            case core.Chain(alternatives=alternatives):
                at = point
                for condition, value in alternatives:
                    if condition is None:
                        yield from each((value,), at)
                        continue
                    yield from each((condition,), at)
                    yield from each((value,), at.relating(self._told(condition, bound, holds=True)))
                    at = at.relating(self._told(condition, bound, holds=False))
            case core.Select() | core.Fold() | core.Extreme():
                yield from self._selection(expr, point, bound, entered)
            case core.CallDefine():
                yield from each(expr.args)
                yield from self._definition(expr, point, bound, entered)
            case _:
                yield from each(core.children(expr))

    def _is_backs(self, expr: core.Expr) -> bool:
        """Whether an expression is the first or last card of a zone by what all can see of its back."""
        match expr:
            case core.Select(
                which="first" | "last",
                binder=core.Binder(local=local, domain=core.ZoneRef(), where=where),
                count=None,
            ):
                return asks_backs_only(where, local)
        return False

    def _told(
        self, condition: core.Expr | None, bound: Mapping[Local, core.Expr], *, holds: bool
    ) -> Iterator[Relation]:
        for relation in relations_of(condition, holds=holds):
            if bound:
                given = dict(bound)
                relation = Relation(relation.same, substitute(relation.left, given), substitute(relation.right, given))
            yield relation

    def _place(
        self, expr: Place, point: Point, bound: Mapping[Local, core.Expr], *, shown: bool
    ) -> Iterator[tuple[Secret, Span]]:
        """Give a zone or variable; `shown` where only its cards that lie face up are looked at."""
        if isinstance(expr, core.VarRef) and expr.variable.local:
            for secret in self.knower.variables.get(expr.variable, ()):
                yield attrs.evolve(secret, name=expr.variable.name), expr.span
            return
        given = dict(bound)
        index = tuple(substitute(i, given) for i in expr.index) if bound else expr.index
        found = self.knower.captured(expr, index, shown, point)
        if found is None or (self.chooser is not None and self.knower.knows(found, self.chooser, point)):
            return
        yield found, expr.span

    def _name(self, local: Local, span: Span, point: Point) -> Iterator[tuple[Secret, Span]]:
        secrets = point.live.get(local, point.sealed.get(local, ()))
        if not secrets:
            return
        to: list[core.Expr] = []
        for fact in point.known:
            if fact.what is local:
                if fact.to is None:
                    return
                to.append(fact.to)
        for secret in secrets:
            yield attrs.evolve(secret, to=(*secret.to, *to)), span

    def _selection(
        self,
        expr: core.Select | core.Fold | core.Extreme,
        point: Point,
        bound: Mapping[Local, core.Expr],
        entered: set[tuple[object, ...]],
    ) -> Iterator[tuple[Secret, Span]]:
        """Give what a selection reads: its value only of the things that it keeps."""
        binder = expr.binder
        if isinstance(binder.domain, core.ZoneRef) and asks_face(binder.where, binder.local):
            yield from self._place(binder.domain, point, bound, shown=True)
            for part in binder.domain.index:
                yield from self._reads(part, point, bound, entered)
        else:
            yield from self._reads(binder.domain, point, bound, entered)
        for whole in (binder.start, binder.where):
            if whole is not None:
                yield from self._reads(whole, point, bound, entered)
        inside = point.relating([*membership(binder), *self._told(binder.where, bound, holds=True)])
        values: list[core.Expr | None] = []
        match expr:
            case core.Select():
                values = [expr.count]
            case core.Fold():
                values = [expr.value, expr.by]
            case core.Extreme():
                values = [expr.by]
            case _:
                assert_never(expr)
        for value in values:
            if value is not None:
                yield from self._reads(value, inside, bound, entered)

    def _definition(
        self, expr: core.CallDefine, point: Point, bound: Mapping[Local, core.Expr], entered: set[tuple[object, ...]]
    ) -> Iterator[tuple[Secret, Span]]:
        """Give what a definition reads with these arguments, once."""
        given = dict(bound)
        inner = {p: substitute(a, given) for p, a in zip(expr.define.params, expr.args, strict=True)}
        key = (expr.define, *map(key_of, inner.values()), *(relation.key for relation in point.relations))
        if key in entered:
            return
        entered.add(key)
        define: Define = expr.define
        for value in define.bodies:
            for secret, _ in self._reads(value, point, inner, entered):
                yield secret, expr.span
