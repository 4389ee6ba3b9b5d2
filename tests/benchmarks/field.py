"""Measure random play beside others: `python -m tests.benchmarks.field`.

One run, one machine, processor time.  Of each game the same uniform random play is measured through our states and
inside our generated code, as Python and as C, side by side in our vectors, through OpenSpiel's states from Python,
inside OpenSpiel's own loop, in RLCard, in pgx, and written by hand in Python and in C, wherever there is such a thing.
Every figure is the best of several rounds, and all contestants take their rounds in turn, so that a busy machine slows
them alike.  A C compiler and all the others are optional: what is not installed is left out
(`pip install -e '.[openspiel]' rlcard pgx`).
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import platform
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from ctypes import POINTER, c_int, c_int64, c_uint64
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import attrs

from interpreter import Game, NativeUnavailableError, load
from interpreter.fuzz.playouts import drawn
from interpreter.native.library import compiler
from tests.benchmarks import plain_chalice, plain_hearts, plain_two_player_wizard
from tests.benchmarks.decisions import play_generated

Run = Callable[[int, int], tuple[int, int]]
"""Play about so many seconds' worth from a seed: (plays, decisions)."""

GAMES: dict[str, dict[str, int | bool]] = {
    "classics/kuhn_poker": {},
    "classics/leduc_poker": {},
    "classics/hearts": {},
    "classics/go_fish": {},
    "classics/love_letter": {},
    "classics/dou_dizhu": {"open_spiel": True},
    "classics/cribbage": {"crib_flush": True, "late_end": True},
    "chalice_and_wand": {},
    "two_player_wizard": {"max_hands": 4},
    "wizards_duel": {},
    "arcanity": {},
    "wizards_grimoire": {},
}
THEIRS = {
    "classics/kuhn_poker": "kuhn_poker",
    "classics/leduc_poker": "leduc_poker",
    "classics/hearts": "hearts",
    "classics/go_fish": "go_fish",
    "classics/dou_dizhu": "dou_dizhu",
    "classics/cribbage": "cribbage",
}
PGX = {"classics/kuhn_poker": "kuhn_poker", "classics/leduc_poker": "leduc_holdem"}
SIDE_BY_SIDE = 1024
"""How many plays there are in a vector, ours or that of pgx."""

COMPARED = (
    ("states, chance explicit", "OpenSpiel from Python"),
    ("native states, chance explicit", "OpenSpiel from Python"),
    ("native states", "OpenSpiel from Python"),
    ("native playouts", "OpenSpiel's own loop"),
    ("states", "by hand"),
    ("native playouts", "by hand in C"),
    ("vector", "pgx"),
    ("native states", "RLCard"),
)
"""What does the same, or the best that each side has."""

DECISIONS = 64
"""The decisions of a deal of Hearts."""

BY_HAND: dict[str, Callable[[Random], int]] = {
    "classics/hearts": plain_hearts.play,
    "chalice_and_wand": lambda rng: plain_chalice.play(rng)[1],
    "two_player_wizard": lambda rng: plain_two_player_wizard.play(rng, 4)[1],
}


@attrs.frozen
class Rate:
    """How fast something plays, per second of processor time."""

    plays: float
    decisions: float


def public(game: Game) -> Run:
    """Play through our public states."""

    def run(count: int, seed: int) -> tuple[int, int]:
        rng = Random(seed)
        return count, sum(play_generated(game, rng) for _ in range(count))

    return run


def inside(game: Game) -> Run:
    """Play inside our generated C."""

    def run(count: int, seed: int) -> tuple[int, int]:
        return count, game.random_playouts(count, seed).decisions

    return run


def by_hand(play: Callable[[Random], int]) -> Run:
    """Play what is written by hand."""

    def run(count: int, seed: int) -> tuple[int, int]:
        rng = Random(seed)
        return count, sum(play(rng) for _ in range(count))

    return run


def explicit(game: Any) -> Run:
    """Play through states from Python, ours or OpenSpiel's: each chance event is answered by one of its outcomes."""

    def one(rng: Random) -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(drawn(state.chance_outcomes(), rng))
                continue
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return by_hand(one)


def openspiel_states(name: str) -> Run:
    """Play OpenSpiel's game from Python, state by state."""
    import pyspiel

    return explicit(pyspiel.load_game(name))


def openspiel_inside(name: str) -> Run:
    """Play OpenSpiel's game inside its own loop."""
    import pyspiel

    game = pyspiel.load_game(name)
    per_play = _decisions(name)

    def run(count: int, seed: int) -> tuple[int, int]:
        bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in range(game.num_players())]
        for number in range(count):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed + number)
        return count, round(per_play * count)

    return run


def _decisions(name: str) -> float:
    """Return how many decisions a random play of OpenSpiel's game has on average; its own loop does not count them."""
    plays, decisions = openspiel_states(name)(200, 1)
    return decisions / plays


def rlcard_leduc() -> Run:
    """Play RLCard's Leduc through its environment."""
    rlcard: Any = importlib.import_module("rlcard")

    def run(count: int, seed: int) -> tuple[int, int]:
        environment: Any = rlcard.make("leduc-holdem", config={"seed": seed})
        rng = Random(seed)
        decisions = 0
        for _ in range(count):
            state, _ = environment.reset()
            while not environment.is_over():
                legal = list(state["legal_actions"])
                state, _ = environment.step(legal[int(rng.random() * len(legal))])
                decisions += 1
        return count, decisions

    return run


def by_hand_in_c() -> Run:
    """Play Hearts as it is written by hand in C, having compared it with that in Python.

    Raises NativeUnavailableError where there is no compiler.
    """
    with TemporaryDirectory() as folder:
        made = Path(folder, "plain_hearts.so")
        source = Path(__file__).with_name("plain_hearts.c")
        flags = ["-std=gnu99", "-O2", "-march=native", "-fPIC", "-shared"]
        subprocess.run([*compiler(), *flags, str(source), "-o", str(made)], check=True)
        calls = ctypes.CDLL(str(made))
    calls.hearts_deals.restype = c_int64
    calls.hearts_deals.argtypes = (c_uint64, c_int64, POINTER(c_int64))
    for seed in range(20):
        told, points = (c_int * (52 + DECISIONS))(), (c_int * 4)()
        calls.hearts_deal(c_uint64(seed), told, points)
        game = plain_hearts.PlainHearts(told[:52])
        for action in told[52:]:
            assert action in game.legal()
            game.apply(action)
        assert points[:] == game.scores()

    def run(count: int, seed: int) -> tuple[int, int]:
        return count, calls.hearts_deals(seed, count, (c_int64 * 4)())

    return run


def side_by_side(game: Game) -> Run:
    """Play in one of our vectors, actions drawn by its sampler, masks and rewards made at every step."""

    def run(count: int, seed: int) -> tuple[int, int]:
        vector = game.vector(SIDE_BY_SIDE, seed)
        plays = steps = 0
        while plays < count:
            vector.step(vector.sample())
            plays += int(vector.terminated.sum() + vector.truncated.sum())
            steps += SIDE_BY_SIDE
        return plays, steps

    return run


def pgx_side_by_side(name: str) -> Run:
    """Play in pgx, compiled for the processor by JAX; actions are drawn from its masks, plays that end begin anew."""
    jax: Any = importlib.import_module("jax")
    pgx: Any = importlib.import_module("pgx")
    auto_reset: Any = importlib.import_module("pgx.experimental").auto_reset
    environment: Any = pgx.make(name)
    begin = jax.jit(jax.vmap(environment.init))
    step = jax.vmap(auto_reset(environment.step, environment.init))

    def one(held: Any, _: Any) -> Any:
        state, key = held
        key, choosing, going = jax.random.split(key, 3)
        scores = jax.random.uniform(choosing, state.legal_action_mask.shape)
        actions = (scores * state.legal_action_mask).argmax(axis=1)
        state = step(state, actions, jax.random.split(going, SIDE_BY_SIDE))
        return (state, key), state.terminated.sum()

    many = jax.jit(lambda held: jax.lax.scan(one, held, None, length=64))

    def run(count: int, seed: int) -> tuple[int, int]:
        key = jax.random.PRNGKey(seed)
        held = (begin(jax.random.split(key, SIDE_BY_SIDE)), key)
        plays = steps = 0
        while plays < count:
            held, ended = many(held)
            plays += int(ended.sum())
            steps += 64 * SIDE_BY_SIDE
        return plays, steps

    return run


def contestants(games: Iterable[str]) -> list[tuple[str, str, Run]]:
    """Return (game, who plays it, how) for all that is installed."""
    found: list[tuple[str, str, Run]] = []
    for name in games:
        options = GAMES[name]
        game = load(name, options=options, native=False)
        found.append((name, "states", public(game)))
        found.append((name, "states, chance explicit", explicit(game)))
        with suppress(NativeUnavailableError):
            native = load(name, options=options, native=True)
            found.append((name, "native states", public(native)))
            found.append((name, "native states, chance explicit", explicit(native)))
            found.append((name, "native playouts", inside(native)))
            if find_spec("numpy"):
                found.append((name, "vector", side_by_side(native)))
            if name == "classics/hearts":
                found.append((name, "by hand in C", by_hand_in_c()))
        if name in BY_HAND:
            found.append((name, "by hand", by_hand(BY_HAND[name])))
        if name in THEIRS and find_spec("pyspiel"):
            found.append((name, "OpenSpiel from Python", openspiel_states(THEIRS[name])))
            found.append((name, "OpenSpiel's own loop", openspiel_inside(THEIRS[name])))
        if name == "classics/leduc_poker" and find_spec("rlcard"):
            found.append((name, "RLCard", rlcard_leduc()))
        if name in PGX and find_spec("pgx"):
            found.append((name, "pgx", pgx_side_by_side(PGX[name])))
    return found


def timed(run: Run, count: int, seed: int) -> tuple[Rate, float]:
    """Return how fast so many plays went, and how long they took."""
    start = time.process_time()
    plays, decisions = run(count, seed)
    spent = max(time.process_time() - start, 1e-9)
    return Rate(plays / spent, decisions / spent), spent


def measured(runs: list[tuple[str, str, Run]], seconds: float, rounds: int) -> dict[tuple[str, str], Rate]:
    """Return the best rate of each contestant, all taking their rounds in turn."""
    for _, _, run in runs:
        run(1, 0)  # What is imported or compiled on the way is no part of a round.
    counts = {(game, who): max(1, round(timed(run, 20, 1)[0].plays * seconds)) for game, who, run in runs}
    best: dict[tuple[str, str], Rate] = {}
    for number in range(rounds):
        for game, who, run in runs:
            rate, _ = timed(run, counts[game, who], 1000 * number)
            if (game, who) not in best or rate.decisions > best[game, who].decisions:
                best[game, who] = rate
    return best


def main() -> None:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.field", description="Measure beside others.")
    parser.add_argument("--seconds", type=float, default=0.5, help="about how long a round takes (default 0.5)")
    parser.add_argument("--rounds", type=int, default=4, help="rounds, of which the best counts (default 4)")
    parser.add_argument("games", nargs="*", default=[*GAMES], help="which games (default all)")
    asked = parser.parse_args()
    rates = measured(contestants(asked.games), asked.seconds, asked.rounds)
    named = ["cardgame", "open_spiel", "rlcard", "pgx"]
    versions = [f"{name} {metadata.version(name)}" for name in named if find_spec(_MODULES[name])]
    print(f"Python {platform.python_version()}, {', '.join(versions)}; per second of processor time")
    print()
    print("| game | who | plays | decisions | to our states |")
    print("|---|---|---:|---:|---:|")
    for (game, who), rate in rates.items():
        ratio = rate.decisions / rates[game, "states"].decisions
        print(f"| {game} | {who} | {rate.plays:,.0f} | {rate.decisions:,.0f} | {ratio:.2f} |")
    told = [
        (game, ours, theirs, rates[game, ours].decisions / rates[game, theirs].decisions)
        for game in asked.games
        for ours, theirs in COMPARED
        if (game, ours) in rates and (game, theirs) in rates
    ]
    print()
    print("| game | ours | theirs | decisions, ours to theirs |")
    print("|---|---|---|---:|")
    for game, ours, theirs, ratio in told:
        print(f"| {game} | {ours} | {theirs} | {ratio:.2f} |")


_MODULES = {"cardgame": "interpreter", "open_spiel": "pyspiel", "rlcard": "rlcard", "pgx": "pgx"}

if __name__ == "__main__":
    main()
