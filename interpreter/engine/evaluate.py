"""Evaluate expressions on a state: for scenarios, for refusals, and for queries of a running game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.analysis import core
from interpreter.analysis.symbols import Local
from interpreter.program.python.expressions import ExpressionPrinter

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.machine import Machine
    from interpreter.program.layout import Layout
    from interpreter.program.nodes import Decision, Program

Function = Callable[..., Any]
"""A function of a state, its values and its zones; and of the thing in question, for a condition on one."""


def evaluator(game: GameBase, expr: core.Expr, bound: Mapping[Local, str] | None = None) -> Callable[[Machine], Any]:
    """Return a function from a state to the value of a checked expression.

    `bound` gives the values of local names as Python text.  The function raises NeedCard if the value depends on a
    card that is not determined.
    """
    function = _compiled(game, expr, bound or {})

    def value(state: Machine) -> Any:
        return function(state, state.values, state.zones)

    return value


@lru_cache(maxsize=16)
def _printer(program: Program, layout: Layout) -> ExpressionPrinter:
    """Return the printer of a program, which keeps its tables for later expressions."""
    return ExpressionPrinter(program, layout, prefix="evaluated_")


def _compiled(game: GameBase, expr: core.Expr, bound: Mapping[Local, str], params: str = "st, v, z") -> Function:
    printer = _printer(game.program, game.layout)
    printer.stand(expr.span)
    with printer.binding(bound):
        text = f"lambda {params}: {printer.value(expr)}"
    names = {**game.code.names, **printer.tables}
    function: Function = eval(compile(text, "<evaluated>", "eval"), names)
    return function


@attrs.frozen
class ArgumentTest:
    """The legal values of an argument: its domain, and its condition and bounds if it has them."""

    domain: Function
    where: Function | None
    low: Function | None
    high: Function | None


@attrs.frozen
class ActionTest:
    """The conditions of an action, as functions; each argument reads the earlier ones from the state."""

    only_if: Function | None
    args: tuple[ArgumentTest, ...]


@lru_cache(maxsize=256)
def action_tests(game: GameBase, node: Decision) -> tuple[ActionTest, ...]:
    """Return the conditions of each action of a decision, which say why one is not legal."""

    def compiled(expr: core.Expr | None) -> Function | None:
        return None if expr is None else _compiled(game, expr, {})

    def argument(arg: core.Arg) -> ArgumentTest:
        it = {arg.each: "it", arg.local: "it"}
        where = None if arg.where is None else _compiled(game, arg.where, it, "st, v, z, it")
        return ArgumentTest(_compiled(game, arg.domain, {}), where, compiled(arg.low), compiled(arg.high))

    return tuple(ActionTest(compiled(way.action.only_if), tuple(map(argument, way.action.args))) for way in node.ways)
