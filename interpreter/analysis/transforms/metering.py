"""Gas metering: counters of executed steps, from checked rules to rules that count.

A pass over checked rules, after all checks.  A step is

- one round of a loop statement, one call of a phase, one call of a definition;
- one member that a selection goes through, up to the member at which `first`, `some` and `no` stop;
- `OPERATIONS_OF_A_STEP` operations of the short parts of these: what takes at most `LIGHT` operations, by the types of
  what it goes through, is not counted inside, but together with the part around it.

The counters are part of the rules: `Spend` in front of a block, and the function `spent` around a value or a condition.
It is not total, so no pass moves, joins or repeats what counts, and all engines count the same at the same places.
"""

from __future__ import annotations

from typing import TypeVar

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.rules import Rules
from interpreter.analysis.types import BOOL, Int
from interpreter.analysis.work import LIGHT, Bounds, size, steps_of

LISTED = 1_000_000
"""Steps of listing all that the single arguments of an action can be, from which on each combination is counted."""

Block = tuple[core.Stmt, ...]
_Node = TypeVar("_Node", core.Stmt, core.Expr)


def meter(rules: Rules) -> None:
    """Put counters into the bodies of definitions and phases, into results and invariants."""
    _Meter(rules).all()


class _Meter:
    """Each method returns a part of the rules that counts, and the operations that it does not count itself."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.bounds = Bounds(rules)

    def all(self) -> None:
        for define in self.rules.defines:
            if self.bounds.defines[define] > LIGHT:
                self.define(define)
        for phase in self.rules.every_phase:
            counts = self.bounds.phase(phase) > LIGHT
            first = sum(map(self.first_value, phase.variables))
            body, rest = self.block(phase.body)
            phase.body = (core.Spend(steps_of(first + rest), phase.span), *body) if counts else body
        self.rules.results = tuple(attrs.evolve(line, value=self.expr(line.value)[0]) for line in self.rules.results)
        self.rules.invariants = tuple(
            attrs.evolve(line, condition=self.expr(line.condition)[0]) for line in self.rules.invariants
        )

    def define(self, define: core.Define) -> None:
        """Meter a definition, which counts its calls."""
        total = 0
        lets = []
        for local, given in define.lets:
            value, rest = self.expr(given)
            lets.append((local, value))
            total += rest
        define.lets = tuple(lets)
        if define.value is not None:
            value, rest = self.expr(define.value)
            define.value = _spent_first(value, steps_of(total + rest))

    def first_value(self, variable: core.Variable) -> int:
        """Meter the first value of a variable of a phase; return its operations."""
        if variable.initial is None:
            return 0
        variable.initial, rest = self.expr(variable.initial)
        return rest + variable.places

    # ---- statements

    def block(self, block: Block) -> tuple[Block, int]:
        metered = [self.statement(stmt) for stmt in block]
        return tuple(stmt for stmt, _ in metered), sum(rest for _, rest in metered)

    def round(self, block: Block, span: Span, more: int = 0) -> Block:
        """Return the body of a loop, which counts its rounds."""
        body, rest = self.block(block)
        return (core.Spend(steps_of(rest + more), span), *body)

    def statement(self, stmt: core.Stmt) -> tuple[core.Stmt, int]:
        bound = self.bounds.statement(stmt)
        if bound <= LIGHT and not any(isinstance(s, core.Choice) for s in core.statements((stmt,))):
            return stmt, bound
        metered, rests = self.parts(stmt)
        own, rest = self.bounds.own_of(stmt), sum(rests.values())
        match metered:
            case core.If():
                (then, one), (otherwise, other) = self.block(metered.then), self.block(metered.otherwise)
                return core.evolved(metered, then=then, otherwise=otherwise), 1 + rest + max(one, other)
            case core.For():
                return self.for_each(metered, rests), own + min(LIGHT, rest)
            case core.While() | core.InTurn():
                return core.evolved(metered, body=self.round(metered.body, stmt.span, rest)), own
            case core.CallPhase():
                called = self.bounds.phase(metered.phase)
                return metered, own + rest + (called if called <= LIGHT else 0)
            case core.Together():
                body, inside = self.block(metered.body)
                return core.evolved(metered, body=body), inside
            case core.AtOnce():
                choice, _ = self.statement(metered.choice)
                return core.evolved(metered, choice=choice), own + rest
            case core.Choice():
                choice = core.evolved(metered, actions=tuple(map(self.listed, metered.actions)))
                return core.map_blocks(choice, lambda block: self.block(block)[0]), min(bound, LIGHT)
        return metered, own + rest

    def for_each(self, loop: core.For, rests: dict[core.Expr, int]) -> core.For:
        """Return a loop that counts its rounds, and what it leaves out where that may be much."""
        binder = loop.binder
        if binder.where is not None and self.bounds.selection(binder) > LIGHT:
            binder = self.members(binder, rests, loop.span)
        return core.evolved(loop, binder=binder, body=self.round(loop.body, loop.span))

    def listed(self, action: core.Action) -> core.Action:
        """Return an action that counts the combinations of its single arguments, if there may be many."""
        single = [place for place, arg in enumerate(action.args) if arg.form != "cards"]
        ways = each = 1
        for arg in action.args:
            ways *= size(arg.domain) if arg.form != "cards" else 1
            each += sum(map(self.bounds.of, core.children(arg)))
        each += 0 if action.such_that is None else self.bounds.of(action.such_that)
        if not single or ways * each <= LISTED:
            return action
        args = list(action.args)
        last = args[single[-1]]
        kept = last.where or core.Const(value=True, type=BOOL, span=last.span)
        args[single[-1]] = core.evolved(last, where=_spent(kept, steps_of(min(each, LIGHT))))
        return core.evolved(action, args=tuple(args))

    # ---- expressions

    def expr(self, expr: core.Expr) -> tuple[core.Expr, int]:
        bound = self.bounds.of(expr)
        if bound <= LIGHT:
            return expr, bound
        metered, rests = self.parts(expr)
        match metered:
            case core.Select() | core.Fold() | core.Extreme():
                once = sum(rests.get(part, 0) for part in (metered.binder.domain, metered.binder.start) if part)
                return core.evolved(metered, binder=self.members(metered.binder, rests, expr.span)), 1 + once
            case core.CallDefine() if self.bounds.defines[metered.define] > LIGHT:
                return metered, 1 + sum(rests.values())
        return metered, self.bounds.own(expr) + sum(rests.values())

    def parts(self, node: _Node) -> tuple[_Node, dict[core.Expr, int]]:
        """Return a node with its parts metered, and the operations that each of these does not count itself."""
        rests: dict[core.Expr, int] = {}

        def part(inner: core.Expr) -> core.Expr:
            metered, rest = self.expr(inner)
            rests[metered] = rest
            return metered

        return core.map_children(node, part), rests

    def members(self, binder: core.Binder, rests: dict[core.Expr, int], span: Span) -> core.Binder:
        """Return a binder that counts each member that it goes through, with all that is evaluated for it."""
        each = sum(rest for part, rest in rests.items() if part not in (binder.domain, binder.start))
        kept = binder.where or core.Const(value=True, type=BOOL, span=span)
        return core.evolved(binder, where=_spent(kept, steps_of(each)))


def _spent(value: core.Expr, count: int) -> core.Expr:
    """Return a value that counts so many units of work before it is evaluated."""
    return core.Builtin("spent", (value, core.Const(count, Int(count, count), value.span)), value.type, value.span)


def _spent_first(value: core.Expr, count: int) -> core.Expr:
    """Return the value of a definition that counts so many units first; the alternatives of a chain stay separate."""
    if not isinstance(value, core.Chain):
        return _spent(value, count)
    (test, first), *others = value.alternatives
    link = (None, _spent(first, count)) if test is None else (_spent(test, count), first)
    return core.evolved(value, alternatives=(link, *others))
