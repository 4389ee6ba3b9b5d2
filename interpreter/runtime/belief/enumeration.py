"""The exact belief of a player, by going through all plays that look the same to them, where these are few.

Forward filtering, backward sampling: plays are carried out side by side, one entry of their histories after another,
and left as soon as the player would see something else.  Plays that have come to one position are one node, which
remembers how likely each way there was; so a world is drawn by going back from an end along ways as likely as they are.
Where there are too many nodes it is given up, and the belief is for walks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from interpreter.runtime import interruption
from interpreter.runtime.belief.seen import Comparison, Wanted
from interpreter.runtime.belief.trajectories import Impossible, Truth
from interpreter.runtime.chance import Rng
from interpreter.runtime.faults import IllegalActionError, RuleError
from interpreter.runtime.logged import LoggedMachine, first_log
from interpreter.runtime.machine import CHANCE, HistoryItem, Machine
from interpreter.runtime.position import position_key

if TYPE_CHECKING:
    from interpreter.runtime.game_base import PlainState

WIDEST = 300
MOST = 1000
"""How many nodes there may be side by side, and in all."""


@attrs.define(eq=False)
class Node:
    """A position: as one play with its log, how likely it is to come to it, and the ways there with their likelihoods.

    `turns` have ended, and `done` small actions of the next one are made.  `comparison` has compared what was seen.
    """

    state: LoggedMachine
    turns: int
    done: int
    comparison: Comparison
    weight: float = 0.0
    ways: list[tuple[Node | None, HistoryItem | None, float]] = attrs.field(factory=list)


class Enumeration:
    """All worlds of a player, by how likely they are."""

    def __init__(self, game_state: Machine, ends: list[Node]) -> None:
        self._game = game_state.game
        self._ends = ends
        self._made: dict[tuple[HistoryItem, ...], PlainState] = {}

    def draw(self, rng: Rng) -> PlainState:
        """Return a world."""
        node: Node | None = _drawn(rng, [(end, None, end.weight) for end in self._ends])[0]
        items: list[HistoryItem] = []
        while node is not None:
            node, item = _drawn(rng, node.ways)
            if item is not None:
                items.append(item)
        return self._world(tuple(reversed(items)))

    def worlds(self, most: int) -> list[tuple[PlainState, float]] | None:
        """Return all worlds, each with how likely it is; None where there are more."""
        found: list[tuple[tuple[HistoryItem, ...], float]] = []
        whole = sum(end.weight for end in self._ends)
        todo: list[tuple[Node | None, tuple[HistoryItem, ...], float]] = [(e, (), e.weight / whole) for e in self._ends]
        while todo:
            node, path, share = todo.pop()
            if node is None:
                found.append((path, share))
            else:
                for before, item, weight in node.ways:
                    todo.append((before, path if item is None else (item, *path), share * weight / node.weight))
            if len(found) + len(todo) > most:
                return None
        return [(self._world(path), share) for path, share in found]

    def _world(self, path: tuple[HistoryItem, ...]) -> PlainState:
        """Return the state behind a history; some are kept."""
        if path not in self._made:
            if len(self._made) >= MOST:
                self._made.clear()
            state = self._game.new_python_state()
            for item in path:
                state.apply_action(item)
            self._made[path] = state
        return self._made[path].clone()


def enumerated(truth: Truth, wanted: Wanted, hidden: frozenset[int]) -> Enumeration | None:
    """Return all worlds, or None where there are too many to go through, or the play waits for a card.

    Raises Interrupted.
    """
    if wanted.state.awaited is not None:
        return None
    start = first_log(wanted.state.game)
    start.told = {}
    layer = [Node(start, 0, 0, Comparison(wanted, len(start.log)), 1.0, [(None, None, 1.0)])]
    ends: list[Node] = []
    passed = 0
    while layer:
        following: dict[Any, Node] = {}
        ended = [_is_end(node, truth, wanted) for node in layer]
        ends += [node for node, over in zip(layer, ended, strict=True) if over]
        ways = [
            (node, item, node.weight * share)
            for node, over in zip(layer, ended, strict=True) if not over
            for item, share in _items(node, truth, wanted, hidden)
        ]  # fmt: skip
        passed += len(ways)
        if passed > MOST:
            return None
        for node, item, weight in ways:
            interruption.check()
            made = _after(node, item, truth)
            if made is not None:
                there = following.setdefault(_key(made, wanted), made)
                there.weight += weight
                there.ways.append((node, item, weight))
                if len(following) > WIDEST:
                    return None
        layer = list(following.values())
    return Enumeration(wanted.state, ends)


def _is_end(node: Node, truth: Truth, wanted: Wanted) -> bool:
    turns = truth.trajectory.turns
    unfinished = bool(turns) and not turns[-1].ended
    if node.turns != len(turns) - unfinished or node.done != (len(turns[-1].actions) if unfinished else 0):
        return False
    if node.state.awaited is not None:
        return False
    try:
        wanted.stands(node.state)
        node.comparison.end(node.state.log)
    except Impossible:
        return False
    return True


def _items(node: Node, truth: Truth, wanted: Wanted, hidden: frozenset[int]) -> list[tuple[HistoryItem, float]]:
    """Return what may happen next, with how likely it is: what the player has seen is what happened."""
    state, turns = node.state, truth.trajectory.turns
    if state.awaited is not None:
        return list(state.chance_outcomes())
    if state.is_terminal() or node.turns >= len(turns) or turns[node.turns].player != state.to_act:
        return []
    turn = turns[node.turns]
    if not turn.ended and node.done >= len(turn.actions):
        return []
    try:
        legal = state.legal_actions()
        outcomes = state.chance_outcomes() if state.to_act == CHANCE else [(a, 1 / len(legal)) for a in legal]
    except RuleError:
        return []
    if node.turns in hidden:
        return list(outcomes)
    if node.done >= len(turn.actions):
        return []
    action = turn.actions[node.done]
    own = state.to_act == wanted.player
    return [(item, 1.0 if own else share) for item, share in outcomes if item == action]


def _after(node: Node, item: HistoryItem, truth: Truth) -> Node | None:
    state = node.state.clone()
    player, drawn = state.to_act, state.awaited is not None
    comparison = node.comparison.copy()
    try:
        state.apply_action(item)
        comparison.read_on(state.log)
    except (Impossible, IllegalActionError, RuleError):
        return None
    made = Node(state, node.turns, node.done, comparison)
    if not drawn:
        made.done += 1
        if state.to_act != player or not state.is_unfinished():
            made.turns, made.done = node.turns + 1, 0
            turn = truth.trajectory.turns[node.turns]
            if not turn.ended:
                return None
    return made


def _key(node: Node, wanted: Wanted) -> tuple[Any, ...]:
    """Return what two plays have in common that go on as one: the position, and all that later events hang on."""
    state = node.state
    effect: tuple[Any, ...] = ()
    if state.to_act == CHANCE:
        # In the middle of an effect, what was seen last may grow, and who saw what was chosen may be found out.
        place, chosen, seen = state.recent
        told = wanted.past.read_on(state.log)
        effect = (len(state.log) - place, chosen, tuple(sorted(seen.items())), repr(told[-1].whole) if told else "")
    doubts = tuple(sorted(state.unsettled.items()))
    return (node.turns, node.done, len(state.log), position_key(state), doubts, effect)


def _drawn(rng: Rng, ways: list[tuple[Any, Any, float]]) -> tuple[Any, Any]:
    rest = rng.random() * sum([weight for _, _, weight in ways])
    for node, item, weight in ways:
        rest -= weight
        if rest < 0:
            return node, item
    return ways[-1][:2]
