"""Inlining: the body of a definition replaces its call, with the arguments put in.

What the other passes look for (a selection from a selection, a condition on one card) is mostly split over several
definitions in a spec.  Only bodies up to a limit of size are put in, and only where no argument would be worked out
more often than the call does it.
"""

from __future__ import annotations

from collections.abc import Container

import attrs

from interpreter.analysis import core
from interpreter.analysis.core import Define
from interpreter.analysis.substitution import inlined
from interpreter.analysis.types import is_optional
from interpreter.program.passes.rewriting import bottom_up
from interpreter.program.passes.totality import Totality, is_tagged


@attrs.define
class Inlining:
    """The pass for one program.

    `tables` are definitions that are looked up in a table of cards, which is quicker than any body.  C that
    counts rules keeps calls of tagged definitions (`keep_tagged`), which count each use.
    """

    totality: Totality
    tables: Container[Define]
    keep_tagged: bool = False

    def run(self, expr: core.Expr) -> core.Expr:
        """Return an expression with the short definitions that it calls written out."""
        return bottom_up(expr, self._inlined)

    def _inlined(self, expr: core.Expr) -> core.Expr:
        if isinstance(expr, core.CallDefine) and self._may_inline(expr) and (body := inlined(expr)) is not None:
            tags = expr.define.declaration.tags
            # A chain of one alternative keeps the tags that the call reaches.
            return core.Chain(((None, self.run(body)),), expr.type, expr.span, (tags,)) if tags else self.run(body)
        return expr

    def _may_inline(self, call: core.CallDefine) -> bool:
        """Say whether the body of a definition may stand in the place of its call."""
        define = call.define
        if define in self.tables or (self.keep_tagged and is_tagged(define)):
            return False
        return all(
            self._is_read_again(given) and (is_optional(param.type) or not is_optional(given.type))
            for given, param in zip(call.args, define.params, strict=True)
        )

    def _is_read_again(self, expr: core.Expr) -> bool:
        """Say whether an argument can be read again and again, with nothing to be found out and at no cost."""
        if isinstance(expr, core.LocalRef | core.Const):
            return True
        return isinstance(expr, core.ZoneRef) and self.totality.is_total(expr)
