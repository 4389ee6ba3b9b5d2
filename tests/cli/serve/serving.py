"""A server without a network: tables, and clients that speak the protocol through Starlette's test client."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.testclient import TestClient, WebSocketTestSession

from cli.serve import wire
from cli.serve.app import MESSAGES_A_SECOND, make_app
from cli.serve.hub import Actor, Hub
from cli.serve.table import Seat, Table
from interpreter.engine.game import Game, State
from interpreter.records.shared_play import SharedPlay

if TYPE_CHECKING:
    from cli.serve.table import Kept

HOST = "testserver"
Message = dict[str, Any]


class Player:
    """One WebSocket, with its last frame."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.frame: Message = {}

    def send(self, **message: Any) -> None:
        self.socket.send_json(message)

    def next(self) -> Message:
        return self.heard(self.socket.receive_text())

    def heard(self, text: str) -> Message:
        """Take in a message."""
        message: Message = json.loads(text)
        if message["t"] == "frame":
            self.frame = message
        return message

    def until(self, kind: str) -> Message:
        """Return the next message of a kind."""
        while (message := self.next())["t"] != kind:
            pass
        return message

    def ask(self, **message: Any) -> Message:
        """Send a request with an id, and return its answer."""
        message.setdefault("id", "request")
        self.send(**message)
        while (answer := self.next()).get("id") != message["id"]:
            pass
        return answer

    def options(self) -> list[Message]:
        options: list[Message] = self.frame["table"]["pending"]["options"]
        return options

    def draft(self) -> list[int]:
        """Return the small actions of the first decision that is possible."""
        answer = self.ask(t="draft", n=self.frame["n"], picks=[])
        while not answer["complete"]:
            answer = self.ask(t="draft", n=self.frame["n"], picks=answer["picks"], pick=answer["options"][0]["action"])
        picks: list[int] = answer["picks"]
        return picks

    def decide(self, number: int | str) -> Message:
        """Make the first decision that is possible."""
        return self.ask(t="act", n=self.frame["n"], id=number, picks=self.draft())


class Server:
    """A server with one table."""

    def __init__(self, client: TestClient, hub: Hub, actor: Actor) -> None:
        self.client, self.hub, self.actor = client, hub, actor
        self.tokens = dict(actor.table.links.known)

    @property
    def name(self) -> str:
        return self.actor.table.name

    @contextmanager
    def connect(self, **headers: str) -> Iterator[Player]:
        with self.client.websocket_connect("/ws", subprotocols=[wire.PROTOCOL], headers=headers) as socket:
            yield Player(socket)

    @contextmanager
    def sit(self, place: int | str) -> Iterator[Player]:
        """Take a place, and give the player after the first frame."""
        with self.connect() as player:
            player.send(t="sit", table=self.name, token=self.tokens[str(place)])
            assert player.next()["t"] == "seated"
            assert player.next()["t"] == "frame"
            yield player


@contextmanager
def served(
    game: Game, *who: str, seed: int = 7, tokens: int = 1, kept: Kept | None = None, table: Table | None = None,
    resolve: Callable[[State], None] | None = None, limit: int = MESSAGES_A_SECOND,
) -> Iterator[Server]:  # fmt: skip
    """Open a table, or serve one that is there.

    `tokens` is the seed of all tokens, `resolve` answers chance events, `limit` are the messages a second.
    """
    rng = random.Random(tokens)
    hub = Hub(rng.randbytes, f"http://{HOST}")
    opened: list[Actor] = []

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        del app
        seats = [Seat(one) for one in who]
        if table is None:
            opened.append(hub.open(game, SharedPlay(game, seed, resolve), seats, spectators=True, keep=lambda _: kept))
        else:
            opened.append(hub.add(table))
        yield
        hub.stop()

    with TestClient(make_app(hub, frozenset({HOST}), lifespan, limit)) as client:
        yield Server(client, hub, opened[0])
