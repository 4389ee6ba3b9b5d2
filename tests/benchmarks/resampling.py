"""How many other worlds a second each bundled game gives, and how often a step of the walk is taken."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from random import Random

from interpreter.loader import bundled_games, load
from interpreter.runtime.belief import walk
from interpreter.runtime.belief.proposals import Replay, World
from tests.adapters.settings import short_of
from tests.bundled import player_counts

SEEDS = 4
SHARE = 0.2


class Counting(Replay):
    """A replay that notes how many were begun, and how many came to a world."""

    counts: Counter[str] = Counter()

    def run(self) -> None:
        """Carry out the first stage, and count."""
        self.counts["proposed"] += 1
        super().run()

    def told(self) -> World:
        """Return the outcome, and count."""
        world = super().told()
        self.counts["taken"] += 1
        return world


def measure(name: str, players: int, seconds: float) -> str:
    """Return a line about one game: worlds a second of CPU time at some decisions of random plays."""
    game, rng = load(name, players=players, options=short_of(name)), Random(1)
    Counting.counts.clear()
    spent, worlds, true = 0.0, 0, 0
    for seed in range(SEEDS):
        state, chooser = game.new_initial_state(), Random(seed)
        while not state.is_terminal() and spent < seconds * (seed + 1) / SEEDS:
            if state.is_chance_node():
                state.resolve_chance(chooser)
                continue
            if chooser.random() < SHARE:
                began = time.process_time()
                world = state.resample_from_infostate(state.current_player(), rng)
                spent += time.process_time() - began
                worlds, true = worlds + 1, true + (world == state)
            state.apply_action(chooser.choice(state.legal_actions()))
    told = Counting.counts
    speed, unchanged = worlds / max(spent, 1e-9), true / max(worlds, 1)
    taken, proposed = told["taken"] / max(told["proposed"], 1), told["proposed"] / max(worlds, 1)
    return (f"{name:<28} {players:>2} players {speed:>7.1f} worlds/s; {unchanged:>4.0%} the true one; "
            f"{taken:>4.0%} of {proposed:.0f} proposals taken")  # fmt: skip


def main() -> None:
    """Print a line for each bundled game, with its least and its greatest number of players."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.resampling", description=__doc__)
    parser.add_argument("games", nargs="*", default=bundled_games())
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU time for each line (default 2)")
    asked = parser.parse_args()
    vars(walk)["Replay"] = Counting
    for name in asked.games:
        counts = player_counts(name)
        for players in sorted({counts[0], counts[-1]}):
            print(measure(name, players, asked.seconds), flush=True)


if __name__ == "__main__":
    main()
