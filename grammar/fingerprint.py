"""Fingerprints of the files of a package at import, to detect later changes.

What a program has in memory is what its files said when they were read.  A cache that is keyed by those files
must know whether they were changed since.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.util import find_spec

SUFFIXES = (".py", ".lark", ".h", ".c")
Stamp = tuple[str, int, int, int, int, int]
"""The path of a file, and what the system keeps of it: device, number, size, last change of content, of anything."""


_REMEMBERED: dict[str, tuple[Stamp, ...]] = {}


def remember(folders: Iterable[str]) -> None:
    """Remember how the sources of a package are; what a package does first when it is imported."""
    for folder in folders:
        _REMEMBERED[folder] = stamps_of([folder])


def unchanged() -> tuple[Stamp, ...]:
    """Return the stamps of all sources of the packages that are remembered; empty where they are others by now."""
    now = stamps_of(_REMEMBERED)
    return now if now == tuple(sorted(stamp for stamps in _REMEMBERED.values() for stamp in stamps)) else ()


def stamps_of(folders: Iterable[str]) -> tuple[Stamp, ...]:
    """Return the stamps of all sources in some folders and those inside, sorted; empty where they cannot be had."""
    try:
        return tuple(sorted(stamp for folder in folders for stamp in _stamps(folder)))
    except OSError:
        return ()


def _stamps(folder: str) -> Iterator[Stamp]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIXES):
                status = entry.stat()
                yield (
                    entry.path, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns,
                )  # fmt: skip
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _stamps(entry.path)


def compiler() -> str | None:
    """Return a mark of the compiler: a digest of all its sources.

    None where they cannot be read, or are not those that this process has imported: what it compiles then is
    neither the old compiler's nor the new one's.
    """
    now = unchanged()
    return _digest(now) if now else None


@lru_cache(maxsize=1)
def _digest(now: tuple[Stamp, ...]) -> str | None:
    digest = hashlib.sha256()
    parser = find_spec("lark")
    try:
        for path in (*(stamp[0] for stamp in now), *([parser.origin] if parser and parser.origin else [])):
            with open(path, "rb", buffering=0) as file:
                text = file.read()
            digest.update(f"{path}\n{len(text)}\n".encode("utf-8", "surrogateescape"))
            digest.update(text)
    except OSError:
        return None
    return digest.hexdigest()
