"""What a player can choose, laid out for reading: whole sentences while they are few, else their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.analysis import core
from interpreter.runtime.texts import alternatives_of

if TYPE_CHECKING:
    from interpreter.drivers.agents import AgentView

FEW = 12
"""Sentences up to which all are listed and numbered."""
LIKED = 2
"""Cards in an example of a set, where the rules leave it open."""


@attrs.frozen
class Part:
    """A verb, how many cards it takes where the rules say so in numbers, and the words that can follow it."""

    verb: str
    bounds: str
    words: tuple[str, ...]


@attrs.frozen
class Choices:
    """The choices of one decision.

    `sentences` are all of them, each with the label that a player may type for it, or empty where there
    are too many; then `parts` say of what they are made, and `examples` are some of them.
    """

    verbs: tuple[str, ...]
    words: tuple[str, ...]
    sentences: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...]
    examples: tuple[str, ...]


def choices_of(view: AgentView) -> Choices:
    """Return the choices of the player to act."""
    texts = view.game.texts
    by_verb: dict[str, list[int]] = {}
    for action in view.legal_actions():
        by_verb.setdefault(texts.shape_of(action).verb, []).append(action)
    listed = view.sentences(FEW)
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
    return Choices(
        tuple(by_verb),
        tuple(words),
        () if listed is None else _labelled([s.text for s in listed]),
        () if listed is not None else tuple(parts),
        tuple(examples),
    )


def _bounds(view: AgentView, verb: str) -> str:
    """Return how many cards an action takes, where that is a plain number of the rules."""
    said = []
    for alternative in alternatives_of(view.decision()):
        for arg in alternative.action.args:
            if alternative.action.verb == verb and arg.form == "cards":
                if isinstance(arg.low, core.Const) and arg.low.value:
                    said.append(f"at least {arg.low.value}")
                if isinstance(arg.high, core.Const):
                    said.append(f"at most {arg.high.value}")
    return " and ".join(dict.fromkeys(said))


def _labelled(sentences: list[str]) -> tuple[tuple[str, str], ...]:
    """Give each sentence its number; where all end in numbers of their own, these are their labels."""
    words = [s.split() for s in sentences]
    if all(len(w) == 2 and w[1].isdigit() for w in words) and len({w[0] for w in words}) == 1:
        return tuple((w[1], s) for w, s in zip(words, sentences, strict=True))
    return tuple((str(number), s) for number, s in enumerate(sentences, 1))


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
        ends = [a for a in legal if not following.words_of(a)]
        action = ends[0] if ends and picks >= LIKED else legal[0]
        words += following.words_of(action)
        following = following.after(action)
        picks += 1
    return words
