"""The syntax tree of expressions, types, patterns, selections and arguments.

See `grammar.ast` for the rules that all nodes keep.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any, ClassVar, Literal, TypeVar, dataclass_transform

import msgspec

from grammar.forms import form
from grammar.source import Span


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Node(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Anything in the tree: its span, and the rules it carries out (`R9-R11` is one tag).

    A node is frozen.  Its own fields are positional arguments, `span` and `tags` keyword arguments.
    """

    span: Span
    tags: tuple[str, ...] = ()

    aside: ClassVar[frozenset[str]] = frozenset({"span"})
    """The fields that do not count where two nodes are compared."""

    def __eq__(self, other: object) -> bool:
        return self.__class__ is other.__class__ and all(
            getattr(self, name) == getattr(other, name) for name in self.__struct_fields__ if name not in self.aside
        )

    def __ne__(self, other: object) -> bool:
        return not self == other  # A struct has an `__ne__` of its own.

    def __hash__(self) -> int:
        return hash((self.__class__, *(getattr(self, n) for n in self.__struct_fields__ if n not in self.aside)))


def equal(one: object, two: object) -> bool:
    """Return whether two nodes are the same but for their spans, as `==` does.

    Where `==` compares two unions of all nodes, a type checker takes a second to compare every two of their classes.
    """
    return one == two


_Node = TypeVar("_Node")


def field_names(cls: type[Node]) -> tuple[str, ...]:
    """Return the names of what a node holds besides its span and tags, in order."""
    found = _FIELDS.get(cls)
    if found is None:
        found = tuple(name for name in cls.__struct_fields__ if name not in ("span", "tags"))
        _FIELDS[cls] = found
    return found


_FIELDS: dict[type[Node], tuple[str, ...]] = {}


_SCALARS = frozenset(["str", "int", "bool", "None", "tuple", "Literal"])
_READERS: dict[type, Callable[[Any], Sequence[object]] | None] = {}


def _reader(cls: type) -> Callable[[Any], Sequence[object]] | None:
    """Return what reads the fields of a node that can hold nodes, the last first; None where the class is no node's."""
    read: Callable[[Any], Sequence[object]] | None = None
    if issubclass(cls, Node):
        # Which fields can is written in their annotations.
        types = {name: re.findall(r"\w+", re.sub(r'"[^"]*"', "", type_)) for name, type_ in cls.__annotations__.items()}
        names = [name for name in field_names(cls)[::-1] if not _SCALARS.issuperset(types.get(name, ()))]
        first = attrgetter(*names[:1] or ["span"])
        read = attrgetter(*names) if len(names) > 1 else (lambda node: (first(node),)) if names else (lambda _: ())
    _READERS[cls] = read
    return read


def parts(node: object) -> list[Node]:
    """Return the nodes directly inside a node, or inside a tuple, which may hold further tuples."""
    kind: Any = node.__class__
    read = _READERS[kind] if kind in _READERS else _reader(kind)
    waiting: list[Any] = [node] if read is None else [*read(node)]
    found: list[Node] = []
    while waiting:
        value = waiting.pop()
        if value.__class__ is tuple:
            waiting += value[::-1]
        elif isinstance(value, Node):
            found.append(value)
    return found


def walk(node: object) -> Iterator[Node]:
    """Give a node and all nodes inside it, or inside a tuple, in the order of the text."""
    stack, known = [node], _READERS
    while stack:
        top: Any = stack.pop()
        kind = top.__class__
        if kind is tuple:
            stack += top[::-1]
        elif (read := known[kind] if kind in known else _reader(kind)) is not None:
            yield top
            stack += read(top)


def evolved(node: _Node, **changes: object) -> _Node:
    """Return a node with some fields changed."""
    whole: Any = node
    changed: _Node = msgspec.structs.replace(whole, **changes)
    return changed


# ---------------------------------------------------------------------------------------------- types


@form("named_type", "{name}")
class NamedType(Node):
    """`Suit`, `boolean`, `integer`, `player`, `card`, `cards`, the name of a card kind."""

    name: str


@form("range_type", "{low:BOUND}..{high:BOUND}")
class RangeType(Node):
    """`0..11`, `1..ranks`."""

    low: Expr
    high: Expr


@form("optional_type", "{base} or none")
class OptionalType(Node):
    """`Suit or none`."""

    base: NamedType | RangeType


@form("card_in", "`card` in {zone}")
class CardIn(Node):
    """`card in field`: the index of a variable whose values belong to the cards of slots."""

    zone: str


TypeExpr = NamedType | RangeType | OptionalType | CardIn


@form("param", "{name}: {type}")
class Param(Node):
    """`p: player`."""

    name: str
    type: TypeExpr


# ------------------------------------------------------------------------------------------- patterns


class KindPattern(Node):
    """`Number`, `Number(spades, 8)`, `Spell(s, _)`, `chalice`; `args` None means no brackets.

    An argument is an expression (a name or a number), a RangePattern, or None for `_`.
    """

    name: str
    args: tuple[Expr | NumberPattern | None, ...] | None = None


class NumberPattern(Node):
    """`5`, `2..5`, `-1`; both ends included."""

    low: int
    high: int


Pattern = KindPattern | NumberPattern

# ---------------------------------------------------------------------------------------- expressions


@form("name", "{name}", "BOUND")
class Name(Node):
    """`leader`: a variable, zone, option, definition, enumeration, value or argument."""

    name: str


@form("number", "{value}", "BOUND")
class Number(Node):
    """`12`."""

    value: int


@form("string", '"{value}"')
class String(Node):
    """`"C6 W2"`; only scenarios and attribute tables have texts as values."""

    value: str


@form("true", "true", value=True)
@form("false", "false", value=False)
class Bool(Node):
    """`true`, `false`."""

    value: bool


@form("none", "none")
class NoneValue(Node):
    """`none`."""


@form("each", "each")
class Each(Node):
    """`each`: the card in question, inside the `where` of `cards .. from` and of a deck line."""


@form("seat", "player {number}")
class Seat(Node):
    """`player 1`, counted from 1."""

    number: int


@form("seat_by_option", "player {option:POSTFIX}")
class SeatByOption(Node):
    """`player starter`: the player whose number an option gives, counted round the table."""

    option: Expr


@form("tuple_value", "({items*})")
class TupleValue(Node):
    """`(c.rank, bonus)`: a key of several parts."""

    items: tuple[Expr, ...]


@form("attribute", "{base:POSTFIX}.{name}")
class Attribute(Node):
    """`c.suit`."""

    base: Expr
    name: str


@form("index", r"{base:POSTFIX}\[{indices*:RANGE}\]")
class Index(Node):
    """`hand[p, left]`."""

    base: Expr
    indices: tuple[Expr, ...]


@form("call", "{name}[({args*})]", "BOUND")
class Call(Node):
    """`matchable(s, 5)`; a call without arguments is a Name, but Do holds a Call with none."""

    name: str
    args: tuple[Expr, ...] = ()


@form("group_count", "{count:RANGE} {kind}")
class GroupCount(Node):
    """`4 meld`, `2..3 meld`: how many groups of a kind, in a division of cards."""

    count: Expr
    kind: Name


@form("selection", "{name} in {domain:RANGE}[ from {start:SUM}][ where {where:OPEN}][ by {=by:SUM}]")
class Selection(Node):
    """`c in Z from p where P`: go through Z (in the rotation that begins at p) and keep what fits.

    Only a `for` has `by`: it goes through them in ascending order of a key.
    """

    name: str
    domain: Expr
    start: Expr | None = None
    where: Condition | None = None
    by: Expr | None = None


@form("fold", "{function}({value} for {selection}[ by {by}])")
class Fold(Node):
    """`sum(c.value for c in Z where P)`, `list(e for c in Z by k)`."""

    function: str
    value: Expr
    selection: Selection
    by: Expr | None = None


@form("over", "{function}({selection})")
class Over(Node):
    """`count(c in Z where P)`: a fold of the selected things themselves."""

    function: str
    selection: Selection


@form("among", "{function}({value} among {group})")
class Among(Node):
    """`next(p among remaining)`, `previous(p among remaining)`."""

    function: str
    value: Expr
    group: Expr


@form("pick_one", "{which} {selection}", "OPEN")
@form("pick_some", "{which} {count:SUM} {selection}", "OPEN")
class Pick(Node):
    """`first c in Z where P`, `last 3 c in Z`; `count` None means one."""

    which: Literal["first", "last"]
    selection: Selection
    count: Expr | None = None


@form("extreme", "{which} {selection} by {by:SUM}", "OPEN")
@form("all_extreme", "all {which} {selection} by {by:SUM}", "OPEN", ties=True)
class Extreme(Node):
    """`highest c in Z where P by c.rank`, `all lowest p in players by score[p]` (`ties` true)."""

    which: Literal["highest", "lowest"]
    selection: Selection
    by: Expr
    ties: bool = False


@form("all_of", "all {selection}", "OPEN")
class All(Node):
    """`all c in Z where P`."""

    selection: Selection


@form("some", "some {selection}", "OPEN", which="some")
@form("no", "no {selection}", "OPEN", which="no")
class Quantified(Node):
    """`some c in Z where P`, `no c in Z where P`."""

    which: Literal["some", "no"]
    selection: Selection


@form("every", "every {selection} has {has:OPEN}", "OPEN")
class Every(Node):
    """`every c in Z where P has Q`."""

    selection: Selection
    has: Condition


@form("compare", "{left:RANGE} {op} {right:RANGE}", "COMPARISON")
class Compare(Node):
    """`a == b`, `a <= b`."""

    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@form("is_", "{value:RANGE} is {test}", "COMPARISON")
@form("is_not", "{value:RANGE} is not {test}", "COMPARISON", negated=True)
class Is(Node):
    """`c is Wizard`, `Z is not empty`, `x is none`, `s is in arcane..ice`.

    `test` is a Pattern, the words `empty` or `none`, or Member for `in`.
    """

    value: Expr
    test: Pattern | Literal["empty", "none"] | Member
    negated: bool = False


@form("member", "in {domain:RANGE}")
class Member(Node):
    """The `in Z` of `x is in Z`."""

    domain: Expr


@form("not_", "not {value:NOT}", "NOT")
class Not(Node):
    """`not P`."""

    value: Expr


@form("or_", "{left:OR} or {right:AND}", "OR", op="or")
@form("and_", "{left:AND} and {right:NOT}", "AND", op="and")
class Logic(Node):
    """`P and Q`, `P or Q`."""

    op: Literal["and", "or"]
    left: Expr
    right: Expr


@form("plus", "{left:SUM} + {right:PRODUCT}", "SUM", op="+")
@form("minus", "{left:SUM} - {right:PRODUCT}", "SUM", op="-")
@form("times", "{left:PRODUCT} * {right:UNARY}", "PRODUCT", op="*")
@form("modulo", "{left:PRODUCT} mod {right:UNARY}", "PRODUCT", op="mod")
class Arithmetic(Node):
    """`a + b`, `a - b`, `a * b`, `a mod b`; `+` and `-` also join and reduce cards."""

    op: Literal["+", "-", "*", "mod"]
    left: Expr
    right: Expr


@form("divide", "{left:PRODUCT} / {right:UNARY} rounded {rounded}", "PRODUCT")
class Divide(Node):
    """`(o - d) / 2 rounded up`."""

    left: Expr
    right: Expr
    rounded: str


@form("negative", "-{value:UNARY}", "UNARY")
class Negative(Node):
    """`-a`."""

    value: Expr


@form("range_value", "{low:SUM}..{high:SUM}", "RANGE")
class RangeValue(Node):
    """`1..n`, `arcane..ice`."""

    low: Expr
    high: Expr


@form("top_of", "top of {zone:POSTFIX}", "PLACE", at="top")
@form("bottom_of", "bottom of {zone:POSTFIX}", "PLACE", at="bottom")
@form("card_at", "card {at:SUM} of {zone:POSTFIX}", "PLACE")
class CardAt(Node):
    """`top of stock`, `bottom of stock`, `card n of stock`."""

    at: Literal["top", "bottom"] | Expr
    zone: Expr


@form("the", "the {value:PLACE}", "UNARY")
class The(Node):
    """`the player_of(c)`: a value that may be absent by its type, and by the rules is there."""

    value: Expr


@form("guarded", "if {condition:OPEN} then {value:OPEN}")
@form("link", "{value:OPEN}")
class Alternative(Node):
    """One link of a chain: `if c then x`, or `x` with no condition."""

    value: Expr
    condition: Condition | None = None


class Chain(Node):
    """`a else b else c`, `if c then x else y`: the first that is there.

    A lone `if c then x` is a Chain with one alternative.
    """

    alternatives: tuple[Alternative, ...]


Expr = (
    Name | Number | String | Bool | NoneValue | Each | Seat | SeatByOption | TupleValue | Attribute | Index | Call
    | GroupCount | Fold | Over | Among | Pick | Extreme | All | Quantified | Every | Compare | Is | Not | Logic
    | Arithmetic | Divide | Negative | RangeValue | CardAt | The | Chain
)  # fmt: skip
Condition = Expr


def operands(expr: Expr, op: str) -> list[Expr]:
    """Return what `and`, `or` or `+` joins, however often; an expression with another operator is one part."""
    if isinstance(expr, Logic | Arithmetic) and expr.op == op:
        return [*operands(expr.left, op), *operands(expr.right, op)]
    return [expr]


@form("any_number", "any")
@form("at_least", "`at least` {low:SUM}")
@form("up_to", "`up to` {high:SUM}")
@form("between", "{low:SUM} to {high:SUM}")
class Quantity(Node):
    """`any` (no bounds), `at least n`, `up to n`, `n to m`, a bare `n` (`low` and `high` the same)."""

    low: Expr | None = None
    high: Expr | None = None


@form("card_arg", "card {name} from {domain:SUM}[ where {where:OPEN}]")
class CardArg(Node):
    """`card c from hand[p] where P`."""

    name: str
    domain: Expr
    where: Condition | None = None


@form("cards_arg", "{quantity} cards {name} from {domain:SUM}[ where {where:OPEN}]")
class CardsArg(Node):
    """`up to 3 cards taken from middle where each.suit == s`."""

    name: str
    quantity: Quantity
    domain: Expr
    where: Condition | None = None


@form("value_arg", "{name} from {domain:RANGE}[ where {where:OPEN}]")
class ValueArg(Node):
    """`n from 0..11`, `s from Suit where P`."""

    name: str
    domain: Expr
    where: Condition | None = None


Arg = CardArg | CardsArg | ValueArg
