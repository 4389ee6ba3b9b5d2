"""Information flow: prove by data-flow analysis that the legal actions of a player reveal nothing hidden.

A player sees their legal actions, so every guard of a choice (`where`, `such that`, `only if`, quantities, domains, the
text of the question) may depend only on what the player knows.  A forward analysis of each phase keeps, at every
statement,

- the **secrets** (zones, hidden variables, hidden decisions) that went into the value of each name: of a `let`, a loop,
  a parameter and, over the whole phase, each variable of a block, with the conditions under which it was set;
- the cards that players **know** beyond the declarations: cards that were shown, turned or laid face up, and that no
  other cards have joined;
- the zones in which cards may lie face down, where the declaration does not count;
- the players who are certainly the same or different (`if p != q`, `for q in players where q != p`, `next(p)`).

A fact is dropped at a statement that may change its subject.  A loop drops all facts that its body may change, and is
analysed once.  A phase begins with the facts that hold at all its calls, and returns those that it certainly
establishes.  So the analysis is linear in the text, and conservative: it may report a leak that is none.  All players
know how many cards are in a zone, and who decides.

The first part is the abstract domain: facts, secrets and relations of players as values.  `Reader` finds the secrets
that an expression reads, and `Knower` decides who knows them.  The second part goes through the statements and updates
the facts.

A note, not an error, reports a decision or the repetitions of a loop that depend on hidden information.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import assert_never

import msgspec

from grammar.diagnostics import Label, Severity
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.budget import PASS, POINT, STATEMENT, spend
from interpreter.analysis.context import Context
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.dependencies import Whole
from interpreter.analysis.memoized import Memoized
from interpreter.analysis.rules import Rules
from interpreter.analysis.substitution import inlined, substitute
from interpreter.analysis.symbols import Family, Local, Zone
from interpreter.analysis.types import PLAYER, Card, Cards, EnumType, Player, Sequence, Type, base_of

MOST_ROUNDS = 4
"""The most passes through a phase to find the secrets in its variables."""

MOST_FACTS = 60
"""The most facts that are kept at a statement; the oldest are dropped."""

MOST_SECRETS = 40
"""The most secrets in a value; a value with more counts as known to nobody."""

MOST_LIVE = 100
"""The most names whose secrets can become known to further players; those of other names are sealed."""

Place = core.ZoneRef | core.VarRef


class Secret(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Hidden information in a value: a zone, a variable or a decision that not everybody knows.

    `family` is a zone or a variable with its index at that time (an index is None if it may have changed since), or
    None for a secret decision and for a secret that nobody can know.  `to` are further players who know it; `declared`
    is whether its declaration says who sees it; `fresh` whether it is unchanged since it was read.
    """

    name: str
    family: Family | None
    index: tuple[core.Expr | None, ...] = ()
    to: tuple[core.Expr, ...] = ()
    declared: bool = True
    fresh: bool = True

    @cached_property
    def key(self) -> tuple[object, ...]:
        """The key by which secrets are compared."""
        indices = tuple(None if i is None else key_of(i) for i in self.index)
        return (self.name, self.family, indices, tuple(key_of(t) for t in self.to), self.declared, self.fresh)


NOBODY_KNOWS = Secret("too many things at once", None)

Secrets = tuple[Secret, ...]


class Known(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A fact: `to` (None: everybody) knows the cards of a place, or the card of a name.

    An index None means every place of the zone, a list the places of all its elements.
    """

    what: Zone | Local
    index: tuple[core.Expr | None, ...]
    to: core.Expr | None

    @cached_property
    def key(self) -> tuple[object, ...]:
        """The key by which facts are compared."""
        index = tuple(None if i is None else key_of(i) for i in self.index)
        return (self.what, index, None if self.to is None else key_of(self.to))


class Relation(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A fact about players: `left` and `right` are the same, are different, or (None) `left` is in the list `right`."""

    same: bool | None
    left: core.Expr
    right: core.Expr

    @cached_property
    def key(self) -> tuple[object, ...]:
        """The key by which relations are compared."""
        return (self.same, key_of(self.left), key_of(self.right))


class Point(msgspec.Struct, frozen=True, eq=False):
    """The facts that hold before a statement: one element of the abstract domain.

    All cards of an `open` zone lie face up, or it is empty; in `covered` zones cards may lie face down.  `live` and
    `sealed` are the secrets of names; no further player can learn a sealed one.
    """

    known: tuple[Known, ...] = ()
    relations: tuple[Relation, ...] = ()
    open: frozenset[Zone] = frozenset()
    covered: frozenset[Zone] = frozenset()
    live: Mapping[Local, Secrets] = msgspec.field(default_factory=dict)
    sealed: Mapping[Local, Secrets] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        facts = len(self.known) + len(self.relations) + len(self.live) + len(self.sealed)
        spend(PASS + POINT * facts)

    def knowing(self, *facts: Known) -> Point:
        """Return the point with more facts about cards."""
        return core.evolved(self, known=(*self.known, *facts)[-MOST_FACTS:]) if facts else self

    def relating(self, relations: Iterable[Relation]) -> Point:
        """Return the point with more facts about players."""
        more = tuple(relations)
        return core.evolved(self, relations=(*self.relations, *more)[-MOST_FACTS:]) if more else self

    def naming(self, local: Local, secrets: Secrets) -> Point:
        """Return the point with a name and its secrets."""
        if not secrets and local not in self.live and local not in self.sealed:
            return self
        live = {n: s for n, s in self.live.items() if n is not local}
        sealed = {n: s for n, s in self.sealed.items() if n is not local}
        if secrets and len(live) < MOST_LIVE:
            live[local] = secrets
        elif secrets:
            sealed[local] = tuple(sealed_off(s) for s in secrets)
        return core.evolved(self, live=live, sealed=sealed)


class Effect(msgspec.Struct, frozen=True, eq=False):
    """The side effects of statements: families that change, zones that cards enter, or in which they lie face down."""

    changed: frozenset[Family] = frozenset()
    entered: frozenset[Zone] = frozenset()
    covered: frozenset[Zone] = frozenset()

    @classmethod
    def of_all(cls, effects: list[Effect]) -> Effect:
        """Return the side effects of several statements together."""
        return cls(
            frozenset[Family]().union(*(effect.changed for effect in effects)),
            frozenset[Zone]().union(*(effect.entered for effect in effects)),
            frozenset[Zone]().union(*(effect.covered for effect in effects)),
        )


NO_EFFECT = Effect()


class Level(msgspec.Struct, frozen=True, eq=False):
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
        case core.CardAt():
            return ("card", expr.at if isinstance(expr.at, str) else key_of(expr.at), key_of(expr.zone))
        case core.CardAttr():
            return ("attribute", expr.name, key_of(expr.card))
        case core.EnumAttr():
            return ("column", expr.table, key_of(expr.value))
    return ("expression", expr)


def relations_of(condition: core.Expr | None, *, holds: bool = True) -> Iterator[Relation]:
    """Give what a condition says of players, or of teams, when it holds, or when it does not."""
    for part, truth in () if condition is None else core.implied(condition, holds=holds):
        match part:
            case core.Op(op="==" | "!=" as op, args=(left, right)) if (
                isinstance(left.type, Player) and isinstance(right.type, Player)
            ) or (is_team(left.type) and is_team(right.type)):
                yield Relation((op == "==") is truth, left, right)


def is_team(type_: Type) -> bool:
    """Whether the values of a type are teams."""
    return isinstance(type_, EnumType) and bool(type_.team_of)


def membership(binder: core.Binder) -> Iterator[Relation]:
    """Give that what a binder goes through is one of a list of players, and what the list says of its players."""
    if isinstance(binder.domain.type, Sequence) and isinstance(binder.domain.type.item, Player):
        one = core.LocalRef(binder.local, binder.domain.type.item, binder.domain.span)
        yield Relation(None, one, binder.domain)
        match binder.domain:
            case core.Select(which="all", binder=core.Binder(local=local, where=where)) if where is not None:
                yield from relations_of(substitute(where, {local: one}))


def sealed_off(secret: Secret) -> Secret:
    """Return a secret without the parts that later statements can change."""
    index = tuple(i if isinstance(i, core.Const) else None for i in secret.index)
    return core.evolved(secret, index=index, to=(), fresh=False)


def asks_backs_only(where: core.Expr | None, local: Local) -> bool:
    """Whether a condition on a card reads only public facts about its back: which way up it lies, who played it."""
    if where is None:
        return True
    mentions = sum(isinstance(e, core.LocalRef) and e.local is local for e in core.walk(where))
    public = sum(
        isinstance(e, core.Builtin)
        and e.function.reads_back
        and isinstance(e.args[0], core.LocalRef)
        and e.args[0].local is local
        for e in core.walk(where)
    )
    return mentions == public


def existence(expr: core.Expr) -> core.Expr:
    """Return the selection that `is none` tests, also through definitions without arguments."""
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
    """Whether the condition of a selection begins with the test that the card is not face down."""
    match where:
        case core.Op(op="and", args=(first, *_)):
            return asks_face(first, local)
        case core.Op(op="not", args=(negated,)):
            return is_face_down_test(negated, local)
    return False


class Seats:
    """Which players are the same: each expression is another one and some seats further round the table.

    `team_of` has the number of each player's team.
    """

    def __init__(self, num_players: int, team_of: tuple[int, ...] = ()) -> None:
        self.count = num_players
        self.team_of = team_of

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
                case core.EnumAttr(value=inner, table=(int(first), *_) as table, type=Player()) if table == tuple(
                    (first + seat) % self.count for seat in range(self.count)
                ):
                    steps, expr = steps + first, inner
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

    def of_one_team(self, left: core.Expr, right: core.Expr, relations: tuple[Relation, ...]) -> bool:
        """Whether two players are certainly on one team; a team represents any of its players."""
        pairs = [(self._member(r.left), self._member(r.right)) for r in relations if r.same and is_team(r.left.type)]
        goal = self._member(right)
        todo = [self._member(left)]
        while todo:
            here = todo.pop()
            if self._are_partners(here, goal, relations):
                return True
            for pair in list(pairs):
                for one, other in (pair, pair[::-1]):
                    if pair in pairs and self._are_partners(here, one, relations):
                        pairs.remove(pair)
                        todo.append(other)
        return False

    def _member(self, expr: core.Expr) -> core.Expr:
        """Return a player of a team: whose team it is, or the first of a known one; any other expression as it is."""
        match expr:
            case core.EnumAttr(value=value, table=table) if table == self.team_of and is_team(expr.type):
                return value
            case core.Const(value=int(team)) if is_team(expr.type):
                return core.Const(self.team_of.index(team), PLAYER, expr.span)
        return expr

    def _are_partners(self, left: core.Expr, right: core.Expr, relations: tuple[Relation, ...]) -> bool:
        """Whether two players are on one team, by the number of seats between them."""
        difference = self._difference(left, right, relations)
        if difference is None:
            return False
        base, steps = self.seat(right)
        seats = [steps] if base is None else range(self.count)
        return all(self.team_of[(s + difference) % self.count] == self.team_of[s % self.count] for s in seats)

    def _equal(self, left: core.Expr, right: core.Expr, relations: tuple[Relation, ...]) -> bool | None:
        difference = self._difference(left, right, relations)
        return None if difference is None else difference == 0

    def _difference(self, left: core.Expr, right: core.Expr, relations: tuple[Relation, ...]) -> int | None:
        """Return how many seats the left player is further than the right one; None where that is not sure."""
        (first, start), (wanted, steps) = self.seat(left), self.seat(right)
        goal = _seat_key(wanted)
        reached = {_seat_key(first): start}
        todo = [_seat_key(first)]
        pairs = [(self.seat(r.left), self.seat(r.right)) for r in relations if r.same]
        while todo:
            here = todo.pop()
            if here == goal:
                return (reached[here] - steps) % self.count
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
    return any(plain) and local not in core.names_of(*others)


# ----------------------------------------------------------------------------------------- who knows what


class Knower:
    """Decides who knows a secret; has all data that does not change from statement to statement.

    `variables` are the secrets in the variables of blocks.
    """

    def __init__(self, whole: Whole) -> None:
        self.rules = rules = whole.rules
        self.changes = whole.changes
        self.mentions = whole.mentions
        self.seats = Seats(rules.num_players, () if rules.teams is None else rules.teams.team_of)
        self.effects: dict[Phase, Effect] = {}
        self.variables: dict[Variable, Secrets] = {}
        moving = [stmt for stmt in rules.statements() if not isinstance(stmt, core.CallPhase)]
        self.ever_covered = Effect.of_all([*map(self.effect, moving)]).covered
        """The zones in which cards can ever lie face down."""

    # ---- what statements do

    @Memoized
    def effect(self, stmt: core.Stmt) -> Effect:
        """Return what a statement itself may do; a phase that it carries out counts as its own."""
        if isinstance(stmt, core.CallPhase):
            return self.effects[stmt.phase]
        changed, moved = self.changes.of(stmt), core.transfers(stmt)
        entered = frozenset(m.target.zone for m in moved if m.face != "up")
        covered = frozenset(m.target.zone for m in moved if m.face == "down")
        if isinstance(stmt, core.Shuffle):
            entered |= {stmt.zone.zone}
        elif isinstance(stmt, core.Turn) and stmt.face == "down":
            entered = covered = self.lying(stmt.cards)
        return Effect(changed, entered, covered)

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

    @Memoized
    def _block(self, block: tuple[core.Stmt, ...]) -> tuple[Effect, frozenset[Local]]:
        effects: list[Effect] = []
        names: set[Local] = set()
        for stmt in block:
            spend(STATEMENT, stmt.span)
            effects.append(self.effect(stmt))
            names.update(local for local, _ in core.names_given(stmt))
            for inner in core.blocks_inside(stmt):
                more, given = self._block(inner)
                effects.append(more)
                names |= given
        return Effect.of_all(effects), frozenset(names)

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
            case core.CardAt(zone=core.ZoneRef(zone=zone) as place) if zone.kind == "slot":
                return [Known(zone, place.index, to)]
            case core.LocalRef():
                return [Known(cards.local, (), to)]
        return []

    # ---- who knows what

    def reads_nothing_hidden(self, expr: core.Expr, point: Point) -> bool:
        """Whether an expression surely reads nothing hidden, by what is read in it wherever it is."""
        if not self.is_plain(expr):
            return False
        return not any(name in point.live or name in point.sealed for name in self.mentions.of(expr).names)

    @Memoized
    def is_plain(self, expr: core.Expr) -> bool:
        """Whether all that an expression reads, itself and in definitions, is seen by everybody, or a name."""
        inside = expr.define.bodies if isinstance(expr, core.CallDefine) else ()
        return not self.may_hide(expr) and all(map(self.is_plain, (*core.children(expr), *inside)))

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
        """Whether the place of a fact includes the place that is read."""
        for known, value in zip(fact, read, strict=True):
            if known is None:
                continue
            if value is None:
                return False
            if isinstance(known.type, Sequence):
                if not self.is_one_of(value, known, point):
                    return False
            elif isinstance(known.type, Player):
                if self.seats.same(known, value, point.relations) is not True:
                    return False
            elif key_of(known) != key_of(value):
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
                knows = fact.to is None or self.seats.same(fact.to, player, point.relations)
                if fact.what is family and knows and self.covers(fact.index, secret.index, point):
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
            case "team":
                index = zip(secret.index, family.indices, strict=True)
                team = next((e for e, t in index if is_team(t)), owner)
                return team is not None and self.seats.of_one_team(team, player, point.relations)
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
            case core.Select() | core.Fold() | core.Extreme() | core.Sorted():
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
        return self._given(relations_of(condition, holds=holds), bound)

    @staticmethod
    def _given(relations: Iterable[Relation], bound: Mapping[Local, core.Expr]) -> Iterator[Relation]:
        """Give relations with the arguments of a definition in the place of its parameters."""
        for relation in relations:
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
                yield core.evolved(secret, name=expr.variable.name), expr.span
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
            yield core.evolved(secret, to=(*secret.to, *to)), span

    def _selection(
        self,
        expr: core.Loop,
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
        if binder.start is not None:
            yield from self._reads(binder.start, point, bound, entered)
        inside = point.relating(self._given(membership(binder), bound))
        if binder.where is not None:
            yield from self._reads(binder.where, inside, bound, entered)
        inside = inside.relating(self._relations(binder.where, bound, holds=True))
        values: list[core.Expr | None] = []
        match expr:
            case core.Select():
                values = [expr.count]
            case core.Fold():
                values = [expr.value, expr.by]
            case core.Extreme() | core.Sorted():
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


# ---- the analysis


def check_knowledge(cx: Context, whole: Whole) -> None:
    """Report guards that read what their player may not know."""
    _Analysis(cx, whole).run()


class _Analysis(Knower):
    """The analysis of one set of rules."""

    def __init__(self, cx: Context, whole: Whole) -> None:
        super().__init__(whole)
        self.cx = cx
        self.calls = whole.calls
        self.made: dict[Phase, tuple[Known, ...]] = {}
        self.entries: dict[Phase, Point] = {}
        self.around: dict[Phase, dict[Span, Level]] = {}
        self.scopes: dict[Variable, tuple[frozenset[Local], frozenset[Family], int]] = {}
        self.levels: list[Level] = []
        self.passed: dict[Span, Level] = {}
        self.names: list[Local] = []
        self.phase = self.rules.play
        self.reporting = False
        self.descending = False
        self.deciding: set[Phase] = set()
        self.growing = False
        self.ends: list[Point] = []

    def run(self) -> None:
        """Analyse the phases: callees first, for the facts that they establish; then from `play` on, for reports."""
        order = self.calls.order()
        for phase in order:
            self.effects[phase] = self.effect_of(phase.body)
            self.phase = phase
            after = self.through(Point(covered=self.ever_covered)) if self.may_reveal(phase) else None
            self.made[phase] = () if after is None else tuple(k for k in after.known if self.outlives(k, phase))
        homes = {self.rules.home_zone}
        self.entries = {
            self.rules.play: Point(open=frozenset(z for z in self.rules.zones if z not in homes)),
        }
        self.variables, self.descending = {}, True
        self.deciding = self.with_decisions(order)
        for phase in reversed(order):
            entry = self.entries.get(phase)
            if entry is None or phase not in self.deciding:
                continue
            self.phase = phase
            for number in range(MOST_ROUNDS if core.Begin in core.kinds_of(phase) else 0):
                self.growing = False
                self.through(entry)
                if not self.growing:
                    break
                if number == MOST_ROUNDS - 1:
                    self.give_up()
            self.reporting = True
            self.through(entry)
            self.reporting = False

    def with_decisions(self, order: list[Phase]) -> set[Phase]:
        """Return the phases in which, or in what they carry out, a player decides: nothing is to be checked in others.

        `order` has each phase after all that it carries out.
        """
        found: set[Phase] = set()
        for phase in order:
            if core.Choice in core.kinds_of(phase) or any(call.phase in found for call in self.calls.of[phase]):
                found.add(phase)
        return found

    def may_reveal(self, phase: Phase) -> bool:
        """Whether a phase can make the cards of a place known, itself or in what it carries out."""
        reveals = not core.kinds_of(phase).isdisjoint((core.Turn, core.Show, core.Say))
        return reveals or any(self.made[call.phase] for call in self.calls.of[phase])

    def secrets(self, exprs: Iterable[core.Expr], point: Point) -> Secrets:
        """Return what values are made of that not everybody knows now; what a phase makes known needs none of it."""
        return super().secrets(exprs, point) if self.descending else ()

    def give_up(self) -> None:
        """Take what the variables of the phase are made of as known to nobody."""
        for variable in self.scopes:
            if self.variables.get(variable):
                self.variables[variable] = (core.evolved(NOBODY_KNOWS, name=variable.name),)

    def through(self, entry: Point) -> Point | None:
        """Go through the phase from its beginning; return what holds at its end, None where it has none."""
        self.levels = list(self.around.get(self.phase, {}).values())
        self.passed = {}
        self.names = list(self.phase.params)
        self.ends = []
        self.scopes = {}
        after = self.block(self.phase.body, entry)
        return self.joined([after, *self.ends])

    def outlives(self, fact: Known, phase: Phase) -> bool:
        """Whether a fact speaks of nothing that only its phase knows."""
        if isinstance(fact.what, Local):
            return False
        exprs = [e for e in (*fact.index, fact.to) if e is not None]
        return all(self.mentions.of(e).names <= set(phase.params) for e in exprs)

    # ---- what statements do

    def without(self, point: Point, effect: Effect, bound: frozenset[Local] = frozenset()) -> Point:
        """Return a point without what does not survive an effect, or that names are given anew."""
        changed = effect.changed
        if not changed and not effect.entered and not bound:
            return point
        stays = self.mentions.stays

        def survives(fact: Known) -> bool:
            if isinstance(fact.what, Local):
                return fact.what not in bound and (fact.to is None or stays(fact.to, changed, bound))
            exprs = [e for e in (*fact.index, fact.to) if e is not None]
            return fact.what not in effect.entered and all(stays(e, changed, bound) for e in exprs)

        def later(secret: Secret) -> Secret:
            index = tuple(i if i is None or stays(i, changed, bound) else None for i in secret.index)
            to = tuple(t for t in secret.to if stays(t, changed, bound))
            fresh = secret.fresh and secret.family not in changed
            if index == secret.index and len(to) == len(secret.to) and fresh == secret.fresh:
                return secret
            return core.evolved(secret, index=index, to=to, fresh=fresh)

        relations = tuple(
            r for r in point.relations if stays(r.left, changed, bound) and stays(r.right, changed, bound)
        )
        known = tuple(filter(survives, point.known))
        # Unchanged facts stay the same object, so that `joined` need not compare them.
        return Point(
            point.known if len(known) == len(point.known) else known,
            point.relations if len(relations) == len(point.relations) else relations,
            point.open - effect.entered,
            point.covered | effect.covered,
            {name: tuple(map(later, secrets)) for name, secrets in point.live.items() if name not in bound},
            point.sealed,
        )

    def joined(self, points: Iterable[Point | None]) -> Point | None:
        """Return the facts at a join of several paths; None if no path reaches it."""
        ways = [p for p in points if p is not None]
        if len(ways) < 2:
            return ways[0] if ways else None
        first, *others = ways
        if all(other is first for other in others):
            return first
        facts = [{k.key for k in other.known} for other in others if other.known is not first.known]
        related = [{r.key for r in other.relations} for other in others if other.relations is not first.relations]
        live = dict(first.live)
        sealed = dict(first.sealed)
        for other in others:
            for name, secrets in other.live.items():
                live[name] = united(live.get(name, ()), secrets)
            for name, secrets in other.sealed.items():
                sealed[name] = united(sealed.get(name, ()), secrets)
        return Point(
            tuple(k for k in first.known if all(k.key in keys for keys in facts)) if facts else first.known,
            tuple(r for r in first.relations if all(r.key in keys for keys in related)) if related else first.relations,
            first.open.intersection(*(o.open for o in others)),
            first.covered.union(*(o.covered for o in others)),
            live,
            sealed,
        )

    # ---- one statement after another

    def block(self, block: tuple[core.Stmt, ...], point: Point | None) -> Point | None:
        """Go through statements; names that they give end with the block."""
        names = len(self.names)
        for stmt in block:
            if point is None:
                break
            point = self.statement(stmt, point)
        del self.names[names:]
        return point

    def statement(self, stmt: core.Stmt, point: Point) -> Point | None:
        """Return what holds after a statement, None where nothing follows it."""
        match stmt:  # The most frequent statements come first.
            case core.CallPhase():
                return self.call(stmt, point)
            case core.Assign():
                if stmt.variable in self.rules.notes:
                    self.reopen(stmt)
                if stmt.variable.local:
                    self.set(stmt.variable, [*stmt.index, stmt.value], point)
                    return point
                return self.without(point, self.effect(stmt))
            case core.If():
                return self.if_(stmt, point)
            case core.Let():
                return self.let(stmt, point)
            case core.Choice():
                return self.choice(stmt, point)
            case core.For() | core.InTurn() | core.AtOnce():
                return self.loop(stmt, point)
            case core.Begin():
                changed = self.effects.get(self.phase, NO_EFFECT).changed
                self.scopes[stmt.variable] = (frozenset(self.names), changed, len(self.levels))
                self.set(stmt.variable, [stmt.value], point)
                return point
            case core.Random():
                return self.random(stmt, point)
            case core.While():
                return self.while_(stmt, point)
            case core.Together():
                return self.block(stmt.body, point)
            case core.End():
                if stmt.phase is self.phase:
                    self.ends.append(point)
                return None
            case core.Reopen():
                self.reopen(stmt)
                return point
            case _:
                core.assert_simple(stmt)
                return self.cards(stmt, point)

    def let(self, stmt: core.Let, point: Point) -> Point:
        """A name, and what it is made of."""
        secrets = self.secrets([stmt.value], point)
        point = self.named(stmt.local, secrets, point)
        if isinstance(stmt.value.type, Player):
            ref = core.LocalRef(stmt.local, stmt.value.type, stmt.span)
            point = point.relating([Relation(True, ref, stmt.value)])
        return point

    def named(self, local: Local, secrets: Secrets, point: Point) -> Point:
        """Return a point with a name; what was known of an earlier value of it goes."""
        self.names.append(local)
        return self.without(point, NO_EFFECT, frozenset({local})).naming(local, secrets)

    def random(self, stmt: core.Random, point: Point) -> Point:
        """All players know a value that has a name; a card those who see it, a variable those who see that."""
        arg = stmt.arg
        secrets: Secrets = ()
        if arg.form != "value":
            secrets = self.secrets(core.children(arg), point)
        elif stmt.into is not None:
            secrets = (Secret(stmt.into.variable.name, None),)
        return self.named(arg.local, secrets, point)

    def set(self, variable: Variable, exprs: list[core.Expr], point: Point) -> None:
        """Add to what a variable of a block is made of: a value, and the conditions under which it is set."""
        outside, changed, depth = self.scopes.get(variable, (frozenset(), frozenset(self.rules.zones), 0))
        found = list(self.secrets(exprs, point))
        for level in self.levels[depth:]:
            found += level.secrets
        stable = []
        for secret in found:
            index = tuple(None if i is None else self.lasting(i, outside, changed, point) for i in secret.index)
            to = [self.lasting(t, outside, changed, point) for t in secret.to]
            stable.append(core.evolved(secret, index=index, to=tuple(t for t in to if t is not None), fresh=False))
        before = self.variables.get(variable, ())
        after = united(before, tuple(stable))
        if len(after) > len(before):
            self.variables[variable] = after
            self.growing = True

    def lasting(
        self, expr: core.Expr, outside: frozenset[Local], changed: frozenset[Family], point: Point
    ) -> core.Expr | None:
        """Return an expression that has this value as long as a variable lives, from what is known outside of it."""

        def lasts(one: core.Expr) -> bool:
            return self.mentions.of(one).names <= outside and self.mentions.stays(one, changed, frozenset())

        if lasts(expr):
            return expr
        if isinstance(expr.type, Player):
            for relation in point.relations:
                for one, other in ((relation.left, relation.right), (relation.right, relation.left)):
                    if relation.same and lasts(other) and key_of(one) == key_of(expr):
                        return other
        return None

    # ---- branches and loops

    def under(self, span: Span, exprs: Iterable[core.Expr], point: Point) -> None:
        """Begin what depends on a condition."""
        self.levels.append(Level(span, self.secrets(exprs, point)))

    def if_(self, stmt: core.If, point: Point) -> Point | None:
        """Both ways, or the one that an option leaves."""
        if isinstance(stmt.condition, core.Const) and isinstance(stmt.condition.value, bool):
            return self.block(stmt.then if stmt.condition.value else stmt.otherwise, point)
        self.under(stmt.condition.span, [stmt.condition], point)
        ways = [
            self.block(stmt.then, point.relating(relations_of(stmt.condition))),
            self.block(stmt.otherwise, point.relating(relations_of(stmt.condition, holds=False))),
        ]
        level = self.levels.pop()
        if level.secrets and any(isinstance(s, core.End) for s in core.statements((*stmt.then, *stmt.otherwise))):
            self.passed[level.span] = level
        return self.joined(ways)

    def head(self, body: tuple[core.Stmt, ...], point: Point) -> Point:
        """Return what holds whenever the body of a loop begins."""
        return self.without(point, self.effect_of(body), self.names_of(body))

    def loop(self, stmt: core.For | core.InTurn | core.AtOnce, point: Point) -> Point | None:
        """Go through the body once, with what holds in every round."""
        binder = stmt.binder
        body = (stmt.choice,) if isinstance(stmt, core.AtOnce) else stmt.body
        parts = tuple(core.children(binder))
        secrets = self.secrets(parts, point)
        head = self.head(body, point)
        plain = binder.where is None and isinstance(binder.domain, core.ZoneRef)
        self.levels.append(Level(binder.domain.span, () if plain else secrets))
        names = len(self.names)
        inside = self.named(binder.local, secrets, head)
        if not isinstance(stmt, core.InTurn) or not self.may_change(binder.where, body):
            inside = inside.relating(relations_of(binder.where))
        after = self.rounds(body, inside.relating(membership(binder)))
        del self.names[names:]
        self.levels.pop()
        out = self.joined([head, after])
        if out is not None and after is not None:
            out = out.knowing(*self.in_all_rounds(binder, after, body))
        return None if out is None else self.without(out, NO_EFFECT, frozenset({binder.local}))

    def in_all_rounds(self, binder: core.Binder, after: Point, body: tuple[core.Stmt, ...]) -> Iterator[Known]:
        """Give what is known after a round of a loop of its place, and so of all places after all rounds."""
        effect = self.effect_of(body)
        whole = is_whole(binder, self.rules)
        players = isinstance(binder.domain.type, Sequence) and isinstance(binder.domain.type.item, Player)
        stays = self.mentions.stays
        if binder.where is not None or not (whole or (players and stays(binder.domain, effect.changed, frozenset()))):
            return
        for fact in after.known:
            if not is_of(fact, binder.local) or not self.only_here(fact, binder.local, body):
                continue
            index = tuple(
                (None if whole else binder.domain)
                if isinstance(i, core.LocalRef) and i.local is binder.local else i
                for i in fact.index
            )  # fmt: skip
            if all(stays(e, effect.changed, frozenset()) for e in (*index, fact.to) if e is not None):
                yield core.evolved(fact, index=index)

    def only_here(self, fact: Known, local: Local, body: tuple[core.Stmt, ...]) -> bool:
        """Whether cards come only to that place of a family that a round of a loop is about."""
        for stmt in core.statements(body):
            if fact.what not in self.effect(stmt).entered:
                continue
            if not isinstance(stmt, core.Move | core.Deal):
                return False
            for known, entered in zip(fact.index, stmt.target.index, strict=True):
                if (
                    isinstance(known, core.LocalRef)
                    and known.local is local
                    and (not isinstance(entered, core.LocalRef) or entered.local is not local)
                ):
                    return False
        return True

    def may_change(self, where: core.Expr | None, body: tuple[core.Stmt, ...]) -> bool:
        """Whether a condition that is evaluated before each turn may change for a later one."""
        return where is not None and not self.mentions.stays(where, self.effect_of(body).changed, frozenset())

    def while_(self, stmt: core.While, point: Point) -> Point | None:
        """Go through the body once, with what holds in every round; the condition may be evaluated after it."""
        head = self.head(stmt.body, point)
        names = len(self.names)
        self.under(stmt.condition.span, [stmt.condition], head)
        inside = head.relating(relations_of(stmt.condition)) if stmt.first else head
        after = self.rounds(stmt.body, inside)
        self.levels.pop()
        del self.names[names:]
        return self.joined([head, after]) if stmt.first else after

    def rounds(self, body: tuple[core.Stmt, ...], inside: Point) -> Point | None:
        """Go through the body of a loop; once more if a round that comes earlier may have ended the phase."""
        passed = len(self.passed)
        after = self.block(body, inside)
        return self.block(body, inside) if len(self.passed) > passed else after

    # ---- phases

    def call(self, stmt: core.CallPhase, point: Point) -> Point:
        """Hand on what is known, and take over what the phase makes known."""
        if stmt.phase in self.deciding:
            self.enter(stmt, point)
        given = dict(zip(stmt.phase.params, stmt.args, strict=True))
        out = self.without(point, self.effects[stmt.phase])
        return out.knowing(
            *(
                Known(
                    fact.what,
                    tuple(None if i is None else substitute(i, given) for i in fact.index),
                    None if fact.to is None else substitute(fact.to, given),
                )
                for fact in self.made[stmt.phase]
            )
        )

    def enter(self, stmt: core.CallPhase, point: Point) -> None:
        """Add a call to what holds at the beginning of a phase."""
        for param, arg in zip(stmt.phase.params, stmt.args, strict=True):
            point = point.naming(param, self.secrets([arg], point))
            if isinstance(arg.type, Player):
                ref = core.LocalRef(param, arg.type, arg.span)
                point = point.relating([Relation(True, ref, arg)])
                same = [k for k in point.known if k.to is not None and key_of(k.to) == key_of(arg)]
                point = point.knowing(*(core.evolved(k, to=ref) for k in same))
        before = self.entries.get(stmt.phase)
        entry = point if before is None else self.joined([before, point])
        assert entry is not None
        self.entries[stmt.phase] = entry
        around = self.around.setdefault(stmt.phase, {})
        if self.published(stmt.span):
            return
        for level in self.since_decision():
            if level.secrets:
                around.setdefault(level.span, level)

    # ---- cards

    def cards(self, stmt: core.Simple, point: Point) -> Point:
        """Return what holds after a statement that goes on: facts about places that it changes are forgotten."""
        match stmt:
            case core.Move() | core.Deal():
                point = self.comes(stmt.target, stmt, point)
                if isinstance(stmt, core.Move) and isinstance(stmt.cards, core.LocalRef) and stmt.face != "down":
                    zone = stmt.target.zone
                    if stmt.face == "up" or zone.seen_by == "all":
                        return point.knowing(Known(stmt.cards.local, (), None))
                    owner = owner_of(zone, stmt.target.index)
                    if zone.seen_by == "owner" and owner is not None:
                        return point.knowing(Known(stmt.cards.local, (), owner))
                if isinstance(stmt, core.Move) and isinstance(stmt.cards, core.ZoneRef):
                    return self.uncovered(stmt.cards, point)
                return point
            case core.Turn(face="up"):
                point = self.without(point, self.effect(stmt)).knowing(*self.learned(stmt.cards, None))
                return self.uncovered(stmt.cards, point)
            case core.Show():
                return point.knowing(*self.learned(stmt.cards, stmt.to))
            case core.Say():
                said = [part for part in stmt.parts if not isinstance(part, str)]
                for part in said:
                    if isinstance(part, core.LocalRef):
                        point = point.naming(part.local, ())
                parts = [p for p in said if isinstance(base_of(p.type), Card | Cards)]
                return point.knowing(*(k for part in parts for k in self.learned(part, None)))
        return self.without(point, self.effect(stmt))

    def uncovered(self, cards: core.Expr, point: Point) -> Point:
        """Return a point after the turning up, or leaving, of all cards of a zone that is one place."""
        match cards:
            case core.Select(which="all", count=None, binder=core.Binder(local=local, domain=domain, where=where)) if (
                is_face_down_test(where, local)
            ):
                cards = domain
        if isinstance(cards, core.ZoneRef) and not cards.index and cards.zone in point.covered:
            return core.evolved(point, covered=point.covered - {cards.zone})
        return point

    def comes(self, target: core.ZoneRef, stmt: core.Move | core.Deal, point: Point) -> Point:
        """Return a point after cards that come to a place; other places of the family keep what is known of them."""
        kept = [k for k in point.known if k.what is target.zone and self.is_elsewhere(k, target, point)]
        out = self.without(point, self.effect(stmt))
        stays = self.mentions.stays
        changed = self.effect(stmt).changed
        lasting = [
            k for k in kept
            if all(stays(e, changed, frozenset()) for e in (*k.index, k.to) if e is not None)
        ]  # fmt: skip
        keys = {k.key for k in out.known}
        return out.knowing(*(k for k in lasting if k.key not in keys))

    # ---- decisions

    def choice(self, stmt: core.Choice, point: Point) -> Point | None:
        """Check the question and the guards of a decision, then follow its actions."""
        reader = Reader(self, stmt.player)
        if self.reporting:
            self.note(stmt, point)
            for part in stmt.prompt:
                if not isinstance(part, str):
                    self.check(reader.reads(part, point, {}), stmt, point, what="this question")
        if isinstance(stmt.player, core.LocalRef):
            point = point.knowing(Known(stmt.player.local, (), None))  # All see who decides.
        ways: list[Point | None] = []
        for action in core.all_actions(stmt):
            inside = point
            names = len(self.names)
            # An argument of the same name in an earlier round was another value.
            for arg in action.args:
                inside = self.named(arg.local, (), inside)
                weighed = [] if arg.on_set is None else list(core.children(arg.on_set))
                if self.reporting:
                    for part in core.children(arg):
                        if part not in weighed:
                            cure = by_place(arg) if part is arg.domain else None
                            self.check(reader.reads(part, inside, {}), stmt, inside, cure)
                inside = inside.relating(relations_of(arg.where))
                if self.reporting:
                    for part in weighed:
                        self.check(reader.reads(part, inside, {}), stmt, inside)
            if self.reporting:
                self.check_action(action, reader, stmt, inside, point)
            inside = inside.relating([*relations_of(action.such_that), *relations_of(action.only_if)])
            for arg in action.args:
                secrets: Secrets = ()
                if arg.form != "value":
                    secrets = self.secrets([arg.domain], point)
                elif stmt.secretly:
                    secrets = (Secret(arg.local.name, None, (), (stmt.player,)),)
                inside = inside.naming(arg.local, secrets)
            chosen: Secrets = (Secret(action.verb, None, (), (stmt.player,)),) if stmt.secretly else ()
            self.levels.append(Level(action.span, chosen, decided=True))
            passed, self.passed = self.passed, {}
            ways.append(self.block(action.body, inside))
            self.passed = {**passed, **self.passed}
            self.levels.pop()
            del self.names[names:]
        return self.joined(ways)

    def check_action(self, action: core.Action, reader: Reader, stmt: core.Choice, inside: Point, point: Point) -> None:
        """Check the conditions of an action that read all its arguments, or none."""
        if action.such_that is not None:
            self.check(reader.reads(action.such_that, inside, {}), stmt, inside)
        if action.only_if is not None:
            self.check(reader.reads(action.only_if, point, {}), stmt, point)

    def check(
        self,
        reads: Iterator[tuple[Secret, Span]],
        stmt: core.Choice,
        point: Point,
        cure: str | None = None,
        what: str = "the set of legal actions here",
    ) -> None:
        """Report each secret that a guard or a question reads and the chooser does not know."""
        for secret, span in reads:
            if not self.knows(secret, stmt.player, point):
                self.report(what, secret, span, stmt, cure)

    def report(self, what: str, secret: Secret, span: Span, stmt: core.Choice, cure: str | None) -> None:
        """Report a leak; the default cure depends on the secret.

        If a variant hides cards that its base turns face up, the line of the variant is reported.
        """
        covering = self.covering(secret.family, stmt) if isinstance(secret.family, Zone) else None
        if covering is not None and covering.span.source is not span.source:
            self.cx.report(
                "CG407",
                f"the cards that come to `{secret.name}` here are hidden, and a later decision reveals them",
                covering.span,
                "write `face up` at the end of this line, or `show` the cards to the player who chooses",
                labels=(Label(span, "which is read here"),),
            )
            return
        if cure is not None:
            pass
        elif secret.family is not None and secret.name != secret.family.name:
            cure = (
                f"no player sees `{secret.name}`, a variable of a block; if the rules reveal it, declare it in `state` "
                "where all see it, otherwise offer the action without this condition"
            )
        elif covering is not None:
            cure = (
                "move the cards `face up` where the second label is, or `show` them to the player before the decision"
            )
        elif isinstance(secret.family, Zone) or secret.family is None:
            cure = (
                "offer the action without this condition, and let its effect handle both cases; or, if the rules "
                "show it, `show` it to the player before the decision"
            )
        else:
            cure = "offer the action without this condition, and let its effect handle both cases"
        self.cx.report(
            "CG407",
            f"{what} reveals `{secret.name}`, which the player who chooses does not see",
            span,
            cure,
            labels=(
                Label(stmt.player.span, "who chooses"),
                *(() if covering is None else (Label(covering.span, "cards that are not face up move here"),)),
            ),
        )

    def covering(self, zone: Zone, choice: core.Choice) -> core.Stmt | None:
        """Return a statement of the loop around a decision that covers a zone whose cards have been turned up before.

        None where no rule turns them up: then the decision itself is at fault.
        """
        statements = self.rules.statements()
        if not any(
            isinstance(stmt, core.Turn) and stmt.face == "up" and _reads(stmt.cards, zone) for stmt in statements
        ):
            return None
        loops = [stmt for stmt in statements if isinstance(stmt, core.While | core.InTurn | core.For)]
        for loop in sorted(loops, key=lambda loop: loop.span.end - loop.span.start):
            inside = core.with_phases((loop.body,))
            if choice in inside:
                return next(
                    (s for s in inside for t in core.transfers(s) if t.target.zone is zone and t.face != "up"), None
                )
        return None

    def since_decision(self) -> list[Level]:
        """Return the conditions since the last decision on which a statement depends; earlier ones were checked there.

        They are those around it, and those of branches before it that may have ended the phase.
        """
        last = max((n for n, level in enumerate(self.levels) if level.decided), default=-1)
        return [*self.levels[last + 1 :], *self.passed.values()]

    def note(self, stmt: core.Choice, point: Point) -> None:
        """Note hidden information that determines whether, or how often, a player decides, unless it is published."""
        reported = {s.key for level in self.since_decision() for s in level.secrets}
        who = tuple(s for s in self.secrets([stmt.player], point) if s.key not in reported)
        self.note_levels("a player decides, or how often,", stmt.span, Label(stmt.player.span, "this player decides"),
                         Level(stmt.player.span, who))  # fmt: skip

    def reopen(self, stmt: core.Reopen | core.Assign) -> None:
        """Note hidden information that determines whether others have another turn, unless it is published."""
        if self.reporting:
            self.note_levels("others have another turn", stmt.span, Label(stmt.span, "it gives them one"))

    def note_levels(self, what: str, span: Span, label: Label, *more: Level) -> None:
        """Report a condition on hidden information around a statement that everybody sees."""
        for level in (*self.since_decision(), *more):
            if level.secrets and not self.published(level.span) and not self.published(span):
                self.cx.report(
                    "CG413",
                    f"whether {what} reveals `{level.secrets[0].name}`, which not everybody sees",
                    level.span,
                    "if this is intended, write `openly` before the statement",
                    labels=(label,),
                    severity=Severity.NOTE,
                )
                return

    def published(self, span: Span) -> bool:
        """Whether a statement follows `openly`."""
        return self.rules.is_published(span)


def by_place(arg: core.Arg) -> str | None:
    """Return how one card that the chooser does not see is chosen by its place; None where it lies in no order."""
    domain = arg.domain
    if arg.form != "card" or not isinstance(domain, core.ZoneRef) or domain.zone.kind not in ("row", "pile"):
        return None
    zone, card = domain.span.text, arg.local.name
    name = next(name for name in ("n", "place", "which") if name != card)
    return (
        f"a card that the player does not see is chosen by its place: `{name} from 1..count({zone})`, and in the block "
        f"`let {card} = the card {name} of {zone}`; or, if the rules show it, `show` it to the player "
        "before the decision"
    )


def _reads(expr: core.Expr, zone: Zone) -> bool:
    return any(isinstance(part, core.ZoneRef) and part.zone is zone for part in core.walk(expr))
