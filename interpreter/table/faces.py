"""The appearance of cards as data: corners, suits, colours, emblems and rules.

The page in the browser and the printed cards draw from this data.  The suit of a card is the enumeration of known suits
(such as hearts and spades) among its attributes, else the first enumeration.  Known suits have their usual emblem.
Each other suit has a shape of its own with the first letters of its name, so that suits never differ by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

import attrs

from interpreter.analysis.types import EnumType, Type, base_of
from interpreter.english.words import singular
from interpreter.rulebook.differences import SUMMARY
from interpreter.rulebook.page import TERMS, Entry, Heading, Lines, Paragraph, plain
from interpreter.table.reference import reference_of

if TYPE_CHECKING:
    from interpreter.analysis.card_faces import Face
    from interpreter.engine.game_base import GameBase

INK, RED = "#1c1c1c", "#b3261e"
COLOURS = ("#1b4f9c", RED, "#1e7d3c", "#7a4b00", "#5b2a86", "#006a6a", "#8a1c5c", "#444444")
"""Colours of suits that have no usual one; all have a contrast of at least 4.5 to white paper."""
NAMED = {
    "red": RED, "blue": "#1b4f9c", "green": "#1e7d3c", "yellow": "#8a6a00", "orange": "#b84a00", "purple": "#5b2a86",
    "violet": "#5b2a86", "pink": "#8a1c5c", "brown": "#6b3a1e", "black": INK, "grey": "#444444", "gray": "#444444",
}  # fmt: skip
"""Colours of suits with the name of a colour: as near to it as a contrast of 4.5 allows."""

EMBLEMS = {
    "club": ("club", INK), "spade": ("spade", INK), "heart": ("heart", RED), "diamond": ("diamond", RED),
    "cup": ("cup", "#1b4f9c"), "chalice": ("cup", "#1b4f9c"), "goblet": ("cup", "#1b4f9c"),
    "wand": ("wand", "#1e7d3c"), "staff": ("wand", "#1e7d3c"), "stave": ("wand", "#1e7d3c"),
    "sword": ("sword", "#444444"), "blade": ("sword", "#444444"),
    "pentacle": ("coin", "#7a4b00"), "coin": ("coin", "#7a4b00"), "gold": ("coin", "#7a4b00"),
    "fire": ("flame", RED), "flame": ("flame", RED),
    "ice": ("snowflake", "#006a6a"), "frost": ("snowflake", "#006a6a"), "snow": ("snowflake", "#006a6a"),
    "water": ("drop", "#1b4f9c"), "rain": ("drop", "#1b4f9c"), "sea": ("drop", "#1b4f9c"),
    "nature": ("leaf", "#1e7d3c"), "leaf": ("leaf", "#1e7d3c"), "earth": ("leaf", "#1e7d3c"),
    "shadow": ("moon", "#444444"), "moon": ("moon", "#444444"), "night": ("moon", "#444444"),
    "sun": ("sun", "#7a4b00"), "light": ("sun", "#7a4b00"), "day": ("sun", "#7a4b00"),
    "star": ("star", "#5b2a86"), "arcane": ("star", "#5b2a86"), "magic": ("star", "#5b2a86"),
    "crown": ("crown", "#7a4b00"), "shield": ("shield", "#1b4f9c"),
}  # fmt: skip
"""The emblem and the colour of suits by their name in the singular."""
SHAPES = ("circle", "square", "triangle", "hexagon", "lozenge", "cross", "pentagon", "octagon")
"""Shapes of suits that have no emblem; a letter of their name lies on it."""
MOST_IN_CORNER = 3
"""Letters that fit in the corner of a card."""


@attrs.frozen
class SuitView:
    """A suit: its name, its short text on cards, its emblem, its colour, and its initials.

    `emblem` is a name of `EMBLEMS` or of `SHAPES`; `initials` is empty for an emblem that people know.
    """

    name: str
    text: str
    emblem: str
    colour: str
    initials: str


@attrs.frozen
class FaceView:
    """A kind of card as it looks: its text, its longer name, its attributes, and its copies.

    `corner` is the rank that is printed in a corner, `suit` the number of its suit in the reference, None where it
    has none.  `rules` are the sentences of the rulebook on the card.  `owner` is the player whose deck it is in,
    None where there is one deck.
    """

    face: int
    text: str
    name: str
    kind: str
    owner: int | None
    copies: int
    attributes: Mapping[str, str]
    corner: str
    suit: int | None
    rules: tuple[str, ...]


def suit_views(game: GameBase) -> tuple[SuitView, ...]:
    """Return the suits of a game, in the order of their enumerations."""
    found: list[SuitView] = []
    for enum in _suit_types(game):
        for name, text in zip(enum.values, enum.texts or enum.values, strict=True):
            words = name.replace("_", " ")
            emblem, colour = EMBLEMS.get(singular(words), ("", ""))
            shape, chosen = SHAPES[len(found) % len(SHAPES)], COLOURS[len(found) % len(COLOURS)]
            chosen = next((NAMED[word] for word in words.split() if word in NAMED), chosen)
            initials = "" if emblem else "".join(word[0] for word in words.split())[:2].upper()
            found.append(SuitView(name, text, emblem or shape, colour or chosen, initials))
    return tuple(found)


def face_views(game: GameBase) -> tuple[FaceView, ...]:
    """Return the faces of a game as they look, by number."""
    numbers: dict[str, int] = {}
    count = 0
    for enum in _suit_types(game):
        numbers[enum.name] = count
        count += len(enum.values)
    rules: dict[str, tuple[str, ...]] = {}
    made = []
    for number, face in enumerate(game.faces):
        typed = _attributes(game, face)
        attributes = dict(_texts(game, typed))
        suit = _suit_type(type_ for _, type_, _ in typed)
        value = next((int(v) for _, type_, v in typed if type_ == suit), 0)
        if face.text not in rules:
            rules[face.text] = tuple(_rules_of(game, face, attributes.values()))
        made.append(FaceView(
            number, face.text, face.name, face.kind, face.owner, face.copies, attributes,
            _corner(face.text, suit, value, attributes.values()),
            None if suit is None else numbers[suit.name] + value, rules[face.text],
        ))  # fmt: skip
    return tuple(made)


def _attributes(game: GameBase, face: Face) -> list[tuple[str, Type, int | bool]]:
    typed = zip(game.data.attributes[face.kind], face.values, strict=True)
    return [(name, base_of(type_), value) for (name, type_), value in typed]


def _texts(game: GameBase, typed: list[tuple[str, Type, int | bool]]) -> Iterator[tuple[str, str]]:
    """Give the attributes of a card in words; after an enumeration's value the columns of its row."""
    names = {name for name, _, _ in typed}
    for name, type_, value in typed:
        yield name, game.texts.value(type_, value)
        if isinstance(type_, EnumType) and _names_cards(game, type_):
            for column, (of, values) in type_.attributes.items():
                if column not in names:
                    yield column, game.texts.value(of, values[int(value)])


def _names_cards(game: GameBase, enum: EnumType) -> bool:
    """Say whether each value of an enumeration is on one card only, so that its columns say something of the card."""
    texts: dict[int, set[str]] = {}
    for face in game.faces:
        for _, type_, value in _attributes(game, face):
            if type_ == enum:
                texts.setdefault(int(value), set()).add(face.text)
    return all(len(found) == 1 for found in texts.values())


def _suit_types(game: GameBase) -> list[EnumType]:
    """Return the enumerations that are suits, one of each kind of card."""
    suits = (_suit_type(type_ for _, type_, _ in _attributes(game, face)) for face in game.faces)
    return list({suit.name: suit for suit in suits if suit is not None}.values())


def _suit_type(types: Iterable[Type]) -> EnumType | None:
    """Return the suit among the attributes of a card: the enumeration whose values have emblems, or the first one."""
    enums = [type_ for type_ in types if isinstance(type_, EnumType)]
    known = (enum for enum in enums if all(singular(name.replace("_", " ")) in EMBLEMS for name in enum.values))
    return next(known, enums[0] if enums else None)


def _corner(text: str, suit: EnumType | None, value: int, attributes: Iterable[str]) -> str:
    """Return what is printed in the corner of a card: its text without its suit; its first number if long."""
    rank = text
    if suit is not None and suit.texts:
        said = suit.texts[value]
        rank = text.removeprefix(said) if text.startswith(said) else text.removesuffix(said)
        rank = rank or text
    if len(rank) <= MOST_IN_CORNER:
        return rank
    return next((shown for shown in attributes if shown.lstrip("-").isdigit()), "")[:MOST_IN_CORNER]


# ---- what the rulebook says of a card


def card_texts(game: GameBase) -> dict[str, str]:
    """Return what the steps of the rulebook say of each card that has an ability, by what is printed on the card."""
    views = {view.text: view for view in face_views(game)}
    return {text: " ".join(view.rules) for text, view in views.items() if view.rules}


def _rules_of(game: GameBase, face: Face, values: Iterable[str]) -> Iterator[str]:
    """Give what the steps of the rulebook say under the heading of a card, or of a value that it shows."""
    headings = {word.lower() for word in (face.text, face.name, f"{face.name} ({face.text})", *values) if word}

    def search(entries: Iterable[Entry]) -> Iterator[str]:
        for entry in entries:
            lead, colon, rest = plain(entry.text).partition(":")
            if colon and lead.lower().removeprefix("the ") in headings:
                yield from (rest.strip(),) if rest else ()
                yield from _sentences(entry.below)
            else:
                yield from search(entry.below)

    blocks = reference_of(game).book.blocks
    steps = takewhile(lambda block: not isinstance(block, Heading) or block.text != SUMMARY, blocks)
    for before, block in pairwise(steps):
        is_terms = isinstance(before, Paragraph) and before.text == TERMS
        if isinstance(block, Lines) and not is_terms:
            yield from search(block.entries)


def _sentences(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        yield plain(entry.text)
        yield from _sentences(entry.below)
