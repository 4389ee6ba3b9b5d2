"""Generate the Python of a game from its optimised program.

Takes a `Program`, gives `Generated`: the text of a module and the objects it refers to.  There is one text for a game:
it plays, and it records events where a state logs.  Texts of a spec never become code; its names do where they are
ASCII identifiers (`interpreter.program.python.expressions`).

A statement stores its site in `st.at`, then acts; where the state logs, it also records an event.  Each node is a
function that returns the number of the next node, or -1 where the state stops.  For each decision there is a function
that lists the legal small actions, one that carries out an action, and one that returns the prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import assert_never

import msgspec

from grammar.source import Span
from interpreter.analysis import core, joint_arguments
from interpreter.analysis.budget import PRINT, spend
from interpreter.analysis.constant_folding import unproved
from interpreter.analysis.core import Define, Phase
from interpreter.analysis.limits import NUMBER_LIMIT
from interpreter.analysis.rules import ResultLine
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Card, Cards, Int, Player, Sequence, Type, base_of, is_optional, range_low
from interpreter.program import nodes
from interpreter.program.layout import Layout
from interpreter.program.nodes import (
    Alternative,
    Auto,
    Chance,
    Decision,
    Entry,
    Final,
    Program,
    Round,
    Stage,
    single_entry_nodes,
)
from interpreter.program.optimise import optimised
from interpreter.program.python.expressions import ExpressionPrinter

DEEPEST = 12
"""How deep Python may be indented where one node is printed inside another."""


class Generated(msgspec.Struct, frozen=True, eq=False):
    """A game as Python text; `tables` are the objects its names refer to."""

    text: str
    tables: dict[str, object]
    layout: Layout


def generate(program: Program) -> Generated:
    """Return the Python of a program."""
    layout = Layout.of(program)
    program = optimised(program, layout)
    printer = ModulePrinter(program, layout)
    for define in program.rules.defines:
        printer.definition(define)
    for phase in program.bodies:
        printer.automatic_phase(phase)
    for node in program.nodes:
        match node:
            case Auto():
                pass
            case Decision():
                printer.decision(node)
            case Chance():
                printer.chance(node)
            case Final():
                printer.final(node)
            case _:
                assert_never(node)
    printer.functions_of_nodes()
    for number, invariant in enumerate(program.invariants):
        with printer.lines.block(f"def invariant_{number}(st, v, z):"):
            printer.enter(invariant.span)
            printer.lines.add(f"return {printer.value(invariant.condition)}")
    with printer.lines.block("def begin_game(st, v, z):"):
        printer.init_state(None)
    for entry in program.entries.values():
        printer.entry(entry)
    printer.listing()
    head = [*(f"{name} = {number}" for name, number in printer.constants.items()), f"PICKED = {layout.picked}", ""]
    return Generated("\n".join([*head, *printer.lines.text]) + "\n", printer.tables, layout)


class Lines(msgspec.Struct):
    """The lines of a module."""

    text: list[str] = msgspec.field(default_factory=list)
    depth: int = 0
    site: int | None = None
    """The site that the lines before have surely stored."""

    def add(self, line: str) -> None:
        """Add a line at the current depth."""
        spend(PRINT)
        self.text.append("    " * self.depth + line)

    def replace(self, start: str, line: str) -> None:
        """Add a line, in place of the last one where that begins alike: the last of two assignments is what counts."""
        if self.text and self.text[-1].startswith("    " * self.depth + start):
            self.text.pop()
        self.add(line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Add a compound statement: its head, and the lines that are added inside the block, or `pass`."""
        self.add(head)
        before, site = len(self.text), self.site
        if head.startswith(("def ", "for ", "while ")):
            self.site = None
        self.depth += 1
        yield
        if len(self.text) == before:
            self.add("pass")
        if head.startswith("def ") or (self.site != site and not self.text[-1].lstrip().startswith("return ")):
            site = None
        self.depth -= 1
        self.site = site


class ModulePrinter(ExpressionPrinter):
    """Prints the functions of a game into `lines`.

    A node that one place alone leads to is printed there.  A node that shuffles ends its function: after it cards may
    be needed that nobody has determined, so the machine must be able to undo what follows by itself.
    """

    def __init__(self, program: nodes.Program, layout: Layout) -> None:
        super().__init__(program, layout)
        self.alone = single_entry_nodes(program)
        self.inside: set[int] = set()
        """The nodes that are printed in the function of another one."""
        self.calls = True
        """Whether a node is called where it is left for: actions call it, nodes return its number."""
        self.lines = Lines()
        self.faces = len(self.rules.faces)
        self.copies = any(f.copies > 1 for f in self.rules.faces)
        self.labels: dict[int, str] = {}
        self.origins: dict[int, str] = {}
        """Functions that say which zone the first argument of each action is taken from, by decision."""
        self.due: dict[int, str] = {}
        """Functions that return the players who decide at once after this one, by decision."""

    # ---- functions and nodes

    def automatic_phase(self, phase: Phase) -> None:
        """Print a phase in which nobody decides as a function."""
        with self.lines.block(f"def {self.phase(phase)}(st, v, z):"):
            self.reach(phase.tags)
            self.init_state(phase)
            self.block(self.program.bodies[phase])

    def auto(self, node: nodes.Auto) -> None:
        """Print a node without decision as a function."""
        self.calls = False
        with self.lines.block(f"def node_{node.number}(st, v, z):"):
            self.carried_out(node)
        self.calls = True

    def carried_out(self, node: nodes.Auto) -> None:
        """Print what a node does, and where it goes."""
        for step in node.steps:
            self.step(step)
        if node.steps and isinstance(node.steps[-1], core.Shuffle):
            assert isinstance(node.exit, nodes.Jump)
            self.lines.add(f"return {node.exit.target}")
        else:
            self.exit(node)

    def goes_on(self, target: int) -> bool:
        """Say whether a node is printed where it is left for."""
        node = self.program.nodes[target]
        if self.lines.depth > DEEPEST:
            return False
        returns = isinstance(node, nodes.Auto) and not node.steps and isinstance(node.exit, nodes.Return)
        return (
            isinstance(node, nodes.Decision | nodes.Chance)
            or (isinstance(node, nodes.Auto) and target in self.alone)
            or returns
        )

    def go(self, target: int) -> None:
        """Print how a play goes on at a node."""
        node = self.program.nodes[target]
        if isinstance(node, nodes.Final) or not self.goes_on(target):
            self.lines.add(f"return {f'node_{target}(st, v, z)' if self.calls else target}")
        elif isinstance(node, nodes.Auto):
            self.inside |= {target} & self.alone
            self.carried_out(node)
        else:
            self.stop(node)

    def exit(self, node: nodes.Auto) -> None:
        """Print where a node goes."""
        add = self.lines.add
        match node.exit:
            case nodes.Jump(target):
                self.go(target)
            case nodes.Branch(condition, then, otherwise):
                self.enter(condition.span)
                with self.lines.block(f"if {self.value(condition)}:"):
                    self.go(then)
                self.go(otherwise)
            case nodes.Next():
                self.next(node.exit)
            case nodes.Call(phase, args, back):
                self.call_phase(phase, args, back, node.span)
                self.go(self.program.phase_entries[phase])
            case nodes.Return(phase):
                add(f"return {self.return_slot(phase)}")
            case nodes.EndOfRound(target, final):
                add(f"return {final} if st.too_long else {target}")
            case _:
                assert_never(node.exit)

    def stop(self, node: nodes.Decision | nodes.Chance) -> None:
        """Print how a state stops at a node where a player, or chance, has to choose."""
        if isinstance(node, nodes.Decision):
            self.enter(node.span)
        actor = "-1" if isinstance(node, nodes.Chance) else self.value(node.choice.player)
        self.lines.add(f"st.to_act = {actor}; st.node = {node.number}")
        self.lines.add("return -1")

    def call_phase(self, phase: Phase, args: tuple[core.Expr, ...], back: int, span: Span) -> None:
        """Print the arguments of a phase, and its return address: for one that cannot stop, the site of its call."""
        self.enter(span)
        if args:
            params = ", ".join(map(self.slot, phase.params))
            self.lines.add(f"{params} = {', '.join(map(self.value, args))}")
        self.lines.add(f"{self.return_slot(phase)} = {back}")

    def enter(self, span: Span) -> None:
        """Print that a statement begins."""
        if self.lines.site != self.stand(span):
            self.lines.replace("st.at = ", f"st.at = {self.at}")
            self.lines.site = self.at

    def reach(self, tags: tuple[str, ...]) -> None:
        """Print that rules were reached."""
        if tags:
            self.lines.add(f"if st.logging: st.reach({self.table(('tags', tags), tags, 'tags')})")

    def block(self, block: tuple[core.Stmt, ...]) -> None:
        """Print statements."""
        for stmt in block:
            self.statement(stmt)

    # ---- steps

    def step(self, step: nodes.Step) -> None:
        """Print one step of a node."""
        if isinstance(step, nodes.InitState):
            self.init_state(step.phase)
        elif isinstance(step, nodes.Reach):
            self.reach(step.tags)
        elif isinstance(step, nodes.Reveal):
            self.enter(step.span)
            player = self.slot(step.player)
            self.lines.add(f"if st.logging: st.revealed({player}, {self.chosen(step.action)})")
        else:
            self.statement(step)

    def statement(self, stmt: core.Stmt) -> None:
        """Print a statement in which nobody decides."""
        add = self.lines.add
        self.enter(stmt.span)
        if not isinstance(stmt, core.If):
            self.reach(stmt.tags)
        match stmt:
            case core.Let():
                add(f"{self.slot(stmt.local)} = {self.given(stmt.value)}")
            case core.Begin():
                self.begin_variable(stmt)
            case core.Assign():
                self.assign(stmt)
            case core.CallPhase():
                self.call_phase(stmt.phase, stmt.args, self.at, stmt.span)
                add(f"{self.phase(stmt.phase)}(st, v, z)")
                self.lines.site = None
            case core.If():
                self.branch(stmt)
            case core.For():
                with self.lines.block(f"for {self.slot(stmt.binder.local)} in {self.going(stmt.binder)}:"):
                    self.block(stmt.body)
            case core.While():
                self.repeat(stmt)
            case core.Spend():
                add(f"st.steps += {stmt.steps}")
                add(f"if st.steps > PROFILED: profiled(st, {stmt.steps}, {self.location(stmt.span)})")
            case core.Fail():
                add(f"fail({stmt.code!r}, {stmt.message!r}, {self.at})")
            case core.End():
                add("return")
            case core.Move():
                face = repr(stmt.face) if stmt.face else "None"
                by = "None" if stmt.played_by is None else self.value(stmt.played_by)
                where = f"{self.place(stmt.target)}, {self.hint(stmt.cards)}"
                add(f"move(st, z, {self.card_list(stmt.cards)}, {where}, {self.spot(stmt.at)}, {face}, {by})")
            case core.Deal():
                places = f"{self.place(stmt.origin)}, {self.place(stmt.target)}"
                how = f"{stmt.exactly}, {self.spot(stmt.at)}, {repr(stmt.face) if stmt.face else 'None'}"
                add(f"deal(st, z, {self.value(stmt.count)}, {places}, {how})")
            case core.Shuffle():
                cards = "None" if stmt.cards is None else self.card_list(stmt.cards)
                add(f"shuffle(st, z, {self.place(stmt.zone)}, {cards})")
            case core.Swap():
                add(f"rotate(st, z, [{self.place(stmt.first)}, {self.place(stmt.second)}])")
            case core.Rotate():
                with self.each(stmt.binder) as (_, loop):
                    places = f"[{self.place(stmt.zone)} {loop}]"
                add(f"rotate(st, z, {places}{'' if stmt.left else '[::-1]'})")
            case core.Turn():
                add(f"turn(st, {self.card_list(stmt.cards)}, {stmt.face == 'up'})")
            case core.Show():
                to = "None" if stmt.to is None else self.value(stmt.to)
                add(f"show(st, {self.card_list(stmt.cards)}, {to})")
            case core.Say():
                self.say(stmt)
            case core.Choice() | core.Random() | core.InTurn() | core.AtOnce() | core.Reopen() | core.Together():
                raise AssertionError(f"{stmt} stops in the middle, or has been desugared")
            case _:
                assert_never(stmt)

    def given(self, value: core.Expr) -> str:
        """Return the value of a name; a list of cards is copied, since moves change the lists of zones."""
        if isinstance(value, core.Select) and value.which == "all" and isinstance(value.type, Sequence):
            return self.kept(value.binder)
        copied = isinstance(value.type, Cards) and not isinstance(value, core.Select | core.Op)
        return f"list({self.value(value)})" if copied else self.value(value)

    def say(self, stmt: core.Say) -> None:
        """Print words; values that may need an unseen card, fail or count steps are read in every play."""
        words, is_total = self.words(stmt.parts), self.totality[True].is_total
        if all(isinstance(part, str | core.LocalRef) or is_total(part) for part in stmt.parts):
            self.lines.add(f"if st.logging: st.say(({words}))")
            return
        self.lines.add(f"words = ({words})")
        self.lines.add("if st.logging: st.say(words)")

    def init_state(self, phase: Phase | None) -> None:
        """Print the first values of the variables of a phase, or of the game."""
        name = None if phase is None else phase.name
        for variable in self.program.rules.variables:
            if variable.phase != name:
                continue
            self.enter(variable.span)
            initial = self.program.initial[variable]
            self.lines.add(f"x = {self.checked(self.value(initial), initial, variable.type)}")
            for number in range(variable.places):
                place = self.family(variable) + (f" + {number}" if number else "")
                self.lines.add(f"v[{place}] = st.first_value({place}, x, {phase is not None}) if st.logging else x")

    def begin_variable(self, stmt: core.Begin) -> None:
        """Print the first value of a local variable, at all its indices."""
        variable, place = stmt.variable, self.family(stmt.variable)
        value = self.checked(self.value(stmt.value), stmt.value, variable.type)
        if variable.indices:
            self.lines.add(f"v[{place}:{place} + {variable.places}] = [{value}] * {variable.places}")
        else:
            self.lines.add(f"v[{place}] = {value}")

    def checked(self, text: str, expr: core.Expr, wanted: Type) -> str:
        """Return a value with a check of its range, where its type does not promise it."""
        checked = unproved(expr, wanted)
        return text if checked is None else self.bounded(text, checked)

    def assign(self, stmt: core.Assign) -> None:
        """Print an assignment."""
        add = self.lines.add
        place, kind = self.index(stmt.variable, stmt.index), stmt.variable.type
        if stmt.index and not isinstance(stmt.index[0], core.Const | core.LocalRef):
            add(f"place = {place}")
            place = "place"
        if stmt.op == "=":
            text = self.checked(self.value(stmt.value), stmt.value, kind)
        elif isinstance(kind, Int) and not is_optional(stmt.value.type):
            low = -NUMBER_LIMIT if kind.low is None else kind.low
            high = NUMBER_LIMIT if kind.high is None else kind.high
            add(f"x = v[{place}] {stmt.op[0]} {self.value(stmt.value)}")
            add(f"if not {low} <= x <= {high}: {self.bounded('x', kind)}")
            text = "x"
        else:
            text = self.bounded_sum(f"v[{place}] {stmt.op[0]} {self.value(stmt.value)}", kind)
        if stmt.variable.local:
            add(f"v[{place}] = {text}")
            return
        if text != "x":
            add(f"x = {text}")
        add(f"if st.logging: st.set_value({place}, x)")
        add(f"v[{place}] = x")

    def bounded_sum(self, text: str, kind: Type) -> str:
        """Return a sum with a check of its range, where it is a number."""
        return self.bounded(text, kind) if isinstance(kind, Int) else text

    def branch(self, stmt: core.If) -> None:
        """Print a branch; the tags of a case are reached inside it."""
        self.stand(stmt.condition.span)
        with self.lines.block(f"if {self.value(stmt.condition)}:"):
            self.reach(stmt.tags)
            self.block(stmt.then)
        if stmt.otherwise:
            with self.lines.block("else:"):
                self.block(stmt.otherwise)

    def repeat(self, stmt: core.While) -> None:
        """Print a loop."""
        self.stand(stmt.condition.span)
        condition = self.value(stmt.condition) if stmt.first else "True"
        with self.lines.block(f"while {condition}:"):
            self.block(stmt.body)
            self.enter(stmt.span)
            if not stmt.first:
                self.stand(stmt.condition.span)
                self.lines.add(f"if {self.negation(stmt.condition)}: break")

    # ---- loops that can stop

    def next(self, leave: nodes.Next) -> None:
        """Print the head of a loop: take the first item of its queue, or leave where it is empty."""
        queue = self.slot(leave.queue)
        self.lines.add(f"queue = {queue}")
        with self.lines.block("if not queue:"):
            self.go(leave.done)
        self.lines.add(f"{self.slot(leave.local)}, {queue} = queue[0], queue[1:]")
        self.go(leave.body)

    def round(self, step: nodes.Round, argument: int | None) -> None:
        """Print how a play starts in a round of a loop: that of an argument of the phase, a given one, or the first."""
        local, rest = self.slot(step.local), self.slot(step.rest)
        item = f"rounds.get({step.local.number})"
        if argument is not None:
            item = f"args[{argument}] if args else {item}"
        self.lines.add(f"{local}, rest = round_of({self.value(step.items)}, {item}, {step.cyclic})")
        self.lines.add(f"{rest} = rest{'.start' if isinstance(step.rest.type, Int) else ''}")

    # ---- effects

    def chosen(self, action: core.Action) -> str:
        """Return the verb and the arguments of an action, as the log takes them."""
        args = "".join(f"({self.type(a.local.type)}, {self.slot(a.local)}), " for a in action.args)
        return f"{self.text(action.verb)}, ({args})"

    def type(self, type_: Type) -> str:
        """Return the name of a type."""
        return self.table(("type", type_), type_, "type")

    def words(self, parts: tuple[str | core.Expr, ...]) -> str:
        """Return a tuple's inside: texts as tables, values with the type that says how to write them."""
        return "".join(
            f"{self.text(part)}, " if isinstance(part, str) else f"({self.type(part.type)}, {self.value(part)}), "
            for part in parts
        )

    def card_list(self, expr: core.Expr) -> str:
        """Return a list of cards, from cards or one card that may be absent; those of a zone need not be known."""
        if isinstance(expr, core.ZoneRef):
            return f"z[{self.place(expr)}]"
        text = self.value(expr)
        if is_optional(expr.type):
            return f"({text} or ())" if isinstance(base_of(expr.type), Cards) else f"as_list({text})"
        return f"({text},)" if isinstance(expr.type, Card) else text

    def hint(self, expr: core.Expr) -> str:
        """Return where the cards most likely lie: the zone they were chosen or selected from."""
        origin = self.layout.origin_of(expr)
        return "0" if origin is None or not _is_closed(origin) else self.place(origin)

    # ---- decisions

    def decision(self, node: Decision) -> None:
        """Print all functions of a decision."""
        verbs = [way.action.verb for way in node.open_ways]
        self.labels[node.number] = self.label(node.number, verbs[0] if verbs else node.phase)
        self.stopping(node)
        if node.only is None:
            for alternative in node.ways:
                self.sets_of(alternative)
            self.origins[node.number] = "".join(f"({self.origins_of(way)}), " for way in node.ways)
            if node.due is not None:
                self.due[node.number] = f"lambda v: {self.slot(node.due)}"
        self.legal(node)
        self.apply(node)
        with self.lines.block(f"def prompt_{self.labels[node.number]}(st, v, z):"):
            self.enter(node.span)
            self.lines.add(f"return ({self.words(node.choice.prompt)})")

    def stopping(self, node: Decision | Chance) -> None:
        """Print the function of a node at which a player, or chance, has to choose."""
        with self.lines.block(f"def node_{node.number}(st, v, z):"):
            self.stop(node)

    def origins_of(self, way: Alternative) -> str:
        """Return, for each argument of an action, a function that gives the place of its cards, or None.

        A place that depends on other arguments has none.
        """
        chosen = {arg.local for arg in way.action.args}
        origins = [joint_arguments.undiminished(arg.domain) for arg in way.action.args]
        return "".join(
            f"lambda st, v, z: {self.place(zone)}, "
            if isinstance(zone, core.ZoneRef) and chosen.isdisjoint(core.names_of(zone)) else "None, "
            for zone in origins
        )  # fmt: skip

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
                alone = number == last and alternative.action.such_that is None
                self.lines.add(f"return {chosen if alone else self.completed(alternative, number, chosen)}")
            if not alone:
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
            such_that = alternative.action.such_that
            if number == len(alternative.stages) - 1:
                assert such_that is not None
                self.stand(such_that.span)
                self.lines.add(f"return {self.value(such_that)}")
            elif alternative.stages[number + 1].is_set:
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
        """Return the listing of the single arguments of a stage, those that can be completed."""
        candidates = way.stages[number].candidates
        if len(candidates) == 1:
            return self.parted(candidates[0], lambda part: self.combined(way, number, (part,)))
        return self.combined(way, number, candidates)

    def parted(self, candidates: core.Expr, listed: Callable[[core.Expr], str]) -> str:
        """Return a listing of candidates, with a listing for each group that they are chosen from by a test."""
        match candidates:
            case core.Builtin(name="logged"):
                return self.in_two_forms(candidates, lambda form: self.parted(form, listed))
            case core.Chain(alternatives=((None, only),), tags=()):
                return self.parted(only, listed)
            case core.Chain(alternatives=((test, first), *others), tags=()) if test is not None and others:
                other = core.evolved(candidates, alternatives=tuple(others))
                return f"({self.parted(first, listed)} if {self.value(test)} else {self.parted(other, listed)})"
        return listed(candidates)

    def combined(self, way: Alternative, number: int, groups: tuple[core.Expr, ...]) -> str:
        """Return the listing of the combinations of single arguments that can be completed, as a comprehension."""
        stage = way.stages[number]
        loops: list[str] = []
        names: dict[Local, str] = {}
        whole = ""  # All of what a single argument is chosen from.
        last = number == len(way.stages) - 1
        for arg, candidates in zip(stage.args, groups, strict=True):
            with self.binding(names):
                self.stand(arg.span if arg.where is None else arg.where.span)
                if isinstance(candidates, core.Select) and candidates.which == "all" and candidates.count is None:
                    binder = candidates.binder
                    with self.each(binder) as (name, loop):
                        loops.append(loop)
                    whole = self.domain(binder) if binder.where is None and not binder.before else ""
                else:
                    name = self.fresh(arg.local)
                    whole = self.value(candidates)
                    loops.append(f"for {name} in {whole}")
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
        if whole and len(loops) == 1 and not tests and code == name:
            return f"[*{whole}]"
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
        self.advance(node, way, number)

    def advance(self, node: Decision, way: Alternative, number: int) -> None:
        """Print where an action goes when a stage is complete, as a later set of no cards is at once."""
        if number < len(way.stages) - 1:
            following = way.stages[number + 1]
            most = following.upper_bound
            more = "" if most is None else f"if {self.value(most)} > 0: "
            self.lines.add(f"{more}st.node = {following.node}; return -1")
            if most is not None:
                self.lines.add(f"{self.slot(following.args[0].local)} = ()")
                self.advance(node, way, number + 1)
            return
        secret = node.is_secret
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
            event = f"{self.text(arg.local.name)}, {self.type(arg.local.type)}, {slot}, {place}"
            self.lines.add(f"if st.logging: st.fell({event})")
            # The next node may need a card and be undone; the outcome of chance must stay.
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

    # ---- the rest of the module

    def functions_of_nodes(self) -> None:
        """Print the nodes without decision that are functions of their own, not part of another one."""
        printed: set[int] = set()
        left = [node for node in self.program.nodes if isinstance(node, Auto)]
        first = [n for n in left if n.number not in self.alone]
        # Those that follow a shuffle, or would be indented too deeply inside others, are functions after all.
        while todo := [n for n in first or left if n.number not in printed | self.inside]:
            printed.add(todo[0].number)
            self.auto(todo[0])
            first = [n for n in first if n.number not in printed]

    def definition(self, define: Define) -> None:
        """Print a definition as a function."""
        lines, body = self.lines, self.program.definitions[define]
        names = {p: self.fresh(p) for p in (*define.params, *(local for local, _ in body.lets))}
        params = ", ".join(["st", "v", "z", *(names[p] for p in define.params)])
        with lines.block(f"def {self.define(define)}({params}):"), self.binding(names):
            self.reach(define.declaration.tags)
            for let, (local, value) in zip(define.declaration.lets, body.lets, strict=True):
                self.reach(let.tags)
                self.stand(value.span)
                lines.add(f"{names[local]} = {self.value(value)}")
            self.stand(body.value.span)
            if isinstance(body.value, core.Chain) and any(body.value.tags):
                self.tagged_chain(body.value)
            else:
                lines.add(f"return {self.value(body.value)}")

    def tagged_chain(self, chain: core.Chain) -> None:
        """Print a chain whose alternatives reach rules; one with a condition is final when that holds."""
        lines = self.lines
        for (condition, value), tags in zip(chain.alternatives, chain.tags, strict=True):
            self.stand(value.span)
            if condition is None:
                lines.add(f"found = {self.value(value)}")
                with lines.block("if found is not None:"):
                    self.reach(tags)
                    lines.add("return found")
            else:
                with lines.block(f"if {self.value(condition)}:"):
                    self.reach(tags)
                    lines.add(f"return {self.value(value)}")
        lines.add("return None")

    def entry(self, entry: Entry) -> None:
        """Print how to be at the beginning of a phase; `args` None means those of its call.

        A loop whose item is an argument of the phase is in its round; others are in the first one, or in that of the
        item that `rounds` has by the number of its name.
        """
        lines = self.lines
        with lines.block(f"def begin_{entry.phase.number}(st, v, z, args, rounds):"):
            for steps, call, back in entry.path:
                for step in steps:
                    if isinstance(step, Round):
                        self.round(step, _given(entry, call, step))
                    else:
                        self.step(step)
                if call.phase is not entry.phase:
                    self.call_phase(call.phase, call.args, back, call.span)
                    self.init_state(call.phase)
                    continue
                with lines.block("if args is None:"):
                    self.call_phase(call.phase, call.args, back, call.span)
                with lines.block("else:"):
                    for number, param in enumerate(call.phase.params):
                        lines.add(f"{self.slot(param)} = args[{number}]")
                    lines.add(f"{self.return_slot(call.phase)} = {back}")
            lines.add(f"return {self.program.phase_entries[entry.phase]}")

    def listing(self) -> None:
        """Print the tables of functions by node."""

        def table(name: str, functions: dict[int, str]) -> None:
            listed = "".join(f"{functions.get(number)}, " for number in range(len(self.program.nodes)))
            self.lines.add(f"{name} = ({listed})")

        labels, stops = self.labels, {n.number for n in self.program.nodes if isinstance(n, Decision)}
        table("RUN", {n: f"node_{n}" for n in range(len(self.program.nodes)) if n not in self.inside})
        table("LEGAL", {number: f"legal_{label}" for number, label in labels.items()})
        table("APPLY", {number: f"apply_{label}" for number, label in labels.items()})
        table("PROMPT", {number: f"prompt_{label}" for number, label in labels.items() if number in stops})
        self.lines.add(
            "INVARIANTS = (" + "".join(f"invariant_{i}, " for i in range(len(self.program.invariants))) + ")"
        )
        starts = ", ".join(f"{e.phase.number}: begin_{e.phase.number}" for e in self.program.entries.values())
        self.lines.add(f"BEGIN = {{{starts}}}")
        self.lines.add("ORIGINS = {" + "".join(f"{n}: ({found}), " for n, found in self.origins.items()) + "}")
        if self.due:
            self.lines.add("DUE = {" + ", ".join(f"{n}: {found}" for n, found in self.due.items()) + "}")


def _given(entry: Entry, call: core.CallPhase, step: Round) -> int | None:
    """Return which argument of a phase is the item of a round around its call."""
    for number, arg in enumerate(call.args if call.phase is entry.phase else ()):
        if isinstance(arg, core.LocalRef) and arg.local is step.local:
            return number
    return None


def _is_closed(origin: core.ZoneRef) -> bool:
    """Whether a place can be computed anywhere: its indices are constants, variables and names of statements."""
    return all(
        isinstance(part, core.Const | core.VarRef | core.Builtin | core.CallDefine | core.LocalRef | core.Op)
        for index in origin.index
        for part in core.walk(index)
    )


def _less(text: str, number: int) -> str:
    """Return the text of a difference."""
    return text if number == 0 else f"{text} {'-' if number > 0 else '+'} {abs(number)}"
