"""Data that a search needs of a game, in C (`interpreter.native.search`) and for flat Monte Carlo in Python."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from interpreter.engine.interruption import check

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State
    from interpreter.engine.outcome import Outcome

EXPLORES, UNTRIED, WIDE = 0.7, 0.5, 16
"""The weight of the exploration term of UCB1; the value of an action that was never tried, between 0 and 1; the number
of actions that are tried before progressive widening begins.
"""


@attrs.frozen
class Tried:
    """The statistics of one small action in a search tree.

    `visits` is how often it was tried, `worth` the mean return after it, `standing` the mean standing (`standings`),
    `weight` its share of all choices if others decide at the same time (else 0).
    """

    action: int
    visits: int
    worth: float
    standing: float
    weight: float


def standings(game: Game, outcome: Outcome) -> list[float]:
    """Return the standing of each player at an end, a second objective beside the returns; the mean is 0.

    Where returns only say who is best, it is the margin of the score over the others'; where they say more and winners
    are named, the player's share of the first place; else 0.
    """
    count = game.num_players
    match game.data.standing:
        case "score" if outcome.scores is not None:
            total = sum(outcome.scores)
            return [score - (total - score) / (count - 1) for score in outcome.scores]
        case "returns":
            best = max(outcome.returns)
            shared = outcome.returns.count(best)
            return [(paid == best) / shared - 1 / count for paid in outcome.returns]
    return [0.0] * count


def before_others(world: State) -> State:
    """Return the position before the simultaneous decisions of others that the player to act does not know.

    These are searched, as the player's own choice is, instead of being a part of the world.  Raises Interrupted.
    """
    decision, player = world.decision_data(), world.to_act
    if decision is None or not decision.hidden or world.is_unfinished():
        return world
    state = world.game.new_python_state()
    found, decided = world, {player}
    for actor, item in world.history():
        check()
        here = state.decision_data()
        if here is None or here.choice != decision.choice:
            found, decided = world, {player}
        elif not state.is_unfinished():
            if found is world or actor in decided:
                found, decided = state.clone(), set()
            decided.add(actor)
        state.apply_action(item)
    return world if player in decided else found


@attrs.frozen(eq=False)
class ActionTables:
    """For each small action, the set that it picks a card for (-1 where it picks none); for each node of the program,
    whether others decide there at the same time.
    """

    groups: tuple[int, ...]
    simultaneous: tuple[bool, ...]


@lru_cache(maxsize=8)
def action_tables(game: Game) -> ActionTables:
    """Return the tables of a game, computed once."""
    numbers: dict[tuple[object, ...], int] = {}
    groups = []
    for number in range(game.num_distinct_actions):
        action = game.action(number)
        groups.append(-1 if action.pick is None else numbers.setdefault((action.verb, action.args), len(numbers)))
    decisions = map(game.decision_data, range(len(game.data.node_sites)))
    return ActionTables(tuple(groups), tuple(found is not None and found.hidden for found in decisions))
