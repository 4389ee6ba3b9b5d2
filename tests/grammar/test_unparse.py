"""Canonical text parses to the tree it was made from."""

from __future__ import annotations

import pytest
from hypothesis import given

from grammar.ast import Spec
from grammar.unparse import WIDTH, unparse
from tests import bundled
from tests.grammar.examples import REAL, chunks, read, spec
from tests.grammar.trees import specs


@pytest.mark.parametrize("text", [REAL, *chunks("constructs.txt")])
def test_the_canonical_text_of_a_spec_parses_to_the_same_tree(text: str) -> None:
    tree = read(text)
    assert isinstance(tree, Spec)
    canonical = unparse(tree)
    assert read(canonical) == tree
    again = read(canonical)
    assert isinstance(again, Spec)
    assert unparse(again) == canonical


@pytest.mark.parametrize("name", bundled.EVERY)
def test_the_canonical_text_of_a_bundled_spec_is_the_whole_of_it(name: str) -> None:
    """With everything that it extends and uses put in; a game is pickled as this text."""
    game = bundled.game(name)
    assert read(game.spec_text()) == game.spec


@given(specs)
def test_any_tree_survives_being_written_and_parsed(tree: Spec) -> None:
    assert read(unparse(tree)) == tree


def test_long_lines_go_on_where_the_layout_allows_it() -> None:
    terms = " and ".join(f"a_rather_long_condition_{n}" for n in range(12))
    tree = spec(f"define all_of_them = {terms}\n")
    text = unparse(tree)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert read(text) == tree


def test_brackets_are_written_only_where_needed() -> None:
    tree = spec("define a = ((b) or ((c and (d)))) or (e and f)\n")
    assert unparse(tree) == "cardgame 1\n\ndefine a = b or c and d or e and f\n"


def test_the_canonical_form_of_a_small_spec() -> None:
    tree = spec('game   "X" [R1]\n  players 2..4 , cooperative\n  at most 50 decisions\nplay\n  if a\n    pass\n')
    assert unparse(tree) == (
        'cardgame 1\n\ngame "X" [R1]\n    players 2..4\n    cooperative\n    at most 50 decisions\n\n'
        "play\n    if a: pass\n"
    )
