"""Diagnostics: mistakes in a text as data, each with its place and a fix.

`grammar.render` prints them.  Phases collect diagnostics in a list and raise them together as one `SpecError`, so
that one run reports many mistakes.  The codes and their documentation are in `grammar.codes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

import attrs

from grammar.source import Span


class Severity(Enum):
    """The severity of a diagnostic.  A spec with an error cannot be played."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@attrs.define(frozen=True)
class Label:
    """A second place that belongs to the same mistake, and how it is related."""

    span: Span
    text: str


@attrs.define(frozen=True)
class Edit:
    """A span and its replacement text; an empty span inserts the text."""

    span: Span
    text: str


@attrs.define(frozen=True)
class Cure:
    """A fix: its description, and the edits that it describes.

    `idea` is the part of the description that stays true if the edits lead to another mistake; None if all of `text`
    does.
    """

    text: str
    edits: tuple[Edit, ...]
    idea: str | None = None

    @property
    def without_edits(self) -> str:
        """The description to show if the edits do not fix the mistake."""
        return self.text if self.idea is None else self.idea


def write(span: Span, text: str, why: str = "") -> Cure:
    """Return the cure to write a text in the place of what is at a span; `why` follows after a colon."""
    return Cure(f"write `{text}`{': ' if why else ''}{why}", (Edit(span, text),), why)


def insert(span: Span, text: str, words: str) -> Cure:
    """Return the cure to put a text in front of what is at a span; `words` say so."""
    return Cure(words, (Edit(span.before, text),))


def drop(span: Span, words: str) -> Cure:
    """Return the cure to leave out what is at a span, with the blank in front of it; `words` say so."""
    start = span.start
    while start > 0 and span.source.text[start - 1] in " \t":
        start -= 1
    return Cure(words, (Edit(Span(span.source, start, span.end), ""),))


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with edits made, none of which overlap."""
    for edit in sorted(edits, key=lambda e: e.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def common_ends(old: str, new: str) -> tuple[int, int]:
    """Return how many characters two texts have in common at the beginning, and then at the end."""
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    end = next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)
    return start, end


def difference(span: Span, new: str) -> Edit:
    """Return the least edit that makes what is at a span another text."""
    start, end = common_ends(span.text, new)
    return Edit(Span(span.source, span.start + start, span.end - end), new[start : len(new) - end])


@attrs.define(frozen=True)
class Diagnostic:
    """One mistake: a registered code, where it is, one clause about it, and the cure.

    The cure is a text where nobody but the author can know what to write, and a `Cure` where it is an edit.  `others`
    are fixes to try where that one fails; with `only_one` none is offered if several of them work.
    """

    code: str
    message: str
    span: Span
    cure: str | Cure = ""
    severity: Severity = Severity.ERROR
    labels: tuple[Label, ...] = ()
    note: str = ""
    others: tuple[Cure, ...] = ()
    only_one: bool = False

    @property
    def help(self) -> str:
        """The description of the fix; empty if there is none."""
        return self.cure.text if isinstance(self.cure, Cure) else self.cure

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits that fix the mistake; none if the fix is not certain."""
        return self.cure.edits if isinstance(self.cure, Cure) else ()

    @property
    def is_error(self) -> bool:
        """Whether a spec with it cannot be played."""
        return self.severity is Severity.ERROR


class CardgameError(Exception):
    """The base class of all exceptions that callers of this program may want to catch."""


UNREAD = "?"
"""The placeholder for a name that could not be read.  No text can contain it, and no phase reports it."""


@attrs.define(frozen=True)
class Partial:
    """The part of a wrong text that can be read: a syntax tree, and the names in the parts that were skipped.

    A skipped part may declare such a name, so it is not reported as undeclared.
    """

    tree: Any
    unread: frozenset[str]


class SpecError(CardgameError):
    """A text that cannot be used, with all its diagnostics (at least one error).

    `partial` is the part that could be read if the text has syntax errors only; None otherwise.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic], partial: Partial | None = None) -> None:
        self.diagnostics = tuple(diagnostics)
        self.partial = partial
        first = next((d for d in self.diagnostics if d.is_error), self.diagnostics[0])
        more = sum(d.is_error for d in self.diagnostics) - 1
        rest = f" (and {more} more)" if more > 0 else ""
        super().__init__(f"{first.span}: {first.code} {first.message}{rest}")

    @classmethod
    def of(cls, code: str, message: str, span: Span, cure: str | Cure = "", *, note: str = "") -> SpecError:
        """Return the error of a text with one mistake."""
        return cls([Diagnostic(code, message, span, cure, note=note)])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.diagnostics, self.partial)
