"""The checked rules: expressions and statements with every name resolved and every type known.

The checker turns the syntax tree into this smaller language: no `each`, no `every`, no `match`, no
options (they are constants here), no bare names.  Everything downstream (lints, lowering, code
generation) reads this and nothing else, as `core.Let`, `core.Chain`.  Nodes compare by identity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, Literal, TypeVar, assert_never, dataclass_transform

import attrs

from grammar.source import Span
from interpreter.analysis.budget import STATEMENT, STEP, WALK, current
from interpreter.analysis.functions import FUNCTIONS, Function
from interpreter.analysis.symbols import Define, Local, Phase, Variable, Zone
from interpreter.analysis.types import Type

_Node = TypeVar("_Node")
_Class = TypeVar("_Class", bound=type)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(attrs.field,))
def frozen(cls: _Class) -> _Class:
    """Make a class a frozen node that compares by identity."""
    return attrs.define(frozen=True, eq=False)(cls)


@frozen
class Const:
    """A number, truth value, enumeration value, player (all as int or bool), or None."""

    value: int | bool | None
    type: Type
    span: Span


@frozen
class LocalRef:
    """The value of a local name."""

    local: Local
    type: Type
    span: Span


@frozen
class VarRef:
    """The value of a state variable."""

    variable: Variable
    index: tuple[Expr, ...]
    type: Type
    span: Span


@frozen
class ZoneRef:
    """The cards of a zone, in its order (piles: top first)."""

    zone: Zone
    index: tuple[Expr, ...]
    type: Type
    span: Span


@frozen
class CardAttr:
    """An attribute of a card; absent where the card is absent or not of the kinds `having` it."""

    card: Expr
    name: str
    having: frozenset[str]
    type: Type
    span: Span


@frozen
class EnumAttr:
    """An attribute of an enumeration value, from its table."""

    value: Expr
    table: tuple[int | bool, ...]
    type: Type
    span: Span


@frozen
class Op:
    """`+ - * mod / neg not and or == != < <= > >=` and, on cards, `join` and `without`.

    A division's operator is `/down`, `/up` or `/nearest`.
    """

    op: str
    args: tuple[Expr, ...]
    type: Type
    span: Span


@frozen
class KindTest:
    """A card pattern: one of `kinds`, and each named attribute equal to, or within, what is given."""

    kinds: frozenset[str]
    attributes: tuple[tuple[str, Expr | tuple[int, int]], ...] = ()


@frozen
class IsKind:
    """`c is Number(spades, 8)`; false for an absent card."""

    card: Expr
    test: KindTest
    type: Type
    span: Span


@frozen
class IsNone:
    """`x is none`."""

    value: Expr
    type: Type
    span: Span


@frozen
class IsIn:
    """`x is in D`; false for an absent value."""

    value: Expr
    domain: Expr
    type: Type
    span: Span


@frozen
class Range:
    """The numbers, or enumeration values, from `low` to `high`."""

    low: Expr
    high: Expr
    type: Type
    span: Span


@frozen
class Binder:
    """Go through a domain, in the rotation that begins at `start`, keeping what fits `where`.

    `before` are names for `where`, and their values, which are the same in all rounds; only a pass of the compiler
    gives any.
    """

    local: Local
    domain: Expr
    start: Expr | None
    where: Expr | None
    before: tuple[tuple[Local, Expr], ...] = ()


@frozen
class Select:
    """`first`, `last`, `all`, `some`, `no`, `count` of what a binder keeps."""

    which: Literal["first", "last", "all", "some", "no", "count"]
    binder: Binder
    count: Expr | None
    type: Type
    span: Span


@frozen
class Fold:
    """`sum`, `max`, `min`, `same`, `different`, `union`, `list` of a value over a binder."""

    function: str
    value: Expr
    binder: Binder
    by: Expr | None
    type: Type
    span: Span


@frozen
class Extreme:
    """`highest` or `lowest` by a key; the first of equals, or all of them (`ties`)."""

    which: Literal["highest", "lowest"]
    binder: Binder
    by: Expr
    ties: bool
    type: Type
    span: Span


@frozen
class CallDefine:
    """The value of a definition."""

    define: Define
    args: tuple[Expr, ...]
    type: Type
    span: Span


@frozen
class Builtin:
    """A function of the language itself, by name."""

    name: str
    args: tuple[Expr, ...]
    type: Type
    span: Span

    @property
    def function(self) -> Function:
        """The entry of the function in the table."""
        return FUNCTIONS[self.name]


@frozen
class EndOf:
    """The card at the top or bottom of a zone, absent when it is empty."""

    which: Literal["top", "bottom"]
    zone: Expr
    type: Type
    span: Span


@frozen
class Chain:
    """The first alternative whose condition holds and, if it has none, whose value is there."""

    alternatives: tuple[tuple[Expr | None, Expr], ...]
    type: Type
    span: Span
    tags: tuple[tuple[str, ...], ...] = ()


@frozen
class TupleOf:
    """A key of several parts."""

    items: tuple[Expr, ...]
    type: Type
    span: Span


@frozen
class SetFold:
    """One measure of a set that is being chosen: `sum`, `count`, `min`, `max`, `same`, `different`.

    `value` and `where` speak of `card`, the card in question.
    """

    function: str
    card: Local
    value: Expr | None
    where: Expr | None
    type: Type


@frozen
class SetFoldRef:
    """The result of a measure, inside a condition on the whole set."""

    fold: SetFold
    type: Type
    span: Span


@frozen
class SetCondition:
    """A condition on a set of cards that depends on the set through measures only."""

    folds: tuple[SetFold, ...]
    condition: Expr


@frozen
class SomeSubset:
    """`some t in subsets(X, low..high) where C`, with C a condition on the whole set."""

    cards: Expr
    low: Expr | None
    high: Expr | None
    such_that: SetCondition
    type: Type
    span: Span


Expr = (
    Const | LocalRef | VarRef | ZoneRef | CardAttr | EnumAttr | Op | IsKind | IsNone | IsIn | Range
    | Select | Fold | Extreme | CallDefine | Builtin | EndOf | Chain | TupleOf | SetFoldRef | SomeSubset
)  # fmt: skip


LEAVES = frozenset({Const, LocalRef, SetFoldRef})
"""The expressions with none inside, which most are."""


def children(expr: Expr) -> Iterator[Expr]:
    """Give the expressions directly inside one, in the order of the text."""
    match expr:
        case Const() | LocalRef() | SetFoldRef():  # First, since most are one of these.
            return
        case VarRef() | ZoneRef():
            yield from expr.index
        case CardAttr():
            yield expr.card
        case EnumAttr() | IsNone():
            yield expr.value
        case Op() | CallDefine() | Builtin():
            yield from expr.args
        case IsKind():
            yield expr.card
            for _, wanted in expr.test.attributes:
                if not isinstance(wanted, tuple):
                    yield wanted
        case IsIn():
            yield expr.value
            yield expr.domain
        case Range():
            yield expr.low
            yield expr.high
        case Select():
            yield from binder_parts(expr.binder)
            if expr.count is not None:
                yield expr.count
        case Fold():
            yield from binder_parts(expr.binder)
            yield expr.value
            if expr.by is not None:
                yield expr.by
        case Extreme():
            yield from binder_parts(expr.binder)
            yield expr.by
        case EndOf():
            yield expr.zone
        case Chain():
            for condition, value in expr.alternatives:
                if condition is not None:
                    yield condition
                yield value
        case TupleOf():
            yield from expr.items
        case SomeSubset():
            yield expr.cards
            yield from (e for e in (expr.low, expr.high) if e is not None)
            yield from condition_parts(expr.such_that)
        case _:
            assert_never(expr)


def binder_parts(binder: Binder) -> Iterator[Expr]:
    """Give the expressions of a binder."""
    yield binder.domain
    yield from (value for _, value in binder.before)
    yield from (e for e in (binder.start, binder.where) if e is not None)


def condition_parts(condition: SetCondition) -> Iterator[Expr]:
    """Give the expressions of a condition on a set."""
    for fold in condition.folds:
        yield from (e for e in (fold.value, fold.where) if e is not None)
    yield condition.condition


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


# ---------------------------------------------------------------------------------------- statements


@frozen
class Let:
    """Give a name to a value."""

    local: Local
    value: Expr
    span: Span
    tags: tuple[str, ...]


@frozen
class Begin:
    """Give a local variable its first value, the same at every index."""

    variable: Variable
    value: Expr
    span: Span
    tags: tuple[str, ...]


@frozen
class Assign:
    """Set a variable; `op` is `=`, `+=` or `-=`."""

    variable: Variable
    index: tuple[Expr, ...]
    op: str
    value: Expr
    span: Span
    tags: tuple[str, ...]


@frozen
class CallPhase:
    """Carry out a phase."""

    phase: Phase
    args: tuple[Expr, ...]
    span: Span
    tags: tuple[str, ...]


@frozen
class Move:
    """Relocate cards, in order; `at` is where in the target, None its natural end."""

    cards: Expr
    target: ZoneRef
    at: Literal["top", "bottom"] | None
    face: Literal["up", "down"] | None
    played_by: Expr | None
    span: Span
    tags: tuple[str, ...]


@frozen
class Swap:
    """Let two zones exchange all their cards, each in its order."""

    first: ZoneRef
    second: ZoneRef
    span: Span
    tags: tuple[str, ...]


@frozen
class Deal:
    """Relocate the top cards of a zone, as many as there are, or exactly so many."""

    count: Expr
    origin: ZoneRef
    target: ZoneRef
    exactly: bool
    at: Literal["top", "bottom"] | None
    face: Literal["up", "down"] | None
    span: Span
    tags: tuple[str, ...]


@frozen
class Shuffle:
    """Put a pile, with the cards added to it, in an order that nobody knows."""

    zone: ZoneRef
    cards: Expr | None
    span: Span
    tags: tuple[str, ...]


@frozen
class Turn:
    """Show or hide cards where they lie, until they move."""

    cards: Expr
    face: Literal["up", "down"]
    span: Span
    tags: tuple[str, ...]


@frozen
class Show:
    """Let players learn cards once; `to` None means everybody."""

    cards: Expr
    to: Expr | None
    span: Span
    tags: tuple[str, ...]


@frozen
class Say:
    """Words for the transcript, between the values they name."""

    parts: tuple[str | Expr, ...]
    span: Span
    tags: tuple[str, ...]


@frozen
class End:
    """Leave a phase early, or the game (`phase` None)."""

    phase: Phase | None
    span: Span
    tags: tuple[str, ...]


@frozen
class If:
    """One of two ways."""

    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    span: Span
    tags: tuple[str, ...]


@frozen
class For:
    """Carry out a block for each thing that a binder keeps; the domain is taken once, at the start."""

    binder: Binder
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[str, ...]


@frozen
class While:
    """Carry out a block as long as a condition holds; `first` false tests it behind the block."""

    condition: Expr
    body: tuple[Stmt, ...]
    first: bool
    span: Span
    tags: tuple[str, ...]


@frozen
class Arg:
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


@frozen
class Random:
    """Chance chooses a single argument, each with the same probability.

    `into` is the variable that it sets: who sees that, sees what was chosen.
    """

    arg: Arg
    span: Span
    tags: tuple[str, ...]
    into: VarRef | None = None


@frozen
class Action:
    """One way to decide, and its effect.

    `such_that` is a condition on all arguments together; where there are sets, each part of it stands with the last
    argument that it speaks of.
    """

    verb: str
    args: tuple[Arg, ...]
    such_that: Expr | None
    only_if: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[str, ...]


@frozen
class Choice:
    """A decision of one player."""

    player: Expr
    actions: tuple[Action, ...]
    otherwise: Action | None
    prompt: tuple[str | Expr, ...]
    secretly: bool
    span: Span
    tags: tuple[str, ...]


@frozen
class AtOnce:
    """All whom a binder keeps decide in secret, one after another; then the effects come in that order."""

    binder: Binder
    choice: Choice
    span: Span
    tags: tuple[str, ...]


@frozen
class InTurn:
    """A turn for each whom the binder's domain gives, asked again when it comes, until nobody is due."""

    binder: Binder
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[str, ...]


@frozen
class Reopen:
    """All others of the turns around it are due once more."""

    span: Span
    tags: tuple[str, ...]


@frozen
class Together:
    """Statements behind which the `whenever` rules are asked once."""

    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[str, ...]


@frozen
class Spend:
    """Count so many elementary steps; no author writes it (`interpreter.analysis.transforms.metering`)."""

    steps: int
    span: Span
    tags: tuple[str, ...] = ()


Stmt = (
    Let | Begin | Assign | CallPhase | Move | Deal | Shuffle | Swap | Turn | Show | Say | End | If | For | While
    | Random | Choice | AtOnce | InTurn | Reopen | Together | Spend
)  # fmt: skip


def statement_parts(stmt: Stmt) -> list[Expr]:
    """Return the expressions of a statement itself, without those in the blocks inside it."""
    match stmt:
        case Let() | Begin():
            return [stmt.value]
        case Assign():
            return [*stmt.index, stmt.value]
        case CallPhase():
            return list(stmt.args)
        case Move():
            by = [stmt.played_by] if stmt.played_by is not None else []
            return [stmt.cards, stmt.target, *by]
        case Deal():
            return [stmt.count, stmt.origin, stmt.target]
        case Shuffle():
            return [stmt.zone, *([stmt.cards] if stmt.cards is not None else [])]
        case Swap():
            return [stmt.first, stmt.second]
        case Turn():
            return [stmt.cards]
        case Show():
            return [stmt.cards, *([stmt.to] if stmt.to is not None else [])]
        case Say():
            return [part for part in stmt.parts if not isinstance(part, str)]
        case End() | Reopen() | Spend() | Together():
            return []
        case AtOnce() | InTurn() | For():
            return list(binder_parts(stmt.binder))
        case If() | While():
            return [stmt.condition]
        case Random():
            # The variable itself is set by the assignment behind it, and not read.
            return [*arg_parts(stmt.arg), *(stmt.into.index if stmt.into is not None else ())]
        case Choice():
            parts: list[Expr] = [stmt.player]
            parts.extend(part for part in stmt.prompt if not isinstance(part, str))
            for action in all_actions(stmt):
                parts.extend(action_parts(action))
            return parts


@frozen
class Transfer:
    """Cards that a statement relocates to a zone; a whole zone stands for what lies there, or on its top.

    There they lie as the zone says, or with this face.
    """

    cards: Expr
    target: ZoneRef
    face: Literal["up", "down"] | None = None


def transfers(stmt: Stmt) -> tuple[Transfer, ...]:
    """Return what a statement relocates: whoever asks where cards can come to reads it here."""
    match stmt:
        case Move():
            return (Transfer(stmt.cards, stmt.target, stmt.face),)
        case Deal():
            return (Transfer(stmt.origin, stmt.target, stmt.face),)
        case Swap():
            return Transfer(stmt.first, stmt.second), Transfer(stmt.second, stmt.first)
        case Shuffle():
            return () if stmt.cards is None else (Transfer(stmt.cards, stmt.zone),)
        case Let() | Begin() | Assign() | CallPhase() | Turn() | Show() | Say() | Random() | Spend():
            return ()
        case If() | For() | While() | Choice() | AtOnce() | InTurn() | Together() | End() | Reopen():
            return ()
        case _:
            assert_never(stmt)


def arg_parts(arg: Arg) -> Iterator[Expr]:
    """Give the expressions of an argument."""
    yield arg.domain
    yield from (e for e in (arg.where, arg.low, arg.high) if e is not None)
    if arg.on_set is not None:
        yield from condition_parts(arg.on_set)


def action_parts(action: Action) -> Iterator[Expr]:
    """Give the expressions of an action, without its effect."""
    for arg in action.args:
        yield from arg_parts(arg)
    yield from (e for e in (action.such_that, action.only_if) if e is not None)


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


def blocks_inside(stmt: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    """Return the blocks directly inside a statement."""
    match stmt:
        case If():
            return stmt.then, stmt.otherwise
        case For() | InTurn() | While() | Together():
            return (stmt.body,)
        case AtOnce():
            return ((stmt.choice,),)
        case Choice():
            return tuple(action.body for action in all_actions(stmt))
        case _:  # No other holds blocks.
            return ()


def with_blocks(stmt: Stmt, change: Callable[[tuple[Stmt, ...]], tuple[Stmt, ...]]) -> Stmt:
    """Return a statement with the blocks directly inside it changed."""
    match stmt:
        case If():
            return evolved(stmt, then=change(stmt.then), otherwise=change(stmt.otherwise))
        case For() | InTurn() | While() | Together():
            return evolved(stmt, body=change(stmt.body))
        case AtOnce():
            return evolved(stmt, choice=with_blocks(stmt.choice, change))
        case Choice():
            actions = tuple(evolved(action, body=change(action.body)) for action in stmt.actions)
            last = stmt.otherwise
            return evolved(stmt, actions=actions, otherwise=last and evolved(last, body=change(last.body)))
        case _:  # No other holds blocks.
            return stmt


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


def statements_of(phase: Phase) -> tuple[Stmt, ...]:
    """Return the statements of a phase and of all blocks inside it, in the order of the text."""
    if phase.listed is None or phase.listed[0] is not phase.body:
        phase.listed = phase.body, tuple(statements(phase.body))
    return phase.listed[1]


def evolved(node: _Node, **parts: Any) -> _Node:
    """Return a node with some of its parts changed."""
    whole: Any = node
    changed: _Node = attrs.evolve(whole, **parts)
    return changed
