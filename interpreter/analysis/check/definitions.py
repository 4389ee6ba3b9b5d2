"""Check the bodies of definitions, each once, when it is first called or its turn comes."""

from __future__ import annotations

from grammar import ast as syntax
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.check import conversions
from interpreter.analysis.check.patterns import Coverage, case_conditions
from interpreter.analysis.check.type_conformance import typed
from interpreter.analysis.check.type_expressions import resolve_type
from interpreter.analysis.constant_folding import fold_chain, within
from interpreter.analysis.context import Context, Let, Scope, narrowings
from interpreter.analysis.core import Define
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import UNKNOWN, Type, Unknown, join


def check_define(cx: Context, define: Define, span: Span) -> Type:
    """Check the body of a definition, once, and return the type of its value."""
    if define.state == "checking":
        cx.report("CG402", f"`{define.name}` needs its own value", span, "a definition may not lead back to itself")
        return UNKNOWN
    if define.state == "new":
        define.state = "checking"
        saved = cx.open_sets, cx.narrowed, cx.each, cx.pattern_scope, cx.current_define
        cx.open_sets, cx.narrowed, cx.each, cx.pattern_scope = [], {}, None, None
        cx.current_define = define
        _check_define_body(cx, define)
        cx.open_sets, cx.narrowed, cx.each, cx.pattern_scope, cx.current_define = saved
        define.state = "done"
        define.weight = _weight(define)
    return define.result if define.result is not None else UNKNOWN


def _weight(define: Define) -> int:
    bodies = [value for _, value in define.lets]
    if define.value is not None:
        bodies.append(define.value)
    parts = 0
    for body in bodies:
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
    define.value = value if wanted is None else within(value, wanted)
    define.result = value.type if wanted is None or isinstance(value.type, Unknown) else wanted


def _match_value(cx: Context, match: syntax.MatchValue, scope: Scope, wanted: Type | None) -> core.Expr:
    subject = conversions.card_in(cx.expr(match.subject, scope))
    if isinstance(subject.type, Unknown):
        return subject
    coverage = Coverage(subject.type)
    alternatives: list[tuple[core.Expr | None, core.Expr]] = []
    type_: Type | None = None
    refused: dict[Local, frozenset[str]] = {}
    before, cx.pattern_scope = cx.pattern_scope, scope
    for case in match.cases:
        test = None if not case.patterns else case_conditions(cx, subject, case.patterns, coverage)
        if test is not None:
            cx.info.note(case, test)
        with cx.narrowing(narrowings(test) if test is not None else refused):
            if wanted is None:
                value = cx.expr(case.value, scope, type_)
            else:
                value = typed(cx, case.value, scope, wanted, "this case")
        for local, kinds in narrowings(test, holds=False).items():
            refused[local] = refused.get(local, kinds) & kinds
        joined = value.type if type_ is None else join(type_, value.type)
        if joined is None:
            value = cx.wrong("CG301", "the cases have values of different types", case.value.span)
            joined = UNKNOWN
        type_ = joined
        alternatives.append((test, value))
    cx.pattern_scope = before
    has_otherwise = any(not case.patterns for case in match.cases)
    coverage.check(cx, match.span, has_otherwise)
    assert type_ is not None
    # The cases are exhaustive: the last one is taken when no other is.
    if not isinstance(alternatives[-1][0], core.Const):
        alternatives[-1] = (None, alternatives[-1][1])
    tags = tuple(case.tags for case in match.cases)
    return fold_chain(core.Chain(tuple(alternatives), type_, match.span, tags))
