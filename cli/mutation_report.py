"""The report of mutation tests: the share of changed rules that the tests detect, and the changes that survived."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.terminal.screen import say
from grammar.english import counted
from grammar.printable import in_line

if TYPE_CHECKING:
    from interpreter.mutation.run import MutationTest, Verdict


def write_report(run: MutationTest, interrupted: bool) -> None:
    """Write the report for people: the verdict, the surviving mutants, and the number of each result."""
    tested, survivors = run.counted, run.survivors
    by_scenario = sum(verdict.by.startswith("scenario") for verdict in tested)
    killed = len(tested) - len(survivors)
    if tested:
        share = f"The tests detect {killed} of {counted(len(tested), 'mutant')} ({100 * killed / len(tested):.0f} %)."
        say(share, "red" if survivors else "green")
    if survivors:
        click.echo("\nSurvived: no test detects these changes of the rules.")
    for verdict in survivors:
        number = verdict.mutant.line(run.source)
        say(f"  line {number}: {in_line(verdict.mutant.change(run.source))}", "red")
        click.echo(f"    {number} | {in_line(run.source.line(number).strip())}")
    if survivors:
        click.echo("  Write scenarios or invariants in which they make a difference.")
    left_out = len(run.verdicts) - len(tested)
    rows = [
        ("killed by scenarios", by_scenario),
        ("killed by random plays", killed - by_scenario),
        ("survived", len(survivors)),
    ]
    click.echo("\nMutants")
    for name, number in rows:
        click.echo(f"  {name:<24} {number:>5,}")
    if left_out:
        click.echo(f"  {'not counted':<24} {left_out:>5,}  (invalid, or equivalent to the original)")
    if interrupted or len(tested) < run.number:
        why = "stopped" if interrupted else "time limit" if run.is_late else "the spec has no more mutants"
        again = "; the same command continues" if interrupted or run.is_late else ""
        click.echo(f"{len(tested)} of {run.number} mutants tested: {why}{again}.")


def report_data(run: MutationTest) -> dict[str, object]:
    """Return the report as JSON data."""

    def data(verdict: Verdict) -> dict[str, object]:
        return {
            "line": verdict.mutant.line(run.source),
            "change": verdict.mutant.change(run.source),
            "outcome": verdict.outcome,
            "by": verdict.by or None,
        }

    return {
        "spec": str(run.path),
        "seed": run.tests.seed,
        "mutants": len(run.counted),
        "killed": len(run.counted) - len(run.survivors),
        "survived": len(run.survivors),
        "verdicts": [data(verdict) for verdict in run.verdicts],
    }
