"""The numbers of small actions: a block of consecutive numbers for each verb."""

from __future__ import annotations

from math import prod

import attrs

from interpreter.analysis.types import Type


@attrs.frozen(eq=False)
class ActionBlock:
    """A group of small actions with one verb: the same words are the same numbers wherever they stand.

    `base` is the first of its numbers, `types` are those of its arguments and `dims` their sizes; a set (`is_set`)
    has one number for each face and one more for `done`.
    """

    verb: str
    types: tuple[Type, ...]
    is_set: bool
    base: int
    dims: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many small actions the group has."""
        return prod(self.dims)
