"""A command that writes nothing for a while shows that it is at work."""

from __future__ import annotations

import io
import sys
import time

import pytest

from cli.terminal import working
from cli.terminal.screen import Screen


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("reader", [Terminal, io.StringIO])
def test_a_progress_line_is_shown_on_a_terminal_and_taken_away(
    reader: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = reader()
    screen = Screen(raw, tells=False)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(working, "SILENT", 0.02)
    with working.working():
        until = time.monotonic() + 20
        while "at work" not in raw.getvalue() and time.monotonic() < until and reader is Terminal:
            time.sleep(0.01)
        screen.write("done\n")
    if reader is Terminal:
        assert raw.getvalue().startswith("\rat work for 0 s\x1b[K")
        assert "\r\x1b[Kdone\n" in raw.getvalue()
    else:
        assert raw.getvalue() == "done\n"
