"""The symbol index of a text: every name that has a meaning, where it is, and what it means.

It is made of what the checker found about nodes (`interpreter.analysis.info`), and of names that are no nodes: values
and columns of enumerations, attributes, verbs, rule tags, set-ups, and what a variant changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

import attrs

from grammar import ast, expressions, scenario, statements
from grammar.ast import Spec
from grammar.expressions import Node, walk
from grammar.scenario import ScenarioFile
from grammar.source import Source, Span
from interpreter.analysis.core import Variable
from interpreter.analysis.info import Info, Meaning, Part
from interpreter.analysis.symbols import Kind, Local, Option
from interpreter.analysis.types import EnumType

TAGS = re.compile(
    r"[ \t]\[([A-Z]+[0-9]+[a-z]?(?:(?:-|,[ \t]*)[A-Z]*[0-9]+[a-z]?)*)\](?=[ \t]*(?:#[^\n]*)?\r?$)", re.MULTILINE
)
_TAG = re.compile(r"[A-Z]+[0-9]+[a-z]?")
_HOLE = re.compile(r"\{\s*([A-Za-z_]\w*)\s*\}")


@attrs.frozen
class Verb:
    """The verb of actions."""

    name: str


@attrs.frozen
class Tag:
    """A rule tag."""

    name: str


@attrs.frozen
class Setup:
    """A set-up of scenarios."""

    name: str


Sense = Meaning | Verb | Tag | Setup
"""The referent of a name in a text."""

CHANGES = ast.Change


@attrs.frozen
class Occurrence:
    """A name in a text: its span, what it means, and whether it is declared there."""

    span: Span
    sense: Sense
    declares: bool = False


@attrs.frozen(eq=False, slots=False)
class Index:
    """The names of a text and of the files that it uses, in the order of their places."""

    occurrences: tuple[Occurrence, ...]
    info: Info | None

    @classmethod
    def of(cls, tree: Spec | ScenarioFile | None, whole: Spec | None, info: Info | None) -> Index:
        """Return the index of a tree and of the whole spec that it is part of; either may be missing."""
        found: dict[tuple[Span, Sense], Occurrence] = {}
        for occurrence in _occurrences(tree, whole, info):
            occurrence = attrs.evolve(occurrence, sense=_canonical(occurrence.sense, info))
            key = occurrence.span, occurrence.sense
            if key not in found or occurrence.declares:
                found[key] = occurrence
        return cls(tuple(sorted(found.values(), key=lambda o: (o.span.source.name, o.span.start, o.span.end))), info)

    def at(self, source: Source, offset: int) -> list[Occurrence]:
        """Return the shortest names that an offset of a source touches; several where one has two senses."""
        touching = [o for o in self.of_source(source) if o.span.start <= offset <= o.span.end]
        inside = [o for o in touching if offset < o.span.end] or touching
        least = min((o.span.end - o.span.start for o in inside), default=0)
        return [o for o in inside if o.span.end - o.span.start == least]

    def of_source(self, source: Source) -> tuple[Occurrence, ...]:
        """Return the names of one source."""
        return self._by_source.get(source, ())

    def of_sense(self, sense: Sense) -> tuple[Occurrence, ...]:
        """Return all places where a name has a sense."""
        return self._by_sense.get(sense, ())

    def declaration(self, sense: Sense) -> Span | None:
        """Return where a name is declared; None where it is not declared in a text."""
        return next((o.span for o in self.of_sense(sense) if o.declares), None)

    def named(self, name: str) -> Sense | None:
        """Return what a name means everywhere in the spec: a declaration, or the only value of that name."""
        if self.info is None:
            return None
        declared = self.info.declared.get(name)
        return declared[0] if declared is not None else self._values.get(name)

    @cached_property
    def _values(self) -> dict[str, Part]:
        enums = (
            [symbol for symbol, _ in self.info.declared.values() if isinstance(symbol, EnumType)] if self.info else []
        )
        return {value: Part(enum, value) for enum in enums for value in enum.values}

    @cached_property
    def _by_source(self) -> dict[Source, tuple[Occurrence, ...]]:
        grouped: dict[Source, list[Occurrence]] = {}
        for occurrence in self.occurrences:
            grouped.setdefault(occurrence.span.source, []).append(occurrence)
        return {source: tuple(found) for source, found in grouped.items()}

    @cached_property
    def _by_sense(self) -> dict[Sense, tuple[Occurrence, ...]]:
        grouped: dict[Sense, list[Occurrence]] = {}
        for occurrence in self.occurrences:
            grouped.setdefault(occurrence.sense, []).append(occurrence)
        return {sense: tuple(found) for sense, found in grouped.items()}


def _canonical(sense: Sense, info: Info | None) -> Sense:
    """Return the one object for what a name means: each setting that was checked has made symbols of its own."""
    match sense:
        case Part(owner=Kind() as owner, name=name):
            kind = _canonical(owner, info)
            return Part(kind, name) if isinstance(kind, Kind) else sense
        case Local() | Verb() | Tag() | Setup() | Part():
            return sense
        case Variable(phase=None, local=True):
            return sense
    known = None if info is None else info.declared.get(sense.name)
    return known[0] if known is not None and type(known[0]) is type(sense) else sense


def _occurrences(tree: Spec | ScenarioFile | None, whole: Spec | None, info: Info | None) -> Iterator[Occurrence]:
    sources = {node.span.source: None for node in (tree, whole, *(whole.items if whole else ())) if node is not None}
    for source in sources:
        for found in TAGS.finditer(source.text):
            for tag in _TAG.finditer(source.text, found.start(1), found.end(1)):
                yield Occurrence(Span(source, tag.start(), tag.end()), Tag(tag[0]))
    if whole is not None:
        for item in whole.items:
            yield from _verbs(item)
    if info is not None:
        for symbol, span in info.declared.values():
            yield Occurrence(span.word(symbol.name.removeprefix("option ")), symbol, declares=True)
        for span, meaning in info.mentions:
            yield Occurrence(span, meaning)
        for node, meaning in info.referred():
            yield from _referred(node, meaning)
        for item in whole.items if whole is not None else ():
            yield from _declared(item, info)
    if isinstance(tree, Spec):
        for change in tree.items:
            if isinstance(change, CHANGES):
                yield from _changed(change, info)
    elif tree is not None:
        yield from _in_scenarios(tree, info)


def _referred(node: Node, meaning: Meaning) -> Iterator[Occurrence]:
    """Yield the name in a node that refers to something or gives a name to it."""
    name = getattr(node, "name", "")
    match node:
        case expressions.Name():
            yield Occurrence(node.span, meaning)
        case expressions.Call():
            yield Occurrence(node.span.word(name), meaning)
        case expressions.CardsArg(quantity=quantity):
            rest = Span(node.span.source, quantity.span.end, node.span.end)
            yield Occurrence(rest.word(name), meaning, declares=True)
        case ast.ResultLine(what=what, player=player):
            rest = Span(node.span.source, node.span.start + len(what), node.span.end)
            yield Occurrence(rest.word(player or ""), meaning, declares=True)
        case statements.Random(arg=arg):
            yield Occurrence(arg.span.word(arg.name), meaning)
        case _:  # All others give a name to something.
            if name:
                yield Occurrence(node.span.word(name), meaning, declares=True)


def _verbs(item: ast.Item) -> Iterator[Occurrence]:
    if isinstance(item, ast.AboutDecl) and item.sort == "action" and item.name:
        yield Occurrence(item.span.word(item.name), Verb(item.name))
    for node in walk(item):
        if isinstance(node, statements.Action):
            yield Occurrence(node.span.word(node.verb), Verb(node.verb), declares=True)


def _declared(item: ast.Item, info: Info) -> Iterator[Occurrence]:
    """Yield the names that a section declares within its own, and those that its texts mention."""
    name = getattr(item, "name", None)
    symbol = info.declared[name][0] if isinstance(name, str) and name in info.declared else None
    match item:
        case ast.EnumDecl(values=values, params=params) if isinstance(symbol, EnumType):
            named = [(part.name, part.span) for part in values] + [(param.name, param.span) for param in params]
            for inner, span in named:
                yield Occurrence(span.word(inner), Part(symbol, inner), declares=True)
        case ast.TeamsDecl(teams=teams) if "team" in info.declared and isinstance(info.declared["team"][0], EnumType):
            for team in teams:
                yield Occurrence(team.span.word(team.name), Part(info.declared["team"][0], team.name), declares=True)
        case ast.CardDecl(params=params, written=written) if isinstance(symbol, Kind):
            for param in params:
                yield Occurrence(param.span.word(param.name), Part(symbol, param.name), declares=True)
            start = item.span.source.text.find(f'"{written}"', item.span.start)
            for hole in _HOLE.finditer(written or ""):
                at = start + 1 + hole.start(1)
                yield Occurrence(Span(item.span.source, at, at + len(hole[1])), Part(symbol, hole[1]))
        case ast.OptionDecl(choices=choices) if isinstance(symbol, Option) and isinstance(symbol.type, EnumType):
            after = item.span.text.index(":")
            rest = Span(item.span.source, item.span.start + after, item.span.end)
            for choice in choices:
                yield Occurrence(rest.word(choice), Part(symbol.type, choice), declares=True)
        case ast.AboutDecl():
            for word in (item.name, item.phase):
                if word in info.declared:
                    yield Occurrence(item.span.word(word), info.declared[word][0])
            start = item.span.source.text.find(f'"{item.text}"', item.span.start) + 1
            for hole in _HOLE.finditer(item.text):
                if hole[1] in info.declared:
                    span = Span(item.span.source, start + hole.start(1), start + hole.end(1))
                    yield Occurrence(span, info.declared[hole[1]][0])


def _changed(change: ast.Change, info: Info | None) -> Iterator[Occurrence]:
    """Yield the names of the base's parts that a line of a variant changes."""
    declared = {} if info is None else info.declared
    named: list[tuple[Span, str]] = []
    match change:
        case ast.SetOption(name=name):
            named.append((Span(change.span.source, change.span.start + len("set "), change.span.end), name))
        case ast.InPlace(path=path, edits=edits):
            for step in path:
                if step.sort == "action":
                    yield Occurrence(step.span.word(step.name), Verb(step.name))
                elif step.sort not in ("tag", "invariant") and step.name:
                    named.append((step.span, step.name))
            for old in (getattr(edit, "old", None) for edit in edits):
                for node in walk(old):
                    if isinstance(node, ast.NamedAction):
                        yield Occurrence(node.span.word(node.verb), Verb(node.verb))
                    elif isinstance(node, expressions.Name | expressions.Call):
                        named.append((node.span, node.name))
    for span, name in named:
        if name in declared:
            yield Occurrence(span.word(name), declared[name][0])


def _in_scenarios(tree: ScenarioFile, info: Info | None) -> Iterator[Occurrence]:
    declared = {} if info is None else info.declared
    for one in (*tree.setups, *tree.scenarios):
        if one in tree.setups:
            yield Occurrence(_between_quotes(one.span, one.name), Setup(one.name), declares=True)
        if one.setup is not None:
            start = one.span.source.text.find("\n", one.span.start)
            yield Occurrence(_between_quotes(Span(one.span.source, start, one.span.end), one.setup), Setup(one.setup))
        for node in walk(one):
            match node:
                case scenario.Sentence(verb=verb):
                    yield Occurrence(node.span.word(verb), Verb(verb))
                    values = [word for word in node.words if isinstance(word, expressions.Name)]
                    enums = [s for s, _ in declared.values() if isinstance(s, EnumType)]
                    for word in values:
                        owners = [enum for enum in enums if word.name in enum.values]
                        if len(owners) == 1:
                            yield Occurrence(word.span, Part(owners[0], word.name))
                case scenario.OptionGiven(name=name) if name in declared:
                    option = declared[name][0]
                    yield Occurrence(node.span.word(name), option)
                    if isinstance(option, Option) and isinstance(option.type, EnumType):
                        yield Occurrence(node.value.span, Part(option.type, node.value.span.text))
        if one.start is not None and one.start.name in declared:
            yield Occurrence(one.start.span.word(one.start.name), declared[one.start.name][0])


def _between_quotes(span: Span, text: str) -> Span:
    start = span.source.text.find(f'"{text}"', span.start) + 1
    return Span(span.source, start, start + len(text))
