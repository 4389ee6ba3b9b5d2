"""Measure the table in the browser: `python -m tests.benchmarks.serving [view|clicks|memory]`.

| measure | goal | what runs |
|---|---|---|
| `view` | under 3 ms | the information, view and choices of a seat after each decision, after 3,000 events |
| `clicks` | p95 under 50 ms | from an act to its frame: 200 tables of two devices, 40 acts a second over real sockets |
| `memory` | no growth | the resident size after 100,000 acts, beside that after 20,000 |

The figures of `view` are processor time; those of `clicks` depend on what else the machine does.  Every table of
`clicks` has its autosave on the disk, in a folder of its own.  The server and the clients are two processes that share
the processors.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import multiprocessing
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
import websockets

from cli.serve import wire
from cli.serve.app import make_app
from cli.serve.hub import Hub
from cli.serve.keeping import KeptInFiles
from cli.serve.running import bound_socket, spare_long_lived
from cli.serve.seats import Links
from cli.serve.table import PERSON, Seat, Table
from interpreter import load
from interpreter.agents import AgentView
from interpreter.loader import find_spec
from interpreter.records.shared_play import SharedPlay
from interpreter.table.choices import choices
from interpreter.table.view import view

EVENTS = 3_000
TABLES, DEVICES, ACTS_A_SECOND, SECONDS = 200, 2, 40, 20
ACTS = 100_000


class Device:
    """A client without a network; it keeps its last frame only."""

    def __init__(self) -> None:
        self.seat: int | None = None
        self.host = False
        self.frame: bytes = b""
        self.reply: bytes = b""

    def send(self, message: bytes) -> None:
        """Keep an answer."""
        self.reply = message

    def show(self, message: bytes) -> None:
        """Keep a frame."""
        self.frame = message

    def dismiss(self, why: str) -> None:
        """Fail: no device is dismissed here."""
        raise AssertionError(why)


def measure_view(name: str) -> None:
    """Play until a seat has seen so many events, and then measure some decisions."""
    game, rng, seed = load(name), random.Random(1), 0
    while True:
        seed += 1
        play = SharedPlay(game, seed)
        took: dict[str, list[float]] = {"view and choices": [], "frame": []}
        table = Table("t", play, [Seat(PERSON)] * game.num_players, Links({}), random.Random(1).randbytes)
        while not play.is_over and len(took["frame"]) < 200:
            seat = play.undecided[0]
            far = (play.decisions % 50 == 0 and len(play.information(seat).events) >= EVENTS) or bool(took["frame"])
            if far:
                begun = time.process_time()
                info = play.information(seat)
                view(info), choices(info)
                took["view and choices"].append(1_000 * (time.process_time() - begun))
                begun = time.process_time()
                table._frame(seat)
                took["frame"].append(1_000 * (time.process_time() - begun))
            play.decide(seat, AgentView(play.open.by_player[seat]).random_sentence(rng))
        if len(took["frame"]) >= 50:
            break
        if seed > 30:
            raise SystemExit(f"{name}: no play has {EVENTS:,} events")
    for what, found in took.items():
        print(f"{name}, {what} after {EVENTS:,} events: median {statistics.median(found):.2f} ms, "
              f"p95 {statistics.quantiles(found, n=20)[-1]:.2f} ms ({len(found)} decisions)")  # fmt: skip


def measure_memory(name: str) -> None:
    """Make acts at one table, and begin a new play when one is over."""
    game, rng = load(name), random.Random(1)
    table = Table("t", SharedPlay(game, 1), [Seat(PERSON) for _ in range(game.num_players)],
                  Links.new(game.num_players, rng.randbytes, spectators=True), rng.randbytes)  # fmt: skip
    seeds = iter(range(2, ACTS))
    table.on_new = lambda: SharedPlay(game, next(seeds))
    devices = [Device() for _ in range(game.num_players)]
    for seat, device in enumerate(devices):
        table.sit(device, seat, wire.Sit(table="t", token=""))
    first = 0
    begun = time.process_time()
    for number in range(ACTS):
        if table.play.is_over:
            table.receive(devices[0], wire.New())
            list(table.publish())
        seat = table.play.undecided[0]
        picks = AgentView(table.play.open.by_player[seat]).random_sentence(rng)
        table.receive(devices[seat], wire.Act(id=number, n=table.number_of(seat), picks=picks))
        assert b'"done"' in devices[seat].reply, devices[seat].reply
        list(table.publish())
        if number == ACTS // 5:
            first = _resident()
        if number % (ACTS // 5) == 0:
            print(f"{number:,} acts: {_resident() / 1e6:.1f} MB, {time.process_time() - begun:.0f} s", flush=True)
    last = _resident()
    print(f"{name}: {last / 1e6:.1f} MB after {ACTS:,} acts, {last / first:.3f} of {ACTS // 5:,}")


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


# ---- clicks


def _serve(name: str, links: Any, others: int, folder: Path) -> None:
    """Serve the tables on a free port, and send it with their links through a pipe.

    People play two seats; at the last tables, the `others`, one.  Agents choose at random in all other seats.
    """
    gc.set_threshold(100_000, 20, 20)  # As the command does.

    async def main() -> None:
        game = load(name)
        bound = bound_socket("127.0.0.1", 0)
        port = bound.getsockname()[1]
        hub = Hub(os.urandom, f"http://127.0.0.1:{port}")
        opened = []

        def keep(table: str) -> KeptInFiles:
            return KeptInFiles(find_spec(name), folder / table)

        for seed in range(TABLES + others):
            people = DEVICES if seed < TABLES else 1
            seats = [Seat(PERSON if seat < people else "random") for seat in range(game.num_players)]
            table = hub.open(game, SharedPlay(game, seed), seats, spectators=False, keep=keep).table
            opened.append((table.name, [table.links.known[str(seat)] for seat in range(game.num_players)]))
        app = make_app(hub, frozenset({f"127.0.0.1:{port}"}))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="websockets-sansio",
                                               ws_per_message_deflate=False))  # fmt: skip
        spare_long_lived()
        links.send((port, opened))
        await server.serve(sockets=[bound])

    asyncio.run(main())


async def _click(port: int, opened: list[tuple[str, list[str]]], seconds: int = SECONDS) -> list[float]:
    """Sit at all tables, and act at one after another, so many times a second."""
    sockets: dict[tuple[str, int], Any] = {}
    frames: dict[tuple[str, int], dict[str, Any]] = {}
    changed: dict[tuple[str, int], asyncio.Event] = {}

    async def listen(place: tuple[str, int], socket: Any) -> None:
        async for text in socket:
            message = json.loads(text)
            if message["t"] == "frame":
                frames[place] = message
                changed[place].set()

    tasks = []
    for table, tokens in opened:
        for seat, token in enumerate(tokens[:DEVICES]):
            place = (table, seat)
            changed[place] = asyncio.Event()
            socket = sockets[place] = await websockets.connect(f"ws://127.0.0.1:{port}/ws", compression=None)
            await socket.send(json.dumps({"t": "sit", "table": table, "token": token}))
            tasks.append(asyncio.create_task(listen(place, socket)))
    while len(frames) < DEVICES * len(opened):
        await asyncio.sleep(0.1)
    await asyncio.sleep(1)
    took: list[float] = []

    async def act(table: str, number: int) -> None:
        if frames[table, 0]["can"]["new"]:
            await sockets[table, 0].send(json.dumps({"t": "new", "id": number}))
            return
        place = next(((table, seat) for seat in range(DEVICES) if _may_decide(frames[table, seat])), None)
        if place is None:
            return
        pending = frames[place]["table"]["pending"]
        said = pending["sentences"][0]["text"] if pending["sentences"] else pending["examples"][0]
        changed[place].clear()
        begun = time.perf_counter()
        message = {"t": "act", "n": frames[place]["n"], "id": number, "text": said}
        await sockets[place].send(json.dumps(message))
        await asyncio.wait_for(changed[place].wait(), 10)
        took.append(1_000 * (time.perf_counter() - begun))

    begun = time.perf_counter()
    for number in range(ACTS_A_SECOND * seconds):
        await asyncio.sleep(max(0.0, begun + number / ACTS_A_SECOND - time.perf_counter()))
        tasks.append(asyncio.create_task(act(opened[number % len(opened)][0], number)))
    await asyncio.sleep(2)
    for task in tasks:
        task.cancel()
    return took


def _may_decide(frame: dict[str, Any]) -> bool:
    return frame["table"]["pending"] is not None and frame["answered"] is None


@contextmanager
def _many_tables(name: str, others: int = 0) -> Iterator[tuple[int, list[tuple[str, list[str]]]]]:
    """Serve many tables in a process; give its port, and the name and tokens of each table."""
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe()
    with tempfile.TemporaryDirectory(prefix="cardgame-serving-") as folder:
        process = context.Process(target=_serve, args=(name, theirs, others, Path(folder)), daemon=True)
        process.start()
        port, opened = mine.recv()
        time.sleep(1)
        yield port, opened
        process.terminate()
        process.join()


@contextmanager
def crowd(name: str, others: int) -> Iterator[list[str]]:
    """Let clients act at many tables all the time; give the links of a seat at some more, beside random agents."""
    with _many_tables(name, others) as (port, opened):
        clients = multiprocessing.get_context("spawn").Process(
            target=_click_for_long, args=(port, opened[:TABLES]), daemon=True
        )
        clients.start()
        time.sleep(5)
        yield [f"http://127.0.0.1:{port}/t/{table}#{tokens[0]}" for table, tokens in opened[TABLES:]]
        clients.terminate()


def _click_for_long(port: int, opened: list[tuple[str, list[str]]]) -> None:
    asyncio.run(_click(port, opened, 3_600))


def measure_clicks(name: str) -> None:
    """Measure the time from an act to its frame."""
    with _many_tables(name) as (port, opened):
        took = asyncio.run(_click(port, opened))
    print(f"{name}, {TABLES} tables, {len(took)} acts: median {statistics.median(took):.1f} ms, "
          f"p95 {statistics.quantiles(took, n=20)[-1]:.1f} ms, most {max(took):.1f} ms")  # fmt: skip


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.serving", description=__doc__)
    parser.add_argument("measures", nargs="*", default=["view", "clicks", "memory"])
    parser.add_argument("--game", default="chalice_and_wand", help="a bundled game (chalice_and_wand)")
    parser.add_argument(
        "--long", default="two_player_wizard", help="a bundled game with long plays (two_player_wizard)"
    )
    wanted = parser.parse_args()
    if "view" in wanted.measures:
        measure_view(wanted.long)
    if "clicks" in wanted.measures:
        measure_clicks(wanted.game)
    if "memory" in wanted.measures:
        measure_memory(wanted.game)


if __name__ == "__main__":
    main()
