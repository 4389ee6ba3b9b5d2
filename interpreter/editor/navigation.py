"""Definitions and uses of names across files, and renaming."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from grammar import ast
from grammar.ast import Extends, Spec, Use
from grammar.diagnostics import Edit, edited
from grammar.highlighting import words
from grammar.scenario import ScenarioFile
from grammar.source import Source, Span
from interpreter.analysis.context import TYPE_WORDS
from interpreter.analysis.functions import CALLABLE
from interpreter.analysis.graphs import reachable
from interpreter.editor.index import Occurrence, Sense, Tag
from interpreter.editor.workspace import Snapshot, Workspace, is_scenarios

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@attrs.frozen
class Location:
    """A stretch of a file: `path`, and the offsets at which it begins and ends."""

    path: str
    start: int
    end: int


class RenameError(Exception):
    """A name cannot be changed so; the message says why."""


def location(snapshot: Snapshot, span: Span) -> Location:
    """Return the place of a span that a snapshot knows."""
    return Location(snapshot.path_of(span), span.start, span.end)


def definition(workspace: Workspace, snapshot: Snapshot, offset: int) -> list[Location]:
    """Return where the name at an offset is declared, or the beginning of the file that a line brings in.

    What a variant replaces or removes leads to its declaration in the base, the words of an edit to the lines that it
    changes there, and a rule tag to all lines that carry it.
    """
    brought = _file_at(snapshot, offset)
    if brought is not None:
        return [Location(brought, 0, 0)]
    found: dict[Location, None] = {}
    for occurrence in snapshot.index.at(snapshot.source, offset):
        places = [o.span for o in snapshot.index.of_sense(occurrence.sense) if o.declares]
        if isinstance(occurrence.sense, Tag):
            places = [o.span for o in snapshot.index.of_sense(occurrence.sense) if o.span != occurrence.span]
        found.update((location(snapshot, span), None) for span in places)
    placed = () if snapshot.whole is None else snapshot.whole.placed
    changed = [p.place for p in placed if snapshot.is_own(p.span) and p.span.start <= offset < p.span.end]
    is_tag = any(isinstance(o.sense, Tag) for o in snapshot.index.at(snapshot.source, offset))
    if changed and (is_tag or not found):
        return list(dict.fromkeys(location(snapshot, place) for place in changed))
    if not found or any(place.path == snapshot.path and place.start <= offset <= place.end for place in found):
        replaced = [base for own, base in _pairs(workspace, snapshot) if own.start <= offset <= own.end]
        return replaced or list(found)
    return list(found)


def _file_at(snapshot: Snapshot, offset: int) -> str | None:
    tree = snapshot.tree
    if isinstance(tree, Spec):
        lines = [item for item in tree.items if isinstance(item, Use | Extends)]
        named = next((line.path for line in lines if line.span.start <= offset <= line.span.end), None)
    else:
        head = snapshot.source.line(1)
        named = (
            tree.of
            if isinstance(tree, ScenarioFile) and '"' in head and head.index('"') <= offset < len(head)
            else None
        )
    return None if named is None else snapshot.brought_in(named)


def highlights(snapshot: Snapshot, offset: int) -> list[Occurrence]:
    """Return the places in the same text where the name at an offset means the same."""
    index = snapshot.index
    senses = {o.sense for o in index.at(snapshot.source, offset)}
    return [o for o in index.of_source(snapshot.source) if o.sense in senses]


def references(workspace: Workspace, snapshot: Snapshot, offset: int, *, declarations: bool = True) -> list[Location]:
    """Return all places of the workspace where the name at an offset means the same, ordered by file and offset."""
    group, declared, _ = _group(workspace, snapshot, offset)
    return sorted((p for p in group if declarations or p not in declared), key=lambda p: (p.path, p.start))


def _group(
    workspace: Workspace, snapshot: Snapshot, offset: int
) -> tuple[set[Location], set[Location], list[Snapshot]]:
    """Return the places of a name in all files, those of them that declare it, and the snapshots that know it.

    Two texts that share one place of a name mean the same by it, so a section that replaces one of the base keeps its
    name.
    """
    first = {location(snapshot, o.span) for o in snapshot.index.at(snapshot.source, offset)}
    first |= {own for own, _ in _pairs(workspace, snapshot) if own.start <= offset <= own.end}
    known = [snapshot, *_others(workspace, snapshot, first)]
    links: dict[Location, set[Location]] = {}
    declared: set[Location] = set()
    for one in known:
        groups: dict[Sense, list[Location]] = {}
        for occurrence in one.index.occurrences:
            place = location(one, occurrence.span)
            groups.setdefault(occurrence.sense, []).append(place)
            if occurrence.declares:
                declared.add(place)
        pairs = [*groups.values(), *map(list, _pairs(workspace, one))]
        for places in pairs:
            for place in places:
                links.setdefault(place, set()).add(places[0])
                links.setdefault(places[0], set()).add(place)
    found = reachable(first, lambda place: links.get(place, ()))
    return found, declared & found, known


def _others(workspace: Workspace, snapshot: Snapshot, places: Iterable[Location]) -> Iterator[Snapshot]:
    """Yield the snapshots of other files that may use the names of some places."""
    paths = dict.fromkeys(path for path in (snapshot.path, *snapshot.paths.values(), *(p.path for p in places)))
    for path in [*paths]:
        paths.update(dict.fromkeys(workspace.dependents(path)))
    for path in paths:
        if path != snapshot.path:
            try:
                yield workspace.check(path)
            except OSError:
                continue


def _pairs(workspace: Workspace, snapshot: Snapshot) -> Iterator[tuple[Location, Location]]:
    """Yield the names that a variant replaces or removes, each with the place in the base where it is declared."""
    tree = snapshot.tree
    if not isinstance(tree, Spec):
        return
    base = next((snapshot.brought_in(item.path) for item in tree.items if isinstance(item, Extends)), None)
    if base is None or base == snapshot.path:
        return
    try:
        below = workspace.check(base)
    except OSError:
        return
    declared = {} if below.info is None else below.info.declared
    for item in tree.items:
        named: list[tuple[str, Span]] = []
        match item:
            case ast.Replace(what=what) if isinstance(name := getattr(what, "name", None), str):
                named = [(name, item.span.word(name))]
            case ast.Replace(what=ast.ZonesDecl(zones=lines)):
                named = [(family.name, family.span.word(family.name)) for line in lines for family in line.families]
            case ast.Replace(what=ast.StateDecl(variables=variables)):
                named = [(family.name, family.span.word(family.name)) for v in variables for family in v.families]
            case ast.Remove(name=name):
                rest = Span(item.span.source, item.span.end - len(name), item.span.end)
                named = [(name, rest)]
        for name, span in named:
            if name in declared:
                symbol, where = declared[name]
                yield location(snapshot, span), location(below, where.word(symbol.name))


def renamed_at(snapshot: Snapshot, offset: int) -> Span:
    """Return the name at an offset that can be renamed.  Raises RenameError where there is none."""
    found = snapshot.index.at(snapshot.source, offset)
    if not found:
        raise RenameError("there is no name of this spec here")
    if isinstance(found[0].sense, Tag):
        raise RenameError("a rule tag is no name; its rule sheet decides it")
    return found[0].span


def rename(workspace: Workspace, snapshot: Snapshot, offset: int, name: str) -> dict[str, list[Edit]]:
    """Return the edits of each file that give the name at an offset another, in all files of the workspace.

    The changed texts are checked before: raises RenameError with the reason where the new name is no name, reserved,
    taken, or would mean something else somewhere, or where the name belongs to a file that comes with the program.
    """
    old = renamed_at(snapshot, offset).text
    _check_form(name)
    if name == old:
        return {}
    group, _, known = _group(workspace, snapshot, offset)
    for place in sorted(group, key=lambda p: (p.path, p.start)):
        if not workspace.is_writable(place.path):
            raise RenameError(f"`{old}` is declared or used in {place.path}, which comes with the program")
    for one in known:
        taken = one.index.named(name)
        where = None if taken is None else one.index.declaration(taken)
        if where is not None:
            raise RenameError(f"`{name}` is taken: it is declared in {where.location}")
    edits: dict[str, list[Edit]] = {}
    for place in group:
        source = workspace.source(place.path)
        if source.text[place.start : place.end] == old:
            edits.setdefault(place.path, []).append(Edit(Span(source, place.start, place.end), name))
    _try_out(workspace, edits, known, old, name)
    return edits


def _check_form(name: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise RenameError(f"`{name}` is no name: use letters, digits and `_`, and begin with a letter")
    for language in ("cardgame", "scenario"):
        known = words(language)
        if name in (*known.sections, *known.constants, *known.keywords):
            raise RenameError(f"`{name}` is a reserved word")
    if name in TYPE_WORDS or name in CALLABLE or name == "players":
        raise RenameError(f"`{name}` already means something in the language")


def _try_out(workspace: Workspace, edits: dict[str, list[Edit]], known: list[Snapshot], old: str, name: str) -> None:
    """Check all files with the edits made.  Raises RenameError where that brings a new mistake or changes a meaning."""
    tried = workspace.copy()
    for path, changes in edits.items():
        tried.buffers[path] = Source(path, edited(workspace.source(path).text, changes))
    for before in known:
        if not is_scenarios(before.path) and not workspace.is_fresh(before):
            continue
        after = tried.check(before.path)
        counted = [d.code for d in before.default or ()]
        for diagnostic in after.default or ():
            if diagnostic.code in counted:
                counted.remove(diagnostic.code)
            elif diagnostic.is_error:
                raise RenameError(
                    f"`{old}` cannot be called `{name}`: {diagnostic.message} ({diagnostic.span.location})"
                )
        if _shape(before) != _shape(after):
            raise RenameError(f"`{old}` cannot be called `{name}`: a name in {before.path} would mean something else")


def _shape(snapshot: Snapshot) -> list[int]:
    """Return which names of an index, in their order, mean one thing."""
    first: dict[Sense, int] = {}
    return [first.setdefault(o.sense, len(first)) for o in snapshot.index.occurrences]
