"""A play as chance events and whole decisions, instead of small actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import attrs

from interpreter.engine.faults import RuleError
from interpreter.text.sentences import words_of

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State
    from interpreter.engine.machine import HistoryItem


@attrs.frozen
class Said:
    """A decision or a chance event: who (`CHANCE` for chance), its history entries, its text.

    `start` is the number of small actions of players before it; `before` and `after` are the states around it.
    `whole` is false for a decision that was left unfinished.  Where the rules failed on it, `fault` says how, and
    `after` is the state in which that happened.
    """

    actor: int
    items: tuple[HistoryItem, ...]
    text: str
    start: int
    before: State
    after: State
    whole: bool = True
    fault: RuleError | None = None


def retell(game: Game, history: Iterable[HistoryItem]) -> Iterator[Said]:
    """Yield a play from its history; a fault of the rules ends it.  Raises IllegalActionError where it does not fit."""
    state = game.new_initial_state()
    before, begun = state.clone(), None
    for item in history:
        actor = before.current_player()
        if begun is None:
            text = chance_text(before, item) if actor < 0 else ""
            begun = Said(actor, (), text, before.num_actions, before, before)
        if actor >= 0 and isinstance(item, int):
            words = words_of(before, item, begun=bool(begun.text))
            begun = attrs.evolve(begun, text=" ".join([*begun.text.split(), *words]))
        begun = attrs.evolve(begun, items=(*begun.items, item))
        try:
            state.apply_action(item)
        except RuleError as fault:
            yield attrs.evolve(begun, after=before, fault=fault)
            return
        before = state.clone()
        begun = attrs.evolve(begun, after=before)
        if actor < 0 or not state.is_unfinished():
            yield begun
            begun = None
    if begun is not None:
        yield attrs.evolve(begun, whole=False)


def chance_text(state: State, item: HistoryItem) -> str:
    """Return what chance answers in words; many cards at once in the order in which they were drawn."""
    if isinstance(item, tuple):
        return " ".join(state.game.texts.face(face) for face in item)
    return state.action_to_string(item)
