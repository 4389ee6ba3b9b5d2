"""Style figures: `python -m tests.style` prints dialect words and lengths of sentences, `--lower` lowers their limits.

A package is measured by the dialect words in its identifiers and its text (comments, docstrings and messages), a page
of the docs by its dialect words and by the average and the greatest length of its sentences.  `style_limits.json` has
the limits of the figures that have not reached their goals.  A limit may go down and never up.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.docs.samples import ROOT, pages

PACKAGES = ("grammar", "interpreter", "cli", "games")
LIMITS = Path(__file__).with_name("style_limits.json")
TEXTS = {".py", ".c", ".h", ".lark", ".cardgame", ".scenarios", ".html"}

DIALECT = (
    "told",
    "tell",
    "tells",
    "telling",
    "teller",
    "behind",
    "asked",
    "stands",
    "apart",
    "somebody",
    "whoever",
    "whatever",
)
"""Words with a plainer or a more precise one: see "Words" on the page on contributing."""

WORD = re.compile(rf"\b(?:{'|'.join(DIALECT)}|hangs? on)\b", re.IGNORECASE)
INVERTED = re.compile(r"(?:(?<=[.!:] )|(?<=\"\"\")|(?<!## )(?<=# ))(?:What|Who)\b[^.?!]*[.!]", re.MULTILINE)
"""A statement that begins with "What" or "Who", such as "What is counted is written"."""

AVERAGE, LONGEST, MOST_WORDS = 17, 30, 60
"""The goals: words in a sentence of a page, on average and at most; dialect words in packages and docs together."""


# ---- dialect words


def dialect(text: str) -> int:
    """Return how many dialect words and inverted sentences a text has."""
    return len(WORD.findall(text)) + len(INVERTED.findall(text))


def package_of(path: Path) -> str:
    """Return the package of a file: the first two folders of `interpreter`, else the first."""
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if parts[0] == "interpreter" and len(parts) > 2 else parts[0]


def sources(*folders: str) -> Iterator[Path]:
    """Yield the files of some folders that are written by hand."""
    for folder in folders:
        yield from sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in TEXTS)


def identifiers(path: Path) -> Iterator[str]:
    """Yield the names that a file defines: in Python functions, classes, arguments and variables; in C all names."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".c", ".h"):
        yield from set(
            re.findall(r"\b[A-Za-z_]\w*\b", re.sub(r"/\*.*?\*/|//.*?$|\"[^\"\n]*\"", "", text, flags=re.S | re.M))
        )
    elif path.suffix == ".py":
        found = set()
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                    found.add(name)
                case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                    found.add(name)
        yield from found


def in_dialect(name: str) -> bool:
    """Return whether a part of an identifier is a dialect word, as in `told_of` and `LeafTeller`."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
    return any(part.lower() in DIALECT for part in parts)


# ---- sentences


def sentences(markdown: str) -> list[str]:
    """Return the sentences of a page, without code blocks, tables, headings and the targets of links."""
    found: list[str] = []
    skipped = 0
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        if token.type in ("heading_open", "table_open"):
            skipped += 1
        elif token.type in ("heading_close", "table_close"):
            skipped -= 1
        elif token.type == "inline" and not skipped:
            found += split("".join(plain(child) for child in token.children or []))
    return found


def plain(token: Token) -> str:
    """Return the words of a piece of Markdown; a piece of code counts as one word."""
    match token.type:
        case "text":
            return token.content
        case "code_inline":
            return "CODE"
        case "softbreak" | "hardbreak":
            return " "
    return ""


def split(text: str) -> list[str]:
    """Split a paragraph into sentences; an abbreviation or a number does not end one."""
    parts = re.split(r"(?<=[.?!])[)\"”]? +(?=[\"“(]?[A-Z0-9])", re.sub(r"\b(e\.g|i\.e|vs|No)\. ", r"\1 ", text))
    return [part for part in parts if words(part)]


def words(sentence: str) -> int:
    """Return how many words a sentence has."""
    return len(re.findall(r"\S*\w\S*", sentence))


# ---- the table


@attrs.frozen
class Figure:
    """A figure: its name, its present value and its goal."""

    name: str
    now: int | float
    goal: int | float


def figures() -> list[Figure]:
    """Return all figures."""
    found = []
    named: dict[str, set[str]] = {}
    total = 0
    part = re.compile("|".join(DIALECT), re.IGNORECASE)
    for path in sources(*PACKAGES):
        text = path.read_text(encoding="utf-8")
        total += dialect(text)
        names = named.setdefault(package_of(path), set())
        if part.search(text):
            names.update(filter(in_dialect, identifiers(path)))
    for page in (*pages(), ROOT / "tests" / "README.md"):
        text = page.read_text(encoding="utf-8")
        total += dialect(text)
        if page.name == "CHANGELOG.md":
            continue
        lengths = [words(sentence) for sentence in sentences(text)]
        name = page.relative_to(ROOT).as_posix()
        found.append(Figure(f"{name}: words in a sentence, average", round(sum(lengths) / len(lengths), 1), AVERAGE))
        found.append(Figure(f"{name}: words in a sentence, most", max(lengths), LONGEST))
    found += [Figure(f"{package}: dialect words in identifiers", len(names), 0) for package, names in named.items()]
    return [*found, Figure("packages and documents: dialect words", total, MOST_WORDS)]


def limits() -> dict[str, int | float]:
    """Return the limits of the figures that have not reached their goals."""
    read: dict[str, int | float] = json.loads(LIMITS.read_text(encoding="utf-8"))
    return read


def main() -> None:
    """Print the figures; with `--lower` store those that have not reached their goals as limits."""
    counted = figures()
    before = limits() if LIMITS.exists() else {}
    for figure in counted:
        print(f"{figure.name:<78} {figure.now:>7} {before.get(figure.name, figure.goal):>7} {figure.goal:>5}")
    if "--lower" in sys.argv[1:]:
        after = {f.name: min(f.now, before.get(f.name, f.now)) for f in counted if f.now > f.goal}
        LIMITS.write_text(json.dumps(after, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
