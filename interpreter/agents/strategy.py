"""Agents that sample their decisions from a strategy: step by step, each small action by its probability."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

import attrs

from interpreter.agents.thinking import Advice, Estimate, Thinker

if TYPE_CHECKING:
    from interpreter.agents.view import AgentView

MOST_SENTENCES = 64
"""Sentences of which an estimate is given."""
MOST_LISTED = 100_000
"""Sentences of a decision whose probabilities are listed."""


@attrs.frozen(eq=False)
class StrategyStep:
    """A step of a decision: its legal small actions, the probability of each, and what each is worth to the player."""

    legal: list[int]
    policy: Sequence[float]
    values: Sequence[float]


class StrategyAgent(Thinker):
    """An agent that samples each decision from a strategy."""

    @abstractmethod
    def situation(self, view: AgentView, begun: tuple[int, ...]) -> StrategyStep:
        """Return the strategy at a step of a decision, after the small actions that begin the sentence."""

    def sampled(self, view: AgentView, iterations: int) -> Advice:
        """Sample a sentence from the strategy, with the expected value of each if all play by their strategies."""
        rng = Random(f"{self.seed_of(view)}/solve")
        chosen: list[int] = []
        here: AgentView | None = view
        while here is not None:
            step = self.situation(here, tuple(chosen))
            chosen.append(rng.choices(step.legal, step.policy)[0])
            here = here.after(chosen[-1])
        found = [self._estimate(view, s.actions, s.text) for s in view.sentences(MOST_SENTENCES) or ()]
        if all(estimate.actions != tuple(chosen) for estimate in found):
            found.append(self._estimate(view, tuple(chosen), view.text_of(chosen)))
        found.sort(key=lambda e: (e.value, e.weight), reverse=True)
        return Advice(tuple(chosen), tuple(found), iterations, exact=True)

    def mixture(self, view: AgentView) -> Mapping[tuple[int, ...], float]:
        """Return the probability of each decision by the strategy."""
        return {s.actions: self._estimate(view, s.actions, s.text).weight for s in view.sentences(MOST_LISTED) or ()}

    def _estimate(self, view: AgentView, actions: tuple[int, ...], text: str) -> Estimate:
        weight, value = 1.0, 0.0
        here: AgentView | None = view
        for number, action in enumerate(actions):
            assert here is not None
            step = self.situation(here, actions[:number])
            place = step.legal.index(action)
            weight, value = weight * step.policy[place], step.values[place]
            here = here.after(action)
        return Estimate(actions, text, value, weight)
