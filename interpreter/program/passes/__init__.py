"""The passes that make expressions quick: from tree to tree, one file each.

A pass gives an expression that has the same value, needs the same unseen cards and raises the same faults.  Each stays
because it pays where `interpreter.program.optimise` applies it.  Inlining and fusion pay in both languages.  Membership
(Go Fish takes half the time) and hoisting pay in Python alone: C has groups of cards, and conditions on a card, as sets
of bits, each worked out once for all cards.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.analysis import core
from interpreter.analysis.budget import PASS, spend
from interpreter.analysis.rules import Rules
from interpreter.program.card_tables import CardFunctions, definitions_of_cards
from interpreter.program.layout import Layout
from interpreter.program.passes.fuse import Fusion
from interpreter.program.passes.hoist import Hoisting
from interpreter.program.passes.inline import Inlining
from interpreter.program.passes.membership import Membership
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
