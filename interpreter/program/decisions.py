"""Print decisions: what is legal, what applying a small action does, and why one would be illegal.

`apply` takes a small action and carries out what follows, up to where somebody decides again; logged code returns the
number of the next node instead.
"""

from __future__ import annotations

from interpreter.analysis import core
from interpreter.analysis.rules import ResultLine
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import PLAYER, Card, Cards, base_of
from interpreter.program.legal import LegalPrinter, lowest
from interpreter.program.nodes import Alternative, Chance, Decision, Final, Stage

UNROLLED_PLAYERS = 6
"""For at most so many players a line of the result is unrolled: printed player by player."""

LIGHT = 20
"""How many parts such a line may have."""


class DecisionPrinter(LegalPrinter):
    """Prints the functions of decisions, chance events and the end into the lines of a `StatementPrinter`."""

    # ---- decisions

    def decision(self, node: Decision) -> None:
        """Print all functions of a decision node."""
        self.base.begin(f"n{node.number}", "st, v, z")
        self.base.stop(node)
        if node.only is None:
            for alternative in node.ways:
                self.sets_of(alternative)
        self.legal(node)
        self.apply(node)

    # ---- applying

    def apply(self, node: Decision) -> None:
        """Print the function that carries out a small action, and returns what the functions of nodes return."""
        self.base.begin(f"a{node.number}", "st, v, z, a")
        if node.only is not None:
            self.apply_stage(node, node.only, node.stage)
            return
        todo = [(a, a.stages[0]) for a in node.ways]
        todo.sort(key=lambda pair: pair[1].base)
        for place, (alternative, stage) in enumerate(todo):
            if place < len(todo) - 1:
                self.lines.add(f"if a < {stage.base + stage.size}:")
                self.lines.depth += 1
            self.apply_stage(node, alternative, 0)
            self.lines.depth = 1

    def apply_stage(self, node: Decision, alternative: Alternative, number: int) -> None:
        """Print what a small action of one stage does."""
        stage = alternative.stages[number]
        if stage.is_set:
            self.apply_pick(node, alternative, number)
            return
        self.take_single(stage, "a")
        self.onward(node, alternative, number)

    def take_single(self, stage: Stage, number: str) -> None:
        """Print how the arguments of a stage are read from the number of a small action."""
        several = len(stage.args) > 1
        if several:
            self.lines.add(f"k = {number} - {stage.base}")
        names: dict[Local, str] = {}
        stride = stage.size
        for arg, dim in zip(stage.args, stage.dims, strict=True):
            stride //= dim
            low = lowest(base_of(arg.local.type))
            part = f"{number} - {stage.base - low}"
            if several:
                part = f"{'k' if stride == 1 else f'k // {stride}'} % {dim}"
                part += f" + {low}" if low else ""
            slot = self.printer.local(arg.local)
            if self.base.logged:  # Which tells why an action is not legal, from the slots.
                self.printer.seen.setdefault(arg.local, set()).add("apply")
            if isinstance(base_of(arg.local.type), Card) and self.copies:
                with self.printer.binding(names):
                    self.lines.add(f"{slot} = one_of({self.printer.print(arg.domain)}, {part})", arg.span)
            else:
                self.lines.add(f"{slot} = {part}")

    def apply_pick(self, node: Decision, alternative: Alternative, number: int) -> None:
        """Print what a pick, or `done`, does."""
        stage = alternative.stages[number]
        arg = stage.args[0]
        picked = f"v[{self.base.layout.picked}]"
        done = stage.base + self.faces
        if self.base.logged:
            self.printer.seen.setdefault(arg.local, set()).add("apply")
        slot = self.printer.local(arg.local)
        begun = node.only is not None
        before = f"{picked} + " if begun else ""
        self.lines.add(f"if a != {done}:")
        self.lines.depth += 1
        card = f"a - {stage.base}"
        if self.copies:
            used = picked if begun else "()"
            card = f"next_copy({self.printer.print(arg.domain)}, {card}, {used})"
        self.lines.add(f"{picked} = {before}({card},)", arg.span)
        if arg.high is not None:
            self.lines.add(f"if len({picked}) < {self.printer.print(arg.high)}: {_stay(stage.node)}", arg.span)
        else:
            self.lines.add(_stay(stage.node))
        self.lines.depth -= 1
        if arg.high is not None:
            self.lines.add(f"else: {picked} = {picked if begun else '()'}")
        elif not begun:
            self.lines.add(f"{picked} = ()")
        self.lines.add(f"{slot} = {picked}")
        self.lines.add(f"{picked} = ()")
        self.onward(node, alternative, number)

    def onward(self, node: Decision, alternative: Alternative, number: int) -> None:
        """Print where an action goes when a stage is complete."""
        if self.keeps(node):
            self.lines.add("st.kept = None")
        if number < len(alternative.stages) - 1:
            self.lines.add(_stay(alternative.stages[number + 1].node))
            return
        if self.base.logged:
            secret = node.choice.secretly or node.hidden
            self.lines.add(f"st.chose({self.base.told(alternative.action)}, {secret})", alternative.action.span)
            self.lines.add(f"return {alternative.body}")
            self.base.needed.add(alternative.body)
            return
        self.base.source = node.number
        self.base.go(alternative.body)

    # ---- explaining

    def explain(self, node: Decision) -> None:
        """Print the parts of each action as functions, for telling why one is illegal.

        `e{node}` lists, for each alternative, `(only_if, [(domain, where, low, high), ..])`: functions of
        the state, `where` also of the thing in question, None where there is no such part.  Earlier
        arguments are read from their slots.
        """
        names = []
        for place, alternative in enumerate(node.ways):
            action = alternative.action
            parts = []
            for number, arg in enumerate(action.args):
                for other in action.args:
                    self.printer.seen.setdefault(other.local, set()).update(("explain", "apply"))
                domain = f"e{node.number}_{place}_{number}d"
                self.base.begin(domain, "st, v, z")
                self.lines.add(f"return list({self.printer.print(arg.domain)})", arg.span)
                where = "None"
                if arg.where is not None:
                    where = f"e{node.number}_{place}_{number}w"
                    self.base.begin(where, "st, v, z, it")
                    with self.printer.binding({arg.each: "it"}):
                        self.lines.add(f"return {self.printer.print(arg.where)}", arg.where.span)
                bounds = []
                for letter, bound in (("l", arg.low), ("h", arg.high)):
                    bounds.append("None" if bound is None else f"e{node.number}_{place}_{number}{letter}")
                    if bound is not None:
                        self.base.begin(bounds[-1], "st, v, z")
                        self.lines.add(f"return {self.printer.print(bound)}", bound.span)
                parts.append(f"({domain}, {where}, {', '.join(bounds)})")
            only_if = "None"
            if action.only_if is not None:
                only_if = f"e{node.number}_{place}_o"
                self.base.begin(only_if, "st, v, z")
                self.lines.add(f"return {self.printer.print(action.only_if)}", action.only_if.span)
            names.append(f"({only_if}, [{', '.join(parts)}])")
        self.lines.depth = 0
        self.lines.add(f"e{node.number} = [{', '.join(names)}]")

    def prompt(self, node: Decision) -> None:
        """Print the words of a decision's prompt as a function of the state."""
        self.base.begin(f"q{node.number}", "st, v, z")
        self.lines.add(f"return ({self.base.words(node.choice.prompt)})", node.span)

    # ---- chance and the end

    def chance(self, node: Chance) -> None:
        """Print the functions of a chance event."""
        arg = node.random.arg
        self.base.begin(f"n{node.number}", "st, v, z")
        self.base.stop(node)
        self.base.begin(f"l{node.number}", "st, v, z")
        domain = self.printer.print(arg.domain)
        if arg.where is not None:
            name = self.printer.fresh()
            with self.printer.binding({arg.local: name}):
                domain = f"[{name} for {name} in {domain} if {self.printer.print(arg.where)}]"
        self.lines.add(f"return list({domain})", arg.span)
        self.base.begin(f"a{node.number}", "st, v, z, a")
        slot = self.printer.local(arg.local)
        self.printer.seen.setdefault(arg.local, set()).add("apply")
        if isinstance(base_of(arg.local.type), Card):
            self.lines.add(f"{slot} = one_of(l{node.number}(st, v, z), a)", arg.span)
        else:
            self.lines.add(f"{slot} = a")
        if self.base.logged:
            kind = self.printer.table(("type", arg.local.type), arg.local.type, "Y")
            name = self.printer.table(("text", arg.local.name), arg.local.name, "S")
            into = node.random.into
            place = "None"
            if into is not None:
                place = "-1" if into.variable.local else self.printer.index(into.variable, into.index)
            self.lines.add(f"st.fell({name}, {kind}, {slot}, {place})", node.span)
        self.lines.add(f"return {node.next}")

    def final(self, node: Final) -> None:
        """Print the count of the result."""
        self.base.begin(f"n{node.number}", "st, v, z")
        values = {"score": "None", "returns": "None", "winners": "None", "stakes": "None"}
        lines, printer = self.rules.results, self.printer
        told = [] if self.base.logged else [line.value for line in lines]
        with printer.reckoned_first(told, *(line.player for line in lines if line.player is not None)) as made:
            for name, text in made:
                self.lines.add(f"{name} = {text}", node.span)
            for line in lines:
                self.base.reach(line.tags)
                values[line.what] = self.result(line)
        for what, text in values.items():
            self.lines.add(f"{what} = {text}", node.span)
        self.lines.add(f"st.finish({node.number}, score, returns, winners, stakes)")
        self.lines.add("return -1")

    def result(self, line: ResultLine) -> str:
        """Return what a line of the result comes to, a tuple, as text."""
        printer = self.printer
        if line.player is None:
            text = printer.print(line.value)
            if not isinstance(line.value.type, Cards) and str(base_of(line.value.type)) == "player":
                return f"as_tuple({text})"
            return f"tuple({text})"
        if self.rules.num_players <= UNROLLED_PLAYERS and len(list(core.walk(line.value))) <= LIGHT:
            # Player by player, as constants.
            each = (substitute(line.value, {line.player: core.Const(p, PLAYER, line.value.span)})
                    for p in range(self.rules.num_players))  # fmt: skip
            return f"({', '.join(printer.print(value) for value in each)},)"
        name = printer.fresh()
        with printer.binding({line.player: name}):
            return f"tuple([{printer.print(line.value)} for {name} in PLAYERS])"


def _stay(node: int) -> str:
    """Return the line that stops at a later stage of a choice, where the same player acts."""
    return f"st.pc = {node}; return -1"
