"""Generate Python that plays whole games at random, without stopping.

The same rules as in `interpreter.program.generate`, in another form: each phase is one function, a decision
is a draw from what is legal, a shuffle puts the pile in an order at once, and nothing is remembered that
only a player, a log or a search would ask for.  Expressions, definitions, the listing of legal actions and
the result are printed by the same printers, so a rule means the same in both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.symbols import Phase, Zone
from interpreter.analysis.types import Card, base_of
from interpreter.program.decisions import DecisionPrinter
from interpreter.program.draws import DrawPrinter, counts_listing
from interpreter.program.expressions import Printer
from interpreter.program.generate import Generated, print_definitions, print_prepared
from interpreter.program.layout import Layout
from interpreter.program.marks import Marks, chosen_cards, turned_zones
from interpreter.program.nodes import Alternative, Decision, Final, InitState, Program, Step

Follow = Callable[[int, core.Action], None]
"""Prints what comes when an action is complete: its number among those of the choice, and itself."""


class KnownLayout(Layout):
    """The layout of a state in which every card is known."""

    @property
    def anything_unknown(self) -> bool:
        """Whether cards can be undetermined: none is."""
        return False

    def may_be_unknown(self, zone: Zone) -> bool:
        """Say that no card is undetermined."""
        del zone
        return False


def generate_playouts(program: Program, *, in_order: bool) -> Generated:
    """Return Python whose `play(st, v, z, rnd, dice)` carries out a whole play.

    `rnd` and `dice` give numbers in [0, 1) for decisions and for chance.  With `in_order` legal actions are
    drawn from an ascending list, as the public state lists them; otherwise in whatever order is quickest,
    which is the same each time.
    """
    layout = KnownLayout.of(program)
    printer = Printer(program.rules, layout)
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
    place: str


class PlayoutPrinter(DrawPrinter):
    """Prints phases as functions that never stop."""

    def __init__(self, program: Program, layout: Layout, printer: Printer, *, in_order: bool) -> None:
        super().__init__(program, layout, printer, in_order=in_order)
        self.alternatives = {n.choice: n.ways for n in program.nodes if isinstance(n, Decision) and n.only is None}
        self.turns: list[Turns] = []
        self.asked = _asked(program)
        self.turned = turned_zones(program) if "face_down" in self.asked else frozenset[Zone]()
        self.marks = Marks(self.turned, self.marks.played)
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
        return any(isinstance(s, core.End) and s.phase is phase for p in others for s in core.statements(p.body))

    def _ending(self, phase: Phase) -> str:
        """Return the name of the exception that ends a phase from inside another."""
        return self.printer.table(("end", phase.number), type(f"End{phase.number}", (Exception,), {}), "E")

    # ---- statements

    def for_(self, step: core.For) -> None:
        """Print a loop, unless it does nothing."""
        before, parts = len(self.lines.text), core.binder_parts(step.binder)
        super().for_(step)
        self.leave_out(before, all(self.printer.hoisting.is_sure(p, frozenset({step.binder.local})) for p in parts))

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
                self.lines.add(f"{turns.due} = ((1 << len({turns.items})) - 1) & ~(1 << {turns.place})", step.span)
            case core.CallPhase():
                chance = [] if step.phase in self.program.automatic else ["rnd", "dice"]
                args = [self.printer.print(a) for a in step.args]
                self.lines.add(f"p{step.phase.number}({', '.join(['st', 'v', 'z', *chance, *args])})", step.span)
            case core.End():
                self.end(step)
            case core.Show() | core.Turn() if self.unseen(step):
                return
            case core.Move() | core.Deal() if self.unseen(step):
                whole: Any = step
                super().step(attrs.evolve(whole, face=None))
                return
            case core.Shuffle():
                cards = "None" if step.cards is None else self._cards(step.cards)
                self.lines.add(f"shuffle_now(st, z, {self.printer.place(step.zone)}, {cards}, dice)", step.span)
            case _:
                super().step(step)
                return
        self.chosen = {}

    def unseen(self, step: core.Show | core.Turn | core.Move | core.Deal) -> bool:
        """Whether nobody can notice how a card lies or that it is shown: nobody looks on, and no rule asks."""
        if isinstance(step, core.Move | core.Deal):
            return step.face is not None and "face_down" not in self.asked
        if isinstance(step, core.Turn) and "face_down" in self.asked:
            return False
        parts = [step.cards] if isinstance(step, core.Turn) or step.to is None else [step.cards, step.to]
        return all(isinstance(part, core.LocalRef) or self.printer.hoisting.is_sure(part) for part in parts)

    def if_(self, step: core.If) -> None:
        """Print a branch, unless nothing follows from the question."""
        before = len(self.lines.text)
        super().if_(step)
        self.leave_out(before, self.printer.hoisting.is_sure(step.condition))

    def leave_out(self, first: int, sure: bool) -> None:
        """Leave out lines that do nothing, where asking what stands in front of them does nothing either."""
        if sure and len(self.lines.text) == first + 2 and self.lines.text[-1].strip() == "pass":
            del self.lines.text[first:], self.lines.spans[first:]

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
        domain = self.printer.print(arg.domain)
        if arg.where is not None:
            with self.printer.binding({arg.local: name, arg.each: name}):
                domain = f"[{name} for {name} in {domain} if {self.printer.print(arg.where)}]"
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
        lines.add(f"{turns.place} = -1")
        lines.add(f"while {turns.due}:")
        lines.depth += 1
        lines.add(f"{turns.place} = ({turns.place} + 1) % len({turns.items})")
        lines.add(f"if not {turns.due} >> {turns.place} & 1: continue")
        lines.add(f"{turns.due} &= ~(1 << {turns.place})")
        lines.add(f"{self.printer.local(binder.local)} = {turns.items}[{turns.place}]")
        if binder.where is not None:
            lines.add(f"if not {self.printer.print(binder.where)}: continue", binder.where.span)
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
        before = len(self.lines.text)
        follow(number, way.action)
        if len(self.lines.text) == before:
            self.lines.add("pass")


def _asked(program: Program) -> set[str]:
    """Return the functions of the language that rules ask."""
    rules = program.rules
    parts = [e for stmt in program.rules.statements() for e in core.statement_parts(stmt)]
    parts += [line.value for line in rules.results]
    parts += [value for define in rules.defines for _, value in define.lets]
    parts += [define.value for define in rules.defines if define.value is not None]
    return {e.name for part in parts for e in core.walk(part) if isinstance(e, core.Builtin)}
