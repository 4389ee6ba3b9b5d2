"""What is written where, and whether in colour.

Colour is decided once: `--color` first, then `NO_COLOR`, then whether a terminal reads.
"""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from rich.console import Console

NARROWEST = 40


def wants_color(ctx: click.Context, stream: IO[str]) -> bool:
    """Say whether to write colours to a stream."""
    asked = ctx.find_root().obj
    if asked in ("always", "never"):
        return bool(asked == "always")
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def make_console(ctx: click.Context, stream: IO[str]) -> Console:
    """Return a console on a stream; texts are written as they are, nothing in them is markup."""
    from rich.console import Console

    class PipedConsole(Console):
        """A console that leaves it to `cli.failures` what happens when its reader has gone."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    color = wants_color(ctx, stream)
    # Without a terminal rich would take 80 columns anyway; said here, so that no size is asked for.
    width = None if stream.isatty() else 100
    return PipedConsole(
        file=stream,
        force_terminal=color,
        no_color=not color,
        color_system="auto" if color and stream.isatty() else "standard" if color else None,
        width=width,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
