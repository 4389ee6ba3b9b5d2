"""`cardgame cards`: print the cards of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cli.arguments import check_writable, read_options

SIZES = ("poker", "bridge", "mini", "tarot")


@click.command("cards")
@click.argument("spec")
@click.option("-o", "--output", required=True, metavar="FILE", help="A .pdf, .png or .csv file.")
@click.option("--size", type=click.Choice(SIZES), default="poker", show_default=True, help="The size of a card.")
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The paper of a PDF."
)
@click.option(
    "--art", metavar="FOLDER", type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with pictures, as .png or .jpg files that have the texts of the cards as their names.",
)  # fmt: skip
@click.option(
    "--backs/--no-backs", default=True, show_default=True, help="Print pages of backs for two-sided printing."
)
@click.option("--players", type=click.IntRange(1), metavar="N", help="The number of players.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", callback=read_options,
    help="Set an option; may be repeated.",
)  # fmt: skip
def cards(
    spec: str, output: str, size: str, paper: str, art: Path | None, backs: bool, players: int | None,
    options: dict[str, Any],
) -> None:  # fmt: skip
    """Print the cards of SPEC: a PDF with crop marks, a PNG sheet for virtual tabletops, or CSV for card tools.

    A card shows its text, its name, its values and its text in the rulebook. CSV has one row for each face,
    for nanDECK and Squib. PDF and PNG need the extra `cards`: pip install 'cardgame[cards]'.

    \b
    Examples:
      cardgame cards classics/love_letter -o cards.pdf
      cardgame cards my_game.cardgame -o cards.png --art pictures
      cardgame cards my_game.cardgame -o cards.csv
    """
    from grammar import files  # late: help
    from interpreter import cards as printing  # late: help
    from interpreter.loader import load  # late: help

    check_writable(output)
    path = Path(output)
    game = load(spec, players, options)
    try:
        match path.suffix.lower():
            case ".pdf":
                made = {path: printing.pdf(game, size, paper, art=art, backs=backs)}
            case ".png":
                found = printing.sheets(game, size, art=art)
                names = (
                    [path] if len(found) == 1 else [path.with_stem(f"{path.stem}-{n + 1}") for n in range(len(found))]
                )
                made = dict(zip(names, found, strict=True))
            case ".csv":
                made = {path: printing.table(game).encode()}
            case _:
                raise click.UsageError(f"`{output}` is no .pdf, .png or .csv file")
    except printing.MissingPackageError as error:
        raise click.UsageError(str(error)) from None
    except printing.CardsError as error:
        raise click.ClickException(str(error)) from None
    for target, data in made.items():
        files.write_bytes(target, data)
        click.echo(f"{target}: written")
