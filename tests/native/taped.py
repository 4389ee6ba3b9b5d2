"""Plays of C stepped action by action, with chance recorded on a tape or replayed from one."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_char, c_double, c_int32, c_uint64
from typing import Any, Self

from interpreter.engine.faults import IllegalActionError
from interpreter.native.plays import NativeGame, WatchedGame, numbers
from interpreter.native.tapes import Record

TAPE = 65_536
"""The most numbers that one action may put on a tape."""

_RECORD, _REPLAY = 1, 2


class NativePlay:
    """One play of a native game."""

    def __init__(self, native: NativeGame, seed: int, number: int = 0, tape: Sequence[int] | None = None) -> None:
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


class WatchedPlay(NativePlay):
    """One play, watched for all players."""

    native: WatchedGame

    def _begin(self, seed: int, number: int, tape: Sequence[int] | None) -> list[int]:
        self._state = (c_char * self.native.watched_size)()
        tape_, mode = tape_of(tape)
        everyone = (1 << self.native.game.num_players) - 1
        used = self.native.calls.watched_begin_taped(self._state, everyone, seed, number, tape_, len(tape_), mode)
        return list(tape_[:used])

    @property
    def _apply(self) -> Any:
        return self.native.calls.watched_apply_taped

    def seen(self, player: int) -> tuple[int, int]:
        """Return 128 bits that stand for the information state of a player."""
        found = (c_uint64 * 2)()
        self.native.calls.watched_seen(self._state, player, found)
        return found[0], found[1]

    def choice(self, player: int) -> int:
        """Return 64 bits that stand for what a player has seen of the small action that was just taken.

        It is 0 where they see nothing of it yet, as of the cards that another picks one by one; where a decision is
        kept from them, it tells who made it.
        """
        found: int = self.native.calls.watched_choice(self._state, player)
        return found


def native_play(native: NativeGame, record: Record) -> NativePlay:
    """Return a play of C that has gone as a record says."""
    kind = WatchedPlay if isinstance(native, WatchedGame) else NativePlay
    play = kind(native, 0, 0, record.drawn[0])
    for action, drawn in zip(record.actions, record.drawn[1:], strict=True):
        play.apply_action(action, drawn)
    return play


def tape_of(given: Sequence[int] | None) -> tuple[ctypes.Array[c_int32], int]:
    """Return a tape, and whether it is to be written or read."""
    if given is None:
        return (c_int32 * TAPE)(), _RECORD
    return numbers(given), _REPLAY
