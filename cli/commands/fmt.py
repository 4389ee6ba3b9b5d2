"""`cardgame fmt`: format specs and scenarios."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.arguments import read_text
from cli.failures import AT_FAULT, FINE, spec_mistakes
from cli.terminal.screen import write_painted

if TYPE_CHECKING:
    from grammar.source import Source


@click.command("fmt")
@click.argument("names", metavar="FILE...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Change nothing; exit code 1 if a file would change.")
@click.option("--diff", "show", is_flag=True, help="Change nothing; print what would change.")
@click.pass_context
def fmt(ctx: click.Context, names: tuple[str, ...], check: bool, show: bool) -> None:
    """Format specs and files of scenarios: indentation, spaces, columns and rule tags.

    The command changes only white space.  It does not change a file with syntax errors, but reports them (exit code
    1).  FILE `-` reads standard input and writes the formatted text to standard output.

    \b
    Examples:
      cardgame fmt my_game.cardgame my_game.scenarios
      cardgame fmt --check games/*.cardgame
      cardgame fmt --diff my_game.cardgame
    """
    from grammar import files  # late: help
    from grammar.diagnostics import SpecError  # late: help
    from grammar.format import formatted  # late: help
    from grammar.source import Source, read_source  # late: help

    refused = changed = 0
    for name in names:
        source = Source("standard input", read_text("-")) if name == "-" else read_source(Path(name))
        text = source.text
        try:
            made = formatted(source, _language(text))
        except SpecError as error:
            write_painted(spec_mistakes(ctx, error), err=True)
            refused += 1
            continue
        changed += made != text
        if show:
            _show(source, made)
        elif name == "-" and not check:
            click.echo(made, nl=False)
        elif made != text and check:
            click.echo(f"{name}: would change")
        elif made != text:
            if read_source(Path(name)).text != text:
                raise click.UsageError(f"`{name}` changed while it was formatted; it stays as it is")
            files.write_text(name, made)
            click.echo(f"{name}: formatted", err=True)
    ctx.exit(AT_FAULT if refused or (check and changed) else FINE)


def _language(text: str) -> str:
    """Return the language of a text, which its first word names."""
    code = (line.split("#")[0].strip("\ufeff \t") for line in text.splitlines())
    first = next((line for line in code if line), "")
    return "scenario" if first.startswith("scenarios") else "cardgame"


def _show(source: Source, made: str) -> None:
    before, after = source.text.splitlines(), made.splitlines()
    lines = unified_diff(before, after, source.name, f"{source.name} (formatted)", lineterm="")
    click.echo("".join(f"{line}\n" for line in lines), nl=False)
