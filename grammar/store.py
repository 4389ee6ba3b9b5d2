"""The user's cache folder: files that can be made again, kept so that the next start is quick.

The folder is `$XDG_CACHE_HOME/cardgame`, else `~/.cache/cardgame`.  Nothing here ever fails: a file that is
missing or not the user's own is none, and where nothing can be written nothing is kept.  What is read may
become a program, so only what nobody but this user can have written is read: folder and file are theirs, others
may not write to them, and neither is a link.  Each is opened first and checked then, and the file is opened
inside the open folder, so that nobody can exchange them in between.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Not on Windows.
    fcntl = None  # type: ignore[assignment]

SETTING = "CARDGAME_CACHE"
"""The variable that turns storing off (`off`), or leaves only the tables of parsers (`parsers`)."""

KNOWS_OWNERS = hasattr(os, "geteuid") and {os.open, os.stat, os.unlink, os.rename, os.utime} <= os.supports_dir_fd
"""Whether this system can show whose a file is.  Where it cannot, keep only what is harmless to read."""

NEW = ".new-"
"""How the name of a file begins that is not whole yet."""

LARGEST = 100_000_000
"""Bytes of a file that is kept; a larger one is read no more than a missing one."""

_ABANDONED = 3600.0


def cache_folder() -> Path | None:
    """Return the folder, whether it is there or not; None where there is no such place, or storing is turned off."""
    if os.environ.get(SETTING) == "off":
        return None
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "cardgame"
    except RuntimeError:
        return None


def read(name: str) -> bytes | None:
    """Return what is kept under a name; None where there is nothing that can be trusted."""
    flags = os.O_RDONLY | system_flags("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
    with suppress(OSError), _kept(make=False) as (inside, at):
        with os.fdopen(os.open(inside(name), flags, **at), "rb") as file:
            if not is_own_file(file.fileno()) or len(data := file.read(LARGEST + 1)) > LARGEST:
                return None
        with suppress(OSError):  # The files that nobody asks for are the first to go.
            os.utime(inside(name), **at)
        return data
    return None


def write(name: str, data: bytes, keep: int) -> None:
    """Keep something, at once or not at all: two processes never read half a file.

    Of the files with the same ending, the `keep` that were requested last are left.
    """

    def fill(handle: int) -> None:
        with os.fdopen(handle, "wb", closefd=False) as file:
            file.write(data)

    with suppress(OSError), _kept(make=True) as (inside, at):
        os.close(put(inside, at, name, fill))
        trim(inside, at, os.path.splitext(name)[1], keep)


def put(inside: Any, at: Any, name: str, fill: Callable[[int], None]) -> int:
    """Put a new file into a folder (see `own_folder`) once it is filled, and return it, still open.

    Nobody ever sees a part of it: it has another name, which begins with `NEW`, until then.  Raises OSError, with
    nothing left after.
    """
    temporary = inside(f"{NEW}{os.getpid()}-{os.urandom(6).hex()}")
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | system_flags("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")
    handle = os.open(temporary, flags, 0o600, **at)
    try:
        fill(handle)
        ends = {"src_dir_fd": at["dir_fd"], "dst_dir_fd": at["dir_fd"]} if at else {}
        os.replace(temporary, inside(name), **ends)
    except OSError:
        os.close(handle)
        with suppress(OSError):
            os.unlink(temporary, **at)
        raise
    return handle


@contextmanager
def alone(name: str, seconds: float) -> Iterator[None]:
    """Wait until no other process is at work under a name, for so many seconds at most; where files have no locks, not.

    The lock goes with its process, however that ends.
    """
    with ExitStack() as held:
        with suppress(OSError):
            inside, at = held.enter_context(_kept(make=True))
            flags = os.O_RDWR | os.O_CREAT | system_flags("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")
            handle = os.open(inside(f"{NEW}lock-{name}"), flags, 0o600, **at)
            held.callback(os.close, handle)
            until = time.monotonic() + seconds
            while not locked(handle) and time.monotonic() < until:
                time.sleep(0.1)
        yield


def locked(handle: int) -> bool:
    """Lock an open file until it is closed; False where another process has it, true where there are no locks."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def trim(inside: Any, at: Any, ending: str, keep: int) -> None:
    """Remove the files of an ending beyond those that were touched last, and what unfinished writing has left.

    `inside` and `at` are an open folder; see `own_folder`.
    """
    now = time.time()
    dated = []
    for name in os.listdir(at.get("dir_fd", inside("."))):
        with suppress(OSError):
            when = os.stat(inside(name), follow_symlinks=False, **at).st_mtime
            if name.startswith(NEW):
                if now - when > _ABANDONED:
                    os.unlink(inside(name), **at)
            elif name.endswith(ending):
                dated.append((when, name))
    for _, name in sorted(dated, reverse=True)[keep:]:
        with suppress(OSError):
            os.unlink(inside(name), **at)


@contextmanager
def _kept(*, make: bool) -> Iterator[tuple[Any, Any]]:
    """Open the folder of the cache; see `own_folder`."""
    path = cache_folder()
    if path is None:
        raise OSError("nothing is stored")
    with own_folder(path, make=make) as opened:
        yield opened


@contextmanager
def own_folder(path: Path, *, make: bool) -> Iterator[tuple[Any, Any]]:
    """Open a folder: give how a name inside it is written, and what makes the system look for it there.

    With `make` it is made where it is missing.  Raises OSError where there is none, or one that is not the user's own.
    """
    if make:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not KNOWS_OWNERS:
        yield (lambda name: os.path.join(path, name)), {}
        return
    handle = os.open(path, os.O_RDONLY | system_flags("O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC"))
    try:
        if not _is_own(os.fstat(handle)):
            raise OSError(errno.EPERM, "others can write there", str(path))
        yield str, {"dir_fd": handle}
    finally:
        os.close(handle)


def is_own_file(handle: int) -> bool:
    """Say whether an open file is a plain one that nobody but this user can have written."""
    status = os.fstat(handle)
    return stat.S_ISREG(status.st_mode) and _is_own(status)


def _is_own(status: os.stat_result) -> bool:
    """Whether nobody but this user can have written it."""
    return not KNOWS_OWNERS or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)


def system_flags(*names: str) -> int:
    """Return the flags for opening that this system has."""
    value = 0
    for name in names:
        value |= getattr(os, name, 0)
    return value
