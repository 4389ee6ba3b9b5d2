"""The head of a spec: read line by line where that is sure, parsed elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from interpreter.adapters.heads import Head, glance, read_head
from interpreter.loader import bundled_games, bundled_variants, find_spec

BASE = """cardgame 1

game "Base"      [R1]
    players 2..4, cooperative
    at most 9 decisions

option width: 1..9 = 3 "how wide"   [R2]
option side: left | right = left    # where it stands
option open = true
"""
VARIANT = """cardgame 1
extends "base.cardgame"
game "Other"
    players 3
set width = 5
remove option open
replace option side: left | right = right
add option depth: 1..3 = 2
option late = false
"""


def written(folder: Path, text: str, name: str = "spec") -> Path:
    path = folder / f"{name}.cardgame"
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", [*bundled_games(), *bundled_variants()])
def test_a_glance_at_a_bundled_spec_sees_what_parsing_finds(name: str) -> None:
    path = find_spec(name)
    seen, parsed = glance(path), read_head(path)
    assert seen == attrs.evolve(parsed, mark="")
    assert seen is not None
    assert list(seen.options) == list(parsed.options)


def test_a_glance_sees_what_a_variant_changes(tmp_path: Path) -> None:
    written(tmp_path, BASE, "base")
    path = written(tmp_path, VARIANT)
    assert glance(path) == Head("Other", (3, 3), {"width": 5, "side": "right", "depth": 2, "late": False})
    parsed = read_head(written(tmp_path, VARIANT.replace("add option", "option")))
    assert glance(path) == attrs.evolve(parsed, mark="")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("= 3 ", "= 1 + 2 "),
        ("= 3 ", "=\n    3 "),
        ("= true", "= true\n    and true"),
        ("    players 2..4", "    at most 9 decisions\n    players 2..4"),
        ("game ", "use 'other'\ngame "),
        ("game ", 'use "missing.cardgame"\ngame '),
        ("game ", 'extends "spec.cardgame"\ngame '),
    ],
)
def test_a_glance_gives_up_where_lines_are_not_plain(tmp_path: Path, old: str, new: str) -> None:
    assert glance(written(tmp_path, BASE)) is not None
    assert old in BASE
    assert glance(written(tmp_path, BASE.replace(old, new, 1))) is None


def test_equal_texts_have_equal_marks(tmp_path: Path) -> None:
    mark = read_head(written(tmp_path, BASE)).mark
    assert mark == read_head(written(tmp_path, "# a note\n" + BASE, "again")).mark
    assert mark != read_head(written(tmp_path, BASE.replace("= 3", "= 4"), "changed")).mark


def test_nothing_is_parsed_so_that_openspiel_knows_the_bundled_games() -> None:
    code = (
        "import grammar.parser as p\n"
        "def refuse(*_): raise AssertionError('parsed')\n"
        "p.parse = p.parse_as = refuse\n"
        "from interpreter.adapters import openspiel\n"
        "import pyspiel\n"
        "print(len([n for n in pyspiel.registered_names() if n.startswith('cardgame_')]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == len(bundled_games()) + len(bundled_variants())
