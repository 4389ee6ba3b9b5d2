"""Call graph and def-use analysis: definitions and phases after those that they call, and the reads of each.

So no later step goes deep, for any order of calls; definitions that lead back to themselves, or too deep, are
found here.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from grammar.expressions import Call, Name, Node, field_names
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.context import Context
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.graphs import depth_first, reachable
from interpreter.analysis.memoized import Memoized
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Family, Local, Zone
from interpreter.analysis.types import UNKNOWN

DEEPEST = 100
"""How deep definitions, and phases, may lead into each other."""


def order_of_definitions(cx: Context, defines: list[Define], known_calls: dict[int, list[str]]) -> list[Define]:
    """Return the definitions, each after those it calls; report circles and chains that are too deep.

    `known_calls` keeps the names that each definition calls, by its number: they are the same in all settings.
    """
    by_name = {d.name: d for d in defines}
    for define in defines if not known_calls else ():
        known_calls[define.number] = list(_called(define, by_name))
    edges = {define: [by_name[name] for name in known_calls[define.number]] for define in defines}
    order, back = depth_first(edges, lambda called: called)
    for define, called in back:
        _give_up(called)
        cx.report("CG402", f"`{called.name}` uses itself", called.declaration.span,
                  "a definition cannot be recursive" if define is called
                  else f"`{define.name}` calls it: a definition cannot be recursive")  # fmt: skip
    depth: dict[Define, int] = {}
    for define in order:
        depth[define] = 1 + max((depth[called] for called in edges[define] if called in depth), default=0)
        if depth[define] > DEEPEST:
            depth[define] = 1
            _give_up(define)
            cx.report("CG405", f"definitions call each other more than {DEEPEST} deep", define.declaration.span,
                      "fold over cards or numbers instead of calling one definition from another")  # fmt: skip
    return order


def _called(define: Define, by_name: Container[str]) -> Iterator[str]:
    """Give the names of the definitions that the text of one names."""
    own = {p.name for p in define.params}
    todo: list[object] = [define.declaration.value, define.declaration.lets]
    while todo:
        node = todo.pop()
        if isinstance(node, Name | Call) and node.name in by_name and node.name not in own:
            yield node.name
        if isinstance(node, Node):
            todo.extend(getattr(node, name) for name in field_names(type(node)))
        elif isinstance(node, tuple):
            todo.extend(node)


def _give_up(define: Define) -> None:
    """Take a definition as checked, with a value of unknown type."""
    define.state = "done"
    define.result = UNKNOWN


def calls(phase: Phase) -> list[core.CallPhase]:
    """Return the calls of phases in a phase, in the order of the text."""
    return [s for s in core.statements_of(phase) if isinstance(s, core.CallPhase)]


class Calls:
    """Which phases carry out which, and what follows from that."""

    def __init__(self, rules: Rules) -> None:
        self.play = rules.play
        self.of: dict[Phase, list[core.CallPhase]] = {p: calls(p) for p in rules.every_phase}

    def reached(self, without: str | None = None) -> set[Phase]:
        """Return the phases that a play can come to, if the named one never ran."""
        starts = [self.play] if self.play.name != without else []
        return reachable(starts, lambda phase: (c.phase for c in self.of[phase] if c.phase.name != without))

    @Memoized
    def outside(self, owner: str) -> set[Phase]:
        """Return the phases that can run while the owner does not."""
        return self.reached(without=owner)

    def order(self) -> list[Phase]:
        """Return the phases, each after all that it carries out."""
        return depth_first(self.of, lambda call: call.phase)[0]


class Read(core.Record):
    """The dependencies of an expression: zones and variables, each with the first place that reads it, and its names.

    With `anything` it also depends on how cards lie or where they are.
    """

    families: dict[Family, Span]
    names: frozenset[Local]
    anything: bool

    def depends_on(self, changed: frozenset[Family]) -> bool:
        """Whether a change of these zones and variables can change the value."""
        return bool(changed) and (self.anything or not changed.isdisjoint(self.families))


Used = dict[Variable, Span]


class Mentions:
    """The dependencies of expressions, definitions and phases, through the definitions that they call."""

    def __init__(self) -> None:
        self._defines: dict[Define, Read] = {}

    @Memoized
    def of(self, expr: core.Expr) -> Read:
        """Return what an expression depends on."""
        return self._within((expr,))

    def _define(self, define: Define) -> Read:
        if define not in self._defines:
            self._defines[define] = Read({}, frozenset(), anything=False)  # For one that leads back to itself.
            self._defines[define] = self._within(define.bodies)
        return self._defines[define]

    def _within(self, exprs: tuple[core.Expr, ...]) -> Read:
        families: dict[Family, Span] = {}
        names: set[Local] = set()
        anything = False
        for expr in exprs:
            for part in core.walk(expr):
                if type(part) is core.LocalRef:
                    names.add(part.local)
                elif type(part) is core.ZoneRef:
                    families.setdefault(part.zone, part.span)
                elif type(part) is core.VarRef:
                    families.setdefault(part.variable, part.span)
                elif type(part) is core.CallDefine:
                    called = self._define(part.define)
                    anything = anything or called.anything
                    for family, span in called.families.items():
                        families.setdefault(family, span)
                elif type(part) is core.Builtin and part.function.reads:
                    anything = True
        return Read(families, frozenset(names), anything)

    def variables(self, exprs: Iterable[core.Expr]) -> Used:
        """Return the variables read in expressions, each with the first place where it is."""
        found: Used = {}
        for expr in exprs:
            for family, span in self.of(expr).families.items():
                if isinstance(family, Variable):
                    found.setdefault(family, span)
        return found

    @Memoized
    def phase(self, phase: Phase) -> Used:
        """Return the variables that a phase reads or sets."""
        found: Used = {}
        for stmt in core.statements_of(phase):
            if isinstance(stmt, core.Assign):
                found.setdefault(stmt.variable, stmt.span)
            for variable, span in self.variables(core.children(stmt)).items():
                found.setdefault(variable, span)
        firsts = self.variables(v.initial for v in phase.variables if v.initial is not None)
        return {**firsts, **found}

    def stays(self, expr: core.Expr, changed: frozenset[Family], bound: frozenset[Local]) -> bool:
        """Whether an expression keeps its value where these are changed and these names are given anew."""
        read = self.of(expr)
        return bound.isdisjoint(read.names) and not read.depends_on(changed)


class Changes:
    """Side effects: the zones and variables that statements and phases can change."""

    def __init__(self, rules: Rules) -> None:
        self.everywhere = frozenset(rules.zones)
        self._chosen = _moved_at_once(rules)

    @Memoized
    def of(self, stmt: core.Stmt) -> frozenset[Family]:
        """Return what a statement itself changes, including the phase that it calls."""
        found: frozenset[Family] = frozenset()
        match stmt:
            case core.CallPhase():
                return self.phase(stmt.phase)
            case core.Assign():
                return frozenset() if stmt.variable.local else frozenset({stmt.variable})
            case core.Move() if stmt in self._chosen:
                return frozenset({self._chosen[stmt], stmt.target.zone})
            case core.Turn():
                return self._origins(stmt.cards)
            case core.Shuffle():
                found = frozenset({stmt.zone.zone})
        return found.union(*(self._origins(t.cards) | {t.target.zone} for t in core.transfers(stmt)))

    def _origins(self, cards: core.Expr) -> frozenset[Family]:
        """Return where cards can come from: a zone that is named as a whole, else anywhere."""
        return frozenset({cards.zone}) if isinstance(cards, core.ZoneRef) else self.everywhere

    @Memoized
    def phase(self, phase: Phase) -> frozenset[Family]:
        """Return all that a phase changes, with what it carries out."""
        return frozenset[Family]().union(*map(self.of, core.statements_of(phase)))


def _moved_at_once(rules: Rules) -> dict[core.Stmt, Zone]:
    """Return the moves that are all that an action does with cards chosen from one zone, where they surely lie."""
    everything = list(rules.statements())
    later = {s.choice for s in everything if isinstance(s, core.AtOnce)}
    actions = [a for s in everything if isinstance(s, core.Choice) and s not in later for a in core.all_actions(s)]
    return {
        move: arg.domain.zone
        for action in actions
        for arg in action.args
        for move in action.body[:1]
        if isinstance(move, core.Move)
        and isinstance(arg.domain, core.ZoneRef)
        and isinstance(move.cards, core.LocalRef)
        and move.cards.local is arg.local
    }


class Whole:
    """Sound rules, with what several checks ask of them, found once."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.calls = Calls(rules)
        self.mentions = Mentions()
        self.changes = Changes(rules)
