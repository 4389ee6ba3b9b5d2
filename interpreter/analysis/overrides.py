"""Change one part of a base: a case of a match, an action of a choice, a line of a deck.

A part is found by what it says: a case by its patterns, an action by its verb, a line of a deck by its
cards.  It must be there once, or, if it is added, there must be one place for it; otherwise that is said
and the base stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeVar

from grammar import ast as syntax
from grammar import statements as stmts
from grammar.diagnostics import Cure
from grammar.expressions import Node, Pattern, evolved, field_names, walk
from grammar.source import Span
from grammar.suggest import suggestion
from grammar.unparse import text_of

Report = Callable[[str, str, Span, str | Cure], None]
Sections = list[syntax.Section]
PartChange = syntax.Replace | syntax.Add | syntax.RemoveCase | syntax.RemoveAction | syntax.RemoveLine
_Match = stmts.Match | syntax.MatchValue
_S = TypeVar("_S", bound=Node)
_N = TypeVar("_N", bound=Node)
_T = TypeVar("_T")


def meant(name: str, names: Iterable[str], span: Span, otherwise: str = "") -> str | Cure:
    """Return the cure for a name that is not there, in a span: the one that was meant, or which there are."""
    known = sorted(set(names))
    close = suggestion(name, known, span)
    if close is not None:
        return close
    there = f"there are: {', '.join(known[:12])}" if known else ""
    return "; ".join(part for part in (otherwise, there) if part) or "there is none at all"


def change_part(base: Sections, item: PartChange, report: Report) -> None:
    """Replace, add or remove the part that the item names, in place."""
    change = _Change(base, "add" if isinstance(item, syntax.Add) else "replace", item.span, report)
    match item:
        case syntax.RemoveCase():
            change.case(item.owner, item.name, item.patterns, None)
        case syntax.RemoveAction():
            change.action(item.name, item.verb, None, last=False)
        case syntax.RemoveLine():
            change.line(item.name, item.cards, None)
        case syntax.Replace(what=what) | syntax.Add(what=what):
            match what:
                case syntax.CasePart(case=case):
                    owner = "phase" if isinstance(case, stmts.Case) else "define"
                    change.case(owner, what.name, case.patterns, case)
                case syntax.ActionPart(action=action):
                    change.action(what.name, action.verb, action, last=what.last)
                case syntax.LinePart(line=line):
                    change.line(what.name, line.cards, line)


class _Change:
    """One change of a part of a section; where the new part is None, the old one is removed."""

    def __init__(self, base: Sections, doing: Literal["replace", "add"], span: Span, report: Report) -> None:
        self.base = base
        self.adds = doing == "add"
        self.span = span
        self.tell = report

    def case(
        self, owner: str, name: str, patterns: tuple[Pattern, ...], new: stmts.Case | syntax.ValueCase | None
    ) -> None:
        """Change a case of a match."""
        where = f"{owner} `{name}`"
        section = self.section(syntax.PhaseDecl if owner == "phase" else syntax.DefineDecl, where, name)
        if section is None:
            return
        title = f"`case {text_of(patterns)}`" if patterns else "`otherwise`"
        matches = [n for n in walk(section) if isinstance(n, stmts.Match | syntax.MatchValue)]
        having = [m for m in matches for c in _cases(m) if c.patterns == patterns]
        if self.adds:
            having = _outermost(matches)
            if any(c.patterns == patterns for m in having for c in _cases(m)):
                self.tell("CG220", f"{title} is already in {where}", self.span, "write `replace`")
                return
        there = [f"case {text_of(c.patterns)}" for m in matches for c in _cases(m) if c.patterns]
        match = self.only(having, title, where, "match", there)
        if match is None:
            return
        cases = list(_cases(match))
        if self.adds and new is not None:
            # `otherwise`, which takes what is left, stays behind all others.
            place = len(cases) - (not cases[-1].patterns) if patterns else len(cases)
            cases.insert(place, new)
        else:
            place = next(i for i, c in enumerate(cases) if c.patterns == patterns)
            cases[place : place + 1] = [] if new is None else [new]
        if not cases:
            self.nothing_left("case", where)
            return
        self.put(section, match, _with_cases(match, cases))

    def action(self, name: str, verb: str, new: stmts.Action | None, *, last: bool) -> None:
        """Change an action of a choice; `last` if the new one is for when no other is possible."""
        where = f"phase `{name}`"
        section = self.section(syntax.PhaseDecl, where, name)
        if section is None:
            return
        choices = [n for n in walk(section) if isinstance(n, stmts.Choice)]
        having = [c for c in choices for a in _actions(c) if a.verb == verb]
        if self.adds:
            having = _outermost(choices)
            if having and last and having[0].otherwise is not None:
                self.tell("CG220", f"an `otherwise` is already in {where}", self.span, "write `replace`")
                return
        there = [a.verb for c in choices for a in _actions(c)]
        choice = self.only(having, f"action `{verb}`", where, "choice", there)
        if choice is None:
            return
        actions = list(choice.actions)
        otherwise = choice.otherwise
        place = next((i for i, a in enumerate(actions) if a.verb == verb), len(actions))
        if self.adds:
            place = len(actions)
        elif otherwise is not None and otherwise.verb == verb:
            otherwise = None
        else:
            del actions[place]
        if new is not None and last:
            otherwise = new
        elif new is not None:
            actions.insert(place, new)
        if not actions:
            self.nothing_left("action", where)
            return
        self.put(section, choice, evolved(choice, actions=tuple(actions), otherwise=otherwise))

    def line(self, zone: str, cards: Pattern, new: syntax.DeckLine | None) -> None:
        """Change a line of a deck."""
        where = f"the deck in `{zone}`"
        section = self.section(syntax.DeckDecl, f"deck in `{zone}`", zone)
        if section is None:
            return
        lines = list(section.lines)
        if self.adds and new is not None:
            lines.append(new)
        else:
            places = [i for i, line in enumerate(lines) if line.cards == cards]
            there = [text_of(line.cards) for line in lines]
            if self.only(places, f"line of `{text_of(cards)}`", where, "line", there) is None:
                return
            lines[places[0] : places[0] + 1] = [] if new is None else [new]
        if not lines:
            self.nothing_left("line", where)
            return
        self.put(section, section, evolved(section, lines=tuple(lines)))

    def section(self, cls: type[_S], title: str, name: str) -> _S | None:
        """Return the section in which something is changed; report if there is none."""
        for section in self.base:
            if isinstance(section, cls) and getattr(section, "zone", getattr(section, "name", None)) == name:
                return section
        known = [getattr(s, "zone", getattr(s, "name", "")) for s in self.base if isinstance(s, cls)]
        self.tell("CG221", f"there is no {title}", self.span, meant(name, known, self.span))
        return None

    def only(self, found: list[_T], title: str, where: str, place: str, there: list[str]) -> _T | None:
        """Return the one place where the change goes; report if there is none, or more than one.

        `there` are all that could have been meant.
        """
        if len(found) == 1:
            return found[0]
        if not found:
            missing = f"{place} to add it to" if self.adds else title
            sought = title.strip("`").split("`")[-1]
            help_ = f"replace {where} as a whole" if self.adds else meant(sought, there, self.span)
            self.tell("CG221", f"in {where} there is no {missing}", self.span, help_)
        elif self.adds:
            self.tell("CG229", f"{where} has more than one {place} to add it to", self.span,
                      f"in the base, give each {place} a phase or definition of its own")  # fmt: skip
        else:
            self.tell("CG229", f"{title} is more than once in {where}", self.span,
                      f"in the base, give each {place} a phase or definition of its own")  # fmt: skip
        return None

    def nothing_left(self, what: str, where: str) -> None:
        """Report a section that would lose its last part."""
        self.tell("CG229", f"{where} would be left without any {what}", self.span,
                  "replace the phase, definition or deck as a whole")  # fmt: skip

    def put(self, section: Node, old: Node, new: Node) -> None:
        """Put a node in the place of an old one, in its section of the base."""
        place = next(i for i, s in enumerate(self.base) if s is section)
        self.base[place] = _exchanged(self.base[place], old, new)


def _cases(match: _Match) -> tuple[stmts.Case | syntax.ValueCase, ...]:
    """Return the cases of a match; `otherwise` is a last one without patterns."""
    if isinstance(match, syntax.MatchValue):
        return match.cases
    last = () if match.otherwise is None else (stmts.Case((), match.otherwise, span=match.span),)
    return (*match.cases, *last)


def _with_cases(match: _Match, cases: list[Any]) -> _Match:
    if isinstance(match, syntax.MatchValue):
        return evolved(match, cases=tuple(cases))
    last = next((c.body for c in cases if not c.patterns), None)
    return evolved(match, cases=tuple(c for c in cases if c.patterns), otherwise=last)


def _actions(choice: stmts.Choice) -> tuple[stmts.Action, ...]:
    return choice.actions if choice.otherwise is None else (*choice.actions, choice.otherwise)


def _outermost(nodes: list[_N]) -> list[_N]:
    """Return the nodes that stand in no other of them."""
    return [n for n in nodes if not any(n is m for other in nodes if other is not n for m in walk(other))]


def _exchanged(node: _N, old: Node, new: Any) -> _N:
    """Return a node in which `old`, that very one, has become `new`."""
    if node is old:
        exchanged: _N = new
        return exchanged
    changes: dict[str, Any] = {}
    for field in field_names(type(node)):
        value = getattr(node, field)
        if isinstance(value, Node):
            changed: Any = _exchanged(value, old, new)
        elif isinstance(value, tuple):
            changed = tuple(_exchanged(v, old, new) if isinstance(v, Node) else v for v in value)
            if all(a is b for a, b in zip(changed, value, strict=True)):
                continue
        else:
            continue
        if changed is not value:
            changes[field] = changed
    return evolved(node, **changes) if changes else node
