"""Share work among threads, processes or the workers of a cluster, by any `concurrent.futures.Executor`.

An executor that breaks, since a process of it was killed or a scheduler begins anew, is made again, and does the tasks
that are missing.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from itertools import islice, pairwise
from multiprocessing import active_children, get_context, resource_tracker
from typing import Any, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

RESTARTS = 3
"""How often an executor that broke is made anew."""

SHARDS = 8
"""Parts of what runs at the same time: a fixed number, so that results do not depend on the number of workers."""

AHEAD = 1_000
"""Tasks that an executor has at a time."""

Executors = Callable[[], Executor]
"""Makes an executor, and makes it anew where it broke."""


class _Here(Executor):
    """Does each task at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def share_out(
    executor: Executors | None,
    submit: Callable[[Executor, Task], Future[Result]],
    tasks: Callable[[], Iterable[Task]],
    take: Callable[[Task, Future[Result]], bool],
) -> None:
    """Submit each of some tasks, and hand over its future when it is done, in any order.

    Without an executor each task is done here, at once.  `tasks` gives those that are left, also after an executor
    broke; `take` ends the work if it returns True.  Raises BrokenExecutor where it breaks again and again, and what
    `take` raises, or a task that is done here.
    """
    if executor is None:
        for task in tasks():
            if take(task, submit(_Here(), task)):
                break
        return
    for attempt in range(RESTARTS + 1):
        try:
            _share_out(executor, submit, tasks(), take)
            return
        except (BrokenExecutor, CancelledError) as error:
            if attempt == RESTARTS:
                raise BrokenExecutor("workers are lost again and again") from error


def _share_out(
    executor: Executors,
    submit: Callable[[Executor, Task], Future[Result]],
    tasks: Iterable[Task],
    take: Callable[[Task, Future[Result]], bool],
) -> None:
    others, coming = set(active_children()), iter(tasks)
    with executor() as pool:
        pending: dict[Future[Result], Task] = {}
        try:
            while True:
                pending |= {submit(pool, task): task for task in islice(coming, AHEAD - len(pending))}
                if not pending:
                    return
                found, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in found:
                    if take(pending.pop(future), future):
                        return
        except KeyboardInterrupt:
            pending.clear()  # Pending futures fail with the workers; cancelled ones would not.
            for worker in set(active_children()) - others:
                worker.terminate()
            raise
        finally:
            for future in pending:
                future.cancel()


def share_shards(
    executor: Executors, submit: Callable[[Executor, int], Future[bytes]], take: Callable[[int, bytes], object]
) -> bool:
    """Submit the shards of a round by number, and hand over what each comes to, in any order.

    Return False where the executor is lost for good: then all shards must be worked out in another way.
    """
    left = list(range(SHARDS))

    def done(number: int, future: Future[bytes]) -> bool:
        take(number, future.result())
        left.remove(number)
        return False

    try:
        share_out(executor, submit, left.copy, done)
    except (BrokenExecutor, OSError):  # The cluster is gone.
        return False
    return True


class Threads:
    """Threads for calls of C, which run at the same time; by default as many as there are cores."""

    def __init__(self, count: int | None = None) -> None:
        self._count = min(count or _cores(), SHARDS)
        self._pool = ThreadPoolExecutor(self._count, "shards")

    def share(self, call: Callable[[int, int], object], parts: int = SHARDS) -> None:
        """Share parts out: each thread calls with its first part, and the one after its last."""
        ends = [parts * number // self._count for number in range(self._count + 1)]
        futures = [self._pool.submit(call, *part) for part in pairwise(ends)]
        try:
            for future in futures:
                future.result()
        finally:
            wait(futures)  # Also after Ctrl-C: what they work on is freed then.


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # Not on macOS and Windows.
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processes(jobs: int) -> Executors:
    """Return how to make so many processes that leave Ctrl-C to this one."""
    return lambda: Workers(jobs, get_context("spawn"), initializer=_leave_interrupts)


class Workers(ProcessPoolExecutor):
    """Processes that Ctrl-C does not reach, not even while they start: they are started with the signal blocked."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand over a call; this may start a process."""
        if not hasattr(signal, "pthread_sigmask"):  # Not on Windows.
            return super().submit(fn, *args, **kwargs)
        resource_tracker.ensure_running()  # Its start would unblock the signal.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
