"""What a player can choose, laid out for reading: whole sentences while they are few, else their parts.

What is typed is what is shown in front.  That is a number, from 1 on, where no number means anything itself: of a
sentence, or of a card where sets of cards are chosen and not all of them are listed.  Where numbers do mean something
(a bid, a player, a card called 7), whatever the cards of this moment are, the choices have no numbers of their own:
the words themselves are shown, and typed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from interpreter.analysis.types import Card, Cards, EnumType, Int, Player, base_of
from interpreter.text.texts import DONE, NOTHING, word_for

if TYPE_CHECKING:
    from interpreter.agents import AgentView
    from interpreter.engine.game_data import ArgumentData

FEW = 12
"""Sentences up to which all are listed."""
LIKED = 2
"""Cards in an example of a set, where the rules leave it open."""
RUN = 6
"""Numbers in a row from which on only the first and the last are shown."""


@attrs.frozen
class Slot:
    """A place in a sentence: what stands there (a card, a player, ..), how many, and the words that can.

    `place` is the number of the one place that the cards lie in, and `times` says of which of them several equal ones
    lie there, and how many.
    """

    what: str
    bounds: str
    words: tuple[str, ...]
    is_set: bool = False
    place: int | None = None
    times: Mapping[str, int] = attrs.field(factory=dict)


@attrs.frozen
class Part:
    """A verb, and what follows it, argument by argument."""

    verb: str
    slots: tuple[Slot, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """All words that can follow the verb."""
        return tuple(dict.fromkeys(word for slot in self.slots for word in slot.words))


@attrs.frozen
class Choices:
    """The choices of one decision.

    `taking` are those of the `verbs` that something can follow.  `sentences` are all choices, or empty where
    there are too many.  They have the numbers from 1 on, if `numbered`.  `parts` say of what the sentences are
    made, and are what is shown, if `apart`; `examples` are some of those that are not listed.  `cards` are those that
    can be called by their place in this list, from 1 on.
    """

    verbs: tuple[str, ...]
    taking: tuple[str, ...]
    words: tuple[str, ...]
    sentences: tuple[str, ...]
    numbered: bool
    parts: tuple[Part, ...]
    apart: bool
    examples: tuple[str, ...]
    cards: tuple[str, ...] = ()

    def may_be_none(self, verb: str) -> bool:
        """Say whether a verb can be followed by no card at all."""
        return any(part.verb == verb and NOTHING in part.words for part in self.parts)

    def several(self) -> tuple[str, int] | None:
        """Return a card of which several equal ones can be chosen, and how many these are; None where there is none."""
        listed = ((word, slot.times[word]) for p in self.parts for slot in p.slots for word in slot.words
                  if word in slot.times)  # fmt: skip
        return next(listed, None) if self.apart else None

    def labels(self) -> dict[str, str]:
        """Return what can be typed for a listed sentence beside its own words: its number, or what follows its verb.

        What follows the verbs of several sentences stands for none of them.
        """
        found = {str(n): s for n, s in enumerate(self.sentences, 1)} if self.numbered else {}
        rests = [s.partition(" ")[2].lower() for s in self.sentences]
        for rest, sentence in zip(rests, self.sentences, strict=True):
            if rest and rests.count(rest) == 1:
                found.setdefault(rest, sentence)
        return found


def choices_of(view: AgentView) -> Choices:
    """Return the choices of the player to act."""
    texts = view.game.texts
    by_verb: dict[str, list[int]] = {}
    for action in view.legal_actions():
        by_verb.setdefault(texts.shape_of(action).verb, []).append(action)
    listed = view.sentences(FEW)
    plain = not numbers_mean_something(view)
    numbered = listed is not None and plain
    sentences = () if listed is None else tuple(s.text for s in listed)
    parts = []
    examples = []
    words: dict[str, None] = {}
    for verb, actions in by_verb.items():
        found: dict[int, dict[str, None]] = {}
        _collect(view, actions, found, set())
        part = Part(verb, _slots(view, verb, found))
        words.update(dict.fromkeys(part.words))
        parts.append(part)
        if listed is None:
            examples += _examples(view, actions)
    simple = all(len(s.split()) <= 2 for s in sentences)
    sets = [slot for part in parts for slot in part.slots if slot.is_set] if plain and listed is None else []
    cards = dict.fromkeys(word for slot in sets for word in slot.words if word not in (NOTHING, DONE))
    return Choices(
        tuple(by_verb),
        tuple(part.verb for part in parts if part.words),
        tuple(words),
        sentences,
        numbered,
        tuple(parts),
        listed is None or (not numbered and (simple or any(len(part.slots) > 1 for part in parts))),
        tuple(examples),
        tuple(cards),
    )


def numbers_mean_something(view: AgentView) -> bool:
    """Say whether a number can be an argument at a decision, by its rules alone and not by what is possible now."""
    for action in view.decision_data().actions:
        for arg in action.args:
            match base_of(arg.type):
                case Int() | Player():
                    return True
                case EnumType() as enum:
                    if any(word.isdigit() for word in (*enum.values, *enum.texts)):
                        return True
                case Card() | Cards():
                    if any(text.isdigit() for text in view.game.texts.by_text):
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


def _slots(view: AgentView, verb: str, found: dict[int, dict[str, None]]) -> tuple[Slot, ...]:
    """Return what follows a verb, argument by argument, with the words that were found for each."""
    made: dict[int, Slot] = {}
    places = view.chosen_from()
    for action in view.decision_data().actions:
        if action.verb != verb:
            continue
        for number, arg in enumerate(action.args):
            if number in found:
                is_set = arg.form == "cards"
                place = places.get(verb) if number == 0 else None
                times = _several(view, place) if is_set and place is not None else {}
                slot = Slot(_called(arg), _bounds(arg) if is_set else "", tuple(found[number]), is_set, place, times)
                made.setdefault(number, slot)
    return tuple(made[number] for number in sorted(made))


def _several(view: AgentView, place: int) -> dict[str, int]:
    """Return the cards of which the player sees several equal ones in a place, and how many."""
    zone = next(zone for zone in view.observation().zones if zone.place == place)
    seen = Counter(view.game.texts.face(face) for face in zone.cards if face is not None)
    return {text: times for text, times in seen.items() if times > 1}


def _called(arg: ArgumentData) -> str:
    """Return what an argument is: the name that the spec gives it, where it says more than a letter."""
    name = arg.name.replace("_", " ")
    if arg.form == "cards":
        return "cards"
    return name if isinstance(base_of(arg.type), Int) and len(name) > 2 else word_for(arg.type)


def _bounds(arg: ArgumentData) -> str:
    """Return how many cards an action takes, where that is a plain number of the rules."""
    if arg.low and arg.low == arg.high:
        return f"exactly {arg.low}"
    said = [f"at least {arg.low}"] if arg.low else []
    said += [f"at most {arg.high}"] if arg.high is not None else []
    return " and ".join(said) or ("" if arg.is_bounded else "any number")


def _collect(view: AgentView, actions: list[int], found: dict[int, dict[str, None]], seen: set[int]) -> None:
    """Gather the words that small actions bring, by argument, and those behind them; each action is tried once.

    What ends a set is a word of its own only where nothing was picked, so words are gathered wherever an action stands.
    """
    decision = view.decision_data()
    first = decision.actions[0].stages[decision.stage].first if decision.is_begun else 0
    for action in actions:
        said = view.words_of(action)
        for number, word in enumerate(said if decision.is_begun else said[1:]):
            found.setdefault(first + number, {}).setdefault(word)
    for action in actions:
        if action in seen:
            continue
        seen.add(action)
        following = view.after(action)
        if following is not None:
            _collect(following, following.legal_actions(), found, seen)


def _examples(view: AgentView, actions: list[int]) -> list[str]:
    """Return a sentence that begins with one of these actions, and the one that takes nothing if there is one."""
    first = actions[0]
    made = [" ".join(_example(view, first))]
    last = actions[-1]
    if last != first and view.after(last) is None and view.words_of(last)[-1:] == ["nothing"]:
        made.append(" ".join(view.words_of(last)))
    return made


def _example(view: AgentView, action: int) -> list[str]:
    words = view.words_of(action)
    following = view.after(action)
    picks = 1
    while following is not None:
        legal = following.legal_actions()
        ends = [a for a in legal if following.words_of(a) in ([], [DONE])]
        action = ends[0] if ends and picks >= LIKED else legal[0]
        words += following.words_of(action)
        following = following.after(action)
        picks += 1
    return words
