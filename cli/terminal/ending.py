"""Signals that end the program as an exception, so that the terminal is restored and open files are closed.

CPython runs a signal's handler in the main thread, between two steps of it.  A signal that comes just before a line is
read waits there for the next key, so what signals write to a descriptor is read by a thread of its own, which wakes the
main thread until the handler has run (the self-pipe trick).
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
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
def handling(handler: Callable[[int, FrameType | None], None], *names: str) -> Iterator[bool]:
    """Let a function handle signals for a while; only the main thread can, and all others get False."""
    main = threading.current_thread() is threading.main_thread()
    numbers = [number for name in names if main and (number := getattr(signal, name, None))]
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield main
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


@contextmanager
def ending_signals() -> Iterator[None]:
    """Raise Ended where the system asks the program to end, for a while; only the main thread can hear of it.

    Ctrl-C, too, is heard where it comes just before a line is read.
    """
    with handling(_raise, *NAMES) as main, _waking() if main else nullcontext():
        yield


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
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    over = threading.Event()
    waker = threading.Thread(target=_wake, args=(reading, threading.get_ident(), over), daemon=True)
    waker.start()
    with handling(nothing, "SIGURG"):
        try:
            yield
        finally:
            over.set()
            signal.set_wakeup_fd(before)
            os.close(writing)  # The thread reads the end of it.
            waker.join()
            os.close(reading)


def _wake(reading: int, thread: int, over: threading.Event) -> None:
    while numbers := os.read(reading, 1):
        if numbers[0] != signal.SIGURG:
            for pause in PAUSES:
                if over.wait(pause):
                    break
                signal.pthread_kill(thread, signal.SIGURG)


def nothing(number: int, _frame: FrameType | None) -> None:
    """Handle a signal by nothing: a call that waits is interrupted, and a program that is started gets the default."""
