"""Counterfactual regret minimisation (CFR+) over the whole tree of a small game, or of an ending.

The tree has every chance outcome and every small action; positions that a player cannot distinguish are one information
set, by all that the player has seen.  The average strategy is played.  With two players and payoffs that add up to 0
it comes near an equilibrium, and `Solution.exploitability` says how near; with others it is only a good strategy, as
far as is known.

A game that is too large is searched (`interpreter.agents.search`) until what is left of it is small.  An
ending begins in the common-knowledge closure of what the player has seen: their worlds, the worlds that others may
believe in there, and so on, since a player who had only worlds of their own would let others know their cards.  They
are as likely as if all had played at random so far (endgame solving without safety; Ganzfried and Sandholm, 2015), so
the ending is solved exactly where nothing is hidden, or what was done so far reveals nothing.  All these plays must be
known: where nothing is hidden there is one, else the beliefs have to be exact, which they are in small games alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from random import Random
from typing import TYPE_CHECKING

import attrs

from interpreter.agents.search import SearchAgent
from interpreter.agents.thinking import Advice, AgentError, Budget, Estimate, Thinker
from interpreter.belief.belief import Belief
from interpreter.engine.machine import CHANCE, TERMINAL

if TYPE_CHECKING:
    from interpreter.agents.view import AgentView
    from interpreter.engine.game import Game, State
    from interpreter.engine.machine import HistoryItem

MOST_POSITIONS = 20_000
"""Positions of a tree."""
MOST_IN_ENDING = 2_000
"""The same of an ending, which is solved while a player waits."""
MOST_WORLDS = 200
"""Plays that an ending begins in."""
MOST_SENTENCES = 64
"""Sentences of which an estimate is given."""
MOST_ITERATIONS = 100_000
SEARCHED = Budget(1_000)
"""The budget of the search in games that are too large."""

Key = tuple[int, str, tuple[int, ...]]
"""A player, all that the player has seen, and the small actions of the sentence that is begun."""


@attrs.define(eq=False)
class InfoSet:
    """What a player cannot distinguish, at one decision; `average` is the strategy that is played, not yet divided."""

    player: int
    actions: tuple[int, ...]
    regrets: list[float]
    strategy: list[float]
    average: list[float]

    def policy(self) -> list[float]:
        """Return the probability of each action."""
        total = sum(self.average)
        return [a / total for a in self.average] if total > 0 else [1 / len(self.actions)] * len(self.actions)


@attrs.frozen(eq=False)
class Node:
    """A position: at the end with `returns`; of chance with `odds`, or of a player in an information set."""

    children: tuple[int, ...]
    returns: tuple[float, ...] = ()
    odds: tuple[float, ...] = ()
    info: InfoSet | None = None


class TooLargeError(Exception):
    """A tree has more positions than are solved."""


class Solution:
    """The tree of a game, or of what is left of it, and a strategy for every player.

    It begins in some states, each as likely as is said.  Nodes stand in front of their children.  Raises TooLargeError
    where there are more than `most`.
    """

    def __init__(self, game: Game, begin: Sequence[tuple[State, float]] = (), most: int = MOST_POSITIONS) -> None:
        self.game = game
        self.sets: dict[Key, InfoSet] = {}
        self.nodes: list[Node] = []
        self.iterations = 0
        begin = begin or [(game.new_initial_state(), 1.0)]
        _check_size([state for state, _ in begin], most)
        self.nodes.append(Node(()))
        children = tuple(self._build(state, ()) for state, _ in begin)
        self.nodes[0] = Node(children, odds=tuple(odds for _, odds in begin))

    def _build(self, state: State, begun: tuple[int, ...]) -> int:
        number = len(self.nodes)
        self.nodes.append(Node(()))
        if state.to_act == TERMINAL:
            self.nodes[number] = Node((), returns=tuple(state.returns()))
            return number
        if state.to_act == CHANCE:
            outcomes = state.chance_outcomes()
            children = tuple(self._build(_after(state, outcome), ()) for outcome, _ in outcomes)
            self.nodes[number] = Node(children, odds=tuple(odds for _, odds in outcomes))
            return number
        player, actions = state.to_act, tuple(state.legal_actions())
        key = (player, state.information_state_string(player), begun)
        info = self.sets.get(key)
        if info is None:
            zero = [0.0] * len(actions)
            even = [1 / len(actions)] * len(actions)
            info = self.sets[key] = InfoSet(player, actions, zero, even, zero[:])
        made: list[int] = []
        for action in actions:
            following = _after(state, action)
            made.append(self._build(following, (*begun, action) if following.is_unfinished() else ()))
        self.nodes[number] = Node(tuple(made), info=info)
        return number

    # ---- minimising regret

    def improve(self, iterations: int) -> None:
        """Go on for so many iterations."""
        for _ in range(iterations):
            self.iterations += 1
            for player in range(self.game.num_players):
                self._update(player)

    def _update(self, player: int) -> None:
        nodes = self.nodes
        others, own = self._reaches(player, averaged=False)
        values = self._values(player, averaged=False)
        touched: dict[int, InfoSet] = {}
        for number, node in enumerate(nodes):
            info = node.info
            if info is None or info.player != player:
                continue
            touched[id(info)] = info
            reach, value, weight = others[number], values[number], own[number] * self.iterations
            for place, child in enumerate(node.children):
                info.regrets[place] += reach * (values[child] - value)
                info.average[place] += weight * info.strategy[place]
        for info in touched.values():
            info.regrets = [max(0.0, regret) for regret in info.regrets]
            total = sum(info.regrets)
            if total > 0:
                info.strategy = [regret / total for regret in info.regrets]
            else:
                info.strategy = [1 / len(info.actions)] * len(info.actions)

    def _reaches(self, player: int, *, averaged: bool) -> tuple[list[float], list[float]]:
        """Return how likely each position is by chance and all others, and by the player alone."""
        others, own = [0.0] * len(self.nodes), [0.0] * len(self.nodes)
        others[0] = own[0] = 1.0
        for number, node in enumerate(self.nodes):
            if node.returns:
                continue
            chances = node.odds if node.info is None else self._strategy(node.info, averaged=averaged)
            mine = node.info is not None and node.info.player == player
            for child, chance in zip(node.children, chances, strict=True):
                others[child] = others[number] * (1.0 if mine else chance)
                own[child] = own[number] * (chance if mine else 1.0)
        return others, own

    def _values(self, player: int, *, averaged: bool) -> list[float]:
        """Return what the player gets from each position on."""
        values = [0.0] * len(self.nodes)
        for number in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[number]
            if node.returns:
                values[number] = node.returns[player]
                continue
            chances = node.odds if node.info is None else self._strategy(node.info, averaged=averaged)
            values[number] = sum(p * values[child] for p, child in zip(chances, node.children, strict=True))
        return values

    def _strategy(self, info: InfoSet, *, averaged: bool) -> list[float]:
        return info.policy() if averaged else info.strategy

    # ---- how good it is

    def value(self, player: int) -> float:
        """Return what a player gets where all play their average strategies."""
        return self._values(player, averaged=True)[0]

    def exploitability(self) -> float:
        """Return what a player gains on average by playing best against the average strategies of the others."""
        players = range(self.game.num_players)
        return sum(self._best_response(player) - self.value(player) for player in players) / len(players)

    def _best_response(self, player: int) -> float:
        others, _ = self._reaches(player, averaged=True)
        members: dict[int, list[int]] = {}
        for number, node in enumerate(self.nodes):
            if node.info is not None and node.info.player == player:
                members.setdefault(id(node.info), []).append(number)

        @cache
        def best(info: int) -> int:
            nodes = members[info]
            gains = [
                sum(others[n] * value(self.nodes[n].children[place]) for n in nodes)
                for place in range(len(self.nodes[nodes[0]].children))
            ]
            return gains.index(max(gains))

        @cache
        def value(number: int) -> float:
            node = self.nodes[number]
            if node.returns:
                return node.returns[player]
            if node.info is not None and node.info.player == player:
                return value(node.children[best(id(node.info))])
            chances = node.odds if node.info is None else node.info.policy()
            return sum(p * value(child) for p, child in zip(chances, node.children, strict=True))

        return value(0)

    def expected(self, player: int) -> dict[int, list[float]]:
        """Return what a player gets after each action of their information sets (by `id`), as all play on average."""
        others, _ = self._reaches(player, averaged=True)
        values = self._values(player, averaged=True)
        reach: dict[int, float] = {}
        sums: dict[int, list[float]] = {}
        for number, node in enumerate(self.nodes):
            info = node.info
            if info is not None and info.player == player:
                reach[id(info)] = reach.get(id(info), 0.0) + others[number]
                gained = sums.setdefault(id(info), [0.0] * len(node.children))
                for place, child in enumerate(node.children):
                    gained[place] += others[number] * values[child]
        return {info: [s / reach[info] if reach[info] else 0.0 for s in gained] for info, gained in sums.items()}


def _after(state: State, action: int) -> State:
    following = state.clone()
    following.apply_action(action)
    return following


def _check_size(begin: Sequence[State], most: int) -> None:
    """Raise TooLargeError where a tree has more positions than are solved."""
    todo, seen = list(begin), len(begin)
    while todo:
        state = todo.pop()
        actions = [] if state.to_act == TERMINAL else state.legal_actions()
        seen += len(actions)
        if seen > most:
            raise TooLargeError
        todo += [_after(state, action) for action in actions]


@lru_cache(maxsize=4)
def solution(game: Game, iterations: int) -> Solution | None:
    """Return the strategies of a game after so many iterations; None where it is too large."""
    try:
        found = Solution(game)
    except TooLargeError:
        return None
    found.improve(iterations)
    return found


def beginnings(view: AgentView) -> list[tuple[State, float]] | None:
    """Return the plays that an ending begins in, from what a player has seen, with how likely they are.

    None where they are not known, or too many.
    """
    game = view.game
    if game.perfect_information:
        return [(state, 1.0) for state in view.belief().draw(1)]
    first = view.belief().worlds(MOST_WORLDS)
    if first is None:
        return None
    found: dict[tuple[HistoryItem, ...], State] = {}
    known: set[tuple[int, str]] = set()
    todo = [state for state, _ in first]
    while todo:
        state = todo.pop()
        path = tuple(item for _, item in state.history())
        if path in found:
            continue
        found[path] = state
        for player in range(game.num_players):
            seen = (player, state.information_state_string(player))
            if seen not in known:
                known.add(seen)
                worlds = Belief(state, player).worlds(MOST_WORLDS)
                if worlds is None:
                    return None
                todo += [world for world, _ in worlds]
        if len(found) > MOST_WORLDS:
            return None
    odds = [_at_random(game, path) for path in found]
    total = sum(odds)
    return [(state, chance / total) for state, chance in zip(found.values(), odds, strict=True)]


def _at_random(game: Game, path: tuple[HistoryItem, ...]) -> float:
    """Return how likely a play is where everybody chooses at random."""
    state, likely = game.new_initial_state(), 1.0
    for item in path:
        if state.to_act == CHANCE:
            likely *= next(odds for outcome, odds in state.chance_outcomes() if outcome == item)
        else:
            likely /= len(state.legal_actions())
        state.apply_action(item)
    return likely


def _searching(game: Game, seed: int | str) -> SearchAgent:
    try:
        return SearchAgent(game, seed, SEARCHED)
    except AgentError as error:
        raise AgentError(f"the game is too large to be solved from its start, and {error}") from None


class SolveAgent(Thinker):
    """Play the strategy that comes out for the whole game, which is worked out before the first decision.

    In a game that is too large, search, and work out what is left of it as soon as that is small.
    """

    def __init__(self, game: Game, seed: int | str, budget: Budget) -> None:
        super().__init__(game, seed, budget)
        if budget.iterations is None or budget.iterations > MOST_ITERATIONS:
            raise AgentError(f"`solve` takes a number of iterations, at most {MOST_ITERATIONS:,}: write solve:1000")
        self.solution = solution(game, budget.iterations)
        self.search = _searching(game, seed) if self.solution is None else None
        self._expected: dict[int, dict[int, list[float]]] = {}

    @property
    def engine(self) -> str:
        """What carries the thinking out: `Python`, or `C`."""
        return "Python" if self.search is None else self.search.engine

    def think(self, view: AgentView) -> Advice:
        """Sample a sentence from the strategy, with the expected value of each if all play by their strategies."""
        if self.search is not None and not self._is_solved(view):
            self.search.watch = self.watch
            return self.search.think(view)
        assert self.solution is not None
        rng = Random(f"{self.seed_of(view)}/solve")
        chosen: list[int] = []
        here: AgentView | None = view
        while here is not None:
            legal, policy, _ = self._at(here, tuple(chosen))
            chosen.append(rng.choices(legal, policy)[0])
            here = here.after(chosen[-1])
        found = [self._estimate(view, s.actions, s.text) for s in view.sentences(MOST_SENTENCES) or ()]
        if all(estimate.actions != tuple(chosen) for estimate in found):
            found.append(self._estimate(view, tuple(chosen), view.text_of(chosen)))
        found.sort(key=lambda e: (e.value, e.weight), reverse=True)
        return Advice(tuple(chosen), tuple(found), self.solution.iterations, exact=True)

    def _is_solved(self, view: AgentView) -> bool:
        """Say whether what is left of the play is solved, or can be now."""
        if self.solution is not None and (view.player, view.information_state_string(), ()) in self.solution.sets:
            return True
        begin = beginnings(view)
        if begin:
            try:
                self.solution = Solution(self.game, begin, MOST_IN_ENDING)
            except TooLargeError:
                return False
            self._expected = {}
            self.solution.improve(self.budget.iterations or 1)
        return bool(begin)

    def _at(self, view: AgentView, begun: tuple[int, ...]) -> tuple[list[int], list[float], list[float]]:
        """Return the legal small actions with their probabilities, and what each is expected to bring."""
        legal = view.legal_actions()
        assert self.solution is not None
        info = self.solution.sets.get((view.player, view.information_state_string(), begun))
        if info is None or list(info.actions) != legal:
            return legal, [1 / len(legal)] * len(legal), [0.0] * len(legal)
        expected = self._expected.get(view.player)
        if expected is None:
            expected = self._expected[view.player] = self.solution.expected(view.player)
        return legal, info.policy(), expected[id(info)]

    def _estimate(self, view: AgentView, actions: tuple[int, ...], text: str) -> Estimate:
        weight, value = 1.0, 0.0
        here: AgentView | None = view
        for number, action in enumerate(actions):
            assert here is not None
            legal, policy, values = self._at(here, actions[:number])
            place = legal.index(action)
            weight, value = weight * policy[place], values[place]
            here = here.after(action)
        return Estimate(actions, text, value, weight)
