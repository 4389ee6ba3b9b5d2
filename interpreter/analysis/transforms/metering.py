"""Gas metering: counters of steps are put where a rule may take many, from checked rules to rules that count.

A pass over checked rules, after all checks.  What surely takes few steps (`LIGHT`) is left as it is; whatever is around
it counts it as a whole.  In all else each round of a loop counts its own steps, each call of a definition or phase its
own, and each selection as many as there are things to go through when it is met.  So a rule that could take billions of
steps and takes six hundred counts six hundred.

Counting is said in the checked rules themselves: `Spend` between statements, and among expressions the functions
`metered` (what is gone through, and the steps for each of it) and `spent` (a value, and the steps that it counts).  So
all code that is generated from the rules, in whatever form, counts the same at the same places.  The printers move or
join nothing that counts, since it is not plain to them.
"""

from __future__ import annotations

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.core import Define, Phase
from interpreter.analysis.lints.costs import CARELESS, LIGHT, Costs, inside_of, said
from interpreter.analysis.rules import Rules
from interpreter.analysis.types import Cards, Int, Sequence

DEFINED = 20_000
"""Definitions that take at most so many steps count nothing themselves: what counts is not moved out of loops."""

FINE = 500
"""Parts of heavier ones that take at most so many steps are counted as a whole, the rest in parts."""

LISTED = 1_000_000
"""Choices whose arguments take at most so many steps to list count nothing there: each decision lists them once."""

COUNTING = 10
"""Steps that counting itself takes."""

Block = tuple[core.Stmt, ...]


def meter(rules: Rules) -> None:
    """Put counters into the bodies of definitions and phases."""
    _Meter(rules).all()


class _Meter:
    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.costs = Costs(rules)
        self.heavy = {define for define, steps in self.costs.defines.items() if steps > DEFINED}

    def all(self) -> None:
        for define in self.rules.defines:
            if define in self.heavy:
                self.define(define)
        for phase in self.rules.every_phase:
            heavy = self.costs.phase(phase) > LIGHT
            body = self.decisions(phase.body)
            phase.body = self.counted(body, phase.span, sum(self.initials(phase))) if heavy else body

        self.rules.results = tuple(attrs.evolve(line, value=self.own(line.value)) for line in self.rules.results)
        self.rules.invariants = tuple(
            attrs.evolve(line, condition=self.own(line.condition)) for line in self.rules.invariants
        )

    def initials(self, phase: Phase) -> list[int]:
        """Meter the first values of a phase's variables, and return their steps."""
        found = []
        for variable in phase.variables:
            if variable.initial is not None:
                variable.initial, steps = self.expr(variable.initial)
                found.append(steps + variable.places)
        return found

    def define(self, define: Define) -> None:
        total = 0
        lets = []
        for local, given in define.lets:
            value, steps = self.expr(given)
            lets.append((local, value))
            total += steps
        define.lets = tuple(lets)
        if define.value is not None:
            value, steps = self.expr(define.value)
            define.value = _spent(value, COUNTING + total + steps)

    # ---- decisions

    def decisions(self, block: Block) -> Block:
        """Meter the actions of all decisions in a block, and what follows on each: steps count anew behind them."""
        return tuple(self._decisions(stmt) for stmt in block)

    def _decisions(self, stmt: core.Stmt) -> core.Stmt:
        if not any(isinstance(s, core.Choice) for s in core.statements((stmt,))):
            return stmt
        within = core.map_blocks(stmt, self.decisions)
        if isinstance(within, core.AtOnce):
            return core.evolved(within, choice=self.choice(within.choice))
        return self.choice(within) if isinstance(within, core.Choice) else within

    def choice(self, choice: core.Choice) -> core.Choice:
        listed = sum(map(self.listing, core.all_actions(choice))) <= LISTED
        otherwise = None if choice.otherwise is None else self.action(choice.otherwise, listed=listed)
        actions = tuple(self.action(action, listed=listed) for action in choice.actions)
        return core.evolved(choice, actions=actions, otherwise=otherwise)

    def action(self, action: core.Action, *, listed: bool) -> core.Action:
        """Meter the effect of an action and, unless all of the choice is quickly `listed`, what it can be."""
        body = action.body
        if self.costs.block(body) > LIGHT:
            body = self.counted(body, action.span)
        if listed:
            return core.evolved(action, body=body)
        only_if, such_that, args = action.only_if, action.such_that, []
        after = 1
        if only_if is not None:
            only_if, _ = self.expr(only_if)
        if such_that is not None:
            such_that, after = self.expr(such_that)
        last = action.args[-1] if action.args else None
        if last is not None and last.on_set is not None:
            after += self.costs.of(last.domain)
        single = [arg for arg in action.args if arg.form != "cards"]
        for arg in action.args:
            domain, _ = self.expr(arg.domain)
            where, steps = (None, 0) if arg.where is None else self.expr(arg.where)
            if arg.form != "cards":
                domain = _metered(domain, 1 + steps + (after if arg is single[-1] else 0), arg.span)
            on_set = None if arg.on_set is None else self.condition(arg.on_set)
            args.append(core.evolved(arg, domain=domain, where=where, on_set=on_set))
        return core.evolved(action, args=tuple(args), only_if=only_if, such_that=such_that, body=body)

    def listing(self, action: core.Action) -> int:
        """Return the most steps of finding out what an action can be, as far as its arguments go."""
        total = 0 if action.only_if is None else self.costs.of(action.only_if)
        ways = 1
        for arg in action.args:
            total += ways * self.costs.of(arg.domain)
            many = self.costs.size(arg.domain)
            total += ways * many * (1 + (0 if arg.where is None else self.costs.of(arg.where)))
            if arg.on_set is not None:
                total += ways * sum(self.costs.of(e) for e in core.children(arg.on_set))
            if arg.form != "cards":
                ways *= many
        total += 0 if action.such_that is None else ways * self.costs.of(action.such_that)
        return total

    # ---- statements

    def counted(self, block: Block, span: Span, more: int = 0) -> Block:
        """Return a block that counts its own steps where it begins."""
        body, steps = self.block(block)
        return (core.Spend(COUNTING + more + steps, span), *body)

    def block(self, block: Block) -> tuple[Block, int]:
        """Return a block in which what is heavy counts itself, and the steps of the rest."""
        out: list[core.Stmt] = []
        total = 0
        for stmt in block:
            metered, steps = self.statement(stmt)
            out.append(metered)
            total += steps
        return tuple(out), total

    def statement(self, stmt: core.Stmt) -> tuple[core.Stmt, int]:
        cost = self.costs.statement(stmt)
        if cost <= FINE:
            return stmt, cost
        match stmt:
            case core.If():
                condition, steps = self.expr(stmt.condition)
                (then, one), (otherwise, other) = self.block(stmt.then), self.block(stmt.otherwise)
                if max(one, other) > FINE:
                    then = (core.Spend(COUNTING + one, stmt.span), *then)
                    otherwise = (core.Spend(COUNTING + other, stmt.span), *otherwise) if otherwise else ()
                    one = other = 0
                steps += 1 + max(one, other)
                return core.evolved(stmt, condition=condition, then=then, otherwise=otherwise), steps
            case core.For():
                binder, steps, where = self.binder(stmt.binder, stmt.span)
                body = self.counted(stmt.body, stmt.span)
                return core.evolved(stmt, binder=binder, body=body), 2 + steps + where
            case core.InTurn():
                binder, steps, where = self.binder(stmt.binder, stmt.span)
                body, more = self.block(stmt.body)
                spend = core.Spend(COUNTING + more + where, stmt.span)
                return core.evolved(stmt, binder=binder, body=(spend, *body)), 2 + steps
            case core.While():
                condition, steps = self.expr(stmt.condition)
                body, more = self.block(stmt.body)
                spend = core.Spend(COUNTING + more + steps, stmt.span)
                return core.evolved(stmt, condition=condition, body=(spend, *body)), 2 + steps
            case core.AtOnce():
                binder, steps, where = self.binder(stmt.binder, stmt.span)
                return core.evolved(stmt, binder=binder), 2 + steps + where
            case core.CallPhase():
                args = [self.expr(arg) for arg in stmt.args]
                own = self.costs.phase(stmt.phase)
                steps = 2 + sum(steps for _, steps in args) + (own if own <= LIGHT else 0)
                return core.evolved(stmt, args=tuple(arg for arg, _ in args)), steps
            case core.Let() | core.Begin() | core.Assign() | core.Show() | core.Turn():
                return self.parts(stmt)
            case core.Say():
                parts = [(part, 0) if isinstance(part, str) else self.expr(part) for part in stmt.parts]
                return core.evolved(stmt, parts=tuple(part for part, _ in parts)), said(stmt) + sum(k for _, k in parts)
            case core.Move():
                cards, steps = self.moved(stmt.cards)
                return core.evolved(stmt, cards=cards), 20 + steps
            case core.Shuffle():
                steps = 0
                if stmt.cards is not None:
                    cards, steps = self.moved(stmt.cards)
                    stmt = core.evolved(stmt, cards=cards)
                return stmt, CARELESS + self.costs.size(stmt.zone) // 2 + steps
            case core.Random():
                arg = stmt.arg
                domain, steps = self.expr(arg.domain)
                kept, each = (None, 0) if arg.where is None else self.expr(arg.where)
                domain, more = self.gone_through(domain, 1 + each, arg.span)
                return core.evolved(stmt, arg=core.evolved(arg, domain=domain, where=kept)), CARELESS + steps + more
            case core.Choice() | core.End() | core.Reopen() | core.Together():
                return stmt, min(cost, LIGHT)
            case _:
                core.assert_simple(stmt)
                return stmt, min(cost, LIGHT)

    def parts(self, stmt: core.Let | core.Begin | core.Assign | core.Show | core.Turn) -> tuple[core.Stmt, int]:
        """Meter the one value of a statement."""
        name = "cards" if isinstance(stmt, core.Show | core.Turn) else "value"
        value, steps = self.expr(getattr(stmt, name))
        changed: core.Stmt = core.evolved(stmt, **{name: value})
        return changed, 20 + steps + (stmt.variable.places if isinstance(stmt, core.Begin) else 0)

    def moved(self, cards: core.Expr) -> tuple[core.Expr, int]:
        """Meter cards that are taken from where they lie."""
        found, steps = self.expr(cards)
        own = self.costs.moved(cards)
        if own <= FINE or not isinstance(cards.type, Cards | Sequence):
            return found, steps + own
        return _metered(found, max(1, own // max(1, self.costs.size(cards))), cards.span), steps

    def binder(self, binder: core.Binder, span: Span, *inside: int) -> tuple[core.Binder, int, int]:
        """Meter what a loop goes through; return also the steps for that, and those for its condition each time."""
        domain, steps = self.expr(binder.domain)
        where, each = (None, 0) if binder.where is None else self.expr(binder.where)
        if binder.start is not None:
            steps += self.costs.of(binder.start)
        metered, more = self.gone_through(domain, 1 + each + sum(inside), span)
        return core.evolved(binder, domain=metered, where=where), steps + more, each

    def gone_through(self, domain: core.Expr, each: int, span: Span) -> tuple[core.Expr, int]:
        """Return what is gone through, counting so many steps for each of it, and the steps that it does not count.

        What is surely short is counted as a whole, and so it stays plain to the printers.
        """
        most = self.costs.size(domain) * each
        return (domain, most) if most <= FINE else (_metered(domain, each, span), 0)

    # ---- expressions

    def expr(self, expr: core.Expr) -> tuple[core.Expr, int]:
        """Return an expression in which what is heavy counts itself, and the steps of the rest."""
        cost = self.costs.of(expr)
        if cost <= FINE:
            return expr, cost
        match expr:
            case core.Select() | core.Fold() | core.Extreme():
                return self.loop(expr)
            case core.SomeSubset():
                cards, steps = self.expr(expr.cards)
                changed = core.evolved(expr, cards=cards, such_that=self.condition(expr.such_that))
                return changed, steps + min(LIGHT, self.costs.size(expr.cards))
            case core.CallDefine():
                args = [self.expr(arg) for arg in expr.args]
                own = 1 if expr.define in self.heavy else self.costs.define(expr.define)
                return core.evolved(expr, args=tuple(a for a, _ in args)), 1 + own + sum(k for _, k in args)
            case core.ZoneRef():
                return expr, min(cost, LIGHT)
            case _:
                total = 1

                def part(inner: core.Expr) -> core.Expr:
                    nonlocal total
                    metered, steps = self.expr(inner)
                    total += steps
                    return metered

                return core.map_children(expr, part), total

    def loop(self, loop: core.Select | core.Fold | core.Extreme) -> tuple[core.Expr, int]:
        own: list[core.Expr] = inside_of(loop)[0 if loop.binder.where is None else 1 :]
        asked = [self.expr(part) for part in own]
        binder, steps, _ = self.binder(loop.binder, loop.span, *(k for _, k in asked))
        match loop:
            case core.Select():
                return core.evolved(loop, binder=binder), COUNTING + steps
            case core.Extreme():
                return core.evolved(loop, binder=binder, by=asked[0][0]), COUNTING + steps
            case core.Fold():
                by = asked[1][0] if len(asked) > 1 else None
                return core.evolved(loop, binder=binder, value=asked[0][0], by=by), COUNTING + steps

    def condition(self, condition: core.SetCondition) -> core.SetCondition:
        """Meter the parts of a condition on a set, each of which counts itself."""
        changed = {}
        for fold in condition.folds:
            value = None if fold.value is None else self.own(fold.value)
            where = None if fold.where is None else self.own(fold.where)
            if value is not fold.value or where is not fold.where:
                changed[fold] = core.evolved(fold, value=value, where=where)
        test = self.own(condition.condition)
        folds = tuple(changed.get(fold, fold) for fold in condition.folds)
        return core.SetCondition(folds, core.with_folds(test, changed))

    def own(self, expr: core.Expr) -> core.Expr:
        """Return an expression that counts all its steps itself, if they may be many."""
        if self.costs.of(expr) <= LIGHT:
            return expr
        metered, steps = self.expr(expr)
        return _spent(metered, steps)


def counts(*exprs: core.Expr) -> bool:
    """Say whether carrying out expressions may count steps, themselves or in definitions."""
    parts = core.walk_with_definitions(*exprs)
    return any(isinstance(part, core.Builtin) and part.name in ("metered", "spent") for part in parts)


def _metered(domain: core.Expr, steps: int, span: Span) -> core.Expr:
    """Return what is gone through, counting so many steps for each of it when it is met."""
    return core.Builtin("metered", (domain, _number(steps, span)), domain.type, span)


def _spent(value: core.Expr, steps: int) -> core.Expr:
    """Return a value, counting so many steps when it is asked for."""
    return core.Builtin("spent", (value, _number(steps, value.span)), value.type, value.span)


def _number(value: int, span: Span) -> core.Const:
    return core.Const(value, Int(value, value), span)
