"""`cardgame test`: run the scenarios of games."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from cli.failures import AT_FAULT, USAGE
from cli.terminal.screen import say
from grammar.printable import in_line

if TYPE_CHECKING:
    from pathlib import Path

    from interpreter.drivers.scenario import Result


@click.command(
    "test",
    short_help="Run the scenarios of a game.",
    epilog="""\b
Examples:
  cardgame test chalice_and_wand
  cardgame test my_game.cardgame more.scenarios
  cardgame test my_game.scenarios --only "empty hand" --verbose

Exit codes: 0 all passed; 1 a scenario failed, or a file is at fault; 2 wrong usage.""",
)
@click.argument("targets", nargs=-1, required=True, metavar="SPEC|SCENARIOS...")
@click.option("--only", metavar="WORDS", help="Run only the scenarios whose name or tags contain these words.")
@click.option("--verbose", is_flag=True, help="Name the scenarios that passed too.")
@click.option(
    "--format", "form", type=click.Choice(["full", "json"]), default="full", show_default=True,
    help="How to report.",
)  # fmt: skip
@click.pass_context
def command(ctx: click.Context, targets: tuple[str, ...], only: str | None, verbose: bool, form: str) -> None:
    """Run scenarios: cards are put in place, players act, and the rules must do what is expected.

    SPEC stands for the file of its name that ends in `.scenarios` beside it; a file of scenarios can be
    named itself.
    """
    from grammar.diagnostics import SpecError  # late: help
    from grammar.render import objects  # late: help
    from interpreter.drivers.scenario import run_file, scenario_files  # late: help

    results: list[tuple[Path, Result]] = []
    faulty: list[dict[str, object]] = []
    for target in targets:
        files = scenario_files(target)
        if not files:
            click.echo(f"`{target}` has no scenarios: there is no file of its name that ends in `.scenarios`", err=True)
            ctx.exit(USAGE)
        for path in files:
            try:
                results.extend((path, result) for result in run_file(path, only))
            except SpecError as error:
                if form != "json":
                    raise
                faulty.append({"file": str(path), "passed": False, "diagnostics": objects(error.diagnostics)})
    if not results and not faulty:
        click.echo("no scenario has these words in its name or tags", err=True)
        ctx.exit(USAGE)
    if form == "json":
        told = [*(_data(path, result) for path, result in results), *faulty]
        click.echo(json.dumps(told, indent=2))
    else:
        _report(results, verbose)
    if faulty or not all(result.passed for _, result in results):
        ctx.exit(AT_FAULT)


def _report(results: list[tuple[Path, Result]], verbose: bool) -> None:
    for _, result in results:
        tags = f" [{', '.join(result.tags)}]" if result.tags else ""
        if result.failure is not None:
            span = result.failure.span
            say(f"failed  {result.name}{tags}", "red", bold=True)
            click.echo(f"    {in_line(span.source.name)}:{span.line}: {result.failure.message}")
            click.echo(f"    {span.line:>4} | {span.source.line(span.line).strip()}")
            for line in result.failure.table.splitlines():
                click.echo(f"         | {line}")
        elif verbose:
            click.echo(f"passed  {result.name}{tags}")
    failed = sum(not result.passed for _, result in results)
    passed = len(results) - failed
    say(f"{passed} passed, {failed} failed", "red" if failed else "green")


def _data(path: Path, result: Result) -> dict[str, object]:
    data: dict[str, object] = {
        "file": str(path),
        "line": result.span.line,
        "scenario": result.name,
        "tags": list(result.tags),
        "passed": result.passed,
        "rules_reached": sorted(result.reached),
    }
    if result.failure is not None:
        data["failure"] = {"line": result.failure.span.line, "message": result.failure.message}
    return data
