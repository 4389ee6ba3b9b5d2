"""Loop-invariant code motion: what is the same for all things of a loop is worked out once, in front of it.

"Whoever holds the suit that was led must follow it" asks of every card of a hand what was led, and whether the hand
holds it; neither depends on the card.  Only what takes a loop itself is moved, and only if it is total, since in front
of the loop it is worked out even where a condition before it, or an empty hand, would have kept it from being asked.
What is the same in several places is moved once (common subexpressions).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

import attrs

from interpreter.analysis import core
from interpreter.analysis.substitution import with_parts
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
            case _:  # No other is a loop.
                pass
        return with_parts(expr, self.run)

    def lifted(self, exprs: Sequence[core.Expr], changing: frozenset[Local]) -> tuple[Lets, list[core.Expr]]:
        """Return what to name in front of something in which `changing` change, and expressions with these names."""
        return _named([part for expr in exprs for part in invariants(self.totality, expr, changing)], exprs)

    def shared(self, exprs: Sequence[core.Expr], changing: frozenset[Local]) -> tuple[Lets, list[core.Expr]]:
        """Return what to name in front of several expressions, and these, for what more than one of them asks."""
        found = [{key(part): part for part in invariants(self.totality, expr, changing)} for expr in exprs]
        asked = Counter(key_ for parts in found for key_ in parts)
        return _named([p for parts in found for k, p in parts.items() if asked[k] > 1], exprs)


def invariants(totality: Totality, expr: core.Expr, changing: frozenset[Local]) -> list[core.Expr]:
    """Return the greatest parts of an expression that go through something and do not depend on what changes."""
    return list(_parts(totality, expr, changing))


def _parts(totality: Totality, expr: core.Expr, changing: frozenset[Local]) -> Iterator[core.Expr]:
    if not names_of(expr) & changing and goes_through_something(expr) and totality.is_total(expr):
        yield expr
        return
    if isinstance(expr, LOOPS):
        changing |= {expr.binder.local}
    if not isinstance(expr, core.SomeSubset):
        for part in core.children(expr):
            yield from _parts(totality, part, changing)


def _named(parts: Sequence[core.Expr], exprs: Sequence[core.Expr]) -> tuple[Lets, list[core.Expr]]:
    names: dict[Hashable, core.LocalRef] = {}
    lets: list[tuple[Local, core.Expr]] = []
    moved: dict[core.Expr, core.LocalRef] = {}
    for part in parts:
        found = key(part)
        if found not in names:
            local = Local("", part.type, -1, part.span)
            names[found] = core.LocalRef(local, part.type, part.span)
            lets.append((local, part))
        moved[part] = names[found]
    if not lets:
        return (), list(exprs)

    def change(expr: core.Expr) -> core.Expr:
        if expr in moved:
            return moved[expr]
        return expr if isinstance(expr, core.SomeSubset) else with_parts(expr, change)

    return tuple(lets), [change(expr) for expr in exprs]
