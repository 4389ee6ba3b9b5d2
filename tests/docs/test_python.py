"""The page of the Python interface lists every public name, once, with a sample, and no other."""

from __future__ import annotations

import re

import pytest

import interpreter
from interpreter import Belief, Game, State
from interpreter.engine.game import PUBLIC_OF_GAME, PUBLIC_OF_STATE
from tests import bundled
from tests.docs.samples import ROOT, samples
from tests.native.test_c import needs_compiler

PAGE = ROOT / "docs" / "python.md"
GAME = bundled.game("chalice_and_wand")
OBJECTS = ("Game", "State", "Belief", "Vector")
"""Headings whose tables list what an object has, not what the package has."""


def parts() -> dict[str, list[str]]:
    """Return the names in the first columns of the tables, by the heading that they stand under."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line.strip("# `")
            found[heading] = []
        elif line.startswith("| `"):
            found[heading] += re.findall(r"`(\w+)`", line.split("|")[1])
    return found


@pytest.mark.parametrize(
    ("heading", "thing", "public"),
    [
        ("Game", GAME, PUBLIC_OF_GAME),
        ("State", GAME.new_initial_state(), PUBLIC_OF_STATE),
        ("State", GAME.new_logged_state(), PUBLIC_OF_STATE),
    ],
    ids=["game", "state", "state with a log"],
)
def test_what_dir_shows_is_documented_and_nothing_else(
    heading: str, thing: Game | State, public: tuple[str, ...]
) -> None:
    assert sorted(parts()[heading]) == sorted(public) == sorted(n for n in dir(thing) if not n.startswith("_"))
    assert all(hasattr(thing, name) for name in public)


@needs_compiler
def test_what_dir_of_a_vector_shows_is_documented_and_nothing_else() -> None:
    assert sorted(parts()["Vector"]) == sorted(name for name in dir(GAME.vector(1)) if not name.startswith("_"))


def test_what_a_belief_has_is_documented_and_nothing_else() -> None:
    state = GAME.new_initial_state()
    belief = Belief(state, 0)
    assert sorted(parts()["Belief"]) == sorted(name for name in dir(belief) if not name.startswith("_"))


def test_every_name_of_the_package_is_documented_and_nothing_else() -> None:
    found = parts()
    listed = [name for heading, names in found.items() if heading not in OBJECTS for name in names]
    classes = [heading for heading in found if heading in interpreter.__all__]
    assert sorted(listed + classes) == sorted(interpreter.__all__)


def test_every_public_name_is_in_a_sample() -> None:
    text = "\n".join(sample.text for sample in samples(PAGE) if sample.language == "pycon")
    for name in (*interpreter.__all__, *PUBLIC_OF_GAME, *PUBLIC_OF_STATE):
        assert re.search(rf"\b{name}\b", text), name
