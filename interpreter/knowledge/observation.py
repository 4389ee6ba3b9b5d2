"""Observations: the table as a player sees it now, as data and as text.

`interpreter.knowledge.tensors` has them as numbers, `interpreter.knowledge.recall` has information states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from interpreter.analysis.types import Type
from interpreter.knowledge.events import Faces, in_deck_order

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.game_data import Place
    from interpreter.engine.machine import Machine


@attrs.frozen
class SeenZone:
    """A place as a viewer sees it: faces in the order in which the cards lie, None for unseen ones.

    Cards of a zone of kind `cards` have no order; they come sorted, unseen ones last.  `by` says of each card
    of a row which player played it, None where nobody did; it is empty where that is so of all.
    """

    place: int
    name: str
    kind: str
    owner: int | None
    cards: Faces
    by: tuple[int | None, ...] = ()


@attrs.frozen
class SeenVariable:
    """A variable that a viewer sees; a card's value is its face."""

    slot: int
    name: str
    type: Type
    value: Any


@attrs.frozen
class Observation:
    """The table as a player sees it (`player` None: as nobody does, everything)."""

    player: int | None
    zones: tuple[SeenZone, ...]
    variables: tuple[SeenVariable, ...]
    acting: int
    picked: tuple[int, ...]


def sees(state: Machine, card: int, place: int, players: int) -> bool:
    """Say whether all of a set of players (bits) see a card that lies in a place; of none, whether it is determined."""
    game = state.game
    if card >= game.num_cards:
        return False
    turned = state.turned.get(card)
    viewers = game.place_viewers[place] if turned is None else game.everyone * (turned == 1)
    return viewers & players == players


def observe(state: Machine, player: int | None, *, public: bool = False) -> Observation:
    """Return what a player sees now; for None everything, or if `public` what all players see."""
    game = state.game
    players = game.everyone if public else 0 if player is None else 1 << player
    zones = tuple([observe_zone(state, place, players) for place in range(game.num_places)])
    values, types, holds_cards = state.values, game.variable_types, game.holds_cards
    variables = []
    for slot, viewers in enumerate(game.variable_viewers):
        if viewers & players == players:
            value = game.texts.faced(types[slot], values[slot]) if holds_cards[slot] else values[slot]
            variables.append(SeenVariable(slot, game.variable_name(slot), types[slot], value))
    picked = state.picked() if not public and player in (None, state.to_act) else ()
    return Observation(player, zones, tuple(variables), state.to_act, picked)


def observe_zone(state: Machine, place: int, players: int) -> SeenZone:
    """Return a place as a set of players (bits) sees it."""
    game = state.game
    lying, faces = state.zones[place], game.card_faces
    cards: Faces
    if state.turned:
        cards = tuple([faces[c] if sees(state, c, place, players) else None for c in lying])
    elif game.place_viewers[place] & players == players:  # All cards here alike.
        cards = tuple([faces[c] if c < game.num_cards else None for c in lying])
    else:
        cards = (None,) * len(lying)
    return _seen_zone(state, place, game.data.places[place], lying, cards)


def _seen_zone(state: Machine, place: int, zone: Place, lying: list[int], cards: Faces) -> SeenZone:
    """Return a place with cards that lie there, as a viewer sees them."""
    game = state.game
    by = _played_by(state, zone.kind, lying)
    if zone.kind == "cards":
        cards = in_deck_order(cards)
    return SeenZone(place, game.place_name(place), zone.kind, game.place_owners[place], cards, by)


def _played_by(state: Machine, kind: str, cards: list[int]) -> tuple[int | None, ...]:
    """Return who played each card of a row, as everybody has seen; nothing where nobody played any."""
    if kind != "row":
        return ()
    by = tuple(state.played_by.get(card) for card in cards)
    return () if all(player is None for player in by) else by


def observation_text(state: Machine, player: int | None) -> str:
    """Return an observation as text, one place or variable a line."""
    game = state.game
    seen = observe(state, player)
    texts = game.texts
    lines = [] if player is None else [f"seen by player {player + 1}"]
    lines += _lines(game, seen)
    if seen.acting >= 0:
        lines.append(f"player {seen.acting + 1} is to act")
        if seen.picked:
            lines.append("picked: " + " ".join(texts.face(f) for f in seen.picked))
    elif state.is_terminal():
        lines.append("the play is over")
    return "\n".join(lines)


def part_text(state: Machine, player: int | None) -> str:
    """Return the part of the table that everybody sees, or (with a player) that they see and others do not."""
    if player is None:
        return "\n".join(_lines(state.game, observe(state, None, public=True)))
    game = state.game
    lines = []
    for place, zone in enumerate(game.data.places):
        meant = [card for card in state.zones[place] if not sees(state, card, place, game.everyone)]
        shown = tuple(game.card_faces[card] if sees(state, card, place, 1 << player) else None for card in meant)
        seen = _seen_zone(state, place, zone, meant, shown)
        if any(face is not None for face in shown):
            lines.append(f"{seen.name}: {zone_text(game, seen)}")
    own = [v for v in observe(state, player).variables if game.variable_viewers[v.slot] != game.everyone]
    return "\n".join([*lines, *(f"{v.name} = {game.texts.value(v.type, v.value)}" for v in own)])


def _lines(game: GameBase, seen: Observation) -> list[str]:
    """Return places and variables, one a line."""
    zones = [f"{zone.name}: {zone_text(game, zone)}" for zone in seen.zones]
    return zones + [f"{v.name} = {game.texts.value(v.type, v.value)}" for v in seen.variables]


def zone_text(game: GameBase, zone: SeenZone) -> str:
    """Return the cards of a place: `C2 W5 + 3 unseen`, `33 unseen`, `-`; who played each: `C2 (player 1) W5`."""
    if not zone.cards:
        return "-"
    if zone.by:
        return row_text(game, zone.cards, zone.by)
    shown = [game.texts.face(f) for f in zone.cards if f is not None]
    unseen = len(zone.cards) - len(shown)
    if not shown:
        return f"{unseen} unseen"
    if not unseen:
        return " ".join(shown)
    if zone.kind == "cards":
        return " ".join(shown) + f" + {unseen} unseen"
    return row_text(game, zone.cards)


def row_text(game: GameBase, cards: Faces, by: tuple[int | None, ...] = ()) -> str:
    """Return cards in their order, with who played each: `C2 (player 1) ? W5`."""
    return " ".join(
        game.texts.face(face) + ("" if player is None else f" ({game.texts.player(player)})")
        for face, player in zip(cards, by or (None,) * len(cards), strict=True)
    )
