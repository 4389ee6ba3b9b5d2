"""Review of a finished play: each decision of a player beside the choice of an agent.

The agent has the view that the player had then, so what it holds against them they could have known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from math import sqrt
from typing import TYPE_CHECKING

import attrs

from interpreter.agents import Advice, AgentView, Beliefs, Estimate, Thinker
from interpreter.records.retelling import retell

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.engine.machine import HistoryItem

SURE = 2.0
"""Standard errors that a loss must have to be reported as one."""


@attrs.frozen
class Reviewed:
    """A decision of a player: their `number`-th that left them a choice, what they did, and what the agent made of it.

    `played` is what the agent expected of what was done; None where it had too many sentences to weigh that one.
    `is_sure` is whether the loss is more than chance in the estimates makes.
    """

    player: int
    number: int
    text: str
    advice: Advice
    played: Estimate | None
    is_sure: bool = False

    @property
    def best(self) -> Estimate:
        """The decision of the agent."""
        found = self.advice.estimate_of(self.advice.chosen)
        assert found is not None
        return found

    @property
    def loss(self) -> float:
        """How much less was expected of what was done than of what the agent would have done; 0 at least."""
        return 0.0 if self.played is None else max(0.0, self.best.value - self.played.value)


def review(
    game: Game, history: Iterable[HistoryItem], players: Collection[int], thinker: Thinker
) -> Iterator[Reviewed]:
    """Yield every decision of some players in which they had a choice, in order; each takes the thinker's budget."""
    beliefs = Beliefs(f"{thinker.seed}/review")
    numbers = dict.fromkeys(players, 0)
    for said in retell(game, history):
        if said.actor not in numbers or not said.whole or said.fault is not None:
            continue
        view = AgentView(said.before, beliefs)
        if view.sentences(1) is not None:
            continue
        numbers[said.actor] += 1
        advice = thinker.think(view)
        actions = tuple(item for item in said.items if isinstance(item, int))
        found = Reviewed(said.actor, numbers[said.actor], said.text, advice, advice.estimate_of(actions))
        yield attrs.evolve(found, is_sure=found.loss > SURE * _doubt(game, found))


def _doubt(game: Game, found: Reviewed) -> float:
    """Return the standard error of a loss."""
    return sqrt(sum(found.advice.doubt(game, e) ** 2 for e in (found.best, found.played) if e is not None))
