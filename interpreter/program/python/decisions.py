"""Print decisions: what is legal, what applying a small action does, and why one would be illegal.

For each choice `legal` lists the numbers of the small actions that may come next.  An action with a set of cards is a
sequence of picks and a `done`; the picks come in the order of the cards, so that no set is reached in two ways.
`apply` takes a small action and carries out what follows, up to where somebody decides again; logged code returns the
number of the next node instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from interpreter.analysis import core
from interpreter.analysis.rules import ResultLine
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Local
from interpreter.analysis.transforms import joint_arguments
from interpreter.analysis.types import PLAYER, Card, Cards, base_of, is_optional, range_low
from interpreter.program.nodes import Alternative, Chance, Decision, Final, Stage
from interpreter.program.passes.hoist import Lets
from interpreter.program.passes.totality import names_of
from interpreter.program.passes.unswitch import Ask, Drop, Keep, Name, Way
from interpreter.program.python.statements import StatementPrinter

UNROLLED_PLAYERS = 6
"""For at most so many players a line of the result is unrolled: printed player by player."""

LIGHT = 20
"""How many parts such a line may have."""


class DecisionPrinter:
    """Prints the functions of decisions, chance events and the end into the lines of a `StatementPrinter`."""

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
        low = range_low(type_)
        return f"({text} - {low})" if low else f"{text}"

    def number(self, stage: Stage, values: list[str]) -> str:
        """Return the number of a small action of single arguments."""
        terms = [str(stage.base)] if stage.base or not values else []
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

    # ---- what an argument can be

    def print_ways(self, arg: core.Arg, keep: Callable[[str, str], None], drop: Callable[[], None]) -> None:
        """Print what is kept of an argument's domain: the questions in front, then a loop for each way.

        `keep` prints the loop with the text of what is gone through and that of what is left of the condition (empty:
        everything is kept), `drop` that nothing is kept.  The argument's names are bound by the caller to one name.
        """

        def go(way: Way) -> None:
            printer, lines = self.printer, self.lines
            match way:
                case Drop():
                    drop()
                case Keep(domain, condition):
                    with printer.once_in_front(condition, arg.local, arg.each) as (text, made):
                        for once, value in made:
                            lines.add(f"{once} = {value}", arg.span)
                        keep(printer.value(domain), text)
                case Name(local, value, then):
                    name = printer.fresh()
                    lines.add(f"{name} = {printer.value(value)}", arg.span)
                    with printer.binding({local: name}):
                        go(then)
                case Ask(test, yes, no):
                    lines.add(f"if {printer.condition(test)}:", arg.span)
                    lines.depth += 1
                    go(yes)
                    lines.depth -= 1
                    lines.add("else:")
                    lines.depth += 1
                    go(no)
                    lines.depth -= 1
                case _:
                    assert_never(way)

        go(self.printer.passes.unswitched(arg))

    def listed_first(self, args: tuple[core.Arg, ...]) -> dict[core.Arg, str]:
        """Print lists of what later arguments can be where it does not depend on the earlier ones; return their names.

        They stand in front of all loops, so that a condition is not asked again for each earlier argument.
        """
        is_total, found = self.printer.passes.totality.is_total, dict[core.Arg, str]()
        for place, arg in enumerate(args):
            if place == 0 or arg.where is None:
                continue
            earlier = {other.local for other in args[:place]}
            own = frozenset((arg.local, arg.each))
            total = is_total(arg.domain) and is_total(arg.where, own)
            if not total or names_of(arg.domain, arg.where) & earlier:
                continue
            found[arg] = self.printer.fresh()
            item = core.LocalRef(arg.local, arg.local.type, arg.span)
            binder = core.Binder(arg.local, arg.domain, None, substitute(arg.where, {arg.each: item}))
            self.lines.add(f"{found[arg]} = {self.printer.listed(binder)}", arg.span)
        return found

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
                lines, made = self.printer.set_choice(stage.args[0])
                if number < len(alternative.stages) - 1:
                    made = self.completed(alternative, number, made)
                for line in (*lines, f"return {made}"):
                    self.lines.add(line, stage.args[0].span)
            if number < len(alternative.stages) - 1:
                self.rest_of(alternative, number)

    def completed(self, alternative: Alternative, number: int, chosen: str) -> str:
        """Return the text of a set of which every pick can be completed to a whole action."""
        action, arg = alternative.action, alternative.stages[number].args[0]
        place = action.args.index(arg)
        rest = f"r{alternative.stages[number].node}"
        earlier = ["st", "v", "z", *(self.printer.local(a) for a in _earlier(alternative, number))]
        if not joint_arguments.read_later(action, place):
            return f"{chosen} if {rest}({', '.join([*earlier, '()'])}) else Plain([], 1, 0)"
        picked = self.printer.fresh()
        test = f"lambda {picked}: {rest}({', '.join([*earlier, picked])})"
        return f"Completed(st, {chosen}, {test}, {not joint_arguments.weighed_later(action, place)})"

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
                text = self.legal_set(node.only, node.stage, f"v[{self.base.layout.picked}]", keep="st.set_memo")
                self.lines.add(f"return {text}", node.only.action.span)
                return
            self.lines.add("out = []")
            self.legal_single(node.only, node.stage)
            self.lines.add(self.sorted_out())
            return
        keep = "st.set_memo" if self.keeps(node) else ""
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
        args = [arg for way in ways for arg in way.stages[0].args]
        conditions = [c for c in (*(way.action.only_if for way in ways), *(a.where for a in args)) if c is not None]
        changing = [local for arg in args for local in (arg.local, arg.each)]
        with self.printer.passes.sharing(conditions, *changing) as lets, self.printer.let(lets) as made:
            for name, text in made:
                self.lines.add(f"{name} = {text}", conditions[0].span)
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
        if arg.where is not None and not self.printer.passes.totality.is_total(arg.where, frozenset({arg.local})):
            return False  # A fault in it is told with its own place, so it needs a line of its own.
        name = self.printer.fresh()
        brackets = "{}" if self.copies else "[]"
        with self.printer.binding({arg.local: name, arg.each: name}):
            number = self.numbered_at_once(stage, arg, name)

            def listed(domain: str, where: str) -> None:
                loop = f"for {name} in {domain}{f' if {where}' if where else ''}"
                self.lines.add(f"return sorted({brackets[0]}{number} {loop}{brackets[1]})", arg.span)

            self.print_ways(arg, listed, lambda: self.lines.add("return []", arg.span))
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
            self.lines.add(f"if {self.printer.condition(action.only_if)}:", action.span)
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
            before = "if st.set_memo is None: " if keep == "st.set_memo" else ""
            self.lines.add(f"{before}{keep} = {chosen}", stage.args[0].span)
            chosen = keep
        return f"{chosen}.actions({picked}, {stage.base}, {stage.base + self.faces})"

    def legal_single(self, alternative: Alternative, number: int, *, asked: bool = False) -> None:
        """Print nested loops over single arguments: list the small actions or, if `asked`, return at the first."""
        stage = alternative.stages[number]
        names: dict[Local, str] = {}
        depth = self.lines.depth
        last = number == len(alternative.stages) - 1
        ready = self.listed_first(stage.args)
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
                domain = self.printer.value(arg.domain)
                name = self.printer.fresh()
                names[arg.local] = name
                with (
                    self.printer.binding({arg.local: name}),
                    self.printer.once_in_front(arg.where, arg.local, arg.each, denied=True) as (bad, made),
                ):
                    for once, text in made:
                        self.lines.add(f"{once} = {text}", arg.span)
                    self.lines.add(f"for {name} in {domain}:", arg.span)
                    self.lines.depth += 1
                    if arg.where is not None:
                        self.lines.add(f"if {bad}: continue", arg.where.span)
        with self.printer.binding(names):
            if last and alternative.action.such_that is not None:
                test = self.printer.value(alternative.action.such_that)
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
        if not todo:
            self.lines.add("pass")
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
            self.lines.add(f"k = {_less(number, stage.base)}")
        names: dict[Local, str] = {}
        stride = stage.size
        for arg, dim in zip(stage.args, stage.dims, strict=True):
            stride //= dim
            low = range_low(arg.local.type)
            part = _less(number, stage.base - low)
            if several:
                part = f"{'k' if stride == 1 else f'k // {stride}'} % {dim}"
                part += f" + {low}" if low else ""
            slot = self.printer.local(arg.local)
            if self.base.logged:  # Which tells why an action is not legal, from the slots.
                self.printer.seen.setdefault(arg.local, set()).add("apply")
            if isinstance(base_of(arg.local.type), Card) and self.copies:
                with self.printer.binding(names):
                    self.lines.add(f"{slot} = one_of({self.printer.value(arg.domain)}, {part})", arg.span)
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
        card = _less("a", stage.base)
        if self.copies:
            used = picked if begun else "()"
            card = f"next_copy({self.printer.value(arg.domain)}, {card}, {used})"
        self.lines.add(f"{picked} = {before}({card},)", arg.span)
        if arg.high is not None:
            self.lines.add(f"if len({picked}) < {self.printer.value(arg.high)}: {_stay(stage.node)}", arg.span)
        else:
            self.lines.add(_stay(stage.node))
        self.lines.depth -= 1
        if not begun:
            self.lines.add(f"{'' if arg.high is None else 'else: '}{picked} = ()")
        self.lines.add(f"{slot} = {picked}")
        self.lines.add(f"{picked} = ()")
        self.onward(node, alternative, number)

    def onward(self, node: Decision, alternative: Alternative, number: int) -> None:
        """Print where an action goes when a stage is complete."""
        if self.keeps(node):
            self.lines.add("st.set_memo = None")
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
                self.lines.add(f"return list({self.printer.value(arg.domain)})", arg.span)
                where = "None"
                if arg.where is not None:
                    where = f"e{node.number}_{place}_{number}w"
                    self.base.begin(where, "st, v, z, it")
                    with self.printer.binding({arg.each: "it"}):
                        self.lines.add(f"return {self.printer.value(arg.where)}", arg.where.span)
                bounds = []
                for letter, bound in (("l", arg.low), ("h", arg.high)):
                    bounds.append("None" if bound is None else f"e{node.number}_{place}_{number}{letter}")
                    if bound is not None:
                        self.base.begin(bounds[-1], "st, v, z")
                        self.lines.add(f"return {self.printer.value(bound)}", bound.span)
                parts.append(f"({domain}, {where}, {', '.join(bounds)})")
            only_if = "None"
            if action.only_if is not None:
                only_if = f"e{node.number}_{place}_o"
                self.base.begin(only_if, "st, v, z")
                self.lines.add(f"return {self.printer.value(action.only_if)}", action.only_if.span)
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
        domain = self.printer.value(arg.domain)
        if arg.where is not None:
            name = self.printer.fresh()
            with self.printer.binding({arg.local: name}):
                domain = f"[{name} for {name} in {domain} if {self.printer.value(arg.where)}]"
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
        players = [line.player for line in lines if line.player is not None]
        lets: Lets = ()
        told = [line.value for line in lines]
        if not self.base.logged:
            lets, told = printer.passes.lifted(told, *players)
        with printer.let(lets) as made:
            for name, text in made:
                self.lines.add(f"{name} = {text}", node.span)
            for line, value in zip(lines, told, strict=True):
                self.base.reach(line.tags)
                values[line.what] = self.result(line, value)
        for what, text in values.items():
            self.lines.add(f"{what} = {text}", node.span)
        self.lines.add(f"st.finish({node.number}, score, returns, winners, stakes)")
        self.lines.add("return -1")

    def result(self, line: ResultLine, value: core.Expr) -> str:
        """Return what a line of the result comes to, a tuple, as text."""
        printer = self.printer
        if line.player is None:
            text = printer.value(value)
            if not isinstance(line.value.type, Cards) and str(base_of(line.value.type)) == "player":
                return f"as_tuple({text})"
            return f"tuple({text} or ())" if is_optional(line.value.type) else f"tuple({text})"
        if self.rules.num_players <= UNROLLED_PLAYERS and len(list(core.walk(line.value))) <= LIGHT:
            # Player by player, as constants.
            each = (substitute(value, {line.player: core.Const(p, PLAYER, line.value.span)})
                    for p in range(self.rules.num_players))  # fmt: skip
            return f"({', '.join(printer.value(one) for one in each)},)"
        name = printer.fresh()
        with printer.binding({line.player: name}):
            return f"tuple([{printer.value(value)} for {name} in PLAYERS])"


def _earlier(alternative: Alternative, stage: int) -> list[Local]:
    return [a.local for s in alternative.stages[:stage] for a in s.args]


def _less(text: str, number: int) -> str:
    """Return the text of a difference."""
    return text if number == 0 else f"{text} {'-' if number > 0 else '+'} {abs(number)}"


def _stay(node: int) -> str:
    """Return the line that stops at a later stage of a choice, where the same player acts."""
    return f"st.node = {node}; return -1"
