"""Parts of the language server that need no process: positions, and diagnostics that follow an edit."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from cli.lsp.analyst import shifted
from cli.lsp.convert import escaped
from cli.lsp.positions import Positions, path_of, uri_of
from cli.lsp.server import make_server
from grammar.diagnostics import Diagnostic
from grammar.source import Source, Span

TEXTS = st.text(alphabet="ab\n\u00e9\u20ac\U0001f0a1", max_size=30)
ENCODINGS = [types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf16, types.PositionEncodingKind.Utf32]


@given(TEXTS, st.sampled_from(ENCODINGS), st.data())
def test_positions_and_offsets_are_inverse(
    text: str, encoding: types.PositionEncodingKind, data: st.DataObject
) -> None:
    positions = Positions()
    positions.encoding = encoding
    source = Source("x", text)
    offset = data.draw(st.integers(0, len(text)))
    position = positions.position(source, offset)
    line = text[:offset].rpartition("\n")[2]
    units = {"utf-8": len(line.encode()), "utf-16": len(line.encode("utf-16-le")) // 2, "utf-32": len(line)}
    assert position == types.Position(text.count("\n", 0, offset), units[encoding.value])
    assert positions.offset(source, position) == offset


def test_a_column_after_the_line_is_its_end_and_a_line_after_the_text_is_refused() -> None:
    positions, source = Positions(), Source("x", "ab\r\ncd\n")
    assert positions.offset(source, types.Position(0, 99)) == 2
    assert positions.offset(source, types.Position(2, 0)) == 7
    with pytest.raises(JsonRpcInvalidParams):
        positions.offset(source, types.Position(3, 0))
    after = types.Position(3, 0)
    assert positions.span(source, types.Range(types.Position(1, 0), after)) == Span(source, 4, 7)
    with pytest.raises(JsonRpcInvalidParams):
        positions.span(source, types.Range(after, after))
    with pytest.raises(JsonRpcInvalidParams):
        positions.span(source, types.Range(types.Position(1, 1), types.Position(0, 0)))


def test_an_error_that_a_request_is_answered_with_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    make_server()
    for error in (JsonRpcInvalidParams("the text has 3 lines"), ValueError("unexpected")):
        try:
            raise error
        except Exception:
            logging.getLogger("pygls.protocol.json_rpc").exception("a request")
    (record,) = caplog.records
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ValueError)


@pytest.mark.parametrize("path", ["/a b/\u00fc.cardgame", "/x#y/50%.scenarios"])
def test_paths_and_uris_are_inverse(path: str) -> None:
    assert path_of(uri_of(path)) == path


def test_other_uris_are_paths_of_their_own_and_no_uri_is_refused() -> None:
    assert path_of("untitled:Untitled-1") == "untitled:Untitled-1" == uri_of("untitled:Untitled-1")
    assert path_of("file:///c%3A/games/x.cardgame") == "c:/games/x.cardgame"
    with pytest.raises(JsonRpcInvalidParams):
        path_of("x.cardgame")


@given(TEXTS, st.data())
def test_diagnostics_keep_their_text_or_vanish_after_an_edit(text: str, data: st.DataObject) -> None:
    old = Source("x", text)
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    spans = [Span(old, *data.draw(places)) for _ in range(3)]
    start, end = data.draw(places)
    new = Source("x", text[:start] + data.draw(TEXTS) + text[end:])
    moved = shifted([Diagnostic(str(number), "", span) for number, span in enumerate(spans)], old, new)
    for diagnostic in moved:
        assert diagnostic.span.source is new
        assert diagnostic.span.text == spans[int(diagnostic.code)].text
    kept = {int(d.code) for d in moved}
    assert {number for number, span in enumerate(spans) if span.end < start or span.start > end} <= kept


def test_texts_of_a_spec_are_no_marks_in_a_hover() -> None:
    assert escaped("<b> [x](y) *z*") == r"\<b\> \[x\](y) \*z\*"
