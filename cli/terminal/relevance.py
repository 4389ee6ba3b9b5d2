"""What of a table is worth a person's look, by rules that hold for every game.

A value says something while it is there: what is absent or false is left out, and so is a number that has
not yet left 0.  What a phase keeps for itself is left out as long as it is at the plain first value that the
spec gives it, and when the phase is not running.  What belongs to each player is shown for all of them as soon
as it says something of one.  A zone that not everybody sees says nothing any more when no rule that the play
can still come to speaks of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cli.terminal.rule_facts import RuleFacts, read_facts, write_facts
from interpreter.analysis.types import Bool, Int, Player, base_of
from interpreter.cache import keep_beside, kept_beside
from interpreter.knowledge.events import Assigned, Event

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.engine.game_data import DecisionData, Slot
    from interpreter.knowledge.observation import Observation, SeenVariable


KIND = "facts"
"""The kind of the file in the cache that has the facts of the rules."""


@lru_cache(maxsize=8)
def facts_of(game: Game) -> RuleFacts:
    """Return the facts of a game: those in the cache, else derive them and keep them."""
    kept = kept_beside(game, KIND)
    facts = None if kept is None else read_facts(kept)
    if facts is None:
        from cli.terminal.rule_derivation import derive  # late: kept

        facts = derive(game)
        keep_beside(game, KIND, write_facts(facts))
    return facts


def worth_showing(game: Game, seen: Observation, decision: DecisionData | None) -> list[list[SeenVariable]]:
    """Return the variables to show, each as those of its values that are seen, in the order of the spec.

    `decision` is the one that waits, which says what phases may be running; None where nobody decides.
    """
    running = frozenset() if decision is None else facts_of(game).running[decision.phase]
    slots = game.data.slots
    return [
        values
        for values in by_variable(game, seen)
        if slots[values[0].slot].phase in (None, *running)
        and any(_says_something(slots[one.slot], one) for one in values)
    ]


def by_variable(game: Game, seen: Observation) -> list[list[SeenVariable]]:
    """Return all values that are seen, those of one variable together, in the order of the spec."""
    found: dict[tuple[str | None, str], list[SeenVariable]] = {}
    for value in seen.variables:
        slot = game.data.slots[value.slot]
        found.setdefault((slot.phase, slot.variable), []).append(value)
    return list(found.values())


def _says_something(slot: Slot, seen: SeenVariable) -> bool:
    if seen.value is None or seen.value is False:
        return False
    if slot.initial != seen.value:
        return True
    return slot.phase is None and not (isinstance(base_of(seen.type), Int) and seen.value == 0)


def is_on_the_table(game: Game, event: Event, seen: Observation) -> bool:
    """Say whether an event only tells what stands on the table and belongs to no player: a counter, or a mark."""
    if not isinstance(event, Assigned):
        return False
    slot = game.data.slots[event.place]
    if not isinstance(base_of(slot.type), Int | Bool) or any(isinstance(type_, Player) for type_ in slot.types):
        return False
    return any(value.slot == event.place and value.value == event.value for value in seen.variables)


def zones_chosen_from(decision: DecisionData | None) -> frozenset[str]:
    """Return the names of the zones from which cards can be chosen at a decision."""
    actions = () if decision is None else decision.actions
    return frozenset(zone for action in actions for arg in action.args if arg.form != "value" for zone in arg.zones)
