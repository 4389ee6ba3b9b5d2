"""The digest of recent events for a narrow screen: obvious events are omitted, others are joined or counted.

If there is too little room, the least important lines are dropped first, and among these the oldest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

import attrs

from interpreter.analysis.types import EnumType, Type, base_of
from interpreter.knowledge.events import (
    Assigned,
    Chosen,
    Ended,
    Event,
    Fell,
    Layout,
    Moved,
    Said,
    Shown,
    Shuffled,
    Turned,
)


def names(event: Event, type_: Type, value: Any) -> bool:
    """Say whether an event names a value of a type."""
    parts: list[tuple[Type, Any]] = []
    match event:
        case Chosen():
            parts = list(event.args)
        case Fell():
            parts = [(event.type, event.value)]
        case Said():
            parts = [part for part in event.parts if not isinstance(part, str)]
        case _:  # All others name places and cards, and no values.
            return False
    wanted = base_of(type_)
    return any(_alike(wanted, base_of(named)) and said in (value, (value,)) for named, said in parts)


def _alike(one: Type, other: Type) -> bool:
    """Say whether values of two types can be the same: of one enumeration, or both numbers, players or cards."""
    return one == other if isinstance(one, EnumType) else type(one) is type(other)


def takes_effect(event: Event, later: Sequence[Event]) -> bool:
    """Say whether a decision that is kept from the others is reported again when it takes effect."""
    if not isinstance(event, Chosen) or not event.secret or not event.verb:
        return False
    effect = next((e for e in later if isinstance(e, Chosen) and e.player == event.player), None)
    return effect is not None and not effect.secret and (effect.verb, effect.args) == (event.verb, event.args)


def is_nothing(event: Event) -> bool:
    """Say whether an event is of no cards at all, or says what the table shows: how cards lie, how a phase begins."""
    if isinstance(event, Layout) or (isinstance(event, Assigned) and event.first):
        return True
    return isinstance(event, Moved | Turned | Shown) and not event.cards


def chose_these(event: Event, move: Moved) -> bool:
    """Say whether a decision ends with the very cards that are moved; of unseen ones nobody can be sure."""
    if not isinstance(event, Chosen) or move.by not in (None, event.player) or None in move.cards:
        return False
    chosen = [value for _, value in event.args if isinstance(value, tuple)]
    return chosen == [move.cards] and event.args[-1][1] == move.cards


def will_be_announced(type_: Type, value: Any, after: list[Event]) -> bool:
    """Say whether the rules name a value of a type in words of their own right away."""
    return bool(after) and isinstance(after[0], Said) and names(after[0], type_, value)


def gathered(events: list[Event]) -> list[Event]:
    """Merge the cards that one deal brought to a place in several rounds into one event."""
    out: list[Event] = []
    run: list[Moved] = []
    for event in [*events, None]:
        if isinstance(event, Moved):
            run.append(event)
            continue
        out += _one_deal(run)
        run = []
        if event is not None:
            out.append(event)
    return out


def _one_deal(run: list[Moved]) -> list[Moved]:
    """Return moves, those of one way as one where no card goes on from where another has come to."""
    if {m.origin for m in run} & {m.target for m in run}:
        return run
    ways: dict[tuple[int, int, str | None, int | None, str | None], Moved] = {}
    for move in run:
        way = (move.origin, move.target, move.face, move.by, move.where)
        first = ways.get(way)
        ways[way] = (
            move if first is None else attrs.evolve(first, cards=first.cards + move.cards, seen=first.seen + move.seen)
        )
    return list(ways.values())


@attrs.frozen
class DigestLine:
    """A line about what happened, and how much it weighs."""

    line: str
    weight: int


def weight_of(event: Event, you: int | None, owners: Sequence[int | None], viewers: Sequence[int], *, own: bool) -> int:
    """Return how much an event weighs for a player, 0 to 3; `own` says that it came of the player's own decision.

    `owners` are the players whose places they are, or None; `viewers` who sees them, one bit for each player.
    """
    match event:
        case Chosen():
            return 2 if own else 3
        case Said() | Shown() | Ended():
            return 3
        case Shuffled() | Layout():
            return 0
        case Moved(cards=cards, origin=origin, target=target):
            if not viewers[target]:  # Cards that are put away.
                return 0
            mine = own or (you is not None and you in (owners[origin], owners[target]))
            return int(mine) + int(any(card is not None for card in cards))
        case Fell() | Assigned():
            return 2
        case Turned():
            return 1 + own
        case _:
            assert_never(event)


def fitting(lines: list[DigestLine], heights: Sequence[int], room: int) -> list[DigestLine]:
    """Return the lines that a room has place for, in their order: the heaviest, and of equal ones the newest."""
    left = room
    kept: set[int] = set()
    for place in sorted(range(len(lines)), key=lambda place: (lines[place].weight, place), reverse=True):
        left -= heights[place]
        if left < 0:
            break
        kept.add(place)
    return [one for place, one in enumerate(lines) if place in kept]


def repeats_counted(lines: list[DigestLine]) -> list[DigestLine]:
    """Return lines in which a decision that looks like the one before it, with all that came of it, is only counted."""
    blocks: list[list[DigestLine]] = []
    for line in lines:
        if blocks and line.line.startswith(" "):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    out: list[tuple[list[DigestLine], int]] = []
    for block in blocks:
        if out and out[-1][0] == block and not block[0].line.startswith(" "):
            out[-1] = (block, out[-1][1] + 1)
        else:
            out.append((block, 1))
    return [
        attrs.evolve(one, line=f"{one.line} ({times} times)") if times > 1 and not number else one
        for block, times in out
        for number, one in enumerate(block)
    ]


def since_last_turn(events: Sequence[Event], player: int | None) -> Sequence[Event]:
    """Return what happened from a player's last decision on, that included; everything before their first.

    A decision that was kept was made before it took effect, and much may have happened in between.
    """
    own = [place for place, event in enumerate(events) if isinstance(event, Chosen) and event.player == player]
    if not own:
        return events
    kept = len(own) > 1 and takes_effect(events[own[-2]], events[own[-1] :])
    return events[own[-2] if kept else own[-1] :]
