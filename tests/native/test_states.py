"""States of a native game are those of Python: they step alike, ask chance alike, and tell the same of all else."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

from interpreter import Game, IllegalActionError, RuleError, State, load, load_text
from interpreter.drivers.playouts import drawn
from interpreter.native.explicit import ExplicitGame
from interpreter.runtime.game import NativeState
from tests import bundled
from tests.native.test_c import MOST, PLAYS, needs_compiler
from tests.native.test_native import BROKEN

HIDING = """cardgame 1
game "Hiding Places"
    players 2
    at most 60 decisions
card Plain(rank: 1..4) written "{rank}"
card Extra(rank: 1..3) written "x{rank}"
deck in stock
    2 of each Plain
deck in other
    2 of each Extra
zones
    stock:        pile, seen by nobody
    other:        pile, seen by nobody
    hand[player]: cards, seen by owner
    under:        cards, seen by nobody
    line:         row, seen by nobody
    shown:        row, seen by all
state
    count: 0..60 = 0
    die: -2..2 = 0
    ahead: player = player 1
play
    shuffle stock
    deal 2 from stock to under
    shuffle other
    deal 2 from other to under
    deal 2 from other to line
    deal 1 from stock to hand[players]
    repeat
        for p in players
            random die from -2..2
            random ahead from players
            p chooses
                take only if stock is not empty
                    deal 1 from stock to hand[p]
                dark only if other is not empty
                    deal 1 from other to line face down
                lay card c from hand[p]
                    move c to stock
                    shuffle stock
                peek only if line is not empty
                    move top of line to shown
                mix only if under is not empty
                    shuffle under into stock
                turn_over only if line is not empty
                    turn line face up
                exchange
                    swap line with other
                lot only if count(hand[p]) > 1
                    random card d from hand[p]
                    move d to bottom of other
                wait
                    count += 1
            if die == 2 and stock is not empty
                move top of stock to other
    until count > 3
    if other is not empty: move top of other to shown
result
    score p = count(hand[p])
"""


def compare(game: Game, native: ExplicitGame, seed: int, most: int) -> int:
    """Play a state of each kind side by side, chance answered now by outcomes and now all at once; return the steps."""
    rng = random.Random(seed)
    python, here = game.new_python_state(), NativeState(game, native)
    steps = 0
    while True:
        assert here.current_player() == python.current_player()
        assert here.entries[-2:] == python.entries[-2:]
        assert here.num_decisions == python.num_decisions
        if python.is_terminal() or steps >= most:
            break
        steps += 1
        outcomes = python.chance_outcomes()
        assert here.chance_outcomes() == outcomes
        if python.is_chance_node() and rng.random() < 0.1:
            seeds = rng.random()
            python.resolve_chance(random.Random(seeds))
            here.resolve_chance(random.Random(seeds))
            continue
        if python.is_chance_node():
            assert here.chance_offset() == python.chance_offset()
            action = drawn(outcomes, rng)
        else:
            legal = python.legal_actions()
            assert here.legal_actions() == legal
            action = rng.choice(legal)
        if steps % 7 == 0:
            here = here.clone()
        python.apply_action(action)
        here.apply_action(action)
    assert type(here) is NativeState
    assert here.history() == python.history()
    assert here.returns() == python.returns()
    assert here.outcome() == python.outcome()
    assert (here == python, hash(here)) == (True, hash(python))
    return steps


@needs_compiler
@pytest.mark.parametrize("name", ["classics/leduc_poker", "classics/go_fish", "arcanity"])
def test_steps_in_c_are_those_in_python_and_chance_is_asked_alike(name: str) -> None:
    game = bundled.game(name)
    native = ExplicitGame(game)
    for seed in range(4):
        compare(game, native, seed, 100)


@needs_compiler
def test_cards_that_nobody_has_seen_are_asked_for_alike_wherever_they_lie() -> None:
    game = load_text(HIDING)
    native = ExplicitGame(game)
    for seed in range(20):
        compare(game, native, seed, 150)


@pytest.mark.soak
@needs_compiler
@pytest.mark.parametrize("name", bundled.EVERY)
def test_many_plays_step_by_step_are_those_in_python(name: str) -> None:
    counts = bundled.player_counts(name)
    for players in counts:
        game = load(name, players)
        native = ExplicitGame(game)
        steps = 0
        for seed in range(-(-PLAYS // len(counts))):
            steps += compare(game, native, seed, 100_000)
            if steps > MOST // len(counts):
                break


def _played(game: Game, seed: int) -> tuple[State, State]:
    """Return a state that C carries on, and one of Python, in the middle of the same play."""
    rng, here, python = random.Random(seed), game.new_initial_state(), game.new_python_state()
    for _ in range(3):
        action = drawn(here.chance_outcomes(), rng) if here.is_chance_node() else rng.choice(here.legal_actions())
        here.apply_action(action)
        python.apply_action(action)
    assert type(here) is NativeState
    assert type(python) is State
    return here, python


@needs_compiler
def test_what_c_cannot_tell_is_told_by_python() -> None:
    game = load("classics/leduc_poker", native=True)
    for seed in range(3):
        here, python = _played(game, seed)
        copied = [here.clone(), copy.deepcopy(here), pickle.loads(pickle.dumps(here))]
        assert repr(here) == repr(python)
        assert here.serialize() == python.serialize()
        assert here.events() == python.events()
        for state in [here, *copied]:
            assert state.information_state_string(0) == python.information_state_string(0)
            assert state.observation_tensor(1) == python.observation_tensor(1)
            assert state.prompt() == python.prompt()
            assert state.position_key() == python.position_key()
            assert state == python
        assert type(here) is State


@needs_compiler
def test_a_step_may_ask_the_state_what_only_python_tells() -> None:
    """The method is looked up before its argument, which makes the state one of Python."""
    state, python = _played(load("classics/leduc_poker", native=True), 2)
    text = python.action_to_string(python.legal_actions()[0])
    state.apply_action(state.string_to_action(text))
    python.apply_action(python.string_to_action(text))
    assert state == python
    again = state.game.new_initial_state()
    again.apply_action([again.chance_event(), again.chance_outcomes()[0][0]][1])  # type: ignore[arg-type]
    assert again.history() == [(-1, 0)]


@needs_compiler
def test_a_copy_of_a_native_state_goes_its_own_way() -> None:
    game = load("classics/leduc_poker", native=True)
    here, python = _played(game, 1)
    before, legal = here.clone(), here.legal_actions()
    here.apply_action(legal[0])
    assert before.legal_actions() == legal
    assert before.history() == python.history() != here.history()
    python.apply_action(legal[0])
    assert here == python


@needs_compiler
def test_what_is_no_action_is_refused_in_the_same_words_and_changes_nothing() -> None:
    game = load("classics/kuhn_poker", native=True)
    for made in (game.new_initial_state(), _played(game, 0)[0]):
        for wrong in (-5, 99, 2**32, 2**70, True, (7, 7), "raise"):
            state, python = made.clone(), game.new_python_state()
            for item in state.history():
                python.apply_action(item[1])
            before = state.history()
            with pytest.raises(IllegalActionError) as told:
                state.apply_action(wrong)  # type: ignore[arg-type]
            with pytest.raises(IllegalActionError) as expected:
                python.apply_action(wrong)  # type: ignore[arg-type]
            assert str(told.value) == str(expected.value)
            assert state.history() == before
            assert state.legal_actions() == python.legal_actions()


def _play_on(state: State, rng: random.Random) -> None:
    while not state.is_terminal():
        state.resolve_chance(rng)
        state.apply_action(state.legal_actions()[0])


@needs_compiler
def test_a_fault_of_a_native_state_names_the_line_of_the_spec() -> None:
    state, rng = load_text(BROKEN, native=True).new_initial_state(), random.Random(1)
    with pytest.raises(RuleError, match=r"<text>:21:21: CG801 4 is outside of 0\.\.3"):
        _play_on(state, rng)
    assert state.is_terminal()
    assert state.outcome() is not None
