"""Unfinished plays, offered when a player plays the same spec again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime
from glob import escape
from pathlib import Path

import attrs
import click

from cli.arguments import read_seats
from cli.failures import PlayRefused
from cli.terminal.lines import TerminalLines
from cli.terminal.play_session import PlaySession, resume_autosave, spec_name
from grammar.english import counted
from interpreter.loader import SUFFIX, find_spec
from interpreter.records.autosave import Resumable, discard, resumable


@attrs.frozen
class ResumeRequest:
    """The properties of a play that a player requests; a missing one fits every play."""

    players: int | None
    options: dict[str, str]
    seed: int | None
    seats: Sequence[str]

    def fits(self, found: Resumable) -> bool:
        """Say whether a play matches the request.  Raises click.UsageError for seats that it does not have."""
        save = found.save
        return (
            self.players in (None, save.players)
            and self.seed in (None, save.seed)
            and all(save.options.get(name) == value for name, value in self.options.items())
            and (not self.seats or read_seats(self.seats, save.players, save.seats) == save.seats)
        )


def resume(ctx: click.Context, spec: str | None, request: ResumeRequest) -> PlaySession:
    """Return the last unfinished play, of a spec or of any.  Raises click.UsageError where there is none."""
    for found in _of(spec, request):
        playing = resume_autosave(ctx, found, spec_name(spec or found.save.spec))
        if playing is not None:
            return playing
    of = "" if spec is None else f" of `{spec}`"
    saved = "" if spec is None else _saved_here(spec)
    instead = f"one was saved here: cardgame play --load {saved}" if saved else "leave out --resume to begin one"
    raise click.UsageError(f"there is no unfinished play{of} that fits; {instead}")


def _saved_here(spec: str) -> str:
    """Return the newest file in this folder that is called as plays of a spec are when they are saved; else nothing."""
    found = list(Path().glob(f"{escape(Path(spec).name.removesuffix(SUFFIX))}*.save"))
    return shlex.quote(str(max(found, key=lambda path: path.stat().st_mtime))) if found else ""


def offer(ctx: click.Context, spec: str, request: ResumeRequest, *, asks: bool) -> PlaySession | None:
    """Offer to go on with an unfinished play of a spec; return it, or None where a new one is to begin.

    Without a person to ask, it only says how to continue.
    """
    found = next(iter(_of(spec, request)), None)
    if found is None:
        return None
    found_play = f"An unfinished play from {_when(found.when)}, {counted(len(found.save.said), 'decision')}"
    if not asks:
        click.echo(f"{found_play}: --resume continues it, --new begins another.", err=True)
        return None
    try:
        playing = resume_autosave(ctx, found, spec_name(spec))
    except PlayRefused as refused:
        click.echo(f"{found_play}: {refused.message}.")
        return None
    if playing is None:
        return None
    answer = _answer(f"{found_play}: continue? [Y/n, or d to delete it] ")
    if answer == "y":
        return playing
    if playing.autosave is not None:
        playing.autosave.close()
    if answer == "d":
        discard(found)
        click.echo("Thrown away.")
    return None


def _of(spec: str | None, request: ResumeRequest) -> list[Resumable]:
    path = None if spec is None else find_spec(spec)
    return [found for found in resumable(path) if request.fits(found)]


def _answer(question: str) -> str:
    """Return y, n or d; the end of the input ends the command."""
    lines = TerminalLines()
    while True:
        line = lines.next((), question)
        if line is None:
            raise click.exceptions.Exit(0)
        said = line.strip().lower()
        if said in ("", "y", "yes", "n", "no", "d"):
            return said[:1] or "y"
        click.echo("Type y to continue it, n to begin another play and keep it, d to delete it.")


def _when(seconds: float) -> str:
    then = datetime.fromtimestamp(seconds)
    return then.strftime("%H:%M" if then.date() == datetime.now().date() else "%Y-%m-%d %H:%M")
