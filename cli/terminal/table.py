"""The drawing of the table as a seat sees it: zones, values, and the players side by side."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import attrs
from rich.table import Table
from rich.text import Text

from cli.terminal.paint import UNSEEN, Painter
from interpreter.text.narrate import runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from interpreter.table.view import View, ZoneView

LONG = 16
"""Cards up to which a zone that everybody sees is always listed card by card."""
BETWEEN = "   "
BESIDE = 8
"""Columns that the number of cards and the gaps take beside a zone's name."""


class TableDrawing:
    """Draws the table of one seat; `whole` leaves nothing out and shortens nothing.

    `dense` puts what lies open before each player side by side: a card by its text, several as how many they are.
    """

    def __init__(self, painter: Painter, view: View, *, whole: bool = False, dense: bool = False) -> None:
        self.painter = painter
        self.view = view
        self.whole = whole
        self.dense = dense
        self.values = [value for value in view.values if whole or value.relevant]

    def draw(self, console: Console) -> None:
        """Write the table."""
        rows = [*self._team_row(), *self._count_rows(), *self._value_rows()]
        owners = (None, *self.view.seats)
        names = {z.label: z for owner in owners for z in self.view.zones if z.owner == owner and self._listed(z)}
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

    def _is_held(self, zone: ZoneView) -> bool:
        """Say whether a zone is the hand of the viewer: it is last, next to the choices."""
        return zone.owner == self.view.seat is not None and not zone.public

    def _players(self, rows: list[tuple[str, dict[int, str]]], margin: int, console: Console) -> None:
        """Write the players next to each other, in groups where not all fit into a line."""
        widths = {
            p: 2 + max(len(t) for t in (self.view.players[p], *(c.get(p, "") for _, c in rows)))
            for p in self.view.seats
        }
        if margin + sum(widths.values()) > console.width:
            margin = max(len(name) for name, _ in rows)
        group: list[int] = []
        for seat in self.view.seats:
            if group and margin + sum(widths[p] for p in (*group, seat)) > console.width:
                console.print(self.players(rows, margin, group))
                group = []
            group.append(seat)
        console.print(self.players(rows, margin, group))

    # ---- zones

    def zones(self, shown: dict[str, ZoneView], margin: int, width: int) -> Table:
        """Return zones with their names, a line each."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(justify="left", no_wrap=True, min_width=margin)
        grid.add_column(justify="right", no_wrap=True)
        grid.add_column(justify="left", overflow="fold")
        room = width - margin - BESIDE
        for name, zone in shown.items():
            mine = zone.owner == self.view.seat is not None
            cards = Text("empty", style=UNSEEN) if not zone.cards else self._cards(zone, room)
            grid.add_row(Text(name, style="bold" if mine else ""), Text(str(len(zone.cards)), style=UNSEEN), cards)
        return grid

    def _listed(self, zone: ZoneView) -> bool:
        """Say whether a zone has a line: it belongs to nobody and is not empty, or some card of it is seen."""
        if self.whole:
            return True
        return (
            zone.in_play
            and not self._lies_side_by_side(zone)
            and bool(zone.cards)
            and (zone.owner is None or self._is_remembered(zone) or any(face is not None for face in zone.cards))
        )

    def _is_remembered(self, zone: ZoneView) -> bool:
        """Say whether the player has laid all the cards of a zone there, and cannot see them."""
        return len(zone.laid) == len(zone.cards) and all(face is None for face in zone.cards)

    def _cards(self, zone: ZoneView, room: int) -> Text:
        if self._is_remembered(zone):
            laid = self.painter.cards(attrs.evolve(zone, cards=zone.laid), self.view.players, room)
            return laid + Text(" (face down)", style=UNSEEN)
        if zone.public and len(runs(zone.cards)) > LONG and not self.whole and not zone.chosen_from:
            return self.painter.summary(zone, room)
        return self.painter.cards(zone, self.view.players, room)

    def empty_zones(self) -> list[str]:
        """Return the names of the places without cards: shared ones, one's own, and families that are all empty."""
        if self.whole:
            return []
        by_family: dict[str, list[ZoneView]] = {}
        for zone in self.view.zones:
            if zone.in_play:
                by_family.setdefault(zone.family, []).append(zone)
        names: list[str] = []
        for family, zones in by_family.items():
            empty = [z for z in zones if not z.cards]
            if len(empty) == len(zones):
                names.append(zones[0].group)
            elif family not in self._counted():
                names += [z.label for z in empty if z.owner in (None, self.view.seat)]
        return names

    # ---- what belongs to each player

    def _counted(self) -> list[str]:
        """Return the families of zones in which some player's cards are not seen: their sizes stand by the players."""
        found: dict[str, bool] = {}
        for zone in self.view.zones:
            if zone.owner is not None and not self.whole and zone.in_play:
                family = zone.family
                unseen = bool(zone.cards) and all(face is None for face in zone.cards)
                found[family] = found.get(family, False) or unseen or self._lies_side_by_side(zone)
        return [family for family, unseen in found.items() if unseen]

    def _lies_side_by_side(self, zone: ZoneView) -> bool:
        """Say whether a family of zones, which everybody sees and nobody chooses from now, is shown by the players."""
        return self.dense and zone.public and zone.owner is not None and not zone.chosen_from

    def players(self, rows: list[tuple[str, dict[int, str]]], margin: int, seats: list[int]) -> Table:
        """Return players side by side, with what is so of each."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(justify="left", no_wrap=True, min_width=margin)
        for _ in seats:
            grid.add_column(justify="right", no_wrap=True)
        grid.add_row("", *(Text(self.view.players[p], style=self._bold(p)) for p in seats))
        for name, cells in rows:
            grid.add_row(name, *(Text(cells.get(p, ""), style=self._bold(p)) for p in seats))
        return grid

    def _bold(self, player: int) -> str:
        return "bold" if player == self.view.seat else ""

    def _team_row(self) -> Iterator[tuple[str, dict[int, str]]]:
        if teams := self.painter.game.teams:
            yield "team", {player: team.name for team in teams for player in team.players}

    def _count_rows(self) -> Iterator[tuple[str, dict[int, str]]]:
        for family in self._counted():
            rows: dict[str, dict[int, ZoneView]] = {}
            for zone in self.view.zones:
                if zone.family == family and zone.owner is not None:
                    rows.setdefault(zone.short, {})[zone.owner] = zone
            for name, zones in rows.items():
                if not self._lies_side_by_side(next(iter(zones.values()))):
                    yield name, {owner: str(len(zone.cards)) for owner, zone in zones.items()}
                elif any(zone.cards for zone in zones.values()):
                    single = all(len(zone.cards) < 2 for zone in zones.values())
                    yield name, {owner: self._in_a_word(zone, single=single) for owner, zone in zones.items()}

    def _in_a_word(self, zone: ZoneView, *, single: bool) -> str:
        """Return what lies in a zone as its one card, or how many there are."""
        if not zone.cards:
            return "-"
        face = zone.cards[0]
        return self.painter.game.texts.face(face) if single and face is not None else str(len(zone.cards))

    def _value_rows(self) -> Iterator[tuple[str, dict[int, str]]]:
        rows: dict[tuple[str | None, str, str], dict[int, str]] = {}
        for value in self.values:
            if value.owner is not None:
                cell = "-" if value.value is None or value.value is False else value.text
                rows.setdefault((value.phase, value.variable, value.short), {})[value.owner] = cell
        for (_, _, name), cells in rows.items():
            unseen = {} if len(cells) == len(self.view.seats) else dict.fromkeys(self.view.seats, "?")
            yield name, {**unseen, **cells}

    # ---- what holds for all

    def shared(self) -> list[str]:
        """Return what holds for all players, as `leader: you`; of flags those that are set: `in play: fire, ice`."""
        said: list[str] = []
        for _, family in groupby(self.values, lambda value: (value.phase, value.variable)):
            values = list(family)
            if values[0].owner is not None:
                continue
            if values[0].is_flag and values[0].index:
                found = [" ".join(value.index) for value in values if value.value]
                said.append(f"{values[0].variable}: {', '.join(found) or 'none'}")
                continue
            shown = (value for value in values if self.whole or (value.value is not None and value.value is not False))
            said += [f"{value.label}: {value.text}" for value in shown]
        return said


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
