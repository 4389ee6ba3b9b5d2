"""Which rule made what has happened last, and of what parts a number was made up: provenance, by playing again.

The last decision is carried out once more by a logged state whose log notes, for each event, the site of the statement
that is carried out (`state.at`).  The parts of a sum are evaluated in the same moment.

A player is told the rule of an event only where all conditions around it, up to `play`, read nothing but what that
player sees, or stand behind `openly`: otherwise the rule would tell which branch was taken; or where no other
statement of the spec brings cards to such a place or sets such a variable, so that the event tells as much.  What was
chosen a moment ago tells where play is, if no other action has its verb: then conditions count from there on.  A zone
counts as seen where the player sees all its cards and saw all that ever left it, so that it does not matter when it
was read.  A part of a sum is told where all that it reads is seen, and one part that is not may be told too, since the
total and the others give it away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.symbols import Local, Zone, places_at
from interpreter.analysis.types import Card, Int, Player, base_of
from interpreter.engine.evaluate import evaluator
from interpreter.engine.faults import NeedCard, RuleError
from interpreter.engine.logged import LoggedMachine, log_of
from interpreter.knowledge.events import Assigned, Chosen, Event, Layout, Moved, Said, eyes_of
from interpreter.program.tracking import turned_zones

if TYPE_CHECKING:
    from interpreter.analysis.rules import Rules
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.machine import Machine

DEEPEST = 6
"""Definitions and names that are followed to find the parts of a sum."""
MOST_PARTS = 8
MOST_VALUES = 500
"""Functions for the values of expressions that are kept."""


@attrs.frozen
class Part:
    """One part of a number: where it stands in the spec, its value, and whether it is taken away.

    `face` is the card that brings it where the number is a sum over cards.
    """

    span: Span
    value: int
    minus: bool = False
    face: int | None = None


@attrs.frozen
class Sum:
    """A number that the rules worked out, and the parts that it is made of; parts of nothing are left out."""

    total: int
    parts: tuple[Part, ...]


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


@attrs.frozen
class Reason:
    """An event as a player saw it, the statement that made it (None where that may not be told), and its numbers."""

    event: Event
    span: Span | None
    sums: tuple[Sum, ...] = ()


class _Log(list[Event]):
    """A log that lets somebody note on each event how it came about."""

    def __init__(self, events: Iterable[Event], note: Callable[[Event], None]) -> None:
        super().__init__(events)
        self.note = note

    def append(self, event: Event) -> None:
        self.note(event)
        super().append(event)


class _Noting(LoggedMachine):
    """A logged state that notes how its events come about from the `first` on; `notes` are by the place in the log.

    `left_unseen` are the places from which a card has gone that the player did not see.
    """

    __slots__ = ("first", "left_unseen", "maker", "notes")

    def __init__(self, game: GameBase, maker: _Maker, first: int) -> None:
        super().__init__(game, game.code)
        self.maker = maker
        self.first = first
        self.notes: dict[int, tuple[Span | None, tuple[Sum, ...]]] = {}
        self.left_unseen: set[int] = set()
        self.log = _Log((), self._note)

    def _note(self, event: Event) -> None:
        if len(self.log) >= self.first:
            self.notes[len(self.log)] = self.maker.made(self, event)
        if isinstance(event, Moved):
            seen = event.view(eyes_of(self.maker.player))
            if seen is None or (isinstance(seen, Moved) and None in seen.cards):
                self.left_unseen.add(event.origin)

    def _restore(self, saved: tuple[Any, ...]) -> None:
        super()._restore(saved)
        self.log = _Log(self.log, self._note)


def reasons(state: Machine, player: int) -> list[Reason]:
    """Return what has happened, as a player saw it, from their own last decision on.

    Where they have not decided yet, or nothing came of it, it begins with the last decision that something came of.
    """
    eyes = eyes_of(player)
    views = [(number, seen) for number, event in enumerate(log_of(state).log) if (seen := event.view(eyes)) is not None]
    decided = [place for place, (_, e) in enumerate(views) if isinstance(e, Chosen)]
    own = [place for place in decided if getattr(views[place][1], "player", None) == player]
    first = next((place for place in (*own[-1:], *reversed(decided))
                  if any(not isinstance(e, Chosen) for _, e in views[place:])), 0)  # fmt: skip
    noting = _Noting(state.game, _Maker(_statics(state.game), player), views[first][0] if views else 0)
    noting.begin()
    for _, item in state.history():
        noting.apply_item(item)
    return [Reason(seen, *noting.notes.get(number, (None, ()))) for number, seen in views[first:]]


@lru_cache(maxsize=4)
def _statics(game: GameBase) -> _Statics:
    return _Statics(game)


class _Statics:
    """Where the statements of a game stand, and what its names stand for."""

    def __init__(self, game: GameBase) -> None:
        self.game = game
        self.rules: Rules = game.rules
        self.hidden_faces = turned_zones(game.program)
        self.by_span: dict[Span, list[core.Stmt]] = {}
        self.lets: dict[Local, core.Let] = {}
        self.params: dict[Local, tuple[Phase, int]] = {}
        self.calls: dict[Phase, list[core.CallPhase]] = {}
        self.arguments: set[Local] = set()
        self.loops: dict[Local, core.Binder] = {}
        self.around: dict[int, tuple[Phase, tuple[core.Expr, ...]]] = {}
        self.makers: dict[Zone | Variable, set[Span]] = {}
        self.verbs: dict[str, set[Span]] = {}
        self.chosen_in: dict[int, tuple[str, int]] = {}
        for phase in self.rules.every_phase:
            self.params.update({param: (phase, number) for number, param in enumerate(phase.params)})
            self._enter(phase.body, phase, (), None)
        self.values: dict[tuple[int, tuple[tuple[int, str], ...]], Callable[[LoggedMachine], Any]] = {}

    def _enter(
        self, body: tuple[core.Stmt, ...], phase: Phase, around: tuple[core.Expr, ...], root: tuple[str, int] | None
    ) -> None:
        """Note where the statements of a block stand, and the conditions around them.

        `root` is the verb of the action whose effect it is part of, and how many of the conditions stand around that.
        """
        for stmt in body:
            self.by_span.setdefault(stmt.span, []).append(stmt)
            self.around[id(stmt)] = phase, around
            if root is not None:
                self.chosen_in[id(stmt)] = root
            for made in _reached(stmt):
                self.makers.setdefault(made, set()).add(stmt.span)
            inner = around
            match stmt:
                case core.Let(local=local):
                    self.lets[local] = stmt
                case core.CallPhase(phase=called):
                    self.calls.setdefault(called, []).append(stmt)
                case core.If(condition=condition) | core.While(condition=condition):
                    inner = around if self.rules.is_published(stmt.span) else (*around, condition)
                case core.For(binder=binder) | core.InTurn(binder=binder) | core.AtOnce(binder=binder):
                    self.loops[binder.local] = binder
                    inner = around if self.rules.is_published(stmt.span) else (*around, *core.children(binder))
                case core.Choice():
                    for action in core.all_actions(stmt):
                        self.arguments.update(arg.local for arg in action.args)
                        self.verbs.setdefault(action.verb, set()).add(action.span)
                        self._enter(action.body, phase, around, (action.verb, len(around)))
                    continue
                case _:  # No other decides whether anything is done.
                    pass
            for block in core.blocks_inside(stmt):
                self._enter(block, phase, inner, root)


class _Maker:
    """Finds out how an event came about, as far as a player may know."""

    def __init__(self, statics: _Statics, player: int) -> None:
        self.statics = statics
        self.game = statics.game
        self.player = player

    # ---- an event

    def made(self, state: _Noting, event: Event) -> tuple[Span | None, tuple[Sum, ...]]:
        """Return the statement that makes an event, and what its numbers are made of."""
        if isinstance(event, Chosen | Layout):
            return None, ()
        stmt = self._statement(self.game.program.sites.spans[state.at], event)
        if stmt is None or not (self._is_told_by(event) or self._may_be_told(state, stmt)):
            return None, ()
        return stmt.span, tuple(self._sums_of(state, stmt, event))

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

    # ---- may it be told

    def _is_told_by(self, event: Event) -> bool:
        """Say whether an event that the player sees can come of one statement alone."""
        if event.view(eyes_of(self.player)) is None:
            return False
        match event:
            case Moved(target=target):
                return len(self.statics.makers.get(self.game.places[target][0], ())) == 1
            case Assigned(place=place):
                return len(self.statics.makers.get(self.game.variables[place][0], ())) == 1
            case _:  # Of all others it is not counted from where they can come.
                return False

    def _may_be_told(self, state: _Noting, stmt: core.Stmt) -> bool:
        phase, around = self.statics.around[id(stmt)]
        if self._was_just_chosen(state, stmt):
            return True
        return self._all_seen(state, around, set()) and self._is_reached_openly(state, phase, {phase})

    def _was_just_chosen(self, state: _Noting, stmt: core.Stmt) -> bool:
        """Say whether a statement is part of the effect of what was chosen last, by conditions that the player sees."""
        verb, outside = self.statics.chosen_in.get(id(stmt), ("", 0))
        chosen = next((e for e in reversed(state.log) if isinstance(e, Chosen)), None)
        if chosen is None or chosen.verb != verb or len(self.statics.verbs[verb]) > 1:
            return False
        if chosen.secret and chosen.player != self.player:
            return False
        _, around = self.statics.around[id(stmt)]
        return self._all_seen(state, around[outside:], set())

    def _is_reached_openly(self, state: _Noting, phase: Phase, seen: set[Phase]) -> bool:
        """Say whether all conditions around all calls of a phase read only what is seen."""
        for call in self.statics.calls.get(phase, ()):
            caller, around = self.statics.around[id(call)]
            if self._was_just_chosen(state, call):
                continue
            if not self._all_seen(state, around, set()):
                return False
            if caller not in seen and not self._is_reached_openly(state, caller, seen | {caller}):
                return False
        return True

    def _all_seen(self, state: _Noting, exprs: Iterable[core.Expr], inside: set[Local]) -> bool:
        return all(self._is_seen(state, expr, inside) for expr in exprs)

    def _is_seen(self, state: _Noting, expr: core.Expr, inside: set[Local]) -> bool:
        """Say whether the player sees all that a value reads, or read before in this play.

        `inside` are names that are known to be seen.
        """
        match expr:
            case core.VarRef(variable=variable):
                slots = range(variable.base, variable.base + variable.places)
                if variable.local or not all(self.game.variable_viewers[s] >> self.player & 1 for s in slots):
                    return False
            case core.ZoneRef(zone=zone):
                if not self._lies_open(state, zone, self._places(state, expr, inside)):
                    return False
            case core.Builtin(name="count" | "empty", args=(cards,)) if _are_zones(cards):
                zones = (part for part in core.walk(cards) if isinstance(part, core.ZoneRef))
                return all(self._is_seen(state, i, inside) for zone in zones for i in zone.index)
            case core.Builtin() if "places" in expr.function.reads:
                return False
            case core.CallDefine(define=define, args=args):
                known = {*inside, *define.params, *(local for local, _ in define.lets)}
                return all(self._is_seen(state, a, inside) for a in args) and all(
                    self._is_seen(state, b, known) for b in define.bodies
                )
            case core.LocalRef(local=local):
                return local in inside or self._is_known(state, local, inside)
            case _:  # What else a value can be made of reads no state itself.
                pass
        binder = getattr(expr, "binder", None)
        if isinstance(binder, core.Binder):
            inside = {*inside, binder.local, *(local for local, _ in binder.before)}
        if isinstance(expr, core.SomeSubset):
            inside = {*inside, *(fold.card for fold in expr.such_that.folds)}
        return all(self._is_seen(state, child, inside) for child in core.children(expr))

    def _places(self, state: _Noting, ref: core.ZoneRef, inside: set[Local]) -> list[int]:
        """Return the places of a family that can be meant: by an index that never changes one, by all others any."""
        now = [self._unchanging(state, index, inside) for index in ref.index]
        return places_at(ref.zone, [None if value is None else (value,) for value in now])

    def _unchanging(self, state: _Noting, index: core.Expr, inside: set[Local]) -> int | None:
        """Return the value of an index that was the same at all times and that the player sees, if it has one."""
        named = isinstance(index, core.LocalRef) and index.local not in inside
        if not (named or isinstance(index, core.Const)) or not self._is_seen(state, index, inside):
            return None
        try:
            value = self._value(state, index, {})
        except (_UnknownError, NeedCard, RuleError):
            return None
        return int(value) if isinstance(value, int) else None

    def _lies_open(self, state: _Noting, zone: Zone, places: list[int]) -> bool:
        """Say whether the player sees all cards in places of a family, and saw all that have ever left them."""
        if zone not in self.statics.hidden_faces and all(self.game.place_viewers[p] >> self.player & 1 for p in places):
            return True
        if not state.left_unseen.isdisjoint(places):
            return False
        return all(
            card < self.game.num_cards and state.viewers(card, place) >> self.player & 1
            for place in places
            for card in state.zones[place]
        )

    def _is_known(self, state: _Noting, local: Local, inside: set[Local]) -> bool:
        """Say whether a name of a statement stands for what the player sees."""
        known = {*inside, local}
        if local in self.statics.lets:
            return self._is_seen(state, self.statics.lets[local].value, known)
        if local in self.statics.loops:
            return self._is_seen(state, self.statics.loops[local].domain, known)
        if local in self.statics.params:
            phase, number = self.statics.params[local]
            return all(self._is_seen(state, c.args[number], known) for c in self.statics.calls.get(phase, ()))
        if local in self.statics.arguments:
            chosen = next((e for e in reversed(state.log) if isinstance(e, Chosen)), None)
            return chosen is not None and not chosen.hides(eyes_of(self.player))
        return False

    # ---- the parts of a number

    def _sums_of(self, state: _Noting, stmt: core.Stmt, event: Event) -> Iterator[Sum]:
        bound: dict[Local, Any] = {}
        match stmt, event:
            case core.Assign(value=value, op=op, index=index), Assigned(place=place, value=after, before=before):
                if not isinstance(base_of(stmt.variable.type), Int) or after is None:
                    return
                known = self.game.variables[place][1]
                bound = {i.local: k for i, k in zip(index, known, strict=True) if isinstance(i, core.LocalRef)}
                grown = None if before is None else after - before if op == "+=" else before - after
                total = after if op == "=" else grown
                sums = [(value, total)]
            case core.Say(parts=parts), Said(parts=told):
                sums = [(p, t[1]) for p, t in zip(parts, told, strict=True) if not isinstance(p, str | core.Const)
                        and not isinstance(t, str) and isinstance(base_of(t[0]), Int)]  # fmt: skip
                bound = {
                    p.local: t[1]
                    for p, t in zip(parts, told, strict=True)
                    if isinstance(p, core.LocalRef) and isinstance(t, tuple) and isinstance(base_of(t[0]), Player)
                }
            case _:  # No other event has a number that the rules have worked out.
                return
        for expr, total in sums:
            made = tuple(self._told_parts(state, expr, total, bound))
            if made and total is not None:
                yield Sum(total, made)

    def _told_parts(self, state: _Noting, expr: core.Expr, total: Any, bound: dict[Local, Any]) -> Iterator[Part]:
        """Give the parts of a number, where they are known to be what it was made of and may be told."""
        try:
            leaves = list(self._leaves(state, expr, dict(bound), False, DEEPEST))
            values = [self._value(state, leaf.expr, leaf.bound) for leaf in leaves]
            alone = len(leaves) == 1 and (
                isinstance(expr, core.Chain) or (leaves[0].is_made and leaves[0].expr != expr)
            )
            if not (alone or 2 <= len(leaves) <= MOST_PARTS) or self._value(state, expr, bound) != total:
                return
        except (_UnknownError, NeedCard, RuleError):
            return
        plain = [isinstance(leaf.expr, core.Const) or self._is_seen(state, leaf.expr, set(leaf.bound))
                 for leaf in leaves]  # fmt: skip
        signed = sum(-v if leaf.minus else v for v, leaf in zip(values, leaves, strict=True))
        if plain.count(False) > (1 if signed == total else 0):
            return
        for value, leaf in zip(values, leaves, strict=True):
            if value or (signed != total and not isinstance(leaf.expr, core.Const)):
                yield Part(leaf.expr.span, value, leaf.minus, leaf.face)

    def _leaves(
        self, state: _Noting, expr: core.Expr, bound: dict[Local, Any], minus: bool, depth: int
    ) -> Iterator[_Leaf]:
        """Give the parts of a sum; what is known under a name is followed where that says more than the name."""
        inner: list[_Leaf] = []
        match expr:
            case core.Op(op="+" | "-" as op, args=(left, right)):
                yield from self._leaves(state, left, bound, minus, depth)
                yield from self._leaves(state, right, bound, minus != (op == "-"), depth)
                return
            case core.Builtin() | core.Op() if depth and _is_arithmetic(expr):
                for arg in expr.args:
                    yield from self._leaves(state, arg, bound, minus, 0)
                return
            case core.Fold(function="sum") if depth:
                inner = self._card_by_card(state, expr, bound, minus)
            case core.Chain(alternatives=alternatives) if depth:
                for condition, value in alternatives:
                    holds = condition is None or self._value(state, condition, bound)
                    if condition is not None and not self._is_seen(state, condition, set(bound)):
                        raise _UnknownError
                    if holds and self._value(state, value, bound) is not None:
                        yield from self._leaves(state, value, bound, minus, depth - 1)
                        return
            case core.CallDefine(define=define, args=args) if depth and define.value is not None and not define.lets:
                given = {p: self._value(state, a, bound) for p, a in zip(define.params, args, strict=True)}
                if all(self._is_seen(state, a, set(bound)) for a in args):
                    inner = list(self._leaves(state, define.value, {**bound, **given}, minus, depth - 1))
            case core.LocalRef(local=local) if depth and local in self.statics.lets and local not in bound:
                if self._is_as_it_was(local, state, bound):
                    inner = list(self._leaves(state, self.statics.lets[local].value, bound, minus, depth - 1))
            case core.LocalRef(local=local) if depth and local in self.statics.params and local not in bound:
                phase, number = self.statics.params[local]
                call = self._call_of(state, phase)
                if call is not None:
                    inner = list(self._leaves(state, call.args[number], {}, minus, depth - 1))
            case _:  # What else there is, is one part.
                pass
        if len(inner) > 1 or any(leaf.is_made for leaf in inner):
            yield from inner
        else:
            yield _Leaf(expr, bound, minus)

    def _card_by_card(self, state: _Noting, expr: core.Fold, bound: dict[Local, Any], minus: bool) -> list[_Leaf]:
        """Return what each card of a sum brings; nothing where it is no sum over cards that the player sees."""
        binder = expr.binder
        conditions = [] if binder.where is None else [binder.where]
        inside = {*bound, binder.local}
        if (
            binder.before
            or not isinstance(base_of(binder.local.type), Card)
            or not self._all_seen(state, [binder.domain, *conditions, expr.value], inside)
        ):
            return []
        leaves = []
        for card in self._value(state, binder.domain, bound):
            if card >= self.game.num_cards:
                return []
            names = {**bound, binder.local: card}
            if all(self._value(state, where, names) for where in conditions):
                leaves.append(_Leaf(expr.value, names, minus, self.game.card_faces[card]))
        return leaves

    def _is_as_it_was(self, local: Local, state: _Noting, bound: Mapping[Local, Any]) -> bool:
        """Say whether a name still stands for the value that its words have now."""
        let = self.statics.lets[local]
        return bool(self._value(state, let.value, bound) == self._local(state, local))

    def _call_of(self, state: _Noting, phase: Phase) -> core.CallPhase | None:
        """Return the statement that called a phase in which nobody decides; None for another phase."""
        if phase not in self.game.program.bodies:
            return None
        span = self.game.program.sites.spans[state.values[self.game.layout.returns[phase]]]
        calls = (s for s in self.statics.by_span.get(span, ()) if isinstance(s, core.CallPhase))
        return next((call for call in calls if call.phase is phase), None)

    def _local(self, state: _Noting, local: Local) -> Any:
        slot = self.game.layout.local_slots.get(local)
        if slot is None:
            raise _UnknownError
        return state.values[slot]

    def _value(self, state: _Noting, expr: core.Expr, bound: Mapping[Local, Any]) -> Any:
        """Return the value of an expression in this very moment.  Raises _UnknownError where a name is not at hand."""
        own = {part.binder.local for part in core.walk(expr) if hasattr(part, "binder")}
        free = {part.local for part in core.walk(expr) if isinstance(part, core.LocalRef)} - own
        given = {local: bound[local] if local in bound else self._local(state, local) for local in free}
        key = (id(expr), tuple(sorted((local.number, repr(value)) for local, value in given.items())))
        values = self.statics.values
        if key not in values:
            if len(values) > MOST_VALUES:
                values.clear()
            values[key] = evaluator(self.game, expr, {local: repr(value) for local, value in given.items()})
        return values[key](state)


def _reached(stmt: core.Stmt) -> Iterator[Zone | Variable]:
    """Give the zones to which a statement may bring cards, and the variable that it sets."""
    match stmt:
        case core.Shuffle(zone=place):
            yield place.zone
        case (
            core.Assign(variable=variable)
            | core.Begin(variable=variable)
            | core.Random(into=core.VarRef(variable=variable))
        ):
            yield variable
        case _:  # No other sets anything.
            yield from (moved.target.zone for moved in core.transfers(stmt))


def _are_zones(cards: core.Expr) -> bool:
    """Say whether cards are those of whole zones, of which everybody may know how many there are."""
    match cards:
        case core.ZoneRef():
            return True
        case core.Op(op="join", args=args):
            return all(map(_are_zones, args))
        case _:  # Others are chosen among such cards.
            return False


class _UnknownError(Exception):
    """A value cannot be worked out again."""


def _is_arithmetic(expr: core.Builtin | core.Op) -> bool:
    """Say whether a value is computed from numbers, and is not simply their sum."""
    if isinstance(expr, core.Builtin):
        return expr.function.value is not None
    return expr.op.startswith("/")
