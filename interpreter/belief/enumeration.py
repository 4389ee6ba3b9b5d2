"""Exact belief of a player: enumeration of all plays with the same observations, if they are few.

Forward filtering, backward sampling: plays are carried out side by side, one entry of their histories after another,
and dropped as soon as the player would see something else.  Plays that reach one position are merged into one node,
which keeps the likelihood of each of its predecessors; a world is drawn by going back from an end, each step with the
likelihood of the predecessor.  With more than `MOST` nodes the enumeration gives up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from interpreter.belief.evidence import Comparison, Evidence, InconsistentError, is_turn_over
from interpreter.engine import interruption
from interpreter.engine.chance import Rng
from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.logged import LoggedMachine, first_log
from interpreter.engine.machine import CHANCE, HistoryItem, Machine
from interpreter.engine.position import position_key

if TYPE_CHECKING:
    from interpreter.engine.game_base import PlainState

WIDEST = 300
MOST = 1000
TRIED = 10 * MOST
"""How many nodes there may be side by side, and steps between them, and steps that are tried."""
PROBED = 64
"""How many steps of a long list are tried first: if all of them lead to different positions, there are too many."""


@attrs.define(eq=False)
class Node:
    """A position: one play that reaches it, its likelihood, and its predecessors with their likelihoods.

    `turns` have ended, and `done` small actions of the next one are made.
    """

    state: LoggedMachine
    turns: int
    done: int
    comparison: Comparison
    weight: float = 0.0
    predecessors: list[tuple[Node | None, HistoryItem | None, float]] = attrs.field(factory=list)


class Enumeration:
    """All worlds of a player, by how likely they are."""

    def __init__(self, state: Machine, ends: list[Node]) -> None:
        self._game = state.game
        self._ends = ends
        self._made: dict[tuple[HistoryItem, ...], PlainState] = {}

    def draw(self, rng: Rng) -> PlainState:
        """Return a world."""
        node: Node | None = _drawn(rng, [(end, None, end.weight) for end in self._ends])[0]
        items: list[HistoryItem] = []
        while node is not None:
            node, item = _drawn(rng, node.predecessors)
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
                for before, item, weight in node.predecessors:
                    todo.append((before, path if item is None else (item, *path), share * weight / node.weight))
            if len(found) + len(todo) > most:
                return None
        return [(self._world(path), share) for path, share in found]

    def _world(self, path: tuple[HistoryItem, ...]) -> PlainState:
        """Return the state after a history; some are kept."""
        if path not in self._made:
            if len(self._made) >= MOST:
                self._made.clear()
            state = self._game.new_python_state()
            for item in path:
                state.apply_action(item)
            self._made[path] = state
        return self._made[path].clone()


def enumerated(evidence: Evidence) -> Enumeration | None:
    """Return all worlds, or None where there are too many to enumerate, or the play waits for a card.

    Raises Interrupted.
    """
    if evidence.state.awaited is not None:
        return None
    start = first_log(evidence.state.game)
    start.derived = {}
    layer = [Node(start, 0, 0, Comparison(evidence), 1.0, [(None, None, 1.0)])]
    ends: list[Node] = []
    tried = passed = 0
    while layer:
        following: dict[Any, Node] = {}
        open_: list[Node] = []
        for node in layer:
            (ends if _is_end(node, evidence) else open_).append(node)
        edges = [(node, item, node.weight * share) for node in open_ for item, share in _items(node, evidence)]
        tried += len(edges)
        if tried > TRIED or _are_too_many(edges, evidence):
            return None
        for node, item, weight in edges:
            interruption.check()
            made = _after(node, item, evidence)
            if made is not None:
                passed += 1
                merged = following.setdefault(_key(made, evidence), made)
                merged.weight += weight
                merged.predecessors.append((node, item, weight))
                if len(following) > WIDEST or passed > MOST:
                    return None
        layer = list(following.values())
    return Enumeration(evidence.state, ends)


def _are_too_many(edges: list[tuple[Node, HistoryItem, float]], evidence: Evidence) -> bool:
    """Whether a sample shows that these steps lead to more than `WIDEST` positions.

    If they led to `WIDEST` equally likely positions, a sample without a repetition would have a probability of 0.1 %
    (birthday problem).  Giving up too early costs exactness only: worlds are then sampled.
    """
    if len(edges) < 4 * PROBED:
        return False
    found = set()
    for node, item, _ in edges[:: len(edges) // PROBED][:PROBED]:
        interruption.check()
        made = _after(node, item, evidence)
        if made is None or (key := _key(made, evidence)) in found:
            return False
        found.add(key)
    return True


def _is_end(node: Node, evidence: Evidence) -> bool:
    turns, state = evidence.turns, node.state
    done = 0 if len(turns) == evidence.finished_turns else len(turns[-1].actions)
    if node.turns != evidence.finished_turns or node.done != done or state.awaited is not None:
        return False
    return evidence.is_end(state, node.comparison)


def _items(node: Node, evidence: Evidence) -> list[tuple[HistoryItem, float]]:
    """Return what may happen next, with its likelihood: what the player has seen is what happened."""
    state, turns = node.state, evidence.turns
    if state.awaited is not None or state.to_act == CHANCE:
        return list(state.chance_outcomes())
    if state.is_terminal() or node.turns >= len(turns) or turns[node.turns].player != state.to_act:
        return []
    turn = turns[node.turns]
    if not turn.ended and node.done >= len(turn.actions):
        return []
    try:
        legal = state.legal_actions()
    except RuleError:
        return []
    outcomes: list[tuple[HistoryItem, float]] = [(action, 1 / len(legal)) for action in legal]
    if turn.hidden:
        return outcomes
    if node.done >= len(turn.actions):
        return []
    action = turn.actions[node.done]
    own = state.to_act == evidence.player
    return [(item, 1.0 if own else share) for item, share in outcomes if item == action]


def _after(node: Node, item: HistoryItem, evidence: Evidence) -> Node | None:
    state = node.state.clone()
    player, drawn = state.to_act, state.awaited is not None or state.to_act == CHANCE
    comparison = node.comparison.copy()
    try:
        state.apply_action(item)
        comparison.read_on(state.log)
    except (InconsistentError, IllegalActionError, RuleError):
        return None
    made = Node(state, node.turns, node.done, comparison)
    if not drawn:
        made.done += 1
        if is_turn_over(state, player):
            made.turns, made.done = node.turns + 1, 0
            if not evidence.turns[node.turns].ended:
                return None
    return made


def _key(node: Node, evidence: Evidence) -> tuple[Any, ...]:
    """Return what two plays have in common that go on alike: the position, and all that later events depend on."""
    state = node.state
    effect: tuple[Any, ...] = ()
    if state.to_act == CHANCE:
        # In the middle of an effect, the event seen last may grow, and who saw the chosen cards may change.
        place, chosen, viewers = state.recent
        seen = evidence.past.read_on(state.log)
        effect = (len(state.log) - place, chosen, tuple(sorted(viewers.items())), repr(seen[-1].whole) if seen else "")
    doubts = tuple(sorted(state.unsettled.items()))
    return (node.turns, node.done, len(state.log), position_key(state), doubts, effect)


def _drawn(rng: Rng, edges: list[tuple[Any, Any, float]]) -> tuple[Any, Any]:
    rest = rng.random() * sum([weight for _, _, weight in edges])
    for node, item, weight in edges:
        rest -= weight
        if rest < 0:
            return node, item
    return edges[-1][:2]
