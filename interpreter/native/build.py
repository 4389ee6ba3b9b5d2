"""From a game's Python to its native code, and to the class of the states that this runs on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.native.extension import extension
from interpreter.native.module import module_of
from interpreter.runtime.code import Code, by_node
from interpreter.runtime.game_data import Spans
from interpreter.runtime.state import State, over

if TYPE_CHECKING:
    from interpreter.runtime.game import Game


def make_native(game: Game) -> None:
    """Let a game that has not been played yet run as native code.

    The first time takes some seconds, since a C compiler is at work.  Raises NativeUnavailableError where there is no
    Cython or no C compiler; the game then runs as before.
    """
    game.run_on(native)


def native(code: Code, helpers: Mapping[str, Any], max_decisions: int) -> tuple[Code, type[State]]:
    """Return the code with native functions, and the class of states that it can be called with.

    `helpers` are what the code's text refers to beside its tables.  Raises NativeUnavailableError.
    """
    kept = code.kept
    module = module_of(kept.text, {**helpers, **kept.tables}, max_decisions)
    built = extension(module.text)
    names: dict[str, Any] = built.begin(module.given)
    spans = Spans.of(kept.spans[line.origin - 1] if line.origin else None for line in module.lines)
    changed = attrs.evolve(
        code,
        kept=attrs.evolve(kept, text=module.text, tables=module.given, spans=spans),
        file=f"{built.__name__}.pyx",
        names=names,
        **by_node(names),
    )
    return changed, over(built.Machine)
