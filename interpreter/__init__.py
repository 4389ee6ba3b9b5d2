"""Run specs: check them, compile them, play them.

from interpreter import load
game = load("chalice_and_wand", options={"hands": "open"})
state = game.new_initial_state()

All exceptions derive from `CardgameError`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from grammar.fingerprint import remember

remember(__path__)  # Before any other of its files is read.

if TYPE_CHECKING:
    from grammar.diagnostics import CardgameError, SpecError
    from interpreter.belief.belief import Belief
    from interpreter.engine.faults import IllegalActionError, RuleError
    from interpreter.engine.game import Game, State
    from interpreter.loader import SpecNotFoundError, load, load_text
    from interpreter.native.library import NativeUnavailableError
    from interpreter.setting import Setting, SettingError, Signature

__all__ = [
    "Belief", "CardgameError", "Game", "IllegalActionError", "NativeUnavailableError", "RuleError", "Setting",
    "SettingError", "Signature", "SpecError", "SpecNotFoundError", "State", "load", "load_text",
]  # fmt: skip

_HOMES = {
    "Belief": "interpreter.belief.belief",
    "CardgameError": "grammar.diagnostics",
    "Game": "interpreter.engine.game",
    "IllegalActionError": "interpreter.engine.faults",
    "NativeUnavailableError": "interpreter.native.library",
    "RuleError": "interpreter.engine.faults",
    "Setting": "interpreter.setting",
    "SettingError": "interpreter.setting",
    "Signature": "interpreter.setting",
    "SpecError": "grammar.diagnostics",
    "SpecNotFoundError": "interpreter.loader",
    "State": "interpreter.engine.game",
    "load": "interpreter.loader",
    "load_text": "interpreter.loader",
}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that `cardgame --help` stays quick."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(name)
