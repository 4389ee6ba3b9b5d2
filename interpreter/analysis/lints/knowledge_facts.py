"""What the analysis of knowledge keeps at a statement: secrets, known cards, relations of players, and their meeting.

Everything is a plain value.  `interpreter.analysis.lints.knowledge` goes through the statements and says how it
changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.budget import PASS, POINT, spend
from interpreter.analysis.rules import Rules
from interpreter.analysis.substitution import inlined
from interpreter.analysis.symbols import Family, Local, Zone
from interpreter.analysis.transforms.triggers import reads_of
from interpreter.analysis.types import Player, Sequence

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
    """Players know the cards of a place, or the card that a name stands for; `to` None means everybody.

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
    """A condition around a statement: where it stands, and the secrets in it; `decided` if it is a decision."""

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
    """Give what a condition tells of players when it holds, or when it does not."""
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
        """Return the zones and variables, and the names, that an expression hangs on."""
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
    """Whether a fact is of the place whose index a name is, and hangs on the name in no other way."""
    if isinstance(fact.what, Local):
        return False
    plain = [isinstance(i, core.LocalRef) and i.local is local for i in fact.index]
    others = [i for i, is_it in zip(fact.index, plain, strict=True) if not is_it and i is not None]
    others += [fact.to] if fact.to is not None else []
    mentioned = any(isinstance(e, core.LocalRef) and e.local is local for o in others for e in core.walk(o))
    return any(plain) and not mentioned
