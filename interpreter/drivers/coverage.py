"""Which rules of a spec some plays carried out, by their tags."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs

from grammar.source import Span

if TYPE_CHECKING:
    from interpreter.runtime.game import Game


@attrs.frozen
class TagCount:
    """A rule tag: where it stands (first place first), and in how many plays it was reached.

    `declared` says that it stands on a declaration, which holds without being carried out.
    """

    tag: str
    spans: tuple[Span, ...]
    plays: int
    declared: bool

    @property
    def reached(self) -> bool:
        """Whether some play carried the rule out, or it needs no carrying out."""
        return self.declared or self.plays > 0


@attrs.define
class Coverage:
    """A count of the plays that reached each tag."""

    game: Game
    plays: int = 0
    _counts: dict[str, int] = attrs.field(factory=dict)

    def add(self, tags: Iterable[str]) -> None:
        """Count one play."""
        self.plays += 1
        for tag in tags:
            self._counts[tag] = self._counts.get(tag, 0) + 1

    def tags(self) -> list[TagCount]:
        """Return all tags of the spec in the order of its text."""
        places: dict[str, list[Span]] = {}
        for tag, span in self.game.rules.tags:
            places.setdefault(tag, []).append(span)
        declared = self.game.rules.declared_tags
        return [TagCount(t, tuple(s), self._counts.get(t, 0), t in declared) for t, s in places.items()]

    def unreached(self) -> list[TagCount]:
        """Return the tags that no play reached."""
        return [tag for tag in self.tags() if not tag.reached]
