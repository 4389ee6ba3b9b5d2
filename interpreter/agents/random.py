"""Agents that choose at random."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from interpreter.engine.chance import below

if TYPE_CHECKING:
    from interpreter.agents.view import AgentView


class RandomAgent:
    """Choose evenly among all legal sentences.

    Each choice has a generator of its own, made from the seed, the seat and `view.turn`, so that a play
    that is taken up again, or taken back, goes on as it would have.
    """

    def __init__(self, seed: int | str) -> None:
        self.seed = seed

    def act(self, view: AgentView) -> tuple[int, ...]:
        """Return the small actions of a sentence."""
        rng = random.Random(f"{self.seed}/seat {view.player + 1}/{view.turn}")
        return view.random_sentence(rng)


class SmallRandomAgent:
    """Choose evenly among the legal small actions: of a set, card by card, so that some sets come up more often.

    Each choice has a generator of its own, made from the seed, the seat and `view.turn`, so that a play
    that is taken up again, or taken back, goes on as it would have.
    """

    def __init__(self, seed: int | str) -> None:
        self.seed = seed

    def act(self, view: AgentView) -> int:
        """Return a legal small action."""
        legal = view.legal_actions()
        rng = random.Random(f"{self.seed}/seat {view.player + 1}/{view.turn}")
        return legal[below(rng, len(legal))]
