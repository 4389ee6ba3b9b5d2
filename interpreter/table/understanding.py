"""Parse a typed decision: complete it, or suggest the nearest legal one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import attrs

from grammar.suggest import nearest
from interpreter.engine.faults import IllegalActionError
from interpreter.english.words import capital
from interpreter.rulebook.page import Entry, plain
from interpreter.table.help_text import COMMANDS
from interpreter.text.texts import NOTHING

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.table.choices import Choices
    from interpreter.table.information import InformationState
    from interpreter.table.reference import Reference
    from interpreter.text.explain import Refusal


MOST_BEGUN = 12
"""The words that are listed where what was typed begins several."""


class Judge(Protocol):
    """Reads a sentence of the decision that waits, and explains why one is refused; an `AgentView` does both."""

    def read(self, text: str) -> int | tuple[int, ...]:
        """Return the small actions that a sentence means.  Raises IllegalActionError where it is not legal."""
        ...

    def explain(self, text: str) -> Refusal:
        """Return why a sentence is not legal; the message is empty if it is."""
        ...


@attrs.frozen
class Meant:
    """The meaning of a typed line: the small actions of `text`, or the reason why it is not legal, with its rule."""

    text: str
    actions: int | tuple[int, ...] | None
    problem: str = ""
    rule: Entry | None = None


def understand(judge: Judge, info: InformationState, choices: Choices, line: str, reference: Reference) -> Meant:
    """Return what a typed line means at a decision; a refusal quotes its rule from the rulebook."""
    words = re.sub(r"\bplayer +(\d+)\b", r"\1", line.replace(",", " "), flags=re.IGNORECASE).split()
    labels = choices.labels()
    for said in (words, short_texts(info.game, choices.words, words)):
        chosen = labels.get(" ".join(said).lower())
        if chosen is not None and not _is_sentence(choices, words):
            return _said(judge, chosen, reference)
    verb, rest = _verb(choices.verbs, words)
    if choices.numbered and verb is not None and len(rest) == 1 and rest[0].isdigit():
        chosen = labels.get(rest[0], "")
        if chosen.partition(" ")[0] == verb and chosen != verb:
            return _said(judge, chosen, reference)
    if choices.numbered and len(words) == 1 and words[0].isdigit():
        last = len(choices.sentences)
        return Meant(
            line, None, f"there is no choice {words[0]}; " + (f"they are 1 to {last}" if last > 1 else "say 1")
        )
    if choices.cards and (numbers := _numbers(choices, words)):
        wrong = next((n for n in numbers if not 1 <= n <= len(choices.cards)), None)
        if wrong is not None:
            return Meant(line, None, f"there is no card number {wrong}; they are 1 to {len(choices.cards)}")
        words = [choices.cards[int(w) - 1] if w.isdigit() else w for w in words]
        if words[0] in choices.cards and len(choices.taking) > 1:
            return Meant(line, None, f"say what to do with {' '.join(words)}: {' or '.join(choices.taking)}")
    sentence = _completed(info, choices, words)
    if sentence in choices.verbs and choices.may_be_none(sentence):
        return Meant(line, None, f"say which cards, or `{sentence} {NOTHING}` for none")
    meant = _said(judge, sentence, reference)
    if meant.actions is not None:
        return meant
    for word in [] if _verb(choices.verbs, words)[0] is None else sentence.split()[1:]:
        if word.isdigit() or _known(info, word):
            continue
        begun = _begun(choices.words, word)
        if len(begun) > 1:
            more = [f"one of {len(begun) - MOST_BEGUN} others"] * (len(begun) > MOST_BEGUN)
            shown = " or ".join([*begun[:MOST_BEGUN], *more])
            return Meant(sentence, None, f"`{word}` can be {shown}: type more of it")
        if not begun and any(text.startswith(word.lower()) for text in info.game.texts.by_text):
            return attrs.evolve(meant, problem=f"no card that you can choose begins with `{word}`")
    near = _nearest(judge, info, choices, sentence.split()) or _command(choices, words)
    return attrs.evolve(meant, problem=meant.problem + (f"\nDid you mean `{near}`?" if near else ""))


def _command(choices: Choices, words: list[str]) -> str:
    """Return the command that is nearly spelt like what a line begins with, where that is no word of the game."""
    if not words or _verb(choices.verbs, words)[0] is not None:
        return ""
    return nearest(words[0].lower(), COMMANDS) or ""


def _numbers(choices: Choices, words: list[str]) -> list[int]:
    """Return the numbers that stand for cards, where all after the verb are numbers."""
    _, rest = _verb(choices.verbs, words)
    return [int(word[:9]) for word in rest] if all(word.isdecimal() for word in rest) else []


def _is_sentence(choices: Choices, words: list[str]) -> bool:
    """Say whether words are a listed sentence in full, which then means itself."""
    return " ".join(words).lower() in (s.lower() for s in choices.sentences)


def _said(judge: Judge, sentence: str, reference: Reference) -> Meant:
    try:
        return Meant(sentence, judge.read(sentence))
    except IllegalActionError as error:
        refusal = judge.explain(sentence)
        rule = reference.rule(refusal)
        return Meant(sentence, None, _refusal(refusal, rule) if refusal.message else str(error), rule)


def _refusal(refusal: Refusal, rule: Entry | None) -> str:
    """Return why a sentence is refused, and beneath it the rule of what was tried, as the rulebook has it."""
    if rule is None:
        return refusal.message
    tags = f" {', '.join(rule.tags or refusal.tags)}" if rule.tags or refusal.tags else ""
    lines = [f"  Rule{tags}: {plain(capital(rule.text))}{'' if plain(rule.text).endswith(':') or rule.below else '.'}"]
    return "\n".join([refusal.message, *lines, *_below(rule, "    ")])


def _below(rule: Entry, indent: str) -> Iterator[str]:
    for entry in rule.below:
        yield f"{indent}- {plain(entry.text)}"
        yield from _below(entry, indent + "  ")


def _completed(info: InformationState, choices: Choices, words: list[str]) -> str:
    """Return the sentence with its verb found, or put in front, and its words completed."""
    verb, rest = _verb(choices.verbs, words)
    rest = short_texts(info.game, choices.words, rest)
    if verb is None:
        words = rest
    alone = choices.verbs if len(choices.verbs) == 1 or not words else choices.taking
    if verb is None and len(alone) == 1 and (not words or _fits(info, choices, words[0])):
        verb, rest = alone[0], words
    if verb is None:
        return " ".join(words)
    return " ".join([verb, *(_complete(info, choices.words, word) for word in rest)])


def _verb(verbs: tuple[str, ...], words: list[str]) -> tuple[str | None, list[str]]:
    """Return the verb that a line begins with (its words may be separated, its end may be missing) and the rest."""
    for count in range(len(words), 0, -1):
        said = "_".join(words[:count]).lower()
        if said in (v.lower() for v in verbs):
            return next(v for v in verbs if v.lower() == said), words[count:]
    if words:
        begun = [v for v in verbs if v.lower().startswith(words[0].lower())]
        if len(begun) == 1:
            return begun[0], words[1:]
    return None, words


def _fits(info: InformationState, choices: Choices, word: str) -> bool:
    """Say whether a word can stand after the only verb, if need be completed."""
    fits = _known(info, word) or _complete(info, choices.words, word) != word
    return fits or word.isdigit() or word.lower() in ("none", NOTHING)


def _known(info: InformationState, word: str) -> bool:
    """Say whether a word is the text of a card or value of the game, or of a choice, in full."""
    low = word.lower()
    texts = info.game.texts
    if low in texts.by_text:
        return True
    enums = info.game.rules.enums
    if any(low in (v.lower(), t.lower()) for e in enums for v, t in zip(e.values, e.texts, strict=True)):
        return True
    options = () if info.pending is None else info.pending.options
    return any(low in (word.lower() for word in option.words) for option in options)


def _complete(info: InformationState, vocabulary: tuple[str, ...], word: str) -> str:
    if _known(info, word) or word.isdigit():
        return word
    begun = _begun(vocabulary, word)
    return begun[0] if len(begun) == 1 else word


def _begun(vocabulary: tuple[str, ...], word: str) -> list[str]:
    return [v for v in vocabulary if v.lower().startswith(word.lower())]


def _nearest(judge: Judge, info: InformationState, choices: Choices, words: list[str]) -> str:
    """Return the sentence with every unknown word replaced by the nearest possible one, if that is legal."""
    if not words:
        return ""
    verbs = {v.lower(): v for v in choices.verbs}
    fixed: list[str] = []
    verb = words[0].lower()
    if verb not in verbs:
        meant = nearest(verb, verbs)
        if meant is None:
            return ""
        verb = meant
    fixed.append(verbs[verb])
    for word in words[1:]:
        if _known(info, word):
            fixed.append(word)
            continue
        by_low = {**named_among(info.game, choices.words), **{w.lower(): w for w in choices.words}}
        meant = nearest(word.lower(), by_low)
        if meant is None:
            return ""
        fixed.append(by_low[meant])
    near = " ".join(fixed)
    if near == " ".join(words):
        return ""
    try:
        judge.read(near)
    except IllegalActionError:
        return ""
    return near


def short_texts(game: GameBase, possible: tuple[str, ...], words: list[str]) -> list[str]:
    """Return words with longer names of cards replaced by the cards' texts.

    The beginning of a name is enough where it is that of one card among the `possible` words, or in full where
    the card is none of these.  A leading `the` may be left out.  A word that is itself a card's text stays.
    """
    names = dict(_longer_names(game))
    if not names:
        return words
    here = named_among(game, possible)
    longest = max(len(name.split()) for name in names)
    out: list[str] = []
    place = 0
    while place < len(words):
        for count in range(min(longest, len(words) - place), 0, -1):
            said = " ".join(words[place : place + count]).lower()
            found = None if count == 1 and said in game.texts.by_text else _one_named(said, here, names)
            if found is not None:
                out.append(found)
                place += count
                break
        else:
            out.append(words[place])
            place += 1
    return out


def named_among(game: GameBase, texts: tuple[str, ...]) -> dict[str, str]:
    """Return the longer names, in small letters, of the cards with some texts, each with the card's text."""
    wanted = set(texts)
    return {name: text for name, text in _longer_names(game) if text in wanted}


@lru_cache(maxsize=8)
def _longer_names(game: GameBase) -> tuple[tuple[str, str], ...]:
    faces = (face for face in game.texts.faces if face.name and face.name != face.text)
    return tuple(dict.fromkeys((face.name.lower(), face.text) for face in faces))


def _one_named(said: str, here: dict[str, str], names: dict[str, str]) -> str | None:
    """Return the text of the card that is meant, None where it is none or not only one."""
    for name, text in names.items():
        if said in _forms(name):
            return text
    begun = {text for name, text in here.items() if any(form.startswith(said) for form in _forms(name))}
    return begun.pop() if len(begun) == 1 else None


def _forms(name: str) -> tuple[str, ...]:
    return (name, name.removeprefix("the "))
