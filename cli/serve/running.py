"""Open a table and serve it until the process ends: addresses, links and QR codes in the terminal."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import attrs
import click
import segno
import uvicorn
from starlette.applications import Starlette

from cli.arguments import HUMAN, read_seats
from cli.failures import PlayRefused
from cli.serve.app import NO_ART, make_app
from cli.serve.hub import Actor, Hub, new_seed
from cli.serve.keeping import Found, KeptInFiles, tables_folder, unserved_tables
from cli.serve.seats import HOST
from cli.serve.table import PERSON, Seat, Table
from cli.terminal.play_session import OPPONENT, OPPONENT_IN_PYTHON, UNASSIGNED, saved_play, spec_name
from cli.terminal.resumable import ResumeRequest
from interpreter.agents import AgentError, read_name
from interpreter.cards import picture_of
from interpreter.engine.game import Game, State
from interpreter.loader import find_spec, load
from interpreter.records.saves import LARGEST_SEED, Save, SaveError
from interpreter.records.shared_play import SharedPlay
from interpreter.table.faces import face_views

if TYPE_CHECKING:
    from pathlib import Path

    from cli.serve.postgres import Postgres
    from cli.serve.table import Kept

PORT = 8_000
LOOK_AFTER = 1.0
"""Seconds between two looks whether the owners of tables still live."""


@attrs.frozen
class Opening:
    """The arguments with which a table is opened; with `browser` one person plays, and the browser opens.

    `art` is a folder with pictures of cards.
    """

    spec: str
    players: int | None = None
    options: dict[str, str] = attrs.field(factory=dict)
    seats: Sequence[str] = ()
    seed: int | None = None
    port: int | None = None
    lan: bool = False
    spectators: bool = True
    new: bool = False
    browser: bool = False
    postgres: str | None = None
    address: str | None = None
    art: Path | None = None


def lan_address() -> str:
    """Return the address of this machine in the local network.  Raises click.UsageError where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # An address for documentation: a datagram socket sends nothing here.
            return str(probe.getsockname()[0])
        except OSError:
            raise click.UsageError("this machine has no address in a local network; leave out --lan") from None


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens on a port.  Raises click.UsageError where that is in use."""
    # With the protocol named, asyncio sends small messages at once (TCP_NODELAY); otherwise each may wait for 40 ms.
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(128)
    except OSError as error:
        bound.close()
        why = (error.strerror or str(error)).lower()
        raise click.UsageError(f"port {port} cannot be opened: {why}; choose another with --port") from None
    return bound


def run(opening: Opening, saved: str | None = None) -> None:
    """Serve a table until the process is stopped: a new one, one that was left, or the play of a file.

    Raises what `interpreter.load` raises, click.UsageError, AgentError and PlayRefused, all before a port is opened.
    """
    if opening.seed is not None and abs(opening.seed) > LARGEST_SEED:
        raise click.UsageError("a seed has 30 digits at most")
    database = None if opening.postgres is None else _database(opening.postgres)
    found = None if saved is not None or opening.new or database is not None else _left(opening)
    save = found.play.save if found is not None else None if saved is None else saved_play(saved)
    if save is None:
        game = load(opening.spec, opening.players, dict(opening.options))
    else:
        game = load(opening.spec or save.spec, save.players, dict(save.options))
    who = _who(opening, game, save)
    if opening.browser and PERSON not in who:
        raise click.UsageError("--browser needs a seat for you; `cardgame serve` lets you watch agents as a spectator")
    play = None if save is None else _restored(save, game, saved or "the table that was left", new=found is not None)
    host = lan_address() if opening.lan else "127.0.0.1"
    port = opening.port if opening.port is not None else 0 if opening.browser else (
        found.record.port if found is not None else PORT)  # fmt: skip
    bound = bound_socket(host, port)
    game.ready()
    _serve(opening, game, play, who, found, bound, database)


def _left(opening: Opening) -> Found | None:
    """Return the last table that fits and that no process serves."""
    where = tables_folder()
    if where is None or not opening.spec:
        return None
    wanted = ResumeRequest(opening.players, opening.options, opening.seed, opening.seats)
    people = [one for one in unserved_tables(find_spec(opening.spec), where) if wanted.fits(one.play)]
    return next((one for one in people if not opening.browser or one.play.save.seats.count(HUMAN) == 1), None)


def _restored(save: Save, game: Game, what: str, *, new: bool) -> SharedPlay:
    try:
        return SharedPlay.restored(save, game)
    except SaveError as error:
        instead = "; --new opens another" if new else ""
        raise PlayRefused(f"{what}: {error}{instead}") from None


def _who(opening: Opening, game: Game, save: Save | None) -> list[str]:
    """Return who plays each seat.  Raises click.UsageError, and AgentError for an agent that cannot play."""
    default = [HUMAN, *[UNASSIGNED if opening.browser else HUMAN] * (game.num_players - 1)]
    who = read_seats(opening.seats, game.num_players, default if save is None else save.seats)
    if UNASSIGNED in who:
        opponent = OPPONENT
        try:
            read_name(opponent).check(game)
        except AgentError:
            opponent = OPPONENT_IN_PYTHON
        who = tuple(opponent if one == UNASSIGNED else one for one in who)
    for one in who:
        if one != HUMAN:
            read_name(one).check(game)
    return [PERSON if one == HUMAN else one for one in who]


def spare_long_lived() -> None:
    """Exempt all objects that there are from garbage collection: they live as long as the process.

    A full collection of them takes 80 ms, in which every table waits.
    """
    gc.collect()
    gc.freeze()


def _serve(
    opening: Opening, game: Game, play: SharedPlay | None, who: list[str], found: Found | None, bound: socket.socket,
    database: Postgres | None,
) -> None:  # fmt: skip
    """Serve one table on a socket that listens, until the process is stopped or the host closes the table."""
    host, port = bound.getsockname()
    address = (opening.address or f"http://{host}:{port}").rstrip("/")
    names = {f"{name}:{port}" for name in (host, *(["localhost"] if host == "127.0.0.1" else []))}
    hosts = frozenset(names | {urlsplit(address).netloc})
    hub = Hub(os.urandom, address, database)
    if database is None:
        hub.on_empty = lambda: setattr(server, "should_exit", True)

    @asynccontextmanager
    async def tables() -> AsyncIterator[None]:
        try:
            if database is not None and _joined(database, opening, game, play):
                click.echo(f"{game.title}: this process serves the tables of the database at {address}")
            else:
                table = _open(opening, hub, game, play, who, found, port, database)
                if opening.browser:
                    seat = table.people[0]
                    link = hub.link_of(table.name, table.links.renew(seat, os.urandom))["url"]
                    table.keep_record()
                    click.echo(f"{game.title}: the table is open at {link}  Ctrl-C closes it.")
                    webbrowser.open(link)
                else:
                    show_links(game, hub, table)
            spare_long_lived()
            async with _mail(database, hub):
                yield
        finally:
            hub.stop()
            if database is not None:
                database.close()

    faces = () if opening.art is None else face_views(game)
    art = {face.face: path for face in faces if (path := picture_of(face, opening.art)) is not None}
    server = TableServer(hub, hosts, tables, art)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[bound])
    server.check()


class TableServer(uvicorn.Server):
    """A server that ends when its tables cannot be opened; `tables` is the time in which they are open."""

    def __init__(
        self, hub: Hub, hosts: frozenset[str], tables: Callable[[], AbstractAsyncContextManager[None]],
        art: Mapping[int, Path] = NO_ART,
    ) -> None:  # fmt: skip
        self._tables = tables
        self._failure: Exception | None = None
        # Uvicorn's own configuration of logging closes the handlers of the whole process.
        super().__init__(uvicorn.Config(
            make_app(hub, hosts, self._lifespan, art=art), log_config=None, log_level="warning", ws="websockets-sansio",
            ws_max_size=65_536, ws_per_message_deflate=False, lifespan="on", server_header=False, date_header=False,
            timeout_graceful_shutdown=2,
        ))  # fmt: skip

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        del app
        async with AsyncExitStack() as stack:
            try:
                await stack.enter_async_context(self._tables())
            except Exception as error:
                self._failure = error
                self.should_exit = True
            yield

    def check(self) -> None:
        """Raise the error because of which the tables could not be opened, if there is one."""
        if self._failure is not None:
            raise self._failure


class WatchedTable:
    """A table in the browser whose rules change while it is open; it is served in a thread of its own.

    One person plays, and agents choose at random in the other seats.
    """

    def __init__(self) -> None:
        self._actor: Actor | None = None
        self._hub: Hub | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: TableServer | None = None

    def close(self) -> None:
        """Close the table."""
        if self._server is not None:
            self._server.should_exit = True

    def saved(self) -> Save | None:
        """Return the play of the table so far; None before there is one."""
        actor, loop = self._actor, self._loop
        if actor is None or loop is None:
            return None

        async def read() -> Save:
            return actor.table.saved(actor.table.spec)

        return asyncio.run_coroutine_threadsafe(read(), loop).result()

    def show(self, state: State, seed: int, decisions: int) -> None:
        """Show a play; the first time a browser opens.  Raises RuleError where the play cannot begin."""
        play = SharedPlay.at(state, seed, decisions)
        if self._loop is None:
            opened = threading.Event()
            bound = bound_socket("127.0.0.1", 0)
            threading.Thread(target=self._serve, args=(play, bound, opened), daemon=True).start()
            opened.wait()
            assert self._server is not None
            self._server.check()
            return

        async def exchange() -> None:
            assert self._hub is not None
            assert self._actor is not None
            self._actor = self._hub.exchange(self._actor, play)

        asyncio.run_coroutine_threadsafe(exchange(), self._loop).result()

    def _serve(self, play: SharedPlay, bound: socket.socket, opened: threading.Event) -> None:
        port = bound.getsockname()[1]
        hub = self._hub = Hub(os.urandom, f"http://127.0.0.1:{port}")

        @asynccontextmanager
        async def tables() -> AsyncIterator[None]:
            try:
                seats = [Seat(PERSON), *(Seat("random") for _ in range(play.game.num_players - 1))]
                self._actor = hub.open(play.game, play, seats, spectators=False)
                self._loop = asyncio.get_running_loop()
                link = hub.link_of(self._actor.table.name, self._actor.table.links.known["0"])["url"]
                click.echo(f"The table is open at {link}")
                webbrowser.open(link)
                opened.set()
                yield
            finally:
                hub.stop()

        self._server = TableServer(hub, frozenset({f"127.0.0.1:{port}", f"localhost:{port}"}), tables)
        try:
            self._server.run(sockets=[bound])
        finally:
            opened.set()


def _database(address: str) -> Postgres:
    """Return the database.  Raises click.UsageError where the extra is missing, or no database answers."""
    try:
        from cli.serve.postgres import Postgres  # late: help
    except ImportError:
        raise click.UsageError("`--postgres` needs `pip install 'cardgame[postgres]'`") from None
    try:
        return Postgres(address)
    except ConnectionError as error:
        raise click.UsageError(f"the database does not answer: {error}") from None


def _joined(database: Postgres, opening: Opening, game: Game, play: SharedPlay | None) -> bool:
    """Say whether the database has an unfinished table of this game that fits, so that none is opened."""
    if opening.new or play is not None:
        return False
    return any(
        save.digest == game.digest and opening.seed in (None, save.seed)
        for _, save in database.unfinished(spec_name(opening.spec))
    )


@asynccontextmanager
async def _mail(database: Postgres | None, hub: Hub) -> AsyncIterator[None]:
    """Exchange messages with the other processes of a database."""
    if database is None:
        yield
        return

    async def look_after() -> None:
        while True:
            await asyncio.sleep(LOOK_AFTER)
            try:
                hub.look_after()
            except Exception:  # The database may be away for a while.
                logging.getLogger(__name__).exception("the database does not answer")

    tasks = [asyncio.create_task(database.receive(hub.deliver)), asyncio.create_task(look_after())]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()


def _open(
    opening: Opening, hub: Hub, game: Game, play: SharedPlay | None, who: list[str], found: Found | None, port: int,
    database: Postgres | None,
) -> Table:  # fmt: skip
    """Open a table anew, or go on with one that was left."""
    where, spec = tables_folder(), find_spec(opening.spec or "") if opening.spec else None
    if found is not None and play is not None:
        assert where is not None
        assert spec is not None
        kept = found.take(spec, where)
        if kept is not None:
            table = Table.restored(found.record, play, os.urandom, kept)
            table.port = port
            table.spec = spec_name(opening.spec)
            return hub.add(table).table
    if play is None:
        play = SharedPlay(game, new_seed(os.urandom) if opening.seed is None else opening.seed)
    name = spec_name(opening.spec)

    def keep(table: str) -> Kept | None:
        if database is not None:
            return database.create(table, name)
        return None if where is None or spec is None else KeptInFiles(spec, where)

    seats = [Seat(one) for one in who]
    return hub.open(game, play, seats, spectators=opening.spectators, spec=name, keep=keep, port=port).table


def show_links(game: Game, hub: Hub, table: Table) -> None:
    """Write the links of a table, and a QR code for each seat where a terminal reads."""
    click.echo(f"{game.title}: the table is open.  Ctrl-C stops the server; the same command continues the table.")
    for place, token in table.links.known.items():
        link = hub.link_of(table.name, token)["url"]
        click.echo(f"  {f'seat {int(place) + 1}' if place.isdigit() else place:<10}  {link}")
        if place.isdigit() and sys.stdout.isatty():
            segno.make(link, error="l").terminal(out=sys.stdout, compact=True)
    if table.links.known:
        click.echo("Give each link to one player only.  This machine knows all cards.")
    else:
        click.echo("  The links of before are valid.  A new link for the host:")
        token = table.links.renew(HOST, os.urandom)
        table.keep_record()
        click.echo(f"  {HOST:<10}  {hub.link_of(table.name, token)['url']}")
