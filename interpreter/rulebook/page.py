"""A rulebook as data: headings, paragraphs, lists and tables; as Markdown; and as HTML for the screen and for print.

Texts carry four marks: `*word*` for a word of this game, `**word**` for what a reader looks for, `**§title**` for a
chapter, and backquotes around what is typed or printed on a card.  What a spec writes itself goes through `verbatim`,
so that nothing in it is a mark; `runs` splits a text again, and `markdown` escapes what is no mark of this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Literal, assert_never, get_args

import attrs

from grammar.source import Span
from interpreter.english.words import capital, words

TERMS = "Terms:"
"""The paragraph before definitions."""
NOTED = "Also note during"
"""The beginning of a line that says what a chapter notes, and repeats what that chapter says."""
DIFFERS = "◆"
"""The mark of a sentence that another value of an option changes."""
NUMBERED = 4
"""A book with at least so many chapters of phases numbers its chapters."""
Style = Literal["plain", "bold", "chapter", "term", "typed", "tag"]
"""The style of a run of text: without a mark, one of the four marks, or the rule tags after a text."""

_MARKS = re.compile(
    r"\*\*§(?P<chapter>[^*]+)\*\*|\*\*(?P<bold>[^*]+)\*\*|\*(?P<term>[^*]+)\*|`(?P<typed>[^`]+)`"
    r"|(?P<tag> \[[A-Z]+\d[^\]]*\]$)"
)
_REFERENCE = re.compile(r"\*\*§([^*]+)\*\*")
_STANDING_IN = {"*": "\ue000", "`": "\ue001"}
_TO_MARKS = str.maketrans({char: mark for mark, char in _STANDING_IN.items()})
_TO_CHARS = str.maketrans(_STANDING_IN)
_SYNTAX = re.compile(r"[\\`*_\[\]<>&~#]")
_BEGINNING = re.compile(r"^(\d*)([-+=.)])")


@attrs.frozen
class Entry:
    """One line of a list, with lines below it; `tags` are the rules that it states, `names` what it explains.

    `differs` marks a line that another value of an option changes.  `numbered` says that the lines below are steps in
    the order of play.  `short` is a decision as the summary has it: "you may order or pass".
    """

    text: str
    tags: tuple[str, ...] = ()
    below: tuple[Entry, ...] = ()
    names: tuple[str, ...] = ()
    differs: bool = False
    numbered: bool = False
    short: str = ""

    def walk(self) -> Iterator[Entry]:
        """Give the line and all lines below it."""
        yield self
        for entry in self.below:
            yield from entry.walk()

    def all_tags(self) -> Iterator[str]:
        """Give the tags of the line and of all below it."""
        return (tag for entry in self.walk() for tag in entry.tags)


@attrs.frozen
class Heading:
    """The title of a chapter (level 2) or a part of one (level 3); level 1 is the game's.

    `names` are what the chapter explains: its phase.
    """

    text: str
    level: int = 2
    tags: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@attrs.frozen
class Paragraph:
    """A few sentences; a table after them belongs to them.  `names` are what they explain."""

    text: str
    tags: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    differs: bool = False


@attrs.frozen
class Lines:
    """A list; `numbered` where the order is the order of play."""

    entries: tuple[Entry, ...]
    numbered: bool = False


@attrs.frozen
class Row:
    """A row of a table, with the rules that it states and what it explains."""

    cells: tuple[str, ...]
    tags: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    differs: bool = False

    @property
    def shown(self) -> tuple[str, ...]:
        """The cells with the tags after the last."""
        *cells, last = self.cells
        return (*cells, tagged(last, self.tags, self.differs))


@attrs.frozen
class Table:
    """Rows under a head; a head of empty cells is not printed."""

    head: tuple[str, ...]
    rows: tuple[Row, ...]


Block = Heading | Paragraph | Lines | Table


@attrs.frozen
class Book:
    """A whole rulebook.

    `asides` are the definitions that the blocks write out where they are used.  By where they stand in the spec,
    `conditions` say of each action when it is possible, `limits` what one part of that requires, `steps` of each
    statement in which chapter it is described and how, `phrases` of values how they are called.  What a block explains
    is named as in the spec, and cards by what is printed on them.  `alternatives` are the books of other values of
    options, by the option.
    """

    blocks: tuple[Block, ...]
    asides: tuple[Entry, ...] = ()
    conditions: Mapping[Span, Entry] = attrs.field(factory=dict)
    limits: Mapping[tuple[Span, Span], tuple[Entry, ...]] = attrs.field(factory=dict)
    steps: Mapping[Span, tuple[str, Entry]] = attrs.field(factory=dict)
    phrases: Mapping[Span, str] = attrs.field(factory=dict)
    alternatives: Mapping[str, Mapping[str | int | bool, Book]] = attrs.field(factory=dict)

    def part(self, name: str) -> tuple[Block, ...]:
        """Return the paragraphs that explain a thing, without headings."""
        return tuple(b for b in self.blocks if isinstance(b, Paragraph) and name in b.names)


def tagged(text: str, tags: tuple[str, ...], differs: bool = False) -> str:
    """Return a text with the mark of options and its rule tags after it."""
    return text + (f" {DIFFERS}" if differs else "") + (f" [{', '.join(tags)}]" if tags else "")


def verbatim(text: str) -> str:
    """Return a text of a spec so that it can stand in a text of the book: its stars and backquotes are no marks.

    Characters for private use stand for them, which no spec may contain.
    """
    return text.translate(_TO_CHARS)


SENTENCES = re.compile(r"(?<=[.]) (?=[*“]*[A-Z])|(?<=[.]”) (?=[*“]*[A-Z])")
WITH = "With {}, "
"""The beginning of a sentence that holds only if an option is on."""


def chapter_mark(name: str) -> str:
    """Return the title of a chapter as a reference to it."""
    return f"**§{name}**"


def option_mark(name: str) -> str:
    """Return what an option is called in sentences about it."""
    return f"option **{capital(words(name))}**"


def numbered(book: Book) -> Book:
    """Return a book with a number before each title, also where a text refers to it; a small book as it is."""
    numbers: dict[str, str] = {}
    chapter = part = 0
    for block in book.blocks:
        match block:
            case Heading(level=2):
                chapter, part = chapter + 1, 0
                numbers[block.text] = str(chapter)
            case Heading(level=3):
                part += 1
                numbers[block.text] = f"{chapter}.{part}"
    if sum(isinstance(b, Heading) and b.level == 3 and bool(b.names) for b in book.blocks) < NUMBERED:
        return book

    def text(said: str) -> str:
        return _REFERENCE.sub(lambda m: f"**§{numbers[m[1]]} {m[1]}**" if m[1] in numbers else m[0], said)

    def entry(line: Entry) -> Entry:
        return attrs.evolve(line, text=text(line.text), below=tuple(map(entry, line.below)))

    def block_(block: Block) -> Block:
        match block:
            case Heading(text=said):
                return attrs.evolve(block, text=f"{numbers[said]} {said}") if block.level > 1 else block
            case Paragraph(text=said):
                return attrs.evolve(block, text=text(said))
            case Lines(entries=entries):
                return attrs.evolve(block, entries=tuple(map(entry, entries)))
            case Table(rows=rows):
                return attrs.evolve(block, rows=tuple(attrs.evolve(r, cells=tuple(map(text, r.cells))) for r in rows))

    return attrs.evolve(book, blocks=tuple(map(block_, book.blocks)))


def runs(text: str) -> Iterator[tuple[str, Style]]:
    """Split a text at its marks; what stood in a spec is as it stood there."""
    end = 0
    for found in _MARKS.finditer(text):
        if found.start() > end:
            yield text[end : found.start()].translate(_TO_MARKS), "plain"
        style = next(style for style in get_args(Style) if style == found.lastgroup)
        yield found.group(style).translate(_TO_MARKS), style
        end = found.end()
    if end < len(text):
        yield text[end:].translate(_TO_MARKS), "plain"


def plain(text: str) -> str:
    """Return a text without its marks."""
    return "".join(run for run, _ in runs(text))


def in_a_line(entry: Entry) -> str:
    """Return a line without marks; a lead with the lines below it that have none below them."""
    below = "; ".join(plain(e.text) for e in entry.below if not e.below) if entry.text.endswith(":") else ""
    return f"{plain(entry.text)} {below}" if below else plain(entry.text)


def markdown(book: Book) -> str:
    """Return a rulebook as Markdown."""
    parts: list[str] = []
    for block in numbered(book).blocks:
        match block:
            case Heading(text=text, level=level, tags=tags):
                parts.append(f"{'#' * level} {_escaped(tagged(text, tags), in_line=True)}\n")
            case Paragraph(text=text, tags=tags, differs=differs):
                parts.append(f"{_escaped(tagged(text, tags, differs))}\n")
            case Lines(entries=entries):
                parts.append("".join(_lines(entries, block.numbered, "")))
            case Table(head=head, rows=rows):
                shown = (head, *(row.shown for row in rows))
                cells = [[_cell(cell) for cell in row] for row in shown]
                lines = [cells[0], ["---"] * len(head), *cells[1:]]
                parts.append("".join(f"| {' | '.join(line)} |\n" for line in lines))
    return "\n".join(parts)


def _lines(entries: tuple[Entry, ...], in_order: bool, indent: str) -> list[str]:
    made: list[str] = []
    for number, entry in enumerate(entries, 1):
        mark = f"{number}." if in_order else "-"
        made.append(f"{indent}{mark} {_escaped(tagged(entry.text, entry.tags, entry.differs))}\n")
        made += _lines(entry.below, entry.numbered, indent + " " * (len(mark) + 1))
    return made


_STYLE = """
body { font: 11pt/1.45 Georgia, serif; max-width: 46em; margin: 2em auto; padding: 0 1em; }
h1, h2, h3 { font-family: sans-serif; break-after: avoid; }
table { border-collapse: collapse; width: 100%; break-inside: avoid; }
th, td { border: 1px solid #999; padding: .25em .5em; text-align: left; vertical-align: top; }
th:empty { border: 0; padding: 0; }
@media print { body { margin: 0; max-width: none; } a { color: inherit; } }
"""


def html(book: Book) -> str:
    """Return a rulebook as a page of HTML that prints well; what a spec writes is text in it."""
    from markdown_it import MarkdownIt  # late: help

    title = next((plain(b.text) for b in book.blocks if isinstance(b, Heading)), "Rules")
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown(book))
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n{body}</body></html>\n'


def _cell(text: str) -> str:
    """Return a cell of a table: a stroke in it is no border."""
    return "\\|".join(_escaped(text, in_line=True).split("|"))


def _escaped(text: str, *, in_line: bool = False) -> str:
    """Return a text of the book in Markdown: its own marks as they are, all else as text (CommonMark).

    What is syntax only at the beginning of a block stays as it is where something is in front (`in_line`).
    """
    made = "".join(_run(run, style) for run, style in runs(text))
    return made if in_line else _BEGINNING.sub(r"\1\\\2", made)


def _run(text: str, style: Style) -> str:
    match style:
        case "plain":
            return _SYNTAX.sub(r"\\\g<0>", text)
        case "bold" | "chapter":
            return f"**{_run(text, 'plain')}**"
        case "term":
            return f"*{_run(text, 'plain')}*"
        case "typed":
            # A fence is longer than any row of backquotes inside it.
            fence = "`" * (max(map(len, re.findall(r"`+", text)), default=0) + 1)
            pad = " " if text.startswith("`") or text.endswith("`") else ""
            return f"{fence}{pad}{text}{pad}{fence}"
        case "tag":
            return text
        case _:
            assert_never(style)
