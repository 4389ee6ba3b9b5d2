"""How long a belief of each bundled game burns in, and how many further worlds a second it gives, in C."""

from __future__ import annotations

import argparse
import time
from random import Random

from interpreter import State
from interpreter.loader import bundled_games, load
from interpreter.native.belief import THIN, NativeBelief
from interpreter.native.plays import WatchedGame
from tests.adapters.settings import short_of
from tests.bundled import player_counts

DEPTHS = (0.1, 0.5, 0.9)
"""How far into a play, as a share of its decisions."""


def decisions(name: str, players: int) -> list[State]:
    """Return the decisions of one random play."""
    state, chooser = load(name, players=players, options=short_of(name)).new_initial_state(), Random(1)
    found = []
    while not state.is_terminal():
        if state.is_chance_node():
            state.resolve_chance(chooser)
            continue
        found.append(state.clone())
        state.apply_action(chooser.choice(state.legal_actions()))
    return found


def measure(state: State, seconds: float) -> str:
    """Return what a belief at one state costs in CPU time; worlds are states of C, and some become states of Python."""
    library = WatchedGame.of(state.game)  # Built before the clock runs.
    began = time.process_time()
    belief = NativeBelief(library, state, state.current_player(), Random(1))
    mixing = belief.mixing
    burnt = time.process_time()
    worlds = 0
    while time.process_time() < burnt + seconds:
        belief.states(200)
        worlds += 200
    drawn = time.process_time()
    belief.draw(20)
    speed, made = worlds / (drawn - burnt), 20 / (time.process_time() - drawn)
    effective = speed * min(1.0, -(-mixing.spacing // THIN) / mixing.spacing)
    reached = "mixed" if mixing.reached else "not mixed"
    tried, possible, accepted = (sum(counts) for counts in zip(*belief.counts(), strict=True))
    return (f"{reached} after {mixing.steps} steps ({burnt - began:.2f} s, R-hat {mixing.rhat:.2f}), "
            f"{possible / tried:>4.0%} possible, {accepted / tried:>4.0%} taken, {speed:>6.0f} worlds/s "
            f"({effective:.0f} effective; {made:.0f} as states of Python)")  # fmt: skip


def main() -> None:
    """Print a line for each bundled game and depth."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.resampling", description=__doc__)
    parser.add_argument("games", nargs="*", default=bundled_games())
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of drawing for each line (default 1)")
    asked = parser.parse_args()
    for name in asked.games:
        players = min(4, player_counts(name)[-1])
        states = decisions(name, players)
        for depth in DEPTHS:
            state = states[int(depth * (len(states) - 1))]
            told = measure(state, asked.seconds)
            print(f"{name:<24} {players} players, decision {state.num_actions:>4}: {told}", flush=True)


if __name__ == "__main__":
    main()
