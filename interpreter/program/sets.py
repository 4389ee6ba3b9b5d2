"""Print the conditions on sets of cards: which cards can still be picked, and whether a subset exists.

Five forms, from the cheapest: no condition at all; conditions that every part of a good set fulfils too
(all the same suit, at most 12), tested card by card; one sum or count, as a table of bits; several sums and
counts with bounds, side by side in one number; anything else that depends on the set through measures, as a
table of the results that the measures can have.
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from typing import Protocol

from grammar.source import Span
from interpreter.analysis import core, measures
from interpreter.analysis.substitution import substitute
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Int


class Printer(Protocol):
    """What prints the expressions in a condition: `interpreter.program.expressions`, which asks here about sets."""

    measures: dict[core.SetFold, str]
    """The text of the result of each measure, where it has one."""

    def print(self, expr: core.Expr) -> str:
        """Return the text of an expression."""

    def test(self, expr: core.Expr) -> str:
        """Return a text that is true where a condition holds, though it need not be a truth value."""

    def table_of(self, expr: core.Expr, card: Local) -> str | None:
        """Return the table of what an expression comes to for each card, if it depends on that card alone."""

    def binding(self, names: dict[Local, str]) -> AbstractContextManager[None]:
        """Let locals have other texts for the time being."""

    def fresh(self) -> str:
        """Return a name that nothing else has."""


def print_set(printer: Printer, arg: core.Arg) -> list[str]:
    """Return the lines of a function body that returns the `SetChoice` of an argument.

    The names of earlier arguments must be bound by the caller.
    """
    domain = printer.print(arg.domain)
    if arg.where is not None:
        name = printer.fresh()
        with printer.binding({arg.each: name}):
            domain = f"[{name} for {name} in {domain} if {printer.print(arg.where)}]"
    low = "0" if arg.low is None else printer.print(arg.low)
    high = "None" if arg.high is None else printer.print(arg.high)
    lines = [f"cards = sorted({domain})"]
    condition = arg.on_set
    if condition is None:
        return [*lines, f"return Plain(cards, {low}, {high})"]
    if not condition.folds:  # Nothing is asked of the set itself.
        return [*lines, f"return Plain(cards, {low}, {high} if {printer.test(condition.condition)} else -1)"]
    hereditary = _hereditary(printer, condition)
    if hereditary is not None:
        test, fair = hereditary
        # Where not even the empty set is good, none is.
        most = f"{high} if {fair} else -1" if fair else high
        return [*lines, f"return Hereditary(cards, {low}, {most}, {test})"]
    plain_bounds = arg.high is None and (
        arg.low is None or (isinstance(arg.low, core.Const) and arg.low.value in (0, 1))
    )
    if plain_bounds and measures.is_one_sum(condition):
        values = _values(printer, condition.folds[0])
        lines.append(f"values = [{values[1]} for {values[0]} in cards]")
        needed = _needs_reach(condition.condition, condition.folds[0])
        # Every sum up to the greatest will do where it is found out while picking which can be reached.
        lines.append(f"bits = {'sums(values)' if needed else '(2 << sum(values)) - 1'}")
        accepted = mask(printer, condition.condition, "bits", condition.folds[0])
        lines.append(f"return Sums(cards, {low}, values, {accepted})")
        return lines
    return [*lines, f"return {_weighed(printer, condition, 'cards', low, high)}"]


def _values(printer: Printer, fold: core.SetFold) -> tuple[str, str]:
    """Return a name for a card and the text of what it adds to a measure; None where it is left out."""
    name = printer.fresh()
    with printer.binding({fold.card: name}):
        value = "1" if fold.value is None else printer.print(fold.value)
        if fold.where is not None:
            nothing = "0" if fold.function in ("sum", "count") else "None"
            value = f"({value} if {printer.print(fold.where)} else {nothing})"
    return name, value


def _needs_reach(condition: core.Expr, fold: core.SetFold) -> bool:
    """Say whether a condition lets sums without end pass, unless it begins with those that can be reached."""
    match condition:
        case core.Const(value=False):
            return False
        case core.Op(op="and", args=(left, _)):
            return _needs_reach(left, fold)
        case core.Op(op="or", args=(left, right)):
            return _needs_reach(left, fold) or _needs_reach(right, fold)
        case core.Op(op="==" | "<=" | "<", args=(left, right)):
            return not (measures.is_measure(left, fold) and not measures.mentions(right, fold))
        case core.CallDefine() if measures.opened(condition) is not condition:
            return _needs_reach(measures.opened(condition), fold)
        case core.SomeSubset():
            return not measures.is_sum_against_sum(condition, fold)
        case _:
            return True


def mask(printer: Printer, condition: core.Expr, reach: str, fold: core.SetFold) -> str:
    """Return the sums, among those of `reach`, for which a condition on the measure holds, as a text of bits."""
    match condition:
        case core.Const(value=bool(value)):
            return reach if value else "0"
        case core.Op(op="and", args=(left, right)):
            # The dearer test sees only what the cheaper one left.
            first = mask(printer, left, reach, fold)
            name = printer.fresh()
            return _once(name, mask(printer, right, name, fold), first)
        case core.Op(op="or", args=(left, right)):
            return f"({mask(printer, left, reach, fold)} | {mask(printer, right, reach, fold)})"
        case core.Op(op="not", args=(inner,)):
            return f"({reach} & ~{mask(printer, inner, reach, fold)})"
        case core.Op(op=op, args=(left, right)) if op in measures.COMPARISONS:
            for side, other, sense in ((left, right, op), (right, left, _TURNED[op])):
                if measures.is_measure(side, fold) and not measures.mentions(other, fold):
                    return f"bits_{_WORDS[sense]}({reach}, {printer.print(other)})"
        case core.CallDefine() if measures.opened(condition) is not condition:
            return mask(printer, measures.opened(condition), reach, fold)
        case core.SomeSubset() if measures.is_sum_against_sum(condition, fold):
            # Some subset there has the same sum as this set: the two tables, one over the other.
            name, added = _values(printer, condition.such_that.folds[0])
            return f"({reach} & sums([{added} for {name} in {printer.print(condition.cards)}]))"
    number = printer.fresh()
    printer.measures[fold] = number
    return f"bits_where({reach}, lambda {number}: {printer.print(condition)})"


def _once(name: str, text: str, value: str) -> str:
    """Return a text in which a name stands for a value that is worked out once."""
    if len(re.findall(rf"\b{name}\b", text)) == 1 and "lambda" not in text and " for " not in text:
        return re.sub(rf"\b{name}\b", lambda _: value, text)
    return f"(lambda {name}: {text})({value})"


_WORDS = {"==": "equal", "<": "below", "<=": "up_to", ">": "above", ">=": "from"}
_TURNED = {"==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _hereditary(printer: Printer, condition: core.SetCondition) -> tuple[str, str] | None:
    """Return a test `(picked, card) -> bool` where each part of a good set is good, else None.

    With it comes the condition under which the empty set is good (no text: always).
    """
    tests: list[str] = []
    fair: list[str] = []
    picked, card = printer.fresh(), printer.fresh()
    for part in _conjuncts(condition.condition):
        match part:
            case core.SetFoldRef(fold=fold) if fold.function in ("same", "different") and fold in condition.folds:
                if fold.where is not None or fold.value is None:
                    return None
                with printer.binding({fold.card: card}):
                    new = printer.print(fold.value)
                if fold.function == "same":
                    with printer.binding({fold.card: f"{picked}[0]"}):
                        tests.append(f"(not {picked} or {new} == {printer.print(fold.value)})")
                else:
                    name, value = _values(printer, fold)
                    tests.append(f"{new} not in [{value} for {name} in {picked}]")
            case core.Op(op="<=" | "<" as op, args=(core.SetFoldRef(fold=fold), bound)) if (
                fold in condition.folds
                and measures.grows(fold)
                and not any(measures.mentions(bound, f) for f in condition.folds)
            ):
                name, value = _values(printer, fold)
                total = f"sum([{value} for {name} in (*{picked}, {card})])"
                tests.append(f"{total} {op} {printer.print(bound)}")
                fair.append(f"0 {op} {printer.print(bound)}")
            case _:
                return None
    return f"lambda {picked}, {card}: {' and '.join(tests)}", " and ".join(fair)


def _conjuncts(expr: core.Expr) -> list[core.Expr]:
    if isinstance(expr, core.Op) and expr.op == "and":
        return [c for a in expr.args for c in _conjuncts(a)]
    return [expr]


def _weighed(printer: Printer, condition: core.SetCondition, cards: str, low: str, high: str) -> str:
    """Return the choice of a set by any condition on measures."""
    if all(map(_width, condition.folds)):
        added, shift, test = _totals(printer, condition, cards)
        return f"Totals({cards}, {low}, {high}, {added}, {shift}, {test})"
    parts, test = _measures(printer, condition)
    return f"Measures({cards}, {low}, {high}, {parts}, {test})"


def _width(fold: core.SetFold) -> int:
    """Return how many bits hold a sum or count; 0 for one without a bound, and for all other measures."""
    if not measures.grows(fold) or not isinstance(fold.type, Int) or fold.type.high is None:
        return 0
    return max(1, fold.type.high.bit_length())


def _totals(printer: Printer, condition: core.SetCondition, cards: str) -> tuple[str, int, str]:
    """Return what each card adds to all sums at once, the bit from which on cards are counted, and the test."""
    total = printer.fresh()
    shift = 0
    parts: list[core.Expr] = []
    span = condition.condition.span
    card = condition.folds[0].card
    for fold in condition.folds:
        width = _width(fold)
        printer.measures[fold] = f"({total} >> {shift} & {(1 << width) - 1})"
        own = core.LocalRef(card, card.type, span)
        parts.append(substitute(_times(_added(fold, span), 1 << shift), {fold.card: own}))
        shift += width
    test = f"lambda {total}: {printer.print(condition.condition)}"
    whole: core.Expr = _number(1 << shift, span)
    for part in parts:
        whole = core.Op("+", (whole, part), Int(), span)
    table = printer.table_of(whole, card)
    if table is None:
        name = printer.fresh()
        with printer.binding({card: name}):
            table = f"{{{name}: {printer.print(whole)} for {name} in {cards}}}"
    return table, shift, test


def _added(fold: core.SetFold, span: Span) -> core.Expr:
    """Return what a card adds to a sum or count."""
    value = _number(1, span) if fold.value is None else fold.value
    if fold.where is None:
        return value
    return core.Chain(((fold.where, value), (None, _number(0, span))), Int(), span)


def _times(expr: core.Expr, factor: int) -> core.Expr:
    return expr if factor == 1 else core.Op("*", (expr, _number(factor, expr.span)), Int(), expr.span)


def _number(value: int, span: Span) -> core.Const:
    return core.Const(value, Int(value, value), span)


def _measures(printer: Printer, condition: core.SetCondition) -> tuple[str, str]:
    """Return the measures as `((function, card -> value), ..)` and the test of their results."""
    parts = []
    names = []
    for fold in condition.folds:
        name, value = _values(printer, fold)
        parts.append(f"({fold.function!r}, lambda {name}: {value})")
        names.append(printer.fresh())
        printer.measures[fold] = names[-1]
    test = f"lambda {', '.join(names)}: {printer.print(condition.condition)}"
    return f"({', '.join(parts)},)", test


def print_some_subset(printer: Printer, expr: core.SomeSubset) -> str:
    """Return whether some subset of cards fulfils a condition on measures."""
    cards = printer.print(expr.cards)
    if expr.low is None and expr.high is None and measures.is_one_sum(expr.such_that):
        name, value = _values(printer, expr.such_that.folds[0])
        bits = printer.fresh()
        test = mask(printer, expr.such_that.condition, bits, expr.such_that.folds[0])
        return f"({_once(bits, test, f'sums([{value} for {name} in {cards}])')} != 0)"
    low = "0" if expr.low is None else printer.print(expr.low)
    high = "None" if expr.high is None else printer.print(expr.high)
    return f"{_weighed(printer, expr.such_that, f'sorted({cards})', low, high)}.possible()"
