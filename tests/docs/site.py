"""Build the documentation site: `python -m tests.docs.site [FOLDER]`, `make docs`.

The pages of `docs/` become pages of the site, with links between them.  Other pages are made from the code: one for
each diagnostic, the printed rulebook and the spec of each game, a gallery, and a reference of the Python names from
their docstrings.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import attrs
from click.testing import CliRunner

import interpreter
from cli.main import main
from grammar.codes import REGISTRY, Code
from interpreter import cards
from interpreter.loader import bundled_games, bundled_variants, find_spec, load
from interpreter.table.faces import face_views
from tests.docs.generate import GROUPS, entry, game_pages
from tests.docs.samples import ROOT

DOCS = ROOT / "docs"
FOLDER = ROOT / "build" / "site"
LANGUAGE = {"example": "cardgame", "scenarios": "cardgame-scenarios", "console": "console", "pycon": "pycon"}
"""The lexers of fences whose first word is no lexer."""
MODULES = (
    "interpreter.records.session", "interpreter.agents.registry", "interpreter.match", "interpreter.simulate.running",
    "interpreter.table.view", "interpreter.table.frame", "interpreter.adapters.openspiel",
    "interpreter.adapters.pettingzoo", "interpreter.adapters.gymnasium",
)  # fmt: skip
"""Modules of the reference, after the names of the package itself."""
UNLISTED = "---\norphan: true\n---\n\n"
"""The head of a page that other pages link to and that the contents do not list: there are too many of a kind."""
KINDS = {"Games": bundled_games, "Variants": bundled_variants}


class Source:
    """The pages of the site as Markdown, by their paths without a suffix."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.places: dict[Path, str] = {}
        """The pages that show files of the repository."""
        self.pictures: set[Path] = set()

        self.files: dict[str, Path] = {}
        """The files that pages have their links from, by the pages."""

    def add(self, name: str, text: str, file: Path | None = None, *, written_anew: bool = False) -> None:
        """Add a page; `file` is the file of the repository that it shows, with its links unless it is written anew."""
        self.pages[name] = text
        if file is not None:
            self.places[file.resolve()] = name
            if not written_anew:
                self.files[name] = file

    def write(self, folder: Path) -> None:
        """Write all pages, with the links that stand in files led to the pages of the site."""
        for name, text in self.pages.items():
            path, page = folder / f"{name}.md", _fences(self._linked(text, name, self.files.get(name)))
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists() or path.read_text(encoding="utf-8") != page:  # Sphinx reads again what has changed.
                path.write_text(page, encoding="utf-8")
        for picture in self.pictures:
            copy = folder / picture.relative_to(DOCS)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(picture, copy)

    def _linked(self, text: str, name: str, file: Path | None) -> str:
        here = (Path("/") / name).parent

        def led(match: re.Match[str]) -> str:
            words, target, anchor = match.group(1), match.group(2), match.group(3) or ""
            if file is None or re.match(r"\w+:|#|/", target + anchor):
                return match.group()
            other = (file.parent / target).resolve()
            code = re.match(r"#cg(\d{3})-", anchor)
            if other == DOCS / "diagnostics.md" and code is not None:
                return f"{words}({os.path.relpath(f'/diagnostics/CG{code.group(1)}', here)}.md)"
            if other in self.places:
                return f"{words}({os.path.relpath(Path('/') / self.places[other], here)}.md{anchor})"
            if words.startswith("!"):
                self.pictures.add(other)
                return f"{words}(/{other.relative_to(DOCS)})"
            if other.exists():  # Files that no page shows: their names are enough.
                return words[words.index("[") + 1 : -1]
            raise SystemExit(f"{file}: there is no {target}")

        parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
        link = re.compile(r"(!?\[[^\]]*\])\(([^)\s#]*)(#[^)\s]*)?\)")
        return "".join(part if part.startswith("```") else link.sub(led, part) for part in parts)


def _fences(text: str) -> str:
    """Return a page with its fences as Sphinx reads them: a known lexer, and state machines as elements of the page."""

    def diagram(match: re.Match[str]) -> str:
        return f'```{{raw}} html\n<pre class="mermaid">{html.escape(match.group(1))}</pre>\n```\n'

    text = re.sub(r"^```mermaid\n(.*?)^```\n", diagram, text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(
        r"^```([a-z]\w*)\b.*$", lambda m: f"```{LANGUAGE.get(m.group(1), m.group(1))}", text, flags=re.MULTILINE
    )


@attrs.frozen
class Printed:
    """What the site shows of a game: its rulebook as Markdown, and its three cards in the gallery as HTML."""

    book: str
    pictures: str


def site_pages(shown: Callable[[list[str]], Iterable[Printed]] | None = None) -> Source:
    """Return all pages of the site; `shown` prints games, by default in processes of its own."""
    source = Source()
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    readme = ROOT / "README.md"
    source.add("start", readme.read_text(encoding="utf-8"), readme)
    source.add("changelog", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), ROOT / "CHANGELOG.md")
    source.add("tests", (ROOT / "tests" / "README.md").read_text(encoding="utf-8"), ROOT / "tests" / "README.md")
    for path in sorted(DOCS.glob("*.md")):
        if path.name not in ("README.md", "diagnostics.md"):
            head = "---\nhide-toc: true\n---\n\n" if path.stem == "card" else ""  # Its columns need the width.
            source.add(path.stem, head + path.read_text(encoding="utf-8"), path)
    codes = sorted(REGISTRY.values(), key=lambda code: code.code)
    for code in codes:
        text = entry(code).partition("\n\n")[2]
        source.add(
            f"diagnostics/{code.code}",
            f"{UNLISTED}# {code.code} {code.name}\n\n{text}\n[All diagnostics](/diagnostics.md)\n",
        )
    source.add("diagnostics", _diagnostics(codes), DOCS / "diagnostics.md", written_anew=True)
    for name, path in game_pages().items():
        source.add(f"games/{name}", path.read_text(encoding="utf-8") + _game_links(name), path)
    every = [name for names in KINDS.values() for name in names()]
    printed = dict(zip(every, (shown or _all_printed)(every), strict=True))
    for name, game in printed.items():
        spec = find_spec(name)
        text = spec.read_text(encoding="utf-8")
        source.add(f"rulebooks/{name}", UNLISTED + game.book)
        source.add(f"specs/{name}", f"{UNLISTED}# {spec.name}\n\n```cardgame\n{text}```\n", spec, written_anew=True)
    source.add("gallery", _gallery(printed))
    reference = _reference()
    for name, text in reference.items():
        source.add(name, text)
    parts = [index, _toctree("Start", ["start", "tutorial", "gallery", "card"])]
    for part in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", index, re.MULTILINE | re.DOTALL):
        inside = [name for name in re.findall(r"\]\(([\w]+)\.md\)", part[1]) if name not in ("tutorial", "card")]
        parts.append(_toctree(part[0], [*inside, *(["api"] if part[0] == "Reference" else [])]))
    parts.append(_toctree("Project", ["tests", "changelog"]))
    source.add("index", "\n".join(parts), DOCS / "README.md")
    listed = set(re.findall(r"^[\w/]+$", "\n".join(parts), re.MULTILINE))
    rest = [name for name in source.pages if name not in listed and "/" not in name and name != "index"]
    if rest:
        raise SystemExit(f"docs/README.md does not list {', '.join(rest)}")
    return source


def _toctree(caption: str, names: list[str], *, options: str = ":hidden:\n") -> str:
    return f"\n```{{toctree}}\n:caption: {caption}\n{options}\n" + "".join(f"{name}\n" for name in names) + "```\n"


def _hidden(names: list[str]) -> str:
    return "\n```{toctree}\n:hidden:\n\n" + "".join(f"{name}\n" for name in names) + "```\n"


def _diagnostics(codes: list[Code]) -> str:
    parts = [
        "# Diagnostics\n\nEvery error, warning and fault has a code and a page with an example and its correction.\n"
    ]
    for digit, (title, text) in GROUPS.items():
        rows = [
            f"| [{c.code}](diagnostics/{c.code}.md) | {c.name} | {c.summary} |\n" for c in codes if c.code[2] == digit
        ]
        parts.append(f"\n## {title}\n\n{text}\n\n| code | name | meaning |\n|---|---|---|\n{''.join(rows)}")
    return "".join(parts)


def _game_links(name: str) -> str:
    return f"\n## More\n\n- [The printed rulebook](/rulebooks/{name}.md)\n- [The spec](/specs/{name}.md)\n"


def _svg(shapes: list[cards.Shape], size: tuple[float, float]) -> str:
    """Return a card as SVG."""
    drawn = []
    for shape in shapes:
        match shape:
            case cards.Box():
                paint = (
                    f'fill="{shape.colour}"'
                    if shape.filled
                    else f'fill="none" stroke="{shape.colour}" stroke-width=".4"'
                )
                place = f'x="{shape.x:.2f}" y="{shape.y:.2f}" width="{shape.width:.2f}" height="{shape.height:.2f}"'
                drawn.append(f"<rect {place} {paint}/>")
            case cards.Text():
                turn = f' transform="rotate(180 {size[0] / 2} {size[1] / 2})"' if shape.turned else ""
                drawn.append(
                    f'<text x="{shape.x:.2f}" y="{shape.y:.2f}" fill="{shape.colour}"'
                    f' font-size="{shape.points * cards.POINT:.2f}"'
                    f' text-anchor="{"middle" if shape.centred else "start"}" font-family="sans-serif"'
                    f' font-weight="{"bold" if shape.bold else "normal"}"{turn}>{html.escape(shape.words)}</text>'
                )
            case cards.Picture():
                raise AssertionError("bundled games have no pictures")
    return f'<svg viewBox="0 0 {size[0]} {size[1]}" aria-hidden="true">{"".join(drawn)}</svg>'


def _gallery(printed: dict[str, Printed]) -> str:
    parts = ["# Gallery\n\nEvery bundled game, with three of its cards.\n"]
    listed = {game["name"]: game for game in json.loads(_output("list", "--format", "json"))}
    for kind, names in KINDS.items():
        items = []
        for name in names():
            page = f'<a href="games/{name}.html">Rules and rulings</a> · ' if name in game_pages() else ""
            items.append(
                f'<li><div class="cards">{printed[name].pictures}</div>'
                f"<p><strong>{html.escape(listed[name]['title'])}</strong></p>"
                f'<p class="facts">{_players(listed[name])}</p><p>{html.escape(listed[name]["about"] or "")}</p>'
                f'<p>{page}<a href="rulebooks/{name}.html">Rulebook</a> · <a href="specs/{name}.html">Spec</a></p></li>'
            )
        parts.append(f'\n## {kind}\n\n```{{raw}} html\n<ul class="gallery">{"".join(items)}</ul>\n```\n')
    return "".join(parts) + _hidden([f"games/{name}" for name in game_pages()])


def _players(game: dict[str, Any]) -> str:
    low, high = game["players"]
    return f"{low} players" if low == high else f"{low} to {high} players"


def _all_printed(names: list[str]) -> list[Printed]:
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        return list(workers.map(_printed, names))


def _printed(name: str) -> Printed:
    game, size = load(name), cards.SIZES["poker"]
    faces, front = face_views(game), cards.fronts(game, size, None)
    faces = tuple(card for card in faces if card.rules) or faces
    chosen = [faces[len(faces) * n // 3] for n in range(min(3, len(faces)))]
    drawn = "".join(_svg(front(card), size) for card in chosen)
    return Printed(_output("rules", name, "--format", "markdown"), drawn)


def _output(*words: str) -> str:
    """Return what a command prints."""
    result = CliRunner().invoke(main, list(words), prog_name="cardgame")
    if result.exit_code:
        raise SystemExit(f"cardgame {' '.join(words)}: {result.output}")
    return result.output


def _reference() -> dict[str, str]:
    """Return the pages of the Python reference, by their names."""
    pages = {}
    names = "\n".join(
        f".. autoclass:: {_home(name)}.{name}\n   :members:\n" for name in interpreter.__all__ if name[0].isupper()
    )
    functions = "\n".join(
        f".. autofunction:: {_home(name)}.{name}\n" for name in interpreter.__all__ if name[0].islower()
    )
    pages["api/interpreter"] = f"# interpreter\n\n```{{eval-rst}}\n{functions}\n{names}```\n"
    for module in MODULES:
        pages[f"api/{module}"] = f"# {module}\n\n```{{eval-rst}}\n.. automodule:: {module}\n   :members:\n```\n"
    listed = "".join(f"- [{name.removeprefix('api/')}]({name}.md)\n" for name in pages)
    head = "# Python reference\n\nThe public names with their docstrings. [Python](python.md) introduces them.\n\n"
    return {"api": head + listed + _hidden(list(pages)), **pages}


def _home(name: str) -> str:
    return str(getattr(interpreter, name).__module__)


def build(folder: Path = FOLDER) -> int:
    """Build the site into a folder; any warning is an error.  Returns the exit code of Sphinx."""
    pages, conf = folder.parent / "pages", DOCS / "site"
    site_pages().write(pages)
    options = ["-q", "-W", "--keep-going", "-j", "auto", "-c", str(conf), "-d", str(folder.parent / "doctrees")]
    command = [sys.executable, "-m", "sphinx", *options, str(pages), str(folder)]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
