"""Words for the values and the actions of a game.

A small action of single arguments is its sentence (`lead chalice`, `bid 3`).  A set of cards is picked
by small actions `discard +C2`, `discard +W5`, `discard done`; its sentence is `discard C2 W5`, or
`discard nothing`.  `interpreter.text.prompts` has the words for what a state asks.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.analysis.types import Bool, Card, Cards, EnumType, Int, Player, Sequence, Type, base_of
from interpreter.engine.faults import AmbiguousError, IllegalActionError

if TYPE_CHECKING:
    from interpreter.engine.game_data import GameData
    from interpreter.program.action_blocks import ActionBlock

UNSEEN = "?"
DONE = "done"
NOTHING = "nothing"
MOST_REMEMBERED = 4_096
"""Texts of small actions that are remembered of a game."""


@attrs.frozen
class Action:
    """A small action as data.

    `args` are the values of single arguments, cards as faces.  For a part of a set of cards, `pick` is
    the face that is added, or `done` is true.
    """

    verb: str
    args: tuple[Any, ...] = ()
    pick: int | None = None
    done: bool = False


class Texts:
    """Words for one game."""

    def __init__(self, data: GameData) -> None:
        self.card_faces = data.card_faces
        self.num_players = data.setting.players
        self.faces = data.faces
        self.by_text: dict[str, list[int]] = {}
        for number, face in enumerate(self.faces):
            self.by_text.setdefault(face.text.lower(), []).append(number)
        self.has_twins = any(len(faces) > 1 for faces in self.by_text.values())
        self.shapes = sorted(data.shapes, key=lambda s: s.base)
        self._ends = [shape.base + shape.size for shape in self.shapes]
        self.remembered: dict[tuple[int, bool], str] = {}
        self.verbs = {verb: number for number, verb in enumerate(sorted({s.verb for s in self.shapes}), 1)}

    # ---- values

    def face(self, face: int | None) -> str:
        """Return a card's short text; `?` for one that is not seen."""
        return UNSEEN if face is None else self.faces[face].text

    def long_name(self, face: int | None) -> str:
        """Return the longer name of a card, as the spec gives it; empty where it gives none, or for an unseen card."""
        if face is None or self.faces[face].name == self.faces[face].text:
            return ""
        return self.faces[face].name

    def full_face(self, face: int) -> str:
        """Return a card's text with its owner where several decks have the card: `KC@2`."""
        shown = self.faces[face]
        twins = self.by_text[shown.text.lower()]
        return shown.text if len(twins) == 1 or shown.owner is None else f"{shown.text}@{shown.owner + 1}"

    def player(self, player: int) -> str:
        """Return a player's name, counted from 1."""
        return f"player {player + 1}"

    def value(self, type_: Type, value: Any) -> str:
        """Return the text of a value; cards are given as faces."""
        if value is None:
            return "none"
        match base_of(type_):
            case Player():
                return self.player(value)
            case EnumType() as enum:
                name: str = (enum.texts if enum.team_of else enum.values)[value]
                return name
            case Bool():
                return "yes" if value else "no"
            case Card():
                return self.face(value[0] if isinstance(value, tuple) else value)
            case Cards():
                return " ".join(self.face(f) for f in value) or NOTHING
            case Sequence() as listed:
                return " ".join(self.value(listed.item, v) for v in value) or NOTHING
        return str(value)

    def after_verb(self, text: str, action: int) -> str:
        """Return what the text of a small action adds to its sentence: without the verb, and the sign of a pick."""
        rest = text.partition(" ")[2]
        return rest.removeprefix("+") if self.shape_of(action).is_set else rest

    def words(self, parts: tuple[Any, ...], *, you: int | None = None) -> str:
        """Return a text with the values that stand in it; the player `you` is called so."""
        out = []
        for part in parts:
            if isinstance(part, str):
                out.append(part)
            elif you is not None and isinstance(base_of(part[0]), Player) and part[1] == you:
                out.append("you")
            else:
                out.append(self.value(part[0], part[1]))
        text = "".join(out)
        return text[:1].upper() + text[1:]

    def faced(self, type_: Type, value: Any) -> Any:
        """Return a value of a state with cards as faces."""
        faces = self.card_faces
        match base_of(type_):
            case Card() if value is not None:
                return faces[value] if value < len(faces) else None
            case Cards():
                return tuple(faces[c] if c < len(faces) else None for c in value)
        return value

    # ---- small actions

    def shape_of(self, action: int) -> ActionBlock:
        """Return the group of small actions that one belongs to.  Raises IllegalActionError where there is none."""
        for shape, end in zip(self.shapes, self._ends, strict=True):
            if shape.base <= action < end:
                return shape
        raise IllegalActionError(f"there is no action {action}")

    def arguments(self, shape: ActionBlock, action: int) -> list[Any]:
        """Return the values of a small action of single arguments, cards as faces."""
        rest = action - shape.base
        values: list[Any] = []
        for dim in reversed(shape.dims):
            values.insert(0, rest % dim)
            rest //= dim
        return [
            v + (t.low or 0) if isinstance(t := base_of(type_), Int) else v
            for type_, v in zip(shape.types, values, strict=True)
        ]

    def structured(self, action: int) -> Action:
        """Return a small action as data."""
        shape = self.shape_of(action)
        if not shape.is_set:
            return Action(shape.verb, tuple(self.arguments(shape, action)))
        face = action - shape.base
        return Action(shape.verb, done=True) if face == len(self.faces) else Action(shape.verb, pick=face)

    def action(self, action: int, *, full: bool = False) -> str:
        """Return the text of a small action; `full` names the owners of cards that several decks have."""
        text = self.remembered.get((action, full))
        if text is None:
            if len(self.remembered) >= MOST_REMEMBERED:
                self.remembered.clear()
            text = self.remembered[action, full] = self._action(action, full=full)
        return text

    def no_action(self, action: int) -> str:
        """Return in words that a small action is not legal; a number that no action has stays as it is."""
        shape = next((shape for shape in self.shapes if shape.base <= action < shape.base + shape.size), None)
        said = str(action) if shape is None else f"`{self.action(action)}`"
        return f"{said} is not legal here"

    def no_outcome(self, outcome: int, is_card: bool) -> str:
        """Return in words that chance cannot give a number, which represents a card if so."""
        said = f"`{self.full_face(outcome)}`" if is_card and 0 <= outcome < len(self.faces) else str(outcome)
        return f"{said} is no outcome here"

    def _action(self, action: int, *, full: bool) -> str:
        shape = self.shape_of(action)
        if shape.is_set:
            face = action - shape.base
            if face == len(self.faces):
                return f"{shape.verb} {DONE}"
            return f"{shape.verb} +{self.full_face(face) if full else self.face(face)}"
        values = self.arguments(shape, action)
        words = [self.one_word(t, v, full=full) for t, v in zip(shape.types, values, strict=True)]
        return " ".join([shape.verb, *words])

    def one_word(self, type_: Type, value: Any, *, full: bool = False) -> str:
        """Return an argument as it is in a sentence: a player is its number."""
        if full and isinstance(base_of(type_), Card) and isinstance(value, int):
            return self.full_face(value)
        return str(value + 1) if isinstance(base_of(type_), Player) else self.value(type_, value)

    # ---- reading

    def one_of(self, faces: Collection[int], word: str) -> int:
        """Return the one face of several that a word can mean.  Raises IllegalActionError where there are more."""
        if len(faces) > 1:
            raise AmbiguousError(f"`{word}` can be {' or '.join(f'`{self.full_face(f)}`' for f in faces)}: say which")
        (face,) = faces
        return face

    def read_value(self, of: Type, word: str) -> int:
        """Return the number of an argument's value in its dimension, given its type.  Raises IllegalActionError."""
        type_ = base_of(of)
        match type_:
            case Card():
                return self.read_face(word)
            case Player():
                found = re.fullmatch(r"(?:player|p)?(\d{1,9})", word.lower())
                if found and 1 <= int(found.group(1)) <= self.num_players:
                    return int(found.group(1)) - 1
                raise IllegalActionError(f"`{word}` is no player; they are 1 to {self.num_players}")
            case EnumType():
                for texts in (type_.values, type_.texts):
                    for number, text in enumerate(texts):
                        if word.lower() == text.lower():
                            return number
                raise IllegalActionError(f"`{word}` is none of {', '.join(type_.values)}")
            case Bool():
                if word.lower() in ("yes", "no"):
                    return int(word.lower() == "yes")
                raise IllegalActionError("say yes or no")
            case Int(low=int(low), high=int(high)):
                if re.fullmatch(r"-?\d{1,9}", word) and low <= int(word) <= high:
                    return int(word) - low
                raise IllegalActionError(f"`{word}` is no number from {low} to {high}")
        raise IllegalActionError(f"`{word}` has no meaning here")

    def meanings(self, word: str) -> list[int]:
        """Return the faces that a word can mean: one in each deck that has the card, or that of `KC@2`.

        Raises IllegalActionError where it means none.
        """
        low = word.lower()
        name, _, owner = (low if low.partition("@")[0] in self.by_text else low.removeprefix("+")).partition("@")
        faces = self.by_text.get(name, [])
        if owner:
            faces = [f for f in faces if str((self.faces[f].owner or 0) + 1) == owner]
        if not faces:
            raise IllegalActionError(f"no card is called `{word}`")
        return faces

    def read_face(self, word: str, owner: int | None = None, among: Collection[int] = ()) -> int:
        """Return the face that a word means: one of those named, else one of the owner's, else any.

        Raises IllegalActionError where it means none, or several that are possible.
        """
        faces = self.meanings(word)
        possible = [f for f in faces if f in among]
        if possible:
            return self.one_of(possible, word)
        mine = [f for f in faces if self.faces[f].owner in (None, owner)]
        return (mine or faces)[0]


def word_for(type_: Type) -> str:
    """Return what an argument of a type is, in a word."""
    match base_of(type_):
        case Card():
            return "card"
        case Player():
            return "player"
        case EnumType() as enum:
            return enum.name.lower()
    return "number"
