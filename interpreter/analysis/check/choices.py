"""Check decisions: their actions, the arguments of actions, and the conditions on them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from grammar import expressions as syntax
from grammar import statements as syntax_stmt
from grammar.diagnostics import UNREAD, Cure, Edit, Label, insert
from grammar.source import Span
from interpreter.analysis import constant_folding, core
from interpreter.analysis.budget import ACTION, spend
from interpreter.analysis.check import selections
from interpreter.analysis.check.type_conformance import condition, shown, typed
from interpreter.analysis.context import Context, Scope, narrowings
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import BOOL, PLAYER, UNKNOWN, Bool, Card, Cards, Int, Sequence, Unknown, size_of

BlockCheck = Callable[[Context, tuple[syntax_stmt.Stmt, ...], Scope], tuple[core.Stmt, ...]]
TextCheck = Callable[[Context, syntax_stmt.Choice, str, Scope, core.Expr], tuple[str | core.Expr, ...]]

ARGUMENT_LIMIT = 20_000
"""Values that an argument can be."""

ARGUMENTS_LIMIT = 15
"""Arguments of one action, sets too: each is asked for behind all that stand in front of it."""


def check_arg(cx: Context, arg: syntax.Arg, scope: Scope) -> core.Arg | None:
    """Check one argument and enter its name in the scope; None after reporting that it is none."""
    checked = _argument(cx, arg, scope)
    if checked is None:
        stand_in = cx.local(arg.name, UNKNOWN, arg.span)
        scope.names[arg.name] = stand_in
        _where(cx, arg.where, scope, stand_in, arg.name)
    return checked


def _argument(cx: Context, arg: syntax.Arg, scope: Scope) -> core.Arg | None:
    match arg:
        case syntax.ValueArg():
            return _value_arg(cx, arg, scope)
        case syntax.CardArg():
            domain, kinds, most = _card_domain(cx, arg.domain, scope)
            if domain is None:
                return None
            local = cx.local(arg.name, Card(kinds), arg.span)
            _name(cx, arg, local, scope)
            where = _where(cx, arg.where, scope, local, arg.name)
            local.type = Card(_kept(where, local, kinds))
            del most
            return core.Arg("card", local, domain, local, where, None, None, arg.span)
        case syntax.CardsArg():
            return _cards_arg(cx, arg, scope)


def _name(cx: Context, arg: syntax.Arg, local: Local, scope: Scope) -> None:
    """Enter the name of an argument in the scope."""
    cx.info.refer(arg, local)
    scope.names[arg.name] = local


def _card_domain(cx: Context, expr: syntax.Expr, scope: Scope) -> tuple[core.Expr | None, frozenset[str], int]:

    domain = cx.expr(expr, scope)
    if isinstance(domain.type, Cards):
        return domain, domain.type.kinds, domain.type.at_most
    if not isinstance(domain.type, Unknown):
        cx.report("CG301", f"cards are chosen from cards, but this is {shown(domain.type)}", expr.span,
                  "a value is chosen without the word `card`: `n from 0..11`")  # fmt: skip
    return None, frozenset(), 0


def _kept(where: core.Expr | None, local: Local, kinds: frozenset[str]) -> frozenset[str]:
    """Return the kinds of cards that pass a condition."""
    return kinds & narrowings(where).get(local, kinds)


def _where(cx: Context, expr: syntax.Expr | None, scope: Scope, each: Local, name: str) -> core.Expr | None:
    if expr is None:
        return None

    before, cx.each, cx.choosing = cx.each, each, name
    try:
        where = condition(cx, expr, scope)
    finally:
        cx.each = before
    return None if isinstance(where, core.Const) and where.value is True else where


def _cards_arg(cx: Context, arg: syntax.CardsArg, scope: Scope) -> core.Arg | None:

    low = high = None
    if arg.quantity.low is not None:
        low = typed(cx, arg.quantity.low, scope, Int(), "how many cards")
    if arg.quantity.high is arg.quantity.low:
        high = low
    elif arg.quantity.high is not None:
        high = typed(cx, arg.quantity.high, scope, Int(), "how many cards")
    domain, kinds, most = _card_domain(cx, arg.domain, scope)
    if domain is None:
        return None
    each = cx.local("each", Card(kinds), arg.span)
    where = _where(cx, arg.where, scope, each, arg.name)
    kinds = _kept(where, each, kinds)
    if isinstance(high, core.Const) and isinstance(high.value, int):
        most = max(0, min(most, high.value))
    if isinstance(low, core.Const) and isinstance(low.value, int) and low.value > most:
        help_ = f"there are at most {most} to choose from"
        cx.report("CG310", f"nobody can choose {low.value} cards here", arg.span, help_, about=UNREAD)
    local = cx.local(arg.name, Cards(kinds, most), arg.span, card_set=True)
    _name(cx, arg, local, scope)
    return core.Arg("cards", local, domain, each, where, low, high, arg.span)


def _value_arg(cx: Context, arg: syntax.ValueArg, scope: Scope) -> core.Arg | None:

    domain = cx.expr(arg.domain, scope)
    if isinstance(domain.type, Unknown):
        return None
    if isinstance(domain.type, Cards):
        cure = insert(arg.span, "card ", f"write `card {arg.name} from ..`")
        cx.report("CG325", "a card is chosen with the word `card`", arg.span, cure)
        return None
    if not isinstance(domain.type, Sequence):
        cx.report("CG318", f"one cannot choose from {shown(domain.type)}", arg.domain.span,
                  "choose from cards, players, a range or the values of an enumeration")  # fmt: skip
        return None
    item = domain.type.item
    if isinstance(item, Int) and size_of(item) is None:
        cx.report("CG326", "this range has no bound that is known before play", arg.domain.span,
                  "give the variables in it a range: `chips: 0..100`")  # fmt: skip
        return None
    if (size_of(item) or 0) > ARGUMENT_LIMIT:
        cx.report("CG405", f"a choice among {size_of(item)} values is too large", arg.domain.span,
                  f"at most {ARGUMENT_LIMIT} values")  # fmt: skip
        return None
    local = cx.local(arg.name, item, arg.span)
    _name(cx, arg, local, scope)
    where = _where(cx, arg.where, scope, local, arg.name)
    return core.Arg("value", local, domain, local, where, None, None, arg.span)


def check_choice(
    cx: Context, stmt: syntax_stmt.Choice, scope: Scope, block: BlockCheck, text: TextCheck
) -> tuple[core.Stmt, ...]:
    """Check a decision with all its actions."""

    player = typed(cx, stmt.player, scope, PLAYER, "who chooses")
    prompt: tuple[str | core.Expr, ...] = ()
    if stmt.prompt is not None:
        prompt = text(cx, stmt, stmt.prompt, scope, player)
    actions = tuple(a for a in (_check_action(cx, action, scope, block) for action in stmt.actions) if a is not None)
    otherwise = None
    if stmt.otherwise is not None:
        otherwise = _check_action(cx, stmt.otherwise, scope, block)
    _check_told_apart(cx, (*actions, *([otherwise] if otherwise is not None else [])))
    if not actions and otherwise is None:
        return ()
    return (core.Choice(player, actions, otherwise, prompt, stmt.secretly, stmt.span, stmt.tags),)


def _check_told_apart(cx: Context, actions: tuple[core.Action, ...]) -> None:
    """Report actions of one verb that begin alike: the first step of one cannot be told from that of the other."""
    verbs = {action.verb for action in actions}
    seen: dict[tuple[str, ...], Span] = {}
    for action in actions:
        begins = (action.verb, *(arg.form for arg in core.stages(action.args)[0]))
        if begins not in seen:
            seen[begins] = action.span
            continue
        other = next(verb for n in count(2) if (verb := f"{action.verb}_{n}") not in verbs)
        verbs.add(other)
        cure = Cure(f"give one of them another verb, such as `{other}`", (Edit(_verb(action), other),))
        cx.report("CG202", f"this decision has two actions `{action.verb}` that begin alike", action.span, cure,
                  labels=(Label(seen[begins], "the other one"),))  # fmt: skip


def _verb(action: core.Action) -> Span:
    """Return where the verb of an action stands: it is its first word."""
    return Span(action.span.source, action.span.start, action.span.start + len(action.verb))


def _check_action(cx: Context, action: syntax_stmt.Action, scope: Scope, block: BlockCheck) -> core.Action | None:
    spend(ACTION, action.span)
    only_if = None if action.only_if is None else condition(cx, action.only_if, scope)
    inner = scope.child()
    args: list[core.Arg] = []
    whole = len(action.args) <= ARGUMENTS_LIMIT
    if not whole:
        cx.report("CG405", f"`{action.verb}` has {len(action.args)} arguments", action.span,
                  f"at most {ARGUMENTS_LIMIT}: make it several decisions")  # fmt: skip
    for given in action.args:
        cx.check_free(given.name, given.span, inner)
        checked = check_arg(cx, given, inner)
        if checked is None:
            whole = False
        else:
            args.append(checked)
    such_that: core.Expr | None = None
    if action.such_that is not None and whole:
        if any(a.form == "cards" for a in args):
            args = _weighed(cx, args, action.such_that, inner)
        else:
            such_that = condition(cx, action.such_that, inner)
    body = block(cx, action.body, inner)
    if not whole:
        return None
    if isinstance(such_that, core.Const) and isinstance(such_that.type, Bool) and such_that.value is True:
        such_that = None
    return core.Action(action.verb, tuple(args), such_that, only_if, body, action.span, action.tags)


def _weighed(cx: Context, args: list[core.Arg], such_that: syntax.Expr, scope: Scope) -> list[core.Arg]:
    """Check a condition on arguments with sets; each part of it goes to the last argument that it speaks of.

    There it is settled, so it is weighed when that one is chosen.  If a set is the last argument, and the only set, the
    whole condition is its own.
    """
    places = {arg.local.name: place for place, arg in enumerate(args)}
    parts = syntax.operands(such_that, "and")
    if [a.form for a in args].index("cards") == len(args) - 1:
        parts = [such_that]
        places = dict.fromkeys(places, len(args) - 1)
    checked: list[tuple[int, core.Expr]] = []
    found = list(args)
    for part in parts:
        names = {n.name for n in syntax.walk(part) if isinstance(n, syntax.Name)}
        place = max((places[name] for name in names & places.keys()), default=len(args) - 1 if len(parts) == 1 else 0)
        facts = dict[Local, frozenset[str]]()
        for at, other in checked:
            for local, kinds in narrowings(other).items() if at <= place else ():
                facts[local] = facts.get(local, kinds) & kinds
        arg = found[place]
        with cx.narrowing(facts):
            if arg.form != "cards":
                where = condition(cx, part, scope)
                checked.append((place, where))
                found[place] = core.evolved(arg, where=_both(arg.where, where))
                continue
            on_set = selections.check_set_condition(cx, arg.local, part, scope)
        if on_set is not None and not _holds(on_set.condition):
            checked.append((place, on_set.condition))
            if arg.on_set is not None:
                both = _both(arg.on_set.condition, on_set.condition)
                assert both is not None
                on_set = core.SetCondition((*arg.on_set.folds, *on_set.folds), both)
            found[place] = core.evolved(arg, on_set=on_set)
    return found


def _both(one: core.Expr | None, other: core.Expr) -> core.Expr | None:
    """Return a condition under which both hold; None where they always do."""
    both = other if one is None else constant_folding.fold(core.Op("and", (one, other), BOOL, other.span))
    return None if _holds(both) else both


def _holds(expr: core.Expr) -> bool:
    return isinstance(expr, core.Const) and expr.value is True
