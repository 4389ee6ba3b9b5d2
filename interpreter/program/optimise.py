"""Optimise a program: the stage between lowering and printing, which sends every expression through the passes once."""

from __future__ import annotations

from typing import Any, get_args

import attrs

from interpreter.analysis import core
from interpreter.program import nodes
from interpreter.program.layout import Layout
from interpreter.program.nodes import Program
from interpreter.program.passes import Passes
from interpreter.program.passes.rewriting import bottom_up

_EXPRESSIONS = frozenset(get_args(core.Expr))
_OPENED = frozenset({
    *get_args(core.Stmt), core.Action, core.Arg, *get_args(nodes.Node), *get_args(nodes.Exit), nodes.Alternative,
    nodes.Stage, nodes.Definition, nodes.Entry, nodes.Round,
})  # fmt: skip
"""The nodes whose expressions are optimised where they are."""


def optimised(program: Program, layout: Layout, *, tagged: bool = True, masks: bool = False) -> Program:
    """Return a program that does the same and is quicker.

    With `tagged` it reaches the same rule tags, too.  With `masks` it is for code whose sets of cards are words.
    """
    return _Optimiser(Passes(program.rules, layout, tagged=tagged, masks=masks)).program(program)


@attrs.define
class _Optimiser:
    """Rewrites the parts of a program, each once: what occurs in several places stays one object."""

    passes: Passes
    _made: dict[int, Any] = attrs.field(factory=dict)

    def program(self, program: Program) -> Program:
        """Return a program with all of its expressions optimised."""
        return attrs.evolve(
            program,
            nodes=self.rewritten(program.nodes),
            bodies={phase: self.rewritten(body) for phase, body in program.bodies.items()},
            definitions={define: self.definition(body) for define, body in program.definitions.items()},
            results=tuple(attrs.evolve(line, value=self.expression(line.value)) for line in program.results),
            invariants=tuple(attrs.evolve(i, condition=self.expression(i.condition)) for i in program.invariants),
            initial={variable: self.expression(value) for variable, value in program.initial.items()},
            entries={name: self.rewritten(entry) for name, entry in program.entries.items()},
        )

    def rewritten(self, node: Any) -> Any:
        """Return a part of a program with its expressions optimised."""
        kind = node.__class__
        if kind in _EXPRESSIONS:
            return self.expression(node)
        if kind is tuple or kind is list:
            return kind(map(self.rewritten, node))
        if kind is core.Binder:
            return self.binder(node)
        if kind is core.SetCondition:
            return core.map_children(node, self.expression)
        if kind not in _OPENED:
            return node
        if id(node) not in self._made:
            changes = {f.name.lstrip("_"): self.rewritten(getattr(node, f.name)) for f in attrs.fields(kind)}
            # The old node is kept with the new one, so that its identity stays its own.
            self._made[id(node)] = node, attrs.evolve(node, **changes)
        return self._made[id(node)][1]

    def definition(self, body: nodes.Definition) -> nodes.Definition:
        """Return the body of a definition; the alternatives of a chain stay separate, since each can reach rules."""
        value = body.value
        if isinstance(value, core.Chain):
            links = tuple((c and self.expression(c), self.expression(v)) for c, v in value.alternatives)
            value = core.evolved(value, alternatives=links)
        else:
            value = self.expression(value)
        return nodes.Definition(tuple((local, self.expression(let)) for local, let in body.lets), value)

    def expression(self, expr: core.Expr) -> core.Expr:
        """Return an expression after all passes, conditions on subsets inside it too."""
        done = self.passes.run(expr)
        if any(isinstance(part, core.SomeSubset) for part in core.walk(done)):
            return bottom_up(done, self.subset)
        return done

    def subset(self, expr: core.Expr) -> core.Expr:
        """Return a condition on subsets with its parts optimised; other expressions as they are."""
        if not isinstance(expr, core.SomeSubset):
            return expr
        return core.map_children(expr, self.expression)

    def binder(self, binder: core.Binder) -> core.Binder:
        """Return the binder of a statement that keeps the same things."""
        kept = self.expression(core.Select("all", binder, None, binder.domain.type, binder.domain.span))
        if isinstance(kept, core.Select) and kept.which == "all" and kept.count is None:
            return kept.binder
        return core.Binder(binder.local, kept, None, None)
