"""The chapter on options is complete: what it prints makes the book of each other value out of the standard book."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs
import pytest

from interpreter.rulebook.page import TERMS, Block, Book, Entry, Heading, Lines, Paragraph, Table
from tests.bundled import EVERY, signature_of
from tests.rulebook.books import EVERYTHING, page

REPEATED = ("Actions", "Index of terms", "Summary card", "Example", "Options")
PARTS = ("Limits:", "Effect:")
GAMES = [name for name in [*EVERY, str(EVERYTHING)] if signature_of(name).declarations]
QUOTE = "“((?:[^“”]|“[^“”]*”)+)”"
STEPS = r"steps? ([\d., and]*\d)"
SENTENCE = r"(?<=\.) "


@attrs.define(eq=False)
class Line:
    """A sentence with its number and what is below it."""

    text: str
    below: list[Line]
    step: str = ""

    def words(self) -> list[str]:
        """Return all its words, without marks and punctuation."""
        own = re.sub("[.,:;]", " ", self.text).lower().split()
        return own + [word for line in self.below for word in line.words()]


def read(entry: Entry, step: str = "", *, in_order: bool = False) -> Line:
    """Return a line of a book; its further sentences are below it."""
    first, *more = (
        [entry.text] if entry.numbered else re.split(r"(?<=\.) (?=[*“]*[A-Z])|(?<=\.”) (?=[*“]*[A-Z])", entry.text)
    )
    order = in_order and entry.numbered
    prefix = f"{step}." if step else ""
    below = [e for part in entry.below for e in (part.below if part.text in PARTS else (part,))]
    lines = (read(e, f"{prefix}{n}" if order else "", in_order=order) for n, e in enumerate(below, 1))
    return Line(first, [*(Line(text, []) for text in more), *lines], step)


@attrs.define
class Chapters:
    """The rules of a book by chapter, and the definitions by their terms."""

    lines: dict[str, list[Line]]
    terms: dict[str, Line]
    ordered: set[str]

    @classmethod
    def of(cls, blocks: tuple[Block, ...]) -> Chapters:
        made = cls({}, {}, set())
        chapter, terms = "", False
        for block in blocks[1:]:
            lines: list[Line] = []
            match block:
                case Heading(text=chapter):
                    terms = False
                case Paragraph(text=text):
                    terms = terms or text == TERMS
                    lines = [] if terms else [Line(text, [])]
                case Lines(entries=entries) if terms:
                    made.terms.update({term(e.text): read(e) for e in entries})
                case Lines(entries=entries, numbered=numbered):
                    order = numbered or len(entries) == 1
                    lines = [read(e, str(n) if numbered else "", in_order=order) for n, e in enumerate(entries, 1)]
                    lines = [line for line in lines if not line.text.startswith("Also note during")]
                    made.ordered |= {chapter} if numbered else set()
                case Table(rows=rows):
                    lines = [Line(", ".join(cell for cell in row.cells if cell), []) for row in rows]
            if chapter and chapter not in REPEATED:
                made.lines.setdefault(chapter, []).extend(lines)
        return made

    def all(self, chapter: str) -> Iterator[tuple[list[Line], Line]]:
        """Give every sentence of a chapter with the list that it is in."""
        waiting = [(self.lines[chapter], line) for line in self.lines[chapter]]
        waiting += [(([]), line) for line in self.terms.values()]
        while waiting:
            where, line = waiting.pop()
            yield where, line
            waiting += [(line.below, below) for below in line.below]

    def step(self, chapter: str, number: str) -> tuple[list[Line], Line]:
        """Return a step by its number in the standard book."""
        (found,) = (pair for pair in self.all(chapter) if pair[1].step == number)
        return found

    def quoted(self, chapter: str, step: str, text: str) -> tuple[list[Line], Line]:
        """Return the sentence of a step, or of no step, that begins with some words."""
        begun = text.removesuffix("…").strip()
        within = {id(line) for line in _of_step(self.step(chapter, step)[1])} if step else None
        found = [p for p in self.all(chapter) if p[1].text.startswith(begun) and (within is None or id(p[1]) in within)]
        exact = [pair for pair in found if pair[1].text.rstrip(".:") == text]
        (one,) = exact or found
        return one

    def rows(self, chapter: str, name: str) -> list[Line]:
        """Return the rows of tables with this first cell, and sentences that begin like one."""
        return [line for line in self.lines[chapter] if line.text.partition(", ")[0] == name]

    def apply(self, entry: Entry, wanted: Chapters) -> None:
        """Carry out an instruction of the chapter on options, which makes a part of the `wanted` book."""
        text = entry.text[0].lower() + entry.text[1:]
        if found := re.fullmatch(r"leave out \*\*§(.+)\*\*\.", text):
            del self.lines[found[1]]
            return
        if found := re.match(r"new chapter \*\*§(.+?)\*\*(?:\. (.*?))?: ?", text):
            self.lines[found[1]] = [*([Line(found[2], [])] if found[2] else []), *given(entry, text[found.end() :])]
            return
        chapter, rest = re.fullmatch(r"in \*\*§(.+?)\*\*(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
        if found := re.fullmatch(rf", leave out {STEPS}\.", rest):
            for where, line in [self.step(chapter, number) for number in re.findall(r"[\d.]*\d", found[1])]:
                where.remove(line)
        elif found := re.match(rf", {STEPS} becomes?: ?", rest):
            (where, first), *more = [self.step(chapter, number) for number in re.findall(r"[\d.]*\d", found[1])]
            place = where.index(first)
            where[place : place + 1 + len(more)] = given(entry, rest[found.end() :])
        elif found := re.match(r", (after|before) step ([\d.]*\d): ?", rest):
            where, line = self.step(chapter, found[2])
            place = where.index(line) + (found[1] == "after")
            where[place:place] = given(entry, rest[found.end() :])
        elif found := re.match(r", step ([\d.]*\d), add: ?", rest):
            self.step(chapter, found[1])[1].below[:0] = given(entry, rest[found.end() :])
        elif found := re.fullmatch(rf"(?:, step ([\d.]*\d))?, leave out {QUOTE}\.", rest):
            where, line = self.quoted(chapter, found[1], found[2])
            where.remove(line)
        elif found := re.match(rf"(?:, step ([\d.]*\d))?, (after|before) {QUOTE}: ?", rest):
            where, line = self.quoted(chapter, found[1], found[3])
            place = where.index(line) + (found[2] == "after")
            where[place:place] = given(entry, rest[found.end() :])
        elif found := re.match(
            rf"(?:, step ([\d.]*\d))?, instead of {QUOTE}(?: (?:to|and) {QUOTE})?( and what belongs to it)?: ?", rest
        ):
            where, line = self.quoted(chapter, found[1], found[2])
            last = line if found[3] is None else self.quoted(chapter, found[1], found[3])[1]
            new = given(entry, rest[found.end() :])
            if found[4] is None and line is last:
                new[-1].below += line.below
            where[where.index(line) : where.index(last) + 1] = new
        elif found := re.match(r", ([^:]+): ", rest):
            pairs = zip(self.rows(chapter, found[1]), wanted.rows(chapter, found[1]), strict=True)
            old, row = next(pair for pair in pairs if pair[0].text != pair[1].text)
            (first,) = given(entry, rest[found.end() :])
            printed = tuple(line.text.rstrip(".") for line in (first, *first.below))
            for said in {*re.split(SENTENCE, row.text)} - {*re.split(SENTENCE, old.text)}:
                assert said.rstrip(".").endswith(printed), (said, entry.text)
            self.lines[chapter][self.lines[chapter].index(old)] = row
        else:
            for line in given(entry, rest.removeprefix(":").strip()):
                known = self.rows(chapter, line.text.partition(", ")[0])
                if term(line.text) in self.terms.keys() | wanted.terms.keys():
                    self.terms[term(line.text)] = line
                elif known and "," in line.text:
                    self.lines[chapter][self.lines[chapter].index(known[0])] = line
                else:
                    self.lines[chapter].append(line)


def _of_step(line: Line) -> Iterator[Line]:
    """Give what belongs to a step and to no step of its own."""
    yield line
    for below in line.below:
        yield from () if below.step else _of_step(below)


def term(text: str) -> str:
    """Return the term that a definition explains."""
    found = re.search(r"(?<!\*)\*([^*]+)\*(?!\*)", text)
    return found[1] if found else text[:20]


def given(entry: Entry, text: str) -> list[Line]:
    """Return the new sentences of an instruction."""
    return [read(attrs.evolve(entry, text=text))] if text else [read(e) for e in entry.below]


def instructions(book: Book, option: str, value: object) -> list[Entry]:
    """Return what the chapter on options says of a value, one instruction an entry."""
    name = {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
    number = next(n for n, b in enumerate(book.blocks) if isinstance(b, Heading) and b.text == "Options")
    lines = next(b for b in book.blocks[number:] if isinstance(b, Lines))
    (own,) = (e for e in lines.entries if e.names[:1] == (option,))
    found: list[Entry] = []
    for entry in own.below:
        values = re.match(r"(?:For example )?(`[^`]+`(?:(?:, | or )`[^`]+`)*): ?", entry.text)
        if values and f"`{name}`" in values[1]:
            rest = entry.text[values.end() :]
            found += [attrs.evolve(entry, text=rest)] if rest else entry.below
    return found


@pytest.mark.parametrize("name", GAMES, ids=lambda n: n.rsplit("/", 1)[-1])
def test_the_printed_changes_make_the_book_of_each_option(name: str) -> None:
    book = page(name)
    for option, others in book.alternatives.items():
        for value, other in others.items():
            made, wanted = Chapters.of(book.blocks), Chapters.of(other.blocks)
            *_, own = (e for b in book.blocks if isinstance(b, Lines) for e in b.entries if e.names[:1] == (option,))
            numbers = {c for e in own.below if "changes numbers" in e.text for c in re.findall(r"§(.+?)\*", e.text)}
            for entry in instructions(book, option, value):
                made.apply(entry, wanted)
            assert made.lines.keys() == wanted.lines.keys(), (option, value)
            for chapter in made.lines:
                said, same = ([line.words() for line in one.lines[chapter]] for one in (made, wanted))
                if chapter not in wanted.ordered:
                    said, same = sorted(said), sorted(same)
                if chapter in numbers and not re.search(r"standard: \*\*\d+\*\*", own.text):
                    continue  # The standard depends on the number of players, and has a name.
                if chapter in numbers:
                    assert [*map(len, said)] == [*map(len, same)], (option, value, chapter)
                else:
                    assert said == same, (option, value, chapter)
            for key, line in wanted.terms.items():
                if not numbers:
                    assert made.terms[key].words() == line.words(), (option, value, key)
