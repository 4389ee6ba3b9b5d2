"""Lowering: checked rules become the state machine.

Takes `Rules`, gives a `Program`.  Statements in which nobody decides stay whole (they become plain
Python); only what can stop in the middle is cut into nodes: decisions, chance, calls of phases that
contain them, and loops and branches around these.  A shuffle ends its node, so that what it hides is
known to be hidden from the next node on.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import is_
from typing import assert_never

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.budget import PASS, spend
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.limits import RANGE_LIMIT
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Bool, Card, Int, Nothing, Player, Sequence, Type, base_of, optional, size_of
from interpreter.program.action_blocks import ActionBlock
from interpreter.program.facts import is_players
from interpreter.program.nodes import (
    Alternative,
    Auto,
    Branch,
    Call,
    Chance,
    Decision,
    Definition,
    EndOfRound,
    Entry,
    Exit,
    Final,
    InitState,
    Jump,
    Next,
    Node,
    Program,
    Reach,
    Return,
    Reveal,
    Round,
    Sites,
    Stage,
    Step,
)


def lower(rules: Rules) -> Program:
    """Return the state machine of checked rules."""
    return _Lowering(rules).program()


def dimension(rules: Rules, type_: Type) -> int:
    """Return how many values an argument of a type can have, cards counted by face."""
    match base_of(type_):
        case Card():
            return len(rules.faces)
        case Player():
            return rules.num_players
        case Int() as numbers:
            return size_of(numbers) or 1
        case other:
            return size_of(other) or 1


class _Lowering:
    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.nodes: list[Node | None] = []
        self.live = {phase: tuple(_live(phase.body)) for phase in rules.every_phase}
        """The statements of each phase that some play can reach."""
        self.automatic = _automatic(rules, self.live)
        self.entries: dict[Phase, int] = {}
        self.shapes: dict[tuple[object, ...], ActionBlock] = {}
        self.num_actions = 0
        self.num_locals = rules.num_locals
        self.cells: list[Variable] = []
        self.rounds: dict[core.Stmt, tuple[Step | Round, ...]] = {}
        """How a play starts in a round of a loop."""
        self.turns: list[tuple[Local, core.Expr, Local]] = []
        """Of each `in turn` around a statement: whose turn it is, all of its players, and those who are due."""
        self.returns: dict[core.CallPhase, int] = {}
        """The node that each call of a phase returns to."""
        self.phase: Phase = rules.play
        # Where nothing is counted, a round that is over is worth nothing yet.
        self.counts = any(line.what != "winners" for line in rules.results)
        self.dealing: dict[Phase, bool] = {}
        self.deciding: dict[Phase, bool] = {}
        self.final = self.reserve()

    def program(self) -> Program:
        rules = self.rules
        self.nodes[self.final] = Final(self.final, rules.play.span)
        for phase in rules.phases:
            if phase in self.automatic:
                continue
            self.phase = phase
            start = self.sequence(phase.body, self.auto([], Return(phase), phase.span))
            steps: list[Step] = [Reach(phase.tags)] if phase.tags else []
            if any(variable.phase == phase.name for variable in rules.variables):
                steps.append(InitState(phase, phase.span))
            self.entries[phase] = self.before(steps, start, phase.span) if steps else start
        self.phase = rules.play
        start = self.sequence(rules.play.body, self.final)
        first: list[Step] = [InitState(None, rules.play.span)]
        if rules.play.tags:
            first.append(Reach(rules.play.tags))
        entry = self.auto(first, Jump(start), rules.play.span)
        nodes = tuple(n for n in self.nodes if n is not None)
        assert len(nodes) == len(self.nodes)
        _link_returns(nodes)
        return Program(
            rules, Sites.of(rules), nodes, entry, self.final, self.entries,
            {phase: _alive(phase.body) for phase in rules.phases if phase in self.automatic},
            {define: Definition(define.lets, define.value) for define in rules.defines if define.value is not None},
            rules.results, rules.invariants, {v: v.initial for v in rules.variables if v.initial is not None},
            tuple(self.shapes.values()), self.num_actions, tuple(self.cells), self.starts(),
        )  # fmt: skip

    # ---- nodes

    def reserve(self) -> int:
        self.nodes.append(None)
        return len(self.nodes) - 1

    def auto(self, steps: list[Step], leave: Exit, span: Span) -> int:
        number = self.reserve()
        self.nodes[number] = Auto(number, steps, leave, span)
        return number

    def before(self, steps: list[Step], target: int, span: Span) -> int:
        """Put steps in front of a node: into it where nothing else leads there."""
        node = self.nodes[target]
        if isinstance(node, Auto) and not node.shared and not isinstance(steps[-1], core.Shuffle):
            node.steps[:0] = steps
            return target
        return self.auto(steps, Jump(target), span)

    def sequence(self, block: tuple[core.Stmt, ...], target: int) -> int:
        """Return the node at which a block begins that goes on at `target`."""
        steps: list[Step] = []
        for stmt in reversed(block):
            if is_automatic(stmt, self.automatic):
                if isinstance(stmt, core.Shuffle) and steps:
                    target = self.before(steps, target, stmt.span)
                    steps = []
                steps[:0] = _alive((stmt,))
                continue
            if steps:
                target = self.before(steps, target, stmt.span)
                steps = []
            assert isinstance(stmt, core.Control)
            target = self.statement(stmt, target)
        return self.before(steps, target, block[0].span) if steps else target

    def share(self, target: int) -> int:
        node = self.nodes[target]
        if isinstance(node, Auto):
            node.shared = True
        return target

    def statement(self, stmt: core.Control, target: int) -> int:
        """Return the node of a statement that can stop in the middle."""
        spend(PASS, stmt.span)
        self.share(target)
        reach: list[Step] = [Reach(stmt.tags)] if stmt.tags else []
        match stmt:
            case core.If(condition=core.Const(value=bool(holds))):
                chosen = self.sequence(stmt.then if holds else stmt.otherwise, target)
                return self.auto(reach, Jump(chosen), stmt.span) if reach and holds else chosen
            case core.If():
                then = self.sequence(stmt.then, target)
                otherwise = self.sequence(stmt.otherwise, target)
                # The tags of a case are reached when the case is taken, those of an `if` when it is met.
                then = self.auto(reach, Jump(then), stmt.span) if reach else then
                return self.auto([], _branch(stmt.condition, then, otherwise), stmt.span)
            case core.While():
                return self.loop(stmt, target, reach)
            case core.For():
                return self.for_each(stmt, target, reach)
            case core.InTurn():
                return self.in_turn(stmt, target, reach)
            case core.AtOnce():
                return self.at_once(stmt, target, reach)
            case core.Reopen():
                return self.auto([*reach, self.reopened(stmt)], Jump(target), stmt.span)
            case core.CallPhase():
                number = self.auto([], Call(stmt.phase, stmt.args, target), stmt.span)
                self.returns[stmt] = target
                return self.auto(reach, Jump(number), stmt.span) if reach else number
            case core.End():
                leave_: Exit = Jump(self.final) if stmt.phase is None else Return(stmt.phase)
                return self.auto(reach, leave_, stmt.span)
            case core.Choice():
                number = self.choice(stmt, target)
                return self.auto(reach, Jump(number), stmt.span) if reach else number
            case core.Random():
                number = self.reserve()
                self.nodes[number] = Chance(number, stmt, target, stmt.span)
                return self.auto(reach, Jump(number), stmt.span) if reach else number
            case core.Together():
                raise AssertionError(stmt)
            case _:
                assert_never(stmt)

    def loop(self, stmt: core.While, target: int, reach: list[Step]) -> int:
        head = self.reserve()
        body = self.sequence(stmt.body, self.after_body(stmt, head))
        self.nodes[head] = Auto(head, [], _branch(stmt.condition, body, target), stmt.span, shared=True)
        first = head if stmt.first else self.share(body)
        return self.auto(reach, Jump(first), stmt.span) if reach else first

    def after_body(self, stmt: core.While | core.For, head: int) -> int:
        """Return the node after the body of a loop: its head, or the end of a round.

        A loop whose body always deals again, and has a decision, counts rounds.
        """
        if not self.counts or not self.deals(stmt.body) or not self.decides(stmt.body):
            return head
        return self.auto([], EndOfRound(head, self.final), stmt.span)

    def deals(self, block: tuple[core.Stmt, ...]) -> bool:
        """Say whether a block shuffles in any case: by itself, for each of some things, or in a phase."""
        return any(map(self.always_shuffles, block))

    def always_shuffles(self, stmt: core.Stmt) -> bool:
        """Say the same of a statement; what may be left out, and loops of their own, do not count."""
        match stmt:
            case core.Shuffle():
                return True
            case core.CallPhase(phase):
                if phase not in self.dealing:
                    self.dealing[phase] = self.deals(phase.body)
                return self.dealing[phase]
            case core.For() | core.Together():
                return self.deals(stmt.body)
            case core.If(condition=core.Const(value=bool(holds))):
                return self.deals(stmt.then if holds else stmt.otherwise)
        return False

    def decides(self, block: tuple[core.Stmt, ...]) -> bool:
        """Say whether a player decides in a block, or in a phase that it calls."""
        for stmt in _live(block):
            if isinstance(stmt, core.Choice):
                return True
            if isinstance(stmt, core.CallPhase):
                if stmt.phase not in self.deciding:
                    self.deciding[stmt.phase] = self.decides(stmt.phase.body)
                if self.deciding[stmt.phase]:
                    return True
        return False

    # ---- loops, turns and kept decisions, as variables and branches

    def cell(self, name: str, type_: Type, span: Span) -> Local:
        """Return a new name in the state."""
        self.num_locals += 1
        return Local(name, type_, self.num_locals, span)

    def queue(self, binder: core.Binder, name: str, span: Span) -> tuple[Local, core.Let]:
        """Return the name of a queue, and the statement that fills it with what a binder keeps."""
        type_ = base_of(binder.domain.type)
        queue = self.cell(f"{name}_{binder.local.name}", type_, span)
        return queue, core.Let(queue, core.Select("all", binder, None, type_, span), span, ())

    def for_each(self, stmt: core.For, target: int, reach: list[Step]) -> int:
        """Return the node of a loop: a queue of what it goes through, filled once, or a number that counts up."""
        head = self.reserve()
        body = self.sequence(stmt.body, self.after_body(stmt, head))
        binder, span = stmt.binder, stmt.span
        steps: list[Step]
        leave: Exit
        if binder.start is None and binder.where is None and _is_short_range(binder.domain):
            steps, leave = self.counted(stmt, body, target)
        else:
            queue, fill = self.queue(binder, "rest", span)
            steps, leave = [fill], Next(queue, binder.local, body, target)
            self.rounds[stmt] = (fill, Round(binder.local, _read(queue), queue, cyclic=False))
        self.nodes[head] = Auto(head, [], leave, span, shared=True)
        return self.auto([*reach, *steps], Jump(head), span)

    def counted(self, stmt: core.For, body: int, target: int) -> tuple[list[Step], Exit]:
        """Return the steps before a loop through numbers, and the test of the next number before each round."""
        local, domain, span = stmt.binder.local, stmt.binder.domain, stmt.span
        assert isinstance(domain, core.Range)
        assert isinstance(local.type, Int)
        following = Int(local.type.low, None if local.type.high is None else local.type.high + 1)
        number = self.cell(f"next_{local.name}", following, span)
        last = self.cell(f"last_{local.name}", local.type, span)
        plus_one = core.Op("+", (_read(local), core.Const(1, Int(1, 1), span)), following, span)
        begin: list[Step] = [core.Let(number, domain.low, span, ()), core.Let(last, domain.high, span, ())]
        take: list[Step] = [core.Let(local, _read(number), span, ()), core.Let(number, plus_one, span, ())]
        numbers = core.Range(_read(number), _read(last), domain.type, span)
        self.rounds[stmt] = (*begin, Round(local, numbers, number, cyclic=False))
        is_left = core.Op("<=", (_read(number), _read(last)), Bool(), span)
        return begin, Branch(is_left, self.before(take, body, span), target)

    def in_turn(self, stmt: core.InTurn, target: int, reach: list[Step]) -> int:
        """Return the node of turns: a queue of the players who are due; the condition is evaluated for each."""
        binder, span = stmt.binder, stmt.span
        head = self.reserve()
        due, fill = self.queue(core.evolved(binder, where=None), "due", span)
        begin: list[Step] = [fill]
        everyone = binder.domain
        if not is_players(everyone):
            kept = self.cell(f"all_{binder.local.name}", due.type, span)
            begin.append(core.Let(kept, _read(due), span, ()))
            everyone = _read(kept)
        self.turns.append((binder.local, everyone, due))
        body = self.sequence(stmt.body, head)
        self.turns.pop()
        if binder.where is not None:
            body = self.auto([], _branch(binder.where, body, head), span)
        self.nodes[head] = Auto(head, [], Next(due, binder.local, body, target), span, shared=True)
        self.rounds[stmt] = (*begin, Round(binder.local, _read(due), due, cyclic=True))
        return self.auto([*reach, *begin], Jump(head), span)

    def reopened(self, stmt: core.Reopen) -> core.Let:
        """Return the statement that makes all players but the one whose turn it is due, in turn after that one."""
        player, everyone, due = self.turns[-1]
        other = self.cell(player.name, player.type, stmt.span)
        differs = core.Op("!=", (_read(other), _read(player)), Bool(), stmt.span)
        binder = core.Binder(other, everyone, _read(player), differs)
        return core.Let(due, core.Select("all", binder, None, due.type, stmt.span), stmt.span, ())

    def at_once(self, stmt: core.AtOnce, target: int, reach: list[Step]) -> int:
        """Return the node of a decision at once: first all decide, then the effects come in the same order."""
        local, choice, span = stmt.binder.local, stmt.choice, stmt.span
        deciding, fill = self.queue(stmt.binder, "deciding", span)
        acting = self.cell(f"acting_{local.name}", deciding.type, span)
        first, second = self.reserve(), self.reserve()
        actions, cells = core.all_actions(choice), len(self.cells)
        chosen = self.kept("chosen", Int(0, len(actions) - 1), local, span) if len(actions) > 1 else None
        keep, effects = [], []
        for number, action in enumerate(actions):
            args = [(arg, self.kept(arg.local.name, arg.local.type, local, arg.span)) for arg in action.args]
            kept: list[Step] = [_assign(cell, _read(arg.local)) for arg, cell in args]
            if chosen is not None:
                kept.append(_assign(chosen, core.Const(number, chosen.type, action.span)))
            keep.append(self.auto(kept, Jump(first), action.span))
            recall: list[Step] = [core.Let(arg.local, cell, action.span, ()) for arg, cell in args]
            if not choice.secretly:
                recall.append(Reveal(local, action, action.span))
            effects.append(self.auto(recall, Jump(self.effect(action, second)), action.span))
        act = effects.pop()
        for number, effect in reversed(list(enumerate(effects))):
            assert chosen is not None
            is_chosen = core.Op("==", (chosen, core.Const(number, chosen.type, span)), Bool(), span)
            act = self.auto([], Branch(is_chosen, effect, act), span)
        decision = self.choice(choice, second, keep, deciding)
        if choice.tags:
            decision = self.auto([Reach(choice.tags)], Jump(decision), choice.span)
        nothing = core.Const(None, Nothing(), span)
        forget: list[Step] = [core.Begin(cell, nothing, span, ()) for cell in self.cells[cells:]]
        done = self.auto(forget, Jump(target), span)
        self.nodes[first] = Auto(first, [], Next(deciding, local, decision, second), span, shared=True)
        self.nodes[second] = Auto(second, [], Next(acting, local, act, done), span, shared=True)
        steps: list[Step] = [*reach, fill, core.Let(acting, _read(deciding), span, ())]
        return self.auto(steps, Jump(first), span)

    def kept(self, name: str, type_: Type, player: Local, span: Span) -> core.VarRef:
        """Return a new variable with a value for each player, at the place of one of them."""
        base = sum(v.places for v in (*self.rules.variables, *self.rules.local_variables, *self.cells))
        cell = Variable(
            f"kept_{name}", (player.type,), (self.rules.num_players,), "nobody", base, span, (), optional(type_), None,
            local=True,
        )  # fmt: skip
        self.cells.append(cell)
        return core.VarRef(cell, (_read(player),), type_, span)

    # ---- decisions

    def choice(self, stmt: core.Choice, target: int, kept: list[int] | None = None, due: Local | None = None) -> int:
        """Return the node of a decision.

        In a decision at once `kept` are the nodes that keep each action instead of its effect, and `due` is the queue
        of the players.
        """
        number = self.reserve()
        bodies = kept if kept is not None else [self.effect(a, target) for a in core.all_actions(stmt)]
        made = [
            self.alternative(action, number, body) for action, body in zip(core.all_actions(stmt), bodies, strict=True)
        ]
        otherwise = made.pop() if stmt.otherwise is not None else None
        made = [
            a for a in made if all(all(stage.dims) for stage in a.stages)
        ]  # Without a card in the game no card fits.
        ways = (*made, *([otherwise] if otherwise is not None else []))

        def decision(at: int, only: Alternative | None, stage: int) -> Decision:
            return Decision(
                number=at, choice=stmt, span=stmt.span, alternatives=tuple(made), otherwise=otherwise, ways=ways,
                open_ways=ways if only is None else (only,), phase=self.phase.name, only=only, stage=stage,
                due=due,
            )  # fmt: skip

        self.nodes[number] = decision(number, None, 0)
        for alternative in ways:
            for place, stage in enumerate(alternative.stages):
                if stage.node != number:
                    self.nodes[stage.node] = decision(stage.node, alternative, place)
        return number

    def effect(self, action: core.Action, target: int) -> int:
        """Return the node at which the effect of an action begins."""
        steps: list[Step] = [Reach(action.tags)] if action.tags else []
        body = self.sequence(action.body, self.share(target))
        if steps:
            body = self.before(steps, body, action.span)
        return self.share(body)

    def alternative(self, action: core.Action, number: int, body: int) -> Alternative:
        stages = []
        for place, args in enumerate(core.stages(action.args)):
            is_set = any(arg.form == "cards" for arg in args)
            # The picks of a first set begin at the choice itself and go on at a node of their own.
            node = self.reserve() if place > 0 or is_set else number
            shape = self.shape(action.verb, args, is_set, place)
            stages.append(Stage(args, tuple(map(_candidates, args)), is_set, node, shape.base, shape.dims))
        return Alternative(action, tuple(stages), body)

    def shape(self, verb: str, args: tuple[core.Arg, ...], is_set: bool, place: int) -> ActionBlock:
        dims: tuple[int, ...]
        if is_set:
            dims = (len(self.rules.faces) + 1,)
            key: tuple[object, ...] = (verb, place, "set")
        else:
            dims = tuple(dimension(self.rules, a.local.type) for a in args)
            key = (verb, place, *(a.local.type for a in args))
        if key not in self.shapes:
            self.shapes[key] = ActionBlock(verb, tuple(a.local.type for a in args), is_set, self.num_actions, dims)
            self.num_actions += self.shapes[key].size
        return self.shapes[key]

    # ---- starting in the middle

    def starts(self) -> dict[str, Entry]:
        sites: dict[Phase, list[tuple[Phase, core.CallPhase]]] = {}
        for phase in self.rules.every_phase:
            for stmt in self.live[phase]:
                if isinstance(stmt, core.CallPhase):
                    sites.setdefault(stmt.phase, []).append((phase, stmt))
        found: dict[str, Entry] = {}
        for phase in self.entries:
            way: list[tuple[Phase, core.CallPhase]] = []
            current = phase
            while current is not self.rules.play and len(sites.get(current, ())) == 1:
                way.insert(0, sites[current][0])
                current = sites[current][0][0]
            if current is self.rules.play:
                path = tuple(
                    (tuple(self.preparation(owner.body, call)), call, self.returns[call]) for owner, call in way
                )
                found.setdefault(phase.name, Entry(phase, path))
        return found

    def preparation(self, block: tuple[core.Stmt, ...], call: core.CallPhase) -> list[Step | Round]:
        """Return what must be known to stand at a call: the names given before it and the loops around it."""
        steps: list[Step | Round] = []
        for stmt in block:
            if stmt is call:
                return steps
            if isinstance(stmt, core.Let | core.Begin):
                steps.append(stmt)
            for inner in core.blocks_inside(stmt):
                if any(s is call for s in core.statements(inner)):
                    return [*steps, *self.rounds.get(stmt, ()), *self.preparation(inner, call)]
        return steps


def _link_returns(nodes: tuple[Node, ...]) -> None:
    """Let a phase that is called in one place alone jump back to where that goes on."""
    calls = [node.exit for node in nodes if isinstance(node, Auto) and isinstance(node.exit, Call)]
    for node in nodes:
        if isinstance(node, Auto) and isinstance(node.exit, Return):
            backs = {call.back for call in calls if call.phase is node.exit.phase}
            if len(backs) == 1:
                node.exit = Jump(backs.pop())


def _branch(condition: core.Expr, then: int, otherwise: int) -> Exit:
    """Return the exit to one of two nodes, without a test whose result is known and without a negation."""
    match condition:
        case core.Const(value=bool(holds)):
            return Jump(then if holds else otherwise)
        case core.Op(op="not", args=(positive,)):
            return _branch(positive, otherwise, then)
    return Branch(condition, then, otherwise)


def _read(local: Local) -> core.LocalRef:
    return core.LocalRef(local, local.type, local.span)


def _assign(place: core.VarRef, value: core.Expr) -> core.Assign:
    return core.Assign(place.variable, place.index, "=", value, value.span, ())


def _is_short_range(domain: core.Expr) -> bool:
    """Say whether a domain is a range of numbers, of which it is known that it is not too long to go through."""
    type_ = domain.type
    numbers = isinstance(domain, core.Range) and isinstance(type_, Sequence) and isinstance(type_.item, Int)
    return numbers and isinstance(type_, Sequence) and 0 <= type_.at_most <= RANGE_LIMIT


def _candidates(arg: core.Arg) -> core.Expr:
    """Return all that an argument can be."""
    binder = core.Binder(arg.each, arg.domain, None, arg.where)
    return core.Select("all", binder, None, arg.domain.type, arg.domain.span)


def _automatic(rules: Rules, live: dict[Phase, tuple[core.Stmt, ...]]) -> set[Phase]:
    """Return the phases in which nobody decides and nothing random happens, however deep."""
    found = set(rules.phases)
    while dropped := {phase for phase in found if not all(_plain(s, found, phase) for s in live[phase])}:
        found -= dropped
    return found


def _plain(stmt: core.Stmt, automatic: set[Phase], phase: Phase) -> bool:
    if isinstance(stmt, core.End | core.Shuffle):
        return isinstance(stmt, core.End) and stmt.phase is phase
    return _plain_alone(stmt, automatic)


def _live(block: tuple[core.Stmt, ...]) -> Iterator[core.Stmt]:
    """Give the statements of a block and of all blocks inside it that some play can reach."""
    for stmt in block:
        yield stmt
        blocks = core.blocks_inside(stmt)
        if isinstance(stmt, core.If) and isinstance(stmt.condition, core.Const):
            blocks = (stmt.then if stmt.condition.value else stmt.otherwise,)
        for inner in blocks:
            yield from _live(inner)


def _alive(block: tuple[core.Stmt, ...]) -> tuple[core.Stmt, ...]:
    """Return a block without the branches that no play takes."""
    found: list[core.Stmt] = []
    for stmt in block:
        if isinstance(stmt, core.If) and isinstance(stmt.condition, core.Const):
            inside = _alive(stmt.then if stmt.condition.value else stmt.otherwise)
            reached = bool(stmt.condition.value) and bool(stmt.tags)
            found += (core.evolved(stmt, then=inside, otherwise=()),) if reached else inside
        elif all(_alive(inner) is inner for inner in core.blocks_inside(stmt)):
            found.append(stmt)
        else:
            found.append(core.map_blocks(stmt, _alive))
    return block if len(found) == len(block) and all(map(is_, found, block)) else tuple(found)


def _plain_alone(stmt: core.Stmt, automatic: set[Phase]) -> bool:
    match stmt:
        case core.Choice() | core.Random() | core.End() | core.InTurn() | core.AtOnce() | core.Reopen():
            return False
        case core.CallPhase():
            return stmt.phase in automatic
        case core.If() | core.For() | core.While() | core.Together():
            return True
        case _:
            core.assert_simple(stmt)
            return True


def is_automatic(stmt: core.Stmt, automatic: set[Phase]) -> bool:
    """Say whether a statement can be carried out in one go."""
    inside = list(_live((stmt,)))
    if not all(_plain_alone(s, automatic) for s in inside):
        return False
    # A shuffle must end its node, so nothing around it may be carried out in one go.
    return len(inside) == 1 or not any(isinstance(s, core.Shuffle) for s in inside)
