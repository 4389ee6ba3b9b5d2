"""State on cards: variables whose values belong to the cards of slots or rows, as in `damage[card in field]`.

The values are kept by place: a variable has the indices of the slots, or those of the rows and the place in the row, so
copies of a card stay exchangeable, and nothing downstream knows of cards with state.  A statement that relocates a card
first resets its values or, where the card goes to another place of the variable, passes them on; the values of a row
close up and make room as its cards do.  A place without a card always has the first value.
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
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Local, Zone
from interpreter.analysis.types import BOOL, Card, Cards, EnumType, Int, Sequence, Type, optional

Block = tuple[core.Stmt, ...]


# ---- values of cards in expressions


def value_of(cx: Context, variable: Variable, card: core.Expr, more: tuple[core.Expr, ...], span: Span) -> core.Expr:
    """Return the value of a card, or of the one at a place; the first value where it lies in no place of the
    variable."""
    if isinstance(card, core.ZoneRef):
        return core.VarRef(variable, (*card.index, *more), variable.type, span)
    if isinstance(card, core.CardAt) and isinstance(row := card.zone, core.ZoneRef) and row.zone is variable.home:
        number, most = _number(card, row), row.zone.capacity
        value = core.VarRef(variable, (*row.index, number, *more), variable.type, span)
        match number.type:
            case Int(low=int(low), high=int(high)) if low >= 1 and high <= most:
                return value
        there: core.Expr = _is_from_1(number, conversions.how_many(row, most), most)
        assert variable.initial is not None
        return core.Chain(((there, value), (None, variable.initial)), variable.type, span)
    if variable.home is None or any(core.bound_name(part) is not None for part in core.walk(card)):
        return cx.wrong("CG343", "this card has no name yet", card.span, "name it first: `let c = ..`")
    if variable.initial is None:
        return cx.wrong("CG343", f"`{variable.name}` has no values yet", span, "read it during play")
    there, index = _search(cx, variable.home, card, span)
    value = core.VarRef(variable, (*index, *more), variable.type, span)
    return core.Chain(((there, value), (None, variable.initial)), variable.type, span)


def _search(cx: Context, home: Zone, card: core.Expr, span: Span) -> tuple[core.Expr, tuple[core.Expr, ...]]:
    """Return whether a card lies in one of some slots or rows, and the indices of its value."""

    def somewhere(left_out: int) -> tuple[list[Local], core.Expr]:
        names = [cx.local("place", type_, span) for type_ in home.indices]
        test: core.Expr = core.IsIn(card, _zone(cx, home, names, span), BOOL, span)
        for name in [name for number, name in enumerate(names) if number != left_out]:
            test = core.Select("some", core.Binder(name, _whole(cx, name.type, span), None, test), None, BOOL, span)
        return names, test

    spend(PASS, span)
    index: list[core.Expr] = []
    for number, type_ in enumerate(home.indices):
        names, test = somewhere(number)
        binder = core.Binder(names[number], _whole(cx, type_, span), None, test)
        index.append(core.Select("first", binder, None, type_, span))
    if home.kind == "row":
        index.append(_place_of(cx, card, core.ZoneRef(home, tuple(index), _held(cx, home), span)))
    return somewhere(-1)[1], tuple(index)


def _zone(cx: Context, home: Zone, names: list[Local], span: Span) -> core.ZoneRef:
    return core.ZoneRef(home, tuple(core.LocalRef(name, name.type, span) for name in names), _held(cx, home), span)


def _held(cx: Context, home: Zone) -> Cards:
    return Cards(frozenset(cx.kinds), home.capacity)


def _place_of(cx: Context, card: core.Expr, row: core.ZoneRef) -> core.Expr:
    """Return at which place of a row a card lies, counted from 1."""
    name = cx.local("place", Int(1, row.zone.capacity), row.span)
    same = core.Op("==", (card, _card_at(core.LocalRef(name, name.type, row.span), row)), BOOL, row.span)
    return core.Select(
        "first", core.Binder(name, _whole(cx, name.type, row.span), None, same), None, name.type, row.span
    )


def _card_at(number: core.Expr, row: core.ZoneRef) -> core.CardAt:
    assert isinstance(row.type, Cards)
    return core.CardAt(number, row, optional(Card(row.type.kinds)), row.span)


def _number(card: core.CardAt, row: core.ZoneRef) -> core.Expr:
    """Return the number of a place, also of the first and of the last card."""
    if card.at == "bottom":
        return conversions.how_many(row, row.zone.capacity)
    return core.Const(1, Int(1, 1), card.span) if card.at == "top" else card.at


def _is_from_1(number: core.Expr, high: core.Expr, most: int) -> core.Expr:
    """Return whether a number is from 1 to another one, which is at most so great."""
    numbers = core.Range(core.Const(1, Int(1, 1), number.span), high, Sequence(Int(1, most), most), number.span)
    return core.IsIn(number, numbers, BOOL, number.span)


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
    """Return the variable that holds a value of a card, and what raises a fault where there is no such card.

    Any other expression stays as it is.
    """
    if isinstance(place, core.Chain) and isinstance(value := place.alternatives[0][1], core.VarRef):
        there = place.alternatives[0][0]
        assert there is not None
    elif isinstance(place, core.VarRef) and place.variable.home is not None:
        value, home, number = place, place.variable.home, len(place.variable.home.indices)
        zone = core.ZoneRef(home, place.index[:number], Cards(frozenset(), home.capacity), place.span)
        there = conversions.how_many(zone, home.capacity)
        there = (
            _is_from_1(place.index[number], there, home.capacity)
            if home.kind == "row"
            else _negated(conversions.is_empty(zone))
        )
    else:
        return place, ()
    assert value.variable.home is not None
    text = f"`{value.variable.name}` belongs to cards in `{value.variable.home.name}`, and none is meant here"
    return value, (core.If(there, (), (core.Fail("CG802", text, place.span),), place.span, ()),)


def _negated(test: core.Expr) -> core.Expr:
    return fold(core.Op("not", (test,), BOOL, test.span))


def check_arguments(cx: Context, domain: core.Expr) -> None:
    """Report that a card is chosen among cards with state, in a deck with copies: the choice is of a face alone."""
    states = {s.home: s for s in cx.symbols.values() if isinstance(s, Variable) and s.home is not None}
    if not cx.copies or not states:
        return
    for part in core.walk(domain):
        if isinstance(part, core.ZoneRef) and part.zone in states:
            name, state = part.zone.name, states[part.zone].name
            cx.report("CG343", f"copies of a card in `{name}` can differ in `{state}`, but a choice names a card by "
                      "its face", domain.span, "choose the number of its place: `n from 1..5`")  # fmt: skip


# ---- cards that leave their places


def keep_values(cx: Context, phases: list[Phase]) -> None:
    """Let the statements of phases reset the values of cards that leave their places, and pass on those that move."""
    keeper = _Keeper(cx)
    if keeper.variables:
        for phase in phases:
            phase.body = keeper.block(phase.body)


class _Keeper:
    """Adds to each statement that relocates cards what it does to their values."""

    def __init__(self, cx: Context) -> None:
        self.cx = cx
        self.variables: dict[Zone, list[Variable]] = {}
        self.carried: dict[Variable, Variable] = {}
        """Local variables for the values of the card that enters a row."""
        for symbol in cx.symbols.values():
            if isinstance(symbol, Variable) and symbol.home is not None:
                self.variables.setdefault(symbol.home, []).append(symbol)

    def block(self, block: Block) -> Block:
        return tuple([self.statement(core.map_blocks(stmt, self.block)) for stmt in block])

    def statement(self, stmt: core.Stmt) -> core.Stmt:
        """Return a statement together with what it does to the values of cards that leave or enter their places."""
        spend(PASS, stmt.span)
        names: list[core.Stmt] = []
        made: Block = ()
        self.carried = {}
        match stmt:
            case core.Rotate(zone=zone) if zone.zone in self.variables:
                binder = evolved(stmt.binder, domain=self.fixed(stmt.binder.domain, names))
                stmt = evolved(stmt, binder=binder, zone=self.fixed(zone, names))
                made = self.rotated(stmt)
            case core.Swap() if stmt.first.zone in self.variables or stmt.second.zone in self.variables:
                stmt = evolved(stmt, first=self.fixed(stmt.first, names), second=self.fixed(stmt.second, names))
                made = self.exchanged(stmt.first, stmt.second)
            case core.Move() if self.can_leave(stmt.cards) or self.makes_room(stmt):
                stmt = core.map_children(stmt, lambda part: self.fixed(part, names))
                if not self.makes_room(stmt):
                    made = self.left(stmt.cards, stmt.target, stmt.span)
                elif isinstance(stmt.cards.type, Cards) and not conversions.is_slot(stmt.cards):
                    one = self.cx.local("card", Card(stmt.cards.type.kinds), stmt.span)
                    each = evolved(stmt, cards=core.LocalRef(one, one.type, stmt.span))
                    binder = core.Binder(one, stmt.cards, None, None)
                    stmt, made = core.For(binder, (self.statement(each),), stmt.span, ()), ()
                    return core.Together((*names, stmt), stmt.span, ())
                else:
                    made = self.entered(stmt)
            case core.Deal() if self.makes_room(stmt):
                stmt = core.map_children(stmt, lambda part: self.fixed(part, names))
                made = self.entered(stmt)
            case core.Shuffle(cards=cards) if cards is not None and self.can_leave(cards):
                cards = self.fixed(cards, names)
                stmt = evolved(stmt, cards=cards)
                made = self.left(cards, None, stmt.span)
        return core.Together((*names, *made, stmt), stmt.span, ()) if made else stmt

    def can_leave(self, cards: core.Expr) -> bool:
        """Whether cards can lie at a place of a variable."""
        zone = cards.zone if isinstance(cards, core.CardAt) else cards
        return not isinstance(zone, core.ZoneRef) or zone.zone in self.variables

    def makes_room(self, stmt: core.Move | core.Deal) -> bool:
        """Whether cards enter a row with values, which move for them, or to which they bring theirs."""
        row = stmt.target.zone
        if row.kind != "row" or row not in self.variables:
            return False
        if stmt.at is not None or isinstance(stmt, core.Deal):
            return stmt.at is not None
        zone = stmt.cards.zone if isinstance(stmt.cards, core.CardAt) else stmt.cards
        return not isinstance(zone, core.ZoneRef) or zone.zone is row

    def fixed(self, expr: core.Expr, names: list[core.Stmt]) -> Any:
        """Return an expression that stays the same while values change; parts that may not get a name before."""
        match expr:
            case core.CardAt(zone=core.ZoneRef() as slot) if conversions.is_slot(slot):
                return self.fixed(slot, names)
            case core.ZoneRef() | core.CardAt(zone=core.ZoneRef()) | core.Range() | core.Builtin(args=()):
                return core.map_children(expr, lambda part: self.fixed(part, names))
            case core.LocalRef() | core.Const():
                return expr
        local = self.cx.local("kept", expr.type, expr.span)
        names.append(core.Let(local, expr, expr.span, ()))
        return core.LocalRef(local, expr.type, expr.span)

    def left(self, cards: core.Expr, target: core.ZoneRef | None, span: Span) -> Block:
        """Return what happens to the values of cards that go to another place."""
        if isinstance(cards, core.ZoneRef):
            return self.passed_on(cards, target, span) if cards.zone in self.variables else ()
        if isinstance(cards, core.CardAt) and isinstance(row := cards.zone, core.ZoneRef):
            return self.closed(row, _number(cards, row)) if row.zone in self.variables else ()
        made: list[core.Stmt] = []
        for home in self.variables:
            names = [self.cx.local("place", type_, span) for type_ in home.indices]
            zone = _zone(self.cx, home, names, span)
            several = isinstance(cards.type, Cards)
            leaves: Block
            if home.kind == "row" and several:  # From the last one on, so that the others are still where they were.
                number = self.cx.local("place", Int(1, home.capacity), span)
                last = core.Const(home.capacity + 1, Int(), span)
                place = core.Op("-", (last, core.LocalRef(number, number.type, span)), number.type, span)
                test: core.Expr = core.IsIn(_card_at(place, zone), cards, BOOL, span)
                leaves = self.through([number], (core.If(test, self.closed(zone, place), (), span, ()),), span)
            elif home.kind == "row":
                at = self.cx.local("place", Int(1, home.capacity), span)
                name = core.Let(at, _place_of(self.cx, cards, zone), span, ())
                block = name, *self.closed(zone, core.LocalRef(at, at.type, span))
                leaves = (core.If(core.IsIn(cards, zone, BOOL, span), block, (), span, ()),)
            else:
                one, among = (conversions.card_in(zone), cards) if several else (cards, zone)
                test = core.IsIn(one, among, BOOL, span)
                leaves = (core.If(test, self.passed_on(zone, target, span), (), span, ()),)
            made += self.through(names, leaves, span)
        return tuple(made)

    def passed_on(self, zone: core.ZoneRef, target: core.ZoneRef | None, span: Span) -> Block:
        """Return what resets the values of all cards of a place, or passes them on to another slot of its kind."""
        to = target.index if target is not None and target.zone is zone.zone and zone.zone.kind == "slot" else None

        def given(variable: Variable, more: tuple[core.Expr, ...]) -> Block:
            reset = self.assigned(variable, (*zone.index, *more), variable.initial, span)
            if to is None:
                return (reset,)
            name, value = self.read(variable, (*zone.index, *more), span)
            return name, reset, self.assigned(variable, (*to, *more), value, span)

        made = self.of_each(zone.zone, given, span)
        return (core.If(_negated(conversions.is_empty(zone)), made, (), span, ()),) if made and to is not None else made

    def exchanged(self, first: core.ZoneRef, second: core.ZoneRef) -> Block:
        """Return what two places do with the values of their cards when they exchange these."""
        span = first.span
        if first.zone is not second.zone:
            return tuple(s for z in (first, second) if z.zone in self.variables for s in self.passed_on(z, None, span))

        def swapped(variable: Variable, more: tuple[core.Expr, ...]) -> Block:
            one, its = self.read(variable, (*first.index, *more), span)
            other, theirs = self.read(variable, (*second.index, *more), span)
            changes = ((first, theirs), (second, its))
            return one, other, *(self.assigned(variable, (*z.index, *more), value, span) for z, value in changes)

        return self.of_each(first.zone, swapped, span)

    def rotated(self, stmt: core.Rotate) -> Block:
        """Return what passes on the values of rotated places: each is swapped with the first one, or with its
        neighbour."""
        local, span = stmt.binder.local, stmt.span
        before = self.variable("before", (), (), optional(local.type), span)
        here, known = core.LocalRef(local, local.type, span), core.VarRef(before, (), before.type, span)
        other = core.Chain(((None, known), (None, here)), local.type, span)
        index = tuple(substitute(i, {local: other}) for i in stmt.zone.index)
        note: core.Stmt = self.assigned(before, (), here, span)
        if stmt.left:
            note = core.If(core.IsNone(known, BOOL, span), (note,), (), span, ())
        body = *self.exchanged(evolved(stmt.zone, index=index), stmt.zone), note
        start = core.Begin(before, core.Const(None, before.type, span), span, ())
        return start, core.For(stmt.binder, body, span, ())

    def closed(self, row: core.ZoneRef, place: core.Expr) -> Block:
        """Return what happens to the values of a row where the card at a place leaves it: those after it move up."""
        span, most = row.span, row.zone.capacity

        def moved_up(variable: Variable, more: tuple[core.Expr, ...]) -> Block:
            at = self.cx.local("place", Int(1, most), span)
            here = core.LocalRef(at, at.type, span)
            after = core.Op("+", (here, core.Const(1, Int(1, 1), span)), at.type, span)
            up = self.assigned(
                variable, (*row.index, here, *more), self.value(variable, (*row.index, after, *more)), span
            )
            rest = core.Range(place, core.Const(most - 1, Int(), span), Sequence(at.type, most), span)
            end = core.Const(most, at.type, span)
            taken = self.carried.get(variable)
            return (
                *([] if taken is None
                  else [self.assigned(taken, more, self.value(variable, (*row.index, place, *more)), span)]),
                core.For(core.Binder(at, rest, None, None), (up,), span, ()),
                self.assigned(variable, (*row.index, end, *more), variable.initial, span),
            )  # fmt: skip

        test = _is_from_1(place, core.Const(most, Int(most, most), span), most)
        return (core.If(test, self.of_each(row.zone, moved_up, span, 1), (), span, ()),)

    def entered(self, stmt: core.Move | core.Deal) -> Block:
        """Return what happens to the values where cards enter a row: those at their place and after it move down."""
        row, span, most = stmt.target, stmt.span, stmt.target.zone.capacity
        number, one = Int(1, most + 1), core.Const(1, Int(1, 1), span)
        there = conversions.how_many(row, most)
        end: core.Expr = core.Op("+", (there, one), number, span)
        if isinstance(stmt, core.Move):
            end = core.Chain(((core.IsIn(stmt.cards, row, BOOL, span), there), (None, end)), number, span)
        if stmt.at is not None:
            assert not isinstance(stmt.at, str)
            end = core.Builtin("max", (core.Builtin("min", (stmt.at, end), Int(), span), one), number, span)
        first = self.cx.local("place", number, span)
        begun: list[core.Stmt] = [core.Let(first, end, span, ())]
        for variable in self.variables[row.zone]:
            skipped = len(row.zone.indices) + 1
            shape = variable.indices[skipped:], variable.sizes[skipped:]
            kept = self.carried[variable] = self.variable(variable.name, *shape, variable.type, span)
            assert variable.initial is not None
            begun.append(core.Begin(kept, variable.initial, span, ()))
        at = self.cx.local("place", number, span)
        here = core.LocalRef(at, at.type, span)

        def moved_down(variable: Variable, more: tuple[core.Expr, ...]) -> Block:
            kept = self.carried[variable]
            name, value = self.read(variable, (*row.index, here, *more), span)
            put = self.assigned(variable, (*row.index, here, *more), self.value(kept, more), span)
            return name, put, self.assigned(kept, more, value, span)

        rest = core.Range(
            core.LocalRef(first, number, span), core.Const(most, Int(), span), Sequence(number, most), span
        )
        down = core.For(core.Binder(at, rest, None, None), self.of_each(row.zone, moved_down, span, 1), span, ())
        if isinstance(stmt, core.Deal):
            dealt = core.Builtin("min", (stmt.count, conversions.how_many(stmt.origin, self.cx.deck_size)), Int(), span)
            times = core.Range(one, dealt, Sequence(Int(), self.cx.deck_size), span)
            return (
                core.For(core.Binder(self.cx.local("card", Int(), span), times, None, None), (*begun, down), span, ()),
            )
        match stmt.cards:
            case core.CardAt(zone=core.ZoneRef() as zone) as card:
                present = _is_from_1(
                    _number(card, zone), conversions.how_many(zone, zone.zone.capacity), zone.zone.capacity
                )
            case core.ZoneRef() as slot:
                present = _negated(conversions.is_empty(slot))
            case _:  # A card by its name.
                present = _negated(core.IsNone(stmt.cards, BOOL, span))
        return (core.If(present, (*begun, *self.left(stmt.cards, None, span), down), (), span, ()),)

    def of_each(
        self, home: Zone, body: Callable[[Variable, tuple[core.Expr, ...]], Block], span: Span, given: int = 0
    ) -> Block:
        """Return statements for each value that one place has: of every variable, at all its other indices.

        So many indices after those of the place are given.
        """
        made: list[core.Stmt] = []
        for variable in self.variables.get(home, ()):
            spend(2 * PASS, span)
            names = [self.cx.local("place", type_, span) for type_ in variable.indices[len(home.indices) + given :]]
            more = tuple(core.LocalRef(name, name.type, span) for name in names)
            made += self.through(names, body(variable, more), span)
        return tuple(made)

    def through(self, names: list[Local], block: Block, span: Span) -> Block:
        """Return a block carried out for all combinations of the values of some names."""
        for name in reversed(names):
            block = (core.For(core.Binder(name, _whole(self.cx, name.type, span), None, None), block, span, ()),)
        return block

    def variable(
        self, name: str, indices: tuple[Type, ...], sizes: tuple[int, ...], type_: Type, span: Span
    ) -> Variable:
        """Return a new variable of a block."""
        made = Variable(name, indices, sizes, "nobody", self.cx.num_values, span, (), type_, None, local=True)
        self.cx.local_variables.append(made)
        self.cx.num_values += made.places
        return made

    def value(self, variable: Variable, index: tuple[core.Expr, ...]) -> core.Expr:
        """Return what reads a value."""
        return core.VarRef(variable, index, variable.type, variable.span)

    def assigned(
        self, variable: Variable, index: tuple[core.Expr, ...], value: core.Expr | None, span: Span
    ) -> core.Stmt:
        """Return what sets a value."""
        assert value is not None
        return core.Assign(variable, index, "=", value, span, ())

    def read(self, variable: Variable, index: tuple[core.Expr, ...], span: Span) -> tuple[core.Stmt, core.Expr]:
        """Return a name for a value, and what reads it."""
        local = self.cx.local("value", variable.type, span)
        return core.Let(local, self.value(variable, index), span, ()), core.LocalRef(local, variable.type, span)
