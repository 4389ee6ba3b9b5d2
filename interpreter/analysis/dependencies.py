"""Call graph and def-use analysis: definitions and phases after those that they call, and the reads of each.

So no later step goes deep, for any order of calls; definitions that lead back to themselves, or too deep, are
found here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from grammar.expressions import Call, Name, Node, field_names
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.context import Context
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.graphs import depth_first, reachable
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Family, Local
from interpreter.analysis.types import UNKNOWN

DEEPEST = 100
"""How deep definitions, and phases, may lead into each other."""


def order_of_definitions(cx: Context, defines: list[Define]) -> list[Define]:
    """Return the definitions, each after those it calls; report circles and chains that are too deep."""
    by_name = {d.name: d for d in defines}
    edges = {define: list(_called(define, by_name)) for define in defines}
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


def _called(define: Define, by_name: dict[str, Define]) -> Iterator[Define]:
    """Give the definitions that the text of one names."""
    own = {p.name for p in define.params}
    todo: list[object] = [define.declaration.value, define.declaration.lets]
    while todo:
        node = todo.pop()
        if isinstance(node, Name | Call) and node.name in by_name and node.name not in own:
            yield by_name[node.name]
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
        self._outside: dict[str, set[Phase]] = {}

    def reached(self, without: str | None = None) -> set[Phase]:
        """Return the phases that a play can come to, if the named one never ran."""
        starts = [self.play] if self.play.name != without else []
        return reachable(starts, lambda phase: (c.phase for c in self.of[phase] if c.phase.name != without))

    def outside(self, owner: str) -> set[Phase]:
        """Return the phases that can run while the owner does not."""
        if owner not in self._outside:
            self._outside[owner] = self.reached(without=owner)
        return self._outside[owner]

    def order(self) -> list[Phase]:
        """Return the phases, each after all that it carries out."""
        return depth_first(self.of, lambda call: call.phase)[0]


Used = dict[Variable, Span]


class Uses:
    """The variables that expressions read, themselves and through definitions."""

    def __init__(self, rules: Rules) -> None:
        self._defines: dict[Define, Used] = {}
        for define in rules.defines:
            self.define(define)

    def within(self, exprs: Iterable[core.Expr]) -> Used:
        """Return the variables read in expressions, each with the first place where it is."""
        found: Used = {}
        for expr in exprs:
            for part in core.walk(expr):
                if isinstance(part, core.VarRef):
                    found.setdefault(part.variable, part.span)
                elif isinstance(part, core.CallDefine):
                    for variable, span in self.define(part.define).items():
                        found.setdefault(variable, span)
        return found

    def define(self, define: Define) -> Used:
        """Return the variables that a definition reads."""
        if define not in self._defines:
            self._defines[define] = {}
            self._defines[define] = self.within(define.bodies)
        return self._defines[define]

    def phase(self, phase: Phase) -> Used:
        """Return the variables that a phase reads or sets."""
        found: Used = {}
        for stmt in core.statements_of(phase):
            if isinstance(stmt, core.Assign):
                found.setdefault(stmt.variable, stmt.span)
            for variable, span in self.within(core.children(stmt)).items():
                found.setdefault(variable, span)
        firsts = self.within(v.initial for v in phase.variables if v.initial is not None)
        return {**firsts, **found}


class Mentions:
    """The dependencies of expressions: zones and variables (None: any), and names."""

    def __init__(self) -> None:
        self._of: dict[core.Expr | Define, tuple[frozenset[Family] | None, frozenset[Local]]] = {}

    def of(self, expr: core.Expr) -> tuple[frozenset[Family] | None, frozenset[Local]]:
        """Return the zones and variables that an expression reads, through definitions too, and its own names."""
        if expr not in self._of:
            self._of[expr] = self._within((expr,))
        return self._of[expr]

    def _within(self, exprs: tuple[core.Expr, ...]) -> tuple[frozenset[Family] | None, frozenset[Local]]:
        families: set[Family] = set()
        names: set[Local] = set()
        whole = True
        for expr in exprs:
            for part in core.walk(expr):
                if isinstance(part, core.LocalRef):
                    names.add(part.local)
                elif isinstance(part, core.ZoneRef):
                    families.add(part.zone)
                elif isinstance(part, core.VarRef):
                    families.add(part.variable)
                elif isinstance(part, core.CallDefine):
                    if part.define not in self._of:
                        self._of[part.define] = (frozenset(), frozenset())
                        self._of[part.define] = self._within(part.define.bodies)
                    read = self._of[part.define][0]
                    whole = whole and read is not None
                    families |= read or frozenset()
                elif isinstance(part, core.Builtin) and part.function.reads:
                    whole = False
        return frozenset(families) if whole else None, frozenset(names)

    def stays(self, expr: core.Expr, changed: frozenset[Family], bound: frozenset[Local]) -> bool:
        """Whether an expression keeps its value where these are changed and these names are given anew."""
        read, names = self.of(expr)
        if not bound.isdisjoint(names):
            return False
        return not changed if read is None else changed.isdisjoint(read)


class Whole:
    """Sound rules, with what several checks ask of them, found once."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.calls = Calls(rules)
        self.mentions = Mentions()

    @cached_property
    def uses(self) -> Uses:
        """The variables that expressions read; only for rules that do not lead back to themselves."""
        return Uses(self.rules)
