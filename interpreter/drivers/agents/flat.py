"""Flat Monte Carlo on determinized worlds: UCB1 over the sentences of one decision, and random play behind each.

Each iteration takes a world from the player's belief, does one sentence there, and plays on at random to the end, or
to a greatest number of decisions, where the play is reckoned as if it ended.  It looks one decision ahead: what the
player learns later is not used (strategy fusion), and others play at random.  Where a decision has more sentences
than can be weighed, some of them are drawn evenly and the others left out.
"""

from __future__ import annotations

from contextlib import suppress
from math import log, sqrt
from random import Random
from typing import TYPE_CHECKING

import attrs

from interpreter.drivers.agents.thinking import Advice, Budget, Clock, Estimate, Thinker, native_of
from interpreter.drivers.agents.view import AgentView, candidates
from interpreter.runtime.chance import below
from interpreter.runtime.faults import RuleError
from interpreter.runtime.interruption import Interrupted, check, until

if TYPE_CHECKING:
    from interpreter.runtime.game import Game, State
    from interpreter.runtime.text.sentences import Sentence

MOST_SENTENCES = 64
"""Sentences that are weighed at one decision."""
ROLLOUTS_EACH = 2
"""Rollouts that each sentence should have at least: with a smaller budget fewer sentences are weighed."""
LONGEST_ROLLOUT = 200
"""Small actions of a rollout, after which the play is reckoned as if it ended there."""
EXPLORATION = 0.7
"""The constant of UCB1, for values on a scale from 0 to 1."""


@attrs.define
class _Arm:
    """A sentence, and what came of it."""

    sentence: Sentence
    tries: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.tries if self.tries else 0.0

    def estimate(self, iterations: int) -> Estimate:
        variance = max(0.0, self.squares / self.tries - self.mean**2) if self.tries else 0.0
        error = sqrt(variance / (self.tries - 1)) if self.tries > 1 else None
        weight = self.tries / max(iterations, 1)
        return Estimate(self.sentence.actions, self.sentence.text, self.mean, weight, error)


class FlatAgent(Thinker):
    """Weigh each sentence by random play in worlds that the player can believe; `rollouts` of each world."""

    def __init__(self, game: Game, seed: int | str, budget: Budget, *, rollouts: int = 4) -> None:
        super().__init__(game, seed, budget)
        self.rollouts = rollouts
        native_of(game)  # Its beliefs are quicker in C.

    def think(self, view: AgentView) -> Advice:
        """Weigh what the player can do, and choose what has come out best on average."""
        rng = Random(f"{self.seed_of(view)}/flat")
        clock = Clock(self.budget, self.watch)
        most = MOST_SENTENCES
        if self.budget.iterations is not None:
            most = max(2, min(most, self.budget.iterations // ROLLOUTS_EACH))
        arms = [_Arm(sentence) for sentence in candidates(view, most, rng)]
        if len(arms) == 1:
            sentence = arms[0].sentence
            return Advice(sentence.actions, (Estimate(sentence.actions, sentence.text, 0.0, 1.0),))
        done = worlds = 0
        lowest = highest = 0.0
        belief = view.belief()
        world: State | None = None
        with until(clock.is_over), suppress(Interrupted):
            while clock.goes_on(done):
                if done % self.rollouts == 0:
                    world = next(iter(belief.draw(1)), None)
                    worlds += 1
                if world is None:
                    break
                arm = _most_promising(arms, done, lowest, highest)
                value = rollout(world, arm.sentence.actions, rng)[view.player]
                lowest, highest = (value, value) if not done else (min(lowest, value), max(highest, value))
                arm.tries += 1
                arm.total += value
                arm.squares += value * value
                done += 1
        if not done:
            rng.shuffle(arms)  # There was not even time for one world.
        arms.sort(key=lambda arm: (arm.tries > 0, arm.mean, arm.tries), reverse=True)
        estimates = tuple(arm.estimate(done) for arm in arms)
        return Advice(estimates[0].actions, estimates, done, worlds, stopped=clock.stopped)


def _most_promising(arms: list[_Arm], done: int, lowest: float, highest: float) -> _Arm:
    """Return the arm with the highest upper confidence bound; first each one once, in their order."""
    if done < len(arms):
        return arms[done]
    width = (highest - lowest) or 1.0
    logged = log(done)
    return max(arms, key=lambda arm: (arm.mean - lowest) / width + EXPLORATION * sqrt(logged / arm.tries))


def rollout(world: State, actions: tuple[int, ...], rng: Random) -> tuple[float, ...]:
    """Return what each player gets where a sentence is done in a world, and all play on at random.

    A play on which the rules come apart pays nobody anything.  Raises Interrupted.
    """
    state = world.clone()
    try:
        for action in actions:
            state.apply_unchecked(action)
        for _ in range(LONGEST_ROLLOUT):
            check()
            if state.is_chance_node():
                state.resolve_chance(rng)
            if state.is_terminal():
                break
            legal = state.legal_actions()
            state.apply_unchecked(legal[below(rng, len(legal))])
        else:
            state.end_here()
    except RuleError:
        return (0.0,) * world.game.num_players
    outcome = state.outcome()
    return (0.0,) * world.game.num_players if outcome is None else outcome.returns
