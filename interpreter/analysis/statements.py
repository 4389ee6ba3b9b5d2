"""Check statements: what phases do.  Decisions are in `interpreter.analysis.choices`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from grammar import statements as syntax
from grammar.expressions import Expr, Index, Name
from grammar.source import Span
from interpreter.analysis import choices, constants, core
from interpreter.analysis.context import Context, Scope, narrowings
from interpreter.analysis.expressions import check as check_expr
from interpreter.analysis.patterns import Coverage, case_conditions
from interpreter.analysis.selections import bound_selection
from interpreter.analysis.symbols import Local, Phase
from interpreter.analysis.types import (
    BOOL,
    PLAYER,
    UNKNOWN,
    Bool,
    Card,
    Cards,
    Int,
    Player,
    Unknown,
    base_of,
)
from interpreter.analysis.wanted import condition, shown, typed
from interpreter.analysis.words import text_parts

Block = tuple[core.Stmt, ...]


def check_block(cx: Context, block: tuple[syntax.Stmt, ...], scope: Scope) -> Block:
    """Check statements one after another; a `let` is known to those behind it."""
    inner = scope.child()
    out: list[core.Stmt] = []
    for stmt in block:
        out.extend(_CHECKS[type(stmt)](cx, stmt, inner))
    return tuple(out)


def _let(cx: Context, stmt: syntax.Let, scope: Scope) -> Block:
    value = check_expr(cx, stmt.value, scope)
    local = cx.local(stmt.name, value.type, stmt.span)
    free = cx.check_free(stmt.name, stmt.span, scope)
    scope.names[stmt.name] = local if free else core.Const(None, UNKNOWN, stmt.span)
    return (core.Let(local, value, stmt.span, stmt.tags),)


def _assign(cx: Context, stmt: syntax.Assign, scope: Scope) -> Block:
    target = stmt.target
    name = target.name if isinstance(target, Name) else None
    if name is not None and scope.find(name) is not None:
        cx.report("CG321", f"`{name}` is a name for one value and cannot be set", stmt.span,
                  "declare it under `state` to change it")  # fmt: skip
        return ()
    if not isinstance(target, Name | Index):
        cx.report("CG321", "only a variable can be set", target.span)
        return ()
    place = check_expr(cx, target, scope)
    if isinstance(place.type, Unknown):
        check_expr(cx, stmt.value, scope)
        return ()
    if not isinstance(place, core.VarRef):
        help_ = "cards are moved: `move .. to ..`" if isinstance(place, core.ZoneRef) else ""
        cx.report("CG321", "only a variable can be set", target.span, help_)
        return ()
    if stmt.op == "=":
        value = typed(cx, stmt.value, scope, place.type, f"`{place.variable.name}`")
    else:
        if not isinstance(place.type, Int):
            cx.report("CG301", f"`{stmt.op}` changes numbers, but this is {shown(place.type)}", stmt.span)
            return ()
        value = typed(cx, stmt.value, scope, Int(), "what is added")
    return (core.Assign(place.variable, place.index, stmt.op, value, stmt.span, stmt.tags),)


def _do(cx: Context, stmt: syntax.Do, scope: Scope) -> Block:
    call = stmt.call
    phase = cx.symbols.get(call.name)
    if not isinstance(phase, Phase):
        known = [n for n, s in cx.symbols.items() if isinstance(s, Phase)]
        if phase is None and call.name not in cx.values and scope.find(call.name) is None:
            cx.report("CG201", f"no phase is called `{call.name}`", call.span, cx.suggest(call.name, known))
        else:
            cx.report("CG212", f"`{call.name}` is no phase, so it does nothing", call.span,
                      "a phase is declared with `phase`")  # fmt: skip
        return ()
    if len(call.args) != len(phase.params):
        cx.report("CG207", f"`{phase.name}` takes {len(phase.params)} arguments, not {len(call.args)}", call.span)
        return ()
    args = tuple(
        constants.within(typed(cx, given, scope, param.type, f"`{param.name}` of `{phase.name}`"), param.type)
        for given, param in zip(call.args, phase.params, strict=True)
    )
    return (core.CallPhase(phase, args, stmt.span, stmt.tags),)


def zone_ref(cx: Context, expr: Expr, scope: Scope, what: str) -> core.ZoneRef | None:
    """Check an expression that must name a zone."""
    checked = check_expr(cx, expr, scope)
    if isinstance(checked, core.ZoneRef):
        return checked
    if not isinstance(checked.type, Unknown):
        cx.report("CG305", f"{what} must be a zone, but this is {shown(checked.type)}", expr.span)
    return None


def cards_expr(cx: Context, expr: Expr, scope: Scope, what: str) -> core.Expr | None:
    """Check an expression that must be one card, perhaps absent, or cards."""
    checked = check_expr(cx, expr, scope)
    if isinstance(checked.type, Unknown):
        return None
    if isinstance(base_of(checked.type), Card | Cards):
        return checked
    cx.report("CG301", f"{what} must be cards, but this is {shown(checked.type)}", expr.span)
    return None


def _face(cx: Context, face: str | None, span: Span) -> Literal["up", "down"] | None:
    if face is None or face in ("up", "down"):
        return face  # type: ignore[return-value]
    cx.report("CG322", f"a card lies face up or face down, not face {face}", span)
    return None


def _check_at(cx: Context, at: str | None, target: core.ZoneRef, span: Span) -> None:
    if at is not None and target.zone.kind != "pile":
        cx.report("CG323", f"`{target.zone.name}` is no pile, so it has no {at}", span)


def _move(cx: Context, stmt: syntax.Move, scope: Scope) -> Block:
    cards = cards_expr(cx, stmt.cards, scope, "what is moved")
    target = zone_ref(cx, stmt.target, scope, "where cards go")
    by = None
    if stmt.played_by is not None:
        by = typed(cx, stmt.played_by, scope, PLAYER, "who played it")
    if cards is None or target is None:
        return ()
    _check_at(cx, stmt.at, target, stmt.span)
    if by is not None and target.zone.kind != "row":
        cx.report("CG323", f"only a row remembers who played a card; `{target.zone.name}` is a "
                  f"{target.zone.kind}", stmt.span)  # fmt: skip
    face = _face(cx, stmt.face, stmt.span)
    return (core.Move(cards, target, stmt.at, face, by, stmt.span, stmt.tags),)


def _deal(cx: Context, stmt: syntax.Deal, scope: Scope) -> Block:
    count = typed(cx, stmt.count, scope, Int(), "how many cards are dealt")
    origin = zone_ref(cx, stmt.origin, scope, "what is dealt from")
    target = zone_ref(cx, stmt.target, scope, "where cards go")
    if origin is None or target is None:
        return ()
    if origin.zone.kind != "pile":
        cx.report("CG323", f"`{origin.zone.name}` is no pile, so it has no top to deal from", stmt.origin.span,
                  "move chosen cards with `move .. to ..`")  # fmt: skip
    _check_at(cx, stmt.at, target, stmt.span)
    face = _face(cx, stmt.face, stmt.span)
    return (core.Deal(count, origin, target, stmt.exactly, stmt.at, face, stmt.span, stmt.tags),)


def _swap(cx: Context, stmt: syntax.Swap, scope: Scope) -> Block:
    first = zone_ref(cx, stmt.first, scope, "what is swapped")
    second = zone_ref(cx, stmt.second, scope, "what is swapped")
    if first is None or second is None:
        return ()
    return (core.Swap(first, second, stmt.span, stmt.tags),)


def _shuffle(cx: Context, stmt: syntax.Shuffle, scope: Scope) -> Block:
    cards = None
    if stmt.into is not None:
        cards = cards_expr(cx, stmt.cards, scope, "what is shuffled in")
        if cards is None:
            return ()
    zone = zone_ref(cx, stmt.into if stmt.into is not None else stmt.cards, scope, "what is shuffled")
    if zone is None:
        return ()
    if zone.zone.kind != "pile":
        cx.report("CG323", f"`{zone.zone.name}` is no pile, so it has no order to shuffle", stmt.span)
    elif zone.zone.seen_by != "nobody":
        cx.report("CG324", f"`{zone.zone.name}` is seen by {zone.zone.seen_by}, so shuffling it hides nothing",
                  stmt.span, "shuffle a pile that nobody sees")  # fmt: skip
    return (core.Shuffle(zone, cards, stmt.span, stmt.tags),)


def _turn(cx: Context, stmt: syntax.Turn, scope: Scope) -> Block:
    cards = cards_expr(cx, stmt.cards, scope, "what is turned")
    face = _face(cx, stmt.face, stmt.span)
    if cards is None or face is None:
        return ()
    return (core.Turn(cards, face, stmt.span, stmt.tags),)


def _show(cx: Context, stmt: syntax.Show, scope: Scope) -> Block:
    cards = cards_expr(cx, stmt.cards, scope, "what is shown")
    to = None if stmt.to is None else typed(cx, stmt.to, scope, PLAYER, "who is shown it")
    return () if cards is None else (core.Show(cards, to, stmt.span, stmt.tags),)


def _say(cx: Context, stmt: syntax.Say, scope: Scope) -> Block:
    return (core.Say(text_parts(cx, stmt.text, scope, stmt.span), stmt.span, stmt.tags),)


def _end(cx: Context, stmt: syntax.End, _scope: Scope) -> Block:
    if stmt.what == "game":
        return (core.End(None, stmt.span, stmt.tags),)
    phase = cx.symbols.get(stmt.what)
    if not isinstance(phase, Phase):
        known = ["game", *(n for n, s in cx.symbols.items() if isinstance(s, Phase))]
        cx.report("CG201", f"no phase is called `{stmt.what}`", stmt.span, cx.suggest(stmt.what, known))
        return ()
    return (core.End(phase, stmt.span, stmt.tags),)


def _if(cx: Context, stmt: syntax.If, scope: Scope) -> Block:
    test = condition(cx, stmt.condition, scope)
    with cx.narrowing(narrowings(test)):
        then = check_block(cx, stmt.then, scope)
    with cx.narrowing(narrowings(test, holds=False)):
        otherwise = check_block(cx, stmt.otherwise, scope)
    return (core.If(test, then, otherwise, stmt.span, stmt.tags),)


def _match(cx: Context, stmt: syntax.Match, scope: Scope) -> Block:
    subject = check_expr(cx, stmt.subject, scope)
    before: Block = ()
    if not isinstance(subject, core.LocalRef | core.Const):
        # The subject is looked at once, so it gets a name; narrowing then works on that name.
        local = cx.local("subject", subject.type, stmt.subject.span)
        before = (core.Let(local, subject, stmt.subject.span, ()),)
        subject = core.LocalRef(local, subject.type, stmt.subject.span)
    coverage = Coverage(subject.type)
    cases: list[tuple[core.Expr, Block, syntax.Case]] = []
    for case in stmt.cases:
        before_scope, cx.pattern_scope = cx.pattern_scope, scope
        test = case_conditions(cx, subject, case.patterns, coverage)
        cx.pattern_scope = before_scope
        with cx.narrowing(narrowings(test)):
            cases.append((test, check_block(cx, case.body, scope), case))
    coverage.check(cx, stmt.span, stmt.otherwise is not None)
    rest: Block = ()
    if stmt.otherwise is not None:
        left: dict[Local, frozenset[str]] = {}
        for test, _, _ in cases:
            for card, kinds in narrowings(test, holds=False).items():
                left[card] = left.get(card, kinds) & kinds
        with cx.narrowing(left):
            rest = check_block(cx, stmt.otherwise, scope)
    complete = stmt.otherwise is None
    for number, (test, body, case) in enumerate(reversed(cases)):
        # The cases are exhaustive, so the last one needs no test, except that `if` keeps its tags.
        certain: core.Expr = core.Const(True, BOOL, case.span) if complete and number == 0 else test
        if isinstance(test, core.Const) and isinstance(test.value, bool):
            certain = test
        rest = (core.If(certain, body, rest, case.span, case.tags),)
    return before + rest


def _for(cx: Context, stmt: syntax.For, scope: Scope) -> Block:
    return _nested_for(cx, stmt, 0, scope)


def _nested_for(cx: Context, stmt: syntax.For, number: int, scope: Scope) -> Block:
    if number == len(stmt.selections):
        return check_block(cx, stmt.body, scope)
    with bound_selection(cx, stmt.selections[number], scope) as (binder, inner):
        body = _nested_for(cx, stmt, number + 1, inner)
    tags = stmt.tags if number == 0 else ()
    return (core.For(binder, body, stmt.span, tags),)


def _while(cx: Context, stmt: syntax.While, scope: Scope) -> Block:
    test = condition(cx, stmt.condition, scope)
    with cx.narrowing(narrowings(test)):
        body = check_block(cx, stmt.body, scope)
    return (core.While(test, body, True, stmt.span, stmt.tags),)


def _repeat(cx: Context, stmt: syntax.Repeat, scope: Scope) -> Block:
    body = check_block(cx, stmt.body, scope)
    until = condition(cx, stmt.until, scope)
    goes_on: core.Expr = until
    if isinstance(until.type, Bool):
        goes_on = constants.fold(core.Op("not", (until,), BOOL, stmt.until.span))
    return (core.While(goes_on, body, False, stmt.span, stmt.tags),)


def _random(cx: Context, stmt: syntax.Random, scope: Scope) -> Block:
    arg = choices.check_arg(cx, stmt.arg, scope)
    if arg is None:
        return ()
    if arg.form == "cards":
        cx.report("CG325", "chance chooses one thing at a time", stmt.span,
                  "write `random card c from ..` in a loop")  # fmt: skip
        return ()
    return (core.Random(arg, stmt.span, stmt.tags),)


def _choice(cx: Context, stmt: syntax.Choice, scope: Scope) -> Block:
    return choices.check_choice(cx, stmt, scope, check_block, text_parts)


def _at_once(cx: Context, stmt: syntax.AtOnce, scope: Scope) -> Block:
    with bound_selection(cx, stmt.selection, scope) as (binder, inner):
        body = check_block(cx, stmt.body, inner)
    _players_only(cx, binder, stmt.selection.span)
    choice = body[0] if len(body) == 1 else None
    if not isinstance(choice, core.Choice):
        cx.report("CG410", "`at once` holds one decision and nothing else", stmt.span,
                  "write `p chooses` and its actions; what follows from it belongs to the actions")  # fmt: skip
        return ()
    if not (isinstance(choice.player, core.LocalRef) and choice.player.local is binder.local):
        cx.report("CG410", "each decides for himself here", choice.player.span,
                  f"write `{binder.local.name} chooses`")  # fmt: skip
        return ()
    return (core.AtOnce(binder, choice, stmt.span, stmt.tags),)


def _players_only(cx: Context, binder: core.Binder, span: Span) -> None:
    if not isinstance(binder.local.type, Player | Unknown):
        cx.report("CG410", "only players have turns", span, "go through `players`")


def _in_turn(cx: Context, stmt: syntax.InTurn, scope: Scope) -> Block:
    cx.turns += 1
    with bound_selection(cx, stmt.selection, scope) as (binder, inner):
        body = check_block(cx, stmt.body, inner)
    cx.turns -= 1
    _players_only(cx, binder, stmt.selection.span)
    return (core.InTurn(binder, body, stmt.span, stmt.tags),)


def _reopen(cx: Context, stmt: syntax.Reopen, _scope: Scope) -> Block:
    if not cx.turns:
        cx.report("CG411", "`reopen` has no turns around it", stmt.span, "it stands inside `in turn`")
        return ()
    return (core.Reopen(stmt.span, stmt.tags),)


def _nothing(_cx: Context, _stmt: syntax.Nothing, _scope: Scope) -> Block:
    return ()


def _together(cx: Context, stmt: syntax.Together, scope: Scope) -> Block:
    body = check_block(cx, stmt.body, scope)
    for inner in core.statements(body):
        if isinstance(inner, core.Choice):
            cx.report("CG412", "nobody can decide in the middle of one step", inner.span,
                      "end `together` before the decision")  # fmt: skip
    return (core.Together(body, stmt.span, stmt.tags),)


_CHECKS: dict[type, Callable[[Context, Any, Scope], Block]] = {
    syntax.Let: _let,
    syntax.Assign: _assign,
    syntax.Do: _do,
    syntax.Move: _move,
    syntax.Deal: _deal,
    syntax.Shuffle: _shuffle,
    syntax.Swap: _swap,
    syntax.Turn: _turn,
    syntax.Show: _show,
    syntax.Say: _say,
    syntax.End: _end,
    syntax.If: _if,
    syntax.Match: _match,
    syntax.For: _for,
    syntax.While: _while,
    syntax.Repeat: _repeat,
    syntax.Random: _random,
    syntax.Choice: _choice,
    syntax.AtOnce: _at_once,
    syntax.InTurn: _in_turn,
    syntax.Reopen: _reopen,
    syntax.Together: _together,
    syntax.Nothing: _nothing,
}
