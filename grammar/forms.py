"""The syntax of every node, declared once at its class, for the transformer and for the printer alike.

A form is a rule of the grammar with the text of the node that it makes (an invertible syntax description):

    @form("fold", "{function}({value} for {selection}[ by {by}])")

From left to right the fields are the children that the parser gives for the rule, and the text is what the printer
writes.  In a pattern

- `{name}` is a field, `{name:SUM}` one that must bind at least as tightly as the rule `sum` of the grammar
- `{name*}` is a field that takes all children that no other field takes
- `"{name}"` is a text in quotes, or several
- `{=name}` is written but not read: its value comes with another child (`Fields`)
- `{name!word}` is true where that word is given, `{name!}` where the name itself is
- a word between backquotes is a token that the parser hands on though it says nothing
- `[..]` is left out where its field is absent; a bracket that is meant is written `\\[`
- `{name:BODY}` is statements after a colon or beneath, `{name:LINES}` nodes on lines of their own

Keyword arguments of `form` are fields that the rule itself decides.  A rule with a method of its own in
`grammar.transform` is built by that method; its form is for the printer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar

import attrs

_Class = TypeVar("_Class", bound=type)

LEVELS = ("EXPR", "OPEN", "OR", "AND", "NOT", "COMPARISON", "RANGE", "SUM", "PRODUCT", "UNARY", "PLACE", "POSTFIX")
"""The levels of the grammar, from what binds least.  At OPEN, picks may be the last operand."""

EXPR, OPEN, OR, AND, NOT, COMPARISON, RANGE, SUM, PRODUCT, UNARY, PLACE, POSTFIX = range(12)

BOUND, MOVABLE, START = 12, 13, 14
"""Levels of single places: the bound of a range, the cards of a `move`, the start of a line."""

BODY, LINES = 15, 16
"""The layouts of a field that is not written on the line of its node."""

_NUMBERS = {name: number for number, name in enumerate((*LEVELS, "BOUND", "MOVABLE", "START", "BODY", "LINES"))}
_PIECE = re.compile(
    r"(?P<open>\[)|(?P<close>\])|`(?P<token>[^`]+)`"
    r'|(?P<quote>"?)\{(?P<unread>=?)(?P<name>\w+)(?P<many>\*?)(?:(?P<flag>!)(?P<word>\w*))?(?::(?P<level>[A-Z]+))?\}"?'
    r"|\\?(?P<text>.)"
)


@attrs.frozen
class Slot:
    """The place of a field in a pattern."""

    name: str
    level: int
    many: bool
    quoted: bool
    read: bool
    word: str
    """The word that is written if a boolean field is true; empty for all other fields."""


@attrs.frozen
class Kept:
    """A token that the parser hands on and no field takes."""

    text: str


Part = str | Slot | Kept | tuple["Part", ...]
"""A piece of a pattern; a tuple is one that may be absent."""


@attrs.define(slots=False, eq=False)
class Form:
    """A rule of the grammar, the class of its nodes, and their text; the pattern is read when it is first needed."""

    node: type[Any]
    pattern: str
    level: int
    constants: Mapping[str, object]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The pattern, read."""
        stack: list[list[Part]] = [[]]
        for piece in _PIECE.finditer(self.pattern):
            if piece["open"]:
                stack.append([])
            elif piece["close"]:
                optional = tuple(stack.pop())
                stack[-1].append(optional)
            elif piece["token"]:
                stack[-1].append(Kept(piece["token"]))
            elif piece["name"]:
                word = (piece["word"] or piece["name"]) if piece["flag"] else ""
                level = _NUMBERS[piece["level"] or "EXPR"]
                quoted, many, read = bool(piece["quote"]), bool(piece["many"]), not piece["unread"]
                stack[-1].append(Slot(piece["name"], level, many, quoted, read, word))
            elif stack[-1] and isinstance(stack[-1][-1], str):
                stack[-1][-1] += piece["text"]
            else:
                stack[-1].append(piece["text"])
        return tuple(stack[0])

    @cached_property
    def reads(self) -> tuple[Slot | Kept, ...]:
        """The children of the rule, in order."""
        flat = (p for part in self.parts for p in (part if isinstance(part, tuple) else (part,)))
        return tuple(p for p in flat if isinstance(p, Kept) or (isinstance(p, Slot) and p.read))

    @cached_property
    def many(self) -> int:
        """Which of them takes all that no other takes; -1 if none does."""
        return next((n for n, p in enumerate(self.reads) if isinstance(p, Slot) and p.many), -1)

    @cached_property
    def needed(self) -> tuple[str, ...]:
        """The fields that are never absent in this form."""
        return tuple(p.name for p in self.parts if isinstance(p, Slot) and not p.word)

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """All fields in the pattern."""
        flat = (p for part in self.parts for p in (part if isinstance(part, tuple) else (part,)))
        return frozenset(p.name for p in flat if isinstance(p, Slot))


FORMS: dict[str, Form] = {}
"""The form of each rule of the grammar."""

FORMS_OF: dict[type[Any], list[Form]] = {}
"""The forms of each class of nodes, in the order in which the printer tries them."""


def form(rules: str, pattern: str, level: str = "POSTFIX", **constants: object) -> Callable[[_Class], _Class]:
    """Declare how a node is written, for one rule or several; see the head of this module."""

    def declare(cls: _Class) -> _Class:
        made = Form(cls, pattern, _NUMBERS[level], constants)
        FORMS.update(dict.fromkeys(rules.split(), made))
        FORMS_OF.setdefault(cls, []).insert(0, made)
        return cls

    return declare


class Tags(tuple[str, ...]):
    """The rule tags of a line, among the children of a rule: they go to the node of the line."""

    __slots__ = ()


class Fields(dict[str, Any]):
    """The values of several fields, which one child of a rule brings."""


@attrs.frozen
class Body:
    """The body of a node: the content below its head, with the tags of the line that opens it."""

    tags: Tags
    content: Any
