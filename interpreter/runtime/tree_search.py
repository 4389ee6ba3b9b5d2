"""Information-set Monte Carlo tree search with a tree for each player (MO-ISMCTS; Cowling, Powley and Whitehouse).

This is the search of `interpreter/native/c/search.h` on Python's states, for machines without a C compiler.  Both have
the same trees, bounds and playouts; chance is drawn otherwise, so their choices differ as those of two seeds do.

An iteration takes one of the worlds, in which everything hidden is decided, and plays it to its end, or to that of a
round which deals anew: first in the trees, then at random.  The tree of a player has an edge for each of their own
actions and for whatever they see of the actions of others, so what a player does in it hangs on nothing that they do
not see: of an action, whether they see its cards where these lay or where they went.  Chance has no edges.

A flat tree is the same search with a look ahead of one decision (flat Monte Carlo).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from math import log, sqrt
from random import Random
from typing import TYPE_CHECKING

import attrs

from interpreter.analysis.types import Card, base_of
from interpreter.program.nodes import Decision
from interpreter.runtime.chance import below
from interpreter.runtime.faults import RuleError
from interpreter.runtime.interruption import Interrupted, check

if TYPE_CHECKING:
    from interpreter.runtime.game import Game, State
    from interpreter.runtime.outcome import Outcome

DEPTH = 256
"""Decisions of an iteration that are learned from."""

WIDE = 16
"""Actions that are tried before the widening begins."""

EXPLORES, UNTRIED, UNIFORM = 0.7, 0.5, 0.2
"""The weight of a bound's second term; the value of an action that was never tried, between 0 and 1; how much of a
choice by regrets is uniform."""


@attrs.frozen
class Tried:
    """What a search found of a small action.

    `visits` is how often it was tried, `worth` the mean of the returns behind it, `standing` that of the place among
    the others (`standings`), `weight` how much of all choices it was, where others decide at the same time (else 0).
    """

    action: int
    visits: int
    worth: float
    standing: float
    weight: float


@attrs.define(eq=False)
class _Node:
    """An edge, and the node behind it."""

    edges: dict[int, _Node] = attrs.field(factory=dict)
    visits: int = 0
    available: int = 0
    entered: int = 0
    worth: float = 0.0
    standing: float = 0.0
    regret: float = 0.0
    weight: float = 0.0


@attrs.define(eq=False)
class _Habit:
    """How often somebody took an action, and what came of it (MAST; Finnsson and Björnsson, 2008)."""

    visits: int = 0
    worth: float = 0.0
    standing: float = 0.0


@attrs.frozen(eq=False)
class _Taken:
    """An edge of an iteration: whose, at which node, and with which probability where it was chosen by regrets."""

    edge: _Node
    node: _Node
    player: int
    chance: float


class TreeSearch:
    """A search for one player.

    `limit` is the most small actions of an iteration, behind which the score counts as it is then.  A `flat` tree ends
    with the first decision of the player; what others do, and all behind it, is drawn evenly.
    """

    engine = "Python"

    def __init__(self, game: Game, player: int, seed: int, *, limit: int, flat: bool = False) -> None:
        self._player, self._game, self._seed, self._limit, self._flat = player, game, seed, limit, flat
        self._roots = [_Node() for _ in range(game.num_players)]
        self._habits: list[dict[int, _Habit]] = [{} for _ in range(game.num_players)]
        self._bounds: list[list[float]] = []
        self._prefix: tuple[int, ...] = ()
        self._done = 0
        tables = action_tables(game)
        self._groups, self._faces, self._simultaneous = tables.groups, tables.faces, tables.simultaneous
        self._agree = 0.0

    def grow(self, worlds: Sequence[State], iterations: int) -> int:
        """Go on for so many iterations over some worlds; return how many there were until it was interrupted."""
        begun = self._done
        with suppress(Interrupted):
            while self._done < begun + iterations:
                self._once(worlds[self._done % len(worlds)].clone(), Random(f"{self._seed}/{self._done}"))
                self._done += 1
        return self._done - begun

    def decide(self, actions: Sequence[int]) -> None:
        """Let all iterations from now on begin with these small actions of the player."""
        self._prefix = tuple(actions)

    def tried(self, actions: Sequence[int] = ()) -> list[Tried]:
        """Return what was tried behind some small actions of the player, ascending."""
        node = self._roots[self._player]
        for action in actions:
            if action not in node.edges:
                return []
            node = node.edges[action]
        return [
            Tried(action, e.visits, e.worth / e.visits, e.standing / e.visits, e.weight)
            for action, e in sorted(node.edges.items())
            if e.visits and action >= 0
        ]

    # ---- one iteration

    def _once(self, state: State, rng: Random) -> None:
        taken: list[_Taken] = []
        habits: list[tuple[int, int]] = []
        with suppress(RuleError):
            self._play(state, rng, taken, habits)
        self._learn(state, taken, habits)

    def _play(self, state: State, rng: Random, taken: list[_Taken], habits: list[tuple[int, int]]) -> None:
        at, in_trees, last, own = list(self._roots), True, -1, 0
        state.end_with_round()
        state.resolve_chance(rng)
        for _ in range(self._limit):
            check()
            if state.is_terminal():
                return
            player, legal = state.to_act, state.legal_actions()
            mine = player == self._player
            decided = mine and own < len(self._prefix)
            action = None
            hidden = self._simultaneous[state.node]
            if in_trees and len(taken) < DEPTH and (mine or not self._flat):
                node, chance = at[player], 0.0
                if last >= 0 and state.is_unfinished():
                    legal = self._ascending(last, legal)
                if decided:
                    action = self._prefix[own] if self._prefix[own] in legal else None
                elif hidden and not self._flat and self._groups[legal[0]] < 0:
                    # Sets are not mixed: there are too many to come round to each.
                    action, chance = self._by_regrets(node, legal, rng)
                else:
                    action = self._by_bound(node, player, legal, rng)
                if action is not None:
                    taken.append(_Taken(node.edges.setdefault(action, _Node()), node, player, chance))
            if action is None:
                in_trees = in_trees and self._flat and not mine
                action = self._prefix[own] if decided and self._prefix[own] in legal else None
                action = self._by_habit(player, legal, rng) if action is None else action
            if len(habits) < DEPTH and not self._flat:
                habits.append((player, action))
            own += mine
            shown = self._viewers(state, action) if in_trees else 0
            state.apply_unchecked(action)
            if state.is_chance_node():
                state.resolve_chance(rng)
            last = action if self._groups[action] >= 0 else -1
            if in_trees and self._flat:
                if mine:
                    at[player] = taken[-1].edge
                    in_trees = state.is_unfinished() and (decided or at[player].visits > 0)
            elif in_trees:
                shown |= self._viewers(state, action)
                for other, node in enumerate(at):
                    if other == player:
                        at[other] = taken[-1].edge
                    elif shown >> other & 1 and not hidden:
                        at[other] = node.edges.setdefault(-2 - action, _Node())
                in_trees = decided or taken[-1].edge.visits > 0
        if not state.is_terminal():
            state.end_here()
            state.resolve_chance(rng)

    def _viewers(self, state: State, action: int) -> int:
        """Return who sees the cards of an action where they lie now, bits of players."""
        game, seen = self._game, self._game.everyone
        for face in self._faces[action]:
            seen_here = 0
            for place, zone in enumerate(state.zones):
                for card in zone:
                    if card < game.num_cards and game.card_faces[card] == face:
                        turned = state.turned.get(card)
                        seen_here |= (
                            game.place_viewers[place] if turned is None else game.everyone if turned == 1 else 0
                        )
            seen &= seen_here
        return seen

    def _by_bound(self, node: _Node, player: int, legal: list[int], rng: Random) -> int:
        """Choose by the upper bound (UCB1 on availability)."""
        node.entered += 1
        best, most, rest, tried = -1, -1.0, [], 0
        for action in legal:
            edge = node.edges.get(action)
            if edge is None:
                rest.append(action)
                continue
            edge.available += 1
            tried += 1
            bound = float("inf")
            if edge.visits:
                bound = self._value(player, edge.worth, edge.standing, edge.visits)
                bound += EXPLORES * sqrt(log(edge.available) / edge.visits)
            if bound > most:
                best, most = action, bound
        if not rest or (tried >= WIDE and tried * tried > node.entered):
            return best
        if best >= 0 and most >= UNTRIED + EXPLORES * sqrt(log(node.entered)):
            return best
        habits = [self._habit(player, action) for action in rest]
        equal = [action for action, habit in zip(rest, habits, strict=True) if habit == max(habits)]
        action = equal[below(rng, len(equal))]
        node.edges[action] = _Node(available=1)
        return action

    def _by_regrets(self, node: _Node, legal: list[int], rng: Random) -> tuple[int, float]:
        """Choose in proportion to positive regrets, and note the average of these choices.

        This is regret matching (Hart and Mas-Colell, 2000): what others choose at the same time cannot be answered, so
        whoever always did what looks best would be found out.
        """
        edges = [node.edges.setdefault(action, _Node()) for action in legal]
        total = sum(max(0.0, edge.regret) for edge in edges)
        parts = [max(0.0, e.regret) / total if total > 0 else 1 / len(edges) for e in edges]
        for edge, part in zip(edges, parts, strict=True):
            edge.weight += part
        mixed = [(1 - UNIFORM) * part + UNIFORM / len(edges) for part in parts]
        drawn, number = rng.random(), 0
        while number < len(mixed) - 1 and drawn >= mixed[number]:
            drawn -= mixed[number]
            number += 1
        return legal[number], mixed[number]

    def _by_habit(self, player: int, legal: list[int], rng: Random) -> int:
        """Return of two legal actions at random the one of greater habit."""
        one, other = legal[below(rng, len(legal))], legal[below(rng, len(legal))]
        return one if one == other or self._habit(player, one) >= self._habit(player, other) else other

    def _ascending(self, last: int, legal: list[int]) -> list[int]:
        """Let cards of a set be picked in ascending order, where that can be."""
        group = self._groups[last]
        return [a for a in legal if a > last or self._groups[a] != group] or legal

    def _learn(self, state: State, taken: list[_Taken], habits: list[tuple[int, int]]) -> None:
        # Rules that come apart pay nobody anything.
        outcome = state.outcome()
        assert outcome is not None
        worth, standing, players = outcome.returns, standings(self._game, outcome), range(self._game.num_players)
        # The rules do not say whether a high score is good: what goes with the returns is.
        self._agree += sum(w * s for w, s in zip(worth, standing, strict=True))
        if not self._bounds:
            self._bounds = [[worth[p], worth[p], standing[p], standing[p]] for p in players]
        for p, bounds in enumerate(self._bounds):
            low, high, least, greatest = bounds
            bounds[:2] = min(low, worth[p]), max(high, worth[p])
            bounds[2:] = min(least, standing[p]), max(greatest, standing[p])
        for each in taken:
            edge, p = each.edge, each.player
            edge.visits += 1
            edge.worth += worth[p]
            edge.standing += standing[p]
            if each.chance:
                value = self._value(p, worth[p], standing[p], 1)
                for other in each.node.edges.values():
                    other.regret -= value
                edge.regret += value / each.chance
        for p, action in habits:
            habit = self._habits[p].setdefault(action, _Habit())
            habit.visits += 1
            habit.worth += worth[p]
            habit.standing += standing[p]

    def _habit(self, player: int, action: int) -> float:
        habit = self._habits[player].get(action)
        return 1.0 if habit is None else self._value(player, habit.worth, habit.standing, habit.visits)

    def _value(self, player: int, worth: float, standing: float, count: int) -> float:
        """Return what a mean of so many results is to a player, from 0 to 1."""
        low, high, least, greatest = self._bounds[player]
        value = (worth / count - low) / (high - low) if high > low else 0.5
        if not self._agree:
            return value
        other = (standing / count - least) / (greatest - least) if greatest > least else 0.5
        return (value + (other if self._agree > 0 else 1 - other)) / 2


def standings(game: Game, outcome: Outcome) -> list[float]:
    """Return how players stand among each other at an end, besides what it pays them; the mean is 0.

    Where returns only say who is best, that is how far their score lies from the others'; where they say more and
    winners are named, which part of the first place is theirs; else nothing.
    """
    count = game.num_players
    match game.rules.standing:
        case "score" if outcome.scores is not None:
            total = sum(outcome.scores)
            return [score - (total - score) / (count - 1) for score in outcome.scores]
        case "returns":
            best = max(outcome.returns)
            shared = outcome.returns.count(best)
            return [(paid == best) / shared - 1 / count for paid in outcome.returns]
        case _:  # Nothing else is told.
            return [0.0] * count


def before_others(world: State) -> State:
    """Return where those have not decided yet who decide at the same time as the player to act.

    What they do at the same time is not believed but searched, as the player's own choice is.  Raises Interrupted.
    """
    asked, player = world.decision(), world.to_act
    if asked is None or not asked.hidden or world.is_unfinished():
        return world
    state = world.game.new_python_state()
    found, decided = world, {player}
    for actor, item in world.history():
        check()
        here = state.decision()
        if here is None or here.choice is not asked.choice:
            found, decided = world, {player}
        elif not state.is_unfinished():
            if found is world or actor in decided:
                found, decided = state.clone(), set()
            decided.add(actor)
        state.apply_action(item)
    return world if player in decided else found


@attrs.frozen(eq=False)
class ActionTables:
    """What a search has to know of a game: of each small action the set that it picks a card for (-1 where it picks
    none), and the faces that it names; of each node of the program whether others decide there at the same time.
    """

    groups: tuple[int, ...]
    faces: tuple[tuple[int, ...], ...]
    simultaneous: tuple[bool, ...]


@lru_cache(maxsize=8)
def action_tables(game: Game) -> ActionTables:
    """Return the tables of a game, which are made once."""
    numbers: dict[tuple[object, ...], int] = {}
    groups, faces = [], []
    for number in range(game.num_distinct_actions):
        action, types = game.action(number), game.texts.shape_of(number).types
        named = [face for type_, face in zip(types, action.args, strict=False) if isinstance(base_of(type_), Card)]
        faces.append(tuple(named if action.pick is None else [*named, action.pick]))
        groups.append(-1 if action.pick is None else numbers.setdefault((action.verb, action.args), len(numbers)))
    secret = tuple(isinstance(node, Decision) and node.hidden for node in game.program.nodes)
    return ActionTables(tuple(groups), tuple(faces), secret)
