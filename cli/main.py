"""The command `cardgame`: a group of commands, each imported when it runs.

Nothing here, in `cli.failures` or in `cli.terminal.screen` imports the language, the runtime or rich, so that
`cardgame --help` answers at once.
"""

from __future__ import annotations

import gc
from importlib import import_module
from typing import Any

import click

from cli.failures import run_guarded, run_on_screens

COMMANDS = {
    "list": "List games with their players and options.",
    "new": "Write a small game to start from.",
    "validate": "Check specs and report their errors.",
    "rules": "Print the rulebook of a game.",
    "cards": "Print the cards of a game.",
    "graph": "Draw the state machine of a spec.",
    "dump": "Show the compiled forms of a spec.",
    "play": "Play a game at the terminal.",
    "serve": "Play a game in the browser, on several devices.",
    "match": "Let agents play against each other on the same deals.",
    "replay": "Recompute a recorded play and compare.",
    "fuzz": "Play random games and check every state.",
    "solve": "Solve a small game exactly.",
    "train": "Train an agent for a game by self-play.",
    "simulate": "Play a game many times and report statistics.",
    "compare": "Compare a statistic of two games.",
    "test": "Run the scenarios of a game.",
    "fmt": "Format specs and scenarios.",
    "watch": "Check a spec each time it is saved.",
    "lsp": "Serve an editor by the Language Server Protocol.",
    "explain": "Explain a diagnostic code.",
}
"""The commands in the order of the help, with what each does in one line; each lives in `cli.commands.NAME`."""


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is run or its own help is shown."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line; see `click.Group.main`."""
        is_process = not args and "args" not in extra
        return run_on_screens(lambda: super(LazyGroup, self).main(*args, **extra), is_process=is_process)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name in the module `cli.commands.NAME`."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        made = vars(import_module(f"cli.commands.{cmd_name}")).values()
        return next(c for c in made if isinstance(c, click.Command) and c.name == cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown one is answered with the nearest."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from grammar.suggest import did_you_mean  # late: help

            hint = did_you_mean(args[0], COMMANDS) or "commands: " + ", ".join(COMMANDS)
            ctx.fail(f"there is no command `{args[0]}`; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their one line, without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; every failure becomes a message and an exit code."""
        return run_guarded(ctx, lambda: super(LazyGroup, self).invoke(ctx))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Use colours; auto: on a terminal, unless NO_COLOR is set.",
)
@click.version_option(package_name="cardgame", prog_name="cardgame")
@click.pass_context
def main(ctx: click.Context, color: str) -> None:
    """Write the rules of a card game, check them and play them.

    SPEC is a file or the name of a bundled game, without its folder if you like.

    \b
    Examples:
      cardgame list
      cardgame play chalice_and_wand
      cardgame validate my_game.cardgame
      cardgame COMMAND --help

    \b
    Exit codes: 0 success; 1 the spec or the play is at fault; 2 wrong usage;
    3 a failure was found; 70 a bug of cardgame; 130 stopped by Ctrl-C.
    """
    # Trees and games stay until the end: to look for garbage among them again and again takes a twentieth of the time.
    gc.set_threshold(100_000, 20, 20)
    ctx.obj = color
    ctx.color = {"always": True, "never": False}.get(color)


if __name__ == "__main__":
    main(prog_name="cardgame")
