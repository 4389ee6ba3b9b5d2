"""`cardgame rules`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from cli.arguments import setting_options
from cli.terminal.screen import make_console

if TYPE_CHECKING:
    from interpreter.rulebook.page import Book


@click.command("rules")
@click.argument("spec", metavar="SPEC")
@setting_options
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown"]), default="text", show_default=True,
    help="text: for the terminal; markdown: for a page.",
)  # fmt: skip
@click.pass_context
def rules(ctx: click.Context, spec: str, players: int | None, options: dict[str, Any], form: str) -> None:
    """Print the rulebook of a game, written from its SPEC, with the tags of its rules.

    Every option is told with its alternatives.  With --option and --players the book speaks of the game
    that is played so, and leaves the rest out.

    \b
    Examples:
      cardgame rules chalice_and_wand
      cardgame rules chalice_and_wand --option hands=open
      cardgame rules my_game.cardgame --players 3 --format markdown
    """
    from interpreter.rulebook.page import markdown  # late: help

    book = _book(spec, players, options)
    if form == "markdown":
        click.echo(markdown(book), nl=False)
        return
    from cli.terminal.rulebook_view import print_blocks  # late: help

    print_blocks(book.blocks, make_console(ctx, sys.stdout))


def _book(name: str, players: int | None, options: dict[str, Any]) -> Book:
    """Return the rulebook of a spec in a setting.  Raises SpecError, SpecNotFoundError and SettingError."""
    from grammar.source import read_source  # late: help
    from interpreter.loader import assemble, check, find_spec  # late: help
    from interpreter.rulebook.book import write_book  # late: help
    from interpreter.rulebook.settle import Settled  # late: help

    path = find_spec(name)
    spec = assemble(read_source(path), path.parent)
    found = check(spec, players, options)
    return write_book(spec, found, Settled(players, {option: found.setting[option] for option in options}))
