"""A native game is the same game: actions, states, texts, faults and saves, to the letter."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from cli.main import main
from grammar import store
from interpreter import Game, RuleError, State, load, load_text
from interpreter.loader import NATIVE, bundled_games, bundled_variants
from interpreter.native import extension
from interpreter.native.extension import NativeUnavailableError
from interpreter.native.module import module_of
from interpreter.runtime.machine import Machine
from interpreter.runtime.support import support
from tests.adapters.settings import short_of
from tests.bundled import player_counts

compiler = str(sysconfig.get_config_var("CC") or "cc").split()[0]
needs_compiler = pytest.mark.skipif(shutil.which(compiler) is None, reason="there is no C compiler")

BROKEN = """cardgame 1
game "Too Much"
    players 2
card Plain(rank: 1..4) written "{rank}"
deck in stock
    2 of each Plain
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
state
    count: 0..3 = 0
play
    shuffle stock
    deal 2 from stock to hand[players]
    repeat
        for p in players
            p chooses
                lay card c from hand[p] where c.rank <= 4
                    move c to stock
                    deal 1 from stock to hand[p]
                    count += 2
                wait
    until count == 3
result
    score p = count
"""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Build without optimising: it takes a third of the time."""
    monkeypatch.setenv("CFLAGS", "-O0 -w")


def pairs(native: Game, python: Game, seeds: range) -> Iterator[tuple[State, State]]:
    """Play both games alike, and give every pair of states; chance is answered in both ways, and copies play on."""
    for seed in seeds:
        rng, here, there = Random(seed), Random(seed), Random(seed)
        one, other = native.new_initial_state(), python.new_initial_state()
        while not other.is_terminal():
            yield one, other
            if other.is_chance_node() and seed % 2:
                one.resolve_chance(here)
                other.resolve_chance(there)
                continue
            action = rng.choice(other.legal_actions())
            if rng.random() < 0.2:
                one = one.clone()
            one.apply_action(action)
            other.apply_action(action)
        yield one, other


def compare(one: State, other: State) -> None:
    """Compare what two states say of themselves."""
    assert (one.current_player(), one.is_terminal(), one.returns()) == (
        other.current_player(), other.is_terminal(), other.returns(),
    )  # fmt: skip
    assert one.legal_actions() == other.legal_actions()
    assert one.content() == other.content()
    assert one == other


@needs_compiler
def test_a_native_game_plays_as_it_does_in_python() -> None:
    """Decision by decision; what players see, copies, saves and pickled states are the same too."""
    name = "classics/leduc_poker"
    native, python = load(name, native=True), load(name)
    assert native.native
    assert not python.native
    for number, (one, other) in enumerate(pairs(native, python, range(30))):
        compare(one, other)
        if number % 10 == 0:
            assert one.information_state_string(0) == other.information_state_string(0)
            assert [str(event) for event in one.events()] == [str(event) for event in other.events()]
            assert python.deserialize_state(one.serialize()) == other
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert again.game.native
    assert isinstance(one, State)
    assert not isinstance(one, Machine)
    assert native.random_playouts(10, 3) == python.random_playouts(10, 3)


def play_first(state: State) -> None:
    """Play on with the first legal action, until the end or a fault."""
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])


@needs_compiler
def test_a_fault_in_native_code_names_the_line_of_the_spec() -> None:
    """Also one that a playout comes upon, and one of an action that is not legal."""
    said = []
    for native in (False, True):
        game = load_text(BROKEN, native=native)
        state = game.new_initial_state()
        state.resolve_chance(Random(1))
        with pytest.raises(Exception, match="999 is not legal here"):
            state.apply_action(999)
        with pytest.raises(RuleError) as fault:
            play_first(state)
        assert state.is_terminal()
        with pytest.raises(RuleError) as inside:
            game.random_playouts(3, 1)
        said.append((str(fault.value), str(inside.value), state.outcome()))
    assert said[0] == said[1]
    assert "<text>:21:21: CG801 4 is outside of 0..3" in said[0][0]


@needs_compiler
def test_what_was_built_is_not_built_again_and_never_mixed_up(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games of one text in one process have their own tables; a damaged file is built anew."""
    two, three = (load("classics/kuhn_poker", players=n, native=True) for n in (2, 3))
    built = sorted(path.name for path in cache.glob("*.native"))
    assert len(built) == 2
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("it is built again"))
    again = load("classics/kuhn_poker", players=2, native=True)
    for game, players in ((two, 2), (three, 3), (again, 2), (two, 2)):
        state = game.new_initial_state()
        state.resolve_chance(Random(3))
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[-1])
        assert len(state.returns()) == players
        assert sum(state.returns()) == 0
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache.parent))
    monkeypatch.setenv("CFLAGS", "-O0 -w")
    whole = {path: path.read_bytes() for path in cache.glob("*.native")}
    for path, data in whole.items():
        path.write_bytes(data[:-1] + b"?")
    asked: list[str] = []

    def build(_folder: Path, name: str, _text: str) -> bytes:
        asked.append(name)
        return whole[cache / f"{name}.native"][32:]

    monkeypatch.setattr(extension, "_built", build)
    assert load("classics/kuhn_poker", players=2, native=True).native
    assert len(asked) == 1
    assert {path.read_bytes() for path in cache.glob("*.native")} & set(whole.values())


def test_without_cython_or_a_compiler_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    """The game itself can be loaded as before."""
    assert not cache.exists()
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(NativeUnavailableError, match=r"it needs a C compiler and Python's headers.*no-such-compiler"):
        load("classics/kuhn_poker", native=True)

    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(extension, "version", missing)
    with pytest.raises(NativeUnavailableError, match="pip install cython setuptools"):
        load("classics/kuhn_poker", native=True)
    assert load("classics/kuhn_poker").random_playouts(1, 1).outcomes
    monkeypatch.setenv(NATIVE, "on")
    shown = CliRunner().invoke(main, ["play", "classics/kuhn_poker", "--seat", "1=random", "--seat", "2=random"])
    assert shown.exit_code == 2
    assert "pip install cython setuptools" in shown.output


def test_the_environment_makes_games_native_that_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """`CARDGAME_NATIVE=on` reaches games that others load; what a program says comes first."""
    made: list[Game] = []
    monkeypatch.setattr("interpreter.native.build.make_native", made.append)
    monkeypatch.setenv(NATIVE, "on")
    game = load("classics/kuhn_poker")
    load("classics/kuhn_poker", native=False)
    assert made == [game]
    monkeypatch.setenv(NATIVE, "off")
    other = load("classics/kuhn_poker", native=True)
    load("classics/kuhn_poker")
    assert made == [game, other]


@pytest.mark.parametrize("name", bundled_games())
def test_every_game_can_be_rewritten(name: str) -> None:
    """Every function of the generated Python is there, every field of the machine, and the switch of each node."""
    game = load(name)
    module = module_of(game.code.kept.text, {**support(game), **game.code.kept.tables}, game.max_decisions)
    for line in game.code.kept.text.splitlines():
        if line.startswith("def "):
            function = line.split("(")[0].removeprefix("def ")
            assert any(
                f" {function}(" in made.text for made in module.lines if made.text.startswith(("def ", "cpdef "))
            )
    for field in Machine.__slots__:
        assert any(
            made.text.startswith("    cdef public ") and made.text.endswith(f" {field}") for made in module.lines
        )
    assert "__slots__" not in module.text
    assert len({made.origin for made in module.lines}) > len(game.code.kept.text.splitlines()) * 0.6


SETTINGS = [(name, players) for name in (*bundled_games(), *bundled_variants()) for players in player_counts(name)]


@needs_compiler
@pytest.mark.soak
@pytest.mark.parametrize(("name", "players"), SETTINGS)
def test_every_native_game_plays_as_it_does_in_python(name: str, players: int) -> None:
    options = short_of(name)
    native, python = (load(name, players=players, options=options, native=native) for native in (True, False))
    for one, other in pairs(native, python, range(20)):
        compare(one, other)
    assert native.random_playouts(20, 3) == python.random_playouts(20, 3)
    assert store.cache_folder() is not None
