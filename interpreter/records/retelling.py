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

    `start` is the number of small actions of players before it; `before` and `after` are the states
    around it, or without `copies` the state that the play has reached.  `whole` is false for a decision that
    was left unfinished.  Where the rules failed on it, `fault` says how, and `after` is the state in
    which that happened.
    """

    actor: int
    items: tuple[HistoryItem, ...]
    text: str
    start: int
    before: State
    after: State
    whole: bool = True
    fault: RuleError | None = None


class Retelling:
    """Puts the entries of a history together, as they come, to chance events and whole decisions.

    `copies` keeps the state after each entry, which costs as much as the history is long.
    """

    def __init__(self, game: Game, *, copies: bool = True) -> None:
        self._state = game.new_initial_state()
        self._copies = copies
        self._before = self._kept()
        self.begun: Said | None = None

    def _kept(self) -> State:
        return self._state.clone() if self._copies else self._state

    def hear(self, item: HistoryItem) -> Said | None:
        """Return what an entry completes, None where it completes nothing.

        Raises IllegalActionError where it does not fit.  Nothing can be heard after a fault.
        """
        state, before = self._state, self._before
        actor = before.current_player()
        begun = self.begun
        if begun is None:
            text = chance_text(before, item) if actor < 0 else ""
            begun = Said(actor, (), text, before.num_actions, before, before)
        if actor >= 0 and isinstance(item, int):
            words = words_of(before, item, begun=bool(begun.text))
            begun = attrs.evolve(begun, text=" ".join([*begun.text.split(), *words]))
        self.begun = None
        try:
            state.apply_action(item)
        except RuleError as fault:
            return attrs.evolve(begun, items=(*begun.items, item), after=before, fault=fault)
        self._before = self._kept()
        begun = attrs.evolve(begun, items=(*begun.items, item), after=self._before)
        if actor < 0 or not state.is_unfinished():
            return begun
        self.begun = begun
        return None


def retell(game: Game, history: Iterable[HistoryItem]) -> Iterator[Said]:
    """Yield a play from its history; a fault of the rules ends it.  Raises IllegalActionError where it does not fit."""
    retelling = Retelling(game)
    for item in history:
        said = retelling.hear(item)
        if said is not None:
            yield said
            if said.fault is not None:
                return
    if retelling.begun is not None:
        yield attrs.evolve(retelling.begun, whole=False)


def chance_text(state: State, item: HistoryItem) -> str:
    """Return what chance answers in words; many cards at once in the order in which they were drawn."""
    if isinstance(item, tuple):
        return " ".join(state.game.texts.face(face) for face in item)
    return state.action_to_string(item)
