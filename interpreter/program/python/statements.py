"""Print statements, and whole functions, as Python.

Each statement becomes one or a few lines of a function.  With `logged`, statements also write events
(`interpreter.runtime.knowledge.events`) and note the rules they reach.  Where nothing more is known of a card than
where it lies, and in code that only plays, a move is a few plain lines; otherwise it is a call of
`interpreter.runtime.support`.

A loop that can stop in the middle has three slots in the state: what it goes through, how far it is (for turns: who is
still due, one bit each), and, for turns, whose turn it is.  A decision `at once` has a slot for each player, which
holds what they decided until all have.
"""

from __future__ import annotations

from typing import assert_never

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.constant_folding import unproved
from interpreter.analysis.core import Phase
from interpreter.analysis.limits import NUMBER_LIMIT
from interpreter.analysis.symbols import Local, Zone
from interpreter.analysis.types import Card, Cards, Int, Type, base_of, is_optional
from interpreter.program.flow import Flow
from interpreter.program.layout import Layout
from interpreter.program.nodes import (
    Auto,
    Branch,
    Call,
    Chance,
    Commit,
    Decision,
    Dispatch,
    EndOfRound,
    InitState,
    Jump,
    NextInLoop,
    NextTurn,
    Program,
    Reach,
    Reopen,
    Return,
    StartAgain,
    StartLoop,
    StartTurns,
    Step,
)
from interpreter.program.passes.disjoint import whole_zones
from interpreter.program.passes.totality import is_players
from interpreter.program.python.expressions import Printer
from interpreter.program.python.lines import Lines
from interpreter.program.tracking import TrackedZones, chosen_cards, turned_zones

MOST_UNROLLED = 8
"""A loop over the players is unrolled, player by player, if that is at most so many statements."""

DEEPEST = 12
"""How deep Python may be indented where one node carries out the next."""


class StatementPrinter:
    """Prints statements into `lines`."""

    def __init__(self, program: Program, layout: Layout, printer: Printer, *, logged: bool) -> None:
        self.program = program
        self.layout = layout
        self.printer = printer
        self.logged = logged
        self.lines = Lines()
        self.marks = TrackedZones.of(program)
        self.chosen: dict[Local, core.ZoneRef] = {}
        """Cards that were chosen or selected just now, and where they lie; none in logged code."""
        self.flow = Flow.of(program)
        self.needed = set(self.flow.entered)
        """Nodes that must be functions, since a number leads to them."""
        self._after = {} if logged else _choices(program)
        self.source = program.entry
        """The node that is being printed, maybe inside another."""

    # ---- functions and nodes

    def automatic_phase(self, phase: Phase) -> None:
        """Print a phase in which nobody decides as a function."""
        names = [f"x{p.number}" for p in phase.params]
        with self.printer.binding(dict(zip(phase.params, names, strict=True))):
            self.begin(f"p{phase.number}", ", ".join(["st", "v", "z", *names]))
            self.step(Reach(phase.tags))
            self.step(InitState(phase, phase.span))
            self.block(phase.body)
            self.lines.add("return")

    def auto(self, node: Auto) -> None:
        """Print a node without decision as a function, with what it leads to.

        The function returns the number of the node at which the machine is to go on, -1 where the state has stopped.
        """
        self.begin(f"n{node.number}", "st, v, z")
        self._carried_out(node)

    def begin(self, name: str, params: str) -> None:
        """Begin a function: a unit of its own, as far as local names go."""
        self.printer.unit = name
        self.lines.def_(name, params)

    def _carried_out(self, node: Auto) -> None:
        """Print what a node does, and where it goes."""
        self.source = node.number
        self.chosen = self._after.get(node.number, {})
        for step in node.steps:
            self.step(step)
        self.exit(node)

    def exit(self, node: Auto) -> None:
        """Print where a node goes."""
        match node.exit:
            case Jump(target):
                self.go(target)
            case Branch(core.Const(value=bool(holds)), then, otherwise):
                self.go(then if holds else otherwise)
            case Branch(condition, then, otherwise):
                self.lines.add(f"if {self.printer.condition(condition)}:", condition.span)
                self.lines.depth += 1
                self.go(then)
                self.lines.depth -= 1
                self.go(otherwise)
            case NextInLoop():
                self._next_in_loop(node.exit, node.span)
            case NextTurn():
                self._next_turn(node.exit, node.span)
            case Dispatch():
                self._dispatch(node.exit, node.span)
            case Call(phase, args, back):
                self.call(phase, args, back, node.span)
                self.go(self.program.phase_entries[phase])
            case Return(phase) if len(self.flow.backs[phase]) == 1:
                self.go(self.flow.backs[phase][0])
            case Return(phase):
                self.lines.add(f"return v[{self.layout.returns[phase]}]")
            case EndOfRound(target, final):
                self.lines.add("if st.too_long:")
                self.lines.depth += 1
                self.go(final)
                self.lines.depth -= 1
                self.go(target)

    def go(self, target: int) -> None:
        """Print how to go on at a node: one that only this way leads to is carried out at once, others are called.

        A number is returned to the machine where the way may come round, and behind a shuffle.
        """
        node = self.program.nodes[target]
        if isinstance(node, Decision | Chance):
            self.stop(node)
        elif isinstance(node, Auto) and target in self.flow.alone and self.lines.depth < DEEPEST:
            source = self.source
            self._carried_out(node)
            self.source = source
        else:
            called = target in self.flow.calls[self.source]
            self.lines.add(f"return n{target}(st, v, z)" if called else f"return {target}")
            self.needed.add(target)

    def stop(self, node: Decision | Chance) -> None:
        """Print how a state stops at a node where somebody, or chance, has to choose."""
        actor = "-1" if isinstance(node, Chance) else self.printer.value(node.choice.player)
        self.lines.add(f"st.to_act = {actor}; st.node = {node.number}", node.span)
        self.lines.add("return -1")

    def call(self, phase: Phase, args: tuple[core.Expr, ...], back: int, span: Span) -> None:
        """Print the arguments and the return address of a phase."""
        values = [self.printer.value(a) for a in args]
        if phase.params:
            names = [self.printer.local(p) for p in phase.params]
            for param in phase.params:
                # The phase reads its parameters in functions of its own.
                self.printer.seen.setdefault(param, set()).add("call")
            self.lines.add(f"{', '.join(names)} = {', '.join(values)}", span)
        self.lines.add(f"v[{self.layout.returns[phase]}] = {back}")

    # ---- steps

    def block(self, block: tuple[core.Stmt, ...]) -> None:
        """Print statements, or `pass`."""
        with self.lines.suite():
            for stmt in block:
                self.step(stmt)

    def nested(self, block: tuple[core.Stmt, ...]) -> None:
        """Print a block one step deeper."""
        self.lines.depth += 1
        self.block(block)
        self.lines.depth -= 1

    def reach(self, tags: tuple[str, ...]) -> None:
        """Print that rules were reached."""
        if self.logged and tags:
            self.lines.add(f"st.reach({self.printer.table(('tags', tags), tags, 'R')})")

    def step(self, step: Step) -> None:
        """Print one step."""
        if not isinstance(step, InitState | StartLoop | StartAgain | StartTurns | Reopen | Commit):
            if not isinstance(step, core.If):
                self.reach(step.tags)
            if isinstance(step, Reach):
                return
        if isinstance(step, core.For | core.While):
            self.chosen = {}  # What is done in one round has been done when the next one begins.
        match step:
            case InitState():
                self.init_state(step)
            case StartLoop() | StartAgain() | StartTurns() | Reopen() | Commit():
                self._loop_step(step)
            case core.Let():
                value = self.printer.line_value(step.value)
                self.lines.add(f"{self.printer.local(step.local)} = {value}", step.span)
                origin = self.selected_from(step.value)
                if origin is not None:
                    self.chosen = {**self.chosen, step.local: origin}
            case core.Begin():
                self.begin_variable(step)
            case core.Assign():
                self.assign(step)
            case core.CallPhase():
                args = [self.printer.value(a) for a in step.args]
                self.lines.add(f"p{step.phase.number}({', '.join(['st', 'v', 'z', *args])})", step.span)
            case core.If():
                self.if_(step)
            case core.For():
                self.for_(step)
            case core.While():
                self.while_(step)
            case core.Spend():
                # As `spend` does, without a call of it.
                self.lines.add(f"st.steps += {step.steps}", step.span)
                place = self.printer.location_name(step.span)
                self.lines.add(f"if st.steps > WATCHED: watched(st, {step.steps}, {place})", step.span)
            case core.End():
                self.lines.add("return", step.span)
            case core.Move():
                self.move(step)
            case core.Deal():
                self.deal(step)
            case core.Shuffle():
                cards = "None" if step.cards is None else self._cards(step.cards)
                self.lines.add(f"shuffle(st, z, {self.printer.place(step.zone)}, {cards})", step.span)
            case core.Swap():
                places = f"{self.printer.place(step.first)}, {self.printer.place(step.second)}"
                self.lines.add(f"swap(st, z, {places})", step.span)
            case core.Turn():
                self.turn(step)
            case core.Show():
                to = "None" if step.to is None else self.printer.value(step.to)
                self.lines.add(f"show(st, {self._cards(step.cards)}, {to})", step.span)
            case core.Say():
                if self.logged:
                    self.lines.add(f"st.say(({self.words(step.parts)}))", step.span)
                else:
                    self.read_values(step)
            case core.Choice() | core.Random() | core.InTurn() | core.AtOnce() | core.Reopen() | core.Together():
                raise AssertionError(f"{step} stops in the middle, or has been desugared")
            case _:
                assert_never(step)
        if not isinstance(step, core.Let | core.Say | core.Spend | InitState):
            self.chosen = {}

    def read_values(self, step: core.Say) -> None:
        """Print the values of a text that may need an undetermined card, or raise a fault, whoever reads them."""
        for part in step.parts:
            if not isinstance(part, str) and not self.printer.passes.totality.is_total(part):
                self.lines.add(self.printer.value(part), step.span)

    def init_state(self, step: InitState) -> None:
        """Print the first values of variables."""
        name = None if step.phase is None else step.phase.name
        for variable in self.program.rules.variables:
            if variable.phase != name:
                continue
            assert variable.initial is not None
            value = self.printer.value(variable.initial)
            checked = self._bounded(value, variable.initial, variable.type)
            for place in range(variable.base, variable.base + variable.places):
                if self.logged:
                    begins = step.phase is not None
                    self.lines.add(f"v[{place}] = st.first_value({place}, {checked}, {begins})", variable.span)
                else:
                    self.lines.add(f"v[{place}] = {checked}", variable.span)

    def begin_variable(self, step: core.Begin) -> None:
        """Print the first value of a local variable, at all its indices."""
        variable = step.variable
        value = self._bounded(self.printer.line_value(step.value), step.value, variable.type)
        first, last = variable.base, variable.base + variable.places
        place, values = (f"{first}:{last}", f"[{value}] * {variable.places}") if variable.indices else (first, value)
        self.lines.add(f"v[{place}] = {values}", step.span)

    def _bounded(self, text: str, expr: core.Expr, wanted: Type) -> str:
        """Return a value with a check of its bounds, where its type does not promise them."""
        checked = unproved(expr, wanted)
        return text if checked is None else f"bounded({text}, {checked.low!r}, {checked.high!r})"

    def assign(self, step: core.Assign) -> None:
        """Print an assignment."""
        slot = self.printer.index(step.variable, step.index)
        place = f"v[{slot}]"
        value = self.printer.line_value(step.value)
        if step.op != "=":
            kind, text = step.variable.type, f"{place} {step.op[0]} {value}"
            if isinstance(kind, Int):
                if not self.logged and not is_optional(step.value.type):
                    self.assign_within(place, text, kind, step.span)
                    return
                text = f"bounded({text}, {kind.low!r}, {kind.high!r})"
        else:
            text = self._bounded(value, step.value, step.variable.type)
        if self.logged and not step.variable.local:
            self.lines.add(f"st.set_value({slot}, {text})", step.span)
        else:
            self.lines.add(f"{place} = {text}", step.span)

    def assign_within(self, place: str, text: str, kind: Int, span: Span) -> None:
        """Print the assignment of a number that surely is one, with a check that costs no call."""
        low = -NUMBER_LIMIT if kind.low is None else kind.low
        high = NUMBER_LIMIT if kind.high is None else kind.high
        name = self.printer.fresh()
        self.lines.add(f"{name} = {text}", span)
        self.lines.add(f"if not {low} <= {name} <= {high}: bounded({name}, {kind.low!r}, {kind.high!r})", span)
        self.lines.add(f"{place} = {name}", span)

    def if_(self, step: core.If) -> None:
        """Print a branch; the tags of a case are reached inside it."""
        if isinstance(step.condition, core.Const) and isinstance(step.condition.value, bool):
            if step.condition.value:
                self.reach(step.tags)
            self.block(step.then if step.condition.value else step.otherwise)
            return
        self.lines.add(f"if {self.printer.condition(step.condition)}:", step.condition.span)
        self.lines.depth += 1
        self.reach(step.tags)
        chosen = self.chosen
        self.block(step.then)
        self.lines.depth -= 1
        if step.otherwise:
            self.lines.add("else:")
            self.chosen = chosen
            self.nested(step.otherwise)

    def for_(self, step: core.For) -> None:
        """Print a loop over things taken once."""
        if self._is_unrolled(step):
            for player in range(self.program.rules.num_players):
                with self.printer.binding({step.binder.local: player}):
                    self.block(step.body)
            return
        listed = self.printer.listed(step.binder)
        if not self.printer.is_fixed(step.binder):
            listed = f"list({listed})"
        name = self.printer.fresh()
        with self.printer.binding({step.binder.local: name}):
            self.lines.add(f"for {name} in {listed}:", step.span)
            self.lines.depth += 1
            self.block(step.body)
            self.lines.depth -= 1

    def _is_unrolled(self, step: core.For) -> bool:
        """Whether a loop over the players is short enough to be printed player by player, as numbers."""
        binder, players = step.binder, self.program.rules.num_players
        if binder.where is not None or binder.start is not None or not is_players(binder.domain):
            return False
        plain = all(isinstance(s, core.Assign | core.Deal | core.Move | core.Turn) for s in step.body)
        return plain and not self.logged and players * len(step.body) <= MOST_UNROLLED

    def while_(self, step: core.While) -> None:
        """Print a loop."""
        if step.first:
            self.lines.add(f"while {self.printer.condition(step.condition)}:", step.condition.span)
        else:
            self.lines.add("while True:", step.span)
        self.lines.depth += 1
        self.block(step.body)
        if not step.first:
            self.lines.add(f"if {self.printer.denial(step.condition)}: break", step.condition.span)
        self.lines.depth -= 1

    # ---- loops that can stop, turns, secret decisions

    def _loop_step(self, step: StartLoop | StartAgain | StartTurns | Reopen | Commit) -> None:
        """Print how a loop begins, turns open again, or a secret decision is kept."""
        layout, add = self.layout, self.lines.add
        match step:
            case StartLoop(loop, binder, span):
                slot = layout.loop(loop)
                add(f"v[{slot}] = {self.printer.kept(binder)}", span)
                add(f"v[{slot + 1}] = 0")
            case StartAgain(loop, other):
                slot = layout.loop(loop)
                add(f"v[{slot}] = v[{layout.loop(other)}]")
                add(f"v[{slot + 1}] = 0")
            case StartTurns(loop, binder, span):
                slot = layout.loop(loop)
                everybody = core.Binder(binder.local, binder.domain, binder.start, None)
                add(f"v[{slot}] = {self.printer.kept(everybody)}", span)
                add(f"v[{slot + 1}] = (1 << len(v[{slot}])) - 1")
                add(f"v[{slot + 2}] = -1")
            case Reopen(loop, span):
                slot = layout.loop(loop)
                add(f"v[{slot + 1}] = ((1 << len(v[{slot}])) - 1) & ~(1 << v[{slot + 2}])", span)
            case Commit(store, player, number, action):
                for arg in action.args:
                    self.printer.seen.setdefault(arg.local, set()).add("commit")
                values = [str(number), *(self.printer.local(a.local) for a in action.args)]
                add(f"v[{layout.commits[store]} + {self.printer.local(player)}] = ({', '.join(values)},)", action.span)
            case _:
                assert_never(step)

    def _next_in_loop(self, leave: NextInLoop, span: Span) -> None:
        """Print the head of a loop: take the next thing, or leave."""
        slot, add = self.layout.loop(leave.loop), self.lines.add
        add(f"items, done = v[{slot}], v[{slot + 1}]", span)
        add("if done >= len(items):")
        self.lines.depth += 1
        add(f"v[{slot}] = ()")
        self.go(leave.done)
        self.lines.depth -= 1
        add(f"v[{slot + 1}] = done + 1")
        add(f"{self.printer.local(leave.local)} = items[done]")
        self.go(leave.body)

    def _next_turn(self, leave: NextTurn, span: Span) -> None:
        """Print whose turn is next: the first who is due behind the last one, and whom the condition lets."""
        slot, lines = self.layout.loop(leave.loop), self.lines
        name = self.printer.local(leave.binder.local)
        lines.add(f"items, due, place = v[{slot}], v[{slot + 1}], v[{slot + 2}]", span)
        lines.add("while due:")
        lines.depth += 1
        lines.add("place = (place + 1) % len(items)")
        lines.add("if not due >> place & 1: continue")
        lines.add("due &= ~(1 << place)")
        lines.add(f"{name} = items[place]")
        if leave.binder.where is not None:
            lines.add(f"if {self.printer.denial(leave.binder.where)}: continue", leave.binder.where.span)
        lines.add(f"v[{slot + 1}] = due")
        lines.add(f"v[{slot + 2}] = place")
        self.go(leave.body)
        lines.depth -= 1
        lines.add(f"v[{slot}] = ()")
        lines.add(f"v[{slot + 1}] = 0")
        self.go(leave.done)

    def first_round(self, leave: NextInLoop | NextTurn, span: Span) -> None:
        """Print how to stand in a round of a loop for a play that begins there: the first, or that in `rounds`."""
        slot, add = self.layout.loop(leave.loop), self.lines.add
        local = leave.local if isinstance(leave, NextInLoop) else leave.binder.local
        add(f"{self.printer.local(local)} = v[{slot}][0] if v[{slot}] else None", span)
        if isinstance(leave, NextInLoop):
            add(f"v[{slot + 1}] = 1")
        else:
            add(f"v[{slot + 1}] &= ~1")
            add(f"v[{slot + 2}] = 0")
        add(f"if {leave.loop} in rounds:")
        self.lines.depth += 1
        self.round_of(leave, f"rounds[{leave.loop}]")
        self.lines.depth -= 1

    def round_of(self, leave: NextInLoop | NextTurn, thing: str) -> None:
        """Print how it is the round of a thing, or the turn of a player, for a play that begins there."""
        slot, add = self.layout.loop(leave.loop), self.lines.add
        local = leave.local if isinstance(leave, NextInLoop) else leave.binder.local
        add(f"if {thing} in v[{slot}]:")
        add(f"    {self.printer.local(local)} = {thing}")
        if isinstance(leave, NextInLoop):
            add(f"    v[{slot + 1}] = v[{slot}].index({thing}) + 1")
        else:
            add(f"    v[{slot + 2}] = v[{slot}].index({thing})")
            add(f"    v[{slot + 1}] = ((1 << len(v[{slot}])) - 1) & ~(1 << v[{slot + 2}])")

    def _dispatch(self, leave: Dispatch, span: Span) -> None:
        """Print how the decision that a player has kept takes effect."""
        printer, lines = self.printer, self.lines
        player = printer.local(leave.player)
        place = f"v[{self.layout.commits[leave.store]} + {player}]"
        lines.add(f"kept = {place}", span)
        lines.add(f"{place} = None")
        for number, (action, body) in enumerate(leave.ways):
            lines.add(f"if kept[0] == {number}:")
            lines.depth += 1
            for position, arg in enumerate(action.args, 1):
                printer.seen.setdefault(arg.local, set()).add("commit")
                lines.add(f"{printer.local(arg.local)} = kept[{position}]")
            if self.logged and not leave.secretly:
                lines.add(f"st.revealed({player}, {self.told(action)})", action.span)
            self.go(body)
            lines.depth -= 1
        lines.add("raise_lost()")

    # ---- effects

    def told(self, action: core.Action) -> str:
        """Return the verb and the arguments of an action, as the log takes them."""
        args = []
        for arg in action.args:
            self.printer.seen.setdefault(arg.local, set()).add("log")
            kind = self.printer.table(("type", arg.local.type), arg.local.type, "Y")
            args.append(f"({kind}, {self.printer.local(arg.local)}), ")
        verb = self.printer.table(("text", action.verb), action.verb, "S")
        return f"{verb}, ({''.join(args)})"

    def words(self, parts: tuple[str | core.Expr, ...]) -> str:
        """Return a tuple's inside: texts as tables, values with the type that tells how to say them."""
        out = []
        for part in parts:
            if isinstance(part, str):
                out.append(self.printer.table(("text", part), part, "S"))
            else:
                kind = self.printer.table(("type", part.type), part.type, "Y")
                out.append(f"({kind}, {self.printer.value(part)})")
        return "".join(f"{o}, " for o in out)

    def _cards(self, expr: core.Expr, target: Zone | None = None) -> str:
        """Return a list of cards, from cards or one card that may be absent; `target` is where they go, if they do."""
        inner = expr.type
        if isinstance(expr, core.ZoneRef) and (target is None or not _comes_to_order(expr.zone, target)):
            return f"list({self.printer.zone(expr)})"
        text = self.printer.value(expr)
        if is_optional(inner):
            return f"list({text} or ())" if isinstance(base_of(inner), Cards) else f"as_list({text})"
        return f"[{text}]" if isinstance(inner, Card) else f"list({text})"

    def move(self, step: core.Move) -> None:
        """Print a move; the cheap ways are for zones as a whole and for chosen cards."""
        origin = self.chosen.get(step.cards.local) if isinstance(step.cards, core.LocalRef) else None
        if origin is not None and step.face is None:
            if isinstance(step.cards.type, Cards):
                self.move_group(step, self.printer.value(step.cards), origin)
            else:
                self.move_chosen(step, origin)
            return
        origin = self.selected_from(step.cards)
        if origin is not None and step.face is None:
            name = self.printer.fresh()
            self.lines.add(f"{name} = {self.printer.line_value(step.cards)}", step.span)
            self.move_group(step, name, origin)
            return
        target = self.printer.place(step.target)
        bottom = step.at == "bottom"
        if step.face is not None or step.played_by is not None or self.logged:
            by = "None" if step.played_by is None else self.printer.value(step.played_by)
            face = repr(step.face) if step.face else "None"
            cards = self._cards(step.cards, step.target.zone)
            hint = self.hint(step.cards)
            self.lines.add(f"move_any(st, z, {cards}, {target}, {bottom}, {face}, {by}, {hint})", step.span)
            return
        if isinstance(step.cards, core.ZoneRef):
            self.move_zone(step, step.cards)
            return
        places = whole_zones(self.printer.passes.run(step.cards))
        apart = all(p.zone is not step.target.zone and not self.layout.may_be_unknown(p.zone) for p in places)
        if places and apart:
            for place in places:
                self.move_zone(step, place)
            return
        hint = self.hint(step.cards)
        self.lines.add(
            f"move(st, z, {self._cards(step.cards, step.target.zone)}, {target}, {bottom}, {hint})", step.span
        )

    def move_zone(self, step: core.Move, origin: core.ZoneRef) -> None:
        """Print the move of all cards of a zone."""
        place, target = self.printer.place(origin), self.printer.place(step.target)
        played = origin.zone in self.marks.played
        if origin.zone in self.marks.turned or (played and not self.marks.only_in(origin.zone)):
            self.lines.add(f"move_all(st, z, {place}, {target}, {step.at == 'bottom'})", step.span)
            return
        in_order = _comes_to_order(origin.zone, step.target.zone)
        if self.layout.may_be_unknown(origin.zone) and (in_order or step.target.zone.seen_by != "nobody"):
            self.lines.add(f"if st.undetermined: known(st, z[{place}])", step.span)
        name = self.printer.fresh()
        self.lines.add(f"{name} = z[{place}]", step.span)
        self.lines.add(f"z[{place}] = []")
        self.put(name, step.target, on_top=step.at != "bottom", span=step.span)
        if played:
            self.lines.add("st.played_by.clear()")

    def turn(self, step: core.Turn) -> None:
        """Print how cards are turned where they lie; those that come face up must be known."""
        if self.logged:
            self.lines.add(f"turn(st, {self._cards(step.cards)}, {step.face == 'up'})", step.span)
            return
        text = self.printer.zone(step.cards) if isinstance(step.cards, core.ZoneRef) else self._cards(step.cards)
        cards, name = self.printer.fresh(), self.printer.fresh()
        self.lines.add(f"{cards} = {text}", step.span)
        if step.face == "up" and self.layout.anything_unknown:
            self.lines.add(f"if st.undetermined: known(st, {cards})", step.span)
        self.lines.add(f"for {name} in {cards}: st.turned[{name}] = {1 if step.face == 'up' else 2}")

    def deal(self, step: core.Deal) -> None:
        """Print the deal of some cards: a few plain lines where their number is fixed and nothing is known of them."""
        count, face = self.printer.value(step.count), repr(step.face) if step.face else "None"
        origin, target = self.printer.place(step.origin), self.printer.place(step.target)
        whole = f"deal(st, z, {count}, {origin}, {target}, {step.exactly}, {step.at == 'bottom'}, {face})"
        marked = step.origin.zone in self.marks.turned or step.origin.zone in self.marks.played
        # Of two places of one family one may be the other, where to take and to lay must not overlap.
        overlap = step.origin.zone is step.target.zone
        fixed = isinstance(step.count, core.Const) and int(step.count.value or 0) >= 0
        if self.logged or step.face or step.exactly or marked or overlap or not fixed:
            self.lines.add(whole, step.span)
            return
        depth = self.lines.depth
        if self.layout.anything_unknown:
            self.lines.add(f"if st.undetermined: {whole}", step.span)
            self.lines.add("else:")
            self.lines.depth += 1
        if count == "1":
            self.lines.add(f"if z[{origin}]:", step.span)
            self.lines.depth += 1
            self.put_one(f"z[{origin}].pop(0)", step.target, on_top=step.at != "bottom", span=step.span)
        else:
            self.put(f"z[{origin}][:{count}]", step.target, on_top=step.at != "bottom", span=step.span)
            self.lines.add(f"del z[{origin}][:{count}]")
        self.lines.depth = depth

    def put(self, cards: str, target: core.ZoneRef, *, on_top: bool, span: Span) -> None:
        """Print how cards come to a zone, those that come first lowest."""
        zone, place = target.zone, self.place_once(target, span)
        if zone.kind == "pile" and on_top:
            self.lines.add(f"z[{place}][:0] = {cards}[::-1]", span)
        else:
            self.lines.add(f"z[{place}] += {cards}", span)
        self._sorted(zone, place)
        self._room(zone, place, span)

    def put_one(self, card: str, target: core.ZoneRef, *, on_top: bool, span: Span) -> None:
        """Print how one card comes to a zone."""
        place = self.place_once(target, span)
        top = target.zone.kind == "pile" and on_top
        self.lines.add(f"z[{place}].insert(0, {card})" if top else f"z[{place}].append({card})", span)
        self._sorted(target.zone, place)
        self._room(target.zone, place, span)

    def _sorted(self, zone: Zone, place: str) -> None:
        """Print that cards come into the order of the deck where a zone has no order of its own."""
        if zone.kind == "cards":
            self.lines.add(f"z[{place}].sort()")

    def _room(self, zone: Zone, place: str, span: Span) -> None:
        """Print the check that a zone does not hold more than it can."""
        if zone.capacity < len(self.program.rules.card_faces):
            self.lines.add(f"if len(z[{place}]) > {zone.capacity}: full({place})", span)

    def place_once(self, zone: core.ZoneRef, span: Span) -> str:
        """Return the number of a zone's place, as text that can be read again; it gets a name where it is long."""
        place = self.printer.place(zone)
        if all(isinstance(index, core.Const | core.LocalRef | core.VarRef) for index in zone.index):
            return place
        name = self.printer.fresh()
        self.lines.add(f"{name} = {place}", span)
        return name

    def move_chosen(self, step: core.Move, origin: core.ZoneRef) -> None:
        """Print the move of a card that was chosen just now, so that it surely lies there, open to who chose it."""
        card = self.printer.value(step.cards)
        self.lines.add(f"{self.printer.zone(origin)}.remove({card})", step.span)
        self.put_one(card, step.target, on_top=step.at != "bottom", span=step.span)
        if step.played_by is not None:
            self.lines.add(f"st.played_by[{card}] = {self.printer.value(step.played_by)}", step.span)

    def selected_from(self, cards: core.Expr) -> core.ZoneRef | None:
        """Return the zone that cards are selected from, if that is one where nothing more is known of them."""
        chosen = self.printer.passes.run_early(cards)
        if self.logged or not isinstance(chosen, core.Select) or chosen.which != "all":
            return None
        domain = chosen.binder.domain
        if not isinstance(domain, core.ZoneRef) or domain.zone in self.marks.turned | self.marks.played:
            return None
        return domain

    def move_group(self, step: core.Move, cards: str, origin: core.ZoneRef) -> None:
        """Print the move of cards that were chosen or selected just now, so that they surely lie there, all known."""
        card = self.printer.fresh()
        self.lines.add(f"for {card} in {cards}: {self.printer.zone(origin)}.remove({card})", step.span)
        self.put(cards, step.target, on_top=step.at != "bottom", span=step.span)
        if step.played_by is not None:
            self.lines.add(
                f"for {card} in {cards}: st.played_by[{card}] = {self.printer.value(step.played_by)}", step.span
            )

    def hint(self, expr: core.Expr) -> str:
        """Return where the cards most likely lie: the zone they were chosen or selected from."""
        origin: core.Expr | None = expr
        while True:
            match origin:
                case core.LocalRef():
                    origin = self.layout.origins.get(origin.local)
                case core.Select() | core.Extreme():
                    origin = origin.binder.domain
                case core.EndOf():
                    origin = origin.zone
                case core.ZoneRef() if _stands_alone(origin):
                    return self.printer.place(origin)
                case _:  # Of all others it is not known: the first place is as good as any.
                    return "0"


def _choices(program: Program) -> dict[int, dict[Local, core.ZoneRef]]:
    """Return the cards that have been chosen where the effect of an action begins."""
    turned = turned_zones(program)
    return {
        way.body: chosen_cards(way.action, turned)
        for node in program.nodes
        if isinstance(node, Decision) and not node.hidden
        for way in node.alternatives
    }


def _comes_to_order(origin: Zone, target: Zone) -> bool:
    """Whether cards that lie without an order come to lie in one: that of the deck, so each of them must be known."""
    return origin.kind == "cards" and target.kind != "cards"


def _stands_alone(origin: core.ZoneRef) -> bool:
    """Whether the place can be reckoned anywhere: its indices are variables, constants and functions of them."""
    return all(
        isinstance(part, core.Const | core.VarRef | core.Builtin | core.CallDefine | core.LocalRef | core.Op)
        for index in origin.index
        for part in core.walk(index)
    )
