"""The library of a game whose plays ask for what chance chooses, so that states of the public kind can stand on it.

Chance is asked as Python's machine asks it, for the same cards in the same order (`interpreter/native/c/asking.h`);
`interpreter/native/c/explicit.h` has the calls, and `interpreter.runtime.carried` the states.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import POINTER, c_int32, c_int64, c_void_p
from typing import TYPE_CHECKING, Any

from interpreter.native.plays import NativeGame
from interpreter.runtime.outcome import Outcome

if TYPE_CHECKING:
    from interpreter.runtime.game_base import GameBase

_STATE = c_void_p
_CALLS = {
    "explicit_size": (c_int64, ()),
    "explicit_begin": (c_int32, (_STATE,)),
    "explicit_determine": (c_int32, (_STATE, POINTER(c_int32), c_int32)),
    "explicit_unknown": (c_int32, (_STATE, POINTER(c_int32), POINTER(c_int32))),
    "explicit_ends": (None, (_STATE, POINTER(c_int64))),
}


class _Draws(dict[int, tuple[int, float]]):
    """The outcomes of drawing one of so many cards: a face and how likely it is, made when it first comes up."""

    def __init__(self, base: int, cards: int) -> None:
        super().__init__()
        self.base, self.cards = base, cards

    def __missing__(self, number: int) -> tuple[int, float]:
        face, count = divmod(number, self.base)
        found = self[number] = (face, count / self.cards)
        return found


class ExplicitGame(NativeGame):
    """The library of one game whose plays ask for what chance chooses.  Raises NativeUnavailableError."""

    kind = "explicit"

    def __init__(self, game: GameBase, *flags: str) -> None:
        super().__init__(game, *flags)
        for name, (result, args) in _CALLS.items():
            call = getattr(self.calls, name)
            call.restype, call.argtypes = result, args
        self.buffer = c_int32 * -(-self.calls.explicit_size() // 4)
        # A step takes a microsecond, as long as a check of types and a release of the interpreter's lock would: so this
        # one call has neither, and is given a reference to a buffer and a number of 32 bits.
        self.apply: Any = ctypes.PyDLL(None, handle=self.calls._handle).explicit_apply
        self.first = self.buffer()
        """A play before anything has happened."""
        self.to_act: int = self.calls.explicit_begin(self.first)
        self.drawing: dict[int, Callable[[int], tuple[int, float]]] = {}
        """What gives an outcome for its number in a buffer, by how many cards it is one of."""

    def copy(self, buffer: Any) -> tuple[Any, Any]:
        """Return a copy of a buffer, and a reference to it."""
        made = self.buffer.from_buffer_copy(buffer)
        return made, ctypes.byref(made)

    def determine(self, at: Any, faces: list[int]) -> int:
        """Let all unknown cards have these faces, pool by pool and token by token; return who is to act."""
        to_act: int = self.calls.explicit_determine(at, (c_int32 * len(faces))(*faces), len(faces))
        return to_act

    def outcome_of(self, buffer: Any) -> Outcome:
        """Return how a play that is over ended."""
        row = (c_int64 * self.row)()
        self.calls.explicit_ends(buffer, row)
        return self.outcome(row[:])

    def draws(self, cards: int) -> Callable[[int], tuple[int, float]]:
        """Return what gives an outcome for its number in a buffer, where it is one of so many cards."""
        return self.drawing.setdefault(cards, _Draws(self.game.num_cards + 1, cards).__getitem__)

    def unknown(self, buffer: Any) -> list[list[int]]:
        """Return the cards of each pool of a play, in the order of their numbers."""
        cards, pools = (c_int32 * self.game.num_cards)(), (c_int32 * self.game.num_cards)()
        count = self.calls.explicit_unknown(buffer, cards, pools)
        found: dict[int, list[int]] = {}
        for card, pool in zip(cards[:count], pools[:count], strict=True):
            found.setdefault(pool, []).append(card)
        return list(found.values())
