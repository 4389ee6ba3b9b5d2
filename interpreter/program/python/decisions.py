"""Print decisions and chance events: what is legal, what a small action does, what a prompt says; and the result.

For each choice `legal` lists the numbers of the small actions that may come next.  An action with a set of cards is a
sequence of picks and a `done`; the picks come in the order of the cards, so that no set is reached in two ways.
`apply` takes a small action and returns the number of the next node, -1 where the choice goes on.
"""

from __future__ import annotations

from interpreter.analysis import core
from interpreter.analysis.rules import ResultLine
from interpreter.analysis.symbols import Local
from interpreter.analysis.transforms import joint_arguments
from interpreter.analysis.types import Card, Cards, Player, base_of, is_optional, range_low
from interpreter.program.layout import Layout
from interpreter.program.nodes import Alternative, Chance, Decision, Final, Program, Stage
from interpreter.program.python.statements import StatementPrinter


class DecisionPrinter(StatementPrinter):
    """Prints the functions of decisions, chance events and the end."""

    def __init__(self, program: Program, layout: Layout) -> None:
        super().__init__(program, layout)
        self.faces = len(self.rules.faces)
        self.copies = any(f.copies > 1 for f in self.rules.faces)
        self.labels: dict[int, str] = {}
        self.origins: dict[int, str] = {}
        """Functions that say which zone the first argument of each action is taken from, by decision."""

    def decision(self, node: Decision) -> None:
        """Print all functions of a decision."""
        verbs = [way.action.verb for way in node.open_ways]
        self.labels[node.number] = self.label(node.number, verbs[0] if verbs else node.phase)
        self.stopping(node)
        if node.only is None:
            for alternative in node.ways:
                self.sets_of(alternative)
            self.origins[node.number] = "".join(f"{self.origin(way)}, " for way in node.ways)
        self.legal(node)
        self.apply(node)
        with self.lines.block(f"def prompt_{self.labels[node.number]}(st, v, z):"):
            self.enter(node.span)
            self.lines.add(f"return ({self.words(node.choice.prompt)})")

    def stopping(self, node: Decision | Chance) -> None:
        """Print the function of a node at which a player, or chance, has to choose."""
        with self.lines.block(f"def node_{node.number}(st, v, z):"):
            self.stop(node)

    def origin(self, way: Alternative) -> str:
        """Return a function that gives the place from which the first argument of an action is taken, or None."""
        domain = way.action.args[0].domain if way.action.args else None
        return f"lambda st, v, z: {self.place(domain)}" if isinstance(domain, core.ZoneRef) else "None"

    # ---- coding

    def number(self, stage: Stage, names: dict[Local, str]) -> str:
        """Return the number of a small action of single arguments."""
        terms: list[str] = []
        base, stride = stage.base, 1
        for arg, dim in reversed(list(zip(stage.args, stage.dims, strict=True))):
            text, type_ = names[arg.local], base_of(arg.local.type)
            if isinstance(type_, Card):
                text = f"FACES[{text}]" if self.copies else text
            else:
                base -= range_low(type_) * stride
            terms.insert(0, text if stride == 1 else f"{text} * {stride}")
            stride *= dim
        return " + ".join([str(base), *terms] if base or not terms else terms)

    # ---- sets

    def earlier(self, alternative: Alternative, stage: int) -> list[Local]:
        """Return the arguments in front of a stage."""
        return [a.local for s in alternative.stages[:stage] for a in s.args]

    def sets_of(self, alternative: Alternative) -> None:
        """Print a function for each set of an alternative, its earlier arguments as parameters."""
        last = len(alternative.stages) - 1
        for number, stage in enumerate(alternative.stages):
            if not stage.is_set:
                continue
            arg = stage.args[0]
            names = {local: self.fresh(local) for local in self.earlier(alternative, number)}
            params = ", ".join(["st", "v", "z", *names.values()])
            with self.lines.block(f"def set_{stage.node}({params}):"), self.binding(names):
                self.enter(arg.span)
                self.lines.add(f"cards = sorted({self.value(stage.candidates[0])})")
                chosen = self.set_choice(arg, "cards")
                self.lines.add(f"return {chosen if number == last else self.completed(alternative, number, chosen)}")
            if number < last:
                self.rest_of(alternative, number)

    def completed(self, alternative: Alternative, number: int, chosen: str) -> str:
        """Return a set of which every pick can be completed to a whole action."""
        action, stage = alternative.action, alternative.stages[number]
        place = action.args.index(stage.args[0])
        params = ["st", "v", "z", *(self.local(a) for a in self.earlier(alternative, number))]
        if not joint_arguments.read_later(action, place):
            return f"{chosen} if rest_{stage.node}({', '.join([*params, '()'])}) else Plain([], 1, 0)"
        picked = self.fresh()
        test = f"lambda {picked}: rest_{stage.node}({', '.join([*params, picked])})"
        return f"Completed(st, {chosen}, {test}, {not joint_arguments.weighed_later(action, place)})"

    def rest_of(self, alternative: Alternative, number: int) -> None:
        """Print whether an action can be completed, with its arguments up to a set, and that set, as parameters."""
        names = {local: self.fresh(local) for local in self.earlier(alternative, number + 1)}
        params = ", ".join(["st", "v", "z", *names.values()])
        with (
            self.lines.block(f"def rest_{alternative.stages[number].node}({params}):"),
            self.binding(names),
        ):
            if alternative.stages[number + 1].is_set:
                self.lines.add(f"return {self.set_call(alternative, number + 1)}.possible()")
            else:
                self.lines.add(f"return len({self.singles(alternative, number + 1)}) > 0")

    def set_call(self, alternative: Alternative, number: int) -> str:
        """Return the call of a set's function with the arguments as they are named here."""
        args = [self.local(a) for a in self.earlier(alternative, number)]
        return f"set_{alternative.stages[number].node}({', '.join(['st', 'v', 'z', *args])})"

    def keeps(self, node: Decision) -> bool:
        """Whether the set that is being chosen at a decision is kept in the state."""
        if node.only is not None:
            return node.only.stages[node.stage].is_set
        return [a.stages[0].is_set for a in node.ways].count(True) == 1

    # ---- what is legal

    def legal(self, node: Decision) -> None:
        """Print the function that lists the legal small actions, ascending."""
        with self.lines.block(f"def legal_{self.labels[node.number]}(st, v, z):"):
            self.enter(node.span)
            if node.only is not None:
                self.legal_stage(node, node.only)
                return
            bare = not node.otherwise and all(way.is_bare for way in node.alternatives)
            if bare and node.alternatives:
                self.lines.add(f"return {sorted(way.stages[0].base for way in node.alternatives)}")
                return
            if len(node.alternatives) == 1 and node.otherwise is None and node.alternatives[0].action.only_if is None:
                self.enter(node.alternatives[0].action.span)
                (way,) = node.alternatives
                listed = self.first_stage(node, way)
                # The picks of one set are in order.
                self.lines.add(f"return {listed if way.stages[0].is_set else self.ordered(listed, (way,))}")
                return
            self.lines.add("out = []")
            for way in node.alternatives:
                self.alternative(node, way)
            if node.otherwise is not None:
                with self.lines.block("if not out:"):
                    self.alternative(node, node.otherwise)
            self.lines.add(f"return {self.ordered('out', node.ways)}")

    def legal_stage(self, node: Decision, way: Alternative) -> None:
        """Print the listing of a later stage of an action that was begun."""
        stage = way.stages[node.stage]
        if stage.is_set:
            self.lines.add(f"if st.set_memo is None: st.set_memo = {self.set_call(way, node.stage)}")
            done = stage.base + self.faces
            self.lines.add(f"return st.set_memo.actions(v[PICKED], {stage.base}, {done})")
        else:
            self.lines.add(f"return {self.ordered(self.singles(way, node.stage), (way,))}")

    def ordered(self, listed: str, ways: tuple[Alternative, ...]) -> str:
        """Return a listing in ascending order, each number once."""
        bare = [way.stages[0].base for way in ways if not way.stages[0].args]
        if len(bare) == len(ways) and bare == sorted(bare):
            return listed
        cards = any(isinstance(base_of(a.local.type), Card | Cards) for way in ways for a in way.action.args)
        return f"sorted(set({listed}))" if self.copies and cards else f"sorted({listed})"

    def alternative(self, node: Decision, way: Alternative) -> None:
        """Print the listing of the first stage of an alternative."""
        self.enter(way.action.span)
        only_if, listed = way.action.only_if, self.first_stage(node, way)
        if only_if is None:
            self.lines.add(f"out += {listed}")
            return
        self.stand(only_if.span)
        with self.lines.block(f"if {self.value(only_if)}:"):
            self.lines.add(f"out += {listed}")

    def first_stage(self, node: Decision, way: Alternative) -> str:
        """Return the listing of the first stage of an action; the set of a decision with one set is kept."""
        stage = way.stages[0]
        if not stage.is_set:
            return self.singles(way, 0)
        kept = "keep(st, {})" if self.keeps(node) else "{}"
        return f"{kept.format(self.set_call(way, 0))}.actions((), {stage.base}, {stage.base + self.faces})"

    def singles(self, way: Alternative, number: int) -> str:
        """Return the listing of the single arguments of a stage, those that can be completed, as a comprehension."""
        stage = way.stages[number]
        loops: list[str] = []
        names: dict[Local, str] = {}
        last = number == len(way.stages) - 1
        for arg, candidates in zip(stage.args, stage.candidates, strict=True):
            with self.binding(names):
                self.stand(arg.span if arg.where is None else arg.where.span)
                match candidates:
                    case core.Select(which="all", count=None, binder=binder):
                        with self.each(binder) as (name, loop):
                            loops.append(loop)
                    case _:  # Anything else is gone through as it is.
                        name = self.fresh(arg.local)
                        loops.append(f"for {name} in {self.value(candidates)}")
            names |= {arg.local: name, arg.each: name}
        tests = []
        with self.binding(names):
            if last and way.action.such_that is not None:
                self.stand(way.action.such_that.span)
                tests.append(self.value(way.action.such_that))
            if not last:
                tests.append(f"{self.set_call(way, number + 1)}.possible()")
            code = self.number(stage, names)
        if not loops:
            return f"([{code}] if {' and '.join(tests)} else [])" if tests else f"[{code}]"
        return f"[{code} {' '.join(loops)}{''.join(f' if {test}' for test in tests)}]"

    # ---- applying

    def apply(self, node: Decision) -> None:
        """Print the function that carries out a small action."""
        with self.lines.block(f"def apply_{self.labels[node.number]}(st, v, z, action):"):
            if node.only is not None:
                self.apply_stage(node, node.only, node.stage)
                return
            todo = sorted(node.ways, key=lambda way: way.stages[0].base)
            for way in todo[:-1]:
                with self.lines.block(f"if action < {way.stages[0].base + way.stages[0].size}:"):
                    self.apply_stage(node, way, 0)
            for way in todo[-1:]:
                self.apply_stage(node, way, 0)

    def apply_stage(self, node: Decision, way: Alternative, number: int) -> None:
        """Print what a small action of one stage does."""
        stage = way.stages[number]
        self.enter(way.action.span)
        if stage.is_set:
            self.pick(node, stage)
        else:
            self.take_single(stage)
        if self.keeps(node):
            self.lines.add("st.set_memo = None")
        if number < len(way.stages) - 1:
            self.lines.add(f"st.node = {way.stages[number + 1].node}; return -1")
            return
        secret = node.choice.secretly or node.hidden
        self.lines.add(f"if st.logging: st.chose({self.chosen(way.action)}, {secret})")
        self.go(way.body)

    def take_single(self, stage: Stage) -> None:
        """Print how the arguments of a stage are read from the number of a small action."""
        if len(stage.args) > 1:
            self.lines.add(f"code = {_less('action', stage.base)}")
        stride = stage.size
        for arg, dim in zip(stage.args, stage.dims, strict=True):
            stride //= max(1, dim)
            low = range_low(base_of(arg.local.type))
            part = _less("action", stage.base - low)
            if len(stage.args) > 1:
                part = f"{'code' if stride == 1 else f'code // {stride}'} % {max(1, dim)}" + (
                    f" + {low}" if low else ""
                )
            if isinstance(base_of(arg.local.type), Card) and self.copies:
                part = f"one_of({self.value(arg.domain)}, {part})"
            self.lines.add(f"{self.slot(arg.local)} = {part}")

    def pick(self, node: Decision, stage: Stage) -> None:
        """Print what a pick, or `done`, does."""
        arg, done = stage.args[0], stage.base + self.faces
        begun = node.only is not None
        stay = f"st.node = {stage.node}; return -1"
        with self.lines.block(f"if action != {done}:"):
            card = _less("action", stage.base)
            if self.copies:
                card = f"next_copy({self.value(arg.domain)}, {card}, {'v[PICKED]' if begun else '()'})"
            self.lines.add(f"v[PICKED] = {'v[PICKED] + ' if begun else ''}({card},)")
            most = "" if arg.high is None else f"if len(v[PICKED]) < {self.value(arg.high)}: "
            self.lines.add(f"{most}{stay}")
        if not begun:
            self.lines.add(f"{'' if arg.high is None else 'else: '}v[PICKED] = ()")
        self.lines.add(f"{self.slot(arg.local)} = v[PICKED]")
        self.lines.add("v[PICKED] = ()")

    # ---- chance and the end

    def chance(self, node: Chance) -> None:
        """Print the functions of a chance event."""
        arg, into = node.random.arg, node.random.into
        self.labels[node.number] = label = self.label(node.number, arg.local.name)
        self.stopping(node)
        with self.lines.block(f"def legal_{label}(st, v, z):"):
            self.enter(arg.span)
            binder = core.Binder(arg.local, arg.domain, None, arg.where)
            with self.each(binder) as (name, loop), self.binding({arg.each: name}):
                self.lines.add(f"return [{name} {loop}]")
        with self.lines.block(f"def apply_{label}(st, v, z, action):"):
            self.enter(node.span)
            slot = self.slot(arg.local)
            is_card = isinstance(base_of(arg.local.type), Card)
            self.lines.add(f"{slot} = {f'one_of(legal_{label}(st, v, z), action)' if is_card else 'action'}")
            place = "None"
            if into is not None:
                place = "-1" if into.variable.local else self.index(into.variable, into.index)
            told = f"{self.text(arg.local.name)}, {self.type(arg.local.type)}, {slot}, {place}"
            self.lines.add(f"if st.logging: st.fell({told})")
            # What follows may need a card, and what chance chose is not undone for it.
            self.lines.add(f"return {node.next}")

    def final(self, node: Final) -> None:
        """Print the count of the result."""
        with self.lines.block(f"def node_{node.number}(st, v, z):"):
            values = dict.fromkeys(("score", "returns", "winners", "stakes"), "None")
            for line in self.program.results:
                self.enter(line.value.span)
                self.reach(line.tags)
                self.lines.add(f"{line.what} = {self.result(line)}")
                values[line.what] = line.what
            self.lines.add(f"st.finish({', '.join([str(node.number), *values.values()])})")
            self.lines.add("return -1")

    def result(self, line: ResultLine) -> str:
        """Return the value of a line of the result, a tuple, as text."""
        value = line.value
        if line.player is None:
            if isinstance(base_of(value.type), Player):
                return f"as_tuple({self.value(value)})"
            return f"tuple({self.value(value)}{' or ()' if is_optional(value.type) else ''})"
        name = self.fresh(line.player)
        with self.binding({line.player: name}):
            return f"tuple([{self.value(value)} for {name} in PLAYERS])"


def _less(text: str, number: int) -> str:
    """Return the text of a difference."""
    return text if number == 0 else f"{text} {'-' if number > 0 else '+'} {abs(number)}"
