"""Edits of variants: an edit of the printed base is an edit of its tree, wherever it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammar import ast, expressions, statements
from grammar.diagnostics import SpecError, edited
from grammar.expressions import Node, evolved, field_names
from grammar.parser import parse
from grammar.source import Source, Span
from grammar.unparse import text_of, unparse
from interpreter.analysis.checker import check_spec
from interpreter.analysis.files import Files, Found
from interpreter.analysis.variants import resolve
from interpreter.loader import bundled_variants, find_spec
from tests.rulebook.books import tree

GAMES = ("chalice_and_wand", "two_player_wizard", "wizards_duel", "classics/leduc_poker", "classics/love_letter")
HERE = Span(Source("<made>", ""), 0, 0)
SAY = statements.Say("an edit", span=HERE)
NAME = expressions.Name("edited", span=HERE)
SIMPLE = (statements.Assign, statements.Move, statements.Deal, statements.Say, statements.Let, statements.Do)
VALUES = (expressions.Name, expressions.Call, expressions.Arithmetic, expressions.Compare, expressions.Index)

Step = tuple[str, int | None]


def assembled(base: str, variant: str) -> ast.Spec:
    found = Found("folder", "base.cardgame", "/base.cardgame", Source("base.cardgame", base))
    text = f'cardgame 1\n\nextends "base.cardgame"\n\n{variant}'
    return resolve(parse(Source("variant.cardgame", text)), Path("folder"), parse, Files([found]))


def places(node: Node, steps: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Node]]:
    """Give all nodes inside one with the fields and numbers that lead to them."""
    yield steps, node
    for name in field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield from places(value, (*steps, (name, None)))
        elif isinstance(value, tuple):
            for number, item in enumerate(value):
                if isinstance(item, Node):
                    yield from places(item, (*steps, (name, number)))


def put(node: Node, steps: tuple[Step, ...], made: Callable[[Any], tuple[Node, ...]]) -> Node:
    """Return a node in which what the steps lead to has become other nodes."""
    (name, number), *rest = steps
    value: Any = getattr(node, name)
    if number is None:
        new = put(value, tuple(rest), made) if rest else made(value)[0]
        return evolved(node, **{name: new})
    inner = (put(value[number], tuple(rest), made),) if rest else made(value[number])
    return evolved(node, **{name: (*value[:number], *inner, *value[number + 1 :])})


def bare(node: Node) -> Node:
    """Return a statement without what an edit need not repeat."""
    return evolved(node, tags=(), openly=False) if isinstance(node, statements.Statement) else node


@pytest.mark.parametrize("count", [6, pytest.param(2_000, marks=pytest.mark.soak)])
def test_an_edit_of_a_printed_base_is_an_edit_of_its_tree(count: int) -> None:
    settings(max_examples=count, deadline=None)(given(st.data())(edit_of_a_tree))()


def edit_of_a_tree(data: st.DataObject) -> None:
    text = unparse(tree(data.draw(st.sampled_from(GAMES))))
    base = parse(Source("base", text))
    phases = [item for item in base.items if isinstance(item, ast.PhaseDecl)]
    phase = phases[data.draw(st.integers(0, len(phases) - 1))]
    inside = [(steps, node) for steps, node in places(phase) if isinstance(node, (*SIMPLE, *VALUES))]
    inside = [(s, n) for s, n in inside if s[-1] != ("call", None)]  # The call of a `Do` is the statement.
    steps, node = inside[data.draw(st.integers(0, len(inside) - 1))] if inside else ((), phase)
    if not inside:
        return
    if isinstance(node, statements.Statement):
        doing = data.draw(st.sampled_from(["replace", "remove", "before", "after"]))
        match doing:
            case "replace":
                edit: ast.Edit = ast.ReplaceOld(bare(node), (SAY,), span=HERE)
            case "remove":
                edit = ast.RemoveOld(bare(node), span=HERE)
            case _:
                edit = ast.Insert(doing, bare(node), (SAY,), span=HERE)  # type: ignore[arg-type]
        same: list[Node] = [n for _, n in places(phase) if type(n) is type(node) and bare(n) == bare(node)]
    else:
        doing = "value"
        edit = ast.ReplaceOld(node, (NAME,), span=HERE)
        calls = isinstance(node, expressions.Name | expressions.Call)
        kinds = (expressions.KindPattern, expressions.NamedType, *((statements.Do,) if calls else ()))
        words = [n for s, n in places(phase) if isinstance(n, (*VALUES, *kinds)) and s[-1:] != (("call", None),)]
        same = [n for n in words if text_of(n) == text_of(node)]
    item = ast.InPlace((ast.Step("phase", phase.name, span=HERE),), (edit,), span=HERE)
    written = unparse(ast.Spec(1, (item,), span=HERE)).partition("\n")[2]
    if len(same) > 1:
        with pytest.raises(SpecError) as caught:
            assembled(text, written)
        assert [d.code for d in caught.value.diagnostics] == ["CG229"]
        return
    outcome: dict[str, Callable[[Any], tuple[Node, ...]]] = {
        "replace": lambda old: (evolved(SAY, tags=old.tags),),
        "remove": lambda _: (),
        "before": lambda old: (SAY, old),
        "after": lambda old: (old, SAY),
        "value": lambda _: (NAME,),
    }
    expected = put(phase, steps, outcome[doing])
    if lacks_a_block(expected):
        with pytest.raises(SpecError) as caught:
            assembled(text, written)
        assert [d.code for d in caught.value.diagnostics] == ["CG229"]
        return
    made = assembled(text, written)
    assert made.items[base.items.index(phase)] == expected
    assert [i for i in made.items if i != expected] == [i for i in base.items if i != phase]


def lacks_a_block(phase: Node) -> bool:
    """Whether a block in a phase has lost its last statement."""
    bodies = ("then", "body", "statements")
    return any(
        getattr(node, name, None) == () and not isinstance(node, statements.Action)
        for _, node in places(phase) for name in bodies
    )  # fmt: skip


def test_bundled_variants_are_short() -> None:
    sizes = []
    for name in bundled_variants():
        lines = find_spec(name).read_text(encoding="utf-8").splitlines()
        sizes.append(sum(1 for line in lines if line.strip() and not line.lstrip().startswith("#")))
    assert len(sizes) >= 20
    assert median(sizes) <= 6


BASE = """cardgame 1

game "Base"
    players 2
    at most 50 decisions

enum Role(strength: 1..5, copies: 1..5)
    guard 1 5
    king  4 1
card Letter(role: Role) written "{role}"

deck in stock
    each.role.copies of each Letter

zones
    stock:        pile, seen by nobody
    hand[player]: cards at most 3, seen by owner
    table:        row, seen by all

state
    points[player]: 0..100 = 0

play
    shuffle stock
    deal 2 from stock to hand[players]                               [R1]
    for p in players: turn_of(p)                                     [R2]

phase turn_of(p: player)
    p chooses "{you} play"
        play card c from hand[p] where strong(c)                     [R3]
            move c to table for p
            points[p] += 1                                           [R4]
        pass only if points[p] < 3                                   [R4]
            points[p] += 1

define strong(c: card) = c.role.strength > points[player 1]

result
    score p = points[p]
"""


def text_after(variant: str) -> str:
    return unparse(assembled(BASE, variant))


@pytest.mark.parametrize(
    ("variant", "line"),
    [
        ("in Role, guard, copies: replace 5 with 6\n", "    guard 1 6"),

        ("in Role: add value priest 2 2\n", "    priest 2 2"),
        ("in Role: remove king\n", "    guard 1 5\n\ncard"),
        ("in hand: replace 3 with 4\n", "cards at most 4, seen by owner"),
        ("in points: replace 0..100 with -9..100\n", "points[player]: -9..100 = 0"),
        ("in action play: add where c.role == king\n", ""),
        ("in action play: remove where strong(c)\n", "play card c from hand[p] [R3]"),
        ("in action pass: remove only if points[p] < 3\n", "pass: points[p] += 1 [R4]"),
        ("in action play: add only if points[p] > 0\n", "where strong(c) only if points[p] > 0 [R3]"),
        ("in turn_of: replace p chooses with openly p chooses\n", 'openly p chooses "{you} play"'),
        ('in play: replace for p in players with in turn p in players\n', "in turn p in players: turn_of(p) [R2]"),
        ("in [R1]: replace 2 with 1 [V1]\n", "deal 1 from stock to hand[players] [R1, V1]"),
        ("in play: replace [R1] with nothing\n", "nothing [R1]"),
        ("in play: after [R1]: nothing [V2]\n", "hand[players] [R1]\n    nothing [V2]"),
        ("in play\n    before [R1]: say \"a\"\n    before [R1]: say \"b\"\n", 'say "a"\n    say "b"\n    deal 2'),
        ("in turn_of\n    add state\n        extra: 0..3\n", "state\n        extra: 0..3"),
        ("in turn_of: before action pass: action skip\n", "        skip\n        pass only if"),
        ("in turn_of: replace p with next(p)\n", ""),
        ("in turn_of: replace every points[p] += 1 with points[p] += 2\n", "points[p] += 2 [R4]"),
        ("in [R3]: replace c with d\n", "from hand[p] where strong(d) [R3]"),
        ("in deck stock: replace each.role.copies with 2\n", "2 of each Letter"),
        ("in result: replace points[p] with 2 * points[p]\n", "score p = 2 * points[p]"),
    ],
)  # fmt: skip
def test_an_edit_changes_what_it_names(variant: str, line: str) -> None:
    if line:
        assert line in text_after(variant)
    else:
        with pytest.raises(SpecError):
            assembled(BASE, variant)


@pytest.mark.parametrize(
    ("variant", "code", "words"),
    [
        ("in [R4]: remove points[p] += 1\n", "CG229", "`in phase turn_of, action play, [R4]: ..`"),
        ("in turn_of: remove points[p] += 1\n", "CG229", "`in phase turn_of, action pass: ..`"),
        ("in stock: remove Letter\n", "CG229", "`in deck stock: ..` or `in zone stock: ..`"),
        ("in play: remove points[p] += 1\n", "CG221", "write `in "),
        ("in play: remove deal 2 from stock to hands\n", "CG221", "did you mean `deal 2 from stock to hand[players]`"),
        ("in turn_off: remove [R3]\n", "CG221", "did you mean `turn_of`?"),
        ("in play, [R4]: replace 1 with 2\n", "CG221", "there are: R1, R2"),
        ("in turn_of: remove [R9]\n", "CG221", "its tags are: R3, R4"),
        ("in strong: remove [R9]\n", "CG221", "it has no rule tags"),
        ("in play: replace [R1] with 2\n", "CG235", "write a statement"),
        ("in strong: replace c.role.strength with say \"x\"\n", "CG235", "write a value for it"),
        ("in play\n    replace [R1] with nothing\n    remove [R1]\n", "CG234", "one edit"),
        ("in [R1]: replace 2 with 3\nreplace play\n    nothing\n", "CG234", "one change"),
        ("remove define strong\nin strong: replace player 1 with player 2\n", "CG234", "one change"),
    ],
)  # fmt: skip
def test_an_edit_without_one_place_is_refused_with_what_is_there(variant: str, code: str, words: str) -> None:
    with pytest.raises(SpecError) as caught:
        assembled(BASE, variant)
    found = caught.value.diagnostics[0]
    assert (found.code, found.span.source.name) == (code, "variant.cardgame")
    assert words in found.help
    fixed = edited(found.span.source.text, found.edits)
    if found.edits:
        assembled(BASE, fixed.partition('"base.cardgame"\n')[2])


def test_the_base_of_an_edit_may_be_a_variant_and_each_edit_says_where_it_goes() -> None:
    made = assembled(BASE, "in [R1]: replace 2 with 1\nin strong: replace player 1 with player 2\n")
    assert [(p.span.text, p.place.source.name, p.place.text) for p in made.placed] == [
        ("[R1]", "base.cardgame", "deal 2 from stock to hand[players]"),
        ("2", "base.cardgame", "2"),
        ("strong", "base.cardgame", "define strong(c: card) = c.role.strength > points[player 1]"),
        ("player 1", "base.cardgame", "player 1"),
    ]
    again = assembled(unparse(made), "in [R1]: replace 1 with 3\n")
    assert "deal 3 from stock" in unparse(again)


def diagnostics_of(variant: str, base: str = BASE) -> list[tuple[str, str, str]]:
    found = check_spec(assembled(base, variant)).diagnostics
    return [(d.code, d.span.source.name, d.span.text) for d in found]


@pytest.mark.parametrize(
    ("variant", "found"),
    [
        ("replace zones\n    hand[player]: cards at most 3, seen by nobody\n", "replace zones"),
        ("in turn_of: replace strong(c) with c.role.strength\n", "c.role.strength"),
        ("in play: remove [R2]\n", "in play: remove [R2]"),
        ('game "Other"\nin points: replace 0..100 with boolean\n', "in points: replace 0..100 with boolean"),
        ("in play\n    remove [R1]\n    remove [R2]\n", "remove [R2]"),
    ],
)
def test_what_a_variant_causes_in_its_base_is_reported_at_its_own_line(variant: str, found: str) -> None:
    diagnostics = diagnostics_of(variant)
    assert diagnostics
    assert {name for _, name, _ in diagnostics} == {"variant.cardgame"}, diagnostics
    assert any(text.startswith(found) for _, _, text in diagnostics), diagnostics


@pytest.mark.parametrize(
    "variant",
    ["define extra = 1\nadd define extra = 2\n", "add define extra = 1\ndefine extra = 2\n",
     "add define extra = 1\nadd define extra = 2\n"],
)  # fmt: skip
def test_a_section_with_add_and_one_without_are_alike(variant: str) -> None:
    assert {(code, name) for code, name, _ in diagnostics_of(variant)} == {("CG202", "variant.cardgame")}
    assert all(code == "CG501" for code, _, _ in diagnostics_of(variant.replace("extra", "other", 1)))


def test_a_mistake_of_the_base_stays_there() -> None:
    base = BASE.replace("points[player 1]\n\nresult", "low\n\nresult")
    assert ("CG201", "base.cardgame", "low") in diagnostics_of("in [R1]: replace 2 with 1\n", base)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ('after [R4] in action play: say "x"', None),
        ('after [R1] in play: say "x"', 'in play: after [R1]: say "x"'),
        ("replace [R1] in play: nothing", "in play: replace [R1] with nothing"),
        ("remove [R1] in play", "in play: remove [R1]"),
        ("replace in play: 2 with 3", "in play: replace 2 with 3"),
        ("replace [R1]: nothing", None),
        ("replace in play: random x from 1..6", None),
    ],
)
def test_an_edit_in_another_order_gets_the_right_spelling(line: str, meant: str | None) -> None:
    with pytest.raises(SpecError) as caught:
        assembled(BASE, f"{line}\n")
    (found,) = caught.value.diagnostics
    assert "begins with its place" in found.help
    if meant is not None:
        assert edited(found.span.source.text, found.edits).splitlines()[-1] == meant
