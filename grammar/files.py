"""Files that people name: read with a bound, written at once or not at all.

A name may lead to anything: a folder, a pipe to which nobody writes, a device without an end.  So what is opened is
checked for what it is before anything is read of it, and reading stops at a limit.  What is written goes to a file
beside it first, so that a full disk or a killed process leaves the old file whole.  What cannot be done is an OSError
that says why in words.  Files that the program keeps for itself are `grammar.store`'s.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LARGEST = 20_000_000
"""Bytes of a file that are read at most, except of a spec, of which less is read."""


def read_bounded(name: str | Path, limit: int = LARGEST) -> bytes:
    """Return what a file holds, at most so many bytes and one more.

    Raises OSError for what is no plain file, or cannot be opened.
    """
    # A pipe is not waited for: what it is decides first.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        handle = os.open(name, flags)
    except ValueError:  # A NUL, or half of a surrogate pair.
        raise OSError(errno.EINVAL, "no file can have such a name", str(name)) from None
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "it is a folder", str(name))
        raise OSError(errno.EINVAL, "it is no plain file", str(name))
    with os.fdopen(handle, "rb") as file:
        return file.read(limit + 1)


def read_text(name: str | Path) -> str:
    """Return the text of a file.  Raises OSError also where it is too large, UnicodeDecodeError where it is no text."""
    data = read_bounded(name)
    if len(data) > LARGEST:
        raise OSError(errno.EFBIG, too_large(), str(name))
    return data.decode("utf-8")


def too_large() -> str:
    """Return what is said of something that is larger than anything that is read."""
    return f"it is larger than {LARGEST // 1_000_000} MB"


class WriteError(OSError):
    """A file that cannot be written."""


def write_text(name: str | Path, text: str) -> None:
    """Write a file, whole or not at all; a link stays one, and a device is written to.  Raises WriteError."""
    write_bytes(name, text.encode("utf-8", "backslashreplace"))


def write_bytes(name: str | Path, data: bytes) -> None:
    """Write a file as `write_text` does.  Raises WriteError."""
    with _writing(name) as (path, mode):
        if mode is not None and not stat.S_ISREG(mode):
            with open(path, "wb") as file:
                file.write(data)
            return
        _replace(path, data, mode)


def check_writable(name: str | Path) -> None:
    """Check that a file can be written: make another one beside it, and remove that.  Raises WriteError."""
    with _writing(name) as (path, mode):
        if mode is None or stat.S_ISREG(mode):
            temporary = _beside(path)
            with open(temporary, "xb"):
                os.unlink(temporary)
        elif not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@contextmanager
def _writing(name: str | Path) -> Iterator[tuple[str, int | None]]:
    """Give the real path of a name and its mode, None if there is no file.  Raises WriteError, also in the block."""
    try:
        path = os.path.realpath(name)
        mode = None
        with suppress(FileNotFoundError):
            mode = os.stat(path).st_mode
        yield path, mode
    except ValueError:
        raise WriteError(errno.EINVAL, "no file can have such a name", str(name)) from None
    except OSError as error:
        raise WriteError(error.errno, error.strerror, str(name)) from None


def _beside(path: str) -> str:
    """Return a new name in the folder of a file."""
    return os.path.join(os.path.dirname(path), f".{os.getpid()}-{os.urandom(6).hex()}.new")


def _replace(path: str, data: bytes, mode: int | None) -> None:
    temporary = _beside(path)
    try:
        with open(temporary, "xb") as file:
            if mode is not None:
                os.chmod(temporary, stat.S_IMODE(mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
