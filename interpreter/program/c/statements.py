"""Print statements and the nodes without decision as C: one function `run` with a label for each node.

A node that leads to another jumps to its label, so nothing is called and nothing returned between two decisions.
Faults are noted and the play goes on in what is within bounds, up to the next place where that is looked at: a count of
steps, or where the play would stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, assert_never

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.constant_folding import unproved
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.symbols import Local, Zone
from interpreter.analysis.types import Cards, Int, Sequence, Tuple, Type, base_of, is_optional
from interpreter.program import nodes
from interpreter.program.c.expressions import Place
from interpreter.program.c.groups import all_of
from interpreter.program.c.layout import CLayout, holds_set, name_of
from interpreter.program.c.order import is_set
from interpreter.program.c.watching import FACES, Listed, WatchPrinter
from interpreter.program.layout import TrackedZones
from interpreter.program.passes.disjoint import whole_zones
from interpreter.program.passes.totality import is_players

NODES_OF_A_FUNCTION = 256
"""So many nodes are labels of one function: jumps between them cost nothing, and no function is long to compile."""


@attrs.frozen
class Moved:
    """Cards on the move: a card or a set by its name, or a list; and the set of them."""

    kind: Literal["card", "set", "list"]
    name: str
    set: str


class StatementPrinter(WatchPrinter):
    """Prints steps and nodes."""

    def __init__(self, program: nodes.Program, layout: CLayout, *, tagged: bool = False) -> None:
        super().__init__(program, layout, tagged=tagged)
        self.group = 0
        """Which function of nodes is printed."""
        self.marks = TrackedZones.of(program)

    # ---- nodes

    def auto(self, node: nodes.Auto) -> None:
        """Print a node without decision."""
        with self.node(node.number, node.span):
            if self.hiding:
                self.text.add(f"MARK_UNKNOWN({node.number});")
            for step in node.steps:
                self.step(step)
            self.leave(node)

    def wait(self, node: nodes.Decision) -> None:
        """Print a node at which play stops for a player."""
        with self.node(node.number, node.span):
            self.text.add(f"s->cur = (int16_t)({self.value(node.choice.player)}); s->pc = {node.number};")
            self.text.add("return STOP;")

    @contextmanager
    def node(self, number: int, span: Span) -> Iterator[None]:
        """Print a node after its label."""
        self.stand(span)
        with self.text.block(f"N{number}:"):
            yield

    def go(self, target: int) -> None:
        """Print how to go on at a node: a jump, or a return to the loop where another function has it."""
        here = target // NODES_OF_A_FUNCTION == self.group
        self.text.add(f"goto N{target};" if here else f"return {target};")

    def leave(self, node: nodes.Auto) -> None:
        """Print where a node goes."""
        match node.exit:
            case nodes.Jump(target):
                self.go(target)
            case nodes.Branch(condition, then, otherwise):
                self.stand(condition.span)
                with self.text.block(f"if ({self.condition(condition)})"):
                    self.go(then)
                self.go(otherwise)
            case nodes.Next(queue, local, body, done):
                name, kind = self.local(queue), self.layout.kind(queue)
                with self.text.block(f"if ({f'set_empty({name})' if kind == 'set_t' else f'!{name}.n'} || s->fault)"):
                    self.go(done)
                take = {"set_t": "set_take", "cards_t": "cards_take", "list_t": "list_take"}[kind]
                self.set_local(local, self.named(f"{take}(&{name})"))
                self.go(body)
            case nodes.Call(phase, args, _):
                self.call(phase, args)
                self.text.add(f"{self.layout.return_field(phase)} = {node.exit.back};")
                self.go(self.program.phase_entries[phase])
            case nodes.Return(phase):
                backs = sorted({
                    n.exit.back
                    for n in self.program.nodes
                    if isinstance(n, nodes.Auto) and isinstance(n.exit, nodes.Call) and n.exit.phase is phase
                })  # fmt: skip
                if len(backs) == 1:
                    self.go(backs[0])
                else:
                    self.text.add(f"return {self.layout.return_field(phase)};")
            case nodes.EndOfRound(target, final):
                with self.text.block("if (s->too_long)"):
                    self.go(final)
                self.go(target)
            case _:
                assert_never(node.exit)

    def call(self, phase: Phase, args: tuple[core.Expr, ...]) -> None:
        """Print the arguments of a phase that can stop: they are all worked out before one is set."""
        values = []
        for arg, param in zip(args, phase.params, strict=True):
            kind, name = self.layout.kind(param), self.fresh()
            self.text.add(f"{kind} {name} = {self.as_kind(kind, arg)};")
            values.append(name)
        for param, value in zip(phase.params, values, strict=True):
            self.set_local(param, value)

    # ---- steps

    def block(self, block: tuple[core.Stmt, ...]) -> None:
        """Print statements."""
        for stmt in block:
            self.step(stmt)

    def step(self, step: nodes.Step) -> None:
        """Print one step."""
        if isinstance(step, nodes.Reach) or (isinstance(step, core.Stmt) and not isinstance(step, core.If)):
            self.reach(step.tags)
        if not isinstance(step, nodes.Reach):
            self.stand(step.span)
        match step:
            case nodes.Reach():
                pass
            case core.Say():
                self.watch_say(step)
                self.read_values(step)
            case nodes.InitState():
                self.init_state(step)
            case nodes.Reveal(player, action):
                self.watch_choice(action, self.named(self.read_local(player)), secret=False)
            case core.Let():
                self.let(step.local, step.value)
            case core.Begin():
                self.begin(step.variable, step.value)
            case core.Assign():
                self.assign(step)
            case core.CallPhase():
                args = [self.as_kind(self.layout.kind(p), a) for a, p in zip(step.args, step.phase.params, strict=True)]
                self.text.add(f"{name_of(step.phase)}({', '.join(['s', *args])});")
            case core.If():
                self._if(step)
            case core.For():
                self._for(step)
            case core.While():
                self._while(step)
            case core.Spend():
                self.spent(str(step.steps))
                self.text.add(f"if (s->fault) {self.stop}")
            case core.End():
                self.text.add(self.stop)
            case core.Move():
                self.move(step)
            case core.Deal():
                self.deal(step)
            case core.Shuffle():
                self.shuffle(step)
            case core.Swap():
                self.swap(step)
            case core.Turn():
                with self.text.block(""):
                    with self.tracing():
                        self.watch("watch_turn", self.watched_cards(step.cards), int(step.face == "up"))
                    with self.not_reading(whole_zones(step.cards) if step.face == "down" else ()):
                        cards = self.named(self.cards(step.cards), "set_t")
                    if step.face == "up" or not whole_zones(step.cards):
                        self.text.add(f"NEED(locate(s, {cards}));")
                    self.unturn(cards)
                    self.text.add(f"s->{step.face} = set_or(s->{step.face}, {cards});")
            case core.Show():
                with self.tracing():
                    shown = self.watched_cards(step.cards)
                    self.watch("watch_show", shown, "NONE" if step.to is None else self.value(step.to))
                with self.text.block(""):
                    with self.not_reading(whole_zones(step.cards)):  # Whole zones are known only after the player is.
                        cards = self.named(self.cards(step.cards), "set_t")
                    if step.to is not None and not self.totality.is_total(step.to):
                        self.text.add(f"(void)({self.value(step.to)});")
                    if whole_zones(step.cards):
                        self.text.add(f"(void)({self.cards(step.cards)});")
                    self.text.add(f"(void){cards}; NEED(locate(s, {cards}));")
            case core.Choice() | core.Random() | core.InTurn() | core.AtOnce() | core.Reopen() | core.Together():
                raise AssertionError(f"{step} stops in the middle, or has been desugared")
            case _:
                assert_never(step)

    def read_values(self, step: core.Say) -> None:
        """Print the values of a text that may need an undetermined card, or raise a fault, for any reader."""
        for part in step.parts:
            if isinstance(part, str) or self.totality.is_total(part):
                continue
            group = isinstance(base_of(part.type), Cards | Sequence | Tuple)
            with self.text.block(""):
                self.text.add(f"(void)({self.listed(part) if group else self.value(part)});")

    def let(self, local: Local, value: core.Expr) -> None:
        """Print that a name represents a value."""
        self.set_local(local, self.as_kind(self.layout.kind(local), value))

    def begin(self, variable: Variable, value: core.Expr, phase: Phase | None = None) -> None:
        """Print the first value of a variable of a phase, a block or a cell, at all its indices."""
        if holds_set(variable):
            kept = "set_none()"
        else:
            name = self.named(self._within(self.value(value), value, variable.type))
            self.watch_begin(variable, phase, name)
            kept = self.layout.stored(variable.type).written(name)
        places = max(1, variable.places)
        self.text.add(f"for (int i_ = 0; i_ < {places}; i_++) s->{name_of(variable)}[i_] = {kept};")

    def init_state(self, step: nodes.InitState) -> None:
        """Print the first values of variables."""
        name = None if step.phase is None else step.phase.name
        for variable in self.rules.variables:
            if variable.phase == name:
                self.stand(variable.span)
                self.begin(variable, self.program.initial[variable], step.phase)
        if step.phase is not None and self.layout.is_shown(step.phase):
            self.text.add(f"s->begun{step.phase.number} = 1;")

    def _within(self, text: str, expr: core.Expr, wanted: Type) -> str:
        """Return a value with a check of its bounds, where its type does not promise them."""
        checked = unproved(expr, wanted)
        if checked is None:
            return text
        name = self.fresh()
        self.text.add(f"i64 {name} = {text};")
        self.bounded(name, checked.low, checked.high, optional=is_optional(expr.type))
        return name

    def assign(self, step: core.Assign) -> None:
        """Print an assignment."""
        at = self.named(self.place_number(step.variable, step.index), "const int")
        place = f"s->{name_of(step.variable)}[{at}]"
        if holds_set(step.variable):
            self.text.add(f"{place} = {self.cards(step.value)};")
            return
        stored = self.layout.stored(step.variable.type)
        value = self.value(step.value)
        if step.op == "=":
            value = self._within(value, step.value, step.variable.type)
        else:
            function = {"+": "plus_", "-": "minus_"}[step.op[0]]
            name = self.fresh()
            self.text.add(f"i64 {name} = {function}({stored.read(place)}, {value});")
            kind = base_of(step.variable.type)
            if isinstance(kind, Int):
                self.bounded(name, kind.low, kind.high, optional=False)
            value = name
        value = self.named(value)
        self.watch_assign(step.variable, at, stored.read(place), value)
        self.text.add(f"{place} = {stored.written(value)};")

    def _if(self, step: core.If) -> None:
        self.stand(step.condition.span)
        with self.text.block(f"if ({self.condition(step.condition)})"):
            self.reach(step.tags)
            self.block(step.then)
        if step.otherwise:
            with self.text.block("else"):
                self.block(step.otherwise)

    def _for(self, step: core.For) -> None:
        """Print a loop over things that are taken once, before the first round."""
        binder, chosen = step.binder, all_of(step.binder)
        counts_up = isinstance(binder.domain, core.Range) and binder.start is None
        if binder.where is None and (counts_up or is_players(binder.domain)):
            self._each(binder.domain, lambda item: self._round(step, item), binder.start)
            return
        kind = self.layout.kind_of(chosen.type, ascends=self.layout.order.ascends(chosen))
        name = self.fresh()
        self.text.add(f"{kind} {name} = {self.as_kind(kind, chosen)};")
        if kind != "set_t":
            self._through_list(name, lambda item: self._round(step, item))
            return
        item = self.fresh()
        with self.text.block(f"while (!set_empty({name}))"):
            self.text.add(f"i64 {item} = set_take(&{name});")
            self._round(step, item)

    def _round(self, step: core.For, item: str) -> None:
        with self.binding({step.binder.local: item}):
            self.block(step.body)

    def _while(self, step: core.While) -> None:
        with self.text.block("for (;;)"):
            if step.first:
                self.stand(step.condition.span)
                self.text.add(f"if ({self.unless(step.condition)}) break;")
            self.text.add(f"if (s->fault) {self.stop}")
            self.block(step.body)
            if not step.first:
                self.stand(step.condition.span)
                self.text.add(f"if ({self.unless(step.condition)}) break;")

    # ---- cards on the move

    def move(self, step: core.Move) -> None:
        """Print a move: a set of cards is taken from where it lies and laid down, in its order where it has one."""
        moved, single = step.cards, not isinstance(base_of(step.cards.type), Cards)
        ascends = single or self.layout.order.ascends(moved)
        block = self.text.block("do", "} while (0);") if single else self.text.block("")
        # Nobody need look at the cards of a whole place to know where they come to lie.
        whole = isinstance(moved, core.ZoneRef) and (moved.zone.kind != "cards" or step.target.zone.kind == "cards")
        with block, self.not_reading([moved] if whole else ()):
            by = "" if step.played_by is None else self.named(self.value(step.played_by))
            cards = self._moved(moved, ordered=not ascends and not is_set(step.target.zone))
            to = self.located(step.target)
            if single:
                self.text.add(f"if ({cards.name} == NONE) break;")
            if ascends:
                self.watch_move(cards.set, step, to, by)
            else:
                with self.tracing():
                    self.watch_move(self.watched_cards(moved), step, to, by)
            if whole and isinstance(moved, core.ZoneRef) and moved.zone in self.hiding:
                self._learn(self.located(moved), to, step.face)
            self._take(cards, moved)
            self._unmark(cards, self._origins(moved))
            self._lay(to, cards, step.at, step.face, by)

    def _moved(self, cards: core.Expr, *, ordered: bool) -> Moved:
        """Print the cards that are to move: one card, a set, or a list where their order counts."""
        if not isinstance(base_of(cards.type), Cards):
            card = self.fresh()
            self.text.add(f"i64 {card} = {self.value(cards)};")
            return Moved("card", card, f"set_one({card})")
        listed = Listed(self.listed(cards)) if ordered else None
        name = self.fresh()
        self.text.add(f"set_t {name} = {f'set_of({listed})' if listed else self.cards(cards)};")
        return Moved("list", str(listed), name) if listed else Moved("set", name, name)

    def _take(self, cards: Moved, origin: core.Expr) -> None:
        """Print that cards are taken: from whole places, or from where they most likely lie."""
        whole, hint = whole_zones(origin), self._hint(origin)
        for zone in whole:
            place = self.located(zone)
            self.text.add(f"{place.count} = 0;" if place.count else f"{place.cards} = set_none();")
        if whole:
            return
        self.text.add(f"NEED(locate(s, {cards.set}));")
        kind, text = ("card", cards.name) if cards.kind == "card" else ("set", cards.set)
        if hint is None:
            self.text.add(f"take_{kind}(s, {text});")
            return
        place = self.located(hint)
        there = f"row(s, {place.cards}, &{place.count}" if place.count else f"zone(s, &{place.cards}"
        self.text.add(f"take_{kind}_from_{there}, {text});")

    def _unmark(self, cards: Moved, origins: list[core.ZoneRef] | None) -> None:
        """Print that nothing more is known of cards that move than where they lie.

        `origins` are the places that all of them come from, None where these are not known.
        """

        def may_be_in(zones: frozenset[Zone]) -> bool:
            return origins is None or any(origin.zone in zones for origin in origins)

        if may_be_in(self.marks.turned):
            self.unturn(cards.set)
        if self.layout.keeps_by and may_be_in(self.marks.played):
            self._set_by(cards, "-1")

    def _set_by(self, cards: Moved, player: str) -> None:
        """Print who has played cards."""
        text = f"set_by_card(s, {cards.name}" if cards.kind == "card" else f"set_by_set(s, {cards.set}"
        self.text.add(f"{text}, {player});")

    def unturn(self, cards: str) -> None:
        """Print that cards lie as their place says."""
        for face, kept in (("up", self.layout.keeps_up), ("down", self.layout.keeps_down)):
            if kept:
                self.text.add(f"s->{face} = set_minus(s->{face}, {cards});")

    def _lay(self, to: Place, cards: Moved, at: str | None = None, face: str | None = None, by: str = "") -> None:
        """Print that cards come to a place, those of a set in ascending order."""
        room = self.layout.room(to.zone)
        if to.count:
            how = "under" if at == "bottom" and to.zone.kind == "pile" else "push"
            done = f"lie_{how}_{cards.kind}({to.cards}, &{to.count}, {room}, {cards.name})"
        else:
            self.text.add(f"{to.cards} = set_or({to.cards}, {cards.set});")
            done = f"set_count({to.cards}) <= {room}"
        if room < self.num_cards:
            self.text.add(f"if (!({done})) {self._full(to.zone)}")
        elif to.count:
            self.text.add(f"{done};")
        if face is not None:
            self.text.add(f"s->{face} = set_or(s->{face}, {cards.set});")
        if by and self.layout.keeps_by:
            self._set_by(cards, by)

    def _full(self, zone: Zone) -> str:
        return self.fail("CG805", f"a place holds at most {self.layout.room(zone)} cards")

    def _learn(self, origin: Place, to: Place, face: str | None, look: str = "") -> None:
        """Print that cards which come to a place must be known, where a viewer sees them there."""
        if origin.zone not in self.hiding or face == "down":
            return
        seen = self.seeing(to.zone)
        if face == "up" or all(seen):
            self.text.add(look or origin.need)
        elif any(seen):
            self.text.add(f"if ({self.viewers(to.zone)}[{to.index}]) {look or origin.need}")

    def _origins(self, cards: core.Expr) -> list[core.ZoneRef] | None:
        """Return the places that all cards of a group surely come from, None where they are not known."""
        if zones := whole_zones(cards):
            return zones
        if isinstance(cards, core.Select) and isinstance(cards.binder.domain, core.ZoneRef):
            return [cards.binder.domain]
        return None

    def _hint(self, cards: core.Expr) -> core.ZoneRef | None:
        """Return the zone that cards were chosen or selected from, if its place can be computed anywhere.

        Its indices are constants, variables, and functions of these.  What a name in the state represents may have
        changed since the cards were chosen: a hint is checked.
        """
        origin = self.states.origin_of(cards)
        if origin is None or not self.totality.is_total(origin):
            return None
        plain = all(
            isinstance(part, core.Const | core.VarRef | core.Op | core.CallDefine)
            or (isinstance(part, core.LocalRef) and part.local in self.layout.slots)
            or (isinstance(part, core.Builtin) and part.name not in ("there", "within", "spent"))
            for index in origin.index
            for part in core.walk(index)
        )
        return origin if plain else None

    def deal(self, step: core.Deal) -> None:
        """Print the deal of some cards, one after another from the top."""
        assert step.origin.zone.kind == "pile"
        add, count, cards, listed = self.text.add, self.fresh(), self.fresh(), Listed(self.fresh())
        with self.text.block(""):
            add(f"i64 {count} = {self.value(step.count)};")
            pile, to = self.located(step.origin), self.located(step.target)
            if step.exactly:
                fault = self.fail("CG803", "the pile has fewer cards")
                add(f"if ({count} > {pile.count}) {{ {fault} {count} = {pile.count}; }}")
            add(f"if ({count} > {pile.count}) {count} = {pile.count};")
            how = FACES[step.face], int(step.at == "bottom")
            self.watch("watch_deal", pile.cards, pile.count, count, to.number, *how)
            self._learn(pile, to, step.face, f"NEED(need_top(s, {pile.number}, {count}));")
            # Of two places of one family one may be the other, so they are all taken before one is laid.
            add(f"cards_t {listed.name};")
            add(f"set_t {cards} = lie_take({pile.cards}, &{pile.count}, {count}, &{listed.name});")
            moved = Moved("list", str(listed), cards)
            self._unmark(moved, [step.origin])
            self._lay(to, moved, step.at, step.face)

    def shuffle(self, step: core.Shuffle) -> None:
        """Print that a pile, with the cards added to it, is put in an order by chance."""
        with self.text.block(""):
            pile = self.located(step.zone)
            if step.cards is not None:
                with self.tracing():
                    self.watch("watch_move", self.watched_cards(step.cards), pile.number, 0, -1, 0)
                with self.not_reading([step.cards] if isinstance(step.cards, core.ZoneRef) else ()):
                    moved = self._moved(step.cards, ordered=False)
                self._take(moved, step.cards)
                self._lay(pile, moved)
            self._unmark(Moved("set", pile.set, pile.set), [step.zone] if step.cards is None else None)
            self.watch("watch_shuffle", pile.number, pile.cards, pile.count)
            self.text.add(f"chance_order(s, {pile.cards}, {pile.count});")

    def swap(self, step: core.Swap) -> None:
        """Print that two places exchange their cards."""
        with self.text.block(""):
            one, other = self.located(step.first), self.located(step.second)
            with self.text.block(f"if ({one.number} != {other.number})"):
                self.watch("watch_swap", one.number, other.number)
                self._learn(one, other, None)
                self._learn(other, one, None)
                if (one.zone.kind == "cards") != (other.zone.kind == "cards"):
                    unordered = one if one.zone.kind == "cards" else other
                    if unordered.zone in self.hiding:
                        self.text.add(unordered.need)
                for place, comes in ((one, other), (other, one)):
                    if self.layout.room(place.zone) < self.num_cards:
                        room = self.layout.room(place.zone)
                        self.text.add(f"if (size_at(s, {comes.number}) > {room}) {self._full(place.zone)}")
                cards = self.named(f"set_or({one.set}, {other.set})", "set_t")
                self._unmark(Moved("set", cards, cards), [step.first, step.second])
                self.text.add(f"if (!s->fault) swap_places(s, {one.number}, {other.number});")
