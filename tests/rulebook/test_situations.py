"""Situations with their right answers, for readers who know a game only by its rulebook.

Each names the rule that decides it, and most the scenario of the game in which the engine plays it.
"""

from __future__ import annotations

import pytest

from grammar.parser import parse_scenarios
from grammar.source import read_source
from interpreter.loader import find_spec
from tests.rulebook.books import QUICK, book, tags_in
from tests.rulebook.trial import GAMES, questions, situations

BOOKS = [pytest.param(game, marks=[pytest.mark.soak] * (spec not in QUICK)) for game, spec in GAMES.items()]


def test_there_are_ten_to_twenty_different_questions() -> None:
    for game in GAMES:
        every = situations(game)
        assert len({s.question for s in every}) == len(every), game
        assert 10 <= len(every) <= 20, game
        assert [s.number for s in every] == [*range(1, len(every) + 1)], game


@pytest.mark.parametrize("game", BOOKS)
def test_the_book_states_the_rule_of_each(game: str) -> None:
    assert {s.rule for s in situations(game)} <= tags_in(book(GAMES[game]))


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_plays_what_a_situation_is_about(game: str) -> None:
    path = find_spec(GAMES[game]).with_suffix(".scenarios")
    played = {scenario.name for scenario in parse_scenarios(read_source(path)).scenarios}
    named = [s.scenario for s in situations(game) if s.scenario is not None]
    assert [name for name in named if name not in played] == []
    assert len(named) >= len(situations(game)) * 3 // 4


def test_a_reader_gets_no_answer_with_the_questions() -> None:
    for game in GAMES:
        every = situations(game)
        sheet = questions(every)
        assert all(f"## {one.number}. {one.question}\n" in sheet for one in every), game
        assert not {one.answer for one in every} & set(sheet.splitlines()), game
