"""Names and parameters of a spec in the form of other libraries: plain words, known before the spec is compiled.

A load string such as `cardgame_kuhn(players=3,ante=2)` is cut at `,`, `(`, `)` and `=`, and each value is taken
for a number, `true`, `false` or a text by its looks.  So names are reduced to letters, digits and `_`, and a
choice that looks like something else than a text is written with `_` after it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from grammar.source import read_source
from grammar.unparse import unparse
from interpreter.engine.game import Game
from interpreter.loader import assemble, check, find_spec, load, signature
from interpreter.setting import Setting, SettingError, Signature, Value, word_of

PREFIX = "cardgame_"
PLAYERS = "players"
ZERO_SUM = "zero_sum"
HANGING = "by_players"
"""The default of a parameter whose option has another default for other players, or with other options.

OpenSpiel fills in defaults before they can be distinguished from given values, and both must have one type. All values
of such a parameter are therefore texts.
"""

RESERVED = (PLAYERS, ZERO_SUM, "name")
"""Parameters that mean something already where a game is loaded by name."""


@attrs.frozen
class Offered:
    """A spec with what may be set: a short name, the file, its signature, and the parameters' defaults.

    `options` says for each parameter the option of the spec that it sets.  `zero_sum` is none of the spec's: by
    it the caller asserts that the returns always add up to 0, which no spec can say of itself.  `mark`
    distinguishes texts of the spec.
    """

    name: str
    path: Path
    signature: Signature = attrs.field(eq=False)
    defaults: dict[str, Value] = attrs.field(eq=False)
    options: dict[str, str] = attrs.field(eq=False)
    mark: str

    def load(self, given: Mapping[str, Any]) -> Game:
        """Return the game for some parameters; others keep their defaults.

        Raises SettingError for a parameter or a value that the spec does not have, SpecError for a spec with
        mistakes.
        """
        setting = self.setting(given)
        return load(self.path, setting.players, dict(setting.options))

    def setting(self, given: Mapping[str, Any]) -> Setting:
        """Return what some parameters set.  Raises SettingError."""
        for name in given:
            if name not in self.defaults:
                raise SettingError(f"`{self.name}` has no parameter `{name}`; it has {', '.join(self.defaults)}")
        said = {name: value for name, value in given.items() if value != HANGING or self.defaults[name] != HANGING}
        values = {option: _read(said[name]) for name, option in self.options.items() if name in said}
        return self.signature.setting(given.get(PLAYERS), values)

    def settled(self, given: Mapping[str, Any]) -> dict[str, Value]:
        """Return all parameters with the values that they have when some are given.  Raises SettingError.

        Defaults that depend on the number of players, or on other options, are those of what is given.
        """
        setting = self.setting(given)
        values = {name: self.written(name, setting[option]) for name, option in self.options.items()}
        return {PLAYERS: setting.players, ZERO_SUM: bool(given.get(ZERO_SUM)), **values}

    def written(self, name: str, value: Any) -> Any:
        """Return a value of an option as its parameter has it: a text where the default is none of its values."""
        return _as_text(value) if self.defaults.get(name) == HANGING else as_parameter(value)


def offered(spec: str | Path, name: str | None = None, *, sound: bool = False) -> Offered:
    """Return what may be set of a spec: a path or the name of a bundled one.

    `name` is what it is to be called, where its file's name will not do.  Of a spec that is known to be `sound` only
    the head is parsed.  Raises SpecNotFoundError, SpecError.
    """
    path = find_spec(spec).resolve()
    called = PREFIX + plain(path.stem) if name is None else plain(name)
    if sound:
        return _of(path, called, signature(path), "")
    tree = assemble(read_source(path), path.parent)
    found = Signature.of(tree)
    if found.begin().has_errors:
        check(tree)
    return _of(path, called, found, hashlib.sha256(unparse(tree).encode()).hexdigest())


def _of(path: Path, name: str, found: Signature, mark: str) -> Offered:
    setting = found.setting()
    hanging = {decl.name for decl in found.declarations if found.asks(decl)}
    defaults: dict[str, Value] = {PLAYERS: setting.players, ZERO_SUM: False}
    options: dict[str, str] = {}
    for option, value in setting.options:
        parameter = plain(option)
        while parameter in RESERVED or parameter in defaults:
            parameter = f"option_{parameter}"
        options[parameter] = option
        defaults[parameter] = HANGING if option in hanging else as_parameter(value)
    return Offered(name, path, found, defaults, options, mark)


def plain(text: str) -> str:
    """Return a name that may stand in a load string."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", text)


def as_parameter(value: Any) -> Any:
    """Return an option's value as it may stand in a load string."""
    return _as_text(value) if isinstance(value, str) else value


def _as_text(value: Any) -> str:
    """Return an option's value as a text that no load string takes for a number or for true or false."""
    word = word_of(value)
    return f"{word}_" if _MISTAKEN.fullmatch(word) else word


def _read(value: Any) -> Any:
    """Return an option's value from a parameter's."""
    return value.removesuffix("_") if isinstance(value, str) and _MISTAKEN.fullmatch(value) else value


_MISTAKEN = re.compile(r"(?:true|false|-?\d+)_*", re.IGNORECASE)
