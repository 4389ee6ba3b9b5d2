"""Read the corpus of beginners' mistakes and measure the messages of each; see README.md for the format."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import attrs

from grammar import parser
from grammar.diagnostics import Diagnostic, SpecError, edited
from grammar.source import Source
from grammar.unparse import unparse
from interpreter.analysis.checker import check_spec
from interpreter.loader import assemble
from interpreter.scenarios.scenario import SCENARIOS, Suite

FOLDER = Path(__file__).parent
BASES = FOLDER / "base"


@attrs.frozen
class Entry:
    """A mistake: the text that holds it, where (start and end), words of a good message, and the corrected text."""

    name: str
    thought: str
    file: str
    text: str
    corrected: str
    at: tuple[int, int]
    cause: str
    words: tuple[tuple[str, ...], ...]


@attrs.frozen
class Measured:
    """The messages of a mistake and their quality; `fixed` is None where no fix is offered.

    `located`: the first message marks the mistake; `named`: the messages hold a word of each group; `compiles`: the
    fixed text is sound; `meant`: it is the corrected text, or has the same syntax tree.
    """

    entry: Entry
    messages: tuple[Diagnostic, ...]
    located: bool
    named: bool
    fixed: str | None
    compiles: bool
    meant: bool

    @property
    def single(self) -> bool:
        """Whether there is exactly one message."""
        return len(self.messages) == 1

    @property
    def reaches_all(self) -> bool:
        """Whether the message is right in every respect."""
        return self.located and self.single and self.named and (self.fixed is None or self.meant)


def entries(folder: Path | None = None) -> list[Entry]:
    """Return all entries of the corpus, or of one folder of it.  Raises ValueError for one that is ill-formed."""
    files = sorted((folder or FOLDER).rglob("*.txt"))
    parts = (part for file in files for part in re.split(r"^== ", file.read_text(encoding="utf-8"), flags=re.M)[1:])
    return [_entry(part) for part in parts]


def _entry(part: str) -> Entry:
    head, *lines = part.rstrip("\n").split("\n")
    name, _, thought = head.partition(": ")
    fields = {"base": "", "at": "", "cause": ""}
    runs: dict[str, list[str]] = {"-": [], "+": [], "=": []}
    for line in lines:
        key, _, value = line.partition(": ")
        if key in fields:
            fields[key] = value
        elif line[:1] in runs:
            runs[line[0]].append(line[2:])
        elif line.strip():
            raise ValueError(f"{name}: {line}")
    base = (BASES / fields["base"]).read_text(encoding="utf-8")
    old, wrong, right = ("".join(f"{line}\n" for line in runs[mark]) for mark in "-+=")
    places = [found.start() for found in re.finditer(f"^{re.escape(old)}", base, re.M)]
    if len(places) != 1 or wrong.count(fields["at"]) != 1:
        raise ValueError(f"{name}: {len(places)} places, {wrong.count(fields['at'])} of `at`")
    start = places[0]
    begin = start + wrong.index(fields["at"])
    sentence, _, groups = fields["cause"].partition(". [")
    words = tuple(tuple(group.split(", ")) for group in groups.removesuffix("]").split("] [") if group)
    before, after = base[:start], base[start + len(old) :]
    return Entry(name, thought, fields["base"], before + wrong + after, before + right + after,
                 (begin, begin + len(fields["at"])), sentence, words)  # fmt: skip


@cache
def messages(file: str, text: str) -> tuple[Diagnostic, ...]:
    """Return the errors of a text in the place of a base file, or its warnings where there is no error."""
    found = _diagnostics(file, text)
    return tuple(d for d in found if d.is_error) or tuple(found)


def _diagnostics(file: str, text: str) -> list[Diagnostic]:
    source = Source(str(BASES / file), text)
    try:
        if file.endswith(SCENARIOS):
            suite = Suite.of(source, BASES)
            results = [suite.run(case) for case in suite.cases]
            return [d for result in results for d in result.diagnostics]
        with tempfile.TemporaryDirectory():
            return list(check_spec(assemble(source, BASES)).diagnostics)
    except SpecError as error:
        return list(error.diagnostics)


def measure(entry: Entry) -> Measured:
    """Return what the messages of an entry are worth."""
    found = messages(entry.file, entry.text)
    said = " ".join(f"{d.message} {d.help} {d.note} {' '.join(label.text for label in d.labels)}" for d in found)
    named = all(any(word.lower() in said.lower() for word in group) for group in entry.words)
    edits = [edit for d in found[:1] for edit in d.edits]
    fixed = edited(entry.text, edits) if edits else None
    compiles = fixed is not None and not any(d.is_error for d in messages(entry.file, fixed))
    meant = compiles and fixed is not None and _tree(entry.file, fixed) == _tree(entry.file, entry.corrected)
    return Measured(
        entry, found, bool(found) and _marks(found[0], entry), named and bool(found), fixed, compiles, meant
    )


def _marks(diagnostic: Diagnostic, entry: Entry) -> bool:
    """Whether a message marks the mistake or a part of it: they overlap, and the mark begins on a line of it."""
    span, (start, end) = diagnostic.span, entry.at
    if Path(span.source.name).name != entry.file:
        return False
    first, last = (span.source.position(at)[0] for at in (start, max(start, end - 1)))
    return span.start <= end and start <= span.end and first <= span.line <= last


def _tree(file: str, text: str) -> str:
    """Return a text in its canonical form; scenarios have none, so blanks are normalised."""
    if file.endswith(SCENARIOS):
        return " ".join(text.split())
    return unparse(parser.parse(Source(file, text)))


def row(m: Measured) -> str:
    """Return the line of an entry in the table."""
    fix = "none" if m.fixed is None else "meant" if m.meant else "compiles" if m.compiles else "BROKEN"
    signs = [("yes" if goal else "NO").rjust(5) for goal in (m.located, m.single, m.named)]
    return f"{m.entry.name:40} {' '.join(signs)}  {fix}"


def totals(measured: list[Measured]) -> Iterator[str]:
    """Yield the share of entries, and of offered fixes, that reach each goal."""
    for goal, (reached, count) in counts(measured).items():
        yield f"{goal}: {reached} of {count} ({reached / max(1, count):.1%})"


def counts(measured: list[Measured]) -> dict[str, tuple[int, int]]:
    """Return for each goal how many entries (or offered fixes) reach it, and of how many."""
    fixes = [m for m in measured if m.fixed is not None]
    return {
        "place": (sum(m.located for m in measured), len(measured)),
        "one message": (sum(m.single for m in measured), len(measured)),
        "cause": (sum(m.named for m in measured), len(measured)),
        "offered fixes that compile": (sum(m.compiles for m in fixes), len(fixes)),
        "offered fixes that mean what was meant": (sum(m.meant for m in fixes), len(fixes)),
    }
