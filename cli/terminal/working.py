"""Progress of a command that prints nothing for a while.

A thread writes a line to a terminal on standard error: how much is done, or how long the command has run.  The next
text removes it (`cli.terminal.screen.ProgressLine`), so commands set only its text (`Progress`).
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from cli.terminal.screen import PROGRESS_LINE

SILENT = 2.0
"""Seconds without output after which the line is shown."""


class Progress:
    """The progress of a command through `total` items, some of which may be `done` already."""

    def __init__(self, total: int, items: str, done: int = 0) -> None:
        self.total = total
        self.items = items
        self._before = done
        self._begun = time.monotonic()

    def show(self, done: int, note: str = "") -> None:
        """Set the text of the progress line: items done, a note, and the estimated time left."""
        passed, new = time.monotonic() - self._begun, done - self._before
        left = f", {duration(passed * (self.total - done) / new)} left" if new > 0 else ""
        PROGRESS_LINE.text = f"{done:,} of {self.total:,} {self.items}{note}{left}"


def duration(seconds: float) -> str:
    """Return a time in its two largest units: `2 min 5 s`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


@contextmanager
def working() -> Iterator[None]:
    """Show the progress of the block while it prints nothing."""
    PROGRESS_LINE.text = ""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    over, begun = threading.Event(), time.monotonic()
    PROGRESS_LINE.since, PROGRESS_LINE.interactive = begun, False

    def tick() -> None:
        while not over.wait(SILENT / 4):
            now = time.monotonic()
            if now - PROGRESS_LINE.since >= SILENT and not PROGRESS_LINE.interactive:
                PROGRESS_LINE.write(PROGRESS_LINE.text or f"running for {duration(now - begun)}")

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        PROGRESS_LINE.end()
