"""What of a table is worth a person's look, by rules that hold for every game.

A value says something while it is there: what is absent or false is left out, and so is a number that has
not yet left 0.  What a phase keeps for itself is left out as long as it is at the plain first value that the
spec gives it, and when the phase is not running.  What belongs to each player is shown for all of them as soon
as it says something of one.  A zone that not everybody sees says nothing any more when no rule that the play
can still come to speaks of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.symbols import Define, Local, Phase, Variable, Zone
from interpreter.analysis.types import Bool, Int, Player, base_of
from interpreter.program.flow import Flow
from interpreter.runtime.knowledge.events import Assigned, Event

if TYPE_CHECKING:
    from interpreter.program.nodes import Decision
    from interpreter.runtime.game import Game
    from interpreter.runtime.knowledge.observation import Observation, SeenVariable


def worth_showing(game: Game, seen: Observation, decision: Decision | None) -> dict[Variable, list[SeenVariable]]:
    """Return the variables to show, each with those of its values that are seen, in the order of the spec.

    `decision` is the one that waits, which says what phases may be running; None where nobody decides.
    """
    running = frozenset() if decision is None else phases_around(game, decision.phase)
    found: dict[Variable, list[SeenVariable]] = {}
    for value in seen.variables:
        variable = game.variables[value.slot][0]
        if variable.phase is None or variable.phase in running:
            found.setdefault(variable, []).append(value)
    return {v: values for v, values in found.items() if any(_says_something(v, one) for one in values)}


def _says_something(variable: Variable, seen: SeenVariable) -> bool:
    if seen.value is None or seen.value is False:
        return False
    first = variable.initial
    if not isinstance(first, core.Const) or first.value != seen.value:
        return True
    return variable.phase is None and not (isinstance(base_of(seen.type), Int) and seen.value == 0)


def is_on_the_table(game: Game, event: Event, seen: Observation) -> bool:
    """Say whether an event only tells what stands on the table and belongs to no player: a counter, or a mark."""
    if not isinstance(event, Assigned):
        return False
    variable = game.variables[event.place][0]
    if not isinstance(base_of(variable.type), Int | Bool) or any(
        isinstance(index, Player) for index in variable.indices
    ):
        return False
    return any(value.slot == event.place and value.value == event.value for value in seen.variables)


def phases_around(game: Game, name: str) -> frozenset[str]:
    """Return the phases that may be running while the one of that name is: itself, and all that lead to it."""
    callers: dict[str, set[str]] = {}
    for phase in (*game.rules.phases, game.rules.play):
        for stmt in core.statements(phase.body):
            if isinstance(stmt, core.CallPhase):
                callers.setdefault(stmt.phase.name, set()).add(phase.name)
    found, todo = {name}, [name]
    while todo:
        new = callers.get(todo.pop(), set()) - found
        found |= new
        todo.extend(new)
    return frozenset(found)


def zones_chosen_from(decision: Decision | None) -> frozenset[str]:
    """Return the names of the zones from which cards can be chosen at a decision."""
    if decision is None:
        return frozenset()
    return frozenset(
        part.zone.name
        for action in core.all_actions(decision.choice)
        for arg in action.args
        if arg.form != "value"
        for part in core.walk(arg.domain)
        if isinstance(part, core.ZoneRef)
    )


def has_secrets(game: Game) -> bool:
    """Say whether anything in a game is seen by some players and not by others."""
    if {*game.place_viewers, *game.variable_viewers} - {0, game.everyone}:
        return True
    return any(
        isinstance(stmt, core.AtOnce)
        or (isinstance(stmt, core.Choice) and stmt.secretly)
        or (isinstance(stmt, core.Show) and stmt.to is not None)
        for phase in (*game.rules.phases, game.rules.play)
        for stmt in core.statements(phase.body)
    )


_SKIPPED = (Span, Phase, Define, Variable, Zone, Local)


@lru_cache(maxsize=64)
def zones_in_play(game: Game, node: int) -> frozenset[str]:
    """Return the names of the zones of which the rest of a play may still speak, from a node of the program on."""
    seen = Flow.of(game.program).ahead(game.program, node)
    spoken = _spoken_of(game)
    return frozenset().union(*(spoken[number] for number in seen))


@lru_cache(maxsize=4)
def _spoken_of(game: Game) -> dict[int, frozenset[str]]:
    """Return the zones of which each node speaks, and the phases and definitions that it uses.

    Of what the result and the first values of variables speak, all nodes do.
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
        kind: Any = type(top)
        if attrs.has(kind) and not isinstance(top, _SKIPPED):
            stack.extend(getattr(top, field.name) for field in attrs.fields(kind))
    return frozenset(found)
