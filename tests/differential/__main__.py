"""Compare every game that OpenSpiel or RLCard has too with theirs: `python -m tests.differential --plays 2000`.

A line for each number of players and each option says how many plays were the same: the player to act and the legal
actions at every decision, and the returns.  Exit code 3 after a difference, of which the history is printed.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from importlib.util import find_spec

from tests.differential import compare

PEERS = {"pyspiel": "pairs", "rlcard": "rlcard_pairs"}
"""The module of each peer, and the pairs that need it."""


def main() -> int:
    """Compare all settings, or those whose names begin as asked."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("games", nargs="*", help="names of games; all if there is none")
    parser.add_argument("--plays", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    plays = differences = 0
    pairs = [import_module(f"tests.differential.{own}") for peer, own in PEERS.items() if find_spec(peer)]
    for name, pair in [found for module in pairs for found in module.settings().items()]:
        if given.games and name.split()[0] not in given.games:
            continue
        try:
            compare(pair(), given.plays, given.seed)
        except AssertionError as difference:
            differences += 1
            print(f"{name:40} DIFFERENT: {difference}")
            continue
        plays += given.plays
        print(f"{name:40} {given.plays} plays the same", flush=True)
    print(f"{plays} plays the same, {differences} settings different")
    return 3 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
