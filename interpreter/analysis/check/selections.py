"""Check selections (`c in Z from p where P`) and everything built on them: picks, quantifiers, folds.

Also the measures of a set that is still being chosen.  A condition on such a set may depend on it only
through folds (`sum`, `count`, `min`, `max`, `same`, `different`, `consecutive`); each becomes a numbered `SetFold`, so
that the machine can ask "can this choice still be completed?" without going through all subsets.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from itertools import pairwise

from grammar import expressions as syntax
from grammar.diagnostics import Cure, Edit, Severity
from grammar.source import Span
from interpreter.analysis import constant_folding, core, types
from interpreter.analysis.check import conversions, set_domains
from interpreter.analysis.check.type_conformance import condition, maybe_absent, shown, typed
from interpreter.analysis.context import Context, OpenSet, Scope, narrowings
from interpreter.analysis.functions import extremum
from interpreter.analysis.info import Info
from interpreter.analysis.substitution import key, substitute
from interpreter.analysis.symbols import Local

WIDEST_RUN = 640
"""Numbers of the range whose members can be tested for being consecutive."""

FOLDS = ("sum", "count", "max", "min", "same", "different", "consecutive")
"""The functions that fold many values into one.  Each can also measure a set that is being chosen."""

UNROLL_LIMIT = 64
"""The most values for which a condition on a chosen set is repeated."""


@contextmanager
def bound_selection(
    cx: Context, selection: syntax.Selection, scope: Scope, *, of_sets: bool = False
) -> Iterator[tuple[core.Binder, Scope]]:
    """Check a selection; inside the `with`, its name is in scope and its card as narrow as `where` says.

    With `of_sets` it can go through sets of cards.
    """
    if of_sets and isinstance(given := selection.domain, syntax.Call) and set_domains.is_domain(cx, given):
        domain = set_domains.check_domain(cx, given, scope)
    else:
        domain = cx.expr(selection.domain, scope)
    item, _ = domain_item(cx, domain, selection.domain.span)
    start = None
    if selection.start is not None:
        start = _start(cx, selection.start, selection.domain.span, item, scope)
    cx.check_free(selection.name, selection.span, scope)
    local = cx.local(selection.name, item, selection.span, card_set=isinstance(item, types.Cards))
    cx.info.refer(selection, local)
    inner = scope.child()
    inner.names[selection.name] = local
    where = None
    if selection.where is not None:
        where = condition(cx, selection.where, inner)
    if isinstance(where, core.Const) and where.value is True:
        where = None
    doubtful = cx.doubtful or is_unchecked(where)
    with cx.during(doubtful=doubtful), cx.narrowing(narrowings(where)):
        yield set_domains.pruned(core.Binder(local, domain, start, where)), inner


def is_unchecked(where: core.Expr | None) -> bool:
    """Say whether a condition, or a part of it, could not be checked."""
    return where is not None and any(isinstance(part.type, types.Unknown) for part in core.walk(where))


def _start(cx: Context, expr: syntax.Expr, domain: Span, item: types.Type, scope: Scope) -> core.Expr:

    if not isinstance(item, types.Player | types.EnumType | types.Unknown):
        begin = Span(domain.source, domain.end, expr.span.end)
        cure = Cure(f"leave out `{begin.text.strip()}`", (Edit(begin, ""),))
        return cx.wrong("CG317", "`from` rotates only players or the values of an enumeration", expr.span, cure)
    return typed(cx, expr, scope, item, "the place to begin at")


def domain_item(cx: Context, domain: core.Expr, span: Span) -> tuple[types.Type, int]:
    """Return the type of the things in a domain, and how many there are at most (-1: not bounded)."""
    match domain.type:
        case types.Cards() as cards:
            return types.Card(cards.kinds), cards.at_most
        case types.Sequence() as sequence:
            return sequence.item, sequence.at_most
        case types.Unknown():
            return types.UNKNOWN, 0
        case other:
            cx.report(
                "CG318",
                f"cannot iterate over {shown(other)}",
                span,
                "iterate over cards, players, a range or the values of an enumeration",
            )
            return types.UNKNOWN, 0


def _most(binder: core.Binder) -> int | None:
    type_ = binder.domain.type
    if isinstance(type_, types.Cards | types.Sequence) and type_.at_most >= 0:
        return type_.at_most
    return None


# ---------------------------------------------------------------------------------- sets being chosen


def open_set(cx: Context, expr: syntax.Expr, scope: Scope) -> OpenSet | None:
    """Return the set being chosen that a name represents, if it does."""
    if not cx.open_sets or not isinstance(expr, syntax.Name):
        return None
    found = scope.find(expr.name)
    local = found.local if isinstance(found, core.LocalRef) else found
    chosen = next((s for s in cx.open_sets if s.local is local), None)
    if chosen is not None:
        cx.info.refer(expr, chosen.local)
    return chosen


def check_set_condition(cx: Context, local: Local, expr: syntax.Expr, scope: Scope) -> core.SetCondition | None:
    """Check a condition on a set of cards; None (after a report) when it is not one."""

    chosen = OpenSet(local, cx.locals_made)
    with cx.during(open_sets=[*cx.open_sets, chosen]):
        checked = condition(cx, expr, scope)
    if isinstance(checked.type, types.Unknown):
        return None
    return core.SetCondition(tuple(chosen.folds.values()), checked)


def measure_count(cx: Context, chosen: OpenSet, span: Span) -> core.Expr:
    """Return the number of cards of a set being chosen."""
    card = cx.local("c", types.Card(frozenset(cx.kinds)), span)
    return _measure(chosen, core.SetFold("count", card, None, None, types.Int(0, _size(chosen))), span)


def _size(chosen: OpenSet) -> int:
    return chosen.local.type.at_most if isinstance(chosen.local.type, types.Cards) else 0


def _measure(chosen: OpenSet, fold: core.SetFold, span: Span) -> core.Expr:
    """Return a reference to a measure of a set being chosen: to an earlier one, where that differs only in its span."""
    # One name for the card in all measures.
    card: dict[Local, core.Expr] = {fold.card: core.LocalRef(chosen.local, fold.card.type, span)}
    parts = tuple(part if part is None else substitute(part, card) for part in (fold.value, fold.where))
    known = chosen.folds.setdefault((fold.function, key(parts)), fold)
    return core.SetFoldRef(known, known.type, span)


def _check_measure(
    cx: Context,
    chosen: OpenSet,
    function: str,
    value: syntax.Expr | None,
    selection: syntax.Selection,
    scope: Scope,
    span: Span,
    has: syntax.Expr | None = None,
) -> core.Expr:
    """Check a measure of a set being chosen; with `has`, only of its cards for which that condition does not hold."""
    if function not in FOLDS or selection.start is not None:
        return cx.wrong("CG308", f"`{function}` is no measure of a chosen set", span, "use " + ", ".join(FOLDS))
    with (
        cx.during(open_sets=[s for s in cx.open_sets if s is not chosen]),
        bound_selection(cx, selection, scope) as (binder, inner),
    ):
        checked = None if value is None else cx.expr(value, inner)
        binder = binder if has is None else _breaking(binder, condition(cx, has, inner))
    if checked is not None and value is not None:
        checked = _compared(cx, function, checked, value)
    parts = [e for e in (checked, binder.where) if e is not None]
    for part in parts:
        for sub in core.walk(part):
            if (
                isinstance(sub, core.LocalRef)
                and sub.local.number > chosen.mark
                and sub.local is not binder.local
                and not _inside(parts, sub.local)
            ):
                return cx.wrong(
                    "CG308", f"this measure of the set changes with `{sub.local.name}`", span,
                    "a measure may depend on its own card, on what is known before the choice, and on each value of an "
                    "enumeration, of `players` or of a fixed range",
                )  # fmt: skip
    if isinstance(binder.local.type, types.Unknown) or (
        checked is not None and isinstance(checked.type, types.Unknown)
    ):
        return core.Const(None, types.UNKNOWN, span)
    type_ = _fold_type(cx, function, checked, value, _size(chosen), span)
    if isinstance(type_, types.Unknown):
        return core.Const(None, types.UNKNOWN, span)
    return _measure(chosen, core.SetFold(function, binder.local, checked, binder.where, type_), span)


def _inside(parts: list[core.Expr], local: Local) -> bool:
    """Whether a name is bound within the expressions themselves."""
    return any(core.bound_name(sub) is local for part in parts for sub in core.walk(part))


# ------------------------------------------------------------- values that a condition on a set goes through


def _over_values(
    cx: Context, selection: syntax.Selection, scope: Scope, body: syntax.Expr | None
) -> list[tuple[core.Expr, core.Expr]] | None:
    """Return a condition and a value for each value of a selection inside a condition on a set being chosen.

    So `no r in Rank where count(c in s where c.rank == r) == 1` becomes a measure for each rank.  None where the
    selection is no such one: it does not speak of the set, or its values are not known before play.  Without a body
    the values are those of the selection.
    """
    if not cx.open_sets:
        return None
    parts = [part for part in (selection.where, body) if part is not None]
    names = [node for part in parts for node in syntax.walk(part) if isinstance(node, syntax.Name)]
    of_set = any(open_set(cx, name, scope) is not None for name in names)
    if not of_set or selection.start is not None or open_set(cx, selection.domain, scope) is not None:
        return None
    domain = cx.expr(selection.domain, scope)
    through: tuple[types.Type, range] | None = None
    match domain:
        case core.Range(low=core.Const(value=int(low)), high=core.Const(value=int(high))):
            through = domain_item(cx, domain, selection.domain.span)[0], range(low, high + 1)
        case core.Builtin(name="players"):
            through = types.PLAYER, range(cx.num_players)
    if through is None:
        return None
    item, values = through
    if len(values) > UNROLL_LIMIT:
        cx.report("CG308", f"this condition on a chosen set iterates over {len(values)} values", selection.span,
                  f"at most {UNROLL_LIMIT}")  # fmt: skip
        return []
    before = len(cx.diagnostics)
    with cx.during(open_sets=[]), bound_selection(cx, selection, scope) as (_, inner):
        # Texts about rules read what each part is where the set is any cards.
        if body is not None:
            cx.expr(body, inner)
    if any(found.is_error for found in cx.diagnostics[before:]):
        return []
    found: list[tuple[core.Expr, core.Expr]] = []
    with cx.during(info=Info()):
        for value in values:
            known = types.Int(value, value) if isinstance(item, types.Int) else item
            inner = scope.child()
            inner.names[selection.name] = itself = core.Const(value, known, selection.span)
            said = len(cx.diagnostics)
            where: core.Expr = core.Const(True, types.BOOL, selection.span)
            if selection.where is not None:
                where = condition(cx, selection.where, inner)
            tested = body is selection.where and body is not None
            found.append((where, where if tested else itself if body is None else cx.expr(body, inner)))
            if any(new.is_error for new in cx.diagnostics[said:]):
                return []
            if value != values[0]:
                del cx.diagnostics[said:]
    return found


def _joined(op: str, parts: list[core.Expr], empty: core.Expr) -> core.Expr:
    """Return conditions or numbers joined by an operator."""

    def join(left: core.Expr, right: core.Expr) -> core.Expr:
        type_: types.Type = types.BOOL
        if op == "+":
            assert isinstance(left.type, types.Int)
            assert isinstance(right.type, types.Int)
            ends = [(left.type.low, right.type.low), (left.type.high, right.type.high)]
            low, high = (None if a is None or b is None else a + b for a, b in ends)
            type_ = types.Int(low, high)
        return constant_folding.fold(core.Op(op, (left, right), type_, left.span))

    return reduce(join, parts) if parts else empty


def _unrolled(cx: Context, expr: syntax.Expr, function: str, over: list[tuple[core.Expr, core.Expr]]) -> core.Expr:
    """Return a quantifier, number, sum or extremum over values, as a condition on measures."""
    span = expr.span
    if not over:
        return core.Const(None, types.UNKNOWN, span)
    if function in ("some", "no"):
        both = [where if where is value else _joined("and", [where, value], where) for where, value in over]
        found = _joined("or", both, core.Const(False, types.BOOL, span))
        return found if function == "some" else constant_folding.fold(core.Op("not", (found,), types.BOOL, span))
    certain = all(isinstance(where, core.Const) for where, _ in over)
    if function in ("max", "min") and certain:
        values = tuple(value for _, value in over)
        bounds = extremum(min if function == "min" else max, tuple(value.type for value in values))
        if bounds is not None:
            return values[0] if len(values) == 1 else core.Builtin(function, values, bounds, span)
    if function not in ("sum", "count"):
        return cx.wrong("CG308", f"`{function}` over values is no condition on a chosen set", span,
                        "use `some`, `no`, `every`, `count` or `sum`, or `max` and `min` of numbers")  # fmt: skip
    nothing = core.Const(0, types.Int(0, 0), span)
    numbers: list[core.Expr] = []
    for where, value in over:
        number = core.Const(1, types.Int(1, 1), span) if function == "count" else value
        if not isinstance(number.type, types.Int):
            return cx.wrong("CG301", f"`sum` adds numbers, and this is {shown(number.type)}", span)
        type_ = types.join(number.type, nothing.type)
        assert type_ is not None
        numbers.append(
            constant_folding.fold_chain(core.Chain(((where, number), (None, nothing)), type_, span, ((), ())))
        )
    return _joined("+", numbers, nothing)


# --------------------------------------------------------------------------------------------- folds


def _fold_type(
    cx: Context,
    function: str,
    value: core.Expr | None,
    given: syntax.Expr | None,
    most: int | None,
    span: Span,
    *,
    certain: bool = False,
) -> types.Type:
    if function == "count":
        return types.Int(0, most)
    assert value is not None
    assert given is not None
    if types.is_optional(value.type):
        maybe_absent(cx, "this may be absent, so it cannot be weighed with the others", value, given)
        return types.UNKNOWN
    if function in ("same", "different", "consecutive"):
        if isinstance(value.type, types.Cards | types.Sequence):
            cx.report("CG301", f"`{function}` compares single values", value.span)
            return types.UNKNOWN
        return types.BOOL
    if function == "sum":
        if not isinstance(value.type, types.Int):
            if not isinstance(value.type, types.Unknown):
                cure = ""
                if isinstance(value.type, types.EnumType) and not value.type.is_of_option:
                    cure = f"give its values a number to add, `enum {value.type}(points: 0..20)`, and add its `.points`"
                cx.report("CG301", f"`sum` adds numbers, and this is {shown(value.type)}", value.span, cure)
            return types.UNKNOWN
        if value.type.low is None or value.type.high is None or most is None:
            return types.Int()
        return types.Int(min(0, value.type.low * most), max(0, value.type.high * most))
    if function in ("max", "min"):
        if not types.ordered(value.type):
            cx.report("CG307", f"`{function}` needs values with an order", value.span, "take numbers or values")
            return types.UNKNOWN
        return value.type if certain else types.optional(value.type)
    raise AssertionError(function, span)


def check_fold(cx: Context, expr: syntax.Fold, scope: Scope) -> core.Expr:
    """Check `sum(c.value for c in Z where P)` and its kin."""
    if expr.function not in FOLDS or expr.function == "count":
        help_ = cx.suggest(expr.function, FOLDS, expr.span, "the folds are " + ", ".join(FOLDS))
        if expr.function == "union":
            help_ = "all the cards of several places are `hand[players]`"
        return cx.wrong("CG209", f"`{expr.function}` is not a fold", expr.span, help_)
    if expr.by is not None:
        by = Span(expr.span.source, expr.selection.span.end, expr.by.span.end)
        cure = Cure(f"leave out `{by.text.strip()}`", (Edit(by, ""),))
        return cx.wrong("CG319", f"`{expr.function}` has no order, so `by` has no effect", expr.by.span, cure)
    chosen = open_set(cx, expr.selection.domain, scope)
    if chosen is not None:
        return _check_measure(cx, chosen, expr.function, expr.value, expr.selection, scope, expr.span)
    over = _over_values(cx, expr.selection, scope, expr.value)
    if over is not None:
        return _unrolled(cx, expr, expr.function, over)
    numbers = expr.function in ("sum", "max", "min")
    with bound_selection(cx, expr.selection, scope, of_sets=numbers) as (binder, inner):
        value = cx.expr(expr.value, inner)
    value = _compared(cx, expr.function, value, expr.value)
    if isinstance(value.type, types.Unknown) or isinstance(binder.domain.type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    most = _most(binder)
    type_ = _fold_type(cx, expr.function, value, expr.value, most, expr.span, certain=_never_empty(binder))
    if isinstance(type_, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    return core.Fold(expr.function, value, binder, None, type_, expr.span)


def _compared(cx: Context, function: str, value: core.Expr, given: syntax.Expr) -> core.Expr:
    """Return the value of a fold as the fold compares it: a card by its face; what is to be consecutive is a number."""
    if function in ("same", "different"):
        return conversions.by_face(value, copies=cx.copies)
    type_ = value.type
    if function != "consecutive" or isinstance(types.base_of(type_), types.EnumType | types.Unknown):
        return value
    number = types.base_of(type_)
    ends = (number.low, number.high) if isinstance(number, types.Int) else (None, None)
    if ends[0] is not None and ends[1] is not None and ends[1] - ends[0] < WIDEST_RUN:
        return value
    return cx.wrong("CG307", "`consecutive` needs values of an enumeration, or numbers of a range", given.span,
                    f"a range of at most {WIDEST_RUN} numbers")  # fmt: skip


def check_over(cx: Context, expr: syntax.Over, scope: Scope) -> core.Expr:
    """Check `count(c in Z where P)`."""
    if expr.function != "count":
        return cx.wrong(
            "CG209", f"`{expr.function}` needs a value for each card", expr.span,
            f"write `{expr.function}(.. for {expr.selection.name} in ..)`; only `count` counts the cards themselves",
        )  # fmt: skip
    chosen = open_set(cx, expr.selection.domain, scope)
    if chosen is not None:
        return _check_measure(cx, chosen, "count", None, expr.selection, scope, expr.span)
    over = _over_values(cx, expr.selection, scope, None)
    if over is not None:
        return _unrolled(cx, expr, "count", over)
    with bound_selection(cx, expr.selection, scope, of_sets=True) as (binder, _):
        pass
    if isinstance(binder.domain.type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    return core.Select("count", binder, None, types.Int(0, _most(binder)), expr.span)


# ------------------------------------------------------------------------------- picks and quantifiers


def check_among(cx: Context, expr: syntax.Among, scope: Scope) -> core.Expr:
    """Check `next(p among D)`: the first of D in seat order after p; p where D has no other player."""
    if expr.function not in ("next", "previous"):
        return cx.wrong("CG209", f"`{expr.function}` has no form with `among`", expr.span,
                        "the forms are `next(p among D)` and `previous(p among D)`")  # fmt: skip
    value = typed(cx, expr.value, scope, types.PLAYER, "the player to begin at")
    group = cx.expr(expr.group, scope)
    if isinstance(value.type, types.Unknown) or isinstance(group.type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    if not isinstance(group.type, types.Sequence) or not isinstance(group.type.item, types.Player):
        return cx.wrong("CG301", f"`{expr.function}` looks among players, and this is {shown(group.type)}",
                        expr.group.span, "name the players, as in `all q in players where not out[q]`")  # fmt: skip
    # From p on round the table, the last is the one before p; from the player after p on, the first is the next.
    after = core.Builtin("next", (value,), types.PLAYER, expr.span)
    binder = core.Binder(
        cx.local("q", types.PLAYER, expr.span), group, after if expr.function == "next" else value, None
    )
    found = core.Select(
        "first" if expr.function == "next" else "last", binder, None, types.optional(types.PLAYER), expr.span
    )
    return core.Chain(((None, found), (None, value)), types.PLAYER, expr.span)


def _kept(cx: Context, binder: core.Binder) -> types.Type:
    """Return the type of one thing that a binder keeps; unknown where its condition could not be checked."""
    if is_unchecked(binder.where):
        return types.UNKNOWN
    facts = narrowings(binder.where)
    if isinstance(binder.local.type, types.Card) and binder.local in facts:
        return types.Card(cx.kinds_of(binder.local) & facts[binder.local])
    return binder.local.type


def _never_empty(binder: core.Binder) -> bool:
    """Say whether a binder surely keeps something: all players, all of an enumeration, or of a known range."""
    match binder:
        case core.Binder(where=None, domain=core.Builtin(name="players")):
            return True
        case core.Binder(where=None, domain=core.Subsets() | core.Rests() as domain):
            return set_domains.never_empty(domain)
        case core.Binder(where=None, domain=core.Range(low=core.Const(value=low), high=core.Const(value=high))):
            return low is not None and high is not None and low <= high
    return False


def _many(kept: types.Type, most: int | None) -> types.Type:
    bound = -1 if most is None else most
    return types.Cards(kept.kinds, bound) if isinstance(kept, types.Card) else types.Sequence(kept, bound)


def check_pick(cx: Context, expr: syntax.Pick, scope: Scope) -> core.Expr:
    """Check `first c in Z where P` and `last 3 c in Z`."""
    count = None
    if expr.count is not None:
        count = typed(cx, expr.count, scope, types.Int(), "how many")
    with bound_selection(cx, expr.selection, scope, of_sets=count is None and expr.which == "first") as (binder, _):
        kept = _kept(cx, binder)
    if isinstance(kept, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    type_ = kept if count is None and _never_empty(binder) else types.optional(kept)
    if count is not None:
        type_ = _many(kept, _most(binder))
    return core.Select(expr.which, binder, count, type_, expr.span)


def check_extreme(cx: Context, expr: syntax.Extreme, scope: Scope) -> core.Expr:
    """Check `highest c in Z where P by c.rank`."""
    with bound_selection(cx, expr.selection, scope, of_sets=not expr.ties) as (binder, inner):
        by = check_key(cx, expr.by, inner)
        kept = _kept(cx, binder)
    if isinstance(kept, types.Unknown) or isinstance(by.type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    type_ = kept if _never_empty(binder) else types.optional(kept)
    if expr.ties:
        type_ = _many(kept, _most(binder))
    return core.Extreme(expr.which, binder, by, expr.ties, type_, expr.span)


def check_key(cx: Context, expr: syntax.Expr, scope: Scope) -> core.Expr:
    """Check what things are compared by; a stand-in after reporting that it has no order."""
    by = cx.expr(expr, scope)
    if types.is_optional(by.type):
        return maybe_absent(cx, "this may be absent, so it has no order", by, expr)
    if not types.ordered(by.type) and not isinstance(by.type, types.Unknown):
        return cx.wrong("CG307", f"{shown(by.type)} has no order", expr.span, "order by a number or a value")
    return by


def in_order(cx: Context, binder: core.Binder, by: core.Expr) -> core.Binder:
    """Return a binder that goes through the same things in ascending order of a key."""
    kept = _kept(cx, binder)
    if isinstance(kept, types.Unknown) or isinstance(by.type, types.Unknown):
        return binder
    domain = core.Sorted(binder, by, _many(kept, _most(binder)), by.span)
    return core.Binder(binder.local, domain, None, None)


def check_all(cx: Context, expr: syntax.All, scope: Scope) -> core.Expr:
    """Check `all c in Z where P`."""
    with bound_selection(cx, expr.selection, scope) as (binder, _):
        kept = _kept(cx, binder)
    if isinstance(kept, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    return core.Select("all", binder, None, _many(kept, _most(binder)), expr.span)


def check_quantified(cx: Context, expr: syntax.Quantified, scope: Scope) -> core.Expr:
    """Check `some c in Z where P`, `no c in Z where P`, and the same over `subsets(Z)`."""
    domain = expr.selection.domain
    if (swallowed := _swallowed(cx, expr, expr.selection.where)) is not None:
        return swallowed
    if expr.which == "no":
        _note_swallowed(cx, expr, expr.selection.where)
    if isinstance(domain, syntax.Call) and domain.name == "subsets" and set_domains.is_domain(cx, domain):
        measured = _by_measures(cx, expr, domain, scope)
        if measured is not None:
            return measured
    counted = _counted(cx, expr, scope)
    if counted is not None:
        return counted
    over = _over_values(cx, expr.selection, scope, expr.selection.where)
    if over is not None:
        return _unrolled(cx, expr, expr.which, over)
    with bound_selection(cx, expr.selection, scope, of_sets=True) as (binder, _):
        pass
    if isinstance(binder.domain.type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    return core.Select(expr.which, binder, None, types.BOOL, expr.span)


def _counted(cx: Context, expr: syntax.Quantified | syntax.Every, scope: Scope) -> core.Expr | None:
    """Check `some c in s` for a set s being chosen, as its measure `count(c in s ..) > 0`; None for other cards."""
    chosen = open_set(cx, expr.selection.domain, scope)
    if chosen is None:
        return None
    has = expr.has if isinstance(expr, syntax.Every) else None
    number = _check_measure(cx, chosen, "count", None, expr.selection, scope, expr.span, has=has)
    if isinstance(number.type, types.Unknown):
        return number
    op = ">" if isinstance(expr, syntax.Quantified) and expr.which == "some" else "=="
    return core.Op(op, (number, core.Const(0, types.Int(0, 0), expr.span)), types.BOOL, expr.span)


def _breaking(binder: core.Binder, has: core.Expr) -> core.Binder:
    """Return a binder that goes only through what a condition does not hold for."""
    broken: core.Expr = constant_folding.fold(core.Op("not", (has,), types.BOOL, has.span))
    if binder.where is not None:
        broken = constant_folding.fold(core.Op("and", (binder.where, broken), types.BOOL, has.span))
    return core.Binder(binder.local, binder.domain, binder.start, broken)


def _swallowed(cx: Context, expr: syntax.Quantified | syntax.Every, inside: syntax.Expr | None) -> core.Expr | None:
    """Report a later part of a condition inside a quantifier that declares the quantified name again."""
    name = expr.selection.name
    for before, part in pairwise([] if inside is None else syntax.operands(inside, "and")):
        for node in syntax.walk(part):
            if isinstance(node, syntax.Selection) and node.name == name:
                edits = (Edit(expr.span.before, "("), Edit(before.span.after, ")"))
                cure = Cure(f"end the condition on `{name}` with a bracket before `and`, or take another name", edits)
                return cx.wrong("CG202", f"`{name}` is already declared here", node.span, cure)
    return None


def _note_swallowed(cx: Context, expr: syntax.Quantified | syntax.Every, inside: syntax.Expr | None) -> None:
    """Note a last part of a condition inside a quantifier that does not use the quantified name."""
    name = expr.selection.name
    parts = [] if inside is None else syntax.operands(inside, "and")
    names = {node.name for part in parts[-1:] for node in syntax.walk(part) if isinstance(node, syntax.Name)}
    if len(parts) > 1 and name not in names:
        part, which = parts[-1].span, "every" if isinstance(expr, syntax.Every) else expr.which
        cx.report("CG515", f"this does not use `{name}`, but is inside the condition on `{name}`", part,
                  f"if it is a condition of its own, write it in front: `.. and {which} {name} in ..`",
                  severity=Severity.NOTE)  # fmt: skip


def _by_measures(cx: Context, expr: syntax.Quantified, domain: syntax.Call, scope: Scope) -> core.Expr | None:
    """Check `some t in subsets(Z) where C` for a C on measures of t; None for another C: each subset is tried then."""
    through = set_domains.check_subsets(cx, domain, scope)
    if not isinstance(through, core.Subsets) or expr.selection.start is not None:
        return through if isinstance(through.type, types.Unknown) else None
    cards = through.cards
    cx.check_free(expr.selection.name, expr.selection.span, scope)
    local = cx.local(expr.selection.name, cards.type, expr.selection.span, card_set=True)
    cx.info.refer(expr.selection, local)
    inner = scope.child()
    inner.names[local.name] = local
    where = expr.selection.where
    if where is None:
        return cx.wrong("CG320", "every zone has a subset: say which one is meant", expr.span, "add `where ..`")
    condition, is_measured = cx.attempt("CG308", lambda: check_set_condition(cx, local, where, inner))
    if not is_measured:
        return None
    if condition is None:
        return core.Const(None, types.UNKNOWN, expr.span)
    result: core.Expr = core.SomeSubset(cards, through.low, through.high, condition, types.BOOL, expr.span)
    return result if expr.which == "some" else constant_folding.fold(core.Op("not", (result,), types.BOOL, expr.span))


def check_every(cx: Context, expr: syntax.Every, scope: Scope) -> core.Expr:
    """Check `every c in Z where P has Q`, which is `no c in Z where P and not Q`."""
    if (swallowed := _swallowed(cx, expr, expr.has)) is not None:
        return swallowed
    _note_swallowed(cx, expr, expr.has)
    counted = _counted(cx, expr, scope)
    if counted is not None:
        return counted
    over = _over_values(cx, expr.selection, scope, expr.has)
    if over is not None:
        return _unrolled(cx, expr, "no", [(w, core.Op("not", (has,), types.BOOL, expr.span)) for w, has in over])
    with bound_selection(cx, expr.selection, scope, of_sets=True) as (binder, inner):
        has = condition(cx, expr.has, inner)
    if isinstance(has.type, types.Unknown) or isinstance(binder.domain.type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    return core.Select("no", _breaking(binder, has), None, types.BOOL, expr.span)
