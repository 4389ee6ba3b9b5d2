"""Triggers (state-based rules): put the check of every `whenever` after every step that can make it hold.

Takes rules whose `whenever`s are checked, and changes the bodies of their phases: the body of each
`whenever` becomes a phase, and after each statement that changes what its condition reads is a call
of a phase that asks it, and all those that it can set going, until none fits.  What `together` holds is
one step, and so is the body of a `whenever`, and so is every phase that one of them carries out; so no
rule answers itself in the middle.  Nothing downstream knows of `whenever` or `together`.
"""

from __future__ import annotations

from functools import reduce

import attrs
import msgspec

from grammar.diagnostics import Diagnostic, SpecError
from interpreter.analysis import core
from interpreter.analysis.budget import PASS, STEP, spend
from interpreter.analysis.context import Context
from interpreter.analysis.core import Phase
from interpreter.analysis.dependencies import Changes, Mentions, Read, calls
from interpreter.analysis.graphs import reachable
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Family
from interpreter.analysis.types import BOOL

MOST_IN_A_GROUP = 90
"""Rules that are checked one after another until none fits: each is inside the one before, as deep as blocks may."""


class Whenever(msgspec.Struct, frozen=True, eq=False):
    """A checked `whenever`: when it fits, the phase that does it once, and what its condition reads."""

    condition: core.Expr
    once: Phase
    read: Read


def whenever(number: int, stmt: core.If | core.For, nested: int = 1) -> Whenever:
    """Return a `whenever` from its condition, or from its `nested` selections, with the body."""
    once = Phase(f"whenever {number}", (), None, number, stmt.span, stmt.tags)
    if isinstance(stmt, core.If):
        condition, once.body = stmt.condition, stmt.then
    else:
        condition, once.body = _first_that_fits(stmt, nested)
    return Whenever(condition, once, Mentions().of(condition))


def _first_that_fits(loop: core.For, nested: int) -> tuple[core.Expr, tuple[core.Stmt, ...]]:
    """Return whether something fits the selections of nested loops, and the body for what fits first."""
    binder, body, inner = loop.binder, loop.body, None
    if nested > 1:
        (below,) = body
        assert isinstance(below, core.For)
        inner, body = _first_that_fits(below, nested - 1)
        parts = (inner,) if binder.where is None else (binder.where, inner)
        binder = core.Binder(binder.local, binder.domain, binder.start, reduce(_both, parts))
    first = core.Select("first", binder, None, binder.local.type, loop.span)
    return core.Select("some", binder, None, BOOL, loop.span), (core.Let(binder.local, first, loop.span, ()), *body)


def _both(left: core.Expr, right: core.Expr) -> core.Expr:
    return core.Op("and", (left, right), BOOL, left.span)


def weave(rules: Rules, whenevers: tuple[Whenever, ...]) -> Rules:
    """Return the rules without `together` and with the checks of `whenever` in all their phases."""
    if not whenevers and not rules.holds(core.Together):
        return rules
    quiet = _quiet(rules, whenevers)
    weaver = _Weaver(whenevers, quiet, Changes(rules), len(rules.phases) + 1)
    for phase in rules.every_phase:
        phase.body = _plain(phase.body) if phase in quiet else weaver.block(phase.body)
    return attrs.evolve(rules, phases=(*rules.phases, *weaver.settling.values()))


def check_steps(cx: Context, rules: Rules) -> None:
    """Report what `together` carries out although a player decides in it."""
    for stmt in rules.statements():
        if isinstance(stmt, core.Together):
            for call in core.statements(stmt.body):
                if isinstance(call, core.CallPhase) and _asks(call.phase):
                    cx.report("CG412", f"a player decides in `{call.phase.name}`, in the middle of one step",
                              call.span, "end `together` before it")  # fmt: skip


def _asks(phase: Phase) -> bool:
    return any(core.Choice in core.kinds_of(inner) for inner in _with_all_inside([phase]))


def _quiet(rules: Rules, whenevers: tuple[Whenever, ...]) -> set[Phase]:
    """Return the `whenever` phases and all that they or a `together` carry out: each of these is one step."""
    first = [w.once for w in whenevers]
    for stmt in rules.statements():
        if isinstance(stmt, core.Together):
            first.extend(s.phase for s in core.statements(stmt.body) if isinstance(s, core.CallPhase))
    return _with_all_inside(first)


def _with_all_inside(phases: list[Phase]) -> set[Phase]:
    """Return phases with all that they carry out."""
    return reachable(phases, lambda phase: (call.phase for call in calls(phase)))


class _Weaver:
    def __init__(self, whenevers: tuple[Whenever, ...], quiet: set[Phase], changes: Changes, number: int) -> None:
        self.whenevers = whenevers
        self.quiet = quiet
        self.changes = changes
        self.number = number
        self.settling: dict[tuple[Whenever, ...], Phase] = {}
        self._touched: dict[frozenset[Family], list[tuple[Whenever, ...]]] = {}

    def block(self, block: tuple[core.Stmt, ...]) -> tuple[core.Stmt, ...]:
        out: list[core.Stmt] = []
        for stmt in block:
            out.extend(self.statement(stmt))
        return tuple(out)

    def statement(self, stmt: core.Stmt) -> list[core.Stmt]:
        spend(PASS, stmt.span)
        if isinstance(stmt, core.Together):
            changed: set[Family] = set()
            for inner in core.statements(stmt.body):
                changed |= self.changes.of(inner)
            return [*_plain(stmt.body), *self.checks(stmt, frozenset(changed))]
        if isinstance(stmt, core.CallPhase) and stmt.phase not in self.quiet:
            return [stmt]
        within = core.map_blocks(stmt, self.block)
        return [within, *self.checks(stmt, self.changes.of(stmt))]

    def checks(self, stmt: core.Stmt, changed: frozenset[Family]) -> list[core.Stmt]:
        """Return the calls that ask, after a statement, all rules that it can make fit."""
        return [core.CallPhase(self.settle(group), (), stmt.span, ()) for group in self.groups_after(changed)]

    def groups_after(self, changed: frozenset[Family]) -> list[tuple[Whenever, ...]]:
        """Return the rules that a change can make fit, in groups; most statements change one of a few things."""
        if changed not in self._touched:
            self._touched[changed] = self.groups(self.touched(changed))
        groups = self._touched[changed]
        spend(PASS * len(groups))
        return groups

    def touched(self, changed: frozenset[Family]) -> list[Whenever]:
        """Return the rules that can fit after a change, or after what such rules do, in the order of the text."""
        found: set[Whenever] = set()
        while True:
            spend(STEP * len(self.whenevers))
            more = {w for w in self.whenevers if w not in found and w.read.depends_on(changed)}
            if not more:
                return [w for w in self.whenevers if w in found]
            found |= more
            changed = changed.union(*(self.changes.phase(w.once) for w in more))

    def groups(self, touched: list[Whenever]) -> list[tuple[Whenever, ...]]:
        """Return rules in groups: none that is in a later group can make one of an earlier group fit."""
        out: list[tuple[Whenever, ...]] = []
        start = end = 0
        while start < len(touched):
            for later in range(start, len(touched)):
                does = self.changes.phase(touched[later].once)
                spend(STEP * (end + 1 - start))
                if any(w.read.depends_on(does) for w in touched[start : end + 1]):
                    end = max(end, later)
            out.append(tuple(touched[start : end + 1]))
            start = end = end + 1
        return out

    def settle(self, group: tuple[Whenever, ...]) -> Phase:
        """Return the phase that carries out the first rule of a group that fits, until none does.

        Raises SpecError where the group is too large.
        """
        if len(group) > MOST_IN_A_GROUP:
            message = f"{len(group)} `whenever` rules can set one another going, at most {MOST_IN_A_GROUP} may"
            cure = "make one rule of several, which asks for each with `if`"
            raise SpecError([Diagnostic("CG405", message, group[MOST_IN_A_GROUP].once.span, cure)])
        if group not in self.settling:
            number, span = self.number + len(self.settling), group[0].once.span
            condition = group[0].condition
            for other in group[1:]:
                condition = core.Op("or", (condition, other.condition), BOOL, span)
            body: tuple[core.Stmt, ...] = ()
            for rule in reversed(group):
                once = core.CallPhase(rule.once, (), rule.once.span, ())
                body = (core.If(rule.condition, (once,), body, rule.once.span, ()),)
            phase = Phase(f"whenever, {number}", (), None, number, span)
            phase.body = (core.While(condition, body if len(group) > 1 else (once,), True, span, ()),)
            self.settling[group] = phase
        return self.settling[group]


def _plain(block: tuple[core.Stmt, ...]) -> tuple[core.Stmt, ...]:
    """Return statements without `together`."""
    out: list[core.Stmt] = []
    for stmt in block:
        out.extend(_plain(stmt.body) if isinstance(stmt, core.Together) else [core.map_blocks(stmt, _plain)])
    return tuple(out)
