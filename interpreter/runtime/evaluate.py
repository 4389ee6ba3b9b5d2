"""Evaluate an expression on a state: for scenarios and whoever asks about a running game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter.analysis import core
from interpreter.program.passes import Passes
from interpreter.program.python.expressions import Printer

if TYPE_CHECKING:
    from interpreter.runtime.game import Game
    from interpreter.runtime.logged import LoggedState


def evaluator(game: Game, expr: core.Expr) -> Callable[[LoggedState], Any]:
    """Return a function from a logged state to the value of a checked expression.

    The function raises NeedCard where the value depends on a card that is not determined.
    """
    code = game.logged_code
    assert code.layout is not None
    passes = Passes(game.rules, code.layout, logged=True)
    printer = Printer(game.rules, code.layout, passes, prefix="asked_")
    text = f"lambda st, v, z: {printer.value(expr)}"
    names = {**code.names, **printer.tables}
    exec(compile("\n".join(printer.prepared), "<asked>", "exec"), names)
    function = eval(compile(text, "<asked>", "eval"), names)

    def value(state: LoggedState) -> Any:
        return function(state, state.v, state.z)

    return value
