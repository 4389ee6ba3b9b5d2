"""Print how whole plays draw their decisions: one argument, a set of cards, or any small action after another."""

from __future__ import annotations

from interpreter.analysis import core, joint
from interpreter.analysis.metering import counts
from interpreter.analysis.substitution import substitute
from interpreter.analysis.types import Card, base_of
from interpreter.program.decisions import DecisionPrinter
from interpreter.program.expressions import Printer
from interpreter.program.layout import Layout
from interpreter.program.listing import print_ways
from interpreter.program.nodes import Alternative, Program
from interpreter.program.reshaping import names_of
from interpreter.program.sets import print_set
from interpreter.program.statements import StatementPrinter


def _counting(program: Program) -> bool:
    """Whether any rule counts the steps that it takes."""
    everything = list(program.rules.statements())
    if any(isinstance(stmt, core.Spend) for stmt in everything):
        return True
    return any(counts_listing(stmt) for stmt in everything if isinstance(stmt, core.Choice))


def counts_listing(choice: core.Choice) -> bool:
    """Whether finding out what is legal at a choice counts steps."""
    return counts(*core.statement_parts(choice)) or joint.is_joint(choice)


class DrawPrinter(StatementPrinter):
    """Prints draws of actions into the functions of phases."""

    def __init__(self, program: Program, layout: Layout, printer: Printer, *, in_order: bool) -> None:
        super().__init__(program, layout, printer, logged=False)
        self.in_order = in_order
        self.decisions = DecisionPrinter(self)
        self.copies = self.decisions.copies
        self.counting = _counting(program)

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
            print_ways(self, arg, listed, lambda: self.lines.add(f"{local} = []", arg.span))
        if faces:
            self.lines.add(f"{local} = {self._drawn(local)}", choice.span)
            self.lines.add(f"{local} = one_of({self.printer.print(arg.domain)}, {local})", arg.span)
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
        sure = self.printer.hoisting.is_sure
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
        lines.add(f"{cards} = sorted({self.printer.print(arg.domain)})", arg.span)
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
        *lines, made = print_set(self.printer, arg)
        for line in (*lines, made.replace("return", f"{kept} =", 1)):
            self.lines.add(line, arg.span)
        base = way.stages[0].base
        self.lines.add(f"{out} = drawn({kept}.actions((), {base}, {base + self.decisions.faces}), rnd)", choice.span)
        self.complete(way, out, kept)

    def set_functions(self, way: Alternative) -> None:
        """Print the functions that make the sets of an action, inside the phase's own, whose names they read."""
        lines = self.lines
        depth, first = lines.depth, len(lines.text)
        self.decisions.sets_of(way)
        for place in range(first, len(lines.text)):
            lines.text[place] = "    " * depth + lines.text[place]
        lines.depth = depth

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
            lines.add(f"{most} = {self.printer.print(arg.high)}", arg.span)
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
            card = f"next_copy({self.printer.print(arg.domain)}, {card}, {local})"
        lines.add(f"{local} += ({card},)", arg.span)
        if most:
            lines.add(f"if len({local}) >= {most}: break")
        self.count_decision()
        lines.add(draw)
        lines.depth -= 1
