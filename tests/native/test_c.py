"""The C machine and Python's are the same game: player, legal actions, returns, faults at every step."""

from __future__ import annotations

import os

import pytest

from interpreter import load
from interpreter.native.library import NativeUnavailableError, compiler
from interpreter.native.plays import NativeGame
from interpreter.program.c.module import generate_c
from tests import bundled
from tests.native import sanitized
from tests.native.sanitized import hostile
from tests.native.sidebyside import side_by_side

PLAYS = int(os.environ.get("CARDGAME_PLAYS", "100"))
"""Plays of each game under `soak`."""

MOST = 500 * PLAYS
"""With so many decisions of a game it is enough, where plays are long without end (hands on hands)."""


def _has_compiler() -> bool:
    try:
        compiler()
    except NativeUnavailableError:
        return False
    return True


HAS_COMPILER = _has_compiler()
needs_compiler = pytest.mark.skipif(not HAS_COMPILER, reason="there is no C compiler")


@pytest.mark.parametrize("name", bundled.EVERY)
def test_every_bundled_game_has_a_form_in_c(name: str) -> None:
    assert generate_c(bundled.game(name).program).text


@needs_compiler
@pytest.mark.parametrize("name", bundled.MOST)
def test_a_play_in_c_is_the_play_in_python_with_the_same_chance(name: str) -> None:
    native = NativeGame(bundled.game(name))
    decisions = 0
    for seed in range(20):
        decisions += side_by_side(native, seed, replayed=seed == 0)
        if decisions > 300:
            break


@pytest.mark.soak
@needs_compiler
@pytest.mark.parametrize("name", bundled.EVERY)
def test_many_plays_in_c_are_those_in_python(name: str) -> None:
    counts = bundled.player_counts(name)
    for players in counts:
        native = NativeGame(load(name, players))
        decisions = 0
        for seed in range(-(-PLAYS // len(counts))):
            decisions += side_by_side(native, seed, replayed=seed % 10 == 0)
            if decisions > MOST // len(counts):
                break


@needs_compiler
def test_what_is_no_legal_action_is_refused_and_changes_nothing() -> None:
    hostile(NativeGame(bundled.game("classics/leduc_poker")), 10)


@pytest.mark.soak
@needs_compiler
@pytest.mark.parametrize("name", bundled.EVERY)
def test_sanitizers_find_nothing(name: str) -> None:
    for players in bundled.player_counts(name):
        done = sanitized.start(name, players, min(PLAYS, 200))
        assert done.returncode == 0, done.stderr[-3000:]
