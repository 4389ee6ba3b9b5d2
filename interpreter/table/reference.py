"""The searchable rulebook of a play: look up a name in the book of its setting.

The answer is the book pruned to the lines that explain the name, with the headings above them.  A name without an
explanation is searched in the text.  Answers depend only on the spec and the setting, so they reveal nothing of a play.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import attrs

from grammar.ast import Family, PhaseDecl
from grammar.expressions import walk
from grammar.statements import Action
from grammar.suggest import nearest
from interpreter.analysis.types import Player
from interpreter.english.words import article, capital, listing, number_of_words, plural, singular, words
from interpreter.knowledge.events import Assigned, Chosen, Moved, Said
from interpreter.rulebook.book import write_book
from interpreter.rulebook.page import Block, Book, Entry, Heading, Lines, Paragraph, Table, in_a_line, plain, verbatim
from interpreter.rulebook.patterns import with_value
from interpreter.rulebook.result import AIM
from interpreter.rulebook.settle import Settled
from interpreter.table.digest import is_nothing
from interpreter.table.information import decisions_like

if TYPE_CHECKING:
    from grammar.source import Span
    from interpreter.analysis.card_faces import Face
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.game_data import Place, Slot
    from interpreter.knowledge.events import Event
    from interpreter.program.nodes import Program
    from interpreter.table.information import InformationState
    from interpreter.table.narrator import EventNarrator
    from interpreter.table.reasons import Part, Provenance, Reason, Sum
    from interpreter.text.explain import Refusal

MOST_WORDS = 16
"""Words of a value that names a part of a number; of a longer one only the number is shown."""
MOST = 8
"""Lines of the text in which a word is found that nothing explains by name."""

Test = Callable[[Entry], bool]


def reference_of(game: GameBase) -> Reference:
    """Return the rulebook of a game; of equal games that were loaded twice each has its own, with its own spans."""
    return _reference(game, game.program)


@lru_cache(maxsize=4)
def _reference(game: GameBase, program: Program) -> Reference:
    del program
    return Reference(game)


class Reference:
    """The rulebook of a game in the setting that is played."""

    def __init__(self, game: GameBase) -> None:
        self.game = game

    @cached_property
    def book(self) -> Book:
        """The book; it is written when it is first requested."""
        settled = Settled(self.game.num_players, dict(self.game.rules.setting.options))
        return write_book(self.game.spec, self.game.rules, settled)

    def aim(self) -> tuple[Block, ...]:
        """Return who wins and when a play ends."""
        return self.book.part(AIM)

    # ---- the rule that caused a refusal

    def rule(self, refusal: Refusal) -> Entry | None:
        """Return when the action is possible that was refused: with the limit that fails, or all where it is not known.

        None where no action was meant.
        """
        if refusal.action is None or (rule := self.book.conditions.get(refusal.action)) is None:
            return None
        parts = refusal.parts
        if parts is None:
            return rule
        of_part = {part: entries for (action, part), entries in self.book.limits.items() if action == refusal.action}
        limits = next((found for part in parts if (found := of_part.get(part))), ())
        if not limits and len(parts) == 1:  # Limits of other parts hold.
            limits = tuple(entry for entry in rule.below if all(entry not in entries for entries in of_part.values()))
        return attrs.evolve(rule, text=rule.text if limits else rule.text.removesuffix(":"), below=limits)

    # ---- the rules that caused what has happened

    def why(self, reasons: list[Reason], narrator: EventNarrator) -> Iterator[str]:
        """Give what has happened, line by line, each with its rule beneath it and of what its number is made."""
        events = [reason.event for reason in reasons]
        actor: int | None = None
        for number, reason in enumerate(reasons):
            actor = reason.event.player if isinstance(reason.event, Chosen) else actor
            if is_nothing(reason.event) or narrator.is_said_nearby(events, number):
                continue
            following = reasons[number + 1].span if number + 1 < len(reasons) else None
            yield narrator.event(reason.event)
            for made in reason.sums:
                which = f"{made.total} is " if len(reason.sums) > 1 else ""
                yield f"    {which}{self._made_of(made, self._owner(reason.event), narrator.you)}"
            if reason.span not in (None, following) and (shown := self._step(reason, narrator, actor)):
                yield f"    {shown}"

    def score(self, provenance: Provenance, event: Event, reader: int) -> str:
        """Return in short for a reader why a score changed: of what the number is made, else the tags of the rule."""
        span, sums, whole = provenance
        owner = self._owner(event)
        named = (m for m in sums if any(p.face is not None or p.span in self.book.phrases for p in m.parts))
        text = "; ".join(made for one in named if (made := self._made_of(one, owner, reader)) != f"made of {one.total}")
        if not text and whole is not None and whole.span in self.book.phrases:
            shown = self._part(whole, owner, reader, first=True)
            text = "" if shown == str(whole.value) else f"made of {shown}"
        rules = (entry for one in (span, whole and whole.span) if one for _, entry in self._steps_around(one))
        if not text and (tags := next((entry.tags for entry in rules if entry.tags), ())):
            text = f"by rule {', '.join(tags)}"
        return text

    def _made_of(self, made: Sum, owner: int | None, reader: int | None) -> str:
        parts = [self._part(p, owner, reader, first=not n) for n, p in enumerate(made.parts)]
        added = sum(-p.value if p.minus else p.value for p in made.parts) == made.total
        return f"{'made of' if added else 'worked out from'} {', '.join(parts)}"

    def _part(self, part: Part, owner: int | None, reader: int | None, *, first: bool) -> str:
        shown = plain(addressed(self.book.phrases.get(part.span, ""), part, owner, reader)) or "the rest"
        if number_of_words(shown) > MOST_WORDS or shown.isdecimal():
            shown = str(part.value)
        if part.face is not None:
            shown = self.game.texts.face(part.face)
        sign = ("minus " if first else "less ") if part.minus else ""
        return f"{sign}{shown}" + ("" if shown == str(part.value) else f": {part.value}")

    def _step(self, reason: Reason, narrator: EventNarrator, actor: int | None) -> str:
        """Return how the rulebook describes a statement: the chapter, and the line, which may address another player.

        `actor` has decided last.  Of words of the rules only the tags are added: the event has the words.
        """
        around = [] if reason.span is None else self._steps_around(reason.span)
        said = isinstance(reason.event, Said)
        if not around or (said and not around[0][1].tags):
            return ""
        chapter, entry = around[0]
        tags = f" [{', '.join(entry.tags)}]" if entry.tags else ""
        if said:
            return f"{chapter}{tags}."
        text = in_a_line(entry).removesuffix(":").rstrip(".")
        if not re.search(r"\byour?\b", text):
            return f"{chapter}{tags}: {text}."
        owners = self._owners(reason.event)
        if isinstance(reason.event, Assigned) and len(owners) == 1:
            (actor,) = owners
        known = actor is not None and (not owners or actor in owners)
        if known and actor == narrator.you:
            return f"{chapter}{tags}: {text}."
        to = narrator.player(actor) if known and actor is not None else "the player who acts"
        return f"{chapter}{tags}, for {to}: {text}."

    def _owner(self, event: Event) -> int | None:
        """Return the player whose number an event changes, if it is one player's."""
        owners = self._owners(event) if isinstance(event, Assigned) else ()
        return min(owners) if len(owners) == 1 else None

    def _owners(self, event: Event) -> set[int]:
        """Return the players whose places or variables an event changes."""
        data = self.game.data
        changed: list[Place | Slot] = []
        if isinstance(event, Moved):
            changed = [data.places[event.origin], data.places[event.target]]
        elif isinstance(event, Assigned):
            changed = [data.slots[event.place]]
        return {i for at in changed for type_, i in zip(at.types, at.index, strict=True) if isinstance(type_, Player)}

    def _steps_around(self, span: Span) -> list[tuple[str, Entry]]:
        """Return the steps that a place of the spec is in, each with its chapter, the innermost first."""
        steps = self.book.steps
        around = [s for s in steps if s.source.name == span.source.name and s.start <= span.start and span.end <= s.end]
        return [steps[s] for s in sorted(around, key=lambda s: (-s.start, s.end))]

    # ---- locations

    def chapter(self, info: InformationState) -> int:
        """Return the number of the block that begins the chapter of a decision that a seat may have to make now."""
        phases = {decision.phase for decision in decisions_like(info)}
        for number, block in enumerate(self.book.blocks):
            if isinstance(block, Heading) and not phases.isdisjoint(block.names):
                return number
        return 0

    def place_of(self, word: str) -> int | None:
        """Return the number of the first block that explains a thing; None where none does."""
        wanted = self._names(word)
        for number, block in enumerate(self.book.blocks):
            if _explains(block, lambda entry: bool(wanted & _named(entry.names))):
                return number
        return None

    def end_of_part(self, first: int) -> int:
        """Return the number of the block after a part of a chapter that has a block."""
        blocks = self.book.blocks
        return next((n for n in range(first + 1, len(blocks)) if isinstance(blocks[n], Heading)), len(blocks))

    # ---- what something is

    def about(self, word: str, *, mentions: bool = True) -> list[Block]:
        """Return what the book says of a thing; where it explains none of that name, what mentions the word."""
        faces = self.faces(word)
        if faces:
            return [Paragraph(_card(self.game, face)) for face in _each_once(faces)] + self._of_cards(faces)
        wanted = self._names(word)
        found = self._explaining(lambda entry: bool(wanted & _named(entry.names)))
        is_variable = any(words(slot.variable) in wanted for slot in self.game.data.slots)
        if mentions and (not found or (is_variable and len(found) < 3)):  # One line says little of a variable.
            return self._mentioning(word) or found
        return found

    def is_left_out(self, word: str) -> bool:
        """Say whether the spec has an action, a phase or a place of that name, which options rule out in its book."""
        wanted = self._names(word)
        return any(
            words(node.verb if isinstance(node, Action) else node.name) in wanted
            for node in walk(self.game.spec.items)
            if isinstance(node, Action | PhaseDecl | Family)
        )

    def near(self, word: str) -> str | None:
        """Return the name of something that the book explains and that begins so, or is spelt nearly so."""
        known = {words(name): words(name) for block in self.book.blocks for name in _all_names(block)}
        begun = [name for name in known if name.startswith(_plain(word))]
        if begun and _plain(word):
            return min(begun, key=len)
        return nearest(words(word), {**known, **{f.name.lower(): f.name for f in self.game.faces if f.name}})

    def faces(self, word: str) -> list[Face]:
        """Return the cards that are called so."""
        said = _plain(word)
        return [f for f in self.game.faces if said in (f.text.lower(), _plain(f.name))]

    def _names(self, word: str) -> set[str]:
        """Return what a thing can be called in the spec: as it is said, and in the singular or the plural."""
        said = _plain(word)
        *before, last = said.split(" ")
        kinds = {" ".join(before)} if before and last in ("pile", "row", "slot", "cards") else set()
        return {said, " ".join([*before, singular(last)]), plural(said), *kinds} if said else set()

    def _of_cards(self, faces: list[Face]) -> list[Block]:
        texts = {face.text for face in faces}
        marks = {f"`{verbatim(face.text)}`" for face in faces}
        kinds = {face.kind for face in faces}

        def matches(entry: Entry) -> bool:
            return bool(texts & set(entry.names)) or any(mark in entry.text for mark in marks)

        kept = [b for b in self._explaining(matches) if not _is_list_of_cards(b, kinds)]
        return kept or self._explaining(lambda entry: bool(kinds & set(entry.names)))

    def _mentioning(self, word: str) -> list[Block]:
        """Return the first lines in which a word is."""
        said = _plain(word)
        if len(said) < 2:
            return []
        pattern = re.compile(rf"(?<!\w){re.escape(said)}(e?s)?(?!\w)", re.IGNORECASE)
        left = [MOST]

        def matches(entry: Entry) -> bool:
            if left[0] and pattern.search(plain(entry.text)):
                left[0] -= 1
                return True
            return False

        found = self._explaining(matches)
        return [*found, Paragraph("`rules` has more of this.")] if not left[0] else found

    def _explaining(self, matches: Test) -> list[Block]:
        """Return the book without all that is not wanted; chapters of phases keep their headings."""
        made: list[Block] = []
        chapter: Heading | None = None
        whole = False
        blocks = (*self.book.blocks, *([Lines(self.book.asides)] if self.book.asides else []))
        for number, block in enumerate(blocks):
            if isinstance(block, Heading):
                chapter = block if block.level == 3 else None
                whole = chapter is not None and matches(Entry("", (), (), chapter.names))
                if whole:
                    made.append(block)
                continue
            before = blocks[number - 1] if number else None
            part = block if whole else _kept(block, matches, before)
            if part is None:
                continue
            if chapter is not None and not whole and chapter not in made:
                made.append(chapter)
            made.append(part)
        return made


def addressed(text: str, part: Part, owner: int | None, reader: int | None) -> str:
    """Return the book's words for a part of an owner's number, in which "you" is only the reader.

    The book means the owner, unless the part names another player and not the owner.  No words are left for several.
    """
    meant = owner if owner in part.players or not part.players else min(part.players)
    if meant == reader or not re.search(r"\byour?\b", text):
        return text
    if meant == owner:
        return re.sub(r"\byou(r?)\b", lambda found: "their" if found[1] else "they", text)
    alone = len(part.players) == 1 and meant is not None and not re.search(r"\byou\b", text)
    return re.sub(r"\byour\b", f"player {meant + 1}'s", text) if alone and meant is not None else ""


def _kept(block: Block, matches: Test, before: Block | None) -> Block | None:
    """Return what is wanted of a block; a whole table goes with the paragraph in front of it."""
    match block:
        case Lines(entries=entries, numbered=numbered):
            kept = tuple(_pruned(entries, matches))
            return attrs.evolve(block, entries=kept, numbered=numbered and kept == entries) if kept else None
        case Paragraph(text=text, names=names):
            return block if matches(Entry(text, (), (), names)) else None
        case Table(rows=rows):
            if isinstance(before, Paragraph) and _kept(before, matches, None):
                return block
            some = tuple(row for row in rows if matches(Entry(" ".join(row.cells), (), (), row.names)))
            named_only = not any(block.head)  # Names in rows, which explain no card.
            return attrs.evolve(block, rows=some) if some and not named_only else None
        case _:
            return None


def _pruned(entries: Iterable[Entry], matches: Test) -> Iterable[Entry]:
    """Yield entries with content, and the headings above them."""
    for entry in entries:
        if matches(entry):
            yield entry
        elif below := tuple(_pruned(entry.below, matches)):
            yield attrs.evolve(entry, below=below, numbered=entry.numbered and below == entry.below)


def _explains(block: Block, matches: Test) -> bool:
    if isinstance(block, Heading):
        return bool(block.names) and matches(Entry("", (), (), block.names))
    return _kept(block, matches, None) is not None


def _all_names(block: Block) -> Iterable[str]:
    match block:
        case Lines(entries=entries):
            todo = list(entries)
            while todo:
                entry = todo.pop()
                yield from entry.names
                todo += entry.below
        case Heading(names=names) | Paragraph(names=names):
            yield from names
        case Table(rows=rows):
            for row in rows:
                yield from row.names


def _named(names: Iterable[str]) -> set[str]:
    return {words(name) for name in names}


def _plain(word: str) -> str:
    """Return what is said as names are compared: in small letters, without an article."""
    first, _, rest = words(word.strip()).partition(" ")
    return rest if rest and first in ("the", "a", "an") else f"{first} {rest}".strip()


def _is_list_of_cards(block: Block, kinds: set[str]) -> bool:
    """Whether a block only says how cards of some kinds are written and called."""
    return isinstance(block, Lines) and all(kinds & set(entry.names) for entry in block.entries)


def _each_once(faces: list[Face]) -> list[Face]:
    """Return cards without those that another player has too."""
    return list({(face.text, face.name): face for face in faces}.values())


def _card(game: GameBase, face: Face) -> str:
    """Return what a card is: its name, its kind, the values that it shows, and how many there are."""
    attributes = game.data.attributes[face.kind]
    values = [
        with_value(name, words(game.texts.value(type_, v)))
        for (name, type_), v in zip(attributes, face.values, strict=True)
    ]
    named = f"**{verbatim(face.name)}** (`{verbatim(face.text)}`)" if face.name not in ("", face.text) else (
        f"**{verbatim(face.text)}**")  # fmt: skip
    noun = f"{face.kind} card" if attributes else face.kind
    shown = f" with {listing(values)}" if values else ""
    deck = "each deck" if face.owner is not None else "the deck"
    return capital(f"{named}: {article(noun)}{shown}; {deck} has {'one' if face.copies == 1 else face.copies}.")
