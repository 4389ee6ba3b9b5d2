"""Measure the tree search: `python -m tests.benchmarks.search`.

Iterations a second of processor time over one world in the middle of a random play: trees in C, and flat Monte Carlo in
Python, without the cost of worlds (`tests.benchmarks.resampling`).
"""

from __future__ import annotations

import argparse
import time
from random import Random

from interpreter import NativeUnavailableError, State, load
from interpreter.agents.flat import FlatMonteCarlo
from interpreter.loader import bundled_games
from interpreter.native.plays import WatchedGame
from interpreter.native.search import NativeSearch

LIMIT = 200
"""The most small actions of an iteration, as in `interpreter.agents.search`."""


def main() -> None:
    """Print a line for each bundled game."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.search", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure")
    parser.add_argument("--depth", type=int, default=12, help="decisions of the random play")
    asked = parser.parse_args()
    print("| game | players | C | flat, Python |")
    print("|---|--:|--:|--:|")
    for name in bundled_games():
        game = load(name)
        state, seed = played(name, asked.depth), 1
        slow = rate(FlatMonteCarlo(game, state.to_act, seed, limit=LIMIT), state, asked.seconds)
        try:
            fast = (
                f"{rate(NativeSearch(WatchedGame.of(game), state.to_act, seed, limit=LIMIT), state, asked.seconds):,}"
            )
        except NativeUnavailableError:
            fast = ""
        print(f"| {game.title} | {game.num_players} | {fast} | {slow:,} |", flush=True)


def played(name: str, depth: int) -> State:
    """Return a random play of a game that has gone on for so many decisions, and where there is a choice."""
    game = load(name)
    for seed in range(1000):
        state, rng = game.new_initial_state(), Random(seed)
        state.resolve_chance(rng)
        while not state.is_terminal() and (state.num_actions < depth or len(state.legal_actions()) == 1):
            state.apply_action(rng.choice(state.legal_actions()))
            state.resolve_chance(rng)
        if not state.is_terminal():
            return state
        depth = max(0, depth - 1)
    raise ValueError(f"no play of {name} has a choice")


def rate(search: FlatMonteCarlo | NativeSearch, state: State, seconds: float) -> int:
    """Return how many iterations a search makes in a second."""
    done, begun, chunk = 0, time.process_time(), 16
    while (spent := time.process_time() - begun) < seconds:
        search.grow([state], chunk)
        done += chunk
        chunk = min(2 * chunk, 4096)
    return round(done / spent)


if __name__ == "__main__":
    main()
