"""Parse a spec: from its text to its syntax tree, or to everything that is wrong with it.

The plain way is quick and stops at the first mistake.  Only then a second pass (`grammar.recovery`) goes
through the text again to find as many mistakes as it can.  What it could read all the same comes with them, as a
`Partial` tree, so that later phases can look for mistakes of theirs in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from lark.exceptions import UnexpectedInput

from grammar import tables
from grammar.ast import Spec
from grammar.diagnostics import Cure, Diagnostic, Edit, Partial, SpecError
from grammar.layout import LAYOUT_TOKENS, MAX_NESTING, LayoutError, too_deep
from grammar.printable import described, prints
from grammar.scenario import ScenarioFile
from grammar.source import Source, Span
from grammar.transform import ScenarioTransformer, SpecTransformer, Transformer

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

    from grammar.expressions import Expr

MAX_BYTES = 250_000

MAX_WORDS = 50_000
"""Words and signs of a file, besides those in texts and comments."""

_WORDS = re.compile(r'"[^"\n]*"|#[^\n]*|\w+|[^\w\s]')
MOST_UNSEEN = 20
"""How many different characters that do not print are reported at most."""


@lru_cache(maxsize=8)
def parse(source: Source) -> Spec:
    """Return the syntax tree of a spec.

    It is remembered, since games of one spec are loaded for many settings, and specs use or extend the same files.

    Raises SpecError with everything that is found wrong with its form.
    """
    check_text(source)
    transformer = SpecTransformer(source)
    spec = _in_sections(transformer, prepared(source))
    if spec is None:
        whole: Spec = parse_as("cardgame", source, transformer)
        return whole
    _raise_reported(transformer, spec)
    return spec


_SECTION = re.compile(r"^(?=[^\s#])", re.MULTILINE)
_HEAD = "cardgame 1\n"


def _in_sections(transformer: SpecTransformer, text: str) -> Spec | None:
    """Return the tree of a text, of which sections that are known are not parsed again; None where one has no form."""
    trees = _sections(text)
    if not trees:
        return None
    (_, first), *others = trees
    parts: list[Any] = list(first.children)
    nodes = [transformer.transform(part) for part in parts]
    meta = copy(first.meta)
    for start, tree in others:
        transformer.offset = start - len(_HEAD)
        parts = [*tree.children[1:]]
        nodes += [transformer.transform(part) for part in parts]
        meta.end_pos = tree.meta.end_pos + transformer.offset
    transformer.offset = 0
    return transformer.start(meta, nodes)


def _sections(text: str) -> list[tuple[int, Tree[Token]]]:
    """Return the trees of the sections of a text, each with where it begins; none where one has no form by itself.

    A section begins at each line that is not indented: the layout is there the same as at the start of a text.
    """
    starts = [0, *(found.start() for found in _SECTION.finditer(text)), len(text)]
    trees = []
    for start, end in pairwise((0, *starts[2:])):  # Comments above the first section belong to it.
        tree = _section(text[start:end], "" if start == 0 else _HEAD)
        if tree is None:
            return []
        trees.append((start, tree))
    return trees


@lru_cache(maxsize=2_000)
def _section(text: str, head: str) -> Tree[Token] | None:
    """Return the tree of a section after a head; None where it has no form by itself, or goes on in the next one."""
    parser = tables.parser("cardgame")
    try:
        tokens = tables.tokens(parser, head + text)
        tree = tables.tree_of(parser, tokens)
        check_depth(Source("", head + text), tree)
    except (UnexpectedInput, LayoutError, SpecError):
        return None
    last = next(token for token in reversed(tokens) if token.type not in LAYOUT_TOKENS)
    return None if last.type == "COMMA" else tree


def _raise_reported(transformer: Transformer, made: Any) -> None:
    """Raise SpecError with what a transformer has reported, if anything."""
    if transformer.diagnostics:
        raise SpecError(in_order_of_text(transformer.diagnostics), Partial(made, frozenset()))


_SETTING = re.compile(
    r"(?:cardgame|use|extends|set|about[ \t]+game|in[ \t]+option|(?:(?:replace|add|remove)[ \t]+)?(?:game|option))\b"
)


def parse_head(source: Source) -> Spec:
    """Return the syntax tree of those sections of a spec that say how it can be set, and of what brings in others.

    The other sections are blanked out unread, so this takes a small part of the time of `parse`.  A section begins
    where a line is not indented; raises SpecError where what is kept so is no spec, which does not mean that the whole
    is none.  It is remembered, since several specs may use or extend one file.
    """
    return _head(source.name, source.text)


@lru_cache(maxsize=64)
def _head(name: str, text: str) -> Spec:
    kept = False
    lines = []
    for line in text.splitlines(keepends=True):
        if line[:1] not in (" ", "\t", "\r", "\n", "#"):
            kept = _SETTING.match(line) is not None
        lines.append(line if kept else re.sub(r"[^\r\n]", " ", line))
    return parse(Source(name, "".join(lines)))


def parse_scenarios(source: Source) -> ScenarioFile:
    """Return the syntax tree of a file of scenarios.

    Raises SpecError with everything that is found wrong with its form.
    """
    found: ScenarioFile = parse_as("scenario", source, ScenarioTransformer(source))
    return found


@lru_cache(maxsize=4_000)
def parse_expression(span: Span) -> Expr:
    """Return the expression that is in a part of a text, such as `left(p)` in `"{you} pass to {left(p)}"`.

    It is remembered, since a spec is checked in many settings.

    Raises SpecError if there is none.
    """
    # The one value of a small spec; its own text begins so many characters later.
    head = f"{_HEAD}define x = "
    text = f"{head}{span.text}\n"
    transformer = SpecTransformer(span.source, span.start - len(head))
    try:
        tree = tables.parse(tables.parser("cardgame"), text)
        check_depth(span.source, tree, span.start - len(head))
        (define,) = transformer.transform(tree).items
    except (UnexpectedInput, LayoutError, ValueError):
        raise SpecError([Diagnostic("CG213", f"`{span.text}` is no value", span)]) from None
    if transformer.diagnostics:
        raise SpecError(transformer.diagnostics)
    value: Expr = define.value
    return value


def parse_as(language: str, source: Source, transformer: Transformer, tree: Tree[Token] | None = None) -> Any:
    """Return what a transformer makes of a text in one of the languages, whose `tree` may be known; raise SpecError."""
    check_text(source)
    text = prepared(source)
    lark = tables.parser(language)
    try:
        tree = tables.parse(lark, text) if tree is None else tree
    except (UnexpectedInput, LayoutError):
        raise _recovered(lark, source, text, transformer) from None
    check_depth(source, tree)
    made = transformer.transform(tree)
    _raise_reported(transformer, made)
    return made


@lru_cache(maxsize=128)
def parses(text: str) -> bool:
    """Whether a text has the form of a spec."""
    text = prepared(Source("", text))
    if _sections(text):
        return True
    try:
        tables.parse(tables.parser("cardgame"), text)
    except (UnexpectedInput, LayoutError):
        return False
    return True


def _recovered(lark: Lark, source: Source, text: str, transformer: Transformer) -> SpecError:
    """Return the errors of a text that does not parse, with the syntax tree of the parts that do."""
    from grammar.recovery import recover  # late: faults

    found = recover(lark, source, text)
    if not found.diagnostics:
        return SpecError([Diagnostic("CG901", "this text is refused for an unknown reason", Span(source, 0, 0))])
    if found.tokens is None:
        return SpecError(found.diagnostics)
    tree = tables.tree_of(lark, found.tokens)
    try:
        check_depth(source, tree)
    except SpecError:
        return SpecError(found.diagnostics)
    made = transformer.transform(tree)
    reported = {d.span.line for d in found.diagnostics}
    more = [d for d in transformer.diagnostics if d.span.line not in reported]
    return SpecError(in_order_of_text([*found.diagnostics, *more]), Partial(made, found.names))


def in_order_of_text(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics of one text in the order of their places."""
    return sorted(diagnostics, key=lambda d: (d.span.start, d.code))


def check_text(source: Source) -> None:
    """Raise SpecError if a text is too large, or no text, or has characters that do not print."""
    text = source.text
    if len(text) > MAX_BYTES:
        raise SpecError([too_large(source)])
    words = words_of(text)
    if words > MAX_WORDS:
        message = f"this file has {words:,} words and signs, more than {MAX_WORDS:,}"
        raise SpecError.of("CG117", message, Span(source, 0, 0), "put repeated rules into a phase or definition")
    strange = re.search("[\0\ud800-\udfff]", text)
    if strange is not None:
        span = Span(source, *strange.span())
        raise SpecError([Diagnostic("CG118", "this file is not text", span, "save it as plain text in UTF-8")])
    unseen = list(_unseen(source))
    if unseen:
        raise SpecError(unseen)


def words_of(text: str) -> int:
    """Return how many words and signs a text has, besides comments; what is quoted is one."""
    return sum(1 for word in _WORDS.finditer(text) if text[word.start()] != "#")


def _unseen(source: Source) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each character that does not print, where it is first."""
    text = source.text
    strange = "".join(char for char in set(text) if char not in "\n\t\r" and not prints(char))
    found = re.compile("\r(?!\n)" + (f"|[{re.escape(strange)}]" if strange else ""))
    places: dict[str, list[int]] = {}
    for match in found.finditer(text, 1 if text.startswith("\ufeff") else 0):
        places.setdefault(match.group(), []).append(match.start())
    for char, starts in list(places.items())[:MOST_UNSEEN]:
        words, instead = ("end each line with a line feed", "\n") if char == "\r" else ("delete it", "")
        spans = [Span(source, start, start + 1) for start in starts]
        more = len(spans) - 1
        yield Diagnostic(
            "CG125",
            f"the character {described(char)} does not print",
            spans[0],
            Cure(words, tuple(Edit(span, instead) for span in spans)),
            note=f"it occurs at {more} more place{'s' if more > 1 else ''}" if more else "",
        )


def too_large(source: Source) -> Diagnostic:
    """Return the diagnostic of a file that is not even read."""
    message = f"this file is larger than {MAX_BYTES // 1_000} kB"
    return Diagnostic("CG117", message, Span(source, 0, 0), "check that the file is a spec")


def prepared(source: Source) -> str:
    """Return the text as the lexer wants it: no mark of byte order, and an end to the last line."""
    text = source.text
    if text.startswith("\ufeff"):
        text = " " + text[1:]
    return text if text.endswith("\n") else text + "\n"


def check_depth(source: Source, tree: Tree[Token], offset: int = 0) -> None:
    """Raise SpecError if a tree is nested so deeply that later phases could not walk it.

    Its text is so many characters later in the source than by itself.
    """
    row: list[Any] = [tree]
    for _ in range(MAX_NESTING):
        row = [child for node in row for child in node.children if hasattr(child, "children")]
        if not row:
            return
    start = row[0].meta.start_pos + offset
    raise SpecError([too_deep(Span(source, start, start + 1))])
