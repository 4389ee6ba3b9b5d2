"""The table as somebody sees it: what lies where, what holds now, and the players side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
from rich.table import Table
from rich.text import Text

from cli.terminal.event_text import family_name
from cli.terminal.paint import UNSEEN, Painter
from cli.terminal.relevance import by_variable, facts_of, worth_showing, zones_chosen_from
from interpreter.analysis.types import Bool, Player

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.console import Console

    from cli.terminal.event_text import Teller
    from interpreter.engine.game_data import DecisionData, Slot
    from interpreter.knowledge.observation import Observation, SeenVariable, SeenZone

LONG = 16
"""Cards up to which a zone that everybody sees is always listed card by card."""
BETWEEN = "   "
BESIDE = 8
"""Columns that the number of cards and the gaps take beside a zone's name."""


class TableView:
    """Draws the table for one player at one decision; `whole` leaves nothing out and shortens nothing.

    `dense` puts what lies open before each player side by side: a card by its text, several as how many they are.
    `laid` are the cards that the player has laid face down, by place.
    """

    def __init__(
        self,
        painter: Painter,
        teller: Teller,
        seen: Observation,
        decision: DecisionData | None,
        laid: Mapping[int, tuple[int, ...]] | None = None,
        *,
        whole: bool = False,
        dense: bool = False,
    ) -> None:
        self.laid = laid or {}
        self.dense = dense
        self.painter = painter
        self.teller = teller
        self.game = painter.game
        self.seen = seen
        self.whole = whole
        self.wanted = zones_chosen_from(decision)
        first = seen.player or 0
        count = self.game.num_players
        self.seats = [(first + step) % count for step in range(count)]
        self.values = by_variable(self.game, seen) if whole else worth_showing(self.game, seen, decision)
        self.in_play = None if decision is None or whole else facts_of(self.game).in_play[decision.node]

    def draw(self, console: Console) -> None:
        """Write the table."""
        rows = [*self._count_rows(), *self._value_rows()]
        shown = [z for owner in (None, *self.seats) for z in self.seen.zones if z.owner == owner and self._listed(z)]
        names = {self.teller.place(z.place): z for z in shown}
        margin = max(map(len, [*names, *(name for name, _ in rows)]), default=0)
        held = {name: zone for name, zone in names.items() if self._is_held(zone)}
        lying = {name: zone for name, zone in names.items() if name not in held}
        if lying:
            console.print(self.zones(lying, margin, console.width))
        empty = self.empty_zones()
        if empty:
            console.print(Text("empty: " + ", ".join(empty), style=UNSEEN))
        for line in wrapped(self.shared(), console.width):
            console.print(self.painter.paint(line))
        if rows:
            self._players(rows, margin, console)
        if held:
            console.print(self.zones(held, margin, console.width))

    def _is_held(self, zone: SeenZone) -> bool:
        """Say whether a zone is what its owner, who looks at the table, holds: it stands last, next to the choices."""
        return zone.owner == self.seen.player is not None and self.game.place_viewers[zone.place] != self.game.everyone

    def _players(self, rows: list[tuple[str, dict[int, str]]], margin: int, console: Console) -> None:
        """Write the players next to each other, in groups where not all fit into a line."""
        widths = {
            p: 2 + max(len(t) for t in (self.teller.player(p), *(c.get(p, "") for _, c in rows))) for p in self.seats
        }
        if margin + sum(widths.values()) > console.width:
            margin = max(len(name) for name, _ in rows)
        group: list[int] = []
        for seat in self.seats:
            if group and margin + sum(widths[p] for p in (*group, seat)) > console.width:
                console.print(self.players(rows, margin, group))
                group = []
            group.append(seat)
        console.print(self.players(rows, margin, group))

    # ---- zones

    def zones(self, shown: dict[str, SeenZone], margin: int, width: int) -> Table:
        """Return zones with their names, a line each."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(justify="left", no_wrap=True, min_width=margin)
        grid.add_column(justify="right", no_wrap=True)
        grid.add_column(justify="left", overflow="fold")
        room = width - margin - BESIDE
        for name, zone in shown.items():
            mine = zone.owner == self.seen.player is not None
            cards = Text("empty", style=UNSEEN) if not zone.cards else self._cards(zone, room)
            grid.add_row(Text(name, style="bold" if mine else ""), Text(str(len(zone.cards)), style=UNSEEN), cards)
        return grid

    def _listed(self, zone: SeenZone) -> bool:
        """Say whether a zone has a line: it belongs to nobody and is not empty, or some card of it is seen."""
        if self.whole:
            return True
        return (
            self._is_in_play(zone)
            and not self._lies_side_by_side(zone)
            and bool(zone.cards)
            and (zone.owner is None or self._is_remembered(zone) or any(face is not None for face in zone.cards))
        )

    def _is_remembered(self, zone: SeenZone) -> bool:
        """Say whether the player has laid all the cards of a zone there, and cannot see them."""
        return len(self.laid.get(zone.place, ())) == len(zone.cards) and all(face is None for face in zone.cards)

    def _cards(self, zone: SeenZone, room: int) -> Text:
        if self._is_remembered(zone):
            return self.painter.cards(attrs.evolve(zone, cards=self.laid[zone.place]), self.teller, room) + Text(
                " (face down)", style=UNSEEN
            )
        if (
            self._is_public(zone)
            and len(zone.cards) > LONG
            and not self.whole
            and self._family(zone) not in self.wanted
        ):
            return self.painter.summary(zone, room)
        return self.painter.cards(zone, self.teller, room)

    def empty_zones(self) -> list[str]:
        """Return the names of the places without cards: shared ones, one's own, and families that are all empty."""
        if self.whole:
            return []
        by_family: dict[str, list[SeenZone]] = {}
        for zone in self.seen.zones:
            if self._is_in_play(zone):
                by_family.setdefault(self._family(zone), []).append(zone)
        names: list[str] = []
        for family, zones in by_family.items():
            empty = [z for z in zones if not z.cards]
            if len(empty) == len(zones):
                names.append(family_name(self.game.data.places[zones[0].place]).replace("_", " "))
            elif family not in self._counted():
                names += [self.teller.place(z.place) for z in empty if z.owner in (None, self.seen.player)]
        return names

    # ---- what belongs to each player

    def _counted(self) -> list[str]:
        """Return the families of zones in which some player's cards are not seen: their sizes stand by the players."""
        found: dict[str, bool] = {}
        for zone in self.seen.zones:
            if zone.owner is not None and not self.whole and self._is_in_play(zone):
                family = self._family(zone)
                unseen = bool(zone.cards) and all(face is None for face in zone.cards)
                found[family] = found.get(family, False) or unseen or self._lies_side_by_side(zone)
        return [family for family, unseen in found.items() if unseen]

    def _family(self, zone: SeenZone) -> str:
        """Return the name of the family of zones that a zone belongs to."""
        return self.game.data.places[zone.place].zone

    def _is_public(self, zone: SeenZone) -> bool:
        return self.game.place_viewers[zone.place] == self.game.everyone

    def _lies_side_by_side(self, zone: SeenZone) -> bool:
        """Say whether a family of zones, which everybody sees and nobody chooses from now, is shown by the players."""
        return self.dense and self._is_public(zone) and zone.owner is not None and self._family(zone) not in self.wanted

    def _is_in_play(self, zone: SeenZone) -> bool:
        """Say whether a rule that can still be met mentions a zone, or everybody sees what lies there."""
        return self.in_play is None or self._family(zone) in self.in_play or self._is_public(zone)

    def players(self, rows: list[tuple[str, dict[int, str]]], margin: int, seats: list[int]) -> Table:
        """Return players side by side, with what is so of each."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(justify="left", no_wrap=True, min_width=margin)
        for _ in seats:
            grid.add_column(justify="right", no_wrap=True)
        grid.add_row("", *(Text(self.teller.player(p), style=self._bold(p)) for p in seats))
        for name, cells in rows:
            grid.add_row(name, *(Text(cells.get(p, ""), style=self._bold(p)) for p in seats))
        return grid

    def _bold(self, player: int) -> str:
        return "bold" if player == self.seen.player else ""

    def _count_rows(self) -> Iterator[tuple[str, dict[int, str]]]:
        for family in self._counted():
            rows: dict[str, dict[int, SeenZone]] = {}
            for zone in self.seen.zones:
                if self._family(zone) == family and zone.owner is not None:
                    rows.setdefault(self.teller.place_without_owner(zone.place), {})[zone.owner] = zone
            for name, zones in rows.items():
                if not self._lies_side_by_side(next(iter(zones.values()))):
                    yield name, {owner: str(len(zone.cards)) for owner, zone in zones.items()}
                elif any(zone.cards for zone in zones.values()):
                    single = all(len(zone.cards) < 2 for zone in zones.values())
                    yield name, {owner: self._in_a_word(zone, single=single) for owner, zone in zones.items()}

    def _in_a_word(self, zone: SeenZone, *, single: bool) -> str:
        """Return what lies in a zone as its one card, or how many there are."""
        if not zone.cards:
            return "-"
        face = zone.cards[0]
        return self.game.texts.face(face) if single and face is not None else str(len(zone.cards))

    def _value_rows(self) -> Iterator[tuple[str, dict[int, str]]]:
        for values in self.values:
            if not _of_players(self._slot(values[0])):
                continue
            rows: dict[str, dict[int, str]] = {}
            for value in values:
                slot = self._slot(value)
                name = self.teller.variable_without_owner(value.slot)
                owner = next(i for t, i in zip(slot.types, slot.index, strict=True) if isinstance(t, Player))
                rows.setdefault(name, {})[owner] = self._cell(value)
            for name, cells in rows.items():
                unseen = {} if len(cells) == len(self.seats) else dict.fromkeys(self.seats, "?")
                yield name, {**unseen, **cells}

    def _slot(self, value: SeenVariable) -> Slot:
        return self.game.data.slots[value.slot]

    def _cell(self, value: SeenVariable) -> str:
        if value.value is None or value.value is False:
            return "-"
        return self.teller.value(value.type, value.value)

    # ---- what holds for all

    def shared(self) -> list[str]:
        """Return what holds for all players, as `leader: you`."""
        said: list[str] = []
        for values in self.values:
            slot = self._slot(values[0])
            if _of_players(slot):
                continue
            if isinstance(slot.type, Bool) and slot.types:
                said.append(self._true_for(values))
                continue
            said += [
                f"{self.teller.variable(value.slot)}: {self.teller.value(value.type, value.value)}"
                for value in values
                if self.whole or (value.value is not None and value.value is not False)
            ]
        return said

    def _true_for(self, values: list[SeenVariable]) -> str:
        """Return for which of its indices a family of yes and no says yes: `in play: fire, ice`."""
        found = [
            " ".join(self.teller.value(t, i) for t, i in zip(slot.types, slot.index, strict=True))
            for slot in (self._slot(value) for value in values if value.value)
        ]
        return f"{self._slot(values[0]).variable.replace('_', ' ')}: {', '.join(found) or 'none'}"


def _of_players(slot: Slot) -> bool:
    return any(isinstance(type_, Player) for type_ in slot.types)


def wrapped(parts: list[str], width: int, between: str = BETWEEN) -> Iterator[str]:
    """Give lines of parts, none of which is broken unless it is longer than a line."""
    line = ""
    for part in parts:
        if line and len(line) + len(between) + len(part) > width:
            yield (line + between).rstrip()
            line = ""
        line += between + part if line else part
    if line:
        yield line
