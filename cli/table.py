"""The table as somebody sees it, drawn with rich.

Colours come from the spec alone: a card takes the colour of its first attribute that is an enumeration,
by the number of its value.  They repeat what the card's text says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from interpreter.analysis.types import EnumType, base_of

if TYPE_CHECKING:
    from cli.telling import Teller
    from interpreter.runtime.game import Game
    from interpreter.runtime.observation import Observation, SeenZone

COLORS = ("bright_yellow", "bright_cyan", "bright_red", "bright_green", "bright_magenta", "bright_blue")
UNSEEN = "dim"


def face_styles(game: Game) -> list[str]:
    """Return the style of each face."""
    styles = []
    for face in game.texts.faces:
        style = ""
        for attribute, value in zip(game.rules.kinds[face.kind].attributes, face.values, strict=True):
            if isinstance(base_of(attribute.type), EnumType):
                style = COLORS[value % len(COLORS)]
                break
        styles.append(style)
    return styles


class Painter:
    """Draws tables and paints the cards in texts of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.styles = face_styles(game)
        self.by_word = {face.text: style for face, style in zip(game.texts.faces, self.styles, strict=True)}

    def paint(self, line: str, style: str = "") -> Text:
        """Return a line with the cards in it coloured."""
        text = Text(style=style)
        for number, word in enumerate(line.split(" ")):
            text.append(" " if number else "")
            bare = word.strip(",.:;()`")
            before, after = word.split(bare, 1) if bare else (word, "")
            text.append(before)
            text.append(bare, style=self.by_word.get(bare, ""))
            text.append(after)
        return text

    def cards(self, zone: SeenZone) -> Text:
        """Return the cards of a zone; unseen ones as a count, or as `?` where their place matters."""
        text = Text()
        if not zone.cards:
            return text.append("empty", style=UNSEEN)
        if all(face is None for face in zone.cards):
            return text.append("face down" if len(zone.cards) > 1 else "1 card, face down", style=UNSEEN)
        cards = zone.cards
        unseen = 0
        if zone.kind == "cards":
            unseen = sum(face is None for face in cards)
            cards = tuple(face for face in cards if face is not None)
        for number, face in enumerate(cards):
            text.append(" " if number else "")
            text.append(self.game.texts.face(face), style=UNSEEN if face is None else self.styles[face])
        if unseen:
            text.append(f" and {unseen} face down", style=UNSEEN)
        return text

    def table(self, seen: Observation, teller: Teller) -> Table:
        """Return the zones and variables of an observation: shared ones, one's own, then the others'."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(justify="left", no_wrap=True)
        grid.add_column(justify="right", no_wrap=True)
        grid.add_column(justify="left", overflow="fold")
        players = [None, *self._round_the_table(seen.player)]
        for owner in players:
            zones = [z for z in seen.zones if z.owner == owner]
            for zone in zones:
                count = str(len(zone.cards)) if zone.cards else ""
                name = Text(teller.place(zone.place), style="bold" if owner == seen.player is not None else "")
                grid.add_row(name, Text(count, style=UNSEEN), self.cards(zone))
        for variable in seen.variables:
            if variable.value is not None:
                value = Text(teller.value(variable.type, variable.value))
                grid.add_row(Text(teller.variable(variable.slot)), Text(), value)
        return grid

    def _round_the_table(self, player: int | None) -> list[int]:
        first = player or 0
        count = self.game.num_players
        return [(first + step) % count for step in range(count)]
