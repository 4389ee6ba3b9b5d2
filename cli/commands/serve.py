"""`cardgame serve`."""

from __future__ import annotations

from typing import Any

import click

from cli.arguments import setting_options


@click.command("serve")
@click.argument("spec")
@setting_options
@click.option("--port", type=click.IntRange(0, 65_535), default=8_000, show_default=True, help="Port; 0: a free one.")
@click.option("--lan", is_flag=True, help="Let devices of the local network connect, not this machine alone.")
@click.option(
    "--seat", "seats", multiple=True, metavar="N=WHO",
    help="Player of a seat: human, or an agent such as search, greedy or random; all=WHO for the others.",
)  # fmt: skip
@click.option("--seed", type=int, metavar="N", help="Random seed; by default a new one, which is secret until the end.")
@click.option("--spectators/--no-spectators", default=True, show_default=True, help="Have a link for spectators.")
def serve(
    spec: str, players: int | None, options: dict[str, Any], port: int, lan: bool, seats: tuple[str, ...],
    seed: int | None, spectators: bool,
) -> None:  # fmt: skip
    """Open a table for SPEC in the browser: one link for each seat, one for spectators, one for the host.

    Each device receives what its seat may see.  By default a person plays each seat; agents play those that --seat
    gives them.  The server needs the extra `serve`: pip install 'cardgame[serve]'.

    \b
    Examples:
      cardgame serve chalice_and_wand
      cardgame serve classics/hearts --lan --seat 3=search --seat 4=greedy
    """
    from interpreter.loader import load  # late: help

    try:
        from cli.serve.running import Opening, run  # late: help
    except ImportError as error:
        raise click.UsageError(f"`cardgame serve` needs `pip install 'cardgame[serve]'` ({error})") from None

    game = load(spec, players, options)
    run(Opening(game, seats, seed, port, lan=lan, spectators=spectators))
