"""The rules that caused the last events, and the parts of a number: provenance by replay.

The play is replayed by a logged state whose log records, for each event, the site of the statement that is carried out
(`state.at`).

A seat is shown the rule of an event if every condition on the way from `play` to the statement reads only what the seat
sees at all times, or if no other statement of the spec can make such an event.  Branches under `openly` are no
exception, since equal events may come of both.

The parts of a number are evaluated on a table from which all that the seat does not see is removed, so they depend on
its information state alone.  One unknown part of a plain sum follows from the total and the others.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.symbols import Family, Local, Zone
from interpreter.analysis.types import Card, Int, Player, base_of
from interpreter.engine.evaluate import evaluator
from interpreter.engine.faults import IllegalActionError, NeedCard, RuleError
from interpreter.engine.logged import LoggedMachine
from interpreter.engine.machine import Machine
from interpreter.knowledge.events import Assigned, Chosen, Event, Layout, Moved, Said, Shown, Shuffled, Turned, eyes_of
from interpreter.knowledge.observation import sees
from interpreter.knowledge.recall import seen_of
from interpreter.knowledge.visibility import Past, Seen, Sight
from interpreter.program.facts import operands
from interpreter.program.layout import turned_zones
from interpreter.program.nodes import Auto, Call

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.program.nodes import Program

DEEPEST = 6
"""Definitions and names that are followed to find the parts of a sum."""
MOST_PARTS = 8
MOST_VALUES = 500
"""Functions for the values of expressions that are kept."""
UNKNOWN = object()
"""The value of an expression that a seat cannot work out."""


@attrs.frozen
class Part:
    """One part of a number: its span in the spec, its value, and whether it is subtracted.

    `face` is the card that brings it where the number is a sum over cards, `players` are those whom it names.
    """

    span: Span
    value: int
    minus: bool = False
    face: int | None = None
    players: frozenset[int] = frozenset()


@attrs.frozen
class Sum:
    """A number that the rules worked out, and the parts that it is made of; parts of nothing are left out."""

    total: int
    parts: tuple[Part, ...]


@attrs.frozen
class Reason:
    """An event as a seat observed it, the statement that made it (None where that is not shown), and its numbers.

    `whole` is the number by which a variable changed, with the span of the value that the rules give it.
    """

    event: Event
    span: Span | None
    sums: tuple[Sum, ...] = ()
    whole: Part | None = None


@attrs.frozen
class _Leaf:
    """A part of a sum before its value is known: with the names in force."""

    expr: core.Expr
    bound: Mapping[Local, Any]
    minus: bool
    face: int | None = None

    @property
    def is_made(self) -> bool:
        """Whether it is worked out of something, so that it says more than a name would."""
        return isinstance(self.expr, core.Op | core.Builtin | core.Fold) or self.face is not None


Provenance = tuple[Span | None, tuple[Sum, ...], Part | None]
UNKNOWN_PROVENANCE: Provenance = (None, (), None)


class _Log(list[Event]):
    """A log that records on each event how it came about."""

    def __init__(self, record: Callable[[Event], None]) -> None:
        super().__init__()
        self.record = record

    def append(self, event: Event) -> None:
        self.record(event)
        super().append(event)


class ProvenanceRecorder(LoggedMachine):
    """A logged state that records how its events come about, from number `first` on, as far as a seat may know.

    Without a seat nothing is hidden: the play is over.  With `variables` only changes of these are recorded.
    """

    __slots__ = ("first", "knowledge", "recorded", "variables")

    def __init__(self, game: GameBase, player: int | None, first: int, variables: Container[str] | None = None) -> None:
        super().__init__(game, game.code)
        self.knowledge = _SeatKnowledge(_statics(game.program), game, player)
        self.first = first
        self.variables = variables
        self.recorded: dict[int, Provenance] = {}
        self.log = _Log(self._record)

    def _record(self, event: Event) -> None:
        if len(self.log) >= self.first and (self.variables is None or self._is_change(event, self.variables)):
            self.recorded[len(self.log)] = self.knowledge.provenance(self, event)

    def _is_change(self, event: Event, variables: Container[str]) -> bool:
        return isinstance(event, Assigned) and self.game.data.slots[event.place].variable in variables

    def of(self, seen: Seen) -> Provenance:
        """Return how an event came about that a seat observed; of merged events, what they have in common."""
        found = {self.recorded.get(number, UNKNOWN_PROVENANCE) for number in range(seen.first, seen.last + 1)}
        return found.pop() if len(found) == 1 else UNKNOWN_PROVENANCE


def reasons(state: Machine, player: int) -> list[Reason]:
    """Return what has happened, as a player observed it, from their own last decision on that something came after.

    Where they have not decided yet, it begins with the first decision of the play.
    Raises IllegalActionError where the history of the state does not lead to what the player observed.
    """
    seen = seen_of(state, Sight(player))
    decided = [number for number, one in enumerate(seen) if isinstance(one.event, Chosen)]
    own = [number for number in decided if getattr(seen[number].event, "player", None) == player]
    last = max((number for number, one in enumerate(seen) if not isinstance(one.event, Chosen)), default=0)
    first = next((number for number in (*reversed(own), *decided) if number < last), 0)
    recorder = ProvenanceRecorder(state.game, player, seen[first].first if seen else 0)
    recorder.begin()
    for item in state.entries[1::2]:
        recorder.apply_item(item)
    replayed = Past(Sight(player), state.game.everyone).read_on(recorder.log)
    if [one.event for one in replayed] != [one.event for one in seen]:
        raise IllegalActionError("the history does not lead to this state")
    return [Reason(one.event, *recorder.of(one)) for one in seen[first:]]


def failing_parts(state: LoggedMachine, condition: core.Expr, bound: Mapping[Local, Any]) -> tuple[core.Expr, ...]:
    """Return the parts of a condition that fail, the innermost first, as far as the player who acts can know.

    Nothing where that one knows the condition to hold.
    """
    sums = _Sums(_SeatKnowledge(_statics(state.game.program), state.game, state.to_act), state, True)
    value = sums.value(condition, bound)
    return () if value and value is not UNKNOWN else tuple(sums.failing(condition, bound))[::-1]


def scoring_variables(game: GameBase) -> frozenset[Variable]:
    """Return the numbers that the result reads, and that decide who wins."""
    parts = [p for line in game.rules.results if line.what != "returns" for p in core.walk_with_definitions(line.value)]
    return frozenset(
        p.variable for p in parts if isinstance(p, core.VarRef) and isinstance(base_of(p.variable.type), Int)
    )


@attrs.frozen
class _Reads:
    """The variables and zones that expressions read, also through definitions; and whether they read an argument."""

    families: frozenset[Family]
    argument: bool


class _Statics:
    """The statements of a game with the conditions on the way to them, and the definitions of its names."""

    def __init__(self, program: Program) -> None:
        self.statements = tuple(program.rules.statements())
        self.hidden_faces = turned_zones(program)
        self.by_span: dict[Span, list[core.Stmt]] = {}
        self.names: dict[Local, list[core.Expr]] = {}
        self.lets: dict[Local, core.Expr] = {}
        self.params: dict[Local, tuple[Phase, int]] = {}
        self.calls: dict[Phase, list[core.CallPhase]] = {}
        self.arguments: set[Local] = set()
        self.around: dict[int, tuple[Phase, tuple[core.Expr, ...]]] = {}
        for phase in program.rules.every_phase:
            self._enter(phase.body, phase, ())
            for number, param in enumerate(phase.params):
                self.params[param] = phase, number
        for param, (phase, number) in self.params.items():
            self.names[param] = [call.args[number] for call in self.calls.get(phase, ())]
        self.ways: dict[int, _Reads] = {}
        self.values: dict[tuple[core.Expr, tuple[tuple[int, str], ...]], Callable[[Machine], Any]] = {}

    def _enter(self, body: tuple[core.Stmt, ...], phase: Phase, around: tuple[core.Expr, ...]) -> None:
        """Record the statements of a block, and the conditions around them."""
        for stmt in body:
            self.by_span.setdefault(stmt.span, []).append(stmt)
            self.around[id(stmt)] = phase, around
            conditions: tuple[core.Expr, ...] = ()
            match stmt:
                case core.Let(local=local, value=value):
                    self.lets[local] = value
                    self.names[local] = [value]
                case core.CallPhase(phase=called):
                    self.calls.setdefault(called, []).append(stmt)
                case core.If(condition=condition) | core.While(condition=condition):
                    conditions = (condition,)
                case core.For(binder=binder) | core.InTurn(binder=binder) | core.AtOnce(binder=binder):
                    conditions = tuple(core.children(binder))
                    self.names[binder.local] = list(conditions)
                case core.Choice():
                    self.arguments.update(arg.local for action in core.all_actions(stmt) for arg in action.args)
            for block in core.blocks_inside(stmt):
                self._enter(block, phase, (*around, *conditions))

    def way_to(self, stmt: core.Stmt) -> _Reads:
        """Return what the conditions on all ways from `play` to a statement read; it is worked out once for each."""
        if (found := self.ways.get(id(stmt))) is not None:
            return found
        conditions: list[core.Expr] = []
        todo, entered = [stmt], {self.around[id(stmt)][0]}
        while todo:
            phase, around = self.around[id(todo.pop())]
            conditions += around
            for call in self.calls.get(phase, ()):
                conditions += self.around[id(call)][1]
                if (caller := self.around[id(call)][0]) not in entered:
                    entered.add(caller)
                    todo.append(call)
        return self.ways.setdefault(id(stmt), self.reads(conditions))

    def reads(self, exprs: Iterable[core.Expr], names: Iterable[Local] = ()) -> _Reads:
        """Return what expressions and names read; how many cards lie in a whole zone is known to all."""
        named = set(names)
        todo = [*exprs, *(value for name in named for value in self.names.get(name, ()))]
        families: set[Family] = set()
        while todo:
            parts = list(core.walk_with_definitions(todo.pop()))
            counted = {id(zone) for part in parts if isinstance(part, core.Builtin) and part.name in ("count", "empty")
                       and _are_zones(part.args[0]) for zone in core.walk(part.args[0])}  # fmt: skip
            for part in parts:
                match part:
                    case core.VarRef(variable=variable):
                        families.add(variable)
                    case core.ZoneRef(zone=zone) if id(part) not in counted:
                        families.add(zone)
                    case core.LocalRef(local=local) if local not in named:
                        named.add(local)
                        todo += self.names.get(local, ())
        return _Reads(frozenset(families), not named.isdisjoint(self.arguments))


@lru_cache(maxsize=4)
def _statics(program: Program) -> _Statics:
    return _Statics(program)


class _SeatKnowledge:
    """The provenance of events, limited to the knowledge of a seat."""

    def __init__(self, statics: _Statics, game: GameBase, player: int | None) -> None:
        self.statics = statics
        self.game = game
        self.player = player

    def provenance(self, state: LoggedMachine, event: Event) -> Provenance:
        """Return the statement that causes an event, and the parts of its numbers, as far as the seat knows them."""
        if isinstance(event, Chosen | Layout):
            return UNKNOWN_PROVENANCE
        stmt = self._statement(self.game.program.sites.spans[state.at], event)
        if stmt is None:
            return UNKNOWN_PROVENANCE
        public = self.sees(state, self.statics.way_to(stmt))
        if not public and not self._has_one_maker(event):
            return UNKNOWN_PROVENANCE
        sums = _Sums(self, state, public)
        return stmt.span, tuple(sums.of(stmt, event)), sums.whole(stmt, event)

    def _statement(self, span: Span, event: Event) -> core.Stmt | None:
        found = self.statics.by_span.get(span, [])
        match event:
            case Assigned(place=place):
                variable = self.game.variables[place][0]
                return next((s for s in found if isinstance(s, core.Assign) and s.variable is variable), None)
            case Said():
                return next((s for s in found if isinstance(s, core.Say)), None)
            case _:  # All others are made by statements of one kind each.
                return found[0] if found else None

    def _has_one_maker(self, event: Event) -> bool:
        """Say whether only one statement of the spec can make such an event."""
        return len({stmt.span for stmt in self.statics.statements if self._can_make(stmt, event)}) == 1

    def _can_make(self, stmt: core.Stmt, event: Event) -> bool:
        """Say whether a statement can make an event, as far as the seat observes it."""
        places = self.game.places
        match stmt, event:
            case core.Shuffle(zone=zone), Shuffled(place=place):
                return zone.zone is places[place][0]
            case core.Assign(value=core.Const(value=constant), op="="), Assigned(value=value) if constant != value:
                return False
            case (
                core.Assign(variable=variable)
                | core.Begin(variable=variable)
                | core.Random(into=core.VarRef(variable=variable)),
                Assigned(place=place),
            ):
                return variable is self.game.variables[place][0]
            case core.Say(parts=parts), Said(parts=said):
                pairs = zip(parts, said, strict=False)
                return len(parts) == len(said) and all(p == q for p, q in pairs if isinstance(p, str))
            case core.Turn(face=face), Turned(up=up):
                return (face == "up") == up
            case core.Show(), Shown():
                return True
            case _, Moved(origin=origin, target=target, face=face):
                moved = (t for t in core.transfers(stmt) if t.target.zone is places[target][0] and t.face == face)
                return any(_may_come_from(t.cards, places[origin][0]) for t in moved)
            case _:
                return False

    def sees(self, state: LoggedMachine, reads: _Reads) -> bool:
        """Say whether the seat sees at all times what expressions read, and saw the last choice if they read it."""
        if self.player is None:
            return True
        if not self.always_sees(reads):
            return False
        if not reads.argument:
            return True
        chosen = next((e for e in reversed(state.log) if isinstance(e, Chosen)), None)
        return chosen is not None and not chosen.hides(eyes_of(self.player))

    def may_explain(self, variables: Container[str]) -> bool:
        """Say whether the seat can ever know which statement changes one of some variables."""
        changes = (s for s in self.statics.statements if isinstance(s, core.Assign) and s.variable.name in variables)
        return any(self.always_sees(self.statics.way_to(stmt)) for stmt in changes)

    def always_sees(self, reads: _Reads) -> bool:
        """Say whether the seat sees at all times the places and variables that expressions read."""
        assert self.player is not None
        for family in reads.families:
            viewers = self.game.place_viewers if isinstance(family, Zone) else self.game.variable_viewers
            if family in self.statics.hidden_faces or (isinstance(family, Variable) and family.local):
                return False
            if not all(viewers[n] >> self.player & 1 for n in range(family.base, family.base + family.places)):
                return False
        return True


class _Sums:
    """The numbers of an event, evaluated on a table without what a seat does not see."""

    def __init__(self, knowledge: _SeatKnowledge, state: LoggedMachine, public: bool) -> None:
        self.knowledge = knowledge
        self.statics = knowledge.statics
        self.game = knowledge.game
        self.state = state
        self.public = public

    @cached_property
    def table(self) -> Machine:
        """The table without what the seat does not see."""
        return _seen_table(self.state, self.knowledge.player)

    def failing(self, expr: core.Expr, bound: Mapping[Local, Any]) -> Iterator[core.Expr]:
        """Give a condition that fails, the first part of it that the seat knows to fail, and so on."""
        yield expr
        match expr:
            case core.Op(op="and"):
                parts = operands(expr, "and")
                part = next((p for p in parts if not self.value(p, bound)), None)  # UNKNOWN is true.
            case core.Chain(alternatives=alternatives):
                part = self._alternative(alternatives, dict(bound))
            case core.CallDefine(define=define, args=args) if define.value is not None and not define.lets:
                given = [self.value(arg, bound) for arg in args]
                part = None if UNKNOWN in given else define.value
                bound = {**bound, **dict(zip(define.params, given, strict=True))}
            case _:  # Any other condition is one part.
                part = None
        if part is not None:
            yield from self.failing(part, bound)

    def of(self, stmt: core.Stmt, event: Event) -> Iterator[Sum]:
        """Give the numbers that a statement has worked out for an event, with their parts."""
        bound: dict[Local, Any] = {}
        match stmt, event:
            case core.Assign(value=value, index=index), Assigned(place=place):
                known = self.game.variables[place][1]
                bound = {i.local: k for i, k in zip(index, known, strict=True) if isinstance(i, core.LocalRef)}
                sums = [(value, _number_of(stmt, event))]
            case core.Say(parts=parts), Said(parts=said):
                sums = [(p, t[1]) for p, t in zip(parts, said, strict=True) if not isinstance(p, str | core.Const)
                        and not isinstance(t, str) and isinstance(base_of(t[0]), Int)]  # fmt: skip
                bound = {
                    p.local: t[1]
                    for p, t in zip(parts, said, strict=True)
                    if isinstance(p, core.LocalRef) and isinstance(t, tuple) and isinstance(base_of(t[0]), Player)
                }
            case _:  # No other event has a number that the rules have worked out.
                return
        for expr, total in sums:
            if total is None:
                continue
            made = tuple(self._parts(expr, total, bound))
            if not made and isinstance(stmt, core.Assign) and _has_name(expr):
                made = (Part(expr.span, total, players=self._players(expr, bound)),)
            if made:
                yield Sum(total, made)

    def whole(self, stmt: core.Stmt, event: Event) -> Part | None:
        """Return the number that a statement gives to a variable; its span is that of the argument where it is one."""
        if not isinstance(stmt, core.Assign) or not isinstance(event, Assigned):
            return None
        expr, total = stmt.value, _number_of(stmt, event)
        for _ in range(DEEPEST):
            definition = self._definition(expr.local) if isinstance(expr, core.LocalRef) else None
            if definition is None:
                break
            expr = definition
        return None if total is None else Part(expr.span, total, players=self._players(expr, {}))

    def _parts(self, expr: core.Expr, total: int, bound: dict[Local, Any]) -> Iterator[Part]:
        """Give the parts of a number, where the seat knows all of them, or all but one of a plain sum."""
        self._is_plain = True
        leaves = list(self._leaves(expr, dict(bound), False, DEEPEST))
        values = [self.value(leaf.expr, leaf.bound) for leaf in leaves]
        alone = len(leaves) == 1 and (isinstance(expr, core.Chain) or (leaves[0].is_made and leaves[0].expr != expr))
        if not (alone or 2 <= len(leaves) <= MOST_PARTS):
            return
        unknown = [number for number, value in enumerate(values) if value is UNKNOWN]
        if unknown and (len(unknown) > 1 or not self._is_plain or len(leaves) == 1):
            return
        for missing in unknown:
            values[missing] = 0
            values[missing] = (total - _signed(values, leaves)) * (-1 if leaves[missing].minus else 1)
        if (_signed(values, leaves) if self._is_plain else self.value(expr, bound)) != total:
            return
        for value, leaf in zip(values, leaves, strict=True):
            if value or not (self._is_plain or isinstance(leaf.expr, core.Const)):
                yield Part(leaf.expr.span, value, leaf.minus, leaf.face, self._players(leaf.expr, leaf.bound))

    def _players(self, expr: core.Expr, bound: Mapping[Local, Any]) -> frozenset[int]:
        """Return the players whom a value names, as far as the seat knows them."""
        names = (part for part in core.walk(expr) if isinstance(part, core.LocalRef | core.VarRef))
        values = [self.value(name, bound) for name in names if isinstance(base_of(name.type), Player)]
        return frozenset(value for value in values if isinstance(value, int))

    def _leaves(self, expr: core.Expr, bound: dict[Local, Any], minus: bool, depth: int) -> Iterator[_Leaf]:
        """Give the parts of a sum; a name is followed to its definition where that says more than the name."""
        inner: list[_Leaf] = []
        match expr:
            case core.Op(op="+" | "-" as op, args=(left, right)):
                yield from self._leaves(left, bound, minus, depth)
                yield from self._leaves(right, bound, minus != (op == "-"), depth)
                return
            case core.Builtin() | core.Op() if depth and _is_arithmetic(expr):
                self._is_plain = False
                for arg in expr.args:
                    yield from self._leaves(arg, bound, minus, 0)
                return
            case core.Fold(function="sum") if depth:
                inner = self._card_by_card(expr, bound, minus)
            case core.Chain(alternatives=alternatives) if depth:
                chosen = self._alternative(alternatives, bound)
                if chosen is not None:
                    yield from self._leaves(chosen, bound, minus, depth - 1)
                    return
            case core.CallDefine(define=define, args=args) if depth and define.value is not None and not define.lets:
                given = [self.value(arg, bound) for arg in args]
                if UNKNOWN not in given:
                    names = dict(zip(define.params, given, strict=True))
                    inner = list(self._leaves(define.value, {**bound, **names}, minus, depth - 1))
            case core.LocalRef(local=local) if depth and local not in bound:
                definition = self._definition(local)
                inner = [] if definition is None else list(self._leaves(definition, bound, minus, depth - 1))
            case _:
                pass  # Any other expression is one part.
        if len(inner) > 1 or any(leaf.is_made for leaf in inner):
            yield from inner
        else:
            yield _Leaf(expr, bound, minus)

    def _definition(self, local: Local) -> core.Expr | None:
        """Return what a name was given: by its `let`, or by the call of its phase that runs, if only one can."""
        phase, number = self.statics.params.get(local, (None, 0))
        if phase is None or not self.public or phase not in self.game.layout.returns:
            return self.statics.lets.get(local)
        back = self.state.values[self.game.layout.returns[phase]]
        program = self.game.program
        if phase in program.bodies:
            spans = {program.sites.spans[back]}
        else:
            exits = ((node.span, node.exit) for node in program.nodes if isinstance(node, Auto))
            spans = {s for s, exit_ in exits if isinstance(exit_, Call) and (exit_.phase, exit_.back) == (phase, back)}
        found = [call.args[number] for call in self.statics.calls[phase] if call.span in spans]
        return found[0] if len(found) == 1 else None

    def _alternative(
        self, alternatives: tuple[tuple[core.Expr | None, core.Expr], ...], bound: dict[Local, Any]
    ) -> core.Expr | None:
        """Return the alternative that counts: the first that holds and is there; None where the seat cannot know."""
        for condition, value in alternatives:
            holds = True if condition is None else self.value(condition, bound)
            found = self.value(value, bound) if holds and holds is not UNKNOWN else None
            if UNKNOWN in (holds, found):
                return None
            if found is not None:
                return value
        return None

    def _card_by_card(self, expr: core.Fold, bound: dict[Local, Any], minus: bool) -> list[_Leaf]:
        """Return what each card of a sum brings; nothing where it is no sum over cards that the seat sees."""
        binder = expr.binder
        cards = self.value(binder.domain, bound)
        if binder.before or cards is UNKNOWN or not isinstance(base_of(binder.local.type), Card):
            return []
        leaves = []
        for card in cards:
            names = {**bound, binder.local: card}
            holds = binder.where is None or self.value(binder.where, names)
            if card >= self.game.num_cards or holds is UNKNOWN:
                return []
            if holds:
                leaves.append(_Leaf(expr.value, names, minus, self.game.card_faces[card]))
        return leaves

    def _is_known(self, expr: core.Expr, bound: Mapping[Local, Any]) -> bool:
        """Say whether the table that the seat sees, and the names that it knows, are enough for an expression."""
        player, viewers = self.knowledge.player, self.game.variable_viewers
        for part in core.walk_with_definitions(expr):
            if isinstance(part, core.VarRef) and player is not None:
                first = part.variable.base
                if part.variable.local:  # Its places are no part of the table that a seat sees.
                    return False
                if not all(viewers[slot] >> player & 1 for slot in range(first, first + part.variable.places)):
                    return False
        return all(local in bound or self._knows(local) for local in _free_names(expr))

    def _knows(self, local: Local) -> bool:
        """Say whether the seat knows the value of a name of a statement."""
        known = self.public and local in self.game.layout.local_slots
        return known and self.knowledge.sees(self.state, self.statics.reads((), {local}))

    def value(self, expr: core.Expr, bound: Mapping[Local, Any]) -> Any:
        """Return the value of an expression on the table that the seat sees; UNKNOWN where that is not enough."""
        if not self._is_known(expr, bound):
            return UNKNOWN
        slots = self.game.layout.local_slots
        given = {name: bound[name] if name in bound else self.state.values[slots[name]] for name in _free_names(expr)}
        key = (expr, tuple(sorted((local.number, repr(value)) for local, value in given.items())))
        values = self.statics.values
        if key not in values:
            if len(values) > MOST_VALUES:
                values.clear()
            values[key] = evaluator(self.game, expr, {local: repr(value) for local, value in given.items()})
        try:
            return values[key](self.table)
        except (NeedCard, RuleError, IndexError):  # A zone whose cards the rules always know is read without a check.
            return UNKNOWN


def _number_of(stmt: core.Assign, event: Assigned) -> int | None:
    """Return the number that a statement assigns, adds or subtracts; None where it is no number, or absent."""
    after, before = event.value, event.before
    if not isinstance(base_of(stmt.variable.type), Int) or after is None:
        return None
    if stmt.op == "=":
        return int(after)
    return None if before is None else int(after - before if stmt.op == "+=" else before - after)


def _signed(values: list[int], leaves: list[_Leaf]) -> int:
    return sum(-value if leaf.minus else value for value, leaf in zip(values, leaves, strict=True))


def _seen_table(state: LoggedMachine, player: int | None) -> Machine:
    """Return a state that has only what a player sees: other cards are tokens, other values are absent."""
    if player is None:
        return state
    game = state.game
    table = Machine(game, game.code)
    token = game.num_cards + max((card for zone in state.zones for card in zone), default=0)
    shown: set[int] = set()
    for place, cards in enumerate(state.zones):
        for card in cards:
            token += 1
            seen = sees(state, card, place, 1 << player)
            table.zones[place].append(card if seen else token)
            if seen:
                shown.add(card)
            else:
                table.undetermined[token] = 0
        if game.unordered[place]:
            table.zones[place].sort()
    table.turned = {card: up for card, up in state.turned.items() if card in shown}
    table.played_by = {card: by for card, by in state.played_by.items() if card in shown}
    count = len(game.variable_types)
    table.values[:count] = [
        value if game.variable_viewers[slot] >> player & 1 else None for slot, value in enumerate(state.values[:count])
    ]
    return table


def _has_name(expr: core.Expr) -> bool:
    """Say whether the words of a value say more than its number."""
    return not isinstance(expr, core.Const | core.LocalRef)


def _free_names(expr: core.Expr) -> set[Local]:
    own = {part.binder.local for part in core.walk(expr) if hasattr(part, "binder")}
    return core.names_of(expr) - own


def _may_come_from(cards: core.Expr, zone: Zone) -> bool:
    """Say whether cards may lie in a zone: they are read there, or have a name, which may be any card."""
    parts = list(core.walk_with_definitions(cards))
    zones = {part.zone for part in parts if isinstance(part, core.ZoneRef)}
    return zone in zones or not zones


def _are_zones(cards: core.Expr) -> bool:
    """Say whether cards are those of whole zones, of which everybody may know how many there are."""
    match cards:
        case core.ZoneRef():
            return True
        case core.Op(op="join", args=args):
            return all(map(_are_zones, args))
        case _:  # Others are chosen among such cards.
            return False


def _is_arithmetic(expr: core.Builtin | core.Op) -> bool:
    """Say whether a value is computed from numbers, and is not simply their sum."""
    if isinstance(expr, core.Builtin):
        return expr.function.value is not None
    return expr.op.startswith("/")
