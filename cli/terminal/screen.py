"""Standard output and standard error, in colour or not; no text of a spec can control the terminal.

While a command runs, both are a `Screen`: everything written to it is cleaned (`grammar.printable`), so that no
text of a spec, a save, a person or an exception steers a terminal.  Only `write_painted` and the console of rich go
round that, with colours and movements of our own around texts that were cleaned before.  A screen also survives what
follows it: an encoding that lacks a character gets another sign or its number, a stream that was closed takes
everything and keeps nothing, and one that fails is reported once, as `OutputLost`.

Colour is decided once: `--color` first, then `NO_COLOR`, then whether a terminal reads.
"""

from __future__ import annotations

import codecs
import errno
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, TextIO, cast

import click

from grammar.printable import escape, visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console, ConsoleDimensions, ConsoleOptions, RenderableType
    from rich.segment import Segment

NARROWEST, WIDEST = 40, 500
"""Between these lies the width that is drawn for, for every value of a terminal or `COLUMNS`."""
PIPED = 100
"""Columns where no terminal reads."""

_FALLBACK = "cardgame.fallback"
_PLAIN = {
    "\u2500": "-", "\u2501": "=", "\u2502": "|", "\u2503": "|",  # Lines of tables.
    "\u2022": "*", "\u00b7": ".", "\u2026": "...", "\u2013": "-", "\u2014": "-", "\u2212": "-", "\u00d7": "x",
    "\u2192": "->", "\u2190": "<-", "\u2264": "<=", "\u2265": ">=", "\u2260": "!=",
    "\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'", "\u00a0": " ",
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯", "+"),
}  # fmt: skip
"""Substitutes for signs that the encoding of a stream does not have; other characters are written as `\\u2660`."""


def _fallback(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_PLAIN.get(char) or escape(char) for char in lacking), error.end


codecs.register_error(_FALLBACK, _fallback)


class OutputLost(Exception):  # noqa: N818 - it is what happened
    """Nothing more can be written to standard output; `gone` if its reader has gone, else why in words."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.gone = error.errno == errno.EPIPE


class ProgressLine:
    """The progress line on standard error: its text, and since when nothing else has been written.

    The next text removes the line.  While a command is `interactive` it waits for people, and shows no progress.
    """

    def __init__(self) -> None:
        self.since = 0.0
        self.interactive = False
        self.text = ""
        self.stream: TextIO | None = None
        self._width = 0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Show no progress in the block, which waits for a person."""
        self.end()
        self.interactive = True
        try:
            yield
        finally:
            self.since, self.interactive = time.monotonic(), False

    def write(self, text: str) -> None:
        """Write the line on standard error, over the last one."""
        stream = getattr(painted(sys.stderr), "raw", sys.stderr)
        with suppress(OSError):
            stream.write(f"\r{text:<{self._width}}")
            stream.flush()
        self.stream, self._width = stream, max(self._width, len(text))

    def end(self) -> None:
        """Remove the line because something else is written now."""
        self.since = time.monotonic()
        stream, self.stream = self.stream, None
        if stream is not None:
            with suppress(OSError):
                stream.write(f"\r{' ' * self._width}\r")
                stream.flush()
        self._width = 0


PROGRESS_LINE = ProgressLine()


class Painted:
    """A stream to which clean texts with colours are written; `reports` says whether a failure is raised.

    After its first failure (`lost`) it writes nothing more, and what was still to be written is forgotten.
    """

    def __init__(self, raw: TextIO, *, reports: bool) -> None:
        self.raw = raw
        self.encoding = raw.encoding or "utf-8"
        self.errors = raw.errors or "strict"
        self.lost: OutputLost | None = None
        self._reports = reports

    def write(self, text: str) -> int:
        """Write a text.  Raises OutputLost."""
        if text and self.lost is None:
            PROGRESS_LINE.end()
            try:
                self.raw.write(text)
            except OSError as error:
                self._lose(error)
        return len(text)

    def flush(self) -> None:
        """Let everything be written.  Raises OutputLost."""
        if self.lost is None:
            try:
                self.raw.flush()
            except OSError as error:
                self._lose(error)

    def isatty(self) -> bool:
        """Say whether a terminal reads."""
        return self.raw.isatty()

    def fileno(self) -> int:
        """Return the number of the stream.  Raises OSError where it has none."""
        return self.raw.fileno()

    def _lose(self, error: OSError) -> None:
        """Let what is still in the stream go nowhere, so that Python can end quietly."""
        self.lost = OutputLost(error)
        with suppress(OSError, ValueError):
            sink = os.open(os.devnull, os.O_WRONLY)
            os.dup2(sink, self.raw.fileno())
            os.close(sink)
        if self._reports:
            raise self.lost from None


class Screen(Painted):
    """A stream to which anything is written: what does not print is written out on its way."""

    def __init__(self, raw: TextIO, *, reports: bool) -> None:
        super().__init__(raw, reports=reports)
        self.painted = Painted(raw, reports=reports)

    def write(self, text: str) -> int:
        """Write a text, cleaned.  Raises OutputLost."""
        self.painted.write(visible(text))
        return len(text)

    def flush(self) -> None:
        """Let everything be written.  Raises OutputLost."""
        self.painted.flush()


@contextmanager
def screens() -> Iterator[Painted]:
    """Let standard output and error be screens, and standard input decode every input, for a while.

    Gives what standard output is written to.
    """
    kept = sys.stdin, sys.stdout, sys.stderr
    _open_closed()
    with ExitStack() as stack:
        out = _settled(stack, sys.stdout, "w", _FALLBACK)
        err = _settled(stack, sys.stderr, "w", _FALLBACK)
        sys.stdin = _settled(stack, sys.stdin, "r", "backslashreplace")
        screen = Screen(out, reports=True)
        sys.stdout = cast(TextIO, screen)
        sys.stderr = cast(TextIO, Screen(err, reports=False))
        try:
            yield screen.painted
        finally:
            sys.stdin, sys.stdout, sys.stderr = kept


def _open_closed() -> None:
    """Put nothing where a standard stream was closed, so that no file that is opened takes its number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with suppress(OSError):
                os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def _settled(stack: ExitStack, stream: TextIO | None, mode: str, errors: str) -> TextIO:
    """Return a stream that meets no character it cannot read or write; one that was closed is empty."""
    if stream is None:
        return cast(TextIO, stack.enter_context(open(os.devnull, mode, encoding="utf-8")))
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        before = stream.errors
        reconfigure(errors=errors)
        stack.callback(_restored, stream, before)
    return stream


def _restored(stream: TextIO, errors: str | None) -> None:
    with suppress(OSError, ValueError):  # Some of it was read, or it cannot be flushed any more.
        stream.reconfigure(errors=errors)  # type: ignore[attr-defined]


def wants_color(ctx: click.Context, stream: TextIO) -> bool:
    """Say whether to write colours to a stream."""
    wanted = ctx.find_root().obj
    if wanted in ("always", "never"):
        return bool(wanted == "always")
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def write_painted(text: str, *, err: bool = False) -> None:
    """Write a text with colours or movements of our own, of which all other parts have been cleaned."""
    stream = painted(sys.stderr if err else sys.stdout)
    stream.write(text)
    stream.flush()


def say(text: str, color: str, *, bold: bool = False) -> None:
    """Write a line to standard output, in a colour where colours are wanted."""
    clean = visible(text)
    if wants_color(click.get_current_context(), sys.stdout):
        clean = click.style(clean, fg=color, bold=bold or None)
    write_painted(clean + "\n")


def painted(stream: TextIO) -> TextIO:
    """Return what texts with colours of our own are written to, for a standard stream."""
    return cast(TextIO, getattr(stream, "painted", stream))


def width(stream: TextIO) -> int:
    """Return the number of columns of a stream: those of the terminal, within bounds, or `PIPED`."""
    columns = shutil.get_terminal_size((80, 24)).columns if stream.isatty() else PIPED
    return min(max(columns, NARROWEST), WIDEST)


def make_console(ctx: click.Context, stream: TextIO) -> Console:
    """Return a console on a stream; texts are written as they are, nothing in them is markup."""
    from rich.console import Console, ConsoleDimensions  # late: help
    from rich.segment import Segment  # late: help

    class CleanConsole(Console):
        """A console of which all texts are cleaned, on a screen that is never too narrow for a table."""

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            for part in super().render(renderable, options):
                yield part if part.control else Segment(visible(part.text), part.style)

        @property  # type: ignore[misc]
        def size(self) -> ConsoleDimensions:
            lines = shutil.get_terminal_size((80, 24)).lines if stream.isatty() else 24
            return ConsoleDimensions(width(stream), max(lines, 10))

    color = wants_color(ctx, stream)
    return CleanConsole(
        file=painted(stream),
        force_terminal=color,
        no_color=not color,
        color_system="auto" if color and stream.isatty() else "standard" if color else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")},
    )
