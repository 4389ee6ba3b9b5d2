"""`cardgame new`: write a small game to start from."""

from __future__ import annotations

import re
from pathlib import Path

import click

from cli.arguments import check_writable

KINDS = ("trick-taking", "auction", "shedding", "drafting")


@click.command("new")
@click.argument("name")
@click.option(
    "--like",
    "kind",
    type=click.Choice(KINDS),
    default=None,
    help="Start from a game of this kind; else from a simple one.",
)
def new(name: str, kind: str | None) -> None:
    """Write a small game to start from: NAME.cardgame, with comments, and NAME.scenarios, which tests it.

    Both are valid as they are. Existing files are never changed.

    \b
    Examples:
      cardgame new my_game
      cardgame new night_market --like auction
    """
    from grammar import files  # late: help
    from interpreter.analysis.files import bundled_folder  # late: help

    path = Path(name.removesuffix(".cardgame"))
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", path.name):
        raise click.UsageError(f"`{path.name}` is no name for a game: use letters, digits, `_` and `-`")
    title = " ".join(word.capitalize() for word in re.split(r"[_-]+", path.name) if word)
    made = [path.with_name(path.name + suffix) for suffix in (".cardgame", ".scenarios")]
    for target in made:
        check_writable(str(target))
        if target.exists():
            raise click.UsageError(f"there is already a file `{target}`; choose another name")
    for target in made:
        starter = bundled_folder() / "starters" / f"{kind or 'simple'}{target.suffix}"
        text = files.read_text(starter).replace("TITLE", title).replace("NAME", path.name)
        files.write_text(target, text)
    click.echo(f"""{made[0]} and {made[1]} are written. Next:
  cardgame validate {made[0]}
  cardgame test {made[0]}
  cardgame play {made[0]}""")
