"""The result of the analysis: the rules of one game, for one number of players and one set of options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.card_faces import Face
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.info import Info
from interpreter.analysis.symbols import Kind, Local, Option, Zone
from interpreter.analysis.types import EnumType, Int, Player, base_of
from interpreter.setting import Setting


class ResultLine(core.Record):
    """`score`, `stakes`, `returns` (with the name of the player in `player`) or `winners`."""

    what: str
    player: Local | None
    value: core.Expr
    span: Span
    tags: tuple[str, ...]


class Invariant(core.Record):
    """A condition that is true at every decision."""

    text: str
    condition: core.Expr
    span: Span
    tags: tuple[str, ...]


@attrs.define(eq=False)
class Rules:
    """The checked rules of a spec in one setting.

    Cards are numbered from 0, in the order of the deck, with all copies of a face in a row: `card_faces[card]` is the
    number of its face.  `teams` is the type `team`, None in a game without teams.  Each definition follows those that
    it calls.  `homes` are the places of the cards before play (number of the place, cards in order).
    `local_variables` are those of blocks, which no player sees.  `num_locals` is the greatest number of a local name.
    `tags` are all rule tags of the text with their spans; `published` the spans of the statements with `openly`, which
    may reveal hidden information.  `notes` are the local variables that stand for `reopen` in a
    called phase (`transforms.reopening`).  `info` has the checker's findings by syntax node.
    """

    title: str
    source_name: str
    num_players: int
    player_range: tuple[int, int]
    cooperative: bool
    max_decisions: int
    facts: tuple[tuple[str, tuple[object, ...]], ...]
    options: tuple[Option, ...]
    enums: tuple[EnumType, ...]
    teams: EnumType | None
    kinds: dict[str, Kind]
    faces: tuple[Face, ...]
    card_faces: tuple[int, ...]
    homes: tuple[tuple[int, tuple[int, ...]], ...]
    home_zone: Zone | None
    zones: tuple[Zone, ...]
    variables: tuple[Variable, ...]
    local_variables: tuple[Variable, ...]
    num_locals: int
    defines: tuple[Define, ...]
    phases: tuple[Phase, ...]
    play: Phase
    results: tuple[ResultLine, ...]
    invariants: tuple[Invariant, ...]
    tags: tuple[tuple[str, Span], ...]
    declared_tags: frozenset[str]
    published: tuple[Span, ...]
    info: Info
    notes: frozenset[Variable] = frozenset()

    @property
    def setting(self) -> Setting:
        """The setting: the number of players, and the value of every option."""
        return Setting(self.num_players, tuple((option.name, option.in_words(option.value)) for option in self.options))

    @property
    def standing(self) -> Literal["score", "returns", "winners"] | None:
        """The number that ranks players, besides the payoff; None if there is none.

        It is the score if payoffs only distinguish the best, the returns if the rules give both returns and winners,
        and the number whose greatest or least value wins if the rules name winners only.
        """
        whats = {line.what for line in self.results}
        if self.cooperative or self.num_players == 1:
            return None
        if whats == {"winners"}:
            return "winners" if any(map(ranks_players, core.walk_with_definitions(self.results[0].value))) else None
        if "returns" in whats:
            return "returns" if "winners" in whats else None
        return "score" if "score" in whats and "stakes" not in whats else None

    @property
    def every_phase(self) -> tuple[Phase, ...]:
        """All phases, and after them `play`."""
        return (*self.phases, self.play)

    def statements(self) -> Iterator[core.Stmt]:
        """Give all statements, those inside others too, phase by phase, those of `play` last."""
        for phase in self.every_phase:
            yield from core.statements_of(phase)

    def holds(self, kind: type[core.Stmt]) -> bool:
        """Say whether some statement is of a class."""
        return any(kind in core.kinds_of(phase) for phase in self.every_phase)

    def expressions(self) -> Iterator[core.Expr]:
        """Give all expressions outside of definitions: of statements, first values, the result and invariants."""
        for phase in self.every_phase:
            yield from core.expressions_of(phase)
        yield from self.values()

    def values(self) -> Iterator[core.Expr]:
        """Give the expressions outside of definitions and statements: first values, the result and invariants."""
        variables = (
            *self.variables,
            *self.local_variables,
            *(v for phase in self.every_phase for v in phase.variables),
        )
        yield from (variable.initial for variable in variables if variable.initial is not None)
        yield from (line.value for line in self.results)
        yield from (line.condition for line in self.invariants)

    def is_published(self, span: Span) -> bool:
        """Say whether a statement follows `openly`, or below one that does."""
        return any(
            outer.source.name == span.source.name and outer.start <= span.start and span.end <= outer.end
            for outer in self.published
        )

    @property
    def tag_names(self) -> tuple[str, ...]:
        """All rule tags, each once, in the order in which the text first has them."""
        return tuple(dict.fromkeys(tag for tag, _ in self.tags))

    @property
    def num_places(self) -> int:
        """How many places for cards there are."""
        return sum(zone.places for zone in self.zones)


def ranks_players(expr: core.Expr) -> bool:
    """Say whether an expression gives the players who are highest or lowest by a number, the first one of a key."""
    if not isinstance(expr, core.Extreme) or not isinstance(base_of(expr.binder.local.type), Player):
        return False
    first = expr.by.items[0] if isinstance(expr.by, core.TupleOf) else expr.by
    return isinstance(first.type, Int)
