"""Storage of tables on disk: the play in a journal, and beside it a record of the seats and links of the table.

Every decision is written through to the disk before anybody is shown it, so a server that is killed goes on where it
was.  Changes that one frame shows are written together, in a thread: no other table waits for the disk.  On a full
disk what was written before stays, all who are connected are shown the `problem`, and the rest is written as soon as
that is possible.  The journal is the autosave of `cardgame play`; a record is one JSON file that is exchanged as a
whole.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, TypedDict

import attrs
import msgspec

from grammar import files, store
from interpreter.engine.data import Text, read_as, read_json
from interpreter.records.autosave import MOST_KEPT, Autosave, Resumable, folder, mark_of, resumable
from interpreter.records.saves import Save
from interpreter.records.shared_play import Decided

_ENDING = ".table"
_MOST_STARTS = 1_000_000


class SeatData(TypedDict):
    """The player of a seat (a person or an agent), and their name."""

    who: str
    name: str


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The stored data of a table, besides its play.

    `hashes` are those of the links; `starts` counts how often the table was opened.  `answers` are the sealed decisions
    of players who decide at once, by seat, after `answered_at` decisions.
    """

    name: Text
    port: Annotated[int, msgspec.Meta(ge=0, le=65_535)]
    seats: list[SeatData]
    hashes: dict[Text, Text]
    salt: Text
    starts: Annotated[int, msgspec.Meta(ge=0, le=_MOST_STARTS)]
    journal: Text = ""
    answers: dict[Annotated[str, msgspec.Meta(pattern=r"\A[0-9]+\Z")], list[int]] = {}
    answered_at: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0

    @classmethod
    def read(cls, written: str) -> Record:
        """Return the record that a text is.  Raises ValueError."""
        return read_as(read_json(written), cls)

    def written(self) -> str:
        """Return the record as a text."""
        return json.dumps(msgspec.structs.asdict(self), separators=(",", ":"))


class Lost(Exception):  # noqa: N818 - another process may own the table now; nothing is wrong with the play
    """This process does not own a table any more."""


def tables_folder() -> Path | None:
    """Return the folder of tables; None where nothing is kept."""
    path = folder()
    return None if path is None else path / "tables"


class KeptInFiles:
    """A table that is kept in files of this user.

    Only `settle` and `close` write: each file takes several milliseconds, in which no other table may wait.
    """

    def __init__(self, spec: Path, where: Path, autosave: Autosave | None = None) -> None:
        self._spec = spec
        self._where = where
        self._autosave = autosave or Autosave(spec, where)
        self._before: list[Autosave] = []
        self._save: Save | None = None
        self._record: Record | None = None
        self._is_recorded = True
        self._problem = ""
        self._writing = threading.Lock()

    @property
    def problem(self) -> str:
        """Why the last change could not be written; empty if it was."""
        return self._problem or self._autosave.problem

    @property
    def is_waiting(self) -> bool:
        """Whether `settle` has something to write; nobody may be shown it before."""
        return self._save is not None or not self._is_recorded or self._autosave.is_waiting

    def begin(self, record: Record, save: Save) -> None:
        """Keep a new play in the place of the one before."""
        if self._autosave.is_begun:
            self._before.append(self._autosave)
        self._autosave, self._save = Autosave(self._spec, self._where), save
        self.write(record)

    def add(self, entries: Sequence[Decided | int], save: Callable[[], Save]) -> None:
        """Keep decisions, or the number of decisions that are left; `save` makes the play after them."""
        if self._autosave.is_begun:
            self._autosave.add(entries, save, later=True)
        else:
            self._save = save()

    def write(self, record: Record) -> None:
        """Keep the record."""
        self._record, self._is_recorded = record, False

    def settle(self) -> None:
        """Write what waits, also what could not be written before.

        A record belongs to the play that is written before it.
        """
        with self._writing:
            save = self._save
            if save is not None:
                self._autosave.begin(lambda: save)
                if self._autosave.problem:
                    return
                self._save, self._is_recorded = None, False
            self._autosave.write()
            if not self._is_recorded and self._record is not None:
                self._is_recorded = True  # Before it is written: another one may come meanwhile.
                self._exchange(msgspec.structs.replace(self._record, journal=self._autosave.name or ""))
            while self._before and not self.problem:
                self._before.pop().end()

    def _exchange(self, record: Record) -> None:
        """Exchange the file of the record for a new one."""
        data = record.written().encode()

        def fill(handle: int) -> None:
            os.write(handle, data)
            os.fsync(handle)

        try:
            with store.own_folder(self._where, make=True) as (inside, at):
                os.close(store.put(inside, at, self._file(record.name), fill))
                store.trim(inside, at, _ENDING, MOST_KEPT)
            self._problem = ""
        except OSError as error:
            self._problem, self._is_recorded = error.strerror or str(error), False

    def close(self, *, remove: bool) -> None:
        """Let others open the table, or remove it."""
        if not remove:
            self.settle()
            self._autosave.close()
            return
        for autosave in (*self._before, self._autosave):
            autosave.end()
        if self._record is not None:
            with suppress(OSError), store.own_folder(self._where, make=False) as (inside, at):
                os.unlink(inside(self._file(self._record.name)), **at)

    def _file(self, name: str) -> str:
        return f"{mark_of(self._spec)}-{name}{_ENDING}"


@attrs.frozen
class Found:
    """A table that no process serves: its record, its play, and its journal."""

    record: Record
    play: Resumable

    def take(self, spec: Path, where: Path) -> KeptInFiles | None:
        """Go on with the table; None where another process has begun to."""
        autosave = Autosave.of(self.play, spec, where)
        return None if autosave is None else KeptInFiles(spec, where, autosave)


def unserved_tables(spec: Path, where: Path) -> list[Found]:
    """Return the tables of a spec that no process serves, the last first."""
    plays = {play.name: play for play in resumable(spec, where)}
    found: list[Found] = []
    with suppress(OSError), store.own_folder(where, make=False) as (inside, at):
        for name in os.listdir(at.get("dir_fd", where)):
            if name.startswith(mark_of(spec)) and name.endswith(_ENDING):
                with suppress(OSError, ValueError):
                    record = Record.read(_contents(inside(name), at))
                    if record.journal in plays:
                        found.append(Found(record, plays[record.journal]))
    return sorted(found, key=lambda one: one.play.when, reverse=True)


def _contents(path: str, at: Any) -> str:
    """Return the text of a file that nobody but this user can have written.  Raises OSError, ValueError."""
    handle = os.open(path, os.O_RDONLY | store.system_flags("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"), **at)
    with os.fdopen(handle, "rb") as file:
        if not store.is_own_file(handle):
            raise OSError("this is another user's file")
        return file.read(files.LARGEST).decode()
