"""The place from which the cards of a decision are chosen, where there is only one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.runtime.logged import log_of

if TYPE_CHECKING:
    from interpreter.runtime.machine import Machine


def chosen_from(state: Machine) -> dict[str, int]:
    """Return, by verb, the number of the one place from which the first argument of an action takes its cards."""
    decision = state.decision_data()
    if decision is None or decision.is_begun:
        return {}
    log = log_of(state).clone()
    parts = log.code.explain.get(state.node)
    found: dict[str, int] = {}
    if parts is None or log.to_act != state.to_act:
        return found
    for action, (_, args) in zip(decision.actions, parts, strict=True):
        if action.args and action.args[0].is_zone:
            places = {log.place_of(card) for card in args[0][0](log, log.values, log.zones)}
            if len(places) == 1:
                found.setdefault(action.verb, places.pop())
    return found
