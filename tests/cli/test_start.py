"""The start of a play of a cached game needs no parser, checker, compiler or rulebook."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.keeping import keep_parsers

HEAVY = (
    "lark", "grammar.ast", "grammar.parser", "interpreter.analysis.core", "interpreter.analysis.checker",
    "interpreter.program.nodes", "interpreter.program.optimise", "interpreter.rulebook.book",
    "interpreter.belief.belief", "interpreter.table.reasons",
)  # fmt: skip
"""Modules that take long to import, and that no prompt needs."""

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("imported", ["cli.terminal.play_session", "cli.terminal.resumable", "interpreter.cache"])
def test_the_modules_of_a_play_import_nothing_heavy(imported: str) -> None:
    code = f"import sys, {imported}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert imported in done.stdout.split()
    assert set(HEAVY).isdisjoint(done.stdout.split())


def test_a_play_of_a_cached_game_imports_nothing_heavy_up_to_its_first_prompt(tmp_path: Path) -> None:
    keep_parsers(tmp_path / "cardgame")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    environment["CARDGAME_CACHE"] = "on"
    command = [sys.executable, "-X", "importtime", "-m", "cli.main", "play", "classics/kuhn_poker", "--seed", "1"]
    seen = []
    for _ in range(2):
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
        )
        assert "player 1 is to act" in done.stdout
        seen.append({line.rpartition("|")[2].strip() for line in done.stderr.splitlines()})
    compiled, cached = seen
    assert set(HEAVY) & compiled, "the first play compiles the game"
    assert "interpreter.cache" in cached
    assert set(HEAVY).isdisjoint(cached)


@pytest.mark.parametrize("imported", ["click", "cli.failures", "cli.commands.list"])
def test_an_interrupt_while_modules_are_imported_ends_the_process_with_130(imported: str) -> None:
    code = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell ignores it for jobs in the background
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {imported!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "sys.argv = ['cardgame', 'list']\n"
        "from cli.start import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.strip()) in [(130, "", ""), (130, "", "stopped")]
