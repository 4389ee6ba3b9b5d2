"""The library of a game whose plays ask for what chance chooses, so that states of the public kind can stand on it.

Chance is asked as Python's machine asks it, for the same cards in the same order (`interpreter/native/c/asking.h`);
`interpreter/native/c/explicit.h` has the calls, and `interpreter.runtime.carried` the states.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from ctypes import POINTER, c_int32, c_int64, c_void_p
from typing import TYPE_CHECKING, Any

from interpreter.native.plays import NativeGame
from interpreter.runtime.carried import ASKED, CARD_ASKED, CARDS, COUNT, FIRST, TO_ACT, Report

if TYPE_CHECKING:
    from interpreter.runtime.game_base import GameBase
    from interpreter.runtime.outcome import Outcome

_STATE = c_void_p
_CALLS = {
    "explicit_size": (c_int64, ()),
    "explicit_begin": (c_int64, (_STATE,)),
    "explicit_determine": (c_int64, (_STATE, POINTER(c_int32), c_int32)),
    "explicit_unknown": (c_int32, (_STATE, POINTER(c_int32))),
    "explicit_ends": (None, (_STATE, POINTER(c_int64))),
}


_REPORTS = 2048
"""How much of what buffers say is kept as Python has read it; C numbers a quarter as many at a time."""


class _Draws(dict[int, tuple[int, float]]):
    """The outcomes of drawing one of so many cards: a face and how likely it is, made when it first comes up."""

    def __init__(self, base: int, cards: int) -> None:
        super().__init__()
        self.base, self.cards = base, cards

    def __missing__(self, number: int) -> tuple[int, float]:
        others, face = divmod(number, self.base)
        found = self[number] = (face, (others + 1) / self.cards)
        return found


class ExplicitGame(NativeGame):
    """The library of one game whose plays ask for what chance chooses.  Raises NativeUnavailableError."""

    kind = "explicit"

    def __init__(self, game: GameBase, *flags: str) -> None:
        super().__init__(game, *flags)
        # A step takes a microsecond, as long as a release of the interpreter's lock would; and the lock guards what C
        # remembers of reports.
        self._steps: Any = ctypes.PyDLL(None, handle=self.calls._handle)
        for name, (result, args) in _CALLS.items():
            call = getattr(self._steps, name)
            call.restype, call.argtypes = result, args
        self.buffer = c_int32 * -(-self._steps.explicit_size() // 4)
        # Nor are there types to check: it is given a reference to a buffer, and a number of 32 bits.
        self.apply: Any = self._steps.explicit_apply
        self.apply.restype = c_int64
        self.first = self.buffer()
        """A play before anything has happened."""
        self.reports: dict[int, Report] = {}
        """What came more than once, by its number in C, so that it need not be read again."""
        self._drawing: dict[int, Callable[[int], tuple[int, float]]] = {}
        """What gives an outcome for its number in a buffer, by how many cards it is one of."""
        self.beginning: int = self._steps.explicit_begin(self.first)
        """What beginning it came to, as of `apply`."""

    def copy(self, buffer: Any) -> tuple[Any, Any]:
        """Return a copy of a buffer, and a reference to it."""
        made = self.buffer.from_buffer_copy(buffer)
        return made, ctypes.byref(made)

    def determine(self, at: Any, faces: list[int]) -> int:
        """Let all unknown cards have these faces, pool by pool and token by token; return as `apply` does."""
        found: int = self._steps.explicit_determine(at, (c_int32 * len(faces))(*faces), len(faces))
        return found

    def keep(self, number: int, buffer: Any) -> Report:
        """Return what a buffer says, and put it among `reports`."""
        if len(self.reports) >= _REPORTS:
            self.reports.clear()
        found = self.reports[number] = Report(self, buffer, buffer[TO_ACT])
        return found

    def chances(self, buffer: Any) -> list[tuple[int, float]]:
        """Return the outcomes of the waiting chance event with their probabilities."""
        listed = buffer[FIRST : FIRST + buffer[COUNT]]
        if buffer[ASKED] != CARD_ASKED:
            return sorted((outcome, count / len(listed)) for outcome, count in Counter(listed).items())
        cards = buffer[CARDS]
        drawn = self._drawing.get(cards)
        if drawn is None:
            drawn = self._drawing[cards] = _Draws(self.game.num_cards, cards).__getitem__
        return [*map(drawn, listed)]

    def outcome_of(self, buffer: Any) -> Outcome:
        """Return how a play that is over ended."""
        row = (c_int64 * self.row)()
        self._steps.explicit_ends(buffer, row)
        return self.outcome(row[:])

    def unknown(self, buffer: Any) -> list[list[int]]:
        """Return the cards of each pool of a play, in the order of their numbers."""
        size = self.game.num_cards
        written = (c_int32 * (2 * size))()
        count = self._steps.explicit_unknown(buffer, written)
        cards, pools = written[:count], written[size : size + count]
        if pools[0] == pools[-1]:
            return [cards]
        found: dict[int, list[int]] = {}
        for card, pool in zip(cards, pools, strict=True):
            found.setdefault(pool, []).append(card)
        return list(found.values())
