"""`cardgame rules`: print the rulebook of a spec."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from cli.arguments import setting_options
from cli.terminal.screen import make_console

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.analysis.rules import Rules
    from interpreter.rulebook.page import Book


@click.command("rules")
@click.argument("spec", metavar="SPEC")
@setting_options
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "html"]), default="text", show_default=True,
    help="text: for the terminal; markdown: for a page; html: for a browser and for print.",
)  # fmt: skip
@click.pass_context
def rules(ctx: click.Context, spec: str, players: int | None, options: dict[str, Any], form: str) -> None:
    """Print the rulebook of a game, written from its SPEC, with the tags of its rules.

    The book describes the standard options, marks what another option changes, and has a table of
    these changes.  With --option and --players it describes one setting.  The
    book of a variant begins with the differences from the book of its base.

    \b
    Examples:
      cardgame rules chalice_and_wand
      cardgame rules chalice_and_wand --option hands=open
      cardgame rules my_game.cardgame --players 3 --format markdown
    """
    from interpreter.rulebook.page import html, markdown, numbered  # late: help

    book = _book(spec, players, options)
    if form != "text":
        click.echo(markdown(book) if form == "markdown" else html(book), nl=False)
        return
    from cli.terminal.rulebook_view import print_blocks  # late: help

    print_blocks(numbered(book).blocks, make_console(ctx, sys.stdout))


def _book(name: str, players: int | None, options: dict[str, Any]) -> Book:
    """Return the rulebook of a spec in a setting.  Raises SpecError, SpecNotFoundError and SettingError."""
    from grammar.diagnostics import CardgameError  # late: help
    from grammar.source import read_source  # late: help
    from interpreter.loader import assemble, check, find_spec, game_of  # late: help
    from interpreter.records.worked_example import worked_example  # late: help
    from interpreter.rulebook.book import write_book  # late: help
    from interpreter.rulebook.changes import with_differences  # late: help
    from interpreter.rulebook.settle import Settled  # late: help

    path = find_spec(name)
    spec = assemble(read_source(path), path.parent)
    found = check(spec, players, options)

    def other(setting: Mapping[str, Any]) -> Rules | None:
        try:
            return check(spec, players, {**options, **setting})
        except CardgameError:
            return None  # Not every value goes with every other.

    game = game_of(spec, players, options)
    settled = Settled(players, {option: found.setting[option] for option in options})
    book = write_book(spec, found, settled, other, lambda phrases: worked_example(game, phrases))
    return with_differences(book, spec, players, options)
