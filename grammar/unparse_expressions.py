"""Write expressions, types, patterns and arguments back as text, with as few brackets as can be.

Each function returns text that parses to an equal node.  Brackets are set by the level of the grammar at
which a node stands: where a rule asks for a `sum`, whatever binds less gets brackets.
"""

from __future__ import annotations

from typing import assert_never

from grammar import expressions as ast
from grammar.expressions import Arg, Condition, Expr, Pattern, TypeExpr

# The levels of the grammar, from what binds least.  At OPEN, picks may stand as the last operand.
EXPR, OPEN, OR, AND, NOT, COMPARISON, RANGE, SUM, PRODUCT, UNARY, PLACE, POSTFIX = range(12)

_PICKS = (ast.Pick, ast.Extreme, ast.All, ast.Quantified, ast.Every)


def expression(expr: Expr, level: int = EXPR) -> str:
    """Return an expression as text, in brackets if it binds less than the level asks for."""
    own, text = _written(expr, level)
    return text if own >= level else f"({text})"


def _written(expr: Expr, level: int) -> tuple[int, str]:
    """Return the level of an expression, and its text."""
    match expr:
        case ast.Chain():
            return EXPR, " else ".join(alternative(a) for a in expr.alternatives)
        case ast.Pick() | ast.Extreme() | ast.All() | ast.Quantified() | ast.Every():
            return OPEN, _pick(expr)
        case ast.Logic():
            return _logic(expr, level)
        case ast.Not():
            return NOT, f"not {expression(expr.value, NOT)}"
        case ast.Compare():
            return COMPARISON, f"{expression(expr.left, RANGE)} {expr.op} {expression(expr.right, RANGE)}"
        case ast.Is():
            return COMPARISON, f"{expression(expr.value, RANGE)} is {'not ' * expr.negated}{_test(expr.test)}"
        case ast.RangeValue():
            return RANGE, f"{expression(expr.low, SUM)}..{expression(expr.high, SUM)}"
        case ast.Arithmetic(op="+" | "-"):
            return SUM, f"{expression(expr.left, SUM)} {expr.op} {expression(expr.right, PRODUCT)}"
        case ast.Arithmetic():
            return PRODUCT, f"{expression(expr.left, PRODUCT)} {expr.op} {expression(expr.right, UNARY)}"
        case ast.Divide():
            left, right = expression(expr.left, PRODUCT), expression(expr.right, UNARY)
            return PRODUCT, f"{left} / {right} rounded {expr.rounded}"
        case ast.The(value=value):
            return (OPEN, _pick(expr)) if _is_pick(value) else (UNARY, f"the {expression(value, PLACE)}")
        case ast.Negative():
            return UNARY, f"-{expression(expr.value, UNARY)}"
        case ast.EndOf():
            return PLACE, f"{expr.which} of {expression(expr.zone, POSTFIX)}"
        case _:
            return POSTFIX, _atom(expr)


_Atom = (
    ast.Name
    | ast.Number
    | ast.String
    | ast.Bool
    | ast.NoneValue
    | ast.Each
    | ast.Seat
    | ast.SeatByOption
    | ast.TupleValue
    | ast.Attribute
    | ast.Index
    | ast.Call
    | ast.Over
    | ast.Fold
)


def _atom(expr: _Atom) -> str:
    match expr:
        case ast.Name():
            return expr.name
        case ast.Number():
            return str(expr.value)
        case ast.String():
            return quoted(expr.value)
        case ast.Bool():
            return "true" if expr.value else "false"
        case ast.NoneValue():
            return "none"
        case ast.Each():
            return "each"
        case ast.Seat():
            return f"player {expr.number}"
        case ast.SeatByOption():
            return f"player {expression(expr.option, POSTFIX)}"
        case ast.TupleValue():
            return f"({', '.join(expression(i) for i in expr.items)})"
        case ast.Attribute():
            return f"{expression(expr.base, POSTFIX)}.{expr.name}"
        case ast.Index():
            return f"{expression(expr.base, POSTFIX)}[{', '.join(expression(i, RANGE) for i in expr.indices)}]"
        case ast.Call():
            return call(expr)
        case ast.Over():
            return f"{expr.function}({selection(expr.selection)})"
        case ast.Fold():
            by = "" if expr.by is None else f" by {expression(expr.by)}"
            return f"{expr.function}({expression(expr.value)} for {selection(expr.selection)}{by})"
        case _:
            assert_never(expr)


def quoted(text: str) -> str:
    """Return a text between quotes."""
    return f'"{text}"'


def call(expr: ast.Call) -> str:
    """Return a call; without arguments there are no brackets."""
    return f"{expr.name}({', '.join(expression(a) for a in expr.args)})" if expr.args else expr.name


def alternative(link: ast.Alternative) -> str:
    """Return one link of a chain."""
    value = expression(link.value, OPEN)
    return value if link.condition is None else f"if {expression(link.condition, OPEN)} then {value}"


def _logic(expr: ast.Logic, level: int) -> tuple[int, str]:
    """Return `P and Q` or `P or Q`; where the grammar allows it, its last operand is an open pick."""
    own, inner = (OR, AND) if expr.op == "or" else (AND, NOT)
    left, right = expression(expr.left, own), expr.right
    if level > OPEN:
        return own, f"{left} {expr.op} {expression(right, inner)}"
    if _is_pick(right):
        return OPEN, f"{left} {expr.op} {_pick(right)}"
    if expr.op == "or" and isinstance(right, ast.Logic) and right.op == "and" and _is_pick(right.right):
        return OPEN, f"{left} or {expression(right.left, AND)} and {_pick(right.right)}"
    return own, f"{left} {expr.op} {expression(right, inner)}"


def _test(test: Pattern | str | ast.Member) -> str:
    if isinstance(test, str):
        return test
    return f"in {expression(test.domain, RANGE)}" if isinstance(test, ast.Member) else pattern(test)


def _is_pick(expr: Expr) -> bool:
    """Whether an expression may stand only as the last operand."""
    return isinstance(expr, _PICKS) or (isinstance(expr, ast.The) and _is_pick(expr.value))


def _pick(expr: Expr) -> str:
    match expr:
        case ast.The(value=value):
            return f"the {_pick(value)}"
        case ast.Pick():
            count = "" if expr.count is None else f"{expression(expr.count, SUM)} "
            return f"{expr.which} {count}{selection(expr.selection)}"
        case ast.Extreme():
            return f"{'all ' * expr.ties}{expr.which} {selection(expr.selection)} by {expression(expr.by, SUM)}"
        case ast.All():
            return f"all {selection(expr.selection)}"
        case ast.Quantified():
            return f"{expr.which} {selection(expr.selection)}"
        case ast.Every():
            return f"every {selection(expr.selection)} has {expression(expr.has, OPEN)}"
        case _:  # Its callers ask for these alone.
            raise TypeError(f"{type(expr).__name__} is no pick")


def movable(cards: Expr) -> str:
    """Return cards to move, turn or show: a pick may stand there without brackets, a condition may not."""
    return _pick(cards) if _is_pick(cards) else expression(cards, SUM)


def selection(chosen: ast.Selection) -> str:
    """Return `c in Z from p where P`."""
    start = "" if chosen.start is None else f" from {expression(chosen.start, SUM)}"
    return f"{chosen.name} in {expression(chosen.domain, RANGE)}{start}{where(chosen.where)}"


def where(condition: Condition | None) -> str:
    """Return ` where P`, or nothing."""
    return "" if condition is None else f" where {expression(condition, OPEN)}"


# ---- patterns, types, arguments


def pattern(test: Pattern) -> str:
    """Return a pattern."""
    match test:
        case ast.KindPattern(args=None):
            return test.name
        case ast.KindPattern():
            return f"{test.name}({', '.join(_pattern_arg(a) for a in test.args or ())})"
        case ast.NumberPattern():
            return str(test.low) if test.low == test.high else f"{test.low}..{test.high}"


def _pattern_arg(arg: Expr | ast.NumberPattern | None) -> str:
    if arg is None:
        return "_"
    return f"{arg.low}..{arg.high}" if isinstance(arg, ast.NumberPattern) else expression(arg)


def type_(given: TypeExpr) -> str:
    """Return a type."""
    match given:
        case ast.NamedType():
            return given.name
        case ast.RangeType():
            return f"{_bound(given.low)}..{_bound(given.high)}"
        case ast.OptionalType():
            return f"{type_(given.base)} or none"


def _bound(expr: Expr) -> str:
    match expr:
        case ast.Number() | ast.Name() | ast.Call() | ast.Negative(value=ast.Number()):
            return expression(expr)
    return f"({expression(expr, SUM)})"


def params(given: tuple[ast.Param, ...]) -> str:
    """Return parameters in brackets, or nothing."""
    return f"({', '.join(f'{p.name}: {type_(p.type)}' for p in given)})" if given else ""


def argument(arg: Arg) -> str:
    """Return an argument of an action or of chance."""
    match arg:
        case ast.CardArg():
            return f"card {arg.name} from {expression(arg.domain, SUM)}{where(arg.where)}"
        case ast.CardsArg():
            quantity = _quantity(arg.quantity)
            return f"{quantity} cards {arg.name} from {expression(arg.domain, SUM)}{where(arg.where)}"
        case ast.ValueArg():
            return f"{arg.name} from {expression(arg.domain, RANGE)}{where(arg.where)}"


def _quantity(quantity: ast.Quantity) -> str:
    match quantity:
        case ast.Quantity(low=None, high=None):
            return "any"
        case ast.Quantity(high=None, low=low) if low is not None:
            return f"at least {expression(low, SUM)}"
        case ast.Quantity(low=None, high=high) if high is not None:
            return f"up to {expression(high, SUM)}"
        case ast.Quantity(low=low, high=high) if low is not None and high is not None:
            exact = expression(low, SUM)
            return exact if low == high else f"{exact} to {expression(high, SUM)}"
        case _:
            raise TypeError("a quantity has bounds or none")
