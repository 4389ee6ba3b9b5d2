"""Dead code elimination, for whole plays that nobody looks at: what only tells or shows something is left out.

A statement that turns or shows cards does nothing where no rule asks how cards lie; a branch or a loop does nothing
where its block does not and what it asks is total.
"""

from __future__ import annotations

import attrs

from interpreter.analysis import core
from interpreter.analysis.rules import Rules
from interpreter.program.passes.totality import Totality


@attrs.define
class DeadCode:
    """The pass for one program; `turning_counts` says whether a rule asks how a card lies."""

    totality: Totality
    turning_counts: bool

    @classmethod
    def of(cls, rules: Rules, totality: Totality) -> DeadCode:
        """Find what rules ask."""
        parts = core.walk_with_definitions(*rules.expressions())
        asked = {part.name for part in parts if isinstance(part, core.Builtin)}
        return cls(totality, "face_down" in asked)

    def block(self, block: tuple[core.Stmt, ...]) -> tuple[core.Stmt, ...]:
        """Return the statements of a block that do something."""
        return tuple(left for stmt in block if (left := self._left(stmt)) is not None)

    def _left(self, stmt: core.Stmt) -> core.Stmt | None:
        match stmt:
            case core.Say():
                return None
            case core.Move() | core.Deal() if stmt.face is not None and not self.turning_counts:
                return core.evolved(stmt, face=None)
            case core.Turn():
                return stmt if self.turning_counts or not self._is_idle(stmt.cards) else None
            case core.Show():
                parts = [stmt.cards] if stmt.to is None else [stmt.cards, stmt.to]
                return None if all(map(self._is_idle, parts)) else stmt
            case core.If():
                then, otherwise = self.block(stmt.then), self.block(stmt.otherwise)
                if not then and not otherwise and self.totality.is_total(stmt.condition):
                    return None
                return core.evolved(stmt, then=then, otherwise=otherwise)
            case core.For():
                body = self.block(stmt.body)
                bound = frozenset({stmt.binder.local})
                if not body and all(self.totality.is_total(p, bound) for p in core.binder_parts(stmt.binder)):
                    return None
                return core.evolved(stmt, body=body)
            case _:  # All others do something, or hold what does.
                return stmt

    def _is_idle(self, expr: core.Expr) -> bool:
        return isinstance(expr, core.LocalRef) or self.totality.is_total(expr)
