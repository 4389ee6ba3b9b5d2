"""What a game needs to run, as plain values: no rule, no syntax, nothing that refers to either.

A data is drawn up from the rules once (`interpreter.runtime.compilation`).  A game reads nothing else while it is
played, whether its data was just drawn up or had been kept (`interpreter.cache`).
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from grammar.source import Source, Span
from interpreter.analysis.card_faces import Face
from interpreter.analysis.types import Type
from interpreter.program.action_blocks import ActionBlock
from interpreter.setting import Setting


class Spans:
    """Many places in a few sources, as numbers: source, start and end of each; a source of -1 means none.

    Most are never asked for, so each is made when it is.
    """

    def __init__(self, sources: tuple[Source, ...], numbers: list[int]) -> None:
        self.sources = sources
        self.numbers = numbers

    @classmethod
    def of(cls, spans: Iterable[Span | None]) -> Spans:
        """Return places as numbers, with the sources in the order in which they are met."""
        sources: dict[Source, int] = {}
        numbers: list[int] = []
        for span in spans:
            numbers += (
                (-1, 0, 0) if span is None else (sources.setdefault(span.source, len(sources)), span.start, span.end)
            )
        return cls(tuple(sources), numbers)

    def __len__(self) -> int:
        return len(self.numbers) // 3

    def __getitem__(self, index: int) -> Span | None:
        source, start, end = self.numbers[3 * index : 3 * index + 3]
        return None if source < 0 else Span(self.sources[source], start, end)


@attrs.frozen(eq=False)
class Place:
    """A place for cards: its zone's name and its indices with their types, and the zone's properties.

    `viewers` has one bit for each player who sees its cards.
    """

    zone: str
    types: tuple[Type, ...]
    index: tuple[int, ...]
    kind: str
    capacity: int
    viewers: int
    owner: int | None


@attrs.frozen(eq=False)
class Slot:
    """A value of the state: its variable's name and its indices with their types, its own type, who sees it."""

    variable: str
    types: tuple[Type, ...]
    index: tuple[int, ...]
    type: Type
    viewers: int


@attrs.frozen(eq=False)
class GameData:
    """What is fixed before play.

    `setting` is the number of players and the value of every option.  `homes` are the cards that lie in a
    place before play.  Nodes are numbers: `spans` has their places in the spec, `chance` the type of what a chance
    event chooses, `begun` are the decisions in the middle of a choice.
    """

    title: str
    cooperative: bool
    max_decisions: int
    setting: Setting
    faces: tuple[Face, ...]
    card_faces: tuple[int, ...]
    homes: tuple[tuple[int, tuple[int, ...]], ...]
    places: tuple[Place, ...]
    slots: tuple[Slot, ...]
    shapes: tuple[ActionBlock, ...]
    num_actions: int
    entry: int
    final: int
    spans: Spans
    chance: dict[int, Type]
    begun: frozenset[int]
    utility: str
    utility_range: tuple[float, float]
    perfect_information: bool
