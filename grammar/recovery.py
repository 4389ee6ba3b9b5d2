"""Panic-mode error recovery: find many syntax errors in one run, and the parts of the text that can be read.

The input is a text that does not parse.  The output is diagnostics, at most one for each place and `MAX_REPORTS` in
all, and the tokens of a text that parses: the sound parts of this one.  An interactive parser reads the tokens one by
one and builds no tree.  If the explanation of a mistake has a fix, the line is read with the fix.  Otherwise the
parser skips the rest of the statement.  It keeps a snapshot for each depth of indentation at the end of each line and
block, and goes on in the innermost snapshot that accepts the next token: after the statement, or inside its block if
a stand-in for the opening line is accepted.  Statements that no snapshot accepts follow most likely from the same
mistake, so they are skipped without a diagnostic.

The names in skipped parts are kept, so that later phases do not report them as undeclared.

The parser reads every token once.  Attempts at a fix and lines that are read again have a budget (`MAX_WORK`), so the
time is linear in the length of any text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from copy import copy
from typing import Any

import attrs
from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import LexerThread

from grammar import foreign, tables
from grammar.diagnostics import UNREAD, Cure, Diagnostic, Edit, Label, drop, edited, write
from grammar.explain import Mistake, explain, renamed_too, span_of
from grammar.layout import LAYOUT_TOKENS, NEWLINES, LayoutError, LayoutProblem, lay_out, too_deep
from grammar.printable import described
from grammar.source import Source, Span

MAX_REPORTS = 20
MAX_SKIPPED = 50_000
MAX_RENAMED = 1_000
MAX_WORK = 50_000
"""Tokens that are read again because of mistakes; a text that needs more is hardly a spec."""

_IN_BRACKET = ("CG101", "CG130")

MOST_TRIES = 12
"""The number of fixes with which the whole text is parsed again."""

MISTAKE = 200
"""The cost of the explanation of one mistake, in tokens, besides those of its line."""

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
    ("TEAMS", "TEAMS _NL _INDENT"),
    ("ZONES", "ZONES _NL _INDENT"),
    ("STATE", "STATE _NL _INDENT"),
    ("DECK", "DECK IN NAME _NL _INDENT"),
    ("GAME", "GAME STRING _NL _INDENT"),
    ("RESULT", "RESULT _NL _INDENT"),
    ("SCENARIO", "SCENARIO STRING _NL _INDENT"),
    ("", "NAME _NL _INDENT"),
)

# The content of a block without a readable statement, so that the line that opens it can be read.
_FILLERS = ("NOTHING _NL", "NAME _NL")

_VALUES = {"NAME": UNREAD, "NUMBER": "1", "STRING": '""', "_NL": "\n"}


_HEADINGS = ("CARDGAME NUMBER _NL", "SCENARIOS NUMBER OF STRING _NL")


class _EnoughError(Exception):
    """Further diagnostics of this text would not help."""


@attrs.frozen
class Recovered:
    """The result of error recovery: the diagnostics of a text in the order of their places, and its readable part.

    `tokens` parse, or are None if nothing can be saved; `names` occur in the skipped parts.
    """

    diagnostics: list[Diagnostic]
    tokens: list[Token] | None
    names: frozenset[str]


@attrs.frozen
class _Reading:
    """The tokens of a line up to a place in the text, with a fix; `whole` says that all of the line can be read."""

    tokens: tuple[Token, ...]
    end: int
    whole: bool


_Read = tuple[Token, Any] | None
"""Tokens that a parser was given, the last one first: a linked list, so that a snapshot of it costs nothing."""


@attrs.frozen(eq=False)
class _Point:
    """A parser between two lines, and what it has read; both stay as they are."""

    parser: Any
    read: _Read


def recover(parser: Lark, source: Source, text: str) -> Recovered:
    """Return what is wrong with the form of a text, and its sound parts."""
    found = _Pass(parser, source)
    tokens = None
    with suppress(_EnoughError):
        found.run(text)
        tokens = found.tokens()
    for number, used in found.misnamed.values():
        found.diagnostics[number] = renamed_too(found.diagnostics[number], used)
    diagnostics = sorted(found.diagnostics, key=lambda d: (d.span.start, d.code))
    return Recovered(diagnostics, tokens, frozenset(found.names | {UNREAD}))


class _Pass:
    def __init__(self, parser: Lark, source: Source) -> None:
        self.parser = parser
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.reported_lines: set[int] = set()
        self.words = _words(parser)
        self.cursor = without_tree(parser)
        self.read: _Read = None
        self.snapshots: list[list[_Point]] = [[self.point()]]
        self.line_start = self.snapshots[0][0]
        self.line: list[Token] = []
        self.names: set[str] = set()
        self.renamed = 0
        self.misnamed: dict[str, tuple[int, list[Span]]] = {}
        self.last: Token | None = None
        self.dropped: list[bool] = []
        self.skipping = False
        self.at_boundary = False
        self.skipped_depth = 0
        self.skipped = 0
        self.work = 0
        self.tries = 0
        self.header: set[str] = set()
        self.entering = False
        self.text = ""
        self.read_to = 0
        self.braces = 0

    def run(self, text: str) -> None:
        self.text = self.without_foreign_comments(text)
        raw = scan(self.parser, self.text, self.report_sign)
        token = None
        for token in lay_out(raw, self.layout_problem):
            self.step(token)
        end = Token.new_borrow_pos("$END", "", token) if token else Token("$END", "", 0, 1, 1, 1, 1, 0)
        if not self.skipping:
            self.feed(end)
        self.ended = end

    def tokens(self) -> list[Token] | None:
        """Return the tokens of the sound parts, or None where they are no text."""
        if self.read is None or self.read[0].type != "$END":
            last = next((s for s in self.snapshots[0] if _accepts(s.parser, (self.ended,))), None)
            if last is None:
                return None
            self.leave(last)
        found = []
        read = self.read
        while read is not None:
            found.append(read[0])
            read = read[1]
        return [t for t in reversed(found) if t.type != "$END"]

    # ---- its position

    def point(self) -> _Point:
        return _Point(self.cursor.copy(deepcopy_values=False), self.read)

    def leave(self, point: _Point) -> None:
        """Go back to a point; what was read since is passed over."""
        read = self.read
        while read is not None and read is not point.read:
            self.pass_over(read[0])
            read = read[1]
        self.cursor = point.parser.copy(deepcopy_values=False)
        self.read = point.read
        self.line = []
        self.line_start = point

    def give(self, token: Token) -> None:
        """Give a token to the parser, which accepts it.  Raises UnexpectedToken where it does not."""
        self.cursor.feed_token(token)
        self.read = (token, self.read)

    def pass_over(self, token: Token) -> None:
        if token.type not in LAYOUT_TOKENS:
            self.names.update(_NAMES.findall(token))

    # ---- reports

    def report(self, diagnostic: Diagnostic, *lines: int) -> None:
        """Keep a diagnostic, unless its line has one already."""
        where = {diagnostic.span.line, *lines}
        earlier = self.diagnostics[-1] if self.diagnostics else None
        if diagnostic.span.line not in self.reported_lines:
            self.diagnostics.append(diagnostic)
        elif diagnostic.code == "CG106" and earlier and earlier.span.line == min(where) and earlier.code in _IN_BRACKET:
            self.diagnostics[-1] = diagnostic  # it is inside the open bracket of the earlier one
        self.reported_lines |= where
        if len(self.diagnostics) >= MAX_REPORTS:
            raise _EnoughError

    def report_sign(
        self, code: str, message: str, start: int, end: int, help_: str, edit: tuple[int, int, str] | None
    ) -> None:
        cure = help_ if edit is None else Cure(help_, (Edit(Span(self.source, *edit[:2]), edit[2]),))
        span = Span(self.source, start, end)
        diagnostic = Diagnostic(code, message, span, cure)
        if code == "CG104" and span.line not in self.reported_lines:
            if self.text[start] == "}" and self.braces:
                self.braces -= 1
                return
            if self.text[start] == "{":
                self.braces += 1
                diagnostic = self.without_braces(diagnostic)
            at = Token("SIGN", span.text, start, span.line, span.column, span.line, span.column, end)
            meant = foreign.found(self.source, span, lambda edits: self.is_sound(edits, at))
            if meant is not None:
                diagnostic = attrs.evolve(meant, code=code)
                reading = self.reading(meant.edits, at)
                if reading is not None and self.go_on_with(reading.tokens):
                    self.read_to = reading.end
        self.report(diagnostic)

    def without_braces(self, diagnostic: Diagnostic) -> Diagnostic:
        """Return the diagnostic of an opening brace with the edits that leave out both braces of a block."""
        start, depth = diagnostic.span.start, 0
        for found in _BRACES.finditer(self.text, start):
            depth += {"{": 1, "}": -1}.get(found[1], 0)
            if depth == 0 and found[1] == "}":
                alone = _LINE_OF_BRACE.match(self.text, self.text.rfind("\n", 0, found.start()) + 1)
                closing = Span(self.source, *(alone.span() if alone else found.span(1)))
                if closing.line != diagnostic.span.line:
                    opening = drop(diagnostic.span, "")
                    return attrs.evolve(diagnostic, cure=Cure(diagnostic.help, (*opening.edits, Edit(closing, ""))))
        return diagnostic

    def without_foreign_comments(self, text: str) -> str:
        """Return the text, of the same length, with `//` and `/*` comments of other languages as `#` comments."""

        def replaced(found: re.Match[str]) -> str:
            sign, inner = found.group(1), found.group(2)
            if sign is None:
                return found.group()
            start = found.start()
            span = Span(self.source, start, start + 2)
            number = _DIVISOR.match(inner)
            if sign == "//" and number is not None:
                end = span.end + number.end()
                edits = (Edit(span, "/"), Edit(Span(self.source, end, end), " rounded down"))
                cure = Cure("`/` divides and says how it rounds: write `/ .. rounded down`", edits)
                self.report(Diagnostic("CG130", "`//` is no operator", span, cure))
                return f"/ {inner}"
            whole = Span(self.source, start, found.end())
            cure = Cure("a comment begins with `#`", (Edit(whole, f"#{inner.rstrip()}"),))
            self.report(Diagnostic("CG130", f"`{sign}` begins no comment", span, cure))
            return f"{'#':<{len(found.group())}}"

        return _COMMENTS.sub(replaced, text)

    def layout_problem(self, problem: LayoutProblem) -> None:
        self.report(_LAYOUT[problem.kind](self.source, problem), *problem.lines)
        if problem.kind in ("too-deep", "too-long"):
            raise _EnoughError

    def unexpected(self, token: Token) -> _Reading | None:
        """Report a token that cannot stand where it does; return how its line is read with the fix, if it can be."""
        self.charge(MISTAKE + len(self.line))
        # The parser has reduced what it could before it refused, and no longer knows what else would have done.
        fresh = _after(self.line_start.parser, self.line)
        assert fresh is not None
        line = tuple(t for t in self.line if t.type != "TAG")
        before = _after(self.line_start.parser, line[:-1])
        after = None if before is None else _after(before, line[-1:])
        known = [(line, after), (line[:-1], before), ((), self.line_start.parser)]

        def would_fit(tokens: tuple[Token, ...]) -> bool:
            """Whether the line could have begun with these tokens; most share theirs with it."""
            start, parser = next((start, parser) for start, parser in known if tokens[: len(start)] == start)
            return parser is not None and _accepts(parser, tokens[len(start) :])

        expected = frozenset(fresh.accepts())

        def reads(edits: tuple[Edit, ...]) -> bool:
            return self.reading(edits, token) is not None

        def sound(edits: tuple[Edit, ...]) -> bool:
            return self.is_sound(edits, token)

        mistake = Mistake(token, expected, line, self.last, self.words, would_fit, self.is_statement, reads, sound)
        found = explain(self.source, mistake)
        lines = {t.line for t in (token, *self.line[-1:]) if t.line is not None}
        if not lines & self.reported_lines or token.type in ("_INDENT", "$END"):
            self.report(found, *lines)
            if found.code == "CG102" and self.diagnostics[-1] is found:
                self.misnamed[token.type] = len(self.diagnostics) - 1, []
        if found.code == "CG102":
            return _Reading((*self.line, Token.new_borrow_pos("NAME", str(token), token)), token.end_pos or 0, False)
        return self.reading(found.edits, token)

    def reading(self, edits: Iterable[Edit], token: Token) -> _Reading | None:
        """Return how the line of a token is read with edits, or None if it cannot be read beyond the token and them.

        The tokens of what an edit writes stand where that which it replaces stood.
        """
        edits = sorted(edits, key=lambda e: e.span.start)
        ends = not self.line if token.type in LAYOUT_TOKENS or token.type == "$END" else False
        if not edits or ends:
            return None
        start = (*self.line, token)[0].start_pos or 0
        inner = self.line[-1] if token.type in LAYOUT_TOKENS or token.type == "$END" else token
        limit = max(inner.end_pos or 0, edits[-1].span.end)
        end = self.text.find("\n", limit) + 1
        if edits[0].span.start < start or "\n" in self.text[start:limit]:
            return None
        line = ""
        places: list[int] = []
        at = start
        for edit in edits:
            line += self.text[at : edit.span.start]
            places += range(at, edit.span.start)
            line += edit.text
            places += [edit.span.start] * len(edit.text)
            at = edit.span.end
        line += self.text[at:end]
        places += [*range(at, end), end]
        self.charge(len(line) // 2)
        tokens = []
        lexer: Any = self.parser.parser.lexer
        thread: Any = LexerThread.from_text(lexer.lexer, line)
        try:
            for made in thread.lex(None):
                if made.type not in NEWLINES:
                    first, last = places[made.start_pos], places[made.end_pos - 1] + 1
                    row, column = self.source.position(first)
                    tokens.append(Token(made.type, made.value, first, row, column, row, column + last - first, last))
        except UnexpectedCharacters:
            return None
        upto = tuple(t for t in tokens if (t.start_pos or 0) < limit or (t.start_pos == limit and t.end_pos == limit))
        if _after(self.line_start.parser, upto) is None:
            return None
        parser = _after(self.line_start.parser, tokens)
        return _Reading(upto, limit, parser is not None and self.ends_well(parser, tokens, end))

    def is_sound(self, edits: Iterable[Edit], token: Token) -> bool:
        """Whether all of the line of a token can be read with edits; or the whole text, where they join two lines."""
        found = self.reading(edits, token)
        if found is not None or self.diagnostics or self.tries >= MOST_TRIES:
            return found is not None and found.whole
        self.tries += 1
        try:
            tables.parse(self.parser, edited(self.text, edits))
        except (UnexpectedInput, LayoutError):
            return False
        return True

    def ends_well(self, parser: Any, tokens: list[Token], end: int) -> bool:
        """Whether a line can end after these tokens, given the indentation of the next line."""
        begin = self.text.rfind("\n", 0, end - 1) + 1
        following = _FOLLOWING.match(self.text, end)
        deeper = following is not None and len(following[1].expandtabs(4)) > _indentation(self.text[begin:end])
        if deeper and following is not None and (following[2] or (tokens and tokens[-1].type == "COMMA")):
            return True
        block = _accepts(parser, (Token("_NL", "\n"), Token("_INDENT", "")))
        ended = _after(parser, (Token("_NL", "\n"),))
        return block if deeper else ended is not None and ended.choices().keys() != {"_INDENT"}

    def charge(self, tokens: int) -> None:
        """Count tokens that are read again; give up where they are too many."""
        self.work += tokens
        if self.diagnostics and self.work > MAX_WORK:
            raise _EnoughError

    def is_statement(self, tokens: tuple[Token, ...]) -> bool:
        """Whether a statement could begin with these tokens."""
        opening = tuple(Token(kind, "") for kind in ("CARDGAME", "NUMBER", "_NL", "PLAY", "_NL", "_INDENT"))
        return _accepts(without_tree(self.parser), (*opening, *tokens))

    # ---- one token after another

    def step(self, token: Token) -> None:
        if (token.start_pos or 0) < self.read_to and token.type not in ("_NL", "_INDENT", "_DEDENT", "$END"):
            return
        if self.skipping:
            self.skip(token)
        elif token.type == "_DEDENT" and self.dropped[-1]:
            self.dropped.pop()
        else:
            self.feed(token)

    def feed(self, token: Token) -> None:
        try:
            self.give(token)
        except UnexpectedToken:
            if self.use_as_name(token):
                return
            meant = self.unexpected(token)
            if meant is None or not self.go_on_with(meant.tokens):
                self.recover(token)
                return
            self.read_to = meant.end
            if token.type in LAYOUT_TOKENS or token.type == "$END":
                try:
                    self.give(token)
                except UnexpectedToken:
                    self.recover(token)
                else:
                    self.took(token)
        else:
            self.took(token)

    def go_on_with(self, tokens: tuple[Token, ...]) -> bool:
        """Read the line as if it began with these tokens; say whether that is possible."""
        self.charge(len(tokens))
        if not _accepts(self.line_start.parser, tokens):
            return False
        self.cursor = self.line_start.parser.copy(deepcopy_values=False)
        self.read = self.line_start.read
        self.line = []
        for token in tokens:
            self.give(token)
            self.took(token)
        return True

    def use_as_name(self, token: Token) -> bool:
        """Take a word as a name that was given to something above, if the line goes on with it; say whether it does.

        That it cannot be a name is reported once, where it is declared.
        """
        if not self.misnamed:
            return False
        line = [*self.line, token]
        for size in (1, 2, len(line)):
            words = [t for t in line[-size:] if t.type in self.misnamed]
            tokens = tuple(Token.new_borrow_pos("NAME", str(t), t) if t in words else t for t in line)
            if words and self.go_on_with(tokens):
                for word in words:
                    self.misnamed[word.type][1].append(span_of(self.source, word))
                    self.renamed += 1
                if self.renamed > MAX_RENAMED:
                    raise _EnoughError
                return True
        return False

    def took(self, token: Token) -> None:
        """Keep a snapshot after the end of a line or block, unless it can only go on with a block."""
        if token.type == "TAG" or token.type not in LAYOUT_TOKENS:
            self.line.append(token)
            if token.type != "TAG":
                self.last = token
            return
        snapshot = self.point()
        if token.type == "_INDENT":
            self.dropped.append(False)
            self.snapshots.append([snapshot])
        elif token.type == "_DEDENT":
            self.dropped.pop()
            self.snapshots.pop()
            self.keep(snapshot)
        elif not _accepts(snapshot.parser, (Token("_INDENT", ""),)):
            self.keep(snapshot)
        self.line_start = snapshot
        self.line = []

    def keep(self, snapshot: _Point) -> None:
        self.snapshots[-1] = [snapshot, self.snapshots[-1][0]]

    # ---- after a mistake

    def recover(self, token: Token) -> None:
        if token.type == "$END":
            return
        if token.type == "_INDENT":
            self.dropped.append(True)
            return
        line = self.line
        self.leave(self.line_start)
        self.pass_over(token)
        self.take_heading_as_read()
        self.skipping = True
        self.entering = False
        self.skipped_depth = 0
        self.header = {t.type for t in (*line, token)}
        self.at_boundary = token.type == "_NL" or (not line and self.fits(token) is not None)
        if token.type == "_DEDENT" or (self.at_boundary and token.type != "_NL"):
            self.at_boundary = True
            self.skip(token)

    def take_heading_as_read(self) -> None:
        """Skip the first line, right or wrong: otherwise nothing after it would be accepted."""
        for heading in _HEADINGS:
            tokens = _made(heading, Token("$END", "", 0, 1, 1, 1, 1, 0))
            if len(self.snapshots) == 1 and _accepts(self.snapshots[0][0].parser, tokens):
                self.leave(self.snapshots[0][0])
                for token in tokens:
                    self.give(token)
                self.snapshots = [[self.point()]]
                self.line_start = self.snapshots[0][0]

    def skip(self, token: Token) -> None:
        """Pass over the rest of a statement; try to go on inside its block, or at the first token after it."""
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
            self.pass_over(token)
        elif not self.at_boundary:
            self.pass_over(token)
            self.header.add(token.type)
            self.at_boundary = token.type == "_NL"
        else:
            self.resume(token)

    def enter(self, token: Token) -> bool:
        """Go on inside the block of a statement that was skipped, as if a plain one had opened it."""
        for mark, opening in _STAND_INS:
            if not self.header.issuperset(mark.split()):
                continue
            tokens = _made(opening, token)
            outer = next((s for s in self.snapshots[-1] if _accepts(s.parser, (*tokens, token))), None)
            if outer is None:
                continue
            self.leave(outer)
            for opener in tokens:
                self.give(opener)
            self.skipping = False
            self.line_start = self.point()
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
        if snapshot is None and token.type == "_DEDENT":
            snapshot = self.filled(token)
        if snapshot is not None:
            self.skipping = False
            self.leave(snapshot)
            self.step(token)
        elif token.type == "_DEDENT":
            self.snapshots.pop()
            self.dropped.pop()
        else:
            self.pass_over(token)
            self.at_boundary = False
            self.header = {token.type}

    def fits(self, token: Token) -> _Point | None:
        """Return the snapshot of this depth that accepts a token, the latest first, or None."""
        return next((s for s in self.snapshots[-1] if _accepts(s.parser, (token,))), None)

    def filled(self, token: Token) -> _Point | None:
        """Return the beginning of a block with a statement put in that makes it end here, or None."""
        for filler in _FILLERS:
            tokens = _made(filler, token)
            for snapshot in self.snapshots[-1]:
                if _accepts(snapshot.parser, (*tokens, token)):
                    self.leave(snapshot)
                    for made in tokens:
                        self.give(made)
                    return self.point()
        return None


_JOINING = "where such only and or else by then to from has is mod named written".replace(" ", "|")
_FOLLOWING = re.compile(rf"(?:[ \t]*(?:#[^\n]*)?\n)*([ \t]*)((?:{_JOINING})\b|[-+*/<>=!])?(?=[^\s#])")
_CODE_OF_LINE = re.compile(r'(?:"[^"\n]*"|[^"#\n])*')
_COMMENTS = re.compile(r'"[^"\n]*"|#[^\n]*|(//|/[*])([^\n]*?)(?:[*]/)?[ \t]*$', re.MULTILINE)
_BRACES = re.compile(r'(?:"[^"\n]*"|#[^\n]*)|([{}])')
_LINE_OF_BRACE = re.compile(r"[ \t]*\}[ \t]*\n")
_DIVISOR = re.compile(r"[ \t]*\d+(?=[ \t)]*$)")
_NAMES = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _indentation(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip(" "))


def _made(kinds: str, at: Token) -> tuple[Token, ...]:
    """Return tokens that stand in for those of a text, with the place of one of it."""
    return tuple(Token.new_borrow_pos(kind, _VALUES.get(kind, kind.lower()), at) for kind in kinds.split())


def _words(parser: Lark) -> frozenset[str]:
    """Return the words of a language, as they are written."""
    names = (t.name for t in parser.terminals if t.pattern.type == "str" and t.pattern.value.isalpha())
    return frozenset(n.lower() for n in names) | {"at least", "at most", "up to", "such that", "seen by", "only if"}


def without_tree(parser: Lark) -> Any:
    """Return an interactive parser at the start, which makes no tree of what it is given."""
    cursor: Any = parser.parse_interactive("")
    conf = copy(cursor.parser_state.parse_conf)
    conf.callbacks = {}
    cursor.parser_state.parse_conf = conf
    cursor.lexer_thread = LexerThread  # It is given tokens; the lexer of a text would be copied with each snapshot.
    return cursor


def _accepts(snapshot: Any, tokens: tuple[Token, ...]) -> bool:
    """Whether a parser could go on with these tokens; it stays as it is."""
    return not tokens or (tokens[0].type in snapshot.choices() and _after(snapshot, tokens) is not None)


def _after(snapshot: Any, tokens: Iterable[Token]) -> Any:
    """Return a parser that has read these tokens too, or None where it refuses one; the given one stays as it is."""
    trial = snapshot.copy(deepcopy_values=False)
    try:
        for token in tokens:
            trial.feed_token(token)
    except UnexpectedToken:
        return None
    return trial


def _open_bracket(source: Source, problem: LayoutProblem) -> Diagnostic:
    closer = ")" if problem.token == "(" else "]"
    span = span_of(source, problem.token)
    said = _CODE_OF_LINE.match(source.text, span.end)
    end = span.end + len(said.group().rstrip().rstrip(":")) if said else span.end
    cure = Cure(f"close it with `{closer}`", (Edit(Span(source, end, end), closer),))
    return Diagnostic("CG106", "this bracket is never closed", span, cure)


def _stray_bracket(source: Source, problem: LayoutProblem) -> Diagnostic:
    span = span_of(source, problem.token)
    if problem.partner is None:
        return Diagnostic("CG107", "this bracket closes nothing", span, drop(span, "take it out, or open it before"))
    closer = ")" if problem.partner == "(" else "]"
    labels = (Label(span_of(source, problem.partner), "this one is open"),)
    return Diagnostic("CG107", "this is the wrong bracket", span, write(span, closer), labels=labels)


def _uneven(source: Source, problem: LayoutProblem) -> Diagnostic:
    span = span_of(source, problem.token)
    lines = (source.line(n) for n in range(span.line - 1, 0, -1))
    above = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    white = Span(source, source.line_starts[span.line - 1], span.start)
    cure = Cure("indent it as far as the other lines of its block",
                (Edit(white, " " * (len(above) - len(above.lstrip()))),))  # fmt: skip
    return Diagnostic("CG108", "this line begins at a column where no block does", span, cure)


def _tabs(source: Source, problem: LayoutProblem) -> Diagnostic:
    span = span_of(source, problem.token)
    cure = Cure("indent with spaces, four a level", (Edit(span, span.text.expandtabs(4)),))
    return Diagnostic("CG114", "this line is indented with tabs", span, cure)


def _too_deep(source: Source, problem: LayoutProblem) -> Diagnostic:
    return too_deep(span_of(source, problem.token))


def _too_long(source: Source, problem: LayoutProblem) -> Diagnostic:
    return Diagnostic("CG115", "this line is far too long", span_of(source, problem.token), "break it into several")


_LAYOUT = {
    "open-bracket": _open_bracket,
    "stray-bracket": _stray_bracket,
    "uneven-indentation": _uneven,
    "tab-indentation": _tabs,
    "too-deep": _too_deep,
    "too-long": _too_long,
}


# ---- tokens of a text with signs that the language does not know

Report = Callable[[str, str, int, int, str, tuple[int, int, str] | None], None]
"""Receives the code, the message, where it starts and ends, the help, and the edit (from, to, text) if it is one."""

_INSTEAD = {
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`",
    "%": "write `mod`",
    ";": "put each statement on a line of its own",
    "{": "blocks are made by indentation alone; one statement follows `:` on its line",
    "}": "blocks are made by indentation alone",
    "'": 'a text is between two `"`',
    "`": 'a text is between two `"`',
    "\u201c": 'a text is between two straight quotes, `"`',
    "\u201d": 'a text is between two straight quotes, `"`',
    "\u00d7": "write `*`",
    "\u2212": "write `-`",
    "\u2013": "write `-`",
    "\u2014": "write `-`",
    "\u2026": "write `..`",
    "\u2264": "write `<=`",
    "\u2265": "write `>=`",
    "\u2260": "write `!=`",
    "\u2192": "write `->`",
    "\u00a0": "write an ordinary space",
}
_UNKNOWN = re.compile(r"""[^\sA-Za-z0-9_"#()\[\]:,.=+*/<>|-]+|.""", re.DOTALL)
_NUMBER = re.compile(r"[0-9]+")
_WORD = re.compile(r"[A-Za-z0-9_]+")


def scan(parser: Lark, text: str, report: Report) -> Iterator[Token]:
    """Yield the tokens of a text, reporting what is no token."""
    lexer: Any = parser.parser.lexer
    thread: Any = LexerThread.from_text(lexer.lexer, text)
    while True:
        try:
            yield from thread.lex(None)
        except UnexpectedCharacters as problem:
            start = problem.pos_in_stream or 0
            yield from _unknown(text, start, thread.state.line_ctr, report)
        else:
            return


def _unknown(text: str, start: int, counter: Any, report: Report) -> Iterator[Token]:
    """Report what begins at `start`, step over it, and yield what was most likely meant."""
    kind, found, meant = "", "", ""
    if text[start] == '"':
        found = text[start : text.index("\n", start)].rstrip("\r")
        kind, meant = "STRING", f'{found}"'
        end = start + len(found.rstrip())
        report("CG105", "this text is not closed", start, start + len(found), 'end it with `"`', (end, end, '"'))
    elif text[start].isdecimal() and text[start].isascii():
        number, found = _match(_NUMBER, text, start), _match(_WORD, text, start)
        kind, meant = "NUMBER", number
        word = found[len(number) :]
        end = start + len(found)
        instead = f"{number} {word}"
        report(
            "CG104",
            f"a space is missing between the number and `{word}`",
            start,
            end,
            f"write `{instead}`",
            (start, end, instead),
        )
    else:
        found = _match(_UNKNOWN, text, start)
        end = start + len(found)
        report("CG104", f"{_called(found)} has no meaning here", start, end, *_instead(text, start, end))
    line, column = counter.line, counter.column
    counter.feed(found, "\n" in found)
    if kind:
        yield Token(kind, meant, start, line, column, counter.line, counter.column, start + len(found))


_QUOTED = re.compile("['`\u201c\u201d]([^'`\u201c\u201d\"\\n]*)['`\u201c\u201d]")


def _instead(text: str, start: int, end: int) -> tuple[str, tuple[int, int, str] | None]:
    """Return what to write in the place of unknown signs, in words and as an edit, where that is known."""
    help_ = _INSTEAD.get(text[start], "")
    if text[start] in "{}":
        return help_, (start, end, "")
    quoted = _QUOTED.match(text, start)
    if quoted is not None:
        return help_, (start, quoted.end(), f'"{quoted.group(1)}"')
    written = re.fullmatch("write `(.+)`", help_)
    if written is None or len(set(text[start:end])) > 1:
        return help_, None
    word = written.group(1)
    before = " " if word.isalpha() and text[start - 1 : start].strip() else ""
    after = " " if word.isalpha() and text[end : end + 1].strip() else ""
    return help_, (start, end, f"{before}{word}{after}")


def _match(pattern: re.Pattern[str], text: str, start: int) -> str:
    found = pattern.match(text, start)
    return found.group() if found else text[start]


def _called(found: str) -> str:
    """Return an unknown sign as a message can show it."""
    if found.isprintable() and not found.isspace():
        return f"`{found}`" if len(found) <= 20 else f"`{found[:20]}..`"
    return f"the character {described(found[0])}"
