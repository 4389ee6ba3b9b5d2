"""`cardgame play` at a real terminal: handing over, hidden input, Ctrl-C, Ctrl-D."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
START = (
    "import fcntl, signal, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    # Where the tests themselves run in the background, Ctrl-C is ignored, and so it would be here.
    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
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

    def interrupt(self, words: str) -> None:
        """Press Ctrl-C until words are on the screen: one that comes just before a line is read waits for a key.

        So a key comes behind it, after a while, since Ctrl-C throws away what is typed and not yet read.
        """
        give_up = time.monotonic() + PATIENCE
        while words.encode() not in self.unread and time.monotonic() < give_up:
            self.type("\x03")
            while select.select([self.main], [], [], 1.0)[0] and words.encode() not in self.unread:
                self.unread += os.read(self.main, 4096)
            if words.encode() not in self.unread:
                self.type(" ")
                time.sleep(0.2)

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


@pytest.fixture(autouse=True)
def _no_ambient_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_two_people_hand_the_screen_over_and_ctrl_c_keeps_the_play() -> None:
    terminal = Terminal("play", "chalice_and_wand", "--seed", "7", "--seat", "2=human")
    terminal.until("Player 1, press Enter when you are alone.")
    terminal.type("\r")
    first = terminal.until("> ")
    assert "your hand (left)" in first
    assert "\x1b[9" in first, "cards are coloured at a terminal"
    terminal.type("discard nothing\r")
    between = terminal.until("Player 2, press Enter when you are alone.")
    assert "\x1b[2J\x1b[3J" in between, "the screen of player 1 is wiped"
    assert "your hand" not in between
    terminal.type("\r")
    second = terminal.until("> ")
    assert "\x1b[2J\x1b[3J" in second
    # The arrow key must not call up what player 1 typed.  What stands behind it shows that all of it has been read.
    terminal.type("\x1b[Aq")
    assert "discard nothing" not in terminal.until("q")
    terminal.interrupt("cardgame play --load")
    rest, code = terminal.end()
    assert "discard nothing" not in rest
    assert code == 130
    assert "cardgame play --load chalice_and_wand.save" in " ".join(rest.split())
    assert Path("chalice_and_wand.save").is_file()


def test_ctrl_d_saves_and_leaves_without_a_complaint() -> None:
    terminal = Terminal("play", "chalice_and_wand", "--seed", "7")
    terminal.until("> ")
    terminal.type("nothing\r")
    terminal.until("You take cards from the middle")
    terminal.until("> ")
    terminal.type("\x04")
    rest, code = terminal.end()
    assert code == 0
    assert "player 1 is to act" in rest
    assert Path("chalice_and_wand.save").is_file()


def test_people_who_all_see_the_same_are_not_asked_to_look_away() -> None:
    terminal = Terminal("play", "chalice_and_wand", "--option", "hands=open", "--seed", "7", "--seat", "2=human")
    first = terminal.until("> ")
    terminal.type("discard nothing\r")
    second = terminal.until("you are player 2") + terminal.until("> ")
    for seen in (first, second):
        assert "press Enter" not in seen
        assert "\x1b[2J" not in seen
    terminal.type("\x04")
    assert terminal.end()[1] == 0
