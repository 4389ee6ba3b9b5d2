"""`cardgame fuzz`: play seeded random games and check every state."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click
import msgspec

from cli.arguments import check_writable, format_option, jobs_option, seed_option, settings_options, write_json
from cli.failures import AT_FAULT, COUNTER_EXAMPLE
from cli.report import wrapped
from cli.stopping import STOPPED
from cli.terminal.screen import say
from cli.terminal.working import Progress
from grammar.english import counted

if TYPE_CHECKING:
    from grammar.source import Span
    from interpreter.fuzz.checks import Problem
    from interpreter.fuzz.coverage import TagCount
    from interpreter.fuzz.fuzz import CounterExample, Report
    from interpreter.fuzz.sweep import Sweep
    from interpreter.setting import Signature

MOST_NAMED = 6
"""The largest number of varied options, or of branches that were not compared, that the report names."""

DEFAULT_PLAYS, DEFAULT_SECONDS = 200, 15.0
"""The plays and the time of a run if no limit is given."""

LABEL = 25
"""Columns of the labels of a report."""

CHECKS = {
    "game rules": {"cards": "cards conserved", "capacity": "zone sizes", "variables": "variable ranges",
                   "invariants": "invariants", "length": "length", "returns": "returns"},
    "actions": {"actions": "legal", "texts": "texts parse back", "refusals": "illegal refused"},
    "copies": {"copies": "clones", "saving": "save and load", "pickling": "pickle"},
    "chance": {"odds": "probabilities sum to 1", "repeats": "repeated with the same seed"},
}  # fmt: skip
"""The checks of states: groups, their checks, and the names of these in the report."""

HIDDEN = {"worlds": "alternative worlds", "truths": "beliefs", "exchange": "changed secrets"}
"""The checks of hidden information."""


@click.command(
    "fuzz",
    epilog="""\b
Examples:
  cardgame fuzz chalice_and_wand
  cardgame fuzz chalice_and_wand --option hands=open --plays 2000 --jobs 4
  cardgame fuzz my_game.cardgame --players 3 --seed 7 --format json
  cardgame fuzz my_game.cardgame --save-scenario found.scenarios --save found.save

Exit codes: 0 no failure found; 1 the spec has errors; 2 wrong usage; 3 a failure was found; 130 stopped.""",
)
@click.argument("spec")
@click.option(
    "--plays", type=click.IntRange(1, 10_000_000), metavar="N",
    help="Number of plays, spread over the settings.  [default: 200, within the time limit]",
)  # fmt: skip
@click.option(
    "--seconds", type=click.FloatRange(0.1, 1e6), metavar="N",
    help="Limit of the CPU time of each process.  [default: 15; none with --plays]",
)  # fmt: skip
@seed_option
@click.option("--play", type=click.IntRange(0), metavar="N", help="Run only play number N, as a failure reports it.")
@settings_options
@jobs_option
@click.option("--save", metavar="FILE", help="Save a failing play, for `cardgame play --load FILE`.")
@click.option("--save-scenario", metavar="FILE", help="Save a failing play as a scenario.")
@format_option("text", "json")
@click.pass_context
def command(
    ctx: click.Context,
    spec: str,
    plays: int | None,
    seconds: float | None,
    seed: int,
    play: int | None,
    players: int | None,
    options: dict[str, str],
    jobs: int,
    save: str | None,
    save_scenario: str | None,
    form: str,
) -> None:
    """Play random games of SPEC and check every state.

    The plays are spread over all numbers of players and all option values.  The command stops at the first failure,
    shrinks it to a short play, prints the table and a suggested fix, and exits with code 3.  Ctrl-C stops early and
    prints the results so far.

    \b
    Checks:
      game rules    cards are conserved; no zone holds too many; values are in
                    range; invariants hold; length and returns are in bounds
      actions       there is a legal action; texts parse back to actions;
                    illegal actions are refused and change nothing
      copies        clones, saved and pickled states equal the original
      chance        probabilities sum to 1; equal seeds give equal plays
      hidden        no player learns hidden information
      information

    The check of hidden information (noninterference) runs a play twice.  In the second run, information that one
    player or a spectator cannot know is changed: unseen cards, hidden variables, secret decisions.  Everything shown
    to that viewer must stay the same, unless a statement reveals it.  The report lists these statements.  Write
    `openly` before a statement that reveals on purpose.

    The time limit is divided among the settings.  Two thirds of it are for the plays and their cheap checks, one third
    for the check of hidden information.
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
        if plays is None and play is None and seconds is None:
            seconds = DEFAULT_SECONDS
        run = sweep(path, found, plays or DEFAULT_PLAYS, seed, players, options, play, seconds)
        report = run.run(jobs, Progress(run.playouts, "plays").show)
    except SpecError as error:
        if form != "json":
            raise
        write_json({"diagnostics": objects(error.diagnostics)})
        ctx.exit(AT_FAULT)
    written = [] if report.failure is None else _write_down(report.failure, spec, path, save, save_scenario)
    if form == "json":
        write_json(_data(run, report, found))
    else:
        _write_report(run, report, found, spec, written, options)
    if report.failure is not None:
        ctx.exit(COUNTER_EXAMPLE)
    if run.stopped:
        ctx.exit(STOPPED)


def _write_down(
    failure: CounterExample, spec: str, path: Path, save: str | None, save_scenario: str | None
) -> list[str]:
    """Write a failing play to the files of `--save` and `--save-scenario`; return lines about them."""
    from grammar.files import write_text  # late: help
    from interpreter.loader import load  # late: help
    from interpreter.records.saves import save_from_history, write_save  # late: help
    from interpreter.scenarios.scenario_text import scenario_of  # late: help

    game = load(path, failure.setting.players, dict(failure.setting.options))
    lines = []
    if save is not None:
        if not failure.history:
            lines.append("not saved: this play fails before its first decision")
        elif failure.dice is None:
            lines.append("not saved: this play draws cards in a way that no table does")
        else:
            seats = ("human",) * game.num_players
            play = save_from_history(game, failure.history, spec, seats, failure.dice)
            if failure.fatal is None and (failure.problem.code or failure.problem.check == "length"):
                said = play.said[:-1]  # After the last decision there was no legal action.
                play = msgspec.structs.replace(play, said=said)
            write_text(save, write_save(play))
            lines.append(f"continue it: {shlex.join(['cardgame', 'play', '--load', save])}")
    if save_scenario is not None:
        folder = Path(save_scenario).resolve().parent
        bundled = not Path(spec).exists()
        of = path.name if bundled else os.path.relpath(path, folder)
        history = [*failure.history, *([] if failure.fatal is None else [failure.fatal])]
        text = scenario_of(game, of, "found by fuzz", history, failure.problem, folder)
        if text is None:
            lines.append(f"not saved as a scenario: {_why_no_scenario(failure.problem)}; use --save")
        else:
            write_text(save_scenario, text)
            lines.append(f"run it: {shlex.join(['cardgame', 'test', save_scenario])}")
    return lines


def _why_no_scenario(problem: Problem) -> str:
    """Return why a scenario cannot express the failure of a check."""
    if problem.check in ("leak", "truths"):
        return "a leak is a difference of two plays, and a scenario is one play"
    return f"scenarios do not test `{problem.check}`"


# ---- as text


def _write_report(
    run: Sweep, report: Report, found: Signature, spec: str, written: list[str], given: dict[str, str]
) -> None:  # fmt: skip
    click.echo(_heading(run, report, found, given))
    if report.failure is not None:
        _write_failure(report.failure, spec, written)
    else:
        stopped = f" so far; stopped after {report.playouts:,} of {run.playouts:,} plays" if run.stopped else ""
        open_points = _open_points(report)
        but = f", but {open_points}" if open_points else ""
        say(wrapped(f"No failure found{stopped}{but}.", "  "), "red" if stopped else "yellow" if but else "green")
    for section in (_plays(run, report), _checks(report), _hidden(report), _rule_tags(report)):
        title, *lines = section
        if lines:
            click.echo("\n".join(["", title, *lines]))


def _heading(run: Sweep, report: Report, found: Signature, given: dict[str, str]) -> str:
    """Return the game, its number of plays, and the settings."""
    from interpreter.setting import number_of_players  # late: help

    settings = list(dict.fromkeys(piece.setting for piece in run.pieces))
    head = f"{found.title}: {counted(report.playouts, 'random play')}, seed {report.seed}, "
    if len(settings) == 1:
        texts = settings[0].texts()
        setting = "".join(f", {name}={value}" for name, value in texts.items())
        return wrapped(f"{head}{number_of_players((settings[0].players,) * 2)}{setting}", "  ")
    players = [setting.players for setting in settings]
    varied = [name for name, _ in settings[0].options if len({setting[name] for setting in settings}) > 1]
    parts = [number_of_players((min(players), max(players))), *(f"{name}={value}" for name, value in given.items())]
    if varied:
        named = ", ".join(varied) if len(varied) <= MOST_NAMED else f"{len(varied)} options"
        parts.append(f"{named} at {'every value' if run.left_out == 0 else 'several values'}")
    if run.left_out != 0:
        many = "many" if run.left_out is None else f"{run.left_out:,}"
        parts.append(f"{many} more settings left out: choose others with --plays, --players and --option")
    tried = len(report.settings)
    begun = "" if tried == len(settings) else f", {tried} of them played"
    return wrapped(f"{head}{len(settings)} settings{begun} ({'; '.join(parts)})", "  ")


def _plays(run: Sweep, report: Report) -> Iterator[str]:
    yield "Plays"
    if report.lengths:
        ends = ", ".join(f"{count:,} {name}" for name, count in sorted(report.terminations.items()))
        yield from _item("ended", ends)
        low, middle, high = report.spread(report.lengths)
        yield from _item("decisions", f"{report.decisions:,} in total; {low:,} to {high:,} per play, median "
                                    f"{middle:g}, limit {report.max_decisions:,}")  # fmt: skip
        for who, spread in _scores(report).items():
            yield from _item(who, f"{spread['min']:g} to {spread['max']:g}, median {spread['median']:g}")
    if _out_of_time(run, report):
        settings = {piece.setting for piece in run.pieces}
        yield from _item("time limit", f"{run.seconds:g} s reached: {report.playouts:,} of {run.playouts:,} plays "
                         f"started, {len(report.lengths):,} completed, {len(report.settings)} of {len(settings)} "
                         "settings; use --seconds for more")  # fmt: skip


def _out_of_time(run: Sweep, report: Report) -> bool:
    """Return whether the time limit ended the run before all plays were completed."""
    ended = report.unfinished > 0 or report.playouts < run.playouts
    return run.seconds is not None and ended and report.failure is None and not run.stopped


def _checks(report: Report) -> Iterator[str]:
    yield "States checked"
    known = {check for checks in CHECKS.values() for check in checks}
    others = {name: name for name in _counts(report) if name not in known | set(HIDDEN)}
    for group, checks in {**CHECKS, "other": others}.items():
        made = [f"{name}: {report.tally[check]:,}" for check, name in checks.items() if report.tally.get(check)]
        if made:
            yield from _item(group, "; ".join(made))


def _hidden(report: Report) -> Iterator[str]:
    """Give the lines about hidden information: checks, statements that reveal, and branches that were not compared."""
    tally, decisions = report.tally, report.tally.get("actions", 0)
    leak = report.failure is not None and report.failure.problem.check in ("leak", "truths")
    verdict = "leak found" if leak else _open_points(report) or "no leak found"
    yield wrapped(f"{'Hidden information':<{LABEL}} {verdict}", " " * (LABEL + 1))
    if tally.get("resamples"):
        views, alone = tally["resamples"], tally["resamples without another world"]
        none = f"; none came up for {alone:,}, which remain unchecked" if alone else ""
        yield from _item(HIDDEN["worlds"], f"compared for {views - alone:,} of {views:,} player views{none}")
    for name in ("truths", "exchange"):
        if tally.get(name):
            yield from _item(HIDDEN[name], f"checked at {tally[name]:,} of {decisions:,} decisions")
    if report.published:
        yield from _item("revealed by statements", f"{len(report.published)}; write `openly` before one if intended:")
    for span, what, tags in _published(report):
        rule = f"[{', '.join(tags)}]" if tags else ""
        line = _first_line(span)
        by = "" if what == "this statement" else f" ({what})"
        yield f"    {span}  {line}{'' if rule in line else f'  {rule}'}{by}"
    never = _never_compared(report)
    if report.branches:
        yield from _item("branches", f"{len(report.branches) - len(never)} of {len(report.branches)} that read hidden "
                                     "information were compared both ways")  # fmt: skip
    yield from (f"    not compared: {span}  {_first_line(span)}" for span in never[:MOST_NAMED])
    if len(never) > MOST_NAMED:
        yield f"    and {len(never) - MOST_NAMED} more; more --plays may reach them"


def _never_compared(report: Report) -> list[Span]:
    """Return the branches on hidden information of which no comparison took both ways."""
    return [span for span, compared in report.branches.values() if not compared]


def _open_points(report: Report) -> str:
    """Return what keeps the report from the verdict that there is no leak; empty if nothing does."""
    revealing, never = len(report.published), len(_never_compared(report))
    parts = []
    if revealing:
        parts.append(f"{counted(revealing, 'statement')} without `openly` {'reveal' + 's' * (revealing == 1)} secrets")
    if never:
        branches = "1 branch on secrets was" if never == 1 else f"{never:,} branches on secrets were"
        parts.append(f"{branches} never compared both ways")
    return " and ".join(parts)


def _published(report: Report) -> list[tuple[Span, str, tuple[str, ...]]]:
    """Return the statements that reveal hidden information, in the order of the text."""
    found = [(span, what, tags) for (span, what), tags in report.published.items()]
    return sorted(found, key=lambda item: (item[0].source.name, item[0].start))


def _rule_tags(report: Report) -> Iterator[str]:
    coverage = report.coverage
    tags, plays = coverage.tags(), coverage.plays
    executed = [tag for tag in tags if tag.plays]
    declared = [tag.tag for tag in tags if not tag.plays and tag.declared]
    yield f"{'Rule tags':<{LABEL}} {len(executed) + len(declared)} of {len(tags)} covered"
    if not tags or not plays:
        return
    always, some = _split(executed, plays)
    said = [f"{' '.join(always)} in all plays"] if always else []
    said += [f"{tag.tag} in {tag.plays:,} of {plays:,}" for tag in some]
    yield from _item("executed", f"{len(executed)}: {', '.join(said)}")
    if declared:
        yield from _item("declarations", f"{len(declared)}: {' '.join(declared)}")
    for tag in coverage.unreached():
        yield from _item(f"{tag.tag} not executed", f"{tag.spans[0]}  {_first_line(tag.spans[0])}")
    ruled_out = coverage.ruled_out()
    if ruled_out:
        yield from _item("not in these settings", f"{len(ruled_out)}: {' '.join(ruled_out)}")


def _split(tags: Sequence[TagCount], plays: int) -> tuple[list[str], list[TagCount]]:
    """Return the tags of all plays, and the others."""
    return [tag.tag for tag in tags if tag.plays == plays], [tag for tag in tags if tag.plays != plays]


def _item(name: str, text: str) -> Iterator[str]:
    """Give the lines of a labelled text."""
    yield from wrapped(text, " " * (LABEL + 1), indent=f"  {name:<{LABEL - 2}} ").splitlines()


def _write_failure(failure: CounterExample, spec: str, written: list[str]) -> None:
    from grammar.render import more_about_codes  # late: help

    problem, found = failure.problem, failure.diagnosis
    code = f"[{problem.code}]" if problem.code else ""
    say(f"failure{code}: {problem.check}: {problem.message}", "red", bold=True)
    if problem.span is not None:
        click.echo(f"  --> {problem.span}")
        click.echo(f"   | {_first_line(problem.span)}")
    for reason in found.reasons:
        click.echo(f"   = {reason}")
    if found.cure:
        click.echo(f"   = help: {found.cure}")
    if more := more_about_codes([problem.code]):
        click.echo(f"   = {more}")
    shrunk = f", shrunk from {failure.length:,} to {counted(len(failure.actions), 'action')}"
    click.echo(f"{failure.setting}; play {failure.playout} of seed {failure.seed}"
               f"{shrunk if failure.length > len(failure.actions) else ''}:")  # fmt: skip
    sentences = failure.sentences or ("(before the first decision)",)
    for sentence in sentences if found.round is None else sentences[: found.round.before]:
        click.echo(f"    {sentence}")
    if found.round is not None:
        click.echo(f"  then repeated {found.round.times:,} times:")
        for sentence in found.round.decisions:
            click.echo(f"    {sentence}")
        click.echo(f"  changes in one repetition: {'; '.join(found.round.changes) or 'none'}")
    if found.table:
        click.echo("  the table at this point:")
        for line in found.table:
            click.echo(f"    | {line}")
    for line in written:
        click.echo(f"  {line}")
    click.echo(f"  repeat it: {_again(failure, spec)}")


def _again(failure: CounterExample, spec: str) -> str:
    words = ["cardgame", "fuzz", spec, "--seed", str(failure.seed), "--play", str(failure.playout)]
    words += ["--players", str(failure.setting.players)]
    for name, value in failure.setting.texts().items():
        words += ["--option", f"{name}={value}"]
    return shlex.join(words)


def _first_line(span: Span) -> str:
    return span.source.line(span.line).strip()


# ---- as data


def _counts(report: Report) -> dict[str, int]:
    """Return the number of times that each check was made."""
    details = ("resamples", "exchanges")
    return {name: count for name, count in report.tally.items() if not name.startswith(details)}


def _scores(report: Report) -> dict[str, dict[str, float]]:
    """Return the spread of the scores by player; one spread in a cooperative game."""
    if not report.scores:
        return {}
    seats = [0] if report.cooperative else range(max(map(len, report.scores)))
    spreads: dict[str, dict[str, float]] = {}
    for seat in seats:
        low, middle, high = report.spread([scores[seat] for scores in report.scores if seat < len(scores)])
        name = "score" if report.cooperative else f"score of seat {seat + 1}"
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
        "plays": report.playouts,
        "decisions": report.decisions,
        "length": {"min": low, "median": middle, "max": high, "limit": report.max_decisions},
        "terminations": dict(sorted(report.terminations.items())),
        "scores": _scores(report),
        "checks": dict(sorted(_counts(report).items())),
        "alternative_worlds": {
            "views": report.tally.get("resamples", 0),
            "without_another_world": report.tally.get("resamples without another world", 0),
        },
        "changed_hidden_information": {
            "checks": report.tally.get("exchanges", 0),
            "revealed": [
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
        "failure": None if report.failure is None else _failure_data(report.failure),
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
        "play": failure.playout,
        "decisions": list(failure.sentences),
        "actions": list(failure.actions),
        "shrunk_from": failure.length,
        "diagnosis": attrs.asdict(failure.diagnosis),
        "state": failure.saved,
    }
