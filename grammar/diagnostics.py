"""What is wrong with a text, as data.

A `Diagnostic` says what, where and what to write instead; it knows nothing of terminals or colours (see
`grammar.render`).  Phases collect diagnostics in a list and raise them together as one `SpecError`, so
that one run reports many mistakes.  The codes and their documentation are in `grammar.codes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

import attrs

from grammar.source import Span


class Severity(Enum):
    """How bad it is.  Only errors keep a spec from being played."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@attrs.define(frozen=True)
class Label:
    """A second place that belongs to the same mistake, and what it has to do with it."""

    span: Span
    text: str


@attrs.define(frozen=True)
class Diagnostic:
    """One mistake: a registered code, where it is, one clause about it, and the cure."""

    code: str
    message: str
    span: Span
    help: str = ""
    severity: Severity = Severity.ERROR
    labels: tuple[Label, ...] = ()
    note: str = ""

    @property
    def is_error(self) -> bool:
        """Whether a spec with it cannot be played."""
        return self.severity is Severity.ERROR


class CardgameError(Exception):
    """Everything that this package raises at those who call it, and that they may want to catch."""


class SpecError(CardgameError):
    """A text that cannot be used, with everything that is wrong with it (at least one error)."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        first = next((d for d in self.diagnostics if d.is_error), self.diagnostics[0])
        more = sum(d.is_error for d in self.diagnostics) - 1
        behind = f" (and {more} more)" if more > 0 else ""
        super().__init__(f"{first.span}: {first.code} {first.message}{behind}")
