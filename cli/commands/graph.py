"""`cardgame graph`: draw the state machine of a spec."""

from __future__ import annotations

import click

from cli.arguments import check_writable, setting_options
from grammar import files


@click.command("graph")
@click.argument("spec")
@setting_options
@click.option(
    "--format", "form", type=click.Choice(["mermaid", "dot"]), default="mermaid", show_default=True,
    help="mermaid: for pages and editors that draw Mermaid; dot: for Graphviz.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of standard output.")
def graph(spec: str, players: int | None, options: dict[str, str], form: str, output: str | None) -> None:
    """Draw the state machine of SPEC: who decides what, and in what order.

    The diagram shows decisions with their verbs, chance events, branches, loops and ends, with a frame for each
    phase.  It omits most other statements, and everything that cannot happen with these options.

    On an edge, a condition is in square brackets, a verb is alone, and statements follow a `/`.  A loop such as
    `each p in players` returns once for each element.  A large phase that several places call is drawn once,
    beside the others.

    \b
    Examples:
      cardgame graph chalice_and_wand
      cardgame graph chalice_and_wand --option first_player=drawn
      cardgame graph my_game.cardgame --format dot -o my_game.dot
    """
    from interpreter.graph.drawing import draw  # late: help
    from interpreter.graph.formats import dot, mermaid  # late: help
    from interpreter.loader import load  # late: help

    if output is not None:
        check_writable(output)
    game = load(spec, players, options)
    text = {"mermaid": mermaid, "dot": dot}[form](draw(game.spec, game.rules))
    if output is None:
        click.echo(text, nl=False)
    else:
        files.write_text(output, text)
