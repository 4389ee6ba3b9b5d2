"""A rulebook as data: headings, paragraphs, lists and tables; and as Markdown.

Texts carry three marks: `*word*` for a word of this game, `**word**` for what a reader looks for,
and backquotes around what is typed or printed on a card.  What a spec writes itself goes through `verbatim`, so that
nothing in it is a mark; `runs` takes a text apart again, and `markdown` escapes what is no mark of this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, assert_never, get_args

import attrs

from grammar.source import Span

DIFFERS = "◆"
"""The mark of a sentence that another value of an option changes."""
Style = Literal["plain", "bold", "term", "typed", "tag"]
"""How a run of text is meant: without a mark, one of the three marks, or the rule tags behind a text."""

_MARKS = re.compile(r"\*\*(?P<bold>[^*]+)\*\*|\*(?P<term>[^*]+)\*|`(?P<typed>[^`]+)`|(?P<tag> \[[A-Z]+\d[^\]]*\]$)")
_STANDING_IN = {"*": "\ue000", "`": "\ue001"}
_TO_MARKS = str.maketrans({char: mark for mark, char in _STANDING_IN.items()})
_TO_CHARS = str.maketrans(_STANDING_IN)
_SYNTAX = re.compile(r"[\\`*_\[\]<>&~#]")
_BEGINNING = re.compile(r"^(\d*)([-+=.)])")


@attrs.frozen
class Entry:
    """One line of a list, with lines below it; `tags` are the rules that it states, `names` what it explains.

    `differs` marks a line that another value of an option changes.
    """

    text: str
    tags: tuple[str, ...] = ()
    below: tuple[Entry, ...] = ()
    names: tuple[str, ...] = ()
    differs: bool = False


@attrs.frozen
class Heading:
    """The title of a chapter (level 2) or a part of one (level 3); level 1 is the game's.

    `names` are what the chapter explains: the phase that it tells.
    """

    text: str
    level: int = 2
    tags: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@attrs.frozen
class Paragraph:
    """A few sentences; a table behind them belongs to them.  `names` are what they explain."""

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
        """The cells with the tags behind the last."""
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

    `asides` are the definitions that the blocks tell in the places where they are used.  By where they stand in the
    spec, `conditions` say of each action when it is possible, `steps` of each statement in which chapter it is told
    and how, `phrases` of values how they are called.  What a block explains is named as in the spec, and cards by what
    is printed on them.
    """

    blocks: tuple[Block, ...]
    asides: tuple[Entry, ...] = ()
    conditions: Mapping[Span, Entry] = attrs.field(factory=dict)
    steps: Mapping[Span, tuple[str, Entry]] = attrs.field(factory=dict)
    phrases: Mapping[Span, str] = attrs.field(factory=dict)

    def part(self, name: str) -> tuple[Block, ...]:
        """Return the paragraphs that explain a thing, without headings."""
        return tuple(b for b in self.blocks if isinstance(b, Paragraph) and name in b.names)


def tagged(text: str, tags: tuple[str, ...], differs: bool = False) -> str:
    """Return a text with the mark of options and its rule tags behind it."""
    return text + (f" {DIFFERS}" if differs else "") + (f" [{', '.join(tags)}]" if tags else "")


def verbatim(text: str) -> str:
    """Return a text of a spec so that it can stand in a text of the book: its stars and backquotes are no marks.

    Characters for private use stand for them, which no spec may contain.
    """
    return text.translate(_TO_CHARS)


def runs(text: str) -> Iterator[tuple[str, Style]]:
    """Take a text apart at its marks; what stood in a spec is as it stood there."""
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


def markdown(book: Book) -> str:
    """Return a rulebook as Markdown."""
    parts: list[str] = []
    for block in book.blocks:
        match block:
            case Heading(text=text, level=level, tags=tags):
                parts.append(f"{'#' * level} {_escaped(tagged(text, tags), in_line=True)}\n")
            case Paragraph(text=text, tags=tags, differs=differs):
                parts.append(f"{_escaped(tagged(text, tags, differs))}\n")
            case Lines(entries=entries, numbered=numbered):
                parts.append("".join(_lines(entries, numbered, "")))
            case Table(head=head, rows=rows):
                shown = (head, *(row.shown for row in rows))
                cells = [[_cell(cell) for cell in row] for row in shown]
                lines = [cells[0], ["---"] * len(head), *cells[1:]]
                parts.append("".join(f"| {' | '.join(line)} |\n" for line in lines))
    return "\n".join(parts)


def _lines(entries: tuple[Entry, ...], numbered: bool, indent: str) -> list[str]:
    made: list[str] = []
    for number, entry in enumerate(entries, 1):
        mark = f"{number}." if numbered else "-"
        made.append(f"{indent}{mark} {_escaped(tagged(entry.text, entry.tags, entry.differs))}\n")
        made += _lines(entry.below, False, indent + " " * (len(mark) + 1))
    return made


def _cell(text: str) -> str:
    """Return a cell of a table: a stroke in it is no border."""
    return "\\|".join(_escaped(text, in_line=True).split("|"))


def _escaped(text: str, *, in_line: bool = False) -> str:
    """Return a text of the book in Markdown: its own marks as they are, all else as text (CommonMark).

    What is syntax only at the beginning of a block stays as it is where something stands in front (`in_line`).
    """
    made = "".join(_run(run, style) for run, style in runs(text))
    return made if in_line else _BEGINNING.sub(r"\1\\\2", made)


def _run(text: str, style: Style) -> str:
    match style:
        case "plain":
            return _SYNTAX.sub(r"\\\g<0>", text)
        case "bold":
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
