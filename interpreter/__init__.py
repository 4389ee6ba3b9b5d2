"""Run specs: check them, compile them, play them.

from interpreter import load
game = load("chalice_and_wand", options={"hands": "open"})
state = game.new_initial_state()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grammar.stamps import stamps_of

STAMPS = stamps_of(__path__)
"""How the files of this package were before any other of them was read."""

# At once, since the module and the function share a name: whichever is bound last is what `interpreter.load` is.
from interpreter.load import SpecNotFound, load, load_text  # noqa: E402

if TYPE_CHECKING:
    from interpreter.native import NativeUnavailable
    from interpreter.options import OptionError
    from interpreter.runtime.faults import IllegalAction, RuleFault
    from interpreter.runtime.game import Game
    from interpreter.runtime.state import State

__all__ = [
    "Game", "IllegalAction", "NativeUnavailable", "OptionError", "RuleFault", "SpecNotFound", "State", "load",
    "load_text",
]  # fmt: skip

_HOMES = {
    "NativeUnavailable": "interpreter.native",
    "OptionError": "interpreter.options",
    "IllegalAction": "interpreter.runtime.faults",
    "RuleFault": "interpreter.runtime.faults",
    "Game": "interpreter.runtime.game",
    "State": "interpreter.runtime.state",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is first asked for, so that `cardgame --help` stays quick."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(name)
