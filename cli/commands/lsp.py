"""`cardgame lsp`."""

from __future__ import annotations

import os
import sys

import click

from cli.failures import USAGE


@click.command("lsp")
@click.option("--check", is_flag=True, help="Only say whether the server can start.")
@click.pass_context
def lsp(ctx: click.Context, check: bool) -> None:
    """Serve an editor over standard input and output, by the Language Server Protocol.

    The editor starts this command; docs/editors.md has the settings for VS Code, Neovim, Helix and Emacs.  The server
    needs the extra `lsp`.

    \b
    Examples:
      cardgame lsp
      cardgame lsp --check
    """
    try:
        import pygls  # noqa: F401  # late: help
    except ImportError:
        click.echo("`cardgame lsp` needs the extra `lsp`: pip install 'cardgame[lsp]'", err=True)
        ctx.exit(USAGE)
    from cli.lsp.server import make_server  # late: help

    server = make_server()
    if check:
        click.echo(f"cardgame {server.version}: the language server can start")
        return
    with os.fdopen(os.dup(0), "rb") as requests, os.fdopen(os.dup(1), "wb") as answers:
        sys.stdout = sys.stderr  # Nothing but the protocol may come to the editor.
        server.start_io(requests, answers)
