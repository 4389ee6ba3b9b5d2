"""Small games are solved: strategies that nobody gains much against, and values that are known."""

from __future__ import annotations

from collections import Counter

import pytest

from interpreter import load_text
from interpreter.drivers.agents import AgentError, agent
from interpreter.drivers.agents.solve import Solution, solution
from interpreter.drivers.session import Session
from tests.bundled import game as bundled

KUHN = "classics/kuhn_poker"

PENNIES = """cardgame 1

game "Cards and Guesses"
    players 2
    at most 12 decisions

card Plain(v: 1..3) written "{v}"

deck in stock
    1 of each Plain

zones
    stock:        cards, seen by all
    hand[player]: cards, seen by owner
    kept:         cards, seen by nobody

state
    caught: boolean = false

play
    move stock to hand[player 1]
    player 1 chooses
        hide 1 cards cs from hand[player 1]: move cs to kept
    player 2 chooses
        guess n from 1..3
            caught = some c in kept where c.v == n

result
    winners = if caught then player 2 else player 1
"""
"""Matching pennies with three sides: the equilibrium is even, and the guesser gets -1/3."""


def test_kuhn_poker_has_the_value_that_is_known_and_nobody_gains_much() -> None:
    found = solution(bundled(KUHN), 100)
    assert found.exploitability() <= 0.01
    assert found.value(0) == pytest.approx(-1 / 18, abs=0.002)
    assert found.value(0) == pytest.approx(-found.value(1))


def test_a_strategy_that_is_not_improved_can_be_exploited() -> None:
    assert Solution(bundled(KUHN)).exploitability() > 0.3


@pytest.mark.soak
def test_leduc_poker_has_the_value_that_is_known_and_nobody_gains_much() -> None:
    found = solution(bundled("classics/leduc_poker"), 100)
    assert found.exploitability() <= 0.05
    assert found.value(0) == pytest.approx(-0.0856, abs=0.005)


def test_hidden_choices_are_mixed() -> None:
    game = load_text(PENNIES)
    found = solution(game, 100)
    assert found.exploitability() <= 0.02
    assert found.value(1) == pytest.approx(-1 / 3, abs=0.02)
    guesses: Counter[int] = Counter()
    for seed in range(60):
        session = Session(game, [agent("solve", game, seed), agent("solve", game, seed)], seed)
        session.play()
        guesses[session.decisions()[-1][1]] += 1
    assert len(guesses) == 3
    assert min(guesses.values()) > 8


def test_games_that_are_too_large_are_refused_in_words() -> None:
    with pytest.raises(AgentError, match="`solve` is for games of at most 20,000 positions, and Go Fish has more"):
        agent("solve", bundled("classics/go_fish"))
    with pytest.raises(AgentError, match="`solve` takes a number of iterations, at most 100,000: write solve:1000"):
        agent("solve:2s", bundled(KUHN))
