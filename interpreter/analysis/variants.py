"""Put a spec together: bring in the files it uses, and change the spec it extends.

Takes a parsed spec, gives one without `use`, `extends` and the words that change a base (`replace`,
`add`, `remove`, `set`).  Everything is found by its name: a section by what it declares.  Changing what
is not there, and adding what is, are mistakes.
"""

from __future__ import annotations

from pathlib import Path

from grammar import ast as syntax
from grammar.diagnostics import Diagnostic, Label, SpecError
from grammar.source import Span
from interpreter.analysis.files import SUFFIX, Files
from interpreter.analysis.overrides import change_part

DEEPEST = 16
_PARTS: dict[str, type] = {
    "phase": syntax.PhaseDecl,
    "define": syntax.DefineDecl,
    "option": syntax.OptionDecl,
    "enum": syntax.EnumDecl,
    "card": syntax.CardDecl,
    "invariant": syntax.InvariantDecl,
}
_SINGLE = (syntax.GameDecl, syntax.PlayDecl, syntax.ResultDecl, syntax.StateDecl, syntax.ZonesDecl)


def resolve(spec: syntax.Spec, folder: Path | None, files: Files | None = None) -> syntax.Spec:
    """Return the whole spec; `files` finds and remembers the others.

    Raises SpecError with all that is wrong in putting it together.
    """
    return _Assembly(folder, (), files or Files()).whole(spec)


class _Assembly:
    def __init__(self, folder: Path | None, open_: tuple[str, ...], files: Files) -> None:
        self.folder = folder
        self.files = files
        self.open = open_
        self.diagnostics: list[Diagnostic] = []

    def report(self, code: str, message: str, span: Span, help_: str, *labels: Label) -> None:
        self.diagnostics.append(Diagnostic(code, message, span, help_, labels=labels))

    def whole(self, spec: syntax.Spec) -> syntax.Spec:
        base: list[syntax.Section] = []
        extends = [i for i in spec.items if isinstance(i, syntax.Extends)]
        for extra in extends[1:]:
            self.report("CG216", "a spec extends one other", extra.span, "chain them: let the other extend the third")
        if extends:
            base = _sections(self.other(extends[0].path, extends[0].span))
        own: list[syntax.Section] = []
        for item in spec.items:
            if isinstance(item, syntax.Use):
                own.extend(_sections(self.other(item.path, item.span)))
            elif isinstance(item, syntax.Change):
                if extends:
                    self.change(base, item)
                else:
                    self.report("CG217", "this spec extends nothing that could be changed", item.span,
                                'begin with `extends "other.cardgame"`')  # fmt: skip
            elif not isinstance(item, syntax.Extends):
                self.new(base, own, item, bool(extends))
        if self.diagnostics:
            raise SpecError(self.diagnostics)
        return syntax.Spec(spec.version, (*base, *own), span=spec.span)

    def other(self, name: str, span: Span) -> syntax.Spec | None:
        """Return another file, put together."""
        from grammar.parser import parse

        if self.folder is None:
            self.report("CG218", "a spec without a file cannot bring in others", span, "save it to a file first")
            return None
        found = self.files.find(self.folder, name)
        if found is None:
            there = (self.folder / name).resolve().parent
            near = sorted(p.name for p in there.glob("*" + SUFFIX)) if there.is_dir() else []
            beside = f"beside it are: {', '.join(near[:8])}" if near else "the path begins at this file's folder"
            self.report("CG218", f"there is no spec `{name}`", span, beside)
            return None
        if found.path in self.open or len(self.open) >= DEEPEST:
            self.report("CG219", f"`{name}` leads back to this file", span, "let only one bring in the other")
            return None
        inner = _Assembly(Path(found.path).parent, (*self.open, found.path), self.files)
        return inner.whole(parse(found.source))

    def new(self, base: list[syntax.Section], own: list[syntax.Section], item: syntax.Section, variant: bool) -> None:
        """Enter a section of this file itself; a variant's `game` takes the place of the base's."""
        place = find(base, item) if variant else None
        if place is not None and isinstance(item, syntax.GameDecl):
            base[place] = item
        elif place is not None and not isinstance(item, syntax.StateDecl | syntax.ZonesDecl):
            self.report("CG220", f"{_title(item)} is already there", item.span, "write `replace` in front of it",
                        Label(base[place].span, "this one"))  # fmt: skip
        else:
            own.append(item)

    def change(self, base: list[syntax.Section], item: syntax.Change) -> None:
        """Change the base by one item."""
        match item:
            case syntax.Replace(what=what) | syntax.Add(what=what) if not isinstance(what, syntax.Part):
                self.section(base, what, item)
            case syntax.Replace() | syntax.Add() | syntax.RemoveCase() | syntax.RemoveAction() | syntax.RemoveLine():
                change_part(base, item, self.report)
            case syntax.Remove(sort=part, name=name):
                cls = _PARTS[part]
                left = [s for s in base if not (isinstance(s, cls) and _name(s) == name)]
                if len(left) == len(base):
                    self.report("CG221", f"there is no {part} `{name}` to remove", item.span, "mend the name")
                base[:] = left
            case syntax.SetOption(name=name, value=value):
                for place, section in enumerate(base):
                    if isinstance(section, syntax.OptionDecl) and section.name == name:
                        base[place] = syntax.OptionDecl(
                            section.name, value, section.choices, section.type, section.text,
                            span=section.span, tags=section.tags,
                        )  # fmt: skip
                        return
                self.report("CG221", f"there is no option `{name}` to set", item.span, "mend the name")

    def section(self, base: list[syntax.Section], section: syntax.Section, item: syntax.Replace | syntax.Add) -> None:
        """Replace or add a whole section."""
        place = find(base, section)
        if isinstance(item, syntax.Add):
            if place is not None and not isinstance(section, syntax.StateDecl | syntax.ZonesDecl):
                self.report("CG220", f"{_title(section)} is already there", item.span, "write `replace`")
            else:
                base.append(section)
        elif place is None:
            self.report("CG221", f"there is no {_title(section)} to replace", item.span,
                        "write `add`, or mend the name")  # fmt: skip
        else:
            self.same_shape(base[place], section)
            base[place] = section

    def same_shape(self, old: syntax.Section, new: syntax.Section) -> None:
        """Report a replacement that is called in another way."""
        called = syntax.PhaseDecl | syntax.DefineDecl
        if not isinstance(old, called) or not isinstance(new, called):
            return
        if [p.type for p in old.params] != [p.type for p in new.params]:
            self.report("CG222", f"{_title(new)} takes other arguments than the one it replaces", new.span,
                        "keep the parameters", Label(old.span, "replaced here"))  # fmt: skip


def _sections(spec: syntax.Spec | None) -> list[syntax.Section]:
    other = syntax.Use | syntax.Extends | syntax.Change
    return [] if spec is None else [item for item in spec.items if not isinstance(item, other)]


def _name(section: syntax.Section) -> str:
    match section:
        case syntax.DeckDecl():
            return section.zone
        case syntax.InvariantDecl():
            return section.text or ""
        case _:
            return getattr(section, "name", "")


def _title(section: syntax.Section) -> str:
    words = {
        syntax.GameDecl: "game", syntax.OptionDecl: "option", syntax.EnumDecl: "enum", syntax.CardDecl: "card",
        syntax.DeckDecl: "deck in", syntax.ZonesDecl: "zones", syntax.StateDecl: "state", syntax.PlayDecl: "play",
        syntax.PhaseDecl: "phase", syntax.DefineDecl: "define", syntax.ResultDecl: "result",
        syntax.InvariantDecl: "invariant",
    }  # fmt: skip
    word = words[type(section)]
    name = "" if isinstance(section, _SINGLE) else f" {_name(section)}"
    return f"`{word}{name}`"


def find(sections: list[syntax.Section], like: syntax.Section) -> int | None:
    """Return the place of the section that a replacement is for."""
    for place, section in enumerate(sections):
        if type(section) is type(like) and (isinstance(like, _SINGLE) or _name(section) == _name(like)):
            return place
    return None
