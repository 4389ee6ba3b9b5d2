"""Check what moves, hides or shows cards: `move`, `deal`, `swap`, `shuffle`, `turn`, `show`."""

from __future__ import annotations

from typing import Literal

from grammar import statements as syntax
from grammar.diagnostics import Cure, Edit
from grammar.expressions import Expr
from grammar.source import Span
from interpreter.analysis import core, places
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.expressions import check as check_expr
from interpreter.analysis.types import PLAYER, Card, Cards, Int, Unknown, base_of
from interpreter.analysis.wanted import shown, typed

Block = tuple[core.Stmt, ...]


def _zone_ref(cx: Context, expr: Expr, scope: Scope, what: str) -> core.ZoneRef | None:
    """Check an expression that must name a zone."""
    before, cx.one_place = cx.one_place, True
    try:
        return _zone_of(cx, check_expr(cx, expr, scope), expr.span, what)
    finally:
        cx.one_place = before


def _zone_of(cx: Context, checked: core.Expr, span: Span, what: str) -> core.ZoneRef | None:
    if isinstance(checked, core.ZoneRef):
        return checked
    if not isinstance(checked.type, Unknown):
        several = isinstance(checked, core.Fold)
        cx.report("CG305", f"{what} must be a zone, but this is {shown(checked.type)}", span,
                  "name one place at a time, as in `for p in players: ..`" if several else "")  # fmt: skip
    return None


def _cards_expr(cx: Context, expr: Expr, scope: Scope, what: str) -> core.Expr | None:
    """Check an expression that must be one card, perhaps absent, or cards."""
    checked = check_expr(cx, expr, scope)
    if isinstance(checked.type, Unknown):
        return None
    if isinstance(base_of(checked.type), Card | Cards):
        return checked
    cx.report("CG301", f"{what} must be cards, but this is {shown(checked.type)}", expr.span)
    return None


def _place_by_place(binders: list[core.Binder], stmt: core.Stmt) -> Block:
    """Return a statement about a place carried out for each that binders go through."""
    made: Block = (stmt,)
    for binder in reversed(binders):
        made = (core.For(binder, made, stmt.span, stmt.tags),)
    return made


def _face(cx: Context, face: str | None, span: Span) -> Literal["up", "down"] | None:
    if face is None or face in ("up", "down"):
        return face  # type: ignore[return-value]
    place = span.part(f"face {face}")
    cure = Cure("write `face down` or `face up`", (Edit(place, "face down"),))
    cx.report("CG322", f"a card lies face up or face down, not face {face}", place, cure)
    return None


def _check_at(cx: Context, at: str | None, target: core.ZoneRef, span: Span) -> None:
    if at is not None and target.zone.kind != "pile":
        cx.report("CG323", f"`{target.zone.name}` is no pile, so it has no {at}", span)


def check_move(cx: Context, stmt: syntax.Move, scope: Scope) -> Block:
    """Check the move of one card or of several."""
    cards = _cards_expr(cx, stmt.cards, scope, "what is moved")
    target = _zone_ref(cx, stmt.target, scope, "where cards go")
    by = None
    if stmt.played_by is not None:
        by = typed(cx, stmt.played_by, scope, PLAYER, "who played it")
    if cards is None or target is None:
        return ()
    _check_at(cx, stmt.at, target, stmt.span)
    if by is not None and target.zone.kind != "row":
        cx.report("CG323", f"only a row remembers who played a card; `{target.zone.name}` is a "
                  f"{target.zone.kind}", stmt.span)  # fmt: skip
    face = _face(cx, stmt.face, stmt.span)
    binders, cards = places.apart(cards)
    return _place_by_place(binders, core.Move(cards, target, stmt.at, face, by, stmt.span, stmt.tags))


def check_deal(cx: Context, stmt: syntax.Deal, scope: Scope) -> Block:
    """Check a deal from the top of a pile."""
    count = typed(cx, stmt.count, scope, Int(), "how many cards are dealt")
    origin = _zone_ref(cx, stmt.origin, scope, "what is dealt from")
    binders, targets = places.apart(check_expr(cx, stmt.target, scope))
    target = _zone_of(cx, targets, stmt.target.span, "where cards go")
    if origin is None or target is None:
        return ()
    if origin.zone.kind != "pile":
        cx.report("CG323", f"`{origin.zone.name}` is no pile, so it has no top to deal from", stmt.origin.span,
                  "move chosen cards with `move .. to ..`")  # fmt: skip
    _check_at(cx, stmt.at, target, stmt.span)
    face = _face(cx, stmt.face, stmt.span)
    return _place_by_place(binders, core.Deal(count, origin, target, stmt.exactly, stmt.at, face, stmt.span, stmt.tags))


def check_swap(cx: Context, stmt: syntax.Swap, scope: Scope) -> Block:
    """Check an exchange of two zones."""
    first = _zone_ref(cx, stmt.first, scope, "what is swapped")
    second = _zone_ref(cx, stmt.second, scope, "what is swapped")
    if first is None or second is None:
        return ()
    return (core.Swap(first, second, stmt.span, stmt.tags),)


def check_shuffle(cx: Context, stmt: syntax.Shuffle, scope: Scope) -> Block:
    """Check the shuffle of a pile."""
    cards = None
    if stmt.into is not None:
        cards = _cards_expr(cx, stmt.cards, scope, "what is shuffled in")
        if cards is None:
            return ()
    zone = _zone_ref(cx, stmt.into if stmt.into is not None else stmt.cards, scope, "what is shuffled")
    if zone is None:
        return ()
    if zone.zone.kind != "pile":
        cx.report("CG323", f"`{zone.zone.name}` is no pile, so it has no order to shuffle", stmt.span)
    elif zone.zone.seen_by != "nobody":
        cx.report("CG324", f"`{zone.zone.name}` is seen by {zone.zone.seen_by}, so shuffling it hides nothing",
                  stmt.span, "shuffle a pile that nobody sees")  # fmt: skip
    return (core.Shuffle(zone, cards, stmt.span, stmt.tags),)


def check_turn(cx: Context, stmt: syntax.Turn, scope: Scope) -> Block:
    """Check the turning of cards."""
    cards = _cards_expr(cx, stmt.cards, scope, "what is turned")
    face = _face(cx, stmt.face, stmt.span)
    if cards is None or face is None:
        return ()
    binders, cards = places.apart(cards)
    return _place_by_place(binders, core.Turn(cards, face, stmt.span, stmt.tags))


def check_show(cx: Context, stmt: syntax.Show, scope: Scope) -> Block:
    """Check the showing of cards."""
    cards = _cards_expr(cx, stmt.cards, scope, "what is shown")
    to = None if stmt.to is None else typed(cx, stmt.to, scope, PLAYER, "who is shown it")
    if cards is None:
        return ()
    binders, cards = places.apart(cards)
    return _place_by_place(binders, core.Show(cards, to, stmt.span, stmt.tags))
