"""An append-only autosave of a play that goes on: after each decision the play can be taken up from it.

It is a saved play (`interpreter.records.saves`) that grows.  The first lines, the play as it was when the autosave
began, are written to a file beside it that is then renamed, so that an autosave is there whole or not at all.  After
that a line is added for each decision, and written through to the disk before the decision is shown, so that what was
shown is never gone; a last line that was not written to its end is left out.

Autosaves lie in a folder of their own, a file a play, with a lock that ends with the process that plays: two plays
have two files, and one that goes on elsewhere is not offered.  Only files that nobody else can have written are read
(`grammar.store`).
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs

from grammar import files, store
from interpreter.records.saves import HEAD, Save, SaveError, deobfuscate, obfuscate, read_save, write_save

SETTING = "CARDGAME_PLAYS"
"""The variable that keeps plays from being kept as they go (`off`)."""

_ENDING = ".play"
MOST_KEPT = 100
"""Resumable plays that are kept; beyond that the oldest go."""


def folder() -> Path | None:
    """Return where plays are kept, whether it is there or not; None where there is no such place, or nothing is kept.

    It is `$XDG_STATE_HOME/cardgame/plays`, else `~/.local/state/cardgame/plays`.
    """
    if os.environ.get(SETTING) == "off":
        return None
    base = os.environ.get("XDG_STATE_HOME", "")
    try:
        return (Path(base) if os.path.isabs(base) else Path.home() / ".local" / "state") / "cardgame" / "plays"
    except RuntimeError:
        return None


def mark_of(spec: Path) -> str:
    """Return how the names of the autosaves of a spec begin, by where the spec lies."""
    return hashlib.sha256(os.path.abspath(spec).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@attrs.frozen
class Resumable:
    """A play that ended before it was over: its autosave's name, when it was left (seconds), and the play."""

    name: str
    when: float
    save: Save


class Autosave:
    """The autosave of one play, made when there is something to write.

    What cannot be written is kept in mind and written with what comes next; `problem` says then what is wrong.
    """

    def __init__(self, spec: Path, where: Path | None = None) -> None:
        self.problem = ""
        self._mark = mark_of(spec)
        self._folder = where or folder()
        self._name: str | None = None
        self._handle: int | None = None
        self._end = 0
        self._waiting: list[bytes] = []
        self._writing = threading.Lock()

    @classmethod
    def of(cls, found: Resumable, spec: Path, where: Path | None = None) -> Autosave | None:
        """Return the autosave of an unfinished play, to go on with; None where another process continues with it."""
        autosave = cls(spec, where)
        path = autosave._folder
        if path is None:
            return None
        with suppress(OSError), store.own_folder(path, make=False) as (inside, at):
            handle = os.open(inside(found.name), os.O_RDWR | _FLAGS, **at)
            if store.is_own_file(handle) and store.locked(handle):
                written, end = _whole_lines(handle)
                if read_save(written) == found.save:
                    autosave._name, autosave._handle, autosave._end = found.name, handle, end
                    return autosave
            os.close(handle)
        return None

    @property
    def is_begun(self) -> bool:
        """Whether there is a file."""
        return self._name is not None

    @property
    def name(self) -> str | None:
        """The name of the file, if it has begun."""
        return self._name

    @property
    def is_waiting(self) -> bool:
        """Whether something is not on the disk."""
        return bool(self._waiting)

    def add(self, entries: Iterable[Any], save: Callable[[], Save], *, later: bool = False) -> None:
        """Write what was done; an autosave that is not there yet begins with the play after it, which `save` makes.

        With `later`, `write` must follow before anything of it is shown.
        """
        if self._name is None:
            self.begin(save)
            return
        self._waiting += map(_line, entries)
        if not later:
            self.write()

    def write(self) -> None:
        """Write what waits through to the disk; any thread may do so."""
        with self._writing:
            if self._handle is not None and self._waiting:
                self._append(self._handle)

    def end(self) -> None:
        """Remove the autosave: the play is over, or kept elsewhere."""
        path = self._folder
        if self._name is not None and path is not None:
            with suppress(OSError), store.own_folder(path, make=False) as (inside, at):
                os.unlink(inside(self._name), **at)
        self._waiting = []
        self.close()

    def close(self) -> None:
        """Write what could not be written before, if that is possible now, and let others go on with the play."""
        self.write()
        with self._writing:
            if self._handle is not None:
                os.close(self._handle)
            self._handle = None

    def begin(self, save: Callable[[], Save]) -> None:
        """Write a new file with the play so far."""
        path = self._folder
        if path is None:
            return
        try:
            with store.own_folder(path, make=True) as (inside, at):
                name = f"{self._mark}-{time.time_ns():020}-{os.urandom(4).hex()}{_ENDING}"
                handle = store.put(inside, at, name, lambda handle: self._fill(handle, save()))
                self._name, self._handle, self.problem = name, handle, ""
                if at:
                    os.fsync(at["dir_fd"])
                store.trim(inside, at, _ENDING, MOST_KEPT)
        except OSError as error:
            self.problem = error.strerror or str(error)

    def _fill(self, handle: int, save: Save) -> None:
        store.locked(handle)
        self._end = _write(handle, write_save(save).encode(), 0)

    def _append(self, handle: int) -> None:
        written = self._waiting[:]
        try:
            self._end = _write(handle, b"".join(written), self._end)
        except OSError as error:
            self.problem = error.strerror or str(error)
            return
        del self._waiting[: len(written)]
        self.problem = ""


_FLAGS = store.system_flags("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")


def _line(entry: Any) -> bytes:
    return obfuscate(entry).encode() + b"\n"


def _write(handle: int, data: bytes, start: int) -> int:
    """Write bytes after the first `start`, through to the disk, and return where they end.

    Where that fails the file is cut off again, as far as it can be.
    """
    try:
        os.ftruncate(handle, start)  # The rest was never written completely.
        os.lseek(handle, start, os.SEEK_SET)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
        os.fsync(handle)
    except OSError:
        with suppress(OSError):
            os.ftruncate(handle, start)
        raise
    return start + len(data)


def _whole_lines(handle: int) -> tuple[str, int]:
    """Return the text of an autosave up to a line that was not written to its end, and how many bytes it takes."""
    os.lseek(handle, 0, os.SEEK_SET)
    data = b""
    while len(data) <= files.LARGEST and (more := os.read(handle, 1 << 20)):
        data += more
    lines = data.split(b"\n")[:-1]
    sound = next((n for n, line in enumerate(lines) if n > HEAD and not _is_sound(line.decode("latin-1"))), len(lines))
    whole = b"".join(line + b"\n" for line in lines[:sound])
    return whole.decode("utf-8", "replace"), len(whole)


def _is_sound(line: str) -> bool:
    try:
        deobfuscate(line)
    except ValueError:
        return False
    return True


def resumable(spec: Path | None, where: Path | None = None, *, running: bool = False) -> list[Resumable]:
    """Return the plays that were left unfinished, of a spec or of all, the last first.

    Those that go on in another process are left out unless `running`.
    """
    path = where or folder()
    found: list[Resumable] = []
    if path is None:
        return found
    begins = "" if spec is None else mark_of(spec)
    with suppress(OSError), store.own_folder(path, make=False) as (inside, at):
        for name in os.listdir(at.get("dir_fd", path)):
            if name.startswith(begins) and name.endswith(_ENDING) and not name.startswith(store.NEW):
                found += _read(inside(name), at, name, running)
    return sorted(found, key=lambda one: (one.when, one.name), reverse=True)


def discard(found: Resumable) -> None:
    """Remove an unfinished play."""
    path = folder()
    if path is not None:
        with suppress(OSError), store.own_folder(path, make=False) as (inside, at):
            os.unlink(inside(found.name), **at)


def _read(path: str, at: Any, name: str, running: bool) -> Iterator[Resumable]:
    """Give the play of an autosave; nothing if it is damaged, owned by another user, or in use (unless `running`)."""
    with suppress(OSError, SaveError):
        handle = os.open(path, os.O_RDONLY | store.system_flags("O_NONBLOCK") | _FLAGS, **at)
        try:
            if store.is_own_file(handle) and (running or store.locked(handle)):
                yield Resumable(name, os.fstat(handle).st_mtime, read_save(_whole_lines(handle)[0]))
        finally:
            os.close(handle)
