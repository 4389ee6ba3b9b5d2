"""Loop-invariant code motion: what is the same for all things of a loop is worked out once, in front of it.

"Whoever holds the suit that was led must follow it" asks of every card of a hand what was led, and whether the hand
holds it; neither depends on the card.  Only what takes a loop itself is moved, and only if it is total, since in front
of the loop it is worked out even where a condition before it, or an empty hand, would have kept it from being asked.
Parts that are the same in several places, or inside of each other, are worked out once: common subexpression
elimination, by value numbering.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterator, Sequence

import attrs

from interpreter.analysis import core
from interpreter.analysis.symbols import Local
from interpreter.program.passes.rewriting import key
from interpreter.program.passes.totality import LOOPS, Totality, goes_through_something, names_of

Lets = tuple[tuple[Local, core.Expr], ...]
"""Names, and the values that they are given in front of something."""


@attrs.define
class Hoisting:
    """The pass for one program."""

    totality: Totality

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression in which each loop names in front of it what is the same in all its rounds."""
        match expr:
            case core.Select() | core.Fold() | core.Extreme() if expr.binder.where is not None:
                lets, (where,) = self.lifted([expr.binder.where], frozenset({expr.binder.local}))
                if lets:
                    expr = core.evolved(expr, binder=core.evolved(expr.binder, where=where, before=lets))
            case core.SomeSubset():
                return expr
        return core.map_children(expr, self.run)

    def lifted(self, exprs: Sequence[core.Expr], changing: frozenset[Local]) -> tuple[Lets, list[core.Expr]]:
        """Return what to name in front of something in which `changing` change, and expressions with these names."""
        numbers = _Numbering(self.totality, changing)
        for expr in exprs:
            numbers.add(expr)
        return numbers.named(exprs, numbers.outermost | numbers.repeated())


def invariants(totality: Totality, expr: core.Expr, changing: frozenset[Local]) -> list[core.Expr]:
    """Return the greatest parts of an expression that go through something and do not depend on what changes."""
    return list(_parts(totality, expr, changing))


def _parts(totality: Totality, expr: core.Expr, changing: frozenset[Local]) -> Iterator[core.Expr]:
    if not names_of(expr) & changing and goes_through_something(expr) and totality.is_total(expr):
        yield expr
        return
    for part, changed in _inside(expr, changing):
        yield from _parts(totality, part, changed)


def _inside(expr: core.Expr, changing: frozenset[Local]) -> Iterator[tuple[core.Expr, frozenset[Local]]]:
    """Give the expressions directly inside of one, each with what changes there."""
    if isinstance(expr, LOOPS):
        # Names in front of the loop, from an earlier run of the pass, have no value outside of it either.
        changing |= {expr.binder.local, *(local for local, _ in expr.binder.before)}
    if not isinstance(expr, core.SomeSubset):
        yield from ((part, changing) for part in core.children(expr))


@attrs.define
class _Numbering:
    """Value numbering of the parts that go through something and do not depend on what changes, by their keys.

    `uses` counts where a part stands: in how many other parts, that are different, or outside of all.
    """

    totality: Totality
    changing: frozenset[Local]
    uses: Counter[Hashable] = attrs.field(factory=Counter)
    outermost: set[Hashable] = attrs.field(factory=set)
    _keys: dict[core.Expr, Hashable] = attrs.field(factory=dict)

    def add(self, expr: core.Expr) -> None:
        """Take up the parts of an expression."""
        for part in invariants(self.totality, expr, self.changing):
            self.outermost.add(key(part))
            self._take(part, self.changing, count=True)

    def _take(self, part: core.Expr, changing: frozenset[Local], *, count: bool) -> None:
        found = self._keys[part] = key(part)
        self.uses[found] += count
        count = count and self.uses[found] == 1  # Those inside of the same part stand in one place.
        for inner, changed in _inside(part, changing):
            for other in invariants(self.totality, inner, changed):
                self._take(other, changed, count=count)

    def repeated(self) -> set[Hashable]:
        """Return the keys of the parts that stand in more than one place."""
        return {found for found, uses in self.uses.items() if uses > 1}

    def named(self, exprs: Sequence[core.Expr], wanted: Container[Hashable]) -> tuple[Lets, list[core.Expr]]:
        """Return names for parts, those inside of others first, and the expressions with these names."""
        names: dict[Hashable, core.LocalRef] = {}
        lets: list[tuple[Local, core.Expr]] = []

        def change(expr: core.Expr) -> core.Expr:
            found = self._keys.get(expr)
            if found is None or found not in wanted:
                return expr if isinstance(expr, core.SomeSubset) else core.map_children(expr, change)
            if found not in names:
                value = core.map_children(expr, change)
                local = Local("", expr.type, -1, expr.span)
                names[found] = core.LocalRef(local, expr.type, expr.span)
                lets.append((local, value))
            return names[found]

        changed = [change(expr) for expr in exprs]
        return tuple(lets), changed
