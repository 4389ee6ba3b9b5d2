"""Agents with a time as their budget answer in it: bundled games, and specs that were changed by chance."""

from __future__ import annotations

import gc
import os
import time
from random import Random

import pytest

from grammar.diagnostics import SpecError
from grammar.source import Source
from interpreter.agents import AgentView, Thinker, agent
from interpreter.engine.faults import RuleError
from interpreter.engine.game import Game
from interpreter.loader import assemble, game_of, load
from interpreter.records.session import Session
from tests.bundled import EVERY, player_counts
from tests.mutants.specs import mutant

SECONDS = 0.25
MOST = 1.2
SLACK = 0.05
"""Seconds that a machine may take for other things."""
MUTANTS = int(os.environ.get("MUTANTS", "100"))
"""Changed specs that are played; each is compiled to C, which takes a second or two."""
EACH = int(os.environ.get("EACH", "2"))
DECISIONS = int(os.environ.get("DECISIONS", "40"))
"""Decisions of each changed spec, and of each bundled game and variant, by each kind of agent and engine."""


class Timed:
    """An agent that plays at random now and then asks another one, and keeps how long that took."""

    def __init__(self, game: Game, name: str, rate: float) -> None:
        self.agent = agent(name, game, 1)
        self.random = agent("random", game, 1)
        self.rng = Random(1)
        self.rate = rate
        self.took: list[float] = []

    def act(self, view: AgentView) -> object:
        if self.rng.random() < self.rate:
            begun = time.monotonic()
            self.agent.act(view)
            self.took.append(time.monotonic() - begun)
        return self.random.act(view)


def slowest(game: Game, name: str, decisions: int, rate: float) -> list[float]:
    """Return how long each decision took that was more than its budget.

    What other games left in this process is nothing that the garbage collector would go through at a table.
    """
    gc.collect()
    gc.freeze()
    timed = Timed(game, f"{name}:{SECONDS}s", rate)
    for seed in range(decisions):
        session = Session(game, [timed] * game.num_players, seed)  # type: ignore[list-item]
        while not session.state.is_terminal() and len(timed.took) < decisions and session.state.num_actions < 500:
            session.step()
        if len(timed.took) >= decisions:
            break
    return [took for took in timed.took if took > MOST * SECONDS + SLACK]


AGENTS = [("search", "C"), ("greedy", "C"), ("greedy", "Python")]


@pytest.fixture(params=AGENTS, ids=lambda pair: " in ".join(pair))
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of an agent that thinks in C, or in Python where it can."""
    name, engine = request.param
    if engine == "Python":
        monkeypatch.setenv("CARDGAME_NATIVE", "off")
    return str(name)


def fresh(name: str) -> Game:
    """Return a game that nobody has asked for as C yet."""
    return load(name, min(player_counts(name)))


@pytest.mark.soak
@pytest.mark.parametrize("name", EVERY)
def test_agents_keep_to_their_time(name: str, kind: str) -> None:
    assert slowest(fresh(name), kind, DECISIONS, 0.2) == []


@pytest.mark.soak
@pytest.mark.parametrize("name", EVERY)
def test_a_first_decision_late_in_a_play_keeps_to_its_time(name: str, kind: str) -> None:
    """Nothing is known of the play then: its log, its marks and its worlds are all made in the budget."""
    game = load(name, max(player_counts(name)))
    assert isinstance(game, Game)
    thinker = agent(f"{kind}:{SECONDS}s", game, 1)
    session = Session(game, [agent("random", game, seed) for seed in range(game.num_players)], 1)
    states = []
    while not session.state.is_terminal():
        states.append(session.state.clone())
        session.step()
    late = [state for state in states if state.current_player() >= 0 and len(state.legal_actions()) > 1]
    state = game.play_history(late[-1].entries[1::2])
    begun = time.monotonic()
    thinker.act(AgentView(state))
    assert time.monotonic() - begun < MOST * SECONDS + SLACK


@pytest.mark.soak
def test_agents_keep_to_their_time_in_specs_that_were_changed_by_chance(kind: str) -> None:
    """Originals are all bundled games and variants, the spec with every construct, and examples of diagnostics."""
    late: dict[int, list[float]] = {}
    played = number = decisions = 0
    while played < MUTANTS:
        original, text = mutant(1, number)
        number += 1
        try:
            game = game_of(assemble(Source("<mutant>", text), original.folder))
            found = slowest(game, kind, EACH, 0.1)
            decisions += EACH
            if found:
                late[number - 1] = found
        except (SpecError, RuleError):
            continue
        played += 1
    print(f"{played} of {number} changed specs play, {decisions} decisions by {kind}, {len(late)} late")
    assert late == {}


@pytest.mark.soak
def test_flat_monte_carlo_in_python_stops_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Late in a long play even the log of it takes longer than the budget; the agent chooses all the same."""
    monkeypatch.setenv("CARDGAME_NATIVE", "off")
    game = fresh("wizards_grimoire")
    session = Session(game, [agent("random", game, seed) for seed in range(game.num_players)], 1)
    while session.state.num_actions < 200 or len(session.state.legal_actions()) < 2:
        session.step()
    begun = time.monotonic()
    thinker = agent("greedy:0.02s", game, 1)
    assert isinstance(thinker, Thinker)
    advice = thinker.think(AgentView(session.state))
    assert time.monotonic() - begun < 1  # Making its belief alone takes longer.
    assert advice.chosen[0] in session.state.legal_actions()
