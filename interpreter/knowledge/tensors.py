"""Observation tensors: what a viewer sees of the table now, as numbers.

The numbers have one layout for all players and all states of a game: who looks, who acts; for each place, how
many cards lie there and how many of each face are seen; for each variable, its value; what is picked of an
unfinished set.  What is not seen is 0.  A `Sight` says what counts as seen: what everybody sees, what only
this player sees, or both.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import attrs

from interpreter.analysis.types import Int, Type, base_of, cells_of, is_optional

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.machine import Machine
    from interpreter.knowledge.visibility import Sight

UNBOUNDED = float("inf")


def observation_layout(game: GameBase) -> list[tuple[str, int, int]]:
    """Return the parts of the tensor: name, first position, size."""
    # Names with a space in them cannot be those of a zone or variable, which stand alone or before a bracket.
    parts: list[tuple[str, int, int]] = []
    position = 0

    def part(name: str, size: int) -> None:
        nonlocal position
        parts.append((name, position, size))
        position += size

    part("observing player", game.num_players)
    part("acting player", game.num_players)
    for place in range(game.num_places):
        part(f"{game.place_name(place)} count", 1)
        part(f"{game.place_name(place)} faces", game.num_faces)
    for slot, type_ in enumerate(game.variable_types):
        part(game.variable_name(slot), cells_of(type_, game.num_faces, game.num_players))
    part("picked cards", game.num_faces)
    return parts


def observation_bounds(game: GameBase) -> tuple[list[float], list[float]]:
    """Return the least and the greatest value of each number of the tensor, infinite where the spec sets none."""
    copies = [0.0] * game.num_faces
    for face in game.card_faces:
        copies[face] += 1.0
    high = [1.0] * (2 * game.num_players)
    for _ in range(game.num_places):
        high += [float(game.num_cards), *copies]
    low = [0.0] * len(high)
    for type_ in game.variable_types:
        size = cells_of(type_, game.num_faces, game.num_players)
        inner = base_of(type_)
        if isinstance(inner, Int):
            low += [-UNBOUNDED if inner.low is None else float(min(inner.low, 0))] + [0.0] * (size - 1)
            high += [UNBOUNDED if inner.high is None else float(max(inner.high, 0))] + [1.0] * (size - 1)
        else:
            low += [0.0] * size
            high += [1.0] * size
    return low + [0.0] * game.num_faces, high + copies


def observation_tensor(state: Machine, sight: Sight) -> list[float]:
    """Return what is seen as numbers, in the layout of the game."""
    game = state.game
    plan = _plan(game)
    out = [0.0] * plan.size
    if sight.private == "own":
        out[sight.player] = 1.0
    if sight.public and state.to_act >= 0:
        out[game.num_players + state.to_act] = 1.0
    for place, start in enumerate(plan.places):
        if state.zones[place]:
            _place(state, place, sight, out, start)
    for slot, start in enumerate(plan.variables):
        if sight.sees(game.variable_viewers[slot], game.everyone):
            type_ = game.variable_types[slot]
            _fill(out, start, plan.sizes[slot], type_, game.texts.faced(type_, state.values[slot]))
    if state.to_act >= 0 and sight.sees(1 << state.to_act, game.everyone):
        for face in state.picked():
            out[plan.picked + face] += 1.0
    return out


@attrs.frozen
class _Plan:
    """Where each place, each variable and what is picked begin, how large the variables are, and the whole."""

    places: tuple[int, ...]
    variables: tuple[int, ...]
    sizes: tuple[int, ...]
    picked: int
    size: int


_PLANS: WeakKeyDictionary[GameBase, _Plan] = WeakKeyDictionary()


def _plan(game: GameBase) -> _Plan:
    plan = _PLANS.get(game)
    if plan is None:
        first = 2 * game.num_players
        places = tuple(first + place * (game.num_faces + 1) for place in range(game.num_places))
        sizes = tuple(cells_of(type_, game.num_faces, game.num_players) for type_ in game.variable_types)
        *variables, picked = accumulate(sizes, initial=first + game.num_places * (game.num_faces + 1))
        plan = _PLANS[game] = _Plan(places, tuple(variables), sizes, picked, picked + game.num_faces)
    return plan


def _place(state: Machine, place: int, sight: Sight, out: list[float], start: int) -> None:
    """Write how many cards lie in a place, which everybody sees, and how many of each face are seen."""
    game = state.game
    cards = state.zones[place]
    if sight.public:
        out[start] = float(len(cards))
    turned = state.turned
    lying = sight.sees(game.place_viewers[place], game.everyone)
    if not turned and not lying:
        return
    for card in cards:
        if card < game.num_cards and (_turned_seen(turned[card], sight, game) if card in turned else lying):
            out[start + 1 + game.card_faces[card]] += 1.0


def _turned_seen(up: int, sight: Sight, game: GameBase) -> bool:
    """Say whether a card is seen that was turned: up to all, down to nobody."""
    return sight.sees(game.everyone if up == 1 else 0, game.everyone)


def _fill(out: list[float], start: int, size: int, type_: Type, value: Any) -> None:
    """Write a value into its cells: a number as it is, all else as the one that it is of so many."""
    if value is None:
        if is_optional(type_):
            out[start + size - 1] = 1.0
    elif isinstance(base_of(type_), Int):
        out[start] = float(value)
    else:
        out[start + int(value)] = 1.0
