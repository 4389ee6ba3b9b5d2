"""Open a table and serve it until the process ends: addresses, links and QR codes in the terminal."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import attrs
import click
import segno
import uvicorn
from starlette.applications import Starlette

from cli.arguments import HUMAN, read_seats
from cli.serve.app import make_app
from cli.serve.hub import Hub
from cli.serve.table import PERSON
from interpreter.agents import read_name
from interpreter.engine.game import Game
from interpreter.records.saves import LARGEST_SEED


@attrs.frozen
class Opening:
    """What a table is opened with."""

    game: Game
    seats: Sequence[str]
    seed: int | None
    port: int
    lan: bool = False
    spectators: bool = True


def lan_address() -> str:
    """Return the address of this machine in the local network; that of the machine itself where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # An address for documentation: a datagram socket sends nothing here.
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens on a port.  Raises click.UsageError where that is in use."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(128)
    except OSError as error:
        bound.close()
        raise click.UsageError(f"port {port} cannot be opened: {error.strerror}; choose another with --port") from None
    return bound


def run(opening: Opening) -> None:
    """Serve a new table until the process is stopped.  Raises click.UsageError, and AgentError for an agent."""
    game = opening.game
    who = [PERSON if w == HUMAN else w for w in read_seats(opening.seats, game.num_players, [HUMAN] * game.num_players)]
    for one in who:
        if one != PERSON:
            read_name(one).check(game)
    if opening.seed is not None and abs(opening.seed) > LARGEST_SEED:
        raise click.UsageError("a seed has 30 digits at most")
    host = lan_address() if opening.lan else "127.0.0.1"
    bound = bound_socket(host, opening.port)
    port = bound.getsockname()[1]
    names = {host, "localhost"} if host == "127.0.0.1" else {host}
    hub = Hub(os.urandom, f"http://{host}:{port}")
    seed = int.from_bytes(os.urandom(8), "big") if opening.seed is None else opening.seed
    game.ready()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        del app
        actor = hub.open(game, seed, who, spectators=opening.spectators)
        show_links(game, hub, actor.table.name, actor.table.links.known)
        yield
        hub.stop()

    app = make_app(hub, frozenset(f"{name}:{port}" for name in names), lifespan)
    server = uvicorn.Server(uvicorn.Config(
        app, log_level="warning", ws="websockets-sansio", ws_max_size=65_536, ws_per_message_deflate=False,
        lifespan="on", server_header=False, date_header=False, timeout_graceful_shutdown=2,
    ))  # fmt: skip
    server.run(sockets=[bound])


def show_links(game: Game, hub: Hub, table: str, known: dict[str, str]) -> None:
    """Write the links of a table, and a QR code for each seat where a terminal reads."""
    click.echo(f"{game.title}: the table is open.  Ctrl-C closes the server.")
    for place, token in known.items():
        link = hub.link_of(table, token)["url"]
        click.echo(f"  {f'seat {int(place) + 1}' if place.isdigit() else place:<10}  {link}")
        if place.isdigit() and sys.stdout.isatty():
            segno.make(link, error="l").terminal(out=sys.stdout, compact=True)
    click.echo("The host's machine knows all cards.  Give each link to one player only.")
