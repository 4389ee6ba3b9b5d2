"""What a player can choose, laid out for reading: whole sentences while they are few, else their parts.

What is typed is what is shown in front.  That is a number, from 1 on, where no number means anything itself.
Where one does (a bid, a player, a card called 7), whatever the cards of this moment are, the choices have no
numbers of their own: the words themselves are shown, and typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.analysis import core
from interpreter.analysis.types import Card, Cards, EnumType, Int, Player, base_of
from interpreter.runtime.text.texts import DONE

if TYPE_CHECKING:
    from interpreter.drivers.agents import AgentView

FEW = 12
"""Sentences up to which all are listed."""
LIKED = 2
"""Cards in an example of a set, where the rules leave it open."""
RUN = 6
"""Numbers in a row from which on only the first and the last are shown."""


@attrs.frozen
class Part:
    """A verb, how many cards it takes where the rules say so in numbers, and the words that can follow it."""

    verb: str
    bounds: str
    words: tuple[str, ...]


@attrs.frozen
class Choices:
    """The choices of one decision.

    `taking` are those of the `verbs` that something can follow.  `sentences` are all choices, or empty where
    there are too many.  They have the numbers from 1 on, if `numbered`.  Where they have not, `parts` say of
    what the sentences are made; `examples` are some of those that are not listed.
    """

    verbs: tuple[str, ...]
    taking: tuple[str, ...]
    words: tuple[str, ...]
    sentences: tuple[str, ...]
    numbered: bool
    parts: tuple[Part, ...]
    examples: tuple[str, ...]

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
    numbered = listed is not None and not numbers_mean_something(view)
    sentences = () if listed is None else tuple(s.text for s in listed)
    parts = []
    examples = []
    words: dict[str, None] = {}
    for verb, actions in by_verb.items():
        found: dict[str, None] = {}
        _collect(view, actions, found, set())
        words.update(found)
        parts.append(Part(verb, _bounds(view, verb), tuple(found)))
        if listed is None:
            examples += _examples(view, actions)
    simple = all(len(s.split()) <= 2 for s in sentences)
    return Choices(
        tuple(by_verb),
        tuple(part.verb for part in parts if part.words),
        tuple(words),
        sentences,
        numbered,
        tuple(parts) if listed is None or (simple and not numbered) else (),
        tuple(examples),
    )


def numbers_mean_something(view: AgentView) -> bool:
    """Say whether a number can be an argument at a decision, by its rules alone and not by what is possible now."""
    for alternative in view.decision().open_ways:
        for arg in alternative.action.args:
            match base_of(arg.local.type):
                case Int() | Player():
                    return True
                case EnumType() as enum:
                    if any(word.isdigit() for word in (*enum.values, *enum.texts)):
                        return True
                case Card() | Cards():
                    if any(text.isdigit() for text in view.game.texts.by_text):
                        return True
                case _:
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


def _bounds(view: AgentView, verb: str) -> str:
    """Return how many cards an action takes, where that is a plain number of the rules, or that it takes a player."""
    said = []
    for alternative in view.decision().open_ways:
        for arg in alternative.action.args:
            if alternative.action.verb == verb and isinstance(base_of(arg.local.type), Player):
                said.append("a player")
            if alternative.action.verb == verb and arg.form == "cards":
                low = arg.low.value if isinstance(arg.low, core.Const) else 0
                high = arg.high.value if isinstance(arg.high, core.Const) else None
                if low and low == high:
                    said.append(f"exactly {low}")
                    continue
                said += [f"at least {low}"] if low else []
                said += [f"at most {high}"] if high is not None else []
    return " and ".join(dict.fromkeys(said))


def _collect(view: AgentView, actions: list[int], found: dict[str, None], seen: set[int]) -> None:
    """Gather the words that small actions bring, and those that can follow them; each action is tried once."""
    for action in actions:
        if action in seen:
            continue
        seen.add(action)
        verb = view.game.texts.shape_of(action).verb
        for word in view.words_of(action):
            if word != verb:
                found.setdefault(word)
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
