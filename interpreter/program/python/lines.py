"""The text of generated code, line by line, at its depth."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from interpreter.analysis.budget import PRINT, spend


@attrs.define
class Lines:
    """The lines of a module."""

    text: list[str] = attrs.field(factory=list)
    depth: int = 0

    def add(self, line: str) -> None:
        """Add a line at the current depth."""
        spend(PRINT)
        self.text.append("    " * self.depth + line)

    def replace(self, start: str, line: str) -> None:
        """Add a line, in place of the last one where that begins alike: the last of two assignments is what counts."""
        if self.text and self.text[-1].startswith("    " * self.depth + start):
            self.text.pop()
        self.add(line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Add a compound statement: its head, and the lines that are added inside the block, or `pass`."""
        self.add(head)
        before = len(self.text)
        self.depth += 1
        yield
        if len(self.text) == before:
            self.add("pass")
        self.depth -= 1
