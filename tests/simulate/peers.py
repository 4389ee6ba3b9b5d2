"""What other programs make of the same plays: `python -m tests.simulate.peers`.

Ludii's "Balance" is 1 minus the greatest difference between two seats' shares of wins, of 100 plays by default.
"""

from __future__ import annotations

import random

from interpreter.inference import wilson

PLAYS, RUNS = 100, 2000


def balance(wins: list[int]) -> float:
    """Return Ludii's number for the wins of each seat."""
    return 1 - (max(wins) - min(wins)) / sum(wins)


def balances(seats: int, runs: int = RUNS) -> list[float]:
    """Return that number for runs of a perfectly fair game, of 100 plays each."""
    rng = random.Random(1)
    found = []
    for _ in range(runs):
        wins = [0] * seats
        for _ in range(PLAYS):
            wins[rng.randrange(seats)] += 1
        found.append(balance(wins))
    return found


def main() -> None:
    """Print both for fair games of two and of four."""
    for seats in (2, 4):
        mean = sum(balances(seats)) / RUNS
        here = wilson(PLAYS / seats, PLAYS)
        print(
            f"a fair game of {seats}, {PLAYS} plays: Balance {mean:.2f} on average (1 would be fair);"
            f" the share of a seat {here.value:.0%} lies between {here.low:.0%} and {here.high:.0%}"
        )


if __name__ == "__main__":
    main()
