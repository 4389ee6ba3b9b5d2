"""Assemble a spec: add the files that it uses, and apply its edits to the spec that it extends.

Takes a parsed spec, gives one without `use`, `extends` and the words that change a base (`replace`, `add`, `remove`,
`set`, `in`).  A section is found by what it declares, a zone or a variable by its line; places inside of sections are
the business of `interpreter.analysis.edits`.  Changing what is not there, adding what is, and changing a place twice
are mistakes.  What the whole does not have, because it was removed or because a library expects it of the game, is
found by the checker; `blamed` reports it at the line that caused it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path

from grammar import ast as syntax
from grammar import expressions as ex
from grammar.diagnostics import Cure, Diagnostic, Edit, Label, Partial, SpecError
from grammar.expressions import evolved
from grammar.source import Source, Span
from grammar.suggest import nearest, suggestion
from interpreter.analysis.files import SUFFIX, Files, Found, bundled_folder

DEEPEST = 16

NEAR_LIMIT = 1_000
"""Files of a folder that are looked at to say which specs there are."""

_PARTS: dict[str, type] = {
    "phase": syntax.PhaseDecl,
    "define": syntax.DefineDecl,
    "option": syntax.OptionDecl,
    "enum": syntax.EnumDecl,
    "card": syntax.CardDecl,
    "invariant": syntax.InvariantDecl,
}
_SINGLE = (syntax.GameDecl, syntax.PlayDecl, syntax.ResultDecl, syntax.TeamsDecl, syntax.StateDecl, syntax.ZonesDecl)


def resolve(
    spec: syntax.Spec, folder: Path | None, parse: Callable[[Source], syntax.Spec], files: Files | None = None
) -> syntax.Spec:
    """Return the whole spec; `files` finds and remembers the others, `parse` reads them.

    Raises SpecError with all mistakes of the assembly.
    """
    return _Assembly("" if folder is None else str(folder), (), files or Files(), parse).whole(spec)


def reassembled(variant: syntax.Variant, own: syntax.Spec) -> syntax.Spec:
    """Return a variant with other items of its own, on the same base.  Raises SpecError."""
    assembly = _Assembly("", (), Files(), lambda _: own)  # The files that it uses were read before.
    assembly.removed += variant.base.removed
    assembly.libraries += variant.base.libraries
    made = assembly.together(variant.base, own, variant.used)
    if assembly.diagnostics:
        raise SpecError(assembly.diagnostics)
    return made


_UNKNOWN = ("CG201", "CG205", "CG211")
"""The codes of names that mean nothing."""


def blamed(spec: syntax.Spec, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics of a spec; a name that a `remove` or `use` leaves undeclared is reported there, once."""
    reported: list[Diagnostic] = []
    missing: dict[tuple[Span, str], list[Span]] = {}
    for one in diagnostics:
        word = re.match(r"\w+", one.span.text)
        cause = _cause(spec, one, word[0]) if word is not None and one.code in _UNKNOWN else None
        if cause is None or word is None:
            reported.append(one)
        else:
            missing.setdefault((cause, word[0]), []).append(one.span)
    removed = {line.span for line in spec.removed}
    for (cause, name), uses in missing.items():
        labels = tuple(Label(use, "used here") for use in uses[:3])
        if cause in removed:
            reported.append(Diagnostic("CG230", f"`{name}` is removed by this line, and {_places(uses)} it", cause,
                                   "replace what uses it too, or keep it", labels=labels))  # fmt: skip
        else:
            reported.append(Diagnostic("CG233", f"this library needs `{name}`, which the game does not have", cause,
                                   f"declare `{name}` in the game; the comment of the library says what it needs",
                                   labels=labels))  # fmt: skip
    return reported


def _places(uses: Sequence[Span]) -> str:
    names = sorted({Path(use.source.name).name for use in uses})
    return f"{', '.join(names)} still {'uses' if len(names) == 1 else 'use'}"


def _cause(spec: syntax.Spec, one: Diagnostic, name: str) -> Span | None:
    """Return the line that causes an undeclared name."""
    for line in spec.removed:
        if name in line.names:
            return line.span
    return next((library.span for library in spec.libraries if library.source is one.span.source), None)


class _Assembly:
    def __init__(
        self, folder: str, open_: tuple[str, ...], files: Files, parse: Callable[[Source], syntax.Spec]
    ) -> None:
        self.parse = parse
        self.folder = folder
        self.files = files
        self.open = open_
        self.diagnostics: list[Diagnostic] = []
        self.removed: list[syntax.Removed] = []
        self.libraries: list[syntax.Library] = []
        self.changed: dict[int, ex.Node] = {}
        self.added: list[syntax.Section] = []

    def report(self, code: str, message: str, span: Span, help_: str | Cure, *labels: Label) -> None:
        self.diagnostics.append(Diagnostic(code, message, span, help_, labels=labels))

    def whole(self, spec: syntax.Spec) -> syntax.Spec:
        extends = [i for i in spec.items if isinstance(i, syntax.Extends)]
        for extra in extends[1:]:
            self.report("CG216", "a spec extends one other", extra.span, "chain them: let the other extend the third")
        base = self.other(extends[0].path, extends[0].span) if extends else None
        used: list[tuple[syntax.Use, tuple[syntax.Section, ...]]] = []
        there = {id(section) for section in _sections(base)}
        for item in spec.items:
            if isinstance(item, syntax.Use):
                other = self.other(item.path, item.span)
                if other is not None:
                    # A file that several others use is added once.
                    sections = tuple(section for section in _sections(other) if id(section) not in there)
                    there.update(map(id, sections))
                    used.append((item, sections))
                    self.libraries.append(syntax.Library(other.span.source, item.span))
            elif isinstance(item, syntax.Change) and not extends:
                self.report("CG217", "this spec has no base that it could change", item.span,
                            'begin with `extends "other.cardgame"`')  # fmt: skip
        made = self.together(base, spec, used)
        if self.diagnostics:
            raise SpecError(self.diagnostics, Partial(made, frozenset()))
        return made

    def together(
        self, base: syntax.Spec | None, own: syntax.Spec, used: Sequence[tuple[syntax.Use, tuple[syntax.Section, ...]]]
    ) -> syntax.Spec:  # fmt: skip
        """Put the parts of a spec together: the sections of its base, with all changes, and its own."""
        sections = _sections(base)
        edits = [item for item in own.items if isinstance(item, syntax.InPlace)] if base is not None else []
        placed: list[syntax.Placed] = [] if base is None else list(base.placed)
        if edits:
            from interpreter.analysis.edits import edited  # late: heads

            for node in edited(sections, edits, self.report, placed):
                self.changed[id(node)] = node
        new: list[syntax.Section] = []
        brought = {id(use): more for use, more in used}
        for item in own.items:
            if isinstance(item, syntax.Use):
                new += brought.get(id(item), ())
            elif isinstance(item, syntax.Change):
                if base is not None and not isinstance(item, syntax.InPlace):
                    self.change(sections, item)
            elif not isinstance(item, syntax.Extends):
                self.new(sections, new, item, base is not None)
        return syntax.Spec(
            own.version, (*sections, *new), tuple(self.removed), tuple(self.libraries), tuple(placed),
            None if base is None else syntax.Variant(base, own, tuple(used)), span=own.span,
        )  # fmt: skip

    def other(self, name: str, span: Span) -> syntax.Spec | None:
        """Return another file, put together."""

        found = self.files.find(self.folder, name)
        if found is None:
            self.missing(name, span)
            return None
        if found.path in self.open or len(self.open) >= DEEPEST:
            self.report("CG219", f"`{name}` leads back to this file", span, "let only one file include the other")
            return None
        if too_much := self.files.beyond_bounds():
            self.report("CG405", too_much, span, "include only the files that this game needs")
            return None
        if found.path not in self.files.whole:
            self.files.whole[found.path] = self.inner(found).whole(self.parse(found.source))
        spec = self.files.whole[found.path]
        self.removed += (line for line in spec.removed if line not in self.removed)
        self.libraries += (library for library in spec.libraries if library not in self.libraries)
        return spec

    def inner(self, found: Found) -> _Assembly:
        """Return how another file is put together, whose folder is found as this one's is."""
        folder, shown = Path(found.path).parent, os.path.dirname(found.source.name) or "."
        return _Assembly(
            shown if Path(shown).resolve() == folder else str(folder), (*self.open, found.path), self.files, self.parse
        )

    def missing(self, name: str, span: Span) -> None:
        """Report a file that is nowhere, with where it was looked for and what is there instead."""
        bundled = bundled_folder()
        own = self.beside(name)
        theirs = {path.relative_to(bundled).as_posix() for path in bundled.rglob("*" + SUFFIX)}
        near = nearest(name, theirs)
        looked = "among the bundled specs" if not self.folder else f"in `{self.folder}` and among the bundled specs"
        help_ = f"it was looked for {looked}"
        if near is not None:
            cure = Cure(f"did you mean `{near}`? {help_}", (Edit(span.part(name), near),))
            self.report("CG218", f"there is no spec `{name}`", span, cure)
            return
        if own:
            help_ += f"; there are: {', '.join(path.name for path in own[:8])}"
        elif not self.folder:
            help_ += "; save this spec to a file to bring in files of your own"
        self.report("CG218", f"there is no spec `{name}`", span, help_)

    def beside(self, name: str) -> list[Path]:
        """Return the specs that lie where one was looked for in vain."""
        try:
            there = (Path(self.folder) / name).resolve().parent
            return sorted(islice(there.glob("*" + SUFFIX), NEAR_LIMIT)) if self.folder else []
        except (OSError, RuntimeError, ValueError):
            return []

    def new(self, base: list[syntax.Section], own: list[syntax.Section], item: syntax.Section, variant: bool) -> None:
        """Enter a section of this file itself; a variant's `game` takes the place of the base's."""
        place = self.inherited(base, item) if variant else None
        if place is not None and isinstance(item, syntax.GameDecl):
            base[place] = _merged(base[place], item)
        elif place is not None and not isinstance(item, syntax.StateDecl | syntax.ZonesDecl):
            self.report("CG220", f"{_title(item)} is already there", item.span, "write `replace` before it",
                        Label(base[place].span, "this one"))  # fmt: skip
        else:
            own.append(item)

    def change(self, base: list[syntax.Section], item: syntax.Change) -> None:
        """Change the base by one item."""
        match item:
            case syntax.Replace(what=what) | syntax.Add(what=what):
                self.section(base, what, item)
            case syntax.Remove(sort="zone" | "state" as part, name=name):
                if self.take_out(base, _LINES[part], name) is None:
                    called = "variable" if part == "state" else part
                    self.report("CG221", f"there is no {called} `{name}` to remove", item.span,
                                _meant(name, _lines_of(base, _LINES[part]), item.span))  # fmt: skip
                else:
                    self.removed.append(syntax.Removed((name,), item.span))
            case syntax.Remove(sort=part, name=name) if part in _PARTS:
                gone = [s for s in base if isinstance(s, _PARTS[part]) and _name(s) == name]
                if not gone:
                    names = [_name(s) for s in base if isinstance(s, _PARTS[part])]
                    self.report("CG221", f"there is no {part} `{name}` to remove", item.span,
                                _meant(name, names, item.span))  # fmt: skip
                for section in gone:
                    self.once(section, item)
                base[:] = [s for s in base if s not in gone and not _describes(s, part, name)]
                self.removed.append(syntax.Removed((name, *(v for s in gone for v in _values(s))), item.span))
            case syntax.Remove(sort=part):
                sorts = [*_PARTS, *_LINES]
                self.report("CG221", f"`{part}` is nothing that can be removed by its name", item.span,
                            _meant(part, sorts, item.span, f"{', '.join(sorts)} can"))  # fmt: skip
            case syntax.SetOption(name=name, value=value):
                options = [s for s in base if isinstance(s, syntax.OptionDecl)]
                option = next((o for o in options if o.name == name), None)
                if option is None:
                    self.report("CG221", f"there is no option `{name}` to set", item.span,
                                _meant(name, [o.name for o in options], item.span))  # fmt: skip
                else:
                    self.put(base, base.index(option), evolved(option, default=value), item)
            case syntax.InPlace():
                pass  # All of them are applied together.

    def inherited(self, base: list[syntax.Section], section: syntax.Section) -> int | None:
        """Return the place of the section of the base that a section would stand for; None where this variant added it.

        A section with `add` and one without are alike, so two of one name are declared twice.
        """
        place = find(base, section)
        return None if place is None or any(base[place] is new for new in self.added) else place

    def put(self, base: list[syntax.Section], place: int, new: syntax.Section | None, item: ex.Node) -> None:
        """Put a section in the place of another, or nothing; report if this variant has changed the other already."""
        self.once(base[place], item)
        base[place : place + 1] = [] if new is None else [new]
        if new is not None:
            self.changed[id(new)] = new

    def once(self, old: ex.Node, item: ex.Node) -> None:
        """Report a section or line that this variant has changed before."""
        if self.changed.get(id(old)) is old:
            self.report("CG234", "another line of this variant changes the same place", item.span,
                        "make them one change", Label(old.span, "it is changed before"))  # fmt: skip

    def section(self, base: list[syntax.Section], section: syntax.Section, item: syntax.Replace | syntax.Add) -> None:
        """Replace or add a whole section; of zones and state the lines that stand there."""
        if isinstance(section, syntax.ZonesDecl | syntax.StateDecl) and isinstance(item, syntax.Replace):
            self.restate(base, section)
            return
        place = find(base, section)
        if isinstance(item, syntax.Add):
            if self.inherited(base, section) is not None and not isinstance(
                section, syntax.StateDecl | syntax.ZonesDecl
            ):
                self.report("CG220", f"{_title(section)} is already there", item.span, "write `replace`")
            else:
                base.append(section)
                self.added.append(section)
        elif place is None:
            names = [_name(s) for s in base if type(s) is type(section)]
            named = isinstance(section, _SINGLE) or _name(section)
            cure = "if it is new, write `add`" if named else "it has no name to be found by; write `add`"
            self.report("CG221", f"there is no {_title(section)} to replace", item.span,
                        _meant(_name(section), names, item.span, cure) if named else cure)  # fmt: skip
        else:
            self.same_shape(base[place], section)
            self.put(base, place, section, item)

    def restate(self, base: list[syntax.Section], section: syntax.ZonesDecl | syntax.StateDecl) -> None:
        """Put lines in the place of the base's lines of the same names; all other lines stay."""
        cls = type(section)
        what = "zone" if isinstance(section, syntax.ZonesDecl) else "variable"
        for line in section.zones if isinstance(section, syntax.ZonesDecl) else section.variables:
            names = [family.name for family in line.families]
            known = _lines_of(base, cls)
            for family in line.families:
                if family.name not in known:
                    word = "zones" if what == "zone" else "state"
                    cure = _meant(family.name, known, family.span, f"a new one comes by `add {word}`")
                    self.report("CG221", f"there is no {what} `{family.name}` to replace", family.span, cure)
            if all(name in known for name in names):
                first = self.take_out(base, cls, names[0], line)
                for name in names[1:]:
                    self.take_out(base, cls, name)
                assert first is not None

    def take_out(
        self, base: list[syntax.Section], cls: type[syntax.Section], name: str,
        instead: syntax.ZoneDecl | syntax.VarDecl | None = None,
    ) -> syntax.ZoneDecl | syntax.VarDecl | None:  # fmt: skip
        """Take a zone or variable out of its line, and put a line in its place; return the line that had it."""
        for place, section in enumerate(base):
            if not isinstance(section, syntax.ZonesDecl | syntax.StateDecl) or not isinstance(section, cls):
                continue
            field = "zones" if isinstance(section, syntax.ZonesDecl) else "variables"
            lines = list(getattr(section, field))
            for number, line in enumerate(lines):
                left = tuple(family for family in line.families if family.name != name)
                if len(left) < len(line.families) and line is not instead:
                    self.once(line, instead or line)
                    kept = [evolved(line, families=left)] if left else []
                    lines[number : number + 1] = kept if instead is None else [*kept, instead]
                    base[place : place + 1] = [evolved(section, **{field: tuple(lines)})] if lines else []
                    return line  # type: ignore[no-any-return]
        return None

    def same_shape(self, old: syntax.Section, new: syntax.Section) -> None:
        """Report a replacement that is called in another way."""
        called = syntax.PhaseDecl | syntax.DefineDecl
        if not isinstance(old, called) or not isinstance(new, called):
            return
        if [p.type for p in old.params] != [p.type for p in new.params]:
            self.report("CG222", f"{_title(new)} takes other arguments than the one it replaces", new.span,
                        "keep the parameters", Label(old.span, "replaced here"))  # fmt: skip


def _merged(old: syntax.Section, new: syntax.GameDecl) -> syntax.GameDecl:
    """Return the `game` of a variant: its own title and facts, and all other facts of its base."""
    assert isinstance(old, syntax.GameDecl)
    own = {fact.name for fact in new.facts}
    return evolved(new, facts=(*(fact for fact in old.facts if fact.name not in own), *new.facts))


def _sections(spec: syntax.Spec | None) -> list[syntax.Section]:
    other = syntax.Use | syntax.Extends | syntax.Change
    return [] if spec is None else [item for item in spec.items if not isinstance(item, other)]


_LINES: dict[str, type[syntax.Section]] = {"zone": syntax.ZonesDecl, "state": syntax.StateDecl}


def _lines_of(base: list[syntax.Section], cls: type[syntax.Section]) -> list[str]:
    """Return the names of all zones, or of all variables."""
    lines: list[syntax.ZoneDecl | syntax.VarDecl] = []
    for section in base:
        if isinstance(section, syntax.ZonesDecl) and isinstance(section, cls):
            lines += section.zones
        elif isinstance(section, syntax.StateDecl) and isinstance(section, cls):
            lines += section.variables
    return [family.name for line in lines for family in line.families]


def _describes(section: syntax.Section, sort: str, name: str) -> bool:
    """Say whether a section is the text about a part of the spec, or about an action of a phase."""
    match section:
        case syntax.AboutDecl(sort="action", phase=phase):
            return (sort, name) == ("phase", phase)
        case syntax.AboutDecl():
            return (section.sort, section.name) == (sort, name)
    return False


def _values(section: syntax.Section) -> list[str]:
    """Return the names that a section declares beside its own."""
    match section:
        case syntax.EnumDecl():
            return [value.name for value in section.values]
        case syntax.OptionDecl():
            return list(section.choices)
        case syntax.TeamsDecl():
            return [team.name for team in section.teams]
    return []


def _name(section: syntax.Section) -> str:
    match section:
        case syntax.DeckDecl():
            return section.zone
        case syntax.InvariantDecl():
            return section.text or ""
        case syntax.AboutDecl(sort=sort, name=name, phase=phase):
            return " ".join(word for word in (sort, name, phase and f"in phase {phase}") if word)
    return getattr(section, "name", "")


def _title(section: syntax.Section) -> str:
    words = {
        syntax.GameDecl: "game", syntax.OptionDecl: "option", syntax.EnumDecl: "enum", syntax.CardDecl: "card",
        syntax.DeckDecl: "deck in", syntax.ZonesDecl: "zones", syntax.StateDecl: "state", syntax.PlayDecl: "play",
        syntax.TeamsDecl: "teams",
        syntax.PhaseDecl: "phase", syntax.DefineDecl: "define", syntax.ResultDecl: "result",
        syntax.AboutDecl: "about", syntax.InvariantDecl: "invariant", syntax.WheneverDecl: "whenever",
    }  # fmt: skip
    word = words[type(section)]
    name = "" if isinstance(section, _SINGLE) else _name(section)
    return f"`{word} {name}`" if name else f"`{word}`"


def find(sections: list[syntax.Section], like: syntax.Section) -> int | None:
    """Return the place of the section that a replacement is for; what has no name takes the place of nothing."""
    if isinstance(like, syntax.WheneverDecl) or (isinstance(like, syntax.InvariantDecl) and not like.text):
        return None
    for place, section in enumerate(sections):
        if type(section) is type(like) and (isinstance(like, _SINGLE) or _name(section) == _name(like)):
            return place
    return None


def _meant(name: str, names: Iterable[str], span: Span, otherwise: str = "") -> str | Cure:
    """Return the cure for a name that is not there, in a span: the one that was meant, or which there are."""
    known = sorted(set(names))
    close = suggestion(name, known, span)
    if close is not None:
        return close
    there = f"there are: {', '.join(known[:12])}" if known else ""
    return "; ".join(part for part in (otherwise, there) if part) or "there is none at all"
