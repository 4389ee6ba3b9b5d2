"""The command line at a pseudo-terminal of its own."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
START = (
    "import fcntl, signal, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    # Where the tests themselves run in the background, some signals are ignored, and so they would be here.
    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "signal.signal(signal.SIGTERM, signal.SIG_DFL)\n"
    "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
    "from cli.main import main; main(sys.argv[1:], prog_name='cardgame')\n"
)
PATIENCE = 60.0
"""Seconds after which a test gives up; nothing is measured by it."""


class Terminal:
    """The command line in a terminal of its own."""

    def __init__(self, *args: str) -> None:
        self.main, side = pty.openpty()
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *args],
            stdin=side, stdout=side, stderr=side, start_new_session=True, env=environment,
        )  # fmt: skip
        os.close(side)
        self.unread = b""

    def until(self, words: str) -> str:
        """Read on until words are on the screen; return all up to them, and keep the rest for the next time."""
        give_up = time.monotonic() + PATIENCE
        while words.encode() not in self.unread:
            ready, _, _ = select.select([self.main], [], [], max(0.0, give_up - time.monotonic()))
            assert ready, f"{words!r} did not come; there is {self.unread.decode()!r}"
            self.unread += os.read(self.main, 4096)
        seen, _, self.unread = self.unread.partition(words.encode())
        return seen.decode() + words

    def type(self, text: str) -> None:
        os.write(self.main, text.encode())

    def end(self) -> tuple[str, int]:
        """Return the rest of what is written, and the exit code."""
        seen = self.unread
        while select.select([self.main], [], [], PATIENCE)[0]:
            try:
                read = os.read(self.main, 4096)
            except OSError:
                break
            if not read:
                break
            seen += read
        os.close(self.main)
        return seen.decode(), self.process.wait(PATIENCE)
