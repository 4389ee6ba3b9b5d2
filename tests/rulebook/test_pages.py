"""What a spec writes is text on the page and at the terminal, whatever Markdown or HTML would make of it."""

from __future__ import annotations

import io
from html import escape

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.console import Console

from cli.terminal.rulebook_view import print_blocks
from grammar.source import Source
from interpreter.loader import assemble, check
from interpreter.rulebook.book import write_book
from interpreter.rulebook.page import Book, Entry, Heading, Lines, Paragraph, Row, Table, html, markdown, verbatim
from interpreter.rulebook.settle import Settled

WORD = "<i>*a*_b_`|``[c](d)"
NASTY = "<script>x()</script> *a* _b_ **c** `d` ``e`` [f](http://g) ![h](i) | j &amp; ~~k~~ #l"

SPEC = """cardgame 1

game "{TEXT}"
    players 2
    source "1. {TEXT}"
option most: 1..3 = 2 "{TEXT}"
enum Suit: sun "*", moon "`|"
enum Rank(worth: 1..9)
    low "{WORD}" 1
    high "<i>" 2
card Number(suit: Suit, rank: Rank) written "{suit}_{rank}"
card Fool written "<b>" named "{TEXT}"
deck in stock
    1 of each Number
    2 of Fool
zones
    stock: pile, seen by nobody
    hand[player]: cards, seen by owner
state
    score[player]: integer
play
    shuffle stock
    deal most from stock to hand[players]
    say "{TEXT} {player 1}(http://evil)" [R1]
    player 1 chooses "{TEXT}"
        pass
        wait
invariant "- {TEXT}": count(stock) < 4
result
    score p = score[p]
"""


def tokens(text: str) -> list[Token]:
    """Return what a reader of Markdown sees on a page, with tables and struck-out text."""
    found = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    return [inner for token in found for inner in (token, *(token.children or ()))]


def seen(text: str) -> str:
    """Return the words on a page, without how they look."""
    return "".join(t.content for t in tokens(text) if t.type in ("text", "code_inline", "text_special"))


def kinds(text: str) -> set[str]:
    return {token.type.removesuffix("_open").removesuffix("_close") for token in tokens(text)}


ORDINARY = {"heading", "paragraph", "inline", "text", "strong", "em", "code_inline", "bullet_list", "ordered_list",
            "list_item", "table", "thead", "tbody", "tr", "th", "td"}  # fmt: skip


def test_texts_and_names_of_a_spec_are_text_on_the_page_and_at_the_terminal() -> None:
    spec = assemble(Source("<text>", SPEC.replace("{TEXT}", NASTY).replace("{WORD}", WORD)), None)
    book = write_book(spec, check(spec), Settled())
    page = markdown(book)
    assert kinds(page) <= ORDINARY
    assert seen(page).count(NASTY) == 7
    assert WORD in seen(page)
    out = io.StringIO()
    print_blocks(book.blocks, Console(file=out, width=1000))
    shown = " ".join(out.getvalue().split())
    assert shown.count(NASTY) == 6
    assert NASTY.upper() in shown


def test_texts_of_a_spec_are_text_in_html() -> None:
    spec = assemble(Source("<text>", SPEC.replace("{TEXT}", NASTY).replace("{WORD}", WORD)), None)
    page = html(write_book(spec, check(spec), Settled()))
    assert "<script" not in page
    assert page.count(escape(NASTY)) >= 6
    assert page.count("<li>") == page.count("</li>") > 3


@given(st.text(st.sampled_from('aZ1 <>*_`[]()!|&;#~-+=.\\"{}:/$'), max_size=14).map(str.strip).filter(bool))
def test_any_text_is_read_as_it_was_written(text: str) -> None:
    kept = verbatim(text)
    table = Table((kept, f"`{kept}`"), (Row((kept, f"**{kept}**")),))
    for block, times in ((Heading(kept), 1), (Paragraph(kept), 1), (Lines((Entry(kept),)), 1), (table, 4)):
        page = markdown(Book((block,)))
        assert kinds(page) <= ORDINARY
        assert seen(page).replace(" ", "") == text.replace(" ", "") * times
