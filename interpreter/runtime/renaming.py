"""The cards that actions name, and the same actions with other cards in the place of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.analysis.types import Card, base_of
from interpreter.runtime.belief.trajectories import Turn
from interpreter.runtime.machine import CHANCE

if TYPE_CHECKING:
    from interpreter.program.action_blocks import ActionBlock
    from interpreter.runtime.game_base import GameBase

Faces = dict[int, int]
"""Faces with those that take their place; every face that has one takes the place of one."""


def mapped(game: GameBase, turn: Turn, actions: list[int], faces: Faces) -> list[int]:
    """Return the small actions of a turn with other faces for its cards; picks of a set in ascending order."""
    if turn.player == CHANCE:
        card = turn.mark is not None and game.chance_is_card(turn.mark.state.node)
        return [faces.get(face, face) for face in actions] if card else actions
    return renamed(game, actions, faces)


def renamed(game: GameBase, actions: list[int], faces: Faces) -> list[int]:
    """Return the small actions of a decision with other faces for its cards; picks of a set in ascending order."""
    made: list[int] = []
    begun = 0
    for action in actions:
        shape = game.texts.shape_of(action)
        if not shape.is_set:
            made.append(shape.base + _arguments(shape, action - shape.base, faces))
            begun = len(made)
        elif action - shape.base == game.num_faces:
            made.append(action)
            begun = len(made)
        else:
            face = action - shape.base
            if begun < len(made) and not shape.base <= made[-1] < shape.base + shape.size:
                begun = len(made)
            made.append(shape.base + faces.get(face, face))
            made[begun:] = sorted(made[begun:])
    return made


def _arguments(shape: ActionBlock, rest: int, faces: Faces) -> int:
    number, step = 0, 1
    for type_, dim in zip(reversed(shape.types), reversed(shape.dims), strict=True):
        value = rest % dim
        rest //= dim
        number += step * (faces.get(value, value) if isinstance(base_of(type_), Card) else value)
        step *= dim
    return number


def cards_of(game: GameBase, turn: Turn) -> list[int]:
    """Return the faces that a turn names, in the order of its actions."""
    found: list[int] = []
    if turn.player == CHANCE:
        return found
    for action in turn.actions:
        shape = game.texts.shape_of(action)
        if shape.is_set:
            if action - shape.base < game.num_faces:
                found.append(action - shape.base)
            continue
        values = game.texts.arguments(shape, action)
        found += [v for t, v in zip(shape.types, values, strict=True) if isinstance(base_of(t), Card)]
    return found
