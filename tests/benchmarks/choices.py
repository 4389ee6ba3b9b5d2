"""Measure agents decision by decision: `python -m tests.benchmarks.choices classics/hearts search:1000 search:4000`.

Random plays are stopped where somebody has a choice.  All agents choose there, and what each chose is weighed by a
longer search that goes on behind it, over worlds of the player's belief.  The differences to the first agent are
paired, so some dozen decisions tell what takes hundreds of plays in a match; but it is what this search expects, not
how plays end.  It needs a C compiler.
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import mean, stdev

from interpreter import State, load
from interpreter.agents import AgentView, Beliefs, agent
from interpreter.agents.search import LIMIT
from interpreter.engine.search_tables import before_others
from interpreter.native.plays import WatchedGame
from interpreter.native.search import NativeSearch

WORLDS = 256


def main() -> None:
    """Print a line for each agent."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.choices", description=__doc__)
    parser.add_argument("game", help="a bundled game")
    parser.add_argument("agents", nargs="+", help="names of agents; the others are compared with the first")
    parser.add_argument("--count", type=int, default=40, help="how many decisions (40)")
    parser.add_argument("--depth", type=int, default=0, help="how many small actions come before (0)")
    parser.add_argument("--reference", type=int, default=4_000, help="iterations of the search that weighs (4000)")
    asked = parser.parse_args()
    worths: dict[str, list[float]] = {name: [] for name in asked.agents}
    for seed in range(asked.count):
        state = stopped(asked.game, asked.depth, seed)
        for name, worth in weighed(state, asked.agents, seed, asked.reference).items():
            worths[name].append(worth)
    first = worths[asked.agents[0]]
    for name, found in worths.items():
        apart = [one - other for one, other in zip(found, first, strict=True)]
        half = 1.96 * stdev(apart) / len(apart) ** 0.5 if len(apart) > 1 else float("inf")
        print(f"{name}: {mean(found):.3f}, {mean(apart):+.3f} ({mean(apart) - half:+.3f} to {mean(apart) + half:+.3f})")


def stopped(name: str, depth: int, seed: int) -> State:
    """Return a random play at its first choice behind so many small actions; where there is none, of one less."""
    rng = Random(seed)
    for least in range(depth, -1, -1):
        state = load(name).new_initial_state()
        state.resolve_chance(rng)
        while not state.is_terminal():
            legal = state.legal_actions()
            if state.num_actions >= least and len(legal) > 1 and not state.is_unfinished():
                return state
            state.apply_action(rng.choice(legal))
            state.resolve_chance(rng)
    raise ValueError(f"no play of {name} has a choice")


def weighed(state: State, names: list[str], seed: int, iterations: int) -> dict[str, float]:
    """Return of each agent what a search expects of the sentence that it chooses."""
    view = AgentView(state, Beliefs(seed))
    chosen = {}
    for name in names:
        act = agent(name, state.game, seed).act(view)
        chosen[name] = (act,) if isinstance(act, int) else tuple(act)
    worlds = [before_others(world) for world in view.belief().draw(WORLDS)]
    known: dict[tuple[int, ...], float] = {}
    for actions in chosen.values():
        search = NativeSearch(WatchedGame.of(state.game), view.player, seed, limit=LIMIT)
        search.decide(actions)
        search.grow(worlds, iterations)
        known[actions] = next(each.worth for each in search.tried() if each.action == actions[0])
    return {name: known[actions] for name, actions in chosen.items()}


if __name__ == "__main__":
    main()
