"""Loop unswitching: the condition on the things of a loop is divided by what is the same for all of them.

"The first card must be a club; later ones follow suit, or, if the hand is void, .." is one condition on a card, but
which of its parts matters is the same for all cards of the hand.  It becomes questions in front of the loop, each
leading to a loop of its own with a shorter condition.  Where a question is whether there is any card of some sort, and
one way keeps just these, they are listed once for both.
"""

from __future__ import annotations

import attrs

from interpreter.analysis import core
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import BOOL
from interpreter.program.passes.rewriting import key, operands
from interpreter.program.passes.simplify import simplified
from interpreter.program.passes.totality import Totality, names_of

MOST_WAYS = 16
"""A condition that falls into more ways stays in one piece."""


@attrs.frozen(eq=False)
class Keep:
    """Keep the things of a domain that a condition holds for; None keeps them all."""

    domain: core.Expr
    condition: core.Expr | None


@attrs.frozen(eq=False)
class Drop:
    """Keep nothing."""


@attrs.frozen(eq=False)
class Ask:
    """Go one way or the other, by what is the same for all."""

    test: core.Expr
    yes: Way
    no: Way


@attrs.frozen(eq=False)
class Name:
    """Give a name to a value, and go on."""

    local: Local
    value: core.Expr
    then: Way


Way = Keep | Drop | Ask | Name


def unswitched(arg: core.Arg, totality: Totality) -> Way:
    """Return the ways of what an argument's condition keeps; only total tests are asked in front.

    A zone that is gone through, or asked about, in several ways gets a name.
    """
    if arg.where is None:
        return Keep(arg.domain, None)
    where = substitute(arg.where, {arg.local: core.LocalRef(arg.each, arg.each.type, arg.span)})
    way = _Division(arg.domain, frozenset((arg.each,)), totality).of(where)
    if _count(way) > MOST_WAYS:
        return Keep(arg.domain, where)
    if not isinstance(way, Ask):
        return way
    way = _listed(way, arg)
    if isinstance(arg.domain, core.ZoneRef) and not totality.layout.may_be_unknown(arg.domain.zone):
        local = Local("", arg.domain.type, -1, arg.domain.span)
        return Name(local, arg.domain, _renamed(way, key(arg.domain), local))
    return way


def divided(expr: core.Expr, totality: Totality) -> core.Expr:
    """Return a selection as a chain of selections, one for each way of its condition."""
    match expr:
        case core.Select(which="all", count=None, binder=core.Binder(start=None, where=where) as binder) if where:
            way = _Division(binder.domain, frozenset((binder.local,)), totality).of(where)
            return _chained(way, expr) if isinstance(way, Ask) and _count(way) <= MOST_WAYS else expr
        case _:  # No other has a condition to divide.
            return expr


def _chained(way: Way, whole: core.Select) -> core.Expr:
    match way:
        case Ask(test, yes, no):
            links = ((test, _chained(yes, whole)), (None, _chained(no, whole)))
            return core.Chain(links, whole.type, whole.span)
        case Keep(domain, condition):
            return core.evolved(whole, binder=core.evolved(whole.binder, domain=domain, where=condition))
        case Drop():
            return core.Op("join", (), whole.type, whole.span)
        case Name():
            raise AssertionError("names are given to the ways of an argument only")


def _count(way: Way) -> int:
    return _count(way.yes) + _count(way.no) if isinstance(way, Ask) else 1


@attrs.frozen
class _Division:
    domain: core.Expr
    changing: frozenset[Local]
    totality: Totality

    def is_invariant(self, expr: core.Expr) -> bool:
        """Whether an expression is the same for all things of the loop, and can be asked in front of it."""
        return not names_of(expr) & self.changing and self.totality.is_total(expr)

    def of(self, expr: core.Expr) -> Way:
        """Return the ways of a condition."""
        if isinstance(expr, core.Const) and isinstance(expr.value, bool):
            return Keep(self.domain, None) if expr.value else Drop()
        if self.is_invariant(expr):
            return Ask(expr, Keep(self.domain, None), Drop())
        if isinstance(expr, core.Chain) and not (self.totality.logged and any(expr.tags)):
            return self.chain(expr)
        if isinstance(expr, core.Chain):
            return self.tagged_chain(expr)
        if isinstance(expr, core.Op) and expr.op == "not":
            return self.negated(self.of(expr.args[0]))
        if isinstance(expr, core.Op) and expr.op in ("and", "or"):
            joined = self.of(expr.args[0])
            for arg in expr.args[1:]:
                joined = self.joined(expr.op, joined, self.of(arg))
            return joined
        return Keep(self.domain, expr)

    def chain(self, expr: core.Chain) -> Way:
        """Return the ways of a chain: each condition that is the same for all leads to its value, or to the rest."""
        (condition, value), *rest = expr.alternatives
        if condition is None and not rest:
            return self.of(value)
        if condition is None or not rest or not self.is_invariant(condition):
            return Keep(self.domain, expr)
        others = core.Chain(tuple(rest), expr.type, expr.span)
        return Ask(condition, self.of(value), self.of(others))

    def tagged_chain(self, expr: core.Chain) -> Way:
        """Return the ways of a chain that reaches rules: its values keep their tags, each in a chain of its own."""
        (condition, value), *rest = expr.alternatives
        own = core.Chain(((None, value),), expr.type, expr.span, expr.tags[:1])
        if not rest or condition is None or not self.is_invariant(condition):
            return Keep(self.domain, expr)
        others = core.Chain(tuple(rest), expr.type, expr.span, expr.tags[1:])
        return Ask(condition, Keep(self.domain, own), self.of(others))

    def negated(self, way: Way) -> Way:
        match way:
            case Ask(test, yes, no):
                return Ask(test, self.negated(yes), self.negated(no))
            case Drop():
                return Keep(self.domain, None)
            case Name():
                raise AssertionError("names are given when all is divided")
            case Keep(domain, None):
                return Drop()
            case Keep(domain, condition):
                assert condition is not None
                return Keep(domain, simplified(core.Op("not", (condition,), BOOL, condition.span)))

    def joined(self, op: str, left: Way, right: Way) -> Way:
        """Return the ways of two conditions with `and` or `or` between."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Drop):
                return one if op == "and" else other
            if isinstance(one, Keep) and one.condition is None:
                return other if op == "and" else one
        if isinstance(left, Ask):
            return Ask(left.test, self.joined(op, left.yes, right), self.joined(op, left.no, right))
        if isinstance(right, Ask):
            return Ask(right.test, self.joined(op, left, right.yes), self.joined(op, left, right.no))
        assert isinstance(left, Keep)
        assert isinstance(right, Keep)
        assert left.condition is not None
        assert right.condition is not None
        return Keep(self.domain, core.Op(op, (left.condition, right.condition), BOOL, left.condition.span))


def _listed(way: Way, arg: core.Arg) -> Way:
    """Return a way that lists the cards of some sort where it asks whether there are any, and then keeps them."""
    if not isinstance(way, Ask):
        return way
    yes, no = _listed(way.yes, arg), _listed(way.no, arg)
    match way.test:
        case core.Select(which="some" | "no" as which, binder=core.Binder(start=None, where=sort) as binder) if sort:
            own = core.LocalRef(arg.each, arg.each.type, sort.span)
            wanted = key(substitute(sort, {binder.local: own}))
            branch = yes if which == "some" else no
            if key(binder.domain) == key(arg.domain) and _keeps(branch, wanted):
                found = core.Select("all", binder, None, arg.domain.type, sort.span)
                local = Local("", arg.domain.type, -1, sort.span)
                listed = core.LocalRef(local, arg.domain.type, sort.span)
                empty = core.Builtin("empty", (listed,), BOOL, sort.span)
                kept = _kept_from(branch, wanted, listed)
                other = no if which == "some" else yes
                return Name(local, found, Ask(empty, other, kept))
    return Ask(way.test, yes, no)


def _keeps(way: Way, wanted: object) -> bool:
    """Whether a way, or one behind it, keeps what is of a sort."""
    match way:
        case Ask(_, yes, no):
            return _keeps(yes, wanted) or _keeps(no, wanted)
        case Keep(_, condition) if condition is not None:
            return key(operands(condition, "and")[0]) == wanted
        case Name(then=then):
            return _keeps(then, wanted)
        case Keep() | Drop():
            return False


def _kept_from(way: Way, wanted: object, listed: core.Expr) -> Way:
    """Return a way that keeps what is of a sort from the list of these."""
    match way:
        case Ask(test, yes, no):
            return Ask(test, _kept_from(yes, wanted, listed), _kept_from(no, wanted, listed))
        case Keep(_, condition) if condition is not None and key(operands(condition, "and")[0]) == wanted:
            rest: core.Expr | None = None
            for other in operands(condition, "and")[1:]:
                rest = other if rest is None else core.Op("and", (rest, other), BOOL, condition.span)
            return Keep(listed, rest)
        case Name(local, value, then):
            return Name(local, value, _kept_from(then, wanted, listed))
        case Keep() | Drop():
            return way


def _renamed(way: Way, zone: object, local: Local) -> Way:
    """Return a way in which a name stands for a zone."""

    def change(expr: core.Expr) -> core.Expr:
        if isinstance(expr, core.ZoneRef) and key(expr) == zone:
            return core.LocalRef(local, expr.type, expr.span)
        return expr if isinstance(expr, core.SomeSubset) else core.map_children(expr, change)

    match way:
        case Ask(test, yes, no):
            return Ask(change(test), _renamed(yes, zone, local), _renamed(no, zone, local))
        case Keep(domain, condition):
            return Keep(change(domain), None if condition is None else change(condition))
        case Name(other, value, then):
            return Name(other, change(value), _renamed(then, zone, local))
        case Drop():
            return way
