"""Cooperative cancellation: long work checks now and then whether it has to end, and ends by an exception.

The caller that starts such work says when it has to end (`until`), through a context variable, since it goes through
many hands.  What is called inside asks where it can be left without harm (`check`), at least once for each turn of a
play that it carries out.  A part of the work that is not to take all of the time has a share of it (`within`).  Work
that nobody wants to end pays one look at the variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Stop = Callable[[float], bool]
"""Says whether a share of what may be spent is spent, from 0 to 1."""

_STOP: ContextVar[tuple[Stop, float] | None] = ContextVar("stop", default=None)


class Interrupted(Exception):  # noqa: N818 -- no error, but what was requested
    """Work was ended from outside."""


@contextmanager
def until(stop: Stop) -> Iterator[None]:
    """Let work inside be interrupted as soon as all is spent."""
    token = _STOP.set((stop, 1.0))
    try:
        yield
    finally:
        _STOP.reset(token)


@contextmanager
def within(share: float) -> Iterator[None]:
    """Let work inside be interrupted as soon as that share of what may be spent is, since the beginning."""
    found = _STOP.get()
    token = _STOP.set(None if found is None else (found[0], min(share, found[1])))
    try:
        yield
    finally:
        _STOP.reset(token)


def check() -> None:
    """Raise Interrupted where the work has to end."""
    found = _STOP.get()
    if found is not None and found[0](found[1]):
        raise Interrupted
