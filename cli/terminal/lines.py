"""Input lines of the people at the table: from a terminal, a stream, or a file of actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from cli.failures import PlayRefused
from cli.terminal.screen import PROGRESS_LINE

PROMPT = "> "
LONGEST_LINE = 10_000
"""Characters of a line of a stream."""


class Lines:
    """A source of lines.  `alone` says whether one person sits there, who can look away on request."""

    alone = False

    def next(self, words: tuple[str, ...], prompt: str = PROMPT) -> str | None:
        """Return the next line without its end, None when there are no more; `words` may be completed."""
        raise NotImplementedError

    def refused(self, problem: str) -> None:
        """Take note that the last line is not legal; raise PlayRefused where no other can follow."""

    def forget(self) -> None:
        """Keep nothing that the next player could recall."""

    def where(self) -> str:
        """Return where the lines end, in words."""
        return "the input ends here"


class TerminalLines(Lines):
    """Lines typed at a terminal, with the tab key completing words where the system can."""

    alone = True

    def __init__(self) -> None:
        self._words: tuple[str, ...] = ()
        try:
            import readline  # late: system
        except ImportError:
            return
        readline.set_completer(self._complete)
        readline.set_completer_delims(" ,")
        readline.parse_and_bind("tab: complete")

    def _complete(self, text: str, number: int) -> str | None:
        fits = [w for w in self._words if w.lower().startswith(text.lower())]
        return fits[number] + " " if number < len(fits) else None

    def next(self, words: tuple[str, ...], prompt: str = PROMPT) -> str | None:
        """Return what is typed; None at the end of input (Ctrl-D), or where the terminal has gone."""
        self._words = words
        try:
            with PROGRESS_LINE.waiting():
                return input(prompt)
        except (EOFError, OSError):
            return None

    def forget(self) -> None:
        """Empty the history after the arrow keys."""
        try:
            import readline  # late: system
        except ImportError:
            return
        readline.clear_history()


class StreamLines(Lines):
    """Lines from a stream that is no terminal, written out again so that the whole can be read."""

    def __init__(self, stream: IO[str], echo: IO[str]) -> None:
        self._stream = stream
        self._echo = echo
        self._why = ""

    def next(self, words: tuple[str, ...], prompt: str = PROMPT) -> str | None:
        """Return the next line; None also where it is too long to be one, or cannot be read."""
        del words, prompt
        try:
            with PROGRESS_LINE.waiting():
                line = self._stream.readline(LONGEST_LINE + 1)
        except OSError as error:
            line, self._why = "", f" ({error.strerror or error})"
        if len(line) > LONGEST_LINE:
            line, self._why = "", f" (a line has more than {LONGEST_LINE:,} characters)"
        if not line:
            return None
        self._echo.write(f"> {line.rstrip()}\n")
        return line.rstrip("\r\n")

    def where(self) -> str:
        """Return that the input has ended."""
        return super().where() + self._why


class ScriptLines(Lines):
    """The lines of a file of actions, one sentence each; `#` begins a comment."""

    def __init__(self, name: str, text: str, echo: IO[str]) -> None:
        self.name = name
        self._echo = echo
        self._number = 0
        self._last = len(text.splitlines())
        self._rest: Iterator[tuple[int, str]] = iter(
            [(n, said) for n, line in enumerate(text.splitlines(), 1) if (said := _without_comment(line))]
        )

    def next(self, words: tuple[str, ...], prompt: str = PROMPT) -> str | None:
        """Return the next sentence."""
        del words, prompt
        found = next(self._rest, None)
        if found is None:
            return None
        self._number, line = found
        self._echo.write(f"> {line}\n")
        return line

    def refused(self, problem: str) -> None:
        """Raise PlayRefused with the line."""
        raise PlayRefused(f"{self.name}:{self._number}: {problem}")

    def where(self) -> str:
        """Return where the file ends."""
        return f"{self.name} ends here, after line {self._last}"


def _without_comment(line: str) -> str:
    said = line.strip()
    if said.startswith("#"):
        return ""
    return said.split(" #", 1)[0].strip()
