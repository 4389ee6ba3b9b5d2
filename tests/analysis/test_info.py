"""What the checker leaves by node of the syntax tree is what a reader of the tree needs to know of it."""

from __future__ import annotations

from typing import TypeVar

from grammar import ast
from grammar import expressions as ex
from grammar import statements as st
from grammar.expressions import Node, walk
from grammar.source import Source
from interpreter.analysis import types
from interpreter.analysis.core import Define, Variable
from interpreter.analysis.info import Info
from interpreter.analysis.symbols import Local, Option, Zone
from interpreter.loader import assemble, check

GAME = """cardgame 1

game "Small"
    players 2..4
option size: 2..4 = 3
option way: plain | bold = plain
enum Suit: sun, moon
card Number(suit: Suit, rank: 1..8) written "{suit}{rank}"
deck in stock
    1 of each Number
zones
    stock: pile, seen by nobody
    hand[player]: cards, seen by owner
state
    trump: Suit = moon
play
    deal size * 2 from stock to hand[player 1]
    for p in players
        let best = highest c in hand[p] where c.suit == trump and way == plain by c.rank
        if best is not none and high(best): say "{p} has {size + 1}"
    match way
        case plain: nothing
        case bold: trump = sun
    player 1 chooses
        stop
define high(c: card) = c.rank > 4
result
    score p = count(hand[p])
"""

_Node = TypeVar("_Node", bound=Node)


def checked(**options: str | int) -> tuple[ast.Spec, Info]:
    spec = assemble(Source("<text>", GAME), None)
    return spec, check(spec, None, options).info


def nodes(spec: ast.Spec, cls: type[_Node]) -> list[_Node]:
    return [node for node in walk(spec.items) if isinstance(node, cls)]


def named(spec: ast.Spec, name: str) -> list[ex.Name]:
    return [node for node in nodes(spec, ex.Name) if node.name == name]


def test_every_expression_has_its_type() -> None:
    spec, info = checked()
    (extreme,) = nodes(spec, ex.Extreme)
    assert isinstance(info.type(extreme), types.Optional)
    assert isinstance(info.type(extreme.selection), types.Card), "what a selection gives a name to"
    assert info.type(extreme.by) == types.Int(1, 8)
    for kind in (ex.Compare, ex.Arithmetic, ex.Index):
        assert not any(isinstance(info.type(node), types.Unknown) for node in nodes(spec, kind)), kind


def test_what_options_and_players_decide_is_a_constant() -> None:
    spec, info = checked(size=4)
    (times,) = nodes(spec, ex.Arithmetic)
    assert info.constant(times) == 8
    settled = next(n for n in nodes(spec, ex.Compare) if n.left == named(spec, "way")[0])
    assert info.constant(settled) is True
    assert [info.constant(case) for case in nodes(spec, st.Case)] == [True, False]
    assert info.constant(nodes(spec, ex.Is)[0]) is None


def test_a_name_refers_to_what_was_declared() -> None:
    spec, info = checked()
    for name, sort in (("trump", Variable), ("way", Option), ("stock", Zone), ("hand", Zone), ("p", Local)):
        found = [info.symbol(node) for node in named(spec, name)]
        assert found, name
        assert {type(symbol) for symbol in found} == {sort}, name
        assert len({id(symbol) for symbol in found}) == (2 if name == "p" else 1), "the result has a `p` of its own"
    assert isinstance(info.symbol(nodes(spec, ex.Call)[0]), Define)
    assert info.symbol(named(spec, "sun")[0]) is None


def test_a_text_is_split_into_its_parts() -> None:
    spec, info = checked()
    (say,) = nodes(spec, st.Say)
    before, player, between, number, behind = info.text(say)
    assert (before, between, behind) == ("", " has ", "")
    assert isinstance(player, ex.Name)
    assert isinstance(number, ex.Arithmetic)
    assert info.constant(number) == 4


def test_a_changed_node_is_known_as_the_one_that_it_was_made_of() -> None:
    spec, known = checked()
    info = known.copy()
    (extreme,) = nodes(spec, ex.Extreme)
    wider = info.changed(extreme.selection, where=None)
    assert info.symbol(wider) is info.symbol(extreme.selection)
    assert known.symbol(wider) is None, "the tables of the rules stay as they are"
