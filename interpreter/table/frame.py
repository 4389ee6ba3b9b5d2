"""The table as JSON: a frame for one seat, the reference of a game, and the JSON Schema of both.

A frame contains everything an interface needs to draw the table: the view, the events since a number that the seat
chooses, and the decision that waits.  Frames of equal information states are equal byte by byte.  `docs/table.md`
describes the fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from types import UnionType
from typing import TYPE_CHECKING, Any, Union, assert_never, get_args, get_origin, get_type_hints

import attrs

from interpreter.engine.outcome import Team
from interpreter.knowledge.events import (
    Assigned,
    Chosen,
    Ended,
    Event,
    Faces,
    Fell,
    Layout,
    Moved,
    Said,
    Shown,
    Shuffled,
    Turned,
)
from interpreter.table.faces import FaceView, SuitView, face_views, suit_views
from interpreter.table.information import Pending
from interpreter.table.narrator import EventNarrator
from interpreter.table.view import View, view

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.program.nodes import Program
    from interpreter.table.information import InformationState
    from interpreter.text.names import Names

VERSION = "cardgame.table.1"
"""The version of the format; a field that changes its meaning changes it."""


@attrs.frozen
class EventView:
    """An event as a seat observed it.

    `number` counts the seat's own events from 0.  `text` is the event as a line of English for that seat.  The other
    fields are those of its `kind`: `player` decided or owns the move, `cards` are faces (None: unseen), `origin` and
    `target` are places, `slot` is a variable, `value` a text.
    """

    number: int
    kind: str
    text: str
    player: int | None = None
    verb: str = ""
    cards: Faces = ()
    origin: int | None = None
    target: int | None = None
    slot: int | None = None
    value: str = ""


@attrs.frozen
class Frame:
    """Everything that an interface shows a seat; `since` is the number of its first event."""

    version: str
    since: int
    view: View
    events: tuple[EventView, ...]
    pending: Pending | None


@attrs.frozen
class Reference:
    """The constant data of a game for an interface: teams, cards, suits and verbs.

    `teams` are empty in a game without teams.  `chosen_from` are the families of zones from which a decision chooses
    cards.
    """

    version: str
    title: str
    players: int
    teams: tuple[Team, ...]
    options: Mapping[str, str]
    suits: tuple[SuitView, ...]
    faces: tuple[FaceView, ...]
    verbs: tuple[str, ...]
    chosen_from: tuple[str, ...]


@attrs.frozen
class FrameBefore:
    """A frame of a seat and what it was made of; `scores` are those of its own events."""

    info: InformationState
    names: Names | None
    scores: Mapping[int, str]
    frame: Frame


def frame(
    info: InformationState, since: int = 0, names: Names | None = None, scores: Mapping[int, str] | None = None,
    before: FrameBefore | None = None,
) -> Frame:  # fmt: skip
    """Return the frame of a seat with its events from number `since` on.

    `scores` explains changes of scores by the number of the event (`interpreter.table.scores`).  Parts that did not
    change since the frame `before`, of the same seat and names, are reused.

    The last event that a seat has may grow by moves that are merged with it until the next decision, so an interface
    that asks for later events names the number of its last one.
    """
    shown = view(info, names, None if before is None else before.frame.view)
    return Frame(VERSION, since, shown, events(info, since, names, scores, before), info.pending)


def events(
    info: InformationState, since: int = 0, names: Names | None = None, scores: Mapping[int, str] | None = None,
    before: FrameBefore | None = None,
) -> tuple[EventView, ...]:  # fmt: skip
    """Return the events of a seat from number `since` on; those in the frame `before` are not narrated once more."""
    scores = scores or {}
    narrator = EventNarrator(info.game, info.seat, names).explaining(info.events, scores)
    known = {} if before is None else {
        one.number: one for one in before.frame.events
        if one.number < len(info.events) and info.events[one.number] is before.info.events[one.number]
        and scores.get(one.number) == before.scores.get(one.number)
    }  # fmt: skip
    return tuple(
        known.get(number) or _event_view(narrator, number, info.events[number])
        for number in range(since, len(info.events))
    )


class SeatFrames:
    """The frames of one seat of a play as JSON; what has not changed since the last one is not made again."""

    def __init__(self) -> None:
        self._before: FrameBefore | None = None
        self._written = ""
        self._texts: dict[int, str] = {}

    def json(self, info: InformationState, since: int, names: Names | None, scores: Mapping[int, str]) -> str:
        """Return a frame as `to_json(frame(...))` writes it."""
        before = self._before
        scores = {number: scores[number] for number in range(since, len(info.events)) if number in scores}
        if before is not None and (before.names != names or before.info.game is not info.game):
            before = None
        if before is not None and before.info is info and before.scores == scores and before.frame.since == since:
            return self._written
        shown = frame(info, since, names, scores, before)
        self._written = self._write(shown)
        self._before = FrameBefore(info, names, scores, shown)
        return self._written

    def _write(self, shown: Frame) -> str:
        known = self._texts
        # The frame before holds these objects until now, so that no other has the identity of one of them.
        self._texts = {id(part): known.get(id(part)) or to_json(part)
                       for parts in (shown.view.zones, shown.view.values, shown.events) for part in parts}  # fmt: skip
        lists = {name: f"[{','.join([self._texts[id(part)] for part in parts])}]" for name, parts in (
            ("zones", shown.view.zones), ("values", shown.view.values), ("events", shown.events))}  # fmt: skip
        return _object(shown, lists | {"view": _object(shown.view, lists)})


def _object(value: Any, written: Mapping[str, str]) -> str:
    """Return an object as JSON, some fields of which are written already."""
    fields = (f'"{name}":{written.get(name) or to_json(getattr(value, name))}' for name in _names_of(value.__class__))
    return f"{{{','.join(fields)}}}"


def _event_view(narrator: EventNarrator, number: int, event: Event) -> EventView:
    narrator.named.clear()
    text = narrator.event(event).strip()
    match event:
        case Chosen(player=player, verb=verb, args=args):
            cards = tuple(face for _, value in args if isinstance(value, tuple) for face in value)
            return EventView(number, "decision", text, player, verb, cards)
        case Moved(cards=cards, origin=origin, target=target, by=by):
            return EventView(number, "move", text, by, cards=cards, origin=origin, target=target)
        case Shuffled(place=place):
            return EventView(number, "shuffle", text, target=place)
        case Fell(name=name, type=type_, value=value):
            return EventView(number, "chance", text, verb=name, value=narrator.value(type_, value))
        case Turned(cards=cards, place=place, up=up):
            return EventView(number, "turn", text, cards=cards, target=place, value="up" if up else "down")
        case Shown(cards=cards, place=place):
            return EventView(number, "show", text, cards=cards, target=place)
        case Assigned(place=slot, value=value):
            now = narrator.value(narrator.game.variable_types[slot], value)
            return EventView(number, "change", text, slot=slot, value=now)
        case Layout(place=place, cards=cards):
            return EventView(number, "layout", text, cards=cards, target=place)
        case Said():
            return EventView(number, "word", text)
        case Ended(termination=termination):
            return EventView(number, "end", text, value=termination)
        case _:
            assert_never(event)


def reference(game: GameBase) -> Reference:
    """Return what is fixed before play: the cards and the verbs of a game."""
    return Reference(
        VERSION, game.title, game.num_players, game.teams, game.option_texts(), suit_views(game), face_views(game),
        tuple(game.texts.verbs), tuple(_chosen_from(game)),
    )  # fmt: skip


def reference_json(game: GameBase) -> str:
    """Return what is fixed before play as JSON; the text is kept, since every device of a table receives it."""
    return _reference_json(game, game.program)


@lru_cache(maxsize=4)
def _reference_json(game: GameBase, program: Program) -> str:
    del program
    return to_json(reference(game))


def _chosen_from(game: GameBase) -> list[str]:
    args = (arg for decision in game.data.decisions.values() for action in decision.actions for arg in action.args)
    return sorted({zone for arg in args if arg.form != "value" for zone in arg.zones})


def to_json(value: Any) -> str:
    """Return a frame, a reference or a part of one as JSON; equal values give equal texts."""
    return _ENCODER.encode(value)


def _fields(value: Any) -> dict[str, Any]:
    """Return the fields of a value as JSON writes them; the encoder goes on with what they contain."""
    return {name: getattr(value, name) for name in _names_of(value.__class__)}


_ENCODER = json.JSONEncoder(default=_fields, ensure_ascii=False, separators=(",", ":"))


@cache
def _names_of(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind))


def schema(kind: type[Any]) -> dict[str, Any]:
    """Return the JSON Schema of a class of this module, derived from the types of its fields."""
    definitions: dict[str, Any] = {}
    return {**_schema(kind, definitions), "$defs": definitions}


def _schema(type_: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    plain = {int: "integer", str: "string", bool: "boolean", type(None): "null"}
    if type_ in plain:
        return {"type": plain[type_]}
    if attrs.has(type_):
        if type_.__name__ not in definitions:
            definitions[type_.__name__] = {}
            fields = {name: _schema(of, definitions) for name, of in get_type_hints(type_).items()}
            definitions[type_.__name__] = {"type": "object", "properties": fields, "required": list(fields)}
        return {"$ref": f"#/$defs/{type_.__name__}"}
    origin, args = get_origin(type_), get_args(type_)
    if origin is tuple:
        return {"type": "array", "items": _schema(args[0], definitions)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema(args[1], definitions)}
    if origin in (UnionType, Union):
        return {"anyOf": [_schema(arg, definitions) for arg in args]}
    return {}  # A value of the game: a number, a text, true or false, or null.
