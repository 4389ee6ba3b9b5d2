"""Whole decisions: every sentence that a player can say at a decision, with its small actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.runtime.texts import NOTHING

if TYPE_CHECKING:
    from interpreter.runtime.state import State


@attrs.frozen
class Sentence:
    """A complete decision in words, and the small actions it is made of."""

    text: str
    actions: tuple[int, ...]


def sentences(state: State, limit: int) -> list[Sentence] | None:
    """Return all complete decisions in the order of their small actions, or None if there are more than `limit`."""
    found: list[Sentence] = []
    for sentence in _complete(state, (), []):
        found.append(sentence)
        if len(found) > limit:
            return None
    return found


def _complete(state: State, actions: tuple[int, ...], words: list[str]) -> Iterator[Sentence]:
    texts = state.game.texts
    for action in state.legal_actions():
        shape = texts.shape_of(action)
        said = list(words) if words else [shape.verb]
        if shape.is_set:
            face = action - shape.base
            if face < len(texts.faces):
                said.append(texts.face(face))
            elif not state.picked():
                said.append(NOTHING)
        else:
            values: list[Any] = texts.arguments(shape, action)
            said += [texts.one_word(a.local.type, v) for a, v in zip(shape.args, values, strict=True)]
        following = state.clone()
        following.apply_unchecked(action)
        if _goes_on(state, following):
            yield from _complete(following, (*actions, action), said)
        else:
            yield Sentence(" ".join(said), (*actions, action))


def _goes_on(state: State, following: State) -> bool:
    """Whether the decision is still unfinished: the later stages of a choice belong to no other choice."""
    before, after = state.decision(), following.decision()
    return before is not None and after is not None and after.only is not None and before.choice is after.choice
