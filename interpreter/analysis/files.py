"""The other files that a spec uses or extends: where they are, what they say, and which were read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import attrs

from grammar.source import Source, read_source

SUFFIX = ".cardgame"


@attrs.frozen(eq=False)
class Found:
    """A file that was asked for by a name, from a folder."""

    folder: str
    name: str
    path: str
    source: Source


class Files:
    """Finds files and remembers them; those that are `known` already are not read again."""

    def __init__(self, known: Iterable[Found] = ()) -> None:
        self._found = {(found.folder, found.name): found for found in known}

    @property
    def found(self) -> tuple[Found, ...]:
        """All files so far, in the order in which they were asked for."""
        return tuple(self._found.values())

    def find(self, folder: Path, name: str) -> Found | None:
        """Return the spec of a name as seen from a folder, or None where there is none.  Raises OSError."""
        key = (str(folder), name)
        if key not in self._found:
            found = look(folder, name)
            if found is None:
                return None
            self._found[key] = found
        return self._found[key]


def look(folder: Path, name: str) -> Found | None:
    """Read the spec of a name as seen from a folder; None where there is none.  Raises OSError."""
    path = (folder / name).resolve()
    if path.suffix != SUFFIX or not path.is_file():
        return None
    return Found(str(folder), name, str(path), read_source(path))
