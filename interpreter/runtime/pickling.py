"""How games are pickled: as the text of their spec, of which a function from outside the runtime makes them again.

That function stands above the runtime (`interpreter.loader`), and enters itself here.  Pickle keeps it by its name:
whoever unpickles a game, or a state of one, imports its module first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

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
