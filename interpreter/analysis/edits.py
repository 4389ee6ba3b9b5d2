"""Edits of a variant: find a place of the base by its path and words, and replace it.

All edits of one variant are resolved in the base as it is written, then applied together.  So their order does not
matter, except that several insertions at one place keep the order of the text; two edits of one place are an error.
A place is found by its rule tag or its own words, in canonical form (`grammar.unparse`), and must be unique.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from grammar import ast as syntax
from grammar import expressions as ex
from grammar import statements as st
from grammar.diagnostics import Cure, Edit, Label, write
from grammar.expressions import Node, evolved, field_names
from grammar.source import Span
from grammar.suggest import alike, nearest, suggestion
from grammar.unparse import text_of

Report = Callable[..., None]
"""Reports a code, a message, a span, a help or cure, and labels."""

_BODIES: dict[type, str] = {
    st.If: "then", st.For: "body", st.While: "body", st.AtOnce: "body", st.InTurn: "body", st.Together: "body",
    st.Repeat: "body", st.Choice: "actions", st.Match: "cases",
}  # fmt: skip
"""The field of a statement that holds its block."""

_NEEDED = (*_BODIES.values(), "lines", "values", "statements")
"""Fields that may not become empty."""

_TYPES = (ex.NamedType, ex.RangeType, ex.OptionalType)
_PATTERNS = (ex.KindPattern, ex.NumberPattern)
_ARGUMENTS = (ex.Selection, ex.CardArg, ex.CardsArg, ex.ValueArg)
_EXPRESSIONS: tuple[type, ...] = ex.Expr.__args__
_WORDS = (*_EXPRESSIONS, *_TYPES, *_PATTERNS, *_ARGUMENTS, ex.Quantity)
"""The nodes that an edit finds by their text, besides statements."""

_LINES = (st.Statement, st.Case, st.Action, syntax.ValueCase, syntax.DeckLine, syntax.ZoneDecl, syntax.VarDecl,
          syntax.ResultLine, syntax.EnumValue, *syntax.Section.__args__)  # fmt: skip
"""The nodes that have a line of their own, with its tags."""

_CLAUSES = {"such that": "such_that", "only if": "only_if", "where": "where"}
_SORTS: dict[str, type] = {
    "phase": syntax.PhaseDecl, "define": syntax.DefineDecl, "option": syntax.OptionDecl, "enum": syntax.EnumDecl,
    "card": syntax.CardDecl, "deck": syntax.DeckDecl, "play": syntax.PlayDecl, "result": syntax.ResultDecl,
    "invariant": syntax.InvariantDecl, "zone": syntax.ZoneDecl, "state": syntax.VarDecl, "action": st.Action,
}  # fmt: skip
_FIRST = (syntax.PhaseDecl, syntax.DefineDecl, syntax.EnumDecl, syntax.CardDecl, syntax.DeckDecl, syntax.ZoneDecl,
          syntax.VarDecl)  # fmt: skip
"""The nodes that a name without a word can denote as the first step of a path."""

_TAG = re.compile(r"([A-Z]+)([0-9]+)([a-z]?)(?:-([A-Z]*)([0-9]+))?")


class Place(msgspec.Struct, frozen=True, eq=False):
    """A node of the base with the nodes around it, from its section inwards."""

    node: Node
    chain: tuple[Node, ...] = ()
    tagged: bool = False
    """Whether a rule tag led here: then the line of the node is meant before its block."""

    def inside(self) -> Iterator[Place]:
        """Give this place and all places inside it, in the order of the text."""
        yield self
        chain = (*self.chain, self.node)
        for part in ex.parts(self.node):
            yield from Place(part, chain).inside()

    @property
    def span(self) -> Span:
        """Where the first line of the node is in the base."""
        span = self.node.span
        return Span(span.source, span.start, min(span.end, (span.source.text + "\n").index("\n", span.start)))

    @property
    def line(self) -> Node:
        """The innermost node around this place that has a line of its own."""
        return next((n for n in (self.node, *reversed(self.chain)) if isinstance(n, _LINES)), self.node)


class _Change(msgspec.Struct):
    """The change of one node of the base."""

    span: Span
    instead: tuple[Node, ...] | None = None
    before: list[Node] = msgspec.field(default_factory=list)
    after: list[Node] = msgspec.field(default_factory=list)
    remake: Callable[[Any], Node] | None = None
    tags: tuple[str, ...] = ()
    fields: dict[str, tuple[Any, Span]] = msgspec.field(default_factory=dict)


def edited(
    base: list[syntax.Section], items: Iterable[syntax.InPlace], report: Report, placed: list[syntax.Placed]
) -> list[Node]:
    """Apply edits to the sections of a base, in place; return all nodes that are new or rebuilt.

    Each place that a name of an edit leads to is added to `placed`.
    """
    edits = _Edits(base, report, placed)
    for item in items:
        edits.resolve(item)
    return edits.apply()


class _Edits:
    def __init__(self, base: list[syntax.Section], report: Report, placed: list[syntax.Placed]) -> None:
        self.base = base
        self.report = report
        self.placed = placed
        self.changes: dict[int, _Change] = {}
        self.taken: dict[int, Span] = {}
        self.touched: list[tuple[Place, Span]] = []
        self.span: Span

    # ---- paths

    def resolve(self, item: syntax.InPlace) -> None:
        """Find the place of a path, and enter its edits."""
        scopes = self.path(item.path)
        if scopes is None:
            return
        for edit in item.edits:
            self.span = edit.span
            match edit:
                case syntax.ReplaceOld():
                    self.replace(scopes, edit)
                case syntax.RemoveOld():
                    self.remove(scopes, edit)
                case syntax.Insert():
                    self.insert(scopes, edit)
                case syntax.PutPart(what=syntax.Clause() as clause):
                    self.add_clause(scopes, clause)
                case syntax.PutPart():
                    self.put(scopes, edit)
                case syntax.PutState():
                    self.put_state(scopes, edit)

    def path(self, path: tuple[syntax.Step, ...]) -> Place | None:
        """Return the one place that a path leads to; report if there is none, or more than one."""
        here: list[Place] | None = None
        for step in path:
            found = _steps(self.base, here, step)
            if not found:
                self.no_step(step, here)
                return None
            here = found
        assert here is not None
        if len(here) > 1:
            last = path[-1].span
            self.ambiguous(f"`{text_of(path)}`", last, here)
            return None
        self.placed += [syntax.Placed(path[-1].span, here[0].span)]
        return here[0]

    def no_step(self, step: syntax.Step, here: list[Place] | None) -> None:
        """Report a step that leads nowhere."""
        where = "the base" if here is None else _title(here[0])
        word = text_of(step)
        if step.sort == "" and here is None and any(
            isinstance(s, syntax.OptionDecl) and s.name == step.name for s in self.base
        ):  # fmt: skip
            self.report("CG221", f"`{word}` is an option", step.span, write(step.span, f"option {step.name}"))
            return
        known = sorted(set(_names(self.base, here, step.sort)), key=lambda w: (len(w) if step.sort == "tag" else 0, w))
        cure = suggestion(step.name, known, step.span) if step.name and step.sort != "tag" else None
        more = ", .." if len(known) > 12 else ""
        listed = f"there are: {', '.join(known[:12])}{more}" if known else "there is none at all"
        elsewhere = _steps(self.base, None, step) if here is not None else []
        if cure is None and len(elsewhere) == 1:
            path = _path(self.base, elsewhere[0])
            listed = f"there is one at `{path}`"
        self.report("CG221", f"in {where} there is no `{word}`", step.span, cure or listed)

    # ---- what is there

    def find(self, scope: Place, old: Node, wanted: str) -> list[Place]:
        """Return the places for an edit to change; report unless there is exactly one."""
        found = _found(scope, old, wanted)
        if len(found) == 1:
            self.placed += [syntax.Placed(old.span, found[0].span)]
            return found
        if not found:
            self.not_found(scope, old, wanted)
        else:
            self.ambiguous(f"`{_text(old)}`", old.span, found,
                           every=wanted == "word", scope=scope, old=old, wanted=wanted)  # fmt: skip
        return []

    def not_found(self, scope: Place, old: Node, wanted: str) -> None:
        """Report words that are not in a place, with those that are most like them."""
        text = _text(old)
        message = f"in {_title(scope)} there is no `{text}`"
        other = _found(scope, old, "word") if wanted == "statement" else []
        if other:
            self.report("CG235", f"`{text}` is {_sort(other[0].node)} and not a statement", old.span,
                        "write a value for it, or name the whole statement", Label(other[0].span, "here"))  # fmt: skip
            return
        elsewhere = [p for s in self.base for p in _found(Place(s), old, wanted)]
        there = list({_text(_named(p.node, old)): None for p in scope.inside() if _is_like(old, p.node)})
        if elsewhere:
            paths = dict.fromkeys(_path(self.base, p, old, wanted) for p in elsewhere[:4])
            labels = [Label(p.span, "it is here") for p in elsewhere[:3]]
            self.report("CG221", message, old.span, f"write {_either(paths)}", *labels)
            return
        if isinstance(old, syntax.Tagged):
            tags = sorted({tag for p in scope.inside() for tag in p.node.tags}, key=lambda tag: (len(tag), tag))
            help_ = f"its tags are: {', '.join(tags)}" if tags else "it has no rule tags"
            self.report("CG221", message, old.span, help_, Label(scope.span, "this place"))
            return
        near = nearest(text, there)
        meant = alike(text, there) if near is None else [near]
        if meant:
            others = f", or `{'`, `'.join(meant[1:])}`" if meant[1:] else ""
            self.report("CG221", message, old.span, Cure(f"did you mean `{meant[0]}`{others}?",
                        (Edit(old.span, meant[0]),)), Label(scope.span, "this place"))  # fmt: skip
            return
        shown = f": `{'`, `'.join(there[:4])}`{', ..' if len(there) > 4 else ''}" if there else ""
        help_ = f"write the words as they are in the base{shown}"
        self.report("CG221", message, old.span, help_, Label(scope.span, "this place"))

    def ambiguous(
        self, what: str, span: Span, found: list[Place], *, every: bool = False,
        scope: Place | None = None, old: Node | None = None, wanted: str = "",
    ) -> None:  # fmt: skip
        """Report words that are in several places, with a path to each."""
        paths: dict[str, None] = {}
        for place in found[:6]:
            paths[_path(self.base, place, old, wanted)] = None
        where = f" in {_title(scope)}" if scope is not None else ""
        help_ = f"write {_either(paths)}"
        if len(paths) == 1:
            help_ = "name more of the words around it"
        if every:
            help_ += f"; or `replace every {what.strip('`')} with ..`"
        labels = [Label(place.span, "here") for place in found[:4]]
        self.report("CG229", f"{what} is {len(found)} times{where}", span, help_, *labels)

    # ---- entering changes

    def change(self, place: Place) -> _Change:
        """Return the change of a node, to be filled in."""
        self.touched.append((place, self.span))
        return self.changes.setdefault(id(place.node), _Change(self.span))

    def take(self, node: Node, place: Place) -> bool:
        """Claim a node for this edit alone; report if another edit has it."""
        other = self.taken.get(id(node))
        if other is not None:
            self.conflict(place, other)
            return False
        self.taken[id(node)] = self.span
        return True

    def conflict(self, place: Place, other: Span) -> None:
        self.report("CG234", "another line of this variant changes the same place", self.span,
                    "make them one edit", Label(other, "the other line"), Label(place.span, "the place"))  # fmt: skip

    def instead(self, place: Place, new: tuple[Node, ...]) -> None:
        """Put nodes in the place of one."""
        if self.take(place.node, place):
            self.change(place).instead = new

    def set_field(self, place: Place, field: str, value: object) -> None:
        """Give a field of a node another value."""
        fields = self.change(place).fields
        old = getattr(place.node, field)
        if field in fields or (isinstance(old, Node) and not self.take(old, place)):
            if field in fields:
                self.conflict(place, fields[field][1])
            return
        fields[field] = (value, self.span)

    def add_tags(self, place: Place, tags: tuple[str, ...]) -> None:
        """Add the tags of an edit to the line that it changes."""
        if tags:
            line = place.line
            self.changes.setdefault(id(line), _Change(self.span)).tags += tags

    # ---- replace

    def replace(self, scope: Place, edit: syntax.ReplaceOld) -> None:
        """Enter `replace OLD with NEW`."""
        statements = len(edit.new) != 1 or isinstance(edit.new[0], st.Statement)
        head = isinstance(edit.old, st.Statement) and _is_headless(edit.old)
        tagged = isinstance(edit.old, syntax.Tagged)
        wanted = "line" if tagged else "statement" if statements or isinstance(edit.old, st.Statement) else "word"
        found = _found(scope, edit.old, wanted) if edit.every else self.find(scope, edit.old, wanted)
        if edit.every and not found:
            self.not_found(scope, edit.old, wanted)
        if edit.every:
            self.placed += [syntax.Placed(edit.old.span, p.span) for p in found]
        for place in found:
            if head and statements and _is_headless(edit.new[0]):
                self.replace_head(place, edit.new[0])
            elif isinstance(place.node, st.Statement):
                new = self.statements(edit.new)
                if new:
                    self.instead(place, (_with_tags(new[0], place.node.tags, new), *new[1:]))
            elif tagged:
                self.replace_line(place, edit)
            else:
                self.replace_words(place, edit.new)

    def replace_head(self, place: Place, new: Node) -> None:
        """Give a statement another first line; its block stays."""
        old, made = place.node, type(new)
        body, other = _BODIES[type(old)], _BODIES[made]
        same = made is type(old)
        if not same and (body == "cases" or other == "cases" or "actions" in (body, other)
                         or bool(getattr(old, "otherwise", ()))):  # fmt: skip
            self.report("CG235", f"the block of `{_text(old)}` does not fit `{_text(new)}`", new.span,
                        "write the statement with its block", Label(place.span, "this one"))  # fmt: skip
            return
        for name in field_names(type(old)):
            for part in ex.parts((getattr(old, name),)) if name not in (body, "otherwise") else ():
                if not self.take(part, place):
                    return

        def remake(built: Any) -> Node:
            keep: dict[str, Any] = {other: getattr(built, body)}
            if same and hasattr(built, "otherwise"):
                keep["otherwise"] = built.otherwise
            if isinstance(new, st.Choice) and new.prompt is None:
                keep["prompt"] = built.prompt
            return evolved(new, tags=new.tags or built.tags, **keep)

        change = self.change(place)
        if change.remake is not None:
            self.conflict(place, change.span)
        change.remake = remake

    def replace_line(self, place: Place, edit: syntax.ReplaceOld) -> None:
        """Enter `replace [R15] with NEW` for a line that is no statement: what it does, or the value that it gives."""
        node, (new, *more) = place.node, edit.new
        if isinstance(node, st.Case | st.Action):
            made = self.statements(edit.new)
            if made:
                self.set_field(place, "body", made)
                for stmt in node.body:
                    self.take(stmt, place)
        elif isinstance(getattr(node, "value", None), Node) and not more and isinstance(new, _EXPRESSIONS):
            self.set_field(place, "value", evolved(new, tags=()))
            self.add_tags(place, new.tags)
        else:
            self.report("CG235", f"`{_text(edit.old)}` is a whole {_sort(node)}", edit.old.span,
                        f"write `in {_text(edit.old)}: replace .. with ..`, or replace {_title(place)} as a whole",
                        Label(place.span, "this line"))  # fmt: skip

    def replace_words(self, place: Place, new: tuple[Node, ...]) -> None:
        """Put an expression, a type, a pattern or an argument in the place of another."""
        made = _converted(place.node, evolved(new[0], tags=()))
        if made is None:
            self.report("CG235", f"`{_text(new[0])}` cannot be written for {_sort(place.node)} `{_text(place.node)}`",
                        new[0].span, "write another of its sort", Label(place.span, "in this line"))  # fmt: skip
            return
        self.instead(place, (made,))
        self.add_tags(place, new[0].tags)

    def statements(self, new: tuple[Node, ...]) -> tuple[st.Stmt, ...]:
        """Return what is written as statements; report what is none."""
        made: list[st.Stmt] = []
        for node in new:
            if isinstance(node, ex.Name | ex.Call):
                call = node if isinstance(node, ex.Call) else ex.Call(node.name, span=node.span)
                made.append(st.Do(evolved(call, tags=()), tags=node.tags, span=node.span))
            elif not isinstance(node, st.Statement) or _is_headless(node):
                self.report("CG235", f"`{_text(node)}` is no whole statement", node.span,
                            "write a statement, as it would be in the base")  # fmt: skip
                return ()
            else:
                made.append(node)  # type: ignore[arg-type]
        return tuple(made)

    # ---- remove and insert

    def remove(self, scope: Place, edit: syntax.RemoveOld) -> None:
        """Enter `remove OLD`."""
        for place in self.find(scope, edit.old, "part"):
            match edit.old, place.node:
                case syntax.Clause(word=word), _:
                    self.set_field(place, _CLAUSES[word], None)
                case syntax.NamedCase(patterns=()), st.Match():
                    self.set_field(place, "otherwise", None)
                case _ if place.chain and getattr(place.chain[-1], "otherwise", None) is place.node:
                    self.set_field(Place(place.chain[-1], place.chain[:-1]), "otherwise", None)
                case _, st.Statement() | st.Case() | st.Action() | syntax.ValueCase() | syntax.DeckLine():
                    self.instead(place, ())
                case _, syntax.EnumValue() | syntax.VarDecl() | syntax.ZoneDecl():
                    self.instead(place, ())
                case _:
                    self.report("CG235", f"`{_text(edit.old)}` cannot be removed from its line", edit.old.span,
                                "replace it, or remove the line", Label(place.span, "this line"))  # fmt: skip
            self.add_tags(place, edit.tags)

    def insert(self, scope: Place, edit: syntax.Insert) -> None:
        """Enter `before OLD: NEW` or `after OLD: NEW`."""
        parts = [part for part in edit.new if isinstance(part, syntax.NewPart)]
        for place in self.find(scope, edit.old, "part" if parts else "line"):
            owner = place.chain[-1] if place.chain else place.node
            new: Iterable[Node] = edit.new
            if parts:
                new = [made for part in parts if (made := self.part(part, owner)) is not None]
            match place.node:
                case st.Action(body=body) | st.Case(body=body) if not parts:
                    self.beside(Place(body[0], (*place.chain, place.node)) if body else place, edit, new, body)
                case syntax.PhaseDecl(block=block) | syntax.PlayDecl(block=block):
                    inner = (*place.chain, place.node, block)
                    self.beside(Place(block.statements[0], inner), edit, new, block.statements)
                case st.Action() if getattr(owner, "otherwise", None) is place.node and edit.where == "before":
                    assert isinstance(owner, st.Choice)
                    self.change(Place(owner.actions[-1], place.chain)).after += new
                case st.Statement() | st.Action() | st.Case() | syntax.ValueCase() if (
                    getattr(owner, "otherwise", None) is not place.node
                ):
                    self.beside(place, edit, new, (place.node,))
                case _:
                    self.report("CG235", f"no statement goes {edit.where} `{_text(edit.old)}`", edit.old.span,
                                "name a statement by its words or its tag", Label(place.span, "this line"))  # fmt: skip

    def beside(self, place: Place, edit: syntax.Insert, new: Iterable[Node], row: tuple[Node, ...]) -> None:
        """Put nodes before the first or after the last node of a row."""
        if not row:
            self.set_field(place, "body", tuple(new))
        elif edit.where == "before":
            self.change(place).before += new
        else:
            self.change(Place(row[-1], place.chain)).after += new

    # ---- parts with names

    def part(self, part: syntax.NewPart, owner: Node) -> Node | None:
        """Return a part as its owner has such parts; report what does not fit there."""
        what = part.what
        match what, owner:
            case syntax.ValueCase(value=value), st.Match():
                body = self.statements((value,))
                return st.Case(what.patterns, body, tags=what.tags, span=what.span) if body else None
            case (syntax.ValueCase(), syntax.MatchValue()) | (st.Case(), st.Match()):
                return what
            case (st.Action(), st.Choice()) | (syntax.DeckLine(), syntax.DeckDecl()):
                return what
            case syntax.EnumValue(), syntax.EnumDecl():
                return what
        self.report("CG235", f"{_sort(owner)} has no part such as `{_text(what)}`", what.span,
                    "name a place that has such parts", Label(Place(owner).span, "this place"))  # fmt: skip
        return None

    def put(self, scope: Place, edit: syntax.PutPart) -> None:
        """Enter `replace case P ..`, `add action ..`: the part names its own place."""
        part = edit.what
        assert isinstance(part, syntax.NewPart)
        name = _name_of(part)
        owner = self.owner(scope, part, edit)
        if owner is None:
            return
        made = self.part(part, owner.node)
        if made is None:
            return
        there = _found(owner if edit.adds else scope, name, "part")
        if edit.adds and there and not (isinstance(made, syntax.DeckLine)):
            self.report("CG220", f"`{_text(name)}` is already in {_title(owner)}", name.span, "write `replace`",
                        Label(there[0].span, "this one"))  # fmt: skip
        elif edit.adds:
            self.append(owner, made, part.last)
        else:
            for place in self.find(scope, name, "part"):
                if isinstance(place.node, st.Match):
                    assert isinstance(made, st.Case)
                    self.set_field(place, "otherwise", made.body)
                elif getattr(place.chain[-1], "otherwise", None) is place.node:
                    self.set_field(Place(place.chain[-1], place.chain[:-1]), "otherwise", made)
                else:
                    self.instead(place, (evolved(made, tags=made.tags or place.node.tags),))

    def owner(self, scope: Place, part: syntax.NewPart, edit: syntax.PutPart) -> Place | None:
        """Return the place that has parts of a sort: a match, a choice, a deck, an enumeration."""
        kinds: tuple[type, ...]
        match part.what:
            case st.Case() | syntax.ValueCase():
                kinds, what = (st.Match, syntax.MatchValue), "match"
            case st.Action():
                kinds, what = (st.Choice,), "choice"
            case syntax.DeckLine():
                kinds, what = (syntax.DeckDecl,), "deck"
            case syntax.EnumValue():
                kinds, what = (syntax.EnumDecl,), "enumeration"
        if not edit.adds:
            there = _found(scope, _name_of(part), "part")
            if len(there) != 1:
                self.find(scope, _name_of(part), "part")
                return None
            place = there[0]
            return place if isinstance(place.node, st.Match) else Place(place.chain[-1], place.chain[:-1])
        found = [p for p in scope.inside() if isinstance(p.node, kinds)]
        outer = [p for p in found if not any(p is not q and q.node in p.chain for q in found)]
        if len(outer) == 1:
            return outer[0]
        if not outer:
            self.report("CG221", f"in {_title(scope)} there is no {what} to add it to", part.span,
                        f"name a place that has a {what}", Label(scope.span, "this place"))  # fmt: skip
        else:
            self.ambiguous(f"a {what}", part.span, outer, scope=scope)
        return None

    def append(self, owner: Place, made: Node, last: bool) -> None:
        """Add a part after the others of its owner; `otherwise` stays last."""
        match owner.node, made:
            case (st.Match(), st.Case(patterns=())) | (st.Choice(), st.Action()) if last or isinstance(made, st.Case):
                self.set_field(owner, "otherwise", made.body if isinstance(made, st.Case) else made)
            case syntax.MatchValue(cases=(*_, syntax.ValueCase(patterns=()) as otherwise)), syntax.ValueCase():
                self.change(Place(otherwise, (*owner.chain, owner.node))).before.append(made)
            case (syntax.MatchValue(cases=row) | st.Match(cases=row), _) | (st.Choice(actions=row), _) \
                    | (syntax.DeckDecl(lines=row), _) | (syntax.EnumDecl(values=row), _):  # fmt: skip
                self.change(Place(row[-1], (*owner.chain, owner.node))).after.append(made)

    def add_clause(self, scope: Place, clause: syntax.Clause) -> None:
        """Enter `add only if C`."""
        field = _CLAUSES[clause.word]
        owners = [p for p in scope.inside() if field in field_names(type(p.node)) and not _is_deeper(p, scope)]
        free = [p for p in owners if getattr(p.node, field) is None]
        if len(free) == 1:
            self.set_field(free[0], field, clause.condition)
        elif free:
            self.ambiguous(f"a place for `{clause.word}`", clause.span, free, scope=scope)
        elif owners:
            self.report("CG220", f"`{clause.word}` is already there", clause.span,
                        "write `replace OLD with NEW` for the condition", Label(owners[0].span, "here"))  # fmt: skip
        else:
            self.report("CG221", f"in {_title(scope)} nothing takes `{clause.word}`", clause.span,
                        "name an action: `in PHASE, action VERB: ..`", Label(scope.span, "this place"))  # fmt: skip

    def put_state(self, scope: Place, edit: syntax.PutState) -> None:
        """Enter `add state` and `replace state` inside of a phase."""
        node = scope.node
        if not isinstance(node, syntax.PhaseDecl):
            self.report("CG235", f"{_title(scope)} has no state of its own", edit.span, "name a phase",
                        Label(scope.span, "this place"))  # fmt: skip
            return
        block = Place(node.block, (node,))
        known = {family.name: line for line in node.block.state for family in line.families}
        if edit.adds:
            self.set_field(block, "state", (*node.block.state, *edit.what.variables))
            return
        for line in edit.what.variables:
            names = [family.name for family in line.families]
            lines = [known.get(name) for name in names]
            if None in lines or len(set(map(id, lines))) != 1 or {f.name for f in lines[0].families} != {*names}:  # type: ignore[union-attr]
                self.report("CG221", f"in {_title(scope)} no line of `state` declares `{', '.join(names)}`", line.span,
                            f"its lines declare: {'; '.join(dict.fromkeys(_text(v) for v in known.values()))}"
                            if known else "write `add state`")  # fmt: skip
                continue
            self.instead(Place(lines[0], (node, node.block)), (line,))  # type: ignore[arg-type]

    # ---- putting all together

    def apply(self) -> list[Node]:
        """Rebuild the sections that change; return the nodes that are new or rebuilt."""
        for place, span in self.touched:
            self.span = span
            for outer in place.chain:
                if id(outer) in self.taken and self.taken[id(outer)] is not span:
                    self.conflict(place, self.taken[id(outer)])
                    break
        made: list[Node] = []
        roots = {id(place.chain[0] if place.chain else place.node) for place, _ in self.touched}
        roots |= {key for key in self.changes if any(key == id(s) for s in self.base)}
        for number, section in enumerate(self.base):
            if id(section) in roots:
                self.base[number] = self.rebuilt(section, made)[0]  # type: ignore[call-overload]
        return made

    def rebuilt(self, node: Node, made: list[Node]) -> tuple[Node, ...]:
        """Return what becomes of a node, with all changes inside it."""
        change = self.changes.get(id(node))
        if change is not None and change.instead is not None:
            made += change.instead
            return (*change.before, *change.instead, *change.after)
        fields: dict[str, Any] = {}
        for name in field_names(type(node)):
            value = getattr(node, name)
            if isinstance(value, Node):
                (fields[name],) = self.rebuilt(value, made)
            elif isinstance(value, tuple):
                row = tuple(n for v in value for n in (self.rebuilt(v, made) if isinstance(v, Node) else (v,)))
                if value and not row and name in _NEEDED and not isinstance(node, st.Action):
                    self.nothing_left(node, value)
                    row = value
                fields[name] = row
        fields = {name: value for name, value in fields.items() if not _is_same(value, getattr(node, name))}
        if change is not None:
            fields |= {name: value for name, (value, _) in change.fields.items()}
            if change.tags:
                fields["tags"] = node.tags + change.tags
        whole = evolved(node, **fields) if fields else node
        if change is None:
            made += [whole] if fields else []
            return (whole,)
        if change.remake is not None:
            whole = change.remake(whole)
        made.append(whole)
        return (*change.before, whole, *change.after)

    def nothing_left(self, node: Node, gone: tuple[Node, ...]) -> None:
        """Report a block, deck or choice that would lose its last part."""
        span = next(self.taken[id(part)] for part in gone if id(part) in self.taken)
        self.report("CG229", f"{_sort(node)} `{_text(node)}` would be left without any part", span,
                    "write `replace .. with nothing`, or remove all", Label(Place(node).span, "this one"))  # fmt: skip


def _either(paths: Iterable[str]) -> str:
    return " or ".join(f"`in {path}: ..`" for path in paths)


def _is_same(new: object, old: object) -> bool:
    if isinstance(new, tuple) and isinstance(old, tuple):
        return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))
    return new is old


def _with_tags(first: st.Stmt, tags: tuple[str, ...], new: tuple[st.Stmt, ...]) -> st.Stmt:
    """Return the first of some statements with the tags of what they replace, if they have none."""
    return first if any(stmt.tags for stmt in new) else evolved(first, tags=tags)


# ---- finding


def _is_headless(node: Node) -> bool:
    """Whether a statement has no block where its form has one."""
    body = _BODIES.get(type(node))
    return body is not None and not getattr(node, body)


def _found(scope: Place, old: Node, wanted: str) -> list[Place]:
    """Return the places inside a scope that an edit names, each node once.

    `wanted` says what the edit changes: a "word" (an expression, type, pattern or argument), a "statement", a "line"
    (a statement, or another node with a tag) or a "part" (a node that can be removed, or get siblings).  If a tag led
    to the scope, words on its line take precedence over those of its block.
    """
    found: dict[int, Place] = {}
    text = None if isinstance(old, st.Statement) else _text(old)
    for place in scope.inside():
        if id(place.node) not in found and _fits(place, old, text, wanted):
            found[id(place.node)] = place
    own = [place for place in found.values() if _is_on_line(place, scope)] if scope.tagged else []
    return own or list(found.values())


def _is_on_line(place: Place, scope: Place) -> bool:
    """Whether a place is on the line that begins with a node, and not in the block below it."""
    lines = [n for n in (*place.chain[len(scope.chain) :], place.node) if isinstance(n, _LINES)]
    return all(node.span.line == scope.node.span.line for node in lines)


def _fits(place: Place, old: Node, text: str | None, wanted: str) -> bool:
    node = place.node
    match old:
        case syntax.Tagged(rule=rule):
            return has_tag(node, rule)
        case syntax.NamedAction(verb=verb):
            return isinstance(node, st.Action) and node.verb == verb
        case syntax.NamedCase(patterns=()):
            if isinstance(node, st.Match):
                return node.otherwise is not None
            last = isinstance(node, syntax.ValueCase) and not node.patterns
            return last or (isinstance(node, st.Action) and getattr(place.chain[-1], "otherwise", None) is node)
        case syntax.NamedCase(patterns=patterns):
            return isinstance(node, st.Case | syntax.ValueCase) and node.patterns == patterns
        case syntax.Clause(word=word, condition=condition):
            field = _CLAUSES[word]
            return field in field_names(type(node)) and getattr(node, field) == condition
        case st.Statement():
            return isinstance(node, st.Statement) and _says(node, old)
    if isinstance(old, ex.Name | ex.Call) and isinstance(node, st.Do):
        return text_of(node) == text
    if wanted == "word":
        fine = isinstance(node, _WORDS) and not (isinstance(node, ex.Quantity) and node.low is node.high)
        inner = place.chain and isinstance(place.chain[-1], st.Do)
        return fine and not inner and _text(node) == text
    if wanted != "part":
        return False
    match node:
        case syntax.EnumValue(name=name):
            return name == text
        case syntax.DeckLine(cards=cards):
            return text_of(cards) == text
        case syntax.VarDecl(families=(family,)):
            return family.name == text and len(place.chain) > 1
    return False


def _says(node: st.Statement, old: st.Statement) -> bool:
    """Whether a statement of the base is the one that an edit names; `openly` and tags need not be repeated."""
    if type(node) is not type(old):
        return False
    body = _BODIES.get(type(old))
    changes: dict[str, Any] = {"tags": old.tags}
    if not old.openly:
        changes["openly"] = False
    if body is not None and not getattr(old, body):
        changes[body] = ()
        if hasattr(node, "otherwise"):
            changes["otherwise"] = old.otherwise  # type: ignore[attr-defined]
        if isinstance(old, st.Choice) and old.prompt is None:
            changes["prompt"] = None
            changes["secretly"] = old.secretly
    return evolved(node, **changes) == old


def _steps(base: list[syntax.Section], here: list[Place] | None, step: syntax.Step) -> list[Place]:
    """Return where a step of a path leads, from some places or from the whole base."""
    scopes = [Place(section) for section in base] if here is None else here
    found: dict[int, Place] = {}
    for scope in scopes:
        if step.sort == "" and isinstance(scope.node, syntax.EnumValue):
            decl = scope.chain[-1]
            assert isinstance(decl, syntax.EnumDecl)
            for param, cell in zip(decl.params, scope.node.attributes, strict=False):
                if param.name == step.name:
                    found[id(cell)] = Place(cell, (*scope.chain, scope.node))
        for place in scope.inside():
            if (here is None or place.node is not scope.node) and _leads(place, step, here is None):
                found.setdefault(id(place.node), msgspec.structs.replace(place, tagged=step.sort == "tag"))
    return list(found.values())


def _leads(place: Place, step: syntax.Step, first: bool) -> bool:
    node = place.node
    match step.sort:
        case "tag":
            return has_tag(node, step.name)
        case "case":
            return isinstance(node, st.Case | syntax.ValueCase) and node.patterns == step.patterns
        case "otherwise":
            return _fits(place, syntax.NamedCase((), span=step.span), None, "part")
        case "":
            kinds = _FIRST if first else (st.Action, syntax.EnumValue, syntax.VarDecl, syntax.ZoneDecl)
            return isinstance(node, kinds) and step.name in _names_of(node)
        case "play" | "result" as sort:
            return isinstance(node, _SORTS[sort])
    return isinstance(node, _SORTS[step.sort]) and step.name in _names_of(node)


def _names_of(node: Node) -> tuple[str, ...]:
    """Return the names by which a path may call a node: one, or those of all families of a line."""
    match node:
        case syntax.DeckDecl(zone=name) | syntax.InvariantDecl(text=str() as name) | st.Action(verb=name):
            return (name,)
        case syntax.VarDecl(families=families) | syntax.ZoneDecl(families=families):
            return tuple(family.name for family in families)
        case syntax.EnumValue(name=name) | syntax.PhaseDecl(name=name) | syntax.DefineDecl(name=name):
            return (name,)
        case syntax.OptionDecl(name=name) | syntax.EnumDecl(name=name) | syntax.CardDecl(name=name):
            return (name,)
    return ()


def _names(base: list[syntax.Section], here: list[Place] | None, sort: str) -> Iterator[str]:
    """Give the names that a step could have from some places."""
    scopes = [Place(section) for section in base] if here is None else here
    for scope in scopes:
        if isinstance(scope.node, syntax.EnumValue) and sort == "":
            yield from (param.name for param in scope.chain[-1].params)  # type: ignore[attr-defined]
        for place in scope.inside():
            node = place.node
            if sort == "tag":
                yield from node.tags
            elif sort == "case" and isinstance(node, st.Case | syntax.ValueCase) and node.patterns:
                yield f"case {text_of(node.patterns)}"
            else:
                steps = (syntax.Step(sort, name, span=node.span) for name in _names_of(node))
                yield from (step.name for step in steps if _leads(place, step, here is None))


def has_tag(node: Node, rule: str) -> bool:
    """Whether a node has a rule tag, alone or in a range such as `R9-R11`."""
    if rule in node.tags:
        return True
    wanted = _TAG.fullmatch(rule)
    for tag in node.tags if wanted is not None else ():
        found = _TAG.fullmatch(tag)
        if found is not None and found[5] and wanted is not None and wanted[1] == found[1] and not wanted[3]:
            return int(found[2]) <= int(wanted[2]) <= int(found[5])
    return False


def _is_deeper(place: Place, scope: Place) -> bool:
    """Whether a place is inside the block of an action, and so not on its line."""
    inner = place.chain[len(scope.chain) :]
    return any(isinstance(node, st.Statement) for node in inner) and isinstance(scope.node, st.Action)


# ---- what can be written for what


def _converted(old: Node, new: Node) -> Node | None:
    """Return an expression as what it replaces is: as a type, a pattern, or itself; None where that cannot be."""
    match old, new:
        case ((ex.NamedType() | ex.RangeType() | ex.OptionalType()), _):
            return _type(new)
        case ((ex.KindPattern() | ex.NumberPattern()), _):
            return _pattern(new)
        case ex.Call(), ex.Name():
            return new
    groups = (_EXPRESSIONS, (ex.CardArg, ex.CardsArg, ex.ValueArg), (ex.Selection,), (ex.Quantity,))
    return new if any(isinstance(old, group) and isinstance(new, group) for group in groups) else None


def _type(new: Node) -> Node | None:
    match new:
        case ex.Name(name=name):
            return ex.NamedType(name, span=new.span)
        case ex.RangeValue(low=low, high=high):
            return ex.RangeType(low, high, span=new.span)
        case ex.Logic(op="or", left=left, right=ex.NoneValue()):
            base = _type(left)
            return None if base is None else ex.OptionalType(base, span=new.span)  # type: ignore[arg-type]
    return None


def _pattern(new: Node) -> Node | None:
    match new:
        case ex.Name(name=name):
            return ex.KindPattern(name, span=new.span)
        case ex.Call(name=name, args=args):
            inner = [None if isinstance(a, ex.Name) and a.name == "_" else _numbers(a) or a for a in args]
            return ex.KindPattern(name, tuple(inner), span=new.span)
    return _numbers(new)


def _numbers(new: Node) -> ex.NumberPattern | None:
    """Return an expression as a pattern of numbers; a single number inside of a pattern is no pattern of its own."""
    match new:
        case ex.Number(value=value):
            return ex.NumberPattern(value, value, span=new.span)
        case ex.Negative(value=ex.Number(value=value)):
            return ex.NumberPattern(-value, -value, span=new.span)
        case ex.RangeValue(low=low, high=high):
            ends = _numbers(low), _numbers(high)
            if ends[0] is not None and ends[1] is not None:
                return ex.NumberPattern(ends[0].low, ends[1].high, span=new.span)
    return None


# ---- words for places


def _name_of(part: syntax.NewPart) -> Node:
    """Return what names the place of a part."""
    match part.what:
        case st.Case(patterns=patterns) | syntax.ValueCase(patterns=patterns):
            return syntax.NamedCase(patterns, span=part.span)
        case st.Action():
            verb = syntax.NamedAction(part.what.verb, span=part.span)
            return syntax.NamedCase((), span=part.span) if part.last else verb
        case syntax.DeckLine(cards=cards):
            return cards
        case syntax.EnumValue(name=name):
            return ex.Name(name, span=part.span)


def _text(node: Node) -> str:
    """Return the words of a node: those of its first line."""
    if isinstance(node, st.Repeat) and not node.body:
        return f"repeat until {text_of(node.until)}"
    return "openly " * (isinstance(node, st.Statement) and node.openly) + text_of(node)


def _named(node: Node, old: Node) -> Node:
    """Return how an edit would name a node of the base in the way in which it names another."""
    match node:
        case st.Action() if isinstance(old, syntax.NamedAction):
            return syntax.NamedAction(node.verb, span=node.span)
        case st.Case() | syntax.ValueCase() if isinstance(old, syntax.NamedCase):
            return syntax.NamedCase(node.patterns, span=node.span)
    return node


def _is_like(old: Node, node: Node) -> bool:
    """Whether a node of the base is of the sort that words of an edit could mean."""
    if isinstance(old, syntax.Tagged):
        return False
    if isinstance(old, st.Statement):
        return isinstance(node, st.Statement)
    if isinstance(old, syntax.NamedAction | syntax.NamedCase | syntax.Clause):
        return isinstance(node, st.Action if isinstance(old, syntax.NamedAction) else st.Case | syntax.ValueCase)
    return isinstance(node, (*_WORDS, st.Do, syntax.EnumValue)) and not isinstance(node, ex.Quantity)


def _sort(node: Node) -> str:
    """Return what sort of thing a node is, in words."""
    words: tuple[tuple[Any, str], ...] = (
        (_TYPES, "a type"), (_PATTERNS, "a pattern"), (_ARGUMENTS, "an argument"), (_EXPRESSIONS, "an expression"),
        (st.Choice, "a choice"), (st.Match | syntax.MatchValue, "a match"), (st.Statement, "a statement"),
        (st.Action, "an action"), (st.Case | syntax.ValueCase, "a case"), (syntax.DeckDecl, "a deck"),
        (syntax.EnumDecl, "an enumeration"), (syntax.PhaseDecl | syntax.PlayDecl, "a phase"),
    )  # fmt: skip
    return next((word for kinds, word in words if isinstance(node, kinds)), "a section")


def _title(place: Place) -> str:
    """Return a place as a path in words."""
    return f"`{', '.join(_steps_to(place))}`"


def _steps_to(place: Place) -> list[str]:
    """Return the steps to a place, from its section inwards."""
    steps: list[str] = []
    for node in (*place.chain, place.node):
        match node:
            case syntax.PlayDecl() | syntax.ResultDecl() | syntax.TeamsDecl():
                words = {syntax.PlayDecl: "play", syntax.ResultDecl: "result", syntax.TeamsDecl: "teams"}
                steps.append(words[type(node)])
            case syntax.InvariantDecl(text=text) if text:
                steps.append(f'invariant "{text}"')
            case syntax.ZonesDecl() | syntax.StateDecl():
                pass
            case st.Case(patterns=patterns) | syntax.ValueCase(patterns=patterns) if patterns:
                steps.append(f"case {text_of(patterns)}")
            case _:
                word = next((w for w, kind in _SORTS.items() if isinstance(node, kind)), "")
                if word and _names_of(node):
                    steps.append(f"{word} {_names_of(node)[0]}")
                elif isinstance(node, syntax.EnumValue):
                    steps.append(node.name)
                elif isinstance(node, _LINES) and node.tags and "-" not in node.tags[0]:
                    steps.append(f"[{node.tags[0]}]")
    return steps or ["the base"]


def _path(base: Iterable[Node], place: Place, old: Node | None = None, wanted: str = "") -> str:
    """Return the shortest path to a place, or to the words of an edit there, that leads nowhere else."""
    steps = _steps_to(place)
    if place.line.tags and "-" not in place.line.tags[0] and f"[{place.line.tags[0]}]" not in steps:
        steps.append(f"[{place.line.tags[0]}]")
    sections = [Place(section) for section in base]
    for way in ([steps[0]], *([steps[0], last] for last in reversed(steps[1:])), steps):
        found = sections
        for number, step in enumerate(way):
            inner = (p for q in found for p in q.inside() if number or not isinstance(p.node, st.Statement))
            found = [msgspec.structs.replace(p, tagged=step.startswith("[")) for p in inner if _is_step(p, step)]
        reached = found if old is None else [p for q in found for p in _found(q, old, wanted)]
        if len(reached) == 1 and reached[0].node is place.node:
            return ", ".join(way)
    return ", ".join(steps)


def path_to(sections: Sequence[Node], span: Span) -> str:
    """Return a path to the innermost line that a span of the base is in; empty where there is none."""
    for section in sections:
        inner = (
            [p for p in Place(section).inside() if _covers(p.node.span, span)] if _covers(section.span, span) else []
        )
        if inner:
            line = next((p for p in reversed(inner) if isinstance(p.node, _LINES)), inner[-1])
            return _path(sections, line)
    return ""


def _covers(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.start <= inner.start < outer.end


def _is_step(place: Place, step: str) -> bool:
    return has_tag(place.node, step[1:-1]) if step.startswith("[") else _steps_to(Place(place.node))[-1] == step
