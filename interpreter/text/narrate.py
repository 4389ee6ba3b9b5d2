"""Events in words: one line each, made from the names in the spec."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar, assert_never

from grammar.english import counted
from interpreter.english.words import by_number
from interpreter.knowledge import events
from interpreter.knowledge.observation import row_text
from interpreter.text.texts import UNSEEN

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase


_T = TypeVar("_T")
MOST_ALIKE = 3
"""Copies of a card that are named one by one."""


def runs(cards: Iterable[_T]) -> list[tuple[_T, int]]:
    """Return cards with how many copies each represents; a few copies side by side stay apart."""
    found: list[tuple[_T, int]] = []
    for card, copies in groupby(cards):
        number = len(list(copies))
        found += [(card, number)] if number > MOST_ALIKE else [(card, 1)] * number
    return found


def times(number: int) -> str:
    """Return what follows the text of a card that represents so many copies."""
    return f" \N{MULTIPLICATION SIGN}{number}" if number > 1 else ""


def cards_text(game: GameBase, cards: tuple[int | None, ...]) -> str:
    """Return cards as words: `C2 W5`, `3 cards`, `C2 and 2 cards`."""
    shown = [game.texts.face(c) for c in cards if c is not None]
    unseen = len(cards) - len(shown)
    hidden = counted(unseen, "card")
    if not unseen:
        return " ".join(shown) or "nothing"
    return f"{' '.join(shown)} and {hidden}" if shown else hidden


def narrate(game: GameBase, event: events.Event) -> str:
    """Return an event as a line of a record, as its viewer sees it; no player is addressed."""
    texts = game.texts
    match event:
        case events.Chosen(verb=""):
            return f"player {event.player + 1} has chosen"
        case events.Chosen():
            words = []
            for type_, value in event.args:
                if isinstance(value, tuple):
                    words.append(cards_text(game, value))
                else:
                    words.append(UNSEEN if value is None else texts.one_word(type_, value))
            said = event.verb.replace("_", " ")
            return " ".join([f"player {event.player + 1}:", said, *words])
        case events.Moved():
            how = f" face {event.face}" if event.face else ""
            by = f" for player {event.by + 1}" if event.by is not None else ""
            source = game.place_name(event.origin)
            target = {None: "", "bottom": "bottom of ", "within": "a place in "}[event.where] + game.place_name(
                event.target
            )
            return f"{cards_text(game, event.cards)} from {source} to {target}{how}{by}"
        case events.Shuffled():
            return f"{game.place_name(event.place)} is shuffled ({counted(event.count, 'card')})"
        case events.Fell():
            return f"chance: {event.name} = {UNSEEN if event.value is None else texts.value(event.type, event.value)}"
        case events.Turned():
            where = game.place_name(event.place)
            return f"{cards_text(game, event.cards)} turned face {'up' if event.up else 'down'} in {where}"
        case events.Shown():
            players = [p for p in range(game.num_players) if event.viewers >> p & 1]
            who = "all" if event.viewers == game.everyone else by_number(players)
            return f"{cards_text(game, event.cards)} of {game.place_name(event.place)} shown to {who}"
        case events.Assigned():
            value = texts.value(game.variable_types[event.place], event.value)
            return f"{game.variable_name(event.place)} {'begins as' if event.first else '='} {value}"
        case events.Layout():
            return f"in {game.place_name(event.place)} now: {row_text(game, event.cards, event.by)}"
        case events.Said():
            return texts.words(event.parts)
        case events.Ended():
            return "the play is over"
        case _:
            assert_never(event)
