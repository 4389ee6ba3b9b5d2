"""Worker processes for agents, so that no table waits for them; closing a table stops its decisions.

A worker process receives the play, makes the view of the seat from it, and hands nothing but this view to the agent.
It keeps the agents and beliefs of the seats that it served last.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING

import attrs

from interpreter.agents import Advice, Agent, AgentView, Beliefs, Thinker, read_name
from interpreter.agents.random import RandomAgent
from interpreter.engine.faults import NoWorldError
from interpreter.records.shared_play import whole_decision

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State

MOST_WORKERS = 4
KEPT_SEATS = 64
"""Agents with their beliefs that a worker keeps."""
PATIENCE = 2.0
"""Seconds in which a worker must obey a request to stop; after them its process is killed."""
NAP = 0.05


@attrs.frozen
class Task:
    """A decision to think about: at a state, by an agent; `key` names the play and the seat."""

    key: str
    state: State
    who: str
    seed: str


@attrs.frozen
class Thought:
    """The decision of an agent; `advice` is None if the agent did not search, and `reason` says why it could not."""

    actions: tuple[int, ...]
    advice: Advice | None = None
    reason: str = ""


class Thinkers:
    """A pool of worker processes that start when they are needed.

    A task goes to a worker that is free, else it waits for the next one.
    """

    def __init__(self, workers: int | None = None) -> None:
        self._count = workers or max(1, min(MOST_WORKERS, (os.cpu_count() or 2) - 1))
        self._free: asyncio.Queue[_Worker] = asyncio.Queue()
        self._workers: list[_Worker] = []
        self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="thinking")

    async def think(self, task: Task) -> Thought:
        """Return what the agent decides; cancelling the caller stops the thinking.

        An agent that fails, or whose belief cannot be sampled, is replaced by random choice for this decision.  An
        error is logged.
        """
        if self._free.empty() and len(self._workers) < self._count:
            self._workers.append(made := _Worker())
            self._free.put_nowait(made)
        worker = await self._free.get()
        worker.stopped = False
        running = asyncio.get_running_loop().run_in_executor(self._threads, worker.run, task)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            worker.stopped = True
            raise
        finally:
            running.add_done_callback(lambda _: self._free.put_nowait(worker))

    def stop(self) -> None:
        """End all worker processes."""
        for worker in self._workers:
            worker.stopped = True
            worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Worker:
    """One worker process, from the side of the server."""

    def __init__(self) -> None:
        self.stopped = False
        self._process: BaseProcess | None = None
        self._pipe: Pipe | None = None

    def run(self, task: Task) -> Thought:
        """Think about a task until it is done or `stopped`; called in a thread."""
        if self._process is None or not self._process.is_alive():
            self._begin()
        pipe = self._pipe
        assert pipe is not None
        try:
            pipe.send(task)
            until = None
            while not pipe.poll(NAP):
                if self.stopped and until is None:
                    pipe.send(None)
                    until = time.monotonic() + PATIENCE
                if until is not None and time.monotonic() > until:
                    self.end()
                    break
            found = pipe.recv() if self._process is not None else "it did not stop in time"
        except (OSError, EOFError) as error:
            self._note_end()
            found = f"its process has ended: {error!r}"
        if isinstance(found, Thought):
            return found
        reason = found.to_player if isinstance(found, NoWorldError) else ""
        if not self.stopped and not reason:
            logging.getLogger(__name__).error("the agent %s failed: %s; it chooses at random", task.who, found)
        return Thought(whole_decision(RandomAgent(task.seed), AgentView(task.state)), reason=reason)

    def _begin(self) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def _note_end(self) -> None:
        """Forget a process that has ended; SIGTERM ends it together with this server, and is no failure."""
        if self._process is not None:
            self._process.join(PATIENCE)
            self.stopped = self.stopped or self._process.exitcode == -signal.SIGTERM
        self.end()

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.terminate()
        self._process = None


def work(pipe: Pipe) -> None:
    """Think about tasks until the pipe is closed: the main function of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    seats: OrderedDict[tuple[str, str], tuple[Agent, Beliefs]] = OrderedDict()
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        if task is None:  # The order to stop has come after the end of its task.
            continue
        try:
            found: Thought | NoWorldError | str = _thought(task, pipe, seats)
        except NoWorldError as error:
            found = error
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        pipe.send(found)


def _thought(task: Task, pipe: Pipe, seats: OrderedDict[tuple[str, str], tuple[Agent, Beliefs]]) -> Thought:
    game: Game = task.state.game
    place = (task.key, task.who)
    if place not in seats:
        seats[place] = (read_name(task.who).make(game, task.seed), Beliefs(f"{task.seed}/belief"))
    seats.move_to_end(place)
    if len(seats) > KEPT_SEATS:
        seats.popitem(last=False)
    agent, beliefs = seats[place]
    view = AgentView(task.state, beliefs)
    if not isinstance(agent, Thinker):
        return Thought(whole_decision(agent, view))
    agent.on_progress = lambda _: not pipe.poll()
    try:
        advice = agent.think(view)
    finally:
        agent.on_progress = None
    return Thought(advice.chosen, advice)
