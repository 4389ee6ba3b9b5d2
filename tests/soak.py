"""Run the soak tests, a share of the time for each part: `make soak`, or `python -m tests.soak --minutes 60`.

    python -m tests.soak                        all parts, an hour in all
    python -m tests.soak plays sanitizers --minutes 20 --jobs 2

A part is a list of runs: tests marked `soak`, one by one, or a command with one seed after another.  It begins runs
until its share of the time is over, and then prints one line; what it leaves goes to the parts after it.  A run that
has begun may go on until all of the time is over.  The runs that passed or failed are kept in `build/soak.json`, so
the next call on the same commit goes on where this one ended; `--anew` begins again.  Exit code 1 where a run failed.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Lock
from time import monotonic

import attrs

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "soak.json"
SHOWN = 15
"""Lines of the output of a run that failed."""


@attrs.frozen
class Part:
    """A list of runs: a `command` to which a seed is added, or the tests that pytest selects with `tests`."""

    about: str
    command: tuple[str, ...] = ()
    step: int = 1
    tests: tuple[str, ...] = ()
    environment: dict[str, str] = attrs.field(factory=dict)

    def runs(self) -> Iterator[tuple[str, list[str]]]:
        """Give the runs, each with a name; a part with seeds has no end."""
        return self._seeds() if self.command else self._tests()

    def _seeds(self) -> Iterator[tuple[str, list[str]]]:
        for seed in count(0, self.step):
            yield f"seed {seed}", ["-m", *self.command, "--seed", str(seed)]

    def _tests(self) -> Iterator[tuple[str, list[str]]]:
        listed = python("-m", "pytest", "-m", "soak", "--collect-only", *self.tests)
        for test in listed.stdout.splitlines():
            if "::" in test:
                yield test, ["-m", "pytest", "-m", "soak", test]


PARTS = {
    "lockstep": Part("6,000 decisions in oracle, Python and C", ("tests.lockstep", "--decisions", "6000"), 10_000),
    "generated": Part("10 generated specs in oracle, Python and C", ("tests.program.generated", "--specs", "10"), 10),
    "positions": Part("a value in every position", tests=("tests/program/test_positions.py",)),
    "exactness": Part(
        "worlds as often as they are likely",
        tests=("tests/belief/test_truth_invariance.py", "tests/belief/test_belief.py", "-k", "likely or belief"),
        environment={"CARDGAME_STATES": "4", "CARDGAME_SEEDS": "50"},
    ),
    "invariance": Part(
        "worlds and choices do not depend on what is true",
        tests=("tests/belief/test_truth_invariance.py", "-k", "bundled"),
        environment={"CARDGAME_PLAYERS": "2", "CARDGAME_SEEDS": "60", "CARDGAME_STATES": "10"},
    ),
    "worlds": Part("2,000 worlds, carried out again", ("tests.worlds", "--worlds", "2000")),
    "budgets": Part("agents keep to their time", tests=("tests/agents/test_budgets.py",)),
    "plays": Part(
        "10,000 plays in Python and C",
        tests=("tests/native/test_c.py", "-k", "many"),
        environment={"CARDGAME_PLAYS": "10000"},
    ),
    "sanitizers": Part(
        "the compiler's sanitizers, all libraries of a game",
        tests=("tests/native/test_c.py", "tests/native/test_vector.py", "-k", "sanitizers"),
    ),
    "fuzz": Part("2 plays in every setting", ("tests.fuzz.settings", "--plays", "2", "--set", "max_hands=4")),
    "mutants": Part("1,000 changed specs", ("tests.mutants", "specs", "--mutants", "1000")),
}


def python(*words: str, seconds: float | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the folder of the project.  Raises subprocess.TimeoutExpired."""
    return subprocess.run(
        [sys.executable, *words], cwd=ROOT, env={**os.environ, **more}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=seconds, check=False,
    )  # fmt: skip


@attrs.define
class Soak:
    """What has been run so far: by part, by run, whether it passed."""

    commit: str
    until: float
    kept: Path
    done: dict[str, dict[str, bool]] = attrs.field(factory=dict)
    lock: Lock = attrs.field(factory=Lock)

    def read(self) -> None:
        """Go on where the last call on this commit ended."""
        if self.kept.exists():
            found = json.loads(self.kept.read_text("utf-8"))
            self.done = found["done"] if found["commit"] == self.commit else {}

    def note(self, name: str, run: str, *, passed: bool) -> None:
        """Keep what became of a run."""
        with self.lock:
            self.done.setdefault(name, {})[run] = passed
            self.kept.parent.mkdir(exist_ok=True)
            self.kept.write_text(json.dumps({"commit": self.commit, "done": self.done}), "utf-8")

    def part(self, name: str, part: Part, share: float) -> bool:
        """Begin runs of a part for so many seconds, print a line, and return whether all passed."""
        begun, ended = monotonic(), "time is over"
        for run, words in part.runs():
            if run in self.done.get(name, {}):
                continue
            if monotonic() >= min(begun + share, self.until):
                break
            try:
                result = python(*words, seconds=max(1.0, self.until - monotonic()), **part.environment)
            except subprocess.TimeoutExpired:
                break
            self.note(name, run, passed=result.returncode == 0)
            if result.returncode:
                settings = "".join(f"{key}={value} " for key, value in part.environment.items())
                print(f"{name} FAILED: {settings}python {shlex.join(words)}")
                print("\n".join(result.stdout.splitlines()[-SHOWN:]), flush=True)
        else:
            ended = "complete"
        found = self.done.get(name, {}).values()
        counts = f"{sum(found):5} runs passed, {len(found) - sum(found)} failed"
        print(f"{name:11} {counts}, {monotonic() - begun:6.0f} s, {ended}: {part.about}", flush=True)
        return all(found)


def commit() -> str:
    """Return the commit of the project and whether files differ from it."""
    words = ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=40", "--dirty"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()


def main(words: list[str] | None = None) -> int:
    """Run the parts, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--minutes", type=float, default=60, help="for all parts together (default 60)")
    parser.add_argument("--jobs", type=int, default=1, help="parts that run side by side (default 1)")
    parser.add_argument("--anew", action="store_true", help="forget what has been run on this commit")
    given = parser.parse_args(words)
    names = given.parts or list(PARTS)
    if unknown := [name for name in names if name not in PARTS]:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(PARTS)}")
    soak = Soak(commit(), monotonic() + 60 * given.minutes, KEPT)
    if not given.anew:
        soak.read()
    left = list(names)

    def run(name: str) -> bool:
        with soak.lock:
            share = (soak.until - monotonic()) * given.jobs / len(left)
            left.remove(name)
        return soak.part(name, PARTS[name], share)

    with ThreadPoolExecutor(given.jobs) as pool:
        passed = list(pool.map(run, names))
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
