"""Read a spec: parse it, add the files that it uses and extends, and keep the readable parts of a wrong text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grammar.diagnostics import Diagnostic, SpecError
from grammar.source import Source, Span
from interpreter.analysis.budget import WORD, spend
from interpreter.analysis.files import Files

if TYPE_CHECKING:
    from grammar.ast import Spec


class Reading(msgspec.Struct, frozen=True):
    """A parsed spec: its tree with the files that it uses and extends, and its syntax errors.

    `tree` is None if no tree can be assembled.  If there are errors, it holds the readable parts, and `unread` the
    names in the other parts.  `fits` is whether the parts fit together, so that the tree can be checked.
    """

    tree: Spec | None
    diagnostics: tuple[Diagnostic, ...] = ()
    unread: frozenset[str] | None = None
    fits: bool = True

    def with_checked(self, found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """Return the syntax errors and the findings of a check; of a partial tree only its errors on other lines."""
        if not self.diagnostics:
            return tuple(found)
        return (*self.diagnostics, *(_elsewhere(self.diagnostics, found) if self.fits else ()))


def read(
    source: Source, folder: Path | None, files: Files | None = None, parse: Callable[[Source], Spec] | None = None
) -> Reading:
    """Parse a source and put in what it uses and extends; `parse` reads each file.  Raises OverBudgetError."""
    from grammar import parser  # late: kept
    from interpreter.analysis.variants import resolve  # late: kept

    parse = parse or parser.parse
    spend(WORD * min(parser.MAX_WORDS, parser.words_of(source.text[: parser.MAX_BYTES])), Span(source, 0, 0))
    form: tuple[Diagnostic, ...] = ()
    unread: frozenset[str] | None = None
    try:
        spec = parse(source)
    except SpecError as error:
        if error.partial is None:
            return Reading(None, error.diagnostics, fits=False)
        spec, form, unread = error.partial.tree, error.diagnostics, error.partial.unread
    try:
        return Reading(resolve(spec, folder, parse, files), form, unread)
    except SpecError as error:
        found = (*form, *_elsewhere(form, error.diagnostics)) if form else error.diagnostics
        part = None if error.partial is None else error.partial.tree
        own = part is not None and part.span.source is source
        return Reading(part if own else None, found, unread or frozenset(), fits=False)


def _elsewhere(known: Iterable[Diagnostic], found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the errors that were found on other lines than those that are known."""
    reported = {(d.span.source.name, d.span.line) for d in known}
    return [d for d in found if d.is_error and (d.span.source.name, d.span.line) not in reported]
