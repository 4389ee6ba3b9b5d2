"""A walk of Metropolis and Hastings over the plays that a player cannot tell from the true one.

The distribution meant is the belief of a player who takes the others to play at random, each small action as likely
as any other: a play counts as much as its chance events are likely, divided by the number of legal actions at
each decision of another player, among all plays in which this player's information state is the same.
(`docs/semantics.md` says why.)

Each step proposes another play (`interpreter.runtime.belief.proposer`) and goes there as often as the odds of the two
say, so no step moves the belief; the walk is exact in the limit of many steps.  How many are needed is measured
(`interpreter.runtime.belief.mixing`).  Wherever it stands, the player has seen the same, and all follows from the
generator.
"""

from __future__ import annotations

from collections import deque
from math import exp
from typing import TYPE_CHECKING

import attrs

from interpreter.runtime.belief.proposals import Replay, World
from interpreter.runtime.belief.proposer import Proposer
from interpreter.runtime.belief.seen import Wanted, learned_of
from interpreter.runtime.belief.trajectories import Impossible, Truth
from interpreter.runtime.chance import Rng

if TYPE_CHECKING:
    from interpreter.runtime.game_base import PlainState
    from interpreter.runtime.machine import Machine

LEAP_SHARE = 0.05
"""How often a step is a leap, which draws anew all that may be."""

PASSED = 48
"""How many of the worlds that were recorded are remembered."""

SHORT = 12
SHORT_SHARE = 0.4
"""How often it is in a play of so few turns."""


class Ground:
    """What all walks over one belief share: the true play, and what the player has seen of it.

    `hidden` are the turns of which they have not seen all; of what nobody has drawn yet, the `faces` are imputed.
    """

    def __init__(self, state: Machine, player: int, truth: Truth, rng: Rng) -> None:
        self.truth = truth
        self.wanted = Wanted(state, player, truth)
        self.hidden = frozenset(truth.hidden(player))
        self.faces = truth.trajectory.faces(rng)
        self.learned = learned_of(truth.trajectory, self.wanted.traces)

    def world(self, rng: Rng) -> World:
        """Return the true play as a world; what nobody has drawn yet is drawn."""
        truth = self.truth
        return World(truth.trajectory, truth.trajectory.faces(rng), self.learned, self.wanted.traces)


class PlayWalk:
    """A walk that carries out plays by Python's machine."""

    def __init__(self, ground: Ground, world: World, rng: Rng) -> None:
        self.wanted, self.world, self.rng = ground.wanted, world, rng
        self.proposer = Proposer(ground.truth, ground.wanted.player, rng)
        self.work = self.steps = self.moves = 0
        self._sure = world
        self._settled, self._strict = True, False
        self._passed: deque[World] = deque(maxlen=PASSED)
        self._leaps = SHORT_SHARE if len(world.trajectory.turns) <= SHORT else LEAP_SHARE

    def go(self, steps: int, *, anywhere: bool = False) -> None:
        """Take so many steps; `anywhere`: to whatever is possible, likely or not."""
        for _ in range(steps):
            self._step(anywhere)

    def _step(self, anywhere: bool) -> None:
        world, rng = self.world, self.rng
        self.steps += 1
        leap = rng.random() < self._leaps
        proposal = self.proposer.leap(world) if leap else self.proposer.step(world)
        if proposal is None:
            self.work += 1
            return
        replay = Replay(self.wanted, world, proposal, rng)
        times = 1
        try:
            replay.run()
            if anywhere or replay.odds >= 0 or rng.random() < exp(replay.odds):
                times = 2 if self._strict else 1
                self.world = replay.told(later=not self._strict)
                self._settled = self._strict
                self.moves += 1
        except Impossible:
            pass
        self.work += 1 + times * (len(replay.trajectory.turns) - proposal.start.turns)

    def settle(self) -> bool:
        """Compare all that the player sees where the walk stands, which most steps leave for later.

        Where they see something else, which tables did not tell, the walk goes back to where it is sure of, and
        compares at every step from then on; it has to walk again before it gives a world.
        """
        if not self._settled:
            trajectory = self.world.trajectory
            try:
                traces = self.wanted.retold(trajectory, self.wanted.traces, len(trajectory.state.entries))
            except Impossible:
                self.world, self._strict, self._settled = self._sure, True, True
                return False
            self.world = attrs.evolve(self.world, traces=traces)
        self._sure, self._settled = self.world, True
        return True

    def record(self, count: int, gap: int) -> list[list[float]]:
        """Take `gap` steps so many times; return behind each where the cards lie that the player does not see, what was
        chosen unseen, and how likely it all is.
        """
        found = []
        for _ in range(count):
            self.go(gap)
            found.append(self.wanted.features(self.world.trajectory, self.proposer.hidden))
            self._passed.append(self.world)
        return found

    def passed(self, count: int) -> list[World]:
        """Return so many worlds that were recorded last, evenly apart; where there are fewer, the one that is."""
        worlds = self._passed
        return [worlds[-1 - n * len(worlds) // count] for n in range(count)] if len(worlds) >= count else [self.world]

    def state(self) -> PlainState:
        """Return a plain state at the end of the play where the walk stands."""
        made = self.world.trajectory.state.plain()
        made._log = self.wanted.logged_until(made.entries)
        return made
