"""Check statements: what phases do.  Decisions are in `interpreter.analysis.check.choices`."""

from __future__ import annotations

import re
from typing import Literal, assert_never

from grammar import statements as syntax
from grammar.diagnostics import Cure, Edit, Label
from grammar.expressions import Expr, Index, Name, ValueArg
from grammar.source import Span
from interpreter.analysis import constant_folding, core, types
from interpreter.analysis.budget import CHECK, spend
from interpreter.analysis.check import choices, conversions
from interpreter.analysis.check.declarations import declare_local
from interpreter.analysis.check.expressions import check as check_expr
from interpreter.analysis.check.interpolation import text_parts
from interpreter.analysis.check.patterns import Coverage, case_conditions
from interpreter.analysis.check.selections import bound_selection
from interpreter.analysis.check.type_conformance import arguments, condition, shown, suited, typed
from interpreter.analysis.context import Context, Let, Scope, narrowings
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.symbols import Local

Block = tuple[core.Stmt, ...]


def check_block(cx: Context, block: tuple[syntax.Stmt, ...], scope: Scope) -> Block:
    """Check statements one after another; a `let` is known to those behind it."""
    return _in_turn_of_text(cx, block, scope.child())


def _in_turn_of_text(cx: Context, block: tuple[syntax.Stmt, ...], scope: Scope) -> Block:
    """Check statements one after another, entering what they name in the scope."""
    made: list[core.Stmt] = []
    for stmt in block:
        spend(CHECK, stmt.span)
        if stmt.openly:
            cx.published.append(stmt.span)
        made.extend(_checked(cx, stmt, scope))
    return tuple(made)


def _checked(cx: Context, stmt: syntax.Stmt, scope: Scope) -> Block:
    """Check one statement."""
    match stmt:
        case syntax.Let():
            return _let(cx, stmt, scope)
        case syntax.LetVariable():
            return _let_variable(cx, stmt, scope)
        case syntax.Assign():
            return _assign(cx, stmt, scope)
        case syntax.Do():
            return _do(cx, stmt, scope)
        case syntax.Move():
            return _move(cx, stmt, scope)
        case syntax.Deal():
            return _deal(cx, stmt, scope)
        case syntax.Shuffle():
            return _shuffle(cx, stmt, scope)
        case syntax.Swap():
            return _swap(cx, stmt, scope)
        case syntax.Turn():
            return _turn(cx, stmt, scope)
        case syntax.Show():
            return _show(cx, stmt, scope)
        case syntax.Say():
            return _say(cx, stmt, scope)
        case syntax.End():
            return _end(cx, stmt, scope)
        case syntax.If():
            return _if(cx, stmt, scope)
        case syntax.Match():
            return _match(cx, stmt, scope)
        case syntax.For():
            return _for(cx, stmt, scope)
        case syntax.While():
            return _while(cx, stmt, scope)
        case syntax.Repeat():
            return _repeat(cx, stmt, scope)
        case syntax.Random():
            return _random(cx, stmt, scope)
        case syntax.Choice():
            return _choice(cx, stmt, scope)
        case syntax.AtOnce():
            return _at_once(cx, stmt, scope)
        case syntax.InTurn():
            return _in_turn(cx, stmt, scope)
        case syntax.Reopen():
            return _reopen(cx, stmt, scope)
        case syntax.Together():
            return _together(cx, stmt, scope)
        case syntax.Nothing():
            return _nothing(cx, stmt, scope)
        case _:
            assert_never(stmt)


def _let(cx: Context, stmt: syntax.Let, scope: Scope) -> Block:
    value = check_expr(cx, stmt.value, scope)
    local = cx.local(stmt.name, value.type, stmt.span)
    cx.info.refer(stmt, local)
    free = cx.check_free(stmt.name, stmt.span, scope)
    scope.names[stmt.name] = local if free else core.Const(None, types.UNKNOWN, stmt.span)
    cx.lets[local] = Let(local, stmt.value, value)
    return (core.Let(local, value, stmt.span, stmt.tags),)


def _let_variable(cx: Context, stmt: syntax.LetVariable, scope: Scope) -> Block:
    return (declare_local(cx, stmt, scope),)


def _assign(cx: Context, stmt: syntax.Assign, scope: Scope) -> Block:
    target = stmt.target
    name = target.name if isinstance(target, Name) else None
    found = None if name is None else scope.find(name)
    if found is not None and not isinstance(found, Variable):
        _report_fixed(cx, str(name), found, stmt.span)
        cx.look_at((stmt.value,), scope)
        return ()
    if not isinstance(target, Name | Index):
        cx.report("CG321", "only a variable can be set", target.span)
        cx.look_at((stmt.value,), scope)
        return ()
    place = _variable(cx, target, scope)
    if place is None:
        cx.look_at((stmt.value,), scope)
        return ()
    if stmt.op == "=":
        value = typed(cx, stmt.value, scope, place.type, f"`{place.variable.name}`")
    else:
        if not isinstance(place.type, types.Int | types.Unknown):
            cx.report("CG301", f"`{stmt.op}` changes numbers, but this is {shown(place.type)}", stmt.span)
            cx.look_at((stmt.value,), scope)
            return ()
        value = typed(cx, stmt.value, scope, types.Int(), "what is added")
    return (core.Assign(place.variable, place.index, stmt.op, value, stmt.span, stmt.tags),)


def _report_fixed(cx: Context, name: str, found: Local | core.Expr, span: Span) -> None:
    """Report that a name is set which keeps its value; a `let` becomes a variable by its type."""
    help_ = "set a variable: one of `state`, or one that `let` gives a type"
    labels: tuple[Label, ...] = ()
    given = found.span.text
    if isinstance(found, Local) and re.match(r"let\b", given):
        labels = (Label(found.span, "it is named here"),)
        kind = _type_text(found.type)
        if kind:
            typed_let = re.sub(r"\s*=", f": {kind} =", given, count=1)
            help_ = f"give it a type where it is named: `{typed_let}`"
    cx.report("CG321", f"`{name}` is a name for one value and cannot be set", span, help_, labels=labels)


def _type_text(type_: types.Type) -> str:
    """Return the type of a variable that can hold all such values, as a spec writes it; nothing where none can."""
    match type_:
        case types.Optional():
            base = _type_text(type_.base)
            return f"{base} or none" if base else ""
        case types.Int():
            return "integer"
        case types.Bool():
            return "boolean"
        case types.Player():
            return "player"
        case types.Card():
            return "card"
        case types.EnumType() if not type_.is_of_option:
            return type_.name
    return ""


def _variable(cx: Context, target: Expr, scope: Scope) -> core.VarRef | None:
    """Check what is set; None after reporting that it is no variable."""
    place = check_expr(cx, target, scope)
    if isinstance(place, core.VarRef):
        return place
    if not isinstance(place.type, types.Unknown):
        help_ = "cards are moved: `move .. to ..`" if isinstance(place, core.ZoneRef) else ""
        cx.report("CG321", "only a variable can be set", target.span, help_)
    return None


def _do(cx: Context, stmt: syntax.Do, scope: Scope) -> Block:
    call = stmt.call
    phase = cx.symbols.get(call.name)
    if not isinstance(phase, Phase):
        known = [n for n, s in cx.symbols.items() if isinstance(s, Phase)]
        if phase is None and call.name not in cx.values and scope.find(call.name) is None:
            cx.unknown("CG201", f"no phase is called `{call.name}`", call.name, call.span, known)
        else:
            cx.report("CG212", f"`{call.name}` is no phase, so it does nothing", call.span,
                      "a phase is declared with `phase`")  # fmt: skip
        cx.look_at(call.args, scope)
        return ()
    if len(call.args) != len(phase.params):
        cx.report("CG207", f"`{phase.name}` takes {arguments(len(phase.params))}, not {len(call.args)}", call.span)
        cx.look_at(call.args, scope)
        return ()
    args = tuple(
        constant_folding.within(typed(cx, given, scope, param.type, f"`{param.name}` of `{phase.name}`"), param.type)
        for given, param in zip(call.args, phase.params, strict=True)
    )
    return (core.CallPhase(phase, args, stmt.span, stmt.tags),)


def _say(cx: Context, stmt: syntax.Say, scope: Scope) -> Block:
    return (core.Say(text_parts(cx, stmt, stmt.text, scope), stmt.span, stmt.tags),)


def _end(cx: Context, stmt: syntax.End, _scope: Scope) -> Block:
    if stmt.what == "game":
        return (core.End(None, stmt.span, stmt.tags),)
    phase = cx.symbols.get(stmt.what)
    if not isinstance(phase, Phase):
        known = ["game", *(n for n, s in cx.symbols.items() if isinstance(s, Phase))]
        cx.unknown("CG201", f"no phase is called `{stmt.what}`", stmt.what, stmt.span, known)
        return ()
    return (core.End(phase, stmt.span, stmt.tags),)


def _if(cx: Context, stmt: syntax.If, scope: Scope) -> Block:
    test = condition(cx, stmt.condition, scope)
    then = _branch(cx, test, stmt.then, scope)
    otherwise = _branch(cx, test, stmt.otherwise, scope, holds=False)
    return (core.If(test, then, otherwise, stmt.span, stmt.tags),)


def _branch(
    cx: Context, test: core.Expr, statements: tuple[syntax.Stmt, ...], scope: Scope, *, holds: bool = True
) -> Block:
    """Check the statements behind a test; what options shut off is dropped where it would be wrong otherwise."""
    before = cx.passed_over
    with cx.given(test, holds=holds):
        made = check_block(cx, statements, scope)
    return made if cx.passed_over == before else ()


def _match(cx: Context, stmt: syntax.Match, scope: Scope) -> Block:
    subject = conversions.card_in(check_expr(cx, stmt.subject, scope))
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
        cx.info.note(case, test)
        cases.append((test, _branch(cx, test, case.body, scope), case))
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
        certain: core.Expr = core.Const(True, types.BOOL, case.span) if complete and number == 0 else test
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
    body = _branch(cx, test, stmt.body, scope)
    return (core.While(test, body, True, stmt.span, stmt.tags),)


def _repeat(cx: Context, stmt: syntax.Repeat, scope: Scope) -> Block:
    inner = scope.child()
    body = _in_turn_of_text(cx, stmt.body, inner)
    until = condition(cx, stmt.until, inner)
    goes_on: core.Expr = until
    if isinstance(until.type, types.Bool):
        goes_on = constant_folding.fold(core.Op("not", (until,), types.BOOL, stmt.until.span))
    return (core.While(goes_on, body, False, stmt.span, stmt.tags),)


def _random(cx: Context, stmt: syntax.Random, scope: Scope) -> Block:
    target = _set_by_chance(cx, stmt, scope)
    inner = scope if target is None else scope.child()
    if target is None:
        cx.check_free(stmt.arg.name, stmt.arg.span, scope)
    arg = choices.check_arg(cx, stmt.arg, inner)
    if arg is None:
        return ()
    if arg.form == "cards":
        cx.report("CG325", "chance chooses one thing at a time", stmt.span,
                  "write `random card c from ..` in a loop")  # fmt: skip
        return ()
    if target is None:
        return (core.Random(arg, stmt.span, stmt.tags),)
    place = _variable(cx, target, scope)
    if place is None:
        return ()
    cx.info.refer(stmt, place.variable)
    chance = core.Random(arg, stmt.span, stmt.tags, place)
    value = core.LocalRef(arg.local, arg.local.type, stmt.span)
    checked = suited(cx, value, target, place.type, f"`{place.variable.name}`")
    return chance, core.Assign(place.variable, place.index, "=", checked, stmt.span, ())


def _set_by_chance(cx: Context, stmt: syntax.Random, scope: Scope) -> Expr | None:
    """Return what chance sets: a variable; None where it gives a name to what it chooses."""
    if stmt.into is not None:
        return stmt.into
    name = stmt.arg.name
    known = isinstance(scope.find(name) or cx.symbols.get(name), Variable)
    return Name(name, span=stmt.arg.span) if known and isinstance(stmt.arg, ValueArg) else None


def _choice(cx: Context, stmt: syntax.Choice, scope: Scope) -> Block:
    return choices.check_choice(cx, stmt, scope, check_block, text_parts)


def _at_once(cx: Context, stmt: syntax.AtOnce, scope: Scope) -> Block:
    with bound_selection(cx, stmt.selection, scope) as (binder, inner):
        body = check_block(cx, stmt.body, inner)
    _players_only(cx, binder, stmt.selection.span)
    choice = body[0] if len(body) == 1 else None
    if not isinstance(choice, core.Choice):
        if len(stmt.body) == 1 and isinstance(stmt.body[0], syntax.Choice):
            return ()  # it holds one decision, about which something is wrong
        cx.report("CG410", "`at once` holds one decision and nothing else", stmt.span,
                  "write `p chooses` and its actions; what follows from it belongs to the actions")  # fmt: skip
        return ()
    if not (isinstance(choice.player, core.LocalRef) and choice.player.local is binder.local):
        cx.report("CG410", "each decides alone here", choice.player.span,
                  f"write `{binder.local.name} chooses`")  # fmt: skip
        return ()
    return (core.AtOnce(binder, choice, stmt.span, stmt.tags),)


def _players_only(cx: Context, binder: core.Binder, span: Span) -> None:
    if not isinstance(binder.local.type, types.Player | types.Unknown):
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


# ---- what moves, hides or shows cards


def _zone_ref(cx: Context, expr: Expr, scope: Scope, what: str) -> core.ZoneRef | None:
    """Check an expression that must name a zone."""
    before, cx.one_place = cx.one_place, True
    try:
        return _zone_of(cx, check_expr(cx, expr, scope), expr.span, what)
    finally:
        cx.one_place = before


def _zone_of(cx: Context, checked: core.Expr, span: Span, what: str) -> core.ZoneRef | None:
    if isinstance(checked, core.ZoneRef):
        return checked
    if not isinstance(checked.type, types.Unknown):
        several = isinstance(checked, core.Fold)
        cx.report("CG305", f"{what} must be a zone, but this is {shown(checked.type)}", span,
                  "name one place at a time, as in `for p in players: ..`" if several else "")  # fmt: skip
    return None


def _cards_expr(cx: Context, expr: Expr, scope: Scope, what: str) -> core.Expr | None:
    """Check an expression that must be one card, perhaps absent, or cards."""
    checked = check_expr(cx, expr, scope)
    if isinstance(checked.type, types.Unknown):
        return None
    if isinstance(types.base_of(checked.type), types.Card | types.Cards):
        return checked
    cx.report("CG301", f"{what} must be cards, but this is {shown(checked.type)}", expr.span)
    return None


def _place_by_place(binders: list[core.Binder], stmt: core.Stmt) -> Block:
    """Return a statement about a place carried out for each that binders go through."""
    made: Block = (stmt,)
    for binder in reversed(binders):
        made = (core.For(binder, made, stmt.span, stmt.tags),)
    return made


def _face(cx: Context, face: str | None, span: Span) -> Literal["up", "down"] | None:
    if face is None or face in ("up", "down"):
        return face  # type: ignore[return-value]
    place = span.part(f"face {face}")
    cure = Cure("write `face down` or `face up`", (Edit(place, "face down"),))
    cx.report("CG322", f"a card lies face up or face down, not face {face}", place, cure)
    return None


def _check_at(cx: Context, at: str | None, target: core.ZoneRef, span: Span) -> None:
    if at is not None and target.zone.kind != "pile":
        cx.report("CG323", f"`{target.zone.name}` is no pile, so it has no {at}", span)


def _move(cx: Context, stmt: syntax.Move, scope: Scope) -> Block:
    """Check the move of one card or of several."""
    cards = _cards_expr(cx, stmt.cards, scope, "what is moved")
    target = _zone_ref(cx, stmt.target, scope, "where cards go")
    by = None
    if stmt.played_by is not None:
        by = typed(cx, stmt.played_by, scope, types.PLAYER, "who played it")
    if cards is None or target is None:
        return ()
    _check_at(cx, stmt.at, target, stmt.span)
    if by is not None and target.zone.kind != "row":
        cx.report("CG323", f"only a row remembers who played a card; `{target.zone.name}` is a "
                  f"{target.zone.kind}", stmt.span)  # fmt: skip
    face = _face(cx, stmt.face, stmt.span)
    binders, cards = conversions.apart(cards)
    return _place_by_place(binders, core.Move(cards, target, stmt.at, face, by, stmt.span, stmt.tags))


def _deal(cx: Context, stmt: syntax.Deal, scope: Scope) -> Block:
    """Check a deal from the top of a pile."""
    count = typed(cx, stmt.count, scope, types.Int(), "how many cards are dealt")
    origin = _zone_ref(cx, stmt.origin, scope, "what is dealt from")
    binders, targets = conversions.apart(check_expr(cx, stmt.target, scope))
    target = _zone_of(cx, targets, stmt.target.span, "where cards go")
    if origin is None or target is None:
        return ()
    if origin.zone.kind != "pile":
        cx.report("CG323", f"`{origin.zone.name}` is no pile, so it has no top to deal from", stmt.origin.span,
                  "move chosen cards with `move .. to ..`")  # fmt: skip
    _check_at(cx, stmt.at, target, stmt.span)
    face = _face(cx, stmt.face, stmt.span)
    return _place_by_place(binders, core.Deal(count, origin, target, stmt.exactly, stmt.at, face, stmt.span, stmt.tags))


def _swap(cx: Context, stmt: syntax.Swap, scope: Scope) -> Block:
    """Check an exchange of two zones."""
    first = _zone_ref(cx, stmt.first, scope, "what is swapped")
    second = _zone_ref(cx, stmt.second, scope, "what is swapped")
    if first is None or second is None:
        return ()
    return (core.Swap(first, second, stmt.span, stmt.tags),)


def _shuffle(cx: Context, stmt: syntax.Shuffle, scope: Scope) -> Block:
    """Check the shuffle of a pile."""
    cards = None
    if stmt.into is not None:
        cards = _cards_expr(cx, stmt.cards, scope, "what is shuffled in")
        if cards is None:
            return ()
    zone = _zone_ref(cx, stmt.into if stmt.into is not None else stmt.cards, scope, "what is shuffled")
    if zone is None:
        return ()
    if zone.zone.kind != "pile":
        cx.report("CG323", f"`{zone.zone.name}` is no pile, so it has no order to shuffle", stmt.span)
    elif zone.zone.seen_by != "nobody":
        cx.report("CG324", f"`{zone.zone.name}` is seen by {zone.zone.seen_by}, so shuffling it hides nothing",
                  stmt.span, "shuffle a pile that nobody sees")  # fmt: skip
    return (core.Shuffle(zone, cards, stmt.span, stmt.tags),)


def _turn(cx: Context, stmt: syntax.Turn, scope: Scope) -> Block:
    """Check the turning of cards."""
    cards = _cards_expr(cx, stmt.cards, scope, "what is turned")
    face = _face(cx, stmt.face, stmt.span)
    if cards is None or face is None:
        return ()
    binders, cards = conversions.apart(cards)
    return _place_by_place(binders, core.Turn(cards, face, stmt.span, stmt.tags))


def _show(cx: Context, stmt: syntax.Show, scope: Scope) -> Block:
    """Check the showing of cards."""
    cards = _cards_expr(cx, stmt.cards, scope, "what is shown")
    to = None if stmt.to is None else typed(cx, stmt.to, scope, types.PLAYER, "who is shown it")
    if cards is None:
        return ()
    binders, cards = conversions.apart(cards)
    return _place_by_place(binders, core.Show(cards, to, stmt.span, stmt.tags))
