"""Derivation of the facts of the rules that the table shows, from the compiled game and its rulebook.

`interpreter.table.relevance` keeps the result, so that only the first play of a game pays for it.
"""

from __future__ import annotations

from interpreter.analysis import core
from interpreter.engine.game_base import GameBase
from interpreter.program.nodes import Auto, Decision, ahead
from interpreter.rulebook.page import Paragraph
from interpreter.table.reference import reference_of


def aim(game: GameBase) -> tuple[str, ...]:
    """Return the paragraphs on who wins and when a play ends."""
    return tuple(block.text for block in reference_of(game).aim() if isinstance(block, Paragraph))


def phases_around(game: GameBase) -> dict[str, frozenset[str]]:
    """Return, by the name of a phase, the phases that may be running while it is: itself, and all that lead to it."""
    callers: dict[str, set[str]] = {}
    phases = (*game.rules.phases, game.rules.play)
    for phase in phases:
        for stmt in core.statements(phase.body):
            if isinstance(stmt, core.CallPhase):
                callers.setdefault(stmt.phase.name, set()).add(phase.name)
    return {phase.name: _reached(phase.name, callers) for phase in phases}


def _reached(name: str, callers: dict[str, set[str]]) -> frozenset[str]:
    found, todo = {name}, [name]
    while todo:
        new = callers.get(todo.pop(), set()) - found
        found |= new
        todo.extend(new)
    return frozenset(found)


def zones_in_play(game: GameBase) -> dict[int, frozenset[str]]:
    """Return, by the node of a decision, the names of the zones that the rest of a play may still mention."""
    mentioned = _mentioned(game)
    return {
        node.number: frozenset().union(*(mentioned[number] for number in ahead(game.program, node.number)))
        for node in game.program.nodes
        if isinstance(node, Decision) and node.number in game.data.decisions
    }


def _mentioned(game: GameBase) -> dict[int, frozenset[str]]:
    """Return the zones that each node mentions, with those of the phases and definitions that it uses.

    Every node mentions what the result and the initial values of variables do.
    """
    inside: dict[object, frozenset[str]] = {}
    last = _zones_in((*game.rules.results, *(v.initial for v in game.rules.variables)), inside)
    return {n.number: _zones_in(n, inside) | last for n in game.program.nodes}


def _zones_in(part: object, inside: dict[object, frozenset[str]]) -> frozenset[str]:
    found: set[str] = set()
    stack = [part]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple | list):
            stack.extend(top)
            continue
        match top:
            case core.ZoneRef(zone=zone):
                found.add(zone.name)
            case core.CallDefine(define=define):
                if define not in inside:
                    inside[define] = frozenset()  # None uses itself.
                    inside[define] = _zones_in([define.value, *(value for _, value in define.lets)], inside)
                found |= inside[define]
            case core.CallPhase(phase=phase):
                if phase not in inside:
                    inside[phase] = frozenset()
                    inside[phase] = _zones_in(phase.body, inside)
                found |= inside[phase]
            case _:  # Zones are named by these alone; what else there is may hold them.
                pass
        if isinstance(top, core.Record | Auto):
            stack.extend(getattr(top, name) for name in top.__struct_fields__)
    return frozenset(found)
