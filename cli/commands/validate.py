"""`cardgame validate`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import attrs
import click

from cli.arguments import read_options
from cli.failures import AT_FAULT, FINE
from cli.terminal.screen import wants_color, write_painted
from grammar.english import counted
from grammar.printable import in_line
from grammar.render import objects, render_concise, render_full, told_more

if TYPE_CHECKING:
    from interpreter.validate import Summary, Validation


@click.command("validate")
@click.argument("specs", metavar="SPEC...", nargs=-1, required=True)
@click.option(
    "--format", "form", type=click.Choice(["full", "concise", "json"]), default="full", show_default=True,
    help="full: with the lines of the spec; concise: one line each; json: for programs.",
)  # fmt: skip
@click.option("--players", type=click.IntRange(1), metavar="N", help="Check only this number of players.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", callback=read_options,
    help="Check only settings with this value of an option; may be repeated.",
)  # fmt: skip
@click.pass_context
def validate(
    ctx: click.Context, specs: tuple[str, ...], form: str, players: int | None, options: dict[str, Any]
) -> None:
    """Check each SPEC for every number of players and every two values of options together (of ranges the ends and one
    between).  What that leaves out of a large spec is told; --players and --option narrow it down.

    A sound spec is summed up: its cards, decisions, small actions, longest play and returns.  Exit code 1
    if any spec has an error; warnings and notes do not count.

    \b
    Examples:
      cardgame validate chalice_and_wand
      cardgame validate my_game.cardgame --format concise
      cardgame validate games/*.cardgame --format json
    """
    from interpreter.validate import validate as check  # late: help

    found = [check(spec, players, options) for spec in specs]
    if form == "json":
        click.echo(json.dumps([_data(one) for one in found], indent=2))
    else:
        for one in found:
            _tell(ctx, one, form)
        more = told_more(d.code for one in found for d in one.diagnostics)
        if more and form == "full":
            click.echo(more)
    ctx.exit(FINE if all(one.sound for one in found) else AT_FAULT)


def _tell(ctx: click.Context, found: Validation, form: str) -> None:
    if form == "concise":
        click.echo(render_concise(found.diagnostics), nl=False)
        return
    if found.diagnostics:
        write_painted(render_full(found.diagnostics, wants_color(ctx, sys.stdout)) + "\n")
    if found.summary is not None:
        click.echo(_summary(found.summary, found))
        return
    errors = sum(d.is_error for d in found.diagnostics)
    click.echo(f"{in_line(str(found.path))}: {counted(errors, 'error')}")


def _summary(summary: Summary, found: Validation) -> str:
    low, high = summary.players
    bounds = " to ".join(_number(n) for n in summary.utility_range)
    rows = [
        ("players", f"{low}" if low == high else f"{low} to {high}"),
        ("cards", f"{summary.cards}, of {summary.faces} faces"),
        ("options", ", ".join(f"{name} = {value}" for name, value in summary.options.items()) or "none"),
        ("phases", str(summary.phases)),
        ("decisions", str(summary.decisions)),
        ("small actions", f"{sum(summary.actions.values())}: "
                          + ", ".join(f"{verb} {count}" for verb, count in summary.actions.items())),
        ("longest play", f"{summary.longest} small actions"),
        ("returns", f"{summary.utility}, {bounds}"),
        ("rule tags", str(summary.tags)),
        ("settings", _covered(found)),
    ]  # fmt: skip
    lines = [f"{in_line(str(found.path))}: {summary.title} is sound"]
    return "\n".join([*lines, *(f"  {name:<14}{value}" for name, value in rows)])


def _covered(found: Validation) -> str:
    """Say how many settings were checked, and what they stand for."""
    met, every = found.pairs
    if met < every or (found.planned or 0) > found.settings:
        whole = "more than can be counted" if found.planned is None else f"{found.planned:,}"
        pairs = f", with {met:,} of the {every:,} pairs of options' values" if every else ""
        return (
            f"{found.settings} of {whole} checked{pairs}: one run allows no more; "
            "check others with --players and --option"
        )
    checked = f"{found.settings} checked"
    if not every or found.narrowed:
        return checked
    players = "" if found.summary is None or len(set(found.summary.players)) == 1 else " at every number of players"
    single = found.summary is not None and len(found.summary.options) == 1
    values = "every value of options" if single else "every two values of options together"
    return f"{checked}: {values}{players}"


def _number(value: float) -> str:
    return "unbounded" if value in (float("inf"), float("-inf")) else f"{value:g}"


def _data(found: Validation) -> dict[str, Any]:
    summary = None
    if found.summary is not None:
        summary = attrs.asdict(found.summary)
        summary["utility_range"] = [None if abs(n) == float("inf") else n for n in found.summary.utility_range]
    return {
        "file": str(found.path),
        "sound": found.sound,
        "settings": found.settings,
        "planned": found.planned,
        "pairs": {"checked": found.pairs[0], "all": found.pairs[1]},
        "diagnostics": objects(found.diagnostics),
        "summary": summary,
    }
