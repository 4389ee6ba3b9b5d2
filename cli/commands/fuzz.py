"""`cardgame fuzz`: play seeded random games and check what must hold for every game."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import attrs
import click

from cli.arguments import check_writable, read_options
from cli.failures import AT_FAULT, COUNTER_EXAMPLE, STOPPED
from cli.terminal.screen import say, write_painted
from grammar.english import counted

if TYPE_CHECKING:
    from grammar.source import Span
    from interpreter.fuzz.checks import Problem
    from interpreter.fuzz.coverage import TagCount
    from interpreter.fuzz.fuzz import CounterExample, Report
    from interpreter.fuzz.sweep import Sweep
    from interpreter.setting import Signature

MOST_NAMED = 6
"""Options that were varied, and branches that were never compared, up to which they are named."""

DEFAULT_PLAYOUTS, DEFAULT_SECONDS = 200, 15.0
"""What a run does if nothing else is given."""

SAMPLED = {"exchange": "exchanges", "worlds": "other worlds", "truths": "beliefs"}
"""The checks that are made at some decisions only, each within its share, and what they compare."""

WATCH_EVERY = 10
"""Playouts between two notes of how far it is."""


@click.command(
    "fuzz",
    epilog="""\b
Examples:
  cardgame fuzz chalice_and_wand
  cardgame fuzz chalice_and_wand --option hands=open --playouts 2000 --jobs 4
  cardgame fuzz my_game.cardgame --players 3 --seed 7 --format json
  cardgame fuzz my_game.cardgame --save-scenario found.scenarios --save found.save

Exit codes: 0 nothing was found; 1 the spec has mistakes; 2 wrong usage; 3 a counter-example was found; 130 stopped.""",
)
@click.argument("spec")
@click.option(
    "--playouts", type=click.IntRange(1, 10_000_000), metavar="N",
    help="How many games to play, shared among the settings; by default 200, within the time.",
)  # fmt: skip
@click.option(
    "--seconds", type=click.FloatRange(0.1, 1e6), metavar="N",
    help="The CPU time of each process; by default 15, or no limit with --playouts.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="What all chance follows from.")
@click.option("--playout", type=click.IntRange(0), metavar="N", help="Play only playout N, as a failure names it.")
@click.option("--players", type=click.IntRange(1), metavar="N", help="How many play; by default every number in turn.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", callback=read_options,
    help="Give an option one value; by default every value is tried.  May be repeated.",
)  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, show_default=True,
    help="Processes that play at a time; the result is the same.",
)  # fmt: skip
@click.option("--save", metavar="FILE", help="Write a failing play down, for `cardgame play --load FILE`.")
@click.option("--save-scenario", metavar="FILE", help="Write a failing play down as a scenario that fails.")
@click.option(
    "--format", "form", type=click.Choice(["full", "json"]), default="full", show_default=True, help="How to report."
)
@click.pass_context
def command(
    ctx: click.Context,
    spec: str,
    playouts: int | None,
    seconds: float | None,
    seed: int,
    playout: int | None,
    players: int | None,
    options: dict[str, str],
    jobs: int,
    save: str | None,
    save_scenario: str | None,
    form: str,
) -> None:
    """Play random games of SPEC and check every state: for every number of players and value of an option.

    Checked are: cards conserved, places not too full, variables in their ranges, the spec's invariants,
    length and returns within their bounds, legal actions (some, ordered, with texts that read back),
    illegal ones refused without effect, copies and saved states equal, chances that add up to 1, the same
    seed giving the same play, and that nothing a player may do or sees tells what they may not know.

    For that, plays are also carried out twice, the second time with something exchanged that a player, or an
    onlooker, cannot know: unseen cards, hidden values, secret decisions. All that is shown must be the same, unless
    a statement publishes it; statements that do are named. `openly` in front of one says that it is meant.

    The time is divided among the settings, and in each among the checks: two thirds for the plays with their cheap
    checks, the rest for exchanges, other worlds and beliefs.  The report says how far the run got.

    The first failure is shortened as far as it still fails, told with its table and a cure, and ends the run with
    exit code 3.  Ctrl-C ends it with what was found until then.
    """
    from grammar.diagnostics import SpecError  # late: help
    from grammar.render import objects  # late: help
    from interpreter.fuzz.sweep import sweep  # late: help
    from interpreter.loader import find_spec, signature  # late: help

    for file in (save, save_scenario):
        if file is not None:
            check_writable(file)
    try:
        path = find_spec(spec)
        found = signature(path)
        if playouts is None and playout is None and seconds is None:
            seconds = DEFAULT_SECONDS
        run = sweep(path, found, playouts or DEFAULT_PLAYOUTS, seed, players, options, playout, seconds)
        report = run.run(jobs, _watcher(run))
    except SpecError as error:
        if form != "json":
            raise
        click.echo(json.dumps({"diagnostics": objects(error.diagnostics)}, indent=2))
        ctx.exit(AT_FAULT)
    written = [] if report.failure is None else _write_down(report.failure, spec, path, save, save_scenario)
    if form == "json":
        click.echo(json.dumps(_data(run, report, found), indent=2))
    else:
        _tell(run, report, found, spec, written, options)
    if report.failure is not None:
        ctx.exit(COUNTER_EXAMPLE)
    if run.stopped:
        ctx.exit(STOPPED)


def _watcher(run: Sweep) -> Callable[[int], None] | None:
    """Return what notes the progress of a long run, where somebody is watching."""
    if not sys.stderr.isatty() or run.playouts <= WATCH_EVERY:
        return None
    begun = perf_counter()

    def watch(done: int) -> None:
        if done >= run.playouts - 1:
            write_painted("\r" + " " * 60 + "\r", err=True)
        elif done % WATCH_EVERY == 0 and done:
            left = (perf_counter() - begun) * (run.playouts - done) / done
            write_painted(f"\r{done} of {run.playouts} playouts, {_duration(left)} left".ljust(60), err=True)

    return watch


def _duration(seconds: float) -> str:
    return f"about {seconds:.0f} s" if seconds < 100 else f"about {seconds / 60:.0f} min"


def _write_down(
    failure: CounterExample, spec: str, path: Path, save: str | None, save_scenario: str | None
) -> list[str]:
    """Write a failing play down as files that were asked for; return what is to be said of them."""
    from grammar.files import write_text  # late: help
    from interpreter.loader import load  # late: help
    from interpreter.records.saves import save_from_history, write_save  # late: help
    from interpreter.scenarios.scenario_text import scenario_of  # late: help

    game = load(path, failure.setting.players, dict(failure.setting.options))
    told = []
    if save is not None:
        if not failure.history:
            told.append("not saved: this play cannot even begin")
        elif failure.dice is None:
            told.append("not saved: in this play chance was answered card by card, which no table does")
        else:
            seats = ("human",) * game.num_players
            play = save_from_history(game, failure.history, spec, seats, failure.dice)
            if failure.fatal is None and (failure.problem.code or failure.problem.check == "length"):
                play = attrs.evolve(play, said=play.said[:-1])  # Behind the last decision nobody could do anything.
            write_text(save, write_save(play))
            told.append(f"at the table: {shlex.join(['cardgame', 'play', '--load', save])}")
    if save_scenario is not None:
        folder = Path(save_scenario).resolve().parent
        bundled = not Path(spec).exists()
        of = path.name if bundled else os.path.relpath(path, folder)
        history = [*failure.history, *([] if failure.fatal is None else [failure.fatal])]
        text = scenario_of(game, of, "found by fuzz", history, failure.problem, folder)
        if text is None:
            told.append(f"not as a scenario: {_why_no_scenario(failure.problem)}; --save keeps the play")
        else:
            write_text(save_scenario, text)
            told.append(f"as a scenario: {shlex.join(['cardgame', 'test', save_scenario])}")
    return told


def _why_no_scenario(problem: Problem) -> str:
    """Return why a scenario cannot show what a check has found."""
    if problem.check in ("leak", "truths"):
        return "a leak shows between plays that look the same to a player, and a scenario is one play"
    return f"what the check of {problem.check} looks at, a scenario does not"


# ---- in words


def _tell(run: Sweep, report: Report, found: Signature, spec: str, written: list[str], given: dict[str, str]) -> None:
    click.echo(_heading(run, report, found, given))
    if report.failure is not None:
        _tell_failure(report.failure, spec, written)
    done = "no counter-example" if report.failure is None else "stopped at a counter-example"
    if run.stopped:
        done = f"stopped, of {run.playouts:,}; no counter-example so far"
    good = report.failure is None and not run.stopped
    say(f"{counted(report.playouts, 'playout')} of seed {report.seed}: {done}", "green" if good else "red")
    if report.lengths:
        _tell_plays(report)
    if report.tally:
        _line("checks", "; ".join(f"{name} {count:,}" for name, count in sorted(_checks(report).items())))
    _report_reached(run, report)
    _tell_worlds(report)
    _tell_exchanges(report)
    _report_branches(report)
    _tell_rules(report)


def _heading(run: Sweep, report: Report, found: Signature, given: dict[str, str]) -> str:
    """Return the game and the settings that were played."""
    from interpreter.setting import number_of_players  # late: help

    settings = list(dict.fromkeys(piece.setting for piece in run.pieces))
    if len(settings) == 1:
        texts = settings[0].texts()
        setting = " ".join(f"{name}={value}" for name, value in texts.items())
        return f"{found.title}, {number_of_players((settings[0].players,) * 2)}{', ' if setting else ''}{setting}"
    players = [setting.players for setting in settings]
    varied = [name for name, _ in settings[0].options if len({setting[name] for setting in settings}) > 1]
    what = "".join(f"; {name}={value}" for name, value in given.items())
    named = ", ".join(varied) if len(varied) <= MOST_NAMED else f"{len(varied)} options"
    what += f"; {named} at {'every value' if run.left_out == 0 else 'several values'}" if varied else ""
    if run.left_out != 0:
        many = "many" if run.left_out is None else str(run.left_out)
        what += f"; {many} settings more were left out: --playouts, --players and --option choose others"
    tried = len(report.settings)
    begun = "" if tried == len(settings) else f", {tried} of them begun"
    return f"{found.title}, {len(settings)} settings{begun}: {number_of_players((min(players), max(players)))}{what}"


def _tell_plays(report: Report) -> None:
    low, middle, high = report.spread(report.lengths)
    _line("decisions", f"{report.decisions:,}; in a play {low} to {high}, median {middle:g} (bound "
                       f"{report.max_decisions:,})")  # fmt: skip
    _line("ends", ", ".join(f"{name} {count:,}" for name, count in sorted(report.terminations.items())))
    for who, spread in _scores(report).items():
        _line(who, f"{spread['min']} to {spread['max']}, median {spread['median']:g}")


def _report_reached(run: Sweep, report: Report) -> None:
    """Print how far the run got: the playouts within the time, and the decisions at which rarer checks were made."""
    if _out_of_time(run, report):
        settings = {piece.setting for piece in run.pieces}
        _line("time", f"{run.seconds:g} s were used up: {report.playouts:,} of {run.playouts:,} playouts were begun, "
                      f"{len(report.lengths):,} finished, {len(report.settings)} of {len(settings)} settings; "
                      "--seconds gives more")  # fmt: skip
    decisions = report.tally.get("actions", 0)
    if decisions:
        made = [f"{what} at {report.tally.get(name, 0):,}" for name, what in SAMPLED.items()]
        _line("reached", f"of {decisions:,} decisions: {', '.join(made)}")


def _out_of_time(run: Sweep, report: Report) -> bool:
    """Say whether the time ended the run before all playouts were finished."""
    ended = report.unfinished > 0 or report.playouts < run.playouts
    return run.seconds is not None and ended and report.failure is None and not run.stopped


def _tell_worlds(report: Report) -> None:
    asked = report.tally.get("resamples", 0)
    if asked:
        alone = report.tally["resamples without another world"]
        _line("other worlds", f"{asked:,} looked for that look the same to a player; none was found for {alone:,}")


def _tell_exchanges(report: Report) -> None:
    made = report.tally.get("exchanges", 0)
    if made:
        _line("exchanges", f"{made:,} of what a player or an onlooker cannot know")
    for span, what, tags in _published(report):
        rule = f" [{', '.join(tags)}]" if tags else ""
        _line("", f"published by {what}: {span}  {_first_line(span)}" + ("" if rule in _first_line(span) else rule))


def _report_branches(report: Report) -> None:
    """Print the branches that read hidden things and were never compared both ways."""
    if not report.branches:
        return
    never = [span for span, compared in report.branches.values() if not compared]
    _line("branches", f"{len(report.branches) - len(never)} of {len(report.branches)} that read hidden things were "
                      "compared both ways")  # fmt: skip
    for span in never[:MOST_NAMED]:
        _line("", f"never compared: {span}  {_first_line(span)}")
    if len(never) > MOST_NAMED:
        _line("", f"and {len(never) - MOST_NAMED} others; more playouts may reach them")


def _published(report: Report) -> list[tuple[Span, str, tuple[str, ...]]]:
    """Return the statements that tell hidden things on purpose, in the order of the text."""
    found = [(span, what, tags) for (span, what), tags in report.published.items()]
    return sorted(found, key=lambda item: (item[0].source.name, item[0].start))


def _tell_rules(report: Report) -> None:
    tags = report.coverage.tags()
    plays = report.coverage.plays
    if not tags or not plays:
        return
    carried = [tag for tag in tags if tag.plays]
    declared = [tag.tag for tag in tags if not tag.plays and tag.declared]
    _line("rules", f"{len(carried)} of {len(tags)} tags carried out in {counted(plays, 'whole play')}: "
                   + " ".join(_tag_text(tag, plays) for tag in carried))  # fmt: skip
    if declared:
        _line("", f"{len(declared)} hold by declaration: {' '.join(declared)}")
    for tag in report.coverage.unreached():
        # The play that failed, and was not played to its end, may have reached it.
        how = "never reached" if report.failure is None else "reached in no whole play"
        _line("", f"{tag.tag} was {how}: {tag.spans[0]}  {_first_line(tag.spans[0])}")
    ruled_out = report.coverage.ruled_out()
    if ruled_out:
        _line("", f"{len(ruled_out)} belong to options that were not played: {' '.join(ruled_out)}")


def _tag_text(tag: TagCount, plays: int) -> str:
    return tag.tag if tag.plays == plays else f"{tag.tag} (in {tag.plays})"


def _tell_failure(failure: CounterExample, spec: str, written: list[str]) -> None:
    from grammar.render import told_more  # late: help

    problem, found = failure.problem, failure.diagnosis
    code = f"[{problem.code}]" if problem.code else ""
    say(f"counter-example{code}: {problem.check}: {problem.message}", "red", bold=True)
    if problem.span is not None:
        click.echo(f"  --> {problem.span}")
        click.echo(f"   | {_first_line(problem.span)}")
    for reason in found.reasons:
        click.echo(f"   = {reason}")
    if found.cure:
        click.echo(f"   = help: {found.cure}")
    if more := told_more([problem.code]):
        click.echo(f"   = {more}")
    click.echo(f"{failure.setting}; playout {failure.playout} of seed {failure.seed}, shortened from "
               f"{counted(failure.length, 'small action')} to {len(failure.actions)}:")  # fmt: skip
    sentences = failure.sentences or ("(before anybody decides)",)
    for sentence in sentences if found.round is None else sentences[: found.round.before]:
        click.echo(f"    {sentence}")
    if found.round is not None:
        click.echo(f"  and then again and again, {found.round.times:,} times:")
        for sentence in found.round.decisions:
            click.echo(f"    {sentence}")
        changes = "; ".join(found.round.changes) or "nothing"
        click.echo(f"  what one round changes: {changes}")
    if found.table:
        click.echo("  the table then:")
        for line in found.table:
            click.echo(f"    | {line}")
    for line in written:
        click.echo(f"  {line}")
    click.echo(f"  again: {_again(failure, spec)}")


def _again(failure: CounterExample, spec: str) -> str:
    words = ["cardgame", "fuzz", spec, "--seed", str(failure.seed), "--playout", str(failure.playout)]
    words += ["--players", str(failure.setting.players)]
    for name, value in failure.setting.texts().items():
        words += ["--option", f"{name}={value}"]
    return shlex.join(words)


def _line(name: str, text: str) -> None:
    click.echo(f"  {name:<13} {text}")


def _first_line(span: Span) -> str:
    return span.source.line(span.line).strip()


# ---- as data


def _checks(report: Report) -> dict[str, int]:
    apart = ("resamples", "exchanges")
    return {name: count for name, count in report.tally.items() if not name.startswith(apart)}


def _scores(report: Report) -> dict[str, dict[str, float]]:
    """Return the spread of the scores: one for all where they are common, else one a player."""
    if not report.scores:
        return {}
    seats = [0] if report.cooperative else range(max(map(len, report.scores)))
    spreads: dict[str, dict[str, float]] = {}
    for seat in seats:
        low, middle, high = report.spread([scores[seat] for scores in report.scores if seat < len(scores)])
        name = "score" if report.cooperative else f"score {seat + 1}"
        spreads[name] = {"min": low, "median": middle, "max": high}
    return spreads


def _data(run: Sweep, report: Report, found: Signature) -> dict[str, Any]:
    low, middle, high = report.spread(report.lengths)
    return {
        "game": found.title,
        "settings": [{"players": setting.players, "options": dict(setting.options)} for setting in report.settings],
        "settings_left_out": run.left_out,
        "stopped": run.stopped,
        "seconds": run.seconds,
        "out_of_time": _out_of_time(run, report),
        "unfinished": report.unfinished,
        "seed": report.seed,
        "playouts": report.playouts,
        "decisions": report.decisions,
        "length": {"min": low, "median": middle, "max": high, "bound": report.max_decisions},
        "terminations": dict(sorted(report.terminations.items())),
        "scores": _scores(report),
        "checks": dict(sorted(_checks(report).items())),
        "resamples": {
            "asked": report.tally.get("resamples", 0),
            "without_another_world": report.tally.get("resamples without another world", 0),
        },
        "exchanges": {
            "made": report.tally.get("exchanges", 0),
            "published": [
                {"file": span.source.name, "line": span.line, "by": what, "tags": list(tags)}
                for span, what, tags in _published(report)
            ],
        },
        "branches": [
            {"file": span.source.name, "line": span.line, "compared": compared}
            for span, compared in report.branches.values()
        ],
        "rules": [
            {"tag": t.tag, "line": t.spans[0].line, "plays": t.plays, "declared": t.declared, "reached": t.reached}
            for t in report.coverage.tags()
        ],
        "counter_example": None if report.failure is None else _failure_data(report.failure),
    }


def _failure_data(failure: CounterExample) -> dict[str, Any]:
    span = failure.problem.span
    return {
        "check": failure.problem.check,
        "code": failure.problem.code or None,
        "message": failure.problem.message,
        "file": None if span is None else span.source.name,
        "line": None if span is None else span.line,
        "column": None if span is None else span.column,
        "players": failure.setting.players,
        "options": dict(failure.setting.options),
        "seed": failure.seed,
        "playout": failure.playout,
        "decisions": list(failure.sentences),
        "actions": list(failure.actions),
        "shortened_from": failure.length,
        "diagnosis": attrs.asdict(failure.diagnosis),
        "state": failure.saved,
    }
