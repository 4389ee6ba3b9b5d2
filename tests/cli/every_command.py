"""Run every command with standard streams of many kinds, and report what each ended with and said.

    python -m tests.cli.every_command FOLDER [STREAMS ..]

All commands with one kind of streams run in a copy of this process, which is much quicker than to start Python anew:
before each command the copy gives itself the streams as Python would have found them.  What is written goes to files in
the folder, the exit codes to `ends.json` there.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path
from typing import IO

from click.testing import CliRunner

from cli.main import main
from interpreter import loader
from interpreter.records.transcript import playthrough

GAME = "classics/kuhn_poker"
COMMANDS = (
    ("--help",),
    ("list",),
    ("validate", GAME),
    ("validate", "no_such_game"),
    ("rules", GAME),
    ("graph", GAME),
    ("play", GAME, "--seed", "1"),
    ("play", GAME, "--seed", "1", "--seat", "1=random"),
    ("match", GAME, "--agents", "random,random", "--plays", "1"),
    ("replay", "play.txt"),
    ("fuzz", GAME, "--plays", "1"),
    ("simulate", GAME, "--plays", "10", "--seconds", "0"),
    ("compare", GAME, GAME, "--on", "length", "--within", "1"),
    ("test", GAME),
    ("dump", GAME, "--stage", "ast"),
    ("explain", "CG407"),
    ("cards", GAME, "-o", "cards.csv"),
    ("new", "no_such_folder/game"),
    ("fmt", "no_such_file"),
    ("lsp", "--check"),
    ("watch", GAME, "--once"),
    ("serve", "no_such_game"),
    ("solve", GAME, "--agents", "none"),
    ("train", GAME, "-o", "no_such_folder/x.policy"),
)
"""All of them, the group itself too: those that print, ask and fail."""

STREAMS = (
    "as they are", "stdout closed", "stdin closed", "stderr closed", "all closed", "stdout full", "stderr full",
    "stdout gone", "ascii", "latin-1", "cp1252",
)  # fmt: skip


taken: list[object] = []
"""The streams of earlier commands in this process."""


def run_all(folder: Path, chosen: list[str]) -> None:
    """Run the commands one after another in a folder, with some streams, and write what each ended with."""
    os.chdir(folder)
    loader.bundled_games, loader.bundled_variants = (lambda: [GAME]), list  # Whatever is listed is read anew each time.
    Path("play.txt").write_text(playthrough(loader.load(GAME), 1, GAME), encoding="utf-8")
    for args in COMMANDS:  # Everything is imported once.
        CliRunner().invoke(main, list(args))
    gc.freeze()  # Copies of this process do not copy what a collection would touch.
    ends = {streams: _ends(STREAMS.index(streams), streams) for streams in chosen}
    Path("ends.json").write_text(json.dumps(ends), encoding="utf-8")


def _ends(number: int, streams: str) -> list[int]:
    """Return what each command ends with."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, json.dumps([_end(number, streams, args) for args in COMMANDS]).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as written:
        codes: list[int] = json.load(written)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return codes


def _end(number: int, streams: str, args: tuple[str, ...]) -> int:
    """Return what a command ends with, in this process."""
    _take(number, streams)
    try:
        main(list(args), prog_name="cardgame")
    except SystemExit as end:
        try:
            for stream in filter(None, (sys.stdout, sys.stderr)):
                stream.flush()
        except OSError:
            return 120  # What Python ends with where this, its last act, fails.
        return int(end.code or 0)
    return 1


def _take(number: int, streams: str) -> None:
    """Give this process its streams, and let Python find them as it does when it starts."""
    taken.append((sys.stdin, sys.stdout, sys.stderr))  # Or they would close the new ones when they vanish.
    opened = [os.open(os.devnull, os.O_RDONLY)]
    for name in ("out", "err"):
        path = "/dev/full" if streams == f"std{name} full" else f"{number}.{name}"
        opened.append(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
    if streams == "stdout gone":
        reading, opened[1] = os.pipe()
        os.close(reading)
    for target, handle in enumerate(opened):
        os.dup2(handle, target)
    encoding = streams if streams in ("ascii", "latin-1", "cp1252") else "utf-8"
    for target, name in enumerate(("stdin", "stdout", "stderr")):
        stream = _found(target, name, encoding, streams)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _found(target: int, name: str, encoding: str, streams: str) -> IO[str] | None:
    if streams in (f"{name} closed", "all closed"):
        os.close(target)
        return None
    errors = "backslashreplace" if name == "stderr" else "strict"
    return open(target, "r" if name == "stdin" else "w", encoding=encoding, errors=errors)


if __name__ == "__main__":
    run_all(Path(sys.argv[1]), sys.argv[2:] or list(STREAMS))
