"""Measure many plays side by side: `python -m tests.benchmarks.vector`.

Steps per second of processor time of `game.vector(n)`, masks and rewards included: actions drawn by the sampler, in C,
one step a call and 64, and by numpy from the mask of all actions (the greatest of random numbers where it allows).
Then two threads with a vector each beside one, and two processes, per second of the clock, which says something only
where two cores are free.  All games take their rounds in turn, and each figure is the best of several.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np

from interpreter import Game, load
from interpreter.native.plays import NativeGame
from interpreter.native.vector import Vector

GAMES = (
    "classics/hearts", "classics/kuhn_poker", "classics/leduc_poker", "classics/go_fish", "classics/love_letter",
    "chalice_and_wand", "two_player_wizard", "wizards_duel", "arcanity", "wizards_grimoire",
)  # fmt: skip

Step = Callable[[Vector], int]
"""Step a vector; return how many times."""

_STARTING = 5.0
"""Seconds until processes that were started together begin to measure."""


def sampled(vector: Vector) -> int:
    """Step with what the sampler draws."""
    vector.step(vector.sample())
    return 1


def sampled_in_c(vector: Vector) -> int:
    """Step with what the sampler draws, many times in one call."""
    vector.sample_steps(AT_ONCE)
    return AT_ONCE


def seen(vector: Vector) -> int:
    """Step with what the sampler draws, and look at what each player to act sees."""
    vector.observations(out=OUT.setdefault(id(vector), vector.observations()))
    vector.step(vector.sample())
    return 1


def chosen(vector: Vector) -> int:
    """Step with what numpy chooses."""
    mask = vector.legal_mask
    vector.step(((1 - RANDOM.random(mask.shape, np.float32)) * mask).argmax(axis=1))  # above 0 where it is legal
    return 1


AT_ONCE = 64
RANDOM = np.random.default_rng(1)
OUT: dict[int, np.ndarray] = {}
WAYS: dict[str, Step] = {
    "sampler": sampled,
    f"sampler, {AT_ONCE} steps a call": sampled_in_c,
    "numpy chooses": chosen,
    "sampler, observed": seen,
}


def rate(vector: Vector, step: Step, seconds: float, clock: Callable[[], float] = time.process_time) -> float:
    """Return how many steps a second all plays take together."""
    start, steps = clock(), 0
    while clock() - start < seconds:
        for _ in range(10):
            steps += step(vector)
    return steps * len(vector) / (clock() - start)


def threads(game: Game, n: int, seconds: float, step: Step, count: int) -> float:
    """Return how many steps a second of the clock so many threads take together, each with a vector of its own."""
    vectors = [game.vector(n, seed) for seed in range(count)]
    with ThreadPoolExecutor(count) as pool:
        return sum(pool.map(lambda vector: rate(vector, step, seconds, time.perf_counter), vectors))


def processes(name: str, n: int, seconds: float, count: int) -> float:
    """Return the same of so many processes, which share nothing: what the cores of this machine can give."""
    begin = time.time() + _STARTING
    with ProcessPoolExecutor(count) as pool:
        return sum(pool.map(_alone, [name] * count, [n] * count, [seconds] * count, [begin] * count, range(count)))


def _alone(name: str, n: int, seconds: float, begin: float, seed: int) -> float:
    vector = load(name).vector(n, seed)
    time.sleep(max(0.0, begin - time.time()))
    return rate(vector, sampled, seconds, time.perf_counter)


def main() -> None:
    """Measure and print tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--plays", type=int, default=1024, help="how many plays lie side by side")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long a round takes")
    parser.add_argument("--rounds", type=int, default=3, help="how many rounds there are")
    parser.add_argument("games", nargs="*", default=GAMES, help="which games")
    args = parser.parse_args()
    games = {name: load(name) for name in args.games}
    vectors = {name: game.vector(args.plays, 1) for name, game in games.items()}
    best: dict[tuple[str, str], float] = {}
    for _ in range(args.rounds):
        for name, vector in vectors.items():
            for way, step in WAYS.items():
                found = rate(vector, step, args.seconds)
                best[name, way] = max(found, best.get((name, way), 0.0))
    print(f"| {args.plays} plays | {' | '.join(WAYS)} | bytes of a state |")
    print("|---|" + "---:|" * (len(WAYS) + 1))
    for name, game in games.items():
        cells = " | ".join(f"{best[name, way] / 1e6:.1f} M" for way in WAYS)
        print(f"| {name} | {cells} | {NativeGame.of(game).size} |")
    name = args.games[0]
    print(f"\n| {name} | steps per second of the clock | to one |")
    print("|---|---:|---:|")
    speeds: dict[str, float] = {}
    for _ in range(args.rounds):
        for who, step in (("", sampled), (f", {AT_ONCE} steps a call", sampled_in_c)):
            for count, text in ((1, "one thread"), (2, "two threads")):
                speed = threads(games[name], args.plays, args.seconds, step, count)
                speeds[text + who] = max(speed, speeds.get(text + who, 0.0))
    speeds["two processes"] = max(processes(name, args.plays, args.seconds, 2) for _ in range(args.rounds))
    for text, speed in speeds.items():
        one = speeds["one thread" + "".join(text.partition(",")[1:])]
        print(f"| {text} | {speed / 1e6:.1f} M | {speed / one:.2f} |")


if __name__ == "__main__":
    main()
