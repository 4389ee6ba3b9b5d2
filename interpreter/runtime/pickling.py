"""How states are pickled: as the play that led to them, which a function from outside the runtime plays again.

That function makes games of texts, so it stands above the runtime (`interpreter.loader`), and enters itself here.
Pickle keeps it by its name: whoever unpickles a state imports its module first.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])
_revivers: list[Callable[..., Any]] = []


def revived_by(function: _Function) -> _Function:
    """Let a function rebuild states: it takes the spec's text, the setting, whether native, and the history."""
    _revivers[:] = [function]
    return function


def reviver() -> Callable[..., Any]:
    """Return the function that rebuilds states.  Raises PicklingError where nothing has been loaded by it."""
    if not _revivers:
        raise pickle.PicklingError("states can be pickled of games that `interpreter.load` has made")
    return _revivers[0]
