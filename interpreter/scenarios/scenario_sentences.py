"""The sentences of players in a scenario, checked against the actions of the game."""

from __future__ import annotations

import re

from grammar import expressions as syntax
from grammar.diagnostics import SpecError
from grammar.scenario import Sentence
from grammar.source import Span
from grammar.suggest import suggestion
from interpreter.analysis.types import Card, Cards, Int, base_of
from interpreter.engine.faults import IllegalActionError
from interpreter.engine.game import Game
from interpreter.engine.game_data import ActionData
from interpreter.scenarios.card_placement import card_meant
from interpreter.text.texts import NOTHING, word_for


def verbs(game: Game) -> list[str]:
    """Return the verbs of all actions of a game."""
    return sorted({shape.verb for shape in game.shapes})


def check_form(game: Game, words: list[str], span: Span) -> None:
    """Raise SpecError where no action of a game has the form of these words: a verb, and what follows it.

    A number out of its range has the form: that the range ends there is a rule like any other.
    """
    actions = [
        action
        for decision in game.data.decisions.values()
        for action in decision.actions
        if not decision.is_begun and action.verb.lower() == words[0].lower()
    ]
    problems = [_misfit(game, action, words[1:]) for action in actions]
    if problems and all(problems):
        raise SpecError.of("CG228", f"no player can ever do `{' '.join(words)}`: {problems[0]}", span,
                            f"`{words[0]}` is said as " + " or ".join(dict.fromkeys(map(_form, actions))))  # fmt: skip


def _misfit(game: Game, action: ActionData, words: list[str]) -> str:
    """Return why words cannot be the arguments of an action; nothing where they can."""
    sets = [arg for arg in action.args if arg.form == "cards"]
    single = len(action.args) - len(sets)
    if len(words) < single:
        return f"say which {word_for(action.args[min(len(words), single - 1)].type)}"
    if not sets and len(words) > single:
        return f"`{' '.join(words[single:])}` is too much"
    rest = list(words)
    for number, arg in enumerate(action.args):
        if arg.form == "cards" and len(sets) > 1:
            return ""  # Where the first cards end, the rules say.
        following = len(action.args) - number - 1
        mine = [rest.pop(0)] if arg.form != "cards" else rest[: len(rest) - following]
        if arg.form == "cards":
            del rest[: len(mine)]
        if arg.form == "cards" and [word.lower() for word in mine] in ([NOTHING], ["none"]):
            continue
        for word in mine:
            try:
                if isinstance(base_of(arg.type), Card | Cards):
                    game.texts.meanings(word)
                elif not (isinstance(base_of(arg.type), Int) and re.fullmatch(r"-?\d{1,9}", word)):
                    game.texts.read_value(arg.type, word)
            except IllegalActionError as error:
                return str(error)
    return ""


def _form(action: ActionData) -> str:
    parts = ["cards" if arg.form == "cards" else f"a {word_for(arg.type)}" for arg in action.args]
    return f"`{action.verb}`" + (f" with {' and '.join(parts)}" if parts else " alone")


def sentence_text(game: Game, sentence: Sentence) -> str:
    """Return a sentence of a scenario as a player would say it.

    Raises SpecError for verbs and cards that the game does not have.
    """
    if sentence.verb not in verbs(game):
        cure = suggestion(sentence.verb, verbs(game), sentence.span)
        raise SpecError.of("CG228", f"no action of this game is called `{sentence.verb}`", sentence.span,
                            cure or "its actions are " + ", ".join(verbs(game)))  # fmt: skip
    words: list[str] = [sentence.verb]
    for word in sentence.words:
        match word:
            case syntax.String():
                for text in word.value.split():
                    try:
                        game.texts.meanings(text)
                    except IllegalActionError as error:
                        raise SpecError.of("CG228", str(error), word.span, card_meant(game, text, word.span)) from error
                    words.append(text)
            case syntax.Name():
                words.append(word.name)
            case syntax.Seat() | syntax.Number():
                words.append(str(word.number if isinstance(word, syntax.Seat) else word.value))
            case syntax.Bool():
                words.append("yes" if word.value else "no")
            case _:  # All others are typed as they are written.
                words.append(word.span.text)
    return " ".join(words)
