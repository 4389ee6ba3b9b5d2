"""The report of mutation tests: how many changes of the rules the tests notice, and which they do not."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING

import click

from cli.terminal.screen import say, write_painted
from grammar.printable import in_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.mutation.run import MutationTest, Verdict


def progress() -> Callable[[MutationTest], None] | None:
    """Return what shows the progress of a run on a terminal."""
    if not sys.stderr.isatty():
        return None
    begun = monotonic()

    def watch(run: MutationTest) -> None:
        done, survived = len(run.counted), len(run.survivors)
        text = f"{done} of {run.number} mutants, {survived} survived, {monotonic() - begun:.0f} s"
        write_painted(f"\r{text}".ljust(60), err=True)
        if done == run.number:
            write_painted("\r" + " " * 60 + "\r", err=True)

    return watch


def write_report(run: MutationTest, interrupted: bool) -> None:
    """Write the report for people."""
    counted, survivors = run.counted, run.survivors
    by_scenario = sum(verdict.by.startswith("scenario") for verdict in counted)
    killed = len(counted) - len(survivors)
    for verdict in survivors:
        number = verdict.mutant.line(run.source)
        say(f"survived  line {number}: {in_line(verdict.mutant.change(run.source))}", "red")
        click.echo(f"    {number} | {in_line(run.source.line(number).strip())}")
    if survivors:
        click.echo("No test notices these changes. Write scenarios in which they make a difference, or invariants.")
    click.echo(
        f"{len(counted)} mutants: {by_scenario} killed by scenarios, {killed - by_scenario} by random plays, "
        f"{len(survivors)} survived"
    )
    left_out = len(run.verdicts) - len(counted)
    if left_out:
        click.echo(f"Not counted: {left_out} changes that the checker refuses or that change nothing.")
    if interrupted or len(counted) < run.number:
        why = "stopped" if interrupted else "time is over" if run.is_late else "the spec has no more mutants"
        click.echo(f"{why.capitalize()} after {len(counted)} of {run.number}."
                   + (" The same command continues." if interrupted or run.is_late else ""))  # fmt: skip
    if counted:
        share = 100 * killed / len(counted)
        say(f"The tests notice {share:.0f} % of the changes.", "red" if survivors else "green")


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
