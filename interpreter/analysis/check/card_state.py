"""State on cards: variables whose values belong to the cards of slots, as in `damage[card in field]`.

The values are kept by place: a variable has the indices of the slots, so copies of a card stay exchangeable, and
nothing downstream knows of cards with state.  A statement that takes a card out of its slot first resets its values or,
where the card goes to another of the slots, passes them on.  An empty slot always has the first value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grammar.expressions import evolved
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.budget import PASS, spend
from interpreter.analysis.check import conversions
from interpreter.analysis.constant_folding import fold
from interpreter.analysis.context import Context
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.symbols import Local, Zone
from interpreter.analysis.types import BOOL, Cards, EnumType, Int, Sequence, Type

Block = tuple[core.Stmt, ...]


# ---- values of cards in expressions


def value_of(cx: Context, variable: Variable, card: core.Expr, more: tuple[core.Expr, ...], span: Span) -> core.Expr:
    """Return the value of a card, or of the one in a slot; the first value where it lies in no slot of the variable."""
    if isinstance(card, core.ZoneRef):
        return core.VarRef(variable, (*card.index, *more), variable.type, span)
    if variable.home is None or any(core.bound_name(part) is not None for part in core.walk(card)):
        return cx.wrong("CG343", "this card has no name yet", card.span, "name it first: `let c = ..`")
    if variable.initial is None:
        return cx.wrong("CG343", f"`{variable.name}` has no values yet", span, "read it during play")
    there, index = _search(cx, variable.home, card, span)
    value = core.VarRef(variable, (*index, *more), variable.type, span)
    return core.Chain(((there, value), (None, variable.initial)), variable.type, span)


def _search(cx: Context, home: Zone, card: core.Expr, span: Span) -> tuple[core.Expr, tuple[core.Expr, ...]]:
    """Return whether a card lies in one of some slots, and the indices of that slot."""

    def somewhere(left_out: int) -> tuple[list[Local], core.Expr]:
        names = [cx.local("place", type_, span) for type_ in home.indices]
        test: core.Expr = core.IsIn(card, _slot(cx, home, names, span), BOOL, span)
        for name in [name for number, name in enumerate(names) if number != left_out]:
            test = core.Select("some", core.Binder(name, _whole(cx, name.type, span), None, test), None, BOOL, span)
        return names, test

    spend(PASS, span)
    index: list[core.Expr] = []
    for number, type_ in enumerate(home.indices):
        names, test = somewhere(number)
        binder = core.Binder(names[number], _whole(cx, type_, span), None, test)
        index.append(core.Select("first", binder, None, type_, span))
    return somewhere(-1)[1], tuple(index)


def _slot(cx: Context, home: Zone, names: list[Local], span: Span) -> core.ZoneRef:
    index = tuple(core.LocalRef(name, name.type, span) for name in names)
    return core.ZoneRef(home, index, Cards(frozenset(cx.kinds), 1), span)


def _whole(cx: Context, type_: Type, span: Span) -> core.Expr:
    """Return all values of the type of an index."""
    match type_:
        case Int(low=int(low), high=int(high)):
            ends, size = (low, high), high - low + 1
        case EnumType(values=values):
            ends, size = (0, len(values) - 1), len(values)
        case _:
            return core.Builtin("players", (), Sequence(type_, cx.num_players), span)
    first, last = (core.Const(end, type_, span) for end in ends)
    return core.Range(first, last, Sequence(type_, size), span)


def settable(place: core.Expr) -> tuple[core.Expr, Block]:
    """Return the variable that holds a value of a card, and what raises a fault where the card is in no slot of it.

    Any other expression stays as it is.
    """
    if isinstance(place, core.Chain) and isinstance(value := place.alternatives[0][1], core.VarRef):
        there = place.alternatives[0][0]
        assert there is not None
    elif isinstance(place, core.VarRef) and place.variable.home is not None:
        value = place
        slot = core.ZoneRef(
            place.variable.home, place.index[: len(place.variable.home.indices)], Cards(frozenset(), 1), place.span
        )
        there = _negated(conversions.is_empty(slot))
    else:
        return place, ()
    assert value.variable.home is not None
    text = f"`{value.variable.name}` belongs to cards in `{value.variable.home.name}`, and none is meant here"
    return value, (core.If(there, (), (core.Fail("CG802", text, place.span),), place.span, ()),)


def _negated(test: core.Expr) -> core.Expr:
    return fold(core.Op("not", (test,), BOOL, test.span))


def check_arguments(cx: Context, domain: core.Expr) -> None:
    """Report that a card is chosen among slots with state, in a deck with copies: the choice is of a face alone."""
    states = {s.home: s for s in cx.symbols.values() if isinstance(s, Variable) and s.home is not None}
    if not cx.copies or not states:
        return
    for part in core.walk(domain):
        if isinstance(part, core.ZoneRef) and part.zone in states:
            name, state = part.zone.name, states[part.zone].name
            cx.report("CG343", f"copies of a card in `{name}` can differ in `{state}`, but a choice names a card by "
                      "its face", domain.span, "choose the number of the slot: `n from 1..5`")  # fmt: skip


# ---- cards that leave their slots


def keep_values(cx: Context, phases: list[Phase]) -> None:
    """Let the statements of phases reset the values of cards that leave their slots, and pass on those that move."""
    keeper = _Keeper(cx)
    if keeper.variables:
        for phase in phases:
            phase.body = keeper.block(phase.body)


class _Keeper:
    """Adds to each statement that relocates cards what it does to their values."""

    def __init__(self, cx: Context) -> None:
        self.cx = cx
        self.variables: dict[Zone, list[Variable]] = {}
        for symbol in cx.symbols.values():
            if isinstance(symbol, Variable) and symbol.home is not None:
                self.variables.setdefault(symbol.home, []).append(symbol)

    def block(self, block: Block) -> Block:
        return tuple([self.statement(core.map_blocks(stmt, self.block)) for stmt in block])

    def statement(self, stmt: core.Stmt) -> core.Stmt:
        """Return a statement together with what it does to the values of cards that leave their slots."""
        spend(PASS, stmt.span)
        names: list[core.Stmt] = []
        made: Block = ()
        match stmt:
            case core.Rotate(zone=zone) if zone.zone in self.variables:
                self.cx.report("CG343", f"`rotate` does not pass on `{self.variables[zone.zone][0].name}`", stmt.span,
                               "swap the slots one after another: `swap .. with ..`")  # fmt: skip
            case core.Swap() if stmt.first.zone in self.variables or stmt.second.zone in self.variables:
                stmt = evolved(stmt, first=self.fixed(stmt.first, names), second=self.fixed(stmt.second, names))
                made = self.exchanged(stmt.first, stmt.second)
            case core.Move() if self.can_leave(stmt.cards):
                cards, target = self.fixed(stmt.cards, names), self.fixed(stmt.target, names)
                stmt = evolved(stmt, cards=cards, target=target)
                made = self.left(cards, target, stmt.span)
            case core.Shuffle(cards=cards) if cards is not None and self.can_leave(cards):
                cards = self.fixed(cards, names)
                stmt = evolved(stmt, cards=cards)
                made = self.left(cards, None, stmt.span)
        return core.Together((*names, *made, stmt), stmt.span, ()) if made else stmt

    def can_leave(self, cards: core.Expr) -> bool:
        """Whether cards can lie in a slot of a variable."""
        zone = cards.zone if isinstance(cards, core.CardAt) else cards
        return not isinstance(zone, core.ZoneRef) or zone.zone in self.variables

    def fixed(self, expr: core.Expr, names: list[core.Stmt]) -> Any:
        """Return an expression that stays the same while values change; parts that may not get a name before."""
        match expr:
            case core.ZoneRef():
                return core.map_children(expr, lambda index: self.fixed(index, names))
            case core.CardAt(zone=core.ZoneRef() as slot):
                return self.fixed(slot, names)
            case core.LocalRef() | core.Const():
                return expr
        local = self.cx.local("kept", expr.type, expr.span)
        names.append(core.Let(local, expr, expr.span, ()))
        return core.LocalRef(local, expr.type, expr.span)

    def left(self, cards: core.Expr, target: core.ZoneRef | None, span: Span) -> Block:
        """Return what happens to the values of cards that go to another place."""
        if isinstance(cards, core.ZoneRef):
            return self.passed_on(cards, target, span)
        made: list[core.Stmt] = []
        for home in self.variables:
            names = [self.cx.local("place", type_, span) for type_ in home.indices]
            slot = _slot(self.cx, home, names, span)
            one, among = (conversions.card_in(slot), cards) if isinstance(cards.type, Cards) else (cards, slot)
            test = core.IsIn(one, among, BOOL, span)
            leaves = core.If(test, self.passed_on(slot, target, span), (), span, ())
            made += self.through(names, (leaves,), span)
        return tuple(made)

    def passed_on(self, slot: core.ZoneRef, target: core.ZoneRef | None, span: Span) -> Block:
        """Return what resets the values of the card in a slot, or passes them on to another slot of its kind."""
        to = target.index if target is not None and target.zone is slot.zone else None

        def given(variable: Variable, more: tuple[core.Expr, ...]) -> Block:
            assert variable.initial is not None
            reset = core.Assign(variable, (*slot.index, *more), "=", variable.initial, span, ())
            if to is None:
                return (reset,)
            name, value = self.read(variable, (*slot.index, *more), span)
            return name, reset, core.Assign(variable, (*to, *more), "=", value, span, ())

        made = self.of_each(slot.zone, given, span)
        return (core.If(_negated(conversions.is_empty(slot)), made, (), span, ()),) if made and to is not None else made

    def exchanged(self, first: core.ZoneRef, second: core.ZoneRef) -> Block:
        """Return what two slots do with the values of their cards when they exchange these."""
        span = first.span
        if first.zone is not second.zone:
            return (*self.passed_on(first, None, span), *self.passed_on(second, None, span))

        def swapped(variable: Variable, more: tuple[core.Expr, ...]) -> Block:
            one, its = self.read(variable, (*first.index, *more), span)
            other, theirs = self.read(variable, (*second.index, *more), span)
            changes = ((first, theirs), (second, its))
            return (
                one,
                other,
                *(core.Assign(variable, (*slot.index, *more), "=", value, span, ()) for slot, value in changes),
            )

        return self.of_each(first.zone, swapped, span)

    def of_each(self, home: Zone, body: Callable[[Variable, tuple[core.Expr, ...]], Block], span: Span) -> Block:
        """Return statements for each value that one card has: of every variable, at all its other indices."""
        made: list[core.Stmt] = []
        for variable in self.variables.get(home, ()):
            spend(2 * PASS, span)
            names = [self.cx.local("place", type_, span) for type_ in variable.indices[len(home.indices) :]]
            more = tuple(core.LocalRef(name, name.type, span) for name in names)
            made += self.through(names, body(variable, more), span)
        return tuple(made)

    def through(self, names: list[Local], block: Block, span: Span) -> Block:
        """Return a block carried out for all combinations of the values of some names."""
        for name in reversed(names):
            block = (core.For(core.Binder(name, _whole(self.cx, name.type, span), None, None), block, span, ()),)
        return block

    def read(self, variable: Variable, index: tuple[core.Expr, ...], span: Span) -> tuple[core.Stmt, core.Expr]:
        """Return a name for a value, and what reads it."""
        local = self.cx.local("value", variable.type, span)
        value = core.VarRef(variable, index, variable.type, span)
        return core.Let(local, value, span, ()), core.LocalRef(local, variable.type, span)
