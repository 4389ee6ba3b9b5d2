"""Which games the tests of adapters play: each that comes with the program, in settings that end soon."""

from __future__ import annotations

import re
from typing import Any

import pytest

from interpreter.loader import bundled_games, bundled_variants
from tests.bundled import player_counts

SHORT: dict[str, dict[str, Any]] = {
    "two_player_wizard": {"hand_size": 4, "max_hands": 3},
    "wizard_three_suits": {"max_hands": 3},
    "wizards_grimoire": {"max_turns": 20},
    "grimoire_grim": {"max_turns": 20},
    "grimoire_plain": {"max_turns": 20},
}
"""Options with which a random play does not take thousands of decisions."""


def short_of(name: str) -> dict[str, Any]:
    """Return the options for a short play of a bundled game."""
    return SHORT.get(name.rpartition("/")[2], {})


def load_string(name: str, players: int, **more: Any) -> str:
    """Return how OpenSpiel loads a bundled game."""
    given = {"players": players, **short_of(name), **more}
    return f"cardgame_{name.rpartition('/')[2]}({','.join(f'{key}={value}' for key, value in given.items())})"


QUICK = ("arcanity", "classics/kuhn_poker", "classics/love_letter")
"""Games with decisions at once, a small tree, and players who drop out."""

EVERY_SETTING = [
    pytest.param(name, players, marks=[pytest.mark.soak] if name not in QUICK or players != least else [])
    for name in (*bundled_games(), *bundled_variants())
    for least in (player_counts(name)[0],)
    for players in player_counts(name)
]
"""Every game and number of players; in the default run three games with as few as can play each."""


def soak_only(*values: Any) -> Any:
    """Return parameters for a long run."""
    return pytest.param(*values, marks=pytest.mark.soak, id=re.sub(r"\W+", "-", "-".join(map(str, values))))
