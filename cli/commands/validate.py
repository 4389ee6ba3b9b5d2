"""`cardgame validate`: check specs without playing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import attrs
import click

from cli.arguments import format_option, settings_options, write_json
from cli.failures import AT_FAULT, FINE
from cli.terminal.screen import wants_color, write_painted
from grammar.english import counted
from grammar.printable import in_line
from grammar.render import more_about_codes, objects, render_concise, render_full

if TYPE_CHECKING:
    from interpreter.validate import Summary, Validation


@click.command("validate")
@click.argument("specs", metavar="SPEC...", nargs=-1, required=True)
@format_option("text", "concise", "json", about="text: with the lines of the spec; concise: one line a message.")
@settings_options
@click.pass_context
def validate(
    ctx: click.Context, specs: tuple[str, ...], form: str, players: int | None, options: dict[str, Any]
) -> None:
    """Check each SPEC and report its errors, warnings and notes.

    The command checks every number of players with the defaults and with every option value (of a range: its ends and
    a value between), and every pair of option values.  If a spec has too many, the report says how many were checked;
    --players and --option choose others.

    For a valid spec the command prints a summary: cards, decisions, actions, longest play and returns.  The exit code
    is 1 if a spec has an error; warnings and notes do not change it.

    \b
    Examples:
      cardgame validate chalice_and_wand
      cardgame validate my_game.cardgame --format concise
      cardgame validate games/*.cardgame --format json
    """
    from interpreter.validate import validate as check  # late: help

    found = [check(spec, players, options) for spec in specs]
    if form == "json":
        write_json([_data(one) for one in found])
    else:
        for one in found:
            _write(ctx, one, form)
        more = more_about_codes(d.code for one in found for d in one.diagnostics)
        if more and form == "text":
            click.echo(more)
    ctx.exit(FINE if all(one.sound for one in found) else AT_FAULT)


def _write(ctx: click.Context, found: Validation, form: str) -> None:
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
        ("actions", f"{sum(summary.actions.values())}: "
                          + ", ".join(f"{verb} {count}" for verb, count in summary.actions.items())),
        ("longest play", f"{summary.longest} decisions"),
        ("returns", f"{summary.utility}, {bounds}"),
        ("rule tags", str(summary.tags)),
        ("settings", _covered(summary, found)),
    ]  # fmt: skip
    lines = [f"{in_line(str(found.path))}: {summary.title} is valid"]
    return "\n".join([*lines, *(f"  {name:<14}{value}" for name, value in rows)])


def _covered(summary: Summary, found: Validation) -> str:
    """Return the number of settings that were checked, and what they cover."""
    met, every = found.pairs
    low, high = summary.players
    options = len(summary.options)
    if met < every or (found.planned or 0) > found.settings:
        whole = "many" if found.planned is None else f"{found.planned:,}"
        pairs = f", with {met:,} of {every:,} pairs of values" if options else ""
        return f"{found.settings} of {whole} checked{pairs}; choose others with --players and --option"
    checked = f"{found.settings} checked"
    if not options or found.narrowed:
        return checked
    values = "every option value" if options == 1 else "every pair of option values"
    if low == high:
        return f"{checked}: {values}"
    if options == 1:
        return f"{checked}: {values} for every number of players"
    return f"{checked}: {values}, and every value for every number of players"


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
