"""Say what is wrong where the parser met a token that it did not expect, and what was most likely meant.

Takes the token, what was expected and the line so far; gives one diagnostic.  If the line can be read with the edits of
its fix, `grammar.recovery` reads on as if they were made (phrase-level recovery).  The rules are tried in order, the
most specific first; the last one always finds something.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import attrs
from lark import Token

from grammar import foreign
from grammar.ast import ABOUT_ZONE_KINDS, ZONE_KINDS
from grammar.diagnostics import Cure, Diagnostic, Edit, drop, insert, write
from grammar.english import expectation
from grammar.layout import LAYOUT_TOKENS
from grammar.source import Source, Span
from grammar.suggest import ranked
from grammar.tags import tag_inside


@attrs.define(frozen=True)
class Mistake:
    """A token that was not expected, and all that is known about it.

    `line` holds the tokens before it on its logical line, `last` is the last word before it at all.
    `would_fit` says whether the line could have begun with some tokens, `is_statement` whether a statement could.
    `reads` says whether the line can be read with some edits as far as this token, `sound` whether it all can.
    """

    token: Token
    expected: frozenset[str]
    line: tuple[Token, ...]
    last: Token | None
    words: frozenset[str]
    would_fit: Callable[[tuple[Token, ...]], bool]
    is_statement: Callable[[tuple[Token, ...]], bool]
    reads: Callable[[tuple[Edit, ...]], bool]
    sound: Callable[[tuple[Edit, ...]], bool]

    @property
    def before(self) -> str:
        """The kind of the token before it on its line; empty at the beginning."""
        return self.line[-1].type if self.line else ""

    def goes_on(self, *tokens: Token) -> bool:
        """Whether the line could go on with some tokens."""
        return self.would_fit((*self.line, *tokens))


Rule = Callable[[Source, Mistake], Diagnostic | None]

_NAME = Token("NAME", "x")
_INDENT = "    "

MOST_INDENTED = 6
"""Lines that may belong to a block that is not indented."""


def explain(source: Source, mistake: Mistake) -> Diagnostic:
    """Return the diagnostic of a mistake."""
    return next(found for rule in _RULES if (found := rule(source, mistake)) is not None)


def span_of(source: Source, token: Token) -> Span:
    """Return the span of a token; one that has no width gets that of the sign there."""
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
    begin = 1 if source.text.startswith("\ufeff") else 0
    cure = Cure(f"write `{first}` on the first line", (Edit(Span(source, begin, begin), f"{first}\n"),))
    return Diagnostic("CG112", message, span_of(source, mistake.token), cure)


# ---- words of other languages


def _foreign(source: Source, mistake: Mistake) -> Diagnostic | None:
    """Find what other languages have, and the line can be read with what this one has instead."""
    place = span_of(source, mistake.line[-1] if mistake.token.type in LAYOUT_TOKENS and mistake.line else mistake.token)
    return foreign.found(source, place, mistake.sound, mistake.reads)


# ---- blocks


def _block(source: Source, mistake: Mistake) -> Diagnostic | None:
    if mistake.token.type == "_INDENT" and mistake.last is not None:
        return Diagnostic(
            "CG109",
            "this line is indented below a line that opens no block",
            _word_at(source, mistake.token.start_pos or 0),
            Cure(
                "indent it as far as the line above, if it does not go on with that line",
                _outdented(source, mistake.token.start_pos or 0),
            ),
        )
    if "_INDENT" not in mistake.expected or mistake.last is None or mistake.line:
        return None
    words = "indent the lines that belong to it"
    place, message = span_of(source, mistake.last), "nothing is indented beneath this line"
    if mistake.token.type in LAYOUT_TOKENS or mistake.token.type == "$END":
        return Diagnostic("CG110", message, place, words)
    number = source.position(mistake.token.start_pos or 0)[0]
    depth = _depth(source.line(number))
    rows: list[Edit] = []
    cures = []
    for n in range(number, min(number + MOST_INDENTED, len(source.line_starts) + 1)):
        if _says_something(source.line(n)):
            if _depth(source.line(n)) < depth:
                break
            rows.append(Edit(Span(source, source.line_starts[n - 1], source.line_starts[n - 1]), _INDENT))
            cures.append(Cure(words, tuple(rows), words))
    return Diagnostic("CG110", message, place, cures[0], others=tuple(cures[1:]), only_one=True)


def _outdented(source: Source, start: int) -> tuple[Edit, ...]:
    """Return the edits that move a line, and those that stand as far in or further, out to the line above."""
    number = source.position(start)[0]
    depth = _depth(source.line(number))
    above = next((_depth(source.line(n)) for n in range(number - 1, 0, -1) if _says_something(source.line(n))), 0)
    edits = []
    for n in range(number, len(source.line_starts) + 1):
        line = source.line(n)
        if not _says_something(line):
            continue
        if _depth(line) < depth:
            break
        begin = source.line_starts[n - 1]
        edits.append(Edit(Span(source, begin, begin + depth - above), ""))
    return tuple(edits)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


# ---- slips with a known cure


def _players(source: Source, mistake: Mistake) -> Diagnostic | None:
    """`player` for all of them, or for one of them that has a name."""
    if mistake.before != "PLAYER":
        return None
    span = span_of(source, mistake.line[-1])
    one = _player_here(source, span) if mistake.line[-2:-1] and mistake.line[-2].type in ("LSQB", "LPAR") else ""
    if one:
        cure = Cure(f"write `{one}`, or `players` for all of them", (Edit(span, one),))
    else:
        cure = write(span, "players", "all of them")
    message = "`player` is a type; expected the name of a player, or `players`"
    return Diagnostic("CG101", message, span, cure) if mistake.reads(cure.edits) else None


_PLAYER_NAMES = re.compile(r"\b([a-z]\w*)(?:: player\b|[ \t]+in[ \t]+players\b)")


def _player_here(source: Source, span: Span) -> str:
    """Return the name of a player in the lines above the place, the nearest; empty if there is none."""
    depth = len(source.line(span.line)) + 1
    for number in range(span.line, 0, -1):
        line = source.line(number)
        if _says_something(line) and _depth(line) < depth:
            depth = _depth(line)
            found = _PLAYER_NAMES.findall(line)
            if found:
                return str(found[-1])
        if depth == 0:
            break
    return ""


def _tag_inside(source: Source, mistake: Mistake) -> Diagnostic | None:
    """A rule tag in front of the colon of its line, or of anything else."""
    start = mistake.token.start_pos or 0
    return tag_inside(Span(source, start, start)) if mistake.token.type == "LSQB" else None


_TWO_SIGNS = {"=<": "<=", "=>": ">=", "==": "=="}


def _equality(source: Source, mistake: Mistake) -> Diagnostic | None:
    """`=` where values are compared, `==` where one is set, and signs in the wrong order."""
    token, expected = mistake.token, mistake.expected
    span = span_of(source, token)
    if token.type == "EQUAL" and "COMPARES" in expected:
        sign = _TWO_SIGNS.get(source.text[span.start : span.end + 1], "==")
        if sign in ("<=", ">="):
            span = Span(source, span.start, span.end + 1)
            return Diagnostic("CG132", f"`{span.text}` is no comparison", span, write(span, sign))
        return Diagnostic("CG132", "`=` gives a variable a value", span,
                          Cure("two values are compared with `==`", (Edit(span, "=="),)))  # fmt: skip
    if token == ">" and mistake.line and mistake.line[-1] == "<":
        span = Span(source, mistake.line[-1].start_pos or 0, span.end)
        return Diagnostic("CG132", "`<>` is no comparison", span, write(span, "!="))
    if token == "==" and ("CHANGES" in expected or "EQUAL" in expected):
        return Diagnostic("CG132", "`==` compares two values", span,
                          Cure("a value is given with `=`", (Edit(span, "="),)))  # fmt: skip
    return None


def _untyped(source: Source, mistake: Mistake) -> Diagnostic | None:
    """A parameter without its type: the fix is the one type with which the spec is sound."""
    if mistake.expected != {"COLON"} or mistake.before != "NAME" or mistake.token.type not in ("COMMA", "RPAR"):
        return None
    if len(mistake.line) < 2 or mistake.line[-2].type not in ("COMMA", "LPAR"):
        return None
    name = span_of(source, mistake.line[-1])
    declared = re.findall(r"^(?:enum|card)[ \t]+(\w+)", source.text, re.MULTILINE)
    words = f"each parameter has a type, as in `{name.text}: player`"
    cures = [Cure(f"write `{name.text}: {kind}`: each parameter has a type", (Edit(name.after, f": {kind}"),), words)
             for kind in dict.fromkeys(("player", "card", "boolean", "integer", *declared[:4]))]  # fmt: skip
    return Diagnostic("CG101", f"`{name.text}` has no type", name, cures[0], others=tuple(cures[1:]), only_one=True)


def _misread_name(source: Source, mistake: Mistake) -> Diagnostic | None:
    """A word of the language where a name that the text has was meant."""
    token = mistake.token
    if "NAME" not in mistake.expected or not _is_word(token):
        return None
    span = span_of(source, token)
    names = {name for name in re.findall(r"[A-Za-z_]\w*", source.text) if name not in mistake.words}
    for name in ranked(str(token), names):
        cure = Cure(f"did you mean `{name}`?", (Edit(span, name),), "")
        if mistake.sound(cure.edits):
            return Diagnostic("CG103", f"`{token}` is a word of the language", span, cure)
    return None


_ARITHMETIC = {"PLUS", "MINUS", "STAR", "SLASH", "MOD"}


def _reckoned(source: Source, mistake: Mistake) -> Diagnostic | None:
    """A division that does not say how it rounds, and reckoning in the bound of a range."""
    token, line = mistake.token, mistake.line
    if "ROUNDED" in mistake.expected and line:
        place = span_of(source, line[-1])
        cure = Cure("write `rounded down`, `rounded up` or `rounded nearest` after it",
                    (Edit(place.after, " rounded down"),))  # fmt: skip
        start = next(t for t in reversed(line) if t.type == "SLASH")
        return Diagnostic("CG311", "this division has no rounding", span_of(source, start).to(place), cure)
    is_bound = mistake.before in ("NAME", "NUMBER") and len(line) > 1 and line[-2].type in ("DOTS", "COLON")
    if token.type in _ARITHMETIC and is_bound and mistake.would_fit((*line[:-1], Token("LPAR", "("))):
        begin = line[-1].start_pos or 0
        bound = _BOUND.match(source.text, begin)
        span = Span(source, begin, begin + len(bound.group().rstrip()) if bound else begin)
        inner = span.text
        if token.type == "SLASH" and "rounded" not in inner:
            inner += " rounded down"
        return Diagnostic("CG131", "a calculation in a bound needs brackets", span, write(span, f"({inner})"))
    return None


_BOUND = re.compile(r"(?:\([^()\n]*\)|[^=,()\]#\n.])*")


def _nested_if(source: Source, mistake: Mistake) -> Diagnostic | None:
    if mistake.token.type != "IF" or mistake.before != "THEN":
        return None
    span = span_of(source, mistake.line[-1]).to(span_of(source, mistake.token))
    cure = Cure("join the conditions: `if .. and .. then ..`", (Edit(span, "and"),))
    return Diagnostic("CG101", "one `if` cannot follow the `then` of another", span, cure)


def _among_actions(source: Source, mistake: Mistake) -> Diagnostic | None:
    """A statement in the column of the actions of a choice, and an `otherwise` before other actions."""
    token, line = mistake.token, mistake.line
    if not mistake.would_fit((_NAME, Token("ONLY_IF", "only if"))):
        return None
    if token.type == "OTHERWISE" and not line:
        return Diagnostic("CG131", "`otherwise` comes before actions; it must be the last",
                          span_of(source, token),
                          "put it after the other actions, or leave the word out if there are none")  # fmt: skip
    if not mistake.is_statement((*line, token)) or (token.type in ("NAME", "STRING") and not line):
        return None
    first = line[0] if line else token
    if first.type == "NAME" and not any(t.type in ("EQUAL", "CHANGES", "CHOOSES", "LSQB") for t in (*line, token)):
        return None
    span = span_of(source, first)
    number = span.line
    depth = _depth(source.line(number))
    above = next((_depth(source.line(n)) for n in range(number - 1, 0, -1) if _says_something(source.line(n))), 0)
    edits = []
    for n in range(number, len(source.line_starts) + 1):
        if _says_something(source.line(n)):
            if n > number and _depth(source.line(n)) <= depth:
                break
            start = source.line_starts[n - 1]
            edits.append(Edit(Span(source, start, start), " " * max(above - depth, 0) or _INDENT))
    message = f"`{first}` does something, and here stand the actions to choose from"
    return Diagnostic("CG131", message, span, Cure("indent it beneath the action that it belongs to", tuple(edits)))


_HEADING = ("setup", "players", "option", "start")
"""The first words of the lines that a scenario begins with, in their order."""


def _out_of_order(source: Source, mistake: Mistake) -> Diagnostic | None:
    """A line of the heading of a scenario after lines that it must precede."""
    first = (*mistake.line, mistake.token)[0]
    if first not in _HEADING or len(mistake.line) > 1 or not mistake.would_fit((Token("EXPECT", "expect"),)):
        return None
    span, rank = span_of(source, first), _HEADING.index(first)
    target, above = span.line, list[str]()
    for number in range(span.line - 1, 0, -1):
        line = source.line(number)
        if _says_something(line):
            if _depth(line) == 0:
                break
            above.append(line.split()[0])
            if above[-1] not in _HEADING[: rank + 1]:
                target = number
    else:
        return None
    if first == "setup" and line.startswith("setup"):
        return Diagnostic("CG131", "a set-up has no set-up of its own", span, "write the lines of that one here")
    if target == span.line or (first in above and first != "option"):
        return Diagnostic("CG131", f"this scenario has a line `{first}` already", span, "leave the line out")
    begin = source.line_starts[span.line - 1]
    moved = source.text[begin : begin + len(source.line(span.line))]
    there = source.line_starts[target - 1]
    after = Span(source, begin, min(begin + len(moved) + 1, len(source.text)))
    words = ", then ".join(f"`{word}`" for word in _HEADING)
    cure = Cure(
        f"move it up: first {words}, then all else", (Edit(Span(source, there, there), f"{moved}\n"), Edit(after, ""))
    )
    return Diagnostic("CG131", f"`{first}` comes after a line that it must precede", span, cure)


_JOINING = "COLON COMMA FROM TO IN OF WITH THEN UNTIL EQUAL CHOOSES BY HAS"
_LINKS = frozenset(_JOINING.split())


def _missing_link(source: Source, mistake: Mistake) -> Diagnostic | None:
    """One word or sign that joins the parts of a line is missing, and the line can be read with it."""
    if mistake.token.type in LAYOUT_TOKENS or not mistake.line:
        return None
    span, last = span_of(source, mistake.token), span_of(source, mistake.line[-1])
    found = []
    links = mistake.expected & _LINKS
    if mistake.would_fit((_NAME, Token("CHOOSES", "chooses"))):  # A statement: two words are not what is assigned.
        links -= {"EQUAL"} if len(mistake.line) == 1 else set()
    for kind in sorted(links):
        text = {"COLON": ":", "COMMA": ",", "EQUAL": "="}.get(kind, kind.lower())
        cure = insert(span, f"{text} ", f"write `{text}` before it")
        if text in ":,":
            cure = Cure(cure.text, (Edit(last.after, text),))
        if mistake.sound(cure.edits):
            found.append(Diagnostic("CG101", f"`{text}` is missing before `{mistake.token}`", span, cure))
    return found[0] if len(found) == 1 else None


def _misspelt(source: Source, mistake: Mistake) -> Diagnostic | None:
    """Try a word of the language in the place of the name that was met, and of the one before it."""
    for name in (*mistake.line[-1:], mistake.token):
        if name.type != "NAME":
            continue
        span = span_of(source, name)
        for word in ranked(name, mistake.words):
            cure = Cure(f"did you mean `{word}`?", (Edit(span, word),))
            if mistake.reads(cure.edits):
                return Diagnostic("CG103", f"`{name}` is no word of the language", span, cure)
    return None


def _statement_in_define(source: Source, mistake: Mistake) -> Diagnostic | None:
    """A statement where a definition has its value."""
    token = mistake.token
    text = source.text[: token.start_pos or 0]
    section = next((line for line in reversed(text.splitlines()) if line[:1].isalpha()), "")
    if not section.startswith("define") or not mistake.is_statement((token,)) or token.type in mistake.expected:
        return None
    if not {"NAME", "LPAR"} <= mistake.expected or not _is_word(token):
        return None
    return Diagnostic("CG131", f"`{token}` begins a statement, and a definition is a value", span_of(source, token),
                      "write the value alone; write statements in a `phase`")  # fmt: skip


def _no_statement(source: Source, mistake: Mistake) -> Diagnostic | None:
    """A statement that begins with a name which is no statement, such as `draw 4`."""
    line = mistake.line
    if len(line) != 1 or line[0].type != "NAME" or mistake.token.type in (*LAYOUT_TOKENS, "$END"):
        return None
    if not mistake.would_fit((_NAME, Token("EQUAL", "="), Token("NUMBER", "1"), Token("_NL", ""))):
        return None
    return Diagnostic("CG101", f"there is no statement `{line[0]}`", span_of(source, line[0]), _STATEMENTS)


_STATEMENTS = (
    "the statements are `move`, `deal`, `shuffle`, `turn`, `show`, `swap`, `random`, `let`, `say`, `end`, `nothing`, "
    "`x = ..`, `x += ..` and the name of a phase; a player decides in `p chooses`, and numbers change as in `n = 2 * n`"
)


# ---- names that are words of the language

_VIEWERS = {"player": "owner", "none": "nobody", "nothing": "nobody", "each": "owner", "every": "all"}
_NAMING = "PHASE DEFINE OPTION ENUM LET FOR AT_ONCE IN_TURN EVERY SOME NO ALL FIRST LAST HIGHEST LOWEST CARDS CARD"
_GIVES_NAME = frozenset(_NAMING.split())


def _reserved(source: Source, mistake: Mistake) -> Diagnostic | None:
    token = mistake.token
    if "NAME" not in mistake.expected or "LPAR" in mistake.expected or not _is_word(token):
        return None
    if mistake.before == "SEEN_BY":
        span, who = span_of(source, token), _VIEWERS.get(token.lower(), "")
        cure = write(span, who) if who else "write `all`, `nobody`, `owner`, `all but owner` or `team`"
        return Diagnostic("CG121", f"`{token}` does not say who sees it", span, cure)
    if mistake.goes_on(_NAME, token):
        return Diagnostic("CG101", f"a name is missing before `{token}`", span_of(source, token),
                          insert(span_of(source, token), "x ", f"write a name, as in `x {token}`"))  # fmt: skip
    if not _gives_name(mistake):
        return None
    span = span_of(source, token)
    name = _free_name(source, str(token))
    in_texts = (m.span(1) for m in re.finditer(r"\{(" + re.escape(token) + r")\}", source.text))
    edits = (Edit(span, name), *(Edit(Span(source, start, end), name) for start, end in in_texts))
    if not mistake.sound(edits[:1]):
        return None
    return Diagnostic("CG102", f"`{token}` is a word of the language, so it cannot be a name", span,
                      Cure(f"choose another name, such as `{name}`", edits))  # fmt: skip


def _gives_name(mistake: Mistake) -> bool:
    """Whether the token is where something gets its name, so that any free name would do."""
    colon = Token("COLON", ":")
    if not mistake.line:
        is_row = mistake.would_fit((_NAME, Token("_NL", ""))) and not mistake.would_fit((Token("AT_MOST", ""),))
        return mistake.would_fit((_NAME, colon)) or (is_row and not mistake.would_fit((_NAME, Token("EQUAL", "="))))
    if mistake.before in ("COLON", "COMMA") and mistake.line[0].type in ("ENUM", "FOR"):
        return True
    return mistake.before in _GIVES_NAME or (mistake.before in ("COMMA", "LPAR") and mistake.goes_on(_NAME, colon))


def _free_name(source: Source, word: str) -> str:
    """Return a name like a word of the language that the text does not use yet."""
    low = re.sub("[^a-z]", "_", word.lower())
    names = [f"the_{low}", f"{low}_here", *(f"{low}_{n}" for n in range(2, 100))]
    return next((n for n in names if not re.search(rf"\b{n}\b", source.text)), names[0])


def renamed_too(diagnostic: Diagnostic, used: list[Span]) -> Diagnostic:
    """Return the diagnostic of a word that cannot be a name with all places where it is used as that name."""
    name = diagnostic.edits[0].text
    edits = (*diagnostic.edits, *(Edit(span, name) for span in used))
    return attrs.evolve(diagnostic, cure=Cure(diagnostic.help, edits))


# ---- lines that end too early, and all the rest


def _incomplete(source: Source, mistake: Mistake) -> Diagnostic | None:
    if mistake.token.type not in LAYOUT_TOKENS and mistake.token.type != "$END":
        return None
    last = mistake.line[-1] if mistake.line else mistake.last
    if last is None:
        return None
    span = span_of(source, last)
    expected = expectation(mistake.expected)
    if not mistake.line:
        return Diagnostic("CG111", "something is missing after this", span, f"expected {expected}")
    if mistake.goes_on(Token("COMMA", ","), Token("SEEN_BY", "seen by")) and "EQUAL" not in mistake.expected:
        if last.type == "NAME" and mistake.line[-2].type == "COLON" and last not in ZONE_KINDS:
            return Diagnostic("CG111", f"`{last}` is no kind of zone", span, ABOUT_ZONE_KINDS)
        owned = any(t.type == "PLAYER" for t in mistake.line)
        who = "owner" if owned else "all"
        cure = Cure(f"add `, seen by {who}`, or the viewers of its cards", (Edit(span.after, f", seen by {who}"),))
        return Diagnostic("CG111", "expected who sees the cards of this zone, found the end of the line", span, cure)
    if last.type in ("COLON", "EQUAL"):
        return _without_line(source, mistake, last)
    if last.type == "OPENLY":
        help_ = "write it on this line; several statements go below `openly together`"
        return Diagnostic("CG111", "the statement is missing after `openly`", span, help_)
    return Diagnostic("CG111", f"this line is incomplete: {expected} is missing", span, f"expected {expected}")


_NEXT_LINE = re.compile(r"[ \t]*(?:#[^\n]*)?\r?\n([ \t]+)(?=[^\s#])")


def _without_line(source: Source, mistake: Mistake, last: Token) -> Diagnostic:
    """Return the diagnostic of a `:` or `=` at the end of a line: the value is missing, or the `:` is superfluous."""
    span = span_of(source, last)
    line = source.line(span.line)
    below = _NEXT_LINE.match(source.text, span.end)
    deeper = below is not None and len(below.group(1)) > _depth(line)
    opens = mistake.would_fit((*mistake.line[:-1], Token("_NL", "\n"), Token("_INDENT", "")))
    if last.type == "COLON" and (opens or not deeper):
        message = "a line that opens a block ends without `:`"
        if not deeper:
            return Diagnostic("CG111", "nothing follows this `:`", span,
                              "write a single statement after it; a block needs no `:`")  # fmt: skip
        return Diagnostic("CG111", message, span, drop(span, "leave out the `:`"))
    what = f"the value is missing after `{last}`"
    if below is None or not deeper:
        return Diagnostic("CG111", what, span, "write it on this line")
    end = source.text.find("\n", below.end())
    further = _NEXT_LINE.match(source.text, end) if end >= 0 else None
    if further is not None and len(further.group(1)) >= len(below.group(1)):
        return Diagnostic("CG111", what, span, "write it on this line; a longer one gets a name with `define`")
    join = Edit(Span(source, span.end, below.end()), " ")
    return Diagnostic("CG111", what, span, Cure("write it on this line, not on the next", (join,)))


def _unexpected(source: Source, mistake: Mistake) -> Diagnostic:
    token = mistake.token
    span = span_of(source, token)
    shown = str(token) if len(token) <= 30 else f"{token[:30]}.."
    cure = _hint(source, mistake) or f"expected {expectation(mistake.expected)}{_like(source, mistake)}"
    return Diagnostic("CG101", f"`{shown.strip()}` is not allowed here", span, cure)


_LINES = {
    "deal": "deal 3 from stock to hand[players]", "move": "move c to hand[p]", "turn": "turn hand[p] face up",
    "show": "show hand[p] to q", "swap": "swap hand[p] with hand[q]", "shuffle": "shuffle used into stock",
    "random": "random die from 1..6", "let": "let n = count(hand[p])", "if": "if stock is empty: rest",
    "while": "while count(hand[p]) > 5: discard_one(p)", "for": "for p in players: take_turn(p)",
    "repeat": "repeat one_round until stock is empty", "match": "match c", "case": "case clubs: 1",
    "whenever": "whenever stock is empty", "define": "define worth(c: card) = c.rank", "phase": "phase rest(p: player)",
    "enum": 'enum Suit: clubs "C", hearts "H"', "card": 'card Number(suit: Suit, rank: 1..9) written "{suit}{rank}"',
    "option": "option hand_size: 4..6 = 5", "score": "score p = points[p]",
    "winners": "winners = all highest p in players by (points[p], count(won[p]))",
}  # fmt: skip
"""A sound line for each word with which lines begin."""
_SECTION_LINES = {
    "state": "turns: integer = 0", "zones": "hand[player]: cards at most 5, seen by owner", "deck": "2 of each Number",
    "game": "players 2..4",
    "teams": "north_south: player 1, player 3", "scenarios": 'scenario "a full hand"', "result": "score p = points[p]",
}  # fmt: skip
"""A sound line for each section whose lines begin with names."""


def _like(source: Source, mistake: Mistake) -> str:
    """Return the example of the line that a mistake is in: by its first word, its section, or what it expects."""
    line = source.line(span_of(source, mistake.token).line)
    found = re.match(r"\s*(\w+)", line)
    example = _LINES.get(found[1]) if found else None
    if example is None and line[:1].isspace():
        example = _SECTION_LINES.get(
            foreign.section(source, source.line_starts[span_of(source, mistake.token).line - 1])
        )
    if example is None and {"CARD", "COLON"} <= mistake.expected:
        example = "play card c from hand[p]"  # an action
    return "" if example is None else f", as in `{example}`"


_CONTINUING = ("and", "or", "where", "by", "then", "has", "is", "mod", "from", "to")


def _hint(source: Source, mistake: Mistake) -> str | Cure:
    """Return the cure of slips that come of other habits, or an empty text."""
    token, expected = mistake.token, mistake.expected
    before = mistake.before
    span = span_of(source, token)
    if not mistake.line and token in _CONTINUING:
        start = source.line_starts[span.line - 1]
        cure = Cure("indent this line: it goes on with the line above", (Edit(Span(source, start, start), _INDENT),))
        if mistake.sound(cure.edits):
            return cure
        if foreign.section(source, start) == "define":
            return cure.text
    if mistake.line and mistake.line[0].type == "ENUM" and before == "RPAR":
        return _rows(source, mistake, span_of(source, mistake.line[-1]).end)
    if before == "COLON" and token.type not in expected and mistake.is_statement((token,)):
        colon = span_of(source, mistake.line[-1])
        broken = "\n" + " " * _depth(source.line(span.line)) + _INDENT
        return Cure(f"`{token}` opens a block, which cannot follow `:`: write it on the next line, indented",
                    (Edit(Span(source, colon.start, span.start), broken),))  # fmt: skip
    if token.type == "COMMA" and {"WHERE", "RPAR"} <= expected:
        return "one selection has one name: nest them, as in `max(max(a + b for a in 1..3) for b in 1..3)`"
    if token.type == "COLON" and "_NL" in expected:
        return drop(span, "a line that opens a block ends without `:`")
    if token.type == "RPAR" and before == "LPAR":
        opened = span_of(source, mistake.line[-1])
        called = mistake.line[-2] if len(mistake.line) > 1 else ""
        if re.search(rf"^(?:phase|define)[ \t]+{re.escape(called)}\([^)\s]", source.text, re.MULTILINE):
            return f"`{called}` takes arguments: write them in the brackets"
        return drop(opened.to(span), "what takes no arguments is written without brackets")
    if token.type == "LSQB" and "TAG" in expected:
        return "a rule tag is written like `[R9]` or `[R9-R11, A3]`, at the end of the line"
    if token.type == "ELSE" and "_NL" in expected and "TAG" in expected:
        start = _before_blanks(source, span.start)
        broken = "\n" + " " * _depth(source.line(span.line))
        return Cure("each `else` of a definition in several lines begins a line of its own",
                    (Edit(Span(source, start, span.start), broken),))  # fmt: skip
    if token.type == "NUMBER" and before == "DOT":
        return "numbers are whole"
    from_ = insert(span, "from ", f"write `from {token}`")
    return from_ if mistake.sound(from_.edits) else ""


def _rows(source: Source, mistake: Mistake, start: int) -> str | Cure:
    """Return the cure of an enumeration with columns on one line."""
    end = source.text.find("\n", start)
    end = len(source.text) if end < 0 else end
    rows = re.findall(r'(?:"[^"]*"|[^",])+', source.text[start:end].strip().removeprefix(":"))
    words = "with columns, each value is on a line of its own, indented"
    cure = Cure(words, (Edit(Span(source, start, end), "".join(f"\n{_INDENT}{row.strip()}" for row in rows)),))
    return cure if mistake.sound(cure.edits) else words


def _before_blanks(source: Source, start: int) -> int:
    while start > 0 and source.text[start - 1] in " \t":
        start -= 1
    return start


def _is_word(token: Token) -> bool:
    return token.type != "NAME" and token[:1].isalpha()


def _word_at(source: Source, start: int) -> Span:
    found = re.compile(r"\w+|.").match(source.text, start)
    return Span(source, start, found.end() if found else start)


_RULES: tuple[Rule, ...] = (
    _version, _foreign, _block, _players, _tag_inside, _equality, _reckoned, _nested_if, _among_actions, _out_of_order,
    _untyped, _misspelt, _statement_in_define, _reserved, _misread_name, _missing_link, _no_statement, _incomplete,
    _unexpected,
)  # fmt: skip
