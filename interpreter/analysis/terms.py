"""Checked expressions: every name resolved, every type known.

See `interpreter.analysis.core`, under whose name these are used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeVar, dataclass_transform

import attrs

from grammar.source import Span
from interpreter.analysis.symbols import Define, Local, Variable, Zone
from interpreter.analysis.types import Type
from interpreter.analysis.work import STEP, WALK, current

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
    """Go through a domain, in the rotation that begins at `start`, keeping what fits `where`."""

    local: Local
    domain: Expr
    start: Expr | None
    where: Expr | None


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


def binder_parts(binder: Binder) -> Iterator[Expr]:
    """Give the expressions of a binder."""
    yield binder.domain
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
                stack.extend(value for _, value in part.define.lets)
                if part.define.value is not None:
                    stack.append(part.define.value)
