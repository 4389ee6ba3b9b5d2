"""`cardgame match`: agents against each other on the same deals."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs
import click

from cli.arguments import read_agents, setting_options
from cli.failures import STOPPED
from cli.terminal.screen import write_painted
from grammar.english import counted

if TYPE_CHECKING:
    from interpreter.match import Comparison, Match


@click.command(
    "match",
    epilog="""\b
Examples:
  cardgame match wizards_duel --agents search,random
  cardgame match classics/hearts --agents search,random --blocks 50 --jobs 2
  cardgame match chalice_and_wand --agents search:200,greedy,random
  cardgame match classics/kuhn_poker --agents solve,search:1000,random --blocks 500 --format json

Exit codes: 0 fine; 1 the spec or a play is at fault; 2 wrong usage; 130 stopped.""",
)
@click.argument("spec")
@click.option("--agents", "agents", required=True, metavar="A,B,..", help="Who plays; `docs/agents.md` has them all.")
@click.option(
    "--blocks", type=click.IntRange(1, 1_000_000), default=20, show_default=True,
    help="How many deals, each played in all rotations of the seats.",
)  # fmt: skip
@setting_options
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="What all chance follows from.")
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, show_default=True,
    help="Processes that play at a time; with budgets in iterations the result is the same.",
)  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(
    ctx: click.Context,
    spec: str,
    agents: str,
    blocks: int,
    players: int | None,
    options: dict[str, str],
    seed: int,
    jobs: int,
    form: str,
) -> None:
    """Let agents play SPEC against each other, and tell who is better and how sure that is.

    Agents are named as for `cardgame play`: random, random-small, greedy, search, search-long, solve; behind a colon
    stands a budget for each decision, iterations (search:1000) or seconds (search:2s). The last one named takes all
    seats that are left; where more are named than can sit at a table, every choice of them plays.

    A block is one deal, played in all rotations of the seats, so that luck falls on all alike. Compared is what two
    agents get on average in a block: the mean difference with its interval of 95 % (Student's t over blocks), and an
    exact sign test over blocks, corrected by Holm's method where several pairs are compared. In a cooperative game an
    agent takes all seats, and the teams' results on the same deals are compared. `--agents random,random` prints 0.

    Ctrl-C ends the match with what is done.
    """
    from interpreter.loader import load  # late: help
    from interpreter.match import match  # late: help

    names = read_agents(agents)
    game = load(spec, players, dict(options))
    run = match(game, names, blocks, seed)
    run.run(jobs, _watcher(len(run.tables) * blocks))
    if form == "json":
        click.echo(json.dumps(_data(run), indent=2))
    else:
        _tell(run, options)
    if run.stopped:
        ctx.exit(STOPPED)


def _watcher(blocks: int) -> Callable[[int], None] | None:
    """Return what notes the progress of a match, where somebody is watching."""
    if not sys.stderr.isatty():
        return None

    def watch(done: int) -> None:
        write_painted("\r" + (f"{done} of {blocks} blocks".ljust(60) if done < blocks else " " * 60 + "\r"), err=True)

    return watch


def _tell(run: Match, options: dict[str, str]) -> None:
    game = run.game
    given = "".join(f", {name}={value}" for name, value in options.items())
    click.echo(f"{game.title}, {counted(game.num_players, 'player')}{given}; seed {run.seed}")
    plays = sum(len(block.plays) for block in run.done)
    blocks = counted(len(run.done), "block")
    if run.stopped:
        blocks = f"stopped with {blocks} of {len(run.tables) * run.blocks}"
    kind = "a play of each team" if run.as_teams else "all rotations of the seats"
    click.echo(f"{blocks} ({kind} on one deal each), {counted(plays, 'play')}")
    click.echo()
    if not run.done:
        return
    standings = run.standings()
    width = max(len("agent"), *(len(s.agent) for s in standings))
    scored = any(s.score is not None for s in standings)
    head = f"{'agent':<{width}}  {'seats':>7}"
    head += "" if run.as_teams else f"  {'first':>7}"
    click.echo(head + f"  {'mean return':>12}" + (f"  {'mean score':>12}" if scored else ""))
    for s in standings:
        line = f"{s.agent:<{width}}  {s.seats:>7}"
        line += "" if run.as_teams else f"  {100 * s.first:>5.1f} %"
        line += f"  {s.returns:>12.3f}"
        click.echo(line + ("" if s.score is None else f"  {s.score:>12.2f}"))
    click.echo()
    for c in run.comparisons():
        click.echo(_compared(c, several=len(standings) > 2))


def _compared(c: Comparison, *, several: bool) -> str:
    interval = f"95 % from {c.low:.3f} to {c.high:.3f}" if math.isfinite(c.low) else "one block has no interval"
    corrected = ", corrected" if several else ""
    return (
        f"{c.one} against {c.other}: {c.difference:.3f} a deal ({interval})\n"
        f"  better in {c.better} of {c.blocks} blocks, worse in {c.worse} (sign test{corrected}: p = {c.chance:.2g})"
    )


def _data(run: Match) -> dict[str, Any]:
    return {
        "game": run.game.title,
        "players": run.game.num_players,
        "options": dict(run.game.option_texts()),
        "seed": run.seed,
        "agents": run.labels,
        "teams": run.as_teams,
        "stopped": run.stopped,
        "standings": [attrs.asdict(standing) for standing in run.standings()] if run.done else [],
        "comparisons": [_finite(attrs.asdict(comparison)) for comparison in run.comparisons()],
        "blocks": [
            {
                "table": block.table,
                "block": block.number,
                "plays": [attrs.asdict(play) for play in block.plays],
            }
            for block in run.done
        ],
    }


def _finite(data: dict[str, Any]) -> dict[str, Any]:
    """Return data without numbers that JSON does not have."""
    return {key: None if isinstance(v, float) and not math.isfinite(v) else v for key, v in data.items()}
