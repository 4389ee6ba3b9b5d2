"""Say what is wrong where the parser met a token that it did not expect.

Takes the token, what was expected and the line so far; gives one diagnostic.  The rules are tried in order,
the most telling first; the last one always has something to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import attrs
from lark import Token

from grammar.diagnostics import Cure, Diagnostic, Edit
from grammar.english import expectation
from grammar.layout import LAYOUT_TOKENS
from grammar.source import Source, Span
from grammar.suggest import ranked


@attrs.define(frozen=True)
class Mistake:
    """A token that was not expected, and all that is known about it.

    `line` holds the tokens before it on its logical line, `last` is the last word before it at all.
    `would_fit` tells whether the line could have begun with some tokens.
    """

    token: Token
    expected: frozenset[str]
    line: tuple[Token, ...]
    last: Token | None
    words: frozenset[str]
    would_fit: Callable[[tuple[Token, ...]], bool]


Rule = Callable[[Source, Mistake], Diagnostic | None]


def explain(source: Source, mistake: Mistake) -> Diagnostic:
    """Return the diagnostic of a mistake."""
    for rule in _RULES:
        found = rule(source, mistake)
        if found is not None:
            return found
    return _unexpected(source, mistake)


def span_of(source: Source, token: Token) -> Span:
    """Return where a token stands; one that has no width gets that of the sign there."""
    size = len(source.text)
    start = min(token.start_pos or 0, size)
    return Span(source, start, max(start, min(token.end_pos or 0, size)))


def _version(source: Source, mistake: Mistake) -> Diagnostic | None:
    if "CARDGAME" not in mistake.expected and "SCENARIOS" not in mistake.expected:
        return None
    what, first = "a spec", "cardgame 1"
    if "SCENARIOS" in mistake.expected:
        what, first = "a file of scenarios", 'scenarios 1 of "game.cardgame"'
    message = f"{what} begins with the version of the language"
    return Diagnostic("CG112", message, span_of(source, mistake.token), f"write `{first}` on the first line")


def _block(source: Source, mistake: Mistake) -> Diagnostic | None:
    if mistake.token.type == "_INDENT" and mistake.last is not None:
        return Diagnostic(
            "CG109",
            "this line is indented beneath one that opens no block",
            _word_at(source, mistake.token.start_pos or 0),
            "indent it as far as the line above, if it does not go on with that line",
        )
    if "_INDENT" not in mistake.expected or mistake.last is None or mistake.line:
        return None
    return Diagnostic(
        "CG110",
        "nothing is indented beneath this line",
        span_of(source, mistake.last),
        "indent the lines that belong to it",
    )


def _misspelt(source: Source, mistake: Mistake) -> Diagnostic | None:
    """Try a word of the language in the place of the name that was met, and of the one before it."""
    token, line = mistake.token, mistake.line
    tries: list[tuple[Token, tuple[Token, ...], tuple[Token, ...]]] = []
    if line and line[-1].type == "NAME":
        tries.append((line[-1], line[:-1], (token,)))
    if token.type == "NAME":
        tries.append((token, line, ()))
    for name, before, behind in tries:
        for word in ranked(name, mistake.words):
            kind = word.upper().replace(" ", "_")
            if mistake.would_fit((*before, Token(kind, word), *behind)):
                span = span_of(source, name)
                cure = Cure(f"did you mean `{word}`?", (Edit(span, word),))
                return Diagnostic("CG103", f"`{name}` is no word of the language", span, cure)
    return None


def _reserved(source: Source, mistake: Mistake) -> Diagnostic | None:
    token = mistake.token
    if "NAME" not in mistake.expected or "LPAR" in mistake.expected or not _is_word(token):
        return None
    if mistake.would_fit((*mistake.line, Token("NAME", "x"), token)):
        return Diagnostic("CG101", f"a name is missing before `{token}`", span_of(source, token), "expected a name")
    return Diagnostic(
        "CG102",
        f"`{token}` is a word of the language, so it cannot be a name",
        span_of(source, token),
        f"choose another name, such as `the_{re.sub('[^a-z]', '_', token.lower())}`",
    )


def _incomplete(source: Source, mistake: Mistake) -> Diagnostic | None:
    if mistake.token.type not in LAYOUT_TOKENS and mistake.token.type != "$END":
        return None
    last = mistake.line[-1] if mistake.line else mistake.last
    if last is None:
        return None
    expected = expectation(mistake.expected)
    if not mistake.line:
        return Diagnostic("CG111", "something is missing after this", span_of(source, last), f"expected {expected}")
    if last.type == "COLON":
        help_ = "after `:` a single statement follows on the same line; a block needs no `:`"
    else:
        help_ = f"expected {expected}"
    return Diagnostic("CG111", "this line ends too early", span_of(source, last), help_)


def _unexpected(source: Source, mistake: Mistake) -> Diagnostic:
    token = mistake.token
    span = span_of(source, token)
    shown = str(token) if len(token) <= 30 else f"{token[:30]}.."
    help_ = _hint(mistake) or f"expected {expectation(mistake.expected)}"
    return Diagnostic("CG101", f"`{shown.strip()}` cannot stand here", span, help_)


def _hint(mistake: Mistake) -> str:
    """Return help for slips that come of other habits, or an empty text."""
    token, expected = mistake.token, mistake.expected
    before = mistake.line[-1].type if mistake.line else ""
    if token.type == "EQUAL" and "COMPARES" in expected:
        return "two values are compared with `==`"
    if token.type == "COMPARES" and "CHANGES" in expected:
        return "a variable is given a value with `=`"
    if token.type == "EQUAL" and before == "EQUAL":
        return "two values are compared with `==`"
    if token.type == "COLON" and "_NL" in expected:
        return "a line that opens a block ends without `:`"
    if token.type == "RPAR" and before == "LPAR":
        return "what takes no arguments is written without brackets"
    if token.type == "THEN" and "COLON" in expected:
        return "`if .. then ..` is a value; a statement is written `if c: s`, or with a block"
    if token.type == "LSQB" and "TAG" in expected:
        return "a rule tag is written like `[R9]` or `[R9-R11, A3]`, at the end of the line"
    if token.type == "ELSE" and "_NL" in expected and "TAG" in expected:
        return "each `else` of a definition in several lines begins a line of its own"
    if token.type == "NUMBER" and before == "DOT":
        return "numbers are whole"
    return ""


def _is_word(token: Token) -> bool:
    return token.type != "NAME" and token[:1].isalpha()


def _word_at(source: Source, start: int) -> Span:
    found = re.compile(r"\w+|.").match(source.text, start)
    return Span(source, start, found.end() if found else start)


_RULES: tuple[Rule, ...] = (_version, _block, _misspelt, _reserved, _incomplete)
