"""Cost analysis: bounds of the work of rules before play, the most and the least elementary steps they can take.

The most, from the sizes of what is gone through, says what needs no counting while playing; the rest counts itself
(`interpreter.analysis.transforms.metering`).  The least, from what is gone through whatever the state is, says what no
play can carry out.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from interpreter.analysis import core, sum_tables
from interpreter.analysis.budget import PASS, spend
from interpreter.analysis.context import Context
from interpreter.analysis.core import Define, Phase
from interpreter.analysis.dependencies import Calls, Whole
from interpreter.analysis.intervals import Interval, Intervals
from interpreter.analysis.limits import RESULT_LIMIT, STEP_LIMIT
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local
from interpreter.analysis.transforms import joint_arguments
from interpreter.analysis.types import Cards, Int, Player, Sequence, Type, base_of, size_of

SET_LIMIT = 50_000_000
"""Steps that weighing the cards of one choice may take at most, if every result came up."""

TRIED_LIMIT = 1_000_000
"""Sets of an argument that may have to be tried one by one, if all its cards were there."""

MAX_MEASURE_STATES = 100_000_000
"""Results of a set's measures from which on nobody need try."""

ACTION_LIMIT = 100_000
"""Small actions that one action of a choice may have at most: the product of its single arguments."""

CHOICE_LIMIT = 200_000
"""Small actions that all actions of a choice may have together."""

GAME_LIMIT = 1_000_000
"""Small actions that a game may have."""

DOMAIN_LIMIT = 100_000

NESTED_LIMIT = 15
"""Loops that may stand in one another, with the single arguments of an action that is chosen there.

Each is a loop of Python, of which 20 may stand in one another; the rest is left for those that the code itself has."""

ENDLESS = 10**30
"""Steps of what may go on for ever; no greater number is reckoned with."""

LIGHT = 4_000
"""Steps of phases, decisions and conditions that count nothing themselves while they are played."""

CARELESS = 500
"""Steps that a shuffle counts: what comes next may have to be carried out again, when its cards are known."""


def _size(domain: core.Expr) -> int:
    type_ = domain.type
    if isinstance(type_, Cards | Sequence):
        if type_.at_most >= 0:
            return max(1, type_.at_most)
        if isinstance(type_, Sequence) and isinstance(type_.item, Int):
            return DOMAIN_LIMIT + 1
    return DOMAIN_LIMIT + 1


class Bounds(Intervals):
    """The bounds of numbers in definitions: those of a parameter are joined over all calls, callers first.

    So what goes through `1..k` is not charged with all that `k` could be by its type.  What a definition hands on that
    nobody calls does not count; names of which nothing is known here have the bounds of their types.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.known = {}
        self.called = set[Define]()
        if not any(isinstance(param.type, Int) for define in rules.defines for param in define.params):
            return
        for expr in rules.expressions():
            self.gather(expr)
        for define in reversed(rules.defines):
            if define not in self.called:
                continue
            for local, value in define.lets:
                self.gather(value)
                self.widen(local, self.interval(value))
            if define.value is not None:
                self.gather(define.value)

    def gather(self, expr: core.Expr) -> None:
        """Take in the calls of an expression, and the names that its loops bind: these stand before what reads them."""
        for part in core.walk(expr):
            if isinstance(part, core.CallDefine):
                self.called.add(part.define)
                for param, arg in zip(part.define.params, part.args, strict=True):
                    self.widen(param, self.interval(arg))
            elif isinstance(part, core.Loop) and isinstance(part.binder.domain, core.Range):
                low, high = part.binder.domain.low, part.binder.domain.high
                self.widen(part.binder.local, (self.interval(low)[0], self.interval(high)[1]))

    def widen(self, local: Local, found: Interval) -> None:
        """Let a name have these values too, as far as its type has them."""
        if isinstance(local.type, Int):
            low, high = found if local.type.low is None else (max(found[0], local.type.low), found[1])
            high = high if local.type.high is None else min(high, local.type.high)
            before = self.known.get(local, (low, high))
            self.known[local] = min(before[0], low), max(before[1], high)

    def size(self, domain: core.Expr) -> int:
        """Return how many things there are at most to go through."""
        match domain:
            case core.Range(low=low, high=high, type=Sequence(item=Int())):
                return min(_size(domain), max(1, self.interval(high)[1] - self.interval(low)[0] + 1))
        return _size(domain)


class Costs:
    """The most steps of expressions, definitions, statements and phases, each reckoned once."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.defines: dict[Define, int] = {}
        self._phases: dict[Phase, int] = {}
        self._exprs: dict[core.Expr, int] = {}
        self._statements: dict[core.Stmt, int] = {}
        self.bounds = Bounds(rules)
        self.places = rules.num_places + len(rules.card_faces) // 10
        for define in rules.defines:
            self.define(define)

    def phase(self, phase: Phase) -> int:
        """Return the most steps that a phase can take; all are reckoned when the first is asked for."""
        if not self._phases:
            for each in Calls(self.rules).order()[0]:
                firsts = sum(1 + self.of(v.initial) for v in each.variables if v.initial is not None)
                self._phases[each] = min(ENDLESS, firsts + self.block(each.body))
        return self._phases[phase]

    def size(self, domain: core.Expr) -> int:
        """Return how many things there are at most to go through."""
        return self.bounds.size(domain)

    def block(self, block: tuple[core.Stmt, ...]) -> int:
        """Return the most steps that statements can take."""
        return sum(self.statement(s) for s in block)

    def statement(self, stmt: core.Stmt) -> int:
        """Return the most steps of one statement; behind a decision steps are counted anew."""
        if stmt not in self._statements:
            spend(PASS, stmt.span)
            self._statements[stmt] = min(ENDLESS, self._statement(stmt))
        return self._statements[stmt]

    def _statement(self, stmt: core.Stmt) -> int:
        parts = sum(self.of(e) for e in core.children(stmt))
        match stmt:
            case core.If():
                return parts + max(self.block(stmt.then), self.block(stmt.otherwise))
            case core.For() | core.AtOnce():
                inner = 0 if stmt.binder.where is None else self.of(stmt.binder.where)
                body = self.block(stmt.body) if isinstance(stmt, core.For) else self.statement(stmt.choice)
                return self.of(stmt.binder.domain) + self.size(stmt.binder.domain) * (2 + inner + body)
            case core.While() | core.InTurn():
                return ENDLESS
            case core.CallPhase(phase=phase):
                return 2 + parts + self.phase(phase)
            case core.Begin(variable=variable):
                return variable.places + parts
            case core.Let() | core.Assign():
                return 1 + parts
            case core.Choice():
                return 20 + self.of(stmt.player)
            case core.Move():
                return 20 + parts + self.moved(stmt.cards)
            case core.Shuffle():
                return CARELESS + parts + _size(stmt.zone) + (0 if stmt.cards is None else self.moved(stmt.cards))
            case core.Deal() | core.Swap():
                return 20 + parts + self.places // 20
            case core.Random():
                return CARELESS + parts
            case core.Say():
                return parts + said(stmt)
            case core.Spend() | core.Together():
                return 0
            case core.End() | core.Reopen():
                return 20
            case _:
                core.assert_simple(stmt)
                return 20 + parts

    def moved(self, cards: core.Expr) -> int:
        """Return the most steps of taking cards from where they lie: each is looked for among those beside it."""
        many = min(_size(cards), 2_000) if isinstance(cards.type, Cards | Sequence) else 1
        return many if isinstance(cards, core.ZoneRef) else many * (2 + self.places // 20)

    def of(self, expr: core.Expr) -> int:
        """Return the most steps an expression can take."""
        if expr not in self._exprs:
            spend(PASS // 3)
            self._exprs[expr] = min(ENDLESS, self._of(expr))
        return self._exprs[expr]

    def _of(self, expr: core.Expr) -> int:
        match expr:
            case core.CallDefine():
                return self.define(expr.define) + sum(self.of(a) for a in expr.args) + 1
            case core.Select() | core.Fold() | core.Extreme():
                domain = expr.binder.domain
                return self.of(domain) + 1 + self.size(domain) * (1 + sum(self.of(e) for e in inside_of(expr)))
            case core.SomeSubset():
                cards = _size(expr.cards)
                most = cards if expr.high is None else self.bounds.interval(expr.high)[1]
                return self.of(expr.cards) + self.measured(expr.such_that, cards, most)
            case core.Chain():
                asked = sum(self.of(value if test is None else test) for test, value in expr.alternatives)
                return 1 + asked + max((self.of(v) for test, v in expr.alternatives if test is not None), default=0)
            case core.ZoneRef():
                return _size(expr) // 10 + sum(self.of(c) for c in core.children(expr)) + 1
            case core.Builtin() if "places" in expr.function.reads:
                return self.places + sum(self.of(c) for c in core.children(expr))
            case core.Op(op="join" | "without"):
                parts = list(core.children(expr))
                return (
                    1 + sum(map(self.of, parts)) + sum(_size(p) for p in parts if isinstance(p.type, Cards | Sequence))
                )
            case _:
                return 1 + sum(self.of(c) for c in core.children(expr))

    def measured(self, condition: core.SetCondition, cards: int, most: int) -> int:
        """Return the most steps that a condition on sets of at most so many cards takes.

        Its parts take their steps once for each result that the measures can have.  Heavy operands that read no measure
        take theirs once: most conditions are decided without them, and they count their steps when they are not.
        """
        inside = 1 + sum(self.of(e) for f in condition.folds for e in (f.value, f.where) if e is not None)
        if sum_tables.is_one_sum(condition):
            fold = condition.folds[0]
            top = fold.type.high if isinstance(fold.type, Int) and fold.type.high is not None else DOMAIN_LIMIT
            return cards * inside + self.masked(condition.condition, fold, top + 1)
        states = 1
        for fold in condition.folds:
            states *= _number_of_results(fold.type)
        states = min(subsets(cards, most), states)
        if states <= MAX_MEASURE_STATES:
            # Few sets have as many results as they could: the machine counts them, and stops at its limit.
            states = min(states, RESULT_LIMIT)
        alone = sum(self.of(part) for part in _without_measures(condition, condition.condition))
        each = self.of(condition.condition)
        if each <= LIGHT:
            alone = 0
        each = max(0, each - alone)
        return alone + states * (1 + each) * max(1, cards)

    def masked(self, expr: core.Expr, fold: core.SetFold, states: int) -> int:
        """Return the most steps of finding the sums for which a condition holds."""
        match expr:
            case core.Op(op="and" | "or" | "not"):
                return sum(self.masked(a, fold, states) for a in expr.args)
            case core.Op(op=op, args=(left, right)) if op in sum_tables.COMPARISONS and any(
                sum_tables.is_measure(side, fold) for side in (left, right)
            ):
                return self.of(left) + self.of(right)
            case core.CallDefine() if sum_tables.opened(expr) is not expr:
                return self.masked(sum_tables.opened(expr), fold, states)
            case core.SomeSubset() if sum_tables.is_sum_against_sum(expr, fold):
                return self.of(expr.cards) + 10 * _size(expr.cards)
        return states * self.of(expr)

    def define(self, define: Define) -> int:
        """Return the most steps a definition can take."""
        if define not in self.defines:
            self.defines[define] = 0
            self.defines[define] = min(10**30, sum(map(self.of, define.bodies)))
        return self.defines[define]


def _without_measures(condition: core.SetCondition, expr: core.Expr) -> Iterator[core.Expr]:
    """Yield the largest operands in a condition on a set that read no measure of it."""
    if not any(isinstance(p, core.SetFoldRef) and p.fold in condition.folds for p in core.walk_with_definitions(expr)):
        yield expr
    elif isinstance(expr, core.Op):
        for part in expr.args:
            yield from _without_measures(condition, part)


def _number_of_results(type_: Type) -> int:
    """Return how many results a measure of a set can have; without bounds, as many as an average sum of attributes."""
    match type_:
        case Int(low=int(low), high=int(high)):
            return high - low + 1
    return 12


def inside_of(loop: core.Select | core.Fold | core.Extreme) -> list[core.Expr]:
    """Return what a loop asks of each thing that it goes through."""
    found = [] if loop.binder.where is None else [loop.binder.where]
    if isinstance(loop, core.Fold):
        found.append(loop.value)
    if not isinstance(loop, core.Select) and loop.by is not None:
        found.append(loop.by)
    return found


class Least:
    """The least steps of expressions and definitions, whatever the state is."""

    def __init__(self, rules: Rules) -> None:
        self.defines: dict[Define, int] = {}
        for define in rules.defines:
            self.defines[define] = min(ENDLESS, sum(map(self.of, define.bodies)))

    def of(self, expr: core.Expr) -> int:
        """Return the least steps that an expression takes where it is carried out."""
        match expr:
            case core.CallDefine():
                return 1 + self.defines.get(expr.define, 0) + sum(map(self.of, expr.args))
            case core.Select(which="first" | "last"):
                return 1 + self.of(expr.binder.domain)
            case core.Select() | core.Fold() | core.Extreme():
                where = expr.binder.where
                asked = inside_of(expr) if where is None else [where]
                return self.of(expr.binder.domain) + _least_size(expr.binder.domain) * (1 + sum(map(self.of, asked)))
            case core.Op(op="and" | "or", args=(left, _)):
                return 1 + self.of(left)
            case core.Chain(alternatives=((test, value), *_)):
                return 1 + self.of(value if test is None else test)
            case core.SomeSubset():
                return 1 + self.of(expr.cards)
            case _:
                return 1 + sum(map(self.of, core.children(expr)))


def _least_size(domain: core.Expr) -> int:
    match domain:
        case core.Range(low=core.Const(value=int(low)), high=core.Const(value=int(high))):
            return max(0, high - low + 1)
        case core.Builtin(name="players", type=Sequence(at_most=count)):
            return max(0, count)
    return 0


def check_costs(cx: Context, whole: Whole) -> None:
    """Report values and conditions that no play could carry out, and actions that are too many."""
    rules = whole.rules
    costs, least = Costs(rules), Least(rules)
    known: set[object] = set()
    actions = 0
    for phase in rules.every_phase:
        _check_nesting(cx, phase)
        for stmt in core.statements_of(phase):
            if isinstance(stmt, core.Choice):
                for action in core.all_actions(stmt):
                    _check_set(cx, costs, action)
                    _check_product(cx, rules, action)
                before, actions = actions, actions + _check_number(cx, rules, stmt, known)
                if actions > GAME_LIMIT >= before:
                    cx.report("CG405", f"this game has more than {GAME_LIMIT:,} small actions", stmt.span,
                              "offer fewer values, or the same action in several choices")  # fmt: skip
            if isinstance(stmt, core.For) and isinstance(stmt.binder.domain.type, Cards | Sequence):
                _check_length(cx, stmt)
    for expr in (*rules.expressions(), *(body for define in rules.defines for body in define.bodies)):
        steps = least.of(expr)
        if steps > STEP_LIMIT:
            cx.report(
                "CG405", f"this takes {_round(steps)} steps, whatever the state is", expr.span,
                f"go through fewer things at once (at most {STEP_LIMIT:,} steps between two decisions)",
            )  # fmt: skip


def _check_nesting(cx: Context, phase: Phase) -> None:
    """Report loops that stand too deep in one another."""
    stack = [(phase.body, 0)]
    while stack:
        block, around = stack.pop()
        for stmt in block:
            depth = around + isinstance(stmt, core.For | core.While | core.InTurn | core.AtOnce)
            if depth > NESTED_LIMIT:
                cx.report("CG405", f"more than {NESTED_LIMIT} loops stand in one another here", stmt.span,
                          "put the inner ones into a phase of their own")  # fmt: skip
                continue
            stack.extend((inner, depth) for inner in core.blocks_inside(stmt))
            for action in core.all_actions(stmt) if isinstance(stmt, core.Choice) else ():
                single = sum(arg.form != "cards" for arg in action.args)
                if single + depth > NESTED_LIMIT:
                    inside = f", inside {depth} loops" if depth else ""
                    cx.report("CG405", f"`{action.verb}` has {single} arguments{inside}", action.span,
                              f"at most {NESTED_LIMIT} arguments and loops together: make it several decisions, "
                              "in a phase of their own")  # fmt: skip


def _check_set(cx: Context, costs: Costs, action: core.Action) -> None:
    for place, arg in enumerate(action.args):
        steps = 0 if arg.on_set is None else costs.measured(arg.on_set, _size(arg.domain), _most(arg))
        if steps > SET_LIMIT:
            cx.report(
                "CG405", f"weighing the cards of this choice can take {_round(steps)} steps", action.span,
                "use fewer measures in `such that`, or give the zone a smaller `at most`",
            )  # fmt: skip
        if (
            arg.form == "cards"
            and joint_arguments.weighed_later(action, place)
            and (tried := subsets(_size(arg.domain), _most(arg))) > TRIED_LIMIT
        ):
            cx.report(
                "CG405", f"what comes behind `{arg.local.name}` depends on it, and it can be {_round(tried)} sets",
                arg.span, f"choose fewer cards (`up to 2 cards {arg.local.name}`), give the zone a smaller `at most`, "
                "or make it two decisions",
            )  # fmt: skip


def _most(arg: core.Arg) -> int:
    """Return how many cards a set can have at most."""
    type_ = base_of(arg.local.type)
    return type_.at_most if isinstance(type_, Cards) and type_.at_most >= 0 else _size(arg.domain)


def subsets(cards: int, most: int) -> int:
    """Return how many sets of at most so many of some cards there are."""
    total = 0
    for count in range(min(cards, most) + 1):
        total += comb(cards, count)
        if total > ENDLESS:
            return ENDLESS
    return total


def _check_length(cx: Context, stmt: core.For) -> None:
    most = _size(stmt.binder.domain)
    unbounded = isinstance(stmt.binder.domain.type, Sequence) and stmt.binder.domain.type.at_most < 0
    if most > DOMAIN_LIMIT and not unbounded:
        cx.report("CG405", f"this goes through {_round(most)} things", stmt.binder.domain.span,
                  f"at most {DOMAIN_LIMIT:,}")  # fmt: skip


def said(stmt: core.Say) -> int:
    """Return the steps of telling a text: it is made of so many characters, and kept."""
    texts = sum(len(part) for part in stmt.parts if isinstance(part, str))
    groups = sum(_size(part) for part in stmt.parts if not isinstance(part, str) and isinstance(part.type, Cards))
    return 20 + texts // 4 + 5 * groups


def _check_number(cx: Context, rules: Rules, choice: core.Choice, known: set[object]) -> int:
    """Report a choice that offers too many small actions; return how many of these no choice before has."""
    new = total = 0
    for action in core.all_actions(choice):
        ways = combinations(rules, action)
        key = (action.verb, *(arg.local.type for arg in action.args if arg.form != "cards"))
        new += 0 if key in known else ways
        known.add(key)
        total += ways
        if total > CHOICE_LIMIT >= total - ways:
            cx.report("CG405", f"this choice offers {_round(total)} small actions", action.span,
                      f"at most {CHOICE_LIMIT:,}: make it several decisions")  # fmt: skip
    return new


def _check_product(cx: Context, rules: Rules, action: core.Action) -> None:
    """Report an action whose single arguments have too many combinations."""
    ways = combinations(rules, action)
    if ways > ACTION_LIMIT:
        cx.report("CG405", f"`{action.verb}` has {_round(ways)} combinations of arguments", action.span,
                  f"at most {ACTION_LIMIT:,}: make it several decisions")  # fmt: skip


def combinations(rules: Rules, action: core.Action) -> int:
    """Return how many combinations the single arguments of an action have."""
    ways = 1
    for arg in action.args:
        if arg.form != "cards":
            ways *= max(1, len(rules.faces) if arg.form == "card" else _values(rules, arg))
    return ways


def _values(rules: Rules, arg: core.Arg) -> int:
    return rules.num_players if isinstance(arg.local.type, Player) else size_of(arg.local.type) or 1


def _round(steps: int) -> str:
    return f"{steps:,}" if steps < 10**12 else f"more than 10^{len(str(steps)) - 1}"
