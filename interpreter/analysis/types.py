"""The types of the language.

Types are frozen and compared by value.  A zone has the type `Cards`.  A value that may be absent has an `Optional`
type; `Optional` never nests.  Integers have bounds (None: unbounded), so the sizes of action spaces and observations
follow from the types.
"""

from __future__ import annotations

from collections import abc

import attrs


@attrs.frozen
class Int:
    """Whole numbers from `low` to `high`; None means no bound on that side."""

    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return "integer"
        return f"{self.low}..{self.high}"


@attrs.frozen
class Bool:
    """True or false."""

    def __str__(self) -> str:
        return "boolean"


@attrs.frozen
class EnumType:
    """One of the values of an enumeration, numbered from 0 in the order of their declaration.

    `attributes` maps the name of a column to its type and its value for each member.  `team_of` is empty but for the
    type `team`, whose values are the teams: then it has the number of each player's team.
    """

    name: str
    values: tuple[str, ...]
    texts: tuple[str, ...] = attrs.field(eq=False, default=())
    attributes: dict[str, tuple[Type, tuple[int | bool | None, ...]]] = attrs.field(eq=False, factory=dict, repr=False)
    team_of: tuple[int, ...] = attrs.field(eq=False, default=())

    def __str__(self) -> str:
        return self.name

    @property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The players of each team, in the order of their seats."""
        return tuple(tuple(p for p, own in enumerate(self.team_of) if own == t) for t in range(len(self.values)))

    @property
    def is_of_option(self) -> bool:
        """Whether these are the words of an option, of which a spec cannot name the type."""
        return not self.name.isidentifier()


@attrs.frozen
class Player:
    """A player, 0-based inside, counted from 1 for people."""

    def __str__(self) -> str:
        return "player"


@attrs.frozen
class Card:
    """A card of one of the named kinds."""

    kinds: frozenset[str]

    def __str__(self) -> str:
        return "card" if len(self.kinds) != 1 else next(iter(self.kinds))


@attrs.frozen
class Cards:
    """Some cards in an order, of the named kinds, never more than `at_most`."""

    kinds: frozenset[str]
    at_most: int = attrs.field(eq=False, default=0)

    def __str__(self) -> str:
        return "cards"


@attrs.frozen
class Sequence:
    """Players, numbers or enumeration values to go through."""

    item: Type
    at_most: int = attrs.field(eq=False, default=0)

    def __str__(self) -> str:
        return f"list of {self.item}"


@attrs.frozen
class Tuple:
    """A key of several parts, compared from the left."""

    items: tuple[Type, ...]

    def __str__(self) -> str:
        return "(" + ", ".join(map(str, self.items)) + ")"


@attrs.frozen
class Nothing:
    """The type of `none` alone."""

    def __str__(self) -> str:
        return "none"


@attrs.frozen
class Optional:
    """A value of the base type, or its absence."""

    base: Type

    def __str__(self) -> str:
        return f"{self.base} or none"


@attrs.frozen
class Unknown:
    """The type of what was already reported as wrong; it fits everywhere, so one mistake is reported once."""

    def __str__(self) -> str:
        return "unknown"


Type = (
    Int | Bool | EnumType | Player | Card | Cards | Sequence | Tuple | Nothing | Optional | Unknown
)  # fmt: skip

BOOL = Bool()
PLAYER = Player()
UNKNOWN = Unknown()
NOTHING = Nothing()


def base_of(type_: Type) -> Type:
    """Return the type without its `or none`."""
    return type_.base if isinstance(type_, Optional) else type_


def is_optional(type_: Type) -> bool:
    """Say whether a value of the type may be absent."""
    return isinstance(type_, Optional | Nothing)


def optional(type_: Type) -> Type:
    """Return the type with `or none`."""
    return type_ if isinstance(type_, Optional | Nothing | Unknown) else Optional(type_)


def fits(given: Type, wanted: Type) -> bool:
    """Say whether a value of one type may stand where the other is wanted.

    Bounds of integers are left to the machine, which checks assignments while playing; an optional
    value never fits a definite place.
    """
    if isinstance(given, Unknown) or isinstance(wanted, Unknown):
        return True
    if isinstance(wanted, Optional):
        return isinstance(given, Nothing) or fits(base_of(given), wanted.base)
    match given, wanted:
        case Int(), Int():
            return True
        case Card(), Card():
            return given.kinds <= wanted.kinds
        case Cards(), Cards():
            return given.kinds <= wanted.kinds
        case Sequence(), Sequence():
            return fits(given.item, wanted.item)
        case Tuple(), Tuple():
            return len(given.items) == len(wanted.items) and all(
                fits(g, w) for g, w in zip(given.items, wanted.items, strict=True)
            )
    return given == wanted


def comparable(left: Type, right: Type) -> bool:
    """Say whether `==` between the two types asks something that can be true."""
    left, right = base_of(left), base_of(right)
    match left, right:
        case (Nothing() | Cards() | Sequence(), _) | (_, Nothing() | Cards() | Sequence()):
            return isinstance(left, Unknown) or isinstance(right, Unknown)
        case Card(), Card():
            return bool(left.kinds & right.kinds)
        case Tuple(), Tuple():
            return len(left.items) == len(right.items) and all(map(comparable, left.items, right.items))
    return fits(left, right)


def disjoint(left: Type, right: Type) -> bool:
    """Say whether two ranges of numbers have no number in common."""
    left, right = base_of(left), base_of(right)
    if not isinstance(left, Int) or not isinstance(right, Int):
        return False
    below = left.high is not None and right.low is not None and left.high < right.low
    above = left.low is not None and right.high is not None and left.low > right.high
    return below or above


def settled_order(op: str, left: Type, right: Type) -> bool | None:
    """Return what `<`, `<=`, `>` or `>=` gives for all numbers of two ranges, or None where it depends on them."""
    left, right = base_of(left), base_of(right)
    if op not in ("<", "<=", ">", ">=") or not isinstance(left, Int) or not isinstance(right, Int):
        return None
    if op in (">", ">="):
        left, right, op = right, left, {">": "<", ">=": "<="}[op]
    slack = 0 if op == "<" else 1
    if left.high is not None and right.low is not None and left.high < right.low + slack:
        return True
    if left.low is not None and right.high is not None and left.low >= right.high + slack:
        return False
    return None


def ordered(type_: Type) -> bool:
    """Say whether values of the type have an order (`<`, `highest`, `max`)."""
    if isinstance(type_, Tuple):
        return all(ordered(item) for item in type_.items)
    return isinstance(type_, Int | EnumType | Bool | Unknown)


def join(left: Type, right: Type) -> Type | None:
    """Return the narrowest type that holds both, or None where there is none."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return UNKNOWN
    if is_optional(left) or is_optional(right):
        if isinstance(left, Nothing):
            return optional(right)
        if isinstance(right, Nothing):
            return optional(left)
        inner = join(base_of(left), base_of(right))
        return None if inner is None else optional(inner)
    match left, right:
        case Int(), Int():
            low = None if left.low is None or right.low is None else min(left.low, right.low)
            high = None if left.high is None or right.high is None else max(left.high, right.high)
            return Int(low, high)
        case Card(), Card():
            return Card(left.kinds | right.kinds)
        case Cards(), Cards():
            return Cards(left.kinds | right.kinds, _most(left.at_most, right.at_most))
        case Sequence(), Sequence():
            item = join(left.item, right.item)
            return None if item is None else Sequence(item, _most(left.at_most, right.at_most))
        case Tuple(), Tuple() if len(left.items) == len(right.items):
            items = [join(a, b) for a, b in zip(left.items, right.items, strict=True)]
            return None if any(i is None for i in items) else Tuple(tuple(i for i in items if i is not None))
    return left if left == right else None


def _most(left: int, right: int) -> int:
    """Return the greater of two bounds, of which -1 says that there is none."""
    return -1 if left < 0 or right < 0 else max(left, right)


def values_of(type_: Type) -> abc.Sequence[int | bool] | None:
    """Return the values of a type as they are kept, or None where the spec does not bound how many there are."""
    match base_of(type_):
        case Int(low=int(low), high=int(high)):
            return range(low, high + 1)
        case Bool():
            return (False, True)
        case EnumType(values=words):
            return range(len(words))
    return None


def size_of(type_: Type) -> int | None:
    """Return how many values the type has, or None when that is not bounded by the spec."""
    values = values_of(type_)
    return None if values is None else len(values)


def cells_of(type_: Type, num_faces: int, num_players: int) -> int:
    """Return how many numbers stand for a value where it is observed: one of so many, and one more for none."""
    extra = 1 if is_optional(type_) else 0
    match base_of(type_):
        case Int():
            return 1 + extra
        case Card():
            return num_faces + extra
        case Player():
            return num_players + extra
        case other:  # All others have as many values as their type says.
            return (size_of(other) or 1) + extra


def lies_within(type_: Type, low: int | None, high: int | None) -> bool:
    """Say whether a type promises a number from `low` to `high` (None: no bound), which is there."""
    if not isinstance(type_, Int) or type_.low is None or type_.high is None:
        return False
    return (low is None or low <= type_.low) and (high is None or type_.high <= high)


def range_low(type_: Type) -> int:
    """Return the least value of an indexing type (0 for all but ranges)."""
    inner = base_of(type_)
    return inner.low or 0 if isinstance(inner, Int) else 0
