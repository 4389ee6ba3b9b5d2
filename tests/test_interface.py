"""What `interpreter` gives to programs: its names, and one base class of all that it raises."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from gc import collect, freeze
from importlib import import_module
from random import Random
from types import ModuleType
from weakref import ref

import pytest

import interpreter
from grammar.source import Source, Span
from interpreter import (
    CardgameError,
    Game,
    IllegalActionError,
    RuleError,
    SettingError,
    SpecError,
    SpecNotFoundError,
    load,
    load_text,
)

RAISED = [
    name
    for name in interpreter.__all__
    if isinstance(getattr(interpreter, name), type) and issubclass(getattr(interpreter, name), Exception)
]


@pytest.mark.parametrize("name", interpreter.__all__)
def test_every_public_name_is_there_and_is_the_one_of_its_module(name: str) -> None:
    found = getattr(interpreter, name)
    assert found.__name__ == name
    assert getattr(import_module(found.__module__), name) is found


def test_all_exceptions_have_one_base_and_the_usual_kinds_of_python() -> None:
    assert "SpecError" in RAISED
    assert all(issubclass(getattr(interpreter, name), CardgameError) for name in RAISED)
    assert all(name.endswith("Error") for name in RAISED)
    assert issubclass(SettingError, ValueError)
    assert issubclass(IllegalActionError, ValueError)
    assert issubclass(SpecNotFoundError, FileNotFoundError)


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        (lambda: load("no_such_game"), SpecNotFoundError),
        (lambda: load_text("cardgame 1\n"), SpecError),
        (lambda: load("chalice_and_wand", players=3), SettingError),
        (lambda: load("chalice_and_wand", options={"hands": "shut"}), SettingError),
    ],
)
def test_what_load_raises_can_be_caught_by_the_base(wrong: Callable[[], Game], kind: type[CardgameError]) -> None:
    with pytest.raises(CardgameError) as raised:
        wrong()
    assert type(raised.value) is kind


def test_load_is_a_function_after_any_import() -> None:
    code = (
        "import interpreter.loader as m, interpreter\n"
        "from interpreter import load\n"
        "assert type(m).__name__ == 'module' and interpreter.load is load is m.load\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert not isinstance(interpreter.load, ModuleType)
    with pytest.raises(ModuleNotFoundError):
        import_module("interpreter.load")


def test_games_are_equal_where_their_rules_are_and_copies_are_the_game_itself() -> None:
    game = load("chalice_and_wand")
    same, other = load_text(game.spec_text()), load("chalice_and_wand", options={"hands": "open"})
    assert game == same != other
    assert game != game.title
    assert len({game, same, other}) == 2
    assert copy.copy(game) is game
    assert copy.deepcopy([game, game]) == [game, game]
    with pytest.raises(AttributeError, match="`title` of a game is fixed"):
        game.title = "another"
    assert pickle.loads(pickle.dumps(game)) is game


def test_a_game_that_is_there_no_more_is_made_again_of_what_was_pickled() -> None:
    freeze()  # What other tests have made is not looked through.
    game = load("classics/kuhn_poker", 3)
    pickled, text, gone = pickle.dumps(game), game.generated().text, ref(game)
    del game
    collect()
    assert gone() is None
    again = pickle.loads(pickled)
    assert again.generated().text == text
    assert again == load("classics/kuhn_poker", 3)


def test_states_of_one_game_are_pickled_with_one_game() -> None:
    state = load("chalice_and_wand").new_initial_state()
    one, other = pickle.loads(pickle.dumps([state, state.clone()]))
    assert one == other == state
    assert one.game is other.game
    assert one is not other


def test_copies_of_a_state_go_their_own_way() -> None:
    state = load("chalice_and_wand").new_initial_state()
    for made in (copy.copy(state), copy.deepcopy(state), state.clone()):
        assert made == state
        assert hash(made) == hash(state)
        made.resolve_chance(Random(1))
        assert made != state
        assert state.is_chance_node()


def test_the_text_of_games_and_states_identifies_them_and_reveals_nothing_hidden() -> None:
    game = load("chalice_and_wand", options={"hands": "hidden"})
    assert repr(game).startswith("<Game 'Chalice and Wand' for 2 players, hands = hidden")
    state = game.new_initial_state()
    assert repr(state) == "<State of 'Chalice and Wand': chance to act, 0 decisions made>"
    state.resolve_chance(Random(1))
    state.apply_action(state.legal_actions()[0])
    assert repr(state) == "<State of 'Chalice and Wand': player 1 to act, 1 decision made>"
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
        state.resolve_chance(Random(1))
    assert repr(state).startswith("<State of 'Chalice and Wand': over, ")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: load("no_such_game"),
        lambda: load_text("cardgame 1\n"),
        lambda: load("chalice_and_wand", players=3),
        lambda: load("chalice_and_wand").new_initial_state().apply_action(999),
        lambda: raised(RuleError("CG809", "a division by zero", Span(Source("here", "text"), 0, 4))),
    ],
)
def test_exceptions_can_be_handed_to_another_process(wrong: Callable[[], object]) -> None:
    with pytest.raises(CardgameError) as found:
        wrong()
    again = pickle.loads(pickle.dumps(found.value))
    assert type(again) is type(found.value)
    assert str(again) == str(found.value)
    assert repr(vars(again)) == repr(vars(found.value))


def raised(error: CardgameError) -> None:
    raise error
