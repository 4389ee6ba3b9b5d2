"""Print decisions: the legal small actions, what applying one does, and why one would be illegal.

For each choice `legal` lists the numbers of the small actions that may come next, `apply` takes one and
returns the number of the next node.  An action with a set of cards is a sequence of picks and a `done`;
the picks come in the order of the cards, so that no set is reached in two ways.
"""

from __future__ import annotations

from interpreter.analysis import core
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Card, Cards, Int, Type, base_of
from interpreter.program import sets
from interpreter.program.nodes import Alternative, Chance, Decision, Final, Stage
from interpreter.program.statements import StatementPrinter
from interpreter.program.ways import listed_first, print_ways


class DecisionPrinter:
    """Prints the functions of decisions, chance events and the end into the lines of a `StatementPrinter`."""

    def __init__(self, base: StatementPrinter) -> None:
        self.base = base
        self.printer = base.printer
        self.lines = base.lines
        self.rules = base.program.rules
        self.faces = len(self.rules.faces)
        self.copies = any(f.copies > 1 for f in self.rules.faces)

    def begin(self, name: str, params: str) -> None:
        """Begin a function."""
        self.printer.unit = name
        self.lines.def_(name, params)

    # ---- coding

    def coded(self, arg: core.Arg, text: str) -> str:
        """Return the number of an argument's value within its dimension."""
        type_ = base_of(arg.local.type)
        if isinstance(type_, Card):
            return f"FACES[{text}]" if self.copies else text
        low = _low(type_)
        return f"({text} - {low})" if low else f"{text}"

    def number(self, stage: Stage, values: list[str]) -> str:
        """Return the number of a small action of single arguments."""
        terms = [str(stage.base)]
        stride = 1
        for dim, text in reversed(list(zip(stage.dims, values, strict=True))):
            terms.append(text if stride == 1 else f"{text} * {stride}")
            stride *= dim
        return " + ".join(terms)

    def numbered_at_once(self, stage: Stage, arg: core.Arg, name: str) -> str:
        """Return the number of a small action of one argument; that of a card is looked up as a whole."""
        if not self.copies or not isinstance(base_of(arg.local.type), Card):
            return self.number(stage, [self.coded(arg, name)])
        numbers = [stage.base + face for face in self.rules.card_faces]
        return f"{self.printer.table(('action', stage.base), numbers, 'C')}[{name}]"

    # ---- decisions

    def decision(self, node: Decision) -> None:
        """Print all functions of a decision node."""
        self.begin(f"n{node.number}", "st, v, z")
        self.base.stop(node)
        if node.only is None:
            for alternative in _alternatives(node):
                self.sets_of(alternative)
        self.legal(node)
        self.apply(node)

    def set_name(self, alternative: Alternative, stage: int) -> str:
        """Return the name of the function that makes a stage's `SetChoice`."""
        return f"s{alternative.stages[stage].node}"

    def sets_of(self, alternative: Alternative) -> None:
        """Print a function for each set of an alternative, its earlier arguments as parameters."""
        for number, stage in enumerate(alternative.stages):
            if not stage.is_set:
                continue
            earlier = _earlier(alternative, number)
            names = {a: f"a{a.number}" for a in earlier}
            self.begin(self.set_name(alternative, number), ", ".join(["st", "v", "z", *names.values()]))
            with self.printer.binding(names):
                last = number == len(alternative.stages) - 1
                condition = alternative.action.on_set if last else None
                for line in sets.print_set(self.printer, stage.args[0], condition):
                    self.lines.add(line, stage.args[0].span)

    def set_call(self, alternative: Alternative, number: int) -> str:
        """Return the call of a set's function with the arguments as they are named here."""
        args = [self.printer.local(a) for a in _earlier(alternative, number)]
        return f"{self.set_name(alternative, number)}({', '.join(['st', 'v', 'z', *args])})"

    def legal(self, node: Decision) -> None:
        """Print the function that lists the legal small actions, ascending."""
        self.begin(f"l{node.number}", "st, v, z")
        if node.only is not None:
            if node.only.stages[node.stage].is_set:
                text = self.legal_set(node.only, node.stage, f"v[{self.base.layout.picked}]", keep=True)
                self.lines.add(f"return {text}", node.only.action.span)
                return
            self.lines.add("out = []")
            self.legal_single(node.only, node.stage)
            self.lines.add(self.sorted_out())
            return
        keep = [a.stages[0].is_set for a in _alternatives(node)].count(True) == 1
        if self.legal_of_one(node):
            return
        self.lines.add("out = []")
        for alternative in node.alternatives:
            self.legal_alternative(alternative, keep=keep)
        if node.otherwise is not None:
            if node.alternatives:
                self.lines.add(f"if out: {self.sorted_out(node.alternatives)}")
            self.legal_alternative(node.otherwise, keep=keep)
            self.lines.add(self.sorted_out((node.otherwise,)))
            return
        self.lines.add(self.sorted_out(node.alternatives))

    def legal_of_one(self, node: Decision) -> bool:
        """Print the listing of a decision whose one action has one single argument, if it is such: the common case."""
        if len(node.alternatives) != 1 or node.otherwise is not None:
            return False
        action, (stage, *more) = node.alternatives[0].action, node.alternatives[0].stages
        if more or stage.is_set or len(stage.args) != 1 or action.only_if is not None or action.such_that is not None:
            return False
        arg = stage.args[0]
        if arg.where is not None and not self.printer.hoisting.is_sure(arg.where, frozenset({arg.local})):
            return False  # A fault in it is told with its own place, so it needs a line of its own.
        domain = self.printer.print(arg.domain)
        name = self.printer.fresh()
        brackets = "{}" if self.copies else "[]"
        with self.printer.binding({arg.local: name, arg.each: name}):
            number = f"{self.numbered_at_once(stage, arg, name)} for {name} in {domain}"

            def listed(where: str) -> None:
                kept = f" if {where}" if where else ""
                self.lines.add(f"return sorted({brackets[0]}{number}{kept}{brackets[1]})", arg.span)

            print_ways(self.base, arg, listed, lambda: self.lines.add("return []", arg.span))
        return True

    def sorted_out(self, listed: tuple[Alternative, ...] = ()) -> str:
        """Return the line that gives the list back, ascending and without doubles; the picks of one set are so."""
        if len(listed) == 1 and listed[0].stages[0].is_set:
            return "return out"
        return "return sorted(set(out))" if self.copies else "out.sort(); return out"

    def legal_alternative(self, alternative: Alternative, *, keep: bool) -> None:
        """Print the listing of the first stage of an alternative."""
        action = alternative.action
        depth = self.lines.depth
        if action.only_if is not None:
            self.lines.add(f"if {self.printer.print(action.only_if)}:", action.span)
            self.lines.depth += 1
        if alternative.stages[0].is_set:
            text = self.legal_set(alternative, 0, "()", keep=keep)
            self.lines.add(f"out += {text}", alternative.stages[0].args[0].span)
        else:
            self.legal_single(alternative, 0)
        self.lines.depth = depth

    def legal_set(self, alternative: Alternative, number: int, picked: str, *, keep: bool) -> str:
        """Return the listing of the next picks of a set, as text.

        Nothing that a set depends on changes while it is picked, so the state may keep it until it is complete.
        """
        stage = alternative.stages[number]
        chosen = self.set_call(alternative, number)
        if keep:
            self.lines.add(f"if st.kept is None: st.kept = {chosen}", stage.args[0].span)
            chosen = "st.kept"
        return f"{chosen}.actions({picked}, {stage.base}, {stage.base + self.faces})"

    def legal_single(self, alternative: Alternative, number: int) -> None:
        """Print nested loops over single arguments."""
        stage = alternative.stages[number]
        names: dict[Local, str] = {}
        depth = self.lines.depth
        last = number == len(alternative.stages) - 1
        ready = listed_first(self.base, stage.args)
        for arg in stage.args:
            if arg in ready:
                names[arg.local] = self.printer.fresh()
                self.lines.add(f"for {names[arg.local]} in {ready[arg]}:", arg.span)
                self.lines.depth += 1
                continue
            with self.printer.binding(names):
                domain = self.printer.print(arg.domain)
                name = self.printer.fresh()
                names[arg.local] = name
                with (
                    self.printer.binding({arg.local: name}),
                    self.printer.reckoned_once(arg.where, arg.local, arg.each) as (where, made),
                ):
                    for once, text in made:
                        self.lines.add(f"{once} = {text}", arg.span)
                    self.lines.add(f"for {name} in {domain}:", arg.span)
                    self.lines.depth += 1
                    if arg.where is not None:
                        self.lines.add(f"if not {where}: continue", arg.where.span)
        with self.printer.binding(names):
            if last and alternative.action.such_that is not None:
                test = self.printer.print(alternative.action.such_that)
                self._guard(test, bool(stage.args))
            if not last:
                self._guard(f"{self.set_call(alternative, number + 1)}.possible()", bool(stage.args))
            values = [self.coded(a, names[a.local]) for a in stage.args]
            self.lines.add(f"out.append({self.number(stage, values)})")
        self.lines.depth = depth

    def _guard(self, test: str, in_loop: bool) -> None:
        if in_loop:
            self.lines.add(f"if not {test}: continue")
        else:
            self.lines.add(f"if {test}:")
            self.lines.depth += 1

    # ---- applying

    def apply(self, node: Decision) -> None:
        """Print the function that takes a small action and returns the next node."""
        self.begin(f"a{node.number}", "st, v, z, a")
        if node.only is not None:
            self.apply_stage(node, node.only, node.stage)
            return
        todo = [(a, a.stages[0]) for a in _alternatives(node)]
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
        if stage.args:
            self.lines.add(f"k = {number} - {stage.base}")
        names: dict[Local, str] = {}
        stride = stage.size
        for arg, dim in zip(stage.args, stage.dims, strict=True):
            stride //= dim
            part = "k" if stride == 1 else f"k // {stride}"
            if len(stage.args) > 1:
                part = f"({part}) % {dim}"
            type_ = base_of(arg.local.type)
            slot = self.printer.local(arg.local)
            self.printer.seen.setdefault(arg.local, set()).add("apply")
            if isinstance(type_, Card) and self.copies:
                with self.printer.binding(names):
                    self.lines.add(f"{slot} = one_of({self.printer.print(arg.domain)}, {part})", arg.span)
            else:
                low = _low(type_)
                self.lines.add(f"{slot} = {part} + {low}" if low else f"{slot} = {part}")

    def apply_pick(self, node: Decision, alternative: Alternative, number: int) -> None:
        """Print what a pick, or `done`, does."""
        stage = alternative.stages[number]
        arg = stage.args[0]
        picked = f"v[{self.base.layout.picked}]"
        done = stage.base + self.faces
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
        self.lines.add("st.kept = None")
        if number < len(alternative.stages) - 1:
            self.lines.add(_stay(alternative.stages[number + 1].node))
            return
        if self.base.logged:
            secret = node.choice.secretly or node.hidden
            self.lines.add(f"st.chose({self.base.told(alternative.action)}, {secret})", alternative.action.span)
        self.lines.add(f"return {alternative.body}")

    # ---- explaining

    def explain(self, node: Decision) -> None:
        """Print the parts of each action as functions, for telling why one is illegal.

        `e{node}` lists, for each alternative, `(only_if, [(domain, where, low, high), ..])`: functions of
        the state, `where` also of the thing in question, None where there is no such part.  Earlier
        arguments are read from their slots.
        """
        names = []
        for place, alternative in enumerate(_alternatives(node)):
            action = alternative.action
            parts = []
            for number, arg in enumerate(action.args):
                for other in action.args:
                    self.printer.seen.setdefault(other.local, set()).update(("explain", "apply"))
                domain = f"e{node.number}_{place}_{number}d"
                self.begin(domain, "st, v, z")
                self.lines.add(f"return list({self.printer.print(arg.domain)})", arg.span)
                where = "None"
                if arg.where is not None:
                    where = f"e{node.number}_{place}_{number}w"
                    self.begin(where, "st, v, z, it")
                    with self.printer.binding({arg.each: "it"}):
                        self.lines.add(f"return {self.printer.print(arg.where)}", arg.where.span)
                bounds = []
                for letter, bound in (("l", arg.low), ("h", arg.high)):
                    bounds.append("None" if bound is None else f"e{node.number}_{place}_{number}{letter}")
                    if bound is not None:
                        self.begin(bounds[-1], "st, v, z")
                        self.lines.add(f"return {self.printer.print(bound)}", bound.span)
                parts.append(f"({domain}, {where}, {', '.join(bounds)})")
            only_if = "None"
            if action.only_if is not None:
                only_if = f"e{node.number}_{place}_o"
                self.begin(only_if, "st, v, z")
                self.lines.add(f"return {self.printer.print(action.only_if)}", action.only_if.span)
            names.append(f"({only_if}, [{', '.join(parts)}])")
        self.lines.depth = 0
        self.lines.add(f"e{node.number} = [{', '.join(names)}]")

    def prompt(self, node: Decision) -> None:
        """Print the words of a decision's prompt as a function of the state."""
        self.begin(f"q{node.number}", "st, v, z")
        self.lines.add(f"return ({self.base.words(node.choice.prompt)})", node.span)

    # ---- chance and the end

    def chance(self, node: Chance) -> None:
        """Print the functions of a chance event."""
        arg = node.random.arg
        self.begin(f"n{node.number}", "st, v, z")
        self.base.stop(node)
        self.begin(f"l{node.number}", "st, v, z")
        domain = self.printer.print(arg.domain)
        if arg.where is not None:
            name = self.printer.fresh()
            with self.printer.binding({arg.local: name}):
                domain = f"[{name} for {name} in {domain} if {self.printer.print(arg.where)}]"
        self.lines.add(f"return list({domain})", arg.span)
        self.begin(f"a{node.number}", "st, v, z, a")
        slot = self.printer.local(arg.local)
        self.printer.seen.setdefault(arg.local, set()).add("apply")
        if isinstance(base_of(arg.local.type), Card):
            self.lines.add(f"{slot} = one_of(l{node.number}(st, v, z), a)", arg.span)
        else:
            self.lines.add(f"{slot} = a")
        if self.base.logged:
            kind = self.printer.table(("type", arg.local.type), arg.local.type, "Y")
            name = self.printer.table(("text", arg.local.name), arg.local.name, "S")
            self.lines.add(f"st.fell({name}, {kind}, {slot})", node.span)
        self.lines.add(f"return {node.next}")

    def final(self, node: Final) -> None:
        """Print the count of the result."""
        self.begin(f"n{node.number}", "st, v, z")
        values = {"score": "None", "returns": "None", "winners": "None"}
        for line in self.rules.results:
            self.base.reach(line.tags)
            if line.player is None:
                text = self.printer.print(line.value)
                if not isinstance(line.value.type, Cards) and str(base_of(line.value.type)) == "player":
                    text = f"as_list({text})"
                values[line.what] = f"list({text})"
                continue
            name = self.printer.fresh()
            with self.printer.binding({line.player: name}):
                values[line.what] = f"[{self.printer.print(line.value)} for {name} in PLAYERS]"
        for what, text in values.items():
            self.lines.add(f"{what} = {text}", node.span)
        self.lines.add(f"finish(st, {node.number}, score, returns, winners)")
        self.lines.add("return -1")


def _stay(node: int) -> str:
    """Return the line that stops at a later stage of a choice, where the same player acts."""
    return f"st.pc = {node}; return -1"


def _alternatives(node: Decision) -> tuple[Alternative, ...]:
    return node.alternatives if node.otherwise is None else (*node.alternatives, node.otherwise)


def _earlier(alternative: Alternative, stage: int) -> list[Local]:
    return [a.local for s in alternative.stages[:stage] for a in s.args]


def _low(type_: Type) -> int:
    return type_.low or 0 if isinstance(type_, Int) else 0
