"""Turn the parse tree of expressions, selections, patterns and arguments into the syntax tree.

One method a rule or alias of `expressions.lark`, of the same name; each gets the place of its rule and its
children, already turned.  What the grammar cannot refuse is reported here.
"""

# The rule that a method is named after is its documentation, and gives it its arguments.
# ruff: noqa: D102, ARG002

from __future__ import annotations

from typing import Any

from lark import Token, Tree
from lark.tree import Meta

from grammar import expressions as ast
from grammar.diagnostics import Cure, Diagnostic
from grammar.source import Source, Span

MAX_DIGITS = 9


class ExpressionTransformer:
    """Builds nodes whose places lie in `source`, and collects what it reports in `diagnostics`."""

    def __init__(self, source: Source, offset: int = 0) -> None:
        self.source = source
        self.offset = offset
        self.diagnostics: list[Diagnostic] = []

    def transform(self, tree: Tree[Token]) -> Any:
        """Return what a tree is turned into; it is walked without recursion, since it may be deep."""
        walk: list[Any] = [tree]
        order: list[Any] = []
        while walk:
            node = walk.pop()
            order.append(node)
            if node.__class__ is Tree:
                walk += node.children
        made: list[Any] = []
        for node in reversed(order):
            if node.__class__ is not Tree:
                made.append(node)
                continue
            size = len(node.children)
            children = made[len(made) - size :]
            del made[len(made) - size :]
            made.append(getattr(self, node.data)(node.meta, children))
        (whole,) = made
        return whole

    # ---- helpers

    def span(self, meta: Meta) -> Span:
        """Return the stretch of text that a rule covers."""
        if meta.empty:
            return Span(self.source, 0, 0)
        return Span(self.source, meta.start_pos + self.offset, meta.end_pos + self.offset)

    def span_of(self, token: Token) -> Span:
        """Return the stretch of text that a token covers."""
        return Span(self.source, (token.start_pos or 0) + self.offset, (token.end_pos or 0) + self.offset)

    def report(self, code: str, message: str, span: Span, cure: str | Cure = "") -> None:
        """Note a mistake and go on."""
        self.diagnostics.append(Diagnostic(code, message, span, cure))

    def integer(self, token: Token) -> int:
        """Return the value of a number; one that is too long is reported and counts as 0."""
        if len(token) > MAX_DIGITS:
            self.report("CG116", "this number is too long", self.span_of(token), f"at most {MAX_DIGITS} digits")
            return 0
        return int(token)

    # ---- lines

    def eol(self, meta: Meta, tags: list[Token]) -> tuple[str, ...]:
        return tuple(part.strip() for tag in tags for part in tag.strip()[1:-1].split(","))

    # ---- chains

    def chain(self, meta: Meta, links: list[Any]) -> ast.Chain:
        return ast.Chain(tuple(self.alternative(x) for x in links), span=self.span(meta))

    def alternative(self, link: Any) -> ast.Alternative:
        """Return a link of a chain, which is an expression where no `if` stood."""
        return link if isinstance(link, ast.Alternative) else ast.Alternative(link, span=link.span)

    def guarded(self, meta: Meta, c: list[Any]) -> ast.Alternative:
        return ast.Alternative(c[1], c[0], span=self.span(meta))

    # ---- conditions

    def or_(self, meta: Meta, c: list[Any]) -> ast.Logic:
        return ast.Logic("or", c[0], c[1], span=self.span(meta))

    def and_(self, meta: Meta, c: list[Any]) -> ast.Logic:
        return ast.Logic("and", c[0], c[1], span=self.span(meta))

    def or_and(self, meta: Meta, c: list[Any]) -> ast.Logic:
        right = ast.Logic("and", c[1], c[2], span=c[1].span.to(c[2].span))
        return ast.Logic("or", c[0], right, span=self.span(meta))

    def not_(self, meta: Meta, c: list[Any]) -> ast.Not:
        return ast.Not(c[0], span=self.span(meta))

    def compare(self, meta: Meta, c: list[Any]) -> ast.Compare:
        op: Any = str(c[1])
        return ast.Compare(op, c[0], c[2], span=self.span(meta))

    def is_(self, meta: Meta, c: list[Any]) -> ast.Is:
        return ast.Is(c[0], c[1], span=self.span(meta))

    def is_not(self, meta: Meta, c: list[Any]) -> ast.Is:
        return ast.Is(c[0], c[1], True, span=self.span(meta))

    def is_empty(self, meta: Meta, c: list[Any]) -> str:
        return "empty"

    def is_none(self, meta: Meta, c: list[Any]) -> str:
        return "none"

    def member(self, meta: Meta, c: list[Any]) -> ast.Member:
        return ast.Member(c[0], span=self.span(meta))

    # ---- values

    def range_value(self, meta: Meta, c: list[Any]) -> ast.RangeValue:
        return ast.RangeValue(c[0], c[1], span=self.span(meta))

    def plus(self, meta: Meta, c: list[Any]) -> ast.Arithmetic:
        return ast.Arithmetic("+", c[0], c[1], span=self.span(meta))

    def minus(self, meta: Meta, c: list[Any]) -> ast.Arithmetic:
        return ast.Arithmetic("-", c[0], c[1], span=self.span(meta))

    def times(self, meta: Meta, c: list[Any]) -> ast.Arithmetic:
        return ast.Arithmetic("*", c[0], c[1], span=self.span(meta))

    def modulo(self, meta: Meta, c: list[Any]) -> ast.Arithmetic:
        return ast.Arithmetic("mod", c[0], c[1], span=self.span(meta))

    def divide(self, meta: Meta, c: list[Any]) -> ast.Divide:
        _, *direction = c[2].split()
        if not direction:
            self.report("CG111", "this does not say which way to round", self.span_of(c[2]), "write `rounded up`")
            direction = ["up"]
        return ast.Divide(c[0], c[1], direction[0], span=self.span(meta))

    def negative(self, meta: Meta, c: list[Any]) -> ast.Negative:
        return ast.Negative(c[0], span=self.span(meta))

    def top_of(self, meta: Meta, c: list[Any]) -> ast.EndOf:
        return ast.EndOf("top", c[0], span=self.span(meta))

    def bottom_of(self, meta: Meta, c: list[Any]) -> ast.EndOf:
        return ast.EndOf("bottom", c[0], span=self.span(meta))

    def the(self, meta: Meta, c: list[Any]) -> ast.The:
        return ast.The(c[0], span=self.span(meta))

    def attribute(self, meta: Meta, c: list[Any]) -> ast.Attribute:
        return ast.Attribute(c[0], str(c[1]), span=self.span(meta))

    def index(self, meta: Meta, c: list[Any]) -> ast.Index:
        return ast.Index(c[0], tuple(c[1:]), span=self.span(meta))

    def name(self, meta: Meta, c: list[Any]) -> ast.Name:
        return ast.Name(str(c[0]), span=self.span(meta))

    def number(self, meta: Meta, c: list[Any]) -> ast.Number:
        return ast.Number(self.integer(c[0]), span=self.span(meta))

    def string(self, meta: Meta, c: list[Any]) -> ast.String:
        return ast.String(c[0][1:-1], span=self.span(meta))

    def none(self, meta: Meta, c: list[Any]) -> ast.NoneValue:
        return ast.NoneValue(span=self.span(meta))

    def true(self, meta: Meta, c: list[Any]) -> ast.Bool:
        return ast.Bool(True, span=self.span(meta))

    def false(self, meta: Meta, c: list[Any]) -> ast.Bool:
        return ast.Bool(False, span=self.span(meta))

    def each(self, meta: Meta, c: list[Any]) -> ast.Each:
        return ast.Each(span=self.span(meta))

    def seat(self, meta: Meta, c: list[Any]) -> ast.Seat:
        return ast.Seat(self.integer(c[-1]), span=self.span(meta))

    def seat_by_option(self, meta: Meta, c: list[Any]) -> ast.SeatByOption:
        return ast.SeatByOption(ast.Name(str(c[0]), span=self.span_of(c[0])), span=self.span(meta))

    def over(self, meta: Meta, c: list[Any]) -> ast.Over:
        return ast.Over(str(c[0]), c[1], span=self.span(meta))

    def fold(self, meta: Meta, c: list[Any]) -> ast.Fold:
        return ast.Fold(str(c[0]), c[1], c[2], c[3], span=self.span(meta))

    def tuple_value(self, meta: Meta, c: list[Any]) -> ast.TupleValue:
        return ast.TupleValue(tuple(c), span=self.span(meta))

    def call(self, meta: Meta, c: list[Any]) -> ast.Call:
        return ast.Call(str(c[0]), tuple(c[1:]), span=self.span(meta))

    # ---- selections and picks

    def selection(self, meta: Meta, c: list[Any]) -> ast.Selection:
        return ast.Selection(str(c[0]), c[1], c[2], c[3], span=self.span(meta))

    def pick_one(self, meta: Meta, c: list[Any]) -> ast.Pick:
        which: Any = str(c[0])
        return ast.Pick(which, c[1], span=self.span(meta))

    def pick_some(self, meta: Meta, c: list[Any]) -> ast.Pick:
        which: Any = str(c[0])
        return ast.Pick(which, c[2], c[1], span=self.span(meta))

    def extreme(self, meta: Meta, c: list[Any]) -> ast.Extreme:
        which: Any = str(c[0])
        return ast.Extreme(which, c[1], c[2], span=self.span(meta))

    def all_extreme(self, meta: Meta, c: list[Any]) -> ast.Extreme:
        which: Any = str(c[0])
        return ast.Extreme(which, c[1], c[2], True, span=self.span(meta))

    def all_of(self, meta: Meta, c: list[Any]) -> ast.All:
        return ast.All(c[0], span=self.span(meta))

    def some(self, meta: Meta, c: list[Any]) -> ast.Quantified:
        return ast.Quantified("some", c[0], span=self.span(meta))

    def no(self, meta: Meta, c: list[Any]) -> ast.Quantified:
        return ast.Quantified("no", c[0], span=self.span(meta))

    def every(self, meta: Meta, c: list[Any]) -> ast.Every:
        return ast.Every(c[0], c[1], span=self.span(meta))

    # ---- patterns

    def patterns(self, meta: Meta, c: list[Any]) -> tuple[ast.Pattern, ...]:
        return tuple(c)

    def kind_pattern(self, meta: Meta, c: list[Any]) -> ast.KindPattern:
        args = tuple(None if isinstance(a, ast.Name) and a.name == "_" else a for a in c[1:])
        return ast.KindPattern(str(c[0]), args or None, span=self.span(meta))

    def number_pattern(self, meta: Meta, c: list[Any]) -> ast.NumberPattern:
        return ast.NumberPattern(c[0], c[-1], span=self.span(meta))

    def negative_number(self, meta: Meta, c: list[Any]) -> ast.Number:
        return ast.Number(-self.integer(c[0]), span=self.span(meta))

    def signed(self, meta: Meta, c: list[Any]) -> int:
        return self.integer(c[0])

    def minus_signed(self, meta: Meta, c: list[Any]) -> int:
        return -self.integer(c[0])

    # ---- arguments

    def args(self, meta: Meta, c: list[Any]) -> tuple[ast.Arg, ...]:
        return tuple(c)

    def card_arg(self, meta: Meta, c: list[Any]) -> ast.CardArg:
        name, domain, where = c[-3:]
        return ast.CardArg(str(name), domain, where, span=self.span(meta))

    def cards_arg(self, meta: Meta, c: list[Any]) -> ast.CardsArg:
        name, domain, where = c[-3:]
        return ast.CardsArg(str(name), c[0], domain, where, span=self.span(meta))

    def value_arg(self, meta: Meta, c: list[Any]) -> ast.ValueArg:
        return ast.ValueArg(str(c[0]), c[1], c[2], span=self.span(meta))

    def any_number(self, meta: Meta, c: list[Any]) -> ast.Quantity:
        return ast.Quantity(span=self.span(meta))

    def at_least(self, meta: Meta, c: list[Any]) -> ast.Quantity:
        return ast.Quantity(low=c[-1], span=self.span(meta))

    def up_to(self, meta: Meta, c: list[Any]) -> ast.Quantity:
        return ast.Quantity(high=c[-1], span=self.span(meta))

    def between(self, meta: Meta, c: list[Any]) -> ast.Quantity:
        return ast.Quantity(c[0], c[1], span=self.span(meta))

    def exactly(self, meta: Meta, c: list[Any]) -> ast.Quantity:
        return ast.Quantity(c[0], c[0], span=self.span(meta))
