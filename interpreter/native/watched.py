"""Plays of C that note what players see of them: two of them have the same `seen` for a player exactly where that
player's information states are the same.

`interpreter/native/c/watch.h` says how that is told and hashed, `interpreter.program.c.watching` what the rules tell.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from ctypes import c_char, c_uint64
from typing import TYPE_CHECKING, Any, Self

from interpreter.native.library import NativeUnavailableError, quick_flags
from interpreter.native.plays import NativeGame, NativePlay, tape_of

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase


class WatchedGame(NativeGame):
    """The library of one game whose plays can be watched.  Raises NativeUnavailableError."""

    kind = "watched"

    def __init__(self, game: GameBase, *flags: str) -> None:
        super().__init__(game, *flags)
        self.watched_size: int = self.calls.watched_size()
        """Bytes of a watched state, which begins with a state."""

    @classmethod
    def wanted(cls, game: GameBase) -> Self:
        """Return the library of a game, unless the environment says `CARDGAME_NATIVE=off`.

        Raises NativeUnavailableError.
        """
        if os.environ.get("CARDGAME_NATIVE") == "off":
            raise NativeUnavailableError("the environment says `CARDGAME_NATIVE=off`")
        return cls.of(game, *(quick_flags() if game.quick_build else ()))

    def play(self, seed: int, number: int = 0, tape: Sequence[int] | None = None) -> WatchedPlay:
        """Return a play before its first decision, with what chance drew; `tape` says what it is to draw."""
        return WatchedPlay(self, seed, number, tape)


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
