"""Kill plays at a pseudo-terminal at random moments, and see that nothing is gone: `python -m tests.cli.kills`.

One play after another is killed (SIGKILL) some milliseconds after a decision was typed, or somebody has just sat
down, and taken up again at another pseudo-terminal, until it is over.  A decision is acknowledged when the next
question stands on the screen.  After each kill the autosave must hold all that was acknowledged, in order, and at most
the one that was being typed; the next decision is one that is legal behind these, so a play that goes on elsewhere than
where it was would refuse it.
Exit code 3 where something is gone.
"""

from __future__ import annotations

import argparse
import os
import pty
import select
import signal
import sys
import tempfile
import time
from collections import Counter
from random import Random

from click.testing import CliRunner

from cli.main import main as command
from interpreter import load
from interpreter.engine.game import Game, State
from interpreter.records import autosave
from interpreter.records.session import resolve_from_seed
from interpreter.text.sentences import actions_of, words_of
from tests.cli.terminal import Terminal

GAMES = ("chalice_and_wand", "two_player_wizard", "classics/love_letter")
LONGEST_WAIT = 0.04
"""Seconds behind a line until the kill, at most: what a decision and the next screen take, and a little more."""


class Copy(Terminal):
    """The command line in a terminal of its own, as a copy of this process, which is quicker than a new one."""

    def __init__(self, *args: str) -> None:
        self.unread = b""
        self.pid, self.main = pty.fork()
        if self.pid == 0:
            try:
                sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
                sys.__stdin__, sys.__stdout__ = sys.stdin, sys.stdout  # type: ignore[misc]
                command(list(args), prog_name="cardgame")
            finally:
                os._exit(0)

    def kill(self) -> None:
        """Kill it, and read what it has written."""
        os.kill(self.pid, signal.SIGKILL)
        self.finish()

    def finish(self) -> None:
        """Read until it has ended."""
        try:
            while os.read(self.main, 4096):
                pass
        except OSError:
            pass
        os.close(self.main)
        os.waitpid(self.pid, 0)


class Play:
    """A play in which every seat is a person's, and what was acknowledged of it."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.seed = seed
        self.game: Game = load(name)
        self.said: list[str] = []
        self.seats = [word for seat in range(1, self.game.num_players + 1) for word in ("--seat", f"{seat}=human")]

    def state(self, *more: str) -> State:
        """Return the state after what was acknowledged, and more, with chance answered."""
        state = self.game.new_initial_state()
        for sentence in (*self.said, *more, None):
            if state.is_chance_node():
                resolve_from_seed(state, self.seed)
            if sentence is not None:
                for action in actions_of(state, sentence) or ():
                    state.apply_action(action)
        return state

    def next_sentence(self, rng: Random) -> str | None:
        """Return what is typed next; None where the play is over."""
        state = self.state()
        if state.is_terminal():
            return None
        found: list[str] = []
        while state.legal_actions() and (not found or state.is_unfinished()):
            action = rng.choice(state.legal_actions())
            found += words_of(state, action, begun=bool(found))
            state.apply_action(action)
            if state.is_terminal() or state.is_chance_node():
                break
        return " ".join(found)

    def kept(self) -> list[str]:
        """Return what the autosave holds."""
        found = autosave.resumable(None)
        return [sentence for _, sentence in found[0].save.said] if found else []


def is_prompting(terminal: Terminal) -> bool:
    """Read on until the next question; False where the play is over.  Who is alone says so."""
    while True:
        give_up = time.monotonic() + 60
        while not any(words in terminal.unread for words in (b"> ", b"when you are alone.", b"The seed was")):
            ready, _, _ = select.select([terminal.main], [], [], max(0.0, give_up - time.monotonic()))
            assert ready, terminal.unread.decode()
            terminal.unread += os.read(terminal.main, 4096)
        if b"The seed was" in terminal.unread:
            return False
        if b"when you are alone." in terminal.unread:
            terminal.until("when you are alone.")
            terminal.type("\r")
            continue
        terminal.until("> ")
        return True


def one_kill(play: Play, rng: Random, tally: Counter[str]) -> bool:
    """Play on, kill, and look at the autosave; False where the play is over."""
    resumed = ("--resume",) if play.kept() else ("--new",)
    terminal = Copy("play", play.name, "--seed", str(play.seed), *play.seats, "--ask-all", *resumed)
    typed = None
    for _ in range(rng.randrange(4)):
        if not is_prompting(terminal):
            break
        sentence = play.next_sentence(rng)
        if sentence is None:
            break
        terminal.type(sentence + "\r")
        if not is_prompting(terminal):
            play.said.append(sentence)
            terminal.type("no\r")  # another play is offered
            terminal.finish()
            return False
        play.said.append(sentence)
        terminal.unread = b"> "  # It stands there still, for the next.
    if is_prompting(terminal) and (typed := play.next_sentence(rng)) is not None:
        terminal.type(typed + ("\r" if rng.random() < 0.9 else ""))
    time.sleep(rng.random() * LONGEST_WAIT)
    terminal.kill()
    kept = play.kept()
    tally["kills"] += 1
    tally["acknowledged"] += len(play.said)
    if kept == play.said:
        tally["autosaves that end with what was acknowledged"] += 1
    elif typed is not None and kept == [*play.said, typed]:
        tally["autosaves with what was being typed as well"] += 1
        play.said.append(typed)
    elif not kept and any(play.state(*more).is_terminal() for more in ((), (typed or "",))):
        tally["plays that were over"] += 1
        return False
    else:
        tally["gone"] += 1
        print(f"gone: {play.name} seed {play.seed}\n  kept {kept}\n  acknowledged {play.said}\n  typed {typed}")
        return False
    return True


def run(kills: int, seed: int) -> int:
    """Kill so many times; return the exit code."""
    rng = Random(f"kills/{seed}")
    tally: Counter[str] = Counter()
    begun = time.monotonic()
    while tally["kills"] < kills:
        play = Play(GAMES[tally["plays"] % len(GAMES)], rng.randrange(10**6))
        tally["plays"] += 1
        for _ in range(min(25, kills - tally["kills"])):
            if not one_kill(play, rng, tally):
                break
            print(f"{tally['kills']} kills, {tally['gone']} gone", file=sys.stderr, flush=True)
        for found in autosave.resumable(None):
            autosave.discard(found)
    counts = ", ".join(f"{count:,} {what}" for what, count in sorted(tally.items()))
    print(f"{counts}, in {time.monotonic() - begun:,.0f} s")
    return 3 if tally["gone"] else 0


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.cli.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    asked_for = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cardgame-kills-") as folder:
        os.environ.update(XDG_STATE_HOME=folder, XDG_CACHE_HOME=folder, CARDGAME_CACHE="games", TERM="xterm")
        os.chdir(folder)
        for name in GAMES:  # What all plays need is there before the first copy is made.
            CliRunner().invoke(command, ["play", name, "--new"], input="")
        return run(asked_for.kills, asked_for.seed)


if __name__ == "__main__":
    sys.exit(main())
