"""`cardgame play`: play at the terminal or in the browser."""

from __future__ import annotations

import sys

import click

from cli.arguments import check_writable, read_text, setting_options


@click.command(
    "play",
    epilog="""\b
Examples:
  cardgame play chalice_and_wand
  cardgame play chalice_and_wand --option hands=open --seed 7
  cardgame play chalice_and_wand --seat 1=human --seat 2=human --name 1=Ada --name 2=Kim
  cardgame play chalice_and_wand --seat all=random --transcript play.txt
  cardgame play classics/hearts --seat 2=search:2s --seat 3=greedy --seat 4=random
  cardgame play chalice_and_wand --actions moves.txt --seed 7
  cardgame play --load my_play.save
  cardgame play chalice_and_wand --resume
  cardgame play classics/hearts --browser""",
)
@click.argument("spec", required=False)
@setting_options
@click.option("--seed", type=int, metavar="N", help="Random seed; by default a new one, which is shown.")
@click.option(
    "--seat", "seats", multiple=True, metavar="N=WHO",
    help="Player of a seat: human, or an agent such as search, search:2s, greedy or random; all=WHO for the others.",
)  # fmt: skip
@click.option("--name", "names", multiple=True, metavar="N=NAME", help="Name of player N, in one word.")
@click.option("--ask-all", is_flag=True, help="Ask even if only one action is possible.")
@click.option("--analyse", is_flag=True, help="After the play, list the most costly choices.")
@click.option("--actions", metavar="FILE", help="Read the decisions of human seats from FILE (`-`: standard input).")
@click.option("--transcript", metavar="FILE", help="Write a transcript to FILE when the play is over.")
@click.option("--load", "saved", metavar="FILE", help="Continue the play that FILE contains.")
@click.option("--resume", is_flag=True, help="Continue the last unfinished play of SPEC, or of any spec.")
@click.option("--new", is_flag=True, help="Start a new play without asking about an unfinished one.")
@click.option("--browser", is_flag=True, help="Play in the browser, with agents in the other seats.")
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
    browser: bool,
) -> None:
    """Play the game SPEC at the terminal, against agents or with other people.

    You see what your seat sees.  Type the number of a choice or its words; if a number can be a bid, a player or a
    card, choices have no numbers of their own.  If only one action is possible, the program takes it and reports it.

    By default seat 1 is yours, and the agent `search` plays the other seats with half a second for each decision.  If
    actions come from a file or a stream, the other seats are random, so the play is the same on every machine.
    Ctrl-C ends a search with the best choice so far.  docs/agents.md lists the agents.

    `?` shows help at any time, `? WORD` explains a card, a zone or an action.  `rules` opens the rulebook, `why` shows
    the rules that caused the last events, `hint` suggests a choice, `log` shows all events, `table all` shows every
    card that you may see.

    The program saves the play after every decision.  After `quit`, the end of the input, Ctrl-C, a closed window or a
    crash, the same command offers to continue it.  `save FILE` writes it to a file.

    With several people at one terminal, the program clears the screen between them so that hands stay hidden.  It then
    asks even if only one action is possible, because a skipped question would reveal that.

    A file of actions has one decision for each line, for the human seats in turn; `#` begins a comment.  An illegal
    decision ends the play with exit code 1 and its line.  A transcript shows hidden cards, so it is written when the
    play is over.
    """
    if transcript is not None:
        check_writable(transcript)
    text = None if actions is None else read_text(actions)
    _check_sources(spec, saved, resume, new, brings_setting=players is not None or bool(options) or seed is not None)
    if browser:
        if actions or transcript or names or analyse or ask_all:
            raise click.UsageError("--browser excludes --actions, --transcript, --name, --analyse and --ask-all")
        from cli.commands.serve import open_table  # late: help

        open_table(
            "cardgame play --browser", saved, spec=spec or "", players=players, options=options, seats=seats, seed=seed,
            new=new, browser=True,
        )  # fmt: skip
        return
    from cli.terminal import resumable  # late: help
    from cli.terminal.play_session import begin, take_up  # late: help

    request = resumable.ResumeRequest(players, options, seed, seats)
    terminal = actions is None and sys.stdin.isatty() and sys.stdout.isatty()
    playing = None
    if saved is not None:
        playing = take_up(ctx, saved, spec, seats, names)
    elif resume:
        playing = resumable.resume(ctx, spec, request)
    elif spec is not None and not new:
        playing = resumable.offer(ctx, spec, request, asks=terminal)
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
        raise click.UsageError("name a game: a file, or a name that `cardgame list` shows")
