"""Native states against those of Python: equal steps, chance events and answers to every query."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, IllegalActionError, NativeUnavailableError, RuleError, State, load, load_text
from interpreter.engine.machine import FIELDS, new
from interpreter.fuzz.playouts import drawn
from interpreter.native import library
from interpreter.native.native_state import ExplicitGame, extension, load_extension, new_native_state
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
    forced: 0..2 = 0
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
            random forced from 0..min(count, 2)
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
                lot only if count(hand[p]) > 0
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


def has_extension() -> bool:
    """Return whether there is an extension module: it needs a compiler and the headers of CPython."""
    try:
        extension()
    except NativeUnavailableError:
        return False
    return True


needs_extension = pytest.mark.skipif(not has_extension(), reason="there is no extension module")


def compare(game: Game, native: ExplicitGame, seed: int, most: int) -> int:
    """Play a state of each kind side by side, chance answered now by outcomes and now all at once; return the steps."""
    rng = random.Random(seed)
    python, here = game.new_python_state(), new_native_state(State, game, native)
    steps = 0
    while True:
        assert here.current_player() == python.current_player()
        assert here.entries[-2:] == python.entries[-2:]
        assert here.num_actions == python.num_actions
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
    assert here._play is not None
    assert here.history() == python.history()
    assert here.returns() == python.returns()
    assert here.outcome() == python.outcome()
    assert (here == python, hash(here)) == (True, hash(python))
    return steps


@needs_extension
@pytest.mark.parametrize("name", ["classics/leduc_poker", "classics/go_fish", "arcanity"])
def test_steps_and_chance_in_c_are_those_in_python(name: str) -> None:
    game = bundled.game(name)
    native = ExplicitGame(game)
    for seed in range(4):
        compare(game, native, seed, 100)


@needs_extension
def test_unseen_cards_wait_for_chance_alike_wherever_they_are() -> None:
    game = load_text(HIDING)
    native = ExplicitGame(game)
    for seed in range(20):
        compare(game, native, seed, 150)


@pytest.mark.soak
@needs_extension
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


def _played(game: Game, seed: int) -> tuple[Any, State]:
    """Return a native state, and one of Python, in the middle of the same play."""
    here, python = new_native_state(State, game, ExplicitGame(game)), game.new_python_state()
    rng = random.Random(seed)
    for _ in range(3):
        action = drawn(here.chance_outcomes(), rng) if here.is_chance_node() else rng.choice(here.legal_actions())
        here.apply_action(action)
        python.apply_action(action)
    assert here._play is not None
    assert type(python) is State
    return here, python


@needs_extension
def test_a_native_state_becomes_a_state_of_python_when_a_query_needs_one() -> None:
    game = load("classics/leduc_poker", native=True)
    for seed in range(3):
        here, python = _played(game, seed)
        copied = [here.clone(), copy.deepcopy(here), pickle.loads(pickle.dumps(here))]
        assert repr(here) == repr(python)
        assert here.serialize() == python.serialize()
        assert here.events() == python.events()
        assert here.information_state_string(0) == python.information_state_string(0)
        for state in [here, *copied]:
            assert state.information_state_string(0) == python.information_state_string(0)
            assert state.observation_tensor(1) == python.observation_tensor(1)
            assert state.prompt() == python.prompt()
            assert state.position_key() == python.position_key()
            assert state == python
            assert not hasattr(state, "no_such_field")
        assert here._play is None
        for state in (here, here.clone(), python):
            state.apply_action(python.legal_actions()[0])
            assert state.history() == here.history()
            assert state == here


@needs_extension
def test_all_fields_of_a_machine_are_those_of_python() -> None:
    game = load("classics/leduc_poker", native=True)
    for name in FIELDS:
        here, python = _played(game, 1)
        if name not in ("code", "game"):
            assert getattr(here, name) == getattr(python, name)
        if name in ("values", "zones"):
            assert here._play is None


@needs_extension
def test_the_argument_of_a_step_may_make_the_state_one_of_python() -> None:
    """The method is looked up before its argument, which makes the state one of Python."""
    state, python = _played(load("classics/leduc_poker", native=True), 2)
    text = python.action_to_string(python.legal_actions()[0])
    state.apply_action(state.string_to_action(text))
    python.apply_action(python.string_to_action(text))
    assert state == python
    again = state.game.new_initial_state()
    again.apply_action([again.chance_event(), again.chance_outcomes()[0][0]][1])
    assert again.history() == [(-1, 0)]


@needs_extension
def test_a_copy_of_a_native_state_goes_its_own_way() -> None:
    game = load("classics/leduc_poker", native=True)
    here, python = _played(game, 1)
    before, legal = here.clone(), here.legal_actions()
    here.apply_action(legal[0])
    assert before.legal_actions() == legal
    assert before.history() == python.history() != here.history()
    python.apply_action(legal[0])
    assert here == python


@needs_extension
def test_a_subclass_of_a_native_state_plays_alike() -> None:
    game = load("classics/kuhn_poker", native=True)
    base = type(_played(game, 0)[0])
    heir: Any = type("Heir", (base,), {"label": "mine"})
    state = new(heir)
    library = ExplicitGame(game)
    state.game, state._library, state._play = game, library, library.first.copy()
    rng = random.Random(1)
    while not state.is_terminal():
        state.apply_action(state.chance_outcomes()[0][0] if state.is_chance_node() else state.legal_actions()[0])
        state = state.clone()
        state.noted = rng.random()
    assert (type(state), state.label) == (heir, "mine")
    assert state == game.play_history(state.entries[1::2])


@needs_extension
def test_steps_keep_no_memory() -> None:
    """References are counted right: plays, refusals and hand-overs to Python leave nothing."""
    game = load("classics/leduc_poker", native=True)
    library = ExplicitGame(game)

    def some(seed: int) -> None:
        rng, state = random.Random(seed), new_native_state(State, game, library)
        while not state.is_terminal():
            with pytest.raises(IllegalActionError):
                state.apply_action(99)
            actions = state.chance_outcomes() or [(action, 1.0) for action in state.legal_actions()]
            state.clone().resolve_chance(rng)
            state.apply_action(rng.choice(actions)[0])
        assert state.returns() == state.clone().returns()
        assert state.observation_string(0)

    for seed in range(40):
        some(seed % 10)
    gc.freeze()  # What other tests have made is not looked through.
    gc.collect()
    before = sys.getallocatedblocks()
    for seed in range(100):
        some(seed % 10)
    gc.collect()
    assert sys.getallocatedblocks() - before < 100


@needs_extension
def test_threads_step_states_of_one_game() -> None:
    game = load("classics/leduc_poker", native=True)
    library = ExplicitGame(game)

    def results(seed: int) -> list[float]:
        rng, state = random.Random(seed), new_native_state(State, game, library)
        while not state.is_terminal():
            actions = [o for o, _ in state.chance_outcomes()] or state.legal_actions()
            state.apply_action(rng.choice(actions))
        return list(state.returns())

    alone = [results(seed) for seed in range(200)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(results, range(200))) == alone


@needs_compiler
def test_the_extension_is_cached_by_version_and_abi_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    parts: list[object] = []
    monkeypatch.setattr(library, "cache_name", lambda *found: parts.extend(found))
    try:
        module = load_extension()
    except NativeUnavailableError:
        pytest.skip("the headers of Python are not installed")
    assert {sys.version, sysconfig.get_config_var("SOABI")} <= set(map(str, parts))
    assert module.Play is not None


@needs_compiler
def test_without_headers_of_python_there_is_no_extension(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    with pytest.raises(NativeUnavailableError, match="headers"):
        load_extension()


@needs_extension
def test_what_is_no_action_is_refused_in_the_same_words_and_changes_nothing() -> None:
    game = load("classics/kuhn_poker", native=True)
    beginning = new_native_state(State, game, ExplicitGame(game))
    for made in (beginning, _played(game, 0)[0]):
        for wrong in (-5, 99, 2**32, 2**70, True, (7, 7), "raise"):
            state, python = made.clone(), game.new_python_state()
            for item in state.history():
                python.apply_action(item[1])
            before = state.history()
            with pytest.raises(IllegalActionError) as told:
                state.apply_action(wrong)
            with pytest.raises(IllegalActionError) as expected:
                python.apply_action(wrong)  # type: ignore[arg-type]
            assert str(told.value) == str(expected.value)
            assert state.history() == before
            assert state._play is not None
            assert state.legal_actions() == python.legal_actions()


def _play_on(state: State, rng: random.Random) -> None:
    while not state.is_terminal():
        state.resolve_chance(rng)
        state.apply_action(state.legal_actions()[0])


@needs_extension
def test_a_fault_of_a_native_state_names_the_line_of_the_spec() -> None:
    game = load_text(BROKEN)
    state, rng = new_native_state(State, game, ExplicitGame(game)), random.Random(1)
    with pytest.raises(RuleError, match=r"<text>:21:21: CG801 4 is outside of 0\.\.3"):
        _play_on(state, rng)
    assert state.is_terminal()
    assert state.outcome() is not None
