"""Measure how fast the generated machine plays, beside a game written by hand: `python -m tests.benchmarks.decisions`.

Both play random games of Chalice and Wand with the same small actions, in turns within one process, so that
a busy machine slows both.  Times are processor time; the fastest of several rounds counts.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from random import Random

from interpreter import Game, load
from interpreter.runtime.bits import sums
from interpreter.runtime.sets import Sums
from tests.benchmarks import plain_chalice

CARDS = 25


def play_generated(game: Game, rng: Random) -> int:
    """Play one random game through the public interface; return the number of its decisions."""
    state = game.new_initial_state()
    count = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.resolve_chance(rng)
            continue
        legal = state.legal_actions()
        state.apply_action(legal[int(rng.random() * len(legal))])
        count += 1
    return count


def rate(play: Callable[[Random], int], games: int, seed: int) -> float:
    """Return decisions per second of processor time over some games."""
    start = time.process_time()
    decisions = sum(play(Random(seed + number)) for number in range(games))
    return decisions / (time.process_time() - start)


def subset_time() -> float:
    """Return the seconds that one question about subset sums of 25 cards takes: which picks can reach a total?"""
    values = [1 + number * 7 % 10 for number in range(CARDS)]
    cards = list(range(CARDS))
    rounds = 2000
    start = time.process_time()
    for number in range(rounds):
        Sums(cards, 1, values, sums(values) & 1 << (number % 100 + 20), cards).picks(())
    return (time.process_time() - start) / rounds


def command_time(*words: str) -> float:
    """Return the seconds that a command takes from its start to its end, the fastest of five."""
    code = "from cli.main import main; main()"
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True, env=dict(os.environ))
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure decisions per second, generated against written by hand.")
    parser.add_argument("--games", type=int, default=150, help="games a round (default 150)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the fastest counts (default 5)")
    asked = parser.parse_args()
    game = load("chalice_and_wand")
    best = {"generated": 0.0, "by hand": 0.0}
    for number in range(asked.rounds):
        seed = 1000 * number
        generated = rate(lambda rng: play_generated(game, rng), asked.games, seed)
        by_hand = rate(lambda rng: plain_chalice.play(rng)[1], asked.games, seed)
        best = {"generated": max(best["generated"], generated), "by hand": max(best["by hand"], by_hand)}
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
    print(f"decisions a second, generated      {best['generated']:>10,.0f}")
    print(f"decisions a second, by hand        {best['by hand']:>10,.0f}")
    print(f"generated / by hand                {best['generated'] / best['by hand']:>10.2f}   (goal: at least 0.33)")
    print(f"peak memory, MB                    {memory:>10.1f}   (goal: under 80)")
    print(f"subset sums of {CARDS} cards, ms         {subset_time() * 1000:>10.3f}   (goal: under 1)")
    print(f"cardgame --help, s                 {command_time('--help'):>10.2f}   (goal: under 0.3)")
    print(
        f"cardgame validate, s               {command_time('validate', 'chalice_and_wand'):>10.2f}   (goal: under 0.6)"
    )


if __name__ == "__main__":
    main()
