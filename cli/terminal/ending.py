"""Signals that end the program as an exception, so that the terminal is restored and open files are closed.

CPython runs a signal's handler in the main thread, between two steps of it.  A signal that comes just before a line is
read waits there for the next key, so what signals write to a descriptor is read by a thread of its own, which wakes the
main thread until the handler has run (the self-pipe trick).
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

NAMES = ("SIGTERM", "SIGHUP")
"""The polite ways to end a program; a system that lacks one has the other."""

PAUSES = (0.01, 0.05, 0.25, 1.0)
"""Seconds between a signal and the times at which the main thread is woken."""


class Ended(BaseException):
    """The system asks the program to end; `code` is the exit code that says so."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.name = signal.Signals(number).name
        self.code = 128 + number


@contextmanager
def ending_signals() -> Iterator[None]:
    """Raise Ended where the system asks the program to end, for a while; only the main thread can hear of it.

    Ctrl-C, too, is heard where it comes just before a line is read.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _raise) for name in NAMES if (number := getattr(signal, name, None))}
    try:
        with _waking():
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _raise(number: int, _frame: FrameType | None) -> None:
    raise Ended(number)


@contextmanager
def _waking() -> Iterator[None]:
    """Wake the main thread after each signal, by one that does nothing."""
    if not hasattr(signal, "pthread_kill"):  # Elsewhere than on POSIX, reading a line hears of signals by itself.
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    unheard = signal.signal(signal.SIGURG, _nothing)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    over = threading.Event()
    waker = threading.Thread(target=_wake, args=(reading, threading.get_ident(), over), daemon=True)
    waker.start()
    try:
        yield
    finally:
        over.set()
        signal.set_wakeup_fd(before)
        os.close(writing)  # The thread reads the end of it.
        waker.join()
        os.close(reading)
        signal.signal(signal.SIGURG, unheard)


def _wake(reading: int, thread: int, over: threading.Event) -> None:
    while numbers := os.read(reading, 1):
        if numbers[0] != signal.SIGURG:
            for pause in PAUSES:
                if over.wait(pause):
                    break
                signal.pthread_kill(thread, signal.SIGURG)


def _nothing(number: int, _frame: FrameType | None) -> None:
    """Let a call that waits be interrupted."""
