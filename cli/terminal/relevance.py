"""What of a table is worth a person's look, by rules that hold for every game.

A value says something while it is there: what is absent or false is left out, and so is a number that has
not yet left 0.  What a phase keeps for itself is left out as long as it is at the plain first value that the
spec gives it, and when the phase is not running.  What belongs to each player is shown for all of them as soon
as it says something of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.analysis import core
from interpreter.analysis.types import Int, base_of

if TYPE_CHECKING:
    from interpreter.analysis.symbols import Variable
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
