"""Measure how long a game takes from its text to play, and from what was kept: `python -m tests.benchmarks.loading`.

Each number is from processes of their own, which do nothing else; of several the fastest counts.  Times are
milliseconds of processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

LONGEST = "wizards_grimoire"

_CHILD = """
import json, sys, time
from random import Random

marks = [0.0]
def mark():
    marks.append(time.process_time())

mark()  # Python itself
import interpreter
from interpreter import cache
from interpreter.engine import game, packing
from interpreter.engine import game_data as sheet
if sys.argv[2] != "kept":
    from grammar import tables
    from interpreter.analysis import checker, variants
    from interpreter.program import generate
    from interpreter.engine import compilation as front
    import grammar.transform
    tables.parser("cardgame")
mark()
game = interpreter.load(sys.argv[1])
mark()
state, rng = game.new_initial_state(), Random(1)
state.resolve_chance(rng)
state.legal_actions()
mark()
while not state.is_terminal():
    if state.is_chance_node():
        state.resolve_chance(rng)
    else:
        legal = state.legal_actions()
        state.apply_action(legal[int(rng.random() * len(legal))])
mark()
assert ("compilation" in vars(game)) == (sys.argv[2] != "kept")
print(json.dumps([1000 * (later - sooner) for sooner, later in zip(marks, marks[1:])]))
"""
_STEPS = ("Python", "imports", "load", "first actions", "a random play")


def times(spec: str, way: str, folder: str) -> list[float]:
    """Return what each step takes in a new process, with that cache folder.

    `way` is `text`, where no game is kept; `first`, where it is kept then; or `kept`, where it was.
    """
    environment = {**os.environ, "XDG_CACHE_HOME": folder, "CARDGAME_CACHE": "parsers" if way == "text" else "on"}
    if way == "first":
        for path in (Path(folder) / "cardgame").glob("*.game"):
            path.unlink()
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, spec, way], env=environment, check=True, capture_output=True, text=True
    )
    found: list[float] = json.loads(done.stdout)
    return found


def fastest(spec: str, way: str, folder: str, rounds: int) -> list[float]:
    """Return the shortest time of each step."""
    return [min(column) for column in zip(*(times(spec, way, folder) for _ in range(rounds)), strict=True)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure how long loading takes, from text and from what was kept.")
    parser.add_argument("specs", nargs="*", default=[LONGEST], help=f"specs to load (default {LONGEST}, the longest)")
    parser.add_argument("--rounds", type=int, default=7, help="processes of each kind (default 7)")
    asked = parser.parse_args()
    print(f"{'ms of processor time':<32}" + "".join(f"{step:>15}" for step in (*_STEPS, "together")))
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder, "CARDGAME_CACHE": "on"}
        for spec in asked.specs:
            # The tables of the parsers are there in every measured process.
            code = "import sys; from interpreter import load; load(sys.argv[1])"
            subprocess.run([sys.executable, "-c", code, spec], env=environment, check=True)
            for way in ("text", "first", "kept"):
                found = fastest(spec, way, folder, asked.rounds)
                numbers = "".join(f"{number:>15.1f}" for number in (*found, sum(found)))
                print(f"{spec + ', ' + way:<32}{numbers}")
    print("goal of `load`: from text under 250 ms, kept under 50 ms")


if __name__ == "__main__":
    main()
