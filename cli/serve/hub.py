"""Tables as actors: each has one task, which takes messages from a queue one after another, and publishes frames.

A connection has a mailbox: answers wait in order, a frame replaces the one that was not sent yet.  So a slow client
receives the newest frame, and never makes a table wait.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from cli.serve import wire
from cli.serve.seats import Links, Place, RandomBytes, compare_with_nothing, is_table_name, new_table_name
from cli.serve.table import PERSON, Seat, Table
from interpreter.agents import AgentView, Beliefs, read_name
from interpreter.engine.game import Game
from interpreter.records.shared_play import SharedPlay
from interpreter.text.sentences import sentences

AWAY_AFTER = 10.0
"""Seconds without a connection after which a seat is shown as away."""
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
    "restarted": (1012, "The server stops.  The play is kept."),
}
"""Why a connection ends: the code of the closing, and the reason in words."""


class Connection:
    """The mailbox of one WebSocket."""

    def __init__(self) -> None:
        self.seat: int | None = None
        self.host = False
        self.table: Actor | None = None
        self.ended: tuple[int, str, str] | None = None
        self.changed = asyncio.Event()
        self._waiting: deque[bytes] = deque()
        self._frame: bytes | None = None

    def send(self, message: bytes) -> None:
        """Send a message."""
        if len(self._waiting) >= MOST_WAITING:
            self.dismiss("slow")
            return
        self._waiting.append(message)
        self.changed.set()

    def show(self, message: bytes) -> None:
        """Send a frame, in the place of one that was not sent yet."""
        self._frame = message
        self.changed.set()

    def dismiss(self, why: str, text: str = "", code: int = 1000) -> None:
        """Say why the connection ends, and end it once that is sent."""
        if self.ended is None:
            code, text = GONE.get(why, (code, text))
            self.ended = (code, why, text)
            self.changed.set()

    def take(self) -> Iterator[bytes]:
        """Give the messages that wait, the frame last, and after the end the reason for it."""
        while self._waiting:
            yield self._waiting.popleft()
        if self._frame is not None:
            frame, self._frame = self._frame, None
            yield frame
        if self.ended is not None:
            yield wire.write({"t": "gone", "why": self.ended[1], "text": self.ended[2]})


class Actor:
    """The task of one table."""

    def __init__(self, table: Table, hub: Hub) -> None:
        self.table = table
        self.hub = hub
        self._inbox: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        self._thinking: tuple[int, set[int]] = (0, set())
        self._tasks: set[asyncio.Task[None]] = set()
        self.task = asyncio.create_task(self._run())
        self.post(lambda: None)

    def post(self, work: Callable[[], None]) -> None:
        """Let the actor do something; frames follow."""
        self._inbox.put_nowait(work)

    async def _run(self) -> None:
        while not self.table.closed:
            work = await self._inbox.get()
            try:
                work()
                self._let_others_decide()
                self.table.publish()
            except Exception:  # A bug of ours ends no table.
                logging.getLogger(__name__).exception("CG901 a bug of cardgame")
        self.hub.forget(self)

    def stop(self) -> None:
        """End the task and the thinking of agents."""
        for task in (self.task, *self._tasks):
            task.cancel()

    def leave(self, connection: Connection) -> None:
        """Note that a connection has ended."""
        self.post(lambda: self.table.drop(connection))
        if connection.seat is not None:
            seat = connection.seat
            asyncio.get_running_loop().call_later(AWAY_AFTER, lambda: self.post(lambda: self.table.away(seat)))

    # ---- decisions that no person makes

    def _let_others_decide(self) -> None:
        """Begin the decisions of agents, and take those of which there is only one, where one person plays."""
        table, play = self.table, self.table.play
        if play.is_over or table.closed:
            return
        moment = play.moment
        if self._thinking[0] != moment:
            self._thinking = (moment, set())
        begun = self._thinking[1]
        alone = len(table.people) == 1
        for seat in play.undecided:
            who = table.seats[seat].who
            if who == PERSON:
                only = sentences(play.open.by_player[seat], 1) if alone else None
                if only:
                    self.post(partial(self._decide, seat, PERSON, moment, only[0].actions))
                    return
            elif seat not in begun:
                begun.add(seat)
                task = asyncio.create_task(self._think(seat, who, moment))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _think(self, seat: int, who: str, moment: int) -> None:
        play = self.table.play
        agent = read_name(who).make(play.game, play.seed)
        view = AgentView(play.open.by_player[seat].clone(), Beliefs(f"{play.seed}/belief"))
        chosen = await asyncio.to_thread(agent.act, view)
        actions = (chosen,) if isinstance(chosen, int) else tuple(chosen)
        self.post(lambda: self._decide(seat, who, moment, actions))

    def _decide(self, seat: int, who: str, moment: int, actions: tuple[int, ...]) -> None:
        if self.table.play.moment == moment and self.table.seats[seat].who == who:
            self.table.decide(seat, actions)


class Hub:
    """The tables of one process."""

    def __init__(self, random_bytes: RandomBytes, address: str) -> None:
        self.random_bytes = random_bytes
        self.address = address
        self._actors: dict[str, Actor] = {}

    def open(self, game: Game, seed: int, who: list[str], *, spectators: bool) -> Actor:
        """Open a new table.  Raises RuleError where the play cannot begin."""
        play = SharedPlay(game, seed)
        if play.fault is not None:
            raise play.fault
        links = Links.new(game.num_players, self.random_bytes, spectators=spectators)
        table = Table(new_table_name(self.random_bytes), play, [Seat(one) for one in who], links, self.random_bytes)
        table.link_url = lambda token: self.link_of(table.name, token)
        table.on_new = lambda: SharedPlay(game, random.SystemRandom().randrange(1_000_000))
        self._actors[table.name] = actor = Actor(table, self)
        return actor

    def link_of(self, table: str, token: str) -> dict[str, str]:
        """Return a link, whole and as a path."""
        path = f"/t/{table}#{token}"
        return {"url": self.address + path, "path": path}

    def find(self, sit: wire.Sit) -> tuple[Actor, Place] | None:
        """Return the table and the place of a link; None for a wrong one, in the same time."""
        actor = self._actors.get(sit.table) if is_table_name(sit.table) else None
        if actor is None:
            compare_with_nothing(4, sit.token)
            return None
        place = actor.table.links.place_of(sit.token)
        return None if place is None else (actor, place)

    def forget(self, actor: Actor) -> None:
        """Remove a table that is closed."""
        self._actors.pop(actor.table.name, None)
        actor.stop()

    def stop(self) -> None:
        """Stop all tables; their plays are kept."""
        for actor in list(self._actors.values()):
            for client in actor.table.clients:
                client.dismiss("restarted")
            actor.stop()
