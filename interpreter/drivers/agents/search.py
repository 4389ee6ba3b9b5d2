"""An agent that searches: information-set Monte Carlo tree search over worlds of its belief.

The trees are those of `interpreter.native.search` where there is a C compiler, else those of
`interpreter.runtime.tree_search`.  This module feeds them with worlds, keeps to the budget, and chooses: what
was tried most, or what the average of the choices gives where others decide at the same time.  A sentence of several
small actions is read along the tree, which goes on growing behind what is decided where it is thin.
"""

from __future__ import annotations

import heapq
import os
from random import Random
from typing import TYPE_CHECKING

from interpreter.drivers.agents.thinking import Advice, Budget, Clock, Estimate, Thinker
from interpreter.runtime.chance import below
from interpreter.runtime.tree_search import TreeSearch, Tried, before_others

if TYPE_CHECKING:
    from interpreter.drivers.agents.view import AgentView
    from interpreter.native.search import NativeSearch
    from interpreter.native.watched import WatchedGame
    from interpreter.runtime.game import Game

    Trees = TreeSearch | NativeSearch

LIMIT = 200
"""The most small actions of an iteration, behind which the score counts as it is then."""

EACH_WORLD, EACH_WORLD_IN_C = 16, 4
"""Iterations of each world: in C worlds cost less than iterations."""

BATCH, BATCH_IN_C = 8, 64
"""Worlds that are drawn at once."""

THIN = 64
"""Behind an action that was tried less often the tree grows on before the next one of the sentence is decided."""

ON = 4
"""Which part of the budget each such growth may take: one of so many."""

WEIGHED = 12
"""The most sentences of which an estimate is given."""


class SearchAgent(Thinker):
    """Search in worlds that the player can believe: in C where there is a compiler, else in Python."""

    def __init__(self, game: Game, seed: int | str, budget: Budget) -> None:
        super().__init__(game, seed, budget)
        self._native = native_of(game)

    @property
    def engine(self) -> str:
        """What carries the thinking out: `Python`, or `C`."""
        return "Python" if self._native is None else "C"

    def think(self, view: AgentView) -> Advice:
        """Weigh what the player can do."""
        rng, clock = Random(f"{self.seed_of(view)}/search"), Clock(self.budget, self.watch)
        only = view.sentences(1)
        if only:
            (sentence,) = only
            return Advice(sentence.actions, (Estimate(sentence.actions, sentence.text, 0.0, 1.0),), engine=self.engine)
        seed = below(rng, 2**48)
        growth = _Growth(view, clock, self.budget, seed, self._native)
        trees = growth.trees
        growth.go_on(1.0)
        chosen: list[int] = []
        here: AgentView | None = view
        while here is not None:
            legal = here.legal_actions()
            if chosen and len(legal) > 1 and sum(t.visits for t in trees.tried(chosen)) < THIN:
                trees.decide(chosen)
                growth.go_on(1 / ON)
            chosen.append(legal[0] if len(legal) == 1 else _choice(trees.tried(chosen), legal, rng))
            here = here.after(chosen[-1])
        estimates = _estimates(trees, view, tuple(chosen))
        return Advice(tuple(chosen), estimates, growth.done, growth.worlds, engine=trees.engine, stopped=clock.stopped)


class _Growth:
    """Lets trees grow as far as a budget goes."""

    def __init__(self, view: AgentView, clock: Clock, budget: Budget, seed: int, native: WatchedGame | None) -> None:
        self.view, self.clock, self.budget = view, clock, budget
        self.done = self.worlds = 0
        self._in_c: NativeSearch | None = None
        if native is not None:
            from interpreter.native.search import NativeSearch  # late: native

            self._in_c = NativeSearch(native, view.player, seed, limit=LIMIT)
        self.trees: Trees = self._in_c or TreeSearch(view.game, view.player, seed, limit=LIMIT)
        self._at_once = view.decision().hidden

    def go_on(self, part: float) -> None:
        """Grow by a part of the budget.  Of a time only what is left is spent, but once at least."""
        most = self.budget.iterations
        wanted = None if most is None else max(1, int(most * part))
        done = 0
        belief = self.view.belief()
        found = None if self._at_once or self._in_c is None else belief.native
        each, batch = (EACH_WORLD, BATCH) if found is None else (EACH_WORLD_IN_C, BATCH_IN_C)
        while wanted is None or done < wanted:
            iterations = batch * each if wanted is None else min(batch * each, wanted - done)
            worlds = min(batch, iterations)
            if found is not None and self._in_c is not None:
                self._in_c.grow_in(found.states(worlds), iterations)
            else:
                self.trees.grow([before_others(world) for world in belief.draw(worlds)], iterations)
            done += iterations
            self.done += iterations
            self.worlds += worlds
            if not self.clock.goes_on(done if part == 1.0 else 0):
                break


def _choice(tried: list[Tried], legal: list[int], rng: Random) -> int:
    """Return what was tried most; by lot where others decide at the same time, and where nothing was tried."""
    tried = [t for t in tried if t.action in legal]
    if not tried:
        return legal[below(rng, len(legal))]
    total = sum(t.weight for t in tried)
    if total <= 0:
        return max(tried, key=lambda t: (t.visits, -t.action)).action
    drawn = rng.random() * total
    for each in tried:
        drawn -= each.weight
        if drawn < 0:
            return each.action
    return max(tried, key=lambda t: (t.weight, -t.action)).action


def _estimates(trees: Trees, view: AgentView, chosen: tuple[int, ...]) -> tuple[Estimate, ...]:
    """Return the sentences that were tried most, the one that is chosen first among those tried as often."""
    total = sum(t.visits for t in trees.tried()) or 1
    found: list[Estimate] = []
    # Beginnings of sentences: those that were tried most first.
    open_: list[tuple[int, tuple[int, ...], list[str], AgentView | None, float]] = [(-total, (), [], view, 0.0)]
    while open_ and len(found) < WEIGHED:
        visits, actions, words, here, value = heapq.heappop(open_)
        if here is None:
            found.append(Estimate(actions, " ".join(words), value, -visits / total))
            continue
        legal = here.legal_actions()
        for each in trees.tried(actions):
            if each.action in legal:
                more = [*words, *here.words_of(each.action)]
                heapq.heappush(
                    open_, (-each.visits, (*actions, each.action), more, here.after(each.action), each.worth)
                )
    if all(estimate.actions != chosen for estimate in found):
        text, at = [], view
        for action in chosen:
            text += at.words_of(action)
            at = at.after(action) or at
        found.append(Estimate(chosen, " ".join(text), _worth(trees, chosen), 0.0))
    return tuple(sorted(found, key=lambda e: (e.weight, e.actions == chosen), reverse=True))


def _worth(trees: Trees, actions: tuple[int, ...]) -> float:
    """Return the mean of the returns behind small actions, as far as they were tried."""
    for length in range(len(actions), 0, -1):
        for each in trees.tried(actions[: length - 1]):
            if each.action == actions[length - 1]:
                return each.worth
    return 0.0


def native_of(game: Game) -> WatchedGame | None:
    """Return a game as C; None where there is no compiler, a rule has no form in C, or the environment says
    `CARDGAME_NATIVE=off`."""
    from interpreter.native.library import NativeUnavailableError  # late: native
    from interpreter.native.watched import WatchedGame  # late: native

    if os.environ.get("CARDGAME_NATIVE") == "off":
        return None
    try:
        return WatchedGame.of(game)
    except NativeUnavailableError:
        return None
