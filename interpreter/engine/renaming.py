"""Rename the cards in actions: the same actions with exchanged cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.analysis.types import Card, base_of

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.program.action_blocks import ActionBlock

Faces = dict[int, int]
"""Faces with those that take their place; every face that has one takes the place of one."""


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
