"""`cardgame simulate`: play a game many times and tell what it is like."""

from __future__ import annotations

import csv
import io
import json
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from cli.arguments import check_writable, setting_options
from cli.failures import STOPPED
from cli.terminal.screen import write_painted
from grammar.english import counted

if TYPE_CHECKING:
    from interpreter.simulate.report import Line, Report, Section
    from interpreter.simulate.running import Run

MOST_MARKED, MOST_RANKED = 12, 3
"""Lines of a ranked section that are told as text: those that are marked, or if none is; other formats have all."""

SAVE_EVERY = 10.0
"""Seconds between two times that a run is kept."""

TELL_EVERY = 0.5
"""Seconds between two times that a terminal is told how far a run is."""

FIRST_LOOK, LOOK_AGAIN = 7.0, 4.0
"""Seconds before a first report of a long run, and how many times as many before the next."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a formula of a spreadsheet begins with, in half or full width."""

RANDOM = "random-small"
"""Who plays if nobody is named (`interpreter.simulate.running`)."""


_Command = TypeVar("_Command", bound=Callable[..., Any])


def worker_options(command: _Command) -> _Command:
    """Add `--jobs N` and `--dask ADDRESS` to a command."""
    jobs = click.option(
        "--jobs", type=click.IntRange(1, 64), default=1, show_default=True,
        help="Processes that play at a time; the result is the same.",
    )  # fmt: skip
    dask = click.option(
        "--dask", metavar="ADDRESS", help="Let the workers of a Dask cluster play, such as tcp://10.0.0.5:8786."
    )
    return jobs(dask(command))


@contextmanager
def workers(jobs: int, dask: str | None) -> Iterator[Callable[[], Executor] | None]:
    """Give how to make executors: processes, or a cluster; None for this process alone.  Raises click.UsageError."""
    from interpreter.simulate.running import processes  # late: help

    if dask is None:
        yield processes(jobs) if jobs > 1 else None
        return
    if jobs > 1:
        raise click.UsageError("--jobs and --dask exclude each other: the cluster has its own workers")
    try:
        from interpreter.simulate.cluster import cluster  # late: help
    except ImportError:
        raise click.UsageError("--dask needs the package distributed: pip install 'cardgame[cluster]'") from None
    with ExitStack() as stack:
        try:
            executor = stack.enter_context(cluster(dask))
        except OSError as error:
            raise click.UsageError(str(error)) from None
        yield executor


@click.command(
    "simulate",
    epilog="""\b
Examples:
  cardgame simulate chalice_and_wand
  cardgame simulate classics/hearts --plays 10000
  cardgame simulate wizards_duel --option sides=20 --format json
  cardgame simulate my_game.cardgame --plays 100000 --jobs 4 --resume my_run.json

Exit codes: 0 fine; 1 the spec or a play is at fault; 2 wrong usage; 130 stopped.""",
)
@click.argument("spec")
@click.option(
    "--plays", type=click.IntRange(1, 100_000_000),
    help="How many games to play.  [default: 1000; 100 where agents think]",
)  # fmt: skip
@setting_options
@click.option(
    "--seats", metavar="NAMES", default=RANDOM, show_default=True,
    help="Who plays: agents separated by commas, one for each seat, or one for all; see `cardgame play --help`.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="What all plays follow from.")
@worker_options
@click.option(
    "--resume", metavar="FILE", help="Keep in FILE what is played, and go on from there if it keeps a part of this run."
)
@click.option(
    "--report", "page", metavar="FILE.html", help="Write the whole report, with charts, as one page for browsers."
)
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True,
    help="text: the most telling lines; json and csv: all of them, for programs.",
)  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    spec: str,
    plays: int | None,
    players: int | None,
    options: dict[str, str],
    seats: str,
    seed: int,
    jobs: int,
    dask: str | None,
    resume: str | None,
    page: str | None,
    form: str,
) -> None:
    """Play SPEC many times and tell what it is like: seats, length, choices, luck, ends, what is never used, what wins.

    Every line has its interval (95 %) and, where there is one, the value that a fair or neutral game would show. A line
    that leaves that value out is marked with *: a reason to look, no verdict. docs/simulate.md defines them all.

    Plays are random by default, which says what the rules allow and not what good players make of it. Named agents sit
    one seat further in each play.

    Ctrl-C ends the run with the report of what was played until then.
    """
    from interpreter.loader import load  # late: help
    from interpreter.simulate.report import report_of  # late: help
    from interpreter.simulate.running import Run, Work  # late: help

    for name in filter(None, (resume, page)):
        check_writable(name)
    write_page = None if page is None else _page_writer()
    game = load(spec, players, options)
    names = read_agents(seats, game.num_players)
    work = Work.of(game, names, seed)
    plays = plays or (1000 if work.native or set(names) == {RANDOM} else 100)
    run = Run.of(game, work, plays)
    kept = None if resume is None else Path(resume)
    if kept is not None and kept.exists():
        try:
            run.resume(kept)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    with workers(jobs, dask) as executor:
        carry_out(run, executor, kept, lambda: text(report_of(game, run)))
    report = report_of(game, run)
    if page is not None and write_page is not None:
        Path(page).write_text(write_page(report, shlex.join(["cardgame", *_words(ctx)])), encoding="utf-8")
    click.echo({"text": text, "json": _json, "csv": _csv}[form](report))
    if run.stopped:
        again = f"; the same command goes on from `{resume}`" if resume else ""
        click.echo(f"stopped after {run.counts.plays:,} of {plays:,} plays{again}", err=True)
        ctx.exit(STOPPED)


def _page_writer() -> Callable[[Report, str], str]:
    """Return what makes a page of a report.  Raises click.UsageError where its package is missing."""
    try:
        from interpreter.simulate.page import page  # late: help
    except ImportError:
        raise click.UsageError("--report needs the package jinja2: pip install 'cardgame[report]'") from None
    return page


def _words(ctx: click.Context) -> list[str]:
    """Return the command that was given, with the options that decide the result."""
    words = ["simulate", ctx.params["spec"]]
    for name in ("plays", "players", "seats", "seed"):
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            words += [f"--{name}", str(ctx.params[name])]
    for name, value in ctx.params["options"].items():
        words += ["--option", f"{name}={value}"]
    return words


def read_agents(text: str, players: int) -> list[str]:
    """Return the name of the agent of each seat.  Raises click.UsageError."""
    from interpreter.agents import AgentError, read_name  # late: help

    try:
        names = [str(read_name(name.strip())) for name in text.split(",")]
    except AgentError as error:
        raise click.UsageError(str(error)) from None
    if len(names) == 1:
        names *= players
    if len(names) != players:
        raise click.UsageError(f"--seats names {len(names)} agents, and there are {players} seats; one name is for all")
    return names


def carry_out(
    run: Run, executor: Callable[[], Executor] | None, kept: Path | None, so_far: Callable[[], str]
) -> None:  # fmt: skip
    """Play what is left of a run, with progress on a terminal, and keep it in a file if one is named.

    Of a long run a terminal sees what is there `so_far`, first after a few seconds, then ever more seldom.
    """
    began, before, saved, told = monotonic(), run.played, monotonic(), monotonic()
    shown = sys.stderr.isatty()
    look = FIRST_LOOK

    def watch(run: Run) -> None:
        nonlocal saved, look, told
        now = monotonic()
        if shown and now - began > look and run.counts.plays:
            look = LOOK_AGAIN * (now - began)
            write_painted("\r\x1b[K", err=True)
            click.echo(f"{so_far()}\n", err=True)
        if kept is not None and now - saved > SAVE_EVERY:
            run.save(kept)
            saved = now
        if shown and now - told > TELL_EVERY:
            told = now
            left = (run.plays - run.played) * (now - began) / max(1, run.played - before)
            write_painted(f"\r{run.played:,} of {run.plays:,} plays, {_duration(left)} left\x1b[K", err=True)

    try:
        run.carry_out(executor, watch)
    finally:
        if shown:
            write_painted("\r\x1b[K", err=True)
        if kept is not None:
            run.save(kept)


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


# ---- as text


def text(report: Report) -> str:
    """Return a report as text for people."""
    options = "".join(f", {name}={value}" for name, value in report.options.items())
    lines = [
        f"{report.title}, {counted(report.players, 'player')}{options}",
        f"{report.plays:,} plays of {report.strength}, seed {report.seed}"
        + ("; played in Python, since C cannot" if set(report.seats) == {RANDOM} and not report.native else ""),
    ]
    for section in report.sections:
        lines += ["", *_section(section)]
    return "\n".join(lines)


def _section(section: Section) -> list[str]:
    shown: Sequence[Line] = section.lines
    if section.ranked:
        marked = [line for line in shown if line.flagged]
        shown = marked[:MOST_MARKED] or shown[:MOST_RANKED]
    rows = [_row(list(lines)) for _, lines in groupby(shown, lambda line: line.of or line)]
    widths = [max(len(row[place]) for row in rows) for place in range(4)]
    told = [section.question]
    for name, *numbers, note in rows:
        cells = [cell.rjust(width) for cell, width in zip(numbers, widths[1:], strict=True) if width]
        told.append("  ".join([name.ljust(widths[0]), *cells, note]).rstrip())
    if len(shown) < len(section.lines):
        told.append(f"  .. {len(section.lines) - len(shown)} more (--format csv has all)")
    if section.note:
        told.append(f"  {section.note}")
    return told


def _row(lines: Sequence[Line]) -> tuple[str, str, str, str, str]:
    """Return a row of text: name, number, interval, neutral value, notes; quantiles stand behind their mean."""
    from interpreter.simulate.telling import interval, number  # late: help

    line, *quantiles = lines
    notes = [f"line {line.line}" if line.line else "", line.note]
    if quantiles:
        shares = "/".join(other.name.rpartition(" ")[2].removesuffix("%") for other in quantiles)
        notes.append(f"{shares} %: {' / '.join(number(other.value, other.unit) for other in quantiles)}")
    neutral = "" if line.neutral is None else f"neutral {number(line.neutral, line.unit)}"
    mark = "* " if line.flagged else "  "
    return (
        mark + (line.of or line.name),
        number(line.value, line.unit),
        interval(line),
        neutral,
        "; ".join(filter(None, notes)),
    )


# ---- for programs


def _json(report: Report) -> str:
    return json.dumps(report.data(), indent=2, ensure_ascii=False)


def _csv(report: Report) -> str:
    found = io.StringIO()
    writer = csv.writer(found, lineterminator="\n")
    columns = ["name", "value", "low", "high", "n", "unit", "neutral", "flagged", "line", "note"]
    writer.writerow(["section", *columns])
    for section in report.sections:
        for line in section.lines:
            data = line.data()
            writer.writerow([section.name, *(_cell(data[c]) for c in columns)])
    return found.getvalue().rstrip("\n")


def _cell(value: object) -> object:
    """Return a value for a CSV file; a text that a spreadsheet would take for a formula begins with an apostrophe."""
    if isinstance(value, str):
        return f"'{value}" if value.lstrip(" ").startswith(FORMULA) else value
    return "" if value is None else value
