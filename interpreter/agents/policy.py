"""Agents that play a policy file: a table of strategies, or a trained network."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from interpreter.agents.solve import MOST_LISTED, MOST_SENTENCES, StrategyAgent, StrategyStep
from interpreter.agents.thinking import Advice, AgentError, Budget, Estimate, Thinker
from interpreter.native.library import NativeUnavailableError
from interpreter.solve.policy_file import Policy, is_network, policy_of, read_data
from interpreter.training.network import Network, Position, network_of

if TYPE_CHECKING:
    from interpreter.agents.view import AgentView
    from interpreter.engine.game import Game


def policy_agent(game: Game, seed: int | str, file: str) -> Thinker:
    """Return the agent that plays a policy file.

    Raises AgentError for a file that cannot be read, or a network without a C compiler; PolicyError for a damaged file
    or one of another game.
    """
    path = Path(file)
    try:
        data = read_data(path, game)
        if not is_network(data):
            return TableAgent(game, seed, policy_of(data, path))
        return NetworkAgent(game, seed, network_of(data, path, game))
    except OSError as error:
        raise AgentError(f"`{file}` cannot be read: {error.strerror}") from None
    except NativeUnavailableError as error:
        raise AgentError(f"a trained policy runs in C only, and {error}") from None


class TableAgent(StrategyAgent):
    """Play the strategy of a table; in a situation that it lacks, each small action alike."""

    def __init__(self, game: Game, seed: int | str, policy: Policy) -> None:
        super().__init__(game, seed, Budget(1))
        self.policy = policy

    def situation(self, view: AgentView, begun: tuple[int, ...]) -> StrategyStep:
        """Return the strategy of the table; it has no values of actions."""
        legal = view.legal_actions()
        found = self.policy.probabilities((view.player, view.information_state_string(), begun), len(legal))
        return StrategyStep(legal, found or [1 / len(legal)] * len(legal), [0.0] * len(legal))

    def think(self, view: AgentView) -> Advice:
        """Sample a sentence from the strategy."""
        return self.sampled(view, self.policy.iterations)


class NetworkAgent(Thinker):
    """Play a trained network: its likeliest action, or one drawn from its strategy (`takes_best`)."""

    engine = "C"

    def __init__(self, game: Game, seed: int | str, network: Network) -> None:
        super().__init__(game, seed, Budget(1))
        self.network = network

    def act(self, view: AgentView) -> tuple[int, ...]:
        """Return the small actions of a sentence, chosen one after another."""
        return self._chosen(view, view.position(self.network.library))

    def think(self, view: AgentView) -> Advice:
        """Choose a sentence, and say how likely each is; a network has no values of sentences."""
        position = view.position(self.network.library)
        chosen = self._chosen(view, position)
        found = [
            Estimate(s.actions, s.text, 0.0, self.probability(position, s.actions))
            for s in view.sentences(MOST_SENTENCES) or ()
        ]
        if all(estimate.actions != chosen for estimate in found):
            found.append(Estimate(chosen, view.text_of(chosen), 0.0, self.probability(position, chosen)))
        found.sort(key=lambda e: (e.actions == chosen, e.weight), reverse=True)
        return Advice(chosen, tuple(found), self.network.curve[-1].rounds if self.network.curve else 0, engine="C",
                      exact=True)  # fmt: skip

    def mixture(self, view: AgentView) -> Mapping[tuple[int, ...], float]:
        """Return the probability of each decision by the network."""
        if self.network.takes_best:
            return {self.act(view): 1.0}
        position = view.position(self.network.library)
        return {s.actions: self.probability(position, s.actions) for s in view.sentences(MOST_LISTED) or ()}

    def probability(self, position: Position, actions: tuple[int, ...]) -> float:
        """Return how likely the network chooses small actions one after another."""
        likely = 1.0
        for number, action in enumerate(actions):
            legal, chances, _ = position.strategy(self.network.weights)
            likely *= chances[legal.index(action)] if action in legal else 0.0
            if likely <= 0.0:
                break
            if number + 1 < len(actions):
                position = position.after(action)
        return likely

    def _chosen(self, view: AgentView, position: Position) -> tuple[int, ...]:
        rng = Random(f"{self.seed_of(view)}/policy")
        chosen: list[int] = []
        here: AgentView | None = view
        while here is not None:
            legal, chances, _ = position.strategy(self.network.weights)
            if self.network.takes_best:
                chosen.append(legal[max(range(len(legal)), key=chances.__getitem__)])
            else:
                chosen.append(rng.choices(legal, chances)[0])
            here = here.after(chosen[-1])
            if here is not None:
                position = position.after(chosen[-1])
        return tuple(chosen)
