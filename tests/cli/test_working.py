"""A command that writes nothing for a while shows that it is running."""

from __future__ import annotations

import io
import re
import sys
import threading
import time

import pytest

from cli.terminal import working
from cli.terminal.lines import StreamLines, TerminalLines
from cli.terminal.screen import PROGRESS_LINE, Screen


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("reader", [Terminal, io.StringIO])
def test_a_progress_line_is_shown_on_a_terminal_and_taken_away(
    reader: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = reader()
    screen = Screen(raw, reports=False)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(working, "SILENT", 0.02)
    monkeypatch.setenv("TERM", "xterm")
    with working.working():
        until = time.monotonic() + 60
        while "running" not in raw.getvalue() and time.monotonic() < until and reader is Terminal:
            time.sleep(0.01)
        screen.write("done\n")
    if reader is Terminal:
        assert re.match(r"\rrunning for \d+ s\r", raw.getvalue())
        assert re.search(r"s\r {15,}\rdone\n$", raw.getvalue())
        assert "\x1b" not in raw.getvalue()
    else:
        assert raw.getvalue() == "done\n"


def test_a_dumb_terminal_gets_no_progress_line(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = Terminal()
    monkeypatch.setattr(sys, "stderr", Screen(raw, reports=False))
    monkeypatch.setenv("TERM", "dumb")
    with working.working():
        assert not [thread for thread in threading.enumerate() if thread.name.endswith("(tick)")]


def test_the_progress_line_has_the_items_done_and_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = Terminal()
    monkeypatch.setattr(sys, "stderr", Screen(raw, reports=False))
    monkeypatch.setattr(working, "SILENT", 0.02)
    monkeypatch.setenv("TERM", "xterm")
    with working.working():
        progress = working.Progress(1200, "plays", 200)
        progress.show(700, ", 3 lost")
        until = time.monotonic() + 60
        while "plays" not in raw.getvalue() and time.monotonic() < until:
            time.sleep(0.01)
    assert re.match(r"\r700 of 1,200 plays, 3 lost, \d+ s left *\r", raw.getvalue())


def test_a_play_shows_progress_except_while_it_waits_for_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    shows: list[bool] = []

    def typed(*_: object) -> str:
        shows.append(not PROGRESS_LINE.interactive)
        return "pass"

    stream = io.StringIO()
    monkeypatch.setattr(stream, "readline", typed)
    monkeypatch.setattr("builtins.input", typed)
    for lines in (TerminalLines(), StreamLines(stream, io.StringIO())):
        assert lines.next(()) == "pass"
        shows.append(not PROGRESS_LINE.interactive)
    assert shows == [False, True, False, True]
