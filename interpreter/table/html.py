"""HTML for notebooks: what all players see of a state, and the cards of a game.

Texts of a spec are escaped.  A state shows what a spectator sees, so that a notebook gives nothing away.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from interpreter.engine.machine import CHANCE
from interpreter.knowledge.observation import observe, zone_text

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.machine import Machine

MOST_FACES = 60
"""Cards that are listed of a game."""


def state_html(state: Machine) -> str:
    """Return what a spectator sees of a state: zones, values, and the player to act or the outcome."""
    game, seen = state.game, observe(state, None, public=True)
    if state.result is not None:
        caption = state.result.describe()
    else:
        caption = "chance is to act" if state.to_act == CHANCE else f"{game.texts.player(state.to_act)} is to act"
    rows = [(zone.name, str(len(zone.cards)), zone_text(game, zone)) for zone in seen.zones]
    rows += [(value.name, "", game.texts.value(value.type, value.value)) for value in seen.variables]
    return _table(f"{game.title}: {caption}", ("", "cards", ""), rows)


def game_html(game: GameBase) -> str:
    """Return the title and setting of a game, and its cards with their attributes."""
    options = ", ".join(f"{name}={text}" for name, text in game.option_texts().items())
    caption = f"{game.title}: {game.num_players} players{f', {options}' if options else ''}"
    rows = []
    for face in game.faces[:MOST_FACES]:
        typed = zip(game.data.attributes[face.kind], face.values, strict=True)
        values = ", ".join(f"{name} {game.texts.value(type_, value)}" for (name, type_), value in typed)
        rows.append((face.text, face.name if face.name != face.text else "", f"{face.kind}: {values}"))
    if len(game.faces) > MOST_FACES:
        rows.append(("", "", f"and {len(game.faces) - MOST_FACES} more"))
    return _table(caption, ("card", "name", "attributes"), rows)


def _table(caption: str, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    heading = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><caption>{escape(caption)}</caption><tr>{heading}</tr>{body}</table>"
