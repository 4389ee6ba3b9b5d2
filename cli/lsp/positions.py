"""Positions of the protocol and offsets of a text: lines from 0, and columns in code units of an encoding.

Columns count UTF-16 code units unless the client prefers bytes or code points; offsets of this program are code points.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlparse

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from grammar.source import Source, Span


class Positions:
    """Converts between positions and offsets in the encoding that the client wants."""

    def __init__(self) -> None:
        self.encoding = types.PositionEncodingKind.Utf16

    def position(self, source: Source, offset: int) -> types.Position:
        """Return the position of an offset."""
        line, column = source.position(offset)
        return types.Position(line - 1, self._units(source.text[offset - column + 1 : offset]))

    def offset(self, source: Source, position: types.Position) -> int:
        """Return the offset of a position; a column after the end of its line is the end.

        Raises JsonRpcInvalidParams for a line that the text does not have.
        """
        starts = source.line_starts
        if position.line >= len(starts):
            raise JsonRpcInvalidParams(f"the text has {len(starts)} lines, and no position {position}")
        start = starts[position.line]
        line = source.line(position.line + 1)
        units = 0
        for number, char in enumerate(line):
            if units >= position.character:
                return start + number
            units += self._units(char)
        return start + len(line)

    def range(self, span: Span) -> types.Range:
        """Return the range of a span."""
        return types.Range(self.position(span.source, span.start), self.position(span.source, span.end))

    def span(self, source: Source, range_: types.Range) -> Span:
        """Return the span of a range, whose end may lie after the text.

        Raises JsonRpcInvalidParams where it is none of this text.
        """
        start, end = self.offset(source, range_.start), len(source.text)
        if range_.end.line < len(source.line_starts):
            end = self.offset(source, range_.end)
        if start > end:
            raise JsonRpcInvalidParams(f"the range {range_} ends before it begins")
        return Span(source, start, end)

    def _units(self, text: str) -> int:
        match self.encoding:
            case types.PositionEncodingKind.Utf8:
                return len(text.encode("utf-8", "surrogatepass"))
            case types.PositionEncodingKind.Utf16:
                return len(text) + sum(ord(char) > 0xFFFF for char in text)
            case types.PositionEncodingKind.Utf32:
                return len(text)


def path_of(uri: str) -> str:
    """Return the path of a file by its URI; a text that is in no file has its URI as path.

    Raises JsonRpcInvalidParams for what is no URI.
    """
    parts = urlparse(uri)
    if not parts.scheme:
        raise JsonRpcInvalidParams(f"`{uri}` is no URI")
    if parts.scheme != "file":
        return uri
    path = unquote(parts.path)
    is_drive = len(path) > 2 and path[0] == "/" and path[2] == ":"
    return path[1:] if is_drive else path


def uri_of(path: str) -> str:
    """Return the URI of a path."""
    return Path(path).as_uri() if Path(path).is_absolute() else path
