"""A small spec with libraries, and what tests ask of games that are kept."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter import Game, load

ROOT = Path(__file__).parents[1]

SPEC = """cardgame 1
use "lib/cards.cardgame"

game "Small"
    players 2..3
    at most 9 decisions

option rounds: 1..3 = 2 "how often each plays"
option open = false
option opener: one | other = one

zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    table:        row, seen by all

state
    points[player]: integer = 0

deck in stock
    2 of each Number

play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    for round in 1..rounds
        for p in players
            p chooses "{you} play a card"
                play card c from hand[p]        [R1]
                    move c to table
                    points[p] += worth(c)

result
    score p = points[p]
"""
CARDS = """cardgame 1
use "values.cardgame"

enum Suit: red "R", blue "B"
card Number(suit: Suit, rank: 1..5) written "{suit}{rank}"
"""
RUN = Path(os.environ["XDG_CACHE_HOME"]) / "cardgame"
VALUES = "cardgame 1\ndefine worth(c: card) = c.rank + {}\n"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Write a spec with a library that uses another."""
    (tmp_path / "specs" / "lib").mkdir(parents=True)
    (tmp_path / "specs" / "lib" / "cards.cardgame").write_text(CARDS)
    (tmp_path / "specs" / "lib" / "values.cardgame").write_text(VALUES.format(0))
    path = tmp_path / "specs" / "small.cardgame"
    path.write_text(SPEC)
    return path


@pytest.fixture
def parsers(cache: Path) -> None:
    """Keep the tables of parsers as this run has them, so that the processes of a test need not build them."""
    keep_parsers(cache)


def keep_parsers(cache: Path) -> None:
    """Copy the tables of parsers of this run to another cache folder."""
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in RUN.glob("*.json"):
        shutil.copy2(path, cache)


def was_kept(game: Game) -> bool:
    """Say whether a game came from the cache."""
    return game._kept_code is not None


def is_untouched(game: Game) -> bool:
    """Say whether nobody has asked for what stands behind a game."""
    return "compilation" not in vars(game)


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.game"))


def again(small: Path, **asked: Any) -> Game:
    """Load twice; the second time must be from what the first one kept."""
    assert not was_kept(load(small, **asked))
    game = load(small, **asked)
    assert was_kept(game)
    return game


def scores(game: Game) -> object:
    """Return the end of one play."""
    state = game.new_initial_state()
    rng = Random(7)
    while not state.is_terminal():
        if state.is_chance_node():
            state.resolve_chance(rng)
        else:
            state.apply_action(state.legal_actions()[0])
    return state.outcome()
