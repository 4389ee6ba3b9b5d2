"""`load(.., native=True)`: random plays run in C; what was built is kept; without a compiler it is said what lacks."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from interpreter import Game, NativeUnavailableError, RuleError, load, load_text
from interpreter.engine.outcome import Termination
from interpreter.loader import NATIVE
from interpreter.native import compiling
from interpreter.native.plays import NativeGame, WatchedGame
from tests.native.sidebyside import side_by_side
from tests.native.test_c import needs_compiler

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


@needs_compiler
def test_native_plays_come_to_the_same_ends_as_those_in_python() -> None:
    native, python = load("classics/kuhn_poker", native=True), load("classics/kuhn_poker", native=False)
    assert native.native
    assert not python.native
    here, there = native.random_playouts(4000, 1), python.random_playouts(4000, 1)
    assert set(here.outcomes) == set(there.outcomes)
    counted, expected = Counter(here.returns), Counter(there.returns)
    for returns in expected:
        assert abs(counted[returns] - expected[returns]) < 300
    assert abs(here.decisions - there.decisions) < 400


@needs_compiler
def test_native_plays_depend_on_the_seed_alone() -> None:
    game = load("classics/leduc_poker", native=True)
    some = game.random_playouts(300, "a")
    assert some == game.random_playouts(300, "a")
    assert some != game.random_playouts(300, "b")
    assert some.outcomes[:100] == game.random_playouts(100, "a").outcomes
    assert len(game.random_playouts(0).outcomes) == game.random_playouts(0).decisions == 0


@needs_compiler
def test_a_native_play_that_is_too_long_ends_as_such() -> None:
    text = BROKEN.replace("count += 2", "count = 1").replace("players 2\n", "players 2\n    at most 10 decisions\n")
    for native in (True, False):
        played = load_text(text, native=native).random_playouts(5, 1)
        assert {outcome.termination for outcome in played.outcomes} == {Termination.TOO_LONG}
        assert played.decisions == 50


@needs_compiler
def test_a_fault_in_native_code_names_the_line_of_the_spec() -> None:
    game = load_text(BROKEN, native=True)
    with pytest.raises(RuleError, match=r"<text>:21:21: CG801 .* outside of 0\.\.3"):
        game.random_playouts(50, 1)
    state = game.new_initial_state()
    assert state.game is game


@needs_compiler
def test_a_native_game_that_was_pickled_is_native() -> None:
    game: Game = pickle.loads(pickle.dumps(load("classics/kuhn_poker", native=True)))
    assert game.native


@needs_compiler
def test_what_was_built_is_not_built_again_and_what_is_damaged_is(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two, three = (load("classics/kuhn_poker", players=n, native=True) for n in (2, 3))
    (one, other) = sorted(cache.glob("*.library"))
    assert one.stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr(compiling, "run", lambda *_: pytest.fail("it is built again"))
    for game, players in ((two, 2), (three, 3), (load("classics/kuhn_poker", players=2, native=True), 2)):
        assert {len(returns) for returns in game.random_playouts(5).returns} == {players}
    for path in (one, other):
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(pytest.fail.Exception, match="built again"):
        load("classics/kuhn_poker", players=2, native=True)


@pytest.mark.failing_build
def test_without_a_compiler_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    assert not cache.exists()
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(NativeUnavailableError, match="no-such-compiler"):
        load("classics/kuhn_poker", native=True)
    monkeypatch.setenv("CC", "cc '")
    with pytest.raises(NativeUnavailableError, match="`CC` is no command: No closing quotation"):
        load("classics/kuhn_poker", native=True)
    monkeypatch.setenv("CC", " ")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("interpreter.native.library.find_spec", lambda _: None)
    with pytest.raises(NativeUnavailableError, match=r"pip install 'cardgame\[native\]'"):
        load("classics/kuhn_poker", native=True)
    assert load("classics/kuhn_poker").random_playouts(1, 1).outcomes
    monkeypatch.setenv(NATIVE, "on")
    shown = CliRunner().invoke(main, ["play", "classics/kuhn_poker", "--seat", "1=random", "--seat", "2=random"])
    assert shown.exit_code == 2
    assert "cardgame[native]" in shown.output


def long_spec(lines: int) -> str:
    """Return a spec of about so many lines: phases in which each player chooses, one after another."""
    phases = range(lines // 10)
    parts = [LONG, *(f"    part_{n}\n" for n in phases), "result\n    score p = score[p]\n"]
    parts += [PART.format(n=n, low=2 + n % 6, mood=n % 10) for n in phases]
    return "".join(parts)


LONG = """cardgame 1
game "Long"
    players 2
    at most 5000 decisions
enum Suit: sun, moon, tide
card Number(suit: Suit, rank: 1..8) written "{suit}{rank}"
deck in stock
    2 of each Number
zones
    stock: pile, seen by nobody
    hand[player]: cards, seen by owner
    heap: pile, seen by all
state
    score[player]: integer = 0
    mood: 0..9 = 0
play
    shuffle stock
    deal 8 from stock to hand[players]
"""

PART = """phase part_{n}
    for p in players
        p chooses
            play card c from hand[p] where c.rank >= {low} or mood == {mood}
                move c to heap
                score[p] += c.rank
            pass_on: score[p] -= 1
        if hand[p] is empty: move heap to hand[p]
    mood = (mood + {n}) mod 10
"""


@needs_compiler
@pytest.mark.parametrize("lines", [200, pytest.param(5000, marks=pytest.mark.soak)])
def test_a_library_of_any_length_builds(lines: int) -> None:
    """No function grows with the spec, so the compiler's time is linear in its length."""
    native = NativeGame(load_text(long_spec(lines)))
    assert side_by_side(native, 1) == 2 * (lines // 10)


@needs_compiler
@pytest.mark.usefixtures("cache")
def test_what_cannot_be_built_is_not_tried_again_for_the_same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every agent and every hint asks for a library; none may wait once more for a compiler that gives up."""
    asked: list[object] = []

    def fail(*command: object) -> None:
        asked.append(command)
        raise compiling.CompilerError("too much")

    monkeypatch.setattr(compiling, "run", fail)
    game = load("classics/kuhn_poker")
    for _ in range(3):
        with pytest.raises(NativeUnavailableError, match="too much"):
            WatchedGame.of(game)
    assert len(asked) == 1


def test_the_environment_makes_games_native_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """`CARDGAME_NATIVE=on` reaches games that others load; what a program says comes first."""
    made: list[Game] = []
    monkeypatch.setattr("interpreter.native.plays.make_native", made.append)
    monkeypatch.setenv(NATIVE, "on")
    game = load("classics/kuhn_poker")
    load("classics/kuhn_poker", native=False)
    assert made == [game]
    monkeypatch.setenv(NATIVE, "off")
    other = load("classics/kuhn_poker", native=True)
    load("classics/kuhn_poker")
    assert made == [game, other]
