"""`cardgame match`: agents against each other on the same deals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import attrs
import click
import msgspec

from cli.arguments import check_writable, format_option, read_agents, seed_option, setting_options, write_json
from cli.commands.simulate import resumed, worker_options, workers
from cli.report import decimal, table
from cli.stopping import STOPPED
from cli.terminal.working import Progress
from grammar.english import counted

if TYPE_CHECKING:
    from interpreter.match import Comparison, Match

DEALS = 20
"""Deals of a match if `--plays` is not given."""

MOST_AGENTS = 12


@click.command(
    "match",
    epilog="""\b
Examples:
  cardgame match wizards_duel --agents search,random
  cardgame match classics/hearts --agents search,random --plays 200 --jobs 2
  cardgame match chalice_and_wand --agents search:200,greedy,random
  cardgame match classics/kuhn_poker --agents solve,search:1000,random --plays 3000 --format json

Exit codes: 0 the match is complete; 1 the spec or a play is at fault; 2 wrong usage; 130 stopped.""",
)
@click.argument("spec")
@click.option("--agents", required=True, metavar="A,B,..", help="The agents; docs/agents.md lists them.")
@click.option(
    "--plays", type=click.IntRange(1, 100_000_000), metavar="N",
    help=f"Number of plays, rounded up to whole deals.  [default: the plays of {DEALS} deals]",
)  # fmt: skip
@setting_options
@seed_option
@worker_options
@click.option("--resume", metavar="FILE", help="Save the match in FILE, and continue it if FILE contains a part of it.")
@format_option("text", "json")
@click.pass_context
def command(
    ctx: click.Context,
    spec: str,
    agents: str,
    plays: int | None,
    players: int | None,
    options: dict[str, str],
    seed: int,
    jobs: int,
    dask: str | None,
    resume: str | None,
    form: str,
) -> None:
    """Let agents play SPEC against each other, and test which one is better.

    Agents: random, random-small, greedy, search, search-long, solve, policy:FILE, look:FILE, search:FILE.  A budget for
    each decision may follow a colon, in iterations (search:1000) or seconds (search:2s).  With fewer agents than seats,
    the last agent takes the other seats; with more agents than seats, every combination of agents plays.

    Each deal is played in all rotations of the seats, so all agents have the same luck.  For each pair of agents the
    report gives the mean difference of their results on a deal, with its 95 % confidence interval (Student's t over
    deals), and the p-value of a sign test over deals (with Holm's correction for several pairs).  In a game with teams
    an agent takes all seats of a team.  In a cooperative game an agent takes all seats, and the results of the teams on
    the same deals are compared.

    Ctrl-C stops the match and prints the results so far; with --resume the same command continues.
    """
    from interpreter.loader import load  # late: help
    from interpreter.match import match  # late: help

    number = len(agents.split(","))
    if number < 2:
        raise click.UsageError(f"a match needs two agents: --agents {agents or 'search'},random")
    if number > MOST_AGENTS:
        raise click.UsageError(f"a match has at most {MOST_AGENTS} agents, not {number}")
    names = read_agents(agents)
    game = load(spec, players, dict(options))
    run = match(game, names, 1, seed)
    run.blocks = DEALS if plays is None else math.ceil(plays / run.plays_of_a_deal)
    if resume is not None:
        check_writable(resume)
    with resumed(run, resume) as (_, save), workers(jobs, dask) as executor:
        progress = Progress(run.blocks * run.plays_of_a_deal, "plays")

        def on_progress(deals: int) -> None:
            progress.show(deals * run.plays_of_a_deal // len(run.tables))
            save()

        run.run(executor, on_progress)
    if form == "json":
        write_json(_data(run))
    else:
        click.echo("\n".join(_text(run, options)))
    if run.stopped:
        ctx.exit(STOPPED)


def _text(run: Match, options: dict[str, str]) -> list[str]:
    game = run.game
    given = "".join(f", {name}={value}" for name, value in options.items())
    plays, deals = sum(len(block.plays) for block in run.done), counted(len({b.number for b in run.done}), "deal")
    rotation = "all teams" if run.as_teams else "in all rotations of the seats"
    lines = [
        f"{game.title}, {counted(game.num_players, 'player')}{given}",
        f"{counted(plays, 'play')} on {deals}, {rotation}, seed {run.seed}",
    ]
    if run.stopped:
        lines.append(f"stopped; {counted(run.blocks * run.plays_of_a_deal, 'play')} were planned")
    if not run.done:
        return lines
    lines += [
        f"{agent} had no signal in {100 * share:.0f} % of its decisions: all iterations ended with the same result"
        for agent, share in run.blind().items()
    ]
    standings, comparisons = run.standings(), run.comparisons()
    scored = any(s.score is not None for s in standings)
    rows = [
        (
            f"  {s.agent}", f"{s.seats:,}", *([] if run.as_teams else [f"{100 * s.first:.1f} %"]), _number(s.returns),
            *([] if s.score is None else [f"{s.score:.2f}"]),
        )
        for s in standings
    ]  # fmt: skip
    head = ("Results", "seats", *([] if run.as_teams else ["wins"]), "mean return", *(["mean score"] if scored else []))
    lines += ["", *map(_verdict, comparisons), "", *table(rows, head, right=True), ""]
    return lines + table(
        [
            (
                f"  {c.one} - {c.other}", _number(c.difference, "+"),
                f"[{_number(c.low, '+')}, {_number(c.high, '+')}]" if math.isfinite(c.low) else "-",
                f"{c.better} / {c.blocks - c.better - c.worse} / {c.worse}", f"{c.p_value:.2g}",
            )
            for c in comparisons
        ],
        ("Differences per deal", "mean", "95 % interval", "deals better / equal / worse", "p-value"), right=True,
    )  # fmt: skip


def _verdict(c: Comparison) -> str:
    """Return the verdict on two agents as a sentence."""
    if c.p_value >= SIGNIFICANT:
        return f"No difference between {c.one} and {c.other} is shown (p = {c.p_value:.2g}); more --plays may show one."
    better, worse = (c.one, c.other) if c.better > c.worse else (c.other, c.one)
    return f"{better} is better than {worse} (p = {c.p_value:.2g})."


SIGNIFICANT = 0.05
"""The p-value below which one agent is called better."""


def _number(value: float, sign: str = "") -> str:
    """Return a number with three digits, never a negative zero."""
    return decimal(value, 3, sign)


def _data(run: Match) -> dict[str, Any]:
    return {
        "game": run.game.title,
        "players": run.game.num_players,
        "options": dict(run.game.option_texts()),
        "seed": run.seed,
        "agents": run.labels,
        "teams": run.as_teams,
        "stopped": run.stopped,
        "blind": run.blind(),
        "standings": [attrs.asdict(standing) for standing in run.standings()] if run.done else [],
        "comparisons": [_finite(attrs.asdict(comparison)) for comparison in run.comparisons()],
        "deals": [
            {
                "table": block.table,
                "deal": block.number,
                "plays": [msgspec.structs.asdict(play) for play in block.plays],
            }
            for block in run.done
        ],
    }


def _finite(data: dict[str, Any]) -> dict[str, Any]:
    """Return data without the numbers that JSON does not have."""
    return {key: None if isinstance(v, float) and not math.isfinite(v) else v for key, v in data.items()}
