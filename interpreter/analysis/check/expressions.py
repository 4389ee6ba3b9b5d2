"""Check expressions: resolve every name, give every part a type, and reduce options to constants.

Takes syntax, gives `core` expressions.  Absence is settled here: `==` with an optional side is allowed
(and false when it is absent), order and arithmetic are not; all but the last alternative of a chain must
be able to be absent.  Selections, folds and subsets are in `interpreter.analysis.check.selections`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import assert_never

import attrs

from grammar import expressions as syntax
from grammar.diagnostics import UNREAD, Cure, Edit, Severity, write
from grammar.source import Span
from grammar.unparse import text_of
from interpreter.analysis import constant_folding, core, types
from interpreter.analysis.budget import CHECK, spend
from interpreter.analysis.check import conversions, selections
from interpreter.analysis.check.declarations import bound
from interpreter.analysis.check.patterns import check_test
from interpreter.analysis.check.references import check_call, check_index, check_name
from interpreter.analysis.check.set_domains import check_group
from interpreter.analysis.check.type_conformance import (
    advice,
    condition,
    is_literal,
    maybe_absent,
    pair,
    shown,
    slot_under_name,
    typed,
)
from interpreter.analysis.context import Context, Scope, narrowings
from interpreter.analysis.info import Part
from interpreter.analysis.symbols import Local, Zone


def check(cx: Context, expr: syntax.Expr, scope: Scope, expected: types.Type | None = None) -> core.Expr:
    """Check one expression.  Mistakes are reported in the context; the result is always usable."""
    spend(CHECK, expr.span)
    checked = _checked(cx, expr, scope, expected)
    cx.info.note(expr, checked)
    return checked


def _checked(cx: Context, expr: syntax.Expr, scope: Scope, expected: types.Type | None) -> core.Expr:
    match expr:  # The most frequent expressions come first.
        case syntax.Name():
            return check_name(cx, expr, scope, expected)
        case syntax.Number():
            return core.Const(expr.value, types.Int(expr.value, expr.value), expr.span)
        case syntax.Compare():
            return _compare(cx, expr, scope)
        case syntax.Index():
            return check_index(cx, expr, scope)
        case syntax.Logic():
            return _logic(cx, expr, scope)
        case syntax.Attribute():
            return _attribute(cx, expr, scope)
        case syntax.Call():
            return check_call(cx, expr, scope)
        case syntax.Is():
            return _is(cx, expr, scope)
        case syntax.Arithmetic():
            return _arithmetic(cx, expr, scope)
        case syntax.Not():
            return _not(cx, expr, scope)
        case syntax.String():
            help_: str | Cure = "name the value itself, as in `clubs` or `5`"
            inside = expr.span.text[1:-1]
            if inside in cx.values or inside.isdecimal() or inside in ("true", "false", "none"):
                help_ = write(expr.span, expr.span.text[1:-1], "values are names or numbers without quotes")
            return cx.wrong("CG309", "a text is no value in a rule", expr.span, help_)
        case syntax.Bool():
            return core.Const(expr.value, types.BOOL, expr.span)
        case syntax.NoneValue():
            return core.Const(None, types.NOTHING, expr.span)
        case syntax.Each():
            return _each(cx, expr)
        case syntax.Seat():
            return _seat(cx, expr)
        case syntax.SeatByOption():
            return _seat_by_option(cx, expr)
        case syntax.TupleValue():
            items = tuple(check(cx, item, scope) for item in expr.items)
            return core.TupleOf(items, types.Tuple(tuple(i.type for i in items)), expr.span)
        case syntax.GroupCount():
            return check_group(cx, expr)
        case syntax.Fold():
            return selections.check_fold(cx, expr, scope)
        case syntax.Over():
            return selections.check_over(cx, expr, scope)
        case syntax.Among():
            return selections.check_among(cx, expr, scope)
        case syntax.Pick():
            return selections.check_pick(cx, expr, scope)
        case syntax.Extreme():
            return selections.check_extreme(cx, expr, scope)
        case syntax.All():
            return selections.check_all(cx, expr, scope)
        case syntax.Quantified():
            return selections.check_quantified(cx, expr, scope)
        case syntax.Every():
            return selections.check_every(cx, expr, scope)
        case syntax.Divide():
            return _divide(cx, expr, scope)
        case syntax.Negative():
            return _negative(cx, expr, scope)
        case syntax.RangeValue():
            return _range(cx, expr, scope, expected)
        case syntax.CardAt():
            return _end_of(cx, expr, scope)
        case syntax.The():
            return _the(cx, expr, scope, expected)
        case syntax.Chain():
            return _chain(cx, expr, scope, expected)
        case _:
            assert_never(expr)


def _each(cx: Context, expr: syntax.Each) -> core.Expr:
    if cx.each is None:
        return cx.wrong(
            "CG210",
            "`each` has no meaning here",
            expr.span,
            "`each` is the card in question in the `where` of `cards .. from ..` and of a deck line",
        )
    type_ = cx.each.type  # Unknown where what it is chosen from are no cards.
    return core.LocalRef(
        cx.each, types.Card(cx.kinds_of(cx.each)) if isinstance(type_, types.Card) else type_, expr.span
    )


def _seat(cx: Context, expr: syntax.Seat) -> core.Expr:
    if not 1 <= expr.number <= cx.num_players:
        return cx.wrong(
            "CG310",
            f"there is no player {expr.number}",
            expr.span,
            f"this game has players 1 to {cx.num_players} here",
        )
    return core.Const(expr.number - 1, types.PLAYER, expr.span)


def _seat_by_option(cx: Context, expr: syntax.SeatByOption) -> core.Expr:
    number = bound(cx, expr.option)
    return (
        core.Const(None, types.UNKNOWN, expr.span)
        if number is None
        else core.Const((number - 1) % cx.num_players, types.PLAYER, expr.span)
    )


def _attribute(cx: Context, expr: syntax.Attribute, scope: Scope) -> core.Expr:
    base = conversions.card_in(check(cx, expr.base, scope))
    inner = types.base_of(base.type)
    if isinstance(inner, types.Unknown):
        return base
    if isinstance(inner, types.EnumType):
        if expr.name not in inner.attributes:
            message = f"values of {inner} have no `{expr.name}`"
            return cx.unknown("CG203", message, expr.name, expr.span, inner.attributes)
        cx.info.mentions.append((_name_of(expr), Part(inner, expr.name)))
        type_, table = inner.attributes[expr.name]
        result = types.optional(type_) if types.is_optional(base.type) else type_
        return constant_folding.reduced(core.EnumAttr(base, table, result, expr.span))
    if isinstance(inner, types.Card):
        return _card_attribute(cx, expr, base, inner)
    if isinstance(inner, types.Cards):
        place = slot_under_name(cx, base, expr.span)
        if place is not None:
            return place
        help_: str | Cure = f"take one card, as in `(top of ..).{expr.name}`, or all: `sum(c.{expr.name} for c in ..)`"
        if expr.name in _COUNTS:
            help_ = write(expr.span, f"count({expr.base.span.text})")
        return cx.wrong("CG203", f"cards together have no `{expr.name}`", expr.span, help_)
    return cx.wrong("CG203", f"{shown(base.type)} has no `{expr.name}`", expr.span, _of_player(cx, expr, inner))


def _name_of(expr: syntax.Attribute) -> Span:
    """Return where the name of an attribute is, which ends its expression."""
    return Span(expr.span.source, expr.span.end - len(expr.name), expr.span.end)


_COUNTS = ("count", "size", "length", "len", "number")


def _of_player(cx: Context, expr: syntax.Attribute, given: types.Type) -> str | Cure:
    """Return the fix of `p.hand` where `hand` is a family of zones or variables, or an empty text."""
    symbol = cx.symbols.get(expr.name)
    if expr.name == "team" and cx.teams is not None and isinstance(given, types.Player):
        return write(expr.span, f"team({expr.base.span.text})", "the team of a player is a function")
    if not isinstance(symbol, Zone | core.Variable) or given not in symbol.indices:
        return ""
    if len(symbol.indices) == 1:
        return write(expr.span, f"{expr.name}[{expr.base.span.text}]", "what belongs to a player has an index")
    return f"what belongs to a player has an index: `{expr.name}[{', '.join(map(str, symbol.indices))}]`"


def _card_attribute(cx: Context, expr: syntax.Attribute, base: core.Expr, card: types.Card) -> core.Expr:
    kinds = card.kinds
    if isinstance(base, core.LocalRef) and isinstance(base.local.type, types.Card):
        kinds = cx.kinds_of(base.local)
    found: list[types.Type] = []
    having = set()
    for name in sorted(kinds):
        for attribute in cx.kinds[name].attributes:
            if attribute.name == expr.name:
                found.append(attribute.type)
                having.add(name)
                cx.info.mentions.append((_name_of(expr), Part(cx.kinds[name], expr.name)))
    if not found:
        known = [a.name for k in sorted(kinds) for a in cx.kinds[k].attributes]
        whose = " or ".join(sorted(kinds)) or "no card"
        return cx.unknown("CG203", f"{whose} has no `{expr.name}`", expr.name, expr.span, known)
    type_: types.Type = found[0]
    for other in found[1:]:
        joined = types.join(type_, other)
        if joined is None:
            return cx.wrong(
                "CG301",
                f"`{expr.name}` is {shown(type_)} on some cards, {shown(other)} on others",
                expr.span,
            )
        type_ = joined
    if types.is_optional(base.type) or having != set(kinds):
        type_ = types.optional(type_)
    return core.CardAttr(base, expr.name, frozenset(having), type_, expr.span)


def _compare(cx: Context, expr: syntax.Compare, scope: Scope) -> core.Expr:
    left, right = (conversions.card_in(side) for side in pair(cx, expr.left, expr.right, scope))
    if isinstance(left.type, types.Unknown) or isinstance(right.type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    if expr.op in ("==", "!="):
        if (isinstance(left, core.Const) and left.value is None) or (
            isinstance(right, core.Const) and right.value is None
        ):
            literal = isinstance(expr.left, syntax.NoneValue)
            text = (expr.right if literal else expr.left).span.text
            test = write(expr.span, f"{text} is {'not ' * (expr.op == '!=')}none", "absence is tested with `is`")
            known = literal or isinstance(expr.right, syntax.NoneValue)
            return cx.wrong("CG302", "equality with `none` is never true", expr.span,
                            test if known else "write `is none` or `is not none`")  # fmt: skip
        if isinstance(types.base_of(left.type), types.Cards | types.Sequence) and isinstance(
            types.base_of(right.type), types.Cards | types.Sequence
        ):
            return cx.wrong("CG302", f"{shown(left.type)} are not compared as a whole", expr.span,
                            "compare how many they are, or iterate over them: `every c in .. has ..`")  # fmt: skip
        if not types.comparable(left.type, right.type):
            mixed = _mixed(cx, expr, left, right)
            if mixed is not None:
                return mixed
            among = _as_member(expr, left.type, right.type)
            cards = isinstance(types.base_of(left.type), types.Card) and isinstance(
                types.base_of(right.type), types.Card
            )
            message = f"{shown(left.type)} and {shown(right.type)} are never equal"
            return cx.wrong("CG302", message, expr.span, among, about=UNREAD if cards else "")
    else:
        mixed = _mixed(cx, expr, left, right)
        if mixed is not None:
            return mixed
        for side, checked in ((expr.left, left), (expr.right, right)):
            if types.is_optional(checked.type):
                return maybe_absent(cx, "this may be absent, so it has no order", checked, side)
            if not types.ordered(checked.type):
                help_ = "compare with `==` or `!=`"
                return cx.wrong("CG307", f"{shown(checked.type)} has no order", side.span, help_)
        if not types.fits(left.type, right.type):
            return cx.wrong("CG302", f"{shown(left.type)} and {shown(right.type)} cannot be compared", expr.span)
    for side, given, other in ((expr.left, left, right), (expr.right, right, left)):
        if is_literal(side) and not _is_fixed(other) and types.disjoint(given.type, other.type):
            below = types.disjoint(left.type, right.type) and _highest(left) < _highest(right)
            true = expr.op == "!=" or expr.op in (("<", "<=") if below else (">", ">="))
            return cx.wrong("CG310", f"this comparison is {'always' if true else 'never'} true", expr.span,
                            f"the other side is {shown(types.base_of(other.type))}")  # fmt: skip
    _check_order(cx, expr, left, right)
    left, right = (conversions.by_face(side, copies=cx.copies) for side in (left, right))
    return constant_folding.fold(core.Op(expr.op, (left, right), types.BOOL, expr.span))


def _mixed(cx: Context, expr: syntax.Compare, left: core.Expr, right: core.Expr) -> core.Expr | None:
    """Report a comparison of cards, or a player, with a number; None where it is none."""
    for side, given, other, number in (
        (expr.left, left, right, expr.right), (expr.right, right, left, expr.left)
    ):  # fmt: skip
        if not isinstance(types.base_of(other.type), types.Int):
            continue
        code = "CG302" if expr.op in ("==", "!=") else "CG307"
        if isinstance(given.type, types.Cards | types.Sequence):
            cure = _as_member(expr, left.type, right.type) or advice(given.type, types.Int(), side)
            if isinstance(other, core.Const) and other.value == 0 and expr.op in ("==", "!=", ">"):
                test = "is empty" if expr.op == "==" else "is not empty"
                cure = write(expr.span, f"{side.span.text} {test}", "a zone is not a number")
            return cx.wrong(code, f"expected a number, found {shown(given.type)}", side.span, cure)
        if isinstance(given.type, types.Player) and is_literal(number):
            message = "a player is compared with a number"
            return cx.wrong(code, message, number.span, advice(other.type, types.PLAYER, number))
    return None


def _as_member(expr: syntax.Compare, left: types.Type, right: types.Type) -> str | Cure:
    """Return the fix of a comparison of one thing with a group of such things, or an empty text if it is none."""
    swapped = isinstance(left, types.Cards | types.Sequence)
    group, one = (left, types.base_of(right)) if swapped else (right, types.base_of(left))
    item = types.Card(group.kinds) if isinstance(group, types.Cards) else getattr(group, "item", None)
    if item is None or not types.comparable(one, item):
        return ""
    first, second = (expr.right, expr.left) if swapped else (expr.left, expr.right)
    negated = expr.op == "!="
    test = f"`{text_of(syntax.Is(first, syntax.Member(second, span=expr.span), negated, span=expr.span))}`"
    if expr.op not in ("==", "!="):
        return f"compare with one of them, or test membership: {test}"
    edits = [Edit(Span(expr.span.source, expr.left.span.end, expr.right.span.start), f" is {'not ' * negated}in ")]
    if swapped:
        edits += [Edit(expr.left.span, first.span.text), Edit(expr.right.span, second.span.text)]
    return Cure(f"write {test}: a group is no single value", tuple(edits))


def _check_order(cx: Context, expr: syntax.Compare, left: core.Expr, right: core.Expr) -> None:
    """Warn of `<` or `>` against a literal that the range of the other side settles."""
    for literal, other in ((expr.left, right), (expr.right, left)):
        if is_literal(literal) and not _is_fixed(other):
            settled = types.settled_order(expr.op, left.type, right.type)
            if settled is not None:
                help_ = f"the other side is {shown(types.base_of(other.type))}"
                cx.report("CG503", f"this comparison is {'always' if settled else 'never'} true", expr.span, help_,
                          severity=Severity.WARNING)  # fmt: skip


def _is_fixed(expr: core.Expr) -> bool:
    """Say whether a value is known before play: it may differ with the options and the number of players."""
    one = isinstance(expr.type, types.Int) and expr.type.low is not None and expr.type.low == expr.type.high
    return one or isinstance(expr, core.Const)


def _highest(expr: core.Expr) -> float:
    type_ = types.base_of(expr.type)
    return float("inf") if not isinstance(type_, types.Int) or type_.high is None else type_.high


def _is(cx: Context, expr: syntax.Is, scope: Scope) -> core.Expr:
    result = check_test(cx, expr, scope)
    if expr.negated and not isinstance(result.type, types.Unknown):
        return constant_folding.fold(core.Op("not", (result,), types.BOOL, expr.span))
    return result


def _not(cx: Context, expr: syntax.Not, scope: Scope) -> core.Expr:
    return constant_folding.fold(core.Op("not", (condition(cx, expr.value, scope),), types.BOOL, expr.span))


def _logic(cx: Context, expr: syntax.Logic, scope: Scope) -> core.Expr:
    left = condition(cx, expr.left, scope)
    before = cx.passed_over
    with cx.given(left, holds=expr.op == "and"):
        right = condition(cx, expr.right, scope)
    if cx.passed_over > before:
        return left
    return constant_folding.fold(core.Op(expr.op, (left, right), types.BOOL, expr.span))


def _end_of(cx: Context, expr: syntax.CardAt, scope: Scope) -> core.Expr:
    zone = check(cx, expr.zone, scope)
    if isinstance(zone.type, types.Unknown):
        return zone
    if conversions.is_slot(zone):
        return cx.wrong("CG323", f"a slot has no {_ordinal(expr)}", expr.span,
                        f"leave out `{_ordinal(expr)} of`: the name of a slot is its card")  # fmt: skip
    if not isinstance(zone.type, types.Cards):
        return cx.wrong("CG305", f"`{_ordinal(expr)} of` needs a zone, but this is {shown(zone.type)}", expr.zone.span)
    at = expr.at if isinstance(expr.at, str) else place_number(cx, expr.at, scope)
    if isinstance(at, core.Const) and at.value == 1:
        at = "top"
    return core.CardAt(at, zone, types.optional(types.Card(zone.type.kinds)), expr.span)


def _ordinal(expr: syntax.CardAt) -> str:
    """Return which card of a zone is meant, as a spec writes it."""
    return expr.at if isinstance(expr.at, str) else f"card {expr.at.span.text}"


def place_number(cx: Context, number: syntax.Expr, scope: Scope) -> core.Expr:
    """Check the number of a place in a zone, which counts from 1."""
    checked = typed(cx, number, scope, types.Int(), "the number of a card")
    if types.disjoint(checked.type, types.Int(1)):
        cx.report("CG310", "cards are counted from 1", number.span, write(number.span, "1", "write `1` for the first"))
    return checked


def _the(cx: Context, expr: syntax.The, scope: Scope, expected: types.Type | None) -> core.Expr:
    value = conversions.card_in(check(cx, expr.value, scope, expected))
    if isinstance(value.type, types.Unknown):
        return value
    if not types.is_optional(value.type) or isinstance(value, core.Const):
        the = Span(expr.span.source, expr.span.start, expr.value.span.start)
        cure = Cure("leave out `the`", (Edit(the, ""),))
        return cx.wrong("CG304", "this is always present, so `the` has no effect", expr.span, cure)
    return core.Builtin("there", (value,), types.base_of(value.type), expr.span)


def _chain(cx: Context, expr: syntax.Chain, scope: Scope, expected: types.Type | None) -> core.Expr:
    for one, other in pairwise(expr.alternatives):
        between = Span(expr.span.source, one.span.end, other.span.start).text.strip()
        if one.condition is None and between == "else" and isinstance(one.value, syntax.Logic | syntax.Compare):
            message = "this is always present, so its `else` is never reached"
            return cx.wrong("CG304", message, one.span, _in_brackets(one.value, other))
    with cx.during(shut=cx.shut):
        return _alternatives(cx, expr, scope, expected)


_JOINED = (syntax.Logic, syntax.Compare, syntax.Arithmetic)


def _in_brackets(joined: syntax.Expr, other: syntax.Alternative) -> str | Cure:
    """Return the fix of an `else` that belongs to the last part of a longer expression: `a and max(..) else 0 > 3`."""
    first, last = joined, other.value
    while isinstance(first, _JOINED):
        first = first.right
    while isinstance(last, _JOINED):
        last = last.left
    inside = Span(first.span.source, first.span.start, last.span.end).text
    if other.condition is not None or inside.count("(") != inside.count(")"):
        return "brackets go around a value and its `else`, as in `n + (c.rank else 0)`"
    return Cure(f"write `({inside})`: brackets go around a value and its `else`",
                (Edit(first.span.before, "("), Edit(last.span.after, ")")))  # fmt: skip


def _alternatives(cx: Context, expr: syntax.Chain, scope: Scope, expected: types.Type | None) -> core.Expr:
    alternatives: list[tuple[core.Expr | None, core.Expr]] = []
    live: list[syntax.Alternative] = []
    type_: types.Type | None = None
    last = expr.alternatives[-1]
    broken = False
    refused: dict[Local, frozenset[str]] = {}
    for alternative in expr.alternatives:
        test = None
        passed_over, shut = cx.passed_over, cx.shut
        with cx.narrowing(refused):
            if alternative.condition is not None:
                test = condition(cx, alternative.condition, scope)
            with cx.given(test):
                value = check(cx, alternative.value, scope, expected)
        settled = isinstance(test, core.Const) and isinstance(test.value, bool)
        # After an alternative that options settle all others are shut off.
        cx.shut = shut or (settled and isinstance(test, core.Const) and test.value is True)
        if cx.passed_over > passed_over and (shut or settled):
            continue
        live.append(alternative)
        for local, kinds in narrowings(test, holds=False).items():
            refused[local] = refused.get(local, kinds) & kinds
        if alternative is not last and test is None:
            cx.mark_tested(value)
        if isinstance(value.type, types.Unknown) or (test is not None and isinstance(test.type, types.Unknown)):
            broken = True
            continue
        if expected is None and isinstance(types.base_of(value.type), types.EnumType):
            expected = types.base_of(value.type)
        if alternative is not last and test is None and not types.is_optional(value.type):
            rest = Span(expr.span.source, alternative.span.end, expr.span.end)
            words = "leave out the `else` and all after it, or say when this holds: `if .. then ..`"
            cure = Cure(words, (Edit(rest, ""),))
            return cx.wrong("CG304", "this is always present, so its `else` is never reached", alternative.span, cure)
        alternatives.append((test, value))
    if isinstance(expected, types.Sequence):
        alternatives = _in_lists(alternatives)
    for alternative, (test, value) in zip(() if broken else live, alternatives, strict=not broken):
        # An alternative without a condition yields when it is absent: only its present values count.
        kept = types.base_of(value.type) if test is None and alternative is not last else value.type
        joined = kept if type_ is None else types.join(type_, kept)
        if joined is None:
            assert type_ is not None
            return cx.wrong(
                "CG301",
                f"one alternative is {shown(type_)}, this one {shown(value.type)}",
                alternative.span,
            )
        type_ = joined
    if broken or type_ is None:
        return core.Const(None, types.UNKNOWN, expr.span)
    if last.condition is not None:
        type_ = types.optional(type_)
    tags = tuple(a.tags for a in live)
    return constant_folding.fold_chain(core.Chain(tuple(alternatives), type_, expr.span, tags))


def _in_lists(
    alternatives: list[tuple[core.Expr | None, core.Expr]],
) -> list[tuple[core.Expr | None, core.Expr]]:
    """Return alternatives among which one player is beside several, each as a list; others as they are."""
    if not any(isinstance(value.type, types.Sequence) for _, value in alternatives):
        return alternatives
    made: list[tuple[core.Expr | None, core.Expr]] = []
    for number, (test, value) in enumerate(alternatives, start=1):
        if isinstance(types.base_of(value.type), types.Player):
            if test is None and number < len(alternatives):
                # A list of nobody is there; what yields to the next alternative is the absent player.
                test = core.Op("not", (core.IsNone(value, types.BOOL, value.span),), types.BOOL, value.span)
            value = core.Builtin("listed", (value,), types.Sequence(types.PLAYER, 1), value.span)
        made.append((test, value))
    return made


# ---- arithmetic, ranges, and the joining of cards


def _arithmetic(cx: Context, expr: syntax.Arithmetic, scope: Scope) -> core.Expr:
    """Check `a + b`, `a - b`, `a * b`, `a mod b`; `+` and `-` also join and reduce cards."""
    left = cx.expr(expr.left, scope)
    right = cx.expr(expr.right, scope)
    unknown = isinstance(left.type, types.Unknown) or isinstance(right.type, types.Unknown)
    if expr.op in ("+", "-") and unknown:
        return core.Const(None, types.UNKNOWN, expr.span)
    if expr.op in ("+", "-") and isinstance(types.base_of(left.type), types.Cards | types.Card | types.Sequence):
        return _join(cx, expr, left, right)
    if isinstance(types.base_of(left.type), types.Player) and expr.op in ("+", "-"):
        cure = advice(left.type, types.Int(), expr.left)
        if isinstance(right, core.Const) and right.value == 1:
            cure = write(expr.span, f"{'next' if expr.op == '+' else 'previous'}({expr.left.span.text})",
                         "players are no numbers")  # fmt: skip
        return cx.wrong("CG301", "expected a number, found a player", expr.span, cure)
    for side, checked in ((expr.left, left), (expr.right, right)):
        if types.is_optional(checked.type) and isinstance(types.base_of(checked.type), types.Int):
            maybe_absent(cx, "this may be absent, so it cannot be reckoned with", checked, side)
        elif not isinstance(checked.type, types.Int | types.Unknown):
            cx.report("CG301", f"expected a number, found {shown(checked.type)}", side.span,
                      advice(checked.type, types.Int(), side))  # fmt: skip
    if not (isinstance(left.type, types.Int) and isinstance(right.type, types.Int)):
        return core.Const(None, types.UNKNOWN, expr.span)
    if expr.op == "mod" and isinstance(right, core.Const) and right.value == 0:
        return cx.wrong("CG312", "a division by zero", expr.right.span, "divide by a number that is never 0")
    return constant_folding.arithmetic(expr.op, left, right, expr.span)


def _join(cx: Context, expr: syntax.Arithmetic, left: core.Expr, right: core.Expr) -> core.Expr:
    def as_list(checked: core.Expr) -> types.Type:
        match checked.type:
            case types.Card() as card:
                return types.Cards(card.kinds, 1)
            case types.Player() | types.EnumType() | types.Int():
                return types.Sequence(checked.type, 1)
            case other:
                return other

    first, second = as_list(left), as_list(right)
    joined = types.join(first, second)
    if joined is None or not isinstance(joined, types.Cards | types.Sequence):
        message = f"{shown(left.type)} and {shown(right.type)} cannot be joined"
        for side, checked in ((expr.left, left), (expr.right, right)):
            if types.is_optional(checked.type) and isinstance(types.base_of(checked.type), types.Card):
                return maybe_absent(cx, f"{message}: this card may be absent", checked, side)
        return cx.wrong("CG301", message, expr.span)
    if expr.op == "-":
        return core.Op("without", (left, right), first, expr.span)
    assert isinstance(first, types.Cards | types.Sequence)
    assert isinstance(second, types.Cards | types.Sequence)
    both = first.at_most + second.at_most
    if first.at_most < 0 or second.at_most < 0:
        both = -1
    elif isinstance(joined, types.Cards):
        both = min(both, cx.deck_size)
    total = attrs.evolve(joined, at_most=both)
    return core.Op("join", (left, right), total, expr.span)


def _divide(cx: Context, expr: syntax.Divide, scope: Scope) -> core.Expr:
    """Check `a / b rounded up`."""
    left = typed(cx, expr.left, scope, types.Int(), "what is divided")
    right = typed(cx, expr.right, scope, types.Int(), "what divides")
    if expr.rounded not in ("up", "down", "nearest"):
        place = expr.span.part(f"rounded {expr.rounded}")
        cure = Cure("write `rounded down`, `rounded up` or `rounded nearest`", (Edit(place, "rounded down"),))
        return cx.wrong("CG311", f"`rounded {expr.rounded}` says nothing", expr.span, cure)
    if isinstance(right, core.Const) and right.value == 0:
        return cx.wrong("CG312", "a division by zero", expr.right.span, "divide by a number that is never 0")
    if isinstance(left.type, types.Unknown) or isinstance(right.type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    return constant_folding.arithmetic("/" + expr.rounded, left, right, expr.span)


def _negative(cx: Context, expr: syntax.Negative, scope: Scope) -> core.Expr:
    """Check `-a`."""
    value = typed(cx, expr.value, scope, types.Int(), "what is negated")
    if isinstance(value.type, types.Unknown):
        return value
    return constant_folding.arithmetic("-", core.Const(0, types.Int(0, 0), expr.span), value, expr.span)


def _known(number: core.Expr, otherwise: int | None) -> int | None:
    """Return a number that is known before play, or what its type says."""
    match number:
        case core.Const(value=int() as value) if not isinstance(value, bool):
            return value
    return otherwise


def _range(cx: Context, expr: syntax.RangeValue, scope: Scope, expected: types.Type | None) -> core.Expr:
    """Check `1..n` and `arcane..ice`."""
    item = expected.item if isinstance(expected, types.Sequence) else expected
    if isinstance(item, types.EnumType):
        low, high = cx.expr(expr.low, scope, item), cx.expr(expr.high, scope, item)
    else:
        low, high = pair(cx, expr.low, expr.high, scope)
    if isinstance(low.type, types.Unknown) or isinstance(high.type, types.Unknown):
        return core.Const(None, types.UNKNOWN, expr.span)
    if isinstance(low.type, types.EnumType) and low.type == high.type:
        return core.Range(low, high, types.Sequence(low.type, len(low.type.values)), expr.span)
    for side, given in ((low, expr.low), (high, expr.high)):
        if types.is_optional(side.type) and isinstance(types.base_of(side.type), types.Int | types.EnumType):
            return maybe_absent(cx, "this may be absent, so no range ends here", side, given)
        if not isinstance(side.type, types.Int):
            return cx.wrong("CG301", f"a range goes between numbers, but this is {shown(side.type)}", side.span)
    assert isinstance(low.type, types.Int)
    assert isinstance(high.type, types.Int)
    # An option's range says what it could be; here it is what it is.
    bound = types.Int(_known(low, low.type.low), _known(high, high.type.high))
    size = -1
    if bound.low is not None and bound.high is not None:
        size = max(0, bound.high - bound.low + 1)
        if size == 0:
            if is_literal(expr.low) and is_literal(expr.high):
                return cx.wrong("CG313", "this range has no number in it", expr.span, "the lesser number comes first")
            bound = types.Int(bound.low, bound.low)
    return core.Range(low, high, types.Sequence(bound, size), expr.span)
