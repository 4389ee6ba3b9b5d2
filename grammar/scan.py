"""Split a text into tokens even where it has signs that the language does not know.

Takes the text; gives its tokens, and reports each run of unknown signs once.  Only the second pass uses
it (see `grammar.recovery`): the plain parse stops at the first such sign.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters
from lark.lexer import LexerThread

from grammar.printable import described

Report = Callable[[str, str, int, int, str, tuple[int, int, str] | None], None]
"""Receives the code, the message, where it starts and ends, the help, and the edit (from, to, text) if it is one."""

_INSTEAD = {
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`",
    "%": "write `mod`",
    ";": "put each statement on a line of its own",
    "{": "blocks are made by indentation alone",
    "}": "blocks are made by indentation alone",
    "'": 'a text stands between two `"`',
    "`": 'a text stands between two `"`',
    "\u201c": 'a text stands between two straight quotes, `"`',
    "\u201d": 'a text stands between two straight quotes, `"`',
    "\u00d7": "write `*`",
    "\u2212": "write `-`",
    "\u2013": "write `-`",
    "\u2014": "write `-`",
    "\u2026": "write `..`",
    "\u2264": "write `<=`",
    "\u2265": "write `>=`",
    "\u2260": "write `!=`",
    "\u2192": "write `->`",
    "\u00a0": "write an ordinary space",
}
_UNKNOWN = re.compile(r"""[^\sA-Za-z0-9_"#()\[\]:,.=+*/<>|-]+|.""", re.DOTALL)
_NUMBER = re.compile(r"[0-9]+")
_WORD = re.compile(r"[A-Za-z0-9_]+")


def scan(parser: Lark, text: str, report: Report) -> Iterator[Token]:
    """Yield the tokens of a text, reporting what is no token."""
    lexer: Any = parser.parser.lexer
    thread: Any = LexerThread.from_text(lexer.lexer, text)
    while True:
        try:
            yield from thread.lex(None)
        except UnexpectedCharacters as problem:
            start = problem.pos_in_stream or 0
            yield from _unknown(text, start, thread.state.line_ctr, report)
        else:
            return


def _unknown(text: str, start: int, counter: Any, report: Report) -> Iterator[Token]:
    """Report what begins at `start`, step over it, and yield what was most likely meant."""
    kind, found, meant = "", "", ""
    if text[start] == '"':
        found = text[start : text.index("\n", start)].rstrip("\r")
        kind, meant = "STRING", f'{found}"'
        end = start + len(found.rstrip())
        report("CG105", "this text is not closed", start, start + len(found), 'end it with `"`', (end, end, '"'))
    elif text[start].isdecimal() and text[start].isascii():
        number, found = _match(_NUMBER, text, start), _match(_WORD, text, start)
        kind, meant = "NUMBER", number
        behind = found[len(number) :]
        end = start + len(found)
        instead = f"{number} {behind}"
        report("CG104", f"the number runs into `{behind}`", start, end, f"write `{instead}`", (start, end, instead))
    else:
        found = _match(_UNKNOWN, text, start)
        end = start + len(found)
        report("CG104", f"{_called(found)} means nothing here", start, end, *_instead(text, start, end))
    line, column = counter.line, counter.column
    counter.feed(found, "\n" in found)
    if kind:
        yield Token(kind, meant, start, line, column, counter.line, counter.column, start + len(found))


_QUOTED = re.compile("['`\u201c\u201d]([^'`\u201c\u201d\"\\n]*)['`\u201c\u201d]")


def _instead(text: str, start: int, end: int) -> tuple[str, tuple[int, int, str] | None]:
    """Return what to write in the place of unknown signs, in words and as an edit, where that is known."""
    help_ = _INSTEAD.get(text[start], "")
    if text[start] in "{}":
        return help_, (start, end, "")
    quoted = _QUOTED.match(text, start)
    if quoted is not None:
        return help_, (start, quoted.end(), f'"{quoted.group(1)}"')
    written = re.fullmatch("write `(.+)`", help_)
    if written is None or len(set(text[start:end])) > 1:
        return help_, None
    word = written.group(1)
    before = " " if word.isalpha() and text[start - 1 : start].strip() else ""
    behind = " " if word.isalpha() and text[end : end + 1].strip() else ""
    return help_, (start, end, f"{before}{word}{behind}")


def _match(pattern: re.Pattern[str], text: str, start: int) -> str:
    found = pattern.match(text, start)
    return found.group() if found else text[start]


def _called(found: str) -> str:
    """Return an unknown sign as a message can show it."""
    if found.isprintable() and not found.isspace():
        return f"`{found}`" if len(found) <= 20 else f"`{found[:20]}..`"
    return f"the character {described(found[0])}"
