"""Arguments that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grammar import files
from interpreter.text.names import Names

if TYPE_CHECKING:
    from interpreter.agents import AgentName

_Command = TypeVar("_Command", bound=Callable[..., Any])

HUMAN = "human"
MOST_AGENTS = 12


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
    """Add `--players N` and `--option NAME=VALUE` (as a dict of texts) to a command."""
    option = click.option(
        "--option", "options", multiple=True, metavar="NAME=VALUE", callback=read_options,
        help="Set an option of the game; may be repeated.  `cardgame list` shows them.",
    )  # fmt: skip
    players = click.option(
        "--players", type=click.IntRange(1), metavar="N", help="How many play; as few as possible by default."
    )
    return players(option(command))


def read_seats(given: Sequence[str], players: int, default: Sequence[str]) -> tuple[str, ...]:
    """Return who sits where: `human`, or an agent's name; from `N=WHO`, and `all=WHO` for all seats that have none.

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
    """Return who plays a seat: `human`, or an agent's name as it is written.  Raises click.UsageError."""
    from interpreter.agents.registry import read_name  # late: help
    from interpreter.agents.thinking import AgentError  # late: help

    if word == HUMAN:
        return word
    try:
        return str(read_name(word, (HUMAN,)))
    except AgentError as error:
        raise click.UsageError(str(error)) from None


def read_agents(given: str) -> list[AgentName]:
    """Return the agents that are named, with `,` between them.  Raises click.UsageError."""
    from interpreter.agents import AgentError, read_name  # late: help

    words = [word.strip() for word in given.split(",")]
    if len(words) < 2:
        raise click.UsageError(f"a match needs two agents: --agents {given or 'search'},random")
    if len(words) > MOST_AGENTS:
        raise click.UsageError(f"these are {len(words)} agents; a match has {MOST_AGENTS} at most")
    try:
        return [read_name(word) for word in words]
    except AgentError as error:
        raise click.UsageError(str(error)) from None


def read_names(given: Sequence[str], players: int, default: Names | None = None) -> Names:
    """Return what the players are called, from `N=NAME`.  Raises click.UsageError."""
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
    """Return a file's text; `-` is standard input.  Raises OSError, and click.UsageError if it is no text."""
    if name == "-":
        said = sys.stdin.read(files.LARGEST + 1)
        if len(said) > files.LARGEST:
            raise click.UsageError(f"standard input: {files.too_large()}")
        return said
    try:
        return files.read_text(name)
    except UnicodeDecodeError:
        raise click.UsageError(f"`{name}` is not text") from None


def check_writable(name: str) -> None:
    """Raise click.UsageError if a file cannot be written, before anything depends on it."""
    path = Path(name)
    if path.is_dir():
        raise click.UsageError(f"`{name}` is a folder; name a file")
    if not path.parent.is_dir():
        raise click.UsageError(f"there is no folder `{path.parent}` to write `{path.name}` in")
