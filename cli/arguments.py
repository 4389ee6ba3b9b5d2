"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grammar import files
from interpreter.text.names import Names

if TYPE_CHECKING:
    from interpreter.agents import AgentName
    from interpreter.engine.game import Game

_Command = TypeVar("_Command", bound=Callable[..., Any])

HUMAN = "human"
RANDOM = "random-small"
"""The agent that chooses uniformly among the legal actions (`interpreter.simulate.running`)."""


def read_options(ctx: click.Context, param: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    """Return values by name, from `NAME=VALUE`.  Raises click.BadParameter."""
    values: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise click.BadParameter(f"write NAME=VALUE, not `{text}`", ctx, param)
        if name in values:
            raise click.BadParameter(f"`{name}` is given twice", ctx, param)
        values[name] = value
    return values


def setting_options(command: _Command) -> _Command:
    """Add `--players N` and `--option NAME=VALUE` (as a dict of texts) to a command for one setting of a game."""
    return _setting(
        command,
        "Number of players; by default the smallest possible.",
        "Set an option of the game; may be repeated.  `cardgame list SPEC` shows them.",
    )


def settings_options(command: _Command) -> _Command:
    """Add the same options to a command for all settings of a game, which they narrow down."""
    return _setting(
        command,
        "Check only this number of players; by default all.",
        "Check only this value of an option; by default all values.  May be repeated.",
    )


def _setting(command: _Command, players: str, options: str) -> _Command:
    by_name = click.option(
        "--option", "options", multiple=True, metavar="NAME=VALUE", callback=read_options, help=options
    )
    return click.option("--players", type=click.IntRange(1), metavar="N", help=players)(by_name(command))


seed_option = click.option(
    "--seed", type=click.IntRange(0), metavar="N", default=1, show_default=True, help="Random seed."
)
"""Adds `--seed N` to a command whose output it determines."""

jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 64), metavar="N", default=1, show_default=True,
    help="Number of processes; the result does not depend on it.",
)  # fmt: skip
"""Adds `--jobs N` to a command."""


def agents_option(command: _Command) -> _Command:
    """Add `--agents` to a command: one agent for each seat, or one for all."""
    return click.option(
        "--agents", metavar="A,B,..", default=RANDOM,
        help="The agents of the seats, or one agent for all; docs/agents.md lists them.  [default: random players]",
    )(command)  # fmt: skip


def format_option(*forms: str, about: str = "Output format.") -> Callable[[_Command], _Command]:
    """Return what adds `--format` to a command; the first form is the default."""
    return click.option("--format", "form", type=click.Choice(forms), default=forms[0], show_default=True, help=about)


def write_json(data: object) -> None:
    """Write data to standard output as JSON."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def read_seats(given: Sequence[str], players: int, default: Sequence[str]) -> tuple[str, ...]:
    """Return the player of each seat, `human` or an agent's name, from `N=WHO`, and `all=WHO` for all other seats.

    Raises click.UsageError.
    """
    taken: dict[str, str] = {}
    for text in given:
        number, equals, who = text.partition("=")
        if not equals or not (number == "all" or (number.isascii() and number.isdecimal() and len(number) <= 9)):
            raise click.UsageError(f"write --seat N=WHO or all=WHO, such as --seat 2=search, not `{text}`")
        seat = number if number == "all" else str(int(number))
        if seat != "all" and not 1 <= int(seat) <= players:
            raise click.UsageError(f"there is no seat {seat}; the seats are 1 to {players}")
        if seat in taken:
            raise click.UsageError(f"{'`all`' if seat == 'all' else f'seat {seat}'} is given twice")
        taken[seat] = read_who(who)
    rest = taken.get("all")
    return tuple(taken.get(str(seat), rest or who) for seat, who in enumerate(default, 1))


def read_who(word: str) -> str:
    """Return the player of a seat: `human`, or the normalized name of an agent.  Raises click.UsageError."""
    from interpreter.agents.registry import read_name  # late: help
    from interpreter.agents.thinking import AgentError  # late: help

    if word == HUMAN:
        return word
    try:
        return str(read_name(word, (HUMAN,)))
    except AgentError as error:
        raise click.UsageError(str(error)) from None


def read_agents(given: str) -> list[AgentName]:
    """Return the agents of a list with commas.  Raises click.UsageError."""
    from interpreter.agents import AgentError, read_name  # late: help

    try:
        return [read_name(word.strip()) for word in given.split(",")]
    except AgentError as error:
        raise click.UsageError(str(error)) from None


def read_names(given: Sequence[str], players: int, default: Names | None = None) -> Names:
    """Return the names of players from `N=NAME`.  Raises click.UsageError."""
    named = dict(default.by_player) if default is not None else {}
    for text in given:
        number, equals, name = text.partition("=")
        if not equals or not number.isdecimal() or len(number) > 9:
            raise click.UsageError(f"write --name N=NAME, such as --name 2=Ada, not `{text}`")
        if not 1 <= int(number) <= players:
            raise click.UsageError(f"there is no player {number}; the players are 1 to {players}")
        named[int(number) - 1] = name
    try:
        return Names(named)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def read_text(name: str) -> str:
    """Return the text of a file; `-` is standard input.  Raises OSError, and click.UsageError if it is not text."""
    if name == "-":
        text = sys.stdin.read(files.LARGEST + 1)
        if len(text) > files.LARGEST:
            raise click.UsageError(f"standard input: {files.too_large()}")
        return text
    try:
        mode = os.stat(name).st_mode
        if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
            raise click.UsageError(f"`{name}` is a pipe or a device; write `-`, and pipe the text to standard input")
        return files.read_text(name)
    except UnicodeDecodeError:
        raise click.UsageError(f"`{name}` is not text") from None


def check_writable(name: str) -> None:
    """Raise click.UsageError or WriteError if a file cannot be written, before the command starts."""
    path = Path(name)
    if os.path.isdir(path):
        raise click.UsageError(f"`{name}` is a folder; name a file")
    if not os.path.isdir(path.parent):
        raise click.UsageError(f"there is no folder `{path.parent}` for the file `{path.name}`")
    files.check_writable(name)


def load_setting(text: str, players: int | None, options: dict[str, str]) -> Game:
    """Return the game of `SPEC:NAME=VALUE,..`.  Raises click.UsageError."""
    from interpreter.loader import load  # late: help

    spec, own = with_values(text, options)
    return load(spec, players, own)


def with_values(text: str, options: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return the spec and all values of `SPEC:NAME=VALUE,..`.  Raises click.UsageError."""
    spec, colon, values = text.rpartition(":")
    if not colon or "=" not in values:
        return text, options
    own = dict(options)
    for part in values.split(","):
        name, equals, value = part.partition("=")
        if not (name and equals and value):
            raise click.UsageError(f"write {spec}:NAME=VALUE,NAME=VALUE, not `{text}`")
        if name in own:
            raise click.UsageError(f"`{name}` is given twice for `{spec}`")
        own[name] = value
    return spec, own
