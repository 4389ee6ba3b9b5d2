"""What somebody sees of the table now, as numbers.

The numbers have one layout for all players and all states of a game: who looks, who acts; for each place, how
many cards lie there and how many of each face are seen; for each variable, its value; what is picked of an
unfinished set.  What is not seen is 0.  A `Sight` says what counts as seen: what everybody sees, what only
this player sees, or both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.analysis.types import Card, Int, Player, Type, base_of, is_optional, size_of

if TYPE_CHECKING:
    from interpreter.runtime.game import Game
    from interpreter.runtime.sight import Sight
    from interpreter.runtime.state import State

UNBOUNDED = float("inf")


def observation_layout(game: Game) -> list[tuple[str, int, int]]:
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
        part(game.variable_name(slot), _variable_size(game, type_))
    part("picked cards", game.num_faces)
    return parts


def observation_bounds(game: Game) -> tuple[list[float], list[float]]:
    """Return the least and the greatest value of each number of the tensor, infinite where the spec sets none."""
    copies = [0.0] * game.num_faces
    for face in game.card_faces:
        copies[face] += 1.0
    high = [1.0] * (2 * game.num_players)
    for _ in range(game.num_places):
        high += [float(game.num_cards), *copies]
    low = [0.0] * len(high)
    for type_ in game.variable_types:
        size = _variable_size(game, type_)
        inner = base_of(type_)
        if isinstance(inner, Int):
            low += [-UNBOUNDED if inner.low is None else float(min(inner.low, 0))] + [0.0] * (size - 1)
            high += [UNBOUNDED if inner.high is None else float(max(inner.high, 0))] + [1.0] * (size - 1)
        else:
            low += [0.0] * size
            high += [1.0] * size
    return low + [0.0] * game.num_faces, high + copies


def _variable_size(game: Game, type_: Type) -> int:
    inner = base_of(type_)
    extra = 1 if is_optional(type_) else 0
    if isinstance(inner, Int):
        return 1 + extra
    if isinstance(inner, Card):
        return game.num_faces + extra
    return (game.num_players if isinstance(inner, Player) else size_of(inner) or 1) + extra


def observation_tensor(state: State, sight: Sight) -> list[float]:
    """Return what is seen as numbers, in the layout of the game."""
    game = state.game
    looking = sight.player if sight.private == "own" else None
    out = [1.0 if p == looking else 0.0 for p in range(game.num_players)]
    out += [1.0 if sight.public and p == state.cur else 0.0 for p in range(game.num_players)]
    for place in range(game.num_places):
        out += _place(state, place, sight)
    for slot, type_ in enumerate(game.variable_types):
        cells = [0.0] * _variable_size(game, type_)
        if sight.sees(game.variable_viewers[slot], game.everyone):
            _fill(cells, type_, game.texts.faced(type_, state.v[slot]))
        out += cells
    picked = [0.0] * game.num_faces
    if state.cur >= 0 and sight.sees(1 << state.cur, game.everyone):
        for face in state.picked():
            picked[face] += 1.0
    return out + picked


def _place(state: State, place: int, sight: Sight) -> list[float]:
    """Return how many cards lie in a place, which everybody sees, and how many of each face are seen."""
    game = state.game
    cards = state.z[place]
    counts = [0.0] * (game.num_faces + 1)
    counts[0] = float(len(cards)) if sight.public else 0.0
    if not cards:
        return counts
    turned = state.turned
    lying = sight.sees(game.place_viewers[place], game.everyone)
    if not turned and not lying:
        return counts
    for card in cards:
        if card < game.num_cards and (_turned_seen(turned[card], sight, game) if card in turned else lying):
            counts[1 + game.card_faces[card]] += 1.0
    return counts


def _turned_seen(up: int, sight: Sight, game: Game) -> bool:
    """Say whether a card is seen that was turned: up to all, down to nobody."""
    return sight.sees(game.everyone if up == 1 else 0, game.everyone)


def _fill(cells: list[float], type_: Type, value: Any) -> None:
    """Write a value into its cells: a number as it is, all else as the one that it is of so many."""
    if value is None:
        if is_optional(type_):
            cells[-1] = 1.0
    elif isinstance(base_of(type_), Int):
        cells[0] = float(value)
    else:
        cells[int(value)] = 1.0
