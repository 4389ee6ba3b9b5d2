"""Bounded recursion: a phase that leads back to itself is unrolled into one phase for each level.

`phase respond(p: player) at most 4 deep` may run inside itself.  It and the phases that lead back to it, a circle of
calls, are copied for each level, each copy with names and variables of its own, so nothing downstream meets recursion:
a state stays flat, and generated code, analyses and the reference interpreter need no stack.  Copies have the names and
the spans of the text.  A call below the last level is a fault (CG812), never skipped.
"""

from __future__ import annotations

from typing import Any

import attrs

from grammar.diagnostics import Label, Severity
from grammar.expressions import evolved
from interpreter.analysis import core
from interpreter.analysis.budget import PASS, STEP, spend
from interpreter.analysis.context import Context
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.dependencies import Calls, calls
from interpreter.analysis.graphs import depth_first, reachable
from interpreter.analysis.limits import MOST_COPIED
from interpreter.analysis.memoized import Memoized
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local


def unroll(cx: Context, rules: Rules) -> Rules:
    """Return the rules without recursion; report circles of calls that cannot be unrolled."""
    found = Calls(rules)
    limited = [phase for phase in rules.phases if phase.deep is not None]
    if not limited and not depth_first(found.of, lambda call: call.phase)[1]:
        return rules
    circles = {phase: _circle(found, phase) for phase in limited}
    _check_circles(cx, rules, found, circles)
    if cx.has_errors:
        return rules
    unroller = _Unroller(rules)
    for phase, circle in circles.items():
        if circle:
            unroller.unroll(phase, circle)
    return unroller.result()


def _circle(found: Calls, phase: Phase) -> set[Phase]:
    """Return the phases that a phase leads to and that lead back to it, itself among them; none without recursion."""
    below = reachable((call.phase for call in found.of[phase]), lambda p: (call.phase for call in found.of[p]))
    spend(STEP * len(below), phase.span)
    if phase not in below:
        return set()
    callers: dict[Phase, list[Phase]] = {}
    for caller in below:
        for call in found.of[caller]:
            callers.setdefault(call.phase, []).append(caller)
    return reachable([phase], lambda p: callers.get(p, ()))


def _check_circles(cx: Context, rules: Rules, found: Calls, circles: dict[Phase, set[Phase]]) -> None:
    """Report circles without a limit or with two, and what no phase of a circle may have or do."""
    endless = {phase: [c for c in called if c.phase.deep is None] for phase, called in found.of.items()}
    back = {call.phase: call for _, call in reversed(depth_first(endless, lambda call: call.phase)[1])}
    for call in back.values():
        name, given = call.phase.name, "(..)" if call.phase.params else ""
        cx.report("CG402", f"`{name}` leads back to itself", call.span,
                  f"write a loop with `repeat .. until ..`; if `{name}` happens inside itself, say how deep: "
                  f"`phase {name}{given} at most 8 deep`", labels=(Label(call.phase.span, "this phase"),))  # fmt: skip
    for phase, circle in circles.items():
        _check_limit(cx, phase, circle)
        for variable in (v for p in rules.phases if p in circle for v in p.variables[:1]):
            cx.report("CG402", f"`{variable.phase}` leads back to itself, so it cannot have a `state`", variable.span,
                      f"write `let {variable.name}: ..` below `phase {variable.phase}`, or declare it under the "
                      "`state` of the game")  # fmt: skip
    within = set().union(*circles.values())
    for phase in rules.every_phase:
        for stmt in core.statements_of(phase):
            ended = stmt.phase if isinstance(stmt, core.End) else None
            if ended is None or ended is phase or ended not in within:
                continue
            if phase not in circles.get(ended, ()):
                cx.report("CG404", f"`{ended.name}` may be running several times here", stmt.span,
                          "end it in its own block", labels=(Label(ended.span, "this phase"),))  # fmt: skip


def _check_limit(cx: Context, phase: Phase, circle: set[Phase]) -> None:
    """Report a limit without effect, a second one in a circle, and one with too many statements."""
    assert phase.declaration is not None
    assert phase.declaration.deep is not None
    span = phase.declaration.deep.span
    if not circle and cx.advise:
        cx.report("CG516", f"`{phase.name}` never leads back to itself, so this limit has no effect", span,
                  "remove `at most .. deep`", severity=Severity.WARNING)  # fmt: skip
    other = next((p for p in circle if p.deep is not None and p.number < phase.number), None)
    if other is not None:
        cx.report("CG402", f"`{other.name}` and `{phase.name}` lead back to each other, and both have a limit",
                  span, "keep the limit of one of them", labels=(Label(other.span, "the other phase"),))  # fmt: skip
    count = (phase.deep or 1) * sum(len(core.statements_of(p)) for p in circle)
    if count > MOST_COPIED:
        cx.report("CG405", f"`{phase.name}` and the phases that lead back to it have {count:,} statements in all "
                  "levels", span, f"take fewer levels: at most {MOST_COPIED:,} statements")  # fmt: skip


class _Unroller:
    """Copies circles of phases; `rules` grow by the copies."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.num_locals = rules.num_locals
        self.variables: list[Variable] = []
        self._places = sum(v.places for v in (*rules.variables, *rules.local_variables))

    def result(self) -> Rules:
        """Return the rules with all copies."""
        own = (*self.rules.local_variables, *self.variables)
        return attrs.evolve(self.rules, num_locals=self.num_locals, local_variables=own)

    def local(self, local: Local) -> Local:
        """Return a copy of a name."""
        self.num_locals += 1
        return Local(local.name, local.type, self.num_locals, local.span, local.card_set)

    def variable(self, variable: Variable) -> Variable:
        """Return a copy of a variable of a block."""
        self.variables.append(evolved(variable, base=self._places))
        self._places += variable.places
        return self.variables[-1]

    def unroll(self, limited: Phase, circle: set[Phase]) -> None:
        """Replace a circle of phases by a copy for each level of the one that limits it.

        The lowest level of a phase is the phase itself, where calls from outside the circle lead.  Level 0 has the
        phases that are carried out before the one with the limit.
        """
        assert limited.deep is not None
        ordered = [phase for phase in self.rules.phases if phase in circle]
        inside = {p: [call.phase for call in calls(p) if call.phase in circle] for p in ordered}
        outside = (call.phase for p in self.rules.every_phase if p not in circle for call in calls(p))
        entered = {phase for phase in outside if phase in circle and phase is not limited}
        before = reachable(entered, lambda p: (called for called in inside[p] if called is not limited))
        levels: dict[tuple[Phase, int], Phase] = {}
        copies: list[Phase] = []
        for level in range(limited.deep + 1):
            for phase in ordered if level else [p for p in ordered if p in before]:
                copy = phase
                if level > 1 or (phase, 0) in levels:
                    number = len(self.rules.phases) + 1 + len(copies)
                    copy = Phase(phase.name, (), phase.declaration, number, phase.span, phase.tags, level=level)
                    copies.append(copy)
                levels[phase, level] = copy
        bodies = {phase: phase.body for phase in ordered}
        for (phase, level), copy in levels.items():
            copier = _Copier(self if copy is not phase else None, levels, limited, phase, level)
            copy.params = copier.copied(phase.params)
            copy.body = copier.copied(bodies[phase])
        self.rules = attrs.evolve(self.rules, phases=(*self.rules.phases, *copies))


class _Copier:
    """Copies the body of one phase of a circle for one level.

    The copy has names and variables of its own, from `unroller`; None keeps those of the text.
    """

    def __init__(
        self,
        unroller: _Unroller | None,
        levels: dict[tuple[Phase, int], Phase],
        limited: Phase,
        phase: Phase,
        level: int,
    ) -> None:
        self._unroller, self._levels, self._limited, self._phase, self._level = unroller, levels, limited, phase, level

    def copied(self, value: Any) -> Any:
        """Return a part of the body with the names, variables and calls of this level."""
        if isinstance(value, tuple):
            return tuple([self.copied(item) for item in value])
        if not isinstance(value, core.Record | Local | Variable):
            return value
        return self._copy(value)

    @Memoized
    def _copy(self, value: Any) -> Any:
        match value:
            case Local():
                return value if self._unroller is None else self._unroller.local(value)
            case Variable():
                return self._unroller.variable(value) if self._unroller is not None and value.local else value
            case core.CallPhase(phase=called) if (called, 1) in self._levels:
                return self._call(value)
            case core.End(phase=ended) if ended is self._phase or ended is self._limited:
                # Where the limited phase does not run yet, `check_ends` reports this.
                return evolved(value, phase=self._levels[ended, max(self._level, int(ended is self._limited))])
        spend(STEP, value.span if isinstance(value, core.Stmt) else None)
        return evolved(value, **{name: self.copied(getattr(value, name)) for name in value.__struct_fields__})

    def _call(self, call: core.CallPhase) -> core.Stmt:
        spend(PASS, call.span)
        level = self._level + (call.phase is self._limited)
        if (called := self._levels.get((call.phase, level))) is None:
            name, deep = self._limited.name, self._limited.deep
            return core.Fail("CG812", f"`{name}` would run more than {deep} deep", call.span)
        return evolved(call, phase=called, args=self.copied(call.args))
