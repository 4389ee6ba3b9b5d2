"""The messages of the protocol `cardgame.1`: requests are read into classes, answers are written as JSON.

A request is checked completely here, so the rest of the server sees well-formed values only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Any, Literal

import attrs
import msgspec

from cli.terminal.thinking import Hint
from interpreter.rulebook.page import Block, Entry, Heading, Lines, Paragraph, Row, Table, runs, verbatim
from interpreter.text.names import Names

PROTOCOL = "cardgame.1"
MOST_BYTES = 4_096
"""Bytes of a request."""
LONGEST_ID = 64
LONGEST_TEXT = 1_000
LONGEST_ARGUMENT = 200
MOST_PICKS = 500
LARGEST_NUMBER = 2**53 - 1
_NO_SURROGATE = r"\A[^\ud800-\udfff]*\Z"

Number = Annotated[int, msgspec.Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
Text = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT, pattern=_NO_SURROGATE)]
Argument = Annotated[str, msgspec.Meta(max_length=LONGEST_ARGUMENT, pattern=_NO_SURROGATE)]
Identity = Annotated[str, msgspec.Meta(max_length=LONGEST_ID)]
Picks = Annotated[tuple[Number, ...], msgspec.Meta(max_length=MOST_PICKS)]
Id = Number | Identity | None


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


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A request; `id` is repeated in its answer."""

    id: Id = None


class Sit(Request, frozen=True, kw_only=True):
    """Take the seat of a link."""

    table: Text
    token: Text


class DraftRequest(Request, frozen=True, kw_only=True):
    """Ask for the options after some picks, with one more or one less, or for the reason why a pick is not legal."""

    n: Number
    picks: Picks = ()
    pick: Number | None = None
    unpick: Number | None = None
    why: Number | None = None


class Act(Request, frozen=True, kw_only=True):
    """A decision, by its small actions or in words."""

    n: Number
    id: Number | Identity
    picks: Picks | None = None
    text: Text | None = None

    def __post_init__(self) -> None:
        if (self.picks is None) == (self.text is None):
            raise ValueError("expected `picks` or `text`, and not both")


class Ask(Request, frozen=True, kw_only=True):
    """A question: `why`, `hint`, `rules`, `word` or `log`."""

    what: Literal["rules", "why", "hint", "word", "log"]
    arg: Argument = ""


class Undo(Request, frozen=True, kw_only=True):
    """Propose to take back the last decision."""


class Agree(Request, frozen=True, kw_only=True):
    """A vote on a proposal."""

    yes: bool


class Name(Request, frozen=True, kw_only=True):
    """Change the name of the own seat; an empty name removes it."""

    name: Text


class Leave(Request, frozen=True, kw_only=True):
    """Stand up."""


class SetSeat(Request, frozen=True, kw_only=True):
    """Let an agent or a person play a seat."""

    seat: Number
    who: Text


class New(Request, frozen=True, kw_only=True):
    """Begin a new play."""


class LinkRequest(Request, frozen=True, kw_only=True):
    """Return the link of a seat, of spectators or of the host; `renew` makes a new one, and the old one invalid."""

    seat: Number | Literal["spectators", "host"]
    renew: bool = False


class Close(Request, frozen=True, kw_only=True):
    """Close the table."""


_KINDS: dict[str, type[Request]] = {
    "sit": Sit, "draft": DraftRequest, "act": Act, "ask": Ask, "undo": Undo, "agree": Agree, "name": Name,
    "leave": Leave, "seat": SetSeat, "new": New, "link": LinkRequest, "close": Close,
}  # fmt: skip
"""The class of each request, by its `t`."""


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
    if not isinstance(kind, str) or kind not in _KINDS:
        raise WireError(f"`t` is one of {', '.join(_KINDS)}", 1008)
    number: Id = None
    try:
        number = msgspec.convert(message.get("id"), Id)
        return msgspec.convert(message, _KINDS[kind])
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise FieldError(str(error), number) from None


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
