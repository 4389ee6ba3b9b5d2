"""The abstract domain of the analysis of knowledge: what holds at a statement, and who knows what an expression reads.

Facts, secrets and relations of players are plain values.  `Reader` finds the secrets that an expression reads, `Knower`
decides who knows them; `interpreter.analysis.lints.knowledge` goes through the statements and changes the facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import assert_never

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.budget import PASS, POINT, STATEMENT, spend
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.rules import Rules
from interpreter.analysis.substitution import inlined, substitute
from interpreter.analysis.symbols import Family, Local, Zone
from interpreter.analysis.transforms.triggers import Changes, reads_of
from interpreter.analysis.types import Card, Cards, Player, Sequence, base_of

MOST_FACTS = 60
"""How many facts are kept at a statement; the oldest go."""

MOST_SECRETS = 40
"""Of how many secrets a value is known to be made; one that is made of more is known to nobody."""

MOST_LIVE = 100
"""How many names have secrets of which it is followed who learns them; those of others only those know who see them."""

Place = core.ZoneRef | core.VarRef


@attrs.frozen(eq=False)
class Secret:
    """Something that a value was made of and that not everybody knows.

    `family` is a zone or a variable with its index at that time (None where that may be another by now); or None, for
    a decision that was kept secret and for what nobody can know.  `to` are players who knew it all the same; `declared`
    whether it is seen as its declaration says; `fresh` whether it still is as it was.
    """

    name: str
    family: Family | None
    index: tuple[core.Expr | None, ...] = ()
    to: tuple[core.Expr, ...] = ()
    declared: bool = True
    fresh: bool = True

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What equal secrets have in common."""
        indices = tuple(None if i is None else key_of(i) for i in self.index)
        return (self.name, self.family, indices, tuple(key_of(t) for t in self.to), self.declared, self.fresh)


NOBODY_KNOWS = Secret("too many things at once", None)

Secrets = tuple[Secret, ...]


@attrs.frozen(eq=False)
class Known:
    """Players know the cards of a place, or the card of a name; `to` None means everybody.

    An index None means every such place, a list the places of all that are in it.
    """

    what: Zone | Local
    index: tuple[core.Expr | None, ...]
    to: core.Expr | None

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What equal facts have in common."""
        index = tuple(None if i is None else key_of(i) for i in self.index)
        return (self.what, index, None if self.to is None else key_of(self.to))


@attrs.frozen(eq=False)
class Relation:
    """Two players are the same, or are not; or (None) the left one is one of those on the right."""

    same: bool | None
    left: core.Expr
    right: core.Expr

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What equal relations have in common."""
        return (self.same, key_of(self.left), key_of(self.right))


@attrs.frozen(eq=False)
class Point:
    """What holds in front of a statement.

    `open` are zones all whose cards lie open, or that hold none; in `covered` zones cards may lie face down.  `live`
    and `sealed` are the secrets of names: of the sealed ones it is no longer followed who learns them.
    """

    known: tuple[Known, ...] = ()
    relations: tuple[Relation, ...] = ()
    open: frozenset[Zone] = frozenset()
    covered: frozenset[Zone] = frozenset()
    live: Mapping[Local, Secrets] = attrs.field(factory=dict)
    sealed: Mapping[Local, Secrets] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        facts = len(self.known) + len(self.relations) + len(self.live) + len(self.sealed)
        spend(PASS + POINT * facts)

    def knowing(self, *facts: Known) -> Point:
        """Return the point with more that is known."""
        return self.changed(known=(*self.known, *facts)[-MOST_FACTS:]) if facts else self

    def relating(self, relations: Iterable[Relation]) -> Point:
        """Return the point with more that is known of players."""
        more = tuple(relations)
        return self.changed(relations=(*self.relations, *more)[-MOST_FACTS:]) if more else self

    def changed(
        self,
        *,
        known: tuple[Known, ...] | None = None,
        relations: tuple[Relation, ...] | None = None,
        covered: frozenset[Zone] | None = None,
    ) -> Point:
        """Return the point with some of these new; unlike `attrs.evolve` it looks up no fields, for there are many."""
        return Point(
            self.known if known is None else known,
            self.relations if relations is None else relations,
            self.open,
            self.covered if covered is None else covered,
            self.live,
            self.sealed,
        )

    def naming(self, local: Local, secrets: Secrets) -> Point:
        """Return the point with a name and what it is made of."""
        if not secrets and local not in self.live and local not in self.sealed:
            return self
        live = {n: s for n, s in self.live.items() if n is not local}
        sealed = {n: s for n, s in self.sealed.items() if n is not local}
        if secrets and len(live) < MOST_LIVE:
            live[local] = secrets
        elif secrets:
            sealed[local] = tuple(sealed_off(s) for s in secrets)
        return Point(self.known, self.relations, self.open, self.covered, live, sealed)


@attrs.frozen
class Effect:
    """What statements may do to cards and variables: what they change, and where cards come in, or lie face down."""

    changed: frozenset[Family] = frozenset()
    entered: frozenset[Zone] = frozenset()
    covered: frozenset[Zone] = frozenset()

    def __or__(self, other: Effect) -> Effect:
        return Effect(self.changed | other.changed, self.entered | other.entered, self.covered | other.covered)


@attrs.frozen
class Level:
    """A condition around a statement: its span, and the secrets in it; `decided` if it is a decision."""

    span: Span
    secrets: Secrets
    decided: bool = False


# ---------------------------------------------------------------------------------------- expressions


def key_of(expr: core.Expr) -> tuple[object, ...]:
    """Return what expressions have in common that say the same, so that they have one value at one time."""
    match expr:
        case core.Const():
            return ("const", expr.value)
        case core.LocalRef():
            return ("local", expr.local)
        case core.VarRef() | core.ZoneRef():
            family: Family = expr.variable if isinstance(expr, core.VarRef) else expr.zone
            return ("place", family, *map(key_of, expr.index))
        case core.CallDefine():
            return ("define", expr.define, *map(key_of, expr.args))
        case core.Builtin():
            return ("builtin", expr.name, *map(key_of, expr.args))
        case core.EndOf():
            return ("end", expr.which, key_of(expr.zone))
        case core.CardAttr():
            return ("attribute", expr.name, key_of(expr.card))
    return ("expression", expr)


def relations_of(condition: core.Expr | None, *, holds: bool = True) -> Iterator[Relation]:
    """Give what a condition says of players when it holds, or when it does not."""
    match condition:
        case core.Op(op="not", args=(inner,)):
            yield from relations_of(inner, holds=not holds)
        case core.Op(op="and" | "or" as op, args=parts) if (op == "and") is holds:
            for part in parts:
                yield from relations_of(part, holds=holds)
        case core.Op(op="==" | "!=" as op, args=(left, right)) if isinstance(left.type, Player) and isinstance(
            right.type, Player
        ):
            yield Relation((op == "==") is holds, left, right)


def membership(binder: core.Binder) -> Iterator[Relation]:
    """Give that what a binder goes through is one of a list of players."""
    if isinstance(binder.domain.type, Sequence) and isinstance(binder.domain.type.item, Player):
        span = binder.domain.span
        yield Relation(None, core.LocalRef(binder.local, binder.domain.type.item, span), binder.domain)


def sealed_off(secret: Secret) -> Secret:
    """Return a secret of which nothing can change any more."""
    index = tuple(i if isinstance(i, core.Const) else None for i in secret.index)
    return attrs.evolve(secret, index=index, to=(), fresh=False)


def asks_backs_only(where: core.Expr | None, local: Local) -> bool:
    """Whether a condition on a card asks only what all can see of its back: which way up it lies, who played it."""
    if where is None:
        return True
    asked = sum(isinstance(e, core.LocalRef) and e.local is local for e in core.walk(where))
    public = sum(
        isinstance(e, core.Builtin)
        and e.function.reads_back
        and isinstance(e.args[0], core.LocalRef)
        and e.args[0].local is local
        for e in core.walk(where)
    )
    return asked == public


def existence(expr: core.Expr) -> core.Expr:
    """Return the selection whose existence `is none` asks for, also through definitions without arguments."""
    while isinstance(expr, core.CallDefine) and not expr.args and expr.define.value is not None:
        if expr.define.lets:
            break
        expr = expr.define.value
    return expr


def is_face_down_test(condition: core.Expr | None, local: Local) -> bool:
    """Whether a condition holds if a card lies face down, and only then."""
    match condition:
        case core.Builtin(args=(core.LocalRef(local=tested),)):
            return tested is local and condition.function.tests_face_down
    return False


def asks_face(where: core.Expr | None, local: Local) -> bool:
    """Whether a selection asks first of each card that it does not lie face down."""
    match where:
        case core.Op(op="and", args=(first, *_)):
            return asks_face(first, local)
        case core.Op(op="not", args=(negated,)):
            return is_face_down_test(negated, local)
    return False


class Mentions:
    """What expressions hang on: the zones and variables that they read (None: any), and names."""

    def __init__(self) -> None:
        self._of: dict[core.Expr, tuple[frozenset[Family] | None, frozenset[Local]]] = {}

    def of(self, expr: core.Expr) -> tuple[frozenset[Family] | None, frozenset[Local]]:
        """Return the zones and variables, and the names, that an expression depends on."""
        if expr not in self._of:
            names = frozenset(e.local for e in core.walk(expr) if isinstance(e, core.LocalRef))
            self._of[expr] = (reads_of([expr]), names)
        return self._of[expr]

    def stays(self, expr: core.Expr, changed: frozenset[Family], bound: frozenset[Local]) -> bool:
        """Whether an expression keeps its value where these are changed and these names are given anew."""
        read, names = self.of(expr)
        if not bound.isdisjoint(names):
            return False
        return not changed if read is None else changed.isdisjoint(read)


class Seats:
    """Which players are the same: each expression is another one and some seats further round the table."""

    def __init__(self, num_players: int) -> None:
        self.count = num_players

    def seat(self, expr: core.Expr) -> tuple[core.Expr | None, int]:
        """Return an expression and how many seats further the player is; None is player 1."""
        steps = 0
        while True:
            match expr:
                case core.Const(value=int(value)):
                    return None, steps + value
                case core.Builtin(args=(inner,)) if (step := expr.function.step) is not None:
                    steps, expr = steps + step(self.count), inner
                case core.Builtin(name="there", args=(inner,)):
                    expr = inner
                case core.CallDefine() if (body := inlined(expr)) is not None:
                    expr = body
                case other:
                    return other, steps

    def same(self, left: core.Expr, right: core.Expr, relations: tuple[Relation, ...]) -> bool | None:
        """Whether two players are the same; None where that is not sure."""
        if self.count == 1:
            return True
        found = self._equal(left, right, relations)
        if found is not None:
            return found
        for relation in relations:
            if relation.same is False:
                for one, other in ((relation.left, relation.right), (relation.right, relation.left)):
                    if self._equal(left, one, relations) and self._equal(right, other, relations):
                        return False
        return None

    def _equal(self, left: core.Expr, right: core.Expr, relations: tuple[Relation, ...]) -> bool | None:
        (first, start), (wanted, steps) = self.seat(left), self.seat(right)
        goal = _seat_key(wanted)
        reached = {_seat_key(first): start}
        todo = [_seat_key(first)]
        pairs = [(self.seat(r.left), self.seat(r.right)) for r in relations if r.same]
        while todo:
            here = todo.pop()
            if here == goal:
                return (reached[here] - steps) % self.count == 0
            for (one, up), (other, down) in [*pairs, *((b, a) for a, b in pairs)]:
                key = _seat_key(other)
                if _seat_key(one) == here and key not in reached:
                    reached[key] = reached[here] - up + down
                    todo.append(key)
        return None


def _seat_key(expr: core.Expr | None) -> tuple[object, ...]:
    return ("player 1",) if expr is None else key_of(expr)


# --------------------------------------------------------------------------------------------- helpers


def owner_of(family: Family, index: tuple[core.Expr | None, ...]) -> core.Expr | None:
    """Return the player who owns a place or a value, None where it has no owner."""
    return next((e for e, t in zip(index, family.indices, strict=True) if isinstance(t, Player)), None)


def united(left: Secrets, right: Secrets) -> Secrets:
    """Return secrets, each once; of too many nobody knows all."""
    found = {secret.key: secret for secret in (*left, *right)}
    return tuple(found.values()) if len(found) <= MOST_SECRETS else (NOBODY_KNOWS,)


def names_given(block: tuple[core.Stmt, ...]) -> Iterator[Local]:
    """Give the names that statements give, without those inside them."""
    for stmt in block:
        yield from (local for local, _ in core.names_given(stmt))


def is_whole(binder: core.Binder, rules: Rules) -> bool:
    """Whether a loop goes through all values that an index can have."""
    if binder.where is not None:
        return False
    match binder.domain:
        case core.Builtin(name="players"):
            return True
        case core.Range(low=core.Const(value=0), high=core.Const(value=int(last)), type=type_):
            enums = [e for e in rules.enums if type_ is not None and getattr(type_, "item", None) is e]
            return any(last == len(e.values) - 1 for e in enums)
    return False


def is_of(fact: Known, local: Local) -> bool:
    """Whether a fact is of the place whose index a name is, and depends on the name in no other way."""
    if isinstance(fact.what, Local):
        return False
    plain = [isinstance(i, core.LocalRef) and i.local is local for i in fact.index]
    others = [i for i, is_it in zip(fact.index, plain, strict=True) if not is_it and i is not None]
    others += [fact.to] if fact.to is not None else []
    mentioned = any(isinstance(e, core.LocalRef) and e.local is local for o in others for e in core.walk(o))
    return any(plain) and not mentioned


# ----------------------------------------------------------------------------------------- who knows what


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

    def reads_nothing_hidden(self, expr: core.Expr, point: Point) -> bool:
        """Whether an expression surely reads nothing hidden, by what is read in it wherever it is."""
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
        if self.knower.reads_nothing_hidden(expr, point):
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
                    at = at.relating(self._relations(part, bound, holds=op == "and"))
            case core.Chain(alternatives=alternatives):
                at = point
                for condition, value in alternatives:
                    if condition is None:
                        yield from each((value,), at)
                        continue
                    yield from each((condition,), at)
                    yield from each((value,), at.relating(self._relations(condition, bound, holds=True)))
                    at = at.relating(self._relations(condition, bound, holds=False))
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

    def _relations(
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
        inside = point.relating([*membership(binder), *self._relations(binder.where, bound, holds=True)])
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
