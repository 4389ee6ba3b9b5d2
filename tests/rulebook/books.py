"""Rulebooks of bundled games and of the spec with every construct, as Markdown; each is written once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from grammar.ast import Spec
from grammar.diagnostics import CardgameError
from grammar.source import Source, read_source
from interpreter.analysis.rules import Rules
from interpreter.loader import assemble, bundled_variants, check, find_spec, game_of
from interpreter.records.worked_example import worked_example
from interpreter.rulebook.book import Example, standard, write_book
from interpreter.rulebook.page import Book, markdown
from interpreter.rulebook.settle import Settled, settle

EVERYTHING = Path(__file__).parent / "data" / "everything.cardgame"
QUICK = ("chalice_and_wand", "classics/kuhn_poker", "classics/love_letter", bundled_variants()[0])
"""Books that the quick tests read, besides that of every construct."""

WHOLE = " with options"
"""After the name of a variant: its whole book, with the table of what options change and an example.

That table takes ten times as long as the rest, and the base's book has it.
"""


@cache
def tree(name: str) -> Spec:
    """Return a bundled game, put together; the path of a spec works too."""
    path = find_spec(name.removesuffix(WHOLE))
    return assemble(read_source(path), path.parent)


@cache
def told_tree(name: str) -> Spec:
    """Return a bundled game as its rulebook describes it: in its standard setting."""
    spec = tree(name)
    rules = check(spec)
    return settle(
        spec, standard(spec, rules, Settled()), rules.info.copy(), dealt=frozenset(face.kind for face in rules.faces)
    )


@cache
def book(name: str) -> str:
    """Return the rulebook of a game in which no option is fixed, as Markdown."""
    return markdown(page(name))


@cache
def page(name: str) -> Book:
    """Return the blocks of the rulebook of a game in which no option is fixed, as `cardgame rules` prints it.

    A variant's is without the table of what options change and without an example, except after `WHOLE`.
    """
    if name in bundled_variants():
        return plain(name)
    spec = tree(name)
    game = game_of(spec)
    return write(spec, lambda phrases: worked_example(game, phrases))


@cache
def plain(name: str) -> Book:
    """Return the rulebook of a game without the table of what options change and without an example."""
    return write_book(tree(name), check(tree(name)), Settled())


def write(spec: Spec, example: Example | None = None, players: int | None = None, **options: str | int | bool) -> Book:
    """Return the rulebook of a spec in a setting."""

    def other(setting: Mapping[str, str | int | bool]) -> Rules | None:
        try:
            return check(spec, players, {**options, **setting})
        except CardgameError:
            return None

    return write_book(spec, check(spec, players, options), Settled(players, options), other, example)


def text_book(text: str, players: int | None = None, **options: str | int | bool) -> str:
    """Return the rulebook of a spec given as text."""
    return markdown(write(assemble(Source("<text>", text), None), None, players, **options))


def tags_in(text: str) -> set[str]:
    """Return all rule tags at the ends of the lines and rows of a book."""
    ends = re.findall(r" \[([A-Z]+\d[^\]]*)\](?: \|)?$", text, flags=re.MULTILINE)
    return {tag.strip() for end in ends for tag in end.split(",")}
