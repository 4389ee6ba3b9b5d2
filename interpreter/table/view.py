"""The table as one seat sees it: zones and values with their names, and which of them are worth a look.

A value says something while it is there: what is absent or false is left out, and so is a number that has
not yet left 0.  What a phase keeps for itself is left out as long as it is at the plain first value that the
spec gives it, and when the phase is not running.  What belongs to each player is shown for all of them as soon
as it says something of one.  A zone that not everybody sees says nothing any more when no rule that the play
can still come to mentions it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.analysis.types import Bool, Int, Player, base_of
from interpreter.knowledge.events import Assigned, Chosen, Event, Faces, Moved, Shuffled
from interpreter.table.narrator import EventNarrator, family_name
from interpreter.table.relevance import phases_running, zones_chosen_from, zones_in_play
from interpreter.text.names import Names

if TYPE_CHECKING:
    from interpreter.engine.game_data import Slot
    from interpreter.knowledge.observation import SeenVariable
    from interpreter.table.information import InformationState


@attrs.frozen
class ZoneView:
    """A place for cards: faces in the order in which the cards lie, None for unseen ones.

    `label` names the place for the seat (`your hand`), `short` beside its owner (`hand`), `group` its whole family.
    `by` says who played each card of a row.  `public` says that all players see the cards, `in_play` that a rule may
    still mention them, `chosen_from` that they may be chosen now.  `laid` are the faces of unseen cards that the seat
    laid there, as it remembers them.
    """

    place: int
    label: str
    short: str
    group: str
    family: str
    owner: int | None
    kind: str
    cards: Faces
    by: tuple[int | None, ...]
    public: bool
    in_play: bool
    chosen_from: bool
    laid: tuple[int, ...] = ()


@attrs.frozen
class ValueView:
    """A value that the seat sees; `value` is plain data (a card is its face), `text` what is shown.

    `label` names it for the seat (`your bid`), `short` beside its `owner` (`bid`), `variable` is its whole family.
    `index` has the texts of its indices, `is_flag` says that it is yes or no, `relevant` that it says something now.
    """

    slot: int
    label: str
    short: str
    variable: str
    phase: str | None
    owner: int | None
    index: tuple[str, ...]
    is_flag: bool
    value: Any
    text: str
    relevant: bool


@attrs.frozen
class View:
    """The table as a seat sees it; `seats` begins with the one who looks, `players` has their names by number."""

    seat: int | None
    acting: int
    seats: tuple[int, ...]
    players: tuple[str, ...]
    zones: tuple[ZoneView, ...]
    values: tuple[ValueView, ...]
    over: str


def view(info: InformationState, names: Names | None = None, before: View | None = None) -> View:
    """Return the table as a seat sees it; parts equal to those of `before`, for the same seat and names, are reused."""
    game = info.game
    narrator = EventNarrator(game, info.seat, names)
    zones = tuple(_zones(info, narrator, () if before is None else before.zones))
    values = tuple(_values(info, narrator, () if before is None else before.values))
    seats = tuple(((info.seat or 0) + step) % game.num_players for step in range(game.num_players))
    over = "" if info.outcome is None else narrator.outcome(info.outcome)
    players = tuple(map(narrator.player, range(game.num_players)))
    return View(info.seat, info.acting, seats, players, zones, values, over)


def _zones(info: InformationState, narrator: EventNarrator, before: tuple[ZoneView, ...]) -> Iterator[ZoneView]:
    """Return the places for cards in the order of their numbers."""
    game = info.game
    in_play, chosen_from = zones_in_play(info), zones_chosen_from(info)
    laid = cards_laid_unseen(info)
    for at, zone in enumerate(info.zones):
        place = game.data.places[zone.place]
        public = place.viewers == game.everyone
        now = (
            zone.cards, zone.by, public, in_play is None or public or place.zone in in_play,
            place.zone in chosen_from, laid.get(zone.place, ()),
        )  # fmt: skip
        old = before[at] if before else None
        if old is None:
            yield ZoneView(
                zone.place, narrator.place(zone.place), narrator.place_without_owner(zone.place),
                family_name(place).replace("_", " "), place.zone, zone.owner, zone.kind, *now,
            )  # fmt: skip
        elif now == (old.cards, old.by, old.public, old.in_play, old.chosen_from, old.laid):
            yield old
        else:
            yield ZoneView(old.place, old.label, old.short, old.group, old.family, old.owner, old.kind, *now)


def _values(info: InformationState, narrator: EventNarrator, before: tuple[ValueView, ...]) -> Iterator[ValueView]:
    """Return the values that a seat sees, those of one variable together, in the order of the spec."""
    slots = info.game.data.slots
    known = {old.slot: old for old in before}
    running = phases_running(info)
    families: dict[tuple[str | None, str], list[SeenVariable]] = {}
    for seen in info.variables:
        families.setdefault((slots[seen.slot].phase, slots[seen.slot].variable), []).append(seen)
    for (phase, variable), family in families.items():
        runs = phase is None or running is None or phase in running
        relevant = runs and any(_says_something(slots[seen.slot], seen) for seen in family)
        for seen in family:
            old = known.get(seen.slot)
            if old is not None and old.value == seen.value and old.relevant == relevant:
                yield old
                continue
            narrator.named.clear()
            slot = slots[seen.slot]
            owners = [i for type_, i in zip(slot.types, slot.index, strict=True) if isinstance(type_, Player)]
            yield ValueView(
                seen.slot, narrator.variable(seen.slot), narrator.variable_without_owner(seen.slot),
                variable.replace("_", " "), phase, owners[0] if owners else None,
                tuple(narrator.value(t, i) for t, i in zip(slot.types, slot.index, strict=True)),
                isinstance(slot.type, Bool), seen.value, narrator.value(seen.type, seen.value), relevant,
            )  # fmt: skip


def _says_something(slot: Slot, seen: SeenVariable) -> bool:
    if seen.value is None or seen.value is False:
        return False
    if slot.initial != seen.value:
        return True
    return slot.phase is None and not (isinstance(base_of(seen.type), Int) and seen.value == 0)


def is_on_the_table(info: InformationState, event: Event) -> bool:
    """Say whether an event only says what the table shows and belongs to no player: a counter, or a mark."""
    if not isinstance(event, Assigned):
        return False
    slot = info.game.data.slots[event.place]
    if not isinstance(base_of(slot.type), Int | Bool) or any(isinstance(type_, Player) for type_ in slot.types):
        return False
    return any(seen.slot == event.place and seen.value == event.value for seen in info.variables)


def cards_laid_unseen(info: InformationState) -> dict[int, tuple[int, ...]]:
    """Return the cards that a seat chose and laid in places of its own, as it remembers, by place.

    Where a card leaves that the seat does not see, or the place is shuffled, it is not sure of what is left there.
    """
    owners = info.game.place_owners
    if not any(zone.owner == info.seat is not None and None in zone.cards for zone in info.zones):
        return {}
    seat = info.seat
    chosen: set[int] = set()
    laid: dict[int, list[int]] = {}
    for event in info.events:  # All of a play, at each look: so the class is compared, and no pattern matched.
        if event.__class__ is Moved:
            held = laid.get(event.origin, [])
            for face in event.cards if held else ():
                if face is None:
                    held.clear()
                elif face in held:
                    held.remove(face)
            if owners[event.target] == seat and owners[event.origin] == seat and event.where is None:
                laid.setdefault(event.target, []).extend(f for f in event.cards if f is not None and f in chosen)
        elif event.__class__ is Chosen:
            if event.player == seat:
                chosen = {face for _, value in event.args if isinstance(value, tuple) for face in value}
        elif event.__class__ is Shuffled:
            laid.pop(event.place, None)
    return {place: tuple(cards) for place, cards in laid.items() if cards}
