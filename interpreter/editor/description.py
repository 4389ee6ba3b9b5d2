"""The description of a name for hover: its declaration, type, bounds and viewers, and the rulebook's sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

import attrs

from grammar.english import counted
from grammar.expressions import Node, walk
from grammar.source import Source, Span
from interpreter.analysis import types
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.functions import CALLABLE
from interpreter.analysis.info import Part
from interpreter.analysis.symbols import Family, Kind, Local, Option, Zone
from interpreter.editor.index import Index, Sense, Setup, Tag, Verb
from interpreter.editor.workspace import Snapshot
from interpreter.rulebook.page import Book, Entry, Lines, Paragraph, in_a_line, plain

LONGEST = 100
"""Characters of a line of a declaration that are shown."""

_VIEWERS = {
    "all": "everybody sees it",
    "nobody": "nobody sees it",
    "owner": "its owner sees it",
    "all but owner": "everybody but its owner sees it",
    "team": "the players of its team see it",
}

BUILTIN_WORDS = {
    "players": "All players, in the order of play.",
    "teams": "All teams, in the order of their declaration.",
    "each": "The card in question.",
    "boolean": "The type of true and false.",
    "integer": "The type of whole numbers without bounds.",
    "player": "The type of players.",
    "card": "The type of cards.",
    "cards": "The type of several cards.",
    "owner": "The player to whom the place belongs.",
    "nobody": "No player.",
    "pile": "A zone with an order, of which the top card is played.",
    "row": "A zone with an order from left to right.",
    "slot": "A zone for one card.",
    "sum": "The sum of a value over a selection: `sum(c.value for c in hand[p])`.",
    "same": "Whether a value is the same for all of a selection.",
    "different": "Whether a value is different for each of a selection.",
    "consecutive": "Whether the values of a selection differ and follow one another without a gap.",
    "union": "All cards of several places together.",
    "list": "The values of a selection in order.",
}


@attrs.frozen
class Hover:
    """The description of a name: its span, its declaration as code, and sentences about it."""

    span: Span
    code: str
    text: tuple[str, ...]


def hover(snapshot: Snapshot, offset: int, book: Book | None = None) -> Hover | None:
    """Return the description of the name at an offset; `book` adds the rulebook's sentence."""
    index, source = snapshot.index, snapshot.source
    found = index.at(source, offset)
    if not found:
        return _word(snapshot, offset, book)
    sense, span = found[0].sense, found[0].span
    lines = [*_lines(snapshot, sense), *_uses(index, sense)]
    lines += [f"Rulebook: {text}" for text in _in_book(book, span, sense)]
    declared = index.declaration(sense)
    code = "" if declared is None or isinstance(sense, Tag | Verb) else signature(sense, declared)
    return Hover(span, code, tuple(lines))


def _word(snapshot: Snapshot, offset: int, book: Book | None) -> Hover | None:
    """Return what there is to say of a word of the language, with the rule that its line states."""
    span = word_at(snapshot.source, offset)
    if span is None:
        return None
    text = BUILTIN_WORDS.get(span.text, "")
    function = CALLABLE.get(span.text)
    if function is not None and function.signature is not None:
        text = f"A function of {function.signature.takes}."
    lines = [text] if text else []
    lines += [f"Rulebook: {one}" for one in _in_book(book, span, None)]
    return Hover(span, "", tuple(lines)) if lines else None


def word_at(source: Source, offset: int) -> Span | None:
    """Return the word that an offset touches."""
    text = source.text
    start = end = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return Span(source, start, end) if start < end else None


def signature(sense: Sense, declared: Span) -> str:
    """Return the declaration of a name in one line, with what is known of its type."""
    match sense:
        case Local() | Variable(local=True):
            return f"{sense.name}: {sense.type}"
        case Define(name=name, params=params, result=result):
            listed = ", ".join(f"{p.name}: {p.type}" for p in params)
            return f"define {name}" + (f"({listed})" if listed else "") + ("" if result is None else f" -> {result}")
    line = " ".join(declared.source.line(declared.line).split("#")[0].split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]} .."


def _lines(snapshot: Snapshot, sense: Sense) -> Iterator[str]:
    match sense:
        case Zone():
            cards = f"up to {counted(sense.capacity, 'card')}"
            yield f"Zone ({sense.kind}), {_places(sense, 'place')}, {cards}; {_VIEWERS[sense.seen_by]}."
        case Variable():
            kind = "Variable of this block" if sense.local else f"Variable{_within(sense.phase)}"
            kind += "" if sense.home is None else f" of the cards in `{sense.home.name}`"
            yield f"{kind}: {sense.type}, {_places(sense, 'value')}; {_VIEWERS[sense.seen_by]}."
        case Option():
            yield f"Option: {_values(sense.type)}; default {sense.in_words(sense.default)}."
            if sense.text:
                yield sense.text
        case types.EnumType():
            columns = f", with {', '.join(sense.attributes)}" if sense.attributes else ""
            yield f"Enumeration of {counted(len(sense.values), 'value')}{columns}."
        case Kind():
            faces = sum(face.kind == sense.name for face in snapshot.rules.faces) if snapshot.rules else None
            yield (
                "Kind of card"
                + ("" if faces is None else f", {counted(faces, 'face')}")
                + f", written `{sense.written}`."
            )
        case Part(owner=types.EnumType() as enum, name=name) if name in enum.values:
            row = enum.values.index(name)
            table = [f"{column} {values[row]}" for column, (_, values) in enum.attributes.items()]
            what = f"Choice of the {enum.name}" if enum.is_of_option else f"Value of {enum.name}"
            yield f"{what}, number {row + 1} of {len(enum.values)}" + (f": {', '.join(table)}." if table else ".")
        case Part(owner=types.EnumType() as enum, name=name):
            type_ = enum.attributes[name][0] if name in enum.attributes else types.UNKNOWN
            yield f"Column of {enum.name}: {type_}."
        case Part(owner=owner, name=name):
            attributes = owner.attributes if isinstance(owner, Kind) else ()
            type_ = next((a.type for a in attributes if a.name == name), types.UNKNOWN)
            yield f"Attribute of {owner.name}: {type_}."
        case Define():
            yield f"Definition: {sense.result if sense.result is not None else 'not checked'}."
        case Phase():
            yield "Phase."
        case Local():
            yield f"{'Cards that are chosen' if sense.card_set else 'Local name'}: {sense.type}."
        case Verb(name=name):
            sizes = {} if snapshot.validation is None or not snapshot.validation.summary else (
                snapshot.validation.summary.actions)  # fmt: skip
            yield "Action" + (f", {counted(sizes[name], 'small action')}." if name in sizes else ".")
        case Tag():
            yield "Rule tag."
        case Setup():
            yield "Set-up of scenarios."
        case _:
            assert_never(sense)


def _within(phase: str | None) -> str:
    return f" of phase {phase}" if phase else ""


def _places(family: Family, noun: str) -> str:
    return counted(family.places, noun)


def _values(type_: types.Type) -> str:
    match type_:
        case types.EnumType(values=values):
            return " or ".join(values)
        case types.Bool():
            return "true or false"
    return str(type_)


def _uses(index: Index, sense: Sense) -> Iterator[str]:
    uses = number_of_uses(index, sense)
    if not isinstance(sense, Local):
        yield f"Used {counted(uses, 'time')}." if uses else "Never used."


def number_of_uses(index: Index, sense: Sense) -> int:
    """Return how often a name is used besides its declarations."""
    return sum(not o.declares for o in index.of_sense(sense))


def _in_book(book: Book | None, span: Span, sense: Sense | None) -> Iterator[str]:
    """Yield how the rulebook explains a thing, and how it describes the innermost statement around a span."""
    if book is None:
        return
    if isinstance(sense, Zone | Variable | Define | Phase | Option | Kind):
        explained = [b.text for b in book.part(sense.name) if isinstance(b, Paragraph)]
        lists = [entry for b in book.blocks if isinstance(b, Lines) for entry in _entries(b.entries)]
        explained += [entry.text for entry in (*lists, *book.asides) if sense.name in entry.names]
        if explained:
            yield plain(explained[0])
            return
    around = [s for s in book.steps if _covers(s, span)]
    conditions = [s for s in book.conditions if _covers(s, span)]
    if around:
        yield in_a_line(book.steps[max(around, key=lambda s: s.start)][1])
    elif conditions:
        yield plain(book.conditions[max(conditions, key=lambda s: s.start)].text)


def _entries(entries: tuple[Entry, ...]) -> Iterator[Entry]:
    for entry in entries:
        yield entry
        yield from _entries(entry.below)


def _covers(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.start <= inner.start and inner.end <= outer.end


def enclosing(snapshot: Snapshot, offset: int) -> list[Node]:
    """Return the nodes of a text around an offset, the outermost first."""
    inside: list[Node] = []
    if snapshot.tree is not None:
        inside = [n for n in walk(snapshot.tree) if n.span.source is snapshot.source and _touches(n.span, offset)]
    return sorted(inside, key=lambda n: (n.span.start, -n.span.end))


def _touches(span: Span, offset: int) -> bool:
    return span.start <= offset <= span.end
