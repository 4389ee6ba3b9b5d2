"""The passes that make expressions quick: from tree to tree, one file each.

A pass gives an expression that has the same value, needs the same unseen cards and raises the same faults.  Each stays
because it pays (`interpreter.program.optimise` applies them): inlining in both languages, fusion in Python, membership
in Go Fish, tabulation for conditions on one card.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.analysis import core
from interpreter.analysis.budget import PASS, spend
from interpreter.analysis.rules import Rules
from interpreter.program.layout import Layout
from interpreter.program.passes.fuse import Fusion
from interpreter.program.passes.hoist import Hoisting
from interpreter.program.passes.inline import Inlining
from interpreter.program.passes.membership import Membership
from interpreter.program.passes.simplify import simplified
from interpreter.program.passes.tabulate import CardFunctions, Tabulation, definitions_of_cards
from interpreter.program.passes.totality import LOOPS, Totality
from interpreter.program.passes.unswitch import Way, divided, unswitched

Pass = tuple[Callable[[core.Expr], core.Expr], frozenset[type]]
"""A pass, and the nodes of which an expression must have one for it to change anything."""


class Passes:
    """The passes for the expressions of one program.

    With `logged` the rules that expressions reach are recorded, so nothing with tags is evaluated earlier.  Code that
    has `sets` of cards as words needs neither membership nor tabulation: they are a mask there.
    """

    def __init__(self, rules: Rules, layout: Layout, *, logged: bool, sets: bool = False) -> None:
        self.tables = definitions_of_cards(rules, logged=logged)
        """The definitions that are looked up in a table, each after those that it needs."""
        functions = CardFunctions(frozenset(self.tables))
        of_cards = frozenset(definitions_of_cards(rules, logged=False))
        self.logged = logged
        self.totality = Totality(layout, logged=logged)
        self.hoisting = Hoisting(self.totality)
        self.passes: tuple[Pass, ...] = (
            (Inlining(self.totality, of_cards, keep_tagged=logged and sets).run, frozenset({core.CallDefine})),
            (Fusion(self.totality).run, frozenset({*LOOPS, core.IsIn})),
            (simplified, frozenset({core.Op, core.Chain})),
        )
        if not sets:
            self.passes += (
                (Membership(self.totality, functions).run, frozenset({core.Select})),
                (Tabulation(functions).run, frozenset({core.LocalRef})),
            )
        self._done: dict[core.Expr, core.Expr] = {}
        self._selections: dict[core.Binder, core.Select] = {}

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression after all passes."""
        if isinstance(expr, core.Const | core.LocalRef):
            return expr
        if expr not in self._done:
            self._done[expr] = self._last(self._through(expr))
        return self._done[expr]

    def _through(self, expr: core.Expr) -> core.Expr:
        """Return an expression after all passes but the last."""
        for pass_, changed in self.passes:
            if not changed.isdisjoint({part.__class__ for part in core.walk(expr)}):
                spend(PASS, expr.span)
                expr = pass_(expr)
        return expr

    def _last(self, expr: core.Expr) -> core.Expr:
        """Return an expression after the last pass, which finds what is the same in all rounds of a loop."""
        done = self.hoisting.run(expr)
        self._done[done] = done
        return done

    def selection(self, binder: core.Binder) -> core.Expr:
        """Return all that a binder keeps, after all passes."""
        if binder not in self._selections:
            self._selections[binder] = core.Select("all", binder, None, binder.domain.type, binder.domain.span)
        return self.run(self._selections[binder])

    def unswitched(self, arg: core.Arg) -> Way:
        """Return the ways of what an argument's condition keeps."""
        where = None if arg.where is None else self.run(arg.where)
        return unswitched(core.evolved(arg, domain=self.run(arg.domain), where=where), self.totality)

    def candidates(self, binder: core.Binder) -> core.Expr:
        """Return all that a binder keeps; conditions that are the same for all of it choose among loops."""
        select = core.Select("all", binder, None, binder.domain.type, binder.domain.span)
        return self._last(divided(self._through(select), self.totality))
