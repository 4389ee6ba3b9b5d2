"""Write a play as a scenario: one line for each chance outcome and each decision.

What fails in the play fails in the scenario: a rule that cannot be carried out, an invariant, a decision in which
nothing is possible, a play without an end.  `scenario_of` runs what it has written and returns it only if that is so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from grammar.source import Source
from interpreter.fuzz.diagnosis import ending
from interpreter.records.retelling import Said, retell
from interpreter.scenarios.scenario import run_source

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.engine.machine import HistoryItem
    from interpreter.fuzz.checks import Problem


def scenario_of(
    game: Game, of: str, name: str, history: Collection[HistoryItem], problem: Problem, folder: Path
) -> str | None:
    """Return a file with one scenario that fails as a play does; None where a scenario cannot show it.

    `of` is the file of the spec as it is named in a folder.
    """
    text = write_scenario(game, of, name, history)
    (result,) = run_source(Source("scenario", text), folder)
    failure = result.failure
    if failure is None:
        return None
    same_place = problem.span is None or failure.rule is None or failure.rule.line == problem.span.line
    same_words = problem.message.partition(" of ")[0] in failure.message
    return text if same_place and same_words else None


def write_scenario(game: Game, of: str, name: str, history: Collection[HistoryItem]) -> str:
    """Return a file with one scenario: a play from its history, which is empty where it cannot even begin."""
    lines = [f"players {game.num_players}"]
    lines += [f"option {option} = {value}" for option, value in game.option_texts().items()]
    steps = [_step(game, said) for said in (retell(game, history) if history else ()) if said.whole]
    again = ending(steps)
    if again is not None:
        first, size, times = again
        lines += [*steps[:first], f"repeat {times} times", *(f"    {step}" for step in steps[first : first + size])]
        steps = steps[first + size * times :]
    lines += steps or ["expect not game over"]
    body = "".join(f"    {line}\n" for line in lines)
    return f'scenarios 1 of "{of}"\n\nscenario "{name}"\n{body}'


def _step(game: Game, said: Said) -> str:
    if said.actor >= 0:
        verb, *words = said.text.split()
        return " ".join([f"player {said.actor + 1} does {verb}", *_words(game, words)])
    (item,) = said.items
    texts = game.texts
    text = " ".join(map(texts.full_face, item)) if isinstance(item, tuple) else said.text
    return f'chance does "{text}"'


def _words(game: Game, words: list[str]) -> Iterator[str]:
    """Yield the words of a sentence as a scenario has them: cards that follow one another in one text."""
    for is_card, run in groupby(words, lambda word: word.lower().partition("@")[0] in game.texts.by_text):
        together = " ".join(run)
        yield f'"{together}"' if is_card else together
