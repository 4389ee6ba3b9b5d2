"""Print statements and the nodes without decision as C: one function `run` with a label for each node.

A node that leads to another jumps to its label, so nothing is called and nothing returned between two decisions.
Faults are noted and the play goes on in what is within bounds, up to the next place where that is looked at: a count of
steps, or where the play would stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.constant_folding import unproved
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.symbols import Local, Zone
from interpreter.analysis.types import Cards, Int, Sequence, Tuple, Type, base_of, is_optional
from interpreter.program import nodes
from interpreter.program.c.groups import all_of
from interpreter.program.c.layout import CLayout, holds_set, name_of
from interpreter.program.c.order import is_set
from interpreter.program.c.watching import Listed, WatchPrinter
from interpreter.program.passes.disjoint import whole_zones
from interpreter.program.passes.totality import is_players
from interpreter.program.tracking import TrackedZones

NODES_OF_A_FUNCTION = 256
"""So many nodes are labels of one function: jumps between them cost nothing, and no function is long to compile."""


class StatementPrinter(WatchPrinter):
    """Prints steps and nodes."""

    def __init__(self, program: nodes.Program, layout: CLayout, *, tagged: bool = False) -> None:
        super().__init__(program, layout, tagged=tagged)
        self.group = 0
        """Which function of nodes is printed."""
        self.marks = TrackedZones.of(program)
        self.tag_numbers = {tag: number for number, tag in enumerate(program.rules.tag_names)}
        self.chosen_from: dict[Local, core.Expr] = {
            arg.local: arg.domain
            for node in program.nodes
            if isinstance(node, nodes.Decision)
            for way in node.ways
            for arg in way.action.args
            if arg.form != "value"
        }
        """What each card, or group, that is chosen is chosen from."""

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
        """Print a node behind its label."""
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
                name, kind = self.local(queue), self.layout.group(queue)
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
            kind = self.layout.group(param)
            text = self.value(arg) if not kind else self.cards(arg) if kind == "set_t" else self.listed(arg)
            name = self.fresh()
            self.text.add(f"{kind or 'i64'} {name} = {text};")
            values.append(name)
        for param, value in zip(phase.params, values, strict=True):
            if self.layout.group(param):
                self.text.add(f"{self.local(param)} = {value};")
            else:
                self.set_local(param, value)

    # ---- steps

    def block(self, block: tuple[core.Stmt, ...]) -> None:
        """Print statements."""
        for stmt in block:
            self.step(stmt)

    def reach(self, tags: tuple[str, ...]) -> None:
        """Print that rules were reached, where they are counted; in the order of the tags that `Rules` has."""
        words: dict[int, int] = {}
        for tag in tags:
            place, bit = divmod(self.tag_numbers[tag], 64)
            words[place] = words.get(place, 0) | 1 << bit
        for place, bits in words.items():
            self.text.add(f"REACH({place}, {bits:#x}u);")

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
                args = [self.argument(a, p) for a, p in zip(step.args, step.phase.params, strict=True)]
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
                    told = self.watched_cards(step.cards)
                    self.watch("watch_show", told, "NONE" if step.to is None else self.value(step.to))
                with self.text.block(""):
                    cards = self.named(self.cards(step.cards), "set_t")
                    self.text.add(f"(void){cards}; NEED(locate(s, {cards}));")
            case core.Choice() | core.Random() | core.InTurn() | core.AtOnce() | core.Reopen() | core.Together():
                raise AssertionError(f"{step} stops in the middle, or has been desugared")
            case _:
                assert_never(step)

    def read_values(self, step: core.Say) -> None:
        """Print the values of a text that may need an undetermined card, or raise a fault, whoever reads them."""
        for part in step.parts:
            if isinstance(part, str) or self.totality.is_total(part):
                continue
            group = isinstance(base_of(part.type), Cards | Sequence | Tuple)
            with self.text.block(""):
                self.text.add(f"(void)({self.listed(part) if group else self.value(part)});")

    def let(self, local: Local, value: core.Expr) -> None:
        """Print that a name stands for a value."""
        kind = self.layout.group(local)
        if kind:
            text = self.cards(value) if kind == "set_t" else self.listed(value)
            place = self.local(local)
            declared = "" if local in self.layout.slots else f"{kind} "
            if kind == "list_t" and declared == "":
                self.layout.grow(local.type)
            self.text.add(f"{declared}{place} = {text};")
        else:
            self.set_local(local, self.value(value))

    def begin(self, variable: Variable, value: core.Expr) -> None:
        """Print the first value of a variable of a block, or of a cell, at all its indices."""
        if holds_set(variable):
            kept = "set_none()"
        else:
            name = self.named(self._within(self.value(value), value, variable.type))
            kept = self.layout.stored(variable.type).written(name)
        places = max(1, variable.places)
        self.text.add(f"for (int i_ = 0; i_ < {places}; i_++) s->{name_of(variable)}[i_] = {kept};")

    def init_state(self, step: nodes.InitState) -> None:
        """Print the first values of variables."""
        name = None if step.phase is None else step.phase.name
        for variable in self.rules.variables:
            if variable.phase == name:
                self.stand(variable.span)
                initial = self.program.initial[variable]
                value = self._within(self.value(initial), initial, variable.type)
                name_ = self.named(value)
                self.watch_begin(variable, step.phase, name_)
                kept = self.layout.stored(variable.type).written(name_)
                place, places = f"s->{name_of(variable)}", max(1, variable.places)
                if places == 1:
                    self.text.add(f"{place}[0] = {kept};")
                else:
                    self.text.add(f"for (int i_ = 0; i_ < {places}; i_++) {place}[i_] = {kept};")
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
        if binder.where is None and is_players(binder.domain):
            self._each(binder.domain, lambda item: self._round(step, item), binder.start)
            return
        if binder.where is None and binder.start is None and isinstance(binder.domain, core.Range):
            self._each(binder.domain, lambda item: self._round(step, item))
            return
        if self._is_cards(chosen) and self.layout.order.ascends(chosen):
            name, item = self.fresh(), self.fresh()
            self.text.add(f"set_t {name} = {self.cards(chosen)};")
            with self.text.block(f"while (!set_empty({name}))"):
                self.text.add(f"i64 {item} = set_take(&{name});")
                self._round(step, item)
            return
        listed = self.listed(chosen)
        name = self.fresh()
        self.text.add(f"{'cards_t' if self._is_cards(chosen) else 'list_t'} {name} = {listed};")
        self._through_list(name, lambda item: self._round(step, item))

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

    def unmark(self, cards: str, origins: list[core.ZoneRef] | None, *, card: str = "") -> None:
        """Print that nothing more is known of cards that move than where they lie; of one, if `card` names it.

        `origins` are the places that all of them come from, None where these are not known.
        """

        def may_be_in(zones: frozenset[Zone]) -> bool:
            return origins is None or any(origin.zone in zones for origin in origins)

        if may_be_in(self.marks.turned):
            self.unturn(cards)
        if self.layout.keeps_by and may_be_in(self.marks.played):
            self.text.add(f"set_by(s, {card}, -1);" if card else f"set_by_all(s, {cards}, -1);")

    def unturn(self, cards: str) -> None:
        """Print that cards lie as their place says."""
        for face, kept in (("up", self.layout.keeps_up), ("down", self.layout.keeps_down)):
            if kept:
                self.text.add(f"s->{face} = set_minus(s->{face}, {cards});")

    def mark(self, cards: str, face: str | None, by: str, *, card: str = "") -> None:
        """Print which way up cards lie, and who played them; of one card, if `card` names it."""
        if face is not None:
            self.text.add(f"s->{face} = set_or(s->{face}, {cards});")
        if by and self.layout.keeps_by:
            self.text.add(f"set_by(s, {card}, {by});" if card else f"set_by_all(s, {cards}, {by});")

    def put(self, target: core.ZoneRef, place: str, card: str, *, under: bool) -> None:
        """Print that a card comes to a place; `place` is its number."""
        number, zone = self.zone_number(target), target.zone
        if is_set(zone):
            self.text.add(f"set_put(&{self.field(number)}[{place}], {card});")
            return
        function = "lie_under" if zone.kind == "pile" and under else "lie_push"
        room = self.layout.room(zone)
        call = f"{function}({self.field(number)}[{place}], &{self.field(number)}_n[{place}], {room}, {card})"
        if room < self.num_cards:
            self.text.add(f"if (!{call}) {self._full(target.zone)}")
        else:
            self.text.add(f"{call};")

    def put_all(self, target: core.ZoneRef, place: str, cards: str, *, under: bool) -> None:
        """Print that the cards of a set come to a pile or a row, one after another in ascending order."""
        field, room = self.field(self.zone_number(target)), self.layout.room(target.zone)
        if room >= self.num_cards and not (under and target.zone.kind == "pile"):
            self.text.add(f"lie_push_set({field}[{place}], &{field}_n[{place}], {room}, {cards});")
            return
        item = self.fresh()
        with self.text.block(f"for (set_t {item}_ = {cards}; !set_empty({item}_);)"):
            self.text.add(f"i64 {item} = set_take(&{item}_);")
            self.put(target, place, item, under=under)

    def _full(self, zone: Zone) -> str:
        told = f"a place holds at most {self.layout.room(zone)} cards"
        return self.fail("CG805", told)

    def room_left(self, target: core.ZoneRef, place: str) -> None:
        """Print the check that a set holds no more than it can."""
        if is_set(target.zone) and self.layout.room(target.zone) < self.num_cards:
            count = f"set_count({self.field(self.zone_number(target))}[{place}])"
            self.text.add(f"if ({count} > {self.layout.room(target.zone)}) {self._full(target.zone)}")

    def target_place(self, target: core.ZoneRef) -> str:
        """Return the number of a place, as a name."""
        return self.named(self.place_number(target.zone, target.index), "const int")

    def move(self, step: core.Move) -> None:
        """Print a move."""
        with self.not_reading([step.cards] if self._moves_unread(step) else ()):
            self._move(step, step.cards)

    def _moves_unread(self, step: core.Move) -> bool:
        """Whether a move is of a whole place, and nobody need look at its cards to know where they come to lie."""
        zone = step.cards
        if not isinstance(zone, core.ZoneRef):
            return False
        return zone.zone.kind != "cards" or step.target.zone.kind == "cards"

    def _learn(self, origin: core.Expr, target: core.ZoneRef, place: str, face: str | None, *, look: str) -> None:
        """Print that cards which come to a place must be known, where somebody sees them there."""
        if not isinstance(origin, core.ZoneRef) or origin.zone not in self.hiding or face == "down":
            return
        seen = self.seeing(target.zone)
        if face == "up" or all(seen):
            self.text.add(look)
        elif any(seen):
            self.text.add(f"if ({self.viewers(target.zone)}[{place}]) {look}")

    def _need(self, zone: core.ZoneRef, *lying: str) -> str:
        """Return the statement that all cards of a place must be known."""
        with self.text.aside() as lines:
            self.need(zone, *lying, force=True)
        return lines[0].strip() if lines else ""

    def _move(self, step: core.Move, expr: core.Expr) -> None:
        by = "" if step.played_by is None else self.named(self.value(step.played_by))
        under = step.at == "bottom"
        group = isinstance(base_of(expr.type), Cards)
        zones = whole_zones(expr)
        with self.text.block(""):
            if not group:
                card = self.fresh()
                self.text.add(f"i64 {card} = {self.value(expr)};")
                place = self.target_place(step.target)
                with self.text.block(f"if ({card} != NONE)"):
                    self.watch_move(f"set_one({card})", step, place, by)
                    self._take_one(card, self._hint(step.cards))
                    self.unmark(f"set_one({card})", None, card=card)
                    self.put(step.target, place, card, under=under)
                    self.mark(f"set_one({card})", step.face, by, card=card)
            elif is_set(step.target.zone) or self.layout.order.ascends(expr):
                cards, place = self.fresh(), ""
                if self.layout.order.ascends(expr):
                    self.text.add(f"set_t {cards} = {self.cards(expr)};")
                    place = self.target_place(step.target)
                    self.watch_move(cards, step, place, by)
                else:
                    with self.tracing():
                        told = self.watched_cards(step.cards)
                        self.watch_move(told, step, self.target_place(step.target), by)
                    self.text.add(f"set_t {cards} = {self.cards(expr)};")
                    place = self.target_place(step.target)
                self._learn_moved(expr, step, place)
                self._take_set(cards, zones, self._hint(step.cards))
                self.unmark(cards, self._origins(expr, zones))
                if is_set(step.target.zone):
                    number = self.zone_number(step.target)
                    self.text.add(f"{self.field(number)}[{place}] = set_or({self.field(number)}[{place}], {cards});")
                else:
                    self.put_all(step.target, place, cards, under=under)
                self.mark(cards, step.face, by)
            else:
                listed, cards = self.listed(expr), self.fresh()
                if isinstance(expr, core.LocalRef):
                    copy = self.fresh()
                    self.text.add(f"cards_t {copy} = {listed};")
                    listed = copy
                self.text.add(f"set_t {cards} = set_of({listed}.a, {listed}.n);")
                place = self.target_place(step.target)
                self.watch_move(Listed(listed), step, place, by)
                self._learn_moved(expr, step, place)
                self._take_set(cards, zones, self._hint(step.cards))
                self.unmark(cards, self._origins(expr, zones))
                self._through_list(listed, lambda item: self.put(step.target, place, item, under=under))
                self.mark(cards, step.face, by)
            self.room_left(step.target, place)

    def _learn_moved(self, expr: core.Expr, step: core.Move, place: str) -> None:
        if isinstance(expr, core.ZoneRef) and expr in self.unread and expr.zone in self.hiding:
            lying = (self.zone_set(expr),) if is_set(expr.zone) else self.lying(expr)
            self._learn(expr, step.target, place, step.face, look=self._need(expr, *lying))

    def _origins(self, cards: core.Expr, zones: list[core.ZoneRef]) -> list[core.ZoneRef] | None:
        """Return the places that all cards of a group surely come from, None where they are not known."""
        if zones:
            return zones
        if isinstance(cards, core.Select) and isinstance(cards.binder.domain, core.ZoneRef):
            return [cards.binder.domain]
        return None

    def _hint(self, cards: core.Expr) -> core.ZoneRef | None:
        """Return the zone that cards were chosen or selected from, if its place can be told anywhere."""
        origin: core.Expr | None = cards
        while True:
            match origin:
                case core.LocalRef():
                    origin = self.chosen_from.get(origin.local)
                case core.Select() | core.Extreme():
                    origin = origin.binder.domain
                case core.EndOf():
                    origin = origin.zone
                case core.ZoneRef() if self._is_plain_place(origin):
                    return origin
                case _:  # Where other cards lie is not told by their form.
                    return None

    def _is_plain_place(self, zone: core.ZoneRef) -> bool:
        """Whether a place can be told here: its indices are constants, variables, and functions of these.

        What a name in the state stands for may have changed since the cards were chosen: it is a hint, and checked.
        """
        return all(
            isinstance(part, core.Const | core.VarRef | core.Op)
            or (isinstance(part, core.LocalRef) and part.local in self.layout.slots)
            or (isinstance(part, core.Builtin) and part.name not in ("there", "within", "spent"))
            for index in zone.index
            for part in core.walk(index)
        ) and self.totality.is_total(zone)

    def _take_one(self, card: str, hint: core.ZoneRef | None) -> None:
        """Print that a card is taken from where it lies."""
        self.text.add(f"NEED(locate_one(s, {card}));")
        if hint is None:
            self.text.add(f"take(s, {card});")
            return
        if is_set(hint.zone):
            there = self.zone_set(hint)
            self.text.add(f"if (set_has({there}, {card})) set_drop(&{there}, {card}); else take(s, {card});")
        else:
            self.text.add("if (!lie_drop({}, &{}, {})) take(s, {});".format(*self.lying(hint), card, card))

    def _take_set(self, cards: str, zones: list[core.ZoneRef], hint: core.ZoneRef | None) -> None:
        """Print that cards are taken from where they lie; `zones` are the places that they are all cards of."""
        if zones:
            for whole in zones:
                if is_set(whole.zone):
                    self.text.add(f"{self.zone_set(whole)} = set_none();")
                else:
                    self.text.add(f"{self.lying(whole)[1]} = 0;")
            return
        self.text.add(f"NEED(locate(s, {cards}));")
        if hint is not None and is_set(hint.zone):
            there, left = self.zone_set(hint), self.fresh()
            self.text.add(f"set_t {left} = set_minus({cards}, {there});")
            self.text.add(f"{there} = set_minus({there}, {cards});")
            self.text.add(f"while (!set_empty({left})) take(s, set_take(&{left}));")
            return
        item = self.fresh()
        self.text.add(f"for (set_t {item} = {cards}; !set_empty({item});) take(s, set_take(&{item}));")

    def deal(self, step: core.Deal) -> None:
        """Print the deal of some cards, one after another from the top."""
        assert step.origin.zone.kind == "pile"
        add = self.text.add
        with self.text.block(""):
            count = self.fresh()
            add(f"i64 {count} = {self.value(step.count)};")
            cards, there = self.lying(step.origin)
            place = self.target_place(step.target)
            if step.exactly:
                told = "the pile has fewer cards"
                add(f"if ({count} > {there}) {{ {self.fail('CG803', told)} {count} = {there}; }}")
            add(f"if ({count} > {there}) {count} = {there};")
            taken, item = self.fresh(), self.fresh()
            self.watch_deal(step, cards, there, count, place)
            look = f"NEED(need_pile(s, {cards}, {there}, {count}));"
            self._learn(step.origin, step.target, place, step.face, look=look)
            # Of two places of one family one may be the other, so they are all taken before one is laid.
            add(f"cards_t {taken}; {taken}.n = 0; set_t {taken}_s = set_none();")
            with self.text.block(f"for (; {count} > 0; {count}--)"):
                add(f"i64 {item} = {cards}[--{there}];")
                add(f"cards_push(&{taken}, {item}); set_put(&{taken}_s, {item});")
            self.unmark(f"{taken}_s", [step.origin])
            if is_set(step.target.zone):
                number = self.zone_number(step.target)
                add(f"{self.field(number)}[{place}] = set_or({self.field(number)}[{place}], {taken}_s);")
            else:
                under = step.at == "bottom"
                self._through_list(taken, lambda card: self.put(step.target, place, card, under=under))
            self.mark(f"{taken}_s", step.face, "")
            self.room_left(step.target, place)

    def shuffle(self, step: core.Shuffle) -> None:
        """Print that a pile, with the cards added to it, is put in an order by chance."""
        with self.text.block(""):
            cards, count = self.lying(step.zone)
            if step.cards is not None:
                added = self.fresh()
                place = self.target_place(step.zone)
                with self.tracing():
                    self.watch("watch_move", self.watched_cards(step.cards), self.place(step.zone, place), 0, -1, 0)
                with self.not_reading([step.cards] if isinstance(step.cards, core.ZoneRef) else ()):
                    self.text.add(f"set_t {added} = {self.cards(step.cards)};")
                self._take_set(added, [], self._hint(step.cards))
                self.put_all(step.zone, place, added, under=False)
            self.unmark(f"set_of({cards}, {count})", [step.zone] if step.cards is None else None)
            self.watch("watch_shuffle", self.place(step.zone, self.target_place(step.zone)), cards, count)
            self.text.add(f"chance_order(s, {cards}, {count});")

    def swap(self, step: core.Swap) -> None:
        """Print that two places exchange their cards."""
        with self.text.block(""):
            refs = [(side, self.target_place(side)) for side in (step.first, step.second)]
            (one, here), (two, there) = refs
            same = f"{here} == {there}" if one.zone is two.zone else "0"
            with self.text.block(f"if (!({same}))"):
                self.watch("watch_swap", *(self.place(of, place) for of, place in refs))
                self._learn_swapped(refs)
                places = [self.place(of, place) for of, place in refs]
                for (of, _), other in zip(refs, reversed(places), strict=True):
                    if self.layout.room(of.zone) < self.num_cards:
                        self.text.add(f"if (size_at(s, {other}) > {self.layout.room(of.zone)}) {self._full(of.zone)}")
                cards = self.fresh()
                self.text.add(f"set_t {cards} = set_or({', '.join(f'cards_at(s, {place})' for place in places)});")
                self.unmark(cards, [one, two])
                self.text.add(f"if (!s->fault) swap_places(s, {', '.join(places)});")

    def _learn_swapped(self, refs: list[tuple[core.ZoneRef, str]]) -> None:
        looks = []
        for zone, place in refs:
            field = self.field(self.zone_number(zone))
            rest = () if is_set(zone.zone) else (f"{field}_n[{place}]",)
            looks.append(self._need(zone, f"{field}[{place}]", *rest))
        (one, here), (other, there) = refs
        self._learn(one, other, there, None, look=looks[0])
        self._learn(other, one, here, None, look=looks[1])
        if (one.zone.kind == "cards") != (other.zone.kind == "cards"):
            self.text.add(looks[0] if one.zone.kind == "cards" else looks[1])

    # ---- what is printed once for a game

    def zones(self) -> list[tuple[int, Zone]]:
        """Return all families of zones with their numbers."""
        return list(enumerate(self.rules.zones))
