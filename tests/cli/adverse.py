"""Run every command where its surroundings fail, and check that nothing is lost: `python -m tests.cli.adverse`.

    python -m tests.cli.adverse --runs 200 --seed 1

Each run is a command in a copy of this process with one of these obstacles: a full disk (a small tmpfs, which only
root can mount), a file system that is read-only, a signal (INT, TERM, HUP, PIPE) at a random moment, or closed and full
streams.  No run may print a traceback or CG9xx, or end with an exit code that is not documented; and every file must
hold what it held before, or all of what the command writes without obstacles.  Exit code 3 if one of these fails.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import attrs

from cli.main import main as command
from interpreter import load
from interpreter.loader import find_spec
from interpreter.records.transcript import playthrough
from tests.fuzz.rule_bugs import BUGS

GAME = "game.cardgame"
COMMANDS = (
    ("list",),
    ("validate", GAME),
    ("rules", GAME, "--format", "markdown"),
    ("graph", GAME, "-o", "graph.mermaid"),
    ("play", GAME, "--seed", "1", "--seat", "all=random", "--transcript", "played.txt"),
    ("play", GAME, "--seed", "1", "--seat", "2=random"),
    ("match", GAME, "--agents", "greedy:50,random", "--plays", "40"),
    ("replay", "play.txt"),
    ("fuzz", GAME, "--plays", "20"),
    ("fuzz", "bug.cardgame", "--plays", "60", "--save", "found.save", "--save-scenario", "found.scenarios"),
    ("simulate", GAME, "--plays", "3000", "--seconds", "0"),
    ("compare", GAME, GAME, "--on", "length", "--within", "1"),
    ("test", "classics/kuhn_poker", "--mutants", "5"),
    ("dump", GAME, "--stage", "program"),
    ("explain", "CG407"),
    ("cards", GAME, "-o", "cards.csv"),
    ("new", "mine"),
    ("fmt", "ugly.cardgame"),
    ("lsp", "--check"),
    ("watch", GAME, "--once"),
    ("serve", "no_such_game"),
    ("solve", GAME, "-o", "kuhn.policy"),
)
"""All of them; those with files write over what is there."""

TYPED = "table\nlog\nhint\nsave kept.save\nbet\npass\nbet\n"
WRITTEN = ("graph.mermaid", "played.txt", "found.save", "found.scenarios", "cards.csv", "kuhn.policy", "kept.save")
OLD = "what was here before\n"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)
STREAMS = ("stdout closed", "stderr closed", "stdin closed", "stdout full", "stdout gone")
OBSTACLES = ("full disk", "read-only", "signal", "streams")
ENDS = {0, 1, 2, 3, 130, *(128 + number for number in SIGNALS), *(-number for number in SIGNALS)}
LONGEST = 60.0
"""Seconds after which a run counts as one that hangs."""


@attrs.frozen
class Run:
    """A command with an obstacle: `after` are the seconds until a signal, `streams` which streams fail."""

    number: int
    words: tuple[str, ...]
    obstacle: str
    number_of_signal: int = 0
    after: float = 0.0
    streams: str = ""

    def __str__(self) -> str:
        sent = f"signal {self.number_of_signal} after {self.after:.3f} s" if self.number_of_signal else ""
        detail = self.streams or sent
        return f"run {self.number}: cardgame {' '.join(self.words)} ({detail or self.obstacle})"


def runs(count: int, seed: int, *, mounts: bool) -> Iterator[Run]:
    """Give runs: each command with each obstacle in turn."""
    rng = Random(seed)
    obstacles = OBSTACLES if mounts else OBSTACLES[2:]
    for number in range(count):
        words, obstacle = COMMANDS[number % len(COMMANDS)], obstacles[number // len(COMMANDS) % len(obstacles)]
        if obstacle == "signal":
            yield Run(number, words, obstacle, rng.choice(SIGNALS), rng.random() ** 2)
        else:
            yield Run(number, words, obstacle, streams=rng.choice(STREAMS) if obstacle == "streams" else "")


def prepare(folder: Path) -> None:
    """Put the files in a folder that the commands read, and older versions of those that they write."""
    folder.mkdir(parents=True, exist_ok=True)
    text = find_spec("classics/kuhn_poker").read_text("utf-8")
    (folder / GAME).write_text(text, "utf-8")
    (folder / "ugly.cardgame").write_text(text.replace(" = ", "  =  "), "utf-8")
    (folder / "bug.cardgame").write_text(next(iter(BUGS.values())), "utf-8")
    (folder / "play.txt").write_text(playthrough(load(folder / GAME), 1, GAME), "utf-8")
    for name in WRITTEN:
        (folder / name).write_text(OLD, "utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@contextmanager
def mounted(folder: Path) -> Iterator[None]:
    """Mount a tmpfs of 1 MB on a folder while the block runs.  Raises subprocess.CalledProcessError."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], check=True, capture_output=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def can_mount() -> bool:
    """Say whether this process may mount a file system."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with mounted(Path(folder) / "tried"):
                return True
        except (OSError, subprocess.CalledProcessError):
            return False


def fill(folder: Path) -> None:
    """Write to a file system until nothing more fits."""
    with open(folder / "filler", "wb", buffering=0) as file:
        for size in (65536, 1):
            try:
                while file.write(b"x" * size):
                    pass
            except OSError:
                continue


def carry_out(run: Run, folder: Path, home: Path, out: Path) -> int | None:
    """Carry out a run in a folder, and return what it ends with; None where it hangs."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.chdir(folder)
            os.environ.update(dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"), str(home)))
            os.environ.pop("CARDGAME_CACHE", None)
            for number in SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # As Python does when it starts.
            _take_streams(run, out)
            command(list(run.words), prog_name="cardgame")
        except SystemExit as end:
            code = int(end.code or 0)
        except KeyboardInterrupt:  # Before or after the command itself: Python ends by the signal.
            code = 130
        finally:
            os._exit(code)
    deadline = time.monotonic() + LONGEST
    if run.number_of_signal:
        time.sleep(run.after)
        os.kill(child, run.number_of_signal)
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _take_streams(run: Run, out: Path) -> None:
    """Give this process its streams: a file for what is printed, and lines that a person types."""
    typed = out.with_suffix(".in")
    typed.write_text(TYPED, "utf-8")
    printed = os.open(out, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    opened = [os.open(typed, os.O_RDONLY), printed, os.dup(printed)]
    if run.streams == "stdout full":
        opened[1] = os.open("/dev/full", os.O_WRONLY)
    if run.streams == "stdout gone":
        reading, opened[1] = os.pipe()
        os.close(reading)
    for target, handle in enumerate(opened):
        os.dup2(handle, target)
    for target, name in enumerate(("stdin", "stdout", "stderr")):
        if run.streams == f"{name} closed":
            os.close(target)
            stream = None
        else:
            mode = "r" if name == "stdin" else "w"
            stream = open(target, mode, encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def judged(code: int | None, printed: str, before: dict[str, bytes], after: dict[str, bytes],
           whole: dict[str, bytes]) -> list[str]:  # fmt: skip
    """Return what is wrong with a run: `whole` are the files that the command leaves without obstacles."""
    found = []
    if code is None:
        found.append("it hangs")
    elif code not in ENDS:
        found.append(f"exit code {code}")
    if re.search(r"Traceback \(most recent|CG9\d\d", printed):
        found.append("a traceback or CG9xx: " + printed[-600:])
    for name, content in before.items():
        if name != "filler" and after.get(name) not in (content, whole.get(name)):
            found.append(f"{name} is neither as before nor complete ({len(after.get(name, b''))} bytes)")
    new = {name for name in after.keys() - before.keys() - whole.keys() if not name.startswith(("filler", "home"))}
    if new:
        found.append(f"files are left over: {', '.join(sorted(new))}")
    return found


def main(words: list[str] | None = None) -> int:
    """Carry out runs, print what failed, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.cli.adverse", description="Run commands with obstacles.")
    parser.add_argument("--runs", type=int, default=200, help="how many runs (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the obstacles (default 1)")
    parser.add_argument("--only", type=int, help="only the run of this number")
    asked = parser.parse_args(words)
    mounts = can_mount()
    if not mounts:
        print("no file system can be mounted: no full disks and no read-only folders")
    failures, done = 0, Counter[str]()
    with tempfile.TemporaryDirectory() as top:
        whole = _without_obstacles(Path(top))
        for run in runs(asked.runs, asked.seed, mounts=mounts):
            if asked.only not in (None, run.number):
                continue
            problems = _one(run, Path(top) / str(run.number), whole[run.words])
            done[run.obstacle] += 1
            failures += bool(problems)
            for problem in problems:
                print(f"{run}: {problem}", flush=True)
    counts = ", ".join(f"{count} {obstacle}" for obstacle, count in done.items())
    print(f"{done.total()} runs ({counts}), {failures} failed")
    return 3 if failures else 0


def _without_obstacles(top: Path) -> dict[tuple[str, ...], dict[str, bytes]]:
    """Run each command undisturbed, and return the files that it leaves."""
    found = {}
    for number, words in enumerate(COMMANDS):
        folder = top / f"whole{number}" / "folder"
        prepare(folder)
        out = folder.parent / "out"
        carry_out(Run(-1, words, "none"), folder, folder.parent / "home", out)
        if "CG9" in out.read_text("utf-8", "replace"):
            print(f"without obstacles: {' '.join(words)}: {out.read_text('utf-8', 'replace')[-500:]}")
        found[words] = contents(folder)
    return found


def _one(run: Run, top: Path, whole: dict[str, bytes]) -> list[str]:
    """Carry out a run in a folder of its own, and return what is wrong."""
    top.mkdir()
    folder, home, out = top / "folder", top / "home", top / "out"
    if run.obstacle in ("full disk", "read-only"):
        with mounted(folder):
            prepare(folder)
            home = folder / "home"
            home.mkdir()
            if run.obstacle == "full disk":
                fill(folder)
            else:
                subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
            before = contents(folder)
            code = carry_out(run, folder, home, out)
            after = contents(folder)
    else:
        prepare(folder)
        before = contents(folder)
        code = carry_out(run, folder, home, out)
        after = contents(folder)
    problems = judged(code, out.read_text("utf-8", "replace") if out.exists() else "", before, after, whole)
    shutil.rmtree(top, ignore_errors=True)
    return problems


if __name__ == "__main__":
    sys.exit(main())
