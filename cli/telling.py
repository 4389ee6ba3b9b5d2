"""Events and places in words for somebody at the table, who is called `you`.

Made from the names in the spec, as `interpreter.runtime.narrate` is, which tells the same to nobody in
particular.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from interpreter.analysis.types import Card, Cards, Player, Type, base_of
from interpreter.runtime.events import Assigned, Chosen, Ended, Event, Fell, Moved, Said, Shown, Shuffled, Turned
from interpreter.runtime.narrate import cards_text, narrate

if TYPE_CHECKING:
    from interpreter.runtime.game import Game


class Teller:
    """Words for one game, said to one player (from 0), or to an onlooker (None)."""

    def __init__(self, game: Game, you: int | None) -> None:
        self.game = game
        self.you = you

    def player(self, player: int) -> str:
        """Return `you` or `player 2`."""
        return "you" if player == self.you else f"player {player + 1}"

    def owner(self, player: int) -> str:
        """Return `your` or `player 2's`."""
        return "your" if player == self.you else f"player {player + 1}'s"

    def value(self, type_: Type, value: Any) -> str:
        """Return a value, a player as he is called here."""
        if value is not None and isinstance(base_of(type_), Player):
            return self.player(value)
        return self.game.texts.value(type_, value)

    def place(self, place: int) -> str:
        """Return the name of a place: `your hand (left)`."""
        zone, index = self.game.places[place]
        return self._named(zone.name, zone.indices, index)

    def places_in(self, text: str) -> str:
        """Return a text with the names of places as they are called here."""
        for place, (zone, _) in enumerate(self.game.places):
            if zone.indices:
                text = text.replace(self.game.place_name(place), self.place(place))
        return text

    def variable(self, slot: int) -> str:
        """Return the name of a variable: `your bid`."""
        variable, index = self.game.variables[slot]
        return self._named(variable.name, variable.indices, index)

    def _named(self, name: str, types: tuple[Type, ...], index: tuple[int, ...]) -> str:
        owner, rest = "", []
        for type_, value in zip(types, index, strict=True):
            if isinstance(type_, Player) and not owner:
                owner = self.owner(value) + " "
            else:
                rest.append(self.value(type_, value))
        behind = f" ({', '.join(rest)})" if rest else ""
        return f"{owner}{name.replace('_', ' ')}{behind}"

    def events(self, events: Iterable[Event]) -> list[str]:
        """Return what happened, a line an event."""
        return [self.event(event) for event in events]

    def event(self, event: Event) -> str:
        """Return one event as a line."""
        cards = cards_text
        match event:
            case Chosen(verb=""):
                return _upper(f"{self.player(event.player)} {'have' if event.player == self.you else 'has'} chosen")
            case Chosen():
                return _upper(f"{self.player(event.player)}: {self._decision(event)}")
            case Moved():
                how = f" face {event.face}" if event.face else ""
                by = f" for {self.player(event.by)}" if event.by is not None else ""
                way = f"from {self.place(event.origin)} to {self.place(event.target)}"
                return f"  {cards(self.game, event.cards)} {way}{how}{by}"
            case Shuffled():
                return f"  {self.place(event.place)} is shuffled ({event.count} cards)"
            case Fell():
                return f"  chance: {event.name} is {self._fallen(event)}"
            case Turned():
                return f"  {cards(self.game, event.cards)} turned face {'up' if event.up else 'down'}"
            case Shown():
                return f"  {cards(self.game, event.cards)} shown"
            case Assigned(value="hidden"):
                return f"  {self.variable(event.place)} changes"
            case Assigned():
                now = self.value(self.game.variable_types[event.place], event.value)
                return f"  {self.variable(event.place)}: {now}"
            case Said() | Ended():
                return _upper(narrate(self.game, event)) + ("." if isinstance(event, Ended) else "")
            case _:
                raise AssertionError(event)

    def _decision(self, event: Chosen) -> str:
        words = [event.verb.replace("_", " ")]
        for type_, value in event.args:
            if isinstance(value, tuple):
                words.append(cards_text(self.game, value))
            elif value is None and isinstance(base_of(type_), Card | Cards):
                words.append("a card")
            else:
                words.append("?" if value is None else self.value(type_, value))
        return " ".join(words)

    def _fallen(self, event: Fell) -> str:
        return "not seen" if event.value is None else self.value(event.type, event.value)


def since_last_turn(events: list[Event], player: int) -> list[Event]:
    """Return what happened from a player's last decision on, that included; everything before his first."""
    for place in range(len(events) - 1, -1, -1):
        event = events[place]
        if isinstance(event, Chosen) and event.player == player:
            return events[place:]
    return events


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
