"""How strong agents are: matches of all bundled games, as the table of `docs/agents.md`.

Each game is played with its least number of players, and long ones in settings that shorten them.  A match ends behind
so many blocks or seconds, whichever come first, but not before two blocks.  With `--keep` its line is kept in a file; a
run that was broken off prints what is there and goes on behind it.

python -m tests.benchmarks.strength --seconds 40 --jobs 2 --keep strength.jsonl
python -m tests.benchmarks.strength --plays 1000 --game classics/kuhn_poker search,random solve,random
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from interpreter.agents import read_name
from interpreter.loader import bundled_games, load
from interpreter.match import Match, match
from interpreter.sharing import processes

LADDER = ("search,greedy", "greedy,random", "search:4000,search")
"""Who plays against whom where nobody says: search above greedy above random, and more iterations above fewer."""

SHORTER: dict[str, dict[str, Any]] = {
    "arcanity": {"limit": 20},
    "two_player_wizard": {"max_hands": 4},
    "wizards_duel": {"cut": "half"},
    "wizards_grimoire": {"max_turns": 16},
    "classics/big_two": {"deals": 1},
    "classics/crazy_eights": {"goal": 1},
    "classics/euchre": {"deals": "one"},
    "classics/gin_rummy": {"goal": 0},
    "classics/lost_cities": {"deals": 1},
    "classics/love_letter": {"tokens_to_win": 3},
    "classics/oh_hell": {"deals": "one"},
    "classics/pinochle": {"goal": 1, "loss": 1},
    "classics/president": {"deals": 1},
    "classics/rummy_500": {"goal": 1},
    "classics/scopa": {"goal": 1},
    "classics/six_nimmt": {"limit": 1},
    "classics/skat": {"deals": 1},
    "classics/spades": {"deals": "one"},
    "classics/tarok": {"deals": 1},
    "classics/texas_holdem": {"deals": 1},
    "classics/tichu": {"deals": "one"},
    "classics/uno": {"goal": 1},
    "classics/whist": {"goal": 1},
}
"""Options with which plays are several times shorter, as a rule one deal."""

HEAD = "| game | agents | blocks | difference | 95 % | better : worse | p | first |"


def main() -> None:
    """Print a line for each match, and play those that are not kept yet."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.strength",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("agents", nargs="*", default=LADDER, metavar="A,B", help=f"who plays ({' '.join(LADDER)})")
    parser.add_argument("--game", action="append", dest="games", help="a bundled game; by default all of them")
    parser.add_argument("--plays", type=int, default=4_000, help="the largest number of plays of a match (4000)")
    parser.add_argument("--seconds", type=float, default=30.0, help="behind which a match ends (30)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a file of lines that are there, which new ones are added to")
    asked = parser.parse_args()
    kept = _kept(asked.keep)
    print(HEAD, "|---" * HEAD.count(" | ") + "|---|", sep="\n", flush=True)
    for name in asked.games or bundled_games():
        for agents in asked.agents:
            row = kept.get((name, agents))
            if row is None:
                row = line(name, played(name, agents, asked.plays, asked.seconds, asked.seed, asked.jobs))
                if asked.keep is not None:
                    with asked.keep.open("a", encoding="utf-8") as file:
                        file.write(json.dumps([name, agents, row]) + "\n")
            print(row, flush=True)


def _kept(path: Path | None) -> dict[tuple[str, str], str]:
    if path is None or not path.exists():
        return {}
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {(name, agents): row for name, agents, row in lines}


def played(name: str, agents: str, plays: int, seconds: float, seed: int, jobs: int) -> Match:
    """Return a match of two agents, played for so long."""
    game = load(name, options=SHORTER.get(name, {}))
    run = match(game, [read_name(word) for word in agents.split(",")], 1, seed)
    run.blocks = -(-plays // run.plays_of_a_deal)
    end = time.monotonic() + seconds
    run.run(processes(jobs) if jobs > 1 else None, lambda done: done >= 2 and time.monotonic() > end)
    return run


def line(name: str, run: Match) -> str:
    """Return a match of two agents as a line of the table."""
    found, first = run.comparisons()[0], run.standings()[0]
    share = "" if run.as_teams else f"{100 * first.first:.0f} %"
    score = f" ({first.score:.1f} : {run.standings()[1].score:.1f} points)" if first.score is not None else ""
    options = SHORTER.get(name, {})
    setting = f" ({', '.join(f'{option}={value}' for option, value in options.items())})" if options else ""
    cells = (
        name.rpartition("/")[2].replace("_", " ") + setting,
        f"`{found.one}`, `{found.other}`",
        str(found.blocks),
        f"{found.difference:.2f}{score}",
        f"{found.low:.2f} to {found.high:.2f}",
        f"{found.better} : {found.worse}",
        f"{found.p_value:.1g}",
        share,
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
