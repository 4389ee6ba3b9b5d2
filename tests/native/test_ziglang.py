"""The compiler of the package `ziglang`, end to end: no `cc` on the PATH, an empty cache."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from interpreter import load
from interpreter.native.library import compiler_environment
from tests.native.test_c import needs_compiler

ZIG = ["python", "-m", "ziglang", "cc"]

SCRIPT = """
import json
from random import Random
from interpreter import Belief, load
from interpreter.agents import agent
from interpreter.native.library import compiler

game = load("classics/love_letter", native=True)
state = game.new_initial_state()
for _ in range(8):
    state.resolve_chance(Random(1))
    state.apply_action(state.legal_actions()[0])
state.resolve_chance(Random(1))
belief = Belief(state, state.current_player(), 1)
print(json.dumps({
    "compiler": compiler()[-3:], "playouts": [list(r) for r in game.random_playouts(100, seed=3).returns],
    "search": agent("search:50", game).engine, "belief": belief.mixing.method, "worlds": len(belief.draw(3)),
}))
"""


@pytest.mark.skipif(find_spec("ziglang") is None, reason="the package `ziglang` is not installed")
@needs_compiler
@pytest.mark.parametrize("home", [True, pytest.param(False, marks=pytest.mark.soak)], ids=["home", "no home"])
def test_games_are_built_and_searched_with_ziglang_alone(home: bool, tmp_path: Path) -> None:
    """Without a home Zig has no cache of its own, and builds its parts anew for each library."""
    (tmp_path / "bin").mkdir()
    where = {"PATH": str(tmp_path / "bin"), "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=where | ({"XDG_CACHE_HOME": str(tmp_path)} if home else {}),
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["compiler"] == ["-m", "ziglang", "cc"]
    assert (found["search"], found["belief"], found["worlds"]) == ("C", "walks", 3)
    ours = load("classics/love_letter", native=True).random_playouts(100, seed=3).returns
    assert found["playouts"] == [list(returns) for returns in ours], "another compiler plays the same games"


def test_zig_keeps_its_cache_in_the_build_folder_where_there_is_no_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CACHE_HOME", "HOME", "ZIG_GLOBAL_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert compiler_environment(ZIG, tmp_path)["ZIG_GLOBAL_CACHE_DIR"] == str(tmp_path / "zig")
    assert "ZIG_GLOBAL_CACHE_DIR" not in compiler_environment(["cc"], tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "ZIG_GLOBAL_CACHE_DIR" not in compiler_environment(ZIG, tmp_path)
