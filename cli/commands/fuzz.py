"""`cardgame fuzz`: play seeded random games and check what must hold for every game."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cli.arguments import setting_options
from cli.failures import AT_FAULT, COUNTER_EXAMPLE
from cli.terminal.screen import say, write_painted

if TYPE_CHECKING:
    from grammar.source import Span
    from interpreter.drivers.coverage import TagCount
    from interpreter.drivers.fuzz import CounterExample, Report
    from interpreter.runtime.game import Game

WATCH_EVERY = 10
"""Playouts between two notes of how far it is."""


@click.command(
    "fuzz",
    short_help="Play random games and check every state.",
    epilog="""\b
Examples:
  cardgame fuzz chalice_and_wand
  cardgame fuzz chalice_and_wand --option hands=open --playouts 2000
  cardgame fuzz my_game.cardgame --players 3 --seed 7 --format json
  cardgame fuzz my_game.cardgame --seed 7 --playout 41

Exit codes: 0 nothing was found; 1 the spec has mistakes; 2 wrong usage; 3 a counter-example was found.""",
)
@click.argument("spec")
@click.option(
    "--playouts", type=click.IntRange(1, 10_000_000), default=200, show_default=True, help="How many games to play."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="What all chance follows from.")
@click.option("--playout", type=click.IntRange(0), metavar="N", help="Play only playout N, as a failure names it.")
@setting_options
@click.option(
    "--format", "form", type=click.Choice(["full", "json"]), default="full", show_default=True, help="How to report."
)
@click.pass_context
def command(
    ctx: click.Context,
    spec: str,
    playouts: int,
    seed: int,
    playout: int | None,
    players: int | None,
    options: dict[str, str],
    form: str,
) -> None:
    """Play random games of SPEC and check every state.

    Checked are: cards conserved, places not too full, variables in their ranges, the spec's invariants,
    length and returns within their bounds, legal actions (some, ordered, with texts that read back),
    illegal ones refused without effect, copies and saved states equal, chances that add up to 1, the same
    seed giving the same play, and that nothing a player may do or sees tells what they may not know.

    For that, plays are also carried out twice, the second time with something exchanged that a player, or an
    onlooker, cannot know: unseen cards, hidden values, secret decisions. All that is shown must be the same, unless
    a statement publishes it; statements that do are named. `openly` in front of one says that it is meant.

    The first failure is shortened as far as it still fails, and ends the run with exit code 3.
    """
    from grammar.diagnostics import SpecError  # late: help
    from grammar.render import objects  # late: help
    from interpreter.drivers.fuzz import fuzz  # late: help
    from interpreter.loader import load  # late: help

    try:
        game = load(spec, players, options)
    except SpecError as error:
        if form != "json":
            raise
        click.echo(json.dumps({"diagnostics": objects(error.diagnostics)}, indent=2))
        ctx.exit(AT_FAULT)
    first, count = (0, playouts) if playout is None else (playout, 1)
    report = fuzz(game, count, seed, first, _watcher(count))
    if form == "json":
        click.echo(json.dumps(_data(report), indent=2))
    else:
        _tell(report, spec)
    if report.failure is not None:
        ctx.exit(COUNTER_EXAMPLE)


def _watcher(count: int) -> Callable[[int], None] | None:
    """Return what notes the progress of a long run, where somebody is watching."""
    if not sys.stderr.isatty() or count <= WATCH_EVERY:
        return None

    def watch(done: int) -> None:
        if done % WATCH_EVERY == 0:
            write_painted(f"\r{done} of {count} playouts", err=True)
        if done == count - 1:
            write_painted("\r" + " " * 40 + "\r", err=True)

    return watch


# ---- in words


def _tell(report: Report, spec: str) -> None:
    game = report.game
    setting = " ".join(f"{name}={value}" for name, value in game.option_texts().items())
    click.echo(f"{game.title}, {game.num_players} players{', ' if setting else ''}{setting}")
    if report.failure is not None:
        _tell_failure(report.failure, game, spec)
    found = "no counter-example" if report.failure is None else "stopped at a counter-example"
    say(f"{_plural(report.playouts, 'playout')} of seed {report.seed}: {found}",
        "green" if report.failure is None else "red")  # fmt: skip
    if report.lengths:
        _tell_plays(report)
    if report.tally:
        _line("checks", "; ".join(f"{name} {count:,}" for name, count in sorted(_checks(report).items())))
    _tell_worlds(report)
    _tell_exchanges(report)
    _tell_rules(report)


def _tell_plays(report: Report) -> None:
    low, middle, high = report.spread(report.lengths)
    _line("decisions", f"{report.decisions:,}; in a play {low} to {high}, median {middle:g} (bound "
                       f"{report.game.max_decisions:,})")  # fmt: skip
    _line("ends", ", ".join(f"{name} {count:,}" for name, count in sorted(report.terminations.items())))
    for who, spread in _scores(report).items():
        _line(who, f"{spread['min']} to {spread['max']}, median {spread['median']:g}")


def _tell_worlds(report: Report) -> None:
    asked = report.tally.get("resamples", 0)
    if asked:
        _line("other worlds", f"{asked:,} looked for; none other than the true one found {report.unchanged_share:.0%}")


def _tell_exchanges(report: Report) -> None:
    made = report.tally.get("exchanges", 0)
    if made:
        _line("exchanges", f"{made:,} of what a player or an onlooker cannot know")
    for span, what, tags in _published(report):
        rule = f" [{', '.join(tags)}]" if tags else ""
        _line("", f"published by {what}: {span}  {_first_line(span)}" + ("" if rule in _first_line(span) else rule))


def _published(report: Report) -> list[tuple[Span, str, tuple[str, ...]]]:
    """Return the statements that tell hidden things on purpose, in the order of the text."""
    found = [(span, what, tags) for (span, what), tags in report.published.items()]
    return sorted(found, key=lambda item: (item[0].source.name, item[0].start))


def _tell_rules(report: Report) -> None:
    tags = report.coverage.tags()
    if not tags:
        return
    plays = report.coverage.plays
    carried = [tag for tag in tags if tag.plays]
    declared = [tag.tag for tag in tags if not tag.plays and tag.declared]
    _line("rules", f"{len(carried)} of {len(tags)} tags carried out in {_plural(plays, 'whole play')}: "
                   + " ".join(_tag_text(tag, plays) for tag in carried))  # fmt: skip
    if declared:
        _line("", f"{len(declared)} hold by declaration: {' '.join(declared)}")
    for tag in report.coverage.unreached():
        _line("", f"{tag.tag} was never reached: {tag.spans[0]}  {_first_line(tag.spans[0])}")


def _tag_text(tag: TagCount, plays: int) -> str:
    return tag.tag if tag.plays == plays else f"{tag.tag} (in {tag.plays})"


def _tell_failure(failure: CounterExample, game: Game, spec: str) -> None:
    problem = failure.problem
    code = f"[{problem.code}]" if problem.code else ""
    say(f"counter-example{code}: {problem.check}: {problem.message}", "red", bold=True)
    if problem.span is not None:
        click.echo(f"  --> {problem.span}")
        click.echo(f"   | {_first_line(problem.span)}")
    click.echo(f"playout {failure.playout} of seed {failure.seed}, shortened from "
               f"{_plural(failure.length, 'small action')} to {len(failure.actions)}:")  # fmt: skip
    for sentence in failure.sentences or ("(before anybody decides)",):
        click.echo(f"    {sentence}")
    click.echo(f"  again: {_again(failure, game, spec)}")


def _again(failure: CounterExample, game: Game, spec: str) -> str:
    words = ["cardgame", "fuzz", spec, "--seed", str(failure.seed), "--playout", str(failure.playout)]
    words += ["--players", str(game.num_players)]
    for name, value in game.option_texts().items():
        words += ["--option", f"{name}={value}"]
    return shlex.join(words)


def _line(name: str, text: str) -> None:
    click.echo(f"  {name:<13} {text}")


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


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
    seats = [0] if report.game.cooperative else range(report.game.num_players)
    spreads: dict[str, dict[str, float]] = {}
    for seat in seats:
        low, middle, high = report.spread([scores[seat] for scores in report.scores])
        name = "score" if report.game.cooperative else f"score {seat + 1}"
        spreads[name] = {"min": low, "median": middle, "max": high}
    return spreads


def _data(report: Report) -> dict[str, Any]:
    low, middle, high = report.spread(report.lengths)
    return {
        "game": report.game.describe(),
        "seed": report.seed,
        "playouts": report.playouts,
        "decisions": report.decisions,
        "length": {"min": low, "median": middle, "max": high, "bound": report.game.max_decisions},
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
        "seed": failure.seed,
        "playout": failure.playout,
        "decisions": list(failure.sentences),
        "actions": list(failure.actions),
        "shortened_from": failure.length,
        "state": failure.saved,
    }
