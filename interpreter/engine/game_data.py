"""The run-time data of a game as plain values, without references to rules or syntax.

`interpreter.engine.compilation` makes it from the rules once, and `interpreter.cache` keeps it.  A running game reads
nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Literal

import attrs

from grammar.source import Source, Span
from interpreter.analysis.card_faces import Face
from interpreter.analysis.types import Type
from interpreter.engine.outcome import Team
from interpreter.program.action_blocks import ActionBlock
from interpreter.setting import Setting


class Spans:
    """Many places in a few sources, as numbers: source, start and end of each.

    Most are never requested, so each is made when it is.
    """

    def __init__(self, sources: tuple[Source, ...], numbers: list[int]) -> None:
        self.sources = sources
        self.numbers = numbers

    @classmethod
    def of(cls, spans: Iterable[Span]) -> Spans:
        """Return places as numbers, with the sources in the order in which they are met."""
        sources: dict[Source, int] = {}
        numbers: list[int] = []
        for span in spans:
            numbers += (sources.setdefault(span.source, len(sources)), span.start, span.end)
        return cls(tuple(sources), numbers)

    def __len__(self) -> int:
        return len(self.numbers) // 3

    def __getitem__(self, index: int) -> Span:
        source, start, end = self.numbers[3 * index : 3 * index + 3]
        return Span(self.sources[source], start, end)


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
    """A value of the state: its variable's name and its indices with their types, its own type, who sees it.

    `phase` is the phase that declares the variable, None for one of the whole game.  `initial` is its initial value
    where that is a constant, else None.  `home` is the zone to whose cards the values belong, with the number of its
    indices, and of those with the place in a row; or None.
    """

    variable: str
    types: tuple[Type, ...]
    index: tuple[int, ...]
    type: Type
    viewers: int
    phase: str | None
    initial: int | bool | None
    home: tuple[str, int, int] | None = None


@attrs.frozen(eq=False)
class ArgumentData:
    """An argument of an action: one `card` or `value`, or a set of `cards`.

    `low` and `high` bound the size of a set where the bounds are constants; `is_bounded` says whether it has any.
    `zones` are the names of the zones that its domain reads.
    `constrains` says that the value of the argument decides what can be chosen for later ones, and `is_read` that a
    rule for later ones reads it (not only its cards are gone).
    """

    name: str
    form: str
    type: Type
    low: int | None
    high: int | None
    is_bounded: bool
    zones: tuple[str, ...]
    constrains: bool
    is_read: bool


@attrs.frozen(eq=False)
class StageData:
    """A part of an action that is one small action: the `count` arguments from number `first` on, or one set of cards.

    It is chosen at `node`; `base` is the number of its first small action, `dims` are the sizes of its arguments.
    """

    first: int
    count: int
    is_set: bool
    node: int
    base: int
    dims: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many small actions the stage has."""
        return prod(self.dims)


@attrs.frozen(eq=False)
class ActionData:
    """An action that a player can choose: its verb, its arguments, and the stages in which they are chosen.

    `is_otherwise` marks the action that is possible only where no other is.
    """

    verb: str
    args: tuple[ArgumentData, ...]
    stages: tuple[StageData, ...]
    is_otherwise: bool

    def args_of(self, stage: StageData) -> tuple[ArgumentData, ...]:
        """Return the arguments that are chosen in a stage."""
        return self.args[stage.first : stage.first + stage.count]


@attrs.frozen(eq=False)
class DecisionData:
    """A decision of a player at a node: the phase in which it is made, and the actions that are open.

    `choice` is the first node of the same choice in the rules.  `hidden` says that the others learn nothing of the
    decision until all have decided.  Where a decision of several small actions is in progress (`is_begun`), the one
    action of it is open, from the stage of number `stage` on.
    """

    node: int
    choice: int
    hidden: bool
    phase: str
    actions: tuple[ActionData, ...]
    is_begun: bool
    stage: int


@attrs.frozen(eq=False)
class GameData:
    """The constant data of a game.

    `max_decisions` bounds the decisions of a play, `longest_decision` the small actions of one decision.  `homes` are
    the cards in each place before play.  `sites` are the spans of the spec that faults name.  Nodes are numbers:
    `node_sites` has the site of each, `chance` the type of the outcome of a chance event, `decisions` the decision.
    `attributes` are the names and types of the attributes of each kind of card.  `standing` is what a search compares
    players by (`interpreter.analysis.rules.Rules.standing`).  `teams` may be empty.
    """

    title: str
    cooperative: bool
    max_decisions: int
    longest_decision: int
    setting: Setting
    faces: tuple[Face, ...]
    card_faces: tuple[int, ...]
    attributes: dict[str, tuple[tuple[str, Type], ...]]
    homes: tuple[tuple[int, tuple[int, ...]], ...]
    places: tuple[Place, ...]
    slots: tuple[Slot, ...]
    shapes: tuple[ActionBlock, ...]
    num_actions: int
    entry: int
    final: int
    sites: Spans
    node_sites: tuple[int, ...]
    chance: dict[int, Type]
    decisions: dict[int, DecisionData]
    utility: str
    utility_range: tuple[float, float]
    standing: Literal["score", "returns", "winners"] | None
    perfect_information: bool
    teams: tuple[Team, ...] = ()
