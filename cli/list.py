"""`cardgame list`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from grammar.ast import Spec


@click.command("list", short_help="List the bundled games and their variants.")
@click.option("--format", "form", type=click.Choice(["full", "json"]), default="full", show_default=True)
def list_games(form: str) -> None:
    """List the bundled games with their players and options, and the bundled variants.

    \b
    Examples:
      cardgame list
      cardgame list --format json
    """
    from interpreter.loader import bundled_games, bundled_variants

    games = [_described(name) for name in [*bundled_games(), *bundled_variants()]]
    if form == "json":
        click.echo(json.dumps(games, indent=2))
        return
    for number, game in enumerate(games):
        click.echo(("\n" if number else "") + _full(game))


def _described(name: str) -> dict[str, Any]:
    """Return a game by its text alone; a spec that cannot be read says so and does not hide the others."""
    from grammar.diagnostics import SpecError
    from grammar.source import read_source
    from interpreter.loader import assemble, find_spec

    path = find_spec(name)
    try:
        spec = assemble(read_source(path), path.parent)
    except (SpecError, OSError) as error:
        return {"name": name, "title": None, "players": None, "cooperative": None, "options": [], "broken": str(error)}
    return {"name": name, **_facts(spec), "options": _options(spec), "broken": None}


def _facts(spec: Spec) -> dict[str, Any]:
    from grammar.ast import GameDecl

    game = next((item for item in spec.items if isinstance(item, GameDecl)), None)
    facts = {fact.name: fact.values for fact in game.facts} if game is not None else {}
    players = facts.get("players", (None,))[0]
    return {
        "title": game.name if game is not None else None,
        "players": list(players) if isinstance(players, tuple) else [players, players],
        "cooperative": "cooperative" in facts,
    }


def _options(spec: Spec) -> list[dict[str, Any]]:
    from grammar.ast import OptionDecl

    return [
        {
            "name": item.name,
            "values": list(item.choices) or (item.type.span.text if item.type is not None else ""),
            "default": item.default.span.text,
            "text": item.text,
        }
        for item in spec.items
        if isinstance(item, OptionDecl)
    ]


def _full(game: dict[str, Any]) -> str:
    from interpreter.loader import VARIANTS

    if game["broken"] is not None:
        return f"{game['name']}: cannot be read; `cardgame validate {game['name']}` says why"
    low, high = game["players"]
    players = f"{low}" if low == high else f"{low} to {high}"
    together = ", together" if game["cooperative"] else ""
    lines = [f"{game['name']}: {game['title']}, {players} players{together}"]
    if game["name"].startswith(VARIANTS):
        return lines[0]
    for option in game["options"]:
        values = option["values"]
        said = " | ".join(values) if isinstance(values, list) else values
        text = f"  ({option['text']})" if option["text"] else ""
        lines.append(f"  --option {option['name']}={option['default']}  of {said}{text}")
    return "\n".join(lines)
