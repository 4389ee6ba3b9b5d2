"""Our driver of lark's tables makes the same tree as lark's own, and knows the same places."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from grammar import tables
from grammar.layout import LAYOUT_TOKENS, Layout
from interpreter.loader import find_spec

DATA = Path(__file__).parents[1]
TEXTS = {
    "cardgame": [DATA / "rulebook" / "data" / "everything.cardgame", find_spec("wizards_grimoire")],
    "scenario": [find_spec(name).with_suffix(".scenarios") for name in ("chalice_and_wand", "classics/kuhn_poker")],
}


def _placed(child: object) -> bool:
    return not (isinstance(child, Token) and child.type in LAYOUT_TOKENS)


def _placed_tree(node: object) -> object:
    """Return a tree with the places of its nodes, to be compared."""
    if not isinstance(node, Tree):
        return node
    place = None if node.meta.empty else (node.meta.start_pos, node.meta.end_pos)
    return (str(node.data), place, [_placed_tree(child) for child in node.children])


@pytest.mark.parametrize("language", TEXTS)
def test_a_tree_and_its_places_are_those_of_lark(language: str) -> None:
    theirs = Lark(
        tables.grammar_text(language), parser="lalr", lexer="basic", postlex=Layout(), propagate_positions=_placed
    )
    for path in TEXTS[language]:
        text = path.read_text(encoding="utf-8") + "\n"
        assert _placed_tree(tables.parse(tables.parser(language), text)) == _placed_tree(theirs.parse(text))


@pytest.mark.parametrize("text", ["", "cardgame", "cardgame 1 1", "cardgame 1\nplay", "cardgame 1\nplay\n    end end"])
def test_what_lark_refuses_is_refused(text: str) -> None:
    parser = tables.parser("cardgame")
    with pytest.raises(UnexpectedInput):
        parser.parse(text + "\n")
    with pytest.raises(UnexpectedInput):
        tables.parse(parser, text + "\n")
