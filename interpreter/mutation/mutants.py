"""Mutants of a spec: its text with one small change of a rule, made by the classical mutation operators.

The operators are those of mutation testing of programs (Offutt et al., 1996, "An Experimental Determination of
Sufficient Mutant Operators"): replace a relational operator, a logical connector, an arithmetic operator or a constant,
negate a condition, delete a statement; and their relatives for card games: the other end of a pile, the lowest in
place of the highest, a condition that is dropped.  Each change edits the text in one place, so comments, lines and
tags stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from grammar.ast import (
    CardDecl,
    EnumDecl,
    GameDecl,
    InvariantDecl,
    OptionDecl,
    Spec,
    Viewer,
    ViewerIf,
)
from grammar.expressions import (
    Arithmetic,
    CardArg,
    CardAt,
    CardsArg,
    Compare,
    Extreme,
    Is,
    Logic,
    NamedType,
    Node,
    Not,
    Number,
    NumberPattern,
    OptionalType,
    Pick,
    Quantified,
    RangeType,
    Selection,
    ValueArg,
    parts,
)
from grammar.source import Source, Span
from grammar.statements import Action, Assign, If, Let, LetVariable, Nothing, Repeat, Say, Statement, While

_NOT_RULES = (
    GameDecl, OptionDecl, EnumDecl, CardDecl, InvariantDecl, Viewer, ViewerIf, NamedType, RangeType, OptionalType,
)  # fmt: skip
"""Parts of a spec that are not changed: names, texts, bounds, and what the tests themselves claim."""

_OPPOSITE = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "and": "or", "or": "and", "+": "-", "-": "+",
    "+=": "-=", "-=": "+=", "highest": "lowest", "lowest": "highest", "first": "last", "last": "first",
    "top": "bottom", "bottom": "top", "some": "no", "no": "some",
}  # fmt: skip

_LONGEST_EXTRACT = 60


@attrs.frozen(order=True)
class Mutant:
    """One change of a text: the characters from `start` to `end` become `new`."""

    start: int
    end: int
    new: str

    def text(self, source: Source) -> str:
        """Return the text of the mutant."""
        return source.text[: self.start] + self.new + source.text[self.end :]

    def line(self, source: Source) -> int:
        """Return the number of the line that changes, from 1."""
        return source.position(self.start)[0]

    def change(self, source: Source) -> str:
        """Return the change in words."""
        old = _extract(source.text[self.start : self.end])
        new = _extract(self.new)
        if not old:
            return f"`{new}` is inserted"
        return f"`{old}` becomes `{new}`" if new else f"`{old}` is removed"


def _extract(text: str) -> str:
    """Return the beginning of a text on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST_EXTRACT else f"{flat[:_LONGEST_EXTRACT]} .."


def mutants(spec: Spec) -> list[Mutant]:
    """Return every mutant of a spec, in the order of the text; `spec` is the tree as `parse` gives it."""
    return sorted(set(_below(spec)))


def _below(node: Node) -> Iterator[Mutant]:
    for part in parts(node):
        if not isinstance(part, _NOT_RULES):
            yield from _mutants_of(part)
            yield from _below(part)


def _mutants_of(node: Node) -> Iterator[Mutant]:
    """Give the changes of one node itself."""
    if isinstance(node, Statement):
        yield from _of_statement(node)
        return
    match node:
        case Compare() | Logic() | Arithmetic():
            if node.op in _OPPOSITE:
                yield from _exchanged(node.left.span.end, node.right.span.start, node.span.source, node.op)
        case Extreme() | Pick() | Quantified():
            yield from _exchanged(node.span.start, node.span.end, node.span.source, node.which)
        case CardAt(at=str(end)):
            yield from _exchanged(node.span.start, node.span.end, node.span.source, end)
        case Is():
            yield _toggled(node)
        case Not():
            yield Mutant(node.span.start, node.value.span.start, "")
        case Number(value=value):
            yield from _shifted(node.span, value)
        case NumberPattern(low=low, high=high) if low == high:
            yield from _shifted(node.span, low)
        case Selection() | CardArg() | CardsArg() | ValueArg():
            if node.where is not None:
                yield from _dropped(node.span.start, "where", node.where.span)
            if isinstance(node, Selection) and node.start is not None:
                yield from _dropped(node.span.start, "from", node.start.span)
        case Action():
            if node.such_that is not None:
                yield from _dropped(node.span.start, "such that", node.such_that.span)
            if node.only_if is not None:
                yield from _dropped(node.span.start, "only if", node.only_if.span)


def _of_statement(statement: Statement) -> Iterator[Mutant]:
    """Give the changes of a statement: it is deleted, or its condition or operator changes."""
    if not isinstance(statement, Let | LetVariable | Nothing | Say):
        yield _edit(statement.span, "nothing")
    match statement:
        case If() | While():
            yield _negated(statement.condition.span)
        case Repeat():
            yield _negated(statement.until.span)
        case Assign() if statement.op in _OPPOSITE:
            target, value = statement.target.span, statement.value.span
            yield from _exchanged(target.end, value.start, target.source, statement.op)


def _shifted(span: Span, value: int) -> Iterator[Mutant]:
    """Give the mutants in which a constant is greater or less by one, and not negative."""
    yield _edit(span, str(value + 1))
    if value > 0:
        yield _edit(span, str(value - 1))


def _edit(span: Span, new: str) -> Mutant:
    """Replace the text of a node, but not the line break after a block."""
    return Mutant(span.start, span.start + len(span.text.rstrip()), new)


def _negated(condition: Span) -> Mutant:
    return Mutant(condition.start, condition.end, f"not ({condition.text})")


def _toggled(node: Is) -> Mutant:
    """Return the mutant in which `is` and `is not` change places."""
    text = node.span.source.text
    found = re.compile(r"\bis(\s+not)?\b").search(text, node.value.span.end, node.span.end)
    assert found is not None
    return Mutant(found.start(), found.end(), "is" if found[1] else "is not")


def _exchanged(start: int, end: int, source: Source, word: str) -> Iterator[Mutant]:
    """Give the mutant in which the first occurrence of a word between two places becomes its opposite."""
    at = source.text.find(word, start, end)
    if at >= 0:
        yield Mutant(at, at + len(word), _OPPOSITE[word])


def _dropped(start: int, word: str, condition: Span) -> Iterator[Mutant]:
    """Give the mutant without a condition and the word before it."""
    at = condition.source.text.rfind(word, start, condition.start)
    if at >= 0:
        yield Mutant(at, condition.end, "")
