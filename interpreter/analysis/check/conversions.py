"""Implicit conversions of places to what they hold: a slot to its card, several of a family to all their cards.

What several hold is a `union` of folds over their indices.  Whether they are empty, and how many cards they hold, is
evaluated for each place, so that nobody has to look at a card for it.
"""

from __future__ import annotations

from interpreter.analysis import core
from interpreter.analysis.constant_folding import fold
from interpreter.analysis.types import BOOL, Card, Cards, Int, Sequence, base_of, is_optional, optional


def by_face(expr: core.Expr, *, copies: bool) -> core.Expr:
    """Return what represents a card where it is compared: its face, in a deck with copies, which no player can
    distinguish."""
    if not copies or not isinstance(base_of(expr.type), Card):
        return expr
    type_ = optional(Int(0, None)) if is_optional(expr.type) else Int(0, None)
    return core.Builtin("face", (expr,), type_, expr.span)


def together(zone: core.ZoneRef, binders: list[core.Binder], deck_size: int) -> core.Expr:
    """Return the cards of all the places that a zone is for the values of binders, the last one changing fastest.

    Without binders that is the zone itself.  `deck_size` bounds how many cards there can be.
    """
    cards: core.Expr = zone
    most = zone.zone.capacity
    for binder in reversed(binders):
        values = binder.domain.type.at_most if isinstance(binder.domain.type, Sequence) else -1
        most = deck_size if values < 0 else min(deck_size, most * values)
        kinds = zone.type.kinds if isinstance(zone.type, Cards) else frozenset[str]()
        cards = core.Fold("union", cards, binder, None, Cards(kinds, most), zone.span)
    return cards


def card_in(expr: core.Expr) -> core.Expr:
    """Return the card in a slot, absent where it is empty; everything else as it is."""
    if isinstance(expr, core.ZoneRef) and is_slot(expr) and isinstance(expr.type, Cards):
        return core.CardAt("top", expr, optional(Card(expr.type.kinds)), expr.span)
    return expr


def is_slot(expr: core.Expr) -> bool:
    """Say whether an expression is a slot, which holds one card at most."""
    return isinstance(expr, core.ZoneRef) and expr.zone.kind == "slot" and expr.zone.capacity == 1


def split_union(cards: core.Expr) -> tuple[list[core.Binder], core.Expr]:
    """Return what goes through several places, and the one place it is about; nothing and the cards themselves else."""
    binders = []
    while isinstance(cards, core.Fold) and cards.function == "union":
        binders.append(cards.binder)
        cards = cards.value
    return binders, cards


def is_empty(cards: core.Expr) -> core.Expr:
    """Return whether cards, or a list of values, are none."""
    if isinstance(cards, core.Fold) and cards.function == "union":
        filled = fold(core.Op("not", (is_empty(cards.value),), BOOL, cards.span))
        binder = core.Binder(cards.binder.local, cards.binder.domain, None, filled)
        return core.Select("no", binder, None, BOOL, cards.span)
    return core.Builtin("empty", (cards,), BOOL, cards.span)


def how_many(cards: core.Expr, most: int | None) -> core.Expr:
    """Return the number of cards, or of values of a list; `most` bounds it, None does not."""
    if isinstance(cards, core.Fold) and cards.function == "union":
        return core.Fold("sum", how_many(cards.value, most), cards.binder, None, Int(0, most), cards.span)
    return core.Builtin("count", (cards,), Int(0, most), cards.span)
