"""A file of unfinished runs, so that the same command continues after an interruption.

A run is found by a digest of all that makes it: rules, setting, agents and seed.  The file is data: numbers and texts.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from grammar.files import read_bounded, write_text

LARGEST = 100_000_000
"""Bytes of a file, of which no more is read."""


class Kept:
    """The runs of a file, which need not be there yet.  Raises OSError; ValueError for a file of another kind."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._runs: dict[str, Any] = {}
        if not path.exists():
            return
        try:
            found = json.loads(read_bounded(path, LARGEST))["runs"]
            self._runs = {str(digest): dict(data) for digest, data in found.items()}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"`{path}` does not keep a run") from error

    def find(self, digest: str) -> dict[str, Any] | None:
        """Return what is kept of a run, if anything is."""
        return self._runs.get(digest)

    def expect(self, digest: str) -> None:
        """Raise ValueError for a file that keeps other runs, but not this one."""
        if self._runs and digest not in self._runs:
            raise ValueError(f"`{self.path}` keeps a run of other rules, options, seats or another seed")

    def keep(self, digest: str, data: dict[str, Any]) -> None:
        """Keep what is done of a run, in the file too, whole or not at all.  Raises OSError."""
        self._runs[digest] = data
        write_text(self.path, json.dumps({"runs": self._runs}, separators=(",", ":")) + "\n")

    def damaged(self, error: Exception) -> ValueError:
        """Return the error that says that what is kept cannot be read."""
        found = ValueError(f"`{self.path}` does not keep a run")
        found.__cause__ = error
        return found
