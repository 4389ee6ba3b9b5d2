"""Evaluate what depends on one card alone, for each card: the constant tables and masks of printed code.

A tree walk over few kinds of nodes, at the time of printing.  Where it stops is what
`interpreter.program.passes.tabulate.CardFunctions` calls a function of a card.
"""

from __future__ import annotations

from typing import Any

from interpreter.analysis import core
from interpreter.analysis.constant_folding import ARITHMETIC, COMPARISONS
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import is_optional


class CardTables:
    """What is printed on the cards of some rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._places = {
            kind: {attribute.name: place for place, attribute in enumerate(found.attributes)}
            for kind, found in rules.kinds.items()
        }

    def of(self, expr: core.Expr, local: Local | None) -> list[Any]:
        """Return what an expression comes to for each card in the place of a local; None where it cannot be asked."""
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
                return None if given is None else int(expr.table[given])
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
