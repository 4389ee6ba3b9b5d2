"""What can be set of a spec is known from its head alone, whatever stands behind it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from grammar.source import read_source
from interpreter import Signature, SpecError
from interpreter.adapters.parameters import offered
from interpreter.loader import assemble, bundled_games, bundled_variants, find_spec, signature

BASE = """\
cardgame 1

# The one that is changed.
game "Base"   # by name
    players 2..4, cooperative
    at most 9 decisions

option width: 1..9 = 3 "how wide [it] is"   [R1]
option side: left | right = if count(players) > 3 then left
    else right
option gone = true
option depth: 1..width = width

card Blank written "X"
deck in box
    1 of Blank
zones
    box: pile, seen by nobody
play
    player 1 chooses
        quit
result
    score p = width
"""
VARIANT = """\
cardgame 1
extends "base.cardgame"
game "Other"
    players 3..4
set width = 5
remove option gone
replace option depth: 1..3 = 2
replace result
    score p = depth
add option late = false
"""


def written(folder: Path, text: str, name: str = "spec") -> Path:
    path = folder / f"{name}.cardgame"
    path.write_text(text)
    return path


def whole(path: Path) -> Signature:
    return Signature.of(assemble(read_source(path), path.parent))


def same(one: Signature, other: Signature) -> bool:
    return (one.title, one.players, one.cooperative, one.max_decisions) == (
        other.title, other.players, other.cooperative, other.max_decisions,
    ) and all(one.setting(n) == other.setting(n) for n in range(one.players[0], one.players[1] + 1))  # fmt: skip


@pytest.mark.parametrize("name", [*bundled_games(), *bundled_variants()])
def test_the_head_of_a_bundled_spec_says_what_the_whole_says(name: str) -> None:
    path = find_spec(name)
    assert same(signature(path), whole(path))


def test_the_head_of_a_variant_says_what_it_changes(tmp_path: Path) -> None:
    written(tmp_path, BASE, "base")
    found = signature(written(tmp_path, VARIANT))
    assert found.title == "Other"
    assert str(found.setting()) == "3 players, width = 5, side = right, depth = 2, late = false"
    assert str(found.setting(4)) == "4 players, width = 5, side = left, depth = 2, late = false"
    assert same(found, whole(tmp_path / "spec.cardgame"))


def test_a_head_that_is_not_in_order_is_answered_with_all_mistakes(tmp_path: Path) -> None:
    for old, new in (("players 2..4", "players 4..2"), ("= width\n", "= widht\n"), ("1..9 = 3", "1..9 = ")):
        with pytest.raises(SpecError):
            signature(written(tmp_path, BASE.replace(old, new)))


def test_equal_texts_have_equal_marks(tmp_path: Path) -> None:
    mark = offered(written(tmp_path, BASE)).mark
    assert mark == offered(written(tmp_path, "# a note\n" + BASE, "again")).mark
    assert mark != offered(written(tmp_path, BASE.replace("= 3", "= 4"), "changed")).mark


def test_no_rules_are_parsed_so_that_openspiel_knows_the_bundled_games() -> None:
    code = (
        "from grammar import transform\n"
        "def refuse(*_): raise AssertionError('parsed')\n"
        "transform.SpecTransformer.block = refuse\n"
        "from interpreter.adapters import openspiel\n"
        "import pyspiel\n"
        "print(len([n for n in pyspiel.registered_names() if n.startswith('cardgame_')]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == len(bundled_games()) + len(bundled_variants())
