"""The library of a game: plays replayed, and many plays at random.

A state is `size` bytes without pointers, so a copy of the bytes is a copy of the play.  Chance is drawn inside, by the
state's own generator, or read from a *tape* (`interpreter.native.tapes`).  Actions are the numbers of the public state.
Every call lets other threads run.  `interpreter/native/c/many.h` says what the calls do.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from ctypes import c_char, c_int32, c_int64, c_uint64
from functools import cached_property
from typing import TYPE_CHECKING, Self

from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.game_base import MOST_OUTCOMES
from interpreter.engine.interruption import Interrupted
from interpreter.engine.outcome import Ends, Outcome, cut_short
from interpreter.engine.playouts import Playouts
from interpreter.native.library import Kind, NativeUnavailableError, generated, library, quick_flags
from interpreter.native.tapes import Record, record_of

if TYPE_CHECKING:
    from interpreter.engine.chance import Rng
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.machine import Machine
    from interpreter.program.c.names import Fault

REPLAYING = 2
"""The mode of a tape from which chance is read (`play.h`)."""


def make_native(game: GameBase) -> None:
    """Let the random plays of a game run as native code.

    The first call compiles for a second or two.  Raises NativeUnavailableError if there is no compiler, or a rule has
    no form in C; the game then runs as before.
    """
    NativeGame.of(game)
    vars(game)["native"] = True


class NativeGame:
    """The compiled library of one game, built or from the cache.  Raises NativeUnavailableError."""

    kind: Kind = "plays"
    """The kind of library, by the records of its plays."""

    def __init__(self, game: GameBase, *flags: str) -> None:
        self.game = game
        self.calls = library(game, *flags, kind=self.kind, headers=self.headers)
        self.size: int = self.calls.game_size()
        """Bytes of a state."""
        self.mask_words: int = self.calls.game_mask_words()
        """Words of 64 bits of a mask of the small actions."""
        self.results: tuple[str, ...] = tuple(filter(None, self.calls.game_results().decode().split(",")))
        """The names of the lines of `result`, in the order of their numbers in a row of `playouts`."""
        self.row: int = 2 + self.calls.game_ends()
        """Numbers of a row of `playouts`."""
        self._ends: dict[tuple[int, ...], Outcome] = {}

    @staticmethod
    def headers() -> dict[str, str]:
        """Return the texts of headers that are printed for this kind, by name."""
        return {}

    @classmethod
    def of(cls, game: GameBase, *flags: str) -> Self:
        """Return the library of a game, built or found when it is first needed; `flags` are for the compiler then.

        Raises NativeUnavailableError; what could not be built once is not tried again for every agent and every hint.
        """
        found = game.libraries.get(cls.kind)
        if found is None:
            try:
                found = cls(game, *flags)
            except NativeUnavailableError as error:
                found = str(error)
            game.libraries[cls.kind] = found
        if isinstance(found, str):
            raise NativeUnavailableError(found)
        made: Self = found
        return made

    def state_after(self, record: Record) -> bytes:
        """Return the state of C after a play that went as a record says.  Raises IllegalActionError, RuleError."""
        state = (c_char * self.size)()
        actions, tape = record.actions, record.tape
        done = self.calls.game_replay(state, numbers(actions), len(actions), numbers(tape), len(tape))
        if fault := self.calls.game_fault(state):
            raise self.fault(fault)
        if done < len(actions):
            raise IllegalActionError(f"{actions[done]} is not legal here")
        return state.raw

    def states(self, worlds: Iterable[Machine], rng: Rng) -> bytes:
        """Return worlds as states of C, side by side; fewer where it is interrupted.

        Cards that nobody has drawn yet in a world are drawn now.
        """
        found: list[bytes] = []
        with suppress(Interrupted):
            for world in worlds:
                found.append(self.state_after(record_of(world, rng)))
        return b"".join(found)

    def decision(self, content: bytes) -> tuple[int, list[int]]:
        """Return who is to act in a state of C, and the legal small actions in ascending order.  Raises RuleError."""
        state, mask = (c_char * self.size).from_buffer_copy(content), (c_uint64 * self.mask_words)()
        self.calls.game_legal(state, mask)
        if fault := self.calls.game_fault(state):
            raise self.fault(fault)
        legal = [64 * place + bit for place, word in enumerate(mask) if word for bit in range(64) if word >> bit & 1]
        return self.calls.game_player(state), legal

    def playouts(self, seed: int, count: int) -> tuple[ctypes.Array[c_int64], int]:
        """Return a row for each of `count` random plays, and the sum of their decisions.

        A row is 0, or -1 if the play was too long, the number of decisions, and the numbers of `result`.  Raises
        RuleError for a fault of the rules.
        """
        rows = (c_int64 * (self.row * count))()
        done, decisions, chunk = 0, 0, 64
        while done < count:
            # In parts, so that the caller can interrupt.
            part = min(chunk, count - done)
            found = self.calls.game_playouts(seed, done, part, ctypes.byref(rows, 8 * self.row * done))
            if found < 0:
                raise self.fault(rows[self.row * (done - found - 1)])
            decisions, done, chunk = decisions + found, done + part, min(2 * chunk, 65_536)
        return rows, decisions

    def random_playouts(self, count: int, seed: int | str) -> Playouts:
        """Play at random so many times; see `Game.random_playouts`."""
        number = int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:8], "little")
        rows, decisions = self.playouts(number, max(0, count))
        lengths = tuple(rows[1 :: self.row])
        return Playouts(decisions, lambda: self._outcomes(rows), lengths)

    def _outcomes(self, rows: ctypes.Array[c_int64]) -> tuple[Outcome, ...]:
        """Return the ends in rows."""
        numbers, width = list(rows), self.row
        return self.outcomes(numbers[start : start + width] for start in range(0, len(numbers), width))

    def outcomes(self, rows: Iterable[Sequence[int]]) -> tuple[Outcome, ...]:
        """Return the ends in rows, which may be longer."""
        return tuple(map(self.outcome, rows))

    def outcome(self, row: Sequence[int]) -> Outcome:
        """Return the end in a row; most games end in few ways, so it is kept."""
        key = (row[0], *row[2 : self.row])
        found = self._ends.get(key)
        if found is None:
            if len(self._ends) >= MOST_OUTCOMES:
                self._ends.clear()
            found = self._ends[key] = self._outcome(key)
        return found

    def _outcome(self, key: tuple[int, ...]) -> Outcome:
        ends: dict[str, Ends] = dict.fromkeys(("score", "returns", "winners", "stakes"))
        place, players = 1, self.game.num_players
        for what in self.results:
            if what == "winners":
                ends[what] = tuple(p for p in range(players) if key[place] >> p & 1)
                place += 1
            else:
                ends[what] = key[place : place + players]
                place += players
        result = self.game.outcome_of(ends["score"], ends["returns"], ends["winners"], ends["stakes"])
        return cut_short(result) if key[0] else result

    def fault(self, number: int) -> RuleError:
        """Return the fault with a number, in words."""
        code, message, site = self._faults[number - 1]
        return RuleError(code, message, None if site is None else self.game.data.sites[site])

    @cached_property
    def _faults(self) -> tuple[Fault, ...]:
        return generated(self.game, self.kind).faults


class WatchedGame(NativeGame):
    """The library of one game whose plays can be watched.  Raises NativeUnavailableError."""

    kind: Kind = "watched"

    def __init__(self, game: GameBase, *flags: str) -> None:
        super().__init__(game, *flags)
        self.watched_size: int = self.calls.watched_size()
        """Bytes of a watched state, which begins with a state."""

    def watched(self, record: Record, eyes: int) -> ctypes.Array[c_char]:
        """Return the state after a play, watched for some players, one bit each."""
        *_, last = self._replayed(record, eyes)
        return last

    def choices(self, record: Record, player: int) -> list[int]:
        """Return what a player saw of each small action of a play, as keys that differ where that differs."""
        _, *states = (self.calls.watched_choice(state, player) for state in self._replayed(record, 1 << player))
        return states

    def _replayed(self, record: Record, eyes: int) -> Iterator[ctypes.Array[c_char]]:
        """Give the state at the beginning of a play, and the same memory again after each small action."""
        watched, tape = (c_char * self.watched_size)(), numbers(record.tape)
        used = self.calls.watched_begin_taped(watched, eyes, 0, 0, tape, len(record.tape), REPLAYING)
        yield watched
        for action in record.actions:
            rest = ctypes.byref(tape, 4 * used)
            used += self.calls.watched_apply_taped(watched, action, rest, len(record.tape) - used, REPLAYING)
            yield watched

    @classmethod
    def wanted(cls, game: GameBase) -> Self:
        """Return the library of a game, unless the environment says `CARDGAME_NATIVE=off`.

        Raises NativeUnavailableError.
        """
        if os.environ.get("CARDGAME_NATIVE") == "off":
            raise NativeUnavailableError("the environment says `CARDGAME_NATIVE=off`")
        return cls.of(game, *(quick_flags() if game.quick_build else ()))


def numbers(values: Sequence[int]) -> ctypes.Array[c_int32]:
    """Return an array of C, of one number at least."""
    return (c_int32 * max(1, len(values)))(*values)
