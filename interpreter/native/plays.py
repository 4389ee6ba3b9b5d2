"""The calls of a game's library: one play, and many plays at random.

A state is `size` bytes without pointers, so a copy of the bytes is a copy of the play.  Chance is drawn inside, by the
state's own generator; on a *tape* it is told what it drew (the cards of each shuffled pile from the top downwards, the
value of each other event), or read from there.  Actions are the numbers of the public state.  Every call lets other
threads run.  `interpreter/native/c/many.h` says what the calls do.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterable, Sequence
from ctypes import c_char, c_double, c_int32, c_int64, c_uint64
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.game_base import MOST_OUTCOMES
from interpreter.engine.outcome import Ends, Outcome, cut_short, finished
from interpreter.engine.playouts import Playouts
from interpreter.native.library import Kind, NativeUnavailableError, generated, library

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.program.c.names import Fault

TAPE = 65_536
"""The most numbers that one action may put on a tape."""

_RECORD, _REPLAY = 1, 2


def make_native(game: GameBase) -> None:
    """Let the random plays of a game run as native code.

    The first time a C compiler is at work for a second or two.  Raises NativeUnavailableError where there is none, or a
    rule has no form in C; the game then runs as before.
    """
    NativeGame.of(game)
    vars(game)["native"] = True


class NativeGame:
    """The library of one game, made or found.  Raises NativeUnavailableError."""

    kind: Kind = "plays"
    """What its plays note."""

    def __init__(self, game: GameBase, *flags: str) -> None:
        self.game = game
        self.calls = library(game, *flags, kind=self.kind, headers=self.headers)
        self.size: int = self.calls.game_size()
        """Bytes of a state."""
        self.mask_words: int = self.calls.game_mask_words()
        """Words of 64 bits of a mask of the small actions."""
        self.results: tuple[str, ...] = tuple(filter(None, self.calls.game_results().decode().split(",")))
        """What `result` says: the lines, in the order in which their numbers stand in a row of `playouts`."""
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

    def play(self, seed: int, number: int = 0, tape: Sequence[int] | None = None) -> NativePlay:
        """Return a play before its first decision, with what chance drew; `tape` says what it is to draw."""
        return NativePlay(self, seed, number, tape)

    def restored(self, content: bytes) -> NativePlay:
        """Return the play whose state these bytes are."""
        play = object.__new__(NativePlay)
        play.native, play.drawn = self, []
        play._state = (c_char * self.size).from_buffer_copy(content)
        play._mask = (c_uint64 * self.mask_words)()
        return play

    def playouts(self, seed: int, count: int) -> tuple[ctypes.Array[c_int64], int]:
        """Return a row for each of so many random plays, and how many decisions they took together.

        A row is 0, or -1 where the play was too long, the number of decisions, and what `result` says.  Raises
        RuleError where a rule could not be carried out.
        """
        rows = (c_int64 * (self.row * count))()
        done, decisions, chunk = 0, 0, 64
        while done < count:
            # In parts, so that whoever waits can interrupt.
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
        """Return the ends that rows tell."""
        numbers, width = list(rows), self.row
        return self.outcomes(numbers[start : start + width] for start in range(0, len(numbers), width))

    def outcomes(self, rows: Iterable[Sequence[int]]) -> tuple[Outcome, ...]:
        """Return the ends that rows tell, or rows that are longer behind."""
        return tuple(map(self.outcome, rows))

    def outcome(self, row: Sequence[int]) -> Outcome:
        """Return the end that a row tells; most games end in few ways, so it is kept."""
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
        result = finished(
            ends["score"], ends["returns"], ends["winners"], ends["stakes"], players, self.game.cooperative
        )
        return cut_short(result) if key[0] else result

    def fault(self, number: int) -> RuleError:
        """Return the fault with a number, in words."""
        code, message, site = self._faults[number - 1]
        return RuleError(code, message, None if site is None else self.game.data.sites[site])

    @cached_property
    def _faults(self) -> tuple[Fault, ...]:
        return generated(self.game, self.kind).faults


class NativePlay:
    """One play of a native game."""

    def __init__(self, native: NativeGame, seed: int, number: int, tape: Sequence[int] | None) -> None:
        self.native = native
        self._mask = (c_uint64 * native.mask_words)()
        self._state: ctypes.Array[c_char]
        self.drawn = self._begin(seed, number, tape)
        """What chance drew since the last decision."""

    def _begin(self, seed: int, number: int, tape: Sequence[int] | None) -> list[int]:
        self._state = (c_char * self.native.size)()
        tape_, mode = tape_of(tape)
        used = self.native.calls.game_begin_taped(self._state, seed, number, tape_, len(tape_), mode)
        return list(tape_[:used])

    @property
    def _apply(self) -> Any:
        """The call that carries out a small action."""
        return self.native.calls.game_apply_taped

    def clone(self) -> Self:
        """Return an independent copy, whose chance goes on alike."""
        other = object.__new__(self.__class__)
        other.native, other.drawn = self.native, list(self.drawn)
        other._state = type(self._state).from_buffer_copy(self._state)
        other._mask = (c_uint64 * self.native.mask_words)()
        return other

    def content(self) -> bytes:
        """Return the bytes of the state."""
        return bytes(self._state)

    def current_player(self) -> int:
        """Return the player to act, or -4 at the end."""
        found: int = self.native.calls.game_player(self._state)
        return found

    def legal_actions(self) -> list[int]:
        """Return the legal small actions in ascending order; none at the end.  Raises RuleError."""
        there = self.native.calls.game_legal(self._state, self._mask)
        self._raise()
        if not there:
            return []
        found: list[int] = []
        for place, word in enumerate(self._mask):
            while word:
                found.append(64 * place + (word & -word).bit_length() - 1)
                word &= word - 1
        return found

    def apply_action(self, action: int, tape: Sequence[int] | None = None) -> None:
        """Carry out a legal small action.

        Raises IllegalActionError, with the play as it was; RuleError where a rule cannot be carried out.
        """
        tape_, mode = tape_of(tape)
        used = self._apply(self._state, action, tape_, len(tape_), mode)
        if used < 0:
            self._raise()
            raise IllegalActionError(f"{action} is not legal here")
        self.drawn = list(tape_[:used])
        self._raise()

    def returns(self) -> list[float]:
        """Return the payoffs, 0 before the end."""
        found = (c_double * self.native.game.num_players)()
        self.native.calls.game_returns(self._state, found)
        return list(found)

    @property
    def too_long(self) -> bool:
        """Whether the play reached its greatest length."""
        return bool(self.native.calls.game_too_long(self._state))

    def _raise(self) -> None:
        number = self.native.calls.game_fault(self._state)
        if number:
            raise self.native.fault(number)


def tape_of(given: Sequence[int] | None) -> tuple[ctypes.Array[c_int32], int]:
    """Return a tape, and whether it is to be written or read."""
    if given is None:
        return (c_int32 * TAPE)(), _RECORD
    return (c_int32 * max(1, len(given)))(*given), _REPLAY
