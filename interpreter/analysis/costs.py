"""Bound the work of every rule before play, so that no spec can keep the machine busy for long.

The cost of an expression is the number of elementary steps it can take at most, from the sizes of the
domains it goes through.  Statements between two decisions are bounded while playing, by a step budget.
"""

from __future__ import annotations

from interpreter.analysis import core, measures
from interpreter.analysis.context import Context
from interpreter.analysis.dependencies import Calls
from interpreter.analysis.limits import RESULT_LIMIT
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Define, Phase
from interpreter.analysis.types import Cards, Int, Player, Sequence, size_of

STEP_LIMIT = 5_000_000
"""Steps that one condition or value may take at most (about a second on a slow machine)."""

SET_LIMIT = 50_000_000
"""Steps that weighing the cards of one choice may take at most, if every result came up."""

HOPELESS = 100_000_000
"""Results of a set's measures from which on nobody need try."""

ACTION_LIMIT = 100_000
"""Small actions that one action of a choice may have at most: the product of its single arguments."""

DOMAIN_LIMIT = 100_000


def _size(domain: core.Expr) -> int:
    type_ = domain.type
    if isinstance(type_, Cards | Sequence):
        if type_.at_most >= 0:
            return max(1, type_.at_most)
        if isinstance(type_, Sequence) and isinstance(type_.item, Int):
            return DOMAIN_LIMIT + 1
    return DOMAIN_LIMIT + 1


class Costs:
    """Costs of expressions and definitions, each reckoned once."""

    def __init__(self, rules: Rules) -> None:
        self.defines: dict[Define, int] = {}
        self.phases: dict[Phase, int] = {}
        for define in rules.defines:
            self.define(define)
        for phase in Calls(rules).order()[0]:
            self.phases[phase] = min(10**30, self.block(phase.body))

    def block(self, block: tuple[core.Stmt, ...]) -> int:
        """Return the most steps that statements can take, with each `while` gone through once."""
        return sum(self.statement(s) for s in block)

    def statement(self, stmt: core.Stmt) -> int:
        """Return the most steps of one statement."""
        match stmt:
            case core.If():
                return self.of(stmt.condition) + max(self.block(stmt.then), self.block(stmt.otherwise))
            case core.For():
                return self.of(stmt.binder.domain) + _size(stmt.binder.domain) * self.turn(stmt)
            case core.While():
                return self.turn(stmt)
            case core.CallPhase(phase=phase):
                return 2 + sum(self.of(a) for a in stmt.args) + self.phases[phase]
            case core.Begin(variable=variable):
                return variable.places + self.of(stmt.value)
            case core.Let() | core.Assign():
                return 1 + sum(self.of(e) for e in core.statement_parts(stmt)[0])
            case _:
                return 20 + sum(self.of(e) for e in core.statement_parts(stmt)[0])

    def turn(self, stmt: core.For | core.While) -> int:
        """Return the most steps of going through the block of a loop once."""
        if isinstance(stmt, core.While):
            return 2 + self.of(stmt.condition) + self.block(stmt.body)
        where = 0 if stmt.binder.where is None else self.of(stmt.binder.where)
        return 1 + where + self.block(stmt.body)

    def of(self, expr: core.Expr) -> int:
        """Return the most steps an expression can take."""
        match expr:
            case core.CallDefine():
                return self.define(expr.define) + sum(self.of(a) for a in expr.args) + 1
            case core.Select() | core.Fold() | core.Extreme():
                inside = 1 + (self.of(expr.binder.where) if expr.binder.where is not None else 0)
                if isinstance(expr, core.Fold):
                    inside += self.of(expr.value)
                if isinstance(expr, core.Extreme):
                    inside += self.of(expr.by)
                return self.of(expr.binder.domain) + _size(expr.binder.domain) * inside
            case core.SomeSubset():
                cards = _size(expr.cards)
                return self.of(expr.cards) + self.measured(expr.such_that, cards)
            case core.Range() | core.ZoneRef():
                return _size(expr) // 10 + sum(self.of(c) for c in core.children(expr)) + 1
            case _:
                return 1 + sum(self.of(c) for c in core.children(expr))

    def measured(self, condition: core.SetCondition, cards: int) -> int:
        """Return the most steps that a condition on a set takes: one for each result its measures can have."""
        inside = 1 + sum(self.of(e) for f in condition.folds for e in (f.value, f.where) if e is not None)
        if measures.is_one_sum(condition):
            fold = condition.folds[0]
            most = fold.type.high if isinstance(fold.type, Int) and fold.type.high is not None else DOMAIN_LIMIT
            return cards * inside + self.masked(condition.condition, fold, most + 1)
        states = 1
        for fold in condition.folds:
            match fold.type:
                case Int(low=int(low), high=int(high)):
                    states *= high - low + 1
                case _:
                    states *= 12
        states = min(1 << min(cards, 40), states)
        if states <= HOPELESS:
            # Few sets have as many results as they could: the machine counts them, and stops at its limit.
            states = min(states, RESULT_LIMIT)
        return states * (1 + self.of(condition.condition)) * max(1, cards)

    def masked(self, expr: core.Expr, fold: core.SetFold, states: int) -> int:
        """Return the most steps of finding the sums for which a condition holds."""
        match expr:
            case core.Op(op="and" | "or" | "not"):
                return sum(self.masked(a, fold, states) for a in expr.args)
            case core.Op(op=op, args=(left, right)) if op in measures.COMPARISONS and any(
                measures.is_measure(side, fold) for side in (left, right)
            ):
                return self.of(left) + self.of(right)
            case core.CallDefine() if measures.opened(expr) is not expr:
                return self.masked(measures.opened(expr), fold, states)
            case core.SomeSubset() if measures.is_sum_against_sum(expr, fold):
                return self.of(expr.cards) + 10 * _size(expr.cards)
            case _:
                return states * self.of(expr)

    def define(self, define: Define) -> int:
        """Return the most steps a definition can take."""
        if define not in self.defines:
            self.defines[define] = 0
            values = [value for _, value in define.lets]
            if define.value is not None:
                values.append(define.value)
            self.defines[define] = min(10**30, sum(self.of(v) for v in values))
        return self.defines[define]


def check_costs(cx: Context, rules: Rules) -> None:
    """Report values and conditions that could take too many steps."""
    costs = Costs(rules)
    places: list[core.Expr] = []
    for phase in rules.every_phase:
        for stmt in core.statements(phase.body):
            places.extend(core.statement_parts(stmt)[0])
            if isinstance(stmt, core.Choice):
                for action in core.all_actions(stmt):
                    _check_set(cx, costs, action)
                    _check_product(cx, rules, costs, action)
            if isinstance(stmt, core.For) and isinstance(stmt.binder.domain.type, Cards | Sequence):
                _check_length(cx, stmt)
        places.extend(v.initial for v in phase.variables if v.initial is not None)
    places.extend(line.value for line in rules.results)
    places.extend(line.condition for line in rules.invariants)
    places.extend(body for d in rules.defines for body in (*(v for _, v in d.lets), d.value) if body is not None)
    for expr in places:
        steps = costs.of(expr)
        if steps > STEP_LIMIT:
            cx.report(
                "CG405", f"this can take {_round(steps)} steps", expr.span,
                "go through fewer things at once, or give zones and variables tighter bounds "
                f"(at most {STEP_LIMIT:,} steps)",
            )  # fmt: skip


def _check_set(cx: Context, costs: Costs, action: core.Action) -> None:
    sets = [a for a in action.args if a.form == "cards"]
    if action.on_set is None or not sets:
        return
    steps = costs.measured(action.on_set, _size(sets[-1].domain))
    if steps > SET_LIMIT:
        cx.report(
            "CG405", f"weighing the cards of this choice can take {_round(steps)} steps", action.span,
            "use fewer measures in `such that`, or give the zone a smaller `at most`",
        )  # fmt: skip


def _check_length(cx: Context, stmt: core.For) -> None:
    most = _size(stmt.binder.domain)
    unbounded = isinstance(stmt.binder.domain.type, Sequence) and stmt.binder.domain.type.at_most < 0
    if most > DOMAIN_LIMIT and not unbounded:
        cx.report("CG405", f"this goes through {_round(most)} things", stmt.binder.domain.span,
                  f"at most {DOMAIN_LIMIT:,}")  # fmt: skip


def _check_product(cx: Context, rules: Rules, costs: Costs, action: core.Action) -> None:
    """Report an action whose single arguments have too many combinations, or take too long to weigh."""
    ways, steps = 1, 0
    for arg in action.args:
        if arg.form == "cards":
            continue
        size = len(rules.faces) if arg.form == "card" else _values(rules, arg)
        ways *= max(1, size)
        steps += ways * (1 + (0 if arg.where is None else costs.of(arg.where)))
    if action.such_that is not None:
        steps += ways * costs.of(action.such_that)
    if ways > ACTION_LIMIT:
        cx.report("CG405", f"`{action.verb}` has {_round(ways)} combinations of arguments", action.span,
                  f"at most {ACTION_LIMIT:,}: make it several decisions")  # fmt: skip
    elif steps > STEP_LIMIT:
        cx.report("CG405", f"weighing the arguments of `{action.verb}` can take {_round(steps)} steps", action.span,
                  "use simpler conditions, or fewer arguments")  # fmt: skip


def _values(rules: Rules, arg: core.Arg) -> int:
    return rules.num_players if isinstance(arg.local.type, Player) else size_of(arg.local.type) or 1


def _round(steps: int) -> str:
    return f"{steps:,}" if steps < 10**12 else f"more than 10^{len(str(steps)) - 1}"
