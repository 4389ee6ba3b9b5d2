"""The messages of the protocol `cardgame.1`: requests are read into classes, answers are written as JSON.

A request is checked completely here, so the rest of the server sees well-formed values only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeGuard

import attrs

from cli.terminal.thinking import Hint
from interpreter.rulebook.page import Block, Entry, Heading, Lines, Paragraph, Row, Table, runs, verbatim
from interpreter.text.names import Names

PROTOCOL = "cardgame.1"
MOST_BYTES = 4_096
"""Bytes of a request."""
LONGEST_ID = 64
LONGEST_TEXT = 1_000
MOST_PICKS = 500
LARGEST_NUMBER = 2**53 - 1

Id = int | str | None


class WireError(ValueError):
    """A message that the protocol does not know; `why` is the reason in `gone`, `code` that of the closing."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


class FieldError(ValueError):
    """A request of which a field is missing or has a wrong value; `id` is that of the request."""

    def __init__(self, text: str, number: Id) -> None:
        super().__init__(text)
        self.id = number


@attrs.frozen(kw_only=True)
class Request:
    """A request; `id` is repeated in its answer."""

    id: Id = None


@attrs.frozen(kw_only=True)
class Sit(Request):
    """Take the seat of a link."""

    table: str
    token: str


@attrs.frozen(kw_only=True)
class DraftRequest(Request):
    """Ask for the options after some picks, with one more or one less, or for the reason why a pick is not legal."""

    n: int
    picks: tuple[int, ...]
    pick: int | None = None
    unpick: int | None = None
    why: int | None = None


@attrs.frozen(kw_only=True)
class Act(Request):
    """A decision, by its small actions or in words."""

    n: int
    id: int | str
    picks: tuple[int, ...] | None = None
    text: str | None = None


@attrs.frozen(kw_only=True)
class Ask(Request):
    """A question: `why`, `hint`, `rules`, `word` or `log`."""

    what: str
    arg: str = ""


@attrs.frozen(kw_only=True)
class Undo(Request):
    """Propose to take back the last decision."""


@attrs.frozen(kw_only=True)
class Agree(Request):
    """A vote on a proposal."""

    yes: bool


@attrs.frozen(kw_only=True)
class Name(Request):
    """Change the name of the own seat; an empty name removes it."""

    name: str


@attrs.frozen(kw_only=True)
class Leave(Request):
    """Stand up."""


@attrs.frozen(kw_only=True)
class SetSeat(Request):
    """Let an agent or a person play a seat."""

    seat: int
    who: str


@attrs.frozen(kw_only=True)
class New(Request):
    """Begin a new play."""


@attrs.frozen(kw_only=True)
class LinkRequest(Request):
    """Return the link of a seat, of spectators or of the host; `renew` makes a new one, and the old one invalid."""

    seat: int | str
    renew: bool = False


@attrs.frozen(kw_only=True)
class Close(Request):
    """Close the table."""


QUESTIONS = ("rules", "why", "hint", "word", "log")


def read(data: str | bytes) -> Request:
    """Return the request that a message is.

    Raises WireError for what is none, FieldError where one of its fields is missing or wrong.
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if len(raw) > MOST_BYTES:
        raise WireError(f"a message has at most {MOST_BYTES:,} bytes", 1009)
    try:
        message = json.loads(raw)
    except (ValueError, RecursionError):
        raise WireError("a message is JSON in UTF-8", 1007) from None
    if not isinstance(message, dict):
        raise WireError("a message is a JSON object", 1007)
    kind = message.get("t")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise WireError(f"`t` is one of {', '.join(_READERS)}", 1008)
    return reader(_Fields(message))


class _Fields:
    """The fields of a message, each checked when it is read."""

    def __init__(self, message: dict[str, Any]) -> None:
        self._message = message
        self.id: Id = None
        found = message.get("id")
        if not (found is None or _is_number(found) or (isinstance(found, str) and len(found) <= LONGEST_ID)):
            raise self._wrong("id", f"a number or a text of at most {LONGEST_ID} characters")
        self.id = found

    def _wrong(self, name: str, what: str) -> FieldError:
        return FieldError(f"`{name}` must be {what}", self.id)

    def number(self, name: str) -> int:
        value = self._message.get(name)
        if not _is_number(value):
            raise self._wrong(name, "a whole number")
        return value

    def optional_number(self, name: str) -> int | None:
        return self.number(name) if self._message.get(name) is not None else None

    def text(self, name: str, default: str | None = None, most: int = LONGEST_TEXT) -> str:
        value = self._message.get(name, default)
        if not isinstance(value, str) or len(value) > most or any("\ud800" <= char <= "\udfff" for char in value):
            raise self._wrong(name, f"a text of at most {most:,} characters")
        return value

    def flag(self, name: str, default: bool | None = None) -> bool:
        value = self._message.get(name, default)
        if not isinstance(value, bool):
            raise self._wrong(name, "true or false")
        return value

    def picks(self) -> tuple[int, ...]:
        value = self._message.get("picks", [])
        if not isinstance(value, list) or len(value) > MOST_PICKS or not all(map(_is_number, value)):
            raise self._wrong("picks", f"a list of at most {MOST_PICKS} whole numbers")
        return tuple(value)

    def act(self) -> Act:
        if self.id is None:
            raise self._wrong("id", "given, so that the act is done once")
        by_text = self._message.get("text") is not None
        if by_text == (self._message.get("picks") is not None):
            raise self._wrong("picks", "given, or `text`, and not both")
        if by_text:
            return Act(id=self.id, n=self.number("n"), text=self.text("text"))
        return Act(id=self.id, n=self.number("n"), picks=self.picks())

    def ask(self) -> Ask:
        what = self.text("what")
        if what not in QUESTIONS:
            raise self._wrong("what", " or ".join(f"`{word}`" for word in QUESTIONS))
        return Ask(id=self.id, what=what, arg=self.text("arg", "", 200))

    def link(self) -> LinkRequest:
        seat = self._message.get("seat")
        if not (_is_number(seat) or (isinstance(seat, str) and seat in ("spectators", "host"))):
            raise self._wrong("seat", "a number, `spectators` or `host`")
        return LinkRequest(id=self.id, seat=seat, renew=self.flag("renew", False))


def _is_number(value: object) -> TypeGuard[int]:
    return type(value) is int and abs(value) <= LARGEST_NUMBER


_READERS: dict[str, Callable[[_Fields], Request]] = {
    "sit": lambda f: Sit(id=f.id, table=f.text("table"), token=f.text("token")),
    "draft": lambda f: DraftRequest(
        id=f.id, n=f.number("n"), picks=f.picks(), pick=f.optional_number("pick"),
        unpick=f.optional_number("unpick"), why=f.optional_number("why"),
    ),
    "act": _Fields.act,
    "ask": _Fields.ask,
    "undo": lambda f: Undo(id=f.id),
    "agree": lambda f: Agree(id=f.id, yes=f.flag("yes")),
    "name": lambda f: Name(id=f.id, name=f.text("name")),
    "leave": lambda f: Leave(id=f.id),
    "seat": lambda f: SetSeat(id=f.id, seat=f.number("seat"), who=f.text("who")),
    "new": lambda f: New(id=f.id),
    "link": _Fields.link,
    "close": lambda f: Close(id=f.id),
}  # fmt: skip
"""How each request is read, by its `t`."""


# ---- answers


def write(message: dict[str, Any]) -> bytes:
    """Return a message as JSON in UTF-8; equal messages give equal bytes."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def blocks(found: Iterable[Block]) -> list[dict[str, Any]]:
    """Return blocks of the rulebook as plain data."""
    return [_block(block) for block in found]


def hint_blocks(hint: Hint, names: Names) -> list[dict[str, Any]]:
    """Return a hint as plain data of blocks, with the alternatives as a table."""

    def put(text: str) -> str:
        return verbatim(names.put(text))

    rows = tuple(Row(tuple(map(put, row))) for row in hint.others)
    table = [Table(("Choice", "Expected", "Compared"), rows)] if rows else []
    lead = f"`{hint.agent}` {put(hint.lead)}" if hint.agent else put(hint.lead)
    return blocks([Paragraph(lead), *table, *(Paragraph(put(line.strip())) for line in hint.rest)])


def outline(lines: Iterable[str]) -> Lines:
    """Return what has happened as a list; the rules of an event, which are indented by four, are below it."""
    entries: list[Entry] = []
    for line in lines:
        entry = Entry(verbatim(line.strip()))
        if line.startswith("    ") and entries:
            entries[-1] = attrs.evolve(entries[-1], below=(*entries[-1].below, entry))
        else:
            entries.append(entry)
    return Lines(tuple(entries))


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Heading(text=text, level=level, tags=tags):
            return {"kind": "heading", "text": _runs(text), "level": level, "tags": tags}
        case Paragraph(text=text, tags=tags):
            return {"kind": "paragraph", "text": _runs(text), "tags": tags}
        case Lines(entries=entries, numbered=numbered):
            return {"kind": "lines", "numbered": numbered, "entries": [_entry(entry) for entry in entries]}
        case Table(head=head, rows=rows):
            return {"kind": "table", "head": [_runs(cell) for cell in head], "rows": [
                {"cells": [_runs(cell) for cell in row.cells], "tags": row.tags} for row in rows
            ]}  # fmt: skip


def _entry(entry: Entry) -> dict[str, Any]:
    below = [_entry(line) for line in entry.below]
    return {"text": _runs(entry.text), "tags": entry.tags, "numbered": entry.numbered, "below": below}


def _runs(text: str) -> list[tuple[str, str]]:
    """Return a text of the rulebook as runs, each with its style."""
    return [("bold" if style == "chapter" else style, part) for part, style in runs(text)]
