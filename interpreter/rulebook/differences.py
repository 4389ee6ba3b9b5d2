"""The effects of options: the books of other settings are compared with the book of the standard setting, line by line.

A line of the standard book that another value changes gets a mark.  The chapter on options has what it becomes.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar.expressions import walk
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Option
from interpreter.analysis.types import Bool, Int
from interpreter.english.words import capital, integer, listing, sentence, words
from interpreter.rulebook.page import (
    DIFFERS,
    TERMS,
    Block,
    Book,
    Entry,
    Heading,
    Lines,
    Paragraph,
    Row,
    Table,
    chapter_mark,
    verbatim,
)
from interpreter.rulebook.trees import own_tags

DERIVED = ("Actions", "Special cards", "Index of terms", "Summary card", "Example")
"""Chapters that repeat what others say."""
PARTS = ("Limits:", "Effect:")
"""Leads that only divide what is below an action."""
MOST_LINES = 2
"""A line that another number changes, as it was and as it is: one such line is printed with the other number."""
Value = str | int | bool
Line = tuple[str, str]
"""A chapter and the text of a line."""


@attrs.frozen
class Item:
    """A line of a book, or a whole term with all its lines.

    `path` has the numbers of the steps that the line belongs to, the outermost first; `is_step` says that the last of
    them is its own.
    """

    chapter: str
    path: tuple[int, ...]
    depth: int
    entry: Entry
    is_step: bool = False
    is_term: bool = False

    @property
    def text(self) -> str:
        """The words that are compared."""
        return " ".join(texts_of(self.entry)) if self.is_term else self.entry.text

    @property
    def line(self) -> Line:
        """The chapter and the text."""
        return self.chapter, self.text


@attrs.frozen
class Change:
    """Lines of a chapter that one book has in the place of those of another; either may be empty.

    `after` has the numbers of the step of the old book before the place.
    """

    chapter: str
    old: tuple[Item, ...]
    new: tuple[Item, ...]
    after: tuple[int, ...] = ()


def other_values(decl: ast.OptionDecl, rules: Rules) -> list[Value]:
    """Return the values to compare with the standard one: all others, or one other number of a range."""
    option = next(o for o in rules.options if o.name == decl.name)
    standard = option.in_words(option.value)
    match option.type:
        case Bool():
            return [not standard]
        case Int(low=low, high=high):
            assert isinstance(standard, int)
            near = [value for value in (standard + 1, standard - 1) if (low or 0) <= value <= (high or value)]
            return list(near[:1])
    return [word for word in option.words if word != standard]


def items_of(blocks: tuple[Block, ...], *, whole_terms: bool = False) -> Iterator[Item]:
    """Give all lines of a book but those of derived chapters; a term as one item if `whole_terms`."""
    chapter = ""
    terms = False
    for block in blocks:
        match block:
            case Heading(text=text):
                chapter, terms = text, False
            case _ if chapter in DERIVED:
                pass
            case Paragraph(text=text) if text == TERMS:
                terms = whole_terms
            case Paragraph(text=text):
                yield Item(chapter, (), 0, Entry(text))
            case Lines(entries=entries) if terms:
                yield from (Item(chapter, (), 0, entry, is_term=True) for entry in entries)
            case Lines(entries=entries, numbered=numbered):
                for number, entry in enumerate(entries, 1):
                    path = (number,) if numbered else ()
                    yield from _items(entry, chapter, path, 0, is_step=numbered, in_order=numbered or len(entries) == 1)
            case Table(rows=rows):
                yield from (Item(chapter, (), 0, Entry(_row_text(row))) for row in rows)


def _items(
    entry: Entry, chapter: str, path: tuple[int, ...], depth: int, *, is_step: bool, in_order: bool
) -> Iterator[Item]:
    """Give a line and those below it, which are steps of their own where all lines above are `in_order`."""
    if entry.text not in PARTS:
        yield Item(chapter, path, depth, entry, is_step)
    steps = in_order and entry.numbered
    for number, below in enumerate(entry.below, 1):
        inner = (*path, number) if steps else path
        yield from _items(below, chapter, inner, depth + 1, is_step=steps, in_order=steps)


def texts_of(entry: Entry) -> Iterator[str]:
    """Give the text of a line and of all below it."""
    yield entry.text
    for below in entry.below:
        yield from texts_of(below)


def _row_text(row: Row) -> str:
    return sentence(", ".join(cell for cell in row.cells if cell))


def changes(ours: list[Item], theirs: list[Item]) -> Iterator[Change]:
    """Give what one book has in the place of lines of another, in the order of its chapters (longest common run)."""
    matcher = SequenceMatcher(None, [i.line for i in ours], [i.line for i in theirs], autojunk=False)
    for kind, first, last, begin, end in matcher.get_opcodes():
        if kind == "equal":
            continue
        gone, come = ours[first:last], theirs[begin:end]
        before = ours[first - 1] if first else None
        for chapter in dict.fromkeys(item.chapter for item in (*gone, *come)):
            after = before.path if before is not None and before.chapter == chapter else ()
            old, new = (tuple(i for i in items if i.chapter == chapter) for items in (gone, come))
            yield Change(chapter, old, new, after)


def _is_whole_step(items: Sequence[Item], number: int) -> bool:
    """Whether one of some items is a step of a chapter, with all the lines below it."""
    item = items[number]
    lines = sum(1 for _ in _items(item.entry, item.chapter, item.path, 0, is_step=True, in_order=True))
    return item.is_step and not item.depth and len(_below(items, number)) == lines - 1


def _below(items: Sequence[Item], number: int) -> list[Item]:
    """Return the items below one of them."""
    depth = items[number].depth
    return [*takewhile(lambda other: other.depth > depth, items[number + 1 :])]


def _outermost(items: Sequence[Item], known: Container[str], *, moved: bool = True) -> list[Item]:
    """Return the items that are not below another of them.

    Of those known elsewhere only leads of unknown lines are left, and the whole steps that `moved`.
    """
    found: list[Item] = []
    depth: int | None = None
    for number, item in enumerate(items):
        if depth is not None and item.depth > depth:
            continue
        depth = None
        below = _below(items, number)
        if (
            item.text not in known
            or (moved and _is_whole_step(items, number))
            or (below and all(other.text not in known for other in below))
        ):
            found.append(item)
            depth = item.depth
    return found


def marked(book: Book, others: list[Book]) -> Book:
    """Return a book in which the lines that options change have a mark: another book lacks them, or has moved them."""
    kept = [{item.entry.text for item in items_of(other.blocks)} for other in others]
    changed = {i.line for i in items_of(book.blocks) if not all(i.entry.text in texts for texts in kept)}
    items = list(items_of(book.blocks))
    for other in others:
        for change in changes(items, list(items_of(other.blocks))):
            changed |= {item.line for n, item in enumerate(change.old) if _is_whole_step(change.old, n)}
    chapter = ""
    blocks: list[Block] = []
    for block in book.blocks:
        match block:
            case Heading(text=text):
                chapter = text
                blocks.append(block)
            case Paragraph(text=text):
                blocks.append(attrs.evolve(block, differs=(chapter, text) in changed))
            case Lines(entries=entries):
                blocks.append(attrs.evolve(block, entries=tuple(_marked(e, chapter, changed) for e in entries)))
            case Table(rows=rows):
                some = tuple(attrs.evolve(r, differs=(chapter, _row_text(r)) in changed) for r in rows)
                blocks.append(attrs.evolve(block, rows=some))
    return attrs.evolve(book, blocks=tuple(blocks))


def _marked(entry: Entry, chapter: str, changed: set[Line]) -> Entry:
    below = tuple(_marked(e, chapter, changed) for e in entry.below)
    differs = (chapter, entry.text) in changed
    if differs and all(e.differs for e in below):  # The mark of a lead is for all that is below it.
        below = tuple(attrs.evolve(e, differs=False) for e in below)
    return attrs.evolve(entry, below=below, differs=differs)


def options_chapter(
    book: Book,
    decls: list[ast.OptionDecl],
    rules: Rules,
    found: Mapping[str, Mapping[Value, Book]],
    usual: Mapping[str, str],
) -> list[Block]:
    """Return the chapter on the options that are open: their values, and what each changes in the book."""
    entries = []
    for decl in decls:
        option = next(o for o in rules.options if o.name == decl.name)
        standard = option.in_words(option.value)
        below: list[Entry] = []
        for value, other in found.get(decl.name, {}).items():
            below += _changed_by(value, book, other)
        about = f" {sentence(verbatim(decl.text))}" if decl.text else ""
        values = _values(decl, option, standard, usual.get(decl.name, ""))
        text = f"**{capital(words(decl.name))}** (`{decl.name}`): {values}.{about}"
        entries.append(Entry(text, own_tags(decl), tuple(below), (decl.name, *option.words)))
    lead = f"A sentence with {DIFFERS} changes with an option."
    return [Heading("Options"), Paragraph(lead), Lines(tuple(entries))] if entries else []


def _values(decl: ast.OptionDecl, option: Option, standard: Value, usual: str) -> str:
    """Return the values of an option, the standard one in bold; `usual` says how a number depends on others."""
    type_ = option.type
    fixed = not any(isinstance(n, ex.Name) and n.name not in option.words for n in walk(decl.default))
    if isinstance(type_, Int):
        ends = f"{integer(type_.low or 0)} to {'any number' if type_.high is None else integer(type_.high)}"
        return f"{ends}; standard: **{standard if fixed else usual}**" if fixed or usual else ends
    values = option.words or ("on", "off")
    own = (standard if option.words else "on" if standard else "off") if fixed else ""
    return listing([f"**{v}** (standard)" if v == own else v for v in values], "or")


def _changed_by(value: Value, book: Book, other: Book) -> Iterator[Entry]:
    """Give what a value of an option changes: the chapters with other numbers, or each line with its place."""
    ours, theirs = (list(items_of(one.blocks, whole_terms=True)) for one in (book, other))
    number = isinstance(value, int) and not isinstance(value, bool)
    title = book.blocks[0].text if isinstance(book.blocks[0], Heading) else ""
    found = list(changes(ours, theirs))  # Those of the head repeat what later chapters say.
    if number:
        places = [(c.chapter, item.path) for c in found if c.chapter != title for item in c.new]
        lines = [item for c in found if c.chapter != title for item in (*c.new, *c.old)]
        if places and len(lines) != MOST_LINES:
            where = [f"{chapter_mark(one)}{_steps_in(one, places)}" for one in dict.fromkeys(c for c, _ in places)]
            yield Entry(f"This changes numbers in {listing(where)}.")
        if len(lines) != MOST_LINES:
            return
    known, kept = (dict.fromkeys(i.chapter for i in items) for items in (ours, theirs))
    seen = {item.text for item in ours}
    said = [Entry(f"leave out {chapter_mark(chapter)}.") for chapter in known if chapter not in kept]
    gone: dict[str, list[Item]] = {}
    for change in (c for c in found if c.chapter in kept and c.chapter != title):
        new = _outermost(change.new, seen if change.chapter in known else (), moved=change.chapter in known)
        if number:  # The lines below it stay as they are.
            new = [i if i.is_term else attrs.evolve(i, entry=attrs.evolve(i.entry, below=())) for i in new]
        old = _outermost(change.old, {item.text for item in theirs})
        seen |= {item.text for item in change.new}
        left = list(old) if new or not change.new else []
        for item in new[: len(left)]:
            left.remove(max(left, key=lambda other: SequenceMatcher(None, other.text, item.text).ratio()))
        if new:
            said.append(_instead(change, [i for i in old if i not in left], new, is_new=change.chapter not in known))
        # A definition falls away with what uses it.
        gone.setdefault(change.chapter, []).extend(i for i in left if i.path or not i.entry.names)
    said += [_left_out(chapter, items) for chapter, items in gone.items() if items]
    name = ("on" if value else "off") if isinstance(value, bool) else str(value)
    if len(said) == 1:
        example = "For example " if number else ""
        yield attrs.evolve(said[0], text=f"{example}`{name}`: {said[0].text}")
    elif said:
        yield Entry(f"`{name}`:", (), tuple(attrs.evolve(e, text=capital(e.text)) for e in said))


def _steps_in(chapter: str, places: list[tuple[str, tuple[int, ...]]]) -> str:
    """Return the steps among some places that are of a chapter: " (steps 2 and 3)"."""
    steps = sorted({path[0] for one, path in places if one == chapter and path})
    if len(steps) < 2:
        return f" (step {steps[0]})" if steps else ""
    whole = len(steps) > 2 and steps[-1] - steps[0] == len(steps) - 1
    return f" (steps {steps[0]} to {steps[-1]})" if whole else f" (steps {' and '.join(map(str, steps))})"


def _dotted(path: tuple[int, ...]) -> str:
    """Return the number of a step within steps: "4.2"."""
    return ".".join(map(str, path))


def _instead(change: Change, old: list[Item], new: list[Item], *, is_new: bool) -> Entry:
    """Return lines with the place where they stand: "in **One deal**, step 4.2: ..."."""
    where = f"{'new chapter' if is_new else 'in'} {chapter_mark(change.chapter)}"
    if new[0].path and not is_new:
        where += f", {_place(change, old, new[0])}"
    if len(old) == len(new) == 1 and new[0].depth and not new[0].is_step:
        where += f", instead of “{old[0].text.rstrip('.:')}”"
    if len(new) == 1:
        return attrs.evolve(new[0].entry, text=f"{where}: {new[0].entry.text}", tags=(), names=())
    return Entry(f"{where}:", (), tuple(item.entry for item in new), numbered=new[0].is_step)


def _place(change: Change, old: list[Item], new: Item) -> str:
    """Return which step a new line replaces, follows or belongs to."""
    path = (old[0].path if old else change.after) or new.path
    if not new.is_step:
        return f"step {_dotted(path)}"
    depth = len(new.path)
    if old:
        return f"step {_dotted(path)}{' becomes' if len(path) == depth else ''}"
    if len(change.after) < depth:
        return f"before step {_dotted((*new.path[:-1], 1))}"
    return f"after step {_dotted(path[:depth])}"


def _left_out(chapter: str, old: list[Item]) -> Entry:
    """Return what to leave out: whole steps by their numbers, other lines as they are."""
    where = f"in {chapter_mark(chapter)}, leave out"
    steps = list(dict.fromkeys(_dotted(item.path) for item in old if item.is_step))
    lines = list({item.entry.text: item.entry for item in old if not item.is_step}.values())
    if steps:
        where += f" {'step' if len(steps) == 1 else 'steps'} {listing(steps)}"
    if not lines:
        return Entry(f"{where}.")
    where += " and:" if steps else ":"
    if len(lines) == 1:
        return attrs.evolve(lines[0], text=f"{where} {lines[0].text}", tags=(), names=())
    return Entry(where, (), tuple(lines))
