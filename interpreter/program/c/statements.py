"""Print statements, nodes and decisions as C, and the calls that trace them in watched plays.

A node is a label of the function `run`.  A node that leads to another jumps to its label, so nothing is called and
nothing returned between two decisions.  Faults are noted and the play goes on in what is within bounds, up to the next
place where that is looked at: a count of steps, or where the play would stop.

For each decision, `legal` fills a bitmap over the numbers of the small actions, the same as those of the public state;
`apply` takes one of them.  The choice of a card without copies is one shift of a set of cards into the bitmap.

Each event of Python's log has its call of `interpreter/native/c/watch.h`, in watched code alone.  Words, types and
names are numbers there: equal ones have the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, assert_never

import msgspec

from grammar.source import Span
from interpreter.analysis import core, joint_arguments
from interpreter.analysis.constant_folding import unproved
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.rules import ResultLine, ranks_players
from interpreter.analysis.symbols import Local, Zone
from interpreter.analysis.types import Card, Cards, Int, Player, Sequence, Tuple, Type, base_of, is_optional, range_low
from interpreter.program import nodes
from interpreter.program.c.expressions import FEW_BITS, Place, all_of
from interpreter.program.c.layout import CLayout, holds_set, is_set, name_of
from interpreter.program.c.sets import TOO_MANY_SETS, SetPrinter
from interpreter.program.facts import is_players, whole_zones
from interpreter.program.layout import TrackedZones
from interpreter.program.nodes import Alternative, Chance, Decision, Final, Stage

FACES = {None: 0, "up": 1, "down": 2}
_ENDS = {None: 0, "top": 0, "bottom": 1}
_WITHIN = 2
_NO_PLACE, _NOBODY = "-1", "-1"


NODES_OF_A_FUNCTION = 256
"""So many nodes are labels of one function: jumps between them cost nothing, and no function is long to compile."""


class Listed(msgspec.Struct, frozen=True):
    """The name of a list of cards in the printed text, in the order in which they are reported."""

    name: str

    def __str__(self) -> str:
        return f"{self.name}.a, {self.name}.n"


class Moved(msgspec.Struct, frozen=True):
    """Cards on the move: a card or a set by its name, or a list; and the set of them."""

    kind: Literal["card", "set", "list"]
    name: str
    set: str


def _where(at: core.Spot | None) -> int:
    """Return what traced plays see of the place where cards go."""
    return _ENDS[at] if at is None or isinstance(at, str) else _WITHIN


class StatementPrinter(SetPrinter):
    """Prints steps, nodes and decisions."""

    def __init__(self, program: nodes.Program, layout: CLayout, *, tagged: bool = False) -> None:
        super().__init__(program, layout, tagged=tagged)
        self.group = 0
        """Which function of nodes is printed."""
        self.first = 0
        """The first action of the decision that is printed."""
        self.decisions: list[str] = []
        """The decisions that are printed: a part of `DECISIONS` in `many.h`."""
        self.marks = TrackedZones.of(program)
        self._tracing = False
        self._numbers: dict[str, int] = {}

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
            case core.Fail():
                self.text.add(self.fail(step.code, step.message))
                self.text.add(self.stop)
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
            case core.Rotate():
                self.rotate(step)
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
            number = self._number_of_place(step.at)
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
            self._unmark(cards, self._origins(moved), played=bool(by))
            self._lay(to, cards, step.at, step.face, by, number)

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

    def _unmark(self, cards: Moved, origins: list[core.ZoneRef] | None, *, played: bool = False) -> None:
        """Print that nothing more is known of cards that move than where they lie, and who plays them (`played`).

        `origins` are the places that all of them come from, None where these are not known.
        """

        def may_be_in(zones: frozenset[Zone]) -> bool:
            return origins is None or any(origin.zone in zones for origin in origins)

        if may_be_in(self.marks.turned):
            self.unturn(cards.set)
        if self.layout.keeps_by and not played and may_be_in(self.marks.played):
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

    def _number_of_place(self, at: core.Spot | None) -> str:
        """Print the number of the place where cards go, if it is not an end."""
        return "" if at is None or isinstance(at, str) else self.named(self.value(at))

    def _lay(
        self, to: Place, cards: Moved, at: core.Spot | None = None, face: str | None = None, by: str = "",
        number: str = "",
    ) -> None:  # fmt: skip
        """Print that cards come to a place, those of a set in ascending order."""
        room = self.layout.room(to.zone)
        if to.count:
            pile = to.zone.kind == "pile"
            how = "within" if number else "under" if at == "bottom" and pile else "push"
            where = f", {number}, {int(pile)}" if number else ""
            done = f"lie_{how}_{cards.kind}({to.cards}, &{to.count}, {room}, {cards.name}{where})"
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
            number = self._number_of_place(step.at)
            pile, to = self.located(step.origin), self.located(step.target)
            if step.exactly:
                fault = self.fail("CG803", "the pile has fewer cards")
                add(f"if ({count} > {pile.count}) {{ {fault} {count} = {pile.count}; }}")
            add(f"if ({count} > {pile.count}) {count} = {pile.count};")
            how = FACES[step.face], _where(step.at)
            self.watch("watch_deal", pile.cards, pile.count, count, to.number, *how)
            self._learn(pile, to, step.face, f"NEED(need_top(s, {pile.number}, {count}));")
            # Of two places of one family one may be the other, so they are all taken before one is laid.
            add(f"cards_t {listed.name};")
            add(f"set_t {cards} = lie_take({pile.cards}, &{pile.count}, {count}, &{listed.name});")
            moved = Moved("list", str(listed), cards)
            self._unmark(moved, [step.origin])
            self._lay(to, moved, step.at, step.face, number=number)

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

    def rotate(self, step: core.Rotate) -> None:
        """Print that places of one family pass on their cards."""
        zone, places, i = step.zone.zone, self.fresh(), self.fresh()
        with self.text.block(""):
            self.text.add(f"i32 {places}[{max(1, zone.places)}], {places}_n = 0;")
            with self.text.block(""):
                self._each_kept(
                    step.binder,
                    lambda _: self.text.add(
                        f"if ({places}_n < {max(1, zone.places)}) {places}[{places}_n++] = "
                        f"{self.located(step.zone).number};"
                    ),
                )
            going = f"for (i32 {i} = 0; {i} < {places}_n; {i}++)"
            if not step.left:
                self.text.add(f"turn_round({places}, {places}_n);")
            self.watch("watch_rotate", places, f"{places}_n")
            if zone in self.hiding and any(self.seeing(zone)):
                with self.text.block(f"if ({places}_n > 1) {going}"):
                    target = f"{places}[({i} + 1) % {places}_n]"
                    self.text.add(f"if (SEES[{target}]) NEED(need_place(s, {places}[{i}]));")
            cards = self.fresh()
            self.text.add(f"set_t {cards} = set_none();")
            self.text.add(f"if ({places}_n > 1) {going} {cards} = set_or({cards}, cards_at(s, {places}[{i}]));")
            self._unmark(Moved("set", cards, cards), [step.zone])
            self.text.add(f"if (!s->fault) rotate_places(s, {places}, {places}_n);")

    @property
    def num_faces(self) -> int:
        """How many faces the cards have."""
        return len(self.rules.faces)

    # ---- coding

    def coded(self, arg: core.Arg, text: str) -> str:
        """Return the number of an argument's value within its dimension."""
        type_ = base_of(arg.local.type)
        if isinstance(type_, Card):
            return f"(i64)FACE[{text}]" if self.copies else text
        low = range_low(type_)
        return f"({text} - {low})" if low else text

    def numbered(self, stage: Stage, values: list[str]) -> str:
        """Return the place in a mask of a small action of single arguments."""
        terms, stride = [self.in_mask(stage.base)], 1
        for dim, text in reversed(list(zip(stage.dims, values, strict=True))):
            terms.append(text if stride == 1 else f"{text} * {stride}")
            stride *= dim
        return " + ".join(terms)

    def in_mask(self, action: int) -> str:
        """Return the place in a mask of a small action of the decision that is printed."""
        return f"at + {action - self.first}" if action > self.first else "at"

    # ---- sets

    def sets_of(self, alternative: Alternative) -> None:
        """Print the functions of the sets of an alternative, the last first: each calls those of later stages.

        They read the arguments of earlier stages from the state.
        """
        for number, stage in reversed(list(enumerate(alternative.stages))):
            if stage.is_set:
                self._set_of_stage(alternative, number)

    def _set_of_stage(self, alternative: Alternative, number: int) -> None:
        add, stage, action = self.text.add, alternative.stages[number], alternative.action
        (arg,), last, at = stage.args, number == len(alternative.stages) - 1, stage.node
        alone = last and action.such_that is None
        if not alone:
            self._rest_of(alternative, number)
        self.stand(arg.span)
        self.print_set(stage)
        rest, place = "0" if alone else f"rest{at}", action.args.index(arg)
        read = joint_arguments.read_later(action, place)
        shrinks = read and not joint_arguments.weighed_later(action, place)
        fault = self.fault("CG806", TOO_MANY_SETS)
        add(f"static const stage_t STAGE{at} = {{offer{at}, alone{at}, {rest}, {int(read)}, {int(shrinks)}, {fault}}};")

    def _rest_of(self, alternative: Alternative, number: int) -> None:
        """Print whether an action can be completed after a set, which becomes the argument in the state."""
        stage, *more = alternative.stages[number:]
        such_that = alternative.action.such_that
        self.text.add("")
        with self.text.block(f"static int rest{stage.node}(S *s, set_t picked)"):
            self.text.add(f"{self.local(stage.args[0].local)} = picked;")
            if not more:
                assert such_that is not None
                self.stand(such_that.span)
                self.text.add(f"return {self.condition(such_that)};")
            elif more[0].is_set:
                self.text.add(f"return {_possible(more[0])};")
            else:
                self.legal_single(alternative, number + 1, "return 1;")
                self.text.add("return 0;")

    def legal_set(self, stage: Stage, picked: str) -> None:
        """Print which picks of a set are legal, and if it may end."""
        self.text.add("set_t picks;")
        end = f"mask_put(mask, {self.in_mask(stage.base + self.num_faces)});"
        self.text.add(f"if (stage_picks(s, &STAGE{stage.node}, {picked}, &picks)) {end}")
        if self.copies:
            place = self.in_mask(stage.base)
            self.text.add(f"while (!set_empty(picks)) mask_put(mask, {place} + FACE[set_take(&picks)]);")
        else:
            self.text.add(f"mask_set(mask, picks, {self.in_mask(stage.base)});")

    # ---- what is legal

    def legal(self, node: Decision) -> None:
        """Print the function that fills the bitmap of a decision, whose first action has its bit at `at`."""
        self.stand(node.span)
        self.first, words = node.actions.start, -(-len(node.actions) // 64)
        fault = self.fault("CG807", "no action is possible here")
        self.decisions.append(f"X({node.number}, {self.first}, {words}, {fault})")
        self.text.add("")
        with self.text.block(f"static void legal{node.number}(S *s, u64 *mask, int at)"):
            self.text.add("(void)s;")
            if node.only is not None:
                self._legal_stage(node.only, node.stage, "s->picked")
                return
            for way in node.alternatives:
                self._legal_way(way)
            if node.otherwise is not None:
                with self.text.block("if (mask_empty(mask))"):
                    self._legal_way(node.otherwise)

    def _legal_way(self, way: Alternative) -> None:
        with self.text.block("" if way.action.only_if is None else f"if ({self.condition(way.action.only_if)})"):
            self._legal_stage(way, 0, "set_none()")

    def _legal_stage(self, alternative: Alternative, number: int, picked: str) -> None:
        stage = alternative.stages[number]
        if stage.is_set:
            self.legal_set(stage, picked)
        else:
            self.legal_single(alternative, number)

    def legal_single(self, alternative: Alternative, number: int, found: str = "") -> None:
        """Print nested loops over single arguments that note the small actions, or do what `found` says at each."""
        stage = alternative.stages[number]
        following = alternative.stages[number + 1 :]
        such_that = None if following else alternative.action.such_that
        plain = not following and such_that is None and not found

        def innermost(names: dict[Local, str]) -> None:
            tests = []
            for arg in stage.args if following else ():
                self.store_local(arg.local, names[arg.local])
            with self.binding(names):
                if such_that is not None:
                    tests.append(self.condition(such_that))
            if following:
                tests.append(_possible(following[0]))
            done = (
                found or f"mask_put(mask, {self.numbered(stage, [self.coded(a, names[a.local]) for a in stage.args])});"
            )
            self.text.add(f"if ({tests[0]}) {done}" if tests else done)

        def loop(place: int, names: dict[Local, str]) -> None:
            if place == len(stage.args):
                innermost(names)
                return
            arg, chosen = stage.args[place], stage.candidates[place]
            last, narrow = place == len(stage.args) - 1, stage.dims[-1] <= 64

            def body(item: str) -> None:
                loop(place + 1, {**names, arg.local: item, arg.each: item})

            row = self.fresh()

            def note(word: str, given: str = "") -> None:
                self.text.add(f"{given}mask_word(mask, {word}, {self.numbered(stage, [*values, '0'])});")

            def put(item: str, test: str) -> None:
                self.text.add(f"{row} |= (u64)!!({test}) << ({self.coded(arg, item)} & 63);")

            with self.binding(names):
                values = [self.coded(a, names[a.local]) for a in stage.args[:-1]] if last else []
                if self._is_cards(chosen) and last and plain and not self.copies:
                    self.text.add(f"mask_set(mask, {self.cards(chosen)}, {self.numbered(stage, [*values, '0'])});")
                elif last and plain and narrow and (numbers := self._kept_numbers(chosen)) is not None:
                    note(f"{numbers} >> {range_low(base_of(arg.local.type))}")
                elif isinstance(chosen, core.Select) and not self._is_cards(chosen) and last and plain and narrow:
                    self.text.add(f"u64 {row} = 0;")
                    self._each_kept(chosen.binder, body, branchless=put)
                    note(row)
                elif (numbers := self._kept_numbers(chosen)) is None:
                    self._each(chosen, body, ordered=False)
                else:
                    numbers = numbers if last else self._begun(numbers, arg, stage.candidates[place + 1])
                    without = "" if found or not last else self._without_cards(alternative, number)
                    if without and narrow:
                        for earlier in stage.args[:-1]:
                            self.store_local(earlier.local, names[earlier.local])
                        note(f"{numbers} >> {range_low(base_of(arg.local.type))}", f"if ({without}) ")
                        self.text.add("else")
                    with self.text.block(f"for (u64 {row} = {numbers}; {row}; {row} &= {row} - 1)"):
                        self.text.add(f"i64 {row}_low = bit_low({row});")
                        body(f"{row}_low")
                    if not last:
                        self.words.clear()

        with self.text.block(""):
            loop(0, {})

    def _without_cards(self, alternative: Alternative, number: int) -> str:
        """Return a test that the last set has no cards and is good so, for every value of the argument before it.

        Of a product of which one side is positive the other side decides (loop unswitching).  Empty if none is known.
        """
        before, *following = alternative.stages[number:]
        most = following[0].upper_bound if len(following) == 1 else None
        if most is None or alternative.action.such_that is not None or not self.may_have_no_cards(following[0]):
            return ""
        (last,), changing = following[0].args, before.args[-1]
        while isinstance(most, core.Op) and most.op == "*":
            positive = [isinstance(side.type, Int) and (side.type.low or 0) > 0 for side in most.args]
            if not any(positive):
                break
            most = most.args[positive.index(True) ^ 1]
        read = core.names_of(most, *(() if last.on_set is None else (last.on_set.condition,)))
        if last.low not in (None, last.high) or not read.isdisjoint({changing.local, changing.each}):
            return ""
        return f"{self.value(most)} <= 0 && without{following[0].node}(s)"

    def _bits(self, local: Local) -> tuple[int, int] | None:
        """Return the least and the greatest number that a name can be, where each has a bit in a word."""
        bounds = self.layout.bounds(local.type)
        return None if bounds is None or bounds[0] < 0 or bounds[1] >= FEW_BITS else bounds

    def _kept_numbers(self, chosen: core.Expr) -> str | None:
        """Return a word of the numbers of a range that fulfil a condition; None where that has no mask."""
        match chosen:
            case core.Select(
                binder=core.Binder(local=local, domain=core.Range(low=low, high=high), start=None) as binder
            ) if not self.totality.logged and self._bits(local):  # Logged, each number reaches its rules.
                prefix = self._prefix(binder)
                word = None if prefix is None else self.words.get(prefix.local)
                where = binder.where if prefix is None or word is None else prefix.rest
                if (word or where) and (where is None or self._is_maskable(where, local)):
                    begin = self.value(low)
                    within = f"~bits_below({begin})" if word is None else f"bits_from({word}, {begin})"
                    mask = "" if where is None else f" & {self._mask(where, local)}"
                    return self.named(f"bits_below({self.value(high)} + 1) & {within}{mask}", "u64")
        return None

    def _begun(self, numbers: str, arg: core.Arg, following: core.Expr) -> str:
        """Return the numbers of an argument at which the range of the following one, which begins there, is not empty.

        Its prefix condition becomes a word (loop-invariant code motion); the steps of all ranges are counted at once.
        """
        prefix, binder = None, following.binder if isinstance(following, core.Select) else None
        own = {arg.local, arg.each}
        match binder:
            case core.Binder(domain=core.Range(low=core.LocalRef(local=local), high=high)) if local in own:
                prefix = self._prefix(binder)
        bounds = None if prefix is None else self._bits(prefix.local)
        if prefix is None or bounds is None or own & core.names_of(high, prefix.fails, prefix.steps or high):
            return numbers
        word, item, steps = self.fresh(), self.fresh(), f"bits_steps({numbers}, {self.named(self.value(high))})"
        self.text.add(f"u64 {word} = 0;")
        head = f"for (i64 {item} = {numbers} ? bit_low({numbers}) : {FEW_BITS}; {item} <= {bounds[1]}; {item}++)"
        with self.text.block(head), self.binding({prefix.local: item}):
            self.text.add(f"{word} |= (u64)({self.unless(prefix.fails)}) << {item};")
        if prefix.steps is not None:
            self.spent(f"{self.value(prefix.steps)} * {steps}")
        self.words[prefix.local] = word
        return f"{numbers} & {word}"

    # ---- applying

    def apply(self, node: Decision) -> None:
        """Print the function that carries out a small action: it returns where the play goes on, -1 if it stays."""
        self.stand(node.span)
        self.text.add("")
        numbers = {shape.base: number for number, shape in enumerate(self.program.shapes)}
        blocks = {way.stages[node.stage].base: way for way in reversed(node.open_ways)}
        with self.text.block(f"static int apply{node.number}(S *s, i64 a)"):
            self.text.add("i64 v[MOST_DIMS];")
            of = [numbers[base] for base in blocks]
            with self.text.block(f"switch (block_among(a, {min(of)}, {max(of)}))"):
                for base, way in blocks.items():
                    with self.text.block(f"case {numbers[base]}:"):
                        self.text.add(f"decode_action({numbers[base]}, a, v);")
                        self._apply_stage(node, way)
            self.text.add("return REFUSED;")

    def _apply_stage(self, node: Decision, alternative: Alternative) -> None:
        """Print what an action does whose arguments are in `v`."""
        stage = alternative.stages[node.stage]
        if stage.is_set:
            self._apply_pick(node, alternative)
            return
        for place, arg in enumerate(stage.args):
            if isinstance(base_of(arg.local.type), Card) and self.copies:
                self._one_of(arg, f"v[{place}]")
            else:
                self.set_local(arg.local, f"v[{place}]")
        self._advance(node, alternative, node.stage)

    def _one_of(self, arg: core.Arg, face: str) -> None:
        """Print how a card of a face is found among those that can be chosen: the first of its copies."""
        card = self.fresh()
        self.text.add(f"i64 {card} = NONE;")
        if self._is_cards(arg.domain) and self.layout.order.ascends(arg.domain):
            self.text.add(f"{card} = set_first(set_and({self.cards(arg.domain)}, COPIES[{face}]));")
        else:
            test = f"if (FACE[{{}}] == {face}) {{{{ {card} = {{}}; {{}} }}}}"
            self._until(lambda stop: self._each(arg.domain, lambda item: self.text.add(test.format(item, item, stop))))
        self.text.add(f"if ({card} == NONE) {{ {self._lost()} {card} = 0; }}")
        self.set_local(arg.local, card)

    def _lost(self) -> str:
        return self.fail("CG901", "the chosen card is not there")

    def _apply_pick(self, node: Decision, alternative: Alternative) -> None:
        add, stage = self.text.add, alternative.stages[node.stage]
        arg = stage.args[0]
        if node.only is None:
            add("s->picked = set_none();")
        with self.text.block("if (v[0] != FACES)"):
            if self.copies:
                kept = f"set_and({self.cards(arg.domain)}, COPIES[v[0]])"
                add(f"i64 card = set_first(set_minus({kept}, s->picked));")
                add(f"if (card == NONE) {{ {self._lost()} card = 0; }}")
            else:
                add("i64 card = v[0];")
            add("set_put(&s->picked, card);")
            if arg.high is not None:
                with self.text.block(f"if (set_count(s->picked) < {self.value(arg.high)})"):
                    add(f"s->pc = {stage.node}; return STAY;")
            else:
                add(f"s->pc = {stage.node}; return STAY;")
        self._take_set(arg.local, "s->picked")
        add("s->picked = set_none();")
        self._advance(node, alternative, node.stage)

    def _take_set(self, local: Local, cards: str) -> None:
        declared = "" if local in self.layout.slots else "set_t "
        self.text.add(f"{declared}{self.local(local)} = {cards};")

    def _advance(self, node: Decision, alternative: Alternative, number: int) -> None:
        """Print where an action goes when a stage is complete, as a later set of no cards is at once."""
        if number < len(alternative.stages) - 1:
            following = alternative.stages[number + 1]
            most = following.upper_bound
            more = "" if most is None else f"if ({self.value(most)} > 0) "
            self.text.add(f"{more}{{ s->pc = {following.node}; return STAY; }}")
            if most is not None:
                self._take_set(following.args[0].local, "set_none()")
                self._advance(node, alternative, number + 1)
            return
        self.watch_choice(alternative.action, "s->cur", secret=node.is_secret)
        self.text.add(f"return {alternative.body};")

    # ---- chance and the end

    def chance(self, node: Chance) -> None:
        """Print a chance event: it is drawn at once."""
        arg, add = node.random.arg, self.text.add
        with self.node(node.number, node.span):
            add(f"MARK({node.number});")
            item = self.fresh()
            chosen = all_of(core.Binder(arg.local, arg.domain, None, arg.where))
            fault = self.fail("CG808", "chance has nothing to choose from")
            if isinstance(base_of(arg.local.type), Card):
                listed = self.listed(chosen)
                add(f"if (!{listed}.n) {{ {fault} return STOP; }}")
                add(f"i64 {item} = chance_card(s, {listed}.a, {listed}.n);")
            else:
                low, high = self.fresh(), self.fresh()
                if isinstance(arg.domain, core.Range) and arg.where is None:
                    add(f"i64 {low} = {self.value(arg.domain.low)};")
                    add(f"i64 {high} = {self.value(arg.domain.high)};")
                    add(f"if ({high} < {low} || {high} - {low} >= INT32_MAX) {{ {fault} return STOP; }}")
                    add(f"i64 {item} = chance_range(s, {low}, {high});")
                else:
                    listed = self.listed(chosen)
                    add(f"if (!{listed}.n) {{ {fault} return STOP; }}")
                    add(f"i64 {item} = chance_one(s, {listed}.a, {listed}.n);")
            self.watch_fell(node.random, item)
            self.set_local(arg.local, item)
            add(f"if (++s->events > {self._most_events()}) {{ s->too_long = 1; return END; }}")
            self.go(node.next)

    def _most_events(self) -> int:
        most = self.rules.max_decisions
        return 5 * most + 4 * self.num_cards + 100

    def end(self, node: Final) -> None:
        """Print the count of the result."""
        with self.node(node.number, node.span):
            self.text.add("s->cur = TERMINAL;")
            for line in self.program.results:
                self.reach(line.tags)
                self._result(line)
            if self.rules.standing == "winners":
                with self.only("TRACING"), self.text.block(""):
                    self._standings(self.program.results[0].value)
            self.text.add("return STOP;")

    def _result(self, line: ResultLine) -> None:
        add = self.text.add
        with self.text.block(""):
            if line.player is None:
                add("u64 w = 0;")
                if isinstance(base_of(line.value.type), Sequence):
                    self._each(line.value, lambda item: add(f"w |= (u64)1 << {item};"))
                elif line.what == "winners":
                    one = self.named(self.value(line.value))
                    add(f"if ({one} != NONE) w |= (u64)1 << {one};")
                else:
                    one = self.named(self.value(line.value))
                    add(f"for (int i = 0; i < PLAYERS; i++) s->result[AT_{line.what.upper()} + i] = {one};")
                    return
                add("s->result[AT_WINNERS] = (i64)w;")
                return
            item = self.fresh()
            with (
                self.text.block(f"for (i64 {item} = 0; {item} < PLAYERS; {item}++)"),
                self.binding({line.player: item}),
            ):
                add(f"s->result[AT_{line.what.upper()} + {item}] = {self.value(line.value)};")

    def _standings(self, winners: core.Expr) -> None:
        """Print the number of each player by which the winners are chosen."""
        add = self.text.add
        ranks = "(s->result + ENDS)"
        add(f"for (int i = 0; i < PLAYERS; i++) {ranks}[i] = NONE;")
        self._standing(winners, ranks)
        add(f"rank_others({ranks});")

    def _standing(self, winners: core.Expr, ranks: str) -> None:
        """Print the numbers by which an expression ranks the players, if it does."""
        match winners:
            case core.CallDefine(define=define):
                self._standing(self.program.definitions[define].value, ranks)
            case core.Chain():
                self.alternatives(winners, lambda value: self._standing(value, ranks), "0")
            case core.Extreme(binder=binder, by=by, which=which) if ranks_players(winners):
                first = by.items[0] if isinstance(by, core.TupleOf) else by
                sign = "-" if which == "lowest" else ""
                self._each_kept(binder, lambda item: self.text.add(f"{ranks}[{item}] = {sign}{self.value(first)};"))

    # ---- traced plays

    def numbered_text(self, text: str) -> int:
        """Return the number of a text, from 1."""
        return self._numbers.setdefault(text, len(self._numbers) + 1)

    def _type_number(self, type_: Type) -> int:
        return self.numbered_text(f"type {base_of(type_)}")

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Print statements for traced plays alone; what they work out takes no steps and raises no fault."""
        steps, before = self.fresh(), self._tracing
        with self.only("TRACING"), self.text.block("if (s->traced)"):
            self.text.add(f"i32 {steps} = s->steps, {steps}_fault = s->fault;")
            self._tracing = True
            yield
            self._tracing = before
            self.text.add(f"s->steps = {steps}; s->fault = {steps}_fault;")

    def watch(self, function: str, *args: object) -> None:
        """Print a call for traced plays."""
        call = f"{function}({', '.join(map(str, ('s', *args)))})"
        self.text.add(f"{call};" if self._tracing else f"TRACE({call});")

    def watched_cards(self, cards: core.Expr) -> Listed:
        """Print the cards that something is done to, or the one card, as a list."""
        if isinstance(base_of(cards.type), Cards):
            return Listed(self.listed(cards))
        name = self.fresh()
        value = self.named(self.value(cards))
        self.text.add(f"cards_t {name}; {name}.n = 0; cards_push(&{name}, {value});")
        return Listed(name)

    # ---- cards on the move

    def watch_move(self, cards: str | Listed, step: core.Move, place: Place, by: str) -> None:
        """Print that cards are about to move: a list, or a set, of which the lowest goes first."""
        function = "watch_move" if isinstance(cards, Listed) else "watch_move_set"
        self.watch(function, cards, place.number, FACES[step.face], by or _NOBODY, _where(step.at))

    # ---- variables

    def watch_begin(self, variable: Variable, phase: Phase | None, value: str) -> None:
        """Print that a phase gives its variable the first value."""
        seen = self.viewers(variable) if phase is not None else None
        if seen is None or phase is None:
            return
        stored, at = self.layout.stored(variable.type), self.fresh()
        with self.tracing(), self.text.block(f"for (int {at} = 0; {at} < {max(1, variable.places)}; {at}++)"):
            old = f"(s->begun{phase.number} ? {stored.read(f's->{name_of(variable)}[{at}]')} : NONE)"
            self._watch_change(variable, at, seen, old, value, first=True)

    def watch_assign(self, variable: Variable, at: str, old: str, value: str) -> None:
        """Print that a variable is about to get another value, if it does."""
        seen = None if variable.local else self.viewers(variable)
        if seen is not None:
            self._watch_change(variable, at, seen, old, value, first=False)

    def _watch_change(self, variable: Variable, at: str, seen: str, old: str, value: str, *, first: bool) -> None:
        if isinstance(base_of(variable.type), Card):
            old, value = self._face(old), self._face(value)
        self.watch("watch_assign", f"{variable.base} + {at}", f"{seen}[{at}]", old, value, int(first))

    def _face(self, card: str) -> str:
        """Return what represents a card that may be absent: copies are alike."""
        return f"face_or_none({card})"

    # ---- decisions and chance

    def watch_choice(self, action: core.Action, player: str, *, secret: bool) -> None:
        """Print that a player has decided; what is chosen still lies where it was."""
        self.watch("watch_choice", player, self.numbered_text(f"verb {action.verb}"), int(secret))
        for number, arg in enumerate(action.args):
            kind = base_of(arg.local.type)
            if isinstance(kind, Cards | Card):
                chosen = core.LocalRef(arg.local, arg.local.type, arg.span)
                self.watch("watch_chosen", number, self.cards(chosen))
            else:
                flag = " | PLAYER_TYPE" if isinstance(kind, Player) else ""
                self.watch("watch_value", f"{self._type_number(kind)}{flag}", self.read_local(arg.local))

    def watch_fell(self, random: core.Random, value: str) -> None:
        """Print what chance chose, to those who see where it goes."""
        seen = "EVERYONE"
        if random.into is not None:
            table = None if random.into.variable.local else self.viewers(random.into.variable)
            if table is None:
                return
            at = self.place_number(random.into.variable, random.into.index)
            seen = f"{table}[{at}]"
        if isinstance(base_of(random.arg.local.type), Card):
            seen, value = f"{seen} & sees_card(s, {value})", self._face(value)
        self.watch("watch_fell", self.numbered_text(f"name {random.arg.local.name}"), seen, value)

    # ---- words

    def watch_say(self, step: core.Say) -> None:
        """Print what is said."""
        with self.tracing():
            words = "".join(part if isinstance(part, str) else "\0" for part in step.parts)
            self.watch("watch_say", self.numbered_text(f"words {words}"))
            for part in step.parts:
                if not isinstance(part, str):
                    self._say(part)

    def _say(self, part: core.Expr) -> None:
        type_, number = base_of(part.type), self._type_number(part.type)
        match type_:
            case Cards() | Card():
                self.watch("watch_said_cards", number, self.watched_cards(part))
            case Sequence() | Tuple():
                name, item = self.listed(part), self.fresh()
                self.watch("watch_said", number, f"{name}.n")
                with self.text.block(f"for (i32 {item} = 0; {item} < {name}.n; {item}++)"):
                    value = f"{name}.a[{item}]"
                    self.watch("watch_said", number, self._face(value) if _holds_cards(type_) else value)
            case _:  # All others are one number.
                self.watch("watch_said", number, self.value(part))

    # ---- what is printed once

    def watch_tables(self) -> None:
        """Print the tables of `watch.h` and `belief.h`."""
        add = self.text.add
        self.stand(None)
        actions = [a for node in self.program.nodes if isinstance(node, Decision) for a in node.ways]
        most = max((len(way.action.args) for way in actions), default=0)
        add(f"#define MOST_ARGS {max(1, most)}")
        self._faces()
        with self.text.block("static int stage(int node)"):
            add("switch (node) {")
            for node in self.program.nodes:
                if isinstance(node, Decision) and node.only is not None:
                    stage = self.numbered_text(f"stage {node.only.action.verb} {node.stage}")
                    add(f"case {node.number}: return {stage};")
            add("default: return 0; }")

    def _faces(self) -> None:
        """Print what the faces have in common: attributes, and places before play."""
        add, faces = self.text.add, len(self.rules.faces)
        ways = [way for node in self.program.nodes if isinstance(node, Decision) for way in node.ways]
        small = max([sum(faces + 1 if s.is_set else 1 for s in way.stages) for way in ways], default=1)
        copies = max(face.copies for face in self.rules.faces) if self.copies else 1
        add(f"#define MOST_SMALL {max(1, min(small * copies, small + self.num_cards))}")
        first = {face: card for card, face in reversed(list(enumerate(self.rules.card_faces)))}
        names = dict.fromkeys(attribute.name for kind in self.rules.kinds.values() for attribute in kind.attributes)
        rows = [[self.tables.attribute(name)[first[face]] for face in range(faces)] for name in names] or [
            [None] * faces
        ]
        known = [sorted({value for value in row if value is not None}) for row in rows]
        numbers = [
            [-1 if value is None else of.index(value) for value in row] for row, of in zip(rows, known, strict=True)
        ]
        add(f"#define ATTRIBUTES_N {len(numbers)}")
        lines = ", ".join("{" + (", ".join(map(str, row)) or "-1") + "}" for row in numbers)
        add(f"static const i32 ATTRIBUTES[][FACES] = {{{lines}}};")
        homes: list[set[int]] = [set() for _ in range(max(1, faces))]
        for place, lying in self.rules.homes:
            for card in lying:
                homes[self.rules.card_faces[card]].add(place)
        kinds_of = {home: number for number, home in enumerate(dict.fromkeys(map(frozenset, homes)))}
        add(f"static const i32 HOME[] = {{{', '.join(str(kinds_of[frozenset(home)]) for home in homes)}}};")


def _holds_cards(type_: Sequence | Tuple) -> bool:
    """Return whether the members of a list are cards; no part of a key is one."""
    return isinstance(type_, Sequence) and isinstance(base_of(type_.item), Card) and not is_optional(type_.item)


def _possible(stage: Stage) -> str:
    """Return whether any legal set exists at a stage."""
    return f"stage_possible(s, &STAGE{stage.node})"
