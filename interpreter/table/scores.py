"""Explanations of score changes: the parts of each changed number, for one seat during a play.

A logged replay follows the play, so a frame costs only the moves since the last one.  It starts with the first change
of a score; a play without scores, and one before its first, pays nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.knowledge.events import Assigned
from interpreter.table.relevance import facts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.engine.game_base import GameBase
    from interpreter.engine.machine import Machine
    from interpreter.knowledge.visibility import Past
    from interpreter.table.information import InformationState
    from interpreter.table.reasons import ProvenanceRecorder


class ScoreExplainer:
    """Explains the changes of scores that one seat observes, with what the seat may know (`interpreter.table.reasons`).

    It belongs to one play; at a play that it has not followed it starts anew.
    """

    def __init__(self, game: GameBase, seat: int) -> None:
        self.game = game
        self.seat = seat
        self._start()

    def _start(self) -> None:
        self._followed: list[int] = []
        self._replay: tuple[ProvenanceRecorder, Past] | None = None
        self._texts: dict[int, str] = {}
        self._read = 0

    def explained(self, state: Machine, info: InformationState) -> Mapping[int, str]:
        """Return of what the changes of scores are made, by the number of the event among those of the seat."""
        if self._followed != state.entries[: len(self._followed)] or len(info.events) < self._read:
            self._start()
        scores = facts_of(self.game).scores
        slots = self.game.data.slots
        fresh = [
            number
            for number in range(self._read, len(info.events))
            if isinstance(event := info.events[number], Assigned) and slots[event.place].variable in scores
        ]
        if fresh:
            self._texts |= self._work_out(state, info, fresh)
        self._followed = state.entries[:]
        self._read = max(0, len(info.events) - 1)  # The last event may still grow.
        return self._texts

    def _work_out(self, state: Machine, info: InformationState, fresh: list[int]) -> dict[int, str]:
        """Return the texts of some events; nothing where the replay does not lead to what the seat observed."""
        from interpreter.knowledge.visibility import Past, Sight  # late: kept
        from interpreter.table.reasons import ProvenanceRecorder  # late: kept
        from interpreter.table.reference import reference_of  # late: kept

        if self._replay is None:
            recorder = ProvenanceRecorder(self.game, self.seat, 0, facts_of(self.game).scores)
            if not recorder.knowledge.may_explain(facts_of(self.game).scores):
                return {}
            recorder.begin()
            self._replay = recorder, Past(Sight(self.seat), self.game.everyone)
        recorder, past = self._replay
        try:
            for item in state.entries[len(recorder.entries) + 1 :: 2]:
                recorder.apply_item(item)
        except (IllegalActionError, RuleError):  # A world of a belief, in which cards were exchanged.
            return {}
        seen = past.read_on(recorder.log)
        reference = reference_of(self.game)
        return {
            number: text
            for number in fresh
            if number < len(seen) and seen[number].event == info.events[number]
            and (text := reference.score(recorder.of(seen[number]), info.events[number], self.seat))
        }  # fmt: skip


@lru_cache(maxsize=16)
def explainer_of(game: GameBase, seat: int) -> ScoreExplainer:
    """Return the explainer of a seat for the play that this process shows; it is kept between decisions."""
    return ScoreExplainer(game, seat)
