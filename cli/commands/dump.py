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
    help="ast: the syntax tree; core: the checked rules; program: the state machine, behind all passes; "
    "python: what is run; c: what native playouts run.",
)  # fmt: skip
@click.option("--logged", is_flag=True, help="Of the Python that also writes events and notes rules.")
def dump(spec: str, players: int | None, options: dict[str, str], stage: str, logged: bool) -> None:
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
    from interpreter.program.layout import Layout  # late: help
    from interpreter.program.passes import Passes  # late: help

    if logged and stage != "python":
        raise click.UsageError("--logged chooses a text of Python; write --stage python with it")
    game = load(spec, players, options)
    match stage:
        case "ast":
            text = told.syntax_text(game.spec)
        case "core":
            text = told.core_text(game.rules)
        case "program":
            passes = Passes(game.rules, Layout.of(game.program), logged=False)
            text = told.program_text(game.program, passes.run)
        case "c":
            text = told.code_text(generate_c(game.program), "//")
        case _:
            made = game.generated(logged=logged)
            variables = [game.variable_name(slot) for slot in range(len(game.data.slots))]
            places = [game.place_name(place) for place in range(game.num_places)]
            text = told.names_in_python(made.layout, variables, places) + told.code_text(made, "#")
    click.echo(text, nl=False)
