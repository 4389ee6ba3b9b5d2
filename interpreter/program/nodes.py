"""The nodes of a program: the state machine of a game.

A program is a list of nodes, numbered from 0.  An `Auto` node runs statements without a decision, then continues at its
exit.  A `Decision` stops for a player, a `Chance` for a chance event, a `Final` for good.  No phase calls itself (its
levels are phases), so each has one slot for its return address and one set of variables: a state is one flat list.

Sites are the numbered places of a program, for faults, provenance, leak reports and coverage.  Generated code stores
the number of the statement that it runs (`st.at = 17`), so a fault or an event has its place without a search in the
generated text.  Numbers follow the order of the rules, so they are the same for each compilation of a spec and for all
printers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import prod

import msgspec

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.graphs import reachable
from interpreter.analysis.rules import Invariant, ResultLine, Rules
from interpreter.analysis.symbols import Local
from interpreter.program.action_blocks import ActionBlock


class Sites(core.Record):
    """The places in the spec that a report can name; the number of a site is its position in `spans`."""

    spans: tuple[Span, ...]
    _numbers: dict[Span, int]

    @classmethod
    def of(cls, rules: Rules) -> Sites:
        """Number the statements, actions, arguments, definitions, result lines and invariants of a game.

        The expressions directly in them have sites of their own.
        """
        numbers: dict[Span, int] = {}
        for span in _spans(rules):
            numbers.setdefault(span, len(numbers))
        return cls(tuple(numbers), numbers)

    def number(self, span: Span) -> int:
        """Return the number of a place in the spec: its own, or that of the innermost site around it."""
        if span not in self._numbers:
            self._numbers[span] = min(
                (n for n, site in enumerate(self.spans) if _contains(site, span)),
                key=lambda n: self.spans[n].end - self.spans[n].start,
                default=0,
            )
        return self._numbers[span]


def _contains(outer: Span, inner: Span) -> bool:
    return outer.source.name == inner.source.name and outer.start <= inner.start and inner.end <= outer.end


def _spans(rules: Rules) -> Iterator[Span]:
    yield rules.play.span
    for define in rules.defines:
        for body in define.bodies:
            yield body.span
            if isinstance(body, core.Chain):
                yield from (part.span for link in body.alternatives for part in link if part is not None)
    for phase in rules.every_phase:
        yield phase.span
        for stmt in core.statements_of(phase):
            yield stmt.span
            yield from (part.span for part in core.children(stmt))
            if isinstance(stmt, core.Choice):
                yield from (action.span for action in core.all_actions(stmt))
            yield from (arg.span for arg in core.arguments(stmt))
    yield from (variable.span for variable in (*rules.variables, *rules.local_variables))
    for line in rules.results:
        yield from (line.span, line.value.span)
    for invariant in rules.invariants:
        yield from (invariant.span, invariant.condition.span)


class InitState(core.Record):
    """Give the variables of a phase (None: of the game) their first values."""

    phase: Phase | None
    span: Span


class Reveal(core.Record):
    """Record what a player decided before, when it takes effect."""

    player: Local
    action: core.Action
    span: Span


class Reach(core.Record):
    """Note that rules were reached."""

    tags: tuple[str, ...]


Step = core.Stmt | InitState | Reveal | Reach


class Jump(core.Record):
    """Go on at a node."""

    target: int


class Branch(core.Record):
    """Go on at one of two nodes."""

    condition: core.Expr
    then: int
    otherwise: int


class Next(core.Record):
    """Take the first item of a queue and go to the body of a loop; leave the loop where the queue is empty."""

    queue: Local
    local: Local
    body: int
    done: int


class Call(core.Record):
    """Carry out a phase and come back at a node."""

    phase: Phase
    args: tuple[core.Expr, ...]
    back: int


class Return(core.Record):
    """Go back to where a phase was called."""

    phase: Phase


class EndOfRound(core.Record):
    """Go on to the next round; a play that is to be cut short ends here."""

    target: int
    final: int


Exit = Jump | Branch | Next | Call | Return | EndOfRound


class Auto(msgspec.Struct, eq=False):
    """Statements without decisions, then an exit."""

    number: int
    steps: list[Step]
    exit: Exit
    span: Span
    shared: bool = False


class Stage(core.Record):
    """A part of an action that is one small action: single arguments together, or the picks of one set.

    `node` is the decision at which the stage is met (the choice itself for the first).  `base` is the
    number of its first small action, `dims` the sizes of its arguments; for a set there is one small
    action for each face and one more for `done`.  `candidates` are what each argument can be, its condition
    included.
    """

    args: tuple[core.Arg, ...]
    candidates: tuple[core.Expr, ...]
    is_set: bool
    node: int
    base: int
    dims: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many small actions the stage has."""
        return prod(self.dims)

    @property
    def upper_bound(self) -> core.Expr | None:
        """The greatest number of cards of a set, if it can be 0 (then the set is complete at once); otherwise None."""
        high = self.args[0].high if self.is_set else None
        return None if isinstance(high, core.Const) and (high.value or 0) > 0 else high


class Alternative(core.Record):
    """An action of a choice, cut into stages, and the node of its effect."""

    action: core.Action
    stages: tuple[Stage, ...]
    body: int

    @property
    def is_bare(self) -> bool:
        """Whether the action has no arguments and no conditions."""
        return not self.action.args and self.action.only_if is None and self.action.such_that is None


class Decision(core.Record, kw_only=True):
    """A player decides.

    In a decision at once `due` is the queue of the players who decide after this one, so that it is `hidden` from them.
    `ways` are all actions: the `alternatives`, and last the one for when no other is possible (`otherwise`).  `only` is
    the alternative whose later stage (`stage`) this is, or None; `open_ways` are the ways to go on: all, or that one.
    """

    number: int
    choice: core.Choice
    span: Span
    alternatives: tuple[Alternative, ...]
    otherwise: Alternative | None
    ways: tuple[Alternative, ...]
    open_ways: tuple[Alternative, ...]
    phase: str
    only: Alternative | None = None
    stage: int = 0
    due: Local | None = None

    @property
    def actions(self) -> range:
        """The numbers from the first to the last small action that can be legal here."""
        stages = [way.stages[self.stage] for way in self.open_ways]
        return range(min(stage.base for stage in stages), max(stage.base + stage.size for stage in stages))

    @property
    def hidden(self) -> bool:
        """Whether the others learn nothing of the decision until all have decided."""
        return self.due is not None

    @property
    def is_secret(self) -> bool:
        """Whether the others see only that the decision is made, at least until all have decided."""
        return self.choice.secretly or self.hidden


class Chance(core.Record):
    """Chance chooses one argument."""

    number: int
    random: core.Random
    next: int
    span: Span


class Final(core.Record):
    """The game is over; the result is counted."""

    number: int
    span: Span


Node = Auto | Decision | Chance | Final


class Round(core.Record):
    """A round of a loop in which a play can start: that of one of `items`, after which `rest` holds those that follow.

    Where `rest` is a number, it is the next item.  In a loop that is `cyclic` the items before this one follow too.
    """

    local: Local
    items: core.Expr
    rest: Local
    cyclic: bool


class Entry(msgspec.Struct, eq=False):
    """How to start in the middle: the calls that lead from `play` to a phase, one for each phase on the way.

    With each call are the steps before it, the rounds of the loops around it, and the node that it returns to.
    """

    phase: Phase
    path: tuple[tuple[tuple[Step | Round, ...], core.CallPhase, int], ...]


class Definition(core.Record):
    """The body of a definition: the values of its names, and its own."""

    lets: tuple[tuple[Local, core.Expr], ...]
    value: core.Expr


class Program(msgspec.Struct, eq=False):
    """A game as a state machine; `sites` are the numbered places of its rules.

    `bodies` are those of the phases in which nobody decides.  `cells` are the variables that lowering adds: they keep
    the decisions of a choice `at once` until all players have decided.
    """

    rules: Rules
    sites: Sites
    nodes: tuple[Node, ...]
    entry: int
    final: int
    phase_entries: dict[Phase, int]
    bodies: dict[Phase, tuple[core.Stmt, ...]]
    definitions: dict[Define, Definition]
    results: tuple[ResultLine, ...]
    invariants: tuple[Invariant, ...]
    initial: dict[Variable, core.Expr]
    shapes: tuple[ActionBlock, ...]
    num_actions: int
    cells: tuple[Variable, ...]
    entries: dict[str, Entry]

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables in the order of their numbers: of the game and its phases, of blocks, and the cells."""
        return (*self.rules.variables, *self.rules.local_variables, *self.cells)

    def steps(self) -> Iterator[Step]:
        """Give the steps of all nodes."""
        return (step for node in self.nodes if isinstance(node, Auto) for step in node.steps)

    @property
    def automatic(self) -> frozenset[Phase]:
        """The phases in which nobody decides."""
        return frozenset(self.bodies)


# ---- control flow: which nodes a play may still reach, and which only one place leads to


def single_entry_nodes(program: Program) -> frozenset[int]:
    """Return the nodes that exactly one place of the program leads to, and no phase begins or goes on at."""
    places: Counter[int] = Counter()
    for node in program.nodes:
        if isinstance(node, Auto) and isinstance(node.exit, Call):
            places.update([node.exit.back] * 2)  # A number in the state leads there.
        elif isinstance(node, Decision):
            places.update(_bodies(node))
        elif not (isinstance(node, Auto) and isinstance(node.exit, Return)):
            places.update(target for target, _ in _following(program, node.number, called=False))
    entries = {program.entry, program.final, *program.phase_entries.values()}
    return frozenset(number for number, count in places.items() if count == 1) - entries


def _bodies(node: Decision) -> list[int]:
    """Return where the actions of a decision lead to at once, each as often as it is printed."""
    if node.only is not None:
        return [node.only.body] if node.stage == len(node.only.stages) - 1 else []
    return [way.body for way in node.ways if len(way.stages) == 1]


def ahead(program: Program, start: int) -> frozenset[int]:
    """Return the nodes that a play may still reach from a node on, that one too: a depth-first search.

    What is called from there comes back to where it was called; only phases that were at work before, whose caller a
    node does not know, may come back to any of their callers.
    """
    seen = reachable([(start, False)], lambda place: _following(program, place[0], called=place[1]))
    return frozenset(number for number, _ in seen)


def _following(program: Program, number: int, *, called: bool) -> list[tuple[int, bool]]:
    """Return the nodes after a node, each with whether its phase was called on the way."""
    match program.nodes[number]:
        case Auto(exit=Call(phase, _, back)):
            return [(program.phase_entries[phase], True), (back, called)]
        case Auto(exit=Return(phase)):
            exits = [node.exit for node in program.nodes if isinstance(node, Auto)]
            backs = [leave.back for leave in exits if isinstance(leave, Call) and leave.phase is phase]
            targets = [] if called else backs
        case Auto(exit=Jump(target)):
            targets = [target]
        case Auto(exit=Branch(_, then, otherwise)):
            targets = [then, otherwise]
        case Auto(exit=Next(_, _, body, done)):
            targets = [body, done]
        case Auto(exit=EndOfRound(target, final)):
            targets = [target, final]
        case Decision() as node:
            targets = [target for way in node.open_ways for target in (way.body, *(s.node for s in way.stages))]
        case Chance() as node:
            targets = [node.next]
        case Final() | Auto():
            targets = []
    return [(target, called) for target in targets]
