"""How strong agents are: matches of all bundled games, as the lines of the table in `docs/agents.md`.

python -m tests.benchmarks.strength --blocks 50 search,greedy greedy,random
python -m tests.benchmarks.strength --game classics/kuhn_poker --blocks 500 search,random solve,random
"""

from __future__ import annotations

import argparse

from interpreter.drivers.agents import read_name
from interpreter.drivers.match import Match, match
from interpreter.loader import bundled_games, load


def main() -> None:
    """Play the matches and print a line for each, as soon as it is over."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.strength", description=__doc__)
    parser.add_argument("agents", nargs="+", metavar="A,B", help="agents that play against each other")
    parser.add_argument("--game", action="append", dest="games", help="a bundled game; by default all of them")
    parser.add_argument("--blocks", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    print("| game | agents | difference | 95 % | blocks better : worse | p | first |")
    print("|---|---|---|---|---|---|---|")
    for name in asked.games or bundled_games():
        for agents in asked.agents:
            run = match(load(name), [read_name(word) for word in agents.split(",")], asked.blocks)
            run.run(asked.jobs)
            print(line(name, run), flush=True)


def line(name: str, run: Match) -> str:
    """Return a match of two agents as a line of the table."""
    found, first = run.comparisons()[0], run.standings()[0]
    share = "" if run.as_teams else f"{100 * first.first:.0f} %"
    score = f" ({first.score:.1f} : {run.standings()[1].score:.1f} points)" if first.score is not None else ""
    cells = (
        name.rpartition("/")[2].replace("_", " "),
        f"`{found.one}`, `{found.other}`",
        f"{found.difference:.2f}{score}",
        f"{found.low:.2f} to {found.high:.2f}",
        f"{found.better} : {found.worse}",
        f"{found.chance:.1g}",
        share,
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
