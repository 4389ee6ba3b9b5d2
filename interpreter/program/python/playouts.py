"""Generate Python that plays whole games at random, without stopping.

The same rules as in `interpreter.program.python.module`, in another form: each phase is one function, a decision
is a draw from what is legal, a shuffle puts the pile in an order at once, and nothing is remembered that
only a player, a log or a search would ask for.  Expressions, definitions, the listing of legal actions and
the result are printed by the same printers, so a rule means the same in both.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Phase, Zone
from interpreter.analysis.transforms import joint_arguments
from interpreter.analysis.transforms.metering import counts
from interpreter.analysis.types import Card, base_of
from interpreter.program.layout import KnownLayout, Layout
from interpreter.program.nodes import Alternative, Decision, Final, InitState, Program, Step
from interpreter.program.passes import Passes
from interpreter.program.passes.dead import DeadCode
from interpreter.program.passes.totality import names_of
from interpreter.program.python.decisions import DecisionPrinter
from interpreter.program.python.expressions import Printer
from interpreter.program.python.module import Generated, print_definitions, print_prepared
from interpreter.program.python.statements import StatementPrinter
from interpreter.program.tracking import TrackedZones, chosen_cards, turned_zones

Follow = Callable[[int, core.Action], None]
"""Prints what comes when an action is complete: its number among those of the choice, and itself."""


def generate_playouts(program: Program, *, in_order: bool) -> Generated:
    """Return Python whose `play(st, v, z, rnd, dice)` carries out a whole play.

    `rnd` and `dice` give numbers in [0, 1) for decisions and for chance.  With `in_order` legal actions are
    drawn from an ascending list, as the public state lists them; otherwise in whatever order is quickest,
    which is the same each time.
    """
    layout = KnownLayout.of(program)
    printer = Printer(program.rules, layout, Passes(program.rules, layout, logged=False))
    base = PlayoutPrinter(program, layout, printer, in_order=in_order)
    print_definitions(base)
    for phase in program.rules.phases:
        base.phase(phase)
    decisions = DecisionPrinter(base)
    final = next(node for node in program.nodes if isinstance(node, Final))
    decisions.final(final)
    base.play(final)
    print_prepared(base)
    text = "\n".join(base.lines.text) + "\n"
    return Generated(text, printer.tables, tuple(base.lines.spans), layout)


@attrs.frozen
class Turns:
    """The names of the turns that are being printed: who takes part, who is due, whose turn it is."""

    items: str
    due: str
    number: str


class PlayoutPrinter(StatementPrinter):
    """Prints phases as functions that never stop, and how they draw their decisions."""

    def __init__(self, program: Program, layout: Layout, printer: Printer, *, in_order: bool) -> None:
        super().__init__(program, layout, printer, logged=False)
        self.in_order = in_order
        self.decisions = DecisionPrinter(self)
        self.copies = self.decisions.copies
        self.counting = _counting(program)
        self.alternatives = {n.choice: n.ways for n in program.nodes if isinstance(n, Decision) and n.only is None}
        self.turns: list[Turns] = []
        self.dead = DeadCode.of(program.rules, printer.passes.totality)
        self.turned = turned_zones(program) if self.dead.turning_counts else frozenset[Zone]()
        self.marks = TrackedZones(self.turned, self.marks.played)
        self.caught = {s.phase for s in program.rules.statements() if isinstance(s, core.End) and s.phase is not None}
        self.here: Phase | None = None

    # ---- phases

    def phase(self, phase: Phase) -> None:
        """Print a phase as a function."""
        names = {p: f"x{p.number}" for p in phase.params}
        chance = [] if phase in self.program.automatic else ["rnd", "dice"]
        self.begin(f"p{phase.number}", ", ".join(["st", "v", "z", *chance, *names.values()]))
        self.body(phase, phase.body, phase.span)
        self.lines.add("return")

    def play(self, final: Final) -> None:
        """Print the whole play."""
        rules = self.program.rules
        self.begin("play", "st, v, z, rnd, dice")
        self.lines.add("try:")
        self.lines.depth += 1
        self.body(None, rules.play.body, rules.play.span)
        self.lines.depth -= 1
        self.lines.add("except GameOver: pass")
        self.lines.add(f"n{final.number}(st, v, z)")

    def body(self, phase: Phase | None, block: tuple[core.Stmt, ...], span: Span) -> None:
        """Print the first values and the statements of a phase (None: of the play)."""
        self.here = phase
        caught = phase in self.caught and self._ended_inside(phase)
        if caught:
            self.lines.add("try:")
            self.lines.depth += 1
        self.step(InitState(phase, span))
        self.block(block)
        if caught and phase is not None:
            self.lines.depth -= 1
            self.lines.add(f"except {self._ending(phase)}: return")

    def _ended_inside(self, phase: Phase | None) -> bool:
        """Whether a phase is ended by one that it carries out."""
        others = (p for p in self.program.rules.every_phase if p is not phase)
        return any(isinstance(s, core.End) and s.phase is phase for p in others for s in core.statements_of(p))

    def _ending(self, phase: Phase) -> str:
        """Return the name of the exception that ends a phase from inside another."""
        return self.printer.table(("end", phase.number), type(f"End{phase.number}", (Exception,), {}), "E")

    # ---- statements

    def block(self, block: tuple[core.Stmt, ...]) -> None:
        """Print what of a block does something."""
        super().block(self.dead.block(block))

    def step(self, step: Step) -> None:
        """Print one statement, with everything inside it."""
        match step:
            case core.Choice():
                self.count_decision()
                listing = counts_listing(step)
                self.choose(step, lambda _, action: self.effect_of(action, listing=listing))
            case core.Random():
                self.chance(step)
            case core.AtOnce():
                self.at_once(step)
            case core.InTurn():
                self.in_turn(step)
            case core.Reopen():
                turns = self.turns[-1]
                self.lines.add(f"{turns.due} = ((1 << len({turns.items})) - 1) & ~(1 << {turns.number})", step.span)
            case core.CallPhase():
                chance = [] if step.phase in self.program.automatic else ["rnd", "dice"]
                args = [self.printer.value(a) for a in step.args]
                self.lines.add(f"p{step.phase.number}({', '.join(['st', 'v', 'z', *chance, *args])})", step.span)
            case core.End():
                self.end(step)
            case core.Shuffle():
                cards = "None" if step.cards is None else self._cards(step.cards)
                self.lines.add(f"shuffle_now(st, z, {self.printer.place(step.zone)}, {cards}, dice)", step.span)
            case _:  # All others never stop, and are printed as ever.
                super().step(step)
                return
        self.chosen = {}

    def end(self, step: core.End) -> None:
        """Print how a phase, or the play, ends early."""
        if step.phase is None:
            self.lines.add("raise GameOver", step.span)
        elif step.phase is self.here:
            self.lines.add("return", step.span)
        else:
            self.lines.add(f"raise {self._ending(step.phase)}", step.span)

    def chance(self, step: core.Random) -> None:
        """Print what chance chooses."""
        arg, name = step.arg, self.printer.fresh()
        domain = self.printer.value(arg.domain)
        if arg.where is not None:
            with self.printer.binding({arg.local: name, arg.each: name}):
                domain = f"[{name} for {name} in {domain} if {self.printer.value(arg.where)}]"
        listed = self.printer.fresh()
        self.lines.add(f"{listed} = list({domain})", arg.span)
        self.lines.add(f"if not {listed}: nothing_to_draw()", arg.span)
        drawn = f"{listed}[int(dice() * len({listed}))]"
        if isinstance(base_of(arg.local.type), Card) and self.copies:
            drawn = f"one_of({listed}, FACES[{drawn}])"
        self.lines.add(f"{self.printer.local(arg.local)} = {drawn}", arg.span)

    def in_turn(self, step: core.InTurn) -> None:
        """Print turns: a turn for each who is due, until nobody is."""
        fresh, lines, binder = self.printer.fresh, self.lines, step.binder
        turns = Turns(fresh(), fresh(), fresh())
        everybody = core.Binder(binder.local, binder.domain, binder.start, None)
        lines.add(f"{turns.items} = list({self.printer.listed(everybody)})", step.span)
        lines.add(f"{turns.due} = (1 << len({turns.items})) - 1")
        lines.add(f"{turns.number} = -1")
        lines.add(f"while {turns.due}:")
        lines.depth += 1
        lines.add(f"{turns.number} = ({turns.number} + 1) % len({turns.items})")
        lines.add(f"if not {turns.due} >> {turns.number} & 1: continue")
        lines.add(f"{turns.due} &= ~(1 << {turns.number})")
        lines.add(f"{self.printer.local(binder.local)} = {turns.items}[{turns.number}]")
        if binder.where is not None:
            lines.add(f"if {self.printer.denial(binder.where)}: continue", binder.where.span)
        self.turns.append(turns)
        self.block(step.body)
        self.turns.pop()
        lines.depth -= 1

    def at_once(self, step: core.AtOnce) -> None:
        """Print a decision of several at once: all decide, then the effects come in the same order."""
        listing = counts_listing(step.choice)
        kept, one, local = self.printer.fresh(), self.printer.fresh(), self.printer.local(step.binder.local)
        lines = self.lines

        def keep(number: int, action: core.Action) -> None:
            values = [local, str(number), *(self.printer.local(a.local) for a in action.args)]
            if listing:
                self.count_anew()
            lines.add(f"{kept}.append(({', '.join(values)},))", action.span)

        lines.add(f"{kept} = []")
        lines.add(f"for {local} in list({self.printer.listed(step.binder)}):", step.span)
        lines.depth += 1
        self.count_decision()
        self.choose(step.choice, keep)
        lines.depth -= 1
        lines.add(f"for {one} in {kept}:")
        lines.depth += 1
        lines.add(f"{local} = {one}[0]")
        for number, action in enumerate(core.all_actions(step.choice)):
            lines.add(f"{'elif' if number else 'if'} {one}[1] == {number}:")
            lines.depth += 1
            for place, arg in enumerate(action.args, 2):
                lines.add(f"{self.printer.local(arg.local)} = {one}[{place}]")
            self.effect_of(action, listing=False)
            lines.depth -= 1
        lines.depth -= 1

    # ---- decisions

    def effect_of(self, action: core.Action, *, listing: bool) -> None:
        """Print what an action does; what `listing` the actions took does not count with it."""
        if listing:
            self.count_anew()
        self.block(action.body)

    def choose(self, choice: core.Choice, follow: Follow) -> None:
        """Print a draw from what is legal, and what follows on each action."""
        ways = self.alternatives[choice]
        if choice.otherwise is None and len(ways) == 1 and self.draw_only(choice, ways[0]):
            self._followed(0, ways[0], follow)
            return
        kept = {way: self.printer.fresh() for way in ways if way.stages[0].is_set}
        for way in ways:
            self.set_functions(way)
        out = self.printer.fresh()
        if choice.otherwise is None and all(w.stages[0].size == 1 and w.is_bare for w in ways):
            numbers = sorted(way.stages[0].base for way in ways)
            self.lines.add(f"{out} = {tuple(numbers)}[int(rnd() * {len(numbers)})]", choice.span)
        else:
            self.listed(choice, ways, kept)
            self.lines.add(f"{out} = {self._drawn('out', ways)}", choice.span)
        todo = sorted(enumerate(ways), key=lambda pair: pair[1].stages[0].base)
        for place, (number, way) in enumerate(todo):
            stage = way.stages[0]
            if place < len(todo) - 1:
                self.lines.add(f"{'elif' if place else 'if'} {out} < {stage.base + stage.size}:")
            elif place:
                self.lines.add("else:")
            self.lines.depth += len(todo) > 1
            self.complete(way, out, kept.get(way, ""))
            self._followed(number, way, follow)
            self.lines.depth -= len(todo) > 1

    def listed(self, choice: core.Choice, ways: tuple[Alternative, ...], kept: dict[Alternative, str]) -> None:
        """Print the listing of the first small actions of several ways."""
        self.lines.add("out = []")
        self.decisions.legal_ways(ways if choice.otherwise is None else ways[:-1], kept)
        if choice.otherwise is not None:
            self.lines.add("if not out:")
            self.lines.depth += 1
            self.decisions.legal_alternative(ways[-1], keep=kept.get(ways[-1], ""))
            self.lines.depth -= 1

    def _followed(self, number: int, way: Alternative, follow: Follow) -> None:
        """Print what follows, knowing where the chosen cards lie."""
        self.chosen = chosen_cards(way.action, self.turned)
        with self.lines.suite():
            follow(number, way.action)

    # ---- draws

    def count_decision(self) -> None:
        """Print that a decision is asked for; no more than the spec allows are."""
        slot = f"v[{self.layout.size}]"
        self.lines.add(f"if {slot} >= {self.program.rules.max_decisions}: too_long(st)")
        self.lines.add(f"{slot} += 1")
        self.count_anew()

    def count_anew(self) -> None:
        """Print that steps count from here."""
        if self.counting:
            self.lines.add("st.steps = 0")

    def _drawn(self, listed: str, ways: tuple[Alternative, ...] = ()) -> str:
        """Return a draw from a list of numbers; those of some actions may stand in it twice."""
        if self.in_order:
            listed = f"sorted(set({listed}))"
        elif self.decisions.doubles(ways):
            listed = f"unique({listed})"
        return f"drawn({listed}, rnd)"

    def draw_only(self, choice: core.Choice, way: Alternative) -> bool:
        """Print the draw of the one action that there is, if it has one of the forms that need no listing."""
        if self._is_one_argument(way):
            self.draw_one(choice, way)
        elif self._are_independent(way):
            self.draw_independent(choice, way)
        elif self._fixed_size(way):
            self.draw_fixed_set(choice, way, self._fixed_size(way))
        elif len(way.stages) == 1 and way.stages[0].is_set and way.action.only_if is None:
            self.draw_any_set(choice, way)
        else:
            return False
        return True

    def _is_one_argument(self, way: Alternative) -> bool:
        """Whether an action is nothing but one argument, drawn from a list of what may be chosen."""
        action = way.action
        plain = action.only_if is None and action.such_that is None and len(way.stages) == 1
        return plain and not way.stages[0].is_set and len(way.stages[0].args) == 1

    def draw_one(self, choice: core.Choice, way: Alternative) -> None:
        """Print the draw of the one argument of a choice that has nothing else."""
        (arg,) = way.stages[0].args
        name = self.printer.fresh()
        local = self.printer.local(arg.local)
        faces = isinstance(base_of(arg.local.type), Card) and self.copies
        item = f"FACES[{name}]" if faces else name

        def listed(domain: str, where: str) -> None:
            kept = f" if {where}" if where else ""
            text = f"[{item} for {name} in {domain}{kept}]" if faces or kept else domain
            if text == domain and (self.in_order or not isinstance(arg.domain, core.ZoneRef | core.Builtin)):
                text = f"list({domain})"
            self.lines.add(f"{local} = {text}", arg.span)

        with self.printer.binding({arg.local: name, arg.each: name}):
            self.decisions.print_ways(arg, listed, lambda: self.lines.add(f"{local} = []", arg.span))
        if faces:
            self.lines.add(f"{local} = {self._drawn(local)}", choice.span)
            self.lines.add(f"{local} = one_of({self.printer.value(arg.domain)}, {local})", arg.span)
            return
        self.lines.add(f"if not {local}: stuck()", choice.span)
        if self.in_order:
            self.lines.add(f"{local}.sort()")
        self.lines.add(f"{local} = {local}[int(rnd() * len({local}))]")

    def _are_independent(self, way: Alternative) -> bool:
        """Whether an action is several arguments, none of which depends on another, and all known to have a value."""
        action, (stage, *more) = way.action, way.stages
        if more or stage.is_set or len(stage.args) < 2 or action.only_if is not None or action.such_that is not None:
            return False
        locals_ = {local for arg in stage.args for local in (arg.local, arg.each)}
        sure = self.printer.passes.totality.is_total
        for arg in stage.args:
            parts = [arg.domain] if arg.where is None else [arg.domain, arg.where]
            own = frozenset((arg.local, arg.each))
            if names_of(*parts) & locals_ - own or not all(sure(part, own) for part in parts):
                return False
        return not self.decisions.doubles((way,))

    def draw_independent(self, choice: core.Choice, way: Alternative) -> None:
        """Print the draw of arguments that do not depend on each other: one number says which of each list.

        The lists are those of the nested loops of the listing, so the number counts the actions as it does.
        """
        lists = []
        for arg in way.stages[0].args:
            own = core.LocalRef(arg.local, arg.local.type, arg.span)
            where = None if arg.where is None else substitute(arg.where, {arg.each: own})
            lists.append(self.printer.fresh())
            text = self.printer.listed(core.Binder(arg.local, arg.domain, None, where))
            self.lines.add(f"{lists[-1]} = {f'sorted({text})' if self.in_order else text}", arg.span)
        number = self.printer.fresh()
        self.lines.add(f"if not ({' and '.join(lists)}): stuck()", choice.span)
        self.lines.add(f"{number} = int(rnd() * ({' * '.join(f'len({name})' for name in lists)}))")
        for arg, name in list(zip(way.stages[0].args, lists, strict=True))[:0:-1]:
            self.lines.add(f"{self.printer.local(arg.local)} = {name}[{number} % len({name})]")
            self.lines.add(f"{number} //= len({name})")
        self.lines.add(f"{self.printer.local(way.stages[0].args[0].local)} = {lists[0]}[{number}]")

    def _fixed_size(self, way: Alternative) -> int:
        """Return how many cards an action takes that is nothing but a set of so many; 0 for all other actions."""
        action = way.action
        if action.only_if is not None or len(way.stages) != 1 or not way.stages[0].is_set or self.copies:
            return 0
        match way.stages[0].args:
            case (
                core.Arg(
                    where=None, on_set=None, low=core.Const(value=int() as low), high=core.Const(value=int() as high)
                ),
            ):
                return low if low == high else 0
            case _:
                return 0

    def draw_fixed_set(self, choice: core.Choice, way: Alternative, number: int) -> None:
        """Print the picks of a set of so many cards: each from those that leave enough for the rest."""
        (arg,) = way.stages[0].args
        cards, place, left, picked = (self.printer.fresh() for _ in range(4))
        lines, slot, most = self.lines, f"v[{self.layout.size}]", self.program.rules.max_decisions
        lines.add(f"{cards} = sorted({self.printer.value(arg.domain)})", arg.span)
        lines.add(f"if len({cards}) < {number}: stuck()", choice.span)
        # The first pick has been counted.
        lines.add(f"{slot} += {number - 1}")
        lines.add(f"if {slot} > {most}: {slot} = {most}; too_long(st)")
        lines.add(f"{place} = -1")
        lines.add(f"{picked} = []")
        lines.add(f"for {left} in range({number - 1}, -1, -1):")
        lines.depth += 1
        lines.add(f"{place} += 1 + int(rnd() * (len({cards}) - {left} - {place} - 1))")
        lines.add(f"{picked}.append({cards}[{place}])")
        lines.depth -= 1
        lines.add(f"{self.printer.local(arg.local)} = tuple({picked})")

    def draw_any_set(self, choice: core.Choice, way: Alternative) -> None:
        """Print the draw of an action that is nothing but a set, where no other action is possible."""
        (arg,), out, kept = way.stages[0].args, self.printer.fresh(), self.printer.fresh()
        lines, made = self.printer.set_choice(arg)
        for line in (*lines, f"{kept} = {made}"):
            self.lines.add(line, arg.span)
        base = way.stages[0].base
        self.lines.add(f"{out} = drawn({kept}.actions((), {base}, {base + self.decisions.faces}), rnd)", choice.span)
        self.complete(way, out, kept)

    def set_functions(self, way: Alternative) -> None:
        """Print the functions that make the sets of an action, inside the phase's own, whose names they read."""
        with self.lines.inside():
            self.decisions.sets_of(way)

    def complete(self, way: Alternative, out: str, kept: str) -> None:
        """Print how the rest of an action is drawn, when its first small action is; `kept` is its first set."""
        for number, stage in enumerate(way.stages):
            if number and not stage.is_set:
                self.lines.add("out = []")
                self.decisions.legal_single(way, number)
                self.count_decision()
                self.lines.add(f"{out} = {self._drawn('out')}", way.action.span)
            if stage.is_set:
                self.picks(way, number, *((out, kept) if number == 0 else (None, "")))
            else:
                self.decisions.take_single(stage, out)

    def picks(self, way: Alternative, number: int, first: str | None, kept: str) -> None:
        """Print the picks of a set, up to `done`, or to the most that it may hold."""
        stage, lines = way.stages[number], self.lines
        arg = stage.args[0]
        local = self.printer.local(arg.local)
        done, one, chosen = stage.base + self.decisions.faces, self.printer.fresh(), kept or self.printer.fresh()
        if not kept:
            lines.add(f"{chosen} = {self.decisions.set_call(way, number)}", arg.span)
        most = ""
        if arg.high is not None:
            most = f"{chosen}_most"
            lines.add(f"{most} = {self.printer.value(arg.high)}", arg.span)
        draw = f"{one} = drawn({chosen}.actions({local}, {stage.base}, {done}), rnd)"
        lines.add(f"{local} = ()")
        if first is None:
            self.count_decision()
            lines.add(draw)
        else:
            lines.add(f"{one} = {first}")
        lines.add(f"while {one} != {done}:")
        lines.depth += 1
        card = f"{one} - {stage.base}" if stage.base else one
        if self.copies:
            card = f"next_copy({self.printer.value(arg.domain)}, {card}, {local})"
        lines.add(f"{local} += ({card},)", arg.span)
        if most:
            lines.add(f"if len({local}) >= {most}: break")
        self.count_decision()
        lines.add(draw)
        lines.depth -= 1


def _counting(program: Program) -> bool:
    """Whether any rule counts the steps that it takes."""
    everything = list(program.rules.statements())
    if any(isinstance(stmt, core.Spend) for stmt in everything):
        return True
    return any(counts_listing(stmt) for stmt in everything if isinstance(stmt, core.Choice))


def counts_listing(choice: core.Choice) -> bool:
    """Whether finding out what is legal at a choice counts steps."""
    return counts(*core.statement_parts(choice)) or joint_arguments.is_joint(choice) or _searches(choice)


def _searches(choice: core.Choice) -> bool:
    """Whether cards may have to be tried before it is known which can be picked: a set needs several that fit."""
    return any(
        arg.on_set is not None
        and arg.low is not None
        and not (isinstance(arg.low, core.Const) and arg.low.value in (0, 1))
        for action in core.all_actions(choice)
        for arg in action.args
    )
