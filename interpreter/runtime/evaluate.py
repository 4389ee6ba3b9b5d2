"""Evaluate an expression on a state: for scenarios and whoever asks about a running game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from interpreter.analysis import core
from interpreter.analysis.symbols import Local
from interpreter.program.passes import Passes
from interpreter.program.python.expressions import Printer

if TYPE_CHECKING:
    from interpreter.runtime.game_base import GameBase
    from interpreter.runtime.logged import LoggedMachine


def evaluator(
    game: GameBase, expr: core.Expr, bound: Mapping[Local, str] | None = None
) -> Callable[[LoggedMachine], Any]:
    """Return a function from a logged state to the value of a checked expression.

    `bound` gives the values of local names as Python text.  The function raises NeedCard where the value depends on a
    card that is not determined.
    """
    code = game.logged_code
    assert code.layout is not None
    passes = Passes(game.rules, code.layout, logged=True)
    printer = Printer(game.rules, code.layout, passes, prefix="asked_")
    with printer.binding(bound or {}):
        text = f"lambda st, v, z: {printer.value(expr)}"
    names = {**code.names, **printer.tables}
    exec(compile("\n".join(printer.prepared), "<asked>", "exec"), names)
    function = eval(compile(text, "<asked>", "eval"), names)

    def value(state: LoggedMachine) -> Any:
        return function(state, state.values, state.zones)

    return value
