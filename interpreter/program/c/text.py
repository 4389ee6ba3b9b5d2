"""The text of printed C: lines at a depth, blocks, and parts that are printed aside to be put in later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from grammar.source import Span
from interpreter.analysis.budget import PRINT, spend


class UnprintableError(Exception):
    """A rule that the printer of C has no form for; the text says which."""


Line = tuple[str, Span | None]


@attrs.define
class Text:
    """Lines of C, each with the place in the spec that it came from, which is that of `span` when it is added."""

    lines: list[Line] = attrs.field(factory=list)
    depth: int = 0
    span: Span | None = None

    def add(self, line: str) -> None:
        """Add a line at the depth we are at."""
        spend(PRINT, self.span)
        self.lines.append(("    " * self.depth + line, self.span))

    @contextmanager
    def block(self, head: str, end: str = "}") -> Iterator[None]:
        """Add lines in braces behind a head."""
        self.add(f"{head} {{" if head else "{")
        self.depth += 1
        yield
        self.depth -= 1
        self.add(end)

    @contextmanager
    def aside(self) -> Iterator[list[Line]]:
        """Give the list that takes, for the time being, the lines that are added."""
        before, self.lines = self.lines, []
        try:
            yield self.lines
        finally:
            self.lines = before

    def put(self, lines: list[Line]) -> None:
        """Put lines in that were printed aside, one step deeper than they were printed at if we are there now."""
        self.lines.extend(lines)
