"""Games as native code: the same machine and the same rules, carried out by C instead of Python.

`make_native(game)` rewrites the Python that a game was compiled to, with the machine and the helpers under it, for
Cython, builds an extension module and lets the game run on that.  Plays, texts, faults and saves stay the same to the
letter; only the time differs.  What writes events, and what nobody waits for, stays Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.native.extension import NativeUnavailable

if TYPE_CHECKING:
    from interpreter.runtime.game import Game

__all__ = ["NativeUnavailable", "make_native"]


def make_native(game: Game) -> None:
    """Let a game that has not been played yet run as native code.

    The first time takes some seconds, since a C compiler is at work.  Raises NativeUnavailable where there is no
    Cython or no C compiler; the game then runs as before.
    """
    from interpreter.native.build import native

    game.run_on(native)
