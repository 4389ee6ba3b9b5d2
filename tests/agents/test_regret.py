"""Search in small games of two players within a time: regrets are sampled in walks that are aimed at the position."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import pytest

from interpreter import Game, load, load_text
from interpreter.agents import AgentView
from interpreter.agents.regret import regret_agent
from interpreter.agents.search import SearchAgent
from interpreter.agents.thinking import Budget, Clock
from interpreter.native.plays import WatchedGame
from tests.native.test_c import needs_compiler
from tests.solve.games import MATCHING

pytestmark = needs_compiler


@pytest.fixture(autouse=True)
def steady_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that moves by a 1,024th of a second whenever it is read, so that a time is a number of iterations."""
    ticks = count()
    monkeypatch.setattr(Clock, "now", staticmethod(lambda: next(ticks) / 1024))


def shares(game: Game, actions: Sequence[str], first: int = 0) -> dict[str, float]:
    """Return the probability of each decision after some actions, where chance draws the outcome `first`, then 0s."""
    state, drawn, left = game.new_initial_state(), first, list(actions)
    while left or state.is_chance_node():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[drawn][0])
            drawn = 0
            continue
        wanted = left.pop(0)
        state.apply_action(next(a for a in state.legal_actions() if state.action_to_string(a) == wanted))
    view = AgentView(state)
    mixture = SearchAgent(game, 1, Budget(seconds=4)).mixture(view)
    return {view.text_of(actions): share for actions, share in mixture.items()}


def test_what_an_opponent_did_is_evidence_of_what_they_hold() -> None:
    found = [shares(load("classics/kuhn_poker"), ["pass", "bet"], first=card)["bet"] for card in range(3)]
    assert found[0] < 0.01
    # With random opponents it were best to call always with the middle card: a third to two thirds is an equilibrium.
    assert 0.3 < found[1] < 0.9
    assert found[2] > 0.99


def test_a_secret_choice_of_the_opponent_changes_nothing() -> None:
    one, other = (shares(load_text(MATCHING), [f"hide {number}"]) for number in (1, 2))
    assert one == other
    assert list(one.values()) == pytest.approx([1 / 3] * 3, abs=0.1)


@pytest.mark.soak
def test_a_deep_game_is_too_large_and_does_not_overflow_the_stack() -> None:
    """A play of Dominion has hundreds of decisions of each player, and a large state."""
    game = load("classics/dominion", players=2)
    assert regret_agent(game, WatchedGame.of(game), 1, Budget(iterations=10)) is None
