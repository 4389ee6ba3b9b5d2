"""The start of a play of a cached game needs no parser, checker, compiler or rulebook."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "lark", "grammar.ast", "grammar.parser", "interpreter.analysis.core", "interpreter.analysis.checker",
    "interpreter.program.nodes", "interpreter.program.passes", "interpreter.rulebook.book",
    "interpreter.runtime.belief.belief", "interpreter.runtime.text.reasons",
)  # fmt: skip
"""Modules that take long to import, and that no prompt needs."""

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("imported", ["cli.terminal.play_session", "cli.terminal.unfinished", "interpreter.cache"])
def test_the_modules_of_a_play_import_nothing_heavy(imported: str) -> None:
    code = f"import sys, {imported}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert imported in done.stdout.split()
    assert set(HEAVY).isdisjoint(done.stdout.split())
