"""What options change: the books of other settings are compared with the book of the standard setting, line by line.

A line of the standard book that another value changes gets a mark.  The table of options has the lines that it becomes.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar.expressions import walk
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Option
from interpreter.analysis.types import Bool, Int
from interpreter.english.words import capital, integer, listing, sentence, words
from interpreter.rulebook.page import Block, Book, Entry, Heading, Lines, Paragraph, Row, Table, verbatim
from interpreter.rulebook.trees import own_tags

MOST = 4
"""Changed lines that the table of options prints; of more it names the chapters."""
DERIVED = ("Actions", "Special cards", "Index of terms", "Summary card", "Example")
"""Chapters that repeat what others say."""
_PRINT = "Print these rules with"
"""Where a value changes more lines than the table prints."""
Value = str | int | bool
Line = tuple[str, str]
"""A chapter and the text of a line."""


def other_values(decl: ast.OptionDecl, rules: Rules) -> list[Value]:
    """Return the values to compare with the standard one: all others, or one other number of a range."""
    option = next(o for o in rules.options if o.name == decl.name)
    standard = option.in_words(option.value)
    match option.type:
        case Bool():
            return [not standard]
        case Int(low=low, high=high):
            assert isinstance(standard, int)
            near = [value for value in (standard + 1, standard - 1) if (low or 0) <= value <= (high or value)]
            return list(near[:1])
    return [word for word in option.words if word != standard]


def lines_of(blocks: tuple[Block, ...], known: Container[str] = ()) -> Iterator[Line]:
    """Give all lines of a book but those of derived chapters; a new lead with what is below it is one of them."""
    chapter = ""
    for block in blocks:
        match block:
            case Heading(text=text):
                chapter = text
            case _ if chapter in DERIVED:
                pass
            case Paragraph(text=text):
                yield chapter, text
            case Lines(entries=entries):
                for entry in entries:
                    yield from ((chapter, text) for text in _texts(entry, known))
            case Table(rows=rows):
                yield from ((chapter, _row_text(row)) for row in rows)


def _texts(entry: Entry, known: Container[str] = ()) -> Iterator[str]:
    """Give the texts of a line and of those below it; below one that is not `known` all belong to it."""
    if known and entry.below and entry.text not in known:
        yield " ".join(_texts(entry))
        return
    yield entry.text
    for below in entry.below:
        yield from _texts(below, known)


def _row_text(row: Row) -> str:
    return sentence(", ".join(cell for cell in row.cells if cell))


@attrs.frozen
class Difference:
    """What one value of an option changes: the lines that it adds, those that it takes away, and `new` chapters."""

    value: Value
    added: tuple[Line, ...]
    removed: tuple[Line, ...]
    new: frozenset[str] = frozenset()


def difference(base: Book, other: Book, value: Value) -> Difference:
    """Compare the book of another setting with the standard one."""
    ours, theirs = list(lines_of(base.blocks)), list(lines_of(other.blocks))
    known, new = {text for _, text in ours}, {text for _, text in theirs}
    added = dict.fromkeys(line for line in lines_of(other.blocks, known) if line[1] not in known)
    chapters = frozenset(chapter for chapter, _ in theirs) - {chapter for chapter, _ in ours}
    return Difference(value, tuple(added), tuple(dict.fromkeys(line for line in ours if line[1] not in new)), chapters)


def marked(book: Book, changed: set[Line]) -> Book:
    """Return a book in which the lines that options change have a mark."""
    chapter = ""
    blocks: list[Block] = []
    for block in book.blocks:
        match block:
            case Heading(text=text):
                chapter = text
                blocks.append(block)
            case Paragraph(text=text):
                blocks.append(attrs.evolve(block, differs=(chapter, text) in changed))
            case Lines(entries=entries):
                blocks.append(attrs.evolve(block, entries=tuple(_marked(e, chapter, changed) for e in entries)))
            case Table(rows=rows):
                some = tuple(attrs.evolve(r, differs=(chapter, _row_text(r)) in changed) for r in rows)
                blocks.append(attrs.evolve(block, rows=some))
    return attrs.evolve(book, blocks=tuple(blocks))


def _marked(entry: Entry, chapter: str, changed: set[Line]) -> Entry:
    below = tuple(_marked(e, chapter, changed) for e in entry.below)
    differs = (chapter, entry.text) in changed
    if differs and all(e.differs for e in below):  # The mark of a lead is for all that is below it.
        below = tuple(attrs.evolve(e, differs=False) for e in below)
    return attrs.evolve(entry, below=below, differs=differs)


def options_table(decls: list[ast.OptionDecl], rules: Rules, found: Mapping[str, list[Difference]]) -> list[Block]:
    """Return the chapter on the options that are open: their values, and what each changes."""
    if not decls:
        return []
    rows = []
    for decl in decls:
        option = next(o for o in rules.options if o.name == decl.name)
        standard = option.in_words(option.value)
        names = (decl.name, *option.words)
        label = f"{capital(words(decl.name))} (`{decl.name}`)"
        changes = [_change(decl, d) for d in found.get(decl.name, [])]
        if decl.text and (not any(changes) or any(_PRINT in change for change in changes)):
            changes = [sentence(verbatim(decl.text)), *changes]
        text = " ".join(c for c in changes if c) or "Nothing in this book."
        rows.append(Row((label, _values(decl, option, standard), text), own_tags(decl), names))
    lead = "“(standard)” marks the standard value. A sentence with ◆ changes with an option."
    return [Heading("Options"), Paragraph(lead), Table(("Option", "Values", "What changes"), tuple(rows))]


def _values(decl: ast.OptionDecl, option: Option, standard: Value) -> str:
    type_, known = option.type, _is_fixed(decl, option)
    if isinstance(type_, Int):
        ends = f"{integer(type_.low or 0)} to {'any number' if type_.high is None else integer(type_.high)}"
        return f"{ends}; **{standard}** (standard)" if known else ends
    values = option.words or ("on", "off")
    own = (standard if option.words else "on" if standard else "off") if known else ""
    return listing([f"**{v}** (standard)" if v == own else v for v in values], "or")


def _is_fixed(decl: ast.OptionDecl, option: Option) -> bool:
    """Whether the standard value depends neither on the number of players nor on other options."""
    return not any(isinstance(n, ex.Name) and n.name not in option.words for n in walk(decl.default))


def _change(decl: ast.OptionDecl, made: Difference) -> str:
    """Return what a value of an option changes, as sentences."""
    if isinstance(made.value, int) and not isinstance(made.value, bool):
        text = f"{sentence(verbatim(decl.text))} " if decl.text else ""
        where = listing(list(dict.fromkeys(chapter for chapter, _ in made.added if chapter)))
        return f"{text}It changes numbers in {where}." if where else text
    value = made.value if isinstance(made.value, str) else "on" if made.value else "off"
    if not made.added and not made.removed:
        return ""
    added = list(dict.fromkeys(chapter for chapter, _ in made.added))
    gone = tuple(line for line in made.removed if line[0] not in added)
    lines = (*made.added, *gone)
    chapters = list(dict.fromkeys(chapter for chapter, _ in lines))
    if len(lines) > MOST:
        setting = f"{decl.name}={str(made.value).lower()}"
        return f"*{value}*: changes {listing(chapters)}. {_PRINT} `--option {setting}`."
    said = []
    for chapter in chapters:
        texts = " ".join(text for where, text in lines if where == chapter)
        where = f"in a new chapter **{chapter}**" if chapter in made.new else f"in **{chapter}**"
        said.append(f"{capital(where)}: {texts}" if chapter in added else f"{capital(where)}, leave out: {texts}")
    return f"*{value}*: {' '.join(said)}"
