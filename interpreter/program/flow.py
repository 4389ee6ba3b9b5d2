"""What leads where in a program: which nodes need a number, and which only one other leads to."""

from __future__ import annotations

from collections import Counter

import attrs

from interpreter.analysis import core
from interpreter.analysis.symbols import Phase
from interpreter.program.nodes import (
    Auto,
    Branch,
    Call,
    Chance,
    Decision,
    Dispatch,
    Jump,
    NextInLoop,
    NextTurn,
    Program,
    Return,
)


@attrs.frozen(eq=False)
class Flow:
    """The ways between the nodes of a program.

    `entered` are the nodes that a play can begin, or go on, at; `alone` those without any other way to them
    than from one node, which can carry them out at once; `backs` tells where each phase may return to.
    """

    entered: frozenset[int]
    alone: frozenset[int]
    backs: dict[Phase, list[int]]

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
                    others = () if node.otherwise is None else (node.otherwise,)
                    entered.update(way.body for way in (*node.alternatives, *others))
                case Chance():
                    entered.add(node.next)
        for node in program.nodes:
            if isinstance(node, Auto):
                targets = _targets(program, node, backs)
                ways.update(targets)
                # What a node shuffles must be hidden when the next one begins.
                if _hides(node):
                    entered.update(targets)
        for places in backs.values():
            if len(places) > 1:
                entered.update(places)
        hiding = {node.number for node in program.nodes if isinstance(node, Auto) and _hides(node)}
        alone = {n for n, count in ways.items() if count == 1} - entered - hiding
        return cls(frozenset(entered), frozenset(alone), backs)


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


def _hides(node: Auto) -> bool:
    """Say whether a node shuffles."""
    steps = (s for s in node.steps if isinstance(s, core.Stmt))
    return any(isinstance(s, core.Shuffle) for step in steps for s in core.statements((step,)))
