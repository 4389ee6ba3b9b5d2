"""The files of an editor: texts in memory and on disk, and the analysis of each.

Analysis has three tiers, each slower and more complete than the one before: the form of a text, its meaning in the
default setting, and its diagnostics in all settings, which are those of `cardgame validate`.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path

import attrs

from grammar import parser
from grammar.ast import Extends, Spec, Use
from grammar.codes import REGISTRY
from grammar.diagnostics import Diagnostic, Label, SpecError
from grammar.scenario import ScenarioFile
from grammar.source import Source, Span, read_source
from interpreter.analysis.budget import MOST_WORK, SupersededError, budget
from interpreter.analysis.files import SUFFIX, Files, bundled_folder, look
from interpreter.analysis.info import Info
from interpreter.analysis.reading import read
from interpreter.analysis.rules import Rules
from interpreter.editor.index import Index
from interpreter.editor.scenario_check import SettingsChecker, check_scenarios
from interpreter.rulebook.book import write_book
from interpreter.rulebook.page import Book
from interpreter.rulebook.settle import Settled
from interpreter.scenarios.scenario import SCENARIOS
from interpreter.validate import Validation, validate_source

MOST_FILES = 2_000
"""Files of a workspace that are looked at to find those that use another."""

_BRINGS_IN = re.compile(r'^(?:use|extends|scenarios[ \t]+\d+[ \t]+of)[ \t]+"([^"\n]*)"', re.MULTILINE)
_HEAD = re.compile(r"^(?:game|extends)\b", re.MULTILINE)

IsSuperseded = Callable[[], bool]


def never() -> bool:
    """Return false: nothing replaces this analysis."""
    return False


@attrs.frozen(eq=False, slots=False)
class Snapshot:
    """The analysis of one text, in three tiers; the fields of a tier that was not reached are None.

    The first tier is `tree`, the readable part of the text alone, and `form`, its syntax errors.  The second adds
    `whole`, the tree with all files that it uses, `info` about its nodes, the `rules` if there is no error, and
    `default`, all diagnostics in the default setting.  The third adds `validation`.
    """

    path: str
    source: Source
    tree: Spec | ScenarioFile | None
    form: tuple[Diagnostic, ...]
    whole: Spec | None = None
    info: Info | None = None
    rules: Rules | None = None
    default: tuple[Diagnostic, ...] | None = None
    validation: Validation | None = None
    checker: SettingsChecker | None = None
    paths: dict[Source, str] = attrs.field(factory=dict)
    """The path of each file that takes part, by its source."""

    @property
    def is_scenarios(self) -> bool:
        """Whether the text is a file of scenarios."""
        return is_scenarios(self.path)

    @property
    def is_checked(self) -> bool:
        """Whether the second tier is there."""
        return self.default is not None

    @cached_property
    def index(self) -> Index:
        """All names of the text and of the files that it uses, with what they mean."""
        return Index.of(self.tree, self.whole, self.info)

    @cached_property
    def book(self) -> Book | None:
        """The rulebook of the standard options; None where there are errors."""
        if self.rules is None or self.whole is None:
            return None
        return write_book(self.whole, self.rules, Settled())

    def path_of(self, span: Span) -> str:
        """Return the path of the file in which a span lies."""
        return self.path if span.source is self.source else self.paths.get(span.source, span.source.name)

    def is_own(self, span: Span) -> bool:
        """Say whether a span lies in this text."""
        return span.source is self.source

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return what the last tier has found; what an option may make so on purpose waits for all settings.

        Every one lies in this text: what is wrong with another file is shown at the line that brings it in.
        """
        if self.validation is not None:
            found = self.validation.diagnostics
        elif self.default is not None:
            found = tuple(d for d in self.default if not REGISTRY[d.code].every_setting)
        else:
            found = self.form
        here = (d if self.is_own(d.span) else self._brought_in(d) for d in found)
        return tuple({(d.code, d.span.start, d.span.end, d.message): d for d in here}.values())

    def _brought_in(self, diagnostic: Diagnostic) -> Diagnostic:
        """Return a diagnostic of another file at the line that brings the file in."""
        items = self.tree.items if isinstance(self.tree, Spec) else ()
        lines = [item for item in items if isinstance(item, Use | Extends)]
        wanted = self.path_of(diagnostic.span)
        named = [line for line in lines if self.brought_in(line.path) == wanted] or lines
        span = named[0].span if named else _first_line(self.source)
        message = f"{Path(wanted).name}: {diagnostic.message}"
        labels = (Label(diagnostic.span, "the mistake"), *diagnostic.labels)
        return attrs.evolve(diagnostic, span=span, message=message, cure=diagnostic.help, labels=labels)

    def brought_in(self, name: str) -> str | None:
        """Return the path of a file by the name in `use`, `extends` or `scenarios 1 of`; None where it is missing."""
        return found_path(self.path, name)


def is_scenarios(path: str) -> bool:
    """Whether a file holds scenarios, by its name."""
    return path.endswith(SCENARIOS)


def found_path(path: str, name: str) -> str | None:
    """Return the path of a file that another one names; None where there is none."""
    try:
        found = look(os.path.dirname(path), name, lambda path, _: Source(str(path), ""))
    except OSError:
        return None
    return None if found is None else found.path


def _first_line(source: Source) -> Span:
    return Span(source, 0, len(source.line(1)))


def _failed(source: Source, error: Exception) -> Diagnostic:
    """Return the diagnostic of a fault of our own, which names the text by its digest."""
    digest = hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    message = f"the analysis failed with {type(error).__name__}: {error}"
    return Diagnostic(
        "CG901", message, _first_line(source), f"this is a fault of cardgame; please report it (text {digest})"
    )


class Workspace:
    """Texts by path, those of open buffers before those on disk, with the newest snapshot of each.

    `roots` are the folders in which files that use another one are looked for.
    """

    def __init__(self, roots: Iterable[str | Path] = ()) -> None:
        self.roots = [str(Path(root).resolve()) for root in roots]
        self.buffers: dict[str, Source] = {}
        self.snapshots: dict[str, Snapshot] = {}
        self._read: dict[str, tuple[tuple[int, int], Source]] = {}
        self.trees: dict[str, tuple[Source, Spec | SpecError]] = {}
        self._brings_in: dict[Source, frozenset[str]] = {}

    def copy(self) -> Workspace:
        """Return a workspace with the same texts, in which others can be tried out."""
        made = Workspace(self.roots)
        made.buffers = dict(self.buffers)
        made.snapshots = dict(self.snapshots)
        made._read = self._read
        made.trees = dict(self.trees)
        return made

    # ---- texts

    def open(self, path: str, text: str) -> None:
        """Set the text of an open buffer."""
        self.buffers[path] = Source(path, text)

    def close(self, path: str) -> None:
        """Forget a buffer: from now on the file on disk counts."""
        self.buffers.pop(path, None)
        self.snapshots.pop(path, None)

    def source(self, path: str) -> Source:
        """Return the text of a file.  Raises OSError."""
        if path in self.buffers:
            return self.buffers[path]
        state = os.stat(path)
        stamp = state.st_mtime_ns, state.st_size
        known = self._read.get(path)
        if known is None or known[0] != stamp:
            known = self._read[path] = stamp, read_source(Path(path), path)
        return known[1]

    def is_writable(self, path: str) -> bool:
        """Say whether a change may touch a file: not one that comes with the program, unless its folder is open."""
        inside = Path(path).is_relative_to(bundled_folder())
        return not inside or any(Path(path).is_relative_to(root) for root in self.roots)

    def files(self) -> list[str]:
        """Return the specs and files of scenarios of the workspace, open ones first."""
        found = dict.fromkeys(self.buffers)
        for root in self.roots:
            for folder, inside, names in os.walk(root):
                inside[:] = [name for name in sorted(inside) if not name.startswith((".", "node_modules"))]
                found.update((os.path.join(folder, n), None) for n in sorted(names) if n.endswith((SUFFIX, SCENARIOS)))
                if len(found) > MOST_FILES:
                    return list(found)[:MOST_FILES]
        return list(found)

    def brings_in(self, path: str) -> frozenset[str]:
        """Return the paths of the files that a file uses, extends or has scenarios of."""
        try:
            source = self.source(path)
        except OSError:
            return frozenset()
        known = self._brings_in.get(source)
        if known is None:
            names = {match[1] for match in _BRINGS_IN.finditer(source.text)}
            known = frozenset(found for name in names if (found := found_path(path, name)) is not None)
            self._brings_in[source] = known
        return known

    def dependents(self, path: str) -> list[str]:
        """Return the files that bring in a file, directly or through others, open ones first."""
        uses = {file: self.brings_in(file) for file in self.files()}
        found, todo = {path}, [path]
        while todo:
            wanted = todo.pop()
            new = [file for file, brought in uses.items() if wanted in brought and file not in found]
            found.update(new)
            todo += new
        return [file for file in uses if file in found and file != path]

    def is_library(self, path: str) -> bool:
        """Say whether a file is no game of its own: it declares no game and extends none."""
        return not is_scenarios(path) and _HEAD.search(self.source(path).text) is None

    # ---- tiers

    def form(self, path: str) -> Snapshot:
        """Return the first tier of a file: its tree and the mistakes of form.  Raises OSError."""
        source = self.source(path)
        known = self.snapshots.get(path)
        if known is not None and known.source is source:
            return known
        tree: Spec | ScenarioFile | None
        try:
            tree = parser.parse_scenarios(source) if is_scenarios(path) else self.parse(source)
            made = Snapshot(path, source, tree, ())
        except SpecError as error:
            tree = None if error.partial is None else error.partial.tree
            made = Snapshot(path, source, tree, error.diagnostics)
        except Exception as error:
            made = Snapshot(path, source, None, (_failed(source, error),))
        self.snapshots[path] = made
        return made

    def check(self, path: str, is_superseded: IsSuperseded = never) -> Snapshot:
        """Return the second tier of a file: its meaning in the default setting.

        Raises OSError, and SupersededError where the caller no longer needs it.
        """
        snapshot = self.form(path)
        if self.is_fresh(snapshot):
            return snapshot
        files = self.new_files()

        def known(made: Snapshot) -> Snapshot:
            paths = {snapshot.source: path, **made.paths, **{found.source: found.path for found in files.found}}
            return attrs.evolve(made, paths=paths, validation=None)

        try:
            with budget(MOST_WORK, _first_line(snapshot.source), is_superseded):
                made = known(self._checked(snapshot, files))
            assert made.index is not None  # The index is made here, so that no query has to make it.
        except SupersededError:
            raise
        except SpecError as error:
            made = known(attrs.evolve(snapshot, default=error.diagnostics))
        except Exception as error:
            made = known(attrs.evolve(snapshot, default=(*snapshot.form, _failed(snapshot.source, error))))
        self.snapshots[path] = made
        return made

    def _checked(self, snapshot: Snapshot, files: Files) -> Snapshot:
        if snapshot.is_scenarios:
            return self._checked_scenarios(snapshot)
        reading = read(snapshot.source, Path(snapshot.path).parent, files, self.parse)
        if reading.tree is None:
            return attrs.evolve(snapshot, default=reading.diagnostics)
        checker = SettingsChecker(reading.tree, reading.unread)
        checked = checker.check(playable=False)
        default = reading.with_checked(checked.diagnostics)
        return attrs.evolve(
            snapshot, whole=reading.tree, info=checked.info, rules=checked.rules, default=default, checker=checker
        )

    def _checked_scenarios(self, snapshot: Snapshot) -> Snapshot:
        """Check scenarios against their game, of which the newest text counts."""
        tree = snapshot.tree
        spec = snapshot.brought_in(tree.of) if isinstance(tree, ScenarioFile) else None
        if not isinstance(tree, ScenarioFile) or spec is None:
            missing = () if tree is None or snapshot.form else (_no_game(snapshot.source),)
            return attrs.evolve(snapshot, default=(*snapshot.form, *missing))
        game = self.check(spec)
        made = attrs.evolve(snapshot, whole=game.whole, info=game.info, rules=game.rules, paths=game.paths)
        if game.checker is None or game.rules is None or game.info is None:
            return attrs.evolve(made, default=snapshot.form)
        info, found = check_scenarios(tree, game.checker, game.info.copy())
        known = {d.span.line for d in snapshot.form}
        return attrs.evolve(made, info=info, default=(*snapshot.form, *(d for d in found if d.span.line not in known)))

    def check_settings(self, path: str, is_superseded: IsSuperseded = never) -> Snapshot:
        """Return the third tier of a file: its diagnostics in all settings; raises what `check` raises.

        A library, which is no game, has those that the games of the workspace find in it.
        """
        snapshot = self.check(path, is_superseded)
        if snapshot.is_scenarios or snapshot.validation is not None:
            return snapshot
        source = snapshot.source
        try:
            with budget(MOST_WORK, _first_line(source), is_superseded):
                validation = validate_source(source, Path(path), files=self.new_files())
                users = self.dependents(path) if self.is_library(path) else ()
                if games := [user for user in users if not is_scenarios(user)]:
                    validation = attrs.evolve(validation, diagnostics=tuple(self._found_by(games, snapshot)))
        except SupersededError:
            raise
        except SpecError as error:
            validation = Validation(Path(path), error.diagnostics, None, 0)
        except Exception as error:
            validation = Validation(Path(path), (*(snapshot.default or ()), _failed(source, error)), None, 0)
        self.snapshots[path] = made = attrs.evolve(snapshot, validation=validation)
        return made

    def _found_by(self, games: list[str], library: Snapshot) -> Iterator[Diagnostic]:
        """Yield the mistakes of form of a library, and those that every game of some finds in it."""
        found: dict[tuple[str, int, int], list[Diagnostic]] = {}
        for game in games:
            snapshot = self.check(game)
            here = [d for d in snapshot.default or () if snapshot.path_of(d.span) == library.path]
            for needed in (d for d in snapshot.default or () if d.code == "CG233"):
                here += [attrs.evolve(needed, span=label.span, labels=()) for label in needed.labels
                         if snapshot.path_of(label.span) == library.path]  # fmt: skip
            for key, diagnostic in {(d.code, d.span.start, d.span.end): d for d in here}.items():
                found.setdefault(key, []).append(diagnostic)
        yield from library.form
        yield from (same[0] for same in found.values() if len(same) == len(games))

    def is_fresh(self, snapshot: Snapshot) -> bool:
        """Say whether the second tier is there and nothing has changed that it depends on."""
        if not snapshot.is_checked:
            return False
        try:
            return all(self.source(path) is source for source, path in snapshot.paths.items())
        except OSError:
            return False

    def parse(self, source: Source) -> Spec:
        """Return the tree of a spec; that of the newest text of each file is kept.  Raises SpecError."""
        known = self.trees.get(source.name)
        if known is None or known[0] is not source:
            made: Spec | SpecError
            try:
                made = parser.parse.__wrapped__(source)
            except SpecError as error:
                made = error
            known = self.trees[source.name] = source, made
        if isinstance(known[1], SpecError):
            raise known[1]
        return known[1]

    def new_files(self) -> Files:
        """Return a finder of files that reads the newest texts."""
        return Files(reader=lambda path, _: self.source(str(path)))


def _no_game(source: Source) -> Diagnostic:
    return Diagnostic("CG218", "there is no spec of this name", _first_line(source), "name the file of the game")
