"""Ctrl-C to stop early: the first ends a computation with its result so far, the second ends the command."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

STOPPED = 130
"""The exit code after Ctrl-C."""


def stop_at_once(*_: object) -> None:
    """End the process at once: the handler of Ctrl-C while no command runs."""
    os._exit(STOPPED)


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Give a function that says whether Ctrl-C was pressed in the block."""
    stopped = False

    def stop(_signal: int, _frame: object) -> None:
        nonlocal stopped
        stopped = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield lambda: stopped
    finally:
        signal.signal(signal.SIGINT, before)
