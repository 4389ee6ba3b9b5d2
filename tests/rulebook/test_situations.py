"""Situations with their right answers, for readers who know a game only by its rulebook.

Each names the rule that decides it, and most the scenario of the game in which the engine plays it.
"""

from __future__ import annotations

import re
from pathlib import Path

import attrs
import pytest

from grammar.parser import parse_scenarios
from grammar.source import read_source
from interpreter.loader import bundled_games, find_spec
from tests.rulebook.books import book, tags_in

FOLDER = Path(__file__).parent / "situations"
NUMBER = 20
SITUATION = re.compile(
    r"(?P<number>\d+)\. (?P<question>.+[?])\n   answer: (?P<answer>.+[.])\n   rule: (?P<rule>\w+)"
    r"(?:\n   scenario: (?P<scenario>.+))?"
)


@attrs.frozen
class Situation:
    """A question about a play, its answer, the tag of the rule, and a scenario or None."""

    number: int
    question: str
    answer: str
    rule: str
    scenario: str | None


def situations(game: str) -> list[Situation]:
    """Return the situations of a game, in their order; all that is written is one."""
    _, *parts = (FOLDER / f"{game.rsplit('/', 1)[-1]}.txt").read_text(encoding="utf-8").rstrip().split("\n\n")
    made = []
    for part in parts:
        found = SITUATION.fullmatch(part)
        assert found is not None, part
        made.append(Situation(int(found["number"]), *found.group("question", "answer", "rule", "scenario")))
    return made


@pytest.mark.parametrize("game", bundled_games())
def test_there_are_twenty_different_questions(game: str) -> None:
    every = situations(game)
    assert [s.number for s in every] == [*range(1, NUMBER + 1)]
    assert len({s.question for s in every}) == NUMBER


@pytest.mark.parametrize("game", bundled_games())
def test_the_book_states_the_rule_of_each(game: str) -> None:
    assert {s.rule for s in situations(game)} <= tags_in(book(game))


@pytest.mark.parametrize("game", bundled_games())
def test_the_engine_plays_what_a_situation_is_about(game: str) -> None:
    path = find_spec(game).with_suffix(".scenarios")
    played = {scenario.name for scenario in parse_scenarios(read_source(path)).scenarios}
    named = [s.scenario for s in situations(game) if s.scenario is not None]
    assert [name for name in named if name not in played] == []
    assert len(named) >= 3 * NUMBER // 4
