"""How games are pickled: as the text of their spec, of which a function from outside the runtime makes them again.

That function is in a layer above the runtime (`interpreter.loader`), and enters itself here.  Pickle keeps it by its
name: to unpickle a game, or a state of one, import its module first.

In the process that pickled it a game comes back as itself while it is there, as it does when it is copied: nothing that
can be read from it ever changes, and to compile it again takes longer than to play it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.setting import Setting

Made = tuple[str, "Setting", bool]
"""The pickled form of a game: the text of its spec, the setting, and whether it is native."""

_pickled: WeakValueDictionary[Made, GameBase] = WeakValueDictionary()
_Function = TypeVar("_Function", bound=Callable[..., Any])
_revivers: list[Callable[..., Any]] = []


def revived_by(function: _Function) -> _Function:
    """Let a function rebuild games: it takes the spec's text, the setting, and whether the game is native."""
    _revivers[:] = [function]
    return function


def reviver() -> Callable[..., Any]:
    """Return the function that rebuilds games.  Raises TypeError where nothing was loaded by it."""
    if not _revivers:
        raise TypeError("only what `interpreter.load` has made can be pickled")
    return _revivers[0]


def reduced(game: GameBase) -> tuple[Callable[..., Any], Made]:
    """Return how pickle keeps a game, which is remembered.  Raises what `reviver` raises."""
    made = (game.spec_text(), game.setting, game.native)
    _pickled[made] = game
    return reviver(), made


def remembered(made: Made) -> Any:
    """Return the `Game` that this process pickled as this; None where it is there no more."""
    game = _pickled.get(made)
    # A game may be made native after it was pickled.
    return game if game is not None and game.native == made[2] else None
