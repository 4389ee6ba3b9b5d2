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
    help="mermaid: for pages and editors that draw it themselves; dot: for Graphviz.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of standard output.")
def graph(spec: str, players: int | None, options: dict[str, str], form: str, output: str | None) -> None:
    """Draw who decides what in SPEC, and in what order.

    The picture shows decisions with their verbs, chance, branches, loops and ends, in a frame for each
    phase.  What happens by itself is left out, and so is what cannot happen with these options.

    At the edges, conditions are in square brackets, verbs alone, and after / what is done on the way.
    A loop over things, `each p in players`, leads back once for each of them, and is passed by if there
    are none.  A larger phase that is carried out from several places is drawn once, beside the rest.

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
