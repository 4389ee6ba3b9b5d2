"""What the parser makes of a text."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from grammar import ast
from grammar import expressions as e
from grammar import statements as s
from grammar.parser import parse
from grammar.source import Source, read_source
from tests.grammar.examples import REAL, mistakes, read, spec


def define(text: str) -> e.Expr:
    """Return the expression of a definition."""
    (item,) = spec(f"define it = {text}\n").items
    assert isinstance(item, ast.DefineDecl)
    assert not isinstance(item.value, ast.MatchValue)
    return item.value


def steps(text: str) -> tuple[s.Stmt, ...]:
    """Return the statements of a play."""
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    (item,) = spec(f"play\n{lines}").items
    assert isinstance(item, ast.PlayDecl)
    return item.block.statements


def test_the_real_spec_parses() -> None:
    tree = parse(Source("chalice", REAL))
    assert tree.version == 1
    assert len(tree.items) > 20


def test_a_place_covers_what_it_names_and_neither_tags_nor_the_end_of_the_line() -> None:
    text = "cardgame 1\nplay\n    for p in players   # all\n        move (a + b) to c   [R1]  # done\n\n"
    (item,) = parse(Source("x", text)).items
    assert isinstance(item, ast.PlayDecl)
    (loop,) = item.block.statements
    assert isinstance(loop, s.For)
    (move,) = loop.body
    assert isinstance(move, s.Move)
    assert move.span.text == "move (a + b) to c"
    assert move.cards.span.text == "a + b"
    assert loop.span.text.startswith("for p in players")
    assert loop.span.text.endswith("to c")
    assert (move.span.line, move.span.column) == (4, 9)


def test_a_chain_of_one_value_without_condition_is_that_value() -> None:
    assert isinstance(define("(a)"), e.Name)
    (item,) = spec("define it =\n    a [R1]\n").items
    assert isinstance(item, ast.DefineDecl)
    assert isinstance(item.value, e.Name)
    assert item.tags == ("R1",)


def test_a_lone_condition_is_a_chain_of_one() -> None:
    value = define("if a then b")
    assert isinstance(value, e.Chain)
    assert len(value.alternatives) == 1


def test_else_if_is_an_if_inside_the_else() -> None:
    (outer,) = steps("if a: x\nelse if b: y [R1]\nelse: z [R2]")
    assert isinstance(outer, s.If)
    (inner,) = outer.otherwise
    assert isinstance(inner, s.If)
    assert inner.tags == ("R1",)
    assert inner.otherwise[0].tags == ("R2",)


def test_a_bare_quantity_has_the_same_bound_twice() -> None:
    (choice,) = steps("p chooses\n    take 3 cards c from d")
    assert isinstance(choice, s.Choice)
    (arg,) = choice.actions[0].args
    assert isinstance(arg, e.CardsArg)
    assert arg.quantity.low is arg.quantity.high


def test_repeat_until_calls_a_phase() -> None:
    (repeat,) = steps("repeat one_round until done")
    assert isinstance(repeat, s.Repeat)
    (do,) = repeat.body
    assert isinstance(do, s.Do)
    assert do.call.args == ()


def test_the_facts_of_a_game() -> None:
    (game,) = spec('game "X"\n    players 2..5, cooperative\n    at most 2000 decisions\n').items
    assert isinstance(game, ast.GameDecl)
    assert [(f.name, f.values) for f in game.facts] == [
        ("players", ((2, 5),)),
        ("cooperative", ()),
        ("decisions", (2000,)),
    ]


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("say [R1]", None),
        ('say "x" [R9-R11, A3]', ("R9-R11", "A3")),
        ('say "x" [R9-R11,A3]   # remark', ("R9-R11", "A3")),
        ("x = hand[R1]", ()),
        ("x = f(a, [R1]\n      b) [R2]", ("R1", "R2")),
        ("x = a [R1]\n        or b [R2]", ("R1", "R2")),
    ],
)
def test_a_tag_follows_white_space_at_the_end_of_a_line(line: str, tags: tuple[str, ...] | None) -> None:
    if tags is None:
        assert mistakes(f"cardgame 1\nplay\n    {line}\n")
    else:
        assert steps(line)[0].tags == tags


@pytest.mark.parametrize(
    "text",
    [
        REAL.replace("\n", "\r\n"),
        "\ufeff" + REAL,
        REAL.rstrip("\n"),
        REAL + "\n\n   \n# the end",
        REAL.replace("\n", "   \n"),
        "\n# first a remark\n\n" + REAL,
    ],
)
def test_the_ends_of_lines_and_of_the_text_do_not_matter(text: str) -> None:
    assert read(text) == read(REAL)


def test_diagnostics_do_not_load_the_parser_generator() -> None:
    code = "import sys, grammar, grammar.render, grammar.codes; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_file_that_says_what_it_said_before_is_not_parsed_again_and_one_that_has_changed_is(tmp_path: Path) -> None:
    path = tmp_path / "chalice.cardgame"
    path.write_text(REAL)
    tree = parse(read_source(path))
    assert parse(read_source(path)) is tree
    assert parse(read_source(path, "another name")) is not tree
    path.write_text(f"{REAL}# more\n")
    assert parse(read_source(path)).span.source.text == f"{REAL}# more\n"
