"""Measure how fast the generated machine plays, beside games written by hand: `python -m tests.benchmarks.decisions`.

Of each game that has a twin written by hand, both play random games with the same small actions, in turns within
one process, so that a busy machine slows both.  Times are processor time; the fastest of several rounds counts.
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

import attrs

from interpreter import Game, load
from interpreter.engine.sets import Sums, sums
from tests.benchmarks import plain_chalice, plain_two_player_wizard

CARDS = 25


@attrs.frozen
class Twin:
    """A bundled game with the same game written by hand.

    `play` plays one random game by hand and returns the number of its decisions; `games` is how many make a round,
    so that the rounds of all twins take about as long; `goal` is the least ratio of generated to by hand.
    """

    game: str
    options: dict[str, int]
    play: Callable[[Random], int]
    games: int
    goal: float


TWINS = (
    Twin("chalice_and_wand", {}, lambda rng: plain_chalice.play(rng)[1], 150, 0.33),
    Twin("two_player_wizard", {"max_hands": 4}, lambda rng: plain_two_player_wizard.play(rng, 4)[1], 60, 0.25),
)


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


def race(twin: Twin, rounds: int, share: float) -> tuple[float, float]:
    """Return the decisions per second of a twin, generated and by hand: of each the fastest of so many rounds."""
    game = load(twin.game, options=twin.options)
    games = max(1, round(twin.games * share))
    generated = by_hand = 0.0
    for number in range(rounds):
        seed = 1000 * number
        generated = max(generated, rate(lambda rng: play_generated(game, rng), games, seed))
        by_hand = max(by_hand, rate(twin.play, games, seed))
    return generated, by_hand


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
    parser.add_argument("--share", type=float, default=1.0, help="part of the games of a round to play (default 1)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the fastest counts (default 5)")
    asked = parser.parse_args()
    print(f"{'decisions a second':<24}{'generated':>12}{'by hand':>12}{'ratio':>8}   goal")
    for twin in TWINS:
        generated, by_hand = race(twin, asked.rounds, asked.share)
        ratio = generated / by_hand
        print(f"{twin.game:<24}{generated:>12,.0f}{by_hand:>12,.0f}{ratio:>8.2f}   at least {twin.goal}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
    print(f"peak memory, MB                    {memory:>10.1f}   (goal: under 80)")
    print(f"subset sums of {CARDS} cards, ms         {subset_time() * 1000:>10.3f}   (goal: under 1)")
    print(f"cardgame --help, s                 {command_time('--help'):>10.2f}   (goal: under 0.3)")
    print(
        f"cardgame validate, s               {command_time('validate', 'chalice_and_wand'):>10.2f}   (goal: under 0.6)"
    )


if __name__ == "__main__":
    main()
