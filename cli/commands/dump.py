"""`cardgame dump`: show what the compiler makes of a spec."""

from __future__ import annotations

import click

from cli.arguments import setting_options

STAGES = ("ast", "core", "program", "python", "c")


@click.command("dump")
@click.argument("spec")
@setting_options
@click.option(
    "--stage", type=click.Choice(STAGES), default="core", show_default=True,
    help="ast: the syntax tree; core: the checked rules; program: the state machine, after all passes; "
    "python: what is run; c: what native playouts run.",
)  # fmt: skip
def dump(spec: str, players: int | None, options: dict[str, str], stage: str) -> None:
    """Show what the compiler makes of SPEC, at one of its stages.

    Each line ends with the line of the spec that it came from.  The text is for reading: no program takes it, and it
    may change from version to version.

    \b
    Examples:
      cardgame dump chalice_and_wand
      cardgame dump chalice_and_wand --stage program
      cardgame dump my_game.cardgame --stage python --players 4
    """
    from interpreter.loader import load  # late: help
    from interpreter.program import dump as told  # late: help
    from interpreter.program.c.module import generate_c  # late: help
    from interpreter.program.optimise import optimised  # late: help

    game = load(spec, players, options)
    match stage:
        case "ast":
            text = told.syntax_text(game.spec)
        case "core":
            text = told.core_text(game.rules)
        case "program":
            text = told.program_text(optimised(game.program, game.layout))
        case "c":
            text = told.c_text(generate_c(game.program))
        case _:
            text = told.python_text(game.generated(), game.program.sites)
    click.echo(text, nl=False)
