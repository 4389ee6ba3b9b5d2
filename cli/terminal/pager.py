"""Long texts in the pager of the terminal (`PAGER`, `less` or `more`); without a terminal they are printed."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from cli.terminal.ending import handling, nothing
from cli.terminal.screen import PROGRESS_LINE

if TYPE_CHECKING:
    from rich.console import Console

KNOWN = ("less", "more")
"""Pagers that begin at a line if they get `+LINE`, in the order in which they are looked for."""


def show(console: Console, text: str, line: int = 1) -> None:
    """Show a text that a console has rendered, from a line on where the pager can do that.

    The pager reads what was cleaned for the terminal before; colours in it are our own.
    """
    command = _pager(line) if sys.stdin.isatty() and console.file.isatty() else None
    if command is None or not _run(command, text, console):
        console.file.write(text)
        console.file.flush()


def _pager(line: int) -> list[str] | None:
    try:
        chosen = shlex.split(os.environ.get("PAGER", ""))
    except ValueError:  # A quotation that does not end; another pager serves as well.
        chosen = []
    chosen = chosen or [next((p for p in KNOWN if shutil.which(p)), "")]
    if not shutil.which(chosen[0]):
        return None
    name = os.path.basename(chosen[0])
    if name == "less":
        chosen.append("-R")
    return [*chosen, f"+{line}"] if name in KNOWN and line > 1 else chosen


def _run(command: list[str], text: str, console: Console) -> bool:
    """Let a pager show a text; False where it cannot be started."""
    console.file.flush()
    try:
        with (
            handling(nothing, "SIGINT"),  # Ctrl-C belongs to the pager; were it ignored, the pager would inherit that.
            PROGRESS_LINE.waiting(),
            subprocess.Popen(command, stdin=subprocess.PIPE, encoding="utf-8") as pager,
            suppress(BrokenPipeError),  # A reader may leave before the end.
        ):
            pager.communicate(text)
    except OSError:
        return False
    return True
