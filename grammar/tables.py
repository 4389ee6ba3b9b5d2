"""LALR(1) parsing: the tables of a grammar, made by lark and kept for the next start, and a driver of them.

The tables depend on nothing but the text of the grammar and the version of lark.  They are stored as JSON by
`grammar.store`, with a digest of both; a file that is missing, damaged, stale or not the user's own is ignored and
written anew, and where nothing can be written the tables are built each time.  JSON, not pickle: reading it can at
worst fail.

lark's own driver finds what to do at a reduction by the hash of a whole rule, and computes lines and columns of all
that a tree covers; that is half the time of a parse.  Here an entry of the tables is the action itself, and the stretch
of text that a value covers lies beside it on the stack.  A node has no more of its place than `start_pos`, `end_pos`
and `empty`, as in lark: ends of lines, their tags and indentation belong to no node.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import attrs
import lark
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.grammar import Rule
from lark.lexer import TerminalDef
from lark.parsers.lalr_analysis import Reduce, Shift

from grammar import store
from grammar.layout import LAYOUT_TOKENS, Layout

FORMAT = 3
KEPT = 8
"""How many tables are kept: those of both languages, for a few versions of the program."""


def grammar_text(name: str) -> str:
    """Return the whole grammar of a language: its own rules before those that all share."""
    folder = resources.files("grammar")
    parts = (folder.joinpath(f"{part}.lark").read_text(encoding="utf-8") for part in (name, "expressions"))
    return "\n".join(parts)


@cache
def parser(name: str) -> Lark:
    """Return the parser of a language (`cardgame`, `scenario`), from stored tables if there are any."""
    text = grammar_text(name)
    version = f"{FORMAT} {lark.__version__} {sys.version_info[:2]}"
    digest = hashlib.sha256(f"{version}\n{text}".encode()).hexdigest()[:32]
    stored = store.read(f"{name}-{digest}.json")
    if stored is not None:
        with suppress(Exception):  # If anything is wrong with a stored file, the grammar itself is at hand.
            return _load(stored)
    built = build(text)
    store.write(f"{name}-{digest}.json", json.dumps(_dump(built)).encode(), KEPT)
    return built


def build(text: str, *, strict: bool = False) -> Lark:
    """Build a parser from a grammar.

    With `strict`, any conflict of rules or terminals raises lark's GrammarError; the tests build it so (it
    needs `interegular`, which only the `dev` extra brings).
    """
    return Lark(text, parser="lalr", lexer="basic", strict=strict, postlex=Layout())


def _dump(built: Lark) -> dict[str, Any]:
    """Return a parser as JSON: what lark writes of it, with the rows of the tables as plain numbers.

    A row is a list of tokens, each followed by twice the next state, or by one more than twice the rule to be reduced.
    """
    data, memo = built.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name != "postlex"}
    numbers = {rule["@"]: number for number, rule in enumerate(data["rules"])}
    table = data["parser"]["parser"]
    rows = [
        [state, [n for token, (reduces, arg) in row.items()
                 for n in (token, 2 * numbers[arg["@"]] + 1 if reduces else 2 * arg)]]
        for state, row in table["states"].items()
    ]  # fmt: skip
    table["tokens"], table["states"] = [*table["tokens"].items()], {}
    return {"data": data, "memo": [*memo.items()], "rows": rows}


def _load(stored: bytes) -> Lark:
    """Make a parser of stored tables."""
    whole = json.loads(stored)
    data, table = whole["data"], whole["data"]["parser"]["parser"]
    table["tokens"] = dict(table["tokens"])
    loaded: Any = Lark._load_from_dict(data, dict(whole["memo"]), postlex=Layout())  # type: ignore[no-untyped-call]
    actions = [action for n, rule in enumerate(loaded.rules) for action in ((Shift, n), (Reduce, rule))]
    actions += [(Shift, n // 2) for n in range(len(actions), 2 * len(whole["rows"]))]
    tokens = table["tokens"]
    loaded.parser.parser._parse_table.states.update(
        (state, {tokens[token]: actions[action] for token, action in zip(row[::2], row[1::2], strict=True)})
        for state, row in whole["rows"]
    )
    made: Lark = loaded
    return made


# ---- the driver

END = "$END"

_Reduction = tuple[int, str, Callable[[list[Any]], Any]]
"""How many values a rule takes, what it makes of them, and the function that does."""


@attrs.frozen
class _Actions:
    """The action table of the LALR parser: for each state and token the number of the next state, or a reduction."""

    rows: dict[int, dict[str, int | _Reduction]]
    start: int
    end: int


@lru_cache(maxsize=4)
def _actions(parser: Lark) -> _Actions:
    conf: Any = parser.parse_interactive("").parser_state.parse_conf
    reductions = {rule: (len(rule.expansion), rule.origin.name, build) for rule, build in conf.callbacks.items()}
    rows = {
        state: {token: arg if action is Shift else reductions[arg] for token, (action, arg) in row.items()}
        for state, row in conf.states.items()
    }
    return _Actions(rows, conf.start_state, conf.end_state)


def parse(parser: Lark, text: str) -> Tree[Token]:
    """Return the tree of a text.  Raises UnexpectedInput, LayoutError."""
    return tree_of(parser, tokens(parser, text))


def tokens(parser: Lark, text: str) -> list[Token]:
    """Return the tokens of a text with its layout.  Raises UnexpectedInput, LayoutError."""
    return list(Layout().process(lex(parser, text)))


@attrs.frozen
class _Terminals:
    """The terminals of a language: one expression for all, those that are ignored, and the words among the others."""

    match: Callable[[str, int], re.Match[str] | None]
    ignored: frozenset[str]
    words: dict[str, dict[str, str]]


@lru_cache(maxsize=4)
def _terminals(parser: Lark) -> _Terminals:
    lexer: Any = parser.parser.lexer
    basic = lexer.lexer
    (expression,) = basic.scanner._mres
    words = {
        kind: {word.pattern.value: word.name for word in callback.scanner.terminals}
        for kind, callback in basic.callback.items()
    }
    return _Terminals(expression.match, basic.ignore_types, words)


def lex(parser: Lark, text: str) -> Iterator[Token]:
    """Yield the tokens of a text before its layout, as lark does in twice the time.  Raises UnexpectedCharacters."""
    terminals = _terminals(parser)
    match, ignored, words = terminals.match, terminals.ignored, terminals.words
    at, line, line_start, length = 0, 1, 0, len(text)
    while at < length:
        found = match(text, at)
        if found is None:
            raise UnexpectedCharacters(text, at, line, at - line_start + 1)  # type: ignore[no-untyped-call]
        kind, end = found.lastgroup, found.end()
        if kind not in ignored:
            value = found.group()
            if kind in words:
                kind = words[kind].get(value, kind)
            begin, column = line, at - line_start + 1
            if "\n" in value:
                line += value.count("\n")
                line_start = at + value.rindex("\n") + 1
            yield Token(kind, value, at, begin, column, line, end - line_start + 1, end)  # type: ignore[arg-type]
        at = end


def tree_of(parser: Lark, tokens: Iterable[Token]) -> Tree[Token]:
    """Return the tree of tokens that are laid out already.  Raises UnexpectedInput, and what the tokens raise."""
    tables = _actions(parser)
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
