"""Compare native states with OpenSpiel's, called from Python: `python -m tests.benchmarks.explicit`.

Both play the four shared games at random through the same loop, with explicit chance: `is_terminal`, `is_chance_node`,
`chance_outcomes`, `legal_actions`, `apply_action`.  They take short turns in one process, in alternating order; the
ratio is the median over the rounds of our decisions per second of processor time by theirs in the same round.  The
goals are at least 2 in Kuhn and Leduc poker, and at least 1.3 in Hearts and Go Fish.
"""

from __future__ import annotations

import argparse
import statistics
import time
from random import Random
from typing import Any

import pyspiel

from interpreter import load

GAMES = {
    "classics/kuhn_poker": (2, "kuhn_poker"),
    "classics/leduc_poker": (2, "leduc_poker"),
    "classics/hearts": (4, "hearts"),
    "classics/go_fish": (None, "go_fish"),
}

ROUNDING = 1e-9
"""How far the sum of all probabilities may be from 1."""


def rate(game: Any, seed: int, seconds: float) -> float:
    """Return the decisions per second of random plays of a game, ours or OpenSpiel's."""
    random, decisions, began = Random(seed).random, 0, time.process_time()
    while time.process_time() - began < seconds:
        for _ in range(16):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    left = random()
                    for outcome, probability in state.chance_outcomes():
                        left -= probability
                        if left <= ROUNDING:
                            state.apply_action(outcome)
                            break
                else:
                    legal = state.legal_actions()
                    state.apply_action(legal[int(random() * len(legal))])
                    decisions += 1
    return decisions / (time.process_time() - began)


def main() -> None:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.explicit", description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.1, help="of each turn (default 0.1)")
    parser.add_argument("--rounds", type=int, default=21, help="pairs of turns (default 21)")
    parser.add_argument("games", nargs="*", default=[*GAMES], help="which games (default all four)")
    asked = parser.parse_args()
    print("| game | native states | OpenSpiel | ratio | lowest and highest round |")
    print("|---|---:|---:|---:|---|")
    for name in asked.games:
        players, theirs = GAMES[name]
        contestants = [load(name, players=players, native=True), pyspiel.load_game(theirs)]
        rounds = []
        for number in range(asked.rounds):
            found = {index: rate(contestants[index], number, asked.seconds) for index in ((0, 1), (1, 0))[number % 2]}
            rounds.append((found[0], found[1]))
        ratios = sorted(one / other for one, other in rounds)
        best = [max(column) for column in zip(*rounds, strict=True)]
        spread = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
        print(f"| {name} | {best[0]:,.0f} | {best[1]:,.0f} | {statistics.median(ratios):.2f} | {spread} |", flush=True)


if __name__ == "__main__":
    main()
