"""`cardgame explain`: explain a diagnostic with an example and its correction."""

from __future__ import annotations

import attrs
import click

from cli.arguments import format_option, write_json
from grammar.printable import in_line


@click.command("explain")
@click.argument("code", metavar="CODE")
@format_option("text", "json")
def explain(code: str, form: str) -> None:
    """Explain a diagnostic, given by its CODE or its name, with an example and its correction.

    \b
    Examples:
      cardgame explain CG407
      cardgame explain unknown-name
    """
    from grammar.codes import REGISTRY  # late: help
    from grammar.suggest import did_you_mean  # late: help

    wanted = code.strip().lower()
    found = next((c for c in REGISTRY.values() if wanted in (c.code.lower(), c.name)), None)
    if found is None:
        known = [word for c in REGISTRY.values() for word in (c.code, c.name)]
        help_ = did_you_mean(code, known) or "docs/diagnostics.md lists all"
        raise click.UsageError(f"there is no diagnostic `{code}`; {help_}")
    if form == "json":
        write_json({**attrs.asdict(found), "severity": found.severity.value})
        return
    click.echo(f"{found.code} {found.name} ({found.severity.value}): {found.summary}\n")
    click.echo(click.wrap_text(found.explanation, 80))
    for title, text in (("example", found.bad), ("corrected", found.good)):
        if text:
            click.echo(f"\n{title}:\n")
            click.echo("".join(f"    {_printable(line)}\n" for line in text.splitlines()), nl=False)


def _printable(line: str) -> str:
    """Return a line of an example as a terminal can show it."""
    shown = in_line(line)
    return shown if len(shown) <= 110 else shown[:100] + " .."
