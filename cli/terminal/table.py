"""The table as somebody sees it: what lies where, what holds now, and the players side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
from rich.table import Table
from rich.text import Text

from cli.terminal.event_text import family_name
from cli.terminal.paint import UNSEEN, Painter
from cli.terminal.relevance import worth_showing, zones_chosen_from, zones_in_play
from interpreter.analysis.types import Bool, Player

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.console import Console

    from cli.terminal.event_text import Teller
    from interpreter.analysis.symbols import Variable, Zone
    from interpreter.program.nodes import Decision
    from interpreter.runtime.knowledge.observation import Observation, SeenVariable, SeenZone

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
        decision: Decision | None,
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
        self.values = worth_showing(self.game, seen, decision)
        self.in_play = None if decision is None or whole else zones_in_play(self.game, decision.number)
        if whole:
            self.values = {}
            for value in seen.variables:
                self.values.setdefault(self.game.variables[value.slot][0], []).append(value)

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
        family = self.game.places[zone.place][0]
        return (
            self._is_in_play(family)
            and not self._lies_side_by_side(family)
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
        family = self.game.places[zone.place][0]
        public = self.game.place_viewers[zone.place] == self.game.everyone
        if public and len(zone.cards) > LONG and family.name not in self.wanted and not self.whole:
            return self.painter.summary(zone, room)
        return self.painter.cards(zone, self.teller, room)

    def empty_zones(self) -> list[str]:
        """Return the names of the places without cards: shared ones, one's own, and families that are all empty."""
        if self.whole:
            return []
        by_family: dict[Zone, list[SeenZone]] = {}
        for zone in self.seen.zones:
            if self._is_in_play(self.game.places[zone.place][0]):
                by_family.setdefault(self.game.places[zone.place][0], []).append(zone)
        names: list[str] = []
        for family, zones in by_family.items():
            empty = [z for z in zones if not z.cards]
            if len(empty) == len(zones):
                names.append(family_name(family).replace("_", " "))
            elif family not in self._counted():
                names += [self.teller.place(z.place) for z in empty if z.owner in (None, self.seen.player)]
        return names

    # ---- what belongs to each player

    def _counted(self) -> list[Zone]:
        """Return the families of zones in which some player's cards are not seen: their sizes stand by the players."""
        found: dict[Zone, bool] = {}
        for zone in self.seen.zones:
            if zone.owner is not None:
                family = self.game.places[zone.place][0]
                unseen = bool(zone.cards) and all(face is None for face in zone.cards)
                found[family] = found.get(family, False) or unseen or self._lies_side_by_side(family)
        return [f for f, unseen in found.items() if unseen and not self.whole and self._is_in_play(f)]

    def _lies_side_by_side(self, family: Zone) -> bool:
        """Say whether a family of zones, which everybody sees and nobody chooses from now, is shown by the players."""
        public = self.game.place_viewers[family.base] == self.game.everyone
        return self.dense and public and family.owner_index is not None and family.name not in self.wanted

    def _is_in_play(self, zone: Zone) -> bool:
        """Say whether a rule that can still be met speaks of a zone, or everybody sees what lies there."""
        return (
            self.in_play is None
            or zone.name in self.in_play
            or self.game.place_viewers[zone.base] == self.game.everyone
        )

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
                if self.game.places[zone.place][0] is family and zone.owner is not None:
                    rows.setdefault(self.teller.place_without_owner(zone.place), {})[zone.owner] = zone
            for name, zones in rows.items():
                if not self._lies_side_by_side(family):
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
        for variable, values in self.values.items():
            if not _of_players(variable):
                continue
            rows: dict[str, dict[int, str]] = {}
            for value in values:
                index = self.game.variables[value.slot][1]
                name = self.teller.variable_without_owner(value.slot)
                owner = next(i for t, i in zip(variable.indices, index, strict=True) if isinstance(t, Player))
                rows.setdefault(name, {})[owner] = self._cell(value)
            for name, cells in rows.items():
                unseen = {} if len(cells) == len(self.seats) else dict.fromkeys(self.seats, "?")
                yield name, {**unseen, **cells}

    def _cell(self, value: SeenVariable) -> str:
        if value.value is None or value.value is False:
            return "-"
        return self.teller.value(value.type, value.value)

    # ---- what holds for all

    def shared(self) -> list[str]:
        """Return what holds for all players, as `leader: you`."""
        said: list[str] = []
        for variable, values in self.values.items():
            if _of_players(variable):
                continue
            if isinstance(variable.type, Bool) and variable.indices:
                said.append(self._true_for(variable, values))
                continue
            said += [
                f"{self.teller.variable(value.slot)}: {self.teller.value(value.type, value.value)}"
                for value in values
                if self.whole or (value.value is not None and value.value is not False)
            ]
        return said

    def _true_for(self, variable: Variable, values: list[SeenVariable]) -> str:
        """Return for which of its indices a family of yes and no says yes: `in play: fire, ice`."""
        found = [
            " ".join(self.teller.value(t, i) for t, i in zip(variable.indices, index, strict=True))
            for value in values
            for index in [self.game.variables[value.slot][1]]
            if value.value
        ]
        return f"{variable.name.replace('_', ' ')}: {', '.join(found) or 'none'}"


def _of_players(variable: Variable) -> bool:
    return any(isinstance(index, Player) for index in variable.indices)


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
