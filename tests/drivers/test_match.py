"""Matches: the same deals for all, differences with their chances, and agents of one name who are equal."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest

from interpreter.drivers.agents import read_name
from interpreter.drivers.match import Match, match, sign_test, student, t_quantile
from tests.bundled import game as bundled

KUHN = "classics/kuhn_poker"


def played(game: str, agents: str, blocks: int, jobs: int = 1) -> Match:
    run = match(bundled(game), [read_name(name) for name in agents.split(",")], blocks)
    run.run(jobs)
    return run


@pytest.mark.parametrize("game", [KUHN, "classics/hearts", "arcanity"])
def test_two_agents_of_one_name_come_out_equal_exactly(game: str) -> None:
    run = played(game, "random,random", 2)
    (found,) = run.comparisons()
    assert (found.difference, found.low, found.high, found.better, found.worse, found.chance) == (0, 0, 0, 0, 0, 1)
    assert [s.agent for s in run.standings()] == ["random", "random (2)"]
    if game != KUHN:
        one, other = run.standings()
        assert one.returns == other.returns
        assert one.first == pytest.approx(other.first)


def test_a_block_is_one_deal_in_all_rotations_of_the_seats() -> None:
    run = played("classics/hearts", "random,random-small", 1)
    (block,) = run.done
    assert [play.lineup for play in block.plays] == [(0, 1, 1, 1), (1, 1, 1, 0), (1, 1, 0, 1), (1, 0, 1, 1)]
    assert [s.seats for s in run.standings()] == [4, 12]


def test_more_agents_than_seats_play_at_tables_of_their_own() -> None:
    run = played(KUHN, "random,random-small,greedy:4", 2)
    assert run.tables == ((0, 1), (0, 2), (1, 2))
    assert [(c.one, c.other, c.blocks) for c in run.comparisons()] == [
        ("random", "random-small", 2), ("random", "greedy:4", 2), ("random-small", "greedy:4", 2),
    ]  # fmt: skip


def test_in_a_cooperative_game_an_agent_takes_all_seats() -> None:
    run = played("chalice_and_wand", "random,random-small,random", 2)
    assert run.as_teams
    assert [play.lineup for play in run.done[0].plays] == [(0, 0), (1, 1), (2, 2)]
    by_pair = {(c.one, c.other): c for c in run.comparisons()}
    assert by_pair["random", "random (2)"].difference == 0
    assert by_pair["random", "random-small"].difference == -by_pair["random-small", "random (2)"].difference


@pytest.mark.soak
def test_processes_play_the_same_match() -> None:
    assert played(KUHN, "greedy:4,random", 3, jobs=2).done == played(KUHN, "greedy:4,random", 3).done


def test_a_match_that_is_stopped_keeps_what_is_done() -> None:
    run = match(bundled(KUHN), [read_name("random"), read_name("random-small")], 50)

    def watch(done: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    run.run(watch=watch)
    assert run.stopped
    assert len(run.done) == 3
    assert len(run.comparisons()) == 1


def test_the_sign_test_is_exact() -> None:
    assert sign_test(0, 0) == sign_test(4, 4) == 1
    assert sign_test(5, 0) == sign_test(0, 5) == 2 / 32
    assert sign_test(8, 2) == pytest.approx(2 * (1 + 10 + 45) / 1024)


def test_intervals_are_those_of_student() -> None:
    """Quantiles as in every table of them."""
    for freedom, quantile in {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 1000: 1.962}.items():
        assert t_quantile(freedom) == pytest.approx(quantile, rel=0.01)
    assert student([Fraction(3)]) == (3.0, inf)
    assert student([Fraction(1, 3)] * 7) == (1 / 3, 0.0)
    mean, half = student([Fraction(x) for x in (1, 2, 3, 4)])
    assert mean == 2.5
    assert half == pytest.approx(3.182 * (5 / 3 / 4) ** 0.5, rel=0.01)


def test_a_match_needs_two_agents() -> None:
    with pytest.raises(ValueError, match="two agents"):
        match(bundled(KUHN), [read_name("random")], 1)
