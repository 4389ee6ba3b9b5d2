"""Agents with a time as their budget answer in it: bundled games, and specs that were changed by chance."""

from __future__ import annotations

import os
import time
from random import Random

import pytest

from grammar.diagnostics import SpecError
from grammar.source import Source
from interpreter.drivers.agents import AgentView, agent
from interpreter.drivers.session import Session
from interpreter.loader import assemble, game_of
from interpreter.runtime.faults import RuleError
from interpreter.runtime.game import Game
from tests.bundled import EVERY
from tests.bundled import game as bundled
from tests.mutants.specs import mutant

SECONDS = 0.25
MOST = 1.2
SLACK = 0.05
"""Seconds that a machine may take for other things."""
MUTANTS = int(os.environ.get("MUTANTS", "100"))
"""Changed specs that are played; each is compiled to C, which takes a second or two."""
pytestmark = pytest.mark.soak


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
    """Return how long each decision took that was more than its budget."""
    timed = Timed(game, f"{name}:{SECONDS}s", rate)
    for seed in range(decisions):
        session = Session(game, [timed] * game.num_players, seed)  # type: ignore[list-item]
        while not session.state.is_terminal() and len(timed.took) < decisions and session.state.num_decisions < 500:
            session.step()
        if len(timed.took) >= decisions:
            break
    return [took for took in timed.took if took > MOST * SECONDS + SLACK]


@pytest.mark.parametrize("name", EVERY)
def test_searching_agents_keep_to_their_time(name: str) -> None:
    assert slowest(bundled(name), "search", 40, 0.2) == []
    assert slowest(bundled(name), "greedy", 10, 0.2) == []


def test_searching_agents_keep_to_their_time_in_specs_that_were_changed_by_chance() -> None:
    late: dict[int, list[float]] = {}
    played = 0
    for number in range(20 * MUTANTS):
        if played == MUTANTS:
            break
        original, text = mutant(1, number)
        try:
            game = game_of(assemble(Source("<mutant>", text), original.folder))
            found = slowest(game, "search", 2, 0.1)
        except (SpecError, RuleError):
            continue
        played += 1
        if found:
            late[number] = found
    assert played == MUTANTS
    assert late == {}
