"""Turn the white space of a text into structure: logical lines, indented blocks, tags at the end of a line.

Takes the tokens of the lexer and gives those that the grammar knows.  Afterwards every logical line ends
with its tags and one `_NL`, and every block is between `_INDENT` and `_DEDENT`.  Three rules let a
line go on: newlines inside brackets do not count; a line goes on after a trailing comma; a line that is
indented deeper and begins with a word that joins (`where`, `and`, `else`, an operator: the lexer calls
such a newline `_JOIN`) belongs to the line above.

What is wrong is given to a listener, and the layout carries on as well as it can: the plain parse stops
at the first problem, the second pass (`grammar.recovery`) collects them.  Nothing here knows the grammar,
except which words begin a section or a statement, to find the bracket that nobody closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs
from lark import Token

from grammar.diagnostics import Diagnostic
from grammar.source import Span

MAX_NESTING = 100
"""How deep brackets, blocks and operators may be nested."""

MAX_LINE_TOKENS = 20_000
"""How long a logical line may be."""

NEWLINES = ("_NL", "_JOIN")
LAYOUT_TOKENS = frozenset({"_NL", "_INDENT", "_DEDENT", "TAG"})

_CLOSERS = {"LPAR": "RPAR", "LSQB": "RSQB"}

_OPENERS = """
    CARDGAME USE EXTENDS REPLACE ADD REMOVE SET GAME OPTION ENUM DECK ZONES STATE PLAY PHASE DEFINE RESULT INVARIANT
    LET MOVE DEAL SHUFFLE RANDOM TURN SHOW SAY END REPEAT WHILE MATCH CASE OTHERWISE UNTIL OPENLY
    SCENARIOS SCENARIO GIVEN EXPECT
"""
NEVER_IN_BRACKETS = frozenset(_OPENERS.split())


@attrs.define(frozen=True)
class LayoutProblem:
    """A mistake in the layout of a text: its kind (the name of a code), and the token that shows it.

    `partner` is the bracket that a wrong one would close; on `lines` the mistake will lead to others.
    """

    kind: str
    token: Token
    partner: Token | None = None
    lines: tuple[int, ...] = ()


Listener = Callable[[LayoutProblem], None]


class LayoutError(Exception):
    """The first problem of a layout, when nobody listens."""

    def __init__(self, problem: LayoutProblem) -> None:
        super().__init__(problem.kind)
        self.problem = problem


def _stop(problem: LayoutProblem) -> None:
    raise LayoutError(problem)


class Layout:
    """The layout pass, in the form that lark wants; it keeps nothing between two texts."""

    always_accept = ("_JOIN",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Yield the tokens of a text with its layout; raise LayoutError at the first problem."""
        return _Lines(_stop, patient=True).run(stream)


def lay_out(stream: Iterator[Token], listener: Listener) -> Iterator[Token]:
    """Yield the tokens of a text with its layout, reporting each problem to the listener.

    The text is known to be wrong somewhere, so a bracket counts as forgotten where a line is not indented deeper.
    """
    return _Lines(listener, patient=False).run(stream)


class _Lines:
    def __init__(self, listener: Listener, patient: bool) -> None:
        self.problem = listener
        self.patient = patient
        self.levels = [0]
        self.brackets: list[Token] = []
        self.tags: list[Token] = []
        self.newline: Token | None = None
        self.last: Token | None = None
        self.length = 0

    def run(self, stream: Iterator[Token]) -> Iterator[Token]:
        for token in stream:
            kind = token.type
            if kind in NEWLINES:
                self.newline = token
                continue
            if self.newline is not None:
                yield from self.begin_line(self.newline, token)
                self.newline = None
            if kind == "TAG":
                self.tags.append(token)
                continue
            self.length += 1
            if self.length == MAX_LINE_TOKENS:
                self.problem(LayoutProblem("too-long", token))
            if kind in ("LPAR", "LSQB"):
                self.open(token)
            elif kind in ("RPAR", "RSQB"):
                self.close(token)
            self.last = token
            yield token
        if self.last is not None or self.tags:
            yield from self.finish()

    def open(self, token: Token) -> None:
        self.brackets.append(token)
        if len(self.brackets) == MAX_NESTING + 1:
            self.problem(LayoutProblem("too-deep", token))

    def close(self, token: Token) -> None:
        partner = self.brackets.pop() if self.brackets else None
        if partner is None or _CLOSERS[partner.type] != token.type:
            self.problem(LayoutProblem("stray-bracket", token, partner))

    def is_left_open(self, first: Token, depth: int) -> bool:
        """Whether a line inside brackets shows that one of them was forgotten."""
        if first.type in NEVER_IN_BRACKETS:
            return True
        return not self.patient and depth <= self.levels[-1] and first.type not in _CLOSERS.values()

    def leave_open(self, newline: Token | None) -> None:
        line = newline.line if newline is not None else None
        self.problem(LayoutProblem("open-bracket", self.brackets[-1], lines=() if line is None else (line,)))
        self.brackets.clear()

    def begin_line(self, newline: Token, first: Token) -> Iterator[Token]:
        """Decide whether `first` begins a logical line; if so, end the one before it."""
        if self.last is None and not self.tags:
            return
        white = newline.rsplit("\n", 1)[1]
        depth = len(white.expandtabs(4))
        if self.brackets:
            if not self.is_left_open(first, depth):
                return
            self.leave_open(newline)
        goes_on = newline.type == "_JOIN" and depth > self.levels[-1]
        if goes_on or (self.last is not None and self.last.type == "COMMA"):
            return
        if "\t" in white:
            self.problem(LayoutProblem("tab-indentation", _edge("_NL", white, first, len(white))))
        yield from self.end_line(newline)
        yield from self.indent(depth, white, first)

    def end_line(self, newline: Token) -> Iterator[Token]:
        yield from self.tags
        self.tags = []
        self.length = 0
        yield Token.new_borrow_pos("_NL", "\n", newline)

    def indent(self, depth: int, white: str, first: Token) -> Iterator[Token]:
        if depth > self.levels[-1]:
            self.levels.append(depth)
            if len(self.levels) == MAX_NESTING + 1:
                self.problem(LayoutProblem("too-deep", first))
            yield _edge("_INDENT", white, first, 0)
            return
        while depth < self.levels[-1]:
            outer = self.levels[-2]
            if depth > outer:
                self.problem(LayoutProblem("uneven-indentation", first))
                self.levels[-1] = depth
                return
            self.levels.pop()
            yield _edge("_DEDENT", white, first, 0)

    def finish(self) -> Iterator[Token]:
        if self.brackets:
            self.leave_open(self.newline)
        end = self.newline or self.last or self.tags[-1]
        yield from self.end_line(end)
        while len(self.levels) > 1:
            self.levels.pop()
            yield Token.new_borrow_pos("_DEDENT", "", end)


def _edge(kind: str, text: str, first: Token, length: int) -> Token:
    """Return a token of no or some width that is just before the first of a line."""
    start = (first.start_pos or 0) - length
    column = (first.column or 1) - length
    return Token(kind, text, start, first.line, column, first.line, first.column, first.start_pos)


def too_deep(span: Span) -> Diagnostic:
    """Return the diagnostic of something nested too deeply."""
    return Diagnostic("CG115", "this is nested too deeply", span, "give a part of it a name with `let` or `define`")
