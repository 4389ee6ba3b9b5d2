"""What one rulebook says and another does not: old and new sentences, chapter by chapter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

import attrs

from grammar import ast
from grammar.diagnostics import CardgameError
from interpreter.analysis.checker import check_spec
from interpreter.rulebook.book import write_book
from interpreter.rulebook.differences import Line, lines_of
from interpreter.rulebook.page import Block, Book, Heading, Paragraph, Row, Table, runs
from interpreter.rulebook.settle import Settled
from interpreter.setting import Signature

HEADING = "Differences"
"""The beginning of the title of the chapter on what a variant changes."""


@attrs.frozen
class Changed:
    """Lines of a chapter that one book has in the place of those of another; either may be empty."""

    chapter: str
    old: tuple[str, ...]
    new: tuple[str, ...]


def differences(old: Book, new: Book) -> list[Changed]:
    """Return what a book has in the place of lines of another, in the order of its chapters."""
    ours, theirs = list(_lines(old)), list(_lines(new))
    found: list[Changed] = []
    for kind, first, last, begin, end in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind != "equal":
            gone, come = ours[first:last], theirs[begin:end]
            for chapter in dict.fromkeys(chapter for chapter, _ in (*gone, *come)):
                texts = ([text for where, text in lines if where == chapter] for lines in (gone, come))
                found.append(Changed(chapter, *map(tuple, texts)))
    return found


def _lines(book: Book) -> Iterator[Line]:
    """Give the lines of a book that can be compared: its title and the notes on how to read it are left out."""
    title = _title(book)
    notes = False
    for chapter, text in lines_of(book.blocks):
        notes = chapter == title and (notes or text.startswith("This book "))
        if not notes and not (chapter == title and text.startswith(("A mark such as", "Terms in "))):
            yield ("Aim" if chapter == title else chapter), text.replace(title, "The game")


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
    rows = tuple(Row((one.chapter, " ".join(one.old), " ".join(one.new))) for one in changed)
    if not rows:
        return book
    place = next(n for n, b in enumerate(book.blocks) if isinstance(b, Heading) and b.level > 1)
    blocks: tuple[Block, ...] = (
        Heading(f"{HEADING} from {title}"),
        Paragraph("If you know that game, these are the rules that change."),
        Table(("Chapter", title, "Here"), rows),
    )
    return attrs.evolve(book, blocks=(*book.blocks[:place], *blocks, *book.blocks[place:]))


def plain(text: str) -> str:
    """Return a text of a book without its marks."""
    return "".join(run for run, _ in runs(text))
