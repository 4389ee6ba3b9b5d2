"""Find what depends on nothing but what is printed on one card.

Such a thing (what a card is worth, whether it counts) has one value for each card, known before play, and is looked
up in a table instead of being carried out.  Whole definitions have the tables `W3`, `W4`, ..; parts of other
expressions get tables as they are printed.  The lines that fill them stand at the end of the generated text.
"""

from __future__ import annotations

from collections.abc import Container

from interpreter.analysis import core
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Define, Local
from interpreter.analysis.types import Card

_PLAIN_OPS = frozenset({"not", "and", "or", "+", "-", "*", "==", "!=", "<", "<=", ">", ">="})
_PLAIN = (core.CardAttr, core.EnumAttr, core.Op, core.IsKind, core.IsNone, core.IsIn, core.Chain, core.TupleOf)


def static_definitions(rules: Rules, *, logged: bool) -> tuple[Define, ...]:
    """Return the definitions that are known before play, those before that others need.

    Logged code carries out those with tags.
    """
    found: dict[Define, None] = {}
    for define in rules.defines:
        if _is_static(define, found) and not (logged and is_tagged(define)):
            found[define] = None
    return tuple(found)


def _is_static(define: Define, known: Container[Define]) -> bool:
    if len(define.params) != 1 or define.lets or define.value is None:
        return False
    (param,) = define.params
    return isinstance(param.type, Card) and StaticParts(known).card_of(define.value) in (param, None)


class StaticParts:
    """Tells of parts of expressions whether they depend on one card alone; `known` are definitions that do."""

    def __init__(self, known: Container[Define]) -> None:
        self.known = known
        self._found: dict[core.Expr, Local | bool | None] = {}

    def card_of(self, expr: core.Expr) -> Local | bool | None:
        """Return the card that an expression depends on, None where on nothing, False where on anything else."""
        if expr not in self._found:
            self._found[expr] = self._reckoned(expr)
        return self._found[expr]

    def _reckoned(self, expr: core.Expr) -> Local | bool | None:
        match expr:
            case core.Const():
                return None
            case core.LocalRef(local=local):
                return local if isinstance(expr.type, Card) else False
            case core.Op(op="mod" | "/down" | "/up" | "/nearest", args=(_, divisor)):
                if not isinstance(divisor, core.Const) or not divisor.value:
                    return False
            case core.Op(op=op) if op not in _PLAIN_OPS:
                return False
            case core.IsIn(domain=domain) if not isinstance(domain, core.Range):
                return False
            case core.Builtin(name=name) if name not in ("face", "min", "max", "distance"):
                return False
            case core.CallDefine(define=define) if define not in self.known:
                return False
            case core.Builtin() | core.CallDefine() | core.Range():
                pass
            case _ if not isinstance(expr, _PLAIN):
                return False
        card: Local | bool | None = None
        for part in core.children(expr):
            of = self.card_of(part)
            if of is False or (of is not None and card is not None and of is not card):
                return False
            card = card if of is None else of
        return card


def is_tagged(define: Define) -> bool:
    """Say whether carrying out a definition reaches rules, which logged code notes."""
    value = define.value
    links = isinstance(value, core.Chain) and any(value.tags)
    return bool(define.declaration.tags) or links
