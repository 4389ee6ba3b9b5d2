"""Fuel for checking and compiling a spec: the work is counted in units that are the same on every machine.

Counted work, not time: walking an expression, checking one, weaving a statement and the like each spend units, about
three for two microseconds on a machine of today, so that all of them together are some four seconds.  The caller that
starts opens a budget (`budget`); what is called inside spends from it (`spend`), through a context variable, since
nearly all passes of the checker and the compiler take part.  When it is used up `OverBudgetError` is raised, with the
span that was being worked on.  Play spends nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import msgspec

from grammar.diagnostics import Diagnostic, SpecError
from grammar.source import Span

MOST_WORK = 7_000_000
"""Units for a spec, from its text to code: for one setting that is loaded, and for all that are validated together.

It is one number, so that what validates can be loaded.
"""

WORD = 70
"""Units that a word of a text takes until it is in a syntax tree."""

WALK = 2
STEP = 3
STATEMENT = 6
CHECK = 30
PASS = 30
PRINT = 30
POINT = 1
DECLARE = 120
ACTION = 150
REPORT = 200
"""Units for one walk through an expression, for each step of it, for each statement that is met in a block, for each
expression or statement that is checked, that a pass of the analysis goes through, and that is turned into code; for
each fact that is carried along, for each line that declares something, each action, and each mistake."""


class OverBudgetError(SpecError):
    """A spec takes more work than the budget in force has left."""


class SupersededError(Exception):
    """The caller no longer needs the result of the work, because the text has changed."""


class Work(msgspec.Struct, eq=False):
    """A budget: its units, those that are used, and where work is done; `is_superseded` ends the work early."""

    limit: int
    used: int = 0
    span: Span | None = None
    is_superseded: Callable[[], bool] | None = None

    @property
    def left(self) -> int:
        """Units that are left."""
        return self.limit - self.used

    def spend(self, units: int, span: Span | None = None) -> None:
        """Use units up.  Raises OverBudgetError when there are none left, SupersededError when none are needed."""
        if self.is_superseded is not None and self.is_superseded():
            raise SupersededError
        self.used += units
        if span is not None:
            self.span = span
        if self.used > self.limit:
            raise OverBudgetError([self.diagnostic()])

    def diagnostic(self) -> Diagnostic:
        """Return the diagnostic of a budget that is used up."""
        span = self.span
        assert span is not None, "a budget begins with a span"
        return Diagnostic(
            "CG405",
            "checking this spec takes more work than any game needs; the budget was used up here",
            span,
            "make the spec shorter: put repeated rules into a phase or definition, and take fewer options, "
            "`whenever` rules and settings",
            note=f"the budget is {self.limit:,} units of work",
        )


_OPEN: ContextVar[Work | None] = ContextVar("work", default=None)


@contextmanager
def budget(limit: int, span: Span, is_superseded: Callable[[], bool] | None = None) -> Iterator[Work]:
    """Open a budget for what is done inside; inside another it has no more than is left there, and counts there too.

    `span` is reported where nothing inside has a span of its own.  When `is_superseded` returns true, the next spending
    raises SupersededError; budgets inside keep that.
    """
    around = current()
    inside = Work(min(limit, max(0, around.left)), span=span, is_superseded=is_superseded or around.is_superseded)
    token = _OPEN.set(inside)
    try:
        yield inside
    finally:
        _OPEN.reset(token)
        around.used += inside.used


@contextmanager
def aside(limit: int, span: Span) -> Iterator[None]:
    """Open a budget that does not count in any around it, for what is no part of checking a spec."""
    token = _OPEN.set(Work(limit, span=span))
    try:
        yield
    finally:
        _OPEN.reset(token)


def current() -> Work:
    """Return the budget in force; one without end where nobody has opened one."""
    return _OPEN.get() or Work(1 << 62)


def spend(units: int, span: Span | None = None) -> None:
    """Use up units of the budget in force.  Raises OverBudgetError when there are none left."""
    work = _OPEN.get()
    if work is not None:
        work.spend(units, span)
