"""Dependence of the arguments of one action: which arguments affect which, and which can share no card.

An action is chosen argument by argument.  So what can be chosen for one depends on those in front of it: through
conditions that speak of them, and because the cards that they took are gone.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.analysis import core
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Card, Cards, base_of


def read_later(action: core.Action, place: int) -> bool:
    """Whether an argument affects the choices of later arguments."""
    later = [expr for arg in action.args[place + 1 :] for expr in core.children(arg)]
    return action.args[place].local in core.names_of(*later, *tested_last(action))


def tested_last(action: core.Action) -> tuple[core.Expr, ...]:
    """Return the condition that is tested when all arguments are chosen, if there is one and one of them is a set."""
    sets = any(arg.form == "cards" for arg in action.args)
    return () if action.such_that is None or not sets else (action.such_that,)


def weighed_later(action: core.Action, place: int) -> bool:
    """Whether it does so by more than that its cards are gone: something else is read of it."""
    local = action.args[place].local
    if local in core.names_of(*tested_last(action)):
        return True
    for arg in action.args[place + 1 :]:
        _, *others = core.children(arg)
        if local in core.names_of(undiminished(arg.domain), *others):
            return True
    return False


def undiminished(domain: core.Expr) -> core.Expr:
    """Return what cards are chosen from, before those are taken away that other arguments hold."""
    match domain:
        case core.Op(op="without", args=(inner, core.LocalRef())):
            return undiminished(inner)
    return domain


def disjoint(given: Iterable[core.Arg]) -> tuple[core.Arg, ...]:
    """Take the cards of earlier arguments out of what later ones are chosen from, wherever both could hold one card."""
    args: list[core.Arg] = []
    for arg in given:
        domain = arg.domain
        for earlier in args:
            if _may_meet(earlier, arg):
                taken = core.LocalRef(earlier.local, earlier.local.type, arg.domain.span)
                domain = core.Op("without", (domain, taken), domain.type, arg.domain.span)
        args.append(arg if domain is arg.domain else core.evolved(arg, domain=domain))
    return tuple(args)


def _may_meet(earlier: core.Arg, later: core.Arg) -> bool:
    """Whether two arguments could hold the same card, as far as their kinds, places and conditions show."""
    one, other = base_of(earlier.local.type), base_of(later.local.type)
    if not isinstance(one, Card | Cards) or not isinstance(other, Card | Cards) or not one.kinds & other.kinds:
        return False
    if _are_distinct(later.where, earlier.local, later.each):
        return False
    match undiminished(earlier.domain), undiminished(later.domain):
        case core.ZoneRef() as here, core.ZoneRef() as there if here.zone is not there.zone:
            return False
        case core.ZoneRef() as here, core.ZoneRef() as there:
            pairs = zip(here.index, there.index, strict=True)
            return not any(
                isinstance(a, core.Const) and isinstance(b, core.Const) and a.value != b.value for a, b in pairs
            )
    return True


def _are_distinct(where: core.Expr | None, one: Local, other: Local) -> bool:
    """Whether a condition says that two cards are not the same."""
    match where:
        case core.Op(op="and", args=(left, right)):
            return _are_distinct(left, one, other) or _are_distinct(right, one, other)
        case core.Op(op="!=", args=(core.LocalRef(local=left), core.LocalRef(local=right))):
            return {left, right} == {one, other}
    return False
