"""`cardgame dump`: show what the compiler makes of a spec."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from cli.arguments import setting_options

if TYPE_CHECKING:
    from interpreter.engine.game import Game

STAGES = ("ast", "core", "program", "python", "c", "table")


@click.command("dump")
@click.argument("spec")
@setting_options
@click.option(
    "--stage", type=click.Choice(STAGES), default="core", show_default=True,
    help="ast: the syntax tree; core: the checked rules; program: the state machine, after all passes; "
    "python, c: the generated code; table: the first decision of a play with seed 0 as JSON, as the player to act "
    "sees it, with the JSON Schema.",
)  # fmt: skip
def dump(spec: str, players: int | None, options: dict[str, str], stage: str) -> None:
    """Show SPEC at one stage of the compiler.

    Each line ends with the number of its line in the spec.  The output is for reading; its format may change between
    versions.

    \b
    Examples:
      cardgame dump chalice_and_wand
      cardgame dump chalice_and_wand --stage program
      cardgame dump my_game.cardgame --stage python --players 4
    """
    from interpreter.loader import load  # late: help
    from interpreter.program import dump  # late: help
    from interpreter.program.c.module import generate_c  # late: help
    from interpreter.program.optimise import optimised  # late: help

    game = load(spec, players, options)
    if stage == "table":
        click.echo(_table(game))
        return
    match stage:
        case "ast":
            text = dump.syntax_text(game.spec)
        case "core":
            text = dump.core_text(game.rules)
        case "program":
            text = dump.program_text(optimised(game.program, game.layout))
        case "c":
            text = dump.c_text(generate_c(game.program), game.program.sites)
        case _:
            text = dump.python_text(game.generated(), game.program.sites)
    click.echo(text, nl=False)


def _table(game: Game) -> str:
    """Return the first decision of a play as JSON, with the reference of the game and the JSON Schema of both."""
    from interpreter.records.session import resolve_from_seed  # late: help
    from interpreter.table.frame import Frame, Reference, frame, reference, schema, to_json  # late: help
    from interpreter.table.information import information_state  # late: help

    state = game.new_initial_state()
    while state.is_chance_node():
        resolve_from_seed(state, 0)
    info = information_state(state, None if state.is_terminal() else state.current_player())
    parts = {
        "reference": json.loads(to_json(reference(game))),
        "frame": json.loads(to_json(frame(info))),
        "schema": {"reference": schema(Reference), "frame": schema(Frame)},
    }
    return json.dumps(parts, ensure_ascii=False, indent=2)
