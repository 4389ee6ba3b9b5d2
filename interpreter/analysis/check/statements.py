"""Check statements: what phases do, decisions with their arguments, and the values in texts."""

from __future__ import annotations

import re
from functools import partial
from itertools import count
from typing import Literal, assert_never

from grammar import expressions
from grammar import statements as syntax
from grammar.diagnostics import UNREAD, Cure, Edit, Label, SpecError, insert, write
from grammar.expressions import Expr, Index, Name, ValueArg
from grammar.source import Span
from interpreter.analysis import constant_folding, core, joint_arguments, types
from interpreter.analysis.budget import ACTION, CHECK, spend
from interpreter.analysis.check import card_state, conversions, selections
from interpreter.analysis.check.declarations import declare_local
from interpreter.analysis.check.expressions import check as check_expr
from interpreter.analysis.check.expressions import place_number
from interpreter.analysis.check.patterns import Coverage, case_conditions
from interpreter.analysis.check.references import report_order
from interpreter.analysis.check.selections import bound_selection
from interpreter.analysis.check.type_conformance import arguments, condition, shown, suited, typed
from interpreter.analysis.context import Context, Let, Scope, narrowings
from interpreter.analysis.core import Phase, Variable
from interpreter.analysis.limits import TRIED_LIMIT, number_of_subsets
from interpreter.analysis.symbols import Local, Zone

Block = tuple[core.Stmt, ...]

ARGUMENT_LIMIT = 20_000
"""Values that an argument can be."""

ARGUMENTS_LIMIT = 15
"""Arguments of one action, sets too: each is chosen after all those before it."""

HOLE_LIMIT = 2_000
"""Values in the braces of all texts of a spec, besides plain names."""

_HOLE = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def check_block(cx: Context, block: tuple[syntax.Stmt, ...], scope: Scope) -> Block:
    """Check statements one after another; a `let` is known to those after it."""
    return _in_turn_of_text(cx, block, scope.child())


def _in_turn_of_text(cx: Context, block: tuple[syntax.Stmt, ...], scope: Scope) -> Block:
    """Check statements one after another, entering what they name in the scope."""
    made: list[core.Stmt] = []
    with cx.narrowing({}):
        for stmt in block:
            spend(CHECK, stmt.span)
            if stmt.openly:
                cx.published.append(stmt.span)
            made.extend(_checked(cx, stmt, scope))
            match made[-1:]:
                case [core.If(condition=test, then=(*_, core.End()), otherwise=())]:  # The test is false from here on.
                    cx.narrow(narrowings(test, holds=False))
    return tuple(made)


def _checked(cx: Context, stmt: syntax.Stmt, scope: Scope) -> Block:
    """Check one statement."""
    by_condition = syntax.branches(stmt)
    if by_condition is not None:
        return _if(cx, by_condition, scope)
    match stmt:
        case syntax.Let():
            return _let(cx, stmt, scope)
        case syntax.LetVariable():
            return (declare_local(cx, stmt, scope),)
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
        case syntax.Rotate():
            return _rotate(cx, stmt, scope)
        case syntax.Turn():
            return _turn(cx, stmt, scope)
        case syntax.Show():
            return _show(cx, stmt, scope)
        case syntax.Say():
            return (core.Say(_text_parts(cx, stmt, stmt.text, scope), stmt.span, stmt.tags),)
        case syntax.End():
            return _end(cx, stmt, scope)
        case syntax.If():
            return _if(cx, stmt, scope)
        case syntax.Match():
            return _match(cx, stmt, scope)
        case syntax.For():
            return _for(cx, stmt, 0, scope)
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
            return (core.Reopen(stmt.span, stmt.tags),)
        case syntax.Together():
            return _together(cx, stmt, scope)
        case syntax.Nothing():
            return ()
        case _:
            assert_never(stmt)


def _let(cx: Context, stmt: syntax.Let, scope: Scope) -> Block:
    value = check_expr(cx, stmt.value, scope)
    known = cx.symbols.get(stmt.name)
    if isinstance(known, Variable) and not known.indices and scope.find(stmt.name) is None:
        word = Span(stmt.span.source, stmt.span.start, stmt.span.start + len(_LET.findall(stmt.span.text)[0]))
        message = f"`{stmt.name}` is already a variable of `state`, and `let` makes a new name"
        cure = Cure(f"write `{stmt.name} = ..` to set the variable", (Edit(word, ""),))
        cx.report("CG202", message, stmt.span, cure)
        return ()
    local = cx.local(stmt.name, value.type, stmt.span)
    cx.info.refer(stmt, local)
    free = cx.check_free(stmt.name, stmt.span, scope)
    scope.names[stmt.name] = local if free else core.Const(None, types.UNKNOWN, stmt.span)
    cx.lets[local] = Let(local, stmt.value, value)
    return (core.Let(local, value, stmt.span, stmt.tags),)


_LET = re.compile(r"let\s+")


def _undeclared(cx: Context, stmt: syntax.Assign, name: str, scope: Scope) -> Block:
    """Report a variable that is set and that nothing declares."""
    kind = _type_text(check_expr(cx, stmt.value, scope).type) or "integer"
    variables = [n for n, s in cx.symbols.items() if isinstance(s, Variable)]
    words = f"declare it in `state`, as in `{name}: {kind}`"
    cure: str | Cure = words
    if stmt.op == "=" and len(re.findall(rf"\b{name}[ \t]*[-+]?=[^=]", stmt.span.source.text)) == 1:
        cure = Cure(f"write `let {name} = ..` for a new name, or {words}", (Edit(stmt.span.before, "let "),))
    cx.unknown("CG201", f"nothing here is called `{name}`", name, stmt.target.span, variables, cure)
    scope.names[name] = core.Const(None, types.UNKNOWN, stmt.span)
    return ()


def _assign(cx: Context, stmt: syntax.Assign, scope: Scope) -> Block:
    target = stmt.target
    name = target.name if isinstance(target, Name) else None
    found = None if name is None else scope.find(name)
    if name is not None and found is None and not {name} & {*cx.symbols, *cx.values, *cx.coming, "players", "?"}:
        return _undeclared(cx, stmt, name, scope)
    if found is not None and not isinstance(found, Variable):
        _report_fixed(cx, str(name), found, stmt.span)
        cx.look_at((stmt.value,), scope)
        return ()
    if not isinstance(target, Name | Index):
        cx.report("CG321", "only a variable can be set", target.span)
        cx.look_at((stmt.value,), scope)
        return ()
    found_place = _variable(cx, target, scope)
    if found_place is None:
        cx.look_at((stmt.value,), scope)
        return ()
    place, before = found_place
    if stmt.op == "=":
        value = typed(cx, stmt.value, scope, place.type, f"`{place.variable.name}`")
    else:
        if not isinstance(place.type, types.Int | types.Unknown):
            cx.report("CG301", f"`{stmt.op}` changes numbers, but this is {shown(place.type)}", stmt.span)
            cx.look_at((stmt.value,), scope)
            return ()
        value = typed(cx, stmt.value, scope, types.Int(), "what is added")
    return (*before, core.Assign(place.variable, place.index, stmt.op, value, stmt.span, stmt.tags))


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


def _variable(cx: Context, target: Expr, scope: Scope) -> tuple[core.VarRef, Block] | None:
    """Check what is set, and return it after what must happen before; None after reporting that it is no variable."""
    checked = check_expr(cx, target, scope)
    place, before = card_state.settable(checked) if isinstance(target, Index) else (checked, ())
    if isinstance(place, core.VarRef):
        return place, before
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
    cx.info.mentions.append((call.span.word(call.name), phase))
    if len(call.args) != len(phase.params):
        cx.report("CG207", f"`{phase.name}` takes {arguments(len(phase.params))}, not {len(call.args)}", call.span)
        cx.look_at(call.args, scope)
        return ()
    before = len(cx.diagnostics)
    args = tuple(
        constant_folding.within(typed(cx, given, scope, param.type, f"`{param.name}` of `{phase.name}`"), param.type)
        for given, param in zip(call.args, phase.params, strict=True)
    )
    report_order(cx, before, call, phase.params, scope)
    return (core.CallPhase(phase, args, stmt.span, stmt.tags),)


def _end(cx: Context, stmt: syntax.End, _scope: Scope) -> Block:
    if stmt.what == "game":
        return (core.End(None, stmt.span, stmt.tags),)
    phase = cx.symbols.get(stmt.what)
    if not isinstance(phase, Phase):
        known = ["game", *(n for n, s in cx.symbols.items() if isinstance(s, Phase))]
        cx.unknown("CG201", f"no phase is called `{stmt.what}`", stmt.what, stmt.span, known)
        return ()
    cx.info.mentions.append((stmt.span.word(phase.name), phase))
    return (core.End(phase, stmt.span, stmt.tags),)


def _if(cx: Context, stmt: syntax.If, scope: Scope) -> Block:
    test = condition(cx, stmt.condition, scope)
    then = _branch(cx, test, stmt.then, scope)
    otherwise = _branch(cx, test, stmt.otherwise, scope, holds=False)
    return (core.If(test, then, otherwise, stmt.span, stmt.tags),)


def _branch(
    cx: Context, test: core.Expr, statements: tuple[syntax.Stmt, ...], scope: Scope, *, holds: bool = True
) -> Block:
    """Check the statements after a test; what options shut off is dropped where it would be wrong otherwise."""
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
        test = case_conditions(cx, subject, case.patterns, coverage, scope)
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


def _for(cx: Context, stmt: syntax.For, number: int, scope: Scope) -> Block:
    if number == len(stmt.selections):
        return check_block(cx, stmt.body, scope)
    selection = stmt.selections[number]
    with bound_selection(cx, selection, scope) as (binder, inner):
        by = None if selection.by is None else selections.check_key(cx, selection.by, inner)
        body = _for(cx, stmt, number + 1, inner)
    if by is not None:
        binder = selections.in_order(cx, binder, by)
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
    arg = _check_arg(cx, stmt.arg, inner)
    if arg is None:
        return ()
    if arg.form == "cards":
        cx.report("CG325", "`random` chooses one card or value", stmt.span,
                  "write `random card c from ..` in a loop")  # fmt: skip
        return ()
    if target is None:
        return (core.Random(arg, stmt.span, stmt.tags),)
    found = _variable(cx, target, scope)
    if found is None:
        return ()
    place, before = found
    cx.info.refer(stmt, place.variable)
    chance = core.Random(arg, stmt.span, stmt.tags, place)
    value = core.LocalRef(arg.local, arg.local.type, stmt.span)
    checked = suited(cx, value, target, place.type, f"`{place.variable.name}`")
    return *before, chance, core.Assign(place.variable, place.index, "=", checked, stmt.span, ())


def _set_by_chance(cx: Context, stmt: syntax.Random, scope: Scope) -> Expr | None:
    """Return what chance sets: a variable; None where it gives a name to what it chooses."""
    if stmt.into is not None:
        return stmt.into
    name = stmt.arg.name
    known = isinstance(scope.find(name) or cx.symbols.get(name), Variable)
    return Name(name, span=stmt.arg.span) if known and isinstance(stmt.arg, ValueArg) else None


def _at_once(cx: Context, stmt: syntax.AtOnce, scope: Scope) -> Block:
    with bound_selection(cx, stmt.selection, scope) as (binder, inner):
        body = check_block(cx, stmt.body, inner)
    _players_only(cx, binder, stmt.selection.span)
    choice = body[0] if len(body) == 1 else None
    if not isinstance(choice, core.Choice):
        if len(stmt.body) == 1 and isinstance(stmt.body[0], syntax.Choice):
            return ()  # it holds one decision, about which something is wrong
        wrong = next((one for one in stmt.body if not isinstance(one, syntax.Choice)), stmt)
        cx.report("CG410", "`at once` holds one decision and nothing else", wrong.span,
                  "write `p chooses` and its actions; what follows from it belongs to the actions")  # fmt: skip
        return ()
    if not (isinstance(choice.player, core.LocalRef) and choice.player.local is binder.local):
        cx.report("CG410", "each player decides for themselves here", choice.player.span,
                  f"write `{binder.local.name} chooses`")  # fmt: skip
        return ()
    return (core.AtOnce(binder, choice, stmt.span, stmt.tags),)


def _players_only(cx: Context, binder: core.Binder, span: Span) -> None:
    if not isinstance(binder.local.type, types.Player | types.Unknown):
        cx.report("CG410", "only players have turns", span, "use `players`")


def _in_turn(cx: Context, stmt: syntax.InTurn, scope: Scope) -> Block:
    with bound_selection(cx, stmt.selection, scope) as (binder, inner):
        body = check_block(cx, stmt.body, inner)
    _players_only(cx, binder, stmt.selection.span)
    return (core.InTurn(binder, body, stmt.span, stmt.tags),)


def _together(cx: Context, stmt: syntax.Together, scope: Scope) -> Block:
    body = check_block(cx, stmt.body, scope)
    for inner in core.statements(body):
        if isinstance(inner, core.Choice):
            cx.report("CG412", "a decision is not allowed inside `together`", inner.span,
                      "end `together` before the decision")  # fmt: skip
    return (core.Together(body, stmt.span, stmt.tags),)


# ---- what moves, hides or shows cards


def _zone_ref(cx: Context, expr: Expr, scope: Scope, what: str) -> core.ZoneRef | None:
    """Check an expression that must name a zone."""
    with cx.during(one_place=True):
        return _zone_of(cx, check_expr(cx, expr, scope), expr.span, what)


def _zone_of(cx: Context, checked: core.Expr, span: Span, what: str) -> core.ZoneRef | None:
    if isinstance(checked, core.ZoneRef):
        return checked
    if not isinstance(checked.type, types.Unknown):
        several = isinstance(checked, core.Fold)
        players = [n for n, s in cx.symbols.items() if isinstance(s, Zone) and s.indices == (types.PLAYER,)]
        item = checked.type.item if isinstance(checked.type, types.Sequence) else checked.type
        help_: str | Cure = "name one place at a time, as in `for p in players: ..`" if several else ""
        if isinstance(item, types.Player) and players:
            text = f"{players[0]}[{span.text}]"
            words = f"cards go to a zone of a player: `{text}`"
            help_ = Cure(words, (Edit(span, text),)) if len(players) == 1 else words
        if isinstance(checked, core.Chain):
            help_ = "write a zone for every case: `(if C then Z else W)`"
        cx.report("CG305", f"{what} must be a zone, but this is {shown(checked.type)}", span, help_)
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


def _spot(cx: Context, at: syntax.Spot | None, target: core.ZoneRef, span: Span, scope: Scope) -> core.Spot | None:
    """Check where in a zone cards go."""
    zone = target.zone
    if isinstance(at, syntax.Place):
        if zone.kind not in ("pile", "row"):
            cure = Cure("leave the place out, or declare the zone as a `pile` or a `row`",
                        (Edit(Span(span.source, at.span.start, target.span.start), "to "),))  # fmt: skip
            cx.report("CG323", f"`{zone.name}` is a `{zone.kind}`, so its cards have no places", at.span, cure)
        return place_number(cx, at.number, scope)
    if at is not None and zone.kind != "pile":
        cx.report("CG323", f"`{zone.name}` is no pile, so it has no {at}", span)
    return at


def _move(cx: Context, stmt: syntax.Move, scope: Scope) -> Block:
    """Check the move of one card or of several."""
    cards = _cards_expr(cx, stmt.cards, scope, "what is moved")
    target = _zone_ref(cx, stmt.target, scope, "where cards go")
    by = None
    if stmt.played_by is not None:
        by = typed(cx, stmt.played_by, scope, types.PLAYER, "who played it", bracketed=True)
    if cards is None or target is None:
        return ()
    at = _spot(cx, stmt.at, target, stmt.span, scope)
    if by is not None and target.zone.kind != "row":
        cx.report("CG323", f"only a row remembers who played a card; `{target.zone.name}` is a "
                  f"{target.zone.kind}", stmt.span)  # fmt: skip
    face = _face(cx, stmt.face, stmt.span)
    binders, cards = conversions.split_union(cards)
    return _place_by_place(binders, core.Move(cards, target, at, face, by, stmt.span, stmt.tags))


def _deal(cx: Context, stmt: syntax.Deal, scope: Scope) -> Block:
    """Check a deal from the top of a pile."""
    count = typed(cx, stmt.count, scope, types.Int(), "how many cards are dealt")
    origin = _zone_ref(cx, stmt.origin, scope, "what is dealt from")
    binders, targets = conversions.split_union(check_expr(cx, stmt.target, scope))
    target = _zone_of(cx, targets, stmt.target.span, "where cards go")
    if origin is None or target is None:
        return ()
    if origin.zone.kind != "pile":
        cx.report("CG323", f"`{origin.zone.name}` is no pile, so it has no top to deal from", stmt.origin.span,
                  "move chosen cards with `move .. to ..`")  # fmt: skip
    at = _spot(cx, stmt.at, target, stmt.span, scope)
    face = _face(cx, stmt.face, stmt.span)
    return _place_by_place(binders, core.Deal(count, origin, target, stmt.exactly, at, face, stmt.span, stmt.tags))


def _swap(cx: Context, stmt: syntax.Swap, scope: Scope) -> Block:
    """Check an exchange of two zones."""
    first = _zone_ref(cx, stmt.first, scope, "what is swapped")
    second = _zone_ref(cx, stmt.second, scope, "what is swapped")
    if first is None or second is None:
        return ()
    return (core.Swap(first, second, stmt.span, stmt.tags),)


def _rotate(cx: Context, stmt: syntax.Rotate, scope: Scope) -> Block:
    """Check that the zones of a list pass on their cards."""
    binders, place = conversions.split_union(check_expr(cx, stmt.zones, scope))
    zone = _zone_of(cx, place, stmt.zones.span, "what is rotated")
    if zone is None:
        return ()
    if len(binders) != 1:
        cx.report("CG305", "`rotate` needs the zones of one list", stmt.zones.span,
                  f"write a list as the index: `{zone.zone.name}[players]`")  # fmt: skip
        return ()
    return (core.Rotate(binders[0], zone, stmt.direction == "left", stmt.span, stmt.tags),)


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
        cx.report("CG324", f"`{zone.zone.name}` is seen by {zone.zone.seen_by}, so it cannot be shuffled",
                  stmt.span, "shuffle a pile that nobody sees")  # fmt: skip
    return (core.Shuffle(zone, cards, stmt.span, stmt.tags),)


def _turn(cx: Context, stmt: syntax.Turn, scope: Scope) -> Block:
    """Check the turning of cards."""
    cards = _cards_expr(cx, stmt.cards, scope, "what is turned")
    face = _face(cx, stmt.face, stmt.span)
    if cards is None or face is None:
        return ()
    binders, cards = conversions.split_union(cards)
    return _place_by_place(binders, core.Turn(cards, face, stmt.span, stmt.tags))


def _show(cx: Context, stmt: syntax.Show, scope: Scope) -> Block:
    """Check the showing of cards."""
    cards = _cards_expr(cx, stmt.cards, scope, "what is shown")
    to = None if stmt.to is None else typed(cx, stmt.to, scope, types.PLAYER, "who is shown it", bracketed=True)
    if cards is None:
        return ()
    binders, cards = conversions.split_union(cards)
    return _place_by_place(binders, core.Show(cards, to, stmt.span, stmt.tags))


# ---- decisions: their actions, the arguments of actions, and the conditions on them


def _check_arg(cx: Context, arg: expressions.Arg, scope: Scope) -> core.Arg | None:
    """Check one argument and enter its name in the scope; None after reporting that it is none."""
    checked = _argument(cx, arg, scope)
    if checked is None:
        stand_in = cx.local(arg.name, types.UNKNOWN, arg.span)
        scope.names[arg.name] = stand_in
        _where(cx, arg.where, scope, stand_in, arg.name)
    return checked


def _argument(cx: Context, arg: expressions.Arg, scope: Scope) -> core.Arg | None:
    match arg:
        case expressions.ValueArg():
            return _value_arg(cx, arg, scope)
        case expressions.CardArg():
            domain, kinds, _ = _card_domain(cx, arg.domain, scope)
            if domain is None:
                return None
            local = cx.local(arg.name, types.Card(kinds), arg.span)
            _name(cx, arg, local, scope)
            where = _where(cx, arg.where, scope, local, arg.name)
            local.type = types.Card(_kept(where, local, kinds))
            return core.Arg("card", local, domain, local, where, None, None, arg.span)
        case expressions.CardsArg():
            return _cards_arg(cx, arg, scope)


def _name(cx: Context, arg: expressions.Arg, local: Local, scope: Scope) -> None:
    """Enter the name of an argument in the scope."""
    cx.info.refer(arg, local)
    scope.names[arg.name] = local


def _card_domain(cx: Context, expr: expressions.Expr, scope: Scope) -> tuple[core.Expr | None, frozenset[str], int]:

    domain = cx.expr(expr, scope)
    card_state.check_arguments(cx, domain)
    if isinstance(domain.type, types.Cards):
        return domain, domain.type.kinds, domain.type.at_most
    if not isinstance(domain.type, types.Unknown):
        cx.report("CG301", f"cards are chosen from cards, but this is {shown(domain.type)}", expr.span,
                  "a value is chosen without the word `card`: `n from 0..11`")  # fmt: skip
    return None, frozenset(), 0


def _kept(where: core.Expr | None, local: Local, kinds: frozenset[str]) -> frozenset[str]:
    """Return the kinds of cards that pass a condition."""
    return kinds & narrowings(where).get(local, kinds)


def _where(cx: Context, expr: expressions.Expr | None, scope: Scope, each: Local, name: str) -> core.Expr | None:
    if expr is None:
        return None
    with cx.during(each=each, choosing=name):
        where = condition(cx, expr, scope)
    return None if isinstance(where, core.Const) and where.value is True else where


def _cards_arg(cx: Context, arg: expressions.CardsArg, scope: Scope) -> core.Arg | None:

    low = high = None
    if arg.quantity.low is not None:
        low = typed(cx, arg.quantity.low, scope, types.Int(), "how many cards")
    if arg.quantity.high is arg.quantity.low:
        high = low
    elif arg.quantity.high is not None:
        high = typed(cx, arg.quantity.high, scope, types.Int(), "how many cards")
    domain, kinds, most = _card_domain(cx, arg.domain, scope)
    if domain is None:
        return None
    each = cx.local("each", types.Card(kinds), arg.span)
    where = _where(cx, arg.where, scope, each, arg.name)
    if selections.is_unchecked(where):
        return None
    kinds = _kept(where, each, kinds)
    if isinstance(high, core.Const) and isinstance(high.value, int):
        most = max(0, min(most, high.value))
    if isinstance(low, core.Const) and isinstance(low.value, int) and low.value > most:
        help_ = f"there are at most {most} to choose from"
        cx.report("CG310", f"nobody can choose {low.value} cards here", arg.span, help_, about=UNREAD)
    local = cx.local(arg.name, types.Cards(kinds, most), arg.span, card_set=True)
    _name(cx, arg, local, scope)
    return core.Arg("cards", local, domain, each, where, low, high, arg.span)


def _value_arg(cx: Context, arg: expressions.ValueArg, scope: Scope) -> core.Arg | None:

    domain = cx.expr(arg.domain, scope)
    if isinstance(domain.type, types.Unknown):
        return None
    if isinstance(domain.type, types.Cards):
        cure = insert(arg.span, "card ", f"write `card {arg.name} from ..`")
        cx.report("CG325", "a card is chosen with the word `card`", arg.span, cure)
        return None
    if not isinstance(domain.type, types.Sequence):
        help_: str | Cure = "choose from cards, players, a range or the values of an enumeration"
        ends = re.fullmatch(r"(\d+)[ \t]*-[ \t]*(\d+)", arg.domain.span.text)
        if ends is not None:
            help_ = write(arg.domain.span, f"{ends[1]}..{ends[2]}", "a range is written with two dots")
        cx.report("CG318", f"cannot choose from {shown(domain.type)}", arg.domain.span, help_)
        return None
    item = domain.type.item
    if isinstance(item, types.Int) and types.size_of(item) is None:
        cx.report("CG326", "this range has no bound that is known before play", arg.domain.span,
                  "give the variables in it a range: `chips: 0..100`")  # fmt: skip
        return None
    if (types.size_of(item) or 0) > ARGUMENT_LIMIT:
        cx.report("CG405", f"a choice among {types.size_of(item)} values is too large", arg.domain.span,
                  f"at most {ARGUMENT_LIMIT} values")  # fmt: skip
        return None
    local = cx.local(arg.name, item, arg.span)
    _name(cx, arg, local, scope)
    where = _where(cx, arg.where, scope, local, arg.name)
    return core.Arg("value", local, domain, local, where, None, None, arg.span)


def _choice(cx: Context, stmt: syntax.Choice, scope: Scope) -> Block:
    """Check a decision with all its actions."""
    player = typed(cx, stmt.player, scope, types.PLAYER, "who chooses", bracketed=True)
    prompt: tuple[str | core.Expr, ...] = ()
    if stmt.prompt is not None:
        prompt = _text_parts(cx, stmt, stmt.prompt, scope, player)
    actions = tuple(a for a in (_check_action(cx, action, scope) for action in stmt.actions) if a is not None)
    otherwise = None
    if stmt.otherwise is not None:
        otherwise = _check_action(cx, stmt.otherwise, scope)
    _check_distinguishable(cx, (*actions, *([otherwise] if otherwise is not None else [])))
    if not actions and otherwise is None:
        return ()
    return (core.Choice(player, actions, otherwise, prompt, stmt.secretly, stmt.span, stmt.tags),)


def _check_distinguishable(cx: Context, actions: tuple[core.Action, ...]) -> None:
    """Report actions of one verb that begin alike: the first steps of two cannot be distinguished."""
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
    """Return the span of the verb of an action, its first word."""
    return Span(action.span.source, action.span.start, action.span.start + len(action.verb))


def _check_action(cx: Context, action: syntax.Action, scope: Scope) -> core.Action | None:
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
        checked = _check_arg(cx, given, inner)
        if checked is None:
            whole = False
        else:
            args.append(checked)
    such_that: core.Expr | None = None
    if action.such_that is not None and whole:
        if any(a.form == "cards" for a in args):
            args, such_that = _weighed(cx, args, action.such_that, inner)
        else:
            such_that = condition(cx, action.such_that, inner)
    body = check_block(cx, action.body, inner)
    if not whole:
        return None
    if isinstance(such_that, core.Const) and isinstance(such_that.type, types.Bool) and such_that.value is True:
        such_that = None
    return core.Action(action.verb, joint_arguments.disjoint(args), such_that, only_if, body, action.span, action.tags)


def _weighed(
    cx: Context, args: list[core.Arg], such_that: expressions.Expr, scope: Scope
) -> tuple[list[core.Arg], core.Expr | None]:
    """Check a condition on arguments with sets; each part of it goes to the last argument that it speaks of.

    There it is settled, so it is weighed when that one is chosen.  If a set is the last argument, and the only set, the
    whole condition is its own.  Return the parts that are no condition on measures of a set, too: these are tested
    when all arguments are chosen.
    """
    places = {arg.local.name: place for place, arg in enumerate(args)}
    parts = expressions.operands(such_that, "and")
    if [a.form for a in args].index("cards") == len(args) - 1:
        places = dict.fromkeys(places, len(args) - 1)
        last = args[-1].local
        on_set, is_measured = cx.attempt("CG308", lambda: selections.check_set_condition(cx, last, such_that, scope))
        if is_measured:
            parts = []
            if on_set is not None and not _holds(on_set.condition):
                args = [*args[:-1], core.evolved(args[-1], on_set=on_set)]
    checked: list[tuple[int, core.Expr]] = []
    whole: core.Expr | None = None
    found = list(args)
    for part in parts:
        names = {n.name for n in expressions.walk(part) if isinstance(n, expressions.Name)}
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
            measured = partial(selections.check_set_condition, cx, arg.local, part, scope)
            on_set, is_measured = cx.attempt("CG308", measured)
            if not is_measured and _is_tried(arg):
                whole = _both(whole, condition(cx, part, scope))
                continue
            if not is_measured:
                on_set = measured()
        if on_set is not None and not _holds(on_set.condition):
            checked.append((place, on_set.condition))
            if arg.on_set is not None:
                both = _both(arg.on_set.condition, on_set.condition)
                assert both is not None
                on_set = core.SetCondition((*arg.on_set.folds, *on_set.folds), both)
            found[place] = core.evolved(arg, on_set=on_set)
    return found, whole


def _is_tried(arg: core.Arg) -> bool:
    """Say whether a condition on a set is tried set by set: the number of cards is bounded, and the sets are few."""
    most = [type_.at_most for type_ in (arg.domain.type, arg.local.type) if isinstance(type_, types.Cards)]
    return arg.high is not None and min(most) >= 0 and number_of_subsets(*most) <= TRIED_LIMIT


def _both(one: core.Expr | None, other: core.Expr) -> core.Expr | None:
    """Return a condition under which both hold; None where they always do."""
    both = other if one is None else constant_folding.fold(core.Op("and", (one, other), types.BOOL, other.span))
    return None if _holds(both) else both


def _holds(expr: core.Expr) -> bool:
    return isinstance(expr, core.Const) and expr.value is True


# ---- texts that players read, and the values in their `{..}`


def _text_parts(
    cx: Context, stmt: syntax.Say | syntax.Choice, text: str, scope: Scope, you: core.Expr | None = None
) -> tuple[str | core.Expr, ...]:
    """Return the words of a statement's text and the values in its `{..}`; `{you}` is the player who decides."""
    parts: list[str | core.Expr] = []
    written: list[str | Expr] = []
    end = 0
    span = stmt.span
    start = span.source.text.find(f'"{text}"', span.start) + 1
    for hole in _HOLE.finditer(text):
        parts.append(text[end : hole.start()])
        written.append(text[end : hole.start()])
        end = hole.end()
        if hole.group(1) == "you" and you is not None:
            parts.append(you)
            written.append("you")
            continue
        inside = Span(span.source, start + hole.start(1), start + hole.end(1))
        expr = _expression(cx, hole.group(1), inside)
        if expr is not None:
            written.append(expr)
            checked = check_expr(cx, expr, scope)
            if not isinstance(checked.type, types.Unknown):
                parts.append(checked)
    parts.append(text[end:])
    cx.info.hear(stmt, (*written, text[end:]))
    return tuple(p for p in parts if p != "")


def _expression(cx: Context, text: str, span: Span) -> Expr | None:
    """Return the text between two braces."""
    if _NAME.fullmatch(text):
        return Name(text, span=span)
    cx.holes += 1
    if cx.holes == HOLE_LIMIT + 1:
        cx.report("CG405", f"the texts of this spec have more than {HOLE_LIMIT:,} values in braces", span,
                  "name a repeated value by `let`, and write the name in the braces")  # fmt: skip
    if cx.holes > HOLE_LIMIT:
        return None
    from grammar.parser import parse_expression  # late: lark

    try:
        return parse_expression(span)
    except SpecError:
        cx.report("CG213", f"`{{{text}}}` holds no value", span, "write a name or an expression between the braces")
        return None
