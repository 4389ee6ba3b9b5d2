"""Symbols of a spec that hold no rules: options, kinds of cards, zones, local names."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import product
from math import prod

import msgspec

from grammar.source import Span
from interpreter.analysis.types import Bool, EnumType, Int, Player, Type, range_low


class Option(msgspec.Struct, eq=False):
    """A named choice of the spec, fixed for a compiled game; `value` is the one in force, a choice by its number."""

    name: str
    type: Type
    default: int | bool
    value: int | bool
    text: str
    span: Span

    @property
    def word(self) -> str:
        """The value in force, as the spec writes it."""
        if isinstance(self.type, EnumType):
            return self.type.values[self.value]
        return str(self.value).lower()

    @property
    def words(self) -> tuple[str, ...]:
        """Its values, if they are words: its own choices or the values of an enumeration."""
        return self.type.values if isinstance(self.type, EnumType) else ()

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
        return (self.value,)

    def in_words(self, value: int | bool) -> int | bool | str:
        """Return one of its values as people write it: a choice by its word."""
        return self.type.values[value] if isinstance(self.type, EnumType) else value


class Attr(msgspec.Struct, eq=False):
    """An attribute of a kind of card."""

    name: str
    type: Type


class Kind(msgspec.Struct, eq=False):
    """A kind of card: its attributes, and how its cards are written."""

    name: str
    attributes: tuple[Attr, ...]
    written: str
    named: tuple[str, ...]
    span: Span


class Family(msgspec.Struct, eq=False):
    """Places for cards or values: one for each combination of the indices.

    `base` is the number of the first place; the others follow in the order of the indices, the last one changing
    fastest.  `team_of` has the number of each player's team where a team sees the places.
    """

    name: str
    indices: tuple[Type, ...]
    sizes: tuple[int, ...]
    seen_by: str
    base: int
    span: Span
    team_of: tuple[int, ...]

    @property
    def places(self) -> int:
        """How many places the family has."""
        return prod(self.sizes)


class Zone(Family):
    """A family of places for cards."""

    kind: str
    capacity: int
    tags: tuple[str, ...] = ()

    @property
    def owner_index(self) -> int | None:
        """The position of the owner among the indices, or None."""
        return next((i for i, t in enumerate(self.indices) if isinstance(t, Player)), None)


def indices_of(family: Family) -> list[tuple[int, ...]]:
    """Return the indices of each place or value of a family, in their order."""
    lows = [range_low(t) for t in family.indices]
    return [
        tuple(low + i for low, i in zip(lows, combination, strict=True))
        for combination in product(*(range(size) for size in family.sizes))
    ]


def places_at(family: Family, index: Sequence[Container[int] | None]) -> list[int]:
    """Return the numbers of the places or values of a family whose indices are among some; None means any."""
    numbers = [0]
    for among, type_, size in zip(index, family.indices, family.sizes, strict=True):
        low = range_low(type_)
        steps = [step for step in range(size) if among is None or low + step in among]
        numbers = [number * size + step for number in numbers for step in steps]
    return [family.base + number for number in numbers]


def owner_at(family: Family, index: tuple[int, ...]) -> int | None:
    """Return whose a place or a value is; None where it is nobody's."""
    return next((i for t, i in zip(family.indices, index, strict=True) if isinstance(t, Player)), None)


def team_at(family: Family, index: tuple[int, ...]) -> int | None:
    """Return the number of the team that a place or a value belongs to: of its index, or of its owner's."""
    for type_, i in zip(family.indices, index, strict=True):
        if isinstance(type_, EnumType) and type_.team_of:
            return i
    owner = owner_at(family, index)
    return None if owner is None else family.team_of[owner]


def viewers_at(family: Family, index: tuple[int, ...], num_players: int) -> int:
    """Return who sees a place or a value, one bit for each player."""
    everyone = (1 << num_players) - 1
    owner = owner_at(family, index)
    match family.seen_by:
        case "all":
            return everyone
        case "team":
            team = team_at(family, index)
            return sum(1 << player for player, own in enumerate(family.team_of) if own == team)
        case "owner" if owner is not None:
            return 1 << owner
        case "all but owner" if owner is not None:
            return everyone & ~(1 << owner)
        case _:
            return 0


class Local(msgspec.Struct, eq=False):
    """A name that a `let`, a parameter, an argument or a selection gives to one value."""

    name: str
    type: Type
    number: int
    span: Span
    card_set: bool = False
