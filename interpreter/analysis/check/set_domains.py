"""Check the domains whose members are sets of cards: `subsets(Z, 2..3)` and `rests(Z, 4 meld, 1 pair)`, and `splits`.

What gives one value goes through both: `some`, `no`, `every`, `count`, `sum`, `max`, `min`, `first`, `highest` and
`lowest`.  A kind of group in a division is a definition with one parameter of type `cards`.
"""

from __future__ import annotations

from grammar import expressions as syntax
from interpreter.analysis import core, hereditary, types
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.core import Define
from interpreter.analysis.limits import RANGE_LIMIT, number_of_subsets
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Local

SETS = ("subsets", "rests")
"""The functions whose values are domains of sets of cards."""

MOST_GROUPS = 8
"""The most kinds of groups in one division."""

_BY = "`some`, `no`, `every`, `count`, `sum`, `max`, `min`, `first`, `highest` and `lowest` iterate over it"


def is_domain(cx: Context, expr: syntax.Expr) -> bool:
    """Say whether an expression is a domain of sets of cards; a declaration with the name of one hides it."""
    return isinstance(expr, syntax.Call) and expr.name in SETS and expr.name not in cx.symbols


def check_domain(cx: Context, expr: syntax.Call, scope: Scope) -> core.Expr:
    """Check `subsets(Z, 2..3)` or `rests(Z, meld)` as the domain of a selection."""
    return check_subsets(cx, expr, scope) if expr.name == "subsets" else _division(cx, expr, scope, exact=False)


def check_subsets(cx: Context, expr: syntax.Call, scope: Scope) -> core.Expr:
    """Check `subsets(Z)` or `subsets(Z, sizes)`."""
    if not 1 <= len(expr.args) <= 2:
        return cx.wrong("CG207", "`subsets` takes cards and, if need be, a range of sizes", expr.span)
    cards = _cards(cx, expr, scope)
    if cards is None:
        return core.Const(None, types.UNKNOWN, expr.span)
    low = high = None
    if len(expr.args) == 2:
        bounds = _bounds(cx, expr.args[1], scope, "the size of a subset is a number or a range")
        if bounds is None:
            return core.Const(None, types.UNKNOWN, expr.span)
        low, high = bounds
    return _subsets(cx, cards, low, high, anchored=False)


def pruned(binder: core.Binder) -> core.Binder:
    """Return a binder that leaves out the subsets after which no card can make its condition true."""
    domain = binder.domain
    if not isinstance(domain, core.Subsets):
        return binder
    part = hereditary.weakened(binder.where, binder.local)
    if part is None:
        return binder
    itself = core.LocalRef(domain.local, domain.local.type, part.span)
    part = substitute(part, {binder.local: itself})
    return core.evolved(binder, domain=core.evolved(domain, part=part))


def check_splits(cx: Context, expr: syntax.Call, scope: Scope) -> core.Expr:
    """Check `splits(Z, 4 meld, 1 pair)`: whether Z can be divided into these groups with no card left."""
    domain = _division(cx, expr, scope, exact=True)
    if not isinstance(domain, core.Rests):
        return domain
    binder = core.Binder(cx.local("rest", member(domain), expr.span), domain, None, None)
    return core.Select("some", binder, None, types.BOOL, expr.span)


def check_stray(cx: Context, expr: syntax.Call, _: Scope) -> core.Expr:
    """Report a domain of sets where nothing goes through it."""
    return cx.wrong("CG316", f"no selection iterates over these sets of cards; {_BY}", expr.span,
                    f"name the set: `some s in {expr.name}(..) where ..`")  # fmt: skip


def check_group(cx: Context, expr: syntax.GroupCount) -> core.Expr:
    """Report a number of groups outside of a division."""
    return cx.wrong("CG329", f"`{expr.span.text}` is a number of groups, and only `splits` and `rests` divide cards",
                    expr.span, "write an operator between the two, or leave one out")  # fmt: skip


def member(domain: core.Expr) -> types.Type:
    """Return the type of the members of a domain of sets."""
    assert isinstance(domain.type, types.Sequence)
    return domain.type.item


def never_empty(domain: core.Expr) -> bool:
    """Say whether a domain of sets has a member in every state: no group must be taken out, no size is required."""
    match domain:
        case core.Subsets():
            return domain.low is None and domain.high is None and domain.part is None
        case core.Rests():
            return not domain.exact and all(group.low is None for group in domain.groups)
    return False


def _cards(cx: Context, expr: syntax.Call, scope: Scope) -> core.Expr | None:
    cards = cx.expr(expr.args[0], scope)
    if isinstance(cards.type, types.Cards):
        return cards
    if not isinstance(cards.type, types.Unknown):
        cx.report("CG301", f"`{expr.name}` needs cards", expr.args[0].span)
    return None


def _bounds(
    cx: Context, expr: syntax.Expr, scope: Scope, rule: str
) -> tuple[core.Expr | None, core.Expr | None] | None:
    """Return the bounds that a number or a range gives; None after a report."""
    checked = cx.expr(expr, scope)
    if isinstance(checked, core.Range):
        return checked.low, checked.high
    if isinstance(checked.type, types.Int):
        return checked, checked
    if not isinstance(checked.type, types.Unknown):
        cx.report("CG301", rule, expr.span)
    return None


def _subsets(
    cx: Context, cards: core.Expr, low: core.Expr | None, high: core.Expr | None, *, anchored: bool
) -> core.Subsets:
    assert isinstance(cards.type, types.Cards)
    most = cards.type.at_most
    if isinstance(high, core.Const) and isinstance(high.value, int):
        most = max(0, high.value if most < 0 else min(most, high.value))
    known = cards.type.at_most >= 0
    number = number_of_subsets(cards.type.at_most, most) if known else RANGE_LIMIT + 1
    item = types.Cards(cards.type.kinds, most)
    type_ = types.Sequence(item, number if number <= RANGE_LIMIT else -1)
    part = cx.local("part", item, cards.span, card_set=True)
    return core.Subsets(cards, low, high, part, None, anchored, type_, cards.span)


def _division(cx: Context, expr: syntax.Call, scope: Scope, *, exact: bool) -> core.Expr:
    """Check the cards and the groups of a division."""
    stand_in = core.Const(None, types.UNKNOWN, expr.span)
    if not 2 <= len(expr.args) <= 1 + MOST_GROUPS:
        return cx.wrong("CG207", f"`{expr.name}` takes cards and 1 to {MOST_GROUPS} kinds of groups", expr.span,
                        f"name a definition of one group: `{expr.name}(Z, meld)`")  # fmt: skip
    cards = _cards(cx, expr, scope)
    if cards is None:
        return stand_in
    whole = cx.local("whole", cards.type, expr.span, card_set=True)
    groups: list[core.Group] = []
    for given in expr.args[1:]:
        group = _group(cx, given, whole, scope, exact=exact)
        if group is None:
            return stand_in
        groups.append(group)
    return core.Rests(cards, whole, tuple(groups), exact, types.Sequence(cards.type, -1), expr.span)


def _group(cx: Context, given: syntax.Expr, whole: Local, scope: Scope, *, exact: bool) -> core.Group | None:
    """Check one kind of group: `meld`, `4 meld`, `2..3 meld`."""
    kind = given.kind if isinstance(given, syntax.GroupCount) else given
    name = kind.name if isinstance(kind, syntax.Name) else ""
    define = cx.symbols.get(name)
    if not isinstance(define, Define) or not _is_group(define):
        kinds = [found.name for found in cx.symbols.values() if isinstance(found, Define) and _is_group(found)]
        cure = cx.suggest(name, kinds, kind.span, "`define meld(s: cards) = ..` says which cards are one meld")
        cx.report("CG329", "a kind of group is the name of a definition of one set of cards", kind.span, cure)
        return None
    cx.info.refer(kind, define)
    low = high = None
    if isinstance(given, syntax.GroupCount):
        bounds = _bounds(cx, given.count, scope, "the number of groups is a number or a range")
        if bounds is None:
            return None
        low, high = bounds
        if isinstance(low, core.Const) and low.value == 0 and high is not low:
            low = None
    span = given.span
    assert isinstance(whole.type, types.Cards)
    one = core.Const(1, types.Int(1, 1), span)
    domain = _subsets(cx, core.LocalRef(whole, whole.type, span), one, None, anchored=exact)
    local = cx.local("group", member(domain), span, card_set=True)
    inner = Scope({"group": local})
    where = cx.expr(syntax.Call(name, (syntax.Name("group", span=span),), span=span), inner)
    if isinstance(where.type, types.Unknown):
        return None
    if not isinstance(where.type, types.Bool):
        cx.report("CG329", f"`{name}` is no condition, so it does not say what is a group", span)
        return None
    binder = pruned(core.Binder(local, domain, None, where))
    return core.Group(low, high, core.Select("all", binder, None, domain.type, span))


def _is_group(define: Define) -> bool:
    """Say whether a definition can be a kind of group: it has one parameter, which is cards."""
    return len(define.params) == 1 and isinstance(define.params[0].type, types.Cards)
