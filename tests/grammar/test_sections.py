"""A text that is parsed section by section has the tree that it has as a whole."""

from __future__ import annotations

import re
from random import Random

import pytest

from grammar.ast import Spec
from grammar.diagnostics import SpecError
from grammar.expressions import walk
from grammar.parser import parse, parse_as
from grammar.source import Source
from grammar.transform import SpecTransformer
from tests.mutants.specs import originals

_LINES = re.compile(r"[^\n]*\n")
_ODD = ("    x,\n", "phase a(\n", ")\n", "where x\n", "# nothing\n", "  [R1]\n", "\n", '"open\n', "cardgame 1\n")


def _read(source: Source, *, whole: bool) -> tuple[object, ...]:
    try:
        tree: Spec = parse_as("cardgame", source, SpecTransformer(source)) if whole else parse.__wrapped__(source)
    except SpecError as error:
        return error.diagnostics
    return tree, [(node.span.start, node.span.end, node.tags) for node in walk(tree)]


def _mutant(text: str, rng: Random) -> str:
    """Return a text in which a few lines are removed, moved to the left, swapped or replaced."""
    lines = _LINES.findall(text + "\n")
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(lines))
        match rng.randrange(5):
            case 0:
                del lines[at : at + rng.randint(1, 2)]
            case 1:
                lines[at] = lines[at].lstrip(" ")
            case 2:
                lines[at] = lines[at].replace("\n", ",\n", 1)
            case 3:
                lines.insert(at, rng.choice(_ODD))
            case _:
                lines[at] = lines[at].replace("(", "", 1)
        lines = lines or ["\n"]
    return "".join(lines)


@pytest.mark.parametrize("count", [15, pytest.param(2_000, marks=pytest.mark.soak)])
def test_sections_give_the_tree_and_the_mistakes_of_the_whole(count: int) -> None:
    rng = Random(29)
    sound = 0
    for number in range(count):
        text = rng.choice(originals()).text
        source = Source(f"<text {number}>", _mutant(text, rng) if number % 4 else text)
        found = _read(source, whole=False)
        assert found == _read(source, whole=True), source.text
        sound += isinstance(found[-1], list)
    assert count // 5 < sound < count
