"""A Dask cluster plays the same plays, also where one of its workers is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from interpreter import load
from interpreter.simulate.running import RANDOM, Run, Work
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


@pytest.mark.soak
def test_a_killed_worker_of_a_cluster_loses_nothing(tmp_path: Path) -> None:
    from interpreter.simulate.cluster import cluster

    game = load("classics/kuhn_poker")
    work = Work.of(game, [RANDOM] * 2, 1, native=False)  # Slow enough that somebody can be killed meanwhile.
    alone = Run.of(game, work, 1500)
    alone.carry_out()
    about = tmp_path / "scheduler.json"
    with ExitStack() as stack:

        def begin(*args: str) -> subprocess.Popen[bytes]:
            return stack.enter_context(started(*args, folder=tmp_path))

        begin("distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(about))
        workers = [
            begin("distributed.cli.dask_worker", "--no-nanny", "--no-dashboard", "--nthreads", "1", "--scheduler-file",
                  str(about))
            for _ in range(2)
        ]  # fmt: skip
        until = time.monotonic() + 60
        while not (about.exists() and about.read_text()) and time.monotonic() < until:
            time.sleep(0.1)
        address = json.loads(about.read_text())["address"]
        killed: list[int] = []

        def watch(run: Run) -> None:
            if run.played >= 600 and not killed:
                workers[0].send_signal(signal.SIGKILL)
                killed.append(run.played)

        shared = Run.of(game, work, 1500)
        with cluster(address) as executor:
            shared.carry_out(executor, watch)
        assert killed
        assert killed[0] < 1500
        assert json.dumps(shared.counts.data()) == json.dumps(alone.counts.data())
        told = run("simulate", "classics/kuhn_poker", "--seconds", "0", "--dask", address, "--format", "json")
        assert told.stdout == run("simulate", "classics/kuhn_poker", "--seconds", "0", "--format", "json").stdout


def test_a_cluster_that_is_not_there_is_reported() -> None:
    pytest.importorskip("distributed")
    done = run("simulate", "classics/kuhn_poker", "--dask", "tcp://")
    assert done.exit_code == 2
    assert "no Dask scheduler answers" in done.stderr
    both = run("simulate", "classics/kuhn_poker", "--dask", "tcp://127.0.0.1:9", "--jobs", "2")
    assert both.exit_code == 2
    assert "exclude each other" in both.stderr
