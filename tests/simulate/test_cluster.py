"""A Dask cluster plays the same plays, also where a worker or the scheduler is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

import pytest

from interpreter import load
from interpreter.agents import read_name
from interpreter.match import match
from interpreter.simulate.running import RANDOM, Run, Work
from interpreter.solve.sampling import solve_by_sampling
from interpreter.training.trainer import Budget, Trainer
from tests.cli.running import run


@contextmanager
def started(*args: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a part of a cluster, and end it in the end."""
    path = os.pathsep.join(part for part in sys.path if part)
    process = subprocess.Popen(
        [sys.executable, "-m", *args], cwd=folder, env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()


SCHEDULER = ("distributed.cli.dask_scheduler", "--no-dashboard", "--host", "127.0.0.1")
WORKER = ("distributed.cli.dask_worker", "--no-nanny", "--no-dashboard", "--nthreads", "1")


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def is_listening(port: int) -> bool:
    """Say whether a process accepts connections at a port of this machine."""
    with socket.socket() as calling:
        return calling.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.soak
def test_a_killed_worker_or_scheduler_of_a_cluster_loses_nothing(tmp_path: Path) -> None:
    from interpreter.simulate.cluster import cluster

    game = load("classics/kuhn_poker")
    work = Work.of(game, [RANDOM] * 2, 1, native=False)  # Slow enough that one can be killed meanwhile.
    alone = Run.of(game, work, 1500)
    alone.carry_out()
    names = [read_name("greedy:30"), read_name("random")]
    played = match(game, names, 60)
    played.run()
    address = f"tcp://127.0.0.1:{(port := free_port())}"
    parts: list[subprocess.Popen[bytes]] = []
    with ExitStack() as stack:

        def begin() -> None:
            """Start a scheduler, and two workers."""
            commands = [(*SCHEDULER, "--port", str(port)), (*WORKER, address), (*WORKER, address)]
            parts[:] = [stack.enter_context(started(*command, folder=tmp_path)) for command in commands]
            until = time.monotonic() + 120
            while not is_listening(port) and time.monotonic() < until:
                time.sleep(0.2)

        begin()
        with cluster(address) as executor:
            shared = Run.of(game, work, 1500)
            killed = Killing(parts[1], 600)
            shared.carry_out(executor, lambda run: killed(run.played))
            assert killed.at < 1500
            assert json.dumps(shared.counts.data()) == json.dumps(alone.counts.data())
            again = match(game, names, 60)
            killed = Killing(parts[0], 20, then=begin)
            again.run(executor, killed)
            assert killed.at < 60
            assert again.done == played.done
            worker, scheduler = Killing(parts[1], 2), Killing(parts[0], 4, then=begin)
            learned = Trainer(game, executor=executor).train(
                Budget(rounds=6),
                on_progress=lambda progress: not any(k(round(6 * progress.share)) for k in (worker, scheduler)),
            )
            assert worker.at < scheduler.at < 6
            assert (learned.weights == Trainer(game, 1).train(Budget(rounds=6)).weights).all()
            worker, scheduler, rounds = Killing(parts[1], 3), Killing(parts[0], 6, then=begin), count()

            def on_progress(_doing: str, _spent: float) -> bool:
                return not any(kill(number) for number in [next(rounds)] for kill in (worker, scheduler))

            sampled = solve_by_sampling(game, iterations=300, on_progress=on_progress, executor=executor)
            assert worker.at < scheduler.at < next(rounds)
            assert sampled.policy.sums == solve_by_sampling(game, iterations=300, threads=1).policy.sums
        told = run("simulate", "classics/kuhn_poker", "--seconds", "0", "--dask", address, "--format", "json")
        assert told.stdout == run("simulate", "classics/kuhn_poker", "--seconds", "0", "--format", "json").stdout


class Killing:
    """Kills a process once so much is done, and does what comes `then`; `at` is how much was done."""

    def __init__(self, process: subprocess.Popen[bytes], after: int, then: Callable[[], object] = list) -> None:
        self._process, self._after, self._then = process, after, then
        self.at = 10**9

    def __call__(self, done: int) -> bool:
        if done >= self._after and self.at == 10**9:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self.at = done
            self._then()
        return False


def test_a_cluster_that_is_not_there_is_reported(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    for command in (("simulate",), ("solve",), ("train", "-o", str(tmp_path / "kuhn.policy"))):
        done = run(*command, "classics/kuhn_poker", "--dask", "tcp://")
        assert done.exit_code == 2
        assert "no Dask scheduler answers" in done.stderr
    both = run("simulate", "classics/kuhn_poker", "--dask", "tcp://127.0.0.1:9", "--jobs", "2")
    assert both.exit_code == 2
    assert "exclude each other" in both.stderr
