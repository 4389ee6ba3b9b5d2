"""Parts of the reports that several commands print: tables and findings."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence

from cli.terminal.screen import PIPED, width


def table(
    rows: Sequence[Sequence[str]], head: Sequence[str] = (), *, indent: str = "", right: bool = False
) -> list[str]:  # fmt: skip
    """Return the lines of a table.  Columns are aligned to the left; with `right` all but the first to the right.

    The last cell of a line does not widen its column, unless it is aligned to the right.
    """
    lines = [[*line] for line in ([head] if head else []) + [*rows]]
    for line in lines:
        while line and not line[-1]:
            line.pop()
    widths = [0] * max(map(len, lines), default=0)
    for line in lines:
        for place, cell in enumerate(line if right else line[:-1]):
            widths[place] = max(widths[place], len(cell))
    made = []
    for line in lines:
        cells = zip(line, widths, range(len(line)), strict=False)
        made.append(indent + "  ".join(c.rjust(w) if right and place else c.ljust(w) for c, w, place in cells).rstrip())
    return made


def numbers(cells: Sequence[str]) -> list[str]:
    """Return the cells of a column of numbers, aligned to the right."""
    longest = max(map(len, cells), default=0)
    return [cell.rjust(longest) for cell in cells]


def decimal(value: float, digits: int, sign: str = "") -> str:
    """Return a number with so many digits after the point, never a negative zero; `+` as `sign` also marks gains."""
    return f"{round(value, digits) + 0.0:{sign},.{digits}f}"


def wrapped(text: str, rest: str = "", *, indent: str = "") -> str:
    """Return a paragraph in lines as wide as the terminal: the first after `indent`, the others after `rest`."""
    columns = min(width(sys.stdout), PIPED)
    return textwrap.fill(
        text, columns, initial_indent=indent, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
