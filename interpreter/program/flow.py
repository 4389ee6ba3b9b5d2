"""Control flow of a program: which nodes a play may still reach, and which only one place leads to."""

from __future__ import annotations

from collections import Counter

from interpreter.program import nodes


def single_entry_nodes(program: nodes.Program) -> frozenset[int]:
    """Return the nodes that exactly one place of the program leads to, and no phase begins or goes on at."""
    places: Counter[int] = Counter()
    for node in program.nodes:
        if isinstance(node, nodes.Auto) and isinstance(node.exit, nodes.Call):
            places.update([node.exit.back] * 2)  # A number in the state leads there.
        elif isinstance(node, nodes.Decision):
            places.update(_bodies(node))
        elif not (isinstance(node, nodes.Auto) and isinstance(node.exit, nodes.Return)):
            places.update(target for target, _ in _following(program, node.number, called=False))
    entries = {program.entry, program.final, *program.phase_entries.values()}
    return frozenset(number for number, count in places.items() if count == 1) - entries


def _bodies(node: nodes.Decision) -> list[int]:
    """Return where the actions of a decision lead to at once, each as often as it is printed."""
    if node.only is not None:
        return [node.only.body] if node.stage == len(node.only.stages) - 1 else []
    return [way.body for way in node.ways if len(way.stages) == 1]


def ahead(program: nodes.Program, start: int) -> frozenset[int]:
    """Return the nodes that a play may still reach from a node on, that one too: a depth-first search.

    What is called from there comes back to where it was called; only phases that were at work before, whose caller a
    node does not know, may come back to any of their callers.
    """
    seen = {(start, False)}
    todo = [(start, False)]
    while todo:
        number, called = todo.pop()
        new = [place for place in _following(program, number, called=called) if place not in seen]
        seen.update(new)
        todo += new
    return frozenset(number for number, _ in seen)


def _following(program: nodes.Program, number: int, *, called: bool) -> list[tuple[int, bool]]:
    """Return the nodes after a node, each with whether its phase was called on the way."""
    match program.nodes[number]:
        case nodes.Auto(exit=nodes.Call(phase, _, back)):
            return [(program.phase_entries[phase], True), (back, called)]
        case nodes.Auto(exit=nodes.Return(phase)):
            exits = [node.exit for node in program.nodes if isinstance(node, nodes.Auto)]
            backs = [leave.back for leave in exits if isinstance(leave, nodes.Call) and leave.phase is phase]
            targets = [] if called else backs
        case nodes.Auto(exit=nodes.Jump(target)):
            targets = [target]
        case nodes.Auto(exit=nodes.Branch(_, then, otherwise)):
            targets = [then, otherwise]
        case nodes.Auto(exit=nodes.Next(_, _, body, done)):
            targets = [body, done]
        case nodes.Auto(exit=nodes.EndOfRound(target, final)):
            targets = [target, final]
        case nodes.Decision() as node:
            targets = [target for way in node.open_ways for target in (way.body, *(s.node for s in way.stages))]
        case nodes.Chance() as node:
            targets = [node.next]
        case nodes.Final() | nodes.Auto():
            targets = []
    return [(target, called) for target in targets]
