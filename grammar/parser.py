"""Parse a spec: from its text to its syntax tree, or to everything that is wrong with it.

The plain way is quick and stops at the first mistake.  Only then a second pass (`grammar.recovery`) goes
through the text again to find as many mistakes as it can; its tree is thrown away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grammar.ast import Spec
from grammar.diagnostics import Diagnostic, SpecError
from grammar.source import Source, Span

if TYPE_CHECKING:
    from lark import Token, Tree

    from grammar.transform_expressions import ExpressionTransformer

MAX_BYTES = 1_000_000


def parse(source: Source) -> Spec:
    """Return the syntax tree of a spec.

    Raises SpecError with everything that is found wrong with its form.
    """
    from grammar.transform import SpecTransformer

    spec: Spec = parse_as("cardgame", source, SpecTransformer(source))
    return spec


def parse_as(language: str, source: Source, transformer: ExpressionTransformer) -> Any:
    """Return what a transformer makes of a text in one of the languages; raise SpecError."""
    from lark.exceptions import UnexpectedInput

    from grammar.layout import LayoutError
    from grammar.tables import parser

    text = prepared(source)
    try:
        tree = parser(language).parse(text)
    except (UnexpectedInput, LayoutError) as problem:
        raise SpecError([Diagnostic("CG101", str(problem), Span(source, 0, 0))]) from None
    check_depth(source, tree)
    made = transformer.transform(tree)
    if transformer.diagnostics:
        raise SpecError(transformer.diagnostics)
    return made


def prepared(source: Source) -> str:
    """Return the text as the lexer wants it: no mark of byte order, and an end to the last line."""
    text = source.text
    if text.startswith("\ufeff"):
        text = " " + text[1:]
    return text if text.endswith("\n") else text + "\n"


def check_depth(source: Source, tree: Tree[Token]) -> None:
    """Raise SpecError if a tree is nested so deeply that later phases could not walk it."""
