"""Reachability, and the scope of what a phase declares: what no play comes to, and what is asked for where it is not.

Each check is a plain function from the rules to reports; `interpreter.analysis.lints.catalogue` lists them.
"""

from __future__ import annotations

from grammar.diagnostics import Cure, Edit, Label, Severity
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.context import Context
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.dependencies import DEEPEST, Whole
from interpreter.analysis.graphs import reachable


def check_reachable(cx: Context, whole: Whole) -> None:
    """Report phases that no play can come to."""
    run = whole.calls.reached()
    for phase in whole.rules.phases:
        if phase not in run and phase.declaration is not None:
            cx.report("CG401", f"nothing carries out the phase `{phase.name}`", phase.span,
                      "name it in `play` or in another phase, or remove it")  # fmt: skip


def check_recursion(cx: Context, whole: Whole) -> None:
    """Report phases that lead back to themselves, and those that lead too deep."""
    found = whole.calls
    order, back = found.order()
    for _, call in back:
        cx.report("CG402", f"`{call.phase.name}` leads back to itself", call.span,
                  "say again and again with `repeat .. until ..`",
                  labels=(Label(call.phase.span, "this phase"),))  # fmt: skip
    if back:
        return
    depth: dict[Phase, int] = {}
    for phase in order:
        depth[phase] = 1 + max((depth[c.phase] for c in found.of[phase]), default=0)
        if depth[phase] == DEEPEST + 1:
            cx.report("CG405", f"phases carry out each other more than {DEEPEST} deep", phase.span,
                      "let one phase carry out the others in turn")  # fmt: skip


def check_phase_state(cx: Context, whole: Whole) -> None:
    """Report uses of a phase's state where that phase may not be running."""
    rules = whole.rules
    found, uses = whole.calls, whole.uses
    for phase in rules.every_phase:
        for variable, span in uses.phase(phase).items():
            owner = variable.phase
            if owner is not None and phase.name != owner and phase in found.outside(owner):
                where = "`play`" if phase is rules.play else f"`{phase.name}`"
                _outside(cx, variable, span, f"may not be running in {where}")
    for line in rules.results:
        for variable, span in uses.within([line.value]).items():
            if variable.phase is not None:
                _outside(cx, variable, span, "is over when the result is counted")
    for invariant in rules.invariants:
        for variable, span in uses.within([invariant.condition]).items():
            if variable.phase is not None:
                _outside(cx, variable, span, "is not running at every decision")


def _outside(cx: Context, variable: Variable, span: Span, why: str) -> None:
    cx.report("CG403", f"`{variable.name}` belongs to `{variable.phase}`, which {why}", span,
              "declare it in a phase that surely runs, or under the `state` of the game",
              labels=(Label(variable.span, "declared here"),))  # fmt: skip


def check_first_values(cx: Context, whole: Whole) -> None:
    """Report first values that ask for a variable that has none yet: they are given in the order of the text."""
    rules = whole.rules
    uses = whole.uses
    asked = {v: uses.within([v.initial]) for v in rules.variables if v.initial is not None}
    ready: set[Variable] = set()
    for variable in rules.variables:
        for other, span in asked.get(variable, {}).items():
            running = other.phase == variable.phase or variable.phase is None
            if running and other not in ready:
                read = reachable(asked.get(other, ()), lambda v: asked.get(v, ()))
                _too_early(cx, variable, other, span, circle=variable in read)
        ready.add(variable)


def _too_early(cx: Context, variable: Variable, other: Variable, span: Span, *, circle: bool) -> None:
    assert variable.initial is not None
    cure: str | Cure = f"declare `{other.name}` in front of `{variable.name}`"
    if other is variable:
        message = f"the first value of `{variable.name}` asks for `{variable.name}` itself"
        cure = "give it a value that asks for nothing of the kind, and set it at the beginning of `play`"
    elif other.phase != variable.phase:
        message = f"the first value of `{variable.name}` asks for `{other.name}`, which belongs to `{other.phase}`"
        cure = f"declare `{other.name}` under the `state` of the game, in front of `{variable.name}`"
    elif circle:
        message = f"the first values of `{variable.name}` and `{other.name}` ask for each other"
        cure = "give one of them a value that asks for nothing of the kind, and set it at the beginning of `play`"
    else:
        message = f"the first value of `{variable.name}` asks for `{other.name}`, which comes later and has none yet"
        cure = _in_front(variable, other) or cure
    labels = () if other is variable else (Label(other.span, "declared here"),)
    inside = variable.initial.span
    if span.source is not inside.source or not inside.start <= span.start <= inside.end:
        labels = (*labels, Label(span, "asked for here"))
    cx.report("CG240", message, inside, cure, labels=labels)


def _in_front(variable: Variable, other: Variable) -> Cure | None:
    """Return the cure to move the line of one variable in front of that of another, if both are lines of their own."""
    rows = [_row(v.span) for v in (variable, other)]
    first, second = rows
    value = other.initial.span if other.initial is not None else other.span
    alone = second.start <= value.start <= value.end <= second.end and second.text.endswith("\n")
    indented = len(second.text) - len(second.text.lstrip())
    below = _row(second.behind).text
    goes_on = second.text.rstrip().endswith(",") or (below.strip() and len(below) - len(below.lstrip()) > indented)
    if first.source is not second.source or first.start >= second.start or not alone or goes_on:
        return None
    return Cure(f"declare `{other.name}` in front of `{variable.name}`",
                (Edit(first.before, second.text), Edit(second, "")))  # fmt: skip


def _row(span: Span) -> Span:
    """Return the whole line that a span begins on, with its end."""
    text = span.source.text
    return Span(span.source, text.rfind("\n", 0, span.start) + 1, text.find("\n", span.start) + 1 or len(text))


def check_ends(cx: Context, whole: Whole) -> None:
    """Report `end x` where the phase x may not be running."""
    found = whole.calls
    for phase in whole.rules.every_phase:
        for stmt in core.statements_of(phase):
            if not isinstance(stmt, core.End) or stmt.phase is None or stmt.phase is phase:
                continue
            if phase in found.outside(stmt.phase.name):
                cx.report("CG404", f"`{stmt.phase.name}` may not be running here", stmt.span,
                          "end a phase from inside it")  # fmt: skip


def check_decisions(cx: Context, whole: Whole) -> None:
    """Report a game in which nobody decides anything."""
    rules = whole.rules
    reached = whole.calls.reached()
    for phase in (p for p in rules.every_phase if p in reached):
        if any(isinstance(s, core.Choice) for s in core.statements_of(phase)):
            return
    cx.report("CG406", "nobody decides anything in this game", rules.play.span, "a decision is `p chooses`")


def check_unused(cx: Context, whole: Whole) -> None:
    """Warn of definitions and variables that nothing uses; a file of definitions alone may offer more than is used."""
    rules = whole.rules
    named = {stmt.variable for stmt in rules.statements() if isinstance(stmt, core.Assign)}
    used = cx.called()
    acting = {phase.span.source.name for phase in rules.every_phase}
    acting |= {line.span.source.name for line in rules.results} | {rules.source_name}
    for define in rules.defines:
        if define not in used and define.declaration.span.source.name in acting:
            cx.report("CG501", f"nothing uses the definition `{define.name}`", define.declaration.span,
                      "remove it", severity=Severity.WARNING)  # fmt: skip
    uses = whole.uses
    named.update(uses.within(rules.expressions()))
    for define in rules.defines:
        named.update(uses.define(define))
    for variable in (*rules.variables, *rules.local_variables):
        if variable not in named:
            cx.report("CG502", f"nothing uses the variable `{variable.name}`", variable.span, "remove it",
                      severity=Severity.WARNING)  # fmt: skip
