"""Native states: lazy proxies that step through C, with the interface of Python's states.

A native state holds a play in C and none of the fields of a machine.  When something reads another field than those
that C knows (zones, variables, undetermined cards), or a step needs Python (a fault, a whole sentence), the history is
replayed in Python and the fields are filled in: from there on Python steps the state.

Chance events wait where Python's machine waits, for the same cards in the same order (`c/explicit_chance.h`);
`c/explicit.h` has the calls.  The frequent methods are in an extension module of CPython, whose source is data of the
package (`c/fast_states.c`), so the wheel has no binary.  It is compiled for the first native state and cached like the
libraries of games, by this Python's version and ABI too.  States stay in Python where there is no such module: where
Python is not CPython, its headers or a compiler are missing, or threads run without a lock.
"""

from __future__ import annotations

import ctypes
import os
import sys
import sysconfig
from ctypes import c_int32, c_int64, c_void_p
from functools import cache
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from interpreter.engine.chance import Rng, below, mix
from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.machine import CHANCE, FIELDS, TERMINAL, Machine, new
from interpreter.native.library import HEADERS, NativeUnavailableError, built_library, compiler, declared
from interpreter.native.plays import NativeGame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.engine.game_base import GameBase
    from interpreter.engine.outcome import Outcome

ELSEWHERE = -11
"""The result of a step where C has no answer: the play must go on in Python."""

CARD_NEEDED = 1
"""The kind of a chance event that determines a card of a shuffled pile; others choose a value."""

_NAME = "fast_states"
_FLAGS = ("-std=c99", "-O2", "-w", "-fwrapv", "-fPIC", "-shared", "-fvisibility=hidden")
_KEPT = 8


@cache
def extension() -> Any:
    """Return the extension module.  Raises NativeUnavailableError where there is none."""
    if os.name != "posix" or sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise NativeUnavailableError("this Python has no extension module for native states")
    try:
        return load_extension()
    except ImportError as error:
        raise NativeUnavailableError(f"the extension module for native states cannot be loaded: {error}") from None


def load_extension(*more: str) -> Any:
    """Build the module, or read it from the cache, and import it; `more` are flags for the compiler.

    Raises NativeUnavailableError or ImportError.
    """
    paths = {sysconfig.get_path("include"), sysconfig.get_path("platinclude")}
    if not all(Path(path, "Python.h").exists() for path in paths):
        raise NativeUnavailableError("the headers of Python are not installed")
    command = [*compiler(), *_FLAGS, *(f"-I{path}" for path in sorted(paths)), *more]
    if sys.platform == "darwin":
        command += ["-undefined", "dynamic_lookup"]
    python = [sys.version, sysconfig.get_config_var("SOABI"), sys.prefix]
    source = f"{_NAME}.c"
    texts = {source: (HEADERS / source).read_text("utf-8")}
    with built_library(command, lambda: (texts, []), *python, ending=".extension", keep=_KEPT, name=_NAME) as path:
        spec = spec_from_file_location(_NAME, path, loader=ExtensionFileLoader(_NAME, path))
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


class ExplicitGame(NativeGame):
    """The library of one game whose plays wait for chance.  Raises NativeUnavailableError."""

    kind = "explicit"

    def __init__(self, game: GameBase, *flags: str) -> None:
        module = extension()
        super().__init__(game, *flags)
        # A step takes about as long as releasing Python's lock would, so all calls hold it.
        self.steps: Any = declared(ctypes.PyDLL(None, handle=self.calls._handle))
        size: int = self.steps.explicit_size()
        buffer = (c_int32 * -(-size // 4))()
        self.beginning: int = self.steps.explicit_begin(buffer)
        """The player to act at the beginning, or `ELSEWHERE`."""
        library = module.Library(
            apply=ctypes.cast(self.steps.explicit_apply, c_void_p).value,
            size=ctypes.sizeof(buffer),
            listed=self.steps.explicit_listed(),
            cards=game.num_cards,
            most_entries=game.max_history,
        )
        self.first: Any = module.Play(library, ctypes.addressof(buffer))
        """A play before anything has happened."""

    def determine(self, play: Any, faces: list[int]) -> int:
        """Let all unknown cards have these faces, pool by pool and token by token; return as `apply` does."""
        found: int = self.steps.explicit_determine(play.address, (c_int32 * len(faces))(*faces), len(faces))
        return found

    def outcome_of(self, play: Any) -> Outcome:
        """Return how a play that is over ended."""
        row = (c_int64 * self.row)()
        self.steps.explicit_ends(play.address, row)
        return self.outcome(row[:])

    def unknown(self, play: Any) -> list[list[int]]:
        """Return the cards of each pool of a play, in the order of their numbers."""
        size = self.game.num_cards
        written = (c_int32 * (2 * size))()
        count = self.steps.explicit_unknown(play.address, written)
        cards, pools = written[:count], written[size : size + count]
        if pools[0] == pools[-1]:
            return [cards]
        found: dict[int, list[int]] = {}
        for card, pool in zip(cards, pools, strict=True):
            found.setdefault(pool, []).append(card)
        return list(found.values())


class NativeMachine(Machine):
    """A machine whose steps C takes, until its fields are needed.  `new_native_state` makes states of it."""

    __slots__ = ("_library", "_play")
    _library: ExplicitGame
    _play: Any
    """The play in C, of the class `Play` of the extension module; None where Python steps the state."""

    def _read(self, name: str) -> Any:
        """Return a field of a machine that is not filled in: one that C knows, or else fill in all of them."""
        if name not in FIELDS or self._play is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        match name:
            case "to_act":
                return self._play.to_act
            case "entries":
                return self._play.entries
            case "num_actions":
                return self._play.num_actions
            case "num_decisions":
                return self._play.num_decisions
            case "result":
                return self._library.outcome_of(self._play) if self.is_terminal() else None
            case "_log":
                self._log = None
            case "_trail":
                self._trail = []
            case _:
                self.materialize()
        return getattr(self, name)

    def materialize(self) -> None:
        """Let Python step the state from here on: fill in the fields of a machine, from a replay of the history."""
        if self._play is not None:
            self._adopt(self._replayed())

    def _replayed(self) -> Machine:
        """Return a state of Python after the same history."""
        state: Machine = self.game.new_python_state()
        items = self.entries
        for place in range(1, len(items), 2):
            if isinstance(items[place], int):
                state.apply_unchecked(items[place])
            else:
                state.apply_action(items[place])
        return state

    def _adopt(self, state: Machine) -> None:
        """Take over the fields of a state of Python."""
        state._log, state._trail = self._log, self._trail
        for name in FIELDS:
            setattr(self, name, getattr(state, name))
        self._play = None

    # ---- what kind of node this is

    def chance_offset(self) -> int:
        """Return what to add to the outcomes of the waiting chance event so that none is negative; mostly 0."""
        play = self._play
        if play is None:
            return super().chance_offset()
        if play.to_act != CHANCE or play.kind == CARD_NEEDED:
            return 0
        return self.game.chance_offsets.get(play.node, 0)

    # ---- acting

    # The extension module carries out what it can, and calls these methods for the rest.

    def legal_actions(self) -> list[int]:
        """Return the legal small actions in ascending order; at a chance node, the outcomes."""
        if self._play is not None and self._play.to_act < 0:
            return [outcome for outcome, _ in self._play.chance_outcomes()]
        self.materialize()  # Python raises the fault.
        return super().legal_actions()

    def apply_action(self, action: int | Sequence[int]) -> None:
        """Carry out a whole sentence (several small actions), or any action of a state that Python steps."""
        if self._play is None:
            super().apply_action(action)
        else:
            self._refuse(action)

    def _refuse(self, action: int | Sequence[int]) -> None:
        """Let Python refuse an action that C does not know, in words, or carry it out."""
        state = self._replayed()
        try:
            state.apply_action(action)
        except IllegalActionError:
            raise
        except RuleError:
            self._adopt(state)
            raise
        self._adopt(state)

    def _apply_in_python(self, action: int | Sequence[int]) -> None:
        """Let Python carry out an action that C has no answer to, and all after it."""
        self.materialize()
        super().apply_action(action)

    def apply_unchecked(self, action: int) -> None:
        """Carry out a small action that is known to be legal."""
        if self._play is None:
            super().apply_unchecked(action)
        else:
            self.apply_action(action)

    def end_here(self) -> None:
        """End the play as it is, as if it had reached its greatest length."""
        self.materialize()
        super().end_here()

    def end_with_round(self) -> None:
        """Let the play end after the round that is being played."""
        self.materialize()
        super().end_with_round()

    # ---- chance

    def resolve_chance(self, rng: Rng) -> None:
        """Answer every waiting chance event at random; afterwards a player acts or the play is over."""
        while (play := self._play) is not None and play.to_act == CHANCE:
            if play.kind == CARD_NEEDED:
                self.resolve_piles(rng)
            else:
                items = play.listed
                self.apply_action(items[below(rng, len(items))])
        if play is None:
            super().resolve_chance(rng)

    def resolve_piles(self, rng: Rng) -> None:
        """Draw the cards of all waiting piles at random; other chance events are left to wait."""
        play = self._play
        if play is None:
            super().resolve_piles(rng)
            return
        if play.to_act != CHANCE or play.kind != CARD_NEEDED:
            return
        faces = self.game.card_faces
        drawn: list[int] = []
        for cards in self._library.unknown(play):
            mix(rng, cards)
            drawn += [faces[card] for card in cards]
        if self._library.determine(play, drawn) < TERMINAL:
            self._apply_in_python(tuple(drawn))
        else:
            play.note_drawn(tuple(drawn))

    # ---- copies

    def _fresh(self) -> Self:
        other = super()._fresh()
        other._play = None
        return other

    def _become(self, other: Any) -> None:
        """Take over everything from a state that nobody else will use."""
        super()._become(other)
        self._play = None


def new_native_state(state: type, game: GameBase, library: ExplicitGame) -> Any:
    """Return the state before anything has happened, stepped by a library of its game.

    `state` is the class of the states of Python, of which the class of the new one is derived.
    """
    made = new(_state_class(state))
    made.game, made._library, made._play = game, library, library.first.copy()
    return made


@cache
def _state_class(state: type) -> Any:
    """Return the class of native states: the frequent methods and the fields are in C."""
    attributes = {"__slots__": (), "__doc__": state.__doc__, "__module__": __name__}
    made = type("NativeState", (NativeMachine, state), attributes)
    extension().bind(made, tuple(name for name in FIELDS if name != "game"))
    return made
