"""Find many mistakes of form in one run, once the plain parse has found that there is one.

Takes a text that does not parse; gives diagnostics, at most one a place and `MAX_REPORTS` in all.  The
tokens are given one by one to an interactive parser without a tree.  At each end of a line or block a
snapshot is kept for that depth of indentation.  After a mistake the rest of the statement is skipped, and
parsing goes on in the innermost snapshot that accepts the next token: behind the statement, or, if a plain
opening line put in its place allows, inside its block.  Statements that no snapshot accepts are most
likely due to the same mistake and are passed over in silence.

The parser is given every token once, plus a few for each report, so the time is linear in the text.
"""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedToken

from grammar.diagnostics import Diagnostic, Label
from grammar.explain import Mistake, explain, span_of
from grammar.layout import LAYOUT_TOKENS, LayoutProblem, lay_out
from grammar.scan import scan
from grammar.source import Source, Span

MAX_REPORTS = 20
MAX_SKIPPED = 50_000


# A block whose opening line is wrong is read as if the right-hand side had opened it, if its line has the words on the
# left.  All are terminals; what a language does not have is never accepted.
_STAND_INS = (
    ("CHOOSES", "NAME CHOOSES _NL _INDENT"),
    ("CASE", "CASE NAME _NL _INDENT"),
    ("MATCH", "MATCH NAME _NL _INDENT"),
    ("FOR", "WHILE NAME _NL _INDENT"),
    ("IF", "WHILE NAME _NL _INDENT"),
    ("ELSE", "WHILE NAME _NL _INDENT"),
    ("WHILE", "WHILE NAME _NL _INDENT"),
    ("REPEAT", "REPEAT _NL _INDENT"),
    ("OTHERWISE", "OTHERWISE _NL _INDENT"),
    ("PHASE", "PHASE NAME _NL _INDENT"),
    ("PLAY", "PLAY _NL _INDENT"),
    ("DEFINE EQUAL", "DEFINE NAME EQUAL _NL _INDENT"),
    ("ZONES", "ZONES _NL _INDENT"),
    ("STATE", "STATE _NL _INDENT"),
    ("DECK", "DECK IN NAME _NL _INDENT"),
    ("GAME", "GAME STRING _NL _INDENT"),
    ("RESULT", "RESULT _NL _INDENT"),
    ("SCENARIO", "SCENARIO STRING _NL _INDENT"),
    ("", "NAME _NL _INDENT"),
)


_HEADINGS = ("CARDGAME NUMBER _NL", "SCENARIOS NUMBER OF STRING _NL")


class _EnoughError(Exception):
    """There is nothing more to be learnt from this text."""


def find_mistakes(parser: Lark, source: Source, text: str) -> list[Diagnostic]:
    """Return what is wrong with the form of a text, in the order of the places."""
    found = _Pass(parser, source)
    with suppress(_EnoughError):
        found.run(text)
    return sorted(found.diagnostics, key=lambda d: (d.span.start, d.code))


class _Pass:
    def __init__(self, parser: Lark, source: Source) -> None:
        self.parser = parser
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.reported_lines: set[int] = set()
        self.words = _words(parser)
        self.cursor = _without_tree(parser)
        self.snapshots: list[list[Any]] = [[self.cursor.copy(deepcopy_values=False)]]
        self.line_start = self.snapshots[0][0]
        self.line: list[Token] = []
        self.last: Token | None = None
        self.dropped: list[bool] = []
        self.skipping = False
        self.at_boundary = False
        self.skipped_depth = 0
        self.skipped = 0
        self.header: set[str] = set()
        self.entering = False

    def run(self, text: str) -> None:
        raw = scan(self.parser, text, self.report_sign)
        token = None
        for token in lay_out(raw, self.layout_problem):
            self.step(token)
        end = Token.new_borrow_pos("$END", "", token) if token else Token("$END", "", 0, 1, 1, 1, 1, 0)
        if not self.skipping:
            self.feed(end)

    # ---- reports

    def report(self, diagnostic: Diagnostic, *lines: int) -> None:
        """Keep a diagnostic, unless its line has one already."""
        where = {diagnostic.span.line, *lines}
        earlier = self.diagnostics[-1] if self.diagnostics else None
        if diagnostic.span.line not in self.reported_lines:
            self.diagnostics.append(diagnostic)
        elif diagnostic.code == "CG106" and earlier and (earlier.code, earlier.span.line) == ("CG101", min(where)):
            self.diagnostics[-1] = diagnostic  # whatever could not stand there stood inside the open bracket
        self.reported_lines |= where
        if len(self.diagnostics) >= MAX_REPORTS:
            raise _EnoughError

    def report_sign(self, code: str, message: str, start: int, end: int, help_: str) -> None:
        self.report(Diagnostic(code, message, Span(self.source, start, end), help_))

    def layout_problem(self, problem: LayoutProblem) -> None:
        self.report(_LAYOUT[problem.kind](self.source, problem), *problem.lines)
        if problem.kind in ("too-deep", "too-long"):
            raise _EnoughError

    def unexpected(self, token: Token) -> None:
        # The parser has reduced what it could before it refused, and no longer knows what else would have done.
        fresh = self.line_start.copy(deepcopy_values=False)
        for taken in self.line:
            fresh.feed_token(taken)
        expected = frozenset(fresh.accepts())
        line = tuple(t for t in self.line if t.type != "TAG")
        mistake = Mistake(token, expected, line, self.last, self.words, self.would_fit)
        diagnostic = explain(self.source, mistake)
        lines = {t.line for t in (token, *self.line[-1:]) if t.line is not None}
        if not lines & self.reported_lines or token.type in ("_INDENT", "$END"):
            self.report(diagnostic, *lines)

    def would_fit(self, tokens: tuple[Token, ...]) -> bool:
        """Whether the line could have begun with these tokens."""
        return _accepts(self.line_start, tokens)

    # ---- one token after another

    def step(self, token: Token) -> None:
        if self.skipping:
            self.skip(token)
        elif token.type == "_DEDENT" and self.dropped[-1]:
            self.dropped.pop()
        else:
            self.feed(token)

    def feed(self, token: Token) -> None:
        try:
            self.cursor.feed_token(token)
        except UnexpectedToken:
            self.unexpected(token)
            self.recover(token)
        else:
            self.took(token)

    def took(self, token: Token) -> None:
        """Keep a snapshot after the end of a line or block, unless it can only go on with a block."""
        if token.type == "TAG" or token.type not in LAYOUT_TOKENS:
            self.line.append(token)
            if token.type != "TAG":
                self.last = token
            return
        snapshot = self.cursor.copy(deepcopy_values=False)
        if token.type == "_INDENT":
            self.dropped.append(False)
            self.snapshots.append([snapshot])
        elif token.type == "_DEDENT":
            self.dropped.pop()
            self.snapshots.pop()
            self.keep(snapshot)
        elif not _accepts(snapshot, (Token("_INDENT", ""),)):
            self.keep(snapshot)
        self.line_start = snapshot
        self.line = []

    def keep(self, snapshot: Any) -> None:
        self.snapshots[-1] = [snapshot, self.snapshots[-1][0]]

    # ---- after a mistake

    def recover(self, token: Token) -> None:
        if token.type == "$END":
            return
        if token.type == "_INDENT":
            self.dropped.append(True)
            return
        self.take_heading_as_read()
        self.skipping = True
        self.entering = False
        self.skipped_depth = 0
        self.header = {t.type for t in (*self.line, token)}
        self.at_boundary = token.type == "_NL" or (not self.line and self.fits(token) is not None)
        if token.type == "_DEDENT" or (self.at_boundary and token.type != "_NL"):
            self.at_boundary = True
            self.skip(token)

    def take_heading_as_read(self) -> None:
        """Leave the first line behind, right or wrong, or nothing after it would be accepted."""
        for heading in _HEADINGS:
            tokens = tuple(Token(kind, "") for kind in heading.split())
            if len(self.snapshots) == 1 and _accepts(self.snapshots[0][0], tokens):
                read = self.snapshots[0][0].copy(deepcopy_values=False)
                for token in tokens:
                    read.feed_token(token)
                self.snapshots = [[read]]

    def skip(self, token: Token) -> None:
        """Pass over the rest of a statement; try to go on inside its block, or at the first token behind."""
        self.skipped += 1
        if self.skipped > MAX_SKIPPED:
            raise _EnoughError
        if self.entering:
            self.entering = False
            if self.enter(token):
                return
        if token.type == "_INDENT":
            self.entering = self.at_boundary and not self.skipped_depth
            self.skipped_depth += 1
        elif self.skipped_depth:
            self.skipped_depth -= token.type == "_DEDENT"
        elif not self.at_boundary:
            self.header.add(token.type)
            self.at_boundary = token.type == "_NL"
        else:
            self.resume(token)

    def enter(self, token: Token) -> bool:
        """Go on inside the block of a statement that was skipped, as if a plain one had opened it."""
        for mark, opening in _STAND_INS:
            if not self.header.issuperset(mark.split()):
                continue
            tokens = tuple(Token(kind, "") for kind in opening.split())
            outer = next((s for s in self.snapshots[-1] if _accepts(s, (*tokens, token))), None)
            if outer is None:
                continue
            self.cursor = outer.copy(deepcopy_values=False)
            for opener in tokens:
                self.cursor.feed_token(opener)
            self.skipping = False
            self.line = []
            self.line_start = self.cursor.copy(deepcopy_values=False)
            self.snapshots.append([self.line_start])
            self.dropped.append(False)
            self.step(token)
            return True
        return False

    def resume(self, token: Token) -> None:
        if token.type == "_DEDENT" and self.dropped[-1]:
            self.dropped.pop()
            return
        snapshot = self.fits(token)
        if snapshot is not None:
            self.skipping = False
            self.line = []
            self.line_start = snapshot
            self.cursor = snapshot.copy(deepcopy_values=False)
            self.step(token)
        elif token.type == "_DEDENT":
            self.snapshots.pop()
            self.dropped.pop()
        else:
            self.at_boundary = False
            self.header = {token.type}

    def fits(self, token: Token) -> Any:
        """Return the snapshot of this depth that accepts a token, the latest first, or None."""
        return next((s for s in self.snapshots[-1] if _accepts(s, (token,))), None)


def _words(parser: Lark) -> frozenset[str]:
    """Return the words of a language, as they are written."""
    names = (t.name for t in parser.terminals if t.pattern.type == "str" and t.pattern.value.isalpha())
    return frozenset(n.lower() for n in names) | {"at least", "at most", "up to", "such that", "seen by", "only if"}


def _without_tree(parser: Lark) -> Any:
    """Return an interactive parser at the start, which makes no tree of what it is given."""
    cursor: Any = parser.parse_interactive("")
    conf = copy(cursor.parser_state.parse_conf)
    conf.callbacks = {}
    cursor.parser_state.parse_conf = conf
    return cursor


def _accepts(snapshot: Any, tokens: tuple[Token, ...]) -> bool:
    """Whether a parser could go on with these tokens; it stays as it is."""
    if tokens[0].type not in snapshot.choices():
        return False
    trial = snapshot.copy(deepcopy_values=False)
    try:
        for token in tokens:
            trial.feed_token(token)
    except UnexpectedToken:
        return False
    return True


def _open_bracket(source: Source, problem: LayoutProblem) -> Diagnostic:
    closer = ")" if problem.token == "(" else "]"
    return Diagnostic(
        "CG106", "this bracket is never closed", span_of(source, problem.token), f"close it with `{closer}`"
    )


def _stray_bracket(source: Source, problem: LayoutProblem) -> Diagnostic:
    span = span_of(source, problem.token)
    if problem.partner is None:
        return Diagnostic("CG107", "this bracket closes nothing", span, "take it out, or open it before")
    closer = ")" if problem.partner == "(" else "]"
    labels = (Label(span_of(source, problem.partner), "this one is open"),)
    return Diagnostic("CG107", "this is the wrong bracket", span, f"write `{closer}`", labels=labels)


def _uneven(source: Source, problem: LayoutProblem) -> Diagnostic:
    return Diagnostic(
        "CG108",
        "this line begins at a column where no block does",
        span_of(source, problem.token),
        "indent it as far as the other lines of its block",
    )


def _tabs(source: Source, problem: LayoutProblem) -> Diagnostic:
    return Diagnostic(
        "CG114", "this line is indented with tabs", span_of(source, problem.token), "indent with spaces, four a level"
    )


def _too_deep(source: Source, problem: LayoutProblem) -> Diagnostic:
    return too_deep(span_of(source, problem.token))


def _too_long(source: Source, problem: LayoutProblem) -> Diagnostic:
    return Diagnostic("CG115", "this line is far too long", span_of(source, problem.token), "break it into several")


def too_deep(span: Span) -> Diagnostic:
    """Return the diagnostic of something nested too deeply."""
    return Diagnostic("CG115", "this is nested too deeply", span, "give a part of it a name with `let` or `define`")


_LAYOUT = {
    "open-bracket": _open_bracket,
    "stray-bracket": _stray_bracket,
    "uneven-indentation": _uneven,
    "tab-indentation": _tabs,
    "too-deep": _too_deep,
    "too-long": _too_long,
}
