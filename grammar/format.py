"""Format specs and scenarios: one style, without options.

The formatter works on the tokens of the lexer, because comments are no part of the syntax tree.  It changes white space
alone and never joins or splits a line:

- four spaces for each block; a line that continues another keeps how far it is set in, at least four spaces;
- one space between tokens, none inside brackets, around `.` and `..`, before `,` and `:`, and after a sign;
- what follows the colon in one column in `teams`, `zones` and `state`, after names of at most 24 characters; one column
  for each column of an `enum` table;
- rule tags in column 70; those of longer lines of a paragraph after the longest of them;
- trailing comments two spaces after the code; other comments at the indentation of the block that they are in;
- at most one empty line in a row, none at the start, and line feeds as line ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

import attrs
from lark import Token
from lark.exceptions import UnexpectedInput

from grammar.layout import LAYOUT_TOKENS, NEWLINES, Layout, LayoutError
from grammar.parser import check_text, parse_as, prepared
from grammar.source import Source
from grammar.tables import lex, parser, tree_of
from grammar.transform import ScenarioTransformer, SpecTransformer, Transformer

INDENT = 4
TAG_COLUMN = 69
"""How many characters stand before the rule tags of a line that is short enough."""
LONGEST_NAME = 24
"""A longer cell of a block in columns moves no column."""

_BLANKS = re.compile(r"[ \t]+")
_EDGES = LAYOUT_TOKENS - {"TAG"}
_TRANSFORMERS: dict[str, type[Transformer]] = {"cardgame": SpecTransformer, "scenario": ScenarioTransformer}
_OPENERS = ("LPAR", "LSQB")
_NO_SPACE_AFTER = (*_OPENERS, "DOT", "DOTS")
_NO_SPACE_BEFORE = ("RPAR", "RSQB", "COMMA", "COLON", "DOT", "DOTS")
_INDEXED = ("NAME", "CARD", "PLAYER", "RSQB", "RPAR")
"""Tokens after which a bracket `[` is that of an index."""
_OPERANDS = ("NAME", "NUMBER", "STRING", "CARD", "PLAYER", "RSQB", "RPAR", "TRUE", "FALSE", "NONE")
"""Tokens that may end an operand: `-` after another token is a sign."""


class FormatError(Exception):
    """The formatted text has another meaning than the text: a fault of the formatter.  The text stays as it is."""


@attrs.define
class _Line:
    """A physical line of a text.

    `level` is the depth of its block; None for a line that continues another.  `column` is where it begins in the text.
    """

    tokens: list[Token]
    comment: str
    column: int
    level: int | None = None
    code: str = ""
    indent: int = 0

    @property
    def tags(self) -> str:
        """The rule tags of the line, with one space after each comma."""
        return " ".join(_word(token) for token in self.tokens if token.type == "TAG")

    @property
    def words(self) -> list[Token]:
        """The tokens of the line without its tags."""
        return [token for token in self.tokens if token.type != "TAG"]


def formatted(source: Source, language: str = "cardgame") -> str:
    """Return a spec (`language` "cardgame") or a file of scenarios ("scenario") in the one style.

    Raises SpecError for a text with mistakes of form, FormatError where the result would have another meaning.
    """
    text = prepared(source)
    tokens, laid_out = _read(source, language)
    lines = _lines(text, tokens, _levels(laid_out))
    for line in lines:
        line.code = _spaced(line.words)
    _set_in(lines)
    for block in _blocks(lines):
        _align(block)
    made = _joined(lines)
    if made != text:
        after = list(lex(parser(language), made))
        if _content(after, Layout().process(iter(after))) != _content(tokens, laid_out):
            raise FormatError(f"{source.name}: the formatted text would not have the same syntax tree")
    return made


def _read(source: Source, language: str) -> tuple[list[Token], list[Token]]:
    """Return the tokens of a text without and with its layout.  Raises SpecError for a text with mistakes of form."""
    check_text(source)
    lark = parser(language)
    tokens: list[Token] = []
    laid_out: list[Token] = []
    tree = None
    with suppress(UnexpectedInput, LayoutError):
        tokens += lex(lark, prepared(source))
        laid_out += Layout().process(iter(tokens))
        tree = tree_of(lark, laid_out)
    parse_as(language, source, _TRANSFORMERS[language](source), tree)
    return tokens, laid_out


def _content(tokens: Sequence[Token], laid_out: Iterable[Token]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return what the style must not change: the tokens that the grammar sees, and the comments."""
    seen = [(t.type, "" if t.type in _EDGES else _word(t)) for t in laid_out]
    newlines = [str(token) for token in tokens if token.type in NEWLINES]
    return seen, [part.strip() for newline in newlines for part in newline.split("\n") if part.strip()]


def _word(token: Token) -> str:
    """Return a token with its white space as the style has it."""
    match token.type:
        case "STRING":
            return str(token)
        case "TAG":
            return re.sub(r",[ \t]*", ", ", str(token).strip())
        case _:
            return _BLANKS.sub(" ", token) if " " in token or "\t" in token else str(token)


def _lines(text: str, tokens: Sequence[Token], levels: dict[int, int]) -> list[_Line]:
    """Return the physical lines of a text; lines without tokens are comments or empty."""
    lines: list[_Line] = []
    found: list[Token] = []

    def end(comment: str) -> None:
        if found or comment:
            start = found[0].start_pos or 0 if found else 0
            lines.append(_Line(found.copy(), comment, _column(text, start), levels.get(start) if found else None))
            found.clear()

    for number, token in enumerate(tokens):
        if token.type not in NEWLINES:
            found.append(token)
            continue
        rest, *whole = str(token).split("\n")
        if number:
            end(rest.strip())
        else:
            whole.insert(0, rest)
        lines += [_Line([], row.strip(), len(row.expandtabs(4)) - len(row.lstrip())) for row in whole[:-1]]
    return lines


def _levels(laid_out: Iterable[Token]) -> dict[int, int]:
    """Return the depth of the block of each logical line, by the place of its first token."""
    levels: dict[int, int] = {}
    depth, begins = 0, True
    for token in laid_out:
        match token.type:
            case "_INDENT":
                depth += 1
            case "_DEDENT":
                depth -= 1
            case "_NL":
                begins = True
            case kind if kind != "TAG" and begins:
                levels[token.start_pos or 0] = depth
                begins = False
    return levels


def _column(text: str, start: int) -> int:
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return len(before.expandtabs(4))


def _spaced(tokens: Sequence[Token]) -> str:
    """Return tokens as text, with spaces where they belong."""
    text, before, sign = "", None, False
    for token in tokens:
        if before is not None and not sign and not _is_glued(before, token):
            text += " "
        text += _word(token)
        sign = token.type == "MINUS" and (before is None or before.type not in _OPERANDS)
        before = token
    return text


def _is_glued(left: Token, right: Token) -> bool:
    if left.type in _NO_SPACE_AFTER or right.type in _NO_SPACE_BEFORE:
        return True
    if right.type == "LSQB":
        return left.type in _INDEXED
    return right.type == "LPAR" and left.type == "NAME"


def _set_in(lines: Sequence[_Line]) -> None:
    """Set the indentation of all lines."""
    columns = [0]
    begun = 0
    for number, line in enumerate(lines):
        if line.level is not None:
            del columns[line.level :]
            columns.append(line.column)
            line.indent, begun = INDENT * line.level, line.column
        elif line.tokens:
            line.indent = INDENT * (len(columns) - 1) + max(INDENT, line.column - begun)
        elif line.comment:
            following = next((after for after in lines[number:] if after.tokens), None)
            line.indent = _comment_indent(line, following, columns, begun)


def _comment_indent(line: _Line, following: _Line | None, columns: list[int], begun: int) -> int:
    """Return the indentation of a comment on a line of its own.

    It belongs to what follows, unless it is set in deeper: then to the innermost block above that is not deeper.
    """
    if following is not None and following.level is None:
        return INDENT * (len(columns) - 1) + max(INDENT, following.column - begun)
    level = 0 if following is None or following.level is None else following.level
    while level + 1 < len(columns) and columns[level + 1] <= line.column:
        level += 1
    return INDENT * level


def _blocks(lines: Sequence[_Line]) -> Iterator[list[list[str]]]:
    """Give the cells of each block in columns, and write the aligned cells back to the lines.

    The cells of a line of `teams`, `zones` or `state` are what is before and after its colon; those of a row of an
    `enum` table are its tokens.
    """
    for number, line in enumerate(lines):
        words = [token.type for token in line.words]
        if line.level is None or not words:
            continue
        is_table = "ENUM" in words[:2] and words[-1] == "RPAR"
        if not is_table and "TEAMS" not in words[:2] and words[-1] not in ("ZONES", "STATE"):
            continue
        rows: list[_Line] = []
        for after in lines[number + 1 :]:
            if after.level is not None and after.level <= line.level:
                break
            if after.level == line.level + 1:
                rows.append(after)
        cells = [_table_cells(row) if is_table else _declaration_cells(row) for row in rows]
        yield cells
        for row, parts in zip(rows, cells, strict=True):
            row.code = " ".join(parts).rstrip()


def _table_cells(line: _Line) -> list[str]:
    """Return the cells of a row of a table: its tokens, a sign with its number."""
    cells: list[str] = []
    for before, token in zip([None, *line.words], line.words, strict=False):
        if before is not None and before.type == "MINUS":
            cells[-1] += str(token)
        else:
            cells.append(str(token))
    return cells


def _declaration_cells(line: _Line) -> list[str]:
    """Return a declaration in two cells: up to its colon, and what follows."""
    depth, words = 0, line.words
    for number, token in enumerate(words):
        depth += (token.type in _OPENERS) - (token.type in ("RPAR", "RSQB"))
        if token.type == "COLON" and depth == 0:
            return [_spaced(words[: number + 1]), _spaced(words[number + 1 :])]
    return [line.code]


def _align(rows: list[list[str]]) -> None:
    """Pad all cells but the last of each row to the width of their column."""
    columns = max(map(len, rows), default=0)
    for column in range(columns - 1):
        width = max((n for row in rows if len(row) > column + 1 and (n := len(row[column])) <= LONGEST_NAME), default=0)
        for row in rows:
            if len(row) > column + 1:
                row[column] = row[column].ljust(width)


def _joined(lines: Sequence[_Line]) -> str:
    """Return lines as text, with tags in their column and trailing comments."""
    columns = _tag_columns(lines)
    made: list[str] = []
    for line, column in zip(lines, columns, strict=True):
        text = " " * line.indent + line.code if line.tokens else " " * line.indent * bool(line.comment)
        if line.tags:
            text = text.ljust(column) + line.tags if line.code else text + line.tags
        if line.comment:
            text += f"  {line.comment}" if line.tokens else line.comment
        if text.strip() or (made and made[-1]):
            made.append(text.rstrip())
    while made and not made[-1]:
        made.pop()
    return "".join(f"{text}\n" for text in made)


def _tag_columns(lines: Sequence[_Line]) -> list[int]:
    """Return the column of the rule tags of each line; neighbours that are too long have theirs after the longest."""
    columns = [TAG_COLUMN] * len(lines)
    run: list[int] = []
    for number, line in enumerate([*lines, _Line([], "", 0)]):
        if line.tokens and not (line.tags and line.indent + len(line.code) + 1 > TAG_COLUMN):
            continue
        if line.tokens:
            run.append(number)
        elif not line.comment:
            longest = max((lines[place].indent + len(lines[place].code) for place in run), default=0)
            for place in run:
                columns[place] = longest + 2
            run.clear()
    return columns
