"""The place from which the cards of a decision are chosen, where there is only one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.engine.logged import log_of

if TYPE_CHECKING:
    from interpreter.engine.machine import Machine


def chosen_from(state: Machine) -> dict[str, int]:
    """Return, by verb, the number of the one place from which the first argument of an action takes its cards."""
    decision = state.decision_data()
    if decision is None or decision.is_begun:
        return {}
    log = log_of(state).clone()
    found: dict[str, int] = {}
    origins = log.code.origins.get(state.node)
    if origins is None or log.to_act != state.to_act:
        return found
    for action, origin in zip(decision.actions, origins, strict=True):
        place = None if origin is None else origin(log, log.values, log.zones)
        if place is not None and log.zones[place]:
            found.setdefault(action.verb, place)
    return found
