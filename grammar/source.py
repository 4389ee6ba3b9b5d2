"""Source texts and the places in them.

A `Source` is one text with a name; a `Span` is a stretch of it. Every node of the syntax tree carries a
span, every diagnostic points at one, and no later phase keeps positions of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property, lru_cache
from pathlib import Path, PurePath

import attrs

from grammar.files import read_bounded
from grammar.printable import in_line


@attrs.define(frozen=True, slots=False, eq=False)
class Source:
    """A text and the name it is known by: a path, `<text>`, or the name of a bundled file.  Compared by identity."""

    name: str
    text: str = attrs.field(repr=False)

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Return the offset at which each line begins, in characters."""
        starts = [0]
        starts.extend(i + 1 for i, char in enumerate(self.text) if char == "\n")
        return tuple(starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset, both counted from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return one line, counted from 1, without its end; empty beyond the last."""
        if not 1 <= number <= len(self.line_starts):
            return ""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end].rstrip("\r")


READ_LIMIT = 4_000_000
"""Bytes of a file that are read at most; more than any spec may have, so that the parser can refuse it."""


def read_source(path: Path, name: str | None = None) -> Source:
    """Return a file's text; `name` is what it is known by, where that is not its path.

    A file that is read again soon and still says the same is the same source, so that it need not be parsed again.
    Bytes that are no UTF-8 become what the parser refuses.  Raises OSError.
    """
    data = read_bounded(path, READ_LIMIT)
    return _source(name or str(path), data.decode("utf-8", "surrogateescape"))


_source = lru_cache(maxsize=16)(Source)


@attrs.define(frozen=True)
class Span:
    """Characters `start` up to but not including `end` of a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """The line it begins on, counted from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column it begins at, counted from 1."""
        return self.source.position(self.start)[1]

    @property
    def end_position(self) -> tuple[int, int]:
        """The line and the column just after it."""
        return self.source.position(self.end)

    @property
    def location(self) -> str:
        """The line and the file in words: `line 88 of arcanity.cardgame`, since a spec may have several files."""
        name = PurePath(self.source.name).name
        return f"line {self.line} of {'the spec' if name.startswith('<') else name}"

    def __repr__(self) -> str:
        return f"<{self.location}>"

    @property
    def text(self) -> str:
        """The characters it covers."""
        return self.source.text[self.start : self.end]

    @property
    def before(self) -> Span:
        """The place of no width in front of it."""
        return Span(self.source, self.start, self.start)

    @property
    def after(self) -> Span:
        """The place of no width after it."""
        return Span(self.source, self.end, self.end)

    def part(self, word: str) -> Span:
        """Return where a word is in it: at its beginning, at its end, or else where it first does."""
        text = self.text
        at = 0 if text.startswith(word) else len(text) - len(word) if text.endswith(word) else text.find(word)
        return self if at < 0 else Span(self.source, self.start + at, self.start + at + len(word))

    def word(self, name: str) -> Span:
        """Return where a name is first a whole word in it."""
        found = re.search(rf"\b{re.escape(name)}\b", self.text)
        return self if found is None else Span(self.source, self.start + found.start(), self.start + found.end())

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of another of the same source."""
        return Span(self.source, self.start, max(self.end, other.end))

    def __str__(self) -> str:
        return f"{in_line(self.source.name)}:{self.line}:{self.column}"
