"""Non-interference on the wire: what a seat cannot know changes no byte, size or count that it receives.

A play is repeated on the server with other cards where a viewer never sees them, or other decisions.  Tokens come from
a seed, nothing is compressed, and every message that the viewer's device receives must be the same, including refusals
and answers.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import MutableMapping
from itertools import islice
from typing import Any
from zlib import crc32

import pytest
from starlette.applications import Starlette

from cli.serve.app import make_app
from cli.serve.hub import Hub
from cli.serve.table import Seat, Table
from interpreter import load
from interpreter.fuzz import fuzz
from interpreter.fuzz.exchange.check import CHECK
from interpreter.fuzz.exchange.traced import Viewer
from interpreter.loader import bundled_games
from interpreter.records.shared_play import OpenDecisions, SharedPlay
from interpreter.table.information import InformationState, open_information
from tests.adapters.settings import short_of
from tests.cli.serve.exchanging import Line, hides_nothing, pairs
from tests.cli.serve.serving import HOST

PAIRS = int(os.environ.get("CARDGAME_PAIRS", "20"))
"""Pairs of plays for each viewer of a bundled game in the soak."""


class Device:
    """One WebSocket of the application, in the loop of the server; it records every message that it receives."""

    def __init__(self, app: Starlette) -> None:
        self.received: list[str] = []
        self.frame: dict[str, Any] = {}
        self._unread: asyncio.Queue[str] = asyncio.Queue()
        self._sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._sent.put_nowait({"type": "websocket.connect"})
        scope = {"type": "websocket", "path": "/ws", "headers": [(b"host", HOST.encode())], "subprotocols": []}
        self._task = asyncio.create_task(app(scope, self._sent.get, self._take))

    async def _take(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "websocket.send":
            self.received.append(message["text"])
            self._unread.put_nowait(message["text"])

    async def ask(self, **message: Any) -> dict[str, Any]:
        """Send a request, and return its answer."""
        self._sent.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})
        while True:
            answer: dict[str, Any] = json.loads(await self._unread.get())
            if answer["t"] == "frame":
                self.frame = answer
            elif answer.get("id") == message["id"]:
                return answer

    async def look_around(self) -> None:
        """Ask and try what a curious player can, when it is this player's turn."""
        number = self.frame["n"]
        for what in ("why", "log", "word"):
            await self.ask(t="ask", id=what, what=what, arg="hand")
        await self.ask(t="act", n=number, id="wrong", text="nonsense")
        await self.ask(t="act", n=number, id="wrong", picks=[10**6])
        for why in range(0, 60, 25):
            await self.ask(t="draft", n=number, id=why, picks=[], why=why)

    async def close(self) -> None:
        """End the connection."""
        self._sent.put_nowait({"type": "websocket.disconnect"})
        await self._task


async def bytes_of(game: Any, viewer: Viewer, line: Line) -> list[str]:
    """Play a line on the server, and return every message that the viewer's device receives."""
    hub = Hub(random.Random(1).randbytes, f"http://{HOST}")
    app = make_app(hub, frozenset({HOST}), limit=10_000)
    seats = [Seat("person") for _ in range(game.num_players)]
    table = hub.open(game, SharedPlay(game, 7, line.resolve()), seats, spectators=True).table
    places: list[Viewer] = [viewer, *(seat for seat in range(game.num_players) if seat != viewer)]
    devices = {place: Device(app) for place in places}
    for place, device in devices.items():
        token = table.links.known["spectators" if place is None else str(place)]
        await device.ask(t="sit", id="sit", table=table.name, token=token)
    recorder = devices[viewer]
    for number, (seat, picks) in enumerate(line.decisions):
        # All that was sent so far comes before this answer.
        await recorder.ask(t="ask", id=number, what="log", arg="99999999")
        if seat == viewer:
            await recorder.look_around()
        answer = await devices[seat].ask(t="act", n=table.number_of(seat), id=f"act {number}", picks=list(picks))
        assert answer["t"] == "done", answer
    await recorder.ask(t="ask", id="end", what="log", arg="99999999")
    for device in devices.values():
        await device.close()
    hub.stop()
    return recorder.received


def compare(monkeypatch: pytest.MonkeyPatch, name: str, wanted: int, decisions: int) -> None:
    """Compare so many pairs of plays for every viewer; one pair: for spectators and a player."""
    game = load(name, options=short_of(name))
    for viewer in (None, *range(game.num_players))[: None if wanted > 1 else 2]:
        made = list(islice(pairs(monkeypatch, game, viewer, 11, decisions), wanted))
        is_open = not made and hides_nothing(game, decisions)
        assert len(made) == wanted or is_open, f"{name}: too few pairs for viewer {viewer}"
        for one, other in made:
            first, second = (asyncio.run(bytes_of(game, viewer, line)) for line in (one, other))
            assert first == second, f"{name}: viewer {viewer}, {one}, {other}"


@pytest.mark.parametrize(
    ("name", "wanted", "decisions"),
    [
        ("classics/kuhn_poker", 1, 10),
        ("classics/love_letter", 1, 12),
        *(pytest.param(name, PAIRS, 60, marks=pytest.mark.soak) for name in bundled_games()),
    ],
)
def test_no_byte_depends_on_what_a_seat_cannot_know(
    name: str, wanted: int, decisions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare(monkeypatch, name, wanted, decisions)


@pytest.mark.parametrize("leak", ["in a frame", "in a number", "in a size"])
def test_a_seeded_leak_is_caught(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame that contains a hidden card, a count or a length that depends on one, is found."""
    shown = Table._around

    def leaking(table: Table, info: InformationState, answered: str | None) -> dict[str, Any]:
        cards = str(open_information(table.play.state).zones)
        match leak:
            case "in a frame":
                return {**shown(table, info, answered), "cards": cards}
            case "in a number":
                table._numbers[info.seat] = table._numbers.get(info.seat, 0) + crc32(cards.encode()) % 97
                return shown(table, info, answered)
            case _:
                return {**shown(table, info, answered), "padding": " " * (crc32(cards.encode()) % 97)}

    monkeypatch.setattr(Table, "_around", leaking)
    with pytest.raises(AssertionError):
        compare(monkeypatch, "classics/kuhn_poker", 4, 10)


def test_fuzz_checks_the_frames_of_decisions_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "ALL_CHECKS", (CHECK,))
    shown = OpenDecisions.information

    def leaking(decisions: OpenDecisions, seat: int | None) -> InformationState:
        del seat
        return shown(decisions, min(decisions.by_player))

    monkeypatch.setattr(OpenDecisions, "information", leaking)
    failure = fuzz.fuzz(load("classics/hearts", options=short_of("classics/hearts")), 3, seed=5).failure
    assert failure is not None
    assert "the frame of decisions at once" in failure.problem.message
