"""What is bundled, as it comes: each game loaded once a run, for all tests that do nothing to it but read and play."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest

from grammar import store
from grammar.source import read_source
from interpreter import Game, load, loader
from interpreter.analysis.files import bundled_folder
from interpreter.loader import bundled_games, bundled_variants, find_spec, signature
from interpreter.scenarios.scenario import Result, run_source, scenario_files
from interpreter.setting import Signature

EVERY = [*bundled_games(), *bundled_variants()]
"""The names of all bundled games and variants."""

DIFFERENT = (
    "arcanity", "chalice_and_wand", "wizards_duel", "classics/hearts", "classics/kuhn_poker", "classics/love_letter",
    bundled_variants()[0],
)  # fmt: skip
"""Games with decisions at once, sets of cards, dice, four players, a small tree and players who drop out; a variant.

Tests over all games use these in `make test`, and the others in the soak (`conftest.py`).
"""


def one_in(number: int, cases: Mapping[str, Any]) -> list[Any]:
    """Return cases with names as parameters of a test; the quick tests take one in so many, from the first on."""
    return [
        pytest.param(case, id=name, marks=[pytest.mark.soak] if place % number else [])
        for place, (name, case) in enumerate(cases.items())
    ]


def only(*quick: str) -> list[Any]:
    """Return the names of all specs as parameters of a test; the quick tests take only those that are given."""
    return [pytest.param(name, marks=[pytest.mark.soak] * (name not in quick)) for name in EVERY]


@cache
def base_of(name: str) -> str | None:
    """Return the bundled game that a bundled spec extends, None where it extends none."""
    path = find_spec(name)
    found = re.search(r'^extends "(.+)"', read_source(path).text, flags=re.MULTILINE)
    if found is None:
        return None
    base = (path.parent / found[1]).resolve()
    return next(other for other in EVERY if find_spec(other).resolve() == base)


@cache
def signature_of(name: str) -> Signature:
    """Return what can be set of a game; that is cheap enough for a list of parameters, which each process makes."""
    return signature(find_spec(name))


@cache
def game(name: str) -> Game:
    """Return a game with its least number of players and its default options."""
    return load(name)


def player_counts(name: str) -> range:
    """Return for how many a game is."""
    low, high = signature_of(name).players
    return range(low, high + 1)


def at_both_ends(name: str) -> list[int]:
    """Return the least and the greatest number of players; of a variant, whose base has both, only the least."""
    low, high = signature_of(name).players
    return [low] if high == low or name in bundled_variants() else [low, high]


@cache
def scenario_results(name: str) -> list[Result]:
    """Return what the scenarios beside a spec come to."""
    (path,) = scenario_files(name)
    return run_source(read_source(path), path.parent)


@contextmanager
def at_hand() -> Iterator[None]:
    """Let whoever loads a spec alone, as commands do again and again, be given the game that was loaded before."""
    anew = loader._loaded
    loader._loaded = _loaded
    try:
        yield
    finally:
        loader._loaded = anew


_load_anew = loader._loaded


def _loaded(spec: str | Path, players: int | None, options: dict[str, Any] | None) -> Game:
    if os.environ.get(store.SETTING) != "parsers":  # The test is of what is kept of games.
        return _load_anew(spec, players, options)
    path = find_spec(spec)
    text, given = read_source(path).text, tuple((options or {}).items())
    alone = bundled_folder() in path.resolve().parents or not re.search("^(use|extends) ", text, flags=re.MULTILINE)
    if not alone or any(type(value) not in (str, int, bool) for _, value in given):
        return _load_anew(spec, players, options)
    game = _loaded_once(path, text, players, given, str(given))
    own = object.__new__(Game)
    own.__dict__.update(vars(game))  # Whoever makes it native does so for nobody else.
    return own


@lru_cache(maxsize=32)
def _loaded_once(path: Path, text: str, players: int | None, given: tuple[tuple[str, Any], ...], words: str) -> Game:
    del text, words  # Another text is another game; so is `True` as an option, which equals 1.
    return _load_anew(path, players, dict(given))
