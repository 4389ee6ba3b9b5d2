"""Tables as actors: each has one task, which takes messages from a queue in order and publishes frames.

A connection has a mailbox: answers wait in order, a frame replaces the one that was not sent yet.  So a slow client
receives the newest frame, and never makes a table wait.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import segno

from cli.serve import wire
from cli.serve.keeping import Lost
from cli.serve.relay import Relay, RemoteClient
from cli.serve.seats import Links, Place, RandomBytes, compare_with_nothing, is_table_name, new_table_name
from cli.serve.table import PERSON, Client, Refused, Seat, Table
from cli.serve.thinking import Task, Thinkers
from cli.terminal.thinking import hint_of
from grammar.diagnostics import CardgameError
from interpreter.agents import AgentError, AgentView, read_name
from interpreter.engine.game import Game
from interpreter.loader import load
from interpreter.records.shared_play import SharedPlay, whole_decision
from interpreter.rulebook.page import Paragraph
from interpreter.text.sentences import sentences

if TYPE_CHECKING:
    from cli.serve.postgres import Postgres
    from cli.serve.table import Kept

log = logging.getLogger(__name__)

ADVISER, ADVISER_IN_PYTHON = "search:2s", "greedy"
"""The agent that gives hints, and the one where the game is not available in C."""
AWAY_AFTER = 10.0
"""Seconds without a connection after which a seat is shown as away."""
MOST_UNPUBLISHED = 8
"""Decisions and requests that one frame shows together."""
MOST_WAITING = 64
"""Answers that wait for a client that does not read."""

GONE = {
    "unknown": (4404, "There is no such table, or the link is not valid."),
    "replaced": (4409, "Another device has taken this seat."),
    "closed": (4410, "The host has closed the table."),
    "left": (1000, "You have left the table.  The link of your seat stays valid."),
    "full": (4429, "There are too many spectators."),
    "idle": (4408, "No seat was taken in time."),
    "slow": (4413, "This device reads too slowly."),
    "restarted": (1012, "The server stops.  The play is saved."),
    "away": (1013, "The table cannot be reached at the moment."),
}
"""Why a connection ends: the code of the closing, and the reason in words."""


def new_seed(random_bytes: RandomBytes) -> int:
    """Return a seed that nobody can guess."""
    return int.from_bytes(random_bytes(8), "big")


class Connection:
    """The mailbox of one WebSocket."""

    def __init__(self) -> None:
        self.seat: int | None = None
        self.host = False
        self.table: Actor | Relay | None = None
        self.ended: tuple[int, str, str] | None = None
        self.changed = asyncio.Event()
        self._waiting: deque[bytes] = deque()
        self._frame: bytes | None = None

    def send(self, message: bytes) -> None:
        """Send a message."""
        if len(self._waiting) > MOST_WAITING:
            self.dismiss("slow")
            return
        self._waiting.append(message)
        self.changed.set()

    def show(self, message: bytes) -> None:
        """Send a frame, in the place of one that was not sent yet."""
        if self._frame is not None:
            self._waiting.remove(self._frame)
        self._frame = message
        self._waiting.append(message)
        self.changed.set()

    def dismiss(self, why: str, text: str = "", code: int = 1000) -> None:
        """Say why the connection ends, and end it once that is sent."""
        if self.ended is None:
            code, text = GONE.get(why, (code, text))
            self.ended = (code, why, text)
            self.changed.set()

    async def settle(self) -> None:
        """Wait until the decisions of the table are on the disk."""
        if isinstance(self.table, Actor):
            await self.table.settled.wait()

    def take(self) -> Iterator[bytes]:
        """Give the messages that wait, in their order, and after the end the reason for it."""
        while self._waiting:
            message = self._waiting.popleft()
            if message is self._frame:
                self._frame = None
            yield message
        if self.ended is not None:
            yield wire.write({"t": "gone", "why": self.ended[1], "text": self.ended[2]})


class Actor:
    """The task of one table; while it is not `settled`, decisions are not on the disk, and no message is sent."""

    def __init__(self, table: Table, hub: Hub) -> None:
        self.table = table
        self.hub = hub
        self._inbox: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._moment = 0
        self._hints: set[asyncio.Task[None]] = set()
        self._problem = ""
        table.on_hint = self._hint
        self.settled = asyncio.Event()
        self.settled.set()
        self.task = asyncio.create_task(self._run())
        self.post(lambda: None)

    def post(self, work: Callable[[], None]) -> None:
        """Let the actor do something; frames follow."""
        self._inbox.put_nowait(work)

    async def _run(self) -> None:
        unpublished = 0
        while not self.table.closed:
            work = await self._inbox.get()
            try:
                work()
                self._let_others_decide()
                if self.table.kept is not None and self.table.kept.is_waiting:
                    self.settled.clear()
                await asyncio.sleep(0)  # Agents that do not think decide now, so that one frame shows all of it.
                unpublished += 1
                if self._inbox.empty() or unpublished == MOST_UNPUBLISHED:
                    unpublished = 0
                    await self._publish()
            except Lost as lost:
                log.warning("table %s is left to other processes: %s", self.table.name, lost)
                self.hub.abandon(self)
                return
            except Exception:  # A bug of ours ends no table.
                log.exception("CG901 a bug of cardgame")
            self._report_problem()
        self.hub.forget(self)

    async def _publish(self) -> None:
        """Make the frames while the decisions that they show are written to the disk; after that each may be sent."""
        kept = self.table.kept
        if kept is None or self.settled.is_set():
            await self._show()
            return
        problem = kept.problem

        def release(_: object) -> None:
            if kept.problem == problem:
                self.settled.set()

        writing = asyncio.get_running_loop().run_in_executor(None, kept.settle)
        writing.add_done_callback(release)
        try:
            await self._show()
        finally:
            try:
                await writing
                if kept.problem != problem:
                    await self._show()
            finally:
                self.settled.set()

    async def _show(self) -> None:
        """Make the frames of all seats; other tables are served in between."""
        for _ in self.table.publish():
            await asyncio.sleep(0)

    def _report_problem(self) -> None:
        """Log once that the table cannot be kept."""
        problem = "" if self.table.kept is None else self.table.kept.problem
        if problem != self._problem:
            self._problem = problem
            log.warning("table %s is %s", self.table.name, f"not kept: {problem}" if problem else "kept again")

    def stop(self) -> None:
        """End the task and the thinking of agents."""
        for task in (self.task, *self._thinking.values(), *self._hints):
            if task is not asyncio.current_task():
                task.cancel()

    def admit(self, client: Client, place: Place, request: wire.Sit) -> None:
        """Give a place to a connection."""

        def sit() -> None:
            try:
                self.table.sit(client, place, request)
            except Refused as refused:
                client.dismiss(refused.code)

        self.post(sit)

    def receive(self, client: Client, request: wire.Request, data: str) -> None:
        """Answer a request."""
        del data
        self.post(lambda: self.table.receive(client, request))

    def leave(self, connection: Client) -> None:
        """Note that a connection has ended."""
        self.post(lambda: self.table.drop(connection))
        if connection.seat is not None:
            seat = connection.seat
            asyncio.get_running_loop().call_later(AWAY_AFTER, lambda: self.post(lambda: self.table.away(seat)))

    # ---- decisions that no person makes

    def _let_others_decide(self) -> None:
        """Begin the decisions of agents, and take those of which there is only one, where one person plays."""
        table, play = self.table, self.table.play
        if self._moment != play.moment or play.is_over:
            self._moment = play.moment
            for seat in list(self._thinking):
                self._stop_thinking(seat)
        for seat in list(self._thinking):
            if table.seats[seat].who == PERSON:
                self._stop_thinking(seat)
        if play.is_over or table.closed:
            return
        alone = len(table.people) == 1
        for seat in play.undecided:
            who = table.seats[seat].who
            if who == PERSON:
                only = sentences(play.open.by_player[seat], 1) if alone else None
                if only:
                    self.post(partial(self._decide, seat, PERSON, play.moment, only[0].actions))
            elif seat not in self._thinking:
                self._thinking[seat] = asyncio.create_task(self._think(seat, who, play.moment))

    def _stop_thinking(self, seat: int) -> None:
        self._thinking.pop(seat).cancel()

    def _task(self, seat: int, who: str, use: str) -> Task:
        play = self.table.play
        key = f"{self.table.name}/{play.seed}/{seat}/{use}"
        return Task(key, play.open.by_player[seat].clone(), who, f"{play.seed}{use}")

    async def _think(self, seat: int, who: str, moment: int) -> None:
        """Let an agent decide.  One with a time takes all of it, so that its time reveals nothing of its cards."""
        name, game = read_name(who), self.table.game
        task = self._task(seat, who, "")
        at_random = False
        if name.thinks:
            begun = asyncio.get_running_loop().time()
            thought = await self.hub.thinkers.think(task)
            actions, at_random = thought.actions, bool(thought.reason)
            if name.budget.seconds is not None and not game.perfect_information:
                await asyncio.sleep(begun + name.budget.seconds - asyncio.get_running_loop().time())
        else:
            actions = whole_decision(name.make(game, task.seed), AgentView(task.state))
        self.post(partial(self._decide, seat, who, moment, actions, at_random=at_random))

    def _decide(self, seat: int, who: str, moment: int, actions: tuple[int, ...], *, at_random: bool = False) -> None:
        play = self.table.play
        if play.moment == moment and seat in play.undecided and self.table.seats[seat].who == who:
            self._thinking.pop(seat, None)
            if at_random:
                self.table.seats[seat].at_random = who
            self.table.decide(seat, actions)

    def _hint(self, client: Client, ask: wire.Ask) -> None:
        """Begin a hint for a player."""
        assert client.seat is not None
        adviser = ADVISER
        try:
            read_name(adviser).check(self.table.game)
        except AgentError:
            adviser = ADVISER_IN_PYTHON
        task = asyncio.create_task(self._think_for(client, ask, self._task(client.seat, adviser, "/advice")))
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    async def _think_for(self, client: Client, ask: wire.Ask, task: Task) -> None:
        thought = await self.hub.thinkers.think(task)
        if thought.advice is None:
            reason = f": {thought.reason}" if thought.reason else ""
            found = wire.blocks([Paragraph(f"There is no hint{reason}.")])
        else:
            hint = hint_of(self.table.game, thought.advice, read_name(task.who).word)
            found = wire.hint_blocks(hint, self.table.names)
        client.send(wire.write({"t": "answer", "id": ask.id, "what": "hint", "blocks": found}))


class Hub:
    """The tables of one process; `address` begins all links.

    With a `database` it serves the tables that it owns, and relays to the owners of the others.
    """

    def __init__(self, random_bytes: RandomBytes, address: str, database: Postgres | None = None) -> None:
        self.random_bytes = random_bytes
        self.address = address
        self.database = database
        self._relayed: dict[int, tuple[str, Connection]] = {}
        self._remote: dict[tuple[str, int], tuple[Actor, RemoteClient]] = {}
        self._numbers = count(1)
        self.thinkers = Thinkers()
        self.on_empty: Callable[[], None] = lambda: None
        self._actors: dict[str, Actor] = {}

    def open(self, game: Game, play: SharedPlay, seats: list[Seat], *, spectators: bool, spec: str = "",
             keep: Callable[[str], Kept | None] = lambda _: None, port: int = 0) -> Actor:  # fmt: skip
        """Open a new table; `keep` returns where it is kept.  Raises RuleError where the play cannot begin."""
        if play.fault is not None:
            raise play.fault
        links = Links.new(game.num_players, self.random_bytes, spectators=spectators)
        name = new_table_name(self.random_bytes)
        table = Table(name, play, seats, links, self.random_bytes, kept=keep(name), port=port)
        table.keep_play(spec)
        return self.add(table)

    def add(self, table: Table) -> Actor:
        """Begin to serve a table."""
        table.link_url = lambda token: self.link_of(table.name, token)
        table.on_new = lambda: SharedPlay(table.game, new_seed(self.random_bytes))
        self._actors[table.name] = actor = Actor(table, self)
        return actor

    def exchange(self, actor: Actor, play: SharedPlay) -> Actor:
        """Go on at a table with a play of changed rules; its devices connect again."""
        before = actor.table
        table = Table(before.name, play, before.seats, before.links, self.random_bytes, starts=before.starts + 1)
        made = self.add(table)
        for client in before.clients:
            client.dismiss("restarted")
        actor.stop()
        return made

    def link_of(self, table: str, token: str) -> dict[str, str]:
        """Return a link, whole and as a path."""
        path = f"/t/{table}#{token}"
        url = self.address + path
        return {"url": url, "path": path, "qr": segno.make(url, error="l").svg_data_uri(scale=4)}

    def sit(self, connection: Connection, sit: wire.Sit, data: str) -> None:
        """Lead a connection to the table of its link; a wrong link and a missing table are answered alike."""
        found = self._find(sit)
        if found is None:
            connection.dismiss("unknown")
            return
        actor, place = found
        if isinstance(actor, Actor):
            connection.table = actor
            actor.admit(connection, place, sit)
            return
        number = next(self._numbers)
        self._relayed[number] = (sit.table, connection)
        assert self.database is not None
        connection.table = Relay(self.database, self.database.worker, actor, sit.table, number)
        connection.table.receive(connection, sit, data)

    def _find(self, sit: wire.Sit) -> tuple[Actor | str, Place] | None:
        """Return the table, or the process that owns it, and the place of a link; None for a wrong one."""
        actor = self._actors.get(sit.table) if is_table_name(sit.table) else None
        elsewhere = None
        if actor is None and self.database is not None:
            name = sit.table if is_table_name(sit.table) else ""
            actor = self._take(name)
            elsewhere = self.database.find(name) if actor is None else None
        if actor is not None:
            place = actor.table.links.place_of(sit.token)
            return None if place is None else (actor, place)
        if elsewhere is not None:
            place = Links(elsewhere[1].hashes).place_of(sit.token)
            return None if place is None else (elsewhere[0], place)
        others = next(iter(self._actors.values()), None)
        compare_with_nothing(len(others.table.links.hashes) if others else 4, sit.token)
        return None

    def _take(self, name: str, *, for_agents: bool = False) -> Actor | None:
        """Open a table of the database that no process serves; `for_agents` only if an agent must decide there."""
        found = None if self.database is None else self.database.take(name)
        if found is None:
            return None
        record, save, kept = found
        try:
            game = load(save.spec, save.players, dict(save.options))
            table = Table.restored(record, SharedPlay.restored(save, game), self.random_bytes, kept)
        except (CardgameError, Lost) as error:
            log.error("table %s cannot be opened: %s", name, error)
            kept.close(remove=False)
            return None
        if for_agents and all(table.seats[seat].who == PERSON for seat in table.play.undecided):
            kept.close(remove=False)
            return None
        table.spec = save.spec
        return self.add(table)

    # ---- other processes

    def deliver(self, body: dict[str, Any]) -> None:
        """Take a message of another process: of a device there for a table here, or of a table there for a device."""
        if "to" in body:
            _, connection = self._relayed.get(body["to"], ("", None))
            if connection is not None:
                if "send" in body:
                    connection.send(body["send"].encode())
                elif "show" in body:
                    connection.show(body["show"].encode())
                else:
                    connection.dismiss(body["gone"])
                    self._relayed.pop(body["to"])
            return
        key = (body["from"], body["client"])
        if "left" in body:
            if key in self._remote:
                actor, client = self._remote.pop(key)
                actor.leave(client)
            return
        request = wire.read(body["data"])
        if key in self._remote:
            actor, client = self._remote[key]
            actor.receive(client, request, body["data"])
        elif isinstance(request, wire.Sit) and self.database is not None:
            client = RemoteClient(self.database, *key)
            found = self._find(request)
            if found is None or not isinstance(found[0], Actor):
                client.dismiss("restarted")
                return
            self._remote[key] = (found[0], client)
            found[0].admit(client, found[1], request)

    def look_after(self) -> None:
        """Dismiss devices whose table has no owner any more, so that they connect again; forget dead processes.

        Tables of dead processes in which an agent must decide are taken over.
        """
        database = self.database
        if database is None:
            return
        orphans = {name for name in {name for name, _ in self._relayed.values()} if not database.is_owned(name)}
        for number, (name, connection) in list(self._relayed.items()):
            if name in orphans:
                connection.dismiss("restarted")
                self._relayed.pop(number)
        dead = {worker for worker in {worker for worker, _ in self._remote} if not database.is_alive(worker)}
        for key, (actor, client) in list(self._remote.items()):
            if key[0] in dead:
                self._remote.pop(key)
                actor.leave(client)
        for name in database.abandoned():
            self._take(name, for_agents=True)

    def forget_relay(self, connection: Connection) -> None:
        """Forget a device that was connected to another process's table."""
        self._relayed = {n: one for n, one in self._relayed.items() if one[1] is not connection}

    def abandon(self, actor: Actor) -> None:
        """Stop serving a table that this process does not own any more."""
        self._actors.pop(actor.table.name, None)
        for client in actor.table.clients:
            client.dismiss("restarted")
        actor.stop()

    def forget(self, actor: Actor) -> None:
        """Remove a table that is closed."""
        self._actors.pop(actor.table.name, None)
        self._remote = {key: one for key, one in self._remote.items() if one[0] is not actor}
        actor.stop()
        if actor.table.kept is not None:
            actor.table.kept.close(remove=actor.table.play.is_over)
        actor.settled.set()
        if not self._actors:
            self.on_empty()

    def stop(self) -> None:
        """Stop all tables; their plays are kept."""
        for actor in list(self._actors.values()):
            for client in actor.table.clients:
                client.dismiss("restarted")
            actor.stop()
            if actor.table.kept is not None:
                actor.table.kept.close(remove=False)
            actor.settled.set()
        self.thinkers.stop()
