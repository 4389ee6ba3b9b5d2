"""Optimise a program: the stage between lowering and printing, which sends every expression through the passes once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import attrs

from interpreter.analysis import core
from interpreter.analysis.budget import PASS, spend
from interpreter.analysis.rules import Rules
from interpreter.program import nodes
from interpreter.program.card_tables import CardFunctions, definitions_of_cards
from interpreter.program.layout import Layout
from interpreter.program.nodes import Program
from interpreter.program.passes.fuse import Fusion
from interpreter.program.passes.hoist import Hoisting
from interpreter.program.passes.inline import Inlining
from interpreter.program.passes.membership import Membership
from interpreter.program.passes.rewriting import bottom_up
from interpreter.program.passes.totality import LOOPS, Totality

Pass = tuple[Callable[[core.Expr], core.Expr], frozenset[type]]
"""A pass, and the nodes of which an expression must have one for it to change anything."""


class Passes:
    """The passes for the expressions of one program.

    With `tagged` the rules that expressions reach are recorded, so nothing with tags is evaluated earlier.  With
    `masks` they are for code that has sets of cards as words.
    """

    def __init__(self, rules: Rules, layout: Layout, *, tagged: bool, masks: bool) -> None:
        functions = CardFunctions(frozenset(definitions_of_cards(rules, logged=tagged)))
        of_cards = frozenset(definitions_of_cards(rules, logged=False))
        totality = Totality(layout, logged=tagged)
        self.passes: tuple[Pass, ...] = (
            (Inlining(totality, of_cards, keep_tagged=tagged and masks).run, frozenset({core.CallDefine})),
            (Fusion(totality).run, frozenset({*LOOPS, core.IsIn})),
        )
        if not masks:
            self.passes += (
                (Membership(totality, functions).run, frozenset({core.Select})),
                (Hoisting(totality).run, frozenset(LOOPS)),
            )
        self._done: dict[core.Expr, core.Expr] = {}

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression after all passes."""
        if isinstance(expr, core.Const | core.LocalRef):
            return expr
        if expr not in self._done:
            done: core.Expr = expr
            kinds = _kinds(done)
            for pass_, changed in self.passes:
                if not changed.isdisjoint(kinds):
                    spend(PASS, done.span)
                    made = pass_(done)
                    done, kinds = made, kinds if made is done else _kinds(made)
            self._done[expr] = self._done[done] = done
        return self._done[expr]


def _kinds(expr: core.Expr) -> set[type]:
    """Return the classes of the nodes of an expression."""
    return {part.__class__ for part in core.walk(expr)}


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
