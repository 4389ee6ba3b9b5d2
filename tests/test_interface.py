"""What `interpreter` gives to programs: its names, and one base class of all that it raises."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

import pytest

import interpreter
from interpreter import (
    CardgameError,
    Game,
    IllegalActionError,
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


def test_load_is_a_function_whatever_was_imported_before() -> None:
    code = (
        "import interpreter.loader as m, interpreter\n"
        "from interpreter import load\n"
        "assert type(m).__name__ == 'module' and interpreter.load is load is m.load\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert not isinstance(interpreter.load, ModuleType)
    with pytest.raises(ModuleNotFoundError):
        import_module("interpreter.load")
