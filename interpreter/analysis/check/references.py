"""Check names, indices and calls: everything that refers to a declaration, and the bodies of definitions.

A definition is checked once, when it is first called or its turn comes.  A function of the language has the signature
of its entry in the table of functions, or a type rule here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import assert_never

from grammar import ast as syntax
from grammar import expressions as syntax_expr
from grammar.diagnostics import Cure, Diagnostic, Edit, write
from grammar.source import Span
from grammar.tags import tag_inside
from interpreter.analysis import constant_folding, core, types
from interpreter.analysis.check import card_state, conversions, selections, set_domains
from interpreter.analysis.check.declarations import resolve_type
from interpreter.analysis.check.patterns import Coverage, case_conditions
from interpreter.analysis.check.type_conformance import arguments, maybe_absent, pair, shown, suited, typed
from interpreter.analysis.context import Context, Let, Scope, narrowings
from interpreter.analysis.core import Define, Phase, Variable
from interpreter.analysis.functions import CALLABLE, Function, extremum
from interpreter.analysis.info import Part, Symbol
from interpreter.analysis.limits import NUMBER_LIMIT
from interpreter.analysis.symbols import Kind, Local, Option, Zone

LISTED = 8
INLINE_LIMIT = 1_000


def check_name(cx: Context, expr: syntax_expr.Name, scope: Scope, expected: types.Type | None) -> core.Expr:
    """Check a bare name: a local, a value of the expected enumeration, or something declared."""
    name = expr.name
    found = scope.find(name)
    if isinstance(found, Variable):
        return _symbol(cx, found, expr, scope)
    if found is not None:
        return _local(cx, found, expr)
    wanted = types.base_of(expected) if expected is not None else None
    if isinstance(wanted, types.Sequence):
        wanted = wanted.item
    if isinstance(wanted, types.EnumType) and name in wanted.values:
        cx.info.mentions.append((expr.span, Part(wanted, name)))
        return core.Const(wanted.values.index(name), wanted, expr.span)
    symbol = cx.symbols.get(name)
    if symbol is not None and symbol is cx.teams:
        return cx.wrong("CG342", "`team` is a type", expr.span, write(expr.span, "teams", "all teams are `teams`"))
    if symbol is not None:
        return _symbol(cx, symbol, expr, scope)
    owners = cx.values.get(name, [])
    if len(owners) == 1:
        enum, number = owners[0]
        cx.info.mentions.append((expr.span, Part(enum, name)))
        return core.Const(number, enum, expr.span)
    if len(owners) > 1:
        both = " and ".join(f"`{e.name}`" for e, _ in owners)
        return cx.wrong("CG204", f"`{name}` is a value of {both}", expr.span, "give one of them another name")
    if name == "teams" and cx.teams is not None:
        return _symbol(cx, cx.teams, expr, scope)
    if name == "players":
        return core.Builtin("players", (), types.Sequence(types.PLAYER, cx.num_players), expr.span)
    return unknown_name(cx, name, expr.span, scope, wanted)


def unknown_name(cx: Context, name: str, span: Span, scope: Scope, expected: types.Type | None = None) -> core.Expr:
    """Report a name that nothing declares, with the nearest that is declared, or a value, and fits in its place."""
    if name in cx.undecided:
        return cx.wrong("CG241", f"the option `{name}` is declared below", span,
                        f"options are set in the order of the text: declare `{name}` before this one")  # fmt: skip
    if name in cx.coming and name not in cx.symbols:
        return cx.wrong("CG314", f"`{name}` is not known before play", span,
                        "use numbers, options and `count(players)`")  # fmt: skip
    if cx.each is not None and name == cx.choosing:
        words = "a `where` tests one card, which is called `each`; a condition on all chosen cards follows `such that`"
        return cx.wrong(
            "CG201", f"nothing here is called `{name}`", span, Cure(words, (Edit(span, "each"),)), about=name
        )
    values = expected.values if isinstance(expected, types.EnumType) else ()
    help_ = cx.suggest(name, chain(_fitting(cx, scope, expected), values), span)
    if not help_ and isinstance(expected, types.EnumType):
        more = " .." if len(values) > LISTED else ""
        help_ = f"the values of {expected} are {', '.join(values[:LISTED])}{more}"
    if not help_:
        for option in cx.options:
            if isinstance(option.type, types.EnumType) and name in option.type.values:
                help_ = f"it is a choice of the option `{option.name}`; compare it with that option"
    if not help_ and name in CALLABLE:
        help_ = f"`{name}` is a function: write what it is of in brackets, as in `{name}(..)`"
    help_ = help_ or "declare it in `zones` or `state`, or name a value with `let` or `define`"
    return cx.wrong("CG201", f"nothing here is called `{name}`", span, help_, about=name)


def _fitting(cx: Context, scope: Scope, expected: types.Type | None) -> Iterator[str]:
    """Give the names that could stand alone where a value of a type is expected; None: of any type."""

    def fit(type_: types.Type) -> bool:
        given, wanted = types.base_of(type_), types.base_of(expected) if expected is not None else types.UNKNOWN
        several = isinstance(given, types.Cards | types.Sequence)
        return types.fits(given, wanted) or (several and isinstance(wanted, types.Card | types.Cards | types.Sequence))

    yield from ["players"] if fit(types.Sequence(types.PLAYER)) else []
    yield from ["true", "false"] if fit(types.BOOL) else []
    yield from ["none"] if expected is None else []
    for name in scope.visible():
        here = scope.find(name)
        if here is not None and not (isinstance(here, Variable) and here.indices) and fit(here.type):
            yield name
    for name, symbol in cx.symbols.items():
        match symbol:
            case Option(type=type_) | Variable(indices=(), type=type_) if fit(type_):
                yield name
            case types.EnumType() if fit(types.Sequence(symbol)):
                yield name
            case Zone(indices=()) if fit(zone_type(cx, symbol)):
                yield name
            case Define(params=()) if symbol.state != "checking" and fit(symbol.result or types.UNKNOWN):
                yield name
    yield from [name for name, owners in cx.values.items() if any(fit(enum) for enum, _ in owners)]


def _with_index(
    cx: Context, symbol: Zone | Variable, scope: Scope, span: Span, given: list[core.Expr] | None = None
) -> str | Cure:
    """Return the fix of a family without an index, or with some only; an edit where there is one name that fits."""
    left = list(given or ())
    parts = []
    sure = True
    for wanted in _written_indices(cx, symbol):
        own = next((g for g in left if types.fits(g.type, wanted)), None)
        if own is not None:
            left.remove(own)
            parts.append(own.span.text)
            continue
        local = [n for n in dict.fromkeys(scope.visible()) if _is_of(scope.find(n), wanted)]
        stated = [n for n, s in cx.symbols.items() if isinstance(s, Variable) and not s.indices and s.type == wanted]
        several = isinstance(symbol, Zone) and not cx.one_place
        names = local or stated
        sure = sure and (len(names) == 1 if local or not several else not stated)
        parts.append(names[0] if local or (names and not several) else _any_index(wanted, several=several))
    text = f"{symbol.name}[{', '.join(parts)}]"
    return write(span, text) if sure and not left else f"write it with its index, as in `{text}`"


def _is_of(found: Local | Variable | core.Expr | None, wanted: types.Type) -> bool:
    return found is not None and found.type == wanted and not isinstance(found, core.Const)


def _any_index(wanted: types.Type, *, several: bool) -> str:
    match wanted:
        case types.Player():
            return "players" if several else "player 1"
        case types.EnumType():
            return wanted.name if several else wanted.values[0]
        case types.Int(low=int(low)):
            return str(low)
    return str(wanted)


def _local(cx: Context, found: Local | core.Expr, expr: syntax_expr.Name) -> core.Expr:
    span = expr.span
    if not isinstance(found, Local):
        if isinstance(found, core.LocalRef):
            local = _local(cx, found.local, expr)
            is_set = isinstance(local, core.LocalRef) and isinstance(found.type, types.Cards)
            return core.LocalRef(found.local, found.type, span) if is_set else local
        return found
    cx.info.refer(expr, found)
    if cx.open_sets and any(found is s.local for s in cx.open_sets):
        return cx.wrong(
            "CG308",
            f"this condition reads the cards of `{found.name}` one by one",
            span,
            "a condition on a chosen set may use only its measures: "
            f"`sum(c.. for c in {found.name})`, `count`, `min`, `max`, `same`, `different`, `consecutive`; or test its "
            f"cards: `some c in {found.name} where ..`, `no`, `every`",
        )
    type_ = types.base_of(found.type) if found in cx.narrowed else found.type
    if isinstance(type_, types.Card):
        type_ = types.Card(cx.kinds_of(found))
    return core.LocalRef(found, type_, span)


def _symbol(cx: Context, symbol: Symbol, expr: syntax_expr.Name, scope: Scope) -> core.Expr:
    name, span = expr.name, expr.span
    cx.info.refer(expr, symbol)
    match symbol:
        case Option():
            return core.Const(symbol.value, symbol.type, span)
        case types.EnumType():
            last = len(symbol.values) - 1
            return core.Range(
                core.Const(0, symbol, span), core.Const(last, symbol, span), types.Sequence(symbol, last + 1), span
            )
        case Zone() if not symbol.indices:
            return core.ZoneRef(symbol, (), zone_type(cx, symbol), span)
        case Variable() if not _written_indices(cx, symbol):
            return core.VarRef(symbol, (), symbol.type, span)
        case Zone() | Variable():
            return cx.wrong("CG207", f"`{name}` needs its index", span, _with_index(cx, symbol, scope, span))
        case Define() if not symbol.params:
            return _call_define(cx, symbol, (), span)
        case Define():
            return cx.wrong("CG207", f"`{name}` needs {arguments(len(symbol.params))}", span)
        case Kind():
            return cx.wrong("CG211", f"`{name}` is a kind of card, not a value", span, f"test it: `c is {name}`")
        case Phase():
            return cx.wrong("CG212", f"`{name}` is a phase, which has no value", span,
                            "let the phase set a variable and read that, or `define` a value")  # fmt: skip
        case _:
            assert_never(symbol)


def zone_type(cx: Context, zone: Zone) -> types.Cards:
    """Return the type of the cards of a zone."""
    return types.Cards(frozenset(cx.kinds), zone.capacity)


def check_index(cx: Context, expr: syntax_expr.Index, scope: Scope) -> core.Expr:
    """Check `hand[p, left]`, a zone or variable with its indices; a list as index of a zone means several places."""
    if not isinstance(expr.base, syntax_expr.Name):
        tag = _tag_after(expr)
        if tag is not None:
            cx.diagnostics.append(tag)
            return core.Const(None, types.UNKNOWN, expr.span)
        return cx.wrong("CG305", "only zones and variables have an index", expr.base.span,
                        "a card of a zone is `first c in ..` or, of a pile, `top of ..`")  # fmt: skip
    name = expr.base.name
    found = scope.find(name)
    symbol = found if isinstance(found, Variable) else cx.symbols.get(name)
    if symbol is None:
        if found is not None or name in cx.values:
            return _no_index(cx, expr, name)
        if name in cx.coming:
            return unknown_name(cx, name, expr.base.span, scope)
        families = [n for n, s in cx.symbols.items() if isinstance(s, Zone | Variable)]
        return cx.unknown("CG201", f"nothing here is called `{name}`", name, expr.base.span, families,
                          f"declare it in `zones` or `state`, as in `{name}[player]: integer`")  # fmt: skip
    wanted_indices = _written_indices(cx, symbol) if isinstance(symbol, Zone | Variable) else ()
    if not isinstance(symbol, Zone | Variable) or not wanted_indices:
        return _no_index(cx, expr, name)
    cx.info.refer(expr.base, symbol)
    if len(expr.indices) != len(wanted_indices):
        shape = ", ".join(map(str, wanted_indices))
        message = f"`{name}` has {len(wanted_indices)} indices ({shape}), not {len(expr.indices)}"
        given = [cx.expr(i, scope) for i in expr.indices]
        return cx.wrong("CG207", message, expr.span, _with_index(cx, symbol, scope, expr.span, given))
    given = [cx.expr(i, scope, wanted) for i, wanted in zip(expr.indices, wanted_indices, strict=True)]
    if len(given) == 2 and not any(map(types.fits, [g.type for g in given], wanted_indices)):
        first, second = (i.span.text for i in expr.indices)
        swapped = [g.type.item if isinstance(g.type, types.Sequence) else g.type for g in reversed(given)]
        if all(map(types.fits, swapped, wanted_indices)):
            shape = ", ".join(str(t) for t in wanted_indices)
            return cx.wrong("CG301", f"the indices of `{name}` are in the wrong order: write `{name}[{shape}]`",
                            expr.span, write(expr.span, f"{name}[{second}, {first}]"))  # fmt: skip
    several: list[core.Binder] = []
    index = []
    for checked, source, wanted in zip(given, expr.indices, wanted_indices, strict=True):
        if (
            isinstance(symbol, Zone)
            and isinstance(checked.type, types.Sequence)
            and types.fits(checked.type.item, wanted)
        ):
            local = cx.local("place", checked.type.item, source.span)
            several.append(core.Binder(local, checked, None, None))
            checked = core.LocalRef(local, checked.type.item, source.span)
        elif isinstance(checked.type, types.Sequence):
            return cx.wrong("CG301", f"a list is no index of `{name}`", source.span,
                            "values are folded, as in `sum(points[p] for p in players)`")  # fmt: skip
        place = checked.zone if isinstance(checked, core.CardAt) else checked
        if not (isinstance(place, core.ZoneRef) and isinstance(symbol, Variable) and place.zone is symbol.home):
            checked = _index_value(cx, checked, source, wanted, name)
        index.append(checked)
    if isinstance(symbol, Variable) and symbol.home is not None:
        return card_state.value_of(cx, symbol, index[0], tuple(index[1:]), expr.span)
    if isinstance(symbol, Zone):
        zone = core.ZoneRef(symbol, tuple(index), zone_type(cx, symbol), expr.span)
        return conversions.together(zone, several, cx.deck_size)
    return core.VarRef(symbol, tuple(index), symbol.type, expr.span)


def _written_indices(cx: Context, family: Zone | Variable) -> tuple[types.Type, ...]:
    """Return the types of the indices with which a family is written: a card replaces the indices of its slot."""
    if isinstance(family, Variable) and family.home is not None:
        return (types.Card(frozenset(cx.kinds)), *family.indices[family.of_card :])
    return family.indices


def _no_index(cx: Context, expr: syntax_expr.Index, name: str) -> core.Expr:
    """Report an index of what has none; if it is a rule tag in the middle of a line, that it is."""
    tag = _tag_after(expr)
    if tag is not None:
        cx.diagnostics.append(tag)
        return core.Const(None, types.UNKNOWN, expr.span)
    if name in CALLABLE or (isinstance(symbol := cx.symbols.get(name), Define) and symbol.params):
        inside = ", ".join(index.span.text for index in expr.indices)
        cure = write(expr.span, f"{name}({inside})", "arguments are in round brackets")
        return cx.wrong("CG305", f"`{name}` has no index", expr.span, cure)
    if isinstance(cx.symbols.get(name), Zone):
        return cx.wrong("CG305", f"`{name}` has no index: its cards have no numbers", expr.span,
                        f"a card is `first c in {name}` or, of a pile, `top of {name}`")  # fmt: skip
    return cx.wrong(
        "CG305", f"`{name}` has no index", expr.span, Cure(f"write `{name}` alone", (Edit(expr.span, name),))
    )


def _tag_after(expr: syntax_expr.Index) -> Diagnostic | None:
    """Return the diagnostic of a rule tag that was read as an index; None if there is none."""
    end = expr.base.span.after
    return tag_inside(end) if end.source.text[end.start : end.start + 1] in (" ", "\t") else None


def _index_value(cx: Context, given: core.Expr, source: syntax_expr.Expr, wanted: types.Type, name: str) -> core.Expr:

    index = suited(cx, given, source, wanted, f"the index of `{name}`")
    if isinstance(index, core.Const) and isinstance(wanted, types.Int) and isinstance(index.value, int):
        low, high = wanted.low or 0, wanted.high or 0
        if not low <= index.value <= high:
            return cx.wrong("CG310", f"there is no `{name}[{index.value}]`", source.span,
                            f"the index goes from {low} to {high}")  # fmt: skip
    return index


def check_call(cx: Context, expr: syntax_expr.Call, scope: Scope) -> core.Expr:
    """Check a call of a definition or of a function of the language."""
    symbol = cx.symbols.get(expr.name)
    if isinstance(symbol, Define):
        cx.info.refer(expr, symbol)
        if len(expr.args) != len(symbol.params):
            cx.look_at(expr.args, scope)
            return cx.wrong(
                "CG207",
                f"`{expr.name}` takes {arguments(len(symbol.params))}, not {len(expr.args)}",
                expr.span,
            )
        if any(_is_open_set(cx, a, scope) for a in expr.args):
            return _inline(cx, symbol, expr, scope)
        before = len(cx.diagnostics)
        args = tuple(
            _argument(cx, given, param, scope, expr.name) for given, param in zip(expr.args, symbol.params, strict=True)
        )
        report_order(cx, before, expr, symbol.params, scope)
        return _call_define(cx, symbol, args, expr.span)
    if isinstance(symbol, Phase):
        return cx.wrong("CG212", f"`{expr.name}` is a phase, which has no value", expr.span,
                        "let the phase set a variable and read that, or `define` a value")  # fmt: skip
    if isinstance(symbol, Zone | Variable) and symbol.indices:
        inside = ", ".join(arg.span.text for arg in expr.args)
        cure = write(expr.span, f"{expr.name}[{inside}]", "an index is in square brackets")
        return cx.wrong("CG207", f"`{expr.name}` has an index, and takes no arguments", expr.span, cure)
    if symbol is not None and expr.name not in CALLABLE:
        tag = _RULE.fullmatch(expr.span.text)
        if tag is not None:
            cure = write(expr.span, f"{expr.name}  [{tag[1]}]", "a rule tag is in square brackets")
            return cx.wrong("CG207", f"`{expr.name}` takes no arguments", expr.span, cure)
        return cx.wrong("CG207", f"`{expr.name}` takes no arguments", expr.span, f"write `{expr.name}` alone")
    return _call_function(cx, expr, scope)


_RULE = re.compile(r"\w+[ \t]+\(([A-Z]+[0-9]+[a-z]?)\)")
"""A name with a rule tag in round brackets."""


def report_order(cx: Context, before: int, call: syntax_expr.Call, params: tuple[Local, ...], scope: Scope) -> None:
    """Make one message of those, from the `before`th on, that several arguments of a call have the wrong type."""
    found = cx.diagnostics[before:]
    if len(found) < 2 or any(d.code != "CG301" for d in found):
        return
    del cx.diagnostics[before:]
    shape = ", ".join(f"{p.name}: {p.type}" for p in params)
    span = call.args[0].span.to(call.args[-1].span)
    cure: str | Cure = f"write them in the order of the parameters: `{call.name}({shape})`"
    turned = [cx.expr(arg, scope).type for arg in reversed(call.args)]
    if len(params) == 2 and all(map(types.fits, turned, (p.type for p in params))):
        cure = write(span, f"{call.args[1].span.text}, {call.args[0].span.text}", f"`{call.name}({shape})`")
    cx.report("CG301", f"the arguments of `{call.name}` have the wrong types, or are in the wrong order", span, cure)


def _is_open_set(cx: Context, expr: syntax_expr.Expr, scope: Scope) -> bool:
    return selections.open_set(cx, expr, scope) is not None


def _inline(cx: Context, define: Define, expr: syntax_expr.Call, scope: Scope) -> core.Expr:
    """Check the body of a definition in place, so that measures of a chosen set are seen through it."""
    body = define.declaration.value
    if isinstance(body, syntax.MatchValue) or define.declaration.lets:
        return cx.wrong("CG308", f"`{define.name}` reads the cards of the chosen set", expr.span)
    if define.state == "checking":
        return cx.wrong("CG402", f"`{define.name}` uses itself", expr.span)
    if define.state == "done" and isinstance(define.result, types.Unknown) and define.value is None:
        return core.Const(None, types.UNKNOWN, expr.span)
    cx.inlines += 1
    if cx.inlines > INLINE_LIMIT:
        return cx.wrong("CG405", "too many definitions read chosen sets", expr.span,
                        f"at most {INLINE_LIMIT} calls of definitions with a chosen set")  # fmt: skip
    inner = Scope()
    for given, param in zip(expr.args, define.params, strict=True):
        chosen = selections.open_set(cx, given, scope)
        if chosen is not None:
            # The body was found sound for any cards of the parameter, so it is read in the same way here.
            inner.names[param.name] = core.LocalRef(chosen.local, param.type, given.span)
        else:
            inner.names[param.name] = _argument(cx, given, param, scope, define.name)
    cx.note_call(define)
    before, define.state = define.state, "checking"
    try:
        return cx.expr(body, inner)
    finally:
        define.state = before


def _argument(cx: Context, given: syntax_expr.Expr, param: Local, scope: Scope, name: str) -> core.Expr:

    checked = cx.expr(given, scope, param.type)
    if isinstance(types.base_of(param.type), types.Card):
        checked = conversions.card_in(checked)
    # A property of something absent is absent itself, so an absent argument is no mistake.
    wanted = types.optional(param.type) if types.is_optional(checked.type) else param.type
    return constant_folding.within(suited(cx, checked, given, wanted, f"`{param.name}` of `{name}`"), param.type)


def _call_define(cx: Context, define: Define, args: tuple[core.Expr, ...], span: Span) -> core.Expr:
    cx.note_call(define)
    result = check_define(cx, define, span)
    absent = any(
        types.is_optional(a.type) and not types.is_optional(p.type) for a, p in zip(args, define.params, strict=True)
    )
    # A rule about something absent is absent itself; a yes-or-no rule about it is false.
    if absent and not isinstance(result, types.Bool):
        result = types.optional(result)
    return core.CallDefine(define, args, result, span)


# ---- bodies of definitions


def check_define(cx: Context, define: Define, span: Span) -> types.Type:
    """Check the body of a definition, once, and return the type of its value."""
    if define.state == "checking":
        cx.report("CG402", f"`{define.name}` uses itself", span, "a definition cannot be recursive")
        return types.UNKNOWN
    if define.state == "new":
        define.state = "checking"
        with cx.during(open_sets=[], narrowed={}, each=None, current_define=define):
            _check_define_body(cx, define)
        define.state = "done"
        define.weight = _weight(define)
    return define.result if define.result is not None else types.UNKNOWN


def _weight(define: Define) -> int:
    parts = 0
    for body in define.bodies:
        for part in core.walk(body):
            parts += 1 + (part.define.weight if isinstance(part, core.CallDefine) else 0)
    return min(parts, 10**9)


def _check_define_body(cx: Context, define: Define) -> None:
    decl = define.declaration
    scope = Scope({p.name: p for p in define.params})
    lets = []
    for let in decl.lets:
        cx.check_free(let.name, let.span, scope)
        value = cx.expr(let.value, scope)
        local = cx.local(let.name, value.type, let.span)
        cx.info.refer(let, local)
        scope.names[let.name] = local
        cx.lets[local] = Let(local, let.value, value)
        lets.append((local, value))
    define.lets = tuple(lets)
    wanted = None if decl.type is None else resolve_type(cx, decl.type)
    if isinstance(decl.value, syntax.MatchValue):
        value = _match_value(cx, decl.value, scope, wanted)
    elif wanted is not None:
        value = typed(cx, decl.value, scope, wanted, f"`{define.name}`")
    else:
        value = cx.expr(decl.value, scope)
    define.value = value if wanted is None else constant_folding.within(value, wanted)
    define.result = value.type if wanted is None or isinstance(value.type, types.Unknown) else wanted


def _match_value(cx: Context, match: syntax.MatchValue, scope: Scope, wanted: types.Type | None) -> core.Expr:
    subject = conversions.card_in(cx.expr(match.subject, scope))
    if isinstance(subject.type, types.Unknown):
        return subject
    coverage = Coverage(subject.type)
    alternatives: list[tuple[core.Expr | None, core.Expr]] = []
    type_: types.Type | None = None
    refused: dict[Local, frozenset[str]] = {}
    for case in match.cases:
        test = None if not case.patterns else case_conditions(cx, subject, case.patterns, coverage, scope)
        if test is not None:
            cx.info.note(case, test)
        with cx.narrowing(narrowings(test) if test is not None else refused):
            if wanted is None:
                value = cx.expr(case.value, scope, type_)
            else:
                value = typed(cx, case.value, scope, wanted, "this case")
        for local, kinds in narrowings(test, holds=False).items():
            refused[local] = refused.get(local, kinds) & kinds
        joined = value.type if type_ is None else types.join(type_, value.type)
        if joined is None:
            value = cx.wrong("CG301", "the cases have values of different types", case.value.span)
            joined = types.UNKNOWN
        type_ = joined
        alternatives.append((test, value))
    has_otherwise = any(not case.patterns for case in match.cases)
    coverage.check(cx, match.span, has_otherwise)
    assert type_ is not None
    # The cases are exhaustive: the last one is taken when no other is.
    if not isinstance(alternatives[-1][0], core.Const):
        alternatives[-1] = (None, alternatives[-1][1])
    tags = tuple(case.tags for case in match.cases)
    return constant_folding.fold_chain(core.Chain(tuple(alternatives), type_, match.span, tags))


# ---- functions of the language


def _call_function(cx: Context, expr: syntax_expr.Call, scope: Scope) -> core.Expr:
    """Check a call of a function of the language; an unknown name is reported here."""
    function = CALLABLE.get(expr.name)
    if function is not None:
        own = _OWN_RULES.get(function.name)
        return _by_signature(cx, expr, scope, function) if own is None else own(cx, expr, scope)
    if expr.name in cx.coming and expr.name not in cx.symbols:
        return cx.wrong("CG314", f"`{expr.name}` is not known before play", expr.span,
                        "use numbers, options and `count(players)`")  # fmt: skip
    if expr.name in selections.FOLDS:
        return _fold_without_names(cx, expr, scope)
    cx.look_at(expr.args, scope)
    known = [*CALLABLE, *(n for n in cx.symbols)]
    return cx.unknown("CG201", f"nothing here is called `{expr.name}`", expr.name, expr.span, known)


def _fold_without_names(cx: Context, expr: syntax_expr.Call, scope: Scope) -> core.Expr:
    """Report a fold over cards, or over an attribute of cards, that gives the members no name."""
    words = f"a fold gives the members a name: `{expr.name}(c.rank for c in ZONE)`"
    cure: str | Cure = words
    match expr.args:
        case (syntax_expr.Attribute(base=base, name=name),) if isinstance(cx.expr(base, scope).type, types.Cards):
            letter = next(n for n in ("c", "d", "e", "card_") if not cx.names(n, scope))
            text = f"{expr.name}({letter}.{name} for {letter} in {base.span.text})"
            cure = Cure(f"write `{text}`: the members have a name", (Edit(expr.span, text),), words)
    return cx.wrong("CG209", f"`{expr.name}` needs a value for each member", expr.span, cure)


def _args(cx: Context, expr: syntax_expr.Call, scope: Scope, wanted: int) -> list[core.Expr] | None:
    if len(expr.args) != wanted:
        cx.report("CG207", f"`{expr.name}` takes {arguments(wanted)}, not {len(expr.args)}", expr.span)
        cx.look_at(expr.args, scope)
        return None
    return [cx.expr(a, scope) for a in expr.args]


def _by_signature(cx: Context, expr: syntax_expr.Call, scope: Scope, function: Function) -> core.Expr:
    """Check a call by the signature in the table of functions."""
    signature = function.signature
    assert signature is not None, function.name
    args = _args(cx, expr, scope, signature.arity)
    if args is None:
        return core.Const(None, types.UNKNOWN, expr.span)
    if signature.from_slot:
        args = [conversions.card_in(arg) for arg in args]
    for arg, given in zip(args, expr.args, strict=True):
        if not isinstance(arg.type, types.Unknown) and not signature.accepts(arg.type):
            return cx.wrong("CG301", f"`{expr.name}` takes {signature.takes}", given.span)
    if any(isinstance(arg.type, types.Unknown) for arg in args):
        return core.Const(None, types.UNKNOWN, expr.span)
    return core.Builtin(expr.name, tuple(args), signature.result(tuple(arg.type for arg in args)), expr.span)


def _count(cx: Context, expr: syntax_expr.Call, scope: Scope) -> core.Expr:
    if len(expr.args) == 1:
        chosen = selections.open_set(cx, expr.args[0], scope)
        if chosen is not None:
            return selections.measure_count(cx, chosen, expr.span)
    args = _args(cx, expr, scope, 1)
    if args is None or isinstance(args[0].type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    if isinstance(args[0], core.Builtin) and args[0].name == "players":
        return core.Const(cx.num_players, types.Int(cx.num_players, cx.num_players), expr.span)
    type_ = args[0].type
    if not isinstance(type_, types.Cards | types.Sequence):
        return cx.wrong("CG301", "`count` takes cards, players or a list", expr.args[0].span)
    return conversions.how_many(args[0], type_.at_most if type_.at_most >= 0 else None)


def _position(cx: Context, expr: syntax_expr.Call, scope: Scope) -> core.Expr:
    """Check `position(v)`, the number of a value in its enumeration: a column that every enumeration has."""
    args = _args(cx, expr, scope, 1)
    if args is None or isinstance(args[0].type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    enum = types.base_of(args[0].type)
    if not isinstance(enum, types.EnumType):
        return cx.wrong("CG301", f"`position` takes a value of an enumeration, and this is {shown(args[0].type)}",
                        expr.args[0].span)  # fmt: skip
    last = len(enum.values)
    number: types.Type = types.Int(1, last)
    result = types.optional(number) if types.is_optional(args[0].type) else number
    return constant_folding.reduced(core.EnumAttr(args[0], tuple(range(1, last + 1)), result, expr.span))


def _of_teams(cx: Context, expr: syntax_expr.Call, scope: Scope, wanted: types.Type | None) -> core.Expr | None:
    """Return the checked argument of a function of teams, a player or (`wanted`) a team; None after a report."""
    if cx.teams is None:
        cx.look_at(expr.args, scope)
        cx.report("CG342", "this game has no teams", expr.span,
                  "declare them in a section `teams`, as in `north_south: player 1, player 3`")  # fmt: skip
        return None
    if len(expr.args) != 1:
        _args(cx, expr, scope, 1)
        return None
    given = cx.expr(expr.args[0], scope, wanted)
    if isinstance(given.type, types.Unknown):
        return None
    if types.base_of(given.type) == (wanted or types.PLAYER):
        return given
    what = "a player" if wanted is None else "a team"
    help_: str | Cure = ""
    if wanted is not None and isinstance(types.base_of(given.type), types.Player):
        help_ = write(expr.args[0].span, f"team({expr.args[0].span.text})")
    cx.report("CG301", f"`{expr.name}` takes {what}, and this is {shown(given.type)}", expr.args[0].span, help_)
    return None


def _of_player(given: core.Expr, table: tuple[int, ...], type_: types.Type, span: Span) -> core.Expr:
    """Return what a table has for a player; absent for an absent player."""
    result = types.optional(type_) if types.is_optional(given.type) else type_
    return constant_folding.reduced(core.EnumAttr(given, table, result, span))


def _team(cx: Context, expr: syntax_expr.Call, scope: Scope) -> core.Expr:
    """Check `team(p)`, the team of a player."""
    given = _of_teams(cx, expr, scope, None)
    if given is None or cx.teams is None:
        return core.Const(None, types.UNKNOWN, expr.span)
    return _of_player(given, cx.teams.team_of, cx.teams, expr.span)


def _partner(cx: Context, expr: syntax_expr.Call, scope: Scope) -> core.Expr:
    """Check `partner(p)`, the other player of a team of two."""
    given = _of_teams(cx, expr, scope, None)
    if given is None or cx.teams is None:
        return core.Const(None, types.UNKNOWN, expr.span)
    if any(len(members) != 2 for members in cx.teams.members):
        return cx.wrong("CG342", "a partner is the other player of a team of two, and not all teams here have two",
                        expr.span, "iterate over `members(team(..))`")  # fmt: skip
    partners = {one: other for pair in cx.teams.members for one, other in (pair, pair[::-1])}
    return _of_player(given, tuple(partners[p] for p in range(cx.num_players)), types.PLAYER, expr.span)


def _members(cx: Context, expr: syntax_expr.Call, scope: Scope) -> core.Expr:
    """Check `members(t)`, the players of a team: all players whose team it is."""
    given = _of_teams(cx, expr, scope, cx.teams)
    if given is None or cx.teams is None:
        return core.Const(None, types.UNKNOWN, expr.span)
    if types.is_optional(given.type):
        return maybe_absent(cx, "this may be absent, so it has no members", given, expr.args[0])
    most = max(map(len, cx.teams.members))
    everyone = core.Builtin("players", (), types.Sequence(types.PLAYER, cx.num_players), expr.span)
    local = cx.local("player", types.PLAYER, expr.span)
    own = _of_player(core.LocalRef(local, types.PLAYER, expr.span), cx.teams.team_of, cx.teams, expr.span)
    test = core.Op("==", (own, given), types.BOOL, expr.span)
    binder = core.Binder(local, everyone, None, test)
    return core.Select("all", binder, None, types.Sequence(types.PLAYER, most), expr.span)


def _distance(cx: Context, expr: syntax_expr.Call, scope: Scope) -> core.Expr:
    """Check `distance(a, b)`, of two numbers or of two values of one enumeration."""
    if len(expr.args) != 2:
        _args(cx, expr, scope, 2)
        return core.Const(None, types.UNKNOWN, expr.span)
    args = pair(cx, *expr.args, scope)
    if any(isinstance(arg.type, types.Unknown) for arg in args):
        return core.Const(None, types.UNKNOWN, expr.span)
    for arg, given in zip(args, expr.args, strict=True):
        if types.is_optional(arg.type):
            return maybe_absent(cx, "this may be absent, so it has no distance", arg, given)
        if not isinstance(arg.type, types.Int | types.EnumType):
            return cx.wrong("CG301", "`distance` takes two numbers, or two values of one enumeration", given.span)
    left, right = (arg.type for arg in args)
    if not types.fits(right, left):
        return cx.wrong("CG302", f"{shown(left)} and {shown(right)} have no distance", expr.span)
    return core.Builtin("distance", args, _difference(left, right), expr.span)


def _difference(left: types.Type, right: types.Type) -> types.Type:
    """Return the type of the distance of two numbers, or of two values of one enumeration."""
    if isinstance(left, types.EnumType):
        return types.Int(0, len(left.values) - 1)
    assert isinstance(left, types.Int)
    assert isinstance(right, types.Int)
    if left.low is None or left.high is None or right.low is None or right.high is None:
        return types.Int(0, None)
    high = max(abs(left.low - right.high), abs(left.high - right.low))
    return types.Int(0, high if high <= NUMBER_LIMIT else None)


def _extremum(cx: Context, expr: syntax_expr.Call, scope: Scope) -> core.Expr:
    if len(expr.args) < 2:
        return cx.wrong(
            "CG207", f"`{expr.name}` takes two or more values", expr.span,
            f"over many things it is `{expr.name}(e for c in Z)`",
        )  # fmt: skip
    args = [cx.expr(a, scope) for a in expr.args]
    type_: types.Type = args[0].type
    for arg, given in zip(args, expr.args, strict=True):
        if types.is_optional(arg.type):
            return maybe_absent(cx, "this may be absent", arg, given)
        joined = types.join(type_, arg.type)
        if joined is None or isinstance(types.base_of(arg.type), types.Cards | types.Card | types.Player | types.Bool):
            return cx.wrong("CG301", f"`{expr.name}` compares numbers or values of one enumeration", given.span)
        type_ = joined
    numbers = extremum(min if expr.name == "min" else max, tuple(arg.type for arg in args))
    if numbers is not None:
        type_ = numbers
        if numbers.low is not None and numbers.low == numbers.high and all(isinstance(a, core.Const) for a in args):
            return core.Const(numbers.low, type_, expr.span)
    return core.Builtin(expr.name, tuple(args), type_, expr.span)


_OWN_RULES: dict[str, Callable[[Context, syntax_expr.Call, Scope], core.Expr]] = {
    "count": _count,
    "distance": _distance,
    "position": _position,
    "min": _extremum,
    "max": _extremum,
    "team": _team,
    "partner": _partner,
    "members": _members,
    "rests": set_domains.check_stray,
    "splits": set_domains.check_splits,
    "subsets": set_domains.check_stray,
}
"""The type rules of functions that take more than a signature can say."""
