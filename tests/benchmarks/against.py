"""Compare the speed of this checkout with another one: `python -m tests.benchmarks.against OTHER_CHECKOUT`.

Both checkouts need a `.venv` of their own, and are used through the public interface alone (`interpreter.load`,
`random_playouts`, `vector`, agents by name, the command `cardgame`), so that modules may have moved between them.
Every measure of a game alternates between the two, in processes that stay the same for all rounds; what is printed is
the median over the rounds of the ratio of two neighbouring runs, so a machine that is busy with something else slows
both alike.  A ratio above 1 always means that this checkout is faster.  All times are processor time.  On a
machine with more work than cores a ratio of two equal checkouts is between 0.9 and 1.1; more `--rounds` bring it closer
to 1.

| measure | what runs |
|---|---|
| `states` | random plays through states, in Python (`load(NAME, native=False)`) |
| `explicit` | the same through native states, each chance event answered by one of its outcomes |
| `playouts` | `random_playouts` in C |
| `vector` | `vector(1024)`, stepped with its sampler |
| `search` | iterations of the agent `search` in C, worlds included |
| `validate` | the command `cardgame validate NAME` |
| `load` | a process that loads the game from its text |
| `play` | `cardgame play NAME` of a cached game at a terminal, up to its first prompt |

Examples:
    python -m tests.benchmarks.against ../base
    python -m tests.benchmarks.against ../base --measures playouts,vector --games classics/hearts,classics/go_fish
    python -m tests.benchmarks.against ../base --measures validate,load,play --rounds 9
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from interpreter.loader import bundled_games

ROOT = Path(__file__).parents[2]
RATES = ("states", "explicit", "playouts", "vector", "search")
"""Measures of how much a process does in a second."""
COMMANDS = ("validate", "load", "play")
"""Measures of how long a new process takes."""
_PROMPT = re.compile(rb"(^|\n)> $")
_LOAD = "import sys; from interpreter import load; load(sys.argv[1])"

_WORKER = """
import json, sys, time
from importlib import import_module
from random import Random

from interpreter import load

def agents():
    for name in ("interpreter.agents", "interpreter.drivers.agents"):
        try:
            return import_module(name)
        except ModuleNotFoundError:
            pass
    raise SystemExit("the package of the agents is not where it was: see `agents` in tests/benchmarks/against.py")

def step(state, rng, explicit):
    if not state.is_chance_node():
        legal = state.legal_actions()
        state.apply_action(legal[int(rng.random() * len(legal))])
        return 1
    if not explicit:
        state.resolve_chance(rng)
        return 0
    left = rng.random()
    for outcome, probability in state.chance_outcomes():
        left -= probability
        if left <= 0:
            break
    state.apply_action(outcome)
    return 0

def plays(game, explicit):
    def run(count, seed):
        rng, decisions = Random(seed), 0
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                decisions += step(state, rng, explicit)
        return decisions
    return run

def playouts(game):
    return lambda count, seed: game.random_playouts(count, seed).decisions

def vector(game):
    found = game.vector(1024, seed=1)
    def run(count, seed):
        for _ in range(count):
            found.step(found.sample())
        return 1024 * count
    return run

def search(game):
    module, state, rng, choices = agents(), game.new_initial_state(), Random(1), []
    while not state.is_terminal():
        if not state.is_chance_node() and len(state.legal_actions()) > 1:
            choices.append(state.clone())
        step(state, rng, False)
    positions = [choices[len(choices) * quarter // 4] for quarter in range(4)]  # early, in the middle and late
    def run(count, seed):
        view = module.AgentView(positions[seed % 4])
        return module.agent(f"search:{100 * count}", game, seed=seed).think(view).iterations
    for seed in range(4):
        run(1, seed)  # What a belief keeps of a position is made once, however many iterations follow.
    return run

name, measure = sys.argv[1:]
game = load(name, native=measure != "states")
makers = {
    "states": lambda: plays(game, False), "explicit": lambda: plays(game, True), "playouts": lambda: playouts(game),
    "vector": lambda: vector(game), "search": lambda: search(game),
}
run = makers[measure]()
run(1, 0)  # Code is printed, compiled and loaded here.
for line in sys.stdin:
    count, seed = json.loads(line)
    began = time.process_time()
    units = run(count, seed)
    print(json.dumps([units, time.process_time() - began]), flush=True)
"""


@attrs.frozen
class Checkout:
    """A checkout of the project, with a cache folder of its own for the time of the comparison."""

    root: Path
    home: Path

    def environment(self, cache: str = "on") -> dict[str, str]:
        """Return the environment in which the code of this checkout runs."""
        kept = {name: text for name, text in os.environ.items() if not name.startswith(("CARDGAME", "PYTHON"))}
        return kept | {
            "PYTHONPATH": str(self.root),
            "PYTHONPYCACHEPREFIX": str(self.home / "bytecode"),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_DATA_HOME": str(self.home / "data"),
            "CARDGAME_CACHE": cache,
            "TERM": "xterm",
        }

    @property
    def folder(self) -> Path:
        """The folder of its commands."""
        return self.root / ".venv" / "bin"


class Worker:
    """A process of a checkout that runs one measure of one game, as often as its input says."""

    def __init__(self, checkout: Checkout, game: str, measure: str) -> None:
        self._process = subprocess.Popen(
            [checkout.folder / "python", "-c", _WORKER, game, measure],
            cwd=checkout.home, env=checkout.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, count: int, seed: int) -> tuple[int, float]:
        """Return how many units of work were done, and the seconds that they took."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([count, seed]) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit("a worker ended early: its error is above")
        units, seconds = json.loads(answer)
        return units, max(seconds, 1e-9)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def rate_ratios(ours: Checkout, other: Checkout, game: str, measure: str, seconds: float, rounds: int) -> list[float]:
    """Return the rate of our worker by that of the other one, for each round."""
    workers = [Worker(checkout, game, measure) for checkout in (ours, other)]
    counts: list[int] = []
    for worker in workers:
        count, spent = 1, worker.run(1, 1)[1]
        while spent < seconds / 4 and count < 2**40:
            count *= 4
            spent = worker.run(count, 1)[1]
        counts.append(max(1, round(count * seconds / spent)))
    found = []
    for number in range(rounds):
        rates = {}
        for index in (0, 1) if number % 2 else (1, 0):
            units, spent = workers[index].run(counts[index], 1000 + number)
            rates[index] = units / spent
        found.append(rates[0] / rates[1])
    for worker in workers:
        worker.close()
    return found


def command_seconds(checkout: Checkout, *words: str, cache: str = "parsers") -> float:
    """Return the seconds that a command takes from its start to its end, those of its children included."""
    before = os.times()
    done = subprocess.run(words, cwd=checkout.home, env=checkout.environment(cache), capture_output=True, text=True)
    after = os.times()
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return after.children_user + after.children_system - before.children_user - before.children_system


def validate_seconds(checkout: Checkout, game: str) -> float:
    """Return what `cardgame validate` takes."""
    return command_seconds(checkout, str(checkout.folder / "cardgame"), "validate", game)


def load_seconds(checkout: Checkout, game: str) -> float:
    """Return what a process takes that loads a game from its text."""
    return command_seconds(checkout, str(checkout.folder / "python"), "-c", _LOAD, game)


def play_seconds(checkout: Checkout, game: str, *arguments: str) -> float:
    """Return what `cardgame play` takes up to its first prompt, at a terminal."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(checkout.home)
        command = str(checkout.folder / "cardgame")
        os.execve(command, [command, "play", game, "--seed", "1", "--new", *arguments], checkout.environment())
    shown = b""
    try:
        while not _PROMPT.search(shown.replace(b"\r", b"")):
            shown += os.read(terminal, 65536)
    except OSError:
        raise SystemExit(f"`cardgame play {game}` ends before its first prompt:\n{shown.decode()}") from None
    finally:
        os.kill(process, signal.SIGKILL)
        _, _, usage = os.wait4(process, 0)
        os.close(terminal)
    return usage.ru_utime + usage.ru_stime


COMMAND_SECONDS: dict[str, Callable[[Checkout, str], float]] = {
    "validate": validate_seconds,
    "load": load_seconds,
    "play": play_seconds,
}


def command_ratios(ours: Checkout, other: Checkout, game: str, measure: str, rounds: int) -> tuple[list[float], float]:
    """Return the seconds of the other checkout by ours, for each round; and the median of our seconds."""
    seconds = COMMAND_SECONDS[measure]
    for checkout in (ours, other):
        seconds(checkout, game)  # Bytecode, parsers, games and libraries are cached here.
    found, spent = [], []
    for number in range(rounds):
        if number % 2:
            mine, theirs = seconds(ours, game), seconds(other, game)
        else:
            theirs, mine = seconds(other, game), seconds(ours, game)
        found.append(theirs / mine)
        spent.append(mine)
    return found, statistics.median(spent)


def compared(ours: Checkout, other: Checkout, asked: Any) -> dict[str, list[float]]:
    """Print a line for each game; return the ratios of all games by measure."""
    ratios: dict[str, list[float]] = {measure: [] for measure in asked.measures}
    print(f"| game | {' | '.join(asked.measures)} |")
    print("|---|" + "---:|" * len(asked.measures))
    for game in asked.games:
        print(f"| {game} ", end="", flush=True)
        for measure in asked.measures:
            note = ""
            if measure in RATES:
                found = rate_ratios(ours, other, game, measure, asked.seconds, asked.rounds)
            else:
                found, spent = command_ratios(ours, other, game, measure, asked.rounds)
                note = f" ({spent:.2f} s)"
            ratios[measure].append(statistics.median(found))
            print(f"| {ratios[measure][-1]:.2f}{note} ", end="", flush=True)
        print("|", flush=True)
    return ratios


def _choice(names: tuple[str, ...]) -> Callable[[str], list[str]]:
    """Return a reader of names separated by commas."""

    def read(text: str) -> list[str]:
        chosen = text.split(",")
        if unknown := [name for name in chosen if name not in names]:
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(unknown)}; expected some of {', '.join(names)}")
        return chosen

    return read


def main() -> None:
    """Compare and print a table in Markdown."""
    games = tuple(bundled_games())
    measures = (*RATES, *COMMANDS)
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.against", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("other", type=Path, help="the folder of the other checkout")
    parser.add_argument("--measures", type=_choice(measures), default=measures, help="names with commas; default all")
    parser.add_argument("--games", type=_choice(games), default=games, help="names with commas; default all bundled")
    parser.add_argument("--seconds", type=float, default=0.2, help="processor time of one run of a rate (default 0.2)")
    parser.add_argument("--rounds", type=int, default=9, help="pairs of runs (default 9)")
    asked = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        ours, other = Checkout(ROOT, Path(first)), Checkout(asked.other.resolve(), Path(second))
        for checkout in (ours, other):
            if not (checkout.folder / "python").exists():
                parser.error(f"{checkout.folder}/python does not exist: each checkout needs a .venv")
        ratios = compared(ours, other, asked)
    means = [statistics.geometric_mean(found) for found in ratios.values()]
    print(f"| geometric mean | {' | '.join(f'{mean:.2f}' for mean in means)} |")
    print(f"\n{ROOT} against {asked.other}; {time.perf_counter() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
