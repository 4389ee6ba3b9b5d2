"""Cards in colour, in lines of text and in zones.

Colours come from the spec alone: a card takes the colour of its first attribute that is an enumeration,
by the number of its value.  They repeat what the card's text says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from interpreter.analysis.types import EnumType, base_of
from interpreter.text.narrate import runs, times

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.table.view import ZoneView

COLORS = ("bright_yellow", "bright_cyan", "bright_red", "bright_green", "bright_magenta", "bright_blue")
UNSEEN = "dim"
SHOWN = 8
"""Cards that are named of a long pile or row."""

_WORD = re.compile(r"[^ ,.:;()`](?:[^ ]*[^ ,.:;()`])?")
"""A word without the punctuation around it."""


def suit_of(game: GameBase, face: int) -> tuple[str, int | None]:
    """Return what a card is distinguished by first: the name of the value of its first enumeration, and its number.

    A card without one is distinguished by its kind, and has no number.
    """
    shown = game.texts.faces[face]
    for (_, type_), value in zip(game.data.attributes[shown.kind], shown.values, strict=True):
        if isinstance(enum := base_of(type_), EnumType):
            return enum.values[value], int(value)
    return shown.kind, None


def face_styles(game: GameBase) -> list[str]:
    """Return the style of each face."""
    numbers = (suit_of(game, face)[1] for face in range(game.num_faces))
    return ["" if number is None else COLORS[number % len(COLORS)] for number in numbers]


class Painter:
    """Paints the cards in texts of one game."""

    def __init__(self, game: GameBase) -> None:
        self.game = game
        self.styles = face_styles(game)
        self.by_word = {face.text: style for face, style in zip(game.texts.faces, self.styles, strict=True)}

    def paint(self, line: str, style: str = "") -> Text:
        """Return a line with the cards in it coloured."""
        text = Text(line, style=style)
        for word in _WORD.finditer(line):
            text.stylize(self.by_word.get(word[0], ""), *word.span())
        return text

    def cards(self, zone: ZoneView, players: Sequence[str], room: int) -> Text:
        """Return the cards of a zone, with their longer names where these go into a line of so much room.

        Unseen cards are a count, or `?` where their place matters; a row shows who played what.  Many copies side by
        side are one card with their number.
        """
        if all(face is None for face in zone.cards) and not zone.by:
            return Text("face down", style=UNSEEN)
        long = self._listed(zone, players, named=True)
        return long if len(long) <= room else self._listed(zone, players, named=False)

    def _listed(self, zone: ZoneView, players: Sequence[str], *, named: bool) -> Text:
        cards = list(zip(zone.cards, zone.by or (None,) * len(zone.cards), strict=True))
        unseen = 0
        if zone.kind == "cards":
            unseen = sum(face is None for face, _ in cards)
            cards = [(face, by) for face, by in cards if face is not None]
        groups = [(card, 1) for card in cards] if None in zone.cards else runs(cards)
        names = [self.game.texts.long_name(face) if named else "" for (face, _), _ in groups]
        between = ", " if any(names) or zone.by else " "
        text = Text()
        for number, (((face, by), copies), name) in enumerate(zip(groups, names, strict=True)):
            text.append(between if number else "")
            text.append(self.game.texts.face(face), style=UNSEEN if face is None else self.styles[face])
            text.append(f" {name}" if name else "")
            text.append(times(copies), style=UNSEEN)
            text.append("" if by is None else f" ({players[by]})", style=UNSEEN)
        if unseen:
            text.append(f" and {unseen} face down", style=UNSEEN)
        return text

    def summary(self, zone: ZoneView, room: int) -> Text:
        """Return many cards in short, and how to see them all where a line of so many columns has room for that."""
        text = self._in_short(zone)
        more = Text(" (`table all`)", style=UNSEEN)
        return text + more if len(text) + len(more) <= room else text

    def _in_short(self, zone: ZoneView) -> Text:
        """Return the uppermost of a pile, the last of a row, else how many cards there are of each suit."""
        cards = zone.cards
        if zone.kind == "cards":
            counts: dict[str, int] = {}
            for face in cards:
                name = "face down" if face is None else suit_of(self.game, face)[0].replace("_", " ")
                counts[name] = counts.get(name, 0) + 1
            return Text(", ".join(f"{name} {count}" for name, count in counts.items()))
        named = cards[:SHOWN] if zone.kind == "pile" else cards[-SHOWN:]
        text = Text("on top " if zone.kind == "pile" else "last ", style=UNSEEN)
        for number, face in enumerate(named):
            text.append(" " if number else "")
            text.append(self.game.texts.face(face), style=UNSEEN if face is None else self.styles[face])
        return text
