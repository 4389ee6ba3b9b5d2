"""Agents that estimate actions by playouts in worlds of their belief: `search` and `greedy`.

`search` is information-set Monte Carlo tree search, in C alone (`interpreter.native.search`); where the game is not
available in C it is refused.  `greedy` is flat Monte Carlo, which looks no further than its own decision: in C, else in
Python (`interpreter.agents.flat`).  This module feeds the trees with worlds, keeps to the budget, and chooses:
the action tried most, or one drawn from the average of the choices where others decide at the same time.  A sentence of
several small actions is read along the tree, which goes on growing after the decided ones where it is thin.

In small games of two players with hidden cards and a constant sum, `search` samples regrets from the start of the game
instead (`interpreter.agents.regret`), and draws its decisions.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

from interpreter.agents.flat import FlatMonteCarlo
from interpreter.agents.regret import regret_agent
from interpreter.agents.thinking import (
    Advice,
    AgentError,
    Budget,
    Clock,
    Estimate,
    Thinker,
    required_library,
)
from interpreter.belief.mixing import PREPARING
from interpreter.engine.chance import below
from interpreter.engine.interruption import Interrupted, until
from interpreter.engine.search_tables import Tried, action_tables, before_others

if TYPE_CHECKING:
    from interpreter.agents.view import AgentView
    from interpreter.belief.belief import NativeEngine
    from interpreter.engine.game import Game
    from interpreter.native.plays import WatchedGame
    from interpreter.native.search import NativeSearch

    Trees = FlatMonteCarlo | NativeSearch

LIMIT = 200
"""The most small actions of an iteration, after which the score counts as it is then."""

EACH_WORLD, EACH_WORLD_IN_C = 16, 4
"""The most iterations of each world, and the fewest of one that is walked to in C, which costs less than an iteration
in short plays."""

BATCH, BATCH_IN_C = 8, 64
"""Worlds that are drawn at once; with a time as budget few, so that what is drawn is thought about."""

THIN = 64
"""After an action that was tried less often the tree grows on before the next one of the sentence is decided."""

ON = 4
"""Which part of the budget each such growth may take: one of so many."""

WEIGHED = 12
"""The most sentences of which an estimate is given."""


class SearchAgent(Thinker):
    """Search in worlds that the player can believe.

    With a `flat` tree it looks no further than its own decision; after that all play at random.  Raises AgentError for
    a tree that is not flat where the game is not available in C, unless it is given as a `library`.
    """

    def __init__(
        self, game: Game, seed: int | str, budget: Budget, *, flat: bool = False, library: WatchedGame | None = None
    ) -> None:
        super().__init__(game, seed, budget)
        self._flat = flat
        self._native = library
        try:
            self._native = library or required_library(game)
        except AgentError:
            if not flat:
                raise
        self._regrets = None if flat or self._native is None else regret_agent(game, self._native, seed, budget)
        action_tables(game)  # Made here, so that no decision waits for them.

    @property
    def engine(self) -> str:
        """The language in which the search runs: `Python` or `C`."""
        return "Python" if self._native is None else "C"

    def think(self, view: AgentView) -> Advice:
        """Weigh what the player can do.  Raises NoWorldError where the player's belief has no worlds."""
        rng, clock = Random(f"{self.seed_of(view)}/search"), Clock(self.budget, self.on_progress)
        only = view.sentences(1)
        if only:
            (sentence,) = only
            return Advice(sentence.actions, (Estimate(sentence.actions, sentence.text, 0.0, 1.0),), engine=self.engine)
        if self._regrets is not None and self._regrets.grow(view, clock):
            return self._regrets.advice(view, clock)
        seed = below(rng, 2**48)
        growth = self.growth(view, clock, seed)
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
        return Advice(tuple(chosen), estimates, growth.done, growth.worlds, engine=trees.engine, stopped=clock.stopped,
                      is_blind=trees.is_blind)  # fmt: skip

    def growth(self, view: AgentView, clock: Clock, seed: int) -> Growth:
        """Return trees that have not grown yet, with the worlds to grow in."""
        return Growth(
            view, clock, self.trees(view.player, seed) or FlatMonteCarlo(self.game, view.player, seed, limit=LIMIT)
        )

    def trees(self, player: int, seed: int) -> NativeSearch | None:
        """Return new trees in C; None where the game is not available in C."""
        if self._native is None:
            return None
        from interpreter.native.search import NativeSearch  # late: native

        return NativeSearch(self._native, player, seed, limit=LIMIT, flat=self._flat)

    def mixture(self, view: AgentView) -> Mapping[tuple[int, ...], float]:
        """Return the probability of each decision: more than one where regrets are sampled."""
        if self._regrets is not None and self._regrets.grow(view, Clock(self.budget)):
            return self._regrets.mixture(view)
        return {self.act(view): 1.0}


class Growth:
    """Lets trees grow as far as a budget goes, in worlds of the belief of the view.

    `given` are worlds to be used in their place: states of C side by side, and how many.
    """

    def __init__(self, view: AgentView, clock: Clock, trees: Trees, given: tuple[bytes, int] | None = None) -> None:
        self.clock, self.trees = clock, trees
        self.done = 0
        self._belief = None if given is not None else view.belief()
        self._given, self.worlds = given or (b"", 0)
        self._in_c = None if isinstance(trees, FlatMonteCarlo) else trees
        self._at_once = view.is_secret

    def go_on(self, part: float) -> None:
        """Grow by a part of the budget; of a time by what is left.

        Raises NoWorldError where the belief has no worlds; where time ran out before the first, the choice is random.
        """
        most = self.clock.budget.iterations
        wanted = None if most is None else max(1, int(most * part))
        done = 0
        with until(self.clock.is_over), suppress(Interrupted):
            found = self._engine()
            walks = None if found is None or found.exact else found
            work = EACH_WORLD if walks is None else walks.work_of_world // LIMIT
            each = min(EACH_WORLD, max(EACH_WORLD_IN_C, work))
            batch = BATCH if walks is None or wanted is None else BATCH_IN_C
            while not self.clock.is_over() and (wanted is None or done < wanted):
                iterations = batch * each if wanted is None else min(batch * each, wanted - done)
                made = self._grow(min(batch, iterations), iterations)
                done += made
                self.done += made
                if not made or not self.clock.goes_on(done if part == 1.0 else 0):
                    break
        belief = self._belief
        if belief is not None and not self.done and not self.clock.is_over(PREPARING) and belief.shortfall:
            raise belief.unusable()

    def _engine(self) -> NativeEngine | None:
        """Return the engine of the belief that gives worlds as states of C; None where they are not wanted so."""
        return None if self._at_once or self._in_c is None or self._belief is None else self._belief.native

    def _grow(self, count: int, iterations: int) -> int:
        """Grow in so many worlds; return how many iterations there were."""
        if self._belief is None:
            return 0 if self._in_c is None else self._in_c.grow_in(self._given, iterations)
        found = self._engine()
        if found is not None and self._in_c is not None:
            self.worlds += count
            return self._in_c.grow_in(found.states(count), iterations)
        worlds = [before_others(world) for world in self._belief.draw(count)]
        self.worlds += len(worlds)
        return self.trees.grow(worlds, iterations) if worlds else 0


def _choice(tried: list[Tried], legal: list[int], rng: Random) -> int:
    """Return what was tried most; by lot where others decide at the same time, and where nothing was tried."""
    tried = [t for t in tried if t.action in legal]
    if not tried:
        return legal[below(rng, len(legal))]
    total = sum(t.weight for t in tried)
    if total <= 0:
        return max(tried, key=lambda t: (t.visits, t.worth, -t.action)).action
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
    # Beginnings of sentences: those that were tried most first; the view in front of the last small action of each.
    open_: list[tuple[int, tuple[int, ...], float, list[str], AgentView]] = [(-total, (), 0.0, [], view)]
    while open_ and len(found) < WEIGHED:
        visits, actions, value, words, before = heapq.heappop(open_)
        here: AgentView | None = before
        if actions:
            words, here = [*words, *before.words_of(actions[-1])], before.after(actions[-1])
        if here is None:
            found.append(Estimate(actions, " ".join(words), value, -visits / total))
            continue
        legal = here.legal_actions()
        for each in trees.tried(actions):
            if each.action in legal:
                heapq.heappush(open_, (-each.visits, (*actions, each.action), each.worth, words, here))
    if all(estimate.actions != chosen for estimate in found):
        text, at = [], view
        for action in chosen:
            text += at.words_of(action)
            at = at.after(action) or at
        found.append(Estimate(chosen, " ".join(text), _worth(trees, chosen), 0.0))
    return tuple(sorted(found, key=lambda e: (e.weight, e.actions == chosen), reverse=True))


def _worth(trees: Trees, actions: tuple[int, ...]) -> float:
    """Return the mean of the returns after small actions, as far as they were tried."""
    for length in range(len(actions), 0, -1):
        for each in trees.tried(actions[: length - 1]):
            if each.action == actions[length - 1]:
                return each.worth
    return 0.0
