"""Errors as messages and exit codes.

Every error that a user can cause has a message of its own.  Any other exception is a bug of cardgame, reported in one
line, and with a traceback if `CARDGAME_DEBUG=1`.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from cli.stopping import STOPPED, stop_at_once
from cli.terminal.screen import OutputLost, screens, wants_color, write_painted
from cli.terminal.working import working
from grammar.printable import in_line

if TYPE_CHECKING:
    from grammar.diagnostics import SpecError
    from interpreter.engine.faults import RuleError

FINE = 0
AT_FAULT = 1
USAGE = 2
COUNTER_EXAMPLE = 3
OWN_BUG = 70

RENAMED = {"--playouts": "--plays", "--blocks": "--plays", "--playout": "--play", "--seats": "--agents"}
"""Options that have another name now."""


class PlayRefused(click.ClickException):
    """A play, or a file about one, that is not in order: a message, and exit code 1."""

    exit_code = AT_FAULT

    def show(self, file: object = None) -> None:
        """Write the message to standard error."""
        del file
        click.echo(self.format_message(), err=True)


def run_guarded(ctx: click.Context, run: Callable[[], object]) -> object:
    """Run a command; turn what it raises into a message on standard error and an exit code."""
    try:
        if signal.getsignal(signal.SIGINT) is stop_at_once:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        with working():
            return run()
    except click.NoSuchOption as error:
        new = RENAMED.get(error.option_name)
        has = {name for param in (error.ctx or ctx).command.params for name in param.opts}
        if new not in has:
            raise
        raise click.UsageError(f"the option `{error.option_name}` is now `{new}`", error.ctx) from None
    except (click.ClickException, click.exceptions.Exit, click.Abort, OutputLost):
        raise
    except KeyboardInterrupt:
        with suppress(KeyboardInterrupt):
            click.echo("stopped", err=True)
        ctx.exit(STOPPED)
    except Exception as error:
        ctx.exit(_report(ctx, error))


def run_on_screens(run: Callable[[], object], *, is_process: bool) -> object:
    """Run the whole command line with screens for its streams; end with a message where nothing can be written.

    With `is_process` the process ends after it.  Ctrl-C then ends it at once, even if Python waits; while
    Python clears its modules, which needs no waiting, Ctrl-C is ignored, since it would replace the exit code.
    """
    if is_process:
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    try:
        return _run_on_screens(run)
    except KeyboardInterrupt:  # Another one, while the first was dealt with.
        sys.exit(STOPPED)
    finally:
        if is_process:
            signal.signal(signal.SIGINT, stop_at_once)


def _run_on_screens(run: Callable[[], object]) -> object:
    with screens() as out:
        with suppress(OutputLost):
            try:
                return run()
            finally:
                out.flush()
                if out.lost is not None:  # The caller that caught it may not have reported it.
                    raise out.lost
        assert out.lost is not None
        if not out.lost.gone:
            click.echo(f"Error: standard output: {out.lost}", err=True)
        sys.exit(FINE if out.lost.gone else USAGE)


def _report(ctx: click.Context, error: Exception) -> int:
    if os.environ.get("CARDGAME_DEBUG"):
        import traceback  # late: help

        click.echo(traceback.format_exc(), err=True)
    from grammar.diagnostics import SpecError  # late: help

    if isinstance(error, SpecError):
        write_painted(spec_mistakes(ctx, error), err=True)
        return AT_FAULT
    from interpreter.agents.thinking import AgentError  # late: help
    from interpreter.engine.faults import NoWorldError, RuleError  # late: help
    from interpreter.loader import SpecNotFoundError  # late: help
    from interpreter.native.library import NativeUnavailableError  # late: help
    from interpreter.setting import SettingError  # late: help

    if isinstance(error, SpecNotFoundError | SettingError | NativeUnavailableError | AgentError):
        click.echo(f"Error: {error}", err=True)
        return USAGE
    if isinstance(error, RuleError):
        click.echo(fault_text(error), err=True)
        return AT_FAULT
    if isinstance(error, NoWorldError):
        click.echo(f"Error: {error}", err=True)
        return AT_FAULT
    if isinstance(error, OSError):
        click.echo(f"Error: {os_problem(error)}", err=True)
        return USAGE
    return _own_bug(error)


def _own_bug(error: Exception) -> int:
    what = " ".join(f"{type(error).__name__}: {error}".split())
    click.echo(f"CG901 a bug of cardgame: {what}; CARDGAME_DEBUG=1 shows the traceback", err=True)
    return OWN_BUG


def spec_mistakes(ctx: click.Context, error: SpecError) -> str:
    """Return the mistakes of a spec in full, coloured if standard error is to be."""
    from grammar.render import more_about_codes, render_full  # late: help

    report = render_full(error.diagnostics, wants_color(ctx, sys.stderr))
    return f"{report}\n{more_about_codes(d.code for d in error.diagnostics)}\n"


def fault_text(fault: RuleError) -> str:
    """Return a fault of the rules with its line of the spec."""
    from grammar.render import more_about_codes  # late: help

    lines = [f"error[{fault.code}]: a rule could not be executed: {fault.message}"]
    if fault.span is not None:
        lines.append(f"  --> {fault.span}")
        lines.append(f"   | {fault.span.source.line(fault.span.line).strip()}")
    lines.append("   = note: the spec is at fault here, not the players")
    lines.append(f"   = {more_about_codes([fault.code])}")
    return "\n".join(lines)


def os_problem(error: OSError) -> str:
    """Return what is wrong with a file, in words."""
    from grammar.files import WriteError  # late: help

    name = f"`{in_line(str(error.filename))}`" if error.filename else "a file"
    match error:
        case WriteError():
            return f"{name} cannot be written: {(error.strerror or str(error)).lower()}"
        case FileNotFoundError():
            return f"there is no file {name}"
        case IsADirectoryError():
            return f"{name} is a folder, not a file"
        case PermissionError():
            return f"{name} cannot be read: permission denied"
    return f"{name}: {error.strerror or error}"
