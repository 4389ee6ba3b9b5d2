"""What a player can believe of a play, worked out exactly: by going through every play that looks the same.

Plays are carried out with the public interface alone, from the rules: chance as `chance_outcomes` says, the decisions
of others each as likely as any other legal one.  A play is left as soon as the player would see something else.
Plays that differ only by the order of cards that lie in no order are one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import attrs

from interpreter import State
from interpreter.knowledge.events import Chosen

Key = tuple[Any, ...]
Belief = dict[Key, Fraction]


def key(state: State, *, piles: bool = False) -> Key:
    """Return what makes a play the one it is: all decisions, what is written down, and what lies where.

    Piles that nobody sees are left out, since their cards may be drawn early or late, unless they are wanted.
    """
    game = state.game
    faces, cards = game.card_faces, game.num_cards
    zones = tuple(
        tuple(sorted(lying) if game.unordered[place] else lying)
        for place, zone in enumerate(state.zones)
        if piles or game.place_viewers[place] or game.data.places[place].kind != "pile"
        for lying in [[faces[card] if card < cards else -1 for card in zone]]
    )
    told = [game.texts.faced(type_, value) for type_, value in zip(game.variable_types, state.values, strict=False)]
    return (*[item for item in state.history() if item[0] >= 0], *told, zones)


@cache
def belief(state: State, player: int) -> Belief:
    """Return how likely each play is in which a player has seen what they have in this one; they sum to 1."""
    wanted, seen = state.information_state_string(player), state.events(player)
    mine = [item for actor, item in state.history() if actor == player]
    found: dict[Key, Fraction] = {}
    layer: dict[Key, tuple[Any, Fraction]] = {(): (state.game.new_logged_state(), Fraction(1))}
    while layer:
        following: dict[Key, tuple[Any, Fraction]] = {}
        for world, weight in layer.values():
            if _stands(world) == _stands(state) and world.information_state_string(player) == wanted:
                found[key(world)] = found.get(key(world), Fraction(0)) + weight
            for action, share in _ways(world, player, mine):
                other = world.clone()
                other.derived = {}
                other.apply_action(action)
                if not _so_far(other.events(player), seen):
                    continue
                # What was drawn in another order, unseen, lies there all the same; a name may hold what chance chose.
                place = (len(other.log), other.awaited, repr(other.values), key(other, piles=True))
                _, before = following.get(place, (None, Fraction(0)))
                following[place] = (other, before + weight * share)
        layer = following
    whole = sum(found.values())
    return {world: weight / whole for world, weight in found.items()}


def _stands(state: State) -> tuple[int, int]:
    """Return who is to act, and how many cards of a set are picked already."""
    return state.current_player(), len(state.picked())


def _so_far(events: list[Any], seen: list[Any]) -> bool:
    """Say whether a player may see this of a play in which all of that is seen.

    Of decisions this may be known only later, and what was seen last may be the beginning of something.
    """
    return len(events) <= len(seen) and all(
        isinstance(event, Chosen) or event == before for event, before in zip(events[:-1], seen, strict=False)
    )


def _ways(world: Any, player: int, mine: list[Any]) -> list[tuple[int, Fraction]]:
    if world.is_terminal():
        return []
    if world.is_chance_node():
        return [(item, Fraction(share).limit_denominator(10**6)) for item, share in world.chance_outcomes()]
    legal = world.legal_actions()
    if world.current_player() == player:
        done = sum(actor == player for actor, _ in world.history())
        return [(mine[done], Fraction(1))] if done < len(mine) and mine[done] in legal else []
    return [(action, Fraction(1, len(legal))) for action in legal]


# ---- comparing


@attrs.define
class Fit:
    """How far counts are from what was expected: the sum of chi square, its degrees of freedom, and worlds that
    came out and cannot be."""

    square: float = 0.0
    freedom: int = 0
    impossible: int = 0

    def add(self, exact: Belief, draw: Callable[[], State], samples: int) -> None:
        """Compare so many draws with a belief; worlds expected less than five times are counted together."""
        counts = Counter(key(draw()) for _ in range(samples))
        self.impossible += sum(count for world, count in counts.items() if world not in exact)
        cells = []
        rare = [0.0, 0.0]
        for world, share in exact.items():
            cell = (float(samples * share), float(counts[world]))
            if cell[0] >= 5:
                cells.append(cell)
            else:
                rare = [rare[0] + cell[0], rare[1] + cell[1]]
        if rare[0] > 0:
            cells.append((rare[0], rare[1]))
        self.square += sum((count - expected) ** 2 / expected for expected, count in cells)
        self.freedom += len(cells) - 1

    @property
    def deviation(self) -> float:
        """How many standard deviations chi square lies above what is expected (Wilson and Hilferty)."""
        part = 2 / (9 * self.freedom)
        return float(((self.square / self.freedom) ** (1 / 3) - 1 + part) / sqrt(part))
