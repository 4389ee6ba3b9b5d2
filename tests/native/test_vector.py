"""Plays side by side are the plays of Python's machine: masks, players, rewards, ends and what each player sees."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from interpreter import CardgameError, Game, IllegalActionError, RuleError, load, load_text
from interpreter.knowledge.tensors import observation_layout, observation_tensor
from interpreter.knowledge.visibility import Sight
from interpreter.native.library import HEADERS, NativeUnavailableError, compiler
from interpreter.native.plays import NativeGame
from interpreter.native.tapes import TapeReplayer
from interpreter.native.vector import Vector
from interpreter.program.c.module import generate_c
from tests import bundled
from tests.native.taped import NativePlay
from tests.native.test_c import PLAYS, needs_compiler

pytestmark = needs_compiler

QUICK = ("classics/kuhn_poker", "classics/hearts", "classics/love_letter", "chalice_and_wand", "two_player_wizard")
"""Turned cards, sets of cards, hidden hands, cards that are copies, values that may be absent."""


@cache
def native(name: str) -> NativeGame:
    return NativeGame.of(bundled.game(name))


@attrs.frozen
class Moment:
    """What a vector told, copied: before a step, and behind it what was paid."""

    mask: np.ndarray
    players: np.ndarray
    seen: list[np.ndarray]
    own: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray


def moments(vector: Vector, steps: int) -> list[Moment]:
    """Step at random so many times."""
    found = []
    for _ in range(steps):
        before = vector.legal_mask.copy(), vector.current_player.copy()
        seen = [vector.observations(player) for player in range(vector.game.num_players)]
        own, actions = vector.observations(), vector.sample()
        vector.step(actions)
        after = vector.rewards.copy(), vector.terminated.copy(), vector.truncated.copy()
        found.append(Moment(*before, seen, own, actions, *after))
    return found


def plays_of(made: NativeGame, seed: int, place: int) -> Iterator[tuple[NativePlay, TapeReplayer]]:
    """Give the plays of a place, one after another, with the same of Python."""
    for number in range(sys.maxsize):
        play, state = NativePlay(made, seed, place << 32 | number), TapeReplayer(made.game)
        state.begin(play.drawn)
        if not state.is_terminal():
            yield play, state


def compare(made: NativeGame, seed: int, place: int, found: list[Moment]) -> None:
    """Check all that was told of a place against Python's machine."""
    plays = plays_of(made, seed, place)
    play, state = next(plays)
    for moment in found:
        assert moment.players[place] == state.current_player()
        assert np.flatnonzero(moment.mask[place]).tolist() == state.legal_actions()
        for player, seen in enumerate(moment.seen):
            there = np.array(observation_tensor(state, Sight(player)), np.float32)
            differ = np.flatnonzero(seen[place] != there)
            assert not differ.size, [part for part in observation_layout(made.game) if part[1] <= differ[0]][-1]
        assert np.array_equal(moment.own[place], moment.seen[state.current_player()][place])
        action = int(moment.actions[place])
        play.apply_action(action)
        state.carry_out(action, play.drawn)
        outcome = state.outcome()
        long = outcome is not None and outcome.termination.value == "too long"
        assert moment.rewards[place].tolist() == state.returns()
        assert (moment.terminated[place], moment.truncated[place]) == (state.is_terminal() and not long, long)
        if state.is_terminal():
            play, state = next(plays)


@pytest.mark.parametrize("name", QUICK)
def test_each_place_is_a_play_of_python(name: str) -> None:
    found = moments(Vector(native(name), 2, 5), 60)
    for place in range(2):
        compare(native(name), 5, place, found)


@pytest.mark.soak
@pytest.mark.parametrize("name", bundled.EVERY)
def test_each_place_is_a_play_of_python_in_every_game(name: str) -> None:
    for players in bundled.player_counts(name):
        made = NativeGame.of(load(name, players))
        for seed in range(3):
            found = moments(Vector(made, 2, seed), 4 * PLAYS)
            for place in range(2):
                compare(made, seed, place, found)


def observations_of(vector: Vector, steps: int) -> list[list[object]]:
    """Return for each place all that was told of it in so many random steps."""
    found = moments(vector, steps)
    return [
        [np.asarray(part)[..., place, :].tolist() if np.ndim(part) > 1 else np.asarray(part)[place].tolist()
         for moment in found for part in attrs.astuple(moment, recurse=False)]
        for place in range(len(vector))
    ]  # fmt: skip


def test_a_place_does_not_depend_on_its_neighbours() -> None:
    game = bundled.game("classics/kuhn_poker")
    few, many = observations_of(game.vector(3, 7), 20), observations_of(game.vector(9, 7), 20)
    assert few == many[:3]
    assert observations_of(game.vector(3, 8), 20) != few
    assert len({str(place) for place in many}) == 9


def test_a_vector_that_is_reset_begins_again_and_goes_elsewhere_with_another_seed() -> None:
    vector = bundled.game("classics/kuhn_poker").vector(4, 1)
    first = observations_of(vector, 10)
    vector.reset(1)
    assert observations_of(vector, 10) == first
    vector.reset()
    assert observations_of(vector, 10) == first
    vector.reset(2)
    assert observations_of(vector, 10) != first


def test_the_sampler_takes_each_legal_action_alike_and_begins_anew_from_a_seed() -> None:
    vector = bundled.game("classics/hearts").vector(2_000, 3)
    first = vector.sample(5)
    assert vector.legal_mask[np.arange(2_000), first].all()
    assert not np.array_equal(vector.sample(), first)
    assert np.array_equal(vector.sample(5), first)
    place = np.cumsum(vector.legal_mask, axis=1)
    (legal,) = set(place[:, -1].tolist())
    drawn = np.zeros(legal, int)
    for _ in range(13):
        np.add.at(drawn, place[np.arange(2_000), vector.sample()] - 1, 1)
    assert abs(drawn - 26_000 / legal).max() < 250


WRONG = [
    -1, 10_000, 2**62, -(2**62), 2**63, 2**64 - 1, 2**70, 1.0, "0", None, [0],
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_is_no_legal_action_is_refused_and_changes_nothing(wrong: object) -> None:
    vector = bundled.game("classics/kuhn_poker").vector(3, 1)
    before = vector._held["states"].tobytes(), vector.legal_words.tobytes()
    actions: list[object] = vector.sample().tolist()
    actions[1] = wrong
    with pytest.raises(IllegalActionError) as raised:
        vector.step(actions)  # type: ignore[arg-type]
    assert "play 1" in str(raised.value) or "3 whole numbers" in str(raised.value)
    assert before == (vector._held["states"].tobytes(), vector.legal_words.tobytes())
    vector.step(vector.sample())


def test_as_many_actions_are_wanted_as_there_are_plays() -> None:
    vector = bundled.game("classics/kuhn_poker").vector(3, 1)
    for wrong in ([], [0, 0], [0] * 4, [[0, 0, 0]], 0):
        with pytest.raises(IllegalActionError, match="`step` wants 3 whole numbers, one for each play"):
            vector.step(wrong)


def test_the_play_whose_action_is_not_legal_is_named() -> None:
    vector = bundled.game("classics/kuhn_poker").vector(8, 1)
    actions = vector.sample()
    actions[6] = 99
    with pytest.raises(IllegalActionError, match=r"^99 is not legal in play 6$"):
        vector.step(actions)


def test_what_is_reported_cannot_be_written_to() -> None:
    vector = bundled.game("classics/kuhn_poker").vector(2, 1)
    for name in ("legal_words", "legal_mask", "current_player", "rewards", "terminated", "truncated"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(vector, name)[:] = 1


def test_vectors_share_nothing() -> None:
    game = bundled.game("classics/kuhn_poker")
    one, other = game.vector(4, 1), game.vector(4, 1)
    before = observations_of(other, 0), other._held["states"].tobytes(), other.legal_words.tobytes()
    one.step(one.sample())
    one.step(one.sample())
    assert before == (observations_of(other, 0), other._held["states"].tobytes(), other.legal_words.tobytes())
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            copied(one)


def test_threads_step_vectors_side_by_side_and_wait_where_they_share_one() -> None:
    game = bundled.game("classics/hearts")
    alone = [observations_of(game.vector(20, seed), 30) for seed in range(2)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda seed: observations_of(game.vector(20, seed), 30), range(2))) == alone
        shared, steps = game.vector(200, 1), 50

        def step(_: int) -> int:
            done = 0
            for _ in range(steps):
                try:
                    shared.step(shared.sample())
                    done += 1
                except IllegalActionError:  # The other thread has stepped in between.
                    pass
            return done

        assert sum(pool.map(step, range(2))) > 0


@pytest.mark.parametrize("seat", [None, 1])
def test_many_steps_in_one_call_are_as_many_of_what_the_sampler_draws(
    seat: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.native.vector._UNINTERRUPTED", 8)  # So that it takes several calls of C.
    game = bundled.game("classics/leduc_poker")
    one, other = game.vector(3, 5, seat=seat), game.vector(3, 5, seat=seat)
    paid, ended = np.zeros((3, 2)), np.zeros(3, np.int64)
    for count in (0, 1, 40):
        for _ in range(count):
            one.step(one.sample())
            paid += one.rewards
            ended += one.terminated | one.truncated
        rewards, plays = other.sample_steps(count)
        assert (count < 40) or (plays.all() and rewards.any())
        paid, ended = paid - rewards, ended - plays
        assert not paid.any()
        assert not ended.any()
        assert np.array_equal(one.legal_mask, other.legal_mask)
    assert observations_of(one, 10) == observations_of(other, 10)
    with pytest.raises(ValueError, match="there can be no -1 steps"):
        one.sample_steps(-1)


def test_observations_are_written_to_an_array_that_is_handed_in() -> None:
    vector = bundled.game("classics/kuhn_poker").vector(2, 1)
    fresh = vector.observations(0)
    there = np.ones_like(fresh)
    assert vector.observations(0, there) is there
    assert np.array_equal(there, fresh)
    shut = fresh.view()
    shut.flags.writeable = False
    others: list[Any] = [fresh[:1], fresh.astype(np.float64), fresh.T, shut]
    for wrong in others:
        with pytest.raises(ValueError, match="`out` must be an array of float32"):
            vector.observations(0, wrong)
    for player in (-1, 2):
        with pytest.raises(ValueError, match="there is no player"):
            vector.observations(player)


def test_there_is_at_least_one_play() -> None:
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="there is at least 1"):
            bundled.game("classics/kuhn_poker").vector(wrong)
    assert repr(bundled.game("classics/kuhn_poker").vector(1)) == "<1 plays of 'Kuhn Poker'>"


DIVISION = """
cardgame 1

game "Division"
    players 2
    at most 20 decisions

card Chip written "chip"

deck in box
    1 of each Chip

zones
    box: pile, seen by nobody

state
    left: 0..9 = 3
    got: 0..9

play
    for p in players
        p chooses
            take: left = left - 1
            divide: got = 6 / left rounded down
    player 1 chooses
        stay: left = 0
        risk: got = 6 / (left - left) rounded down

result
    returns p = if p == player 1 then got else -got
"""


def test_a_rule_that_cannot_be_carried_out_names_the_play_and_the_line() -> None:
    game = load_text(DIVISION)
    vector = game.vector(3, 1)
    for _ in range(2):
        vector.step([action_of(game, "divide")] * 3)
    others = [action_of(game, "stay"), action_of(game, "risk"), action_of(game, "stay")]
    with pytest.raises(RuleError) as raised:
        vector.step(others)
    assert raised.value.code == "CG809"
    assert raised.value.message.startswith("play 1: ")
    assert raised.value.span is not None
    assert "risk" in DIVISION.splitlines()[raised.value.span.line - 1]
    assert vector.terminated.tolist() == [True, False, True]
    assert not vector.legal_mask[1].any()
    for go_on in (lambda: vector.step(vector.sample()), lambda: vector.sample_steps(2)):
        with pytest.raises(RuleError, match=raised.value.message):
            go_on()
    vector.reset()
    vector.step(vector.sample())
    with pytest.raises(RuleError, match=r"play [0-2]: "):
        vector.sample_steps(100)


def action_of(game: Game, verb: str) -> int:
    return next(a for a in range(game.num_distinct_actions) if game.action(a).verb == verb)


def test_a_game_in_which_nobody_decides_is_refused() -> None:
    text = DIVISION.partition("play\n")[0] + "play\n    left = 1\n\nresult\n    returns p = 1\n"
    with pytest.raises(CardgameError):
        load_text(text).vector(1)


def test_without_numpy_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "interpreter.native.vector")
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(
        NativeUnavailableError, match="numpy is not installed; install this package with its extra `vector`"
    ):
        bundled.game("classics/kuhn_poker").vector(1)


def test_without_a_compiler_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ziglang", None)
    for name in ("PATH", "CC"):
        monkeypatch.setenv(name, "")
    with pytest.raises(NativeUnavailableError, match="there is no C compiler: install one"):
        load("classics/kuhn_poker").vector(1)


HOSTILE = r"""
#include <stdio.h>
int main(void) {
    enum { N = 16 };
    const i64 wrong[] = {-1, ACTIONS, INT64_MAX, INT64_MIN, (i64)1 << 32};
    i64 actions[N];
    for (int seat = -1; seat < PLAYERS; seat++) {
        many_t v = {.count = N, .seat = seat, .seed = 1};
        v.states = malloc(N * sizeof(S)); v.masks = malloc(N * MASK * 8); v.random = malloc(N * 8);
        v.begun = malloc(N * 4); v.players = malloc(N * 4); v.rewards = malloc(N * PLAYERS * 8);
        v.terminated = malloc(N); v.truncated = malloc(N);
        float *seen = malloc(N * OBSERVED * sizeof *seen);
        uint8_t *bytes = malloc(N * ACTIONS);
        if (many_begin(&v)) return 1;
        for (int i = 0; i < STEPS_; i++) {
            many_unpack(&v, bytes);
            for (int p = -1; p <= PLAYERS; p++) many_observe(&v, p, seen);
            many_sample(&v, actions);
            i64 kept = actions[3];
            actions[3] = wrong[i % 5];
            if (v.players[3] >= 0 && many_step(&v, actions, seat >= 0) != ILLEGAL) return 2;
            actions[3] = kept;
            if (many_step(&v, actions, seat >= 0)) return 3;
        }
        double *paid = calloc(N * PLAYERS, sizeof *paid);
        i64 *ended = calloc(N, sizeof *ended);
        if (many_sample_steps(&v, STEPS_, actions, seat >= 0, paid, ended)) return 4;
    }
    return 0;
}
"""
"""Plays at random in buffers that are just as large as they must be; now and then an action is none."""


@pytest.mark.soak
@pytest.mark.parametrize("name", bundled.EVERY)
def test_sanitizers_find_nothing_in_plays_side_by_side(name: str, tmp_path: Path) -> None:
    flags = [
        "-I",
        str(HEADERS),
        "-std=c99",
        "-O1",
        "-g",
        "-w",
        "-fwrapv",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
    ]
    for players in bundled.player_counts(name):
        source = tmp_path / f"{players}.c"
        steps = f"#define STEPS_ {20 * PLAYS}\n"
        source.write_text(steps + generate_c(load(name, players).program).text + HOSTILE, encoding="utf-8")
        made = source.with_suffix("")
        subprocess.run([*compiler(), *flags, str(source), "-o", str(made)], check=True)
        done = subprocess.run(
            [str(made)],
            env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
