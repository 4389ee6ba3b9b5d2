"""Tables in Postgres, served by several processes: advisory locks say who owns a table, LISTEN/NOTIFY carries messages.

A process owns a table while its session holds the advisory lock of the table.  Decisions are written in the same
session, so a process that has lost its lock cannot write.  A device may connect to any process: one that does not own
the table relays messages to the owner through the table `cardgame_mail`.  When an owner dies, its session ends, and the
next process that receives a message for the table takes the lock and reads the play.  If an agent must decide, another
process takes the table without a message.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import psycopg

from cli.serve.keeping import Lost, Record
from interpreter.records.saves import Save, save_from
from interpreter.records.shared_play import Decided

_SCHEMA = """
create table if not exists cardgame_tables (
    name text primary key, spec text not null, owner text not null, record text not null, save text not null,
    play bigint not null default 0, over boolean not null default false, changed timestamptz not null default now()
);
create table if not exists cardgame_journal (
    name text not null references cardgame_tables on delete cascade, play bigint not null, n bigint not null,
    entry text not null, primary key (name, play, n)
);
create table if not exists cardgame_mail (id bigserial primary key, worker text not null, body text not null);
"""
_BEGIN = """
insert into cardgame_tables (name, spec, owner, record, save, play) values (%s, %s, %s, %s, %s, %s)
on conflict (name) do update
set record = excluded.record, save = excluded.save, play = excluded.play, over = false, changed = now()
"""
_RECORD = "update cardgame_tables set record = %s, changed = now() where name = %s"
_ABANDONED = """
select name from cardgame_tables where not over
and exists (select from json_array_elements(record::json -> 'seats') as seat where seat ->> 'who' <> 'person')
and not exists (select from pg_locks where locktype = 'advisory' and classid = %s
                and objid = (hashtext('process ' || owner)::bigint & 4294967295))
order by changed desc limit %s
"""
_MOST_ABANDONED = 8
"""Tables that a process takes over at a time."""
_LOCKS = 0x63617264
"""The first key of the advisory locks of tables; the second is a hash of the name."""
_SCHEMA_LOCK = 0
_CHECK = 1.0
"""Seconds between two looks whether the owner of a relayed table still lives."""


class Postgres:
    """The database, as one process uses it; `worker` is the name of the process.

    Raises ConnectionError where no database answers.
    """

    def __init__(self, address: str) -> None:
        self.worker = os.urandom(8).hex()
        self._address = address
        self._session: psycopg.Connection[Any] | None = None
        try:
            with self._connected().transaction():
                self._run("select pg_advisory_xact_lock(%s, %s)", _LOCKS, _SCHEMA_LOCK)
                self._run(_SCHEMA)
        except psycopg.Error as error:
            raise ConnectionError(" ".join(str(error).split())) from None

    def _connected(self) -> psycopg.Connection[Any]:
        if self._session is None or self._session.closed or self._session.broken:
            self._session = psycopg.connect(self._address, autocommit=True)
            self._session.execute("select pg_advisory_lock(%s, hashtext(%s))", (_LOCKS, f"process {self.worker}"))
        return self._session

    def _run(self, query: str, *values: Any) -> Any:
        """Carry out a statement in the session that holds the locks."""
        return self._connected().execute(query, values or None)

    @property
    def session(self) -> psycopg.Connection[Any] | None:
        """The session that holds the locks."""
        return self._session

    def close(self) -> None:
        """End the session, and with it all locks."""
        if self._session is not None:
            self._session.close()

    # ---- tables

    def create(self, name: str, spec: str) -> KeptInPostgres:
        """Return where a new table of a spec is kept; this process owns it."""
        kept = KeptInPostgres(self, name, spec)
        assert self._lock(name)
        return kept

    def take(self, name: str) -> tuple[Record, Save, KeptInPostgres] | None:
        """Take a table that no process owns; None where there is none, or another process owns it."""
        if not self._lock(name):
            return None
        row = None
        with suppress(psycopg.errors.DiskFull):  # Without space to note the owner, the table waits for a later attempt.
            row = self._run("update cardgame_tables set owner = %s where name = %s returning spec, record, save, play",
                            self.worker, name).fetchone()  # fmt: skip
        if row is None:
            self.release(name)
            return None
        spec, record, begun, play = row
        entries = self._run("select entry from cardgame_journal where name = %s and play = %s order by n", name, play)
        save = save_from(json.loads(begun)).after(json.loads(entry) for (entry,) in entries)
        count = self._run("select coalesce(max(n), 0) from cardgame_journal where name = %s and play = %s", name, play)
        kept = KeptInPostgres(self, name, spec, play, count.fetchone()[0])
        return Record.read(record), save, kept

    def _lock(self, name: str) -> bool:
        row = self._run("select pg_try_advisory_lock(%s, hashtext(%s))", _LOCKS, name).fetchone()
        return bool(row[0])

    def release(self, name: str) -> None:
        """Let others own a table."""
        with suppress(psycopg.Error):
            self._run("select pg_advisory_unlock(%s, hashtext(%s))", _LOCKS, name)

    def find(self, name: str) -> tuple[str, Record] | None:
        """Return the process that owns a table, or owned it last, and its record; None where there is no such table."""
        row = self._run("select owner, record from cardgame_tables where name = %s", name).fetchone()
        return None if row is None else (str(row[0]), Record.read(row[1]))

    def is_alive(self, worker: str) -> bool:
        """Say whether a process is connected: each holds a lock of its own."""
        return self.is_owned(f"process {worker}")

    def is_owned(self, name: str) -> bool:
        """Say whether a process owns a table, without taking it."""
        row = self._run("select 1 from pg_locks where locktype = 'advisory' and classid = %s and objid = "
                        "(hashtext(%s)::bigint & 4294967295)", _LOCKS, name).fetchone()  # fmt: skip
        return row is not None

    def abandoned(self) -> list[str]:
        """Return some tables with agents whose process has ended before their play."""
        rows = self._run(_ABANDONED, _LOCKS, _MOST_ABANDONED)
        return [name for (name,) in rows]

    def unfinished(self, spec: str) -> list[tuple[str, Save]]:
        """Return the tables of a spec whose play is not over, the last first, each with its play at the beginning."""
        rows = self._run(
            "select name, save from cardgame_tables where spec = %s and not over order by changed desc", spec
        )
        return [(name, save_from(json.loads(save))) for name, save in rows]

    # ---- mail

    def post(self, worker: str, body: dict[str, Any]) -> None:
        """Send a message to another process.  Raises ConnectionError where the database does not take it."""
        try:
            self._run("with sent as (insert into cardgame_mail (worker, body) values (%s, %s) returning id) "
                      "select pg_notify(%s, '') from sent", worker, json.dumps(body), f"cardgame_{worker}")  # fmt: skip
        except psycopg.Error as error:
            raise ConnectionError(str(error)) from error

    async def receive(self, take: Callable[[dict[str, Any]], None]) -> None:
        """Hand every message for this process to a function, for ever; a lost connection is made again."""
        while True:
            with suppress(psycopg.Error):
                async with await psycopg.AsyncConnection.connect(self._address, autocommit=True) as listening:
                    await listening.execute(f'listen "cardgame_{self.worker}"')
                    while True:
                        await self._read(listening, take)
                        async for _ in listening.notifies(timeout=_CHECK, stop_after=1):
                            pass  # A notification, or the timeout, ends the wait; then the mail is read.
            await asyncio.sleep(_CHECK)

    async def _read(self, listening: psycopg.AsyncConnection[Any], take: Callable[[dict[str, Any]], None]) -> None:
        found = await listening.execute(
            "with taken as (delete from cardgame_mail where worker = %s returning id, body) "
            "select body from taken order by id", (self.worker,),
        )  # fmt: skip
        for (body,) in await found.fetchall():
            take(json.loads(body))


def _lacks_resources(error: psycopg.Error) -> bool:
    """Say whether a statement failed because the database has no space or memory, or its disk failed."""
    return (error.sqlstate or "")[:2] in ("53", "58")


class KeptInPostgres:
    """A table that is kept in Postgres and owned by this process; its methods raise `Lost` where it is not any more.

    If the database has no space, `problem` says so, and what could not be written is written with the next change.
    """

    is_waiting = False
    """Nothing waits for `settle`."""

    def __init__(self, database: Postgres, name: str, spec: str, play: int = 0, count: int = 0) -> None:
        self._database = database
        self._name = name
        self._spec = spec
        self._play = play
        self._count = count
        self._session = database.session
        self._unwritten: list[tuple[Any, ...]] = []
        self.problem = ""

    def _write(self, *statements: tuple[Any, ...]) -> None:
        """Carry out statements, and those before for which there was no space, together in the session of the lock.

        Raises Lost.
        """
        session = self._session
        # Of the records that wait, the last is enough.
        waiting = [one for one in self._unwritten if one[0] != _RECORD or statements[0][0] != _RECORD]
        self._unwritten = [*waiting, *statements]
        try:
            if session is None or session is not self._database.session:
                raise psycopg.OperationalError("the session that owned the table has ended")
            with session.transaction():
                for query, *values in self._unwritten:
                    session.execute(query, values)
        except psycopg.Error as error:
            if not _lacks_resources(error):
                raise Lost(str(error)) from error
            self.problem = error.diag.message_primary or str(error)
            return
        self._unwritten, self.problem = [], ""

    def begin(self, record: Record, save: Save) -> None:
        """Keep a new play in the place of the one before."""
        self._play, self._count = self._play + 1, 0
        begun = json.dumps(msgspec.structs.asdict(save))
        self._write(
            (_BEGIN, self._name, self._spec, self._database.worker, record.written(), begun, self._play),
            ("delete from cardgame_journal where name = %s and play < %s", self._name, self._play),
        )

    def add(self, entries: Sequence[Decided | int], save: Callable[[], Save]) -> None:
        """Keep decisions, or the number of decisions that are left."""
        del save
        first, self._count = self._count + 1, self._count + len(entries)
        self._write(*(
            ("insert into cardgame_journal (name, play, n, entry) values (%s, %s, %s, %s)",
             self._name, self._play, n, json.dumps(entry))
            for n, entry in enumerate(entries, first)
        ))  # fmt: skip

    def settle(self) -> None:
        """Do nothing: changes are written when they are made, in the session that holds the lock."""

    def write(self, record: Record) -> None:
        """Keep the record."""
        self._write((_RECORD, record.written(), self._name))

    def close(self, *, remove: bool) -> None:
        """Let others open the table, or mark its play as over."""
        with suppress(Lost):
            if remove:
                self._write(("update cardgame_tables set over = true where name = %s", self._name))
        self._database.release(self._name)
