"""Whole decisions: every sentence that a player can say at a decision, with its small actions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeVar

import attrs

from interpreter.engine.faults import RuleError
from interpreter.engine.machine import Machine
from interpreter.text.prompts import small_action
from interpreter.text.texts import DONE, NOTHING

if TYPE_CHECKING:
    from interpreter.engine.game_data import ActionData, DecisionData, StageData

_Machine = TypeVar("_Machine", bound=Machine)


@attrs.frozen
class Sentence:
    """A complete decision in words, and the small actions it is made of."""

    text: str
    actions: tuple[int, ...]


def sentences(state: Machine, limit: int) -> list[Sentence] | None:
    """Return all complete decisions in the order of their small actions, or None if there are more than `limit`.

    A depth-first search that ends as soon as the limit is passed: every legal small action begins a decision.
    """
    found: list[Sentence] = []
    waiting: list[tuple[Machine, int, tuple[int, ...], list[str]]] = [
        (state, action, (), []) for action in reversed(state.legal_actions())
    ]
    while waiting:
        if len(found) + len(waiting) > limit:
            return None
        here, action, actions, words = waiting.pop()
        said = [*words, *words_of(here, action, begun=bool(words))]
        actions = (*actions, action)
        following = unfinished(here, action)
        if following is None:
            found.append(Sentence(" ".join(said), actions))
        else:
            waiting += [(following, then, actions, said) for then in reversed(following.legal_actions())]
    return found


def text_of(state: Machine, actions: Sequence[int]) -> str:
    """Return a complete decision in words, from its small actions."""
    said: list[str] = []
    here: Machine | None = state
    for action in actions:
        assert here is not None
        said += words_of(here, action, begun=bool(said))
        here = unfinished(here, action)
    return " ".join(said)


def words_of(state: Machine, action: int, *, begun: bool) -> list[str]:
    """Return what a small action adds to its sentence; the first of a sentence brings the verb too."""
    texts = state.game.texts
    shape = texts.shape_of(action)
    said = [] if begun else [shape.verb]
    if shape.is_set:
        face = action - shape.base
        if face < len(texts.faces):
            said.append(texts.after_verb(small_action(state, action), action))
        elif not state.picked():
            said.append(NOTHING)
        elif _before_set(state, action):
            said.append(DONE)
        return said
    return said + small_action(state, action).split()[1:]


def _before_set(state: Machine, action: int) -> bool:
    """Whether a set is chosen after the one that a small action ends: then the sentence says where it ends."""
    following = unfinished(state, action)
    decision = None if following is None else following.decision_data()
    return decision is not None and decision.is_begun and decision.actions[0].stages[decision.stage].is_set


@cache
def has_single_actions(decision: DecisionData) -> bool:
    """Say whether each small action at a decision completes it, in every state."""
    return all(stage is action.stages[-1] and not stage.is_set for action, stage in open_stages(decision))


@lru_cache(maxsize=4_096)
def completes(decision: DecisionData, action: int) -> bool:
    """Say whether a small action completes its decision in every state: the last of single arguments, or of sets."""
    found = [(of, stage) for of, stage in open_stages(decision) if stage.base <= action < stage.base + stage.size]
    return bool(found) and all(
        stage is of.stages[-1] and (not stage.is_set or action == stage.base + stage.size - 1) for of, stage in found
    )


def open_stages(decision: DecisionData) -> list[tuple[ActionData, StageData]]:
    """Return the actions that are open at a decision, each with the stage that is chosen next."""
    return [(action, action.stages[decision.stage]) for action in decision.actions]


def unfinished(state: _Machine, action: int) -> _Machine | None:
    """Return the state after a legal small action, or None if the action completes its decision.

    Where the decision cannot go on, nothing is copied: a copy costs as much as the play is long.
    """
    decision = state.decision_data()
    if decision is not None and completes(decision, action):
        return None
    following = state.clone()
    try:
        following.apply_unchecked(action)
    except RuleError:
        return None
    return following if following.is_unfinished() else None


def actions_of(state: Machine, text: str) -> tuple[int, ...] | None:
    """Return the small actions whose words are exactly this text; None if no legal decision has them.

    Unlike `State.string_to_action` this does not apply the decision, so it also reads one that leads to a fault.
    """
    return _matching(state, text.split(), begun=False)


def _matching(state: Machine, words: list[str], *, begun: bool) -> tuple[int, ...] | None:
    for action in state.legal_actions():
        said = words_of(state, action, begun=begun)
        if words[: len(said)] != said:
            continue
        rest = words[len(said) :]
        following = unfinished(state, action)
        if following is None:
            if not rest:
                return (action,)
        elif (more := _matching(following, rest, begun=True)) is not None:
            return (action, *more)
    return None
