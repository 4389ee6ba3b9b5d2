"""Information states: everything that a viewer has seen of a play, as text and as numbers (perfect recall).

Both are computed from the log of events, without hidden parts.  The text has one line for each event.  The numbers
have a fixed size for any length of play: the observation, the latest events in rows of `COLUMNS`, and the bits of a
digest of the whole text.  So different information states have different numbers, even if the rows are too few for a
long play.

Lines and rows take longer to compute than the play itself, so they are kept with the log and extended.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, assert_never

from interpreter.analysis.types import Card, Cards, Sequence, Type, base_of
from interpreter.engine.logged import log_of
from interpreter.knowledge import events
from interpreter.knowledge.tensors import observation_layout, observation_tensor
from interpreter.knowledge.visibility import Past, Seen, Sight
from interpreter.text.narrate import narrate

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.machine import Machine

COLUMNS = ("kind", "player", "from", "to", "card", "value", "count")
"""The columns of a row of the tensor.

`kind` is the number of the event in `KINDS`.  Players, places, variables and faces count from 1; 0 means none, or not
seen.  `count` is the number of equal rows in a row, which are written once.
"""

KINDS = ("decision", "argument", "move", "shuffle", "chance", "turn", "show", "change", "word", "end", "layout")
MOST_ROWS = 256
ROWS_A_DECISION = 4
ROWS_A_CARD = 2
"""Rows for each decision and each card of a small game, so that a whole play fits."""

DIGEST_BITS = 64

Row = tuple[float, ...]


def seen_of(state: Machine, sight: Sight) -> list[Seen]:
    """Return what is seen of a play, in order."""
    log = log_of(state)
    player = sight.player if sight.private == "own" else 0
    key = (player, sight.public, sight.private)
    past = log.derived.get(key)
    if past is None:
        past = log.derived[key] = Past(sight, state.game.everyone)
    seen: list[Seen] = past.read_on(log.log)
    return seen


def information_state_text(state: Machine, sight: Sight) -> str:
    """Return all that is seen so far, in order, who is to act, and what is picked of an unfinished set."""
    return _text(state, sight, seen_of(state, sight))


def _text(state: Machine, sight: Sight, seen: list[Seen]) -> str:
    whose = {"own": f"player {sight.player + 1}", "none": "everybody", "all": "all players"}
    lines = [whose[sight.private]]
    for entry in seen:
        if entry.line is None:
            entry.line = narrate(state.game, entry.event)
        lines.append(entry.line)
    if state.to_act >= 0 and sight.public:
        lines.append(f"player {state.to_act + 1} is to act")
    if state.to_act >= 0 and sight.sees(1 << state.to_act, state.game.everyone):
        picked = state.picked()
        if picked:
            lines.append("picked " + " ".join(state.game.texts.face(f) for f in picked))
        decision = state.decision_data()
        if decision is not None and decision.is_begun:
            lines.append(f"choosing {decision.actions[0].verb} {decision.stage}")
    return "\n".join(lines)


# ---- as numbers


def number_of_rows(game: GameBase) -> int:
    """Return how many rows of events the tensor has."""
    return min(MOST_ROWS, ROWS_A_DECISION * game.max_decisions + ROWS_A_CARD * game.num_cards)


def information_state_layout(game: GameBase) -> list[tuple[str, int, int]]:
    """Return the parts of the tensor: name, first position, size.  `seen events` are `number_of_rows` by `COLUMNS`."""
    parts = observation_layout(game)
    end = parts[-1][1] + parts[-1][2]
    size = number_of_rows(game) * len(COLUMNS)
    return [*parts, ("seen events", end, size), ("digest of events", end + size, DIGEST_BITS)]


def information_state_parts(state: Machine, sight: Sight) -> tuple[list[float], list[float], list[float]]:
    """Return what is seen now, the latest rows that there are, and the digest: the tensor without its gap.

    The gap is in front of the rows, so that the latest event comes last.
    """
    seen = seen_of(state, sight)
    most = number_of_rows(state.game)
    latest: list[Row] = []
    for entry in reversed(seen):
        if entry.rows is None:
            entry.rows = _rows(state.game, entry.event)
        latest[:0] = entry.rows
        if len(latest) >= most:
            break
    digest = int.from_bytes(hashlib.sha256(_text(state, sight, seen).encode()).digest()[: DIGEST_BITS // 8], "big")
    bits = [float(digest >> bit & 1) for bit in range(DIGEST_BITS)]
    return observation_tensor(state, sight), [number for row in latest[-most:] for number in row], bits


def information_state_tensor(state: Machine, sight: Sight) -> list[float]:
    """Return all that is seen so far as numbers, in the layout of the game."""
    now, rows, digest = information_state_parts(state, sight)
    gap = number_of_rows(state.game) * len(COLUMNS) - len(rows)
    return [*now, *[0.0] * gap, *rows, *digest]


def _rows(game: GameBase, event: events.Event) -> list[Row]:
    """Return an event as rows; equal neighbours are one row with their count."""
    made: list[list[float]] = []
    for row in _cells(game, event):
        if made and made[-1][:-1] == row:
            made[-1][-1] += 1.0
        else:
            made.append([*row, 1.0])
    return [tuple(row) for row in made]


def _cells(game: GameBase, event: events.Event) -> list[list[float]]:
    match event:
        case events.Chosen():
            verb = game.texts.verbs.get(event.verb, 0)
            head = _row("decision", player=event.player + 1, value=verb)
            args = [_value(type_, value) for type_, value in event.args]
            return [head, *(_row("argument", event.player + 1, card=c, value=v) for some in args for c, v in some)]
        case events.Moved():
            by = 0 if event.by is None else event.by + 1
            face = {None: 0, "up": 1, "down": -1}[event.face]
            return [
                _row(
                    "move",
                    by,
                    event.origin + 1,
                    event.target + 1,
                    0 if card is None else card + 1,
                    face + {None: 0, "bottom": 2, "within": 6}[event.where],
                )
                for card in event.cards
            ]
        case events.Shuffled():
            return [_row("shuffle", origin=event.place + 1, value=event.count)]
        case events.Fell():
            return [_row("chance", card=c, value=v) for c, v in _value(event.type, event.value)]
        case events.Turned():
            return [_row("turn", 0, event.place + 1, 0, 0 if c is None else c + 1, event.up) for c in event.cards]
        case events.Shown():
            return [_row("show", 0, event.place + 1, 0, 0 if c is None else c + 1, event.viewers) for c in event.cards]
        case events.Assigned():
            values = _value(game.variable_types[event.place], event.value)
            return [_row("change", target=event.place + 1, card=c, value=v) for c, v in values]
        case events.Layout():
            players = event.by or (None,) * len(event.cards)
            return [
                _row("layout", 0 if p is None else p + 1, 0, event.place + 1, 0 if c is None else c + 1)
                for c, p in zip(event.cards, players, strict=True)
            ]
        case events.Said():
            parts = [_value(*part) for part in event.parts if not isinstance(part, str)]
            return [_row("word"), *(_row("word", card=c, value=v) for some in parts for c, v in some)]
        case events.Ended():
            return [_row("end")]
        case _:
            assert_never(event)


def _row(
    kind: str, player: float = 0, origin: float = 0, target: float = 0, card: float = 0, value: float = 0
) -> list[float]:
    return [float(n) for n in (KINDS.index(kind) + 1, player, origin, target, card, value)]


def _value(type_: Type, value: Any) -> list[tuple[float, float]]:
    """Return a value as (card, value) for each of its items: cards as faces from 1, other values as numbers."""
    items = value if isinstance(value, tuple) else (value,)
    inner = base_of(type_)
    item = base_of(inner.item) if isinstance(inner, Sequence) else inner
    if isinstance(item, Card | Cards):
        return [(0.0 if face is None else face + 1.0, 0.0) for face in items]
    return [(0.0, 0.0 if number is None else float(number)) for number in items]
