"""The text of generated code, line by line.

Each line of Python remembers which line of the spec it came from, so that a fault while playing can be told with
the rule's line.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from grammar.source import Span
from interpreter.analysis.budget import PRINT, spend


@attrs.define
class Lines:
    """The text of a module, line by line, with the place in the spec of each."""

    text: list[str] = attrs.field(factory=list)
    spans: list[Span | None] = attrs.field(factory=list)
    depth: int = 0
    outer: int = 0
    """The depth of functions that are defined now."""

    def add(self, line: str, span: Span | None = None) -> None:
        """Add a line at the depth we are at."""
        spend(PRINT, span)
        self.text.append("    " * self.depth + line)
        self.spans.append(span)

    @contextmanager
    def suite(self) -> Iterator[None]:
        """Add `pass` behind a block that turns out to be empty."""
        before = len(self.text)
        yield
        if len(self.text) == before:
            self.add("pass")

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Let functions be defined inside of the one that is being printed, for the time being."""
        outer, depth = self.outer, self.depth
        self.outer = depth
        yield
        self.outer, self.depth = outer, depth

    def def_(self, name: str, params: str) -> None:
        """Begin a function."""
        self.depth = self.outer
        self.add(f"def {name}({params}):")
        self.depth += 1
