"""Branches that read hidden information: the goals of the exchanges.

A branch or a loop is steered by its condition, a call by its arguments, a deal by its number, and a decision by the
player who makes it.

A leak that shows in one play of a hundred is seldom met by exchanges at random.  So as soon as a play has carried out
such a branch, what its condition reads is exchanged from the start of the play, until the two plays have gone
different ways there often enough.  The report names the branches for which that never happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from interpreter.analysis import core

if TYPE_CHECKING:
    from grammar.source import Span
    from interpreter.analysis.rules import Rules
    from interpreter.analysis.symbols import Family, Local
    from interpreter.engine.game import Game
    from interpreter.fuzz.checks import Account

ENOUGH, MOST_TRIES = 6, 60
"""Comparisons of both ways of a branch that are enough, and exchanges that are tried for them."""


@attrs.frozen
class Goal:
    """A steered statement: where it is, and the slots of variables and the places of cards that may steer it.

    `is_branch` says that two plays which differ there carry out different statements after it.
    """

    span: Span
    slots: frozenset[int]
    places: frozenset[int]
    is_branch: bool = True

    def is_open(self, account: Account) -> bool:
        """Say whether both ways are still to be compared in a run."""
        tried = account.tried
        return tried["compared", self] < ENOUGH and tried["tried", self] < MOST_TRIES


@lru_cache(maxsize=64)
def goals_of(game: Game) -> dict[int, Goal]:
    """Return the goals of a game by the sites of their statements."""
    rules = game.rules
    lets = _lets(rules)
    found: dict[core.Stmt, Goal] = {}
    for stmt in rules.statements():
        if not rules.is_published(stmt.span):
            reads = {family for expr in steering(stmt) for family in _hidden_reads(expr, lets)}
            slots = frozenset(n for n, (variable, _) in enumerate(game.variables) if variable in reads)
            places = frozenset(n for n, (zone, _) in enumerate(game.places) if zone in reads)
            if slots or places:
                found[stmt] = Goal(stmt.span, slots, places, isinstance(stmt, core.If | core.While))
    statements = ((site, statement_at(rules, span)) for site, span in enumerate(game.program.sites.spans))
    return {site: found[stmt] for site, stmt in statements if stmt in found}


def steering(stmt: core.Stmt) -> tuple[core.Expr, ...]:
    """Return the expressions that decide what a statement does, and to whom."""
    match stmt:
        case core.If() | core.While():
            return (stmt.condition,)
        case core.For() | core.InTurn() | core.AtOnce():
            where = stmt.binder.where
            return (stmt.binder.domain,) if where is None else (stmt.binder.domain, where)
        case core.CallPhase():
            return stmt.args
        case core.Deal():
            return (stmt.count,)
        case core.Choice():
            return (stmt.player,)
        case _:  # Moved cards are seen, or not, where they go; a value where it is set.
            return ()


def is_steered(rules: Rules, stmt: core.Stmt) -> bool:
    """Say whether hidden things steer a statement."""
    return any(True for expr in steering(stmt) for _ in _hidden_reads(expr, _lets(rules)))


@lru_cache(maxsize=16)
def _lets(rules: Rules) -> dict[Local, core.Expr]:
    return {stmt.local: stmt.value for stmt in rules.statements() if isinstance(stmt, core.Let)}


@lru_cache(maxsize=16)
def _statements(rules: Rules) -> tuple[core.Stmt, ...]:
    """Return all statements, the shortest first."""
    written = (stmt for stmt in rules.statements() if not isinstance(stmt, core.Spend))
    return tuple(sorted(written, key=lambda stmt: stmt.span.end - stmt.span.start))


def statement_at(rules: Rules, span: Span | None) -> core.Stmt | None:
    """Return the innermost statement around a place in the spec."""
    if span is None:
        return None
    return next(
        (s for s in _statements(rules) if s.span.source.name == span.source.name
         and s.span.start <= span.start and span.end <= s.span.end),
        None,
    )  # fmt: skip


def _hidden_reads(condition: core.Expr, lets: dict[Local, core.Expr]) -> Iterator[Family]:
    """Give the hidden variables that a condition reads, and the hidden zones whose cards it reads, not their number."""
    stack, entered = [condition], set[object]()
    while stack:
        part = stack.pop()
        sizes: list[core.Expr] = []
        match part:
            case core.VarRef(variable=variable) if variable.seen_by != "all":
                yield variable
            case core.ZoneRef(zone=zone) if zone.seen_by != "all":
                yield zone
            case core.Builtin(args=args):
                sizes = [arg for arg in args if isinstance(arg, core.ZoneRef)]
            case core.LocalRef(local=local) if local in lets and local not in entered:
                entered.add(local)
                stack.append(lets[local])
            case core.CallDefine(define=define) if define not in entered:
                entered.add(define)
                stack += define.bodies
            case _:  # Other expressions read what their parts read.
                pass
        stack += [child for child in core.children(part) if child not in sizes]
        stack += [index for size in sizes for index in core.children(size)]
