"""Find the definitions that depend on nothing but what is printed on one card.

Such a definition (what a card is worth, whether it counts) has one value for each card, known before play, and is
looked up in a table instead of being carried out.  The tables `W3`, `W4`, .. are filled when the code is made.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.analysis import core
from interpreter.analysis.rules import Rules
from interpreter.analysis.symbols import Define, Local
from interpreter.analysis.types import Card

_PLAIN_OPS = frozenset({"not", "and", "or", "+", "-", "*", "==", "!=", "<", "<=", ">", ">="})


def static_definitions(rules: Rules, *, logged: bool) -> tuple[Define, ...]:
    """Return the definitions that are known before play, those before that others need.

    Logged code carries out those with tags.
    """
    found: list[Define] = []
    for define in rules.defines:
        if _is_static(define, found) and not (logged and is_tagged(define)):
            found.append(define)
    return tuple(found)


def table_of(define: Define, rules: Rules, function: Callable[..., object]) -> list[object]:
    """Return what a definition comes to for each card; None for cards that its parameter cannot be."""
    (param,) = define.params
    assert isinstance(param.type, Card)
    kinds = [rules.faces[face].kind for face in rules.card_faces]
    return [function(None, (), (), card) if kind in param.type.kinds else None for card, kind in enumerate(kinds)]


def _is_static(define: Define, known: list[Define]) -> bool:
    if len(define.params) != 1 or define.lets or define.value is None:
        return False
    (param,) = define.params
    return isinstance(param.type, Card) and _reads_only(define.value, param, known)


def _reads_only(expr: core.Expr, card: Local, known: list[Define]) -> bool:
    """Whether an expression can be reckoned for every card, from what is printed on it alone."""
    match expr:
        case core.Const():
            return True
        case core.LocalRef(local=local):
            return local is card
        case core.CardAttr() | core.EnumAttr() | core.IsKind() | core.IsNone() | core.Chain():
            pass
        case core.IsIn(domain=core.Range()) | core.Range():
            pass
        case core.Op(op=op):
            if op not in _PLAIN_OPS:
                return False
        case core.Builtin(name=name):
            if name not in ("min", "max", "distance"):
                return False
        case core.CallDefine(define=define):
            if define not in known:
                return False
        case _:
            return False
    return all(_reads_only(part, card, known) for part in core.children(expr))


def is_tagged(define: Define) -> bool:
    """Say whether carrying out a definition reaches rules, which logged code notes."""
    value = define.value
    links = isinstance(value, core.Chain) and any(value.tags)
    return bool(define.declaration.tags) or links
