"""The game tree of a small game as arrays, and the passes over it that all solvers share.

A tree has every chance outcome and every small action.  Positions that a player cannot distinguish are one information
set: by all that the player has observed, and the small actions of the sentence that is begun.

Nodes are numbered in layers, from the end of the play to its beginning: the members of an information set are in one
layer, and every child is in an earlier layer than its parent.  So one pass over the layers computes the values of all
nodes, and one pass backwards the probability of reaching them.  Layers exist because players remember what they knew
(perfect recall).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from interpreter.engine.machine import CHANCE, TERMINAL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from interpreter.engine.game import Game, State

MOST_NODES = 1_000_000
"""Nodes of a tree that is listed in memory, about 200 bytes each."""
MOST_SETS = 100_000
"""Information sets of a tree, each with one state, some kilobytes."""
MARGIN = 20
"""How many times `most` an estimate may be before the tree is not begun: estimates of uneven trees vary."""
PROBES = 100
"""Random plays that estimate the size of a tree."""
LARGEST = 1e300
"""The greatest estimate of that size that is a number."""

Key = tuple[int, str, tuple[int, ...]]
"""A player, all that the player has observed, and the small actions of the sentence that is begun."""
OnProgress = Callable[[int], bool]
"""Receives the number of nodes so far; returns False to stop."""


class TooLargeError(Exception):
    """A tree has more nodes, or more information sets, than are listed."""


class StoppedError(Exception):
    """The caller stopped the construction of a tree."""


@attrs.frozen(eq=False)
class InfoSet:
    """An information set: the states that a player cannot distinguish at a decision.

    `offset` is the index of its first action in a strategy.
    """

    number: int
    key: Key
    actions: tuple[int, ...]
    offset: int

    @property
    def player(self) -> int:
        """The player who decides."""
        return self.key[0]

    @property
    def part(self) -> slice:
        """The part of a strategy that belongs to it."""
        return slice(self.offset, self.offset + len(self.actions))


class Tree:
    """The game tree that begins in some states, each with a probability.

    Arrays by node: `parent` (-1 at the root), `player` who decides there (-1 for chance and ends), `slot` of the action
    that leads to it in a strategy (-1 after chance), `odds` of the outcome that leads to it, `returns` of each player
    (0 where play goes on).  `sets` are the information sets, `samples` one state of each.

    A state is much larger than a node, so the states that wait are few: a tree whose size is estimated far above `most`
    is not begun.  Raises TooLargeError where there are more than `most` nodes, StoppedError where
    `on_progress` stops it.
    """

    def __init__(
        self,
        game: Game,
        begin: Sequence[tuple[State, float]] = (),
        most: int = MOST_NODES,
        on_progress: OnProgress | None = None,
    ) -> None:
        self.game = game
        self.sets: list[InfoSet] = []
        self.by_key: dict[Key, InfoSet] = {}
        self.samples: list[State] = []
        self.num_slots = 0
        if not begin and estimated_nodes(game, most=MARGIN * most) > MARGIN * most:
            raise TooLargeError
        self._parent, self._odds, self._slot = [-1], [1.0], [-1]
        self._set_of: list[int] = [-1]
        self._ends: list[tuple[int, list[float]]] = []
        self._list(begin or [(game.new_initial_state(), 1.0)], most, on_progress)
        order = self._order()
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        parent = np.array(self._parent)[order]
        self.parent: NDArray[Any] = np.where(parent >= 0, place[parent], -1)
        self.odds: NDArray[Any] = np.array(self._odds)[order]
        self.slot: NDArray[Any] = np.array(self._slot)[order]
        self.set_of: NDArray[Any] = np.array(self._set_of)[order]
        self.owners: NDArray[Any] = np.array([info.player for info in self.sets] or [0])
        self.player: NDArray[Any] = np.where(self.set_of >= 0, self.owners[self.set_of], -1)
        self.returns: NDArray[Any] = np.zeros((len(order), game.num_players))
        self._is_end: NDArray[Any] = place[[node for node, _ in self._ends]]
        self.returns[self._is_end] = [returns for _, returns in self._ends]
        self.set_of_slot: NDArray[Any] = np.repeat(
            np.arange(len(self.sets)), [len(info.actions) for info in self.sets] or 0
        )
        self._children: NDArray[Any] = np.argsort(self.parent[:-1], kind="stable")
        self._first: NDArray[Any] = np.searchsorted(self.parent[self._children], np.arange(len(order) + 1))
        del self._parent, self._odds, self._slot, self._set_of, self._ends

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.parent)

    # ---- building

    def _list(self, begin: Sequence[tuple[State, float]], most: int, on_progress: OnProgress | None) -> None:
        todo: list[tuple[State, int, tuple[int, ...]]] = []

        def add(state: State, parent: int, odds: float, slot: int, begun: tuple[int, ...]) -> None:
            number = len(self._parent)
            if number >= most:
                raise TooLargeError
            if on_progress is not None and number % 1024 == 0 and not on_progress(number):
                raise StoppedError
            self._parent.append(parent)
            self._odds.append(odds)
            self._slot.append(slot)
            self._set_of.append(-1)
            if state.to_act == TERMINAL:
                self._ends.append((number, state.returns()))
            else:
                todo.append((state, number, begun))

        for state, odds in begin:
            add(state, 0, odds, -1, ())
        while todo:
            state, number, begun = todo.pop()
            if state.to_act == CHANCE:
                for outcome, odds in state.chance_outcomes():
                    add(after(state, outcome), number, odds, -1, ())
                continue
            info = self._info_set(state, begun)
            self._set_of[number] = info.number
            for place, action in enumerate(info.actions):
                following = after(state, action)
                going_on = (*begun, action) if following.is_unfinished() else ()
                add(following, number, 1.0, info.offset + place, going_on)

    def _info_set(self, state: State, begun: tuple[int, ...]) -> InfoSet:
        key = (state.to_act, state.information_state_string(state.to_act), begun)
        info = self.by_key.get(key)
        if info is None:
            if len(self.sets) >= MOST_SETS:
                raise TooLargeError
            info = InfoSet(len(self.sets), key, tuple(state.legal_actions()), self.num_slots)
            self.by_key[key] = info
            self.sets.append(info)
            self.samples.append(state)
            self.num_slots += len(info.actions)
        return info

    def _order(self) -> NDArray[Any]:
        """Set the layers, and return the nodes in their order."""
        parent, set_of = np.array(self._parent), np.array(self._set_of)
        layer = np.zeros(len(parent), np.int64)
        inside = set_of >= 0
        highest = np.zeros(len(self.sets), np.int64)
        while True:
            before = layer.copy()
            np.maximum.at(layer, parent[1:], layer[1:] + 1)
            np.maximum.at(highest, set_of[inside], layer[inside])
            layer[inside] = np.maximum(layer[inside], highest[set_of[inside]])
            if (layer == before).all():
                break
        order = np.argsort(layer, kind="stable")
        bounds = np.searchsorted(layer[order], np.arange(layer.max() + 2))
        self.layers = [slice(int(a), int(b)) for a, b in pairwise(bounds)]
        return order

    # ---- what kind of game it is, from all its plays

    @property
    def nothing_hidden(self) -> bool:
        """Whether no player ever confuses two positions (perfect information)."""
        return int((self.set_of >= 0).sum()) == len(self.sets)

    @property
    def is_cooperative(self) -> bool:
        """Whether all players get the same in every play."""
        return bool((self.returns == self.returns[:, :1]).all())

    @property
    def is_constant_sum(self) -> bool:
        """Whether the returns of all players have the same sum in every play."""
        sums = self.returns[self._is_end].sum(axis=1)
        return bool(np.ptp(sums) < 1e-9)

    def children_of(self, nodes: slice) -> NDArray[Any]:
        """Return the children of a range of nodes, those of one node side by side."""
        return self._children[self._first[nodes.start] : self._first[nodes.stop]]

    # ---- passes

    def probabilities(self, strategy: NDArray[Any]) -> NDArray[Any]:
        """Return the probability of the step to each node, for a strategy with a probability for each slot."""
        if not len(strategy):
            return self.odds
        chosen = strategy[self.slot]
        return np.where(self.slot >= 0, chosen, self.odds)

    def reach(self, steps: NDArray[Any]) -> NDArray[Any]:
        """Return the product of the steps to each node."""
        reached = np.ones(len(self))
        for layer in reversed(self.layers):
            parent = self.parent[layer]
            inner = parent >= 0
            reached[layer] = np.where(inner, reached[parent] * steps[layer], 1.0)
        return reached

    def values(self, steps: NDArray[Any]) -> NDArray[Any]:
        """Return what each player gets on average from each node on, where each step has a probability."""
        found = self.returns.copy()
        for layer in self.layers[:-1]:
            np.add.at(found, self.parent[layer], found[layer] * steps[layer, None])
        return found

    def uniform(self) -> NDArray[Any]:
        """Return the strategy that chooses each small action alike."""
        shares: NDArray[Any] = np.array([1 / len(info.actions) for info in self.sets] or [1.0])
        found: NDArray[Any] = shares[self.set_of_slot]
        return found

    def by_set(self, by_slot: NDArray[Any]) -> NDArray[Any]:
        """Return the sums over the actions of each information set."""
        return np.bincount(self.set_of_slot, by_slot, len(self.sets))

    def normalized(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Return weights of actions as probabilities; each action alike in sets that have no weight."""
        total = self.by_set(weights)[self.set_of_slot]
        return np.where(total > 0, weights / np.where(total > 0, total, 1.0), self.uniform())

    def without(self, steps: NDArray[Any], player: int) -> NDArray[Any]:
        """Return the steps with those of one player certain: counterfactual reach comes from them."""
        own = (self.parent >= 0) & (self.player[self.parent] == player)
        return np.where(own, 1.0, steps)

    def action_values(self, strategy: NDArray[Any], unreached: float = float("nan")) -> NDArray[Any]:
        """Return what each action is worth to its player, if all play a strategy; `unreached` in sets without reach."""
        steps = self.probabilities(strategy)
        values, others = self.values(steps), np.zeros(len(self))
        for player in range(self.game.num_players):
            own = self.player == player
            others[own] = self.reach(self.without(steps, player))[own]
        decided = np.flatnonzero(self.slot >= 0)
        slots, parents = self.slot[decided], self.parent[decided]
        weight = np.bincount(slots, others[parents], self.num_slots)
        worth = np.bincount(slots, others[parents] * values[decided, self.player[parents]], self.num_slots)
        return np.where(weight > 0, worth / np.where(weight > 0, weight, 1.0), unreached)


def after(state: State, action: int) -> State:
    """Return the state after an action or an outcome of chance."""
    following = state.clone()
    following.apply_action(action)
    return following


def estimated_nodes(game: Game, seed: int = 1, probes: int = PROBES, most: float = LARGEST) -> float:
    """Return an unbiased estimate of the number of nodes of a game's tree, from random plays (Knuth, 1975).

    An estimate above `most` is infinite; the plays end as soon as it is certain.
    """
    rng, total = Random(seed), 0.0
    for _ in range(probes):
        state, width, nodes = game.new_initial_state(), 1.0, 1.0
        while state.to_act != TERMINAL:
            chance = state.to_act == CHANCE
            choices = [item for item, _ in state.chance_outcomes()] if chance else state.legal_actions()
            width *= len(choices)
            nodes += width
            if total + nodes > most * probes:
                return float("inf")
            state.apply_action(rng.choice(choices))
        total += nodes
    return total / probes
