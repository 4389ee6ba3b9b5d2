"""Make mutants and look at what becomes of each: `python -m tests.mutants specs --mutants 100000 --jobs 2`.

Each job is a process of its own with a bound on its memory; a mutant that takes longer than `--seconds` of processor
time, that kills its process, or that ends in anything but words is told with the command that shows it again
(`--only NUMBER`).  Exit code 3 where there is one.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection, wait

from tests.mutants import files, specs

Outcome = Callable[[int, int], str]

PARTS: dict[str, Outcome] = {"specs": specs.outcome, "files": files.outcome}
MEMORY = 1_500_000_000
"""Bytes that one job may use."""


class TooLongError(BaseException):
    """A mutant took more processor time than it may; nothing below catches this by accident."""


def _too_long(*_: object) -> None:
    raise TooLongError


def _job(outcome: Outcome, seed: int, numbers: range, seconds: float, pipe: Connection) -> None:
    """Look at the mutants of a range, and tell of each: its number before it is begun, what became of it behind."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, _too_long)
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    parent = os.getppid()
    for number in numbers:
        if os.getppid() != parent:  # whoever wanted it has been stopped
            return
        pipe.send((number, None, ""))
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            found, told = outcome(seed, number), ""
        except TooLongError:
            found, told = "hang", traceback.format_exc(limit=-4)
        except MemoryError:
            found, told = "memory", traceback.format_exc(limit=-4)
        except (Exception, RecursionError):
            found, told = "exception", traceback.format_exc(limit=-6)
        signal.setitimer(signal.ITIMER_PROF, 0)
        pipe.send((number, found, told))
    pipe.send((None, None, ""))


BAD = ("hang", "memory", "exception", "killed")


def run(part: str, seed: int, first: int, mutants: int, jobs: int, seconds: float) -> int:
    """Look at mutants in several processes; return the exit code."""
    tally: Counter[str] = Counter()
    begun = time.monotonic()
    last_told = begun
    pipes: dict[Connection, tuple[multiprocessing.process.BaseProcess, list[int]]] = {}

    def start(numbers: range) -> None:
        here, there = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.Process(target=_job, args=(PARTS[part], seed, numbers, seconds, there), daemon=True)
        process.start()
        there.close()
        pipes[here] = (process, [numbers.start, numbers.stop])

    size = -(-mutants // jobs)
    for job in range(jobs):
        numbers = range(first + job * size, first + min(mutants, (job + 1) * size))
        if numbers:
            start(numbers)
    while pipes:
        for pipe in wait(list(pipes)):
            assert isinstance(pipe, Connection)
            process, span = pipes[pipe]
            try:
                number, found, told = pipe.recv()
            except EOFError:
                del pipes[pipe]
                process.join()
                tally["killed"] += 1
                _tell(part, seed, span[0], "killed", f"exit code {process.exitcode}")
                if span[0] + 1 < span[1]:
                    start(range(span[0] + 1, span[1]))
                continue
            if number is None:
                del pipes[pipe]
                process.join()
            elif found is None:
                span[0] = number
            else:
                tally[found] += 1
                if found in BAD:
                    _tell(part, seed, number, found, told)
        if time.monotonic() - last_told > 60:
            last_told = time.monotonic()
            print(_line(tally, last_told - begun), file=sys.stderr, flush=True)
    print(_line(tally, time.monotonic() - begun))
    return 3 if any(tally[bad] for bad in BAD) else 0


def _tell(part: str, seed: int, number: int, found: str, told: str) -> None:
    print(f"{found}: python -m tests.mutants {part} --seed {seed} --only {number}\n{told}", flush=True)


def _line(tally: Counter[str], seconds: float) -> str:
    counts = ", ".join(f"{count:,} {what}" for what, count in sorted(tally.items()))
    return f"{sum(tally.values()):,} mutants in {seconds:,.0f} s: {counts}"


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("part", choices=sorted(PARTS))
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutant")
    parser.add_argument("--seconds", type=float, default=20.0, help="processor time that one mutant may take")
    parser.add_argument("--only", type=int, help="print this mutant, and what becomes of it")
    asked = parser.parse_args()
    if asked.only is not None:
        print((specs if asked.part == "specs" else files).mutant(asked.seed, asked.only)[1])
        print(PARTS[asked.part](asked.seed, asked.only))
        return 0
    return run(asked.part, asked.seed, asked.first, asked.mutants, asked.jobs, asked.seconds)


if __name__ == "__main__":
    sys.exit(main())
