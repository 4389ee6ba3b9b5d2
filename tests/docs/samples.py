"""Read the fenced samples of the documents, and make whole specs of those that are parts of one.

The first line of a fence says what a sample is: a language, then marks `name=value`.

`cardgame`
    A whole spec.  `file=NAME` also puts it beside the commands of the same page.
`cardgame fragment=sections|statements|expressions|part`
    A part of a spec.  It is put into the sample marked `name=base` of its page (`in=NAME`: into another one).
    Sections take the place of those with their names; statements run before the last statement of `play`;
    of expressions each line says behind `#` what it gives in the position that `name=position` sets up.  A part
    stands word for word in the sample, or the bundled game, that `in` names.
`error=CGnnn`, `fault=CGnnn`
    What the checker finds wrong with a sample, or what goes wrong when it is played.
`players=N`
    For how many it is meant, where not for all that the spec allows.
`scenarios file=NAME`
    Scenarios, for the commands of the page.
`console`, `console exit=N`
    Commands behind `$` with their output, in which `...` stands for anything; what stands behind `> ` is typed.
`pycon`, `pycon needs=compiler`
    Python with its answers; what needs a C compiler is left out where there is none.
`sh`, `text`, `lua`, `toml`, `elisp`
    Commands of other programs; drawings and screens; settings of editors.
`mermaid`
    The state machine of a game, on its page; `tests.docs.generate` writes it.
`example`
    Examples of diagnostics, on the page that is generated from their registry, whose tests run them.
"""

from __future__ import annotations

import re
from pathlib import Path

import attrs

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = {
    "cardgame": {"fragment", "name", "in", "file", "error", "fault", "players"},
    "scenarios": {"file"},
    "console": {"exit"},
    "pycon": {"needs"},
    "sh": set(),
    "lua": set(),
    "toml": set(),
    "elisp": set(),
    "text": set(),
    "mermaid": set(),
    "example": set(),
}
FRAGMENTS = ("sections", "statements", "expressions", "part")
_FENCE = re.compile(r"^```(.*)$")


@attrs.frozen
class Sample:
    """A fenced part of a page: where it stands, what it is, its marks and its text."""

    page: Path
    line: int
    language: str
    marks: dict[str, str] = attrs.field(eq=False)
    text: str = attrs.field(repr=False)

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    def mark(self, name: str) -> str | None:
        """Return what a mark says, or None where the sample does not carry it."""
        return self.marks.get(name)


def pages() -> list[Path]:
    """Return all documents, in a fixed order."""
    return [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def samples(page: Path) -> list[Sample]:
    """Return the samples of a page.  Raises ValueError where a fence is never closed, or says nothing."""
    found: list[Sample] = []
    head, start, lines = None, 0, []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = _FENCE.match(line)
        if fence is None:
            lines.append(line)
        elif head is None:
            head, start, lines = fence.group(1), number, []
        else:
            found.append(_sample(page, start, head, "\n".join(lines) + "\n"))
            head = None
    if head is not None:
        raise ValueError(f"{page}:{start}: this sample is never closed")
    return found


def _sample(page: Path, line: int, head: str, text: str) -> Sample:
    words = head.split()
    if not words or not all("=" in word for word in words[1:]):
        raise ValueError(f"{page}:{line}: `{head}` does not say what this sample is")
    marks = dict(word.split("=", 1) for word in words[1:])
    return Sample(page, line, words[0], marks, text)


def all_samples(*languages: str) -> list[Sample]:
    """Return the samples of all pages in some languages."""
    return [s for page in pages() for s in samples(page) if s.language in languages]


def named(page: Path, name: str) -> Sample:
    """Return the sample of a page that carries a name."""
    return next(s for s in samples(page) if s.mark("name") == name)


def write_files(page: Path, folder: Path) -> None:
    """Put the samples of a page that are files into a folder, where its commands find them."""
    for sample in samples(page):
        name = sample.mark("file")
        if name is not None:
            (folder / name).write_text(assembled(sample), encoding="utf-8")


# ---- parts of specs


def indented(text: str) -> str:
    """Return a text one step further in."""
    return "".join(f"    {line}\n" if line.strip() else "\n" for line in text.splitlines())


def sections_of(text: str) -> list[str]:
    """Cut a spec into its sections: each begins at the margin, and what stands below belongs to it."""
    parts: list[str] = []
    for line in text.splitlines(keepends=True):
        if line.startswith("cardgame ") or (not parts and line[:1] in ("\n", "#")):
            continue
        if line[:1] in (" ", "\n", "#"):
            parts[-1] += line
        else:
            parts.append(line)
    return parts


def key_of(section: str) -> str:
    """Return what a section is called: sections with one key cannot stand in one spec."""
    words = re.split(r"[\s(:\[=]+", section.strip())
    if words[0] in ("zones", "state", "invariant"):
        return section
    return words[0] if words[0] in ("game", "play", "result") else " ".join(words[:2])


def merged(base: str, text: str) -> str:
    """Return a spec with the sections of a text in it, in the places of those they replace."""
    own = {key_of(part): part for part in sections_of(text)}
    parts = ["cardgame 1\n\n"]
    for part in sections_of(base):
        behind = part[len(part.rstrip()) :]
        parts.append(own.pop(key_of(part), part).rstrip() + behind)
    return "".join([*parts, *("\n" + part.rstrip() + "\n" for part in own.values())])


def with_statements(base: str, text: str) -> str:
    """Return a spec that carries out statements before the last one of its `play`."""
    before, last = _play(base)
    return merged(base, f"play\n{before}{indented(text)}{last}")


def with_expressions(base: str, position: str, expressions: list[str]) -> str:
    """Return a spec that says what expressions give in a position: `e1 = ..`, `e2 = ..`."""
    _, last = _play(base)
    told = "".join(f'    say "e{n} = {{e{n}}}"\n' for n in range(1, len(expressions) + 1))
    defined = "\n".join(f"define e{n} = {e}" for n, e in enumerate(expressions, 1))
    return merged(base, f"play\n{indented(position)}{told}{last}\n{defined}\n")


def _play(base: str) -> tuple[str, str]:
    play = next(part for part in sections_of(base) if key_of(part) == "play")
    lines = [line for line in play.splitlines(keepends=True)[1:] if line.strip()]
    place = max(n for n, line in enumerate(lines) if line.startswith("    ") and line[4] != " ")
    return "".join(lines[:place]), "".join(lines[place:])


def expressions_of(text: str) -> list[tuple[str, str]]:
    """Return the expressions of a sample, each with what stands behind its `#`."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        said, _, gives = line.partition("#")
        if line.startswith(" ") and found:
            before, told = found.pop()
            found.append((f"{before}\n{said.rstrip()}", told or gives.strip()))
        elif line.strip():
            found.append((said.rstrip(), gives.strip()))
    return found


def whole_of(part: Sample) -> str:
    """Return the spec that a part is of: a bundled game, or a sample of its page."""
    name = part.marks["in"]
    bundled = ROOT / "games" / f"{name}.cardgame"
    return bundled.read_text(encoding="utf-8") if bundled.exists() else named(part.page, name).text


def assembled(sample: Sample) -> str:
    """Return the whole spec that a sample of sections or statements stands for."""
    fragment = sample.mark("fragment")
    if fragment is None:
        return sample.text
    if fragment == "part":
        return whole_of(sample)
    base = named(sample.page, sample.mark("in") or "base").text
    if sample.mark("name") == "position":
        return with_expressions(base, sample.text, [])
    return merged(base, sample.text) if fragment == "sections" else with_statements(base, sample.text)
