"""Cost checks (CG405): rules with too many steps, sets that take too long to evaluate, too many actions."""

from __future__ import annotations

from interpreter.analysis import core, joint_arguments
from interpreter.analysis.context import Context
from interpreter.analysis.core import Phase
from interpreter.analysis.dependencies import Whole
from interpreter.analysis.limits import STEP_LIMIT, TRIED_LIMIT, number_of_subsets
from interpreter.analysis.rules import Rules
from interpreter.analysis.types import Cards, Player, Sequence, base_of, size_of
from interpreter.analysis.work import DOMAIN_LIMIT, Bounds, Least, size

SET_LIMIT = 50_000_000
"""Steps that weighing the cards of one choice may take at most, if every result came up."""

ACTION_LIMIT = 100_000
"""Small actions that one action of a choice may have at most: the product of its single arguments."""

CHOICE_LIMIT = 200_000
"""Small actions that all actions of a choice may have together."""

GAME_LIMIT = 1_000_000
"""Small actions that a game may have."""

NESTED_LIMIT = 15
"""Loops that may stand in one another, with the single arguments of an action that is chosen there.

Each is a loop of Python, of which 20 may stand in one another; the rest is left for those that the code itself has."""


def check_costs(cx: Context, whole: Whole) -> None:
    """Report values and conditions that no play could carry out, and actions that are too many."""
    rules = whole.rules
    bounds = Bounds(rules)
    least = Least(bounds)
    known: set[object] = set()
    actions = 0
    for phase in rules.every_phase:
        _check_nesting(cx, phase)
        for stmt in core.statements_of(phase):
            if isinstance(stmt, core.Choice):
                for action in core.all_actions(stmt):
                    _check_set(cx, bounds, action)
                    _check_product(cx, rules, action)
                before, actions = actions, actions + _check_number(cx, rules, stmt, known)
                if actions > GAME_LIMIT >= before:
                    cx.report("CG405", f"this game has more than {GAME_LIMIT:,} small actions", stmt.span,
                              "offer fewer values, or the same action in several choices")  # fmt: skip
            if isinstance(stmt, core.For) and isinstance(stmt.binder.domain.type, Cards | Sequence):
                _check_length(cx, stmt)
    for expr in (*rules.expressions(), *(body for define in rules.defines for body in define.bodies)):
        steps = least.of(expr)
        if steps > STEP_LIMIT:
            cx.report(
                "CG405", f"this takes at least {_round(steps)} steps in every state", expr.span,
                f"iterate over fewer elements (at most {STEP_LIMIT:,} steps between two decisions)",
            )  # fmt: skip


def _check_nesting(cx: Context, phase: Phase) -> None:
    """Report loops that stand too deep in one another."""
    stack = [(phase.body, 0)]
    while stack:
        block, around = stack.pop()
        for stmt in block:
            depth = around + isinstance(stmt, core.For | core.While | core.InTurn | core.AtOnce)
            if depth > NESTED_LIMIT:
                cx.report("CG405", f"more than {NESTED_LIMIT} loops are nested here", stmt.span,
                          "put the inner ones into a phase of their own")  # fmt: skip
                continue
            stack.extend((inner, depth) for inner in core.blocks_inside(stmt))
            for action in core.all_actions(stmt) if isinstance(stmt, core.Choice) else ():
                single = sum(arg.form != "cards" for arg in action.args)
                if single + depth > NESTED_LIMIT:
                    inside = f", inside {depth} loops" if depth else ""
                    cx.report("CG405", f"`{action.verb}` has {single} arguments{inside}", action.span,
                              f"at most {NESTED_LIMIT} arguments and loops together: make it several decisions, "
                              "in a phase of their own")  # fmt: skip


def _check_set(cx: Context, bounds: Bounds, action: core.Action) -> None:
    for place, arg in enumerate(action.args):
        steps = 0 if arg.on_set is None else bounds.set_choice(arg.on_set, size(arg.domain), _most(arg))
        if steps > SET_LIMIT:
            cx.report(
                "CG405", f"checking the sets of `{arg.local.name}` can take {_round(steps)} steps", action.span,
                f"at most {SET_LIMIT:,}: use fewer measures in `such that`, choose fewer cards, or {_smaller(arg)}",
            )  # fmt: skip
        if (
            arg.form == "cards"
            and joint_arguments.weighed_later(action, place)
            and (tried := number_of_subsets(size(arg.domain), _most(arg))) > TRIED_LIMIT
        ):
            cx.report(
                "CG405", f"what follows `{arg.local.name}` depends on it, and it can be {_round(tried)} sets",
                arg.span, f"at most {TRIED_LIMIT:,}: choose fewer cards (`up to 2 cards {arg.local.name}`), "
                f"{_smaller(arg)}, or make it two decisions",
            )  # fmt: skip


def _smaller(arg: core.Arg) -> str:
    """Return the advice to limit the largest zone that a set is chosen from."""
    zones = [expr.zone for expr in core.walk(arg.domain) if isinstance(expr, core.ZoneRef)]
    if not zones:
        return "choose from fewer cards"
    largest = max(zones, key=lambda zone: zone.capacity)
    return f"give `{largest.name}`, which can hold {largest.capacity:,} cards, a smaller `at most`"


def _most(arg: core.Arg) -> int:
    """Return how many cards a set can have at most."""
    type_ = base_of(arg.local.type)
    return type_.at_most if isinstance(type_, Cards) and type_.at_most >= 0 else size(arg.domain)


def _check_length(cx: Context, stmt: core.For) -> None:
    most = size(stmt.binder.domain)
    unbounded = isinstance(stmt.binder.domain.type, Sequence) and stmt.binder.domain.type.at_most < 0
    if most > DOMAIN_LIMIT and not unbounded:
        cx.report("CG405", f"this iterates over {_round(most)} elements", stmt.binder.domain.span,
                  f"at most {DOMAIN_LIMIT:,}")  # fmt: skip


def _check_number(cx: Context, rules: Rules, choice: core.Choice, known: set[object]) -> int:
    """Report a choice that offers too many small actions; return how many of these no choice before has."""
    new = total = 0
    for action in core.all_actions(choice):
        ways = combinations(rules, action)
        key = (action.verb, *(arg.local.type for arg in action.args if arg.form != "cards"))
        new += 0 if key in known else ways
        known.add(key)
        total += ways
        if total > CHOICE_LIMIT >= total - ways:
            cx.report("CG405", f"this choice offers {_round(total)} small actions", action.span,
                      f"at most {CHOICE_LIMIT:,}: make it several decisions")  # fmt: skip
    return new


def _check_product(cx: Context, rules: Rules, action: core.Action) -> None:
    """Report an action whose single arguments have too many combinations."""
    ways = combinations(rules, action)
    if ways > ACTION_LIMIT:
        cx.report("CG405", f"`{action.verb}` has {_round(ways)} combinations of arguments", action.span,
                  f"at most {ACTION_LIMIT:,}: make it several decisions")  # fmt: skip


def combinations(rules: Rules, action: core.Action) -> int:
    """Return how many combinations the single arguments of an action have."""
    ways = 1
    for arg in action.args:
        if arg.form != "cards":
            ways *= max(1, len(rules.faces) if arg.form == "card" else _values(rules, arg))
    return ways


def _values(rules: Rules, arg: core.Arg) -> int:
    return rules.num_players if isinstance(arg.local.type, Player) else size_of(arg.local.type) or 1


def _round(steps: int) -> str:
    return f"{steps:,}" if steps < 10**12 else f"more than 10^{len(str(steps)) - 1}"
