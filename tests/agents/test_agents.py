"""Agents by name, their budgets, and what they can see."""

from __future__ import annotations

import random

import pytest

from cli.terminal.thinking import hint_lines
from interpreter import Belief
from interpreter.agents import (
    KINDS,
    AgentError,
    AgentView,
    Budget,
    Clock,
    Thinker,
    agent,
    read_name,
)
from interpreter.loader import load_text
from interpreter.match import match
from interpreter.native import library
from interpreter.records.session import Session
from tests.bundled import game as bundled
from tests.native.test_c import needs_compiler
from tests.native.test_search import BEGINNING, SETS
from tests.solve.games import spec

KUHN = "classics/kuhn_poker"


@pytest.mark.parametrize(
    ("name", "written", "budget"),
    [
        ("random", "random", Budget()),
        ("greedy", "greedy", Budget(100)),
        ("search", "search", Budget(1_000)),
        ("search:1000", "search", Budget(1_000)),
        ("search:250", "search:250", Budget(250)),
        ("search:2s", "search:2s", Budget(seconds=2.0)),
        ("search:0.5s", "search:0.5s", Budget(seconds=0.5)),
        ("search:200ms", "search:0.2s", Budget(seconds=0.2)),
    ],
)
def test_names_are_read_and_written(name: str, written: str, budget: Budget) -> None:
    found = read_name(name)
    assert str(found) == written
    assert found.budget == budget
    assert str(read_name(written)) == written


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("serch", "there is no agent `serch`; did you mean `search`?"),
        ("Random", "did you mean `random`?"),
        ("", "there is no agent ``; there are random, random-small, greedy,"),
        ("x" * 500, "xxx...`; there are"),
        ("random:5", "`random` does not think, so it takes no budget: write `random`"),
        ("search:", "`` is no budget: write a number of iterations, such as 1000"),
        ("search:0", "`0` is no budget"),
        ("search:-3", "`-3` is no budget"),
        ("search:1e9", "`1e9` is no budget"),
        ("search:99999999999", "at most 1,000,000,000"),
        ("search:0s", "or a time from 0.01s to 3600s, such as 2s"),
        ("search:2h", "`2h` is no budget"),
        ("search:²", "`²` is no budget"),
        ("search:hearts.pol", "`hearts.pol` is no budget: .*, or a file that ends in `.policy`"),
    ],
)
def test_wrong_names_are_reported_with_what_to_write(name: str, problem: str) -> None:
    with pytest.raises(AgentError, match=problem.replace("(", r"\(").replace(")", r"\)").replace("?", r"\?")):
        read_name(name)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=needs_compiler if n == "search" else ())
        for n in KINDS
        if n != "search-long" and not KINDS[n].takes_file
    ],
)
def test_every_agent_plays_a_game_to_its_end_and_the_same_way_again(name: str) -> None:
    game = bundled(KUHN)
    plays = []
    for _ in range(2):
        session = Session(game, [agent(name, game, 1), agent("random", game, 1)], 4)
        session.play()
        plays.append(session.state.history())
    assert plays[0] == plays[1]


@pytest.mark.parametrize("name", ["search", "search:20", "search-long"])
def test_search_is_refused_without_a_compiler(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`search` never becomes another agent; the message says how to get a compiler."""
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(library, "find_spec", lambda _: None)
    with pytest.raises(
        AgentError, match=r"^`search` runs in C only, .*no C compiler.*`pip install 'cardgame\[native\]'`"
    ):
        agent(name, load_text(BEGINNING + SETS))


def test_solve_is_refused_without_a_compiler_where_it_would_have_to_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGAME_NATIVE", "off")
    assert isinstance(agent("solve", bundled(KUHN)), Thinker)
    with pytest.raises(AgentError, match="too large to be solved from its start, and `search` runs in C only"):
        agent("solve", bundled("classics/hearts"))


def test_flat_monte_carlo_plays_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGAME_NATIVE", "off")
    state = load_text(BEGINNING + SETS).new_initial_state()
    thinker = agent("greedy:800", state.game, 1)
    assert isinstance(thinker, Thinker)
    advice = thinker.think(AgentView(state))
    assert (thinker.engine, advice.engine, advice.iterations >= 800) == ("Python", "Python", True)
    assert advice.estimates[0].text == "keep 4 5 6"


def test_flat_monte_carlo_chooses_at_random_where_there_are_no_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A belief without worlds does not stop the play, and the true play is no world."""
    monkeypatch.setenv("CARDGAME_NATIVE", "off")
    monkeypatch.setattr(Belief, "draw", lambda *_: [])
    state = load_text(BEGINNING + SETS).new_initial_state()
    thinker = agent("greedy:100", state.game, 1)
    assert isinstance(thinker, Thinker)
    advice = thinker.think(AgentView(state))
    assert (advice.iterations, advice.worlds) == (0, 0)
    assert len(advice.chosen) == 3


def test_a_thinker_lists_its_estimates_best_first() -> None:
    game = bundled(KUHN)
    state = game.new_initial_state()
    state.resolve_chance(random.Random(1))
    view = AgentView(state)
    thinker = agent("greedy:40", game)
    assert isinstance(thinker, Thinker)
    advice = thinker.think(view)
    assert advice.iterations == 40
    assert advice.chosen == advice.estimates[0].actions == thinker.act(view)
    assert {e.text for e in advice.estimates} == {"pass", "bet"}
    assert sorted((e.value for e in advice.estimates), reverse=True) == [e.value for e in advice.estimates]
    assert sum(e.weight for e in advice.estimates) == pytest.approx(1)


@needs_compiler
def test_thinking_can_be_stopped_and_gives_the_best_so_far() -> None:
    game = bundled(KUHN)
    state = game.new_initial_state()
    state.resolve_chance(random.Random(1))
    thinker = agent("search:1000000000", game)
    assert isinstance(thinker, Thinker)
    heard: list[float] = []

    def on_progress(share: float) -> bool:
        heard.append(share)
        return len(heard) < 2

    thinker.on_progress = on_progress
    advice = thinker.think(AgentView(state))
    assert advice.stopped
    assert advice.iterations > 0
    assert len(heard) == 2


def test_a_clock_says_when_a_budget_is_spent() -> None:
    assert Clock(Budget(3)).goes_on(2)
    assert not Clock(Budget(3)).goes_on(3)

    timed = Clock(Budget(seconds=3_600.0))
    assert timed.goes_on(10**12)
    assert not timed.is_over()


def test_what_a_player_believes_is_kept_from_decision_to_decision() -> None:
    """One belief a seat, carried on while the play goes on and made anew where it was taken back."""
    game = bundled(KUHN)
    beliefs = []

    class Believer:
        def act(self, view: AgentView) -> int:
            belief = view.belief()
            assert belief is view.belief()
            assert belief.player == view.player
            beliefs.append(belief)
            (world,) = belief.draw(1)
            assert world.information_state_string(view.player) == view.information_state_string()
            return view.legal_actions()[0]

    seed = next(seed for seed in range(50) if _length(seed) == 3)
    session = Session(game, [Believer(), agent("random", game, seed)], seed)
    session.play()
    assert len(beliefs) == 2
    assert beliefs[0] is beliefs[1]
    session.rewind(0)
    while not session.state.is_terminal():
        session.step()
    assert beliefs[2] is not beliefs[1]


def _length(seed: int) -> int:
    """Return how many decisions a play has in which player 1 takes the first action that is legal."""

    class First:
        def act(self, view: AgentView) -> int:
            return view.legal_actions()[0]

    game = bundled(KUHN)
    session = Session(game, [First(), agent("random", game, seed)], seed)
    session.play()
    return len(session.decisions())


def test_an_agent_gets_no_hold_of_the_true_play() -> None:
    """Nothing that a view gives, and no name of its own, is a state, but worlds that the player's belief draws."""
    game = bundled(KUHN)
    state = game.new_initial_state()
    state.resolve_chance(random.Random(1))
    view = AgentView(state)
    public = {name: getattr(view, name) for name in dir(view) if not name.startswith("_")}
    assert {"belief", "sentences", "observation"} <= set(public)
    assert not any(hasattr(value, "history") for value in public.values())
    assert view.game is game


SAME = spec(
    "All the Same",
    """state
    taken: 0..3 = 0

play
    for p in players
        p chooses
            take n from 1..3: taken = n

result
    returns p = 0
""",
)


@pytest.mark.parametrize("name", ["greedy:20", pytest.param("search:40", marks=needs_compiler)])
def test_a_search_without_a_signal_says_so(name: str) -> None:
    game, other = load_text(SAME), bundled("classics/kuhn_poker")
    for one, expected in ((game, True), (other, False)):
        state = one.new_initial_state()
        state.resolve_chance(random.Random(1))
        thinker = agent(name, one)
        assert isinstance(thinker, Thinker)
        advice = thinker.think(AgentView(state))
        assert advice.is_blind == expected
        said = "\n".join(hint_lines(one, advice, name))
        assert ("All iterations ended with the same result" in said) == expected
    run = match(game, [read_name(name), read_name("random")], 1)
    run.run()
    assert run.blind() == {name: 1.0}
