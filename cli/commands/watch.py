"""`cardgame watch`: check a spec again after each save."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.failures import AT_FAULT, FINE

if TYPE_CHECKING:
    from cli.serve.running import WatchedTable


@click.command("watch")
@click.argument("spec")
@click.option("--load", "saved", metavar="FILE", help="Replay the play that FILE contains.")
@click.option("--seat", type=click.IntRange(1), metavar="N", help="Show the table as the player of seat N sees it.")
@click.option("--once", is_flag=True, help="Check once and exit; the exit code is 1 if there are errors.")
@click.option("--browser", is_flag=True, help="Show the play in the browser, where you can continue it.")
@click.pass_context
def watch(ctx: click.Context, spec: str, saved: str | None, seat: int | None, once: bool, browser: bool) -> None:
    """Check SPEC each time it is saved: its errors, its scenarios, and the current play under the new rules.

    The command waits for changes of SPEC, of the files that it uses, and of its scenarios.  Then it validates the spec,
    runs the scenarios, and replays the last unfinished play of SPEC.  It shows the table where the play is, or the
    first decision that the new rules no longer allow.  Ctrl-C ends it.

    With --browser the table is in the browser, with random agents in the other seats.

    By default the table shows what the only person in the play sees.  With several people, or none, it shows what
    everybody sees.

    \b
    Examples:
      cardgame watch my_game.cardgame
      cardgame watch my_game.cardgame --load my_play.save --seat 1
      cardgame watch my_game.cardgame --once
      cardgame watch my_game.cardgame --browser
    """
    from cli.terminal.play_session import saved_play  # late: help
    from cli.watching import Watch  # late: help
    from interpreter.loader import find_spec  # late: help

    if browser and (once or seat is not None):
        raise click.UsageError("--browser excludes --once and --seat")
    table = _watched_table() if browser else None
    save = None if saved is None else saved_play(saved)
    watched = Watch(ctx, find_spec(spec).resolve(), save, seat, table, clears=not once)
    while True:
        fine = watched.wait()
        if once:
            ctx.exit(FINE if fine else AT_FAULT)


def _watched_table() -> WatchedTable:
    from cli.commands.serve import serving  # late: help

    table: WatchedTable = serving("cardgame watch --browser").WatchedTable()
    return table
