"""Constant folding for the picture: what the number of players and the options decide about a spec before play begins.

The picture is drawn from the syntax tree, since that has the words of the author.  Which branches can be taken at all
the checker has found, for which every option is a constant.
"""

from __future__ import annotations

import attrs

from grammar import ast as syntax
from grammar import expressions as terms
from grammar import statements as stmts
from interpreter.analysis.info import Info


@attrs.frozen
class Known:
    """Looks up what is decided before play."""

    info: Info

    def offered(self, choice: stmts.Choice) -> tuple[stmts.Action, ...]:
        """Return the actions of a decision that can be possible at all."""
        every = choice.actions if choice.otherwise is None else (*choice.actions, choice.otherwise)
        return tuple(a for a in every if a.only_if is None or self.info.constant(a.only_if) is not False)

    def test(self, condition: terms.Expr) -> bool | terms.Expr:
        """Return whether a condition holds, where that is known, else what is left to ask of it."""
        known = self.info.constant(condition)
        if isinstance(known, bool):
            return known
        if isinstance(condition, terms.Logic):
            for side, other in ((condition.left, condition.right), (condition.right, condition.left)):
                if self.test(side) is (condition.op == "and"):
                    return self.test(other)
        return condition

    def cases(self, stmt: stmts.Match) -> list[stmts.Case]:
        """Return the cases that can be met, in order; what follows `otherwise` has no patterns."""
        out: list[stmts.Case] = []
        for case in stmt.cases:
            known = self.info.constant(case)
            if known is not False:
                out.append(case)
            if known is True:
                return out
        if stmt.otherwise is not None:
            out.append(stmts.Case((), stmt.otherwise, span=stmt.span))
        return out


def phases_of(spec: syntax.Spec) -> dict[str, syntax.PhaseDecl]:
    """Return the phases of a spec whose parts are put together, by name."""
    return {item.name: item for item in spec.items if isinstance(item, syntax.PhaseDecl)}
