"""`reopen` in a called phase: the phase notes it in a variable, and the turns that called it reopen themselves.

Whether a player is due is read between turns only, so turns may reopen after the call.  A phase that can reopen the
turns of its caller has a variable: true while the phase runs and has done so.  The caller reads it after the call.
`end` of a phase further out passes notes on to that phase.  Nothing downstream meets `reopen` outside `in turn`.
"""

from __future__ import annotations

from functools import partial

import attrs

from grammar.diagnostics import Label
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.budget import PASS, STEP, spend
from interpreter.analysis.context import Context
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.dependencies import Calls
from interpreter.analysis.graphs import reachable
from interpreter.analysis.memoized import Memoized
from interpreter.analysis.rules import Rules
from interpreter.analysis.types import BOOL


def resolve(cx: Context, rules: Rules) -> Rules:
    """Return the rules with each `reopen` directly inside its `in turn`; report one that no turns may surround."""
    if not rules.holds(core.Reopen):
        return rules
    open_ = {phase: _outside_turns(phase.body) for phase in rules.every_phase}
    first = [phase for phase, block in open_.items() if any(isinstance(stmt, core.Reopen) for stmt in block)]
    if not first:
        return rules
    callers: dict[Phase, list[Phase]] = {}
    for caller, block in open_.items():
        for stmt in block:
            if isinstance(stmt, core.CallPhase):
                callers.setdefault(stmt.phase, []).append(caller)
    for phase in first:
        reopened = reachable([phase], lambda one: callers.get(one, ()))
        if rules.play in reopened:
            _report(cx, open_[phase], [s for s in open_[rules.play] if isinstance(s, core.CallPhase)], reopened)
    reopening = reachable(first, lambda phase: callers.get(phase, ()))
    if cx.has_errors:
        return rules
    notes = _Notes(cx, rules, open_, [phase for phase in rules.every_phase if phase in reopening])
    for phase in rules.every_phase:
        phase.body = notes.phase(phase)
    made = notes.variables.values()
    return attrs.evolve(rules, local_variables=(*rules.local_variables, *made), notes=frozenset(made))


def _outside_turns(block: tuple[core.Stmt, ...]) -> list[core.Stmt]:
    """Return the statements of a block, and all inside them, that no `in turn` of their phase surrounds."""
    found: list[core.Stmt] = []
    for stmt in block:
        found.append(stmt)
        for inner in () if isinstance(stmt, core.InTurn) else core.blocks_inside(stmt):
            found += _outside_turns(inner)
    return found


def _report(cx: Context, block: list[core.Stmt], calls: list[core.CallPhase], reopened: set[Phase]) -> None:
    """Report the `reopen`s of a phase, with the call in `play` that leads there without turns."""
    labels = [Label(call.span, "this call is not inside `in turn`") for call in calls if call.phase in reopened]
    for stmt in block:
        if isinstance(stmt, core.Reopen):
            cx.report("CG411", "`reopen` is not inside `in turn`", stmt.span,
                      "write it inside `in turn`, or call this phase only there" if labels else
                      "write it inside `in turn`", labels=tuple(labels[:1]))  # fmt: skip


class _Notes:
    """A variable for each phase that can reopen the turns of its caller, and the statements that set and read it."""

    def __init__(self, cx: Context, rules: Rules, open_: dict[Phase, list[core.Stmt]], phases: list[Phase]) -> None:
        base = sum(v.places for v in (*rules.variables, *rules.local_variables))
        self.variables: dict[Phase, Variable] = {}
        for number, phase in enumerate(phases):
            self.variables[phase] = Variable(
                f"{phase.name}_reopens", (), (), "nobody", base + number, phase.span, (), BOOL, None,
                core.Const(False, BOOL, phase.span), local=True,
            )  # fmt: skip
        self._cx, self._calls = cx, Calls(rules).of
        self._open = {phase: {id(stmt) for stmt in block} for phase, block in open_.items()}

    def phase(self, phase: Phase) -> tuple[core.Stmt, ...]:
        """Return the body of a phase with its notes."""
        body = self.block(phase.body, phase, in_turns=False)
        if phase not in self.variables:
            return body
        return (core.Begin(self.variables[phase], core.Const(False, BOOL, phase.span), phase.span, ()), *body)

    def block(self, block: tuple[core.Stmt, ...], phase: Phase, *, in_turns: bool) -> tuple[core.Stmt, ...]:
        """Return a block of a phase with notes instead of `reopen`s that no `in turn` of the phase surrounds."""
        out: list[core.Stmt] = []
        for stmt in block:
            spend(PASS, stmt.span)
            inner = partial(self.block, phase=phase, in_turns=in_turns or isinstance(stmt, core.InTurn))
            match stmt:
                case core.Reopen() if not in_turns:
                    out.append(self.note(phase, stmt.span, stmt.tags))
                case core.CallPhase(phase=called) if called in self.variables:
                    noted = core.Reopen(stmt.span, ()) if in_turns else self.note(phase, stmt.span)
                    out += [stmt, self.take(called, stmt.span, noted)]
                case core.End(phase=Phase() as ended) if ended is not phase:
                    out += [*self.passed_on(stmt, ended, phase), stmt]
                case _:
                    out.append(core.map_blocks(stmt, inner))
        return tuple(out)

    def passed_on(self, end: core.End, ended: Phase, phase: Phase) -> list[core.Stmt]:
        """Return what goes before `end` of a phase further out: it takes over the notes of those that it leaves.

        Notes for turns inside that phase are dropped.
        """
        spend(STEP * len(self.variables), end.span)
        openly, in_turns = self.ways(ended)
        out = []
        for left in self.variables:
            if left is ended or left not in self.inside(ended) or phase not in self.inside(left):
                continue
            if left in openly and left in in_turns and ended in self.variables:
                self._cx.report("CG411", f"`{left.name}` may reopen turns that this leaves, or other turns", end.span,
                                f"call `{left.name}` always inside `in turn`, or never",
                                labels=(Label(left.span, "this phase"),))  # fmt: skip
            noted = () if left in in_turns or ended not in self.variables else (self.note(ended, end.span),)
            out.append(self.take(left, end.span, *noted))
        return out

    @Memoized
    def ways(self, phase: Phase) -> tuple[set[Phase], set[Phase]]:
        """Return the phases that a phase carries out outside its turns, and those inside them."""
        spend(2 * STEP * len(self._calls), phase.span)
        calls = [(p, call) for p in self.inside(phase) for call in self._calls[p]]
        openly = reachable([phase], lambda p: (call.phase for call in self._calls[p] if self.is_open(p, call)))
        first = [call.phase for p, call in calls if not self.is_open(p, call)]
        return openly, reachable(first, lambda p: (call.phase for call in self._calls[p]))

    def is_open(self, phase: Phase, call: core.CallPhase) -> bool:
        """Whether no `in turn` of a phase surrounds one of its calls."""
        return id(call) in self._open[phase]

    @Memoized
    def inside(self, phase: Phase) -> set[Phase]:
        """Return a phase, and all that it carries out."""
        spend(STEP * len(self._calls), phase.span)
        return reachable([phase], lambda one: (call.phase for call in self._calls[one]))

    def note(self, phase: Phase, span: Span, tags: tuple[str, ...] = ()) -> core.Stmt:
        return core.Assign(self.variables[phase], (), "=", core.Const(True, BOOL, span), span, tags)

    def take(self, phase: Phase, span: Span, *noted: core.Stmt) -> core.Stmt:
        """Return what removes the note of a phase, and does something where there was one."""
        variable = self.variables[phase]
        remove = core.Assign(variable, (), "=", core.Const(False, BOOL, span), span, ())
        return core.If(core.VarRef(variable, (), BOOL, span), (remove, *noted), (), span, ())
