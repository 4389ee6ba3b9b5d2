"""Measure how long `cardgame play` takes up to its first prompt: `python -m tests.benchmarks.first_prompt`.

Each number is processor time of a process of its own at a terminal, the children that it waits for included; of several
the fastest counts.  `cold` is the first play of a game, which is compiled; its library in C is built then too.
`cached` is a later play of the same game.  In both, agents think half a second for each decision before the prompt;
`random` is a cached play against agents that do not think.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from interpreter.loader import bundled_games
from tests.benchmarks.against import ROOT, Checkout, play_seconds

GOAL = 0.25
"""Seconds in which a cached game reaches its first prompt, on a machine with nothing else to do."""


RANDOM = ("--seat", "all=random", "--seat", "1=human")


def seconds(game: str, home: Path, rounds: int) -> tuple[float, float, float]:
    """Return the processor time up to the first prompt of a game: cold, cached, and cached with random agents."""
    checkout = Checkout(ROOT, home)
    play_seconds(checkout, game)  # Bytecode and the tables of the parser are cached here.
    for path in (home / "cache").rglob("*"):
        if path.suffix in (".game", ".facts", ".library"):
            path.unlink()
    cold = play_seconds(checkout, game)
    cached, unthinking = (min(play_seconds(checkout, game, *more) for _ in range(rounds)) for more in ((), RANDOM))
    return cold, cached, unthinking


def main() -> None:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.first_prompt", description=__doc__)
    parser.add_argument("games", nargs="*", default=bundled_games(), help="default: all bundled games")
    parser.add_argument("--rounds", type=int, default=5, help="cached plays of each game (default 5)")
    asked = parser.parse_args()
    print(
        f"seconds of processor time; goal of a cached game: at most {GOAL}\n\n"
        "| game | cold | cached | random |\n|---|---:|---:|---:|"
    )
    home = Path(tempfile.mkdtemp())
    try:
        for game in asked.games:
            print(f"| {game} | {' | '.join(f'{one:.2f}' for one in seconds(game, home, asked.rounds))} |", flush=True)
    finally:
        shutil.rmtree(home)


if __name__ == "__main__":
    main()
