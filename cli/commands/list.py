"""`cardgame list`: one line for each game, with one idea, and the options of a game on demand."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.arguments import format_option, write_json
from cli.report import table, wrapped

if TYPE_CHECKING:
    from grammar.ast import Spec
    from grammar.source import Source
    from interpreter.analysis.symbols import Option
    from interpreter.setting import Signature

GROUPS = {"": "Games", "classics": "Classics", "variants": "Variants"}
"""The folders of the bundled games, with the titles of their groups."""


@click.command("list")
@click.argument("where", metavar="[WORD|SPEC|FOLDER]...", nargs=-1)
@click.option("--players", type=click.IntRange(1), metavar="N", help="List only games for this number of players.")
@click.option("--options", "shows_options", is_flag=True, help="Show the options of each game, with all values.")
@format_option("text", "json")
def list_games(where: tuple[str, ...], players: int | None, shows_options: bool, form: str) -> None:
    """List the bundled games and variants, or those whose name, title or description contains every WORD.

    For a SPEC, the command shows its options.  For a FOLDER, it lists the specs in it.

    \b
    Examples:
      cardgame list
      cardgame list duel
      cardgame list --players 4
      cardgame list chalice_and_wand
      cardgame list classics/hearts --format json
      cardgame list my_games/ --options
    """
    names, words = _names(where)
    games = [game for game in map(_described, names) if _fits(game, players, words)]
    if form == "json":
        write_json(games)
        return
    if not games:
        raise click.UsageError("no game fits; `cardgame list` lists all games")
    if shows_options or (where and not words and not any(Path(name).is_dir() for name in where)):
        click.echo("\n\n".join(map(_with_options, games)))
        return
    rows = [(_group(game["name"]), _row(game)) for game in games]
    aligned = table([row for _, row in rows], indent="  ")
    groups = groupby(zip(rows, aligned, strict=True), lambda pair: pair[0][0])
    click.echo("\n\n".join("\n".join([title, *(_filled(line) for _, line in lines)]) for title, lines in groups))


def _names(where: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Return the specs to list, and the words that they must contain."""
    from grammar.suggest import did_you_mean  # late: help
    from interpreter.loader import SUFFIX, bundled_games, bundled_name, bundled_variants  # late: help

    known = [*bundled_games(), *bundled_variants()]
    names, words = [], []
    for name in where:
        path = Path(name)
        if path.is_dir():
            names += sorted(map(str, path.glob("*" + SUFFIX)))
        elif path.is_file():
            names.append(name)
        elif (full := bundled_name(name)) is not None:
            names.append(full)
        elif name.endswith(SUFFIX) or "/" in name:
            raise click.UsageError(f"there is no spec `{name}`; {did_you_mean(name, known) or 'see `cardgame list`'}")
        else:
            words.append(name)
    return names if names or any(Path(name).is_dir() for name in where) else known, words


def _fits(game: dict[str, Any], players: int | None, words: list[str]) -> bool:
    if players is not None and not (game["players"] and game["players"][0] <= players <= game["players"][1]):
        return False
    text = f"{game['name']} {game['title']} {game['about']}".lower()
    return all(word.lower() in text for word in words)


def _described(name: str) -> dict[str, Any]:
    """Return the description of a game; an unreadable spec has the reason, and does not hide the others."""
    from grammar.diagnostics import SpecError  # late: help
    from grammar.parser import parse_head  # late: help
    from grammar.source import read_source  # late: help
    from interpreter.loader import find_spec, signature  # late: help

    path = find_spec(name)
    try:
        found = signature(path)
        source = read_source(path)
        spec = parse_head(source)
    except (SpecError, OSError) as error:
        return {"name": name, "title": None, "about": None, "base": None, "players": None, "cooperative": None,
                "options": [], "broken": str(error)}  # fmt: skip
    return {
        "name": name,
        "title": found.title,
        "about": _about(spec, source),
        "base": _base(spec),
        "players": list(found.players),
        "cooperative": found.cooperative,
        "options": _options(found),
        "broken": None,
    }


def _base(spec: Spec) -> str | None:
    """Return the name of the spec that a variant extends."""
    from grammar.ast import Extends  # late: help

    return next((Path(item.path).stem for item in spec.items if isinstance(item, Extends)), None)


def _about(spec: Spec, source: Source) -> str:
    """Return the idea of a game: its `about`, or the first clause of the comment at the start of the spec.

    Names in braces are written as words; the rulebook says what they are called.
    """
    from grammar.ast import AboutDecl  # late: help
    from interpreter.english.words import words  # late: help

    for item in spec.items:
        if isinstance(item, AboutDecl) and item.sort == "game":
            idea = re.sub(r"\{([^{}]*)\}", lambda hole: words(hole[1].strip()), item.text.partition(". ")[0])
            return idea.rstrip(".") + "."
    comment: list[str] = []
    for line in source.text.splitlines()[1:]:
        if line.startswith("#"):
            comment.append(line.lstrip("# ").rstrip())
        elif comment or line.strip():
            break
    clause = re.split(r"[.:;](?: |$)", " ".join(comment))[0]
    return f"{clause}." if comment and not comment[0].endswith(":") else ""


def _options(found: Signature) -> list[dict[str, Any]]:
    """Return the options for the least number of players, and for others if they differ."""
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
    """Return the values of an option, or the ends of its range, and its default."""
    from interpreter.analysis.types import Int  # late: help

    default = option.in_words(option.default)
    if isinstance(option.type, Int):
        return {"range": [option.type.low, option.type.high], "default": default}
    return {"values": [option.in_words(value) for value in option.samples()], "default": default}


def _group(name: str) -> str:
    folder, slash, _ = name.rpartition("/")
    return GROUPS.get(folder, f"{folder}/") if slash else GROUPS[""]


def _row(game: dict[str, Any]) -> tuple[str, str, str]:
    """Return the cells of a game: name, number of players, and idea."""
    if game["broken"] is not None:
        return game["name"], "", f"cannot be read; see `cardgame validate {game['name']}`"
    base = f"{game['base']}: " if game["base"] else ""
    together = " (cooperative)" if game["cooperative"] else ""
    return game["name"], _players(game) + together, base + (game["about"] or game["title"])


def _players(game: dict[str, Any]) -> str:
    low, high = game["players"]
    return f"{low}" if low == high else f"{low}-{high}"


def _filled(line: str) -> str:
    """Return a line of a table in as many lines as it needs, aligned to its last column."""
    start = line.rfind("  ") + 2
    return wrapped(line[start:], " " * start, indent=line[:start])


def _with_options(game: dict[str, Any]) -> str:
    from interpreter.setting import number_of_players, word_of  # late: help

    if game["broken"] is not None:
        return f"{game['name']}: cannot be read; `cardgame validate {game['name']}` says why"
    low, high = game["players"]
    together = ", cooperative" if game["cooperative"] else ""
    lines = [f"{game['name']}: {game['title']}, {number_of_players((low, high))}{together}"]
    lines += [wrapped(game["about"], "  ", indent="  ")] if game["about"] else []
    for option in game["options"]:
        values = option["written"] if "range" in option else " | ".join(word_of(value) for value in option["values"])
        text = f"  ({option['text']})" if option["text"] else ""
        line = f"--option {option['name']}={word_of(option['default'])}  of {values}{text}{_otherwise(option)}"
        lines.append(wrapped(line, "      ", indent="  "))
    return "\n".join(lines)


def _otherwise(option: dict[str, Any]) -> str:
    """Return the defaults of an option for other numbers of players: "; 5 for 4 to 5 players"."""
    from interpreter.setting import number_of_players, word_of  # late: help

    spans: list[tuple[str, int, int]] = []
    for players, fact in (option["by_players"] or {}).items():
        word, count = word_of(fact["default"]), int(players)
        if spans and spans[-1][0] == word:
            spans[-1] = (word, spans[-1][1], count)
        else:
            spans.append((word, count, count))
    return "".join(f"; {word} for {number_of_players((low, high))}" for word, low, high in spans[1:])
