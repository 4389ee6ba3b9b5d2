"""Prove that what a player may do does not tell what he may not know.

The legal actions of a player are shown to him, so every guard of a choice (`where`, `such that`,
`only if`, quantities, domains) may read only zones and variables that he sees, and names (`let`, `for`,
parameters, arguments) whose values come from such.  Whose zone it is must be evident: the index that owns
the zone is the very expression that chooses.  How many cards lie in a zone is known to everybody.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from grammar.diagnostics import Label
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.context import Context
from interpreter.analysis.rules import Rules
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Local, Variable, Zone
from interpreter.analysis.types import Player

Bindings = dict[Local, core.Expr]


@attrs.frozen(eq=False)
class Origins:
    """Where the values of local names come from.

    `values` are the expressions that a name takes its value from; `secrets` the players who chose a value
    secretly; `params` the arguments that a phase's parameter is given.
    """

    values: dict[Local, list[core.Expr]] = attrs.field(factory=dict)
    secrets: dict[Local, core.Expr] = attrs.field(factory=dict)
    params: dict[Local, list[core.Expr]] = attrs.field(factory=dict)

    def root(self, expr: core.Expr) -> core.Expr:
        """Return what the only caller of a phase gives for a parameter, for the parameter."""
        seen = 0
        while isinstance(expr, core.LocalRef) and len(self.params.get(expr.local, ())) == 1 and seen < 100:
            given = self.params[expr.local][0]
            if not isinstance(given, core.LocalRef | core.Const):
                break
            expr, seen = given, seen + 1
        return expr


def origins_of(rules: Rules) -> Origins:
    """Return where local names take their values from, in all phases."""
    found = Origins()
    for stmt in rules.statements():
        match stmt:
            case core.Let():
                found.values.setdefault(stmt.local, []).append(stmt.value)
            case core.For() | core.InTurn() | core.AtOnce():
                found.values.setdefault(stmt.binder.local, []).extend(core.binder_parts(stmt.binder))
            case core.Random():
                found.values.setdefault(stmt.arg.local, []).extend(core.arg_parts(stmt.arg))
            case core.CallPhase():
                for param, given in zip(stmt.phase.params, stmt.args, strict=True):
                    found.params.setdefault(param, []).append(given)
                    found.values.setdefault(param, []).append(given)
            case core.Choice():
                for action in core.all_actions(stmt):
                    for arg in action.args:
                        if arg.form != "value":
                            found.values.setdefault(arg.local, []).append(arg.domain)
                        elif stmt.secretly:
                            found.secrets[arg.local] = stmt.player
    return found


def check_knowledge(cx: Context, rules: Rules) -> None:
    """Report guards that read what their player may not know."""
    origins, turned = origins_of(rules), _turned_up(rules)
    for phase in rules.every_phase:
        for choice, shown in _choices(phase.body, ()):
            for action in core.all_actions(choice):
                own = {a.local for a in action.args}
                for guard in core.action_parts(action):
                    _check(cx, "what may be done here", guard, choice, own, turned, shown, origins)
            for part in choice.prompt:
                if not isinstance(part, str):
                    _check(cx, "what is asked here", part, choice, set(), turned, shown, origins)


def _choices(
    block: tuple[core.Stmt, ...], shown: tuple[core.Show, ...]
) -> Iterator[tuple[core.Choice, tuple[core.Show, ...]]]:
    """Give the choices of a block and of all blocks inside it, each with the cards that were shown right before.

    A block that an option shuts off has none.
    """
    for stmt in block:
        if isinstance(stmt, core.Choice):
            yield stmt, shown
        quiet = all(isinstance(inner, _QUIET) for inner in core.statements((stmt,)))
        for part in _live_parts(stmt):
            yield from _choices(part, shown if quiet or isinstance(stmt, core.If) else ())
        if isinstance(stmt, core.Show):
            shown = (*shown, stmt)
        elif not quiet:
            shown = ()


_QUIET = (core.Let, core.Say, core.Show, core.If, core.For)
"""Statements that leave all cards and variables as they are, if what stands inside them does."""


def _live_parts(stmt: core.Stmt) -> list[tuple[core.Stmt, ...]]:
    match stmt:
        case core.If(condition=core.Const(value=bool(holds))):
            return [stmt.then if holds else stmt.otherwise]
        case _:
            return core.statement_parts(stmt)[1]


def _turned_up(rules: Rules) -> set[Zone]:
    """Return zones whose cards some rule turns face up where they lie (the fuzzer checks these on real plays)."""
    found: set[Zone] = set()
    for stmt in rules.statements():
        if isinstance(stmt, core.Turn) and stmt.face == "up":
            found.update(e.zone for e in core.walk(stmt.cards) if isinstance(e, core.ZoneRef))
        if isinstance(stmt, core.Move | core.Deal) and stmt.face == "up":
            found.add(stmt.target.zone)
    return found


def _check(
    cx: Context,
    what: str,
    expr: core.Expr,
    choice: core.Choice,
    own: set[Local],
    turned: set[Zone],
    shown: tuple[core.Show, ...],
    origins: Origins,
) -> None:
    """Report what a guard or a prompt reads that the chooser does not see, and has not been shown right before.

    `own` are the arguments of the action that the guard is of: what is chosen may be looked at.
    """
    for read, span in _Reader(origins, own).reads(expr, {}):
        match read:
            case core.ZoneRef(zone=zone):
                if zone in turned or any(_shows(stmt, read, choice.player) for stmt in shown):
                    continue
                known, name = _may_know(zone, read, choice.player, origins), zone.name
            case core.VarRef(variable=variable):
                known, name = _may_know(variable, read, choice.player, origins), variable.name
            case _:
                chooser = origins.secrets[read.local]
                known, name = same(origins.root(chooser), origins.root(choice.player)), read.local.name
        if not known:
            cx.report(
                "CG407",
                f"{what} tells of `{name}`, which the player who chooses may not see",
                span,
                "store the fact in a variable first: everybody then learns it",
                labels=(Label(choice.player.span, "who chooses"),),
            )


def _shows(stmt: core.Show, read: core.ZoneRef, player: core.Expr) -> bool:
    """Say whether a statement shows a whole zone to a player."""
    zone = stmt.cards
    return (
        isinstance(zone, core.ZoneRef)
        and zone.zone is read.zone
        and _all_same(zone.index, read.index)
        and (stmt.to is None or same(stmt.to, player))
    )


Read = core.ZoneRef | core.VarRef | core.LocalRef


class _Reader:
    """Finds what an expression reads: zones, variables, and names whose value was chosen secretly."""

    def __init__(self, origins: Origins, own: set[Local]) -> None:
        self.origins = origins
        self.entered: set[tuple[object, ...]] = set()
        self.followed: set[Local] = set(own)

    def reads(self, expr: core.Expr, bound: Bindings) -> Iterator[tuple[Read, Span]]:
        """Give what an expression reads, each with the place in the guard."""
        match expr:
            case core.Builtin(name="count" | "empty", args=(core.ZoneRef() as zone,)):
                yield from self.all(zone.index, bound)
            case core.Select(
                which="count" | "some" | "no", binder=core.Binder(domain=core.ZoneRef() as zone, where=None)
            ):
                yield from self.all(zone.index, bound)
            case core.ZoneRef() | core.VarRef():
                yield _resolved(expr, bound), expr.span
                yield from self.all(expr.index, bound)
            case core.LocalRef(local=local):
                if local in self.origins.secrets and local not in self.followed:
                    yield expr, expr.span
                if local in self.origins.values and local not in self.followed:
                    self.followed.add(local)
                    for value in self.origins.values[local]:
                        for read, _ in self.reads(value, {}):
                            yield read, expr.span
            case core.CallDefine():
                yield from self.all(expr.args, bound)
                inner = {p: _substitute(a, bound) for p, a in zip(expr.define.params, expr.args, strict=True)}
                key = (expr.define, *map(id, inner.values()))
                if key in self.entered:
                    return
                self.entered.add(key)
                values = [v for _, v in expr.define.lets]
                if expr.define.value is not None:
                    values.append(expr.define.value)
                for value in values:
                    for read, _ in self.reads(value, inner):
                        yield read, expr.span
            case _:
                yield from self.all(tuple(core.children(expr)), bound)

    def all(self, exprs: tuple[core.Expr, ...], bound: Bindings) -> Iterator[tuple[Read, Span]]:
        """Give what several expressions read."""
        for expr in exprs:
            yield from self.reads(expr, bound)


def _substitute(expr: core.Expr, bound: Bindings) -> core.Expr:
    while isinstance(expr, core.LocalRef) and expr.local in bound:
        expr = bound[expr.local]
    return expr


def _resolved(expr: core.ZoneRef | core.VarRef, bound: Bindings) -> core.ZoneRef | core.VarRef:
    index = tuple(substitute(i, bound) for i in expr.index)
    if isinstance(expr, core.ZoneRef):
        return core.ZoneRef(expr.zone, index, expr.type, expr.span)
    return core.VarRef(expr.variable, index, expr.type, expr.span)


def _may_know(family: Zone | Variable, read: core.ZoneRef | core.VarRef, player: core.Expr, origins: Origins) -> bool:
    if family.seen_by == "all":
        return True
    if family.seen_by == "nobody":
        return False
    owner = next((e for e, t in zip(read.index, family.indices, strict=True) if isinstance(t, Player)), None)
    if owner is None:
        return False
    mine = same(origins.root(owner), origins.root(player))
    return mine if family.seen_by == "owner" else not mine and _surely_different(owner, player)


def _surely_different(left: core.Expr, right: core.Expr) -> bool:
    """Say whether two players are surely two, so that one sees what everybody but the other sees."""
    match left, right:
        case core.Const(value=a), core.Const(value=b):
            return a != b
        case (core.Builtin(name="next" | "previous" | "left" | "right", args=(inner,)), other) | (
            other,
            core.Builtin(name="next" | "previous" | "left" | "right", args=(inner,)),
        ):
            return same(inner, other)
        case _:
            return False


def same(left: core.Expr, right: core.Expr) -> bool:
    """Say whether two expressions surely have the same value because they say the same."""
    match left, right:
        case core.LocalRef(), core.LocalRef():
            return left.local is right.local
        case core.Const(), core.Const():
            return left.value == right.value
        case core.VarRef(), core.VarRef():
            return left.variable is right.variable and _all_same(left.index, right.index)
        case core.CallDefine(), core.CallDefine():
            return left.define is right.define and _all_same(left.args, right.args)
        case core.Builtin(), core.Builtin():
            return left.name == right.name and _all_same(left.args, right.args)
        case core.CallDefine(define=define, args=()), _ if define.value is not None:
            return same(define.value, right)
        case _, core.CallDefine(define=define, args=()) if define.value is not None:
            return same(left, define.value)
        case _:
            return False


def _all_same(left: tuple[core.Expr, ...], right: tuple[core.Expr, ...]) -> bool:
    return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
