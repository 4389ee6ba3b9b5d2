"""`cardgame serve`: open a table for several people in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cli.arguments import setting_options


@click.command("serve")
@click.argument("spec", required=False)
@setting_options
@click.option("--port", type=click.IntRange(0, 65_535), metavar="N", help="Port; 0: a free one.  [default: 8000]")
@click.option("--lan", is_flag=True, help="Let devices of the local network connect, not this machine alone.")
@click.option(
    "--seat", "seats", multiple=True, metavar="N=WHO",
    help="Player of a seat: human, or an agent such as search, greedy or random; all=WHO for the others.",
)  # fmt: skip
@click.option("--seed", type=int, metavar="N", help="Random seed; by default a new one, which is secret until the end.")
@click.option("--spectators/--no-spectators", default=True, show_default=True, help="Create a link for spectators.")
@click.option("--load", "saved", metavar="FILE", help="Continue the play that FILE contains.")
@click.option("--new", is_flag=True, help="Open a new table instead of continuing the last one.")
@click.option("--postgres", metavar="URL", help="Keep tables in a database, so that several servers can share them.")
@click.option("--address", metavar="URL", help="The address that links begin with, if a proxy leads to this server.")
@click.option(
    "--art", metavar="FOLDER", type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with pictures: a card takes the .png or .jpg file that is named as it is written.",
)  # fmt: skip
def serve(
    spec: str | None,
    players: int | None,
    options: dict[str, str],
    port: int | None,
    lan: bool,
    seats: tuple[str, ...],
    seed: int | None,
    spectators: bool,
    saved: str | None,
    new: bool,
    postgres: str | None,
    address: str | None,
    art: Path | None,
) -> None:
    """Open a table for SPEC in the browser: one link for each seat, one for spectators, one for the host.

    Each device receives only what its seat sees.  By default a person plays each seat; agents play those that --seat
    gives them.  The host may let an agent play a seat, and a person take it back.

    The server saves each decision before it shows it.  After a stop or a crash, the same command continues the table,
    and the links stay valid.  The server needs the extra `serve`: pip install 'cardgame[serve]'.

    \b
    Examples:
      cardgame serve chalice_and_wand
      cardgame serve classics/hearts --lan --seat 3=search --seat 4=greedy
      cardgame serve --load my_play.save
      cardgame serve chalice_and_wand --postgres postgresql://localhost/games --address https://games.example
    """
    if spec is None and saved is None:
        raise click.UsageError("name a game: a file, or a name that `cardgame list` shows")
    if saved is not None and (players is not None or options or seed is not None or new):
        raise click.UsageError("a saved play brings its players, options and seed; leave them out with --load")
    open_table(
        "cardgame serve", saved, spec=spec or "", players=players, options=options, seats=seats, seed=seed, port=port,
        lan=lan, spectators=spectators, new=new, postgres=postgres, address=address, art=art,
    )  # fmt: skip


def open_table(command: str, saved: str | None, **opening: Any) -> None:
    """Serve a table; see `cli.serve.running`.  Raises click.UsageError where the extra `serve` is missing."""
    running = serving(command)
    running.run(running.Opening(**opening), saved)


def serving(command: str) -> Any:
    """Return the module `cli.serve.running`.  Raises click.UsageError where the extra `serve` is missing."""
    try:
        from cli.serve import running  # late: help
    except ImportError as error:
        raise click.UsageError(f"`{command}` needs `pip install 'cardgame[serve]'` ({error})") from None
    return running
