"""Write statements back as lines of text."""

from __future__ import annotations

import re
from typing import assert_never

from grammar import statements as ast
from grammar.expressions import Expr
from grammar.statements import Stmt
from grammar.unparse_expressions import (
    OPEN,
    PLACE,
    POSTFIX,
    SUM,
    argument,
    call,
    expression,
    movable,
    pattern,
    quoted,
    selection,
    type_,
)

WIDTH = 110
INDENT = 4

# A line may be broken after a comma and before a word or an operator that joins, but in no text and no double word.
_PIECES = re.compile(r'"[^"]*"|(?:rounded \w+|at least|at most|up to|such that|seen by|only if)(?!\w)|[^" ]+| +')
_JOINS = re.compile(
    r"(?:where|such that|only if|and|or|else|by|then|to|from|has|is|mod|named|written)$|(?:[-+*/<>=!]=?|->)$"
)


def tagged(text: str, tags: tuple[str, ...]) -> str:
    """Return a line with its tags."""
    return f"{text} [{', '.join(tags)}]" if tags else text


class Lines:
    """Lines of text in the making, each with its depth."""

    def __init__(self) -> None:
        self.rows: list[str] = []

    def add(self, depth: int, text: str, tags: tuple[str, ...] = ()) -> None:
        """Add a logical line, broken where it is too long."""
        margin = " " * (INDENT * depth)
        *rows, last = _broken(margin, text)
        self.rows += [*rows, tagged(last, tags)]

    def headed(self, depth: int, head: str, value: str, tags: tuple[str, ...]) -> None:
        """Add `head value` as one line, or the value as a block beneath the head."""
        text = f"{head} {value}"
        if len(tagged(text, tags)) + INDENT * depth <= WIDTH:
            self.add(depth, text, tags)
        else:
            self.add(depth, head, tags)
            self.add(depth + 1, value)


def _broken(margin: str, text: str) -> list[str]:
    """Return a logical line in as many lines as it needs."""
    if len(margin) + len(text) <= WIDTH:
        return [margin + text]
    outside = _filled(margin, _chunks(text, inside=False))
    if all(len(row) <= WIDTH for row in outside):
        return outside
    return _filled(margin, _chunks(text, inside=True))


def _filled(margin: str, chunks: list[str]) -> list[str]:
    rows, row, start = [], margin, len(margin)
    for chunk in chunks:
        if len(row) + len(chunk.rstrip()) > WIDTH and len(row) > start:
            rows.append(row.rstrip())
            row = margin + " " * (2 * INDENT)
            start = len(row)
            chunk = chunk.lstrip()
        row += chunk
    return [*rows, row]


def _chunks(text: str, inside: bool) -> list[str]:
    """Return the parts of a line between which it may be broken, those inside of brackets too if need be."""
    chunks = [""]
    depth = 0
    last = ""
    for piece in _PIECES.findall(text):
        if not piece.startswith('"'):
            allowed = inside if depth else last.endswith(",") or _JOINS.match(piece) is not None
            if allowed and piece[0] != " " and chunks[-1].endswith(" "):
                chunks.append("")
            depth += sum(c in "([" for c in piece) - sum(c in ")]" for c in piece)
        chunks[-1] += piece
        last = piece if piece.strip() else last
    return chunks


# ---- statements


def statement(lines: Lines, depth: int, stmt: Stmt) -> None:
    """Add the lines of a statement."""
    simple = _simple(stmt)
    if simple is not None:
        lines.add(depth, simple, stmt.tags)
        return
    before = "openly " * stmt.openly
    match stmt:
        case ast.If():
            _if(lines, depth, stmt, f"{before}if")
        case ast.Match():
            lines.add(depth, f"{before}match {expression(stmt.subject, SUM)}", stmt.tags)
            for case in stmt.cases:
                head = f"case {', '.join(pattern(p) for p in case.patterns)}"
                with_body(lines, depth + 1, head, case.tags, case.body)
            if stmt.otherwise is not None:
                with_body(lines, depth + 1, "otherwise", (), stmt.otherwise)
        case ast.For():
            head = f"{before}for {', '.join(selection(s) for s in stmt.selections)}"
            with_body(lines, depth, head, stmt.tags, stmt.body)
        case ast.While():
            with_body(lines, depth, f"{before}while {expression(stmt.condition, OPEN)}", stmt.tags, stmt.body)
        case ast.AtOnce():
            with_body(lines, depth, f"{before}at once {selection(stmt.selection)}", stmt.tags, stmt.body)
        case ast.InTurn():
            with_body(lines, depth, f"{before}in turn {selection(stmt.selection)}", stmt.tags, stmt.body)
        case ast.Together():
            lines.add(depth, f"{before}together", stmt.tags)
            for inner in stmt.body:
                statement(lines, depth + 1, inner)
        case ast.Repeat():
            lines.add(depth, f"{before}repeat", stmt.tags)
            for inner in stmt.body:
                statement(lines, depth + 1, inner)
            lines.add(depth, f"until {expression(stmt.until, OPEN)}")
        case ast.Choice():
            secretly = " secretly" * stmt.secretly
            prompt = "" if stmt.prompt is None else f" {quoted(stmt.prompt)}"
            lines.add(depth, f"{before}{expression(stmt.player, POSTFIX)} chooses{secretly}{prompt}", stmt.tags)
            for action in stmt.actions:
                action_lines(lines, depth + 1, action)
            if stmt.otherwise is not None:
                action_lines(lines, depth + 1, stmt.otherwise, "otherwise ")
        case _:
            raise AssertionError(stmt)  # All others are written on one line; `_plain` tells which these are.


def with_body(lines: Lines, depth: int, head: str, tags: tuple[str, ...], body: tuple[Stmt, ...]) -> None:
    """Add a line with its body: behind a colon if it is one short statement, else as a block."""
    if len(body) == 1 and not body[0].tags:
        simple = _simple(body[0])
        if simple is not None and len(tagged(f"{head}: {simple}", tags)) + INDENT * depth <= WIDTH:
            lines.add(depth, f"{head}: {simple}", tags)
            return
    lines.add(depth, head, tags)
    for stmt in body:
        statement(lines, depth + 1, stmt)


def _if(lines: Lines, depth: int, stmt: ast.If, word: str) -> None:
    with_body(lines, depth, f"{word} {expression(stmt.condition, OPEN)}", stmt.tags, stmt.then)
    match stmt.otherwise:
        case ():
            pass
        case (ast.If(openly=False) as branch,):
            _if(lines, depth, branch, "else if")
        case body:
            with_body(lines, depth, "else", (), body)


def action_lines(lines: Lines, depth: int, action: ast.Action, before: str = "") -> None:
    """Add the lines of an action, with what stands before its verb."""
    args = f" {', '.join(argument(a) for a in action.args)}" if action.args else ""
    such_that = "" if action.such_that is None else f" such that {expression(action.such_that, OPEN)}"
    only_if = "" if action.only_if is None else f" only if {expression(action.only_if, OPEN)}"
    with_body(lines, depth, f"{before}{action.verb}{args}{such_that}{only_if}", action.tags, action.body)


def _simple(stmt: Stmt) -> str | None:
    """Return a statement of one line, without its tags; None if it takes more."""
    plain = _plain(stmt)
    return f"openly {plain}" if plain is not None and stmt.openly else plain


def _plain(stmt: Stmt) -> str | None:
    match stmt:
        case ast.Let():
            return f"let {stmt.name} = {expression(stmt.value)}"
        case ast.LetVariable():
            index = f"[{', '.join(type_(i) for i in stmt.indices)}]" if stmt.indices else ""
            first = "" if stmt.initial is None else f" = {expression(stmt.initial)}"
            return f"let {stmt.name}{index}: {type_(stmt.type)}{first}"
        case ast.Assign():
            return f"{expression(stmt.target, POSTFIX)} {stmt.op} {expression(stmt.value)}"
        case ast.Do():
            return call(stmt.call)
        case ast.Move():
            by = "" if stmt.played_by is None else f" for {expression(stmt.played_by, POSTFIX)}"
            return f"move {movable(stmt.cards)} to {_target(stmt.target, stmt.at)}{_face(stmt.face)}{by}"
        case ast.Deal():
            cards = f"{'exactly ' * stmt.exactly}{expression(stmt.count, SUM)}"
            return f"deal {cards} from {expression(stmt.origin, PLACE)} to {_target(stmt.target, stmt.at)}" + _face(
                stmt.face
            )
        case ast.Shuffle():
            into = "" if stmt.into is None else f" into {expression(stmt.into, POSTFIX)}"
            return f"shuffle {expression(stmt.cards, POSTFIX)}{into}"
        case ast.Random():
            if stmt.into is not None:
                told = argument(stmt.arg).removeprefix(f"{stmt.arg.name} from ")
                return f"random {expression(stmt.into, POSTFIX)} from {told}"
            return f"random {argument(stmt.arg)}"
        case ast.Swap():
            return f"swap {expression(stmt.first, POSTFIX)} with {expression(stmt.second, POSTFIX)}"
        case ast.Turn():
            return f"turn {movable(stmt.cards)}{_face(stmt.face)}"
        case ast.Show():
            return f"show {movable(stmt.cards)} to {'all' if stmt.to is None else expression(stmt.to, POSTFIX)}"
        case ast.Say():
            return f"say {quoted(stmt.text)}"
        case ast.Reopen():
            return "reopen"
        case ast.Nothing():
            return "nothing"
        case ast.End():
            return f"end {stmt.what}"
        case ast.Repeat(body=(ast.Do(openly=False) as do,)) if not do.tags:
            return f"repeat {call(do.call)} until {expression(stmt.until, OPEN)}"
        case ast.If() | ast.Match() | ast.For() | ast.While() | ast.Repeat() | ast.Choice():
            return None
        case ast.AtOnce() | ast.InTurn() | ast.Together():
            return None
        case _:
            assert_never(stmt)


def _target(zone: Expr, at: str | None) -> str:
    text = expression(zone, POSTFIX)
    return text if at is None else f"{at} of {text}"


def _face(face: str | None) -> str:
    return "" if face is None else f" face {face}"
