"""External-sampling CFR: equilibria of small games, for `search` (`interpreter/native/c/regrets.h`).

Two players whose payoffs add up to a constant, and hidden information: there a best action for one belief is found out,
and a search that takes it can be exploited.  Counterfactual regrets are sampled from the start of the game instead, so
the trees of both players grow from what each of them can believe.  That is possible where all plays of one player
against a sampled other one are few.

With a time for each decision, walks are aimed at the position, which others rarely reach.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import attrs

from interpreter.agents.strategy import StrategyAgent, StrategyStep
from interpreter.agents.thinking import Advice, Budget, Clock
from interpreter.engine.chance import below
from interpreter.native.regrets import Regrets, WatchedReader, can_be_sampled
from interpreter.native.tapes import record_of

if TYPE_CHECKING:
    from interpreter.agents.view import AgentView
    from interpreter.engine.game import Game, State
    from interpreter.native.plays import WatchedGame

ROOM = 1 << 18
"""Information sets, a power of 2."""
MOST = 2_000
"""Nodes of one walk through the tree; with more the game is too large."""
PROBED = 4
"""Iterations that show how large the game is."""
AT_ONCE = 8
"""Iterations between two looks at the clock."""
TRIED = 0.5
"""The share of a time after which an information set must have been met."""
THRESHOLD = 0.25
"""The least probability of an action that is played after a time, as a share of the greatest: what is left of a short
exploration costs more than it hides (thresholding; Ganzfried, Sandholm and Waugh, 2012)."""


def regret_agent(game: Game, native: WatchedGame, seed: int | str, budget: Budget) -> RegretAgent | None:
    """Return an agent that samples regrets, where the game is of that kind and small enough."""
    if not can_be_sampled(game):
        return None
    found = RegretAgent(game, native, seed, budget)
    return found if found.is_small else None


@attrs.frozen
class _ChoiceReader:
    """Reads what the player of a view has seen of all small actions."""

    native: WatchedGame

    def position(self, state: State) -> list[int]:
        return self.native.choices(record_of(state, Random(0)), state.current_player())


class RegretAgent(StrategyAgent):
    """Play the average strategy of sampled regrets.

    A number of iterations is spent once, before the first decision.  A time is spent at each, on walks that are aimed
    at its position (information set targeting; Lisy, Lanctot and Bowling, 2015).
    """

    engine = "C"

    def __init__(self, game: Game, native: WatchedGame, seed: int | str, budget: Budget) -> None:
        super().__init__(game, seed, budget)
        self._native = native
        self._regrets = Regrets(native, below(Random(f"{seed}/regrets"), 2**48), ROOM, MOST)
        self._regrets.run(PROBED)
        self.done = PROBED

    @property
    def is_small(self) -> bool:
        """Whether the game is small enough, as far as is known."""
        return self._regrets.is_small

    def grow(self, view: AgentView, clock: Clock) -> bool:
        """Go on with the iterations; return whether the information set of a view was met often enough.

        If it is not met in half of a time, the other half is left.
        """
        if self.budget.seconds is None:
            self._run(clock)
            return self.knows(view)
        self._regrets.aim(view.player, view.position(_ChoiceReader(self._native)))
        self._run(clock, TRIED)
        if not self.knows(view):
            return False
        self._run(clock)
        return True

    def _run(self, clock: Clock, share: float = 1.0) -> None:
        """Go on with the iterations, up to a share of a time."""
        most = self.budget.iterations
        while self.is_small and (most is None or self.done < most) and not clock.is_over(share):
            part = AT_ONCE if most is None else min(AT_ONCE, most - self.done)
            self._regrets.run(part)
            self.done += part

    def think(self, view: AgentView) -> Advice:
        """Go on with the iterations, and sample a decision from the average strategy."""
        clock = Clock(self.budget, self.on_progress)
        self.grow(view, clock)
        return self.advice(view, clock)

    def advice(self, view: AgentView, clock: Clock) -> Advice:
        """Sample a decision from the average strategy."""
        return attrs.evolve(self.sampled(view, self.done), engine="C", exact=False, stopped=clock.stopped)

    def knows(self, view: AgentView) -> bool:
        """Whether the information set was met often enough."""
        return self.is_small and self._read(view) is not None

    def situation(self, view: AgentView, begun: tuple[int, ...]) -> StrategyStep:
        """Return the average strategy, with the mean values of small actions; each alike where it was not met."""
        del begun  # The view has what is begun.
        legal = view.legal_actions()
        found = self._read(view) if len(legal) > 1 else None
        if found is None:
            return StrategyStep(legal, [1 / len(legal)] * len(legal), [0.0] * len(legal))
        return StrategyStep(legal, *found)

    def _read(self, view: AgentView) -> tuple[list[float], list[float]] | None:
        found = self._regrets.read(view.position(WatchedReader(self._native)), len(view.legal_actions()))
        if found is None:
            return None
        strategy, values = found
        least = 0.0 if self.budget.seconds is None else THRESHOLD * max(strategy)
        kept = [share if share >= least else 0.0 for share in strategy]
        return [share / sum(kept) for share in kept], values
