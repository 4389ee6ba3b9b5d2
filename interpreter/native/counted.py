"""Random plays counted in C: a library of its own, so that plain plays pay nothing for it.

`interpreter/native/c/counted.h` says what is counted; `interpreter.simulate.recording` counts the same in Python, for
players that are not random, and where there is no compiler.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_int64, c_uint64
from typing import TYPE_CHECKING

from interpreter.native.plays import NativeGame

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase

_CALLS = {
    "game_totals": ((), c_int64),
    "game_row": ((), c_int64),
    "game_counted": ((c_uint64, c_int64, c_int64, POINTER(c_int64), POINTER(c_int64)), c_int64),
}


class CountedGame(NativeGame):
    """The counting library of one game.  Raises NativeUnavailableError."""

    kind = "counting"

    def __init__(self, game: GameBase, *flags: str) -> None:
        super().__init__(game, *flags)
        for name, (args, result) in _CALLS.items():
            call = getattr(self.calls, name)
            call.argtypes, call.restype = args, result

    def counted(self, seed: int, first: int, count: int) -> tuple[list[int], list[list[int]]]:
        """Return what so many plays from number `first` on come to: the totals, and a row for each play.

        Raises RuleError where a rule could not be carried out.
        """
        width = self.calls.game_row()
        totals = (c_int64 * self.calls.game_totals())()
        rows = (c_int64 * max(1, width * count))()
        done = self.calls.game_counted(
            seed, first, count, ctypes.cast(totals, POINTER(c_int64)), ctypes.cast(rows, POINTER(c_int64))
        )
        numbers = list(rows)
        if done < 0:
            raise self.fault(numbers[width * (-done - 1)])
        return list(totals), [numbers[start : start + width] for start in range(0, width * count, width)]
