"""The choices of a player, laid out for reading: whole sentences while they are few, else their parts.

What is typed is what is shown in front.  That is a number, from 1 on, where no number means anything itself: of a
sentence, or of a card where sets of cards are chosen and not all of them are listed.  Where numbers do mean something
(a bid, a player, a card called 7), for all cards of this moment, the choices have no numbers of their own:
the words themselves are shown, and typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.analysis.types import Card, Cards, EnumType, Int, Player, base_of
from interpreter.table.information import decisions_like
from interpreter.text.texts import DONE, NOTHING

if TYPE_CHECKING:
    from interpreter.table.information import InformationState, Part

RUN = 6
"""Numbers in a row from which on only the first and the last are shown."""


@attrs.frozen
class Choices:
    """The choices of one decision.

    `taking` are those of the `verbs` that something can follow.  `sentences` are all choices, or empty where
    there are too many.  They have the numbers from 1 on, if `numbered`.  `parts` say of what the sentences are
    made, and are shown if `by_parts`; `examples` are some of those that are not listed.  `cards` are those that
    can be called by their place in this list, from 1 on.
    """

    verbs: tuple[str, ...]
    taking: tuple[str, ...]
    words: tuple[str, ...]
    sentences: tuple[str, ...]
    numbered: bool
    parts: tuple[Part, ...]
    by_parts: bool
    examples: tuple[str, ...]
    cards: tuple[str, ...] = ()

    def may_be_none(self, verb: str) -> bool:
        """Say whether a verb can be followed by no card at all."""
        return any(part.verb == verb and NOTHING in part.words for part in self.parts)

    def several(self) -> tuple[str, int] | None:
        """Return a card of which several equal ones can be chosen, and how many these are; None where there is none."""
        listed = ((word, slot.times[word]) for p in self.parts for slot in p.slots for word in slot.words
                  if word in slot.times)  # fmt: skip
        return next(listed, None) if self.by_parts else None

    def labels(self) -> dict[str, str]:
        """Return what can be typed for a listed sentence beside its own words: its number, or what follows its verb.

        The common rest of several sentences has no verb of its own.
        """
        found = {str(n): s for n, s in enumerate(self.sentences, 1)} if self.numbered else {}
        rests = [s.partition(" ")[2].lower() for s in self.sentences]
        for rest, sentence in zip(rests, self.sentences, strict=True):
            if rest and rests.count(rest) == 1:
                found.setdefault(rest, sentence)
        return found


def choices(info: InformationState) -> Choices:
    """Return the choices of the seat, which must be the player to act.  Raises ValueError for another seat."""
    pending = info.pending
    if pending is None:
        raise ValueError("this seat has no decision to make")
    plain = not numbers_mean_something(info)
    listed = pending.sentences is not None
    numbered = listed and plain
    sentences = tuple(s.text for s in pending.sentences or ())
    parts = pending.parts
    simple = all(len(s.split()) <= 2 for s in sentences)
    sets = [slot for part in parts for slot in part.slots if slot.is_set] if plain and not listed else []
    return Choices(
        pending.verbs,
        tuple(part.verb for part in parts if part.words),
        tuple(dict.fromkeys(word for part in parts for word in part.words)),
        sentences,
        numbered,
        parts,
        not listed or (not numbered and (simple or any(len(part.slots) > 1 for part in parts))),
        pending.examples,
        tuple(dict.fromkeys(word for slot in sets for word in slot.words if word not in (NOTHING, DONE))),
    )


def numbers_mean_something(info: InformationState) -> bool:
    """Say whether a number can be an argument of a verb that can be chosen, by the rules and not by what is legal."""
    numbers = any(text.isdigit() for text in info.game.texts.by_text)
    for decision in decisions_like(info):
        for arg in (arg for action in decision.actions for arg in action.args):
            match base_of(arg.type):
                case Int() | Player():
                    return True
                case EnumType() as enum:
                    if any(word.isdigit() for word in (*enum.values, *enum.texts)):
                        return True
                case Card() | Cards():
                    if numbers:
                        return True
                case _:  # All others are said in words.
                    pass
    return False


def in_short(words: tuple[str, ...]) -> list[str]:
    """Return words with long runs of numbers as `0 to 20`."""
    out: list[str] = []
    run: list[str] = []
    for word in (*words, ""):
        if run and word.isdigit() and int(word) == int(run[-1]) + 1:
            run.append(word)
            continue
        out += run if len(run) < RUN else [f"{run[0]} to {run[-1]}"]
        run = [word] if word.isdigit() else []
        if word and not run:
            out.append(word)
    return out
