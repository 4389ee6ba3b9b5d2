"""Names and parameters of a spec as other libraries want them: plain words, known before the spec is compiled.

A load string such as `cardgame_kuhn(players=3,ante=2)` is cut at `,`, `(`, `)` and `=`, and each value is taken
for a number, `true`, `false` or a text by its looks.  So names are reduced to letters, digits and `_`, and a
choice that looks like something else than a text is written with `_` behind it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from interpreter.adapters.heads import Head, Value, glance, read_head
from interpreter.loader import find_spec, load
from interpreter.runtime.game import Game
from interpreter.setting import SettingError

PREFIX = "cardgame_"
PLAYERS = "players"
ZERO_SUM = "zero_sum"
RESERVED = (PLAYERS, ZERO_SUM, "name")
"""Parameters that mean something already where a game is loaded by name."""


@attrs.frozen
class Offered:
    """A spec with what may be set: a short name, the file, how many play, and the parameters' defaults.

    `options` tells for each parameter the option of the spec that it sets.  `zero_sum` is none of the spec's: by
    it whoever loads the game says that its returns always add up to 0, which no spec can say of itself.  `mark`
    tells one text of the spec from another.
    """

    name: str
    path: Path
    title: str
    players: tuple[int, int]
    defaults: dict[str, Value] = attrs.field(eq=False)
    options: dict[str, str] = attrs.field(eq=False)
    mark: str

    def load(self, given: Mapping[str, Any]) -> Game:
        """Return the game for some parameters; others keep their defaults.

        Raises SettingError for a parameter or a value that the spec does not have, SpecError for a spec with
        mistakes.
        """
        values = {**self.defaults, **given}
        players = values.pop(PLAYERS)
        del values[ZERO_SUM]
        for name in values:
            if name not in self.options:
                known = ", ".join([PLAYERS, ZERO_SUM, *self.options])
                raise SettingError(f"`{self.name}` has no parameter `{name}`; it has {known}")
        options = {self.options[name]: _read(value) for name, value in values.items()}
        return load(self.path, players, options)

    def settled(self, given: Mapping[str, Any]) -> dict[str, Value]:
        """Return all parameters with the values that they have when some are given."""
        return {**self.defaults, **given}


def offered(spec: str | Path, name: str | None = None, *, sound: bool = False) -> Offered:
    """Return what may be set of a spec: a path or the name of a bundled one.

    `name` is what it is to be called, where its file's name will not do.  A spec that is known to be `sound` is
    not parsed if that can be helped.  Raises SpecNotFound, SpecError.
    """
    path = find_spec(spec).resolve()
    called = PREFIX + plain(path.stem) if name is None else plain(name)
    head = (glance(path) if sound else None) or read_head(path)
    return _of(path, called, head)


def _of(path: Path, name: str, head: Head) -> Offered:
    defaults: dict[str, Value] = {PLAYERS: head.players[0], ZERO_SUM: False}
    options: dict[str, str] = {}
    for option, value in head.options.items():
        parameter = plain(option)
        while parameter in RESERVED or parameter in defaults:
            parameter = f"option_{parameter}"
        options[parameter] = option
        defaults[parameter] = as_parameter(value)
    return Offered(name, path, head.title, head.players, defaults, options, head.mark)


def plain(text: str) -> str:
    """Return a name that may stand in a load string."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", text)


def as_parameter(value: Any) -> Any:
    """Return an option's value as it may stand in a load string."""
    if isinstance(value, str) and value.rstrip("_").lower() in ("true", "false"):
        return f"{value}_"
    return value


def _read(value: Any) -> Any:
    """Return an option's value from a parameter's."""
    if isinstance(value, str) and value.rstrip("_").lower() in ("true", "false"):
        return value.removesuffix("_")
    return value
