"""All libraries of a game under the compiler's sanitizers: `python -m tests.native.sanitized SPEC --plays 20`.

Plain plays, plays whose chance is asked for, counted plays, watched plays with walks of a belief, searches, and the
training of a network with a look ahead; in the first two each decision is also tried with what is no action.  Whatever
a sanitizer finds ends the process, and the exit code is not 0.
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from interpreter import Game, RuleError, State, load
from interpreter.agents import AgentView, Budget
from interpreter.agents.policy import GuidedSearchAgent, LookAgent, NetworkAgent
from interpreter.fuzz.playouts import drawn
from interpreter.loader import find_spec, signature
from interpreter.native.belief import NativeBelief
from interpreter.native.library import compiler
from interpreter.native.native_state import ExplicitGame, new_native_state
from interpreter.native.plays import NativeGame, WatchedGame
from interpreter.native.search import NativeSearch
from interpreter.simulate.recording import CountedGame, Layout
from interpreter.solve.policy_file import PolicyError
from interpreter.training.network import read_network, write_network
from interpreter.training.trainer import Budget as TrainingBudget
from interpreter.training.trainer import Trainer
from tests.native.taped import NativePlay
from tests.training.damage import damaged

FLAGS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_INSIDE = "CARDGAME_SANITIZED"


def wrong(game: Game, rng: random.Random) -> tuple[int, ...]:
    """Return numbers that are no actions, and one that may be none that is legal."""
    actions = game.num_distinct_actions
    return (-1, -(2**31), actions, 2**31 - 1, rng.randrange(actions))


def hostile(native: NativeGame, plays: int) -> None:
    """Play at random, and try at each decision what is no action, or none that is legal: it changes nothing."""
    for seed in range(plays):
        rng, play = random.Random(seed), NativePlay(native, seed)
        try:
            while legal := play.legal_actions():
                for action in (2**62, -(2**62), *wrong(play.native.game, rng)):  # type: ignore[arg-type]
                    if action not in legal:
                        refused = False
                        try:
                            play.apply_action(action)
                        except ValueError:
                            refused = True
                        assert refused
                assert play.legal_actions() == legal
                play.apply_action(rng.choice(legal))
        except RuleError:
            pass
    native.playouts(1, plays)


def explicit(game: Game, native: ExplicitGame, plays: int) -> None:
    """Play with chance answered outcome by outcome; numbers that are no actions go to the library without a check."""
    for seed in range(plays):
        rng, state = random.Random(seed), new_native_state(State, game, native)
        try:
            while not state.is_terminal() and (play := state._play) is not None:
                chance = state.is_chance_node()
                legal = [outcome for outcome, _ in state.chance_outcomes()] if chance else state.legal_actions()
                before = state.clone()
                for action in wrong(game, rng):
                    if action not in legal:
                        assert play.apply(action) < -4
                if chance and rng.random() < 0.1:
                    state.resolve_chance(rng)
                else:
                    state.apply_action(drawn(state.chance_outcomes(), rng) if chance else rng.choice(legal))
                assert before.legal_actions() == legal
        except RuleError:
            pass


def begun(game: Game, seed: int) -> State:
    """Return a play after a random number of random actions, at most until its last decision."""
    rng, state = random.Random(seed), game.new_python_state()
    state.resolve_chance(rng)
    for _ in range(rng.randrange(40)):
        after = state.clone()
        after.apply_action(rng.choice(after.legal_actions()))
        after.resolve_chance(rng)
        if after.is_terminal():
            break
        state = after
    return state


def watched(game: Game, native: WatchedGame, plays: int) -> None:
    """Walk from, and search at, some decisions of random plays."""
    for seed in range(plays):
        state = begun(game, seed)
        belief = NativeBelief(native, state, state.current_player(), random.Random(seed))
        for walk in belief._walks:
            walk.go(50)
        worlds = [walk.state() for walk in belief._walks]
        NativeSearch(native, state.current_player(), seed, limit=100, room=5000).grow(worlds, 50)


def learned(game: Game, plays: int) -> None:
    """Train a network for one round, and let it look ahead and guide searches at some decisions of random plays."""
    trainer = Trainer(game)
    network = trainer.train(TrainingBudget(rounds=1))
    players = [agent(game, 1, network, Budget(iterations=64)) for agent in (LookAgent, GuidedSearchAgent)]
    for seed in range(plays):
        state = begun(game, seed)
        for player in players:
            player.act(AgentView(state))


def attacked(game: Game, mutations: int) -> None:
    """Damage a policy file so many times; a file that is not refused is played, and looks ahead."""
    refused, played = 0, 0
    with tempfile.TemporaryDirectory() as made:
        path = Path(made, "attacked.policy")
        write_network(Trainer(game).train(TrainingBudget(rounds=1)), path, game)
        whole, rng = path.read_bytes(), random.Random(1)
        for seed in range(mutations):
            path.write_bytes(damaged(whole, rng))
            try:
                network = read_network(path, game)
            except PolicyError:
                refused += 1
                continue
            state = begun(game, seed)
            played += 1
            NetworkAgent(game, seed, network).act(AgentView(state))
            LookAgent(game, seed, network, Budget(iterations=8)).act(AgentView(state))
            GuidedSearchAgent(game, seed, network, Budget(iterations=8)).act(AgentView(state))
    print(f"{mutations} damaged policies: {refused} refused, {played} played")


def run(name: str, players: int, plays: int, policies: int) -> None:
    """Do all of it, in a process that has the sanitizers' own library."""
    game = load(name, players)
    if policies:
        attacked(game, policies)
        return
    hostile(NativeGame(game), plays)
    explicit(game, ExplicitGame(game), plays)
    CountedGame(game).counted(Layout(game), 1, 0, plays)
    watched(game, WatchedGame(game), plays)
    learned(game, min(plays, 3))


def start(name: str, players: int, plays: int, policies: int = 0) -> subprocess.CompletedProcess[str]:
    """Do all of it in another process, and return how that ended."""
    runtime = subprocess.run([*compiler(), "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    environment = {
        **os.environ, _INSIDE: "1", "LD_PRELOAD": runtime.stdout.strip(), "ASAN_OPTIONS": "detect_leaks=0",
        "CARDGAME_CACHE": "off", "CC": shlex.join([*compiler(), *FLAGS]), "PYTHONMALLOC": "malloc",
    }  # fmt: skip
    command = [sys.executable, "-m", __name__ if __name__ != "__main__" else "tests.native.sanitized", name]
    command += ["--players", str(players), "--plays", str(plays), "--policies", str(policies)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def main() -> int:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.native.sanitized", description="Run a game under sanitizers."
    )
    parser.add_argument("specs", nargs="+", help="specs, or names of bundled games")
    parser.add_argument("--plays", type=int, default=20, help="how many plays of each kind (default 20)")
    parser.add_argument("--policies", type=int, default=0, help="only this: so many damaged policy files")
    parser.add_argument("--players", type=int, help="for how many; else for each number that the game is for")
    asked = parser.parse_args()
    if os.environ.pop(_INSIDE, None):
        del os.environ["LD_PRELOAD"]  # The compiler is to be as ever.
        run(asked.specs[0], asked.players, asked.plays, asked.policies)
        return 0
    bad = 0
    for name in asked.specs:
        low, high = signature(find_spec(name)).players
        for players in [asked.players] if asked.players else range(low, high + 1):
            done = start(name, players, asked.plays, asked.policies)
            bad += done.returncode != 0
            found = done.stdout.strip() or "nothing" if done.returncode == 0 else done.stderr[-3000:]
            print(f"{name} for {players}: {found}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
