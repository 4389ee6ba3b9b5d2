"""Gas metering: upper bounds of the steps that rules take, and counters of the steps of a play.

The static analysis (`Bounds`) gives upper bounds of the elementary operations of expressions, statements and phases.  A
bound multiplies the sizes of all that is gone through, as far as their types show.  It does not say what a play takes:
it says which parts are so short (`LIGHT`) that nobody needs to count inside them.  All else counts its own steps while
it is carried out: `meter` is a pass over checked rules, after all checks, that puts in the counters.  A step is

- one round of a loop statement, one call of a phase, one call of a definition;
- one member that a selection goes through, up to the member at which `first`, `some` and `no` stop;
- `OPERATIONS_OF_A_STEP` operations of the short parts of these: what takes at most `LIGHT` operations, by the types of
  what it goes through, is not counted inside, but together with the part around it.

The counters are part of the rules: `Spend` in front of a block, and the function `spent` around a value or a condition.
It is not total, so no pass moves, joins or repeats what counts, and all engines count the same at the same places.
In a condition on subsets, what counts is evaluated first, unless it reads a measure of the set.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from grammar.source import Span
from interpreter.analysis import core, sum_tables
from interpreter.analysis.budget import PASS, spend
from interpreter.analysis.core import Define, Phase
from interpreter.analysis.dependencies import Calls
from interpreter.analysis.limits import ENDLESS, RESULT_LIMIT, number_of_subsets
from interpreter.analysis.memoized import Memoized
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import BOOL, Cards, Int, Sequence

LIGHT = 12_000
"""Operations of the longest parts in which no steps are counted."""

OPERATIONS_OF_A_STEP = 200
"""Operations of uncounted parts that are counted as one step."""

EVENT = 800
"""Operations of a statement that adds an event to the log: events take memory."""

CHANCE = 20_000
"""Operations of a shuffle and of an event of chance: what follows may be carried out again, once cards are known."""

DOMAIN_LIMIT = 100_000

MAX_MEASURE_STATES = 100_000_000
"""Results of a set's measures from which on not all are tried."""

LISTED = 1_000_000
"""Steps of listing all that the single arguments of an action can be, from which on each combination is counted."""

_REPEATING = core.LOOPS | {core.Subsets, core.SomeSubset}
"""Expressions that evaluate some of their parts several times."""

Block = tuple[core.Stmt, ...]
_Node = TypeVar("_Node", core.Stmt, core.Expr)


def size(domain: core.Expr) -> int:
    """Return how many members a group has at most, at least 1; a great number where its type has no bound."""
    type_ = domain.type
    if isinstance(type_, Cards | Sequence) and type_.at_most >= 0:
        return max(1, type_.at_most)
    return DOMAIN_LIMIT + 1


def steps_of(operations: int) -> int:
    """Return the steps that a part counts where it is carried out, with so many operations of uncounted parts."""
    return 1 + operations // OPERATIONS_OF_A_STEP


class Bounds:
    """The most operations of expressions, definitions, statements and phases, each computed once."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.defines: dict[Define, int] = {}
        self._phases: dict[Phase, int] = {}
        self._places = rules.num_places + len(rules.card_faces) // 10
        for define in rules.defines:
            self.defines[define] = min(ENDLESS, sum(map(self.of, define.bodies)))

    # ---- expressions

    @Memoized
    def of(self, expr: core.Expr) -> int:
        """Return the most operations that an expression takes."""
        if expr.__class__ in core.LEAVES:
            return 1
        spend(PASS // 3)
        return min(ENDLESS, self._of(expr))

    def _of(self, expr: core.Expr) -> int:
        parts = sum(map(self.of, core.children(expr)))
        if expr.__class__ not in _REPEATING:
            return self.own(expr) + parts
        if isinstance(expr, core.Loop):
            once = self.of(expr.binder.domain)
            return once + 1 + size(expr.binder.domain) * (1 + parts - once)
        if isinstance(expr, core.Subsets):
            once = parts - (0 if expr.part is None else self.of(expr.part))
            return once + 1 + size(expr) * (1 + parts - once)
        assert isinstance(expr, core.SomeSubset)
        cards = size(expr.cards)
        most = cards if expr.high is None or not isinstance(expr.high, core.Const) else int(expr.high.value or 0)
        return self.of(expr.cards) + self.set_choice(expr.such_that, cards, most)

    def own(self, expr: core.Expr) -> int:
        """Return the operations of an expression without those of the expressions inside it."""
        match expr:
            case core.Op(op=op) if op not in ("join", "without"):
                return 1
            case core.Op() | core.ZoneRef():
                return 1 + size(expr) // 10
            case core.CallDefine():
                return 1 + self.defines[expr.define]
            case core.Builtin() if "places" in expr.function.reads:
                return self._places
            case core.SomeSubset():
                return 200 * size(expr.cards)
        return 1

    def selection(self, binder: core.Binder) -> int:
        """Return the most operations of finding out what a binder keeps."""
        once = self.of(binder.domain)
        return once + size(binder.domain) * (1 + sum(map(self.of, core.children(binder))) - once)

    # ---- sets of cards

    def set_choice(self, condition: core.SetCondition, cards: int, most: int) -> int:
        """Return the most steps that a condition on sets of at most so many cards takes.

        Its parts take their steps once for each result that the measures can have.  Heavy operands that read no measure
        take theirs once, before the first set, and count their steps.
        """
        inside = 1 + sum(self.of(e) for f in condition.folds for e in (f.value, f.where) if e is not None)
        if sum_tables.is_one_sum(condition):
            fold = condition.folds[0]
            top = fold.type.high if isinstance(fold.type, Int) and fold.type.high is not None else DOMAIN_LIMIT
            return cards * inside + self._table_work(condition.condition, fold, top + 1)
        states = 1
        for fold in condition.folds:
            states *= _number_of_results(fold.type)
        states = min(number_of_subsets(cards, most), states)
        if states <= MAX_MEASURE_STATES:
            # Few sets have as many results as they could: the machine counts them, and stops at its limit.
            states = min(states, RESULT_LIMIT)
        alone = sum(self.of(part) for part in _without_measures(condition, condition.condition))
        each = self.of(condition.condition)
        if each <= LIGHT:
            alone = 0
        each = max(0, each - alone)
        return alone + states * (1 + each) * max(1, cards)

    def _table_work(self, expr: core.Expr, fold: core.SetFold, states: int) -> int:
        """Return the most steps of finding the sums for which a condition holds."""
        match expr:
            case core.Op(op="and" | "or" | "not"):
                return sum(self._table_work(a, fold, states) for a in expr.args)
            case core.Op(op=op, args=(left, right)) if op in sum_tables.COMPARISONS and any(
                sum_tables.is_measure(side, fold) for side in (left, right)
            ):
                return self.of(left) + self.of(right)
            case core.CallDefine() if sum_tables.opened(expr) is not expr:
                return self._table_work(sum_tables.opened(expr), fold, states)
            case core.SomeSubset() if sum_tables.is_sum_against_sum(expr, fold):
                return self.of(expr.cards) + 10 * size(expr.cards)
        return states * self.of(expr)

    # ---- statements

    def phase(self, phase: Phase) -> int:
        """Return the most operations of a phase; those of all phases are computed with the first."""
        if not self._phases:
            for each in Calls(self.rules).order():
                firsts = sum(1 + self.of(v.initial) for v in each.variables if v.initial is not None)
                self._phases[each] = min(ENDLESS, firsts + self.block(each.body))
        return self._phases[phase]

    def block(self, block: tuple[core.Stmt, ...]) -> int:
        """Return the most operations of some statements."""
        return sum(map(self.statement, block))

    @Memoized
    def statement(self, stmt: core.Stmt) -> int:
        """Return the most operations of a statement up to its decision: after that steps are counted anew."""
        spend(PASS, stmt.span)
        return min(ENDLESS, self._statement(stmt))

    def _statement(self, stmt: core.Stmt) -> int:
        match stmt:
            case core.If():
                return 1 + self.of(stmt.condition) + max(self.block(stmt.then), self.block(stmt.otherwise))
            case core.For() | core.AtOnce():
                body = sum(map(self.block, core.blocks_inside(stmt)))
                return self.selection(stmt.binder) + size(stmt.binder.domain) * (1 + body)
            case core.While() | core.InTurn():
                return ENDLESS
            case core.CallPhase(phase=phase):
                return self.phase(phase) + self.own_of(stmt) + self.parts(stmt)
            case core.Together():
                return self.block(stmt.body)
            case core.Choice():
                return self.own_of(stmt) + self.of(stmt.player)
        return self.own_of(stmt) + self.parts(stmt)

    def parts(self, stmt: core.Stmt) -> int:
        """Return the most operations of the expressions of a statement."""
        return sum(map(self.of, core.children(stmt)))

    def own_of(self, stmt: core.Stmt) -> int:
        """Return the operations of a statement without those of its expressions and blocks."""
        match stmt:
            case core.Begin(variable=variable):
                return 1 + variable.places
            case core.Assign() | core.Choice() | core.End() | core.Reopen():
                return EVENT // 4
            case core.Move(cards=cards) | core.Turn(cards=cards) | core.Show(cards=cards):
                return EVENT + self._relocated(cards)
            case core.Deal() | core.Swap() | core.Rotate():
                return EVENT + self._places
            case core.Shuffle():
                return CHANCE + 20 * size(stmt.zone) + (0 if stmt.cards is None else self._relocated(stmt.cards))
            case core.Random():
                return CHANCE
            case core.Say():
                texts = sum(len(part) for part in stmt.parts if isinstance(part, str))
                return EVENT + 10 * texts + sum(20 * size(p) for p in core.children(stmt) if isinstance(p.type, Cards))
        return 1

    def _relocated(self, cards: core.Expr) -> int:
        """Return the most operations of taking cards from where they lie, each from among the cards beside it."""
        count = min(size(cards), 2_000) if isinstance(cards.type, Cards | Sequence) else 1
        return 40 * count if isinstance(cards, core.ZoneRef) else count * (80 + self._places)


def least_size(domain: core.Expr) -> int:
    """Return how many members a group has at least."""
    match domain:
        case core.Range(low=core.Const(value=int(low)), high=core.Const(value=int(high))):
            return max(0, high - low + 1)
        case core.Builtin(name="players", type=Sequence(at_most=count)):
            return max(0, count)
    return 0


class Least:
    """The least steps that expressions and definitions count, in any state."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._defines: dict[Define, int] = {}
        for define in bounds.rules.defines:
            self._defines[define] = min(ENDLESS, sum(map(self.of, define.bodies)))

    def of(self, expr: core.Expr) -> int:
        """Return the least steps that an expression counts where it is evaluated."""
        if self._bounds.of(expr) <= LIGHT:
            return 0
        match expr:
            case core.CallDefine():
                counted = self._bounds.defines[expr.define] > LIGHT
                return counted + self._defines[expr.define] + sum(map(self.of, expr.args))
            case core.Select(which="first" | "last" | "some" | "no"):
                return self.of(expr.binder.domain)
            case core.Select() | core.Fold() | core.Extreme() | core.Sorted():
                where = expr.binder.where
                inside = 0 if where is None else self.of(where)
                if where is None:
                    inside = sum(map(self.of, core.children(expr))) - self.of(expr.binder.domain)
                return self.of(expr.binder.domain) + least_size(expr.binder.domain) * (1 + inside)
            case core.Op(op="and" | "or", args=(left, _)):
                return self.of(left)
            case core.Chain(alternatives=((test, value), *_)):
                return self.of(value if test is None else test)
            case core.SomeSubset() | core.Subsets() | core.Rests():
                return self.of(expr.cards)
        return sum(map(self.of, core.children(expr)))


def _without_measures(condition: core.SetCondition, expr: core.Expr) -> Iterator[core.Expr]:
    """Yield the largest operands in a condition on a set that read no measure of it."""
    if not any(isinstance(p, core.SetFoldRef) and p.fold in condition.folds for p in core.walk_with_definitions(expr)):
        yield expr
    elif isinstance(expr, core.Op):
        for part in expr.args:
            yield from _without_measures(condition, part)


def _with_values_first(expr: core.SomeSubset, bounds: Bounds) -> core.SomeSubset:
    """Return a condition on subsets whose heavy operands that read no measure are evaluated once, before the first set.

    The engines try sets in different orders and numbers, so they could not count the same steps otherwise.
    """
    heavy = [part for part in _without_measures(expr.such_that, expr.such_that.condition) if bounds.of(part) > LIGHT]
    if not heavy:
        return expr
    names = {part: Local("", part.type, -1, part.span) for part in heavy}

    def read(part: core.Expr) -> core.Expr:
        if part in names:
            return core.LocalRef(names[part], part.type, part.span)
        return core.map_children(part, read) if isinstance(part, core.Op) else part

    condition = core.evolved(expr.such_that, condition=read(expr.such_that.condition))
    return core.evolved(expr, such_that=condition, before=tuple((name, part) for part, name in names.items()))


def _number_of_results(type_: object) -> int:
    """Return how many results a measure of a set can have; without bounds, as many as an average sum of attributes."""
    match type_:
        case Int(low=int(low), high=int(high)):
            return high - low + 1
    return 12


# ---- counters of steps


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
        self.rules.results = tuple(core.evolved(line, value=self.expr(line.value)[0]) for line in self.rules.results)
        self.rules.invariants = tuple(
            core.evolved(line, condition=self.expr(line.condition)[0]) for line in self.rules.invariants
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
        own = self.bounds.own_of(stmt)
        metered, rests = self.parts(stmt)
        rest = sum(rests.values())
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
        if isinstance(expr, core.SomeSubset):
            expr = _with_values_first(expr, self.bounds)
        metered, rests = self.parts(expr)
        match metered:
            case core.Select() | core.Fold() | core.Extreme() | core.Sorted():
                once = sum(rests.get(part, 0) for part in (metered.binder.domain, metered.binder.start) if part)
                return core.evolved(metered, binder=self.members(metered.binder, rests, expr.span)), 1 + once
            case core.Subsets(part=part):
                inside = 0 if part is None else rests.pop(part)
                tried = part or core.Const(value=True, type=BOOL, span=expr.span)
                return core.evolved(metered, part=_spent(tried, steps_of(inside))), 1 + sum(rests.values())
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
