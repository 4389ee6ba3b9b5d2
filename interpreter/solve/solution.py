"""Strategies for every player of a game tree, and how far they are from the best.

- Two players with opposed payoffs: CFR+ (Tammelin, 2014) comes near a Nash equilibrium.
- Nothing hidden: backward induction gives the subgame perfect equilibrium, exactly.
- Identical payoffs: branch and bound over joint strategies gives the joint optimum, or bounds on it.
- Any other game: CFR+ gives a strategy for each player; `gains` says what each gains by deviating alone.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from interpreter.solve.tree import Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

TIE = 1e-9
"""Values that differ by less are equal."""
Continue = Callable[[], bool]
"""Returns False where the search is to end with what it has."""


class Cfr:
    """Counterfactual regret minimisation with regret matching plus, alternating updates and linear averaging (CFR+).

    The average strategy is the result (`average`).  One iteration takes a few passes over the tree for each player.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.iterations = 0
        self.regrets: NDArray[Any] = np.zeros(tree.num_slots)
        self.weights: NDArray[Any] = np.zeros(tree.num_slots)
        self.strategy: NDArray[Any] = tree.uniform()
        decided = tree.slot >= 0
        self._edges: NDArray[Any] = np.flatnonzero(decided)
        self._owner: NDArray[Any] = tree.player[tree.parent[self._edges]]

    def improve(self, iterations: int) -> None:
        """Go on for a number of iterations."""
        for _ in range(iterations):
            self.iterations += 1
            for player in range(self.tree.game.num_players):
                self._update(player)

    def _update(self, player: int) -> None:
        tree = self.tree
        edges = self._edges[self._owner == player]
        if not len(edges):
            return
        steps = tree.probabilities(self.strategy)
        others = tree.reach(tree.without(steps, player))
        own = tree.reach(np.where((tree.parent >= 0) & (tree.player[tree.parent] == player), steps, 1.0))
        values = tree.values(steps)[:, player]
        parents, slots = tree.parent[edges], tree.slot[edges]
        gained = others[parents] * (values[edges] - values[parents])
        self.regrets = np.maximum(self.regrets + np.bincount(slots, gained, tree.num_slots), 0.0)
        self.weights += self.iterations * np.bincount(slots, own[edges], tree.num_slots)
        mine = tree.owners[tree.set_of_slot] == player
        self.strategy = np.where(mine, tree.normalized(self.regrets), self.strategy)

    def average(self) -> NDArray[Any]:
        """Return the average strategy."""
        return self.tree.normalized(self.weights)


def values_of(tree: Tree, strategy: NDArray[Any]) -> list[float]:
    """Return what each player gets on average where all play a strategy."""
    return [float(value) for value in tree.values(tree.probabilities(strategy))[-1]]


def best_response(tree: Tree, strategy: NDArray[Any], player: int) -> tuple[float, NDArray[Any]]:
    """Return what a player gets by the best response to the strategies of the others, and that response.

    The response is pure: 1 for one action of each information set of the player, and the strategy itself elsewhere.
    """
    steps = tree.probabilities(strategy)
    others = tree.reach(tree.without(steps, player))
    values, response = tree.returns[:, player].copy(), strategy.copy()
    for layer in tree.layers:
        children = tree.children_of(layer)
        parents = tree.parent[children]
        own = children[tree.player[parents] == player]
        if len(own):
            gains = np.bincount(tree.slot[own], others[tree.parent[own]] * values[own], tree.num_slots)
            for number in np.unique(tree.set_of[tree.parent[own]]):
                part = tree.sets[number].part
                response[part] = 0.0
                response[part.start + int(np.argmax(gains[part]))] = 1.0
            steps[own] = response[tree.slot[own]]
        np.add.at(values, parents, values[children] * steps[children])
    return float(values[-1]), response


def gains(tree: Tree, strategy: NDArray[Any]) -> list[float]:
    """Return what each player gains by the best response, if the others keep to a strategy."""
    values = values_of(tree, strategy)
    return [max(0.0, best_response(tree, strategy, p)[0] - value) for p, value in enumerate(values)]


def exploitability(tree: Tree, strategy: NDArray[Any]) -> float:
    """Return the mean of the gains of all players (NashConv divided by the number of players)."""
    return sum(gains(tree, strategy)) / tree.game.num_players


def backward_induction(tree: Tree) -> NDArray[Any]:
    """Return the subgame perfect equilibrium of a game in which nothing is hidden; equal actions share the choice.

    Each player maximises their own return at each node, from the last decisions to the first.
    """
    values, strategy = tree.returns.copy(), np.zeros(tree.num_slots)
    for layer in tree.layers:
        children = tree.children_of(layer)
        parents = tree.parent[children]
        own = tree.player[parents]
        decided = own >= 0
        if decided.any():
            value = values[children[decided], own[decided]]
            best = np.full(len(tree), -np.inf)
            np.maximum.at(best, parents[decided], value)
            is_best = value >= best[parents[decided]] - TIE
            strategy[tree.slot[children[decided]]] = is_best
            strategy = np.where(strategy > 0, strategy, 0.0)
        steps = tree.probabilities(tree.normalized(strategy))
        np.add.at(values, parents, values[children] * steps[children, None])
    return tree.normalized(strategy)


@attrs.frozen(eq=False)
class Joint:
    """A joint strategy of a cooperative game: what it is worth, and what no joint strategy exceeds."""

    strategy: NDArray[Any]
    value: float
    bound: float


class JointOptimum:
    """The best joint strategy of players with identical payoffs, by branch and bound over information sets.

    A node of the search fixes the actions of some sets.  Its bound lets every player see everything in all other sets
    (a relaxation to full information); its candidate improves one player at a time until nobody improves it.
    The next set to branch on is the one whose relaxed choice differs most from any single action.
    """

    def __init__(self, tree: Tree, starts: int = 20, seed: int = 1) -> None:
        self.tree = tree
        rng = np.random.default_rng(seed)
        self.best = self._improved(tree.uniform())
        for _ in range(starts):
            self._take(self._improved(tree.normalized(rng.random(tree.num_slots) ** 4)))

    def _take(self, found: tuple[float, NDArray[Any]]) -> None:
        if found[0] > self.best[0] + TIE:
            self.best = found

    def _improved(self, strategy: NDArray[Any]) -> tuple[float, NDArray[Any]]:
        """Return a strategy that no player alone can improve, and its value."""
        value = -float("inf")
        while True:
            for player in range(self.tree.game.num_players):
                found, strategy = best_response(self.tree, strategy, player)
            if found <= value + TIE:
                return found, strategy
            value = found

    def search(self, goes_on: Continue) -> Joint:
        """Search until the optimum is proved or the caller ends it."""
        bound, split = self._relaxed({})
        heap: list[tuple[float, int, dict[int, int], int]] = [(-bound, 0, {}, split)]
        pushed = 0
        while heap and -heap[0][0] > self.best[0] + TIE and goes_on():
            _, _, fixed, number = heappop(heap)
            for place in range(len(self.tree.sets[number].actions)):
                more = {**fixed, number: place}
                bound, split = self._relaxed(more)
                if bound > self.best[0] + TIE:
                    pushed += 1
                    heappush(heap, (-bound, pushed, more, split))
        bound = max(self.best[0], -heap[0][0]) if heap else self.best[0]
        return Joint(self.best[1], self.best[0], bound)

    def _relaxed(self, fixed: dict[int, int]) -> tuple[float, int]:
        """Return the value with full information in all sets that are not fixed, and the set to branch on.

        The set is -1 where the relaxation chooses one action in each set: it is a strategy then, and a candidate.
        """
        tree = self.tree
        allowed = np.ones(tree.num_slots, bool)
        for number, place in fixed.items():
            part = tree.sets[number].part
            allowed[part] = False
            allowed[part.start + place] = True
        values, taken = tree.returns[:, 0].copy(), np.zeros(len(tree))
        for layer in tree.layers:
            children = tree.children_of(layer)
            decided = tree.slot[children] >= 0
            options = children[decided & allowed[tree.slot[children]]]
            best = np.full(len(tree), -np.inf)
            np.maximum.at(best, tree.parent[options], values[options])
            chosen = options[values[options] >= best[tree.parent[options]] - TIE]
            chosen = chosen[np.unique(tree.parent[chosen], return_index=True)[1]]
            taken[chosen] = 1.0
            values[tree.parent[chosen]] = values[chosen]
            chance = children[~decided]
            taken[chance] = tree.odds[chance]
            np.add.at(values, tree.parent[chance], values[chance] * tree.odds[chance])
        reached = tree.reach(taken)
        decided = tree.slot >= 0
        weights = np.bincount(tree.slot[decided], reached[decided], tree.num_slots)
        whole = tree.by_set(weights)
        highest = np.zeros(len(tree.sets))
        np.maximum.at(highest, tree.set_of_slot, weights)
        disagreement = whole - highest
        number = int(np.argmax(disagreement))
        if disagreement[number] <= TIE:
            self._take(self._improved(tree.normalized(weights)))
            return float(values[-1]), -1
        return float(values[-1]), number
