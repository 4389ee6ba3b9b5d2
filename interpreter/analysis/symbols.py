"""What names stand for: one small class for each sort of thing that a spec declares."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import attrs

from grammar.ast import DefineDecl, PhaseDecl
from grammar.source import Span
from interpreter.analysis.types import Bool, EnumType, Int, Player, Type, range_low

if TYPE_CHECKING:
    from interpreter.analysis.core import Expr, Stmt


@attrs.define(eq=False)
class Option:
    """A named choice of the spec, fixed for a compiled game; `value` is the one in force, a choice by its number."""

    name: str
    type: Type
    default: int | bool
    value: int | bool
    text: str
    span: Span

    def samples(self) -> tuple[int | bool, ...]:
        """Return values that stand for all: every one of a choice; of a range both ends and one between.

        The one between is the default where that lies there, else the middle.
        """
        match self.type:
            case EnumType(values=words):
                return tuple(range(len(words)))
            case Bool():
                return (False, True)
            case Int(low=int(low), high=int(high)):
                between = self.default if low < self.default < high else (low + high) // 2
                return tuple(dict.fromkeys((low, between, high)))
            case _:  # An option is of no other type, but where that was reported.
                return (self.value,)

    def told(self, value: int | bool) -> int | bool | str:
        """Return one of its values as people write it: a choice by its word."""
        return self.type.values[value] if isinstance(self.type, EnumType) else value


@attrs.define(eq=False)
class Attr:
    """An attribute of a kind of card."""

    name: str
    type: Type


@attrs.define(eq=False)
class Kind:
    """A kind of card: its attributes, and how its cards are written."""

    name: str
    attributes: tuple[Attr, ...]
    written: str
    named: tuple[str, ...]
    span: Span


@attrs.define(eq=False)
class Zone:
    """A family of places for cards: one place for each combination of its indices.

    `base` is the number of its first place; the places of the family follow in the order of the
    indices, the last one changing fastest.  `owner_index` is the position of the player among the
    indices, or None.
    """

    name: str
    indices: tuple[Type, ...]
    sizes: tuple[int, ...]
    kind: str
    capacity: int
    seen_by: str
    base: int
    span: Span
    tags: tuple[str, ...] = ()

    @property
    def owner_index(self) -> int | None:
        """Which index says whose it is."""
        return next((i for i, t in enumerate(self.indices) if isinstance(t, Player)), None)

    @property
    def places(self) -> int:
        """How many places the family has."""
        return prod(self.sizes)


@attrs.define(eq=False)
class Variable:
    """A family of variables: of the whole game, of one phase (`phase` is its name), or of a block.

    Values lie one behind the other from the number `base` on, in the order of the indices.  Those of a block
    (`local`) lie behind all others, and belong to no list of what can be observed.
    """

    name: str
    indices: tuple[Type, ...]
    sizes: tuple[int, ...]
    type: Type
    seen_by: str
    base: int
    phase: str | None
    span: Span
    initial: Expr | None = None
    local: bool = False

    @property
    def places(self) -> int:
        """How many values the family has."""
        return prod(self.sizes)


def indices_of(family: Zone | Variable) -> list[tuple[int, ...]]:
    """Return the indices of each place or value of a family, in their order."""
    lows = [range_low(t) for t in family.indices]
    return [
        tuple(low + i for low, i in zip(lows, combination, strict=True))
        for combination in product(*(range(size) for size in family.sizes))
    ]


def places_at(family: Zone | Variable, index: Sequence[Container[int] | None]) -> list[int]:
    """Return the numbers of the places or values of a family whose indices are among some; None stands for any."""
    numbers = [0]
    for among, type_, size in zip(index, family.indices, family.sizes, strict=True):
        low = range_low(type_)
        steps = [step for step in range(size) if among is None or low + step in among]
        numbers = [number * size + step for number in numbers for step in steps]
    return [family.base + number for number in numbers]


def owner_at(family: Zone | Variable, index: tuple[int, ...]) -> int | None:
    """Return whose a place or a value is; None where it is nobody's."""
    return next((i for t, i in zip(family.indices, index, strict=True) if isinstance(t, Player)), None)


def viewers_at(family: Zone | Variable, index: tuple[int, ...], num_players: int) -> int:
    """Return who sees a place or a value, one bit for each player."""
    everyone = (1 << num_players) - 1
    owner = owner_at(family, index)
    match family.seen_by:
        case "all":
            return everyone
        case "owner" if owner is not None:
            return 1 << owner
        case "all but owner" if owner is not None:
            return everyone & ~(1 << owner)
        case _:
            return 0


@attrs.define(eq=False)
class Local:
    """A name that a `let`, a parameter, an argument or a selection gives to one value."""

    name: str
    type: Type
    number: int
    span: Span
    card_set: bool = False


@attrs.define(eq=False)
class Define:
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
        """The values of its names, and behind them its own."""
        named = tuple(value for _, value in self.lets)
        return named if self.value is None else (*named, self.value)


@attrs.define(eq=False)
class Phase:
    """A rule that acts.  `body` is known once it has been checked."""

    name: str
    params: tuple[Local, ...]
    declaration: PhaseDecl | None
    number: int
    span: Span
    tags: tuple[str, ...] = ()
    variables: tuple[Variable, ...] = ()
    body: tuple[Stmt, ...] = ()
    listed: tuple[tuple[Stmt, ...], tuple[Stmt, ...]] | None = attrs.field(default=None, init=False, repr=False)
    """A body with all its statements, which many ask for (`core.statements_of`)."""
