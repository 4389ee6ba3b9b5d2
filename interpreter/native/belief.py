"""Walks of Metropolis and Hastings in C: worlds that a player cannot tell from the true one.

`interpreter/native/c/belief.h` has the walk; `interpreter.runtime.belief.walk` is the same in Python, and says of what
distribution worlds are.  Worlds come as states of Python, or side by side as states of C, for a search in C.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import POINTER, c_char, c_double, c_int32, c_int64, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any

from interpreter.native.tapes import Record, record_of, state_of
from interpreter.runtime import chance

if TYPE_CHECKING:
    from interpreter.native.watched import WatchedGame
    from interpreter.runtime.state import State

_WALK, _NUMBERS = c_void_p, POINTER(c_int32)
_CALLS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "walk_new": (_WALK, (c_int32, c_uint64, _NUMBERS, c_int32, _NUMBERS, c_int32)),
    "walk_free": (None, (_WALK,)),
    "walk_go": (None, (_WALK, c_int64, c_int32)),
    "walk_turns": (c_int32, (_WALK,)),
    "walk_work": (c_int64, (_WALK,)),
    "walk_room": (c_int64, (_WALK,)),
    "walk_counts": (None, (_WALK, POINTER(c_int64))),
    "walk_states": (None, (_WALK, c_void_p, c_int64, c_int64)),
    "walk_play": (c_int32, (_WALK, _NUMBERS, c_int32, _NUMBERS, _NUMBERS)),
    "walk_features": (None, (_WALK, POINTER(c_double), c_int32, c_int32)),
    "walk_onward": (c_double, (_WALK, _WALK)),
}

CARDS, TURNS = 32, 8
"""How many features of a walk tell where cards lie, and how many what was done in the last hidden turns."""


class NativeWalk:
    """A walk over the plays that a player cannot tell from one, which begins there.

    It is the same for the same seed on every machine.  Raises ValueError for a play that waits for chance, MemoryError
    where the play is too long to be kept with all its marks.
    """

    def __init__(self, native: WatchedGame, state: State, player: int, rng: chance.Rng) -> None:
        self.native = native
        self.calls = native.calls
        for name, (result, args) in _CALLS.items():
            call = getattr(self.calls, name)
            call.restype, call.argtypes = result, args
        record = record_of(state, rng)
        tape = [value for part in record.drawn for value in part]
        self._tape = len(tape)
        seed = int(rng.random() * 2**53)
        self._walk: int | None = self.calls.walk_new(
            player, seed, _numbers(record.actions), len(record.actions), _numbers(tape), len(tape)
        )
        if not self._walk:
            raise MemoryError("there is no room for the play and all its marks")

    def __del__(self) -> None:
        if getattr(self, "_walk", None):
            self.calls.walk_free(self._walk)
            self._walk = None

    @property
    def work(self) -> int:
        """How many small actions have been carried out."""
        done: int = self.calls.walk_work(self._walk)
        return done

    def go(self, steps: int, *, anywhere: bool = False) -> None:
        """Take so many steps; `anywhere`: to whatever is possible, likely or not."""
        self.calls.walk_go(self._walk, steps, anywhere)

    def onward(self, before: NativeWalk) -> float:
        """Begin in the world where a walk over the beginning of this play stands; what happened since happens in it.

        Returns how likely what the player has seen since is in that world, but for what is the same in all of them; 0
        where it cannot be, and then this walk is of no more use.
        """
        likely: float = self.calls.walk_onward(self._walk, before._walk)
        return likely

    def features(self) -> list[float]:
        """Return numbers that tell where the walk stands, always the same ones in the same order."""
        out = (c_double * (CARDS + TURNS))()
        self.calls.walk_features(self._walk, out, CARDS, TURNS)
        return list(out)

    def record(self) -> Record:
        """Return the play where the walk stands."""
        room = self.calls.walk_room(self._walk)
        actions, ends, tape = (c_int32 * (room + 1))(), (c_int32 * (room + 1))(), (c_int32 * (self._tape + 1))()
        count = self.calls.walk_play(self._walk, actions, room, tape, ends)
        drawn, begin = [], 0
        for end in ends[: count + 1]:
            drawn.append(tuple(tape[begin:end]))
            begin = end
        return Record(tuple(actions[:count]), tuple(drawn))

    def state(self) -> State:
        """Return a plain state at the end of the play where the walk stands."""
        return state_of(self.native.game, self.record())

    def states(self, count: int, steps: int) -> ctypes.Array[c_char]:
        """Take so many steps for each of so many worlds, and return these as states of C side by side."""
        out = (c_char * (self.native.size * count))()
        self.calls.walk_states(self._walk, out, count, steps)
        return out

    def counts(self) -> tuple[int, int, int]:
        """Return how many steps there were, how many came to a possible play, and how many went there."""
        out = (c_int64 * 3)()
        self.calls.walk_counts(self._walk, out)
        return out[0], out[1], out[2]


def _numbers(values: Sequence[int]) -> ctypes.Array[c_int32]:
    return (c_int32 * max(1, len(values)))(*values)
