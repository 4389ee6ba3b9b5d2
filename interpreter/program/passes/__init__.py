"""The passes that make rules quick: from tree to tree, one file each, in one list.

Each expression of a statement, and each definition, goes through them before it is printed.  A pass gives an expression
that comes to the same, asks for the same unseen cards and raises the same faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from interpreter.analysis import core
from interpreter.analysis.budget import PASS, spend
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local
from interpreter.program.layout import Layout
from interpreter.program.passes.fuse import Fusion
from interpreter.program.passes.hoist import Hoisting, Lets
from interpreter.program.passes.inline import Inlining
from interpreter.program.passes.membership import Membership
from interpreter.program.passes.simplify import simplified
from interpreter.program.passes.tabulate import CardFunctions, Tabulation, definitions_of_cards
from interpreter.program.passes.totality import LOOPS, Totality
from interpreter.program.passes.unroll import Unrolling
from interpreter.program.passes.unswitch import Way, unswitched

Pass = tuple[Callable[[core.Expr], core.Expr], frozenset[type]]
"""A pass, and the nodes of which an expression must have one for it to change anything."""


class Passes:
    """The passes for the code of one program; `logged` code tells which rules are reached, in order.

    Code that has `sets` of cards as words goes through loops as they stand: what the late passes make of them is a mask
    there, or a loop of a few instructions.
    """

    def __init__(self, rules: Rules, layout: Layout, *, logged: bool, sets: bool = False) -> None:
        self.tables = definitions_of_cards(rules, logged=logged)
        """The definitions that are looked up in a table, those before that others need."""
        known = frozenset(self.tables)
        functions = CardFunctions(known)
        self.logged = logged
        self.totality = Totality(layout)
        self.hoisting = Hoisting(self.totality)
        self.early: tuple[Pass, ...] = (
            (Inlining(self.totality, known, logged).run, frozenset({core.CallDefine})),
            (Fusion(self.totality).run, frozenset({*LOOPS, core.IsIn})),
            (simplified, frozenset({core.Op, core.Chain})),
        )
        self.late: tuple[Pass, ...] = (
            ()
            if sets
            else (
                (Unrolling(self.totality, rules.num_players, known, logged).run, frozenset(LOOPS)),
                (Membership(self.totality, functions).run, frozenset({core.Select})),
                (Tabulation(functions).run, frozenset({core.LocalRef})),
            )
        )
        self._selections: dict[core.Binder, core.Select] = {}
        self._kinds: dict[core.Expr, frozenset[type]] = {}
        self._early: dict[core.Expr, core.Expr] = {}
        self._late: dict[core.Expr, core.Expr] = {}
        self._done: dict[core.Expr, core.Expr] = {}

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression behind all passes."""
        if isinstance(expr, core.Const | core.LocalRef):
            return expr
        late = self._behind_late(expr)
        if late not in self._done:
            self._finish(late, self._through(late, (self.hoisting.run, frozenset(LOOPS))))
        return self._done[late]

    def run_early(self, expr: core.Expr) -> core.Expr:
        """Return an expression behind those passes after which its loops still stand as they are written."""
        if expr not in self._early:
            early = self._through(expr, *self.early)
            self._early[expr] = self._early[early] = early
        return self._early[expr]

    def _behind_late(self, expr: core.Expr) -> core.Expr:
        """Return an expression behind all passes but the last, which needs to know what stands in front of what."""
        if expr not in self._late:
            late = self._through(self.run_early(expr), *self.late)
            self._late[expr] = self._late[late] = late
        return self._late[expr]

    def _finish(self, late: core.Expr, done: core.Expr) -> None:
        self._done[late] = self._early[done] = self._late[done] = self._done[done] = done

    def _through(self, expr: core.Expr, *passes: Pass) -> core.Expr:
        """Return an expression behind some passes."""
        for pass_, changed in passes:
            if not changed.isdisjoint(self._kinds_in(expr)):
                spend(PASS, expr.span)
                expr = pass_(expr)
        return expr

    def _kinds_in(self, expr: core.Expr) -> frozenset[type]:
        if expr not in self._kinds:
            self._kinds[expr] = frozenset(part.__class__ for part in core.walk(expr))
        return self._kinds[expr]

    def selection(self, binder: core.Binder) -> core.Expr:
        """Return all that a binder keeps, behind all passes."""
        if binder not in self._selections:
            self._selections[binder] = core.Select("all", binder, None, binder.domain.type, binder.domain.span)
        return self.run(self._selections[binder])

    # ---- in front of several

    def lifted(self, exprs: Sequence[core.Expr], *changing: Local) -> tuple[Lets, list[core.Expr]]:
        """Return what to name in front of a loop in which `changing` change, and expressions within it."""
        lets, left = self.hoisting.lifted([self._behind_late(e) for e in exprs], frozenset(changing))
        return self._finished(lets), self._all_finished(left)

    @contextmanager
    def sharing(self, exprs: Sequence[core.Expr], *changing: Local) -> Iterator[Lets]:
        """Give what to name in front of several expressions, which ask it for the time being.

        Logged code asks them one by one, since it notes which rules each reaches.
        """
        before = dict(self._late)
        late = [self._behind_late(e) for e in exprs]
        lets, left = ((), late) if self.logged else self.hoisting.shared(late, frozenset(changing))
        # A whole expression may be shared: its value is finished before its name takes its place.
        named = self._finished(lets)
        self._late.update({e: new for expr, old, new in zip(exprs, late, left, strict=True) for e in (expr, old, new)})
        try:
            yield named
        finally:
            self._late = before

    def _finished(self, lets: Lets) -> Lets:
        return tuple((local, self.run(value)) for local, value in lets)

    def _all_finished(self, exprs: Sequence[core.Expr]) -> list[core.Expr]:
        for expr in exprs:
            self._early.setdefault(expr, expr)
            self._late.setdefault(expr, expr)
        return [self.run(expr) for expr in exprs]

    def unswitched(self, arg: core.Arg) -> Way:
        """Return the ways of what an argument's condition keeps."""
        where = None if arg.where is None else self.run_early(arg.where)
        return unswitched(core.evolved(arg, domain=self.run_early(arg.domain), where=where), self.totality)
