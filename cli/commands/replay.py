"""`cardgame replay`: run a recorded play again and report differences."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.arguments import read_text
from cli.failures import PlayRefused

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.records.transcript import Difference, Head


@click.command("replay")
@click.argument("transcript")
def replay(transcript: str) -> None:
    """Replay the file TRANSCRIPT and compare every line.

    The command reads the spec, the options, the seed and the decisions from the file.  It recomputes the cards, the
    events, the views of the players and the outcome.  If a line differs, it prints the first one; the exit code is
    then 1.

    \b
    Examples:
      cardgame play chalice_and_wand --seat 1=random --transcript play.txt
      cardgame replay play.txt
    """
    text = read_text(transcript)
    from interpreter.records.transcript import TranscriptError  # late: help
    from interpreter.records.transcript import replay as play_again  # late: help

    try:
        difference = play_again(text, lambda head: _game(head, Path(transcript)))
    except TranscriptError as error:
        raise PlayRefused(f"{transcript}: {error}") from None
    if difference is not None:
        raise PlayRefused(f"{transcript}:{difference.line}: {_described(difference)}")
    lines = len(text.splitlines())
    click.echo(f"{transcript}: all {lines} lines are as recorded")


def _game(head: Head, transcript: Path) -> Game:
    """Load the spec of a transcript; a path may be relative to the transcript's folder."""
    from interpreter.loader import load  # late: help
    from interpreter.setting import SettingError  # late: help

    beside = transcript.parent / head.spec
    spec = str(beside) if not Path(head.spec).is_file() and beside.is_file() else head.spec
    try:
        return load(spec, head.players, dict(head.options))
    except SettingError as error:
        raise PlayRefused(f"{transcript}: the head does not fit the spec: {error}") from None


def _described(difference: Difference) -> str:
    if difference.written is not None and difference.written.startswith("digest: "):
        return "the spec is not the one that was played; its text has changed since"
    if difference.written is None:
        return f"the file ends early; the play continues\n  computed: {difference.computed}"
    if difference.computed is None:
        return f"the file continues after the end of the play\n  recorded: {difference.written}"
    return f"this differs\n  recorded: {difference.written}\n  computed: {difference.computed}"
