"""`cardgame play`."""

from __future__ import annotations

import sys

import click

from cli.arguments import check_writable, read_text, setting_options
from cli.terminal.screen import PROGRESS_LINE


@click.command("play")
@click.argument("spec", required=False)
@setting_options
@click.option("--seed", type=int, metavar="N", help="Decides all chance; drawn and told if left out.")
@click.option(
    "--seat", "seats", multiple=True, metavar="N=WHO",
    help="Who plays a seat: human, or an agent such as search, search:2s, greedy or random; all=WHO for all seats "
    "that have nobody else.",
)  # fmt: skip
@click.option("--name", "names", multiple=True, metavar="N=NAME", help="What player N is called, in one word.")
@click.option("--ask-all", is_flag=True, help="Ask also where only one action is possible.")
@click.option("--analyse", is_flag=True, help="After the play, tell where the people's choices gave most away.")
@click.option("--actions", metavar="FILE", help="Read what the human seats do from a file (`-`: standard input).")
@click.option("--transcript", metavar="FILE", help="Write the whole play to a file when it is over.")
@click.option("--load", "saved", metavar="FILE", help="Go on with a play that was saved.")
@click.option("--resume", is_flag=True, help="Go on with the last unfinished play of SPEC, or of any spec.")
@click.option("--new", is_flag=True, help="Begin a new play, and do not ask about an unfinished one.")
@click.pass_context
def play(
    ctx: click.Context,
    spec: str | None,
    players: int | None,
    options: dict[str, str],
    seed: int | None,
    seats: tuple[str, ...],
    names: tuple[str, ...],
    ask_all: bool,
    actions: str | None,
    transcript: str | None,
    saved: str | None,
    resume: bool,
    new: bool,
    analyse: bool,
) -> None:
    """Play the game SPEC at the terminal, against programs or with others.

    You see what your seat may see, and type the number of a choice or its words; where a number is a bid,
    a player or a card, choices have no numbers of their own.  Where only one action is possible it is
    taken, and told.

    By default seat 1 is yours, and the others are played by `search`, half a second a decision; where
    actions come from a file or a stream, at random, so that the play is the same on every machine. Ctrl-C
    ends the thinking with the best so far. docs/agents.md tells what there is.

    `?` helps at any time, and `? WORD` says what the rules have on a card, a place or an action.  `rules`
    opens the rulebook at what is played now, `why` tells the rules behind the last change, `hint` what
    `search` would do, `log` all that has happened, `table all` every card that you may see.

    `quit`, the end of the input and Ctrl-C save the play to a file.  A play that ends in any other way
    before it is over (a closed window, a signal, a crash) is kept as far as it went: the same command
    offers to go on with it.

    Several people at one terminal are asked to hand it over, so that hands stay hidden, and are asked
    even where there is nothing to choose, so that nobody learns more from it.

    A file of actions has one sentence a line for the human seats in turn, `#` begins a comment; a
    sentence that is not legal ends the play with exit code 1 and its line.  A transcript shows every
    hidden card, so it is written only when the play is over.

    \b
    Examples:
      cardgame play chalice_and_wand
      cardgame play chalice_and_wand --option hands=open --seed 7
      cardgame play chalice_and_wand --seat 1=human --seat 2=human --name 1=Ada --name 2=Kim
      cardgame play chalice_and_wand --seat all=random --transcript play.txt
      cardgame play classics/hearts --seat 2=search:2s --seat 3=greedy --seat 4=random
      cardgame play chalice_and_wand --actions moves.txt --seed 7
      cardgame play --load chalice_and_wand.save
      cardgame play chalice_and_wand --resume
    """
    if transcript is not None:
        check_writable(transcript)
    text = None if actions is None else read_text(actions)
    _check_sources(spec, saved, resume, new, brings_setting=players is not None or bool(options) or seed is not None)
    from cli.terminal import resumable  # late: help
    from cli.terminal.play_session import begin, take_up  # late: help

    asked = resumable.ResumeRequest(players, options, seed, seats)
    PROGRESS_LINE.interactive = terminal = actions is None and sys.stdin.isatty() and sys.stdout.isatty()
    playing = None
    if saved is not None:
        playing = take_up(ctx, saved, spec, seats, names)
    elif resume:
        playing = resumable.resume(ctx, spec, asked)
    elif spec is not None and not new:
        playing = resumable.offer(ctx, spec, asked, asks=terminal)
    if playing is None:
        assert spec is not None
        playing = begin(ctx, spec, players, options, seed, seats, names, at_a_terminal=terminal)
    while playing is not None:
        playing.run(actions, text, transcript, asks_all=ask_all)
        if analyse:
            playing.analyse()
        playing = playing.another() if transcript is None else None


def _check_sources(spec: str | None, saved: str | None, resume: bool, new: bool, *, brings_setting: bool) -> None:
    """Check that the arguments name one play or one game.  Raises UsageError."""
    if sum((saved is not None, resume, new)) > 1:
        raise click.UsageError("--load, --resume and --new exclude each other")
    if saved is not None:
        if brings_setting:
            raise click.UsageError("a saved play brings its players, options and seed; leave them out with --load")
    elif spec is None and not resume:
        raise click.UsageError("say which game: a file, or a name that `cardgame list` shows")
