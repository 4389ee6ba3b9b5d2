"""Turn the parse tree of statements and actions into the syntax tree.

A body comes as a pair: the tags of the line that opens it, and its statements.  Tags belong to the node of
their line; a line that has none of its own (`else`) hands them to the first statement beneath.
"""

# The rule that a method is named after is its documentation, and gives it its arguments.
# ruff: noqa: D102, ARG002

from __future__ import annotations

from typing import Any

import attrs
from lark import Token
from lark.tree import Meta

from grammar import statements as ast
from grammar.diagnostics import Cure, Edit
from grammar.expressions import Attribute, Call, Expr, Index, Name, ValueArg
from grammar.layout import MAX_NESTING
from grammar.transform_expressions import ExpressionTransformer

Tags = tuple[str, ...]
Body = tuple[Tags, tuple[ast.Stmt, ...]]


def tagged(node: Any, tags: Tags) -> Any:
    """Return a node with tags before its own."""
    return attrs.evolve(node, tags=tags + node.tags) if tags else node


def flat(statements: list[Any]) -> tuple[ast.Stmt, ...]:
    """Return statements in order; one line may have made two of them."""
    return tuple(s for made in statements for s in (made if isinstance(made, tuple) else (made,)))


def first_tagged(body: Body) -> tuple[ast.Stmt, ...]:
    """Return the statements of a body whose line has no node of its own."""
    tags, statements = body
    return (tagged(statements[0], tags), *statements[1:])


class CallTransformer(ExpressionTransformer):
    """What statements and scenarios have in common."""

    def verb(self, meta: Meta, c: list[Token]) -> str:
        return str(c[0])

    def called(self, expr: Name | Call) -> Call:
        """Return the call of a phase; without brackets it is a call of no arguments."""
        return expr if isinstance(expr, Call) else Call(expr.name, span=expr.span)

    def check_target(self, target: Expr) -> None:
        """Report what cannot be given a value."""
        if not isinstance(target, Name) and not (isinstance(target, Index) and isinstance(target.base, Name)):
            self.report(
                "CG120",
                "only a variable can be given a value",
                target.span,
                "write a name, or a name with its index, before the `=`",
            )

    def check_version(self, token: Token, known: int, word: str) -> None:
        """Report a version of the language that is not known."""
        if self.integer(token) != known:
            message = f"this is version {token} of the language, and only version {known} is known"
            cure = Cure(f"write `{word} {known}`", (Edit(self.span_of(token), str(known)),))
            self.report("CG113", message, self.span_of(token), cure)


class StatementTransformer(CallTransformer):
    """One method a rule or alias of the statements in `cardgame.lark`."""

    # ---- bodies

    def body(self, meta: Meta, c: list[Any]) -> Body:
        if isinstance(c[0], tuple) and all(isinstance(t, str) for t in c[0]):
            return c[0], flat(c[1:])
        return c[1], (c[0],)

    def no_body(self, meta: Meta, c: list[Any]) -> Body:
        return c[0], ()

    def line(self, meta: Meta, c: list[Any]) -> ast.Stmt:
        statement: ast.Stmt = tagged(c[0], c[1])
        return statement

    def openly(self, meta: Meta, c: list[Any]) -> ast.Stmt:
        statement: ast.Stmt = attrs.evolve(c[0], openly=True, span=self.span(meta))
        return statement

    # ---- statements with bodies

    def if_(self, meta: Meta, c: list[Any]) -> ast.If:
        condition, (tags, then), *branches, last = c
        if len(branches) > MAX_NESTING:
            self.report("CG115", "this goes on for too long", branches[MAX_NESTING].span, "use `match`, or a table")
            branches = []
        otherwise: tuple[ast.Stmt, ...] = first_tagged(last) if last is not None else ()
        for branch in reversed(branches):
            span = branch.span.to(otherwise[-1].span) if otherwise else branch.span
            otherwise = (attrs.evolve(branch, otherwise=otherwise, span=span),)
        return ast.If(condition, then, otherwise, tags=tags, span=self.span(meta))

    def else_if(self, meta: Meta, c: list[Any]) -> ast.If:
        condition, (tags, then) = c
        return ast.If(condition, then, tags=tags, span=condition.span.to(then[-1].span))

    def else_(self, meta: Meta, c: list[Any]) -> Body:
        body: Body = c[0]
        return body

    def match(self, meta: Meta, c: list[Any]) -> ast.Match:
        subject, tags, *cases, otherwise = c
        last = None if otherwise is None else first_tagged(otherwise)
        return ast.Match(subject, tuple(cases), last, tags=tags, span=self.span(meta))

    def case(self, meta: Meta, c: list[Any]) -> ast.Case:
        patterns, (tags, statements) = c
        return ast.Case(patterns, statements, tags=tags, span=self.span(meta))

    def otherwise(self, meta: Meta, c: list[Any]) -> Body:
        body: Body = c[0]
        return body

    def for_(self, meta: Meta, c: list[Any]) -> ast.For:
        *selections, (tags, statements) = c
        return ast.For(tuple(selections), statements, tags=tags, span=self.span(meta))

    def while_(self, meta: Meta, c: list[Any]) -> ast.While:
        condition, (tags, statements) = c
        return ast.While(condition, statements, tags=tags, span=self.span(meta))

    def at_once(self, meta: Meta, c: list[Any]) -> ast.AtOnce:
        _, selection, (tags, statements) = c
        return ast.AtOnce(selection, statements, tags=tags, span=self.span(meta))

    def in_turn(self, meta: Meta, c: list[Any]) -> ast.InTurn:
        _, selection, (tags, statements) = c
        return ast.InTurn(selection, statements, tags=tags, span=self.span(meta))

    def together(self, meta: Meta, c: list[Any]) -> ast.Together:
        tags, *statements = c
        return ast.Together(flat(statements), tags=tags, span=self.span(meta))

    def nothing(self, meta: Meta, c: list[Any]) -> ast.Nothing:
        return ast.Nothing(span=self.span(meta))

    def reopen(self, meta: Meta, c: list[Any]) -> ast.Reopen:
        return ast.Reopen(span=self.span(meta))

    def repeat_block(self, meta: Meta, c: list[Any]) -> ast.Repeat:
        opening, *statements, until, closing = c
        return ast.Repeat(flat(statements), until, tags=opening + closing, span=self.span(meta))

    # ---- choices

    def choice(self, meta: Meta, c: list[Any]) -> ast.Choice:
        player, secretly, prompt, tags, *actions, otherwise = c
        text = None if prompt is None else prompt[1:-1]
        return ast.Choice(
            player, tuple(actions), otherwise, text, secretly is not None, tags=tags, span=self.span(meta)
        )

    def action(self, meta: Meta, c: list[Any]) -> ast.Action:
        verb, args, _, such_that, _, only_if, (tags, statements) = c
        return ast.Action(verb, args or (), such_that, only_if, statements, tags=tags, span=self.span(meta))

    def otherwise_action(self, meta: Meta, c: list[Any]) -> ast.Action:
        action: ast.Action = c[0]
        return action

    # ---- statements of one line

    def let(self, meta: Meta, c: list[Any]) -> ast.Let:
        return ast.Let(str(c[0]), c[1], span=self.span(meta))

    def let_variable(self, meta: Meta, c: list[Any]) -> ast.LetVariable:
        family, type_, initial = c
        return ast.LetVariable(family.name, family.indices, type_, initial, span=self.span(meta))

    def assign(self, meta: Meta, c: list[Any]) -> ast.Assign:
        self.check_target(c[0])
        return ast.Assign(c[0], "=", c[1], span=self.span(meta))

    def change(self, meta: Meta, c: list[Any]) -> ast.Assign:
        self.check_target(c[0])
        op: Any = str(c[1])
        return ast.Assign(c[0], op, c[2], span=self.span(meta))

    def do(self, meta: Meta, c: list[Any]) -> ast.Do:
        return ast.Do(self.called(c[0]), span=self.span(meta))

    def move(self, meta: Meta, c: list[Any]) -> ast.Move:
        cards, target, face, played_by = c
        at, zone = self.end_of(target)
        face = None if face is None else str(face)
        return ast.Move(cards, zone, at, face, played_by, span=self.span(meta))

    def deal(self, meta: Meta, c: list[Any]) -> ast.Deal:
        exactly, count, origin, target, face = c
        at, zone = self.end_of(target)
        face = None if face is None else str(face)
        return ast.Deal(count, origin, zone, exactly is not None, at, face, span=self.span(meta))

    def target_top(self, meta: Meta, c: list[Any]) -> tuple[str, Expr]:
        return "top", c[0]

    def target_bottom(self, meta: Meta, c: list[Any]) -> tuple[str, Expr]:
        return "bottom", c[0]

    def end_of(self, target: Any) -> tuple[Any, Expr]:
        """Return the end of a zone that a target names, and the zone."""
        return target if isinstance(target, tuple) else (None, target)

    def swap(self, meta: Meta, c: list[Any]) -> ast.Swap:
        return ast.Swap(c[0], c[1], span=self.span(meta))

    def shuffle(self, meta: Meta, c: list[Any]) -> ast.Shuffle:
        return ast.Shuffle(c[0], c[1], span=self.span(meta))

    def random_card(self, meta: Meta, c: list[Any]) -> ast.Random:
        return ast.Random(self.card_arg(meta, c), span=self.span(meta))

    def random_cards(self, meta: Meta, c: list[Any]) -> ast.Random:
        return ast.Random(self.cards_arg(meta, c), span=self.span(meta))

    def random_value(self, meta: Meta, c: list[Any]) -> ast.Random:
        target, domain, where = c
        named = target
        while isinstance(named, Index | Attribute):
            named = named.base
        name = named.name if isinstance(named, Name) else ""
        arg = ValueArg(name, domain, where, span=self.span(meta))
        return ast.Random(arg, None if isinstance(target, Name) else target, span=self.span(meta))

    def turn(self, meta: Meta, c: list[Any]) -> ast.Turn:
        return ast.Turn(c[0], str(c[1]), span=self.span(meta))

    def show(self, meta: Meta, c: list[Any]) -> ast.Show:
        return ast.Show(c[0], c[1], span=self.span(meta))

    def shown_to_all(self, meta: Meta, c: list[Any]) -> None:
        return None

    def say(self, meta: Meta, c: list[Any]) -> ast.Say:
        return ast.Say(c[0][1:-1], span=self.span(meta))

    def end(self, meta: Meta, c: list[Any]) -> ast.End:
        return ast.End(str(c[-1]), span=self.span(meta))

    def end_game(self, meta: Meta, c: list[Any]) -> ast.End:
        return ast.End("game", span=self.span(meta))

    def repeat(self, meta: Meta, c: list[Any]) -> ast.Repeat:
        call = self.called(c[0])
        return ast.Repeat((ast.Do(call, span=call.span),), c[1], span=self.span(meta))
