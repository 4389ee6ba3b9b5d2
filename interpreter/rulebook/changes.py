"""The differences between two rulebooks: old and new sentences, chapter by chapter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from grammar import ast
from grammar.diagnostics import CardgameError
from interpreter.analysis.checker import check_spec
from interpreter.rulebook.book import write_book
from interpreter.rulebook.differences import SUMMARY, Comparison
from interpreter.rulebook.page import Block, Book, Heading, Lines, Paragraph, Row, Table
from interpreter.rulebook.settle import Settled
from interpreter.setting import Signature

HEADING = "Differences"
"""The beginning of the title of the chapter on what a variant changes."""


def differences(old: Book, new: Book) -> list[tuple[str, list[str], list[str]]]:
    """Return the chapter, the old and the new sentences of each difference, in the order of the chapters."""
    edits = Comparison(tuple(_rules(old)), tuple(_rules(new))).edits
    return [(e.chapter, e.texts(e.old), e.texts(e.new)) for e in edits if e.chapter != SUMMARY]


def _rules(book: Book) -> Iterator[Block]:
    """Give the blocks of a book without its title and the notes on how to read it."""
    title, chapter = _title(book), ""
    for block in book.blocks:
        match block:
            case Heading(text=text):
                chapter = "Aim" if text == title else text
                yield attrs.evolve(block, text=chapter)
            case Lines() if chapter == "Aim":
                pass
            case Paragraph(text=text) if chapter == "Aim" and text.startswith("This book "):
                pass
            case Paragraph(text=text) if chapter == "Aim":
                yield attrs.evolve(block, text=text.replace(title, "The game"))
            case _:
                yield block


def _title(book: Book) -> str:
    return next(b.text for b in book.blocks if isinstance(b, Heading) and b.level == 1)


def book_of(spec: ast.Spec, players: int | None, options: Mapping[str, Any]) -> Book:
    """Return the rulebook of a setting without its example and its table of options.

    Raises SpecError, and SettingError for a number of players or an option that the spec does not have.
    """
    rules = check_spec(spec, Signature.of(spec).setting(players, options), advise=False).sound()
    return write_book(spec, rules, Settled(players, {name: rules.setting[name] for name in options}))


def with_differences(book: Book, spec: ast.Spec, players: int | None, options: Mapping[str, Any]) -> Book:
    """Return the rulebook of a variant with a chapter on what differs from the book of its base, after its head.

    The book stays as it is if the spec is no variant, or if its base does not have the setting.
    """
    if spec.variant is None:
        return book
    base = spec.variant.base
    known = {item.name for item in base.items if isinstance(item, ast.OptionDecl)}
    try:
        old = book_of(base, players, {name: value for name, value in options.items() if name in known})
    except CardgameError:
        return book
    title = _title(old)
    changed = differences(old, book_of(spec, players, options))
    rows = tuple(Row((chapter, " ".join(gone), " ".join(come))) for chapter, gone, come in changed)
    if not rows:
        return book
    place = next(n for n, b in enumerate(book.blocks) if isinstance(b, Heading) and b.level > 1)
    blocks: tuple[Block, ...] = (
        Heading(f"{HEADING} from {title}"),
        Paragraph("If you know that game, these are the rules that change."),
        Table(("Chapter", title, "Here"), rows),
    )
    return attrs.evolve(book, blocks=(*book.blocks[:place], *blocks, *book.blocks[place:]))
