"""The text of printed C: lines at a depth, blocks, and parts that are printed aside to be put in later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from interpreter.analysis.budget import PRINT, spend

SITE = "// site "
"""The comment before the lines of a statement or definition, in front of its number."""


class UnprintableError(Exception):
    """A rule that the printer of C has no form for; the text says which."""


@attrs.define
class Text:
    """Lines of C."""

    lines: list[str] = attrs.field(factory=list)
    depth: int = 0

    def add(self, line: str) -> None:
        """Add a line at the depth we are at."""
        spend(PRINT)
        self.lines.append("    " * self.depth + line)

    @contextmanager
    def block(self, head: str, end: str = "}") -> Iterator[None]:
        """Add lines in braces after a head."""
        self.add(f"{head} {{" if head else "{")
        self.depth += 1
        yield
        self.depth -= 1
        self.add(end)

    @contextmanager
    def aside(self) -> Iterator[list[str]]:
        """Give the list that takes the lines that are added inside."""
        before, self.lines = self.lines, []
        try:
            yield self.lines
        finally:
            self.lines = before

    def put(self, lines: list[str]) -> None:
        """Add lines that were printed aside."""
        self.lines.extend(lines)
