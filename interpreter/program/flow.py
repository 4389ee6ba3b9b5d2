"""Control flow graph: what leads where in a program, which nodes need a number, which only one other leads to."""

from __future__ import annotations

from collections import Counter

import attrs

from interpreter.analysis import core
from interpreter.analysis.core import Phase
from interpreter.program.nodes import (
    Auto,
    Branch,
    Call,
    Chance,
    Decision,
    Dispatch,
    EndOfRound,
    Final,
    Jump,
    NextInLoop,
    NextTurn,
    Node,
    Program,
    Return,
)

LONGEST_CALL = 50
"""How many nodes may call each other one inside the other."""


@attrs.frozen(eq=False)
class Flow:
    """The ways between the nodes of a program.

    `entered` are the nodes that a play can begin, or go on, at; `alone` those without any other way to them
    than from one node, which can carry them out at once; `backs` tells where each phase may return to; `calls` says
    which other nodes a node can call as its last deed.
    """

    entered: frozenset[int]
    alone: frozenset[int]
    backs: dict[Phase, list[int]]
    calls: dict[int, frozenset[int]]

    @classmethod
    def of(cls, program: Program) -> Flow:
        """Find the ways of a program."""
        entered = {program.entry, program.final, *program.phase_entries.values()}
        backs: dict[Phase, list[int]] = {phase: [] for phase in program.phase_entries}
        ways: Counter[int] = Counter()
        for node in program.nodes:
            match node:
                case Auto(exit=Call() as call):
                    backs[call.phase].append(call.back)
                case Decision():
                    ways.update(_effects(node))
                case Chance():
                    entered.add(node.next)
        hiding = frozenset(n.number for n in program.nodes if isinstance(n, Auto) and _hides(n))
        for node in program.nodes:
            if isinstance(node, Auto):
                targets = _targets(program, node, backs)
                ways.update(targets)
                # What a node shuffles must be hidden when the next one begins.
                if node.number in hiding:
                    entered.update(targets)
        for places in backs.values():
            if len(places) > 1:
                entered.update(places)
        alone = {n for n, count in ways.items() if count == 1} - entered
        return cls(frozenset(entered), frozenset(alone), backs, _calls(program, backs, hiding))

    def ahead(self, program: Program, start: int) -> frozenset[int]:
        """Return the nodes to which a play may still come from a node on, that one too.

        What is called from there comes back to where it was called; only phases that were at work before, of which a
        node does not say who called them, may come back to any of their callers.
        """
        seen = {(start, False)}
        todo = [(start, False)]
        while todo:
            number, called = todo.pop()
            match program.nodes[number]:
                case Auto(exit=Call(phase, _, back)):
                    following = [(program.phase_entries[phase], True), (back, called)]
                case Auto(exit=Return()) as node:
                    following = [] if called else [(target, False) for target in _targets(program, node, self.backs)]
                case Auto() as node:
                    following = [(target, called) for target in _targets(program, node, self.backs)]
                case Decision() as node:
                    ways = [target for way in node.open_ways for target in (way.body, *(s.node for s in way.stages))]
                    following = [(target, called) for target in ways]
                case Chance() as node:
                    following = [(node.next, called)]
                case Final():
                    following = []
            new = [place for place in following if place not in seen]
            seen.update(new)
            todo += new
        return frozenset(number for number, _ in seen)


def _effects(node: Decision) -> list[int]:
    """Return where the actions of a decision lead to, as soon as all their arguments are chosen."""
    if node.only is not None:
        return [node.only.body] if node.stage == len(node.only.stages) - 1 else []
    # A set is complete with its first pick, or later.
    return [way.body for way in node.ways if len(way.stages) == 1]


def _calls(program: Program, backs: dict[Phase, list[int]], hiding: frozenset[int]) -> dict[int, frozenset[int]]:
    """Return, for each node, those that it can call: none from which a play could come back to it without a stop."""
    heights: dict[int, int] = {}
    found: dict[int, frozenset[int]] = {}
    begun: set[int] = set()
    todo = [(node.number, False) for node in reversed(program.nodes)]
    while todo:
        number, done = todo.pop()
        node = program.nodes[number]
        targets = _onward(program, node, backs)
        if done:
            # What is finished before this one never leads back to it, or it would be unfinished as well.
            near = {t for t in targets if heights.get(t, LONGEST_CALL) < LONGEST_CALL}
            found[number] = frozenset() if number in hiding else frozenset(near)
            heights[number] = 1 + max((heights[t] for t in found[number]), default=0)
        elif number not in begun:
            begun.add(number)
            todo.append((number, True))
            todo.extend((target, False) for target in reversed(targets))
    return found


def _onward(program: Program, node: Node, backs: dict[Phase, list[int]]) -> list[int]:
    """Return the nodes to which a node leads, or a decision when it is taken, that are no decisions themselves."""
    listed: list[int] = []
    if isinstance(node, Auto):
        listed = _targets(program, node, backs)
    elif isinstance(node, Decision):
        listed = _effects(node)
    return [target for target in listed if isinstance(program.nodes[target], Auto | Final)]


def _targets(program: Program, node: Auto, backs: dict[Phase, list[int]]) -> list[int]:
    """Return where a node can lead to."""
    match node.exit:
        case Jump(target):
            return [target]
        case Branch(_, then, otherwise):
            return [then, otherwise]
        case NextInLoop(_, _, body, done) | NextTurn(_, _, body, done):
            return [body, done]
        case Dispatch():
            return [body for _, body in node.exit.ways]
        case Call(phase):
            return [program.phase_entries[phase]]
        case Return(phase):
            return backs[phase]
        case EndOfRound(target, final):
            return [target, final]


def _hides(node: Auto) -> bool:
    """Say whether a node shuffles."""
    steps = (s for s in node.steps if isinstance(s, core.Stmt))
    return any(isinstance(s, core.Shuffle) for step in steps for s in core.statements((step,)))
