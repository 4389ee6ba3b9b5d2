"""Solve a small game: its value for each seat, an optimal strategy, and their error.

`solve` chooses the method by what kind of game it is, and says how exact its answer is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import attrs
import numpy as np

from grammar.english import counted
from interpreter.agents.random import RandomAgent
from interpreter.agents.thinking import Thinker
from interpreter.agents.view import AgentView
from interpreter.solve.policy_file import Policy, digest
from interpreter.solve.solution import (
    TIE,
    Cfr,
    JointOptimum,
    backward_induction,
    best_response,
    exploitability,
    gains,
    values_of,
)
from interpreter.solve.tree import MARGIN, MOST_NODES, InfoSet, TooLargeError, Tree, estimated_nodes
from interpreter.table.frame import events
from interpreter.table.information import information_state
from interpreter.table.view import view
from interpreter.text.sentences import sentences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from interpreter.agents.view import Agent
    from interpreter.engine.game import Game, State

MOST_SENTENCES = 200
"""Complete decisions that are listed in one situation."""
NEVER = 0.001
"""A share below which an action counts as never chosen."""
PRECISION = 1e-4
"""The share of the range of returns to which an equilibrium is computed, unless time runs out first."""
MOST_QUICK = 20_000
"""Nodes of a tree that is solved beside other work."""
QUICK_ITERATIONS = 200
FEW_PROBES = 8
STRIDE = 16
"""Iterations between two looks at the clock."""

OnProgress = Callable[[str, float], bool]
"""Receives what the solver does and the seconds so far; returns False where it is to end with what it has."""

EQUILIBRIUM = "Nash equilibrium"
PERFECT = "subgame perfect equilibrium"
JOINT = "joint optimum"
ALONE = "optimum of one player"
APPROXIMATE = "approximate Nash equilibrium"


@attrs.frozen
class Choice:
    """A complete decision in a situation: its text, how often it is chosen, and what it is worth to the player."""

    text: str
    share: float
    value: float


@attrs.frozen
class Situation:
    """An information set in the words of the game.

    `holds` is what only the player sees, `past` what has happened; `reach` is the probability that play comes here.
    """

    player: int
    holds: str
    past: str
    reach: float
    choices: tuple[Choice, ...]


@attrs.frozen(eq=False)
class Answer:
    """A strategy for every player, what it is worth, and how exact that is.

    `concept` names the solution concept, `method` the algorithm.  `errors` are by player: how far the value may be from
    the exact one (duality gap, bound of the search, or 0), in a game of more than two players what the player gains by
    the best response.  `iterations` counts those of CFR+.
    """

    tree: Tree
    strategy: NDArray[Any]
    concept: str
    method: str
    errors: tuple[float, ...]
    iterations: int
    seconds: float
    is_stopped: bool
    cfr: Cfr | None = None
    is_sampled: ClassVar[bool] = False

    @property
    def game(self) -> Game:
        """The game that is solved."""
        return self.tree.game

    @property
    def is_cooperative(self) -> bool:
        """Whether all players get the same in every play."""
        return self.tree.is_cooperative

    @property
    def positions(self) -> int:
        """The number of positions of the tree."""
        return len(self.tree)

    @property
    def information_sets(self) -> int:
        """The number of information sets of the tree."""
        return len(self.tree.sets)

    @property
    def size(self) -> str:
        """The size of the tree, in words."""
        return f"{counted(self.positions, 'position')}, {counted(self.information_sets, 'information set')}"

    @property
    def measure(self) -> str:
        """The name of the quantity that the distance of an agent measures."""
        return "missed of the optimum" if self.is_cooperative else "exploitability"

    @property
    def policy(self) -> Policy:
        """The strategies by information set, and the sums with which CFR+ continues."""
        names = [(digest(info.key), info.part) for info in self.tree.sets]
        strategy = {name: tuple(round(float(p), 9) for p in self.strategy[part]) for name, part in names}
        sums = {}
        if self.cfr is not None:
            regrets, weights = self.cfr.regrets, self.cfr.weights
            sums = {name: (tuple(map(float, regrets[part])), tuple(map(float, weights[part]))) for name, part in names}
        return Policy(self.game.describe(), self.concept, self.errors, strategy, self.iterations, sums)

    def distance(self, name: str, agent: Agent, goes_on: Callable[[], bool]) -> Distance:
        """Return how far an agent is from the solution; see `distance`."""
        return distance(self, name, agent, goes_on)

    @cached_property
    def values(self) -> list[float]:
        """The expected return of each player."""
        return values_of(self.tree, self.strategy)

    @property
    def is_exact(self) -> bool:
        """Whether the values are exact, up to rounding."""
        return max(self.errors) <= TIE

    @cached_property
    def situations(self) -> list[Situation]:
        """All situations in which a decision begins, in the order of play, those that are reached most first."""
        tree = self.tree
        steps = tree.probabilities(self.strategy)
        reached = tree.reach(steps)
        by_slot = tree.action_values(self.strategy)
        inside = tree.set_of >= 0
        reach = np.bincount(tree.set_of[inside], reached[inside], len(tree.sets))
        depth = np.zeros(len(tree.sets))
        np.maximum.at(depth, tree.set_of[inside], np.flatnonzero(inside))
        found = [
            (-depth[info.number], -reach[info.number], self._situation(info, float(reach[info.number]), by_slot))
            for info in tree.sets
            if not info.key[2]
        ]
        found.sort(key=lambda item: item[:2])
        return [situation for _, _, situation in found]

    def _situation(self, info: InfoSet, reach: float, by_slot: NDArray[Any]) -> Situation:
        state = self.tree.samples[info.number]
        made = []
        for text, actions in decisions_of(state):
            share, value = 1.0, 0.0
            for number, action in enumerate(actions):
                here = self.tree.by_key[(*info.key[:2], actions[:number])]
                slot = here.offset + here.actions.index(action)
                share, value = share * float(self.strategy[slot]), float(by_slot[slot])
            made.append(Choice(text, share, value))
        made.sort(key=lambda choice: -choice.share)
        return Situation(info.player, *words_of(state, info.player), reach, tuple(made))

    @cached_property
    def never(self) -> list[tuple[int, str, float]]:
        """Decisions that a player never makes although they often can: player, text, and the least loss where possible.

        Only situations that are reached count.
        """
        chosen: dict[tuple[int, str], float] = {}
        losses: dict[tuple[int, str], float] = {}
        for situation in self.situations:
            if situation.reach <= TIE or len(situation.choices) < 2:
                continue
            best = max(choice.value for choice in situation.choices)
            for choice in situation.choices:
                key = situation.player, choice.text
                chosen[key] = chosen.get(key, 0.0) + choice.share
                losses[key] = min(losses.get(key, float("inf")), best - choice.value)
        least = max(self.errors) + TIE
        return sorted((*key, losses[key]) for key, share in chosen.items() if share < NEVER and losses[key] > least)


def words_of(state: State, player: int) -> tuple[str, str]:
    """Return what only a player sees, and what was decided and said so far, in the words of the game."""
    info = information_state(state, player)
    shown = view(info)
    faces = state.game.faces
    held = [
        f"{zone.short}: {' '.join(faces[card].text for card in zone.cards if card is not None)}"
        for zone in shown.zones
        if not zone.public and any(card is not None for card in zone.cards)
    ]
    public = {value.slot for value in view(information_state(state, None)).values}
    own = [f"{value.label}: {value.text}" for value in shown.values if value.slot not in public and value.relevant]
    past = [event.text for event in events(info) if event.kind in ("decision", "chance", "show", "word")]
    return ", ".join([*held, *own]) or "-", "; ".join(past) or "the start"


def decisions_of(state: State) -> list[tuple[str, tuple[int, ...]]]:
    """Return the complete decisions of a state with their small actions."""
    return [(sentence.text, tuple(sentence.actions)) for sentence in sentences(state, MOST_SENTENCES) or ()]


@lru_cache(maxsize=4)
def quick_answer(game: Game) -> Answer | None:
    """Return the answer for a game that is solved in a second or two; None for any other game.

    The number of iterations is fixed, so the answer is the same on every machine.
    """
    if estimated_nodes(game, probes=FEW_PROBES, most=MARGIN * MOST_QUICK) > MARGIN * MOST_QUICK:
        return None
    try:
        return solve(game, most=MOST_QUICK, iterations=QUICK_ITERATIONS)
    except TooLargeError:
        return None


def solve(
    game: Game, seconds: float = 60.0, on_progress: OnProgress | None = None, before: Cfr | None = None,
    most: int = MOST_NODES, iterations: int | None = None, listing: float = inf,
) -> Answer:  # fmt: skip
    """Return the answer for a game.  `before` goes on with the regrets of an earlier run.

    With `iterations`, CFR+ takes exactly so many, and the time is not read.  `listing` is the most seconds for listing
    the tree.

    Raises TooLargeError for a tree with more than `most` nodes, or whose listing takes too long, StoppedError where the
    caller ends the listing, AgentError without numpy.
    """
    began = time.monotonic()
    stopped = False

    def goes_on(doing: str) -> bool:
        nonlocal stopped
        spent = time.monotonic() - began
        stopped = stopped or (on_progress is not None and not on_progress(doing, spent))
        return not stopped and spent < seconds

    def list_more(nodes: int) -> bool:
        spent = time.monotonic() - began
        if spent > listing:
            raise TooLargeError
        return on_progress is None or on_progress(f"{nodes:,} positions", spent)

    tree = before.tree if before is not None else Tree(game, most=most, on_progress=list_more)

    def answer(
        strategy: NDArray[Any], concept: str, method: str, errors: Sequence[float], cfr: Cfr | None = None
    ) -> Answer:
        count = 0 if cfr is None else cfr.iterations
        spent = time.monotonic() - began
        return Answer(tree, strategy, concept, method, tuple(errors), count, spent, stopped, cfr)

    players = game.num_players
    if players == 1:
        _, strategy = best_response(tree, tree.uniform(), 0)
        return answer(strategy, ALONE, "best response to chance", (0.0,))
    if tree.is_cooperative:
        joint = JointOptimum(tree).search(lambda: goes_on("branch and bound"))
        return answer(joint.strategy, JOINT, "branch and bound", (joint.bound - joint.value,) * players)
    if tree.nothing_hidden:
        return answer(backward_induction(tree), PERFECT, "backward induction", (0.0,) * players)
    cfr = before or Cfr(tree)
    if iterations is not None:
        cfr.improve(iterations)
        seconds = 0.0
    low, high = game.utility_range
    target = PRECISION * min(high - low, 1e9)
    stride = STRIDE
    while True:
        errors = gains(tree, cfr.average())
        if max(errors) <= target or not goes_on(f"{cfr.iterations:,} iterations, error {max(errors):.2g}"):
            break
        for _ in range(stride):
            cfr.improve(1)
            if not goes_on(f"{cfr.iterations:,} iterations, error {max(errors):.2g}"):
                break
        stride += stride // 2
    if players == 2 and tree.is_constant_sum:
        return answer(cfr.average(), EQUILIBRIUM, "CFR+", errors, cfr)
    return answer(cfr.average(), APPROXIMATE, "CFR+", errors, cfr)


@attrs.frozen
class Distance:
    """How far an agent is from the solution: what it loses on average in all seats.

    In a two-player game this is its exploitability, in a cooperative game what the team misses of the optimum.
    `decided` is the share of situations in which the agent was read; the loss is None where time ran out.  `error` is
    half of the 95 % interval of a loss that was measured in plays, else 0.
    """

    agent: str
    loss: float | None
    decided: float
    error: float = 0.0


def distance(answer: Answer, name: str, agent: Agent, goes_on: Callable[[], bool]) -> Distance:
    """Return how far an agent is from the solution; each situation is read once, from the view of its player.

    An agent that draws its decisions is measured by how likely it makes each.
    """
    tree = answer.tree
    weights = np.zeros(tree.num_slots)
    begun = [info for info in tree.sets if not info.key[2]]
    for number, info in enumerate(begun):
        if not goes_on():
            return Distance(name, None, number / len(begun))
        state = tree.samples[info.number]
        if isinstance(agent, RandomAgent):
            made = {actions: 1.0 for _, actions in decisions_of(state)}
        elif isinstance(agent, Thinker):
            made = dict(agent.mixture(AgentView(state.clone())))
        else:
            chosen = agent.act(AgentView(state.clone()))
            made = {(chosen,) if isinstance(chosen, int) else tuple(chosen): 1.0}
        for actions, likely in made.items():
            for place, action in enumerate(actions):
                here = tree.by_key[(*info.key[:2], actions[:place])]
                weights[here.offset + here.actions.index(action)] += likely
    strategy = tree.normalized(weights)
    if tree.is_cooperative:
        return Distance(name, answer.values[0] - values_of(tree, strategy)[0], 1.0)
    return Distance(name, exploitability(tree, strategy), 1.0)
