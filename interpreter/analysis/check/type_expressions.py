"""Check type expressions, and the numbers in declarations that must be known before play."""

from __future__ import annotations

from grammar import expressions as syntax_expr
from grammar.diagnostics import write
from interpreter.analysis import core
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.symbols import Kind
from interpreter.analysis.types import (
    BOOL,
    PLAYER,
    UNKNOWN,
    Card,
    Cards,
    EnumType,
    Int,
    Player,
    Type,
    Unknown,
    is_optional,
    optional,
    size_of,
)

INDEX_LIMIT = 1000


def resolve_type(cx: Context, expr: syntax_expr.TypeExpr) -> Type:
    """Return the type that a type expression names; mistakes are reported."""
    match expr:
        case syntax_expr.OptionalType():
            return optional(resolve_type(cx, expr.base))
        case syntax_expr.RangeType():
            low = bound(cx, expr.low)
            high = bound(cx, expr.high)
            if low is None or high is None:
                return UNKNOWN
            if low > high:
                turned = f"{expr.high.span.text}..{expr.low.span.text}"
                cure = write(expr.span, turned, "the lesser number stands first")
                cx.report("CG313", f"the range {low}..{high} has no number in it", expr.span, cure)
                return UNKNOWN
            return Int(low, high)
        case syntax_expr.NamedType():
            return _named_type(cx, expr)


def _named_type(cx: Context, expr: syntax_expr.NamedType) -> Type:
    match expr.name:
        case "boolean":
            return BOOL
        case "integer":
            return Int()
        case "player":
            return PLAYER
        case "card":
            return Card(frozenset(cx.kinds))
        case "cards":
            return Cards(frozenset(cx.kinds), cx.deck_size)
    symbol = cx.symbols.get(expr.name)
    if isinstance(symbol, EnumType):
        return symbol
    if isinstance(symbol, Kind):
        return Card(frozenset({symbol.name}))
    known = ["boolean", "integer", "player", "card", "cards"]
    known += [n for n, s in cx.symbols.items() if isinstance(s, EnumType | Kind)]
    cx.unknown("CG205", f"`{expr.name}` is no type", expr.name, expr.span, known)
    return UNKNOWN


def bound(cx: Context, expr: syntax_expr.Expr) -> int | None:
    """Return a whole number that must be known before play, or None after reporting that it is not."""
    checked = cx.expr(expr, Scope())
    if isinstance(checked.type, Unknown):
        return None
    if isinstance(checked, core.Const) and isinstance(checked.value, int) and isinstance(checked.type, Int):
        return checked.value
    cx.report(
        "CG314",
        "this number must be known before play",
        expr.span,
        "use numbers, options and `count(players)`",
    )
    return None


def index_types(cx: Context, indices: tuple[syntax_expr.TypeExpr, ...]) -> tuple[tuple[Type, ...], tuple[int, ...]]:
    """Return the types of the indices of a family and how many values each has."""
    types, sizes = [], []
    for expr in indices:
        type_ = resolve_type(cx, expr)
        size = cx.num_players if isinstance(type_, Player) else size_of(type_)
        if not isinstance(type_, Unknown) and (size is None or is_optional(type_)):
            cx.report("CG315", f"{type_} is no index", expr.span, "index by player, an enumeration or a range")
            type_, size = UNKNOWN, 1
        if size is not None and size > INDEX_LIMIT:
            cx.report("CG405", f"an index of {size} values is too large", expr.span, f"at most {INDEX_LIMIT}")
            size = 1
        types.append(type_)
        sizes.append(size or 1)
    return tuple(types), tuple(sizes)
