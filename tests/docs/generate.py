"""Write the pages that are made from the code: `python -m tests.docs.generate`.

`docs/diagnostics.md` comes from the registry of codes, `docs/cli.md` from the help texts of the commands,
`docs/table.svg` from the screen of a play.  A test fails where a page is not what this writes.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill

import click
from click.testing import CliRunner
from rich.console import Console
from rich.text import Text

from cli.terminal.screen import PIPED
from grammar.codes import REGISTRY, Code
from grammar.printable import visible
from tests.docs.samples import ROOT

GROUPS = {
    "1": ("Syntax", "The text does not follow the grammar of the language."),
    "2": ("Names", "A name, a file or a place of an edit is missing, unknown or ambiguous."),
    "3": ("Types and values", "A value has the wrong type, or may be absent where a value is required."),
    "4": ("Rules that cannot be played", "Each part is correct by itself, but the game cannot be played."),
    "5": ("Warnings", "The spec is valid and can be played, but it probably contains a mistake."),
    "8": ("Faults", "A rule could not be executed, so the play ends without a result. The mistake is in the spec."),
    "9": ("Internal errors", "Bugs of cardgame. Please report them, with the spec."),
}
LONGEST = 12
"""Lines of an example that are shown."""


def diagnostics_page() -> str:
    """Return the page of all codes, in the order of the registry."""
    about = (
        "This page lists every error, warning and fault by its code, with an example and its correction. "
        "`cardgame explain CODE` prints one entry. Most examples show only the relevant lines. The tests run all of "
        "them. `python -m tests.docs.generate` writes this page."
    )
    parts = [f"# Diagnostics\n\n{fill(about, 118)}\n"]
    codes = sorted(REGISTRY.values(), key=lambda c: c.code)
    for group, members in groupby(codes, key=lambda c: c.code[2]):
        title, found = GROUPS[group]
        parts.append(f"\n## {title}\n\n{found}\n")
        parts.extend(entry(code) for code in members)
    return "".join(parts)


def entry(code: Code) -> str:
    """Return the entry of a code, with its examples if it has some."""
    summary = code.summary[:1].upper() + code.summary[1:]
    text = f"\n### {code.code} {code.name}\n\n{summary} ({code.severity.value}).\n\n{fill(code.explanation, 118)}\n"
    if not code.bad:
        return text
    return f"{text}\n```example\n{_shown(code.bad)}```\n\nCorrected:\n\n```example\n{_shown(code.good)}```\n"


def _shown(text: str) -> str:
    """Return an example as a page can show it: printable, and neither too long nor too wide."""
    lines = [line if len(line) <= 110 else line[:100] + " .." for line in visible(text).splitlines()]
    if len(lines) > LONGEST + 3:
        lines = [*lines[:LONGEST], f".. ({len(lines) - LONGEST} lines more)"]
    return "".join(f"{line}\n" for line in lines)


def cli_page() -> str:
    """Return the page of all commands: their help, word for word."""
    from cli.main import main

    parts = [
        "# The command line\n\nEvery command with its options, as `cardgame COMMAND --help` prints it.\n"
        "`python -m tests.docs.generate` writes this page.\n\n## cardgame\n\n" + _help(main, [])
    ]
    context = click.Context(main)
    parts.extend(f"\n## cardgame {name}\n\n" + _help(main, [name]) for name in main.list_commands(context))
    return "".join(parts)


def _help(main: click.Command, words: list[str]) -> str:
    result = CliRunner().invoke(main, [*words, "--help"], prog_name="cardgame", terminal_width=100)
    if result.exit_code:
        raise RuntimeError(f"`cardgame {' '.join(words)} --help` failed: {result.output}")
    return "```text\n" + "".join(line.rstrip() + "\n" for line in result.output.splitlines()) + "```\n"


PICTURED = ("chalice_and_wand", "--seat", "2=random", "--seed", "7"), "discard C2 C4\ntake C10 W7\n"
"""The play that the picture shows: the words behind `cardgame play`, and what is typed."""

# The frame of a picture: Rich's own names fonts of the web, and a picture in a page should ask for nothing.
FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace; font-size: {char_height}px;
  line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-family: sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""


def table_picture() -> str:
    """Return the picture of the table in the README: the screen of a play, in colour, where a player is to act."""
    from cli.main import main

    words, typed = PICTURED
    with TemporaryDirectory() as folder, contextlib.chdir(folder):  # the play that is broken off is saved there
        shown = CliRunner().invoke(main, ["--color", "always", "play", *words], input=typed, color=True).output
    heading = re.compile(r"^.*─ .* ─.*$", re.MULTILINE)  # the line that a new table begins with
    screen = shown[[found.start() for found in heading.finditer(shown)][-1] :].partition("The play is not over")[0]
    console = Console(record=True, width=PIPED, file=io.StringIO())
    console.print(Text.from_ansi(screen.rstrip() + " "), soft_wrap=True)
    return console.export_svg(title="cardgame play " + " ".join(words), code_format=FRAME, unique_id="table")


PAGES: dict[str, Callable[[], str]] = {
    "diagnostics.md": diagnostics_page,
    "cli.md": cli_page,
    "table.svg": table_picture,
}
"""The generated pages and pictures, by their names in `docs/`."""


DIAGRAM = re.compile(r"^```mermaid\n.*?^```\n", re.MULTILINE | re.DOTALL)
"""A diagram on a page."""


def with_diagram(game: str, page: str) -> str:
    """Return the page of a game with its state machine as `cardgame graph` draws it now."""
    from interpreter.graph.drawing import draw
    from interpreter.graph.formats import mermaid
    from tests import bundled

    loaded = bundled.game(game)
    block = f"```mermaid\n{mermaid(draw(loaded.spec, loaded.rules))}```\n"
    if DIAGRAM.search(page) is None:
        return page.rstrip("\n") + f"\n\n## State machine\n\nAs `cardgame graph {game}` draws it.\n\n{block}"
    return DIAGRAM.sub(lambda _: block, page)


def game_pages() -> dict[str, Path]:
    """Return the pages of games, by the names of their games: `classics/NAME.md` tells of `classics/NAME`."""
    folder = ROOT / "docs" / "games"
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.md"))}


def main() -> None:
    """Write all generated pages, and the diagrams on the pages of the games."""
    for name, page in PAGES.items():
        (ROOT / "docs" / name).write_text(page(), encoding="utf-8")
    for game, path in game_pages().items():
        path.write_text(with_diagram(game, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
