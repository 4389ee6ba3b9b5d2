"""Plays of C that note what players see of them: two of them have the same `seen` for a player exactly where that
player's information states are the same.

`interpreter/native/c/watch.h` says how that is told and hashed, `interpreter.program.c.watching` what the rules tell.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self

from interpreter.native.library import NativeUnavailableError, quick_flags
from interpreter.native.plays import NativeGame

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
