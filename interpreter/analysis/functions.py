"""The functions of the language: one entry for each, with types, Python, C, English and facts for analyses.

`FUNCTIONS` holds them all.  An author calls those of `CALLABLE`; the compiler makes the others.  A text template names
the arguments of a call: `{0}` is the first.  A function without a template is printed by code: the printers have a case
for its name, since it goes through a group, may fail, or depends on where the call is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from interpreter.analysis.types import (
    BOOL,
    PLAYER,
    Card,
    EnumType,
    Int,
    Player,
    Type,
    base_of,
    optional,
)

Read = Literal["turned", "played by", "places"]
"""The state that a function reads besides its arguments: which way up cards lie, who played them, or where they are."""

Types = tuple[Type, ...]


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """The type rule of a function: `takes` says in words what `accepts` accepts, for each of `arity` arguments.

    With `from_slot`, a slot as an argument means its card.
    """

    arity: int
    takes: str
    accepts: Callable[[Type], bool]
    result: Callable[[Types], Type]
    from_slot: bool = False


class English(msgspec.Struct, frozen=True, kw_only=True):
    """How texts about rules describe a call; `{0}` is the first argument, `{1}` the word for its type.

    `relation` is a noun that belongs to the argument ("your left neighbour"), `noun` describes the result otherwise,
    `nouns` that of more than two arguments, `of_two` that of a seat at a table of two players.  `clause` is the
    predicate of a truth value: a verb in its base form and the rest.
    """

    noun: str | None = None
    nouns: str | None = None
    relation: str | None = None
    of_two: str | None = None
    clause: str | None = None


class Function(msgspec.Struct, frozen=True, kw_only=True):
    """A function of the language.

    `signature` is None where `check.references` has a rule of its own, and for functions that no author calls.
    `python` and `c` are templates; a C template of two arguments is applied from the left to a call with more.
    `c_below` is the set of all numbers for which the function of {0} and the number is less than {1}.
    """

    name: str
    callable: bool = True
    """Whether an author may call it."""
    signature: Signature | None = None
    python: str | None = None
    c: str | None = None
    c_below: str | None = None
    english: English = English()
    total: bool = True
    """Whether it has a value in every state if its arguments have one, and looks at no card that may be unknown."""
    of_card: bool = False
    """Whether its value depends on nothing but its arguments and what is printed on them."""
    value: Callable[..., int] | None = None
    """The result for arguments that are known before play."""
    step: Callable[[int], int] | None = None
    """How far it goes round a table of so many seats."""
    reads: frozenset[Read] = frozenset()
    tests_face_down: bool = False
    """Whether it holds for the cards that lie face down, and no others."""

    @property
    def reads_back(self) -> bool:
        """Whether it reads of a card what everybody can see of its back: how it lies, who played it."""
        return bool(self.reads) and "places" not in self.reads


def _is_player(type_: Type) -> bool:
    return isinstance(base_of(type_), Player)


def _is_card(type_: Type) -> bool:
    return isinstance(base_of(type_), Card)


def _goes_round(type_: Type) -> bool:
    return isinstance(base_of(type_), Player | EnumType)


def extremum(pick: Callable[[list[int]], int], types: Types) -> Int | None:
    """Return the type of the least or greatest of some numbers; None where not all are numbers."""
    numbers = [type_ for type_ in types if isinstance(type_, Int)]
    if len(numbers) < len(types):
        return None
    lows, highs = ([getattr(number, end) for number in numbers] for end in ("low", "high"))
    return Int(None if None in lows else pick(lows), None if None in highs else pick(highs))


def _seat(name: str, step: Callable[[int], int], english: English, *, enums: bool = False) -> Function:
    """Return a function from a player to a player or, with `enums`, also from one value to another."""
    accepts = _goes_round if enums else _is_player
    signature = Signature(arity=1, takes="a player", accepts=accepts, result=lambda types: types[0])
    return Function(name=name, signature=signature, english=english, step=step)


def _of_card(result: Type) -> Signature:
    return Signature(arity=1, takes="a card", accepts=_is_card, result=lambda _: result, from_slot=True)


def _by_compiler(name: str, *, python: str | None = None, total: bool = False, of_card: bool = False) -> Function:
    return Function(name=name, callable=False, python=python, total=total, of_card=of_card)


_OTHER = "other player"

FUNCTIONS = {function.name: function for function in (
    # `left` is the next player in turn, `right` the one before; `next` and `previous` also go round an enumeration.
    _seat("next", lambda _: 1, English(noun="the {1} after {0}", of_two=_OTHER), enums=True),
    _seat("previous", lambda n: n - 1, English(noun="the {1} before {0}", of_two=_OTHER), enums=True),
    _seat("left", lambda _: 1, English(relation="left neighbour", of_two=_OTHER)),
    _seat("right", lambda n: n - 1, English(relation="right neighbour", of_two=_OTHER)),
    _seat("across", lambda n: n // 2, English(noun="the {1} opposite {0}", of_two=_OTHER)),
    Function(
        name="player_of", signature=_of_card(optional(PLAYER)), reads=frozenset({"played by"}),
        python="player_of(st, {0})",
        c="(NEED(locate_one(s, {0})), {0} == NONE || !s->by[{0}] ? NONE : (i64)s->by[{0}] - 1)",
        english=English(noun="the player who played {0}", relation="player"),
    ),
    Function(
        name="holder", signature=_of_card(optional(PLAYER)), reads=frozenset({"places"}),
        python="holder(st, z, {0})", c="(NEED(locate_one(s, {0})), holder(s, {0}))",
        english=English(noun="the player who holds {0}", relation="holder"),
    ),
    Function(
        name="face_down", signature=_of_card(BOOL), reads=frozenset({"turned"}), tests_face_down=True,
        python="face_down(st, {0})", c="(NEED(locate_one(s, {0})), (i64)set_has(s->down, {0}))",
        english=English(clause="lie face down"),
    ),
    Function(name="team", of_card=True, english=English(relation="team")),
    Function(name="partner", of_card=True, english=English(relation="partner")),
    Function(name="members", of_card=True, english=English(noun="the players of {0}")),
    Function(name="position", of_card=True, english=English(noun="the position of {0}")),
    Function(
        name="distance", of_card=True, value=lambda one, other: abs(one - other),
        python="abs({0} - {1})", c="difference({0}, {1})", c_below="bits_near({0}, {1})",
        english=English(noun="the difference between {0} and {1}"),
    ),
    Function(
        name="min", of_card=True, value=min, c="least({0}, {1})",
        english=English(noun="the lesser of {0} and {1}", nouns="the least of {0}"),
    ),
    Function(
        name="max", of_card=True, value=max, c="most({0}, {1})",
        english=English(noun="the greater of {0} and {1}", nouns="the greatest of {0}"),
    ),
    Function(name="count", english=English(noun="the number of {0}")),
    Function(name="subsets"),
    Function(name="rests"),
    Function(name="splits"),
    _by_compiler("players", python="PLAYERS", total=True),
    _by_compiler("empty", total=True),
    _by_compiler("face", of_card=True),
    _by_compiler("there", python="there({0}, {at})"),
    _by_compiler("listed", python="as_list({0})"),
    _by_compiler("within"),
    _by_compiler("spent"),
    _by_compiler("logged"),
    _by_compiler("all_highest", total=True),
    _by_compiler("all_lowest", total=True),
)}  # fmt: skip

CALLABLE = {name: function for name, function in FUNCTIONS.items() if function.callable}
"""The functions that an author can call."""


def is_relation(name: str) -> bool:
    """Say whether the rulebook says a function as what its argument has: "their left neighbour"."""
    return name in CALLABLE and CALLABLE[name].english.relation is not None
