"""Program repair by generate and validate: offer a fix only if the text passes the checker with it.

A diagnostic has one or several fixes (`Diagnostic.cure`, `others`).  Each is applied to the text, and the whole text is
parsed and checked again.  If a fix leads to another mistake in its lines, the fix of that mistake is added, a few
times.  If a fix fails, only its description stays, without the edits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import pairwise

import attrs

from grammar.diagnostics import Cure, Diagnostic, Edit, common_ends, difference, edited
from grammar.source import Source, Span
from interpreter.analysis.budget import MOST_WORK, OverBudgetError, aside

MOST_STEPS = 3
"""Fixes that one fix is made of at most."""

MOST_VERIFIED = 8
"""Diagnostics of a text whose fixes are verified one by one; of the fixes of the others only the description stays."""

LONGEST = 60_000
"""Characters of a text in which fixes are verified; those of a longer one stay as they are."""

_BLAMED = "CG230"
"""The code of a line that is reported because of what other lines use."""

_CHECKED = "CG2"
"""The codes of mistakes in a text whose form is right are greater."""

_NAME = re.compile(r"[A-Za-z_]\w*")

ErrorsOf = Callable[[Source], Sequence[Diagnostic]]
"""Finds everything that is wrong with a text; the fixes in it are not verified."""


def verified(diagnostics: Iterable[Diagnostic], errors_of: ErrorsOf) -> list[Diagnostic]:
    """Return diagnostics that offer only fixes with which their text is sound, as far as the other mistakes allow."""
    found = [_keeping_brackets(d) for d in diagnostics]
    mended = [d for d in found if d.is_error and d.edits and len(d.span.source.text) <= LONGEST]
    if not mended:
        return found
    with aside(MOST_WORK // 8, mended[0].span):
        verifier = _Verifier([d for d in found if d.is_error], errors_of)
        changed = {id(d): attrs.evolve(d, cure=d.help, others=()) for d in mended}
        for number, diagnostic in enumerate(mended[:MOST_VERIFIED]):
            if number == 1 and verifier.all_fit(mended):
                return found
            changed[id(diagnostic)] = verifier.verify(diagnostic)
            if verifier.cures_all:  # The other mistakes follow from this one.
                return [changed[id(diagnostic)], *(d for d in found if not d.is_error)]
    return [changed.get(id(d), d) for d in found]


def _keeping_brackets(diagnostic: Diagnostic) -> Diagnostic:
    """Return a diagnostic whose fixes leave no bracket without its other one: the span of `(a)` is that of `a`."""
    if diagnostic.code < _CHECKED:
        return diagnostic
    cure = diagnostic.cure
    first = _bracketed(cure) if isinstance(cure, Cure) else cure
    return attrs.evolve(diagnostic, cure=first, others=tuple(map(_bracketed, diagnostic.others)))


def _bracketed(cure: Cure) -> Cure:
    """Return a fix that keeps the brackets of which it would take only one."""
    if not any(_unmatched("".join(edit.span.text for edit in cure.edits))):
        return cure
    if any(any(_unmatched(edit.text)) for edit in cure.edits):
        return cure
    kept = [(edit, *_unmatched(edit.span.text)) for edit in cure.edits]
    return attrs.evolve(cure, edits=tuple(Edit(e.span, f"{closed}{e.text}{opened}") for e, closed, opened in kept))


def _unmatched(text: str) -> tuple[str, str]:
    """Return the brackets that a text closes without having opened them, and those that it leaves open."""
    closed, opened = "", ""
    for sign in text:
        if sign in "([":
            opened += sign
        elif sign in ")]" and opened:
            opened = opened[:-1]
        elif sign in ")]":
            closed += sign
    return closed, opened


def _without_fix(diagnostic: Diagnostic) -> Diagnostic:
    cure = diagnostic.cure
    return attrs.evolve(diagnostic, cure=cure.without_edits if isinstance(cure, Cure) else cure, others=())


@attrs.define(eq=False)
class _Verifier:
    """Verifies the fixes of one text; `errors` is all that is wrong with it."""

    errors: list[Diagnostic]
    errors_of: ErrorsOf
    elsewhere: list[str] = attrs.field(factory=list)
    """Words of fixes that are right in their lines, and lead to mistakes elsewhere."""
    cures_all: bool = False
    """Whether the last fix is the only one that the text needs, although it has other mistakes."""

    def all_fit(self, mended: list[Diagnostic]) -> bool:
        """Say whether the text is sound with the first fix of every mistake."""
        source = self.errors[0].span.source
        edits = sorted((e for d in mended for e in d.edits), key=lambda e: e.span.start)
        disjoint = all(one.span.end <= other.span.start for one, other in pairwise(edits))
        plain = not any(d.others or d.only_one for d in mended) and all(e.span.source is source for e in edits)
        if not (disjoint and plain and len(mended) == len(self.errors)):
            return False
        with suppress(OverBudgetError):
            return not self.errors_of(Source(source.name, edited(source.text, edits)))
        return False

    def verify(self, diagnostic: Diagnostic) -> Diagnostic:
        """Return a diagnostic with the first of its fixes that works, best without another one, or with words alone."""
        works: list[Cure] = []
        self.elsewhere = []
        for cure in (diagnostic.cure, *diagnostic.others):
            if isinstance(cure, Cure) and (complete := self.completed(diagnostic, cure)) is not None:
                works.append(complete)
                if complete is cure and not diagnostic.only_one:
                    works = [complete]
                    break
        if len(works) == 1 or (works and not diagnostic.only_one):
            return attrs.evolve(diagnostic, cure=works[0], others=())
        if self.elsewhere:
            return attrs.evolve(diagnostic, cure=self.elsewhere.pop(), others=())
        return _without_fix(diagnostic)

    def completed(self, diagnostic: Diagnostic, cure: Cure) -> Cure | None:
        """Return a fix with all that it takes for the text to be sound in its lines; None where that is not known."""
        source = diagnostic.span.source
        if any(edit.span.source is not source for edit in cure.edits):
            return cure  # It changes another file, which is not checked for itself.
        others = Counter(_key(d) for d in self.errors if d is not diagnostic)
        text, words = edited(source.text, cure.edits), [cure.text]
        for step in range(MOST_STEPS):
            try:
                errors = [d for d in self.errors_of(Source(source.name, text)) if d.is_error]
            except OverBudgetError:
                return None
            lines = _changed_lines(source.text, text)
            new = [d for d in errors if not others[_key(d)]]
            strict = not others and diagnostic.code >= _CHECKED
            due = any(self.follows(d, source.text, text, alone=strict) for d in new)
            here = [d for d in new if d.span.line in lines and d.span.source.text == text]
            more = next((d for d in here if d.edits), None)
            if not due and more is None:
                self.cures_all = step == 0 and not errors and bool(others)
                whole = Span(source, 0, len(source.text))
                return (
                    cure if step == 0 else Cure("; ".join(dict.fromkeys(words)), (difference(whole, text),), cure.idea)
                )
            if more is None:
                at_fix = [d for d in new if self.follows(d, source.text, text, alone=False) and d.code != _BLAMED]
                self.elsewhere += [] if at_fix else [cure.text]
                return None
            words.append(more.help)
            text = edited(text, more.edits)
        return None

    def follows(self, new: Diagnostic, old: str, text: str, *, alone: bool) -> bool:
        """Say whether a mistake is due to a fix: it is at what the fix has changed, or speaks of a name there.

        Each is, where there was no other mistake (`alone`), and the form of the text was right, so that all of it was
        checked.
        """
        start, end = common_ends(old, text)
        changed = text[start : len(text) - end]
        overlaps = new.span.start <= len(text) - end + 1 and start <= new.span.end + 1
        if alone or new.span.source.text != text or (overlaps and new.span.line in _changed_lines(old, text)):
            return True
        return not set(_NAME.findall(changed)).isdisjoint(_NAME.findall(new.span.text))


def _key(diagnostic: Diagnostic) -> tuple[str, str, str]:
    """Return what makes two mistakes the same in two versions of a text."""
    return diagnostic.code, diagnostic.message, diagnostic.span.source.line(diagnostic.span.line).strip()


def _changed_lines(old: str, new: str) -> range:
    """Return the numbers of the lines of a new text that are not those of the old one."""
    start, end = common_ends(old, new)
    return range(new.count("\n", 0, start) + 1, new.count("\n", 0, max(start, len(new) - end)) + 2)
