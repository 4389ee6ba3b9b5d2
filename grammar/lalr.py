"""LALR(1) parsing with tables that lark makes: tokens in, a tree of lark's out.

lark's own driver finds what to do at a reduction by the hash of a whole rule, and works out lines and columns of all
that a tree covers; that is half the time of a parse.  Here the tables are drawn up once so that an entry is what is
done, and the stretch of text that a value covers lies beside it on the stack.  A node says no more of its place than
`start_pos`, `end_pos` and `empty`, as lark would: ends of lines, their tags and indentation belong to no node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import attrs
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken
from lark.lexer import LexerThread
from lark.parsers.lalr_analysis import Shift

from grammar.layout import LAYOUT_TOKENS

END = "$END"

_Reduction = tuple[int, str, Callable[[list[Any]], Any]]
"""How many values a rule takes, what it makes of them, and the function that does."""


@attrs.frozen
class _Tables:
    """What is done in each state at each token: the number of the next state, or a reduction."""

    rows: dict[int, dict[str, int | _Reduction]]
    start: int
    end: int


@lru_cache(maxsize=4)
def _tables(parser: Lark) -> _Tables:
    conf: Any = parser.parse_interactive("").parser_state.parse_conf
    reductions = {rule: (len(rule.expansion), rule.origin.name, build) for rule, build in conf.callbacks.items()}
    rows = {
        state: {token: arg if action is Shift else reductions[arg] for token, (action, arg) in row.items()}
        for state, row in conf.states.items()
    }
    return _Tables(rows, conf.start_state, conf.end_state)


def parse(parser: Lark, text: str) -> Tree[Token]:
    """Return the tree of a text.  Raises UnexpectedInput, LayoutError."""
    lexer: Any = parser.parser.lexer
    thread: Any = LexerThread.from_text(lexer, text)
    return tree_of(parser, thread.lex(None))


def tree_of(parser: Lark, tokens: Iterable[Token]) -> Tree[Token]:
    """Return the tree of tokens that are laid out already.  Raises UnexpectedInput, and what the tokens raise."""
    tables = _tables(parser)
    rows = tables.rows
    states: list[Any] = [tables.start]
    values: list[Any] = []
    starts: list[int | None] = []
    ends: list[int | None] = []
    for token in _with_end(tokens):
        kind = token.type
        while True:
            done = rows[states[-1]].get(kind)
            if done.__class__ is int:
                states.append(done)
                values.append(token)
                placed = kind not in LAYOUT_TOKENS
                starts.append(token.start_pos if placed else None)
                ends.append(token.end_pos if placed else None)
                break
            if done is None:
                raise UnexpectedToken(token, set())  # type: ignore[no-untyped-call]
            size, made, build = done  # type: ignore[misc]
            start: int | None
            end: int | None
            start = end = None
            if size == 1:  # Most are of this kind, and hand on what they are given.
                states.pop()
                children, start, end = [values.pop()], starts.pop(), ends.pop()
            elif size:
                children = values[-size:]
                start = next((place for place in starts[-size:] if place is not None), None)
                end = next((place for place in ends[: -size - 1 : -1] if place is not None), None)
                del values[-size:], starts[-size:], ends[-size:], states[-size:]
            else:
                children = []
            value = build(children)
            if value.__class__ is Tree:
                meta = value.meta
                if meta.empty and start is not None and end is not None:
                    meta.empty, meta.start_pos, meta.end_pos = False, start, end
            elif value.type in LAYOUT_TOKENS:  # A rule that represents one token covers no more than that.
                start = end = None
            else:
                start, end = value.start_pos, value.end_pos
            state = rows[states[-1]][made]
            states.append(state)
            values.append(value)
            starts.append(start)
            ends.append(end)
            if kind == END and state == tables.end:
                tree: Tree[Token] = value
                return tree
    raise AssertionError("the end of a text is refused or ends the parse")


def _with_end(tokens: Iterable[Token]) -> Iterable[Token]:
    token = None
    for token in tokens:
        yield token
    yield Token(END, "", 0, 1, 1) if token is None else Token.new_borrow_pos(END, "", token)
