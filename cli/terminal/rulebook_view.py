"""A rulebook on the terminal, as wide as the screen up to a readable width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from interpreter.rulebook.page import Block, Entry, Heading, Lines, Paragraph, Style, Table, runs, tagged

if TYPE_CHECKING:
    from rich.console import Console

WIDEST = 88
_STYLES: dict[Style, str] = {
    "plain": "", "bold": "bold", "chapter": "bold", "term": "italic", "typed": "cyan", "tag": "dim",
}  # fmt: skip


def print_blocks(blocks: Iterable[Block], console: Console, *, spaced: bool = True) -> None:
    """Write blocks of a rulebook, with empty lines between them if `spaced`.

    Emphasis becomes style, without colour it is left out.  All is handed over at once: to begin costs rich more than a
    line does.
    """
    lines: list[Text] = []
    for block in blocks:
        lines += [Text()] if lines and spaced else []
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
        yield from _entries(console, entry.below, entry.numbered, indent + " " * width)


def _table(console: Console, head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> Iterator[Text]:
    """Give the lines of a table: in columns where they fit, otherwise a list in which each cell has its head in front.

    Each row begins with a bullet.
    """
    shown = [[_styled(cell) for cell in row] for row in ((head, *rows) if any(head) else rows)]
    widths = [max(cell.cell_len for cell in column) for column in zip(*shown, strict=True)]
    if any(head) and sum(widths) + 2 * len(widths) > min(console.width, WIDEST) - 2:
        for texts in rows:
            yield from _wrapped(console, texts[0], "  • ", "    ")
            for name, text in zip(head[1:], texts[1:], strict=True):
                if text:
                    yield from _wrapped(console, f"{name}: {text}", "      ", "        ")
        return
    for number, row in enumerate(shown):
        is_head = number == 0 and any(head)
        line = Text("    " if is_head else "  • ")
        for cell, width in zip(row, widths, strict=True):
            cell.pad_right(width - cell.cell_len + 2)
            line.append_text(cell)
        line.rstrip()
        if is_head:
            line.stylize("bold")
        yield line


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
