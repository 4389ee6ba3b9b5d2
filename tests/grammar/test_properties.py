"""Whatever is done to a good text, the parser answers with a tree or with diagnostics."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammar.recovery import MAX_REPORTS
from grammar.render import objects, render_concise, render_full
from tests.grammar.examples import DATA, REAL, mistakes

_SCENARIO = (DATA / "scenarios.txt").read_text(encoding="utf-8")
_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)


def _parts(text: str) -> st.SearchStrategy[str]:
    """Return texts with some tokens or lines left out, doubled, swapped or replaced."""
    return st.sampled_from([_TOKEN.findall(text), text.splitlines(keepends=True)]).flatmap(_changed)


@st.composite
def _changed(draw: Any, parts: list[str]) -> str:
    parts = list(parts)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(parts) - 1))
        other = draw(st.integers(0, len(parts) - 1))
        match draw(st.sampled_from(["drop", "double", "swap", "copy", "noise", "cut"])):
            case "drop":
                parts[at] = ""
            case "double":
                parts[at] *= 2
            case "swap":
                parts[at], parts[other] = parts[other], parts[at]
            case "copy":
                parts[at] = parts[other]
            case "noise":
                parts[at] += draw(st.text(max_size=4))
            case _:
                parts[at] = parts[at][: len(parts[at]) // 2]
    return "".join(parts)


def _check(text: str) -> None:
    found = mistakes(text)
    assert len(found) <= MAX_REPORTS
    lines = [d.span.line for d in found]
    assert len(set(lines)) == len(lines) or any(d.code >= "CG110" for d in found)
    for diagnostic in found:
        assert diagnostic.code != "CG901"
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
        assert not re.search(r"\b(?!UTF)[A-Z_]{3,}\b", re.sub(r"`[^`]*`+", "", diagnostic.help))
    assert len(re.findall("(?m)^ *--> text", render_full(found))) == len(found)
    render_concise(found)
    objects(found)


@pytest.mark.parametrize("text", [REAL, _SCENARIO], ids=["spec", "scenarios"])
@given(data=st.data())
def test_a_damaged_text_gives_a_tree_or_diagnostics(text: str, data: st.DataObject) -> None:
    _check(data.draw(_parts(text)))


@given(st.lists(st.sampled_from(sorted(set(_TOKEN.findall(REAL)))), max_size=60).map(" ".join))
def test_words_of_the_language_in_any_order(text: str) -> None:
    _check(f"cardgame 1\n{text}")


@given(st.text(max_size=80))
def test_any_text_at_all(text: str) -> None:
    _check(text)
    _check(f"cardgame 1\nplay\n    {text}")
