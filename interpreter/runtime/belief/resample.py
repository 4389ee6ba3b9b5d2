"""Another world in which a player has seen exactly the same, drawn from what the player can believe.

The belief meant is the one of a player who takes the others to play at random, each small action as likely
as any other: a play counts as much as its chance events are likely, divided by the number of legal actions at
each decision of another player, among all plays in which this player's information state is the same.
(`docs/semantics.md` says why.)

It is drawn by a walk of Metropolis and Hastings.  It begins at the play as it was; each step proposes
another (`interpreter.runtime.belief.proposer`) and goes there as often as the odds of the two say, so no step
moves the belief.  The walk is exact in the limit of many steps.  With the steps that it has it is close where
a proposal is often accepted, as in small games and early in any; late in a long play with many secrets what
comes out may still resemble the play as it was.  Whatever the number of steps, every world that is given out
is one in which the player has seen the same, and all follows from the generator.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from interpreter.runtime.belief.proposals import Replay, World
from interpreter.runtime.belief.proposer import Proposer
from interpreter.runtime.belief.seen import Wanted, learned_of
from interpreter.runtime.belief.trajectories import Impossible, Trajectory, truth_of
from interpreter.runtime.chance import Rng

if TYPE_CHECKING:
    from interpreter.runtime.state import State

LEAPS = 4
SHORT = 30
"""The first steps of a walk are leaps, which draw anew all that may be; of a play of so few turns every other is."""

STEPS_A_TURN = 3
STEPS_A_SECRET = 30
"""How much longer a walk is for each turn of another player, and for each that was not seen."""

FEWEST_AT_MOST = 30
MOST = 120
TURNS = 1000
"""How long it is at most: between these, and so that about as many turns are played again."""


class Walk:
    """A walk over the plays that a player cannot tell from a true one; it begins there.

    Raises ValueError for a player who does not take part.
    """

    def __init__(self, state: State, player: int, rng: Rng) -> None:
        if not 0 <= player < state.game.num_players:
            raise ValueError(f"there is no player {player}")
        truth = truth_of(state)
        trajectory = truth.trajectory
        self.rng = rng
        self.wanted = Wanted(state, player, truth)
        learned = learned_of(trajectory, truth.logged, player)
        self.world = World(trajectory, trajectory.faces(rng), learned, truth.logged, truth.logs)
        self.proposer = Proposer(truth, player, rng)
        self.usual = _length(trajectory, player, len(self.proposer.hidden))
        self._short = len(trajectory.turns) <= SHORT
        self._taken = 0

    def go(self, steps: int) -> None:
        """Take so many steps."""
        for _ in range(steps):
            self._step()

    def _step(self) -> None:
        number, world = self._taken, self.world
        self._taken += 1
        leap = number < LEAPS or (self._short and number % 2)
        proposal = self.proposer.leap(world) if leap else self.proposer.step(world)
        if proposal is None:
            return
        replay = Replay(self.wanted, world, proposal, self.rng)
        try:
            replay.run()
            if replay.odds >= 0 or self.rng.random() < exp(replay.odds):
                self.world = replay.told()
        except Impossible:
            return

    def state(self) -> State:
        """Return a plain state at the end of the play where the walk stands."""
        made = self.world.trajectory.state.plain()
        made._log = (len(made.hist), self.world.logged)
        return made


def resample(state: State, player: int, rng: Rng, steps: int | None = None) -> State:
    """Return a state that the player cannot tell from this one, after a walk of so many steps.

    Raises ValueError for a player who does not take part.
    """
    walk = Walk(state, player, rng)
    walk.go(walk.usual if steps is None else steps)
    return walk.state()


def _length(trajectory: Trajectory, player: int, hidden: int) -> int:
    """Return how many steps a walk has; it follows from what the player has seen."""
    others = sum(turn.player != player for turn in trajectory.turns)
    most = min(MOST, max(FEWEST_AT_MOST, TURNS // max(1, len(trajectory.turns))))
    return min(most, LEAPS + STEPS_A_TURN * others + STEPS_A_SECRET * hidden)
