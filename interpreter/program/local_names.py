"""Names of locals in printed code, whatever its language: which function knows them, and what they stand for meanwhile.

A local is a variable inside the function that gives it its value, and becomes a part of the state where several
functions share it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from interpreter.analysis.symbols import Local


class LocalNames:
    """The names of locals in one text: `seen` notes in which functions (`unit`) each occurs."""

    def __init__(self) -> None:
        self.unit = ""
        self.seen: dict[Local, set[str]] = {}
        self.bound: dict[Local, str | int] = {}
        self._fresh = 0

    def fresh(self) -> str:
        """Return a name that nothing else has."""
        self._fresh += 1
        return f"t{self._fresh}"

    @contextmanager
    def binding(self, names: Mapping[Local, str | int]) -> Iterator[None]:
        """Let locals be other names, or numbers, for the time being."""
        before = dict(self.bound)
        self.bound.update(names)
        try:
            yield
        finally:
            self.bound = before
