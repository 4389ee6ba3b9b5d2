"""Check patterns: the tests of `is`, and the cases of `match` with their exhaustiveness."""

from __future__ import annotations

import re
from itertools import product
from math import prod
from typing import Literal

from grammar import expressions as syntax
from grammar.diagnostics import UNREAD, Cure, Edit, Label
from grammar.source import Span
from interpreter.analysis import constant_folding, core, types
from interpreter.analysis.check import conversions, selections
from interpreter.analysis.check.type_conformance import is_literal, shown
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.symbols import Kind

LISTED = 2_000
"""Of so many different cards of a kind it is known which of them the cases of a `match` take; no game has more."""


def check_test(cx: Context, expr: syntax.Is, scope: Scope) -> core.Expr:
    """Check `x is TEST`, leaving `not` to the caller."""
    if expr.test == "empty":
        return _empty(cx, expr, scope)
    value = cx.expr(expr.value, scope)
    if isinstance(value.type, types.Unknown):
        return value
    if expr.test != "none":
        value = conversions.card_in(value)
    match expr.test:
        case "none":
            if not types.is_optional(value.type):
                return cx.wrong("CG304", "this is always present, so it is never `none`", expr.span,
                                "a value that may be absent has a type with `or none`")  # fmt: skip
            cx.mark_tested(value)
            return core.IsNone(value, types.BOOL, expr.span)
        case syntax.Member():
            return _member(cx, expr, expr.test, value, scope)
        case _:
            assert not isinstance(expr.test, str)
            return _pattern_test(cx, value, expr, expr.test, scope)


def _empty(cx: Context, expr: syntax.Is, scope: Scope) -> core.Expr:
    zero = core.Const(0, types.Int(0, 0), expr.span)
    chosen = selections.open_set(cx, expr.value, scope)
    if chosen is not None:
        count = selections.measure_count(cx, chosen, expr.span)
        return core.Op("==", (count, zero), types.BOOL, expr.span)
    value = cx.expr(expr.value, scope)
    if isinstance(value.type, types.Unknown):
        return value
    if not isinstance(value.type, types.Cards | types.Sequence):
        what = shown(value.type)
        help_ = "ask `is none`" if types.is_optional(value.type) else ""
        return cx.wrong("CG301", f"only cards and lists can be empty, but this is {what}", expr.value.span, help_)
    return conversions.is_empty(value)


def _member(cx: Context, expr: syntax.Is, test: syntax.Member, value: core.Expr, scope: Scope) -> core.Expr:
    if isinstance(test.domain, syntax.TupleValue):
        return cx.wrong("CG318", "several values in brackets are no group", test.domain.span,
                        _one_by_one(expr, test.domain, value))  # fmt: skip
    domain = cx.expr(test.domain, scope, types.Sequence(types.base_of(value.type)))
    if isinstance(domain.type, types.Unknown):
        return domain
    item, _ = selections.domain_item(cx, domain, test.domain.span)
    if isinstance(item, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    if not types.comparable(value.type, item):
        return cx.wrong("CG302", f"{shown(types.base_of(value.type))} is never in {shown(domain.type)}",
                        expr.span)  # fmt: skip
    if isinstance(value.type, types.EnumType) and _is_whole(domain, value.type):
        return core.Const(True, types.BOOL, expr.span)
    if cx.copies and isinstance(item, types.Card):
        one = cx.local("copy", item, expr.span)
        sides = (conversions.by_face(side, copies=True) for side in (core.LocalRef(one, item, expr.span), value))
        alike = core.Op("==", tuple(sides), types.BOOL, expr.span)
        return core.Select("some", core.Binder(one, domain, None, alike), None, types.BOOL, expr.span)
    return core.IsIn(value, domain, types.BOOL, expr.span)


def _one_by_one(expr: syntax.Is, values: syntax.TupleValue, value: core.Expr) -> Cure:
    """Return the cure of `x is in (a, b)`: a test for each value, or one for a range of numbers."""
    subject, texts = expr.value.span.text, [item.span.text for item in values.items]
    numbers = [item.value for item in values.items if isinstance(item, syntax.Number)]
    negated = "not " * expr.negated
    if len(numbers) == len(texts) and numbers == [*range(numbers[0], numbers[0] + len(numbers))]:
        return Cure(f"write `{subject} is {negated}in {numbers[0]}..{numbers[-1]}`: a range has both of its ends",
                    (Edit(expr.span, f"{subject} is {negated}in {numbers[0]}..{numbers[-1]}"),))  # fmt: skip
    sign = f"is {negated}".strip() if isinstance(types.base_of(value.type), types.Card) else "!=" if negated else "=="
    tests = f" {'and' if negated else 'or'} ".join(f"{subject} {sign} {text}" for text in texts)
    return Cure(f"test for one after another: `{tests}`", (Edit(expr.span, f"({tests})"),))


def _is_whole(domain: core.Expr, enum: types.EnumType) -> bool:
    """Whether a domain is all values of an enumeration."""
    match domain:
        case core.Range(low=core.Const(value=0), high=core.Const(value=last)):
            return last == len(enum.values) - 1
    return False


def _pattern_test(cx: Context, value: core.Expr, expr: syntax.Is, pattern: syntax.Pattern, scope: Scope) -> core.Expr:
    inner, span = types.base_of(value.type), expr.span
    if isinstance(inner, types.Card):
        test = _kind_test(cx, pattern, inner, scope)
        return core.Const(None, types.UNKNOWN, span) if test is None else core.IsKind(value, test, types.BOOL, span)
    message = "`is` tests what kind of card something is, membership, `empty` or `none`"
    name = pattern.name if isinstance(pattern, syntax.KindPattern) and pattern.args is None else None
    if isinstance(inner, types.Cards):
        full = isinstance(value, core.ZoneRef) and name == "full" and not expr.negated
        number = value.zone.capacity if isinstance(value, core.ZoneRef) and full else "n"
        text = f"count({expr.value.span.text}) == {number}"
        words = f"the number of cards is compared: `{text}`"
        return cx.wrong("CG302", message, span, Cure(words, (Edit(span, text),)) if full else words)
    sign: Literal["==", "!="] = "!=" if expr.negated else "=="
    between = Span(span.source, expr.value.span.end, pattern.span.start)
    cure = Cure(f"two values are compared with `{sign}`: `{sign} {pattern.span.text}`", (Edit(between, f" {sign} "),))
    if name is None:
        return cx.wrong("CG302", message, span, cure)
    if not cx.names(name, scope):
        return cx.expr(syntax.Name(name, span=pattern.span), scope, inner)
    cx.report("CG302", message, span, cure)
    return cx.expr(syntax.Compare("==", expr.value, syntax.Name(name, span=pattern.span), span=span), scope)


def _kind_test(cx: Context, pattern: syntax.Pattern, card: types.Card, scope: Scope) -> core.KindTest | None:
    """Return what a card pattern asks, or None after reporting what is wrong with it."""
    if not isinstance(pattern, syntax.KindPattern):
        cx.report("CG302", "a card is tested by its kind", pattern.span, "as in `c is Number(spades, 8)`")
        return None
    kind = cx.symbols.get(pattern.name)
    if not isinstance(kind, Kind):
        if kind is None and pattern.name not in cx.values:
            cx.unknown("CG201", f"no kind of card is called `{pattern.name}`", pattern.name, pattern.span, cx.kinds)
        else:
            cx.report("CG302", f"`{pattern.name}` is a value, not a kind of card", pattern.span,
                      "compare values with `==`")  # fmt: skip
        return None
    cx.info.mentions.append((pattern.span.word(kind.name), kind))
    if kind.name not in card.kinds:
        kinds = ", ".join(sorted(card.kinds)) or "nothing, every kind is taken"
        message = f"this card is never a {kind.name}"
        cx.report("CG302", message, pattern.span, f"here it can be: {kinds}", about=UNREAD)
        return None
    if pattern.args is None:
        return core.KindTest(frozenset({kind.name}))
    if len(pattern.args) != len(kind.attributes):
        names = ", ".join(a.name for a in kind.attributes)
        cx.report("CG207", f"`{kind.name}` has {len(kind.attributes)} attributes", pattern.span,
                  f"write `{kind.name}({names})`, with `_` for any")  # fmt: skip
        return None
    wanted: list[tuple[str, core.Expr | tuple[int, int]]] = []
    for given, attribute in zip(pattern.args, kind.attributes, strict=True):
        if given is None:
            continue
        if isinstance(given, syntax.NumberPattern):
            if not isinstance(attribute.type, types.Int):
                cx.report("CG301", f"`{attribute.name}` is no number", given.span)
                continue
            if types.disjoint(types.Int(given.low, given.high), attribute.type):
                cx.report("CG302", f"`{attribute.name}` is {attribute.type}, never this", given.span)
            wanted.append((attribute.name, (given.low, given.high)))
            continue
        if isinstance(given, syntax.Name) and not cx.names(given.name, scope):
            words = (
                f"a pattern gives no names: write `_` for any `{attribute.name}`, and read it as `c.{attribute.name}`"
            )
            values = attribute.type.values if isinstance(attribute.type, types.EnumType) else ()
            cx.unknown("CG201", f"nothing here is called `{given.name}`", given.name, given.span, values, words)
            continue
        checked = cx.expr(given, scope, attribute.type)
        never = not types.comparable(checked.type, attribute.type) or (
            is_literal(given) and types.disjoint(checked.type, attribute.type)
        )
        if not isinstance(checked.type, types.Unknown) and never:
            cx.report("CG302", f"`{attribute.name}` is {attribute.type}, never this", given.span)
            continue
        wanted.append((attribute.name, checked))
    return core.KindTest(frozenset({kind.name}), tuple(wanted))


def case_conditions(
    cx: Context, subject: core.Expr, patterns: tuple[syntax.Pattern, ...], seen: Coverage, scope: Scope
) -> core.Expr:
    """Return the condition under which a case of a `match` is taken, and note what it covers."""
    span = patterns[0].span.to(patterns[-1].span)
    condition: core.Expr | None = None
    for pattern in patterns:
        test = _case_condition(cx, subject, pattern, seen, scope)
        condition = (
            test if condition is None else constant_folding.fold(core.Op("or", (condition, test), types.BOOL, span))
        )
    assert condition is not None
    return condition


def _case_condition(
    cx: Context, subject: core.Expr, pattern: syntax.Pattern, seen: Coverage, scope: Scope
) -> core.Expr:
    inner = types.base_of(subject.type)
    if isinstance(inner, types.Unknown):
        return core.Const(None, types.UNKNOWN, pattern.span)
    if isinstance(inner, types.Card):
        test = _kind_test(cx, pattern, inner, scope)
        if test is None:
            seen.broken = True
            return core.Const(None, types.UNKNOWN, pattern.span)
        seen.cover_cards(cx, test, pattern.span)
        return core.IsKind(subject, test, types.BOOL, pattern.span)
    if isinstance(inner, types.Bool):
        seen.broken = True
        return cx.wrong("CG302", "a boolean has no cases", pattern.span, "decide with `if`")
    if isinstance(pattern, syntax.NumberPattern):
        if not isinstance(inner, types.Int):
            seen.broken = True
            return cx.wrong("CG302", f"a {inner} is never a number", pattern.span)
        if pattern.low > pattern.high or types.disjoint(types.Int(pattern.low, pattern.high), inner):
            return cx.wrong("CG302", f"this is never true: the number is in {inner}" if pattern.low <= pattern.high
                            else "this range has no number in it", pattern.span)  # fmt: skip
        for number in range(pattern.low, min(pattern.high, pattern.low + 10_000) + 1):
            seen.cover(cx, number, pattern.span)
        low = core.Const(pattern.low, types.Int(pattern.low, pattern.low), pattern.span)
        high = core.Const(pattern.high, types.Int(pattern.high, pattern.high), pattern.span)
        if pattern.low == pattern.high:
            return core.Op("==", (subject, low), types.BOOL, pattern.span)
        domain = core.Range(low, high, types.Sequence(types.Int(pattern.low, pattern.high)), pattern.span)
        return core.IsIn(subject, domain, types.BOOL, pattern.span)
    if isinstance(pattern, syntax.KindPattern) and pattern.args is None:
        name = syntax.Name(pattern.name, span=pattern.span)
        value = cx.expr(name, Scope(), inner)
        if isinstance(value.type, types.Unknown):
            seen.broken = True
            return value
        if not types.comparable(value.type, inner) or not isinstance(value, core.Const):
            seen.broken = True
            return cx.wrong("CG302", f"`{pattern.name}` is no case of {inner}", pattern.span)
        cx.info.note(pattern, value)
        seen.cover(cx, value.value, pattern.span)
        return constant_folding.fold(core.Op("==", (subject, value), types.BOOL, pattern.span))
    seen.broken = True
    return cx.wrong("CG302", f"this is no case of {inner}", pattern.span)


def _left_out(span: Span) -> str | Cure:
    """Return the cure to leave out a pattern with the comma that parts it from another of its case."""
    text = span.source.text
    comma = re.compile(r"\s*,\s*").match(text, span.end)
    if comma is not None:
        return Cure("leave it out", (Edit(Span(span.source, span.start, comma.end()), ""),))
    before = re.search(r",\s*$", text[: span.start])
    if before is not None:
        return Cure("leave it out", (Edit(Span(span.source, before.start(), span.end), ""),))
    return "leave this case out, or let the earlier one take less"


class Coverage:
    """Which values of a `match` its cases take, to find the missing ones and those taken twice."""

    def __init__(self, type_: types.Type) -> None:
        self.type = types.base_of(type_)
        self.optional = types.is_optional(type_)
        self.broken = isinstance(self.type, types.Unknown)
        self.taken: dict[object, Span] = {}
        self.faces: dict[str, dict[tuple[int, ...], Span]] = {}

    def cover_cards(self, cx: Context, test: core.KindTest, span: Span) -> None:
        """Note that a case takes the cards of a kind, or those of its cards that have these attributes."""
        (name,) = test.kinds
        kind = cx.symbols[name]
        assert isinstance(kind, Kind)
        faces = _faces(kind, dict(test.attributes))
        if not test.attributes or faces is None:
            if not test.attributes:
                self.cover(cx, name, span)
            return
        taken = self.faces.setdefault(name, {})
        earlier = self.taken.get(name) or (taken[faces[0]] if faces and all(face in taken for face in faces) else None)
        if earlier is not None:
            cx.report("CG341", "an earlier case already covers this", span, _left_out(span),
                      labels=(Label(earlier, "covered here"),))  # fmt: skip
            return
        for face in faces:
            taken.setdefault(face, span)
        if len(taken) == len(_faces(kind, {}) or ()):
            self.taken[name] = span

    def cover(self, cx: Context, value: object, span: Span) -> None:
        """Note that a case takes a value wholly."""
        if value in self.taken:
            cx.report("CG341", "an earlier case already covers this", span, _left_out(span),
                      labels=(Label(self.taken[value], "covered here"),))  # fmt: skip
        else:
            self.taken[value] = span

    def missing(self) -> list[str] | None:
        """Return the values that no case takes; None where there are too many, or none that a case could name."""
        if self.broken:
            return None
        match self.type:
            case types.EnumType() as enum:
                return [v for i, v in enumerate(enum.values) if i not in self.taken]
            case types.Card() as card:
                return [k for k in sorted(card.kinds) if k not in self.taken]
            case types.Int(low=int(low), high=int(high)) if high - low < 1000:
                return [str(n) for n in range(low, high + 1) if n not in self.taken]
        return None

    def check(self, cx: Context, span: Span, has_otherwise: bool) -> None:
        """Report a `match` that leaves values out."""
        missing = self.missing()
        if has_otherwise:
            if missing == [] and not self.broken and not self.optional:
                cx.report("CG341", "the cases cover every value, so `otherwise` is never reached", span, "drop it")
            return
        if self.broken or (missing == [] and not self.optional):
            return
        if missing == []:
            cx.report("CG306", "no case covers absence", span, "add `otherwise`", about=UNREAD)
            return
        if missing is None:
            cx.report("CG306", "these cases do not cover every value", span, "add `otherwise`", about=UNREAD)
            return
        some = ", ".join(f"`{m}`" for m in missing[:6]) + (" .." if len(missing) > 6 else "")
        cx.report("CG306", f"no case covers {some}", span, "add a case for each, or `otherwise`", about=UNREAD)


def _faces(kind: Kind, wanted: dict[str, core.Expr | tuple[int, int]]) -> list[tuple[int, ...]] | None:
    """List the possible attributes of a card of a kind, limited to the wanted values; None if there are too many."""
    columns: list[list[int]] = []
    for attribute in kind.attributes:
        values = types.values_of(attribute.type)
        goal = wanted.get(attribute.name)
        if values is None or (isinstance(goal, core.Expr) and not isinstance(goal, core.Const)):
            return None  # There are too many values, or the wanted one is known only in play.
        low, high = goal if isinstance(goal, tuple) else (None, None) if goal is None else (goal.value, goal.value)
        columns.append([int(v) for v in values if low is None or high is None or low <= v <= high])
    if prod(len(values) for values in columns) > LISTED:
        return None
    return list(product(*columns))
