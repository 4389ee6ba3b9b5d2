"""Read the options that somebody asks for, against those that a spec declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from grammar.diagnostics import CardgameError
from grammar.suggest import did_you_mean

if TYPE_CHECKING:
    from grammar.ast import OptionDecl, Spec
    from interpreter.analysis.rules import Rules


class SettingError(CardgameError, ValueError):
    """A number of players, or a value of an option, that a game does not have: a mistake of whoever asks for it."""


@attrs.frozen
class Asked:
    """What was asked for: players (None: the least), and options by name, choices by number."""

    players: int | None
    options: dict[str, int | bool]


def read_options(spec: Spec, players: int | None, given: dict[str, Any]) -> Asked:
    """Return the values of the given options.  Raises SettingError with what is possible instead."""
    from grammar.ast import OptionDecl

    declared = {item.name: item for item in spec.items if isinstance(item, OptionDecl)}
    values: dict[str, int | bool] = {}
    for name, value in given.items():
        if name not in declared:
            raise SettingError(_unknown(name, list(declared)))
        values[name] = _value(declared[name], value)
    return Asked(players, values)


def word_of(value: Any) -> str:
    """Return the value that somebody gives for an option as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def check_players(rules: Rules, players: int | None) -> None:
    """Raise SettingError if a game is not for a number of players; None asks for none."""
    low, high = rules.player_range
    if players is not None and not low <= players <= high:
        raise SettingError(f"{rules.title} is for {low if low == high else f'{low} to {high}'} players, not {players}")


def _unknown(name: str, known: list[str]) -> str:
    listed = "options: " + ", ".join(known) if known else "this game has none"
    return f"there is no option `{name}`; {did_you_mean(name, known) or listed}"


def _value(option: OptionDecl, value: Any) -> int | bool:
    text = word_of(value)
    if option.choices:
        if text in option.choices:
            return option.choices.index(text)
        raise SettingError(f"`{option.name}` is one of {', '.join(option.choices)}, not `{text}`")
    from interpreter.analysis import expressions
    from interpreter.analysis.context import Context
    from interpreter.analysis.references import resolve_type
    from interpreter.analysis.types import Bool, Int

    cx = Context(2, {})
    cx.check_expr = expressions.check
    assert option.type is not None
    type_ = resolve_type(cx, option.type)
    if isinstance(type_, Bool):
        if text in ("true", "false"):
            return text == "true"
        raise SettingError(f"`{option.name}` is true or false, not `{text}`")
    if isinstance(type_, Int):
        try:
            number = int(text)
        except ValueError:
            raise SettingError(f"`{option.name}` is a number in {type_}, not `{text}`") from None
        if (type_.low is None or number >= type_.low) and (type_.high is None or number <= type_.high):
            return number
        raise SettingError(f"`{option.name}` is a number in {type_}, not {number}")
    return 0
