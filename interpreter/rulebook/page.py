"""A rulebook as data: headings, paragraphs, lists and tables; and as Markdown.

Texts carry three marks: `*word*` for a word of this game, `**word**` for what a reader looks for,
and backquotes around what is typed or printed on a card.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Entry:
    """One line of a list, with lines below it; `tags` are the rules that it tells."""

    text: str
    tags: tuple[str, ...] = ()
    below: tuple[Entry, ...] = ()


@attrs.frozen
class Heading:
    """The title of a chapter (level 2) or a part of one (level 3); level 1 is the game's."""

    text: str
    level: int = 2
    tags: tuple[str, ...] = ()


@attrs.frozen
class Paragraph:
    """A few sentences."""

    text: str
    tags: tuple[str, ...] = ()


@attrs.frozen
class Lines:
    """A list; `numbered` where the order is the order of play."""

    entries: tuple[Entry, ...]
    numbered: bool = False


@attrs.frozen
class Table:
    """Rows under a head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Block = Heading | Paragraph | Lines | Table


@attrs.frozen
class Book:
    """A whole rulebook."""

    blocks: tuple[Block, ...]


def tagged(text: str, tags: tuple[str, ...]) -> str:
    """Return a text with its rule tags behind it."""
    return f"{text} [{', '.join(tags)}]" if tags else text


def markdown(book: Book) -> str:
    """Return a rulebook as Markdown."""
    parts: list[str] = []
    for block in book.blocks:
        match block:
            case Heading(text=text, level=level, tags=tags):
                parts.append(f"{'#' * level} {tagged(text, tags)}\n")
            case Paragraph(text=text, tags=tags):
                parts.append(f"{tagged(text, tags)}\n")
            case Lines(entries=entries, numbered=numbered):
                parts.append("".join(_lines(entries, numbered, "")))
            case Table(head=head, rows=rows):
                lines = [head, tuple("---" for _ in head), *rows]
                parts.append("".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |\n" for row in lines))
    return "\n".join(parts)


def _lines(entries: tuple[Entry, ...], numbered: bool, indent: str) -> list[str]:
    made: list[str] = []
    for number, entry in enumerate(entries, 1):
        mark = f"{number}." if numbered else "-"
        made.append(f"{indent}{mark} {tagged(entry.text, entry.tags)}\n")
        made += _lines(entry.below, False, indent + " " * (len(mark) + 1))
    return made
