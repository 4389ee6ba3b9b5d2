"""The agent `solve`: an equilibrium of a small game by CFR+, and endgame solving in larger ones.

`solve` computes the strategies before the first decision (`interpreter.solve`).  With two players and zero-sum payoffs
they approximate a Nash equilibrium; in other games they have no guarantee.

In a game that is too large, `solve` searches (`interpreter.agents.search`) until the rest of the game is small.  The
rest begins in the common-knowledge closure of the player's observations: their worlds, the worlds that others consider
possible in these, and so on.  With the player's own worlds alone, the strategy would reveal the player's cards.  The
worlds are weighted as if all had played at random so far (endgame solving without safety; Ganzfried and Sandholm,
2015).  So the solution is exact if nothing is hidden, or if past actions reveal nothing.  The closure must be
enumerable, which it is only in small games if cards are hidden.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter.agents.search import SearchAgent
from interpreter.agents.strategy import StrategyAgent, StrategyStep
from interpreter.agents.thinking import Advice, AgentError, Budget
from interpreter.belief.belief import Belief
from interpreter.engine.machine import CHANCE
from interpreter.solve.solution import Cfr
from interpreter.solve.tree import TooLargeError, Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from interpreter.agents.view import AgentView
    from interpreter.engine.game import Game, State
    from interpreter.engine.machine import HistoryItem

MOST_POSITIONS = 20_000
"""Positions of a tree that is solved before a play."""
MOST_IN_ENDING = 2_000
"""The same of an ending, which is solved while a player waits."""
MOST_WORLDS = 200
"""Plays that an ending begins in."""
MOST_ITERATIONS = 100_000
SEARCHED = Budget(1_000)
"""The budget of the search in games that are too large."""


@lru_cache(maxsize=4)
def solution(game: Game, iterations: int) -> Cfr | None:
    """Return the strategies of a game after a number of iterations; None if it is too large."""
    try:
        found = Cfr(Tree(game, most=MOST_POSITIONS))
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


class SolveAgent(StrategyAgent):
    """Play the strategy that comes out for the whole game, which is worked out before the first decision.

    In a game that is too large, search, and work out what is left of it as soon as that is small.
    """

    def __init__(self, game: Game, seed: int | str, budget: Budget) -> None:
        super().__init__(game, seed, budget)
        if budget.iterations is None or budget.iterations > MOST_ITERATIONS:
            raise AgentError(f"`solve` takes a number of iterations, at most {MOST_ITERATIONS:,}: write solve:1000")
        self.solution = solution(game, budget.iterations)
        self.search = _searching(game, seed) if self.solution is None else None
        self._average: tuple[Cfr, NDArray[Any], NDArray[Any]] | None = None

    @property
    def engine(self) -> str:
        """The language in which the solver runs: `Python` or `C`."""
        return "Python" if self.search is None else self.search.engine

    def think(self, view: AgentView) -> Advice:
        """Sample a sentence from the strategy, or search in what is too large."""
        if self.search is not None and not self._is_solved(view):
            self.search.on_progress = self.on_progress
            return self.search.think(view)
        assert self.solution is not None
        return self.sampled(view, self.solution.iterations)

    def _is_solved(self, view: AgentView) -> bool:
        """Say whether what is left of the play is solved, or can be now."""
        key = (view.player, view.information_state_string(), ())
        if self.solution is not None and key in self.solution.tree.by_key:
            return True
        begin = beginnings(view)
        if begin:
            try:
                self.solution = Cfr(Tree(self.game, begin, MOST_IN_ENDING))
            except TooLargeError:
                return False
            self.solution.improve(self.budget.iterations or 1)
        return bool(begin)

    def situation(self, view: AgentView, begun: tuple[int, ...]) -> StrategyStep:
        """Return the average strategy of CFR+, with what each small action is expected to bring."""
        assert self.solution is not None
        if self._average is None or self._average[0] is not self.solution:
            strategy = self.solution.average()
            values = self.solution.tree.action_values(strategy, unreached=0.0)
            self._average = self.solution, strategy, values
        _, strategy, values = self._average
        legal = view.legal_actions()
        info = self.solution.tree.by_key.get((view.player, view.information_state_string(), begun))
        if info is None or list(info.actions) != legal:
            return StrategyStep(legal, [1 / len(legal)] * len(legal), [0.0] * len(legal))
        return StrategyStep(legal, strategy[info.part].tolist(), values[info.part].tolist())
