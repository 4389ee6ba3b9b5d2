"""OpenSpiel's playthroughs of our games: everything that its interface tells of one play, as text.

`python -m tests.adapters.playthroughs FOLDER LOAD_STRING..` writes some.  They have up to tens of megabytes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyspiel
from absl import flags

from interpreter.adapters import openspiel
from tests.adapters.settings import load_string

ROOT = Path(__file__).parents[2]
SHORTER: dict[str, dict[str, Any]] = {
    "arcanity": {"limit": 10},
    "arcanity_schools": {"limit": 10},
    "arcanity_second_thoughts": {"limit": 10},
    "two_player_wizard": {"max_hands": 1},
    "wizard_three_suits": {"max_hands": 1},
    "wizards_grimoire": {"max_turns": 4},
    "grimoire_grim": {"max_turns": 4},
    "grimoire_plain": {"max_turns": 4},
    "wizards_duel": {"cut": "half"},
    "duel_d20": {"cut": "half"},
    "duel_drinking": {"cut": "half"},
    "go_fish": {"ranks": 7},
}
"""Options for plays of which each state can be written down in full, or searched."""


def told(name: str, players: int) -> str:
    """Return how OpenSpiel loads a bundled game for a playthrough."""
    return load_string(name, players, **SHORTER.get(name.rpartition("/")[2], {}))


def _theirs() -> Any:
    # Late: it imports SciPy, which takes as long as to collect a thousand tests, and each worker collects all of them.
    from open_spiel.python.algorithms import generate_playthrough

    return generate_playthrough


def written(load: str, seed: int) -> str:
    """Return the playthrough of a game."""
    assert isinstance(pyspiel.load_game(load), openspiel.CardGame)
    # Their command parses its line before it writes one; here there is none.
    flags.FLAGS.mark_as_parsed()
    text: str = _theirs().playthrough(load, None, seed=seed)
    return text


def written_elsewhere(settings: Sequence[tuple[str, int]], folder: Path) -> list[Path]:
    """Write playthroughs of games with so many players in another process, in which sets have another order."""
    loads = [told(name, players) for name, players in settings]
    command = [sys.executable, "-m", "tests.adapters.playthroughs", str(folder), *loads]
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    if environment.pop("PYTHONPYCACHEPREFIX", ""):  # The compiled SciPy lies where it is installed (see `conftest`).
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return [folder / f"{number}.txt" for number in range(len(loads))]


def again(file: Path) -> tuple[str, str]:
    """Return a playthrough that was written, and the same play now."""
    flags.FLAGS.mark_as_parsed()
    before, now = _theirs().replay(str(file))
    return before, now


if __name__ == "__main__":
    for number, load in enumerate(sys.argv[2:]):
        (Path(sys.argv[1]) / f"{number}.txt").write_text(written(load, number + 2), encoding="utf-8")
