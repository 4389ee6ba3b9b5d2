"""`cardgame lsp`: run the language server."""

from __future__ import annotations

import gc
import os
import sys
from importlib.util import find_spec

import click

from cli.failures import USAGE


@click.command("lsp")
@click.option("--check", is_flag=True, help="Check whether the server can start, and exit.")
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
    if find_spec("pygls") is None:
        click.echo("`cardgame lsp` needs the extra `lsp`: pip install 'cardgame[lsp]'", err=True)
        ctx.exit(USAGE)
    if check:
        click.echo("the language server can start")
        return
    if sys.stdin.isatty():
        click.echo("waiting for an editor at standard input; Ctrl-C ends", err=True)
    from cli.lsp.server import make_server  # late: help

    with os.fdopen(os.dup(0), "rb") as requests, os.fdopen(os.dup(1), "wb") as answers:
        sys.stdout = sys.stderr  # Nothing but the protocol may come to the editor.
        server = make_server()
        gc.freeze()  # Loaded objects stay to the end: no pause goes into looking for garbage in it.
        server.start_io(requests, answers)
