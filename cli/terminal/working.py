"""Progress line of a command that writes nothing for a while: how long it has been at work.

A thread writes it to a terminal on standard error, and the next text takes it away (`cli.terminal.screen.Silence`), so
commands need not know of it.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from cli.terminal.screen import SILENCE, painted

SILENT = 2.0
"""Seconds without output after which the line is shown."""


@contextmanager
def working() -> Iterator[None]:
    """Show how long the block has been at work, while it writes nothing."""
    if not sys.stderr.isatty():
        yield
        return
    terminal, over, begun = getattr(painted(sys.stderr), "raw", sys.stderr), threading.Event(), time.monotonic()
    SILENCE.since, SILENCE.interactive = begun, False

    def tick() -> None:
        while not over.wait(SILENT / 4):
            now = time.monotonic()
            if now - SILENCE.since >= SILENT and not SILENCE.interactive:
                with suppress(OSError):
                    terminal.write(f"\rat work for {now - begun:.0f} s\x1b[K")
                    terminal.flush()
                SILENCE.line = terminal

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        SILENCE.end()
