"""Signals that end a program, as an exception: the terminal is set right again, and what is open is closed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

NAMES = ("SIGTERM", "SIGHUP")
"""The polite ways to end a program; a system that lacks one has the other."""


class Ended(BaseException):
    """The system asks the program to end; `code` is the exit code that says so."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.name = signal.Signals(number).name
        self.code = 128 + number


@contextmanager
def ending_signals() -> Iterator[None]:
    """Raise Ended where the system asks the program to end, for a while; only the main thread can hear of it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _raise) for name in NAMES if (number := getattr(signal, name, None))}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _raise(number: int, _frame: FrameType | None) -> None:
    raise Ended(number)
