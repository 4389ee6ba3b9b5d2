"""A short table for the report of a failure: first the places that the question names, then changed ones.

Places without cards, and variables that are as they were in the beginning, are left out unless they are named.
Everything else is shown, also what is hidden from players: this is for the author of the rules.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from grammar.expressions import Call, Name, walk
from interpreter.knowledge.observation import Observation, SeenZone, zone_text

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State

MOST_CARDS = 16
"""Cards of a place that are listed, unless it is named; of more the first few, and how many there are."""


def mentioned(node: object) -> frozenset[str]:
    """Return the names that stand in a syntax tree."""
    return frozenset(part.name for part in walk(node) if isinstance(part, Name | Call))


def table_text(state: State, names: Collection[str] = (), before: Observation | None = None) -> str:
    """Return what lies on a table, one place or variable a line.

    First what `names` name (zones and variables, without indices), then all other places with cards, and the variables
    that are not as they were `before` (None: as they are when a play begins).
    """
    game = state.game
    seen = state.observation()
    old = {} if before is None else {variable.slot: variable.value for variable in before.variables}
    named: list[str] = []
    others: list[str] = []
    left_out = 0
    for zone in seen.zones:
        is_named = _family(zone.name) in names
        if is_named or zone.cards:
            (named if is_named else others).append(f"{zone.name}: {_cards(game, zone, whole=is_named)}")
    for variable in seen.variables:
        line = f"{variable.name} = {game.texts.value(variable.type, variable.value)}"
        if _family(variable.name) in names:
            named.append(line)
        elif before is None or old[variable.slot] != variable.value:
            others.append(line)
        else:
            left_out += 1
    lines = [*named, *others]
    if left_out:
        lines.append("1 variable is unchanged" if left_out == 1 else f"{left_out} variables are unchanged")
    if seen.acting >= 0:
        lines.append(f"player {seen.acting + 1} is to act")
        if seen.picked:
            lines.append("picked: " + " ".join(game.texts.face(face) for face in seen.picked))
    elif state.is_terminal():
        lines.append("the play is over")
    return "\n".join(lines)


def _family(name: str) -> str:
    """Return the name of a place or variable without its indices."""
    return name.partition("[")[0]


def _cards(game: Game, zone: SeenZone, *, whole: bool) -> str:
    text = zone_text(game, zone)
    words = text.split(" ")
    if whole or len(zone.cards) <= MOST_CARDS or len(words) <= MOST_CARDS:
        return text
    return f"{' '.join(words[:MOST_CARDS])} .. ({len(zone.cards)} cards)"
