"""`cardgame list`."""

from __future__ import annotations

import json
import shutil
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from interpreter.analysis.symbols import Option
    from interpreter.setting import Signature

NARROWEST = 40


@click.command("list")
@click.argument("where", metavar="[FOLDER|SPEC]...", nargs=-1)
@click.option("--format", "form", type=click.Choice(["full", "json"]), default="full", show_default=True)
def list_games(where: tuple[str, ...], form: str) -> None:
    """List games with their players, and their options with all values: the bundled ones and their variants, or those
    of a FOLDER, or single SPECs.

    \b
    Examples:
      cardgame list
      cardgame list my_games/
      cardgame list chalice_and_wand --format json
    """
    games = [_described(name) for name in _names(where)]
    if form == "json":
        click.echo(json.dumps(games, indent=2))
        return
    if not games:
        click.echo(f"there are no specs in {' and '.join(f'`{name}`' for name in where)}")
    for number, game in enumerate(games):
        click.echo(("\n" if number else "") + _full(game))


def _names(where: tuple[str, ...]) -> list[str]:
    """Return the specs that are meant: files of folders, files and bundled names."""
    from interpreter.loader import SUFFIX, bundled_games, bundled_variants  # late: help

    if not where:
        return [*bundled_games(), *bundled_variants()]
    names: list[str] = []
    for name in where:
        folder = Path(name)
        names += sorted(str(p) for p in folder.glob("*" + SUFFIX)) if folder.is_dir() else [name]
    return names


def _described(name: str) -> dict[str, Any]:
    """Return a game by the head of its text; a spec that cannot be read says so and does not hide the others."""
    from grammar.diagnostics import SpecError  # late: help
    from interpreter.loader import find_spec, signature  # late: help

    path = find_spec(name)
    try:
        found = signature(path)
    except (SpecError, OSError) as error:
        return {"name": name, "title": None, "players": None, "cooperative": None, "options": [], "broken": str(error)}
    return {
        "name": name,
        "title": found.title,
        "players": list(found.players),
        "cooperative": found.cooperative,
        "options": _options(found),
        "broken": None,
    }


def _options(found: Signature) -> list[dict[str, Any]]:
    """Return the options as they are for the least number of players, and for others where they differ."""
    low, high = found.players
    by_players = {players: found.begin(players).options for players in range(low, high + 1)}
    texts = {decl.name: decl.type.span.text for decl in found.declarations if decl.type is not None}
    made = []
    for number, option in enumerate(by_players[low]):
        facts = {players: _values(options[number]) for players, options in by_players.items()}
        differ = any(fact != facts[low] for fact in facts.values())
        made.append({
            "name": option.name, **facts[low], "text": option.text or None, "written": texts.get(option.name),
            "by_players": {str(players): fact for players, fact in facts.items()} if differ else None,
        })  # fmt: skip
    return made


def _values(option: Option) -> dict[str, Any]:
    """Return what an option can be, and its default: all words, false and true, or the ends of a range."""
    from interpreter.analysis.types import Int  # late: help

    default = option.told(option.default)
    if isinstance(option.type, Int):
        return {"range": [option.type.low, option.type.high], "default": default}
    return {"values": [option.told(value) for value in option.samples()], "default": default}


def _full(game: dict[str, Any]) -> str:
    from interpreter.setting import number_of_players, word_of  # late: help

    if game["broken"] is not None:
        return f"{game['name']}: cannot be read; `cardgame validate {game['name']}` says why"
    low, high = game["players"]
    together = ", together" if game["cooperative"] else ""
    lines = [f"{game['name']}: {game['title']}, {number_of_players((low, high))}{together}"]
    for option in game["options"]:
        said = option["written"] if "range" in option else " | ".join(word_of(value) for value in option["values"])
        text = f"  ({option['text']})" if option["text"] else ""
        lines.append(f"  --option {option['name']}={word_of(option['default'])}  of {said}{text}{_otherwise(option)}")
    width = max(NARROWEST, shutil.get_terminal_size((80, 24)).columns)
    return "\n".join(
        textwrap.fill(line, width, subsequent_indent="      ", break_long_words=False, break_on_hyphens=False)
        for line in lines
    )


def _otherwise(option: dict[str, Any]) -> str:
    """Say which defaults an option has for other numbers of players: "; 5 for 4 to 5 players"."""
    from interpreter.setting import number_of_players, word_of  # late: help

    spans: list[tuple[str, int, int]] = []
    for players, fact in (option["by_players"] or {}).items():
        word, count = word_of(fact["default"]), int(players)
        if spans and spans[-1][0] == word:
            spans[-1] = (word, spans[-1][1], count)
        else:
            spans.append((word, count, count))
    return "".join(f"; {word} for {number_of_players((low, high))}" for word, low, high in spans[1:])
