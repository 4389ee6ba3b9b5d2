"""Many plays of a game side by side, stepped in C by one call: `Game.vector`.

States lie one after another in one buffer, and everything about them is in numpy arrays that C fills
(`interpreter/native/c/vector.h`); the attributes are views of these, so nothing is copied.  Every call lets other
threads run, and a lock keeps two threads from stepping the same plays.
"""

from __future__ import annotations

import ctypes
from ctypes import Structure, byref, c_int64, c_uint64, c_void_p
from operator import index
from threading import Lock
from typing import TYPE_CHECKING, Any

from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.native.library import NativeUnavailableError

try:
    import numpy as np
except ModuleNotFoundError as missing:
    raise NativeUnavailableError(
        "numpy is not installed; install this package with its extra `vector`, or the package `numpy`"
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from interpreter.native.plays import NativeGame

_ILLEGAL, _FAULTY, _IDLE = 1, 2, 3


class _Many(Structure):
    """`many_t` of `vector.h`."""

    _fields_ = (
        ("count", c_int64), ("seat", c_int64), ("seed", c_uint64), ("wrong", c_int64), ("states", c_void_p),
        ("masks", c_void_p), ("random", c_void_p), ("begun", c_void_p), ("players", c_void_p), ("rewards", c_void_p),
        ("terminated", c_void_p), ("truncated", c_void_p),
    )  # fmt: skip


_UNINTERRUPTED = 2**18
"""So many steps of single plays are taken in one call, some 20 to 200 milliseconds; then one may interrupt."""


class Vector:
    """So many plays side by side; play i is the one that goes on in place i.  Make one with `Game.vector`.

    A play that ends is followed by the next one in its place, in the same step: `rewards`, `terminated` and `truncated`
    then describe the play that ended, all else of the new one.  Chance and the sampler of a place depend on the seed
    and the number of the place alone, so a place goes on alike, regardless of what is done in the others, and however
    many there are.

    The arrays cannot be written to; `step` and `reset` change what is in them.
    """

    def __init__(self, native: NativeGame, n: int, seed: int = 0, *, seat: int | None = None) -> None:
        """Begin so many plays.

        With a `seat` that player alone decides from outside, and all others at random.  A play that has ended is then
        followed by the next one in the next step, which ignores its action, so that its end can be observed.  Raises
        ValueError for a number of plays below 1 or another seat, RuleError where a rule cannot be carried out.
        """
        game = self.game = native.game
        self.num_plays = index(n)
        if self.num_plays < 1:
            raise ValueError(f"there can be no {n} plays; there is at least 1")
        if seat is not None and not 0 <= seat < game.num_players:
            raise ValueError(f"there is no player {seat}; they are 0 to {game.num_players - 1}")
        self._native = native
        self._calls: Any = native.calls
        assert self._calls.many_size() == ctypes.sizeof(_Many)
        self._later = seat is not None
        self._lock = Lock()
        self._fault: RuleError | None = None
        count, players = self.num_plays, game.num_players
        held: dict[str, NDArray[Any]] = {
            "states": np.zeros(count * native.size, np.uint8),
            "masks": np.zeros((count, native.mask_words), np.uint64),
            "random": np.zeros(count, np.uint64),
            "begun": np.zeros(count, np.uint32),
            "players": np.zeros(count, np.int32),
            "rewards": np.zeros((count, players), np.float64),
            "terminated": np.zeros(count, np.bool_),
            "truncated": np.zeros(count, np.bool_),
        }
        self._held = held
        who = -1 if seat is None else seat
        self._many = _Many(count=count, seat=who, **{name: array.ctypes.data for name, array in held.items()})
        self._bits = np.zeros((count, game.num_distinct_actions), np.bool_)
        self._unpacked = False
        self._observed: int = self._calls.many_observed()
        self.legal_words: NDArray[np.uint64] = _shut(held["masks"])
        """The legal small actions of each play as bits: action a is bit `a % 64` of word `a // 64`."""
        self.current_player: NDArray[np.int32] = _shut(held["players"])
        """The player to act in each play, from 0."""
        self.rewards: NDArray[np.float64] = _shut(held["rewards"])
        """The returns of each player in each play that ended in the last step; 0 in all others."""
        self.terminated: NDArray[np.bool_] = _shut(held["terminated"])
        """Which plays ended in the last step by the rules."""
        self.truncated: NDArray[np.bool_] = _shut(held["truncated"])
        """Which plays ended in the last step because they reached their greatest length."""
        self.reset(seed)

    @property
    def legal_mask(self) -> NDArray[np.bool_]:
        """Which small actions are legal in each play: n rows of as many truth values as there are small actions.

        Made of `legal_words` when it is first requested after a step.
        """
        if not self._unpacked:
            with self._lock:
                self._calls.many_unpack(byref(self._many), self._bits.ctypes.data)
                self._unpacked = True
        return _shut(self._bits)

    def reset(self, seed: int | None = None) -> None:
        """Begin everything anew, from another seed if one is given.  Raises RuleError."""
        with self._lock:
            if seed is not None:
                self._many.seed = _word(seed)
            self._fault, self._unpacked = None, False
            self._raise_for(self._calls.many_begin(byref(self._many)), ())

    def step(self, actions: ArrayLike) -> None:
        """Carry out a small action in each play.

        Raises IllegalActionError where one is not legal, with the number of its play; nothing has changed then.  Raises
        RuleError, with the number of the play, where a rule could not be executed: all other plays have gone on,
        this one is over, and only `reset` helps.
        """
        chosen = self._numbers(actions)
        with self._lock:
            if self._fault is not None:
                raise self._fault
            self._unpacked = False
            self._raise_for(self._calls.many_step(byref(self._many), chosen.ctypes.data, self._later), chosen)

    def sample(self, seed: int | None = None) -> NDArray[np.int64]:
        """Return a legal small action for each play, each alike, drawn in C.

        Each place has a generator of its own, which goes on from call to call; with a seed all begin anew from there.
        """
        drawn = np.empty(self.num_plays, np.int64)
        with self._lock:
            if seed is not None:
                self._calls.many_reseed(byref(self._many), _word(seed))
            self._calls.many_sample(byref(self._many), drawn.ctypes.data)
        return drawn

    def sample_steps(self, count: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Step so many times with what `sample` draws, as often as that `step(sample())`, but without a stop between.

        Return what each player got in all plays that ended on the way, a row for each place, and how many ended in each
        place.  Since C is left seldom, two threads with a vector each keep two cores busy.  Raises ValueError for a
        number below 0, RuleError as `step` does.
        """
        left = index(count)
        if left < 0:
            raise ValueError(f"there can be no {count} steps")
        paid = np.zeros((self.num_plays, self.game.num_players), np.float64)
        ended, drawn = np.zeros(self.num_plays, np.int64), np.empty(self.num_plays, np.int64)
        places = drawn.ctypes.data, self._later, paid.ctypes.data, ended.ctypes.data
        at_once = max(1, _UNINTERRUPTED // self.num_plays)
        with self._lock:
            if self._fault is not None:
                raise self._fault
            self._unpacked = False
            while left > 0:
                steps = min(left, at_once)
                self._raise_for(self._calls.many_sample_steps(byref(self._many), steps, *places), drawn)
                left -= steps
        return paid, ended

    def observations(self, player: int | None = None, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Return what a player sees of each play, n rows in the layout of `Game.observation_layout`.

        Without a player it is in each play what the one who is to act sees.  `out` is an array to write to, so that
        none need be made.  Raises ValueError for another player, or another kind of array.
        """
        if player is not None and not 0 <= player < self.game.num_players:
            raise ValueError(f"there is no player {player}; they are 0 to {self.game.num_players - 1}")
        shape = (self.num_plays, self._observed)
        if out is None:
            out = np.empty(shape, np.float32)
        elif out.shape != shape or out.dtype != np.float32 or not out.flags.c_contiguous or not out.flags.writeable:
            raise ValueError(f"`out` must be an array of float32 in the order of C, of the shape {shape}")
        with self._lock:
            self._calls.many_observe(byref(self._many), -1 if player is None else player, out.ctypes.data)
        return out

    def __len__(self) -> int:
        return self.num_plays

    def __repr__(self) -> str:
        return f"<{self.num_plays} plays of {self.game.title!r}>"

    def __reduce__(self) -> Any:
        raise TypeError("plays side by side cannot be copied or pickled")

    def _numbers(self, actions: ArrayLike) -> NDArray[np.int64]:
        """Return actions as C reads them.  Raises IllegalActionError for what are no numbers of actions."""
        try:
            given = np.asarray(actions)
        except (ValueError, OverflowError):
            given = np.asarray(None)
        if given.shape != (self.num_plays,) or given.dtype.kind not in "iu":
            raise IllegalActionError(f"`step` wants {self.num_plays} whole numbers, one for each play")
        return np.ascontiguousarray(given, np.int64)

    def _raise_for(self, found: int, actions: Iterable[Any]) -> None:
        """Raise what a call found."""
        if not found:
            return
        play = self._many.wrong
        if found == _ILLEGAL:
            raise IllegalActionError(f"{list(actions)[play]} is not legal in play {play}")
        if found == _IDLE:
            raise ValueError(f"no play begins in place {play} in which a player decides")
        state = self._held["states"].ctypes.data + play * self._native.size
        fault = self._native.fault(self._native.calls.game_fault(state))
        self._fault = RuleError(fault.code, f"play {play}: {fault.message}", fault.span)
        raise self._fault


def _shut(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


def _word(seed: int) -> int:
    """Return a seed as 64 bits."""
    return index(seed) & 2**64 - 1
