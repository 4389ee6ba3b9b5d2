"""Agents that think in worker processes: their decisions, and how they are stopped."""

from __future__ import annotations

import asyncio
import logging

import pytest

from cli.serve.thinking import Task, Thinkers
from interpreter import load
from interpreter.agents import AgentView, agent
from interpreter.records.session import resolve_from_seed
from interpreter.records.shared_play import whole_decision


def test_workers_decide_are_stopped_and_replace_what_fails(caplog: pytest.LogCaptureFixture) -> None:
    game = load("chalice_and_wand")
    state = game.new_initial_state()
    resolve_from_seed(state, 3)

    def task(who: str) -> Task:
        return Task("play", state, who, "seed")

    async def run() -> None:
        thinkers = Thinkers(1)
        try:
            thought = await thinkers.think(task("greedy:2"))
            assert thought.advice is not None
            state.clone().apply_action(thought.actions)
            endless = asyncio.create_task(thinkers.think(task("greedy:1000000000")))
            waiting = asyncio.create_task(thinkers.think(task("random-small")))
            await asyncio.sleep(0)  # Both have begun: one worker has one task, and the other waits.
            endless.cancel()
            async with asyncio.timeout(120):
                state.clone().apply_action((await waiting).actions)
            caplog.set_level(logging.ERROR)
            failed = await thinkers.think(task("no agent"))
            state.clone().apply_action(failed.actions)
            assert "chooses at random" in caplog.text
        finally:
            thinkers.stop()

    asyncio.run(run())


@pytest.mark.parametrize("name", ["random", "random-small"])
def test_a_decision_is_whole(name: str) -> None:
    game = load("chalice_and_wand")
    state = game.new_initial_state()
    resolve_from_seed(state, 3)
    trial = state.clone()
    trial.apply_action(whole_decision(agent(name, game), AgentView(state)))
    assert not trial.is_unfinished()
