"""The position of a state as one value: everything that affects later play, without the history.

Solvers that keep what they know of a position look it up by this.  What lies on the table is not enough: decisions that
are kept until all have decided, the place in a loop, and the effect that continues after an interruption are in the
state and on no table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.analysis.types import Card, Cards, base_of
from interpreter.engine.machine import TERMINAL, Machine

Entry = tuple[int, ...]


def position_key(state: Machine) -> tuple[Any, ...]:
    """Return a hashable value that states of one game share only if all that can still matter is equal.

    Copies of a card are alike unless something refers to one of them.  How many decisions were made counts, as the
    greatest length of a play does.  Values that no rule will read again count too.
    """
    if state.to_act == TERMINAL:
        return (TERMINAL, state.result)
    game, faces, cards = state.game, state.game.card_faces, state.game.num_cards
    values = tuple(map(_frozen, state.values))
    named = set(_referred(state, values))
    numbers: dict[int, int] = {}

    def entry(card: int) -> Entry:
        """Return a card by its face, a token by its pool, in the order in which these are met; with what marks it."""
        marks = (state.turned.get(card, 0), state.played_by.get(card, -1), card if card in named else -1)
        if card < cards:
            return (0, faces[card], *marks)
        pool = state.undetermined[card]
        return (1, numbers.setdefault(pool, len(numbers)), *marks)

    zones = tuple(
        tuple(sorted(map(entry, zone))) if game.unordered[place] else tuple(map(entry, zone))
        for place, zone in enumerate(state.zones)
    )
    pools = tuple(tuple([faces[card] for card in state.pools[pool]]) for pool in numbers)
    return (
        state.to_act, state.node, state.num_decisions, values, zones, pools, state.awaited, state.undone, state.too_long
    )  # fmt: skip


def _frozen(value: Any) -> Any:
    """Return a value of a state as one that can be hashed."""
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return tuple(sorted((key, _frozen(held)) for key, held in value.items()))
    if isinstance(value, set | frozenset):
        return tuple(sorted(value))
    return value


def _referred(state: Machine, values: tuple[Any, ...]) -> Iterator[int]:
    """Return the cards and tokens that something refers to; after the variables any number may be one."""
    types = state.game.variable_types
    for place, value in enumerate(values):
        if place >= len(types) or isinstance(base_of(types[place]), Card | Cards):
            yield from _numbers(value)
    if state.awaited is not None:
        yield state.awaited


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, int):
        yield value
