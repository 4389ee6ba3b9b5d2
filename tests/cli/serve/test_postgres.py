"""Several servers share tables in Postgres: devices of one table at both, and one server killed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from cli.serve.keeping import Lost, Record
from interpreter import load
from interpreter.records.session import resolve_from_seed
from interpreter.records.shared_play import SharedPlay
from interpreter.text.names import Names
from interpreter.text.sentences import actions_of
from tests.cli.serve.serving import served

BINARIES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)), None)
PATIENCE = 120
"""Seconds that anything may take."""
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0

pytestmark = [
    pytest.mark.skipif(BINARIES is None, reason="the binaries of Postgres are absent (Debian package postgresql)"),
    pytest.mark.skipif(not IS_ROOT, reason="a cluster of the user postgres is started by root alone"),
]


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """Start a cluster of its own, and give its address."""
    pytest.importorskip("psycopg", reason="a package of the extra `postgres`")
    assert BINARIES is not None
    folder = Path(subprocess.run(["mktemp", "-d"], capture_output=True, text=True, check=True).stdout.strip())
    shutil.chown(folder, "postgres", "postgres")

    def run(program: str, *words: str) -> None:
        command = ["runuser", "-u", "postgres", "--", str(BINARIES.with_name(program)), *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")

    data = folder / "data"
    run("initdb", "-D", str(data), "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
    run(
        "pg_ctl", "-D", str(data), "-w", "-l", str(folder / "log"), "-o", f"-c listen_addresses='' -k {folder}", "start"
    )
    try:
        yield f"postgresql://postgres@/postgres?host={folder}"
    finally:
        run("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
        shutil.rmtree(folder)


@attrs.frozen
class Process:
    """A server process, and the address that it prints."""

    process: subprocess.Popen[str]
    port: int
    links: dict[str, tuple[str, str]]

    @classmethod
    def start(cls, database: str, *more: str) -> Process:
        words = ["serve", "classics/kuhn_poker", "--port", "0", "--seed", "3", "--postgres", database, *more]
        process = subprocess.Popen([sys.executable, "-m", "cli.main", *words], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        said = ""
        while not re.search(r"knows all cards|serves the tables", said):
            line = process.stdout.readline()
            assert line, said
            said += line
        links = {place: (table, token) for place, table, token in re.findall(r"(\w+) +http\S+/t/(\w+)#(\S+)", said)}
        port = re.search(r"127\.0\.0\.1:(\d+)", said)
        assert port is not None
        return cls(process, int(port[1]), links)


class Device:
    """A device that sits at a server, and its last frame."""

    def __init__(self, server: Process, link: tuple[str, str]) -> None:
        self.socket: ClientConnection = connect(f"ws://127.0.0.1:{server.port}/ws", compression=None, legacy=True)
        self.frame: dict[str, Any] = {}
        self.say(t="sit", table=link[0], token=link[1])
        self.until("frame")

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def until(self, kind: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(PATIENCE))
            if message["t"] == "frame":
                self.frame = message
            if message["t"] == kind:
                return message
            assert message["t"] != "gone", message

    def decide(self, number: int) -> None:
        said = self.frame["table"]["pending"]["sentences"][0]["text"]
        self.say(t="act", n=self.frame["n"], id=number, text=said)
        self.until("done")


def back(servers: list[Process], link: tuple[str, str]) -> Device:
    """Connect again until a server answers with a frame, as a page does."""
    until = time.monotonic() + PATIENCE
    while True:
        for server in servers:
            try:
                return Device(server, link)
            except (AssertionError, ConnectionClosed, OSError, TimeoutError):
                assert time.monotonic() < until
                time.sleep(0.2)


@pytest.mark.soak
def test_two_servers_share_a_table_and_one_is_killed(database: str) -> None:
    one = Process.start(database)
    two = Process.start(database)
    try:
        links = {place: link for place, link in one.links.items() if place.isdigit()}
        assert two.links == {}, "the second server joins"
        first, second = Device(one, links["1"]), Device(two, links["2"])
        now, other = (first, second) if first.frame["table"]["pending"] else (second, first)
        now.decide(1)
        while not other.frame["table"]["pending"]:
            other.until("frame")
        events = [device.frame["table"]["events"] for device in (first, second)]
        one.process.send_signal(signal.SIGKILL)
        one.process.wait()
        with pytest.raises(AssertionError, match="restarted"):
            second.until("answer")
        first, second = back([two], links["1"]), back([two], links["2"])
        assert [device.frame["table"]["events"] for device in (first, second)][1] == events[1]
        for number in range(2, 9):
            if first.frame["result"]:
                break
            now = first if first.frame["table"]["pending"] else second
            if not now.frame["table"]["pending"]:
                first.until("frame")
                continue
            now.decide(number)
            now.until("frame")
        while not (first.frame["result"] and second.frame["result"]):
            (second if first.frame["result"] else first).until("frame")
        assert first.frame["result"] == second.frame["result"]
    finally:
        for server in (one, two):
            server.process.kill()
            server.process.wait()


@pytest.mark.soak
def test_an_agent_goes_on_at_another_server_without_a_device(database: str) -> None:
    """A server is killed while an agent thinks; the other takes the table over, though nobody asks for it."""
    import psycopg  # A package of an extra.

    seats = ("--new", "--seat", "1=search:4s", "--seat", "2=random")
    one = Process.start(database, *seats)
    two = Process.start(database)
    (table,) = {table for table, _ in one.links.values()}
    one.process.kill()
    one.process.wait()
    try:
        with psycopg.connect(database, autocommit=True) as reader:
            owner = reader.execute("select owner from cardgame_tables where name = %s", (table,)).fetchone()
            until = time.monotonic() + PATIENCE
            while not _is_over(reader, table):
                assert time.monotonic() < until, f"nobody goes on after {owner}"
                time.sleep(0.2)
            assert owner != reader.execute("select owner from cardgame_tables where name = %s", (table,)).fetchone()
    finally:
        two.process.kill()
        two.process.wait()


def _is_over(reader: Any, table: str) -> bool:
    """Say whether the play of a table in the database has come to its end."""
    (said,) = reader.execute(
        "select array_agg(entry order by n) from cardgame_journal where name = %s", (table,)
    ).fetchone()
    state = load("classics/kuhn_poker").new_initial_state()
    resolve_from_seed(state, 3)
    for player, sentence in map(json.loads, said or ()):
        assert state.current_player() == player
        state.apply_action(actions_of(state, sentence) or ())
    return state.is_terminal()


def test_a_server_that_loses_its_session_cannot_write(database: str) -> None:
    from cli.serve.postgres import Postgres  # A package of an extra.

    game = load("classics/kuhn_poker")
    play = SharedPlay(game, 3)
    save = play.saved("classics/kuhn_poker", ["human"] * 2, Names())
    one, two = Postgres(database), Postgres(database)
    kept = one.create("aaaaaaaa", "classics/kuhn_poker")
    record = Record("aaaaaaaa", 1, [{"who": "person", "name": ""}] * 2, {}, "salt", 0)
    kept.begin(record, save)
    kept.add([(0, "bet"), (1, "pass")], lambda: save)
    kept.add([1], lambda: save)
    assert two.take("aaaaaaaa") is None
    assert two.is_owned("aaaaaaaa")
    assert two.is_alive(one.worker)
    assert one.session is not None
    one.session.close()
    while two.is_owned("aaaaaaaa"):
        time.sleep(0.05)
    assert not two.is_alive(one.worker)
    with pytest.raises(Lost):
        kept.add([(1, "bet")], lambda: save)
    taken = two.take("aaaaaaaa")
    assert taken is not None
    assert taken[0] == record
    assert taken[1].said == ((0, "bet"),)
    assert two.find("aaaaaaaa") == (two.worker, record)
    assert two.take("bbbbbbbb") is None
    two.close()


def test_a_full_disk_of_the_database_is_shown_to_all_and_loses_nothing(database: str) -> None:
    """A trigger raises what Postgres raises where a file cannot grow."""
    import psycopg  # A package of an extra.

    from cli.serve.postgres import Postgres

    one = Postgres(database)
    kept = one.create("cccccccc", "classics/kuhn_poker")
    with (
        psycopg.connect(database, autocommit=True) as admin,
        served(load("classics/kuhn_poker"), "person", "person", kept=kept) as server,
        server.sit(0) as first,
        server.sit(1) as second,
    ):
        now, other = (first, second) if first.frame["table"]["pending"] else (second, first)
        admin.execute(_FULL)
        assert now.ask(t="act", n=now.frame["n"], id=1, text="bet")["t"] == "done"
        for player in (first, second):
            while not player.frame["unkept"]:
                player.until("frame")
            assert "No space left on device" in player.frame["unkept"]
        for name in ("Ada", "Grace"):
            assert other.ask(t="name", name=name)["t"] == "done"
        assert admin.execute("select from cardgame_journal where name = 'cccccccc'").fetchone() is None
        with pytest.raises(ConnectionError, match="No space left"):
            one.post(one.worker, {})
        admin.execute("drop function full_disk cascade")
        number = server.actor.table.number_of(other.frame["you"])
        assert other.ask(t="act", n=number, id=2, text="bet")["t"] == "done"
        for player in (first, second):
            while player.frame["unkept"] or not player.frame["result"]:
                player.until("frame")
    one.close()
    two = Postgres(database)
    while (taken := two.take("cccccccc")) is None:
        time.sleep(0.05)
    assert [said for _, said in taken[1].said] == ["bet", "bet"]
    assert "Grace" in [seat["name"] for seat in taken[0].seats]
    two.close()


_FULL = """
create function full_disk() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
end $$;
create trigger full_journal before insert on cardgame_journal for each row execute function full_disk();
create trigger full_mail before insert on cardgame_mail for each row execute function full_disk();
"""
