"""`cardgame simulate`: play a game many times and report statistics."""

from __future__ import annotations

import csv
import io
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
import click
from click.core import ParameterSource

from cli.arguments import (
    RANDOM,
    agents_option,
    check_writable,
    format_option,
    jobs_option,
    load_setting,
    read_agents,
    seed_option,
    setting_options,
    write_json,
)
from cli.report import numbers, table, wrapped
from cli.stopping import STOPPED
from cli.terminal.screen import PROGRESS_LINE
from cli.terminal.working import Progress
from grammar import files
from grammar.english import counted

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.kept import Kept
    from interpreter.match import Match
    from interpreter.simulate.judging import Effort
    from interpreter.simulate.report import Line, Report, Section
    from interpreter.simulate.running import Run

MOST_MARKED, MOST_RANKED = 12, 3
"""Lines of a ranked section in text: the marked ones, or the first ones if none is marked."""

SAVE_EVERY = 10.0
"""Seconds between two times that a run is saved."""

FIRST_LOOK, LOOK_AGAIN = 7.0, 4.0
"""Seconds before the first intermediate report of a long run, and the factor to the next."""

MOST_VARIANTS = 6
"""Variants in one report, with the game itself."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters of a spreadsheet formula, in half or full width."""

NO_FINDINGS = ["No line is marked: nothing differs from its reference value, and everything is used."]

KEY = (
    "[low, high] is the 95 % confidence interval; the intervals of a list of seats, cards or actions hold together.",
    "* The interval excludes the reference value, or the item is rarely used.",
)


_Command = TypeVar("_Command", bound=Callable[..., Any])


dask_option = click.option(
    "--dask", metavar="ADDRESS", help="Play on the workers of a Dask cluster, such as tcp://10.0.0.5:8786."
)
"""Adds `--dask ADDRESS` to a command."""


def worker_options(command: _Command) -> _Command:
    """Add `--jobs N` and `--dask ADDRESS` to a command."""
    return jobs_option(dask_option(command))


@contextmanager
def workers(jobs: int, dask: str | None) -> Iterator[Callable[[], Executor] | None]:
    """Yield a factory of executors for processes or a cluster, or None for this process.  Raises click.UsageError."""
    from interpreter.sharing import processes  # late: help

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


@contextmanager
def resumed(run: Run | Match, file: str | None) -> Iterator[tuple[Kept | None, Callable[[], None]]]:
    """Continue a run that a file keeps, if one is given; yield the file, and a function that saves now and then.

    The run is saved at the end, too.  Raises click.UsageError for a file that keeps another run.
    """
    from interpreter.kept import Kept  # late: help

    if file is None:
        yield None, lambda: None
        return
    try:
        kept = Kept(Path(file))
        kept.expect(run.digest())
        run.resume(kept)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    last = monotonic()

    def save() -> None:
        nonlocal last
        if monotonic() - last > SAVE_EVERY:
            run.save(kept)
            last = monotonic()

    try:
        yield kept, save
    finally:
        run.save(kept)


@click.command(
    "simulate",
    epilog="""\b
Examples:
  cardgame simulate chalice_and_wand
  cardgame simulate classics/hearts --plays 10000 --seconds 60
  cardgame simulate wizards_duel --option sides=20 --seconds 0 --format json
  cardgame simulate classics/leduc_poker --ladder random,search:100,policy:leduc.policy
  cardgame simulate my_game.cardgame --plays 100000 --seconds 0 --jobs 4 --resume my_run.json

Exit codes: 0 fine; 1 the spec or a play is at fault; 2 wrong usage; 130 stopped.""",
)
@click.argument("spec")
@click.option(
    "--plays", type=click.IntRange(1, 100_000_000), metavar="N",
    help="Number of plays.  [default: 1000; 100 with agents that think]",
)  # fmt: skip
@setting_options
@agents_option
@seed_option
@click.option("--seconds", type=click.FloatRange(0, 1e6), metavar="S",
              help="Time for players who think, who play beside random players; 0: none.  [default: 20]")  # fmt: skip
@click.option("--deals", type=click.IntRange(1, 1_000_000), metavar="N",
              help="Deals and plays of players who think, instead of a time (for equal reports).")  # fmt: skip
@click.option("--ladder", metavar="A,B,..",
              help="Agents from the weakest to the strongest, such as random,search,policy:FILE.")  # fmt: skip
@worker_options
@click.option("--resume", metavar="FILE", help="Save the run in FILE, and continue it if FILE contains a part of it.")
@click.option("--report", "page", metavar="FILE.html", help="Write the full report with charts as an HTML page.")
@click.option("--variant", "variants", metavar="SPEC", multiple=True,
              help="Another spec of the same report, up to five; SPEC:NAME=VALUE,.. sets options.")  # fmt: skip
@format_option("text", "json", "csv", about="text: the most notable lines; json, csv: all lines.")
@click.pass_context
def command(
    ctx: click.Context,
    spec: str,
    plays: int | None,
    players: int | None,
    options: dict[str, str],
    agents: str,
    seed: int,
    seconds: float | None,
    deals: int | None,
    ladder: str | None,
    jobs: int,
    dask: str | None,
    resume: str | None,
    page: str | None,
    variants: tuple[str, ...],
    form: str,
) -> None:
    """Play SPEC many times and report whether it is fair, whether it is deep, and what wins.

    Random players play first, then players who think, as often as fits into --seconds.  The answers come from the
    stronger players, and from the exact solution where the game is small enough.  A ladder of agents shows the
    skill.  The statistics of both are side by side: seats, length, choices, luck, outcome, use of rules and cards.

    Each value has a 95 % confidence interval and, if there is one, the reference value of a fair or neutral game.
    A line is marked with * if its interval excludes the reference value, or if something is rarely used.
    docs/simulate.md defines all statistics.

    Random plays show what the rules allow, not how good players play.  With --agents only these agents play; they
    change seats from play to play.

    Ctrl-C stops the run and prints the report of the plays so far.
    """
    effort = _effort(ctx, seconds, deals, 1 + len(variants))
    for name in filter(None, (resume, page)):
        check_writable(name)
    _check_variants(variants, resume, form)
    write_page = None if page is None else _page_writer()
    settings = [
        (spec, load_setting(spec, players, options)),
        *((v, load_setting(v, players, options)) for v in variants),
    ]
    reports, is_stopped = [], False
    with workers(jobs, dask) as executor:
        for name, game in settings:
            report = _report(game, Plan(plays, agents, seed, effort, ladder, resume), executor)
            reports.append(attrs.evolve(report, variant=name))
            is_stopped = is_stopped or report.plays < report.planned
    if page is not None and write_page is not None:
        files.write_text(page, write_page(reports, shlex.join(["cardgame", *_words(ctx)])))
    if form == "json":
        write_json([report.data() for report in reports] if variants else reports[0].data())
    else:
        click.echo("\n\n\n".join(map(text, reports)) if form == "text" else _csv(reports[0]))
    if is_stopped:
        again = f"; the same command continues from `{resume}`" if resume else ""
        done, planned = (sum(counts) for counts in zip(*((r.plays, r.planned) for r in reports), strict=True))
        click.echo(f"stopped after {done:,} of {planned:,} plays{again}", err=True)
        ctx.exit(STOPPED)


@attrs.frozen
class Plan:
    """How a game is simulated, from the options of the command."""

    plays: int | None
    agents: str
    seed: int
    effort: Effort | None
    ladder: str | None
    resume: str | None


def _report(game: Game, plan: Plan, executor: Callable[[], Executor] | None) -> Report:
    """Play one game, and return its report.  Raises click.UsageError."""
    from interpreter.simulate.judging import judge, judged, ladder_of  # late: help
    from interpreter.simulate.report import report_of  # late: help
    from interpreter.simulate.running import Run, Work  # late: help

    names = read_seat_agents(plan.agents, game.num_players)
    work = Work.of(game, names, plan.seed)
    run = Run.of(game, work, plan.plays or (1000 if work.native or set(names) == {RANDOM} else 100))
    with resumed(run, plan.resume) as (kept, save):
        carry_out(run, executor, save, lambda: text(report_of(game, run)))
    if plan.effort is None:
        return report_of(game, run)
    climbing = [name.strip() for name in plan.ladder.split(",")] if plan.ladder else ladder_of(game)
    return judged(judge(game, run, climbing, plan.effort, executor, _show, kept))


def _check_variants(variants: tuple[str, ...], resume: str | None, form: str) -> None:
    """Raise click.UsageError where variants do not fit the other options."""
    if len(variants) >= MOST_VARIANTS:
        raise click.UsageError(f"a report has at most {MOST_VARIANTS} variants, with SPEC")
    if variants and resume is not None:
        raise click.UsageError("--variant and --resume exclude each other: a file keeps the run of one game")
    if variants and form == "csv":
        raise click.UsageError("--variant and --format csv exclude each other: write --format json")


def _effort(ctx: click.Context, seconds: float | None, deals: int | None, games: int) -> Effort | None:
    """Return how much players who think play each game; None where they do not.  Raises click.UsageError."""
    from interpreter.simulate.judging import SECONDS, Effort  # late: help

    given = [name for name in ("seconds", "deals", "ladder") if ctx.params[name] is not None]
    if ctx.get_parameter_source("agents") == ParameterSource.COMMANDLINE:
        if given:
            raise click.UsageError(
                f"--agents and --{given[0]} exclude each other: with --agents only these agents play"
            )
        return None
    if seconds is not None and deals is not None:
        raise click.UsageError("--seconds and --deals exclude each other")
    if seconds == 0:
        return None
    return Effort(None, deals) if deals is not None else Effort((SECONDS if seconds is None else seconds) / games)


def _show(doing: str) -> bool:
    PROGRESS_LINE.text = doing
    return False


def _page_writer() -> Callable[[Sequence[Report], str], str]:
    """Return the function that renders the HTML page.  Raises click.UsageError if jinja2 is missing."""
    try:
        from interpreter.simulate.page import page  # late: help
    except ImportError:
        raise click.UsageError("--report needs the package jinja2: pip install 'cardgame[report]'") from None
    return page


def _words(ctx: click.Context) -> list[str]:
    """Return the words of the command, with the options that determine the result."""
    words = ["simulate", ctx.params["spec"]]
    for name in ("plays", "players", "agents", "seed", "seconds", "deals", "ladder"):
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            words += [f"--{name}", f"{value:g}" if isinstance(value := ctx.params[name], float) else str(value)]
    for name, value in ctx.params["options"].items():
        words += ["--option", f"{name}={value}"]
    for name in ctx.params["variants"]:
        words += ["--variant", name]
    return words


def read_seat_agents(text: str, players: int) -> list[str]:
    """Return the name of the agent of each seat.  Raises click.UsageError."""
    names = list(map(str, read_agents(text)))
    if len(names) == 1:
        names *= players
    if len(names) != players:
        raise click.UsageError(
            f"--agents names {len(names)} agents, but there are {players} seats; write one name for all seats"
        )
    return names


def carry_out(
    run: Run, executor: Callable[[], Executor] | None, save: Callable[[], object], so_far: Callable[[], str]
) -> None:  # fmt: skip
    """Play the rest of a run, show its progress, and save it now and then.

    On a terminal a long run prints intermediate reports (`so_far`), at growing intervals.
    """
    began = monotonic()
    progress = Progress(run.plays, "plays", run.played)
    look = FIRST_LOOK

    def on_progress(run: Run) -> None:
        nonlocal look
        now = monotonic()
        if sys.stderr.isatty() and now - began > look and run.counts.plays:
            look = LOOK_AGAIN * (now - began)
            click.echo(f"{so_far()}\n", err=True)
        save()
        progress.show(run.played)

    run.carry_out(executor, on_progress)


# ---- as text


def text(report: Report) -> str:
    """Return a report as text: findings first, then a table for each section."""
    options = ", ".join(f"{name}={value}" for name, value in report.options.items())
    native = "" if set(report.seats) != {RANDOM} or report.native else "; played in Python, not in C"
    lines = [
        f"{report.title}, {counted(report.players, 'player')}",
        *([wrapped(f"options: {options}", "  ")] if options else []),
        f"{counted(report.plays, 'play')} by {report.agents}, seed {report.seed}{native}",
        *(f"{counted(other.plays, 'play')} by {other.agents}" for other in report.both[1:]),
    ]
    for answered in report.answers:
        lines += ["", answered.question, wrapped(answered.answer, "  ", indent="  ")]
    lines += ["", "Findings"]
    lines += [wrapped(f"* {finding}", "    ", indent="  ") for finding in report.findings or NO_FINDINGS]
    for name in dict.fromkeys(section.name for each in report.both for section in each.sections):
        found = [each.find(name) for each in report.both]
        shown = [section for section in found if section is not None]
        lines += ["", *(_section(shown[0]) if len(shown) < len(found) or len(found) == 1 else _beside(report, name))]
    return "\n".join([*lines, "", *KEY])


def _beside(report: Report, name: str) -> list[str]:
    """Return a section with a column for random players and one for those who think; the stronger choose the lines."""
    leading = report.stronger.section(name)
    both = [{line.name: line for line in each.section(name).lines} for each in report.both]
    shown = [line for line in _notable(leading) if _is_first(line)]
    if not leading.ranked:
        shown += [line for lines in both for line in lines.values() if _is_first(line)]
    rows = []
    for name_ in dict.fromkeys(line.name for line in shown):
        known = [lines[name_] for lines in both if name_ in lines]
        mark = "*" if any(line.flagged for line in known) else " "
        cells = (_cell_of(lines.get(name_)) for lines in both)
        rows.append([f"{mark} {known[0].of or name_}", *cells, f"line {known[0].line}" if known[0].line else ""])
    heads = [each.who for each in report.both]
    lines = table(rows, [leading.title, *heads])
    if leading.ranked:
        lines.insert(1, f"  {leading.base}")
    notes = [each.section(name).note for each in report.both]
    if len(set(notes)) == 1:
        return [*lines, *(f"  {note}" for note in notes[:1] if note)]
    return [*lines, *(f"  {head}: {note}" for head, note in zip(heads, notes, strict=True) if note)]


def _is_first(line: Line) -> bool:
    """Say whether a line is not a percentile."""
    return not line.of or line.name.endswith("mean")


def _cell_of(line: Line | None) -> str:
    """Return a value with its interval."""
    from interpreter.simulate.report import interval, number  # late: help

    if line is None or line.value is None:
        return "-"
    return f"{number(line.value, line.unit)} {interval(line.low, line.high, line.unit)}".rstrip()


def _notable(section: Section) -> Sequence[Line]:
    """Return the lines of a section that are shown as text."""
    if not section.ranked:
        return section.lines
    marked = [line for line in section.lines if line.flagged]
    return marked[:MOST_MARKED] or section.lines[:MOST_RANKED]


def _section(section: Section) -> list[str]:
    from interpreter.simulate.report import QUANTILES, grouped, number  # late: help

    shown = _notable(section)
    groups = list(grouped(shown))
    values = numbers([number(group[0].value, group[0].unit) for group in groups])
    rows = [_row(group, value, section) for group, value in zip(groups, values, strict=True)]
    heads = []
    if not section.ranked and any(line.reference is not None for line in shown):
        heads.append("reference")
    if any(len(group) > 1 for group in groups):
        heads.insert(0, f"percentiles {'/'.join(f'{100 * share:.0f}' for share in QUANTILES)}")
    lines = table(rows, [section.title, section.base, "; ".join(heads)])
    if len(shown) < len(section.lines):
        lines.append(f"  {len(section.lines) - len(shown)} more: --format csv")
    return [*lines, *([f"  {section.note}"] if section.note else [])]


def _row(group: Sequence[Line], value: str, section: Section) -> list[str]:
    """Return a row of a table: name, value with interval, and reference, percentiles or notes."""
    from interpreter.simulate.report import interval, number  # late: help

    line, *quantiles = group
    name = f"{'*' if line.flagged else ' '} {line.of or line.name}"
    last = [" / ".join(number(other.value, other.unit).removesuffix(" %") for other in quantiles)] if quantiles else []
    if line.reference is not None and not section.ranked:
        last.append(number(line.reference, line.unit))
    last += [f"line {line.line}" if line.line else "", line.note]
    return [name, f"{value}  {interval(line.low, line.high, line.unit)}".rstrip(), "; ".join(filter(None, last))]


# ---- for programs


def _csv(report: Report) -> str:
    found = io.StringIO()
    writer = csv.writer(found, lineterminator="\n")
    columns = ["name", "value", "low", "high", "n", "unit", "reference", "flagged", "line", "note"]
    writer.writerow(["players", "section", *columns])
    for each in report.both:
        for section in each.sections:
            for line in section.lines:
                data = line.data()
                writer.writerow([_cell(each.agents), section.name, *(_cell(data[c]) for c in columns)])
    return found.getvalue().rstrip("\n")


def _cell(value: object) -> object:
    """Return the cell of a value; a text that a spreadsheet would read as a formula gets an apostrophe in front."""
    if isinstance(value, str):
        return f"'{value}" if value.lstrip(" ").startswith(FORMULA) else value
    return "" if value is None else value
