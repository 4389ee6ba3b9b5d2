"""The differences between two rulebooks: old and new sentences, chapter by chapter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from grammar import ast
from grammar.diagnostics import CardgameError
from interpreter.analysis.checker import check_spec
from interpreter.rulebook.book import write_book
from interpreter.rulebook.differences import Change, Item, changes, items_of
from interpreter.rulebook.page import Block, Book, Heading, Paragraph, Row, Table
from interpreter.rulebook.settle import Settled
from interpreter.setting import Signature

HEADING = "Differences"
"""The beginning of the title of the chapter on what a variant changes."""


def differences(old: Book, new: Book) -> list[Change]:
    """Return what a book has in the place of lines of another, in the order of its chapters."""
    return list(changes(list(_lines(old)), list(_lines(new))))


def _lines(book: Book) -> Iterator[Item]:
    """Give the lines of a book that can be compared: its title and the notes on how to read it are left out."""
    title = _title(book)
    notes = False
    for item in items_of(book.blocks):
        text, own = item.entry.text, item.chapter == title
        notes = own and (notes or text.startswith("This book "))
        if not notes and not (own and text.startswith(("A mark such as", "Terms in "))):
            entry = attrs.evolve(item.entry, text=text.replace(title, "The game"))
            yield attrs.evolve(item, chapter="Aim" if own else item.chapter, entry=entry)


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
    rows = tuple(Row((one.chapter, _joined(one.old), _joined(one.new))) for one in changed)
    if not rows:
        return book
    place = next(n for n, b in enumerate(book.blocks) if isinstance(b, Heading) and b.level > 1)
    blocks: tuple[Block, ...] = (
        Heading(f"{HEADING} from {title}"),
        Paragraph("If you know that game, these are the rules that change."),
        Table(("Chapter", title, "Here"), rows),
    )
    return attrs.evolve(book, blocks=(*book.blocks[:place], *blocks, *book.blocks[place:]))


def _joined(items: tuple[Item, ...]) -> str:
    return " ".join(item.entry.text for item in items)
