"""A rulebook on the terminal: as wide as the screen, at most so wide that lines can be read easily."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.text import Text

from interpreter.rulebook.page import Block, Entry, Heading, Lines, Paragraph, Style, Table, runs, tagged

if TYPE_CHECKING:
    from rich.console import Console

WIDEST = 88
NARROWEST = 8
"""Letters of a column below which it is not narrowed."""
_STYLES: dict[Style, str] = {"plain": "", "bold": "bold", "term": "italic", "typed": "cyan", "tag": "dim"}


def print_blocks(blocks: Iterable[Block], console: Console, *, apart: bool = True) -> None:
    """Write blocks of a rulebook, with empty lines between them if `apart`.

    Emphasis becomes style, without colour it is left out.  All is handed over at once: to begin costs rich more than a
    line does.
    """
    lines: list[Text] = []
    for block in blocks:
        lines += [Text()] if lines and apart else []
        lines += _lines(block, console)
    if lines:
        console.print(Text("\n").join(lines), soft_wrap=True)


def _lines(block: Block, console: Console) -> Iterator[Text]:
    match block:
        case Heading(text=text, level=level, tags=tags):
            styled = _styled(tagged(text.upper() if level == 1 else text, tags))
            styled.stylize("bold" if level > 1 else "bold underline")
            yield from styled.wrap(console, console.width)
            if level == 2:
                yield Text("─" * min(len(tagged(text, tags)), console.width))
        case Paragraph(text=text, tags=tags, differs=differs):
            yield from _wrapped(console, tagged(text, tags, differs), "", "")
        case Lines(entries=entries, numbered=numbered):
            yield from _entries(console, entries, numbered, "  ")
        case Table(head=head, rows=rows):
            yield from _table(console, head, tuple(row.shown for row in rows))


def _entries(console: Console, entries: tuple[Entry, ...], numbered: bool, indent: str) -> Iterator[Text]:
    width = len(str(len(entries))) + 2 if numbered else 2
    for number, entry in enumerate(entries, 1):
        mark = f"{number}." if numbered else "•"
        yield from _wrapped(
            console, tagged(entry.text, entry.tags, entry.differs), indent + mark.ljust(width), indent + " " * width
        )
        yield from _entries(console, entry.below, False, indent + " " * width)


def _table(console: Console, head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> Iterator[Text]:
    """Give the lines of a table; columns that are too wide for the screen are broken into several lines."""
    shown = [[_styled(cell) for cell in row] for row in ((head, *rows) if any(head) else rows)]
    widths = _widths(shown, min(console.width, WIDEST) - 2 * len(head))
    for number, row in enumerate(shown):
        cells = [
            cell.wrap(console, width) if cell.cell_len > width else [cell]
            for cell, width in zip(row, widths, strict=True)
        ]
        for parts in zip_longest(*cells):
            line = Text("  ")
            for part, width in zip(parts, widths, strict=True):
                cell = Text() if part is None else part.copy()
                cell.rstrip()
                cell.pad_right(width - cell.cell_len + 2)
                line.append_text(cell)
            line.rstrip()
            if number == 0 and any(head):
                line.stylize("bold")
            yield line


def _widths(rows: list[list[Text]], room: int) -> list[int]:
    """Return the widths of columns: as wide as their cells, the widest narrowed until all fit."""
    widths = [max(1, *(cell.cell_len for cell in column)) for column in zip(*rows, strict=True)]
    while sum(widths) > room and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _wrapped(console: Console, text: str, first: str, rest: str) -> Iterator[Text]:
    """Give the lines of a text, each after its indent."""
    width = max(min(console.width, WIDEST) - len(rest), 20)
    styled = _styled(text)
    for number, line in enumerate([styled] if styled.cell_len <= width else styled.wrap(console, width)):
        line.rstrip()
        yield Text(rest if number else first).append_text(line)


def _styled(text: str) -> Text:
    """Return a text whose marks have become styles."""
    return Text.assemble(*((run, _STYLES[style]) for run, style in runs(text)))
