"""The other files that a spec uses or extends: their paths and texts, and which were read.

A name is looked for as a path from the folder of the file that brings it in, then among the files that come with the
program: `lib/french52.cardgame`, `classics/hearts`.  What comes with the program is found by such names alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache
from importlib.util import find_spec as find_module
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grammar.source import Source, read_source

if TYPE_CHECKING:
    from grammar.ast import Spec

SUFFIX = ".cardgame"

FILE_LIMIT = 64
"""Files that a spec may bring in, directly and through others."""

TEXT_LIMIT = 500_000
"""Characters that all files which a spec brings in may have together."""


Reader = Callable[[Path, str | None], Source]
"""Reads a file that is known by a name (None: its path).  Raises OSError."""


class Found(msgspec.Struct, frozen=True, eq=False):
    """A file that was requested by a name, from a folder (empty: from a text without a file)."""

    folder: str
    name: str
    path: str
    source: Source


class Files:
    """Finds files and remembers them; those that are `known` already are not read again.

    `whole` holds the specs that were put together, by path, so that a file that several others bring in is parsed once.
    `reader` reads a file, known by a name.
    """

    def __init__(self, known: Iterable[Found] = (), reader: Reader = read_source) -> None:
        self._reader = reader
        self._found = {(found.folder, found.name): found for found in known}
        self.whole: dict[str, Spec] = {}

    @property
    def found(self) -> tuple[Found, ...]:
        """All files so far, in the order in which they were requested."""
        return tuple(self._found.values())

    def find(self, folder: str, name: str) -> Found | None:
        """Return the spec of a name as seen from a folder, or None where there is none.  Raises OSError."""
        key = (folder, name)
        if key not in self._found:
            found = look(folder, name, self._reader)
            if found is None:
                return None
            self._found[key] = found
        return self._found[key]

    def beyond_bounds(self) -> str:
        """Return what is too much about the files so far, in words; empty where nothing is."""
        texts = {found.path: len(found.source.text) for found in self._found.values()}
        if len(texts) > FILE_LIMIT:
            return f"this is file number {len(texts)} of the spec; it may bring in {FILE_LIMIT}"
        if sum(texts.values()) > TEXT_LIMIT:
            return f"the files of this spec have more than {TEXT_LIMIT:,} characters together"
        return ""


@cache
def bundled_folder() -> Path:
    """Return the folder of the specs that come with the program."""
    games = find_module("games")
    assert games is not None
    assert games.origin is not None
    return Path(games.origin).parent.resolve()


def look(folder: str, name: str, reader: Reader = read_source) -> Found | None:
    """Read the spec of a name as seen from a folder; None where there is no plain file.  Raises OSError."""
    bundled = bundled_folder()
    if folder:
        path = _resolved(Path(folder), name)
        if path is not None:
            # Named as the user would: by the path from where the first file was named, without ways up and down.
            shown = os.path.normpath(os.path.join(folder, name))
            if path.is_relative_to(bundled) and os.path.isabs(folder):
                shown = path.relative_to(bundled).as_posix()
            return Found(folder, name, str(path), reader(path, shown))
    for way in (name, name + SUFFIX):
        path = _resolved(bundled, way)
        if path is not None and path.is_relative_to(bundled):
            return Found(folder, name, str(path), reader(path, path.relative_to(bundled).as_posix()))
    return None


def _resolved(folder: Path, name: str) -> Path | None:
    """Return the path of a spec as seen from a folder, if it is a plain file."""
    try:
        path = (folder / name).resolve()
        return path if path.suffix == SUFFIX and path.is_file() else None
    except (OSError, RuntimeError, ValueError):  # Links that lead in a circle, or a name that no file can have.
        return None
