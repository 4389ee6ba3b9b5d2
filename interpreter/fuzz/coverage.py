"""Coverage of rules: the tags of a spec that plays reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.program.nodes import Auto, Program, Reach

if TYPE_CHECKING:
    from interpreter.engine.game import Game


@attrs.frozen
class TagCount:
    """A rule tag: where it is (first place first), and in how many plays it was reached.

    `declared` says that it is on a declaration, which holds without being carried out.
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
    """A count of the plays that reached each tag, of one game or of several settings of one spec.

    `places` are the tags of the spec in the order of its text, each with the first place first; `declared` those that
    stand on declarations; `possible` those that the rules can come to as their options are, the others are ruled out.
    """

    places: dict[str, tuple[Span, ...]]
    declared: frozenset[str]
    possible: frozenset[str]
    plays: int = 0
    counts: Counter[str] = attrs.field(factory=Counter)

    @classmethod
    def of(cls, game: Game) -> Coverage:
        """Return what can be reached in a game, before anything is."""
        places: dict[str, tuple[Span, ...]] = {}
        for tag, span in game.rules.tags:
            places[tag] = (*places.get(tag, ()), span)
        # The program has no branches that the setting excludes.
        possible = set(_recorded(game.program))
        alive: set[str] = set()
        gone: set[str] = set()
        for phase in game.rules.every_phase:
            _sort(phase.body, alive, gone)
        return cls(places, game.rules.declared_tags, frozenset(possible - (gone - alive)))

    def add(self, tags: Iterable[str]) -> None:
        """Count one play."""
        self.plays += 1
        self.counts.update(tags)

    def join(self, other: Coverage) -> None:
        """Add the plays of another setting of the spec."""
        self.places = {**self.places, **{tag: spans for tag, spans in other.places.items() if tag not in self.places}}
        self.declared |= other.declared
        self.possible |= other.possible
        self.plays += other.plays
        self.counts.update(other.counts)

    def tags(self) -> list[TagCount]:
        """Return all tags that are not ruled out, in the order of the text."""
        return [
            TagCount(tag, spans, self.counts[tag], tag in self.declared)
            for tag, spans in self.places.items()
            if tag in self.possible or tag in self.declared or self.counts[tag]
        ]

    def ruled_out(self) -> list[str]:
        """Return the tags that the options which were tried rule out."""
        listed = {tag.tag for tag in self.tags()}
        return [tag for tag in self.places if tag not in listed]

    def unreached(self) -> list[TagCount]:
        """Return the tags that no play reached; none where no play was finished."""
        return [tag for tag in self.tags() if not tag.reached] if self.plays else []


def _recorded(program: Program) -> Iterator[str]:
    """Give the tags that a program can record."""
    for node in program.nodes:
        for step in node.steps if isinstance(node, Auto) else ():
            if isinstance(step, Reach):
                yield from step.tags
            elif isinstance(step, core.Stmt):
                yield from (tag for stmt in core.statements((step,)) for tag in stmt.tags)
    for phase, body in program.bodies.items():
        yield from (*phase.tags, *(tag for stmt in core.statements(body) for tag in stmt.tags))
    for define, body_ in program.definitions.items():
        yield from define.declaration.tags
        yield from (tag for let in define.declaration.lets for tag in let.tags)
        if isinstance(body_.value, core.Chain):
            yield from (tag for tags in body_.value.tags for tag in tags)
    yield from (tag for line in program.results for tag in line.tags)


def _sort(block: tuple[core.Stmt, ...], alive: set[str], gone: set[str]) -> None:
    """Add the tags of a block to those that are alive, or to those gone, of actions that are never offered."""
    for stmt in block:
        alive.update(stmt.tags)
        if isinstance(stmt, core.Choice):
            for action in stmt.actions:
                never = isinstance(action.only_if, core.Const) and not action.only_if.value
                own = gone if never else alive
                own.update(action.tags)
                _sort(action.body, own, gone)
        else:
            for inner in core.blocks_inside(stmt):
                _sort(inner, alive, gone)
