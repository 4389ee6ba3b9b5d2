"""Check type expressions, and the numbers in declarations that must be known before play."""

from __future__ import annotations

from grammar import expressions as syntax_expr
from grammar.diagnostics import write
from interpreter.analysis import core, types
from interpreter.analysis.context import Context, Scope
from interpreter.analysis.symbols import Kind

INDEX_LIMIT = 1000


def resolve_type(cx: Context, expr: syntax_expr.TypeExpr) -> types.Type:
    """Return the type that a type expression names; mistakes are reported."""
    match expr:
        case syntax_expr.OptionalType():
            return types.optional(resolve_type(cx, expr.base))
        case syntax_expr.RangeType():
            low = bound(cx, expr.low)
            high = bound(cx, expr.high)
            if low is None or high is None:
                return types.UNKNOWN
            if low > high:
                turned = f"{expr.high.span.text}..{expr.low.span.text}"
                cure = write(expr.span, turned, "the lesser number stands first")
                cx.report("CG313", f"the range {low}..{high} has no number in it", expr.span, cure)
                return types.UNKNOWN
            return types.Int(low, high)
        case syntax_expr.NamedType():
            return _named_type(cx, expr)


def _named_type(cx: Context, expr: syntax_expr.NamedType) -> types.Type:
    match expr.name:
        case "boolean":
            return types.BOOL
        case "integer":
            return types.Int()
        case "player":
            return types.PLAYER
        case "card":
            return types.Card(frozenset(cx.kinds))
        case "cards":
            return types.Cards(frozenset(cx.kinds), cx.deck_size)
    symbol = cx.symbols.get(expr.name)
    if isinstance(symbol, types.EnumType):
        return symbol
    if isinstance(symbol, Kind):
        return types.Card(frozenset({symbol.name}))
    known = ["boolean", "integer", "player", "card", "cards"]
    known += [n for n, s in cx.symbols.items() if isinstance(s, types.EnumType | Kind)]
    cx.unknown("CG205", f"`{expr.name}` is no type", expr.name, expr.span, known)
    return types.UNKNOWN


def bound(cx: Context, expr: syntax_expr.Expr) -> int | None:
    """Return a whole number that must be known before play, or None after reporting that it is not."""
    checked = cx.expr(expr, Scope())
    if isinstance(checked.type, types.Unknown):
        return None
    if isinstance(checked, core.Const) and isinstance(checked.value, int) and isinstance(checked.type, types.Int):
        return checked.value
    cx.report(
        "CG314",
        "this number must be known before play",
        expr.span,
        "use numbers, options and `count(players)`",
    )
    return None


def index_types(
    cx: Context, indices: tuple[syntax_expr.TypeExpr, ...]
) -> tuple[tuple[types.Type, ...], tuple[int, ...]]:
    """Return the types of the indices of a family and how many values each has."""
    found, sizes = [], []
    for expr in indices:
        type_ = resolve_type(cx, expr)
        size = cx.num_players if isinstance(type_, types.Player) else types.size_of(type_)
        if not isinstance(type_, types.Unknown) and (size is None or types.is_optional(type_)):
            cx.report("CG315", f"{type_} is no index", expr.span, "index by player, an enumeration or a range")
            type_, size = types.UNKNOWN, 1
        if size is not None and size > INDEX_LIMIT:
            cx.report("CG405", f"an index of {size} values is too large", expr.span, f"at most {INDEX_LIMIT}")
            size = 1
        found.append(type_)
        sizes.append(size or 1)
    return tuple(found), tuple(sizes)
