"""What a player can believe of a play, kept while the play goes on.

A walk (`interpreter.runtime.belief.resample`) that is burnt in once and walks on from its last world, so that
each further world costs few steps.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from interpreter.runtime.belief.resample import Walk

if TYPE_CHECKING:
    from interpreter.runtime.state import State

BURN_IN = 16
"""How many times as long as a usual walk the burn-in is."""


class Belief:
    """The worlds that a player cannot tell from the true one, as likely as they are for others who play at random.

    `exact` is whether draws are from the exact distribution, and not from a walk.  Raises ValueError for a player who
    does not take part.
    """

    def __init__(self, state: State, player: int, seed: int | str = 0) -> None:
        self.player = player
        self.exact = False
        self._rng = Random(f"{seed}/belief")
        self._begin(state)

    def draw(self, n: int) -> list[State]:
        """Return so many worlds: plain states in which the player has seen the same and the same player is to act."""
        worlds = []
        for _ in range(n):
            self._walk.go(self._walk.usual)
            worlds.append(self._walk.state())
        return worlds

    def advance(self, state: State) -> None:
        """Take in that more has happened: the same play, as it stands now."""
        self._begin(state)

    def _begin(self, state: State) -> None:
        self._walk = Walk(state.clone(), self.player, self._rng)
        self._walk.go(BURN_IN * self._walk.usual)
