"""Agents that play a policy file: a table of strategies, a trained network, or a network with a search over it.

All searches draw worlds from a belief that takes the others to play the network.  `search` with a policy file follows
the chances of the network in its trees, and plays on as the network does.  `look` plays out the likeliest small actions
of each decision, and takes another action than the network only where that is shown to be better.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import attrs

from interpreter.agents.search import Growth, SearchAgent
from interpreter.agents.strategy import MOST_LISTED, MOST_SENTENCES, StrategyAgent, StrategyStep
from interpreter.agents.thinking import Advice, AgentError, Budget, Clock, Estimate, Thinker
from interpreter.engine.chance import below
from interpreter.native.library import NativeUnavailableError
from interpreter.native.plays import WatchedGame
from interpreter.native.regrets import NameReader
from interpreter.solve.policy_file import Policy, digest, is_network, policy_of, read_data
from interpreter.training.look import WORLDS, Candidate, Look, WalkReader
from interpreter.training.network import Network, Position, network_of

if TYPE_CHECKING:
    from interpreter.agents.view import AgentView
    from interpreter.engine.game import Game


CANDIDATES = 16
"""The most small actions that are weighed, the likeliest first."""
SURE = 1.5
"""Standard errors by which another action must be better than that of the network."""
BURN, AT_ONCE = 1_500, 50
"""Steps in which a belief burns in, and how many there are between two looks at the clock."""
DRAWN = 8
"""Worlds that are drawn between two looks at the clock."""
BURNING_IN, BELIEVING = 0.2, 0.4
"""The share of a time in which the belief burns in, and the share after which no more worlds are drawn."""
PLAYS = 8
"""Playouts of each candidate between two looks at the clock."""


def policy_agent(game: Game, seed: int | str, file: str) -> Thinker:
    """Return the agent that plays a policy file.

    Raises AgentError for a file that cannot be read, or a network without a C compiler; PolicyError for a damaged file
    or one of another game.
    """
    path = Path(file)
    try:
        known = path.stat()
        policy = _read(path, known.st_mtime_ns, known.st_size, game)
        return NetworkAgent(game, seed, policy) if isinstance(policy, Network) else TableAgent(game, seed, policy)
    except OSError as error:
        raise AgentError(f"`{file}` cannot be read: {error.strerror}") from None
    except NativeUnavailableError as error:
        raise AgentError(f"this policy runs in C only, and {error}") from None


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, size: int, game: Game) -> Policy | Network:
    """Return the policy of a file, which a match reads for every play; `changed` and `size` say which file it is."""
    del changed, size
    data = read_data(path, game)
    return network_of(data, path, game) if is_network(data) else policy_of(data, path)


def look_agent(game: Game, seed: int | str, budget: Budget, file: str) -> Thinker:
    """Return the agent that looks ahead over the network of a policy file.

    Raises AgentError for a file that cannot be read, is damaged, of another game, or has no network.
    """
    return LookAgent(game, seed, network_in(file, game), budget)


def guided_search_agent(game: Game, seed: int | str, budget: Budget, file: str) -> Thinker:
    """Return the agent that searches with the network of a policy file; raises what `look_agent` does."""
    return GuidedSearchAgent(game, seed, network_in(file, game), budget)


def network_in(file: str, game: Game) -> Network:
    """Return the network of a policy file.  Raises AgentError, PolicyError."""
    player = policy_agent(game, 0, file)
    if not isinstance(player, NetworkAgent):
        raise AgentError(f"`{file}` has a table, which needs no search: write policy:{file}")
    return player.network


class TableAgent(StrategyAgent):
    """Play the strategy of a table; in a situation that it lacks, each small action alike."""

    def __init__(self, game: Game, seed: int | str, policy: Policy) -> None:
        super().__init__(game, seed, Budget(1))
        self.policy = policy
        self._names = NameReader(WatchedGame.wanted(game)) if policy.is_hashed else None

    def situation(self, view: AgentView, begun: tuple[int, ...]) -> StrategyStep:
        """Return the strategy of the table; it has no values of actions."""
        legal = view.legal_actions()
        if self._names is not None:
            name = view.position(self._names)
        else:
            name = digest((view.player, view.information_state_string(), begun))
        found = self.policy.probabilities(name, len(legal))
        return StrategyStep(legal, found or [1 / len(legal)] * len(legal), [0.0] * len(legal))

    def think(self, view: AgentView) -> Advice:
        """Sample a sentence from the strategy."""
        return attrs.evolve(self.sampled(view, self.policy.iterations), has_values=False)


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
                      exact=True, has_values=False)  # fmt: skip

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

    def _next(self, legal: list[int], chances: list[float], rng: Random) -> int:
        if self.network.takes_best:
            return legal[max(range(len(legal)), key=chances.__getitem__)]
        return rng.choices(legal, chances)[0]

    def _chosen(self, view: AgentView, position: Position) -> tuple[int, ...]:
        rng = Random(f"{self.seed_of(view)}/policy")
        chosen: list[int] = []
        here: AgentView | None = view
        while here is not None:
            legal, chances, _ = position.strategy(self.network.weights)
            chosen.append(self._next(legal, chances, rng))
            here = here.after(chosen[-1])
            if here is not None:
                position = position.after(chosen[-1])
        return tuple(chosen)


def look_from(view: AgentView, network: Network, clock: Clock, seed: int) -> Look | None:
    """Return a look at a decision with its worlds, which take a part of the time; None where there is no room."""
    try:
        look = Look(network, view.position(WalkReader(network, seed)), seed)
    except MemoryError:
        return None
    for _ in range(0, BURN, AT_ONCE):
        if not look.walk.hides or clock.is_over(BURNING_IN):
            break
        look.burn_in(AT_ONCE)
    look.draw(DRAWN)
    while look.walk.hides and look.worlds < WORLDS and not clock.is_over(BELIEVING):
        look.draw(DRAWN)
    return look


class GuidedSearchAgent(SearchAgent):
    """Search in trees that a network guides (PUCT), in worlds of a belief that takes the others to play it."""

    def __init__(self, game: Game, seed: int | str, network: Network, budget: Budget) -> None:
        super().__init__(game, seed, budget, library=network.library)
        self._reflex = NetworkAgent(game, seed, network)

    def think(self, view: AgentView) -> Advice:
        """Weigh what the player can do; without room or time for a search it is what the network does."""
        advice = super().think(view)
        return advice if advice.iterations else self._reflex.think(view)

    def growth(self, view: AgentView, clock: Clock, seed: int) -> Growth:
        """Return trees that follow the network, with their worlds."""
        network, trees = self._reflex.network, self.trees(view.player, seed)
        assert trees is not None
        trees.follow(network.weights.ctypes.data, network.library.new_view())
        look = look_from(view, network, clock, seed)
        return Growth(view, clock, trees, (b"", 0) if look is None else (look.states, look.worlds))


class LookAgent(NetworkAgent):
    """One ply of search over a network: the budget is playouts, or a time, for each small action."""

    def __init__(self, game: Game, seed: int | str, network: Network, budget: Budget) -> None:
        super().__init__(game, seed, network)
        self.budget = budget

    def act(self, view: AgentView) -> tuple[int, ...]:
        """Return the small actions of the sentence that is best."""
        return self.think(view).chosen

    def mixture(self, view: AgentView) -> Mapping[tuple[int, ...], float]:
        """Return the only decision."""
        return {self.act(view): 1.0}

    def think(self, view: AgentView) -> Advice:
        """Weigh the small actions of a sentence, one after another; estimates are of the first."""
        rng, clock = Random(f"{self.seed_of(view)}/look"), Clock(self.budget, self.on_progress)
        position, seed = view.position(self.network.library), below(rng, 2**48)
        look: Look | None = None
        chosen: list[int] = []
        weighed: list[Candidate] = []
        done = 0
        here: AgentView | None = view
        while here is not None:
            legal, chances, _ = position.strategy(self.network.weights)
            action = self._next(legal, chances, rng)
            if len(legal) > 1 and not clock.is_over():
                look = look or look_from(view, self.network, clock, seed)
                if look is not None:
                    candidates = self._candidates(legal, chances, action)
                    done += self._weigh(look, chosen, candidates, clock)
                    action = _better(candidates)
                    weighed = weighed or candidates
            chosen.append(action)
            here = here.after(action)
            if here is not None:
                position = position.after(action)
        estimates = self._estimates(view, tuple(chosen), weighed, max(1, done))
        return Advice(tuple(chosen), estimates, done, 0 if look is None else look.worlds, engine="C",
                      stopped=clock.stopped)  # fmt: skip

    def _candidates(self, legal: list[int], chances: list[float], own: int) -> list[Candidate]:
        others = sorted((i for i, action in enumerate(legal) if action != own), key=lambda i: -chances[i])
        return [Candidate(own), *(Candidate(legal[i]) for i in others[: CANDIDATES - 1])]

    def _weigh(self, look: Look, begun: list[int], candidates: list[Candidate], clock: Clock) -> int:
        """Play candidates out, and drop the worse half after each round but the network's own (successive halving).

        Return how many plays there were.
        """
        left, done = list(candidates), 0
        rounds = max(1, (len(left) - 1).bit_length())
        for number in range(rounds):
            most = self.budget.iterations
            wanted = None if most is None else max(2, most // rounds // len(left))
            played = 0
            while (wanted is None or played < wanted) and not clock.is_over((number + 1) / rounds):
                plays = PLAYS if wanted is None else min(PLAYS, wanted - played)
                look.play_out(begun, left, plays)
                played += plays
            done += played * len(left)
            if clock.stopped:
                break
            left[1:] = sorted(left[1:], key=lambda c: -c.lead)[: max(1, len(left) // 2)]
        return done

    def _estimates(
        self, view: AgentView, chosen: tuple[int, ...], weighed: list[Candidate], done: int
    ) -> tuple[Estimate, ...]:
        if not weighed:
            return (Estimate(chosen, view.text_of(chosen), 0.0, 1.0),)
        found, first = [], {c.action: c for c in weighed}
        for sentence in view.sentences(MOST_SENTENCES) or ():
            of = first.get(sentence.actions[0])
            if of is not None and of.plays and (len(sentence.actions) == 1 or sentence.actions == chosen):
                found.append(Estimate(sentence.actions, sentence.text, of.mean, of.plays / done, of.error))
        if all(estimate.actions != chosen for estimate in found):
            of = first.get(chosen[0], weighed[0])
            found.append(Estimate(chosen, view.text_of(chosen), of.mean, of.plays / done, of.error))
        return tuple(sorted(found, key=lambda e: (e.actions == chosen, e.value), reverse=True))


def _better(candidates: list[Candidate]) -> int:
    """Return the candidate that is shown to be better than the first, else the first."""
    shown = [c for c in candidates[1:] if c.plays > 1 and c.lead > max(0.0, SURE * c.error)]
    return max(shown, key=lambda c: (c.plays, c.lead), default=candidates[0]).action
