"""Print the legal small actions of decisions.

For each choice `legal` lists the numbers of the small actions that may come next.  An action with a set of cards is
a sequence of picks and a `done`; the picks come in the order of the cards, so that no set is reached in two ways.
"""

from __future__ import annotations

from interpreter.analysis import core, joint
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Card, Int, Type, base_of
from interpreter.program import sets
from interpreter.program.listing import listed_first, print_ways
from interpreter.program.nodes import Alternative, Decision, Stage
from interpreter.program.statements import StatementPrinter


class LegalPrinter:
    """Prints the listings of legal small actions into the lines of a `StatementPrinter`."""

    def __init__(self, base: StatementPrinter) -> None:
        self.base = base
        self.printer = base.printer
        self.lines = base.lines
        self.rules = base.program.rules
        self.faces = len(self.rules.faces)
        self.copies = any(f.copies > 1 for f in self.rules.faces)

    # ---- coding

    def coded(self, arg: core.Arg, text: str) -> str:
        """Return the number of an argument's value within its dimension."""
        type_ = base_of(arg.local.type)
        if isinstance(type_, Card):
            return f"FACES[{text}]" if self.copies else text
        low = lowest(type_)
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

    # ---- sets

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
            self.base.begin(self.set_name(alternative, number), ", ".join(["st", "v", "z", *names.values()]))
            with self.printer.binding(names):
                *lines, made = sets.print_set(self.printer, stage.args[0])
                if number < len(alternative.stages) - 1:
                    made = self.completed(alternative, number, made.removeprefix("return "))
                for line in (*lines, made):
                    self.lines.add(line, stage.args[0].span)
            if number < len(alternative.stages) - 1:
                self.rest_of(alternative, number)

    def completed(self, alternative: Alternative, number: int, chosen: str) -> str:
        """Return the line that gives a set of which every pick can be completed to a whole action."""
        action, arg = alternative.action, alternative.stages[number].args[0]
        place = action.args.index(arg)
        rest = f"r{alternative.stages[number].node}"
        earlier = ["st", "v", "z", *(self.printer.local(a) for a in _earlier(alternative, number))]
        if not joint.read_later(action, place):
            return f"return {chosen} if {rest}({', '.join([*earlier, '()'])}) else Plain([], 1, 0)"
        picked = self.printer.fresh()
        test = f"lambda {picked}: {rest}({', '.join([*earlier, picked])})"
        return f"return Completed(st, {chosen}, {test}, {not joint.weighed_later(action, place)})"

    def rest_of(self, alternative: Alternative, number: int) -> None:
        """Print whether an action can be completed, with its arguments up to a set, and that set, as parameters."""
        taken = _earlier(alternative, number + 1)
        names = {a: f"a{a.number}" for a in taken}
        self.base.begin(f"r{alternative.stages[number].node}", ", ".join(["st", "v", "z", *names.values()]))
        with self.printer.binding(names):
            if alternative.stages[number + 1].is_set:
                self.lines.add(f"return {self.set_call(alternative, number + 1)}.possible()", alternative.action.span)
            else:
                self.legal_single(alternative, number + 1, asked=True)
                self.lines.add("return False")

    def set_call(self, alternative: Alternative, number: int) -> str:
        """Return the call of a set's function with the arguments as they are named here."""
        args = [self.printer.local(a) for a in _earlier(alternative, number)]
        return f"{self.set_name(alternative, number)}({', '.join(['st', 'v', 'z', *args])})"

    def legal(self, node: Decision) -> None:
        """Print the function that lists the legal small actions, ascending."""
        self.base.begin(f"l{node.number}", "st, v, z")
        if node.only is not None:
            if node.only.stages[node.stage].is_set:
                text = self.legal_set(node.only, node.stage, f"v[{self.base.layout.picked}]", keep="st.kept")
                self.lines.add(f"return {text}", node.only.action.span)
                return
            self.lines.add("out = []")
            self.legal_single(node.only, node.stage)
            self.lines.add(self.sorted_out())
            return
        keep = "st.kept" if self.keeps(node) else ""
        if self.legal_of_one(node) or self.legal_of_none(node):
            return
        self.lines.add("out = []")
        self.legal_ways(node.alternatives, dict.fromkeys(node.alternatives, keep))
        if node.otherwise is not None:
            if node.alternatives:
                self.lines.add(f"if out: {self.sorted_out(node.alternatives)}")
            self.legal_alternative(node.otherwise, keep=keep)
            self.lines.add(self.sorted_out((node.otherwise,)))
            return
        self.lines.add(self.sorted_out(node.alternatives))

    def legal_ways(self, ways: tuple[Alternative, ...], kept: dict[Alternative, str]) -> None:
        """Print the listing of the first small actions of several ways; some keep their set under a name."""
        conditions = [c for way in ways for c in (way.action.only_if, *(a.where for a in way.stages[0].args))]
        with self.printer.shared([c for c in conditions if c is not None]) as made:
            for name, text in made:
                self.lines.add(f"{name} = {text}")
            for way in ways:
                self.legal_alternative(way, keep=kept.get(way, ""))

    def keeps(self, node: Decision) -> bool:
        """Whether the set that is being chosen at a decision is kept in the state."""
        if node.only is not None:
            return node.only.stages[node.stage].is_set
        return [a.stages[0].is_set for a in node.ways].count(True) == 1

    def legal_of_none(self, node: Decision) -> bool:
        """Print the listing of a decision whose actions have no arguments and no conditions, if it is such."""
        ways = node.alternatives
        if node.otherwise is not None or not ways or not all(way.is_bare for way in ways):
            return False
        self.lines.add(f"return {sorted(way.stages[0].base for way in ways)}", node.span)
        return True

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
        name = self.printer.fresh()
        brackets = "{}" if self.copies else "[]"
        with self.printer.binding({arg.local: name, arg.each: name}):
            number = self.numbered_at_once(stage, arg, name)

            def listed(domain: str, where: str) -> None:
                loop = f"for {name} in {domain}{f' if {where}' if where else ''}"
                self.lines.add(f"return sorted({brackets[0]}{number} {loop}{brackets[1]})", arg.span)

            print_ways(self.base, arg, listed, lambda: self.lines.add("return []", arg.span))
        return True

    def sorted_out(self, listed: tuple[Alternative, ...] = ()) -> str:
        """Return the line that gives the list back, ascending and without doubles; the picks of one set are so."""
        if len(listed) == 1 and listed[0].stages[0].is_set:
            return "return out"
        alone = [way.stages[0].base for way in listed if not way.stages[0].args]
        if listed and len(alone) == len(listed) and alone == sorted(alone):
            return "return out"
        return "return sorted(set(out))" if self.doubles(listed) else "out.sort(); return out"

    def doubles(self, ways: tuple[Alternative, ...]) -> bool:
        """Whether a listing of actions may name one twice: of cards it names the faces (no ways: any action)."""
        cards = [isinstance(base_of(a.local.type), Card) for way in ways for a in way.stages[0].args]
        return self.copies and (any(cards) or not ways)

    def legal_alternative(self, alternative: Alternative, *, keep: str) -> None:
        """Print the listing of the first stage of an alternative; a set is kept under a name, if one is given."""
        action = alternative.action
        depth = self.lines.depth
        if action.only_if is not None:
            self.lines.add(f"if {self.printer.whole_test(action.only_if)}:", action.span)
            self.lines.depth += 1
        if alternative.stages[0].is_set:
            text = self.legal_set(alternative, 0, "()", keep=keep)
            self.lines.add(f"out += {text}", alternative.stages[0].args[0].span)
        else:
            self.legal_single(alternative, 0)
        self.lines.depth = depth

    def legal_set(self, alternative: Alternative, number: int, picked: str, *, keep: str) -> str:
        """Return the listing of the next picks of a set, as text.

        Nothing that a set depends on changes while it is picked, so the state may keep it until it is complete.
        """
        stage = alternative.stages[number]
        chosen = self.set_call(alternative, number)
        if keep:
            before = "if st.kept is None: " if keep == "st.kept" else ""
            self.lines.add(f"{before}{keep} = {chosen}", stage.args[0].span)
            chosen = keep
        return f"{chosen}.actions({picked}, {stage.base}, {stage.base + self.faces})"

    def legal_single(self, alternative: Alternative, number: int, *, asked: bool = False) -> None:
        """Print nested loops over single arguments: list the small actions or, if `asked`, return at the first."""
        stage = alternative.stages[number]
        names: dict[Local, str] = {}
        depth = self.lines.depth
        last = number == len(alternative.stages) - 1
        ready = listed_first(self.base, stage.args)
        for arg in stage.args:
            if arg in ready and arg is stage.args[-1] and last and alternative.action.such_that is None and not asked:
                name = names[arg.local] = self.printer.fresh()
                values = [self.coded(a, names[a.local]) for a in stage.args]
                self.lines.add(f"out += [{self.number(stage, values)} for {name} in {ready[arg]}]", arg.span)
                self.lines.depth = depth
                return
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
            self.lines.add("return True" if asked else f"out.append({self.number(stage, values)})")
        self.lines.depth = depth

    def _guard(self, test: str, in_loop: bool) -> None:
        if in_loop:
            self.lines.add(f"if not {test}: continue")
        else:
            self.lines.add(f"if {test}:")
            self.lines.depth += 1


def _earlier(alternative: Alternative, stage: int) -> list[Local]:
    return [a.local for s in alternative.stages[:stage] for a in s.args]


def lowest(type_: Type) -> int:
    """Return the least value of a type."""
    return type_.low or 0 if isinstance(type_, Int) else 0
