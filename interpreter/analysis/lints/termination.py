"""Termination analysis of loops, by a backward slice of the condition of a loop.

The *slice* of a loop is what its condition reads, what decides whether and how that is changed inside the loop, and
what leads to an `end` that leaves it.  A path through the body that changes nothing of the slice can be taken again
and again: nobody need ever get on.  Only such paths are reported; whether a change brings the end nearer is not
queried, since that is what the bound on the length of a play is for.  Decisions are followed through actions that
anybody may always take (no arguments, no condition); what chance draws counts as a change.  Where nothing of the slice
has changed, the condition of the loop still holds, so a branch that contradicts it is not taken.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import attrs
import msgspec

from grammar.diagnostics import Label, Severity
from interpreter.analysis import core
from interpreter.analysis.budget import PASS, STATEMENT, spend
from interpreter.analysis.context import Context
from interpreter.analysis.core import Phase
from interpreter.analysis.dependencies import Changes, Mentions, Whole
from interpreter.analysis.rules import Rules
from interpreter.analysis.substitution import key
from interpreter.analysis.symbols import Family, Local

MAX_ROUNDS = 50
"""How often the statements of a loop are gone through for what the slice still lacks; a longer chain is not judged."""

Exit = Phase | None
"""Where control goes after a block: to the next statement (None), or after the call of a phase that ends."""


def check_progress(cx: Context, whole: Whole) -> None:
    """Warn of loops that can go round without changing anything that they wait for."""
    rules = whole.rules
    flow = _Flow(whole.changes, whole.mentions, _inputs(rules))
    for phase in rules.every_phase:
        for stmt in core.statements_of(phase):
            if isinstance(stmt, core.While):
                _check_loop(cx, stmt, flow, phase.declaration is None and phase is not rules.play)


class _Flow(msgspec.Struct, frozen=True, eq=False):
    """What the statements of a game change, what expressions depend on, and the values that local names take."""

    changes: Changes
    mentions: Mentions
    inputs: dict[Local, list[core.Expr]]


def _inputs(rules: Rules) -> dict[Local, list[core.Expr]]:
    """Return the expressions from which each local name of a statement takes its value."""
    found: dict[Local, list[core.Expr]] = {}
    for stmt in rules.statements():
        for local, values in core.names_given(stmt):
            found.setdefault(local, []).extend(values)
        if isinstance(stmt, core.CallPhase):
            for param, given in zip(stmt.phase.params, stmt.args, strict=True):
                found.setdefault(param, []).append(given)
    return found


def _check_loop(cx: Context, loop: core.While, flow: _Flow, whenever: bool) -> None:
    """Report a loop with an idle way round; `whenever` says that the loop asks rules that wait, until none fits."""
    never = isinstance(loop.condition, core.Const) and not loop.condition.value
    if never or (whenever and isinstance(loop.body[0], core.If)):
        # Of several rules that are checked together one does fit, which the branches in the body do not say.
        return
    slice_ = _Slice(loop, flow)
    if not slice_.known:
        return
    paths = _Paths(slice_)
    if slice_.written and None not in paths.block(loop.body):
        return
    label: tuple[Label, ...] = ()
    if isinstance(loop.condition, core.Const) and not slice_.leaves:
        message, cure = "this loop never ends", "give it a condition that comes to hold, or an `end` inside"
    elif whenever:
        message = "this rule can fit for ever: nothing in its block need change what its condition asks"
        cure = "change in the block what the condition asks"
    elif not slice_.written:
        message = "nothing in this loop changes what its condition asks"
        cure = "change in the loop what it waits for, or wait for something else"
    else:
        idle = next(iter(paths.idle), None)
        message = "this loop can go round for ever: nothing that it waits for need change"
        cure = "let each round change something that the loop waits for, or count the rounds"
        if idle is not None:
            label = (Label(idle.span, f"`{idle.verb}` changes nothing of it"),)
    cx.report("CG509", message, loop.condition.span, cure, severity=Severity.WARNING, labels=label)


@attrs.define(eq=False)
class _Slice:
    """The program slice of a loop condition: the `families` and `names` on which it depends.

    `known` is false if it may depend on anything.  `written` says whether the body changes a part of the slice,
    `leaves` whether an `end` inside leaves the loop.
    """

    loop: core.While
    flow: _Flow
    families: set[Family] = attrs.field(factory=set)
    names: set[Local] = attrs.field(factory=set)
    known: bool = True
    written: bool = False
    leaves: bool = False
    inner: set[Phase] = attrs.field(factory=set)
    seen: set[core.Expr] = attrs.field(factory=set)

    def __attrs_post_init__(self) -> None:
        writers = list(self._writers(self.loop.body, ()))
        self.read(self.loop.condition)
        todo, settled, rounds = writers, False, 0
        while not settled and self.known:
            settled, rest, rounds = True, [], rounds + 1
            if rounds > MAX_ROUNDS:
                self.known = False
            for stmt, deciders in todo:
                if not self.changed_by(stmt):
                    rest.append((stmt, deciders))
                    continue
                settled = False
                if isinstance(stmt, core.End):
                    self.leaves = True
                self.written = True
                for expr in (*core.children(stmt), *deciders):
                    self.read(expr)
            todo = rest

    def read(self, expr: core.Expr) -> None:
        """Add what an expression depends on, through the names in it."""
        if expr in self.seen:
            return
        self.seen.add(expr)
        read = self.flow.mentions.of(expr)
        if read.anything:
            self.known = False
            return
        self.families |= read.families.keys()
        self.names |= read.names
        for local in read.names:
            for value in self.flow.inputs.get(local, ()):
                self.read(value)

    def changed_by(self, stmt: core.Stmt) -> bool:
        """Say whether a statement itself changes something of the slice, or leaves the loop."""
        if isinstance(stmt, core.End):
            return stmt.phase is None or stmt.phase not in self.inner
        if isinstance(stmt, core.CallPhase):
            return False
        if isinstance(stmt, core.Assign | core.Begin) and stmt.variable.local:
            return stmt.variable in self.families
        if any(arg.local in self.names for arg in core.arguments(stmt)):
            return True
        return bool(self.flow.changes.of(stmt) & self.families)

    def _writers(
        self, block: tuple[core.Stmt, ...], deciders: tuple[core.Expr, ...]
    ) -> Iterator[tuple[core.Stmt, tuple[core.Expr, ...]]]:
        """Give the statements of a block and of the phases it carries out, with the conditions they stand under."""
        for stmt in block:
            spend(STATEMENT, stmt.span)
            yield stmt, deciders
            if isinstance(stmt, core.CallPhase):
                if stmt.phase not in self.inner:
                    self.inner.add(stmt.phase)
                    yield from self._writers(stmt.phase.body, deciders)
            elif blocks := core.blocks_inside(stmt):
                within = (*deciders, *core.children(stmt))
                for inner in blocks:
                    yield from self._writers(inner, within)


@attrs.define(eq=False)
class _Paths:
    """The ways through statements that change nothing of a slice; `idle` are the actions on them."""

    slice: _Slice
    idle: list[core.Action] = attrs.field(factory=list)
    phases: dict[Phase, frozenset[Exit]] = attrs.field(factory=dict)
    facts: dict[Hashable, bool] = attrs.field(init=False)
    """The parts of the condition of the loop whose truth follows from it, by their structure."""

    def __attrs_post_init__(self) -> None:
        self.facts = {key(part): holds for part, holds in core.implied(self.slice.loop.condition, holds=True)}

    def block(self, block: tuple[core.Stmt, ...]) -> frozenset[Exit]:
        """Return where such ways through a block lead; nothing where there is none."""
        found: set[Exit] = set()
        for stmt in block:
            exits = self.statement(stmt)
            found |= exits - {None}
            if None not in exits:
                return frozenset(found)
        return frozenset(found | {None})

    def statement(self, stmt: core.Stmt) -> frozenset[Exit]:
        """Return where such ways through a statement lead."""
        spend(PASS, stmt.span)
        if isinstance(stmt, core.End):
            return frozenset() if self.slice.changed_by(stmt) else frozenset({stmt.phase})
        if not isinstance(stmt, core.Choice) and self.slice.changed_by(stmt):
            return frozenset()
        match stmt:
            case core.If(condition=condition):
                known = self.facts.get(key(condition), self.known(condition))
                if known is not None:
                    return self.block(stmt.then if known else stmt.otherwise)
                return self.block(stmt.then) | self.block(stmt.otherwise)
            case core.For() | core.While() | core.InTurn() | core.Together():
                return self.block(stmt.body)
            case core.AtOnce():
                return self.statement(stmt.choice)
            case core.CallPhase(phase=phase):
                if phase not in self.phases:
                    self.phases[phase] = frozenset()
                    exits = self.block(phase.body)
                    self.phases[phase] = frozenset({None if e is phase else e for e in exits})
                return self.phases[phase]
            case core.Choice():
                found: frozenset[Exit] = frozenset()
                for action in stmt.actions:
                    if not action.args and action.only_if is None and action.such_that is None:
                        exits = self.block(action.body)
                        if exits:
                            self.idle.append(action)
                        found |= exits
                return found
            case core.Random() | core.Reopen():
                return frozenset({None})
            case _:
                core.assert_simple(stmt)
                return frozenset({None})

    def known(self, condition: core.Expr) -> bool | None:
        """Return whether a condition holds as long as nothing of the slice changes; None if that is open."""
        match condition:
            case core.Const(value=bool(value)):
                return value
            case core.Op(op="not", args=(inner,)):
                holds = self.known(inner)
                return None if holds is None else not holds
            case core.Op(op="and" | "or" as op, args=parts):
                values = [self.known(part) for part in parts]
                decisive = op == "or"
                return decisive if decisive in values else None if None in values else not decisive
        return self.facts.get(key(condition))
