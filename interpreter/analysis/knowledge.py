"""Prove that what a player may do does not tell what he may not know.

The legal actions of a player are shown to him, so every guard of a choice (`where`, `such that`,
`only if`, quantities, domains) may read only zones and variables that he sees.  Whose zone it is must be
evident: the index that owns the zone is the very expression that chooses.
"""

from __future__ import annotations

from collections.abc import Iterator

from grammar.diagnostics import Label
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.context import Context
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Define, Local, Variable, Zone
from interpreter.analysis.types import Player

Bindings = dict[Local, core.Expr]


def check_knowledge(cx: Context, rules: Rules) -> None:
    """Report guards that read what their player may not know."""
    for phase in [*rules.phases, rules.play]:
        turned = _turned_up(rules)
        for stmt in core.statements(phase.body):
            if isinstance(stmt, core.Choice):
                for action in core.all_actions(stmt):
                    _check_action(cx, stmt, action, turned)


def _turned_up(rules: Rules) -> set[Zone]:
    """Return zones whose cards some rule turns face up where they lie (the fuzzer checks these on real plays)."""
    found: set[Zone] = set()
    for phase in [*rules.phases, rules.play]:
        for stmt in core.statements(phase.body):
            if isinstance(stmt, core.Turn) and stmt.face == "up":
                found.update(e.zone for e in core.walk(stmt.cards) if isinstance(e, core.ZoneRef))
            if isinstance(stmt, core.Move | core.Deal) and stmt.face == "up":
                found.add(stmt.target.zone)
    return found


def _check_action(cx: Context, choice: core.Choice, action: core.Action, turned: set[Zone]) -> None:
    for guard in core.action_parts(action):
        for read, span in _reads(guard, {}, set()):
            if isinstance(read, core.ZoneRef):
                family: Zone | Variable = read.zone
                if read.zone in turned:
                    continue
            else:
                family = read.variable
            if not _may_know(family, read, choice.player):
                cx.report(
                    "CG407",
                    f"what may be done here tells of `{family.name}`, which the player who chooses may not see",
                    span,
                    "store the fact in a variable first: everybody then learns it",
                    labels=(Label(choice.span, "this decision is shown to its player"),),
                )


def _reads(expr: core.Expr, bound: Bindings, entered: set[Define]) -> Iterator[tuple[core.ZoneRef | core.VarRef, Span]]:
    """Give the zones and variables whose content an expression reads; sizes of zones are public."""
    match expr:
        case core.Builtin(name="count" | "empty", args=(core.ZoneRef() as zone,)):
            for index in zone.index:
                yield from _reads(index, bound, entered)
        case core.ZoneRef() | core.VarRef():
            yield _resolved(expr, bound), expr.span
            for index in expr.index:
                yield from _reads(index, bound, entered)
        case core.CallDefine():
            for arg in expr.args:
                yield from _reads(arg, bound, entered)
            if expr.define in entered:
                return
            inner = {p: _substitute(a, bound) for p, a in zip(expr.define.params, expr.args, strict=True)}
            values = [v for _, v in expr.define.lets]
            if expr.define.value is not None:
                values.append(expr.define.value)
            for value in values:
                for read, _ in _reads(value, inner, entered | {expr.define}):
                    yield read, expr.span
        case _:
            for child in core.children(expr):
                yield from _reads(child, bound, entered)


def _substitute(expr: core.Expr, bound: Bindings) -> core.Expr:
    while isinstance(expr, core.LocalRef) and expr.local in bound:
        expr = bound[expr.local]
    return expr


def _resolved(expr: core.ZoneRef | core.VarRef, bound: Bindings) -> core.ZoneRef | core.VarRef:
    index = tuple(_substitute(i, bound) for i in expr.index)
    if isinstance(expr, core.ZoneRef):
        return core.ZoneRef(expr.zone, index, expr.type, expr.span)
    return core.VarRef(expr.variable, index, expr.type, expr.span)


def _may_know(family: Zone | Variable, read: core.ZoneRef | core.VarRef, player: core.Expr) -> bool:
    if family.seen_by == "all":
        return True
    if family.seen_by == "nobody":
        return False
    owner = next((e for e, t in zip(read.index, family.indices, strict=True) if isinstance(t, Player)), None)
    mine = owner is not None and same(owner, player)
    return mine if family.seen_by == "owner" else not mine


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
