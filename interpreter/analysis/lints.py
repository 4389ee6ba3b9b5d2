"""Checks of a whole spec whose parts are sound: reachability, scope of phase state, bounds, knowledge.

Each check is a plain function from the rules to reports, in the list at the end.
"""

from __future__ import annotations

from collections.abc import Iterator

from grammar.diagnostics import Severity
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.context import Context
from interpreter.analysis.costs import check_costs
from interpreter.analysis.knowledge import check_knowledge
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Define, Phase, Variable


def expressions_of(block: tuple[core.Stmt, ...]) -> Iterator[core.Expr]:
    """Give every expression of a block, and all inside them; definitions are not entered."""
    for stmt in core.statements(block):
        for part in core.statement_parts(stmt)[0]:
            yield from core.walk(part)


def defines_within(exprs: Iterator[core.Expr]) -> set[Define]:
    """Return the definitions that expressions call, directly or through others."""
    found: set[Define] = set()
    todo = [e.define for e in exprs if isinstance(e, core.CallDefine)]
    while todo:
        define = todo.pop()
        if define in found:
            continue
        found.add(define)
        bodies = [value for _, value in define.lets]
        if define.value is not None:
            bodies.append(define.value)
        for body in bodies:
            todo.extend(e.define for e in core.walk(body) if isinstance(e, core.CallDefine))
    return found


def calls(phase: Phase) -> list[core.CallPhase]:
    """Return the calls of phases in a phase, in the order of the text."""
    return [s for s in core.statements(phase.body) if isinstance(s, core.CallPhase)]


def reached(start: Phase, without: str | None = None) -> set[Phase]:
    """Return the phases that can run from a phase on, if the named one never ran."""
    found: set[Phase] = set()
    todo = [start]
    while todo:
        phase = todo.pop()
        if phase in found or phase.name == without:
            continue
        found.add(phase)
        todo.extend(c.phase for c in calls(phase))
    return found


def check_reachable(cx: Context, rules: Rules) -> None:
    """Report phases that no play can come to."""
    run = reached(rules.play)
    for phase in rules.phases:
        if phase not in run:
            cx.report("CG401", f"nothing carries out the phase `{phase.name}`", phase.span,
                      "name it in `play` or in another phase, or remove it")  # fmt: skip


def check_recursion(cx: Context, rules: Rules) -> None:
    """Report phases that lead back to themselves."""
    for phase in rules.phases:
        for call in calls(phase):
            if phase in reached(call.phase):
                cx.report("CG402", f"`{phase.name}` leads back to itself", call.span,
                          "say again and again with `repeat .. until ..`")  # fmt: skip
                break


def _variables(exprs: Iterator[core.Expr]) -> Iterator[tuple[Variable, Span]]:
    for expr in exprs:
        if isinstance(expr, core.VarRef):
            yield expr.variable, expr.span


def uses_of(phase: Phase) -> Iterator[tuple[Variable, Span]]:
    """Give the variables that a phase reads or sets, itself or through definitions."""
    yield from _variables(expressions_of(phase.body))
    for stmt in core.statements(phase.body):
        if isinstance(stmt, core.Assign):
            yield stmt.variable, stmt.span
    for variable in phase.variables:
        if variable.initial is not None:
            yield from _variables(core.walk(variable.initial))
    for define in defines_within(expressions_of(phase.body)):
        bodies = [value for _, value in define.lets]
        for body in [*bodies, *([define.value] if define.value is not None else [])]:
            yield from _variables(core.walk(body))


def check_phase_state(cx: Context, rules: Rules) -> None:
    """Report uses of a phase's state where that phase may not be running."""
    outside: dict[str, set[Phase]] = {}
    for phase in [*rules.phases, rules.play]:
        for variable, span in uses_of(phase):
            owner = variable.phase
            if owner is None or phase.name == owner:
                continue
            if owner not in outside:
                outside[owner] = reached(rules.play, without=owner)
            if phase in outside[owner]:
                cx.report("CG403", f"`{variable.name}` belongs to `{owner}`, which may not be running in "
                          f"`{phase.name}`", span,
                          "declare it in a phase that surely runs, or under the `state` of the game")  # fmt: skip
    for line in rules.results:
        for variable, span in _variables(core.walk(line.value)):
            if variable.phase is not None:
                cx.report("CG403", f"`{variable.name}` belongs to `{variable.phase}`, which is over when the "
                          "result is counted", span, "declare it under the `state` of the game")  # fmt: skip


def check_ends(cx: Context, rules: Rules) -> None:
    """Report `end x` where the phase x may not be running."""
    for phase in [*rules.phases, rules.play]:
        for stmt in core.statements(phase.body):
            if not isinstance(stmt, core.End) or stmt.phase is None or stmt.phase is phase:
                continue
            if phase in reached(rules.play, without=stmt.phase.name):
                cx.report("CG404", f"`{stmt.phase.name}` may not be running here", stmt.span,
                          "end a phase from inside it")  # fmt: skip


def check_decisions(cx: Context, rules: Rules) -> None:
    """Report a game in which nobody decides anything."""
    for phase in reached(rules.play):
        if any(isinstance(s, core.Choice) for s in core.statements(phase.body)):
            return
    cx.report("CG406", "nobody decides anything in this game", rules.play.span, "a decision is `p chooses`")


def check_unused(cx: Context, rules: Rules) -> None:
    """Warn of definitions and variables that nothing uses."""
    exprs: list[core.Expr] = []
    for phase in [*rules.phases, rules.play]:
        exprs.extend(expressions_of(phase.body))
        exprs.extend(e for v in phase.variables if v.initial for e in core.walk(v.initial))
    exprs.extend(e for line in rules.results for e in core.walk(line.value))
    exprs.extend(e for line in rules.invariants for e in core.walk(line.condition))
    used = defines_within(iter(exprs)) | cx.inlined
    for define in rules.defines:
        if define not in used:
            cx.report("CG501", f"nothing uses the definition `{define.name}`", define.declaration.span,
                      "remove it", severity=Severity.WARNING)  # fmt: skip


CHECKS = (
    check_reachable,
    check_recursion,
    check_phase_state,
    check_ends,
    check_decisions,
    check_costs,
    check_knowledge,
    check_unused,
)


def check(cx: Context, rules: Rules) -> None:
    """Run all checks; each reports in the context."""
    for one in CHECKS:
        one(cx, rules)
        if one is check_recursion and cx.has_errors:
            return
