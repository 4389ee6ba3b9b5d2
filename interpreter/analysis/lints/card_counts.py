"""Abstract interpretation of how many cards lie in each place, in the interval domain.

Play is followed from its beginning, each place with the least and the greatest number of cards that it can hold.
Loops over players and short ranges are unrolled; of any other loop the first round is followed, and then all that the
loop can change is taken to be anything.  So what is reported is certain where play first comes to a statement: a deal
that a pile cannot serve, a place that gets more cards than it holds.  Whether a statement is reached at all is not
queried.  The work is bounded; a spec that needs more is not judged to its end.
"""

from __future__ import annotations

import msgspec

from grammar.diagnostics import Severity
from grammar.english import counted
from interpreter.analysis import core
from interpreter.analysis.budget import PASS, spend
from interpreter.analysis.constant_folding import ARITHMETIC
from interpreter.analysis.context import Context
from interpreter.analysis.core import Phase
from interpreter.analysis.dependencies import Changes, Whole
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local, Zone, indices_of, owner_at, places_at
from interpreter.analysis.types import Card, Cards, Int, Player, base_of, disjoint, settled_order

MAX_STATEMENTS = 5_000
"""Statements that are followed, each round of a loop counted anew."""

MAX_UNROLLED = 64
"""Values of a loop that is unrolled."""

Interval = tuple[int, int]
"""The least and the greatest value of a number."""

FAR = 10**15
"""Marks a number without a bound."""

Counts = list[Interval]
Truth = bool | None


def check_card_counts(cx: Context, whole: Whole) -> None:
    """Warn of deals from a pile that is surely too short, and of places that surely get too many cards."""
    rules = whole.rules
    counts: Counts = [(0, 0)] * rules.num_places
    for place, cards in rules.homes:
        counts[place] = (len(cards), len(cards))
    _Follower(cx, rules, whole.changes, counts).block(rules.play.body)


class _Follower(msgspec.Struct, eq=False):
    """Follows statements; `counts` is None where control does not come."""

    cx: Context
    rules: Rules
    changes: Changes
    counts: Counts | None
    known: dict[Local, Interval] = msgspec.field(default_factory=dict)
    followed: int = 0
    reported: set[core.Stmt] = msgspec.field(default_factory=set)
    ended: set[Phase] = msgspec.field(default_factory=set)
    passed: dict[core.Stmt, bool] = msgspec.field(default_factory=dict)
    found: dict[tuple[Zone, tuple[Interval, ...]], list[int]] = msgspec.field(default_factory=dict)

    # ---- statements

    def block(self, block: tuple[core.Stmt, ...]) -> None:
        """Follow the statements of a block, as far as control comes."""
        for stmt in block:
            if self.counts is None:
                return
            if self.passes(stmt) and not isinstance(stmt, core.Let):
                continue
            self.followed += 1
            spend(PASS + len(self.counts) // 20, stmt.span)
            if self.followed > MAX_STATEMENTS:
                self.counts = None
                return
            self.statement(stmt)

    def passes(self, stmt: core.Stmt) -> bool:
        """Return whether a statement neither moves cards nor ends anything."""
        if stmt not in self.passed:
            self.passed[stmt] = not any(
                isinstance(inner, core.End)
                or any(isinstance(family, Zone) for family in self.changes.of(inner))
                or (isinstance(inner, core.CallPhase) and not all(map(self.passes, core.statements_of(inner.phase))))
                for inner in core.statements((stmt,))
            )
        return self.passed[stmt]

    def statement(self, stmt: core.Stmt) -> None:
        """Follow one statement."""
        match stmt:  # The most frequent statements come first.
            case core.CallPhase(phase=phase):
                for param, given in zip(phase.params, stmt.args, strict=True):
                    self.learn(param, given)
                self.block(phase.body)
                if phase in self.ended:
                    self.forget((stmt,))
            case core.If():
                holds = self.truth(stmt.condition)
                if holds is not None:
                    self.block(stmt.then if holds else stmt.otherwise)
                else:
                    self.either([stmt.then, stmt.otherwise])
            case core.For():
                self.loop(stmt)
            case core.Let():
                self.learn(stmt.local, stmt.value)
            case core.Deal():
                self.deal(stmt)
            case core.Move():
                self.move(stmt, stmt.cards, stmt.target)
            case core.Shuffle(cards=cards) if cards is not None:
                self.move(stmt, cards, stmt.zone)
            case core.Swap():
                self.swap(stmt)
            case core.Rotate():
                self.forget((stmt,))
            case core.End(phase=phase):
                if phase is not None:
                    self.ended.add(phase)
                self.counts = None
            case core.While():
                if not stmt.first or self.truth(stmt.condition) is not False:
                    before = self.copy()
                    self.block(stmt.body)
                    if stmt.first:
                        self.counts = _joined(before, self.counts)
                    self.forget(stmt.body)
            case core.InTurn():
                before = self.copy()
                self.block(stmt.body)
                self.counts = _joined(before, self.counts)
                self.forget(stmt.body)
            case core.AtOnce():
                before = self.copy()
                self.statement(stmt.choice)
                self.counts = _joined(before, self.counts)
                self.forget((stmt.choice,))
            case core.Choice():
                offered = [a for a in core.all_actions(stmt) if a.only_if is None or self.truth(a.only_if) is not False]
                self.either([action.body for action in offered] or [()])
            case core.Together():
                self.block(stmt.body)
            case core.Random() | core.Reopen():
                pass
            case _:
                core.assert_simple(stmt)
                if core.transfers(stmt):
                    self.counts = None

    def either(self, blocks: list[tuple[core.Stmt, ...]]) -> None:
        """Follow one of several blocks, nobody knows which."""
        before, joined = self.copy(), None
        for block in blocks:
            self.counts = None if before is None else before[:]
            self.block(block)
            joined = _joined(joined, self.counts)
        self.counts = joined

    def loop(self, stmt: core.For) -> None:
        """Follow a loop: all its rounds where they are few and known, else the first."""
        values = self.values(stmt.binder.domain)
        if values is None:
            before = self.copy()
            self.known.pop(stmt.binder.local, None)
            self.block(stmt.body)
            self.counts = _joined(before, self.counts)
            self.forget(stmt.body)
            return
        for value in values:
            if self.counts is None:
                return
            before = self.copy()
            self.known[stmt.binder.local] = (value, value)
            holds = True if stmt.binder.where is None else self.truth(stmt.binder.where)
            if holds is not False:
                self.block(stmt.body)
            if holds is None:
                self.counts = _joined(before, self.counts)
            if self.counts == before and stmt.binder.where is None and not self.is_read(stmt):
                return  # All further rounds are the same.

    def is_read(self, loop: core.For) -> bool:
        """Return whether the body of a loop reads its name."""
        inside = (expr for stmt in core.statements(loop.body) for expr in core.children(stmt))
        return loop.binder.local in core.names_of(*inside)

    def deal(self, stmt: core.Deal) -> None:
        """Follow a deal, and report it if the pile always has too few cards."""
        count, origin = self.interval(stmt.count), self.places(stmt.origin)
        there = self.held(origin)
        if there[1] < count[0] < len(self.rules.card_faces) and stmt not in self.reported:
            self.reported.add(stmt)
            are = "is" if count[0] == 1 else "are"
            targets = self.places(stmt.target)
            zone, players = stmt.target.zone, self.rules.num_players
            owner = None if len(targets) > 1 else owner_at(zone, indices_of(zone)[targets[0] - zone.base])
            to = "" if owner is None else f" to player {owner + 1} of {players}"
            fewer = players > self.cx.min_players
            cure = f"deal fewer{', ' if fewer else ' or '}give the deck more cards{', or let fewer play' * fewer}"
            self.cx.report(
                "CG506",
                f"`{stmt.origin.zone.name}` has {_at_most(there)} when {count[0]} {are} dealt here{to}",
                stmt.span,
                cure,
                severity=Severity.WARNING,
            )
        moved = (max(0, min(count[0], there[0])), max(0, min(count[1], there[1])))
        self.take(origin, moved)
        self.put(stmt, self.places(stmt.target), stmt.target.zone, moved)

    def move(self, stmt: core.Move | core.Shuffle, cards: core.Expr, target: core.ZoneRef) -> None:
        """Follow a move of a whole place, or of cards of which only the number is known."""
        if isinstance(cards, core.ZoneRef):
            origin = self.places(cards)
            moved = self.held(origin)
        else:
            origin = list(range(self.rules.num_places))
            base = base_of(cards.type)
            most = 1 if isinstance(base, Card) else base.at_most if isinstance(base, Cards) else 0
            moved = (0, most)
        self.take(origin, moved)
        self.put(stmt, self.places(target), target.zone, moved)

    def swap(self, stmt: core.Swap) -> None:
        """Follow an exchange; of places that are not known, all that it can change is forgotten."""
        first, second = self.places(stmt.first), self.places(stmt.second)
        if len(first) == len(second) == 1 and self.counts is not None:
            here, there = first[0], second[0]
            self.counts[here], self.counts[there] = self.counts[there], self.counts[here]
        else:
            self.forget((stmt,))

    # ---- counts

    def copy(self) -> Counts | None:
        """Return the counts as they are now."""
        spend(0 if self.counts is None else len(self.counts) // 20)
        return None if self.counts is None else self.counts[:]

    def held(self, places: list[int]) -> Interval:
        """Return how many cards lie in the one of these places that is meant."""
        assert self.counts is not None
        return min(self.counts[p][0] for p in places), max(self.counts[p][1] for p in places)

    def take(self, places: list[int], moved: Interval) -> None:
        """Take cards from the one of these places that is meant."""
        assert self.counts is not None
        for place in places:
            low, high = self.counts[place]
            if high:
                sure = moved[0] if len(places) == 1 else 0
                self.counts[place] = (max(0, low - moved[1]), max(0, high - sure))

    def put(self, stmt: core.Stmt, places: list[int], zone: Zone, moved: Interval) -> None:
        """Add cards to the one of these places that is meant, and report what surely does not fit."""
        assert self.counts is not None
        least = min(self.counts[p][0] for p in places) + moved[0]
        if least > zone.capacity and stmt not in self.reported:
            self.reported.add(stmt)
            self.cx.report(
                "CG507",
                f"`{zone.name}` holds at most {zone.capacity} cards, and has {least} after this",
                stmt.span,
                "move fewer there, or give the zone a greater `at most`",
                severity=Severity.WARNING,
            )
        for place in places:
            low, high = self.counts[place]
            sure = moved[0] if len(places) == 1 else 0
            self.counts[place] = (min(zone.capacity, low + sure), min(zone.capacity, high + moved[1]))

    def forget(self, block: tuple[core.Stmt, ...]) -> None:
        """Know nothing any more of the zones that statements can change."""
        if self.counts is None:
            self.counts = [(0, 0)] * self.rules.num_places
        for stmt in core.statements(block):
            for family in self.changes.of(stmt):
                if isinstance(family, Zone):
                    for place in range(family.base, family.base + family.places):
                        self.counts[place] = (0, family.capacity)

    # ---- values

    def learn(self, local: Local, value: core.Expr) -> None:
        """Remember the number, player or enumeration value that a name has."""
        self.known[local] = self.interval(value)

    def values(self, domain: core.Expr) -> list[int] | None:
        """Return what a loop goes through, in some order, or None where that is not known or too much."""
        match domain:
            case core.Builtin(name="players"):
                return list(range(self.rules.num_players))
            case core.Range():
                low, high = self.interval(domain.low), self.interval(domain.high)
                if low[0] == low[1] and high[0] == high[1] and high[0] - low[0] < MAX_UNROLLED:
                    return list(range(low[0], high[0] + 1))
                return None
        return None

    def places(self, zone: core.ZoneRef) -> list[int]:
        """Return the places that a zone with its indices can be."""
        family, bounds = zone.zone, tuple([self.interval(index) for index in zone.index])
        if (family, bounds) not in self.found:
            among = places_at(family, [range(low, high + 1) for low, high in bounds])
            self.found[family, bounds] = among or list(range(family.base, family.base + family.places))
        return self.found[family, bounds]

    def interval(self, expr: core.Expr) -> Interval:
        """Return the least and the greatest value of a number, a player or an enumeration value."""
        match expr:
            case core.Const(value=int(value)):
                return int(value), int(value)
            case core.CallDefine(define=define, args=()) if len(define.bodies) == 1:
                return self.interval(define.bodies[0])
            case core.LocalRef(local=local) if local in self.known:
                return self.known[local]
            case core.Builtin(name="count", args=(core.ZoneRef() as zone,)) if self.counts is not None:
                return self.held(self.places(zone))
            case core.Builtin(name="count", args=(core.Builtin(name="players"),)):
                return self.rules.num_players, self.rules.num_players
            case core.Op(op="+" | "-" | "*" as op, args=(left, right)):
                ends = [ARITHMETIC[op](a, b) for a in self.interval(left) for b in self.interval(right)]
                return max(-FAR, min(ends)), min(FAR, max(ends))
            case core.Builtin(name="within", args=(inner,)):
                return self.interval(inner)
        match base_of(expr.type):
            case Int(low, high):
                return (-FAR if low is None else low), (FAR if high is None else high)
            case Player():
                return 0, self.rules.num_players - 1
        return 0, FAR

    def truth(self, condition: core.Expr) -> Truth:
        """Return whether a condition surely holds, surely does not, or None."""
        match condition:
            case core.Const(value=bool(value)):
                return value
            case core.CallDefine(define=define, args=()) if len(define.bodies) == 1:
                return self.truth(define.bodies[0])
            case core.Op(op="not", args=(inner,)):
                found = self.truth(inner)
                return None if found is None else not found
            case core.Op(op="and" | "or" as op, args=(left, right)):
                both = {self.truth(left), self.truth(right)}
                decisive = op == "or"
                return decisive if decisive in both else None if None in both else not decisive
            case core.Builtin(name="empty", args=(core.ZoneRef() as zone,)) if self.counts is not None:
                low, high = self.held(self.places(zone))
                return False if low > 0 else True if high == 0 else None
            case core.Op(op="<" | "<=" | ">" | ">=" | "==" | "!=" as op, args=(left, right)) if isinstance(
                left.type, Int
            ) and isinstance(right.type, Int):
                return compared(op, self.interval(left), self.interval(right))
        return None


def compared(op: str, left: Interval, right: Interval) -> Truth:
    """Return whether a comparison of two numbers within bounds surely holds, surely does not, or None."""
    one, other = Int(*left), Int(*right)
    if op not in ("==", "!="):
        return settled_order(op, one, other)
    equal = False if disjoint(one, other) else True if left == right and left[0] == left[1] else None
    return equal if op == "==" or equal is None else not equal


def _at_most(held: Interval) -> str:
    return counted(held[1], "card") if held[0] == held[1] else f"at most {held[1]} cards"


def _joined(left: Counts | None, right: Counts | None) -> Counts | None:
    """Return counts that allow what either of two allows."""
    if left is None or right is None:
        return left if right is None else right
    spend(len(left))
    return [
        one if one is other else (min(one[0], other[0]), max(one[1], other[1]))
        for one, other in zip(left, right, strict=True)
    ]
