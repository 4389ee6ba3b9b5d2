"""Share work among processes or the workers of a cluster, by any `concurrent.futures.Executor`.

An executor that breaks, since a process of it was killed or a scheduler begins anew, is made again, and does the tasks
that are missing.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from multiprocessing import active_children, get_context, resource_tracker
from typing import Any, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

RESTARTS = 3
"""How often an executor that broke is made anew."""

Executors = Callable[[], Executor]
"""Makes an executor, and makes it anew where it broke."""


def share_out(
    executor: Executors,
    submit: Callable[[Executor, Task], Future[Result]],
    tasks: Callable[[], Iterable[Task]],
    take: Callable[[Task, Future[Result]], bool],
) -> None:
    """Submit each of some tasks, and hand over its future when it is done, in any order.

    `tasks` gives those that are left, also after an executor broke; `take` ends the work if it returns True.  Raises
    BrokenExecutor where it breaks again and again, and what `take` raises.
    """
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
    others = set(active_children())
    with executor() as pool:
        pending: dict[Future[Result], Task] = {}
        try:
            for task in tasks:
                pending[submit(pool, task)] = task
            while pending:
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
