"""What other libraries must know of a spec before it is loaded: its title, how many play, what may be set.

To parse all bundled specs takes most of a second, so `glance` reads their heads line by line.  It knows the plain
forms alone and gives up at anything else; `read_head` parses.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import attrs

from grammar.ast import GameDecl, OptionDecl, Spec
from grammar.expressions import Bool, Name, Number
from grammar.source import read_source
from grammar.unparse import unparse
from interpreter.loader import assemble, load

Value = int | bool | str


@attrs.frozen
class Head:
    """The title of a spec, the least and greatest number of players, and the defaults of its options.

    `mark` is the same for equal texts; it is empty where the text was only glanced at.
    """

    title: str
    players: tuple[int, int]
    options: dict[str, Value]
    mark: str = ""


def read_head(path: Path) -> Head:
    """Return the head of a spec.  Raises SpecError, OSError."""
    tree = assemble(read_source(path), path.parent)
    title, players = _game(tree)
    options = {item.name: _default(item, path) for item in tree.items if isinstance(item, OptionDecl)}
    return Head(title, players, options, hashlib.sha256(unparse(tree).encode()).hexdigest())


def _game(tree: Spec) -> tuple[str, tuple[int, int]]:
    game = next((item for item in tree.items if isinstance(item, GameDecl)), None)
    values: Any = next((f.values for f in game.facts if f.name == "players"), (2,)) if game else (2,)
    first = values[0] if values else 2
    return game.name if game else "?", (first, first) if isinstance(first, int) else (first[0], first[1])


def _default(option: OptionDecl, path: Path) -> Value:
    match option.default:
        case Number(value=value) | Bool(value=value):
            return value
        case Name(name=word) if option.choices:
            return word
        case _:
            # Reckoned from other numbers: what it comes to is known only when the whole spec is.
            return next(known.default for known in load(path, native=False).rules.options if known.name == option.name)


# ---- without parsing

_TAIL = re.compile(r"\s*(?:\[[^]\"]*\])?\s*(?:#[^\"]*)?$")
_PLAIN = r'(\w+)(?: "[^"]*")?'
_FORMS = {
    "game": re.compile(r'game "([^"]+)"'),
    "option": re.compile(rf"(?:(?:replace|add) )?option (\w+)(?:: [\w.| ]+)? = {_PLAIN}"),
    "set": re.compile(rf"set (\w+) = {_PLAIN}"),
    "remove": re.compile(r"remove option (\w+)"),
    "use": re.compile(r'use "([^"]+)"'),
    "extends": re.compile(r'extends "([^"]+)"'),
}
_OF_THE_HEAD = re.compile(r"(?:(?:replace|add|remove) )?(game|option|set|use|extends)\b")
_PLAYERS = re.compile(r"players (\d+)(?:\.\.(\d+))?(?:,.*)?")
DEEPEST = 16
"""How many files may bring in each other."""


def glance(path: Path, depth: int = 0) -> Head | None:
    """Return the head of a spec that has no mistakes; None where its lines are not plain enough to be sure."""
    if depth > DEEPEST or not path.is_file():
        return None
    title, players = "", (0, 0)
    base: dict[str, Value] = {}
    own: dict[str, Value] = {}
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip() and line[0] != "#"]
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if not _OF_THE_HEAD.match(line):
            continue
        text = _TAIL.sub("", line)
        form, found = next(((form, m) for form, rule in _FORMS.items() if (m := rule.fullmatch(text))), ("", None))
        if found is None or (below.startswith(" ") and form != "game"):
            return None
        match form:
            case "game":
                counts = _PLAYERS.fullmatch(_TAIL.sub("", below).strip())
                if counts is None:
                    return None
                title, players = found[1], (int(counts[1]), int(counts[2] or counts[1]))
            case "use" | "extends":
                other = glance(path.parent / found[1], depth + 1)
                if other is None:
                    return None
                (own if form == "use" else base).update(other.options)
                if form == "extends" and not title:
                    title, players = other.title, other.players
            case "remove":
                base.pop(found[1], None)
            case _:
                (base if found[1] in base else own)[found[1]] = _value(found[2])
    return Head(title, players, {**base, **own}) if title or depth else None


def _value(word: str) -> Value:
    if word in ("true", "false"):
        return word == "true"
    return int(word) if word.isdigit() else word
