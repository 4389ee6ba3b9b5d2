"""Functions of one card: expressions that depend on a card alone, and their values for each card.

What a card is worth, or whether it counts, has one value for each card, known before play.  `CardFunctions` finds such
expressions; `CardTables` evaluates them for all cards by a walk over their trees, at the time of printing.  In printed
code they are constant tables and masks.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any, assert_never

import attrs

from interpreter.analysis import core
from interpreter.analysis.constant_folding import ARITHMETIC, COMPARISONS
from interpreter.analysis.core import Define
from interpreter.analysis.memoized import Memoized
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Card, is_optional
from interpreter.program.facts import is_tagged

_PLAIN_OPS = frozenset({"not", "and", "or", "+", "-", "*", "==", "!=", "<", "<=", ">", ">="})
_DIVISIONS = frozenset({"mod", "/down", "/up", "/nearest"})


def definitions_of_cards(rules: Rules, *, logged: bool) -> tuple[Define, ...]:
    """Return the definitions that depend on one card alone, those before that others need.

    Logged code carries out those with tags.
    """
    found: dict[Define, None] = {}
    for define in rules.defines:
        if _is_of_a_card(define, CardFunctions(found)) and not (logged and is_tagged(define)):
            found[define] = None
    return tuple(found)


def _is_of_a_card(define: Define, functions: CardFunctions) -> bool:
    if len(define.params) != 1 or define.lets or define.value is None:
        return False
    (param,) = define.params
    return isinstance(param.type, Card) and functions.card_of(define.value) in (param, None)


@attrs.define(slots=False)
class CardFunctions:
    """Decides for expressions whether they depend on one card alone; `known` are definitions that do."""

    known: Container[Define]

    @Memoized
    def card_of(self, expr: core.Expr) -> Local | bool | None:
        """Return the card that an expression depends on, None where on nothing, False where on anything else."""
        match expr:
            case core.Const():
                return None
            case core.LocalRef(local=local):
                return local if isinstance(expr.type, Card) else False
            case core.Op(op=op, args=args):
                divides = op in _DIVISIONS and isinstance(args[1], core.Const) and bool(args[1].value)
                plain = divides or op in _PLAIN_OPS
            case core.IsIn(domain=domain):
                plain = isinstance(domain, core.Range)
            case core.Builtin(function=function):
                plain = function.of_card
            case core.CallDefine(define=define):
                plain = define in self.known
            case (
                core.CardAttr() | core.EnumAttr() | core.IsKind() | core.IsNone() | core.Range() | core.Chain()
                | core.TupleOf()
            ):  # fmt: skip
                plain = True
            case (
                core.VarRef() | core.ZoneRef() | core.Select() | core.Fold() | core.Extreme() | core.Sorted()
                | core.CardAt() | core.SetFoldRef() | core.SomeSubset() | core.Subsets() | core.Rests()
            ):  # fmt: skip
                plain = False
            case _:
                assert_never(expr)
        if not plain:
            return False
        card: Local | bool | None = None
        for part in core.children(expr):
            of = self.card_of(part)
            if of is False or (of is not None and card is not None and of is not card):
                return False
            card = card if of is None else of
        return card

    def is_function_of(self, expr: core.Expr, card: Local) -> bool:
        """Say whether an expression depends on that card alone, and is more than the card."""
        return not isinstance(expr, core.LocalRef) and self.card_of(expr) is card


class CardTables:
    """Tables of the values of expressions for each card of the rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._places = {
            kind: {attribute.name: place for place, attribute in enumerate(found.attributes)}
            for kind, found in rules.kinds.items()
        }

    def of(self, expr: core.Expr, local: Local | None) -> list[Any]:
        """Return what an expression comes to for each card in the place of a local; None where it has no value."""
        found: list[Any] = []
        for card in range(len(self.rules.card_faces)):
            try:
                found.append(self._value(expr, {} if local is None else {local: card}))
            except (TypeError, LookupError):
                found.append(None)
        return found

    def attribute(self, name: str) -> list[int | bool | None]:
        """Return an attribute of each card, None where it has none."""
        return [self._attribute(card, name) for card in range(len(self.rules.card_faces))]

    def passing(self, test: core.KindTest) -> tuple[list[bool], list[tuple[str, core.Expr]]]:
        """Return whether each card passes what is fixed in a pattern, and the parts that play must decide."""
        open_ = [(a, e) for a, e in test.attributes if not isinstance(e, tuple) and not _is_fixed(e)]
        return [self._passes(card, test, {}, fixed=True) for card in range(len(self.rules.card_faces))], open_

    def _attribute(self, card: int, name: str) -> int | bool | None:
        face = self.rules.faces[self.rules.card_faces[card]]
        place = self._places[face.kind].get(name)
        return None if place is None else face.values[place]

    def _passes(self, card: int, test: core.KindTest, known: dict[Local, Any], *, fixed: bool) -> bool:
        if self.rules.faces[self.rules.card_faces[card]].kind not in test.kinds:
            return False
        for name, wanted in test.attributes:
            if fixed and not isinstance(wanted, tuple) and not _is_fixed(wanted):
                continue
            has = self._attribute(card, name)
            if isinstance(wanted, tuple):
                if has is None or not wanted[0] <= has <= wanted[1]:
                    return False
            elif has != self._value(wanted, known):
                return False
        return True

    def _value(self, expr: core.Expr, known: dict[Local, Any]) -> Any:
        def value(part: core.Expr) -> Any:
            return self._value(part, known)

        match expr:
            case core.Const():
                return None if expr.value is None else int(expr.value)
            case core.LocalRef(local=local):
                return known[local]
            case core.CardAttr():
                card = value(expr.card)
                printed = None if card is None else self._attribute(card, expr.name)
                return None if printed is None else int(printed)
            case core.EnumAttr():
                given = value(expr.value)
                cell = None if given is None else expr.table[given]
                return None if cell is None else int(cell)
            case core.Op(op="not", args=(inner,)):
                return int(not value(inner))
            case core.Op(op="and", args=args):
                return int(all(value(arg) for arg in args))
            case core.Op(op="or", args=args):
                return int(any(value(arg) for arg in args))
            case core.Op(op="==" | "!=" as op, args=(left, right)):
                one, other = value(left), value(right)
                equal = one == other and not (one is None and is_optional(left.type) and is_optional(right.type))
                return int(equal == (op == "=="))
            case core.Op(op=op, args=(left, right)):
                return int((COMPARISONS.get(op) or ARITHMETIC[op])(value(left), value(right)))
            case core.IsKind():
                card = value(expr.card)
                return int(card is not None and self._passes(card, expr.test, known, fixed=False))
            case core.IsNone():
                return int(value(expr.value) is None)
            case core.IsIn(domain=core.Range(low=low, high=high)):
                given = value(expr.value)
                return int(given is not None and value(low) <= given <= value(high))
            case core.Chain():
                for condition, then in expr.alternatives:
                    if condition is None:
                        if (given := value(then)) is not None:
                            return given
                    elif value(condition):
                        return value(then)
                return None
            case core.TupleOf():
                return tuple(map(value, expr.items))
            case core.Builtin(name="face", args=(card_,)):
                card = value(card_)
                return None if card is None else self.rules.card_faces[card]
            case core.Builtin(function=function, args=args) if function.value is not None:
                return function.value(*map(value, args))
            case core.CallDefine():
                return self._called(expr, [value(arg) for arg in expr.args])
        raise LookupError(expr)

    def _called(self, call: core.CallDefine, given: list[Any]) -> Any:
        for arg, param, has in zip(call.args, call.define.params, given, strict=True):
            if has is None and is_optional(arg.type) and not is_optional(param.type):
                return None
        assert call.define.value is not None
        return self._value(call.define.value, dict(zip(call.define.params, given, strict=True)))


def _is_fixed(wanted: core.Expr) -> bool:
    return isinstance(wanted, core.Const) and wanted.value is not None
