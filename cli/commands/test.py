"""`cardgame test`: run the scenarios of games."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING

import click

from cli.arguments import check_writable, format_option, seed_option, write_json
from cli.failures import AT_FAULT, COUNTER_EXAMPLE, USAGE
from cli.stopping import STOPPED
from cli.terminal.screen import say, wants_color, write_painted
from cli.terminal.working import Progress
from grammar.files import write_text
from grammar.printable import in_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cli.junit import Ran


@click.command(
    "test",
    epilog="""\b
Examples:
  cardgame test chalice_and_wand
  cardgame test my_game.cardgame more.scenarios
  cardgame test my_game.scenarios --only "empty hand" --verbose
  cardgame test my_game.cardgame --junit results.xml
  cardgame test my_game.cardgame --mutants 50

Exit codes: 0 all passed; 1 a scenario failed, or a file has errors; 2 wrong usage; 3 a mutant survived.""",
)
@click.argument("targets", nargs=-1, required=True, metavar="SPEC|SCENARIOS...")
@click.option("--only", metavar="WORDS", help="Run only scenarios whose name or tags contain WORDS.")
@click.option("--verbose", is_flag=True, help="List passed scenarios too.")
@seed_option
@click.option("--if-any", is_flag=True, help="Skip specs without scenarios.")
@click.option(
    "--mutants", type=click.IntRange(1, 10_000), metavar="N",
    help="Change the rules of one SPEC in N ways, and report the changes that no test detects.",
)  # fmt: skip
@click.option(
    "--seconds", type=click.FloatRange(1), metavar="N", help="With --mutants: start no mutant after N seconds."
)
@click.option("--junit", metavar="FILE", help="Write the results to FILE as JUnit XML.")
@format_option("text", "json")
@click.pass_context
def command(
    ctx: click.Context,
    targets: tuple[str, ...],
    only: str | None,
    verbose: bool,
    seed: int,
    if_any: bool,
    mutants: int | None,
    seconds: float | None,
    junit: str | None,
    form: str,
) -> None:
    """Run scenarios: set up a position, carry out actions, and check the expected results.

    SPEC is a game with a file of the same name that ends in `.scenarios`; SCENARIOS is such a file.  --seed determines
    the order of cards and the chance that scenarios leave open.

    With --mutants, the command changes one detail of the rules at a time (a comparison, a number, a condition, a
    statement), then runs the scenarios and a few random plays with all checks of `cardgame fuzz`.  The report lists
    the changes that no test detects.  Results are cached: a run that was stopped continues.
    """
    from cli.junit import junit_xml  # late: help
    from interpreter.scenarios.scenario import scenario_files  # late: help

    if mutants is not None or seconds is not None:
        if mutants is None:
            raise click.UsageError("--seconds needs --mutants")
        if len(targets) != 1 or only is not None or junit is not None or if_any:
            raise click.UsageError("--mutants takes one SPEC and no --only, --junit or --if-any")
        _run_mutants(ctx, targets[0], mutants, seconds, seed, form)
        return
    if junit is not None:
        check_writable(junit)
    paths: dict[Path, None] = {}
    for target in targets:
        files = scenario_files(target)
        if not files and not if_any:
            click.echo(
                f"Error: `{target}` has no scenarios: there is no file of the same name that ends in `.scenarios`",
                err=True,
            )
            ctx.exit(USAGE)
        paths.update(dict.fromkeys(files))
    ran = [one for path in paths for one in run_scenarios(path, only, seed)]
    if not ran and (paths or not if_any):
        click.echo("Error: no scenario has these words in its name or tags", err=True)
        ctx.exit(USAGE)
    if junit is not None:
        write_text(junit, junit_xml(ran))
    if form == "json":
        write_json([_data(one) for one in ran])
    else:
        report_scenarios(ctx, ran, verbose=verbose)
    if not all(one.result.passed for one in ran):
        ctx.exit(AT_FAULT)


def _run_mutants(ctx: click.Context, target: str, number: int, seconds: float | None, seed: int, form: str) -> None:
    """Run the mutation tests of a spec, if its own tests pass."""
    from cli.mutation_report import report_data, write_report  # late: help
    from interpreter.loader import find_spec  # late: help
    from interpreter.mutation.run import MutationTest  # late: help
    from interpreter.scenarios.scenario import scenario_files  # late: help

    path = find_spec(target)
    run = MutationTest.of(path, scenario_files(path), seed, number, seconds)
    failing = run.failing_test()
    if failing is not None:
        click.echo(f"a test fails without any change: {in_line(failing)}", err=True)
        click.echo(f"see `cardgame test {in_line(target)}` and `cardgame fuzz {in_line(target)}`", err=True)
        ctx.exit(AT_FAULT)
    interrupted = False
    try:
        progress = Progress(run.number, "mutants")
        run.run(lambda run: progress.show(len(run.counted), f", {len(run.survivors)} survived"))
    except KeyboardInterrupt:
        interrupted = True
    if form == "json":
        write_json(report_data(run))
    else:
        write_report(run, interrupted)
    if interrupted:
        ctx.exit(STOPPED)
    if run.survivors:
        ctx.exit(COUNTER_EXAMPLE)


def run_scenarios(path: Path, only: str | None, seed: int) -> Iterator[Ran]:
    """Run the scenarios of a file, if its game has no errors."""
    from cli.junit import Ran  # late: help
    from grammar.diagnostics import SpecError  # late: help
    from grammar.source import read_source  # late: help
    from interpreter.scenarios.scenario import Result, Suite  # late: help

    try:
        suite = Suite.of(read_source(path), path.parent, seed)
        for case in suite.cases:
            if case.has(only):
                begun = perf_counter()
                yield Ran(path, suite.run(case), perf_counter() - begun)
    except SpecError as error:
        yield Ran(path, Result("", error.diagnostics[0].span, (), diagnostics=error.diagnostics))


def report_scenarios(ctx: click.Context, ran: list[Ran], *, verbose: bool = False) -> None:
    """Write the failures of scenarios, and how many passed."""
    from grammar.render import more_about_codes, render_full  # late: help
    from interpreter.scenarios.scenario import failure_report  # late: help

    for one in ran:
        result = one.result
        tags = f" [{', '.join(result.tags)}]" if result.tags else ""
        name = result.name or in_line(str(one.path))
        if not result.passed:
            say(f"failed  {name}{tags}", "red", bold=True)
        elif verbose:
            click.echo(f"passed  {name}{tags}")
        if result.failure is not None:
            for line in failure_report(result).splitlines():
                click.echo(f"    {line}")
        if result.diagnostics:
            write_painted(render_full(result.diagnostics, wants_color(ctx, sys.stdout)) + "\n")
    failed = sum(not one.result.passed for one in ran)
    passed = len(ran) - failed
    codes = {d.code for one in ran for d in one.result.diagnostics}
    codes |= {one.result.failure.code for one in ran if one.result.failure is not None}
    if more := more_about_codes(codes):
        click.echo(more)
    say(f"{passed} passed, {failed} failed", "red" if failed else "green")


def _data(one: Ran) -> dict[str, object]:
    from grammar.render import objects  # late: help

    result = one.result
    if not result.name:
        return {"file": str(one.path), "passed": False, "diagnostics": objects(result.diagnostics)}
    data: dict[str, object] = {
        "file": str(one.path),
        "line": result.span.line,
        "scenario": result.name,
        "tags": list(result.tags),
        "passed": result.passed,
        "rules_reached": sorted(result.reached),
    }
    if result.failure is not None:
        rule = result.failure.rule
        data["failure"] = {
            "line": result.failure.span.line,
            "message": result.failure.message,
            "rule": None if rule is None else {"file": rule.source.name, "line": rule.line},
            "table": result.failure.table.splitlines(),
        }
    if result.diagnostics:
        data["diagnostics"] = objects(result.diagnostics)
    return data
