"""The outline of a text: symbols, folding ranges, selections, semantic tokens, inlay hints and code lenses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import attrs

from grammar import ast, statements
from grammar.ast import Spec
from grammar.english import counted
from grammar.expressions import Node, walk
from grammar.scenario import ScenarioFile
from grammar.source import Source, Span
from interpreter.analysis import types
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.info import Part
from interpreter.analysis.symbols import Kind, Local, Option, Zone
from interpreter.editor.description import enclosing, number_of_uses, word_at
from interpreter.editor.index import Sense, Setup, Tag, Verb
from interpreter.editor.workspace import Snapshot, Workspace, is_scenarios

Sort = Literal[
    "game", "option", "enum", "value", "attribute", "kind", "zone", "variable", "define", "phase", "action", "local",
    "tag", "rule", "scenario", "setup", "file",
]  # fmt: skip
"""The sorts of symbols and of semantic tokens."""


@attrs.frozen
class Symbol:
    """An entry of the outline: its name and sort, all of it, where its name is, and what is inside."""

    name: str
    sort: Sort
    span: Span
    name_span: Span
    detail: str = ""
    children: tuple[Symbol, ...] = ()


def symbols(snapshot: Snapshot) -> list[Symbol]:
    """Return the outline of a text."""
    tree = snapshot.tree
    if isinstance(tree, ScenarioFile):
        found = [_symbol(one.name, "setup", one) for one in tree.setups]
        found += [_symbol(one.name, "scenario", one, " ".join(one.tags)) for one in tree.scenarios]
        return sorted(found, key=lambda symbol: symbol.span.start)
    return [s for item in (tree.items if tree is not None else ()) for s in _of_item(item)]


def _symbol(name: str, sort: Sort, node: Node, detail: str = "", children: tuple[Symbol, ...] = ()) -> Symbol:
    word = node.span.word(name) if name else node.span
    within = word.start >= node.span.start and word.end <= node.span.end
    return Symbol(name or sort, sort, node.span, word if within else node.span, detail, children)


def _of_item(item: ast.Item) -> Iterator[Symbol]:
    match item:
        case ast.Replace(what=what) | ast.Add(what=what):
            word = "replace" if isinstance(item, ast.Replace) else "add"
            yield from (attrs.evolve(symbol, detail=word) for symbol in _of_item(what))
        case ast.Remove(name=name):
            yield _symbol(name, "rule", item, "remove")
        case ast.InPlace(path=path):
            yield _symbol(path[0].span.to(path[-1].span).text, "rule", item, "edit")
        case ast.SetOption(name=name):
            yield _symbol(name, "option", item, "set")
        case ast.Use(path=file) | ast.Extends(path=file):
            yield _symbol(file, "file", item)
        case ast.GameDecl(name=name):
            yield _symbol(name, "game", item)
        case ast.OptionDecl(name=name):
            yield _symbol(name, "option", item)
        case ast.EnumDecl(name=name, values=values):
            yield _symbol(name, "enum", item, "", tuple(_symbol(v.name, "value", v) for v in values))
        case ast.CardDecl(name=name, params=params):
            yield _symbol(name, "kind", item, "", tuple(_symbol(p.name, "attribute", p) for p in params))
        case ast.DeckDecl(zone=zone):
            yield _symbol(f"deck in {zone}", "rule", item)
        case ast.TeamsDecl(teams=teams):
            yield _symbol("teams", "enum", item, "", tuple(_symbol(team.name, "value", team) for team in teams))
        case ast.ZonesDecl(zones=zones):
            for line in zones:
                yield from (_symbol(family.name, "zone", family, line.kind) for family in line.families)
        case ast.StateDecl(variables=variables):
            for var in variables:
                yield from (_symbol(f.name, "variable", f, var.type.span.text) for f in var.families)
        case ast.PlayDecl():
            yield _symbol("play", "phase", item, "", _actions(item))
        case ast.PhaseDecl(name=name, params=params):
            yield _symbol(name, "phase", item, ", ".join(p.span.text for p in params), _actions(item))
        case ast.DefineDecl(name=name, params=params):
            yield _symbol(name, "define", item, ", ".join(p.span.text for p in params))
        case ast.ResultDecl():
            yield _symbol("result", "rule", item)
        case ast.WheneverDecl():
            yield _symbol("whenever", "rule", item)
        case ast.InvariantDecl(text=text):
            yield _symbol(text or "invariant", "rule", item)
        case ast.AboutDecl(sort=sort, name=name):
            yield _symbol(f"about {name or sort}", "rule", item)


def _actions(section: Node) -> tuple[Symbol, ...]:
    return tuple(_symbol(n.verb, "action", n) for n in walk(section) if isinstance(n, statements.Action))


def workspace_symbols(workspace: Workspace, query: str) -> Iterator[tuple[str, Symbol]]:
    """Yield the symbols of all files whose names contain the letters of a query in their order, with their paths."""
    for path in workspace.files():
        try:
            found = symbols(workspace.form(path))
        except OSError:
            continue
        for symbol in found:
            for one in (symbol, *symbol.children):
                if _matches(query.lower(), one.name.lower()):
                    yield path, one


def _matches(query: str, name: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in query)


def foldings(source: Source) -> list[tuple[int, int]]:
    """Return the first and the last line of each stretch that can be folded: blocks by indentation, and comments."""
    lines = source.text.split("\n")
    found: list[tuple[int, int]] = []
    open_: list[tuple[int, int]] = []
    last = comment = 0
    for number, line in enumerate([*lines, "."], 1):
        code = line.strip()
        if code.startswith("#") and number <= len(lines):
            comment = comment or number
            continue
        if comment and number - 1 > comment:
            found.append((comment, number - 1))
        comment = 0
        if not code:
            continue
        width = len(line.expandtabs(4)) - len(line.lstrip())
        while open_ and open_[-1][0] >= width:
            start = open_.pop()[1]
            if last > start:
                found.append((start, last))
        open_.append((width, number))
        last = number
    return sorted(found)


def selections(snapshot: Snapshot, offset: int) -> list[Span]:
    """Return ever larger stretches around an offset: the word, the expressions, statement, section, the text."""
    word = word_at(snapshot.source, offset)
    found = [node.span for node in enclosing(snapshot, offset)]
    spans = [Span(snapshot.source, 0, len(snapshot.source.text)), *found, *([word] if word else [])]
    made: list[Span] = []
    for span in sorted(spans, key=lambda s: s.end - s.start):
        if not made or (span.start <= made[-1].start and span.end >= made[-1].end and span != made[-1]):
            made.append(span)
    return made


def sort_of(sense: Sense) -> Sort:
    """Return the sort of what a name means."""
    match sense:
        case Zone():
            return "zone"
        case Variable():
            return "local" if sense.local else "variable"
        case Option():
            return "option"
        case types.EnumType():
            return "enum"
        case Kind():
            return "kind"
        case Part(owner=types.EnumType(values=values), name=name) if name in values:
            return "value"
        case Part():
            return "attribute"
        case Define():
            return "define"
        case Phase():
            return "phase"
        case Local():
            return "local"
        case Verb():
            return "action"
        case Tag():
            return "tag"
        case Setup():
            return "setup"


def tokens(snapshot: Snapshot) -> list[tuple[Span, Sort, bool]]:
    """Return the names of a text with their sorts, and whether each is declared there; no two overlap."""
    found: list[tuple[Span, Sort, bool]] = []
    for occurrence in snapshot.index.of_source(snapshot.source):
        span = occurrence.span
        if (not found or span.start >= found[-1][0].end) and "\n" not in span.text:
            found.append((span, sort_of(occurrence.sense), occurrence.declares))
    return found


@attrs.frozen
class Hint:
    """A text that is shown after a place of the source, though it is not in it."""

    span: Span
    text: str


def hints(snapshot: Snapshot) -> Iterator[Hint]:
    """Yield the inferred type of each `let` and definition, and the number of small actions of each verb."""
    info, validation = snapshot.info, snapshot.validation
    sizes = validation.summary.actions if validation is not None and validation.summary is not None else {}
    counted_verbs: set[str] = set()
    for node in walk(snapshot.tree) if isinstance(snapshot.tree, Spec) and info is not None else ():
        match node:
            case statements.Let(name=name) if info is not None:
                type_ = info.type(node)
                if not isinstance(type_, types.Unknown):
                    yield Hint(node.span.word(name), f": {type_}")
            case ast.DefineDecl(name=name, type=None, value=value, span=span) if info is not None:
                symbol = info.declared[name][0] if name in info.declared else None
                result = symbol.result if isinstance(symbol, Define) else None
                if result is not None and not isinstance(result, types.Unknown):
                    head = span.source.text.rfind("=", span.start, value.span.start)
                    end = len(span.source.text[span.start : head].rstrip()) + span.start
                    yield Hint(Span(span.source, span.start, end), f" -> {result}")
            case statements.Action(verb=verb) if verb in sizes and verb not in counted_verbs:
                counted_verbs.add(verb)
                yield Hint(node.span.word(verb), f" actions: {sizes[verb]}")


@attrs.frozen
class Lens:
    """A line above a piece of text that says something of it, and a command that it starts (empty: none)."""

    span: Span
    title: str
    command: Literal["", "play", "run scenarios", "references", "rulebook"] = ""
    argument: str = ""


def lenses(workspace: Workspace, snapshot: Snapshot) -> Iterator[Lens]:
    """Yield what can be started from a text: scenarios, a play, its rulebook, and the uses of each declaration."""
    tree = snapshot.tree
    if isinstance(tree, ScenarioFile):
        if tree.scenarios:
            yield Lens(Span(snapshot.source, 0, 0), f"Run {counted(len(tree.scenarios), 'scenario')}", "run scenarios")
        for one in tree.scenarios:
            yield Lens(one.span, "Run scenario", "run scenarios", one.name)
        return
    for item in tree.items if tree is not None else ():
        if isinstance(item, ast.GameDecl | ast.Extends):
            yield Lens(item.span, "Play", "play")
            yield Lens(item.span, "Rulebook", "rulebook")
            beside = [path for path in workspace.dependents(snapshot.path) if is_scenarios(path)]
            own = [path for path in beside if snapshot.path in workspace.brings_in(path)]
            if own:
                yield Lens(item.span, "Run scenarios", "run scenarios")
    for occurrence in snapshot.index.of_source(snapshot.source):
        sense = occurrence.sense
        if occurrence.declares and isinstance(sense, Define | Phase | Kind | types.EnumType):
            uses = number_of_uses(snapshot.index, sense)
            yield Lens(occurrence.span, counted(uses, "use"), "references")
