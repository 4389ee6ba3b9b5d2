"""The effects of options: the books of other settings are compared with the book of the standard setting.

Chapters are trees of sentences.  Sentences of two books are paired by a global alignment (Needleman and Wunsch, 1970),
level by level, so that each `Edit` is a whole sentence with all that is below it, or one sentence alone.  The chapter
on options prints the edits; a sentence of the standard book that one changes gets a mark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar.expressions import walk
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Option
from interpreter.analysis.types import Bool, Int
from interpreter.english.words import capital, integer, listing, number_of_words, sentence, words
from interpreter.rulebook.page import (
    DIFFERS,
    NOTED,
    SENTENCES,
    TERMS,
    WITH,
    Block,
    Book,
    Entry,
    Heading,
    Lines,
    Paragraph,
    Row,
    Table,
    chapter_mark,
    option_mark,
    runs,
    verbatim,
)
from interpreter.rulebook.trees import own_tags

DERIVED = ("Actions", "Index of terms", "Example")
"""Chapters that repeat what others say."""
SUMMARY = "Summary card"
PARTS = ("Limits:", "Effect:")
"""Leads that only divide what is below an action."""
QUOTED = 5
"""Words of a sentence that name it, unless another of its chapter begins with them."""
SIMILAR = 0.5
"""Sentences with so great a part of their words in common are the same one with other words."""
PLACE = 4
"""Words that it takes to say where a change is."""
Kind = Literal["text", "line", "limit", "row", "term"]
"""A sentence is in a paragraph, a list, the limits of an action, a table, or a definition."""
Value = str | int | bool


@attrs.frozen(eq=False)
class Node:
    """A sentence of a chapter with all that is below it.

    `source` is the part of the book that has it, `whole` its line.  `path` has the numbers of the steps that it belongs
    to, the outermost first; `is_step` says that the last of them is its own, `numbered` that its list has numbers.
    `key` has all its words, for comparing.
    """

    chapter: str
    kind: Kind
    source: Paragraph | Row | Entry
    whole: Entry
    text: str
    path: tuple[int, ...] = ()
    numbered: bool = False
    is_step: bool = False
    below: tuple[Node, ...] = ()
    key: tuple[object, ...] = attrs.field(init=False)

    @key.default
    def _key(self) -> tuple[object, ...]:
        return _bare(self.text), *(node.key for node in self.below)

    @property
    def name(self) -> str:
        """The name of a row or term, the same in another book."""
        return next(iter(self.whole.names), self.text) if self.kind == "term" else self.text.partition(", ")[0]


@attrs.frozen
class Edit:
    """Sentences of a chapter that one book has in the place of those of another; either may be empty.

    `before` and `after` are the old sentences on both sides, `parent` the one above.  What is below a sentence changes
    with it, unless it changes `alone`.
    """

    chapter: str
    old: tuple[Node, ...]
    new: tuple[Node, ...]
    before: Node | None = None
    after: Node | None = None
    parent: Node | None = None
    alone: bool = False

    @property
    def place(self) -> Node | None:
        """The old sentence that shows a reader where the change is; None where that is clear."""
        if self.old:
            return self.old[0]
        free = self.new[0].kind in ("text", "row", "term") or (self.parent is None and not self.new[0].is_step)
        return None if free else self.before or self.after or self.parent

    @property
    def words(self) -> int:
        """How many words it takes to print."""
        quoted = sum(QUOTED for node in self.old if not node.is_step)
        return PLACE + quoted + sum(map(number_of_words, self.texts(self.new)))

    def texts(self, nodes: Iterable[Node]) -> list[str]:
        """Return the sentences of the old or the new nodes, with all below them if that changes too."""
        return [node.text for node in nodes] if self.alone else [e.text for node in nodes for e in node.whole.walk()]


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


# ---- a book as trees of sentences


def chapters_of(blocks: tuple[Block, ...]) -> dict[str, list[Node]]:
    """Return the sentences of each chapter that repeats no other; of those that do, only the terms."""
    chapters: dict[str, list[Node]] = {}
    chapter = ""
    terms = False
    for block in blocks:
        found: list[Node] = []
        match block:
            case Heading(text=text):
                chapter, terms = text, False
            case Paragraph(text=text) if text == TERMS:
                terms = True
                continue
            case Paragraph(text=text):
                found = [Node(chapter, "text", block, Entry(text), text)]
            case Lines(entries=entries) if terms:
                found = [_node(chapter, entry, (), kind="term") for entry in entries]
            case Lines(entries=entries, numbered=numbered):
                order = numbered or len(entries) == 1
                found = [_node(chapter, entry, (number,) * numbered, numbered=numbered, in_order=order)
                         for number, entry in enumerate(entries, 1) if not entry.text.startswith(NOTED)]  # fmt: skip
            case Table(rows=rows):
                texts = (sentence(", ".join(cell for cell in row.cells if cell)) for row in rows)
                found = [Node(chapter, "row", row, Entry(t), t) for row, t in zip(rows, texts, strict=True)]
        if chapter not in DERIVED or terms:
            chapters.setdefault(chapter, []).extend(found)
    return chapters


def _node(
    chapter: str,
    entry: Entry,
    path: tuple[int, ...],
    *,
    numbered: bool = False,
    in_order: bool = False,
    kind: Kind = "line",
) -> Node:
    """Return a line as a sentence; its further sentences are below it, and so are its lines.

    The lines are steps where all lists above are `in_order`.
    """
    first, *more = [entry.text] if entry.numbered or kind == "term" else SENTENCES.split(entry.text)
    below = [Node(chapter, "line", entry, Entry(text), text, path) for text in more]
    for number, line in enumerate(entry.below, 1):
        if line.text in PARTS:
            inside: Kind = "limit" if line.text == PARTS[0] else "line"
            below += [_node(chapter, e, path, numbered=line.numbered, kind=inside) for e in line.below]
        else:
            steps = entry.numbered and in_order
            inner = (*path, number) if steps else path
            below.append(_node(chapter, line, inner, numbered=entry.numbered, in_order=steps))
    return Node(chapter, kind, entry, entry, first, path, numbered, numbered and in_order, tuple(below))


def _unfolded(flat: Node, other: Node) -> Node:
    """Return a sentence as a lead and one line below it, if the `other` is this lead with several lines."""
    rest = flat.text.removeprefix(_bare(other.text))
    if flat.below or not other.below or rest == flat.text or rest[:2] not in (", ", ": "):
        return flat
    text = capital(rest[2:])
    line = Node(flat.chapter, "line", flat.source, Entry(text), text, flat.path)
    return attrs.evolve(flat, text=other.text, below=(line,))


def _bare(text: str) -> str:
    return text.rstrip(".:")


def _within(nodes: Iterable[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from _within(node.below)


# ---- what differs


class Comparison:
    """Compares two books: `edits` make the second of the first, in the order of the chapters.

    `gone` and `come` are the chapters that only one of them has.  A term that the second does not have is among the
    edits, too; so are the chapters that `come`, each as one edit.
    """

    def __init__(self, old: tuple[Block, ...], new: tuple[Block, ...]) -> None:
        ours, theirs = chapters_of(old), chapters_of(new)
        self.gone = [chapter for chapter in ours if chapter not in (*theirs, *DERIVED)]
        self.come = [chapter for chapter in theirs if chapter not in (*ours, *DERIVED)]
        self.said = Counter((n.chapter, n.path, _bare(n.text)) for n in _within(_all(ours)))
        self.texts = [(n.chapter, n.path, n.text) for books in (ours, theirs) for n in _within(_all(books))]
        self.edits: list[Edit] = []
        for chapter in dict.fromkeys([*ours, *theirs]):
            before, after = (_rules(nodes.get(chapter, [])) for nodes in (ours, theirs))
            self.edits += [] if chapter in self.gone else self._between(before, after, None)
        terms, later = ({n.name: n for n in _all(nodes) if n.kind == "term"} for nodes in (ours, theirs))
        self.edits += [e for name, n in later.items() for e in self._of_two(terms.get(name), n)]
        self.edits += [Edit(n.chapter, (n,), ()) for name, n in terms.items() if name not in later]

    def _between(self, old: Sequence[Node], new: Sequence[Node], parent: Node | None) -> Iterator[Edit]:
        """Give what a list has in the place of the sentences of another."""
        gone: list[Node] = []
        come: list[Node] = []
        first = done = 0
        for here, there in [*_aligned(old, new), (len(old), len(new))]:
            gone += old[first:here]
            come += new[done:there]
            first, done = here + 1, there + 1
            pair = (old[here], new[there]) if here < len(old) else None
            inner = [] if pair is None else [*self._of_two(*pair)]
            if pair is not None and [e.old for e in inner if not e.alone] == [(pair[0],)]:
                gone.append(pair[0])
                come.append(attrs.evolve(pair[1], kind=pair[0].kind))
                continue
            start = here - len(gone)
            for kind in dict.fromkeys(n.kind for n in (*gone, *come)):
                some, others = (tuple(n for n in nodes if n.kind == kind) for nodes in (gone, come))
                before, after = (old[n] if 0 <= n < len(old) else None for n in (start - 1, here))
                before = None if before is not None and before.kind == "text" else before
                yield Edit((*some, *others)[0].chapter, some, others, before, after, parent)
            gone, come = [], []
            yield from inner

    def _of_two(self, old: Node | None, new: Node) -> Iterator[Edit]:
        """Give what makes a sentence of another: one edit for all that is below it, or several if they are shorter."""
        whole = Edit(new.chapter if old is None else old.chapter, () if old is None else (old,), (new,))
        if old is None or old.key == new.key:
            yield from [] if old is not None else [whole]
            return
        new = _unfolded(new, old)
        inside = [attrs.evolve(whole, alone=True)] if _bare(old.text) != _bare(new.text) else []
        inside += self._between(old.below, new.below, old)
        places = [e.place for e in inside if e.place is not None and not e.place.is_step]
        clear = all(self.said[place.chapter, place.path, _bare(place.text)] == 1 for place in places)
        cost = sum(e.words for e in inside) * (2 if new.kind == "term" else 1)
        split = (new.below and old.below) or not inside[0].alone
        yield from inside if split and clear and cost < whole.words else [whole]

    def quoted(self, node: Node, new: Sequence[Node] = ()) -> str:
        """Return a sentence in quotes, or as many of its first words as no other within the same step begins with.

        Sentences of the other book count, too, except the `new` ones that replace it: a reader who carries out the
        changes one by one has some of them already.
        """
        depth, own = len(node.path), {node.text, *(n.text for n in _within(new))}
        others = [
            text
            for chapter, path, text in self.texts
            if chapter == node.chapter and path[:depth] == node.path and text not in own
        ]
        parts = node.text.split(" ")
        for number in range(QUOTED, len(parts) - 1):
            begun = " ".join(parts[:number])
            if not any(t.startswith(begun) for t in others) and not _has_open_mark(begun):
                return f"“{begun} …”"
        return f"“{_bare(node.text)}”"


def _all(chapters: Mapping[str, list[Node]]) -> list[Node]:
    return [node for nodes in chapters.values() for node in nodes]


def _rules(nodes: list[Node]) -> list[Node]:
    return [node for node in nodes if node.kind != "term"]


def _has_open_mark(text: str) -> bool:
    """Whether a text ends between two marks of emphasis or two quotes."""
    return any(set(run) & set("*`") for run, style in runs(text) if style == "plain") or text.count("“") > text.count(
        "”"
    )


def _aligned(old: Sequence[Node], new: Sequence[Node]) -> list[tuple[int, int]]:
    """Return the places of the sentences that are the same or similar in two lists (Needleman-Wunsch)."""
    likeness = [[_likeness(a, b) for b in new] for a in old]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i, j in ((i, j) for i in reversed(range(len(old))) for j in reversed(range(len(new)))):
        paired = likeness[i][j] and likeness[i][j] + best[i + 1][j + 1]
        best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(old) and j < len(new):
        if likeness[i][j] and best[i][j] == likeness[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _likeness(old: Node, new: Node) -> float:
    """Return how much two sentences are the same: 0 if not at all, 1 with the same words, more with all below."""
    if old.key == new.key:
        return 2
    if old.kind != new.kind and {old.kind, new.kind} != {"line", "limit"}:  # Limits without effects are plain lines.
        return 0
    if _bare(old.text) == _bare(new.text) or (old.kind == "row" and old.name == new.name):
        return 1
    ratio = SequenceMatcher(None, old.text.split(), new.text.split(), autojunk=False).ratio()
    return ratio if ratio >= SIMILAR else 0


# ---- marks


def marked(book: Book, compared: Sequence[Comparison]) -> Book:
    """Return a book in which the sentences that options change have a mark, and those after which they add some.

    `compared` are its comparisons with the books of other values.
    """
    leaving = {chapter for one in compared for chapter in one.gone}
    changed = {id(n.source) for n in _all(chapters_of(book.blocks)) if n.chapter in leaving}
    for edit in (e for one in compared for e in one.edits if e.new or e.old[0].kind != "term"):
        touched = edit.old or (() if edit.place is None else (edit.place,))
        changed |= {id(node.source) for node in touched}
    blocks: list[Block] = []
    for block in book.blocks:
        match block:
            case Heading():
                blocks.append(block)
            case Paragraph():
                blocks.append(attrs.evolve(block, differs=id(block) in changed))
            case Lines(entries=entries):
                blocks.append(attrs.evolve(block, entries=tuple(_marked(e, changed) for e in entries)))
            case Table(rows=rows):
                blocks.append(attrs.evolve(block, rows=tuple(attrs.evolve(r, differs=id(r) in changed) for r in rows)))
    return attrs.evolve(book, blocks=tuple(blocks))


def _marked(entry: Entry, changed: set[int]) -> Entry:
    differs = id(entry) in changed
    below = tuple(e if differs else _marked(e, changed) for e in entry.below)  # The mark of a lead is for all below it.
    return attrs.evolve(entry, below=below, differs=differs)


# ---- the chapter on options


def options_chapter(
    book: Book,
    decls: list[ast.OptionDecl],
    rules: Rules,
    compared: Mapping[str, Mapping[Value, Comparison]],
    usual: Mapping[str, str],
) -> list[Block]:
    """Return the chapter on the options that are open: their values, and what each changes in the book.

    `compared` has, for each option, the comparisons of the book with those of its other values.
    """
    entries = []
    for decl in decls:
        option = next(o for o in rules.options if o.name == decl.name)
        standard = option.in_words(option.value)
        below: list[Entry] = []
        values_of: dict[Entry, list[str]] = {}
        lead = WITH.format(option_mark(decl.name))
        nodes = {chapter: _within(found) for chapter, found in chapters_of(book.blocks).items()}
        if where := [chapter_mark(chapter) for chapter, own in nodes.items() if any(lead in n.text for n in own)]:
            below.append(Entry(f"See the sentences “{lead.removesuffix(', ')} …” in {listing(where)}."))
        for value, found in compared.get(decl.name, {}).items():
            numbers, said = _changed_by(value, book, found, by_players=decl.name in usual)
            below += numbers
            name = ("on" if value else "off") if isinstance(value, bool) else str(value)
            for entry in said:
                values_of.setdefault(entry, []).append(f"`{name}`")
        alike: dict[tuple[str, ...], list[Entry]] = {}
        for entry, names in values_of.items():
            alike.setdefault(tuple(names), []).append(entry)
        for those, said in alike.items():
            front = f"{'For example ' if isinstance(option.type, Int) else ''}{listing(those, 'or')}:"
            if len(said) == 1:
                below.append(attrs.evolve(said[0], text=f"{front} {said[0].text}"))
            else:
                below.append(Entry(front, (), tuple(attrs.evolve(e, text=capital(e.text)) for e in said)))
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


def _changed_by(value: Value, book: Book, compared: Comparison, *, by_players: bool) -> tuple[list[Entry], list[Entry]]:
    """Return what a value of an option changes: the chapters with other numbers, and each sentence with its place.

    A number whose standard depends on that of the players has a name in the book: only the chapters are given.
    """
    number = isinstance(value, int) and not isinstance(value, bool)
    head = {SUMMARY, *(b.text for b in book.blocks[:1] if isinstance(b, Heading))}  # They repeat what others say.
    edits = [e for e in compared.edits if e.chapter not in head and (e.new or e.old[0].kind != "term")]
    numbers: list[Entry] = []
    if number and len(edits) > 1 and (same := [e for e in edits if by_players or _changes_a_number(e)]):
        where = [f"{chapter_mark(one)}{_steps_in(one, same)}" for one in dict.fromkeys(e.chapter for e in same)]
        numbers.append(Entry(f"This changes numbers in {listing(where)}."))
        edits = [e for e in edits if e not in same]
    said = [Entry(f"leave out {chapter_mark(chapter)}.") for chapter in compared.gone]
    for chapter, group in groupby(edits, lambda edit: edit.chapter):
        some = [*group]
        if chapter in compared.come and some[0].new[0].kind != "term":
            said.append(_new_chapter(chapter, [node for edit in some for node in edit.new]))
        else:
            said += [_printed(edit, compared) for edit in some if edit.new]
            said += _left_out(chapter, [node for edit in some if not edit.new for node in edit.old], compared)
    return numbers, said


def _changes_a_number(edit: Edit) -> bool:
    """Whether an edit changes a word in each of some sentences, as another number does."""
    old, new = ([*map(number_of_words, edit.texts(nodes))] for nodes in (edit.old, edit.new))
    return old == new


def _steps_in(chapter: str, edits: Iterable[Edit]) -> str:
    """Return the steps of a chapter that some edits change: " (steps 2 and 3)"."""
    steps = sorted({n.path[0] for e in edits if e.chapter == chapter for n in e.old if n.path})
    if len(steps) < 2:
        return f" (step {steps[0]})" if steps else ""
    whole = len(steps) > 2 and steps[-1] - steps[0] == len(steps) - 1
    return f" (steps {steps[0]} to {steps[-1]})" if whole else f" ({_steps(steps)})"


def _steps(numbers: Sequence[object]) -> str:
    return f"{'step' if len(numbers) == 1 else 'steps'} {listing([*map(str, numbers)])}"


def _dotted(node: Node) -> str:
    """Return the number of a step within steps: "4.2"."""
    return ".".join(map(str, node.path))


def _new_chapter(chapter: str, nodes: list[Node]) -> Entry:
    """Return a chapter that the book does not have: its paragraphs in front of its lines."""
    lead = ". ".join([f"new chapter {chapter_mark(chapter)}", *(_bare(n.text) for n in nodes if n.kind == "text")])
    lines = [node for node in nodes if node.kind != "text"]
    if len(lines) == 1:
        return attrs.evolve(lines[0].whole, text=f"{lead}: {lines[0].whole.text}", tags=(), names=())
    return Entry(f"{lead}:", (), tuple(node.whole for node in lines), numbered=lines[0].numbered)


def _printed(edit: Edit, compared: Comparison) -> Entry:
    """Return new sentences with the place where they are put: "in **One deal**, step 4.2 becomes: ..."."""
    where = f"in {chapter_mark(edit.chapter)}{_where(edit, compared)}"
    if edit.alone:
        return Entry(f"{where}: {edit.new[0].text}")
    if changed := _in_details(edit):
        return Entry(f"{where}{changed}")
    if len(edit.new) == 1:
        return attrs.evolve(edit.new[0].whole, text=f"{where}: {edit.new[0].whole.text}", tags=(), names=())
    return Entry(f"{where}:", (), tuple(node.whole for node in edit.new), numbered=edit.new[0].numbered)


def _in_details(edit: Edit) -> str:
    """Return a row's name with the new sentences of its last cell, if it differs in nothing else; "" for all others."""
    match [*edit.old, *edit.new]:
        case [Node(source=Row(cells=(*old, last))), Node(source=Row(cells=(*new, changed)))] if old == new:
            kept = SENTENCES.split(last)
            fresh = [text for text in SENTENCES.split(changed) if text not in kept]
            return f", {old[0]}: {' '.join(fresh).removesuffix('.')}." if fresh else ""
    return ""


def _where(edit: Edit, compared: Comparison) -> str:
    """Return which sentences new ones replace, follow or belong to."""
    node = edit.place
    if node is None:
        return ""
    step = f", step {_dotted(node)}" if node.path else ""
    if not edit.old and node is edit.parent:
        return f"{step}, add" if node.is_step else f"{step}, after {compared.quoted(node)}"
    if not edit.old:
        relation = "before" if node is edit.after else "after"
        return f", {relation} step {_dotted(node)}" if node.is_step else f"{step}, {relation} {compared.quoted(node)}"
    if node.kind == "term" or [n.name for n in edit.old if n.kind == "row"] == [n.name for n in edit.new]:
        return f", instead of {compared.quoted(node, edit.new)}" if edit.alone else ""
    if all(n.is_step for n in edit.old) and not edit.alone:
        return f", {_steps([*map(_dotted, edit.old)])} become{'s' if len(edit.old) == 1 else ''}"
    rest = " and what belongs to it" if not edit.alone and any(n.below for n in edit.old) else ""
    return f"{step}, instead of {_quotes(edit, compared)}{rest}"


def _quotes(edit: Edit, compared: Comparison) -> str:
    """Return old sentences in quotes; of a longer row only the first and the last."""
    first, last = (compared.quoted(node, edit.new) for node in (edit.old[0], edit.old[-1]))
    many = len(edit.old)
    return first if many == 1 else f"{first} {'to' if many > 2 else 'and'} {last}"


def _left_out(chapter: str, nodes: list[Node], compared: Comparison) -> Iterator[Entry]:
    """Give what to leave out of a chapter: whole steps by their numbers, other sentences in quotes."""
    where = f"in {chapter_mark(chapter)}"
    if steps := [_dotted(node) for node in nodes if node.is_step]:
        yield Entry(f"{where}, leave out {_steps(steps)}.")
    for node in (node for node in nodes if not node.is_step):
        step = f", step {_dotted(node)}" if node.path else ""
        yield Entry(f"{where}{step}, leave out {compared.quoted(node)}.")
