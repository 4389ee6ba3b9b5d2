"""Print statements, and the nodes in which nobody decides, as Python.

A statement stores its site in `st.at`, then acts; where the state logs, it also records an event.  Each node is a
function that returns the number of the next node, or -1 where the state stops.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.budget import PRINT, spend
from interpreter.analysis.constant_folding import unproved
from interpreter.analysis.core import Phase
from interpreter.analysis.limits import NUMBER_LIMIT
from interpreter.analysis.types import Card, Cards, Int, Sequence, Type, base_of, is_optional
from interpreter.program import nodes
from interpreter.program.flow import single_entry_nodes
from interpreter.program.layout import Layout
from interpreter.program.python.sets import SetPrinter

DEEPEST = 12
"""How deep Python may be indented where one node is printed inside another."""


@attrs.define
class Lines:
    """The lines of a module."""

    text: list[str] = attrs.field(factory=list)
    depth: int = 0

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
        before = len(self.text)
        self.depth += 1
        yield
        if len(self.text) == before:
            self.add("pass")
        self.depth -= 1


class StatementPrinter(SetPrinter):
    """Prints statements and nodes into `lines`.

    A node that one place alone leads to is printed there.  A node that shuffles ends its function: after it cards may
    be needed that nobody has determined, so the machine must be able to undo what follows by itself.
    """

    def __init__(self, program: nodes.Program, layout: Layout) -> None:
        super().__init__(program, layout)
        self.alone = single_entry_nodes(program)
        self.inside: set[int] = set()
        """The nodes that are printed in the function of another one."""
        self.calls = True
        """Whether nodes are called where they are left for: by actions, but not by each other."""
        self.lines = Lines()

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
        self.lines.replace("st.at = ", f"st.at = {self.stand(span)}")

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
            case core.If():
                self.branch(stmt)
            case core.For():
                with self.lines.block(f"for {self.slot(stmt.binder.local)} in {self.going(stmt.binder)}:"):
                    self.block(stmt.body)
            case core.While():
                self.repeat(stmt)
            case core.Spend():
                add(f"st.steps += {stmt.steps}")
                add(f"if st.steps > WATCHED: watched(st, {stmt.steps}, {self.location(stmt.span)})")
            case core.End():
                add("return")
            case core.Move():
                face = repr(stmt.face) if stmt.face else "None"
                by = "None" if stmt.played_by is None else self.value(stmt.played_by)
                where = f"{self.place(stmt.target)}, {self.hint(stmt.cards)}"
                add(f"move(st, z, {self.card_list(stmt.cards)}, {where}, {stmt.at == 'bottom'}, {face}, {by})")
            case core.Deal():
                places = f"{self.place(stmt.origin)}, {self.place(stmt.target)}"
                how = f"{stmt.exactly}, {stmt.at == 'bottom'}, {repr(stmt.face) if stmt.face else 'None'}"
                add(f"deal(st, z, {self.value(stmt.count)}, {places}, {how})")
            case core.Shuffle():
                cards = "None" if stmt.cards is None else self.card_list(stmt.cards)
                add(f"shuffle(st, z, {self.place(stmt.zone)}, {cards})")
            case core.Swap():
                add(f"swap(st, z, {self.place(stmt.first)}, {self.place(stmt.second)})")
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
        """Print words; values that may need an unseen card are read in every play, also in one without events."""
        words = self.words(stmt.parts)
        if all(isinstance(part, str | core.Const | core.LocalRef | core.VarRef) for part in stmt.parts):
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
            value = self.checked(self.value(initial), initial, variable.type)
            for number in range(variable.places):
                place = self.family(variable) + (f" + {number}" if number else "")
                self.lines.add(f"v[{place}] = st.first_value({place}, {value}, {phase is not None})")

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


def _is_closed(origin: core.ZoneRef) -> bool:
    """Whether a place can be computed anywhere: its indices are constants, variables and names of statements."""
    return all(
        isinstance(part, core.Const | core.VarRef | core.Builtin | core.CallDefine | core.LocalRef | core.Op)
        for index in origin.index
        for part in core.walk(index)
    )
