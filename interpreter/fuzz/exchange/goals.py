"""Branches whose condition reads hidden things: the goals of the check by exchange.

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
from interpreter.fuzz.exchange.blame import statement_at

if TYPE_CHECKING:
    from grammar.source import Span
    from interpreter.analysis.symbols import Family, Local
    from interpreter.engine.game import Game
    from interpreter.fuzz.checks import Account

ENOUGH, MOST_TRIES = 6, 60
"""Comparisons of both ways of a branch that are enough, and exchanges that are tried for them."""


@attrs.frozen
class Goal:
    """A branch: where it is, and the slots of variables and the places of cards that its condition may read."""

    span: Span
    slots: frozenset[int]
    places: frozenset[int]

    def is_open(self, account: Account) -> bool:
        """Say whether both ways are still to be compared in a run."""
        tried = account.tried
        return tried["compared", self] < ENOUGH and tried["tried", self] < MOST_TRIES


@lru_cache(maxsize=64)
def goals_of(game: Game) -> dict[int, Goal]:
    """Return the goals of a game by the sites of their statements."""
    rules = game.rules
    lets = {stmt.local: stmt.value for stmt in rules.statements() if isinstance(stmt, core.Let)}
    found: dict[core.Stmt, Goal] = {}
    for stmt in rules.statements():
        if isinstance(stmt, core.If | core.While) and not rules.is_published(stmt.span):
            reads = set(_hidden_reads(stmt.condition, lets))
            slots = frozenset(n for n, (variable, _) in enumerate(game.variables) if variable in reads)
            places = frozenset(n for n, (zone, _) in enumerate(game.places) if zone in reads)
            if slots or places:
                found[stmt] = Goal(stmt.span, slots, places)
    statements = ((site, statement_at(rules, span)) for site, span in enumerate(game.program.sites.spans))
    return {site: found[stmt] for site, stmt in statements if stmt in found}


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
