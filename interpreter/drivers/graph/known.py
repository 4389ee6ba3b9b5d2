"""What the number of players and the options decide about a spec before play begins.

The picture is drawn from the syntax tree, since that has the words of the author.  Which branches can be
taken at all is known to the checked rules, where every option is a constant; the two are matched by their
places in the text.
"""

from __future__ import annotations

from grammar import ast as syntax
from grammar import expressions as terms
from grammar import statements as syntax_stmt
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.rules import Rules

_Place = tuple[str, int, int]


def _place(span: Span) -> _Place:
    return span.source.name, span.start, span.end


class Known:
    """Looks up what is decided before play."""

    def __init__(self, rules: Rules) -> None:
        """Collect the conditions of checked rules by the places of the statements that they stand in."""
        self._ifs: dict[_Place, core.Expr] = {}
        self._whiles: dict[_Place, core.Expr] = {}
        self._never: set[_Place] = set()
        for stmt in rules.statements():
            match stmt:
                case core.If():
                    self._ifs[_place(stmt.span)] = stmt.condition
                case core.While():
                    self._whiles[_place(stmt.span)] = stmt.condition
                case core.AtOnce():
                    self._note(stmt.choice)
                case core.Choice():
                    self._note(stmt)
                case _:  # No other has a condition that could be settled.
                    pass

    def _note(self, choice: core.Choice) -> None:
        for action in core.all_actions(choice):
            if _constant(action.only_if) is False:
                self._never.add(_place(action.span))

    def offered(self, choice: syntax_stmt.Choice) -> tuple[syntax_stmt.Action, ...]:
        """Return the actions of a decision that can be possible at all."""
        every = choice.actions if choice.otherwise is None else (*choice.actions, choice.otherwise)
        return tuple(a for a in every if _place(a.span) not in self._never)

    def test(self, stmt: syntax_stmt.If | syntax_stmt.While | syntax_stmt.Repeat) -> bool | terms.Expr:
        """Return whether a condition holds, where that is known, else what is left to ask of it.

        For `repeat` that is what follows `until`.
        """
        if isinstance(stmt, syntax_stmt.If):
            return _left(stmt.condition, self._ifs.get(_place(stmt.span)))
        found = self._whiles.get(_place(stmt.span))
        if isinstance(stmt, syntax_stmt.While):
            return _left(stmt.condition, found)
        known = _constant(found)
        if known is not None:
            return not known
        # The checked rules ask whether to go on, so what the text says stands inside a `not`.
        return _left(stmt.until, found.args[0] if isinstance(found, core.Op) and found.op == "not" else None)

    def cases(self, stmt: syntax_stmt.Match) -> list[syntax_stmt.Case]:
        """Return the cases that can be met, in order; what follows `otherwise` has no patterns."""
        out: list[syntax_stmt.Case] = []
        for case in stmt.cases:
            known = _constant(self._ifs.get(_place(case.span)))
            if known is False:
                continue
            out.append(case)
            if known is True:
                return out
        if stmt.otherwise is not None:
            out.append(syntax_stmt.Case((), stmt.otherwise, span=stmt.span))
        return out


def _constant(expr: core.Expr | None) -> bool | None:
    return expr.value if isinstance(expr, core.Const) and isinstance(expr.value, bool) else None


def _left(written: terms.Expr, checked: core.Expr | None) -> bool | terms.Expr:
    """Return what is left of a condition as it was written, by what the checker left of it."""
    known = _constant(checked)
    if known is not None:
        return known
    return written if checked is None else _at(written, checked.span) or written


def _at(expr: terms.Expr, span: Span) -> terms.Expr | None:
    """Return the part of a condition at a place."""
    if _place(expr.span) == _place(span):
        return expr
    if isinstance(expr, terms.Logic):
        return _at(expr.left, span) or _at(expr.right, span)
    return None


def phases_of(spec: syntax.Spec) -> dict[str, syntax.PhaseDecl]:
    """Return the phases of a spec whose parts are put together, by name."""
    return {item.name: item for item in spec.items if isinstance(item, syntax.PhaseDecl)}
