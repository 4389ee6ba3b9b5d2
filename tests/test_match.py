"""Matches: the same deals for all, differences with their chances, and agents of one name who are equal."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.agents import read_name
from interpreter.kept import Kept
from interpreter.match import Match, match
from interpreter.sharing import processes
from tests.bundled import game as bundled

KUHN = "classics/kuhn_poker"


def played(game: str, agents: str, blocks: int, jobs: int = 1) -> Match:
    run = match(bundled(game), [read_name(name) for name in agents.split(",")], blocks)
    run.run(processes(jobs) if jobs > 1 else None)
    return run


@pytest.mark.parametrize("game", [KUHN, "classics/hearts", "arcanity"])
def test_two_agents_of_one_name_come_out_equal_exactly(game: str) -> None:
    run = played(game, "random,random", 2)
    (found,) = run.comparisons()
    assert (found.difference, found.low, found.high, found.better, found.worse, found.p_value) == (0, 0, 0, 0, 0, 1)
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

    def on_progress(done: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    run.run(on_progress=on_progress)
    assert run.stopped
    assert len(run.done) == 3
    assert len(run.comparisons()) == 1


def test_a_match_needs_two_agents() -> None:
    with pytest.raises(ValueError, match="two agents"):
        match(bundled(KUHN), [read_name("random")], 1)


def test_a_match_that_was_stopped_goes_on_from_its_file(tmp_path: Path) -> None:
    names = [read_name("greedy:4"), read_name("random")]
    whole, stopped, again = (match(bundled(KUHN), names, 5, 1) for _ in range(3))
    whole.run()
    stopped.run(on_progress=lambda deals: deals >= 2)
    stopped.beyond[0, 4] = whole.done[4]
    stopped.save(Kept(tmp_path / "match.json"))
    kept = Kept(tmp_path / "match.json")
    again.resume(kept)
    assert (again.done, again.beyond) == (whole.done[:2], {(0, 4): whole.done[4]})
    again.run()
    assert again.done == whole.done
    with pytest.raises(ValueError, match="another seed"):
        kept.expect(match(bundled(KUHN), names, 5, 2).digest())
    kept.keep(again.digest(), {"blocks": [[0, 1]]})
    with pytest.raises(ValueError, match="does not keep a run"):
        again.resume(kept)
