"""The checked rules: expressions and statements with every name resolved and every type known.

The checker turns the syntax tree into this smaller language: no `each`, no `every`, no `match`, no
options (they are constants here), no bare names.  Everything downstream (lints, lowering, code
generation) reads this and nothing else, as `core.Let`, `core.Chain`.  Nodes compare by identity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, groupby
from operator import is_
from typing import Any, ClassVar, Literal, TypeVar, assert_never, cast, dataclass_transform, get_args

import msgspec

from grammar.ast import DefineDecl, PhaseDecl
from grammar.expressions import evolved as evolved
from grammar.source import Span
from interpreter.analysis.budget import STATEMENT, STEP, WALK, current
from interpreter.analysis.functions import FUNCTIONS, Function
from interpreter.analysis.symbols import Family, Local, Zone
from interpreter.analysis.types import BOOL, Int, Type

_Node = TypeVar("_Node")


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(msgspec.field,))
class Record(msgspec.Struct, frozen=True, eq=False):
    """A frozen node that compares by identity."""

    roles: ClassVar[Mapping[str, str]] = {}
    """The roles of fields that a traversal cannot derive from their types: `targets` or `references`."""


# ------------------------------------------------------------------------------ symbols that hold rules


class Variable(Family):
    """A family of variables: of the whole game, of one phase (`phase` is its name), or of a block.

    Variables of a block (`local`) have the greatest numbers, and belong to no list of what can be observed.  The values
    belong to the cards of some slots or rows (`home`), or to no card (None).  The indices of the home are the first
    ones, and after them the place in a row.
    """

    type: Type
    phase: str | None
    initial: Expr | None = None
    local: bool = False
    home: Zone | None = None

    @property
    def of_card(self) -> int:
        """How many of the indices say which card it is, in a spec `card in ..`."""
        return 0 if self.home is None else len(self.home.indices) + (self.home.kind == "row")


class Define(msgspec.Struct, eq=False):
    """A pure rule.  `value` and `result` are known once its body has been checked.

    `weight` is the number of its parts when every definition it calls is written out in place.
    """

    name: str
    params: tuple[Local, ...]
    declaration: DefineDecl
    number: int
    result: Type | None = None
    value: Expr | None = None
    lets: tuple[tuple[Local, Expr], ...] = ()
    state: str = "new"
    weight: int = 0

    @property
    def bodies(self) -> tuple[Expr, ...]:
        """The values of its names, and after them its own."""
        named = tuple(value for _, value in self.lets)
        return named if self.value is None else (*named, self.value)


class Phase(msgspec.Struct, eq=False):
    """A rule that acts.  `body` is known once it has been checked.

    A phase that leads back to itself `deep` times is a phase for each `level` after the checker (`transforms.levels`);
    all have its name.
    """

    name: str
    params: tuple[Local, ...]
    declaration: PhaseDecl | None
    number: int
    span: Span
    tags: tuple[str, ...] = ()
    variables: tuple[Variable, ...] = ()
    body: tuple[Stmt, ...] = ()
    deep: int | None = None
    level: int = 1
    listed: tuple[tuple[Stmt, ...], tuple[Stmt, ...], frozenset[type]] | None = None
    """A body with all its statements (`statements_of`) and their classes (`kinds_of`)."""


# --------------------------------------------------------------------------------------- expressions


class Const(Record):
    """A number, truth value, enumeration value, player (all as int or bool), or None."""

    value: int | bool | None
    type: Type
    span: Span


class LocalRef(Record):
    """The value of a local name."""

    local: Local
    type: Type
    span: Span


class VarRef(Record):
    """The value of a state variable."""

    variable: Variable
    index: tuple[Expr, ...]
    type: Type
    span: Span


class ZoneRef(Record):
    """The cards of a zone, in its order (piles: top first)."""

    zone: Zone
    index: tuple[Expr, ...]
    type: Type
    span: Span


class CardAttr(Record):
    """An attribute of a card; absent where the card is absent or not of the kinds `having` it."""

    card: Expr
    name: str
    having: frozenset[str]
    type: Type
    span: Span


class EnumAttr(Record):
    """An attribute of an enumeration value, from its table."""

    value: Expr
    table: tuple[int | bool | None, ...]
    type: Type
    span: Span


class Op(Record):
    """`+ - * mod / neg not and or == != < <= > >=` and, on cards, `join` and `without`.

    A division's operator is `/down`, `/up` or `/nearest`.
    """

    op: str
    args: tuple[Expr, ...]
    type: Type
    span: Span


class KindTest(Record):
    """A card pattern: one of `kinds`, and each named attribute equal to, or within, what is given."""

    kinds: frozenset[str]
    attributes: tuple[tuple[str, Expr | tuple[int, int]], ...] = ()


class IsKind(Record):
    """`c is Number(spades, 8)`; false for an absent card."""

    card: Expr
    test: KindTest
    type: Type
    span: Span


class IsNone(Record):
    """`x is none`."""

    value: Expr
    type: Type
    span: Span


class IsIn(Record):
    """`x is in D`; false for an absent value."""

    value: Expr
    domain: Expr
    type: Type
    span: Span


class Range(Record):
    """The numbers, or enumeration values, from `low` to `high`."""

    low: Expr
    high: Expr
    type: Type
    span: Span


class Binder(Record):
    """Go through a domain, in the rotation that begins at `start`, keeping what fits `where`.

    `before` are names for `where`, and their values, which are the same in all rounds; only a pass of the compiler
    gives any.
    """

    local: Local
    domain: Expr
    start: Expr | None
    where: Expr | None
    before: tuple[tuple[Local, Expr], ...] = ()


class Select(Record):
    """`first`, `last`, `all`, `some`, `no`, `count` of what a binder keeps."""

    which: Literal["first", "last", "all", "some", "no", "count"]
    binder: Binder
    count: Expr | None
    type: Type
    span: Span


class Fold(Record):
    """`sum`, `max`, `min`, `same`, `different`, `union`, `list` of a value over a binder."""

    function: str
    value: Expr
    binder: Binder
    by: Expr | None
    type: Type
    span: Span


class Extreme(Record):
    """`highest` or `lowest` by a key; the first of equals, or all of them (`ties`)."""

    which: Literal["highest", "lowest"]
    binder: Binder
    by: Expr
    ties: bool
    type: Type
    span: Span


class Sorted(Record):
    """What a binder keeps in ascending order of a key; equals stay in their order."""

    binder: Binder
    by: Expr
    type: Type
    span: Span


class CallDefine(Record):
    """The value of a definition."""

    define: Define
    args: tuple[Expr, ...]
    type: Type
    span: Span


class Builtin(Record):
    """A function of the language itself, by name."""

    name: str
    args: tuple[Expr, ...]
    type: Type
    span: Span

    @property
    def function(self) -> Function:
        """The entry of the function in the table."""
        return FUNCTIONS[self.name]


class CardAt(Record):
    """The card at the top or bottom of a zone, or the n-th of its cards; absent if there is none."""

    at: Spot
    zone: Expr
    type: Type
    span: Span


class Chain(Record):
    """The first alternative whose condition holds and, if it has none, whose value is there."""

    alternatives: tuple[tuple[Expr | None, Expr], ...]
    type: Type
    span: Span
    tags: tuple[tuple[str, ...], ...] = ()


class TupleOf(Record):
    """A key of several parts."""

    items: tuple[Expr, ...]
    type: Type
    span: Span


class SetFold(Record):
    """One measure of a set that is being chosen: `sum`, `count`, `min`, `max`, `same`, `different`.

    `value` and `where` speak of `card`, the card in question.
    """

    function: str
    card: Local
    value: Expr | None
    where: Expr | None
    type: Type


class SetFoldRef(Record):
    """The result of a measure, inside a condition on the whole set."""

    fold: SetFold
    roles = {"fold": "references"}
    type: Type
    span: Span


class SetCondition(Record):
    """A condition on a set of cards that depends on the set through measures only."""

    folds: tuple[SetFold, ...]
    condition: Expr


class SomeSubset(Record):
    """`some t in subsets(X, low..high) where C`, with C a condition on the whole set.

    `before` are names that C reads, each with its value, which is evaluated once, before the first set.
    """

    cards: Expr
    low: Expr | None
    high: Expr | None
    such_that: SetCondition
    type: Type
    span: Span
    before: tuple[tuple[Local, Expr], ...] = ()


class Subsets(Record):
    """The domain `subsets(X, low..high)`: sets of cards, in the lexicographic order of their ascending cards.

    A set that violates `part`, a condition on `local`, is left out with all sets that begin with it.  With `anchored`
    each set has the lowest card.
    """

    cards: Expr
    low: Expr | None
    high: Expr | None
    local: Local
    part: Expr | None
    anchored: bool
    type: Type
    span: Span


class Group(Record):
    """One kind of group in a division: `low` to `high` of `sets`; None is no bound."""

    low: Expr | None
    high: Expr | None
    sets: Expr


class Rests(Record):
    """The domain `rests(X, 4 meld, 1 pair)`: what can be left of some cards once disjoint groups are taken out.

    `whole` is the name of the cards in the groups.  With `exact` nothing may be left; then `whole` is the rest from the
    lowest card on that some groups leave, and the groups are those with that card.
    """

    cards: Expr
    whole: Local
    groups: tuple[Group, ...]
    exact: bool
    type: Type
    span: Span


Expr = (
    Const | LocalRef | VarRef | ZoneRef | CardAttr | EnumAttr | Op | IsKind | IsNone | IsIn | Range
    | Select | Fold | Extreme | Sorted | CallDefine | Builtin | CardAt | Chain | TupleOf | SetFoldRef | SomeSubset
    | Subsets | Rests
)  # fmt: skip


Spot = Literal["top", "bottom"] | Expr
"""A place in a zone: an end, or a number from 1, counted from the top of a pile and the front of a row."""


Loop = Select | Fold | Extreme | Sorted
"""Expressions that go through a domain."""

LOOPS = frozenset(get_args(Loop))
"""The classes of `Loop`.  A test of the class of a node is several times as fast as `isinstance`."""


def bound_name(expr: Expr) -> Local | None:
    """Return the name that an expression binds for the expressions inside it, if it binds one."""
    match expr:
        case Subsets(local=local) | Rests(whole=local):
            return local
        case Select(binder=binder) | Fold(binder=binder) | Extreme(binder=binder) | Sorted(binder=binder):
            return binder.local
    return None


LEAVES = frozenset({Const, LocalRef, SetFoldRef})
"""The expressions with none inside, which most are."""


# ---------------------------------------------------------------------------------------- statements


class Let(Record):
    """Give a name to a value."""

    local: Local
    value: Expr
    span: Span
    tags: tuple[str, ...]


class Begin(Record):
    """Give a local variable its first value, the same at every index."""

    variable: Variable
    value: Expr
    span: Span
    tags: tuple[str, ...]


class Assign(Record):
    """Set a variable; `op` is `=`, `+=` or `-=`."""

    variable: Variable
    index: tuple[Expr, ...]
    op: str
    value: Expr
    span: Span
    tags: tuple[str, ...]


class CallPhase(Record):
    """Carry out a phase."""

    phase: Phase
    args: tuple[Expr, ...]
    span: Span
    tags: tuple[str, ...]


class Move(Record):
    """Relocate cards, one after another; `at` is where in the target, None its natural end."""

    cards: Expr
    target: ZoneRef
    at: Spot | None
    face: Literal["up", "down"] | None
    played_by: Expr | None
    span: Span
    tags: tuple[str, ...]


class Swap(Record):
    """Let two zones exchange all their cards, each in its order."""

    first: ZoneRef
    second: ZoneRef
    span: Span
    tags: tuple[str, ...]


class Rotate(Record):
    """Let several places give their cards to the next one (`left`) or the one before, each in its order.

    They are the place `zone` for all that a binder keeps, in that order.
    """

    binder: Binder
    zone: ZoneRef
    left: bool
    span: Span
    tags: tuple[str, ...]


class Deal(Record):
    """Relocate the top cards of a zone, as many as there are, or exactly so many."""

    count: Expr
    origin: ZoneRef
    target: ZoneRef
    exactly: bool
    at: Spot | None
    face: Literal["up", "down"] | None
    span: Span
    tags: tuple[str, ...]


class Shuffle(Record):
    """Put a pile, with the cards added to it, in an order that nobody knows."""

    zone: ZoneRef
    cards: Expr | None
    span: Span
    tags: tuple[str, ...]


class Turn(Record):
    """Show or hide cards where they lie, until they move."""

    cards: Expr
    face: Literal["up", "down"]
    span: Span
    tags: tuple[str, ...]


class Show(Record):
    """Let players learn cards once; `to` None means everybody."""

    cards: Expr
    to: Expr | None
    span: Span
    tags: tuple[str, ...]


class Say(Record):
    """Words for the transcript, between the values they name."""

    parts: tuple[str | Expr, ...]
    span: Span
    tags: tuple[str, ...]


class End(Record):
    """Leave a phase early, or the game (`phase` None)."""

    phase: Phase | None
    span: Span
    tags: tuple[str, ...]


class If(Record):
    """One of two ways."""

    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    span: Span
    tags: tuple[str, ...]


class For(Record):
    """Carry out a block for each thing that a binder keeps; the domain is taken once, at the start."""

    binder: Binder
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[str, ...]


class While(Record):
    """Carry out a block as long as a condition holds; `first` false tests it after the block."""

    condition: Expr
    body: tuple[Stmt, ...]
    first: bool
    span: Span
    tags: tuple[str, ...]


class Arg(Record):
    """One argument of an action: `card` and `value` are single, `cards` is a set with bounds.

    `each` is the card in question inside `where` (for single arguments it is `local` itself).  `on_set` is what a set
    must fulfil as a whole, together with the arguments in front of it.
    """

    form: Literal["card", "cards", "value"]
    local: Local
    domain: Expr
    each: Local
    where: Expr | None
    low: Expr | None
    high: Expr | None
    span: Span
    on_set: SetCondition | None = None


class Random(Record):
    """Chance chooses a single argument, each with the same probability.

    `into` is the variable that it sets: who sees that, sees what was chosen.
    """

    arg: Arg
    span: Span
    tags: tuple[str, ...]
    into: VarRef | None = None
    roles = {"into": "targets"}


class Action(Record):
    """One way to decide, and its effect.

    `such_that` is a condition on all arguments together; where there are sets, each part of it is with the last
    argument that it speaks of.
    """

    verb: str
    args: tuple[Arg, ...]
    such_that: Expr | None
    only_if: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[str, ...]


class Choice(Record):
    """A decision of one player."""

    player: Expr
    actions: tuple[Action, ...]
    otherwise: Action | None
    prompt: tuple[str | Expr, ...]
    secretly: bool
    span: Span
    tags: tuple[str, ...]


class AtOnce(Record):
    """All whom a binder keeps decide in secret, one after another; then the effects come in that order."""

    binder: Binder
    choice: Choice
    span: Span
    tags: tuple[str, ...]


class InTurn(Record):
    """A turn for each player of the binder's domain, whose condition is evaluated at each turn, until nobody is due."""

    binder: Binder
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[str, ...]


class Reopen(Record):
    """All others of the turns around it are due once more."""

    span: Span
    tags: tuple[str, ...]


class Together(Record):
    """Statements after which the `whenever` rules are checked once."""

    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[str, ...]


class Spend(Record):
    """Count so many elementary steps; no author writes it (`interpreter.analysis.work`)."""

    steps: int
    span: Span
    tags: tuple[str, ...] = ()


class Fail(Record):
    """Raise a fault; no author writes it (`interpreter.analysis.transforms.levels`)."""

    code: str
    message: str
    span: Span
    tags: tuple[str, ...] = ()


Simple = Let | Begin | Assign | Move | Deal | Shuffle | Swap | Rotate | Turn | Show | Say | Spend | Fail
"""Statements that are carried out in one go: they hold no blocks, call no phase, wait for nobody and go on.

An analysis of control flow has one case for all of them (`assert_simple`), so it needs no change for a new one.
"""

Control = CallPhase | End | If | For | While | Random | Choice | AtOnce | InTurn | Reopen | Together
"""Statements that decide what is carried out next."""

Stmt = Simple | Control


def assert_simple(stmt: Simple) -> None:
    """Let the type checker prove that a default case is left to simple statements, as `assert_never` leaves none."""


class Transfer(Record):
    """Cards that a statement relocates to a zone; a whole zone represents what lies there, or on its top.

    There they lie as the zone says, or with this face.
    """

    cards: Expr
    target: ZoneRef
    face: Literal["up", "down"] | None = None


def transfers(stmt: Stmt) -> tuple[Transfer, ...]:
    """Return what a statement relocates: analyses of where cards can go read it here."""
    match stmt:  # The most frequent statements come first.
        case Assign() | CallPhase() | If() | Let() | Choice() | For() | While():
            return ()
        case Move():
            return (Transfer(stmt.cards, stmt.target, stmt.face),)
        case Deal():
            return (Transfer(stmt.origin, stmt.target, stmt.face),)
        case Swap():
            return Transfer(stmt.first, stmt.second), Transfer(stmt.second, stmt.first)
        case Rotate():
            return (Transfer(stmt.zone, stmt.zone),)
        case Shuffle():
            return () if stmt.cards is None else (Transfer(stmt.cards, stmt.zone),)
        case Begin() | Turn() | Show() | Say() | Random() | Spend() | Fail():
            return ()
        case AtOnce() | InTurn() | Together() | End() | Reopen():
            return ()
        case _:
            assert_never(stmt)


def joined(op: str, parts: list[Expr]) -> Expr:
    """Return conditions joined by `and` or `or`."""
    whole = parts[0]
    for part in parts[1:]:
        whole = Op(op, (whole, part), BOOL, part.span)
    return whole


def all_actions(choice: Choice) -> tuple[Action, ...]:
    """Return the actions of a choice, the one for when no other is possible last."""
    return choice.actions if choice.otherwise is None else (*choice.actions, choice.otherwise)


def stages(args: tuple[Arg, ...]) -> tuple[tuple[Arg, ...], ...]:
    """Cut the arguments of an action into stages: single arguments in a row are one step, a set is picked by itself.

    An action without arguments has one stage, which is empty.
    """
    made: list[tuple[Arg, ...]] = []
    for are_sets, group in groupby(args, lambda arg: arg.form == "cards"):
        found = tuple(group)
        made += [(arg,) for arg in found] if are_sets else [found]
    return tuple(made) or ((),)


# ----------------------------------------------------------------------------------------- traversal

Part = Binder | KindTest | SetFold | SetCondition | Group | Arg | Action
"""Nodes between a node and the expressions inside it."""

Node = Expr | Stmt | Part

EXPRESSIONS = frozenset(get_args(Expr))
PARTS = frozenset(get_args(Part))
_STATEMENTS = frozenset(get_args(Stmt))
_EXPRESSION_NAMES = {"Expr", "Spot", *(kind.__name__ for kind in EXPRESSIONS | PARTS)}
_STATEMENT_NAMES = {kind.__name__ for kind in _STATEMENTS}
_WORD = re.compile(r"\w+")


class _Fields(msgspec.Struct, frozen=True):
    """The names of the fields of a class of nodes, by what they hold.

    `expressions` hold expressions, also inside of tuples and parts; those in `groups` hold a tuple of expressions.
    `targets` hold places that are set and not read, so that only their indices count; `references` belong to another
    node; `blocks` hold statements; `holders` hold nodes with blocks of their own.
    """

    expressions: tuple[str, ...]
    targets: tuple[str, ...]
    references: tuple[str, ...]
    blocks: tuple[str, ...]
    holders: tuple[str, ...]
    groups: tuple[str, ...]


_FIELDS: dict[Any, _Fields] = {}


def _fields_of(kind: Any) -> _Fields:
    """Return the fields of a class of nodes, found once by their types."""
    known = _FIELDS.get(kind)
    if known is None:
        known = _FIELDS[kind] = _find_fields(kind)
    return known


def _find_fields(kind: Any) -> _Fields:
    made: dict[str, list[str]] = {name: [] for name in _Fields.__struct_fields__}
    for name in kind.__struct_fields__:
        type_ = kind.__annotations__[name]  # A text: no class of nodes inherits fields.
        classes = set(_WORD.findall(type_))
        if name in kind.roles:
            made[kind.roles[name]].append(name)
        elif classes & _EXPRESSION_NAMES:
            made["expressions"].append(name)
            if type_ == "tuple[Expr, ...]":
                made["groups"].append(name)
        if "Action" in classes or type_ in _STATEMENT_NAMES:
            made["holders"].append(name)
        elif "Stmt" in classes:
            made["blocks"].append(name)
    return _Fields(**{name: tuple(names) for name, names in made.items()})


def children(node: Node) -> list[Expr]:
    """Return the expressions directly inside a node, without those in the blocks of a statement."""
    found: list[Expr] = []
    fields = _FIELDS.get(node.__class__) or _fields_of(node.__class__)
    for name in fields.expressions:
        value = getattr(node, name)
        if value.__class__ in EXPRESSIONS:
            found.append(value)
        elif name in fields.groups:
            found += value
        elif value is not None:
            _collect(value, found)
    for name in fields.targets:
        target = getattr(node, name)
        found += () if target is None else children(target)
    return found


def _collect(value: Any, found: list[Expr]) -> None:
    """Add the expressions of a tuple or of a part of a node."""
    kind = value.__class__
    if kind in EXPRESSIONS:
        found.append(value)
    elif kind is tuple:
        for item in value:
            _collect(item, found)
    elif kind in PARTS:
        found += children(value)


def map_children(node: _Node, change: Callable[[Expr], Expr]) -> _Node:
    """Return a node with each expression directly inside it changed; the same node if none is."""
    whole: Any = node
    if whole.__class__ is SetCondition:
        return cast(_Node, _mapped_condition(whole, change))
    changes: dict[str, Any] = {}
    fields = _fields_of(whole.__class__)
    for name in fields.expressions:
        value = getattr(node, name)
        if value is None:
            continue
        if (new := change(value) if value.__class__ in EXPRESSIONS else _mapped(value, change)) is not value:
            changes[name] = new
    for name in fields.targets:
        value = getattr(node, name)
        if value is not None and (new := map_children(value, change)) is not value:
            changes[name] = new
    return evolved(node, **changes) if changes else node


def _mapped(value: Any, change: Callable[[Expr], Expr]) -> Any:
    kind = value.__class__
    if kind in EXPRESSIONS:
        return change(value)
    if kind is tuple:
        items = tuple([change(v) if v.__class__ in EXPRESSIONS else _mapped(v, change) for v in value])
        return value if all(map(is_, items, value)) else items
    return map_children(value, change) if kind in PARTS else value


def _mapped_condition(condition: Any, change: Callable[[Expr], Expr]) -> Any:
    """Return a condition on a set with its expressions changed; it refers to the changed measures then."""
    folds = _mapped(condition.folds, change)
    renamed = {old: new for old, new in zip(condition.folds, folds, strict=True) if old is not new}
    whole = with_folds(change(condition.condition), renamed)
    return condition if not renamed and whole is condition.condition else SetCondition(folds, whole)


def with_folds(expr: Expr, by: dict[SetFold, SetFold]) -> Expr:
    """Return the condition on a set with its measures replaced."""
    if not by:
        return expr
    if isinstance(expr, SetFoldRef):
        return SetFoldRef(by[expr.fold], expr.type, expr.span) if expr.fold in by else expr
    return map_children(expr, lambda part: with_folds(part, by))


def over_chosen(expr: Expr, chosen: Local) -> Expr:
    """Return the condition on a set with its measures as folds over the cards, which have been chosen."""
    if not isinstance(expr, SetFoldRef):
        return map_children(expr, lambda part: over_chosen(part, chosen))
    fold, one = expr.fold, Const(1, Int(1, 1), expr.span)
    function, value = ("sum", one) if fold.function == "count" else (fold.function, fold.value)
    binder = Binder(fold.card, LocalRef(chosen, chosen.type, expr.span), None, fold.where)
    return Fold(function, value or one, binder, None, expr.type, expr.span)


def arguments(stmt: Stmt) -> tuple[Arg, ...]:
    """Return what players or chance choose in a statement itself."""
    if isinstance(stmt, Choice):
        return tuple(arg for action in all_actions(stmt) for arg in action.args)
    return (stmt.arg,) if isinstance(stmt, Random) else ()


def names_given(stmt: Stmt) -> Iterator[tuple[Local, list[Expr]]]:
    """Give the names that a statement itself gives to values, with the expressions that these come from."""
    if isinstance(stmt, Let):
        yield stmt.local, [stmt.value]
    elif isinstance(stmt, For | InTurn | AtOnce | Rotate):
        yield stmt.binder.local, children(stmt.binder)
    yield from ((arg.local, children(arg)) for arg in arguments(stmt))


def blocks_inside(node: Stmt | Action) -> tuple[tuple[Stmt, ...], ...]:
    """Return the blocks directly inside a statement; a statement directly inside is a block of its own."""
    fields = _fields_of(node.__class__)
    found: list[tuple[Stmt, ...]] = [getattr(node, name) for name in fields.blocks]
    for name in fields.holders:
        for held in _held(getattr(node, name)):
            found += blocks_inside(held) if held.__class__ is Action else ((held,),)
    return tuple(found)


def map_blocks(node: _Node, change: Callable[[tuple[Stmt, ...]], tuple[Stmt, ...]]) -> _Node:
    """Return a statement with the blocks directly inside it changed, also those of a statement directly inside."""
    fields = _fields_of(node.__class__)
    changes: dict[str, Any] = {name: change(getattr(node, name)) for name in fields.blocks}
    for name in fields.holders:
        value = getattr(node, name)
        held = tuple(map_blocks(inner, change) for inner in _held(value))
        changes[name] = held if value.__class__ is tuple else held[0] if held else None
    return evolved(node, **changes) if changes else node


def _held(value: Any) -> tuple[Any, ...]:
    """Return the nodes of a field that holds several, one or none."""
    return value if value.__class__ is tuple else () if value is None else (value,)


def walk(expr: Expr) -> Iterator[Expr]:
    """Give an expression and all within it; definitions that it calls are not entered."""
    work = current()
    work.spend(WALK)
    stack = [expr]
    while stack:
        top = stack.pop()
        work.used += STEP
        yield top
        if top.__class__ not in LEAVES:
            stack.extend(children(top))


def implied(condition: Expr, *, holds: bool) -> Iterator[tuple[Expr, bool]]:
    """Give the parts of a condition whose truth follows from its own, each with that truth."""
    match condition:
        case Op(op="not", args=(inner,)):
            yield from implied(inner, holds=not holds)
        case Op(op="and" | "or" as op, args=parts) if (op == "and") is holds:
            for part in parts:
                yield from implied(part, holds=holds)
        case _:  # No part of any other follows.
            yield condition, holds


def names_of(*exprs: Expr) -> set[Local]:
    """Return the local names that expressions read."""
    return {part.local for expr in exprs for part in walk(expr) if isinstance(part, LocalRef)}


def walk_with_definitions(*exprs: Expr) -> Iterator[Expr]:
    """Give expressions and all within them, and once each definition that they call, directly or through others."""
    seen: set[Define] = set()
    stack = list(exprs)
    while stack:
        for part in walk(stack.pop()):
            yield part
            if isinstance(part, CallDefine) and part.define not in seen:
                seen.add(part.define)
                stack.extend(part.define.bodies)


def statements(block: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """Give the statements of a block and of all blocks inside it, in the order of the text."""
    work = current()
    stack = list(reversed(block))
    while stack:
        stmt = stack.pop()
        work.spend(STATEMENT, stmt.span)
        yield stmt
        for inner in reversed(blocks_inside(stmt)):
            stack.extend(reversed(inner))


def with_phases(blocks: Iterable[tuple[Stmt, ...]]) -> list[Stmt]:
    """Return the statements of blocks and of all phases that they call, directly or not."""
    found: list[Stmt] = [stmt for block in blocks for stmt in statements(block)]
    called: set[Phase] = set()
    for stmt in found:  # It grows while it is read.
        if isinstance(stmt, CallPhase) and stmt.phase not in called:
            called.add(stmt.phase)
            found += statements_of(stmt.phase)
    return found


def statements_of(phase: Phase) -> tuple[Stmt, ...]:
    """Return the statements of a phase and of all blocks inside it, in the order of the text."""
    return _listed(phase)[1]


def expressions_of(phase: Phase) -> Iterator[Expr]:
    """Give the expressions directly inside the statements of a phase and of all blocks inside it."""
    return chain.from_iterable(map(children, statements_of(phase)))


def kinds_of(phase: Phase) -> frozenset[type]:
    """Return the classes of the statements of a phase and of all blocks inside it."""
    return _listed(phase)[2]


def _listed(phase: Phase) -> tuple[tuple[Stmt, ...], tuple[Stmt, ...], frozenset[type]]:
    if phase.listed is None or phase.listed[0] is not phase.body:
        found = tuple(statements(phase.body))
        phase.listed = phase.body, found, frozenset(map(type, found))
    return phase.listed
