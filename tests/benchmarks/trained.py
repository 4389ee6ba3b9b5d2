"""How strong trained policies are: 60 seconds of training, then matches, as the tables of `docs/training.md`.

Training, matches and agents with a time as their budget are measured in processor seconds, so the tables do not depend
on what else the machine does.  A short training shows how many rounds fit.  Games are played with their least number of
players, and long ones in settings that shorten them (`tests.benchmarks.strength`).  With `--keep` the policies are kept
in a folder, and a run that was broken off trains only what is missing.  In the names of agents FILE is the policy.

python -m tests.benchmarks.trained --game classics/hearts --matches policy:FILE,random policy:FILE,greedy
python -m tests.benchmarks.trained --matches look:100ms:FILE,search:100ms search:100ms:FILE,search:100ms
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from interpreter.agents import read_name
from interpreter.agents.thinking import Clock
from interpreter.engine.game import Game
from interpreter.loader import load
from interpreter.match import Match, match
from interpreter.training.network import read_network, write_network
from interpreter.training.trainer import Budget, Trainer
from tests.benchmarks.strength import HEAD, SHORTER, line

GAMES = (
    "classics/kuhn_poker", "classics/leduc_poker", "classics/go_fish", "classics/love_letter", "classics/hearts",
    "chalice_and_wand", "two_player_wizard", "wizards_duel", "wizards_grimoire", "arcanity",
)  # fmt: skip

MATCHES = ("policy:FILE,random", "policy:FILE,greedy")
"""Who plays against whom where nobody says."""

PROBED = 4
"""Rounds of the training that shows how long a round takes."""


def main() -> None:
    """Train a policy of each game, and print a line for each match."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.trained",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", nargs="+", dest="games", default=GAMES, help="bundled games; by default ten")
    parser.add_argument(
        "--matches", nargs="+", default=MATCHES, metavar="A,B", help=f"who plays whom ({' '.join(MATCHES)})"
    )
    parser.add_argument("--training", type=float, default=60.0, help="processor seconds of a training (60)")
    parser.add_argument("--seconds", type=float, default=60.0, help="processor seconds after which a match ends (60)")
    parser.add_argument("--plays", type=int, default=2_000, help="the largest number of plays of a match (2000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the policies")
    arguments = parser.parse_args()
    Clock.now = staticmethod(time.process_time)
    head = HEAD + " rounds |"
    print(head, "|---" * head.count(" | ") + "|---|", sep="\n", flush=True)
    with tempfile.TemporaryDirectory() as made:
        folder = arguments.keep or Path(made)
        for name in arguments.games:
            game = load(name, options=SHORTER.get(name, {}))
            path = folder / f"{name.rpartition('/')[2]}.policy"
            if not path.exists():
                trained(game, path, arguments.training, arguments.seed)
            rounds = read_network(path, game).curve[-1].rounds
            for agents in arguments.matches:
                run = played(
                    game, agents.replace("FILE", str(path)), arguments.plays, arguments.seconds, arguments.seed
                )
                print(line(name, run).replace(f":{path}", ":FILE") + f" {rounds:,} |", flush=True)


def trained(game: Game, path: Path, seconds: float, seed: int) -> None:
    """Train a policy for about so many processor seconds, and write it to a file."""
    trainer = Trainer(game)
    began = time.process_time()
    trainer.train(Budget(rounds=PROBED), seed)
    each = (time.process_time() - began) / PROBED
    write_network(trainer.train(Budget(rounds=max(1, int(seconds / each))), seed), path, game)


def played(game: Game, agents: str, plays: int, seconds: float, seed: int) -> Match:
    """Return a match of two agents, which ends after so many processor seconds."""
    run = match(game, [read_name(name) for name in agents.split(",")], 1, seed)
    run.blocks = -(-plays // run.plays_of_a_deal)
    end = time.process_time() + seconds
    run.run(None, lambda done: done >= 2 and time.process_time() > end)
    return run


if __name__ == "__main__":
    main()
