"""`cardgame serve` as a command: what is wrong is said before anything is opened."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from websockets.sync.client import connect

from cli.main import main
from cli.serve.running import WatchedTable, bound_socket
from interpreter import load
from interpreter.engine.faults import RuleError
from interpreter.records.saves import carry_over
from tests.cli.serve.test_protocol import STUCK

KUHN = "classics/kuhn_poker"
NEVER = "play card c from hand[player 1] where count(hand[player 1]) > 6"


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, list(words))
    return done.exit_code, done.output


@pytest.fixture
def no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a port was opened")

    monkeypatch.setattr("cli.serve.running.bound_socket", refuse)


@pytest.mark.usefixtures("no_socket")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "name a game"),
        (("nothing_here",), 2, "there is no spec"),
        ((KUHN, "--seat", "3=random"), 2, "there is no seat 3"),
        ((KUHN, "--seat", "2=serch"), 2, "search"),
        ((KUHN, "--players", "9"), 2, "players"),
        ((KUHN, "--seed", "9" * 31), 2, "30 digits"),
        (("--load", "x.save", "--seed", "3"), 2, "leave them out with --load"),
        (("play", KUHN, "--browser", "--seat", "all=random"), 2, "needs a seat for you"),
        ((KUHN, "--postgres", "postgresql://127.0.0.1:1/none?connect_timeout=1"), 2, "the database does not answer"),
    ],
)
def test_wrong_usage_is_refused_before_a_port_is_opened(words: tuple[str, ...], code: int, said: str) -> None:
    if "--postgres" in words:
        pytest.importorskip("psycopg", reason="a package of the extra `postgres`")
    found = run(*words) if words[:1] == ("play",) else run("serve", *words)
    assert found[0] == code, found[1]
    assert said in found[1]


@pytest.mark.usefixtures("no_socket")
def test_a_spec_with_mistakes_is_refused_before_a_port_is_opened(tmp_path: Path) -> None:
    spec = tmp_path / "wrong.cardgame"
    spec.write_text("cardgame 1\n\ngame 3\n", encoding="utf-8")
    code, said = run("serve", str(spec))
    assert code == 1
    assert "CG" in said
    damaged = tmp_path / "damaged.save"
    damaged.write_text("nonsense", encoding="utf-8")
    code, said = run("serve", "--load", str(damaged))
    assert code == 1
    assert "this is no saved play" in said


@pytest.fixture
def stuck(tmp_path: Path) -> Path:
    """A spec whose first player has no action."""
    spec = tmp_path / "stuck.cardgame"
    spec.write_text(STUCK.replace("play card c from hand[player 1]\n", f"{NEVER}\n"), encoding="utf-8")
    return spec


def test_a_table_that_cannot_be_opened_ends_the_command(stuck: Path) -> None:
    code, said = run("serve", str(stuck), "--new", "--port", "0")
    assert code == 1, said
    assert said.startswith("error[CG807]: a rule could not be executed")
    table = WatchedTable()
    for _ in range(2):
        with pytest.raises(RuleError, match="no action is possible"):
            table.show(load(str(stuck)).new_initial_state(), 5, 0)


def test_handlers_of_the_process_stay_open(stuck: Path, tmp_path: Path) -> None:
    handler = logging.FileHandler(tmp_path / "other.log")
    stream = handler.stream
    run("serve", str(stuck), "--new", "--port", "0")
    assert stream is not None
    assert not stream.closed
    handler.close()


def test_a_port_in_use_is_refused() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        code, said = run("serve", KUHN, "--new", "--port", port)
    assert code == 2
    assert re.search(rf"port {port} cannot be opened: .* choose another with --port", said)


def test_small_messages_are_sent_at_once() -> None:
    """Without TCP_NODELAY the frame after an answer waits for an acknowledgement: 40 ms."""
    delays: list[int] = []

    async def run() -> None:
        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            del reader
            delays.append(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        bound = bound_socket("127.0.0.1", 0)
        async with await asyncio.start_server(connected, sock=bound):
            reader, writer = await asyncio.open_connection(*bound.getsockname())
            assert await reader.read() == b""
            writer.close()

    asyncio.run(run())
    assert delays == [1]


@pytest.mark.parametrize("words", [("serve", KUHN), ("play", KUHN, "--browser")])
def test_a_missing_extra_is_named(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("cli.serve")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    code, said = run(*words)
    assert code == 2
    assert "pip install 'cardgame[serve]'" in said


def test_a_server_that_is_stopped_goes_on_with_the_same_command(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    environment.pop("CARDGAME_PLAYS", None)
    said = []
    for _ in range(2):
        command = [sys.executable, "-m", "cli.main", "serve", KUHN, "--port", "0", "--seat", "2=random"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        lines = ""
        while not re.search(r"knows all cards|\n  host ", lines):
            line = process.stdout.readline()
            assert line, lines
            lines += line
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 0
        said.append(lines)
    first, second = (re.findall(r"/t/(\w+)#", lines) for lines in said)
    assert set(first) == set(second)
    assert "The links of before are valid." in said[1]


def test_a_watched_table_goes_on_under_changed_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    table = WatchedTable()
    assert table.saved() is None
    try:
        table.show(load(KUHN).new_initial_state(), 5, 0)
        before = table.saved()
        assert before is not None
        assert (before.seed, before.seats) == (5, ("human", "random"))
        port, name, token = re.findall(r":(\d+)/t/(\w+)#(\S+)", opened[0])[0]
        with connect(f"ws://127.0.0.1:{port}/ws", compression=None, legacy=True) as device:
            sit = json.dumps({"t": "sit", "table": name, "token": token})
            device.send(sit)
            assert json.loads(device.recv(120))["game"]["title"] == "Kuhn Poker"
            found = carry_over(before, load("classics/leduc_poker"))
            table.show(found.state, 5, found.decisions)
            while json.loads(device.recv(120))["t"] != "gone":
                pass
        with connect(f"ws://127.0.0.1:{port}/ws", compression=None, legacy=True) as device:
            device.send(sit)
            assert json.loads(device.recv(120))["game"]["title"] == "Leduc Poker"
    finally:
        table.close()
