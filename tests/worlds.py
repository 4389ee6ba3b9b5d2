"""Worlds of all bundled games and variants, each checked to be a legal play in which its player has seen the same.

python -m tests.worlds --worlds 100000
python -m tests.worlds classics/hearts --worlds 1000 --engine Python

Worlds are drawn by beliefs at random decisions of random plays, for a random player, in C (walks) and in Python
(enumeration or a particle filter) in turn.  Each is carried out again from the start, chance and all; its information
state, who is to act and what is picked must be those of the true play.  A line for each game says how many there were,
how many of them were other plays than the true one, and at how many positions a particle filter had none; it ends with
exit code 1 where one is wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
from random import Random

import attrs

from interpreter import Belief, Game, State, load
from interpreter.belief.belief import library_of
from tests.adapters.settings import short_of
from tests.belief.beliefs import key
from tests.bundled import EVERY, player_counts

EACH = 24
"""Worlds that are drawn at each position."""

ENGINES = ("C", "Python")


@attrs.define
class Count:
    """The number of worlds drawn, of those that were not the true play, of positions without any, and what is wrong."""

    worlds: int = 0
    others: int = 0
    without: int = 0
    wrong: list[str] = attrs.field(factory=list)


def main() -> int:
    """Draw and check; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.worlds", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=EVERY)
    parser.add_argument("--worlds", type=int, default=10_000, help="in all of them together (10000)")
    parser.add_argument("--engine", action="append", choices=ENGINES, dest="engines")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    whole = Count()
    engines = asked.engines or ENGINES
    each = -(-asked.worlds // (len(asked.games) * len(engines)))
    for name in asked.games:
        for engine in engines:
            os.environ["CARDGAME_NATIVE"] = "off" if engine == "Python" else "on"
            found = drawn(name, engine, each, Random(f"{asked.seed}/{name}/{engine}"))
            counts = f"{found.worlds:>7,} worlds, {found.others:>7,} others, {found.without:>4,} positions without"
            print(f"{name:<32} {engine:<6} {counts}", flush=True)
            whole = Count(whole.worlds + found.worlds, whole.others + found.others, 0, whole.wrong + found.wrong)
    print(f"{whole.worlds:,} worlds, {whole.others:,} others than the true play, {len(whole.wrong):,} wrong")
    return 1 if whole.wrong else 0


def drawn(name: str, engine: str, count: int, rng: Random) -> Count:
    """Draw so many worlds of a game and check them."""
    game = load(name, rng.choice(player_counts(name)), short_of(name))
    if engine == "C" and library_of(game) is None:
        print(f"{name}: no C")
        return Count()
    found = Count()
    while found.worlds + EACH * found.without < count:
        states = decisions(game, rng)
        for state in sorted(rng.sample(states, min(4, len(states))), key=lambda s: s.num_actions):
            player = rng.randrange(game.num_players)
            seen = state.information_state_string(player)
            worlds = Belief(state, player, rng.random().hex()).draw(EACH)
            found.without += not worlds
            for world in worlds:
                found.worlds += 1
                found.others += key(world) != key(state)
                problem = checked(game, state, world, player, seen)
                if problem:
                    found.wrong.append(f"{name}, {engine}, player {player + 1}: {problem}; {state.serialize()}")
                    print(found.wrong[-1], flush=True)
    return found


def decisions(game: Game, rng: Random) -> list[State]:
    """Return all decisions of one random play."""
    state, found = game.new_initial_state(), []
    while not state.is_terminal():
        if state.is_chance_node():
            state.resolve_chance(rng)
            continue
        found.append(state.clone())
        state.apply_action(rng.choice(state.legal_actions()))
    return found


def checked(game: Game, state: State, world: State, player: int, seen: str) -> str:
    """Return what is wrong with a world of a player who has seen that much at a state, or nothing."""
    try:
        again = game.play_history([item for _, item in world.history()])
    except ValueError as error:
        return str(error)
    if again.content() != world.content():
        return "carried out again it is another play"
    if again.information_state_string(player) != seen:
        return "its player has seen something else"
    if again.current_player() != state.current_player() or len(again.picked()) != len(state.picked()):
        return "it stands elsewhere"
    return ""


if __name__ == "__main__":
    sys.exit(main())
