"""Every mistake in `data/mistakes.txt` is reported on its line, and nothing else is.

A comment `# CG103 text` stands on the line of a mistake; the text stands in its message or help.
"""

from __future__ import annotations

import re

import pytest

from grammar.render import render_concise
from tests.grammar.examples import chunks, mistakes

_EXPECTED = re.compile(r"#\s+(CG\d{3}(?:\|CG\d{3})*)[ ]?(.*?)\s*$")


@pytest.mark.parametrize("text", chunks("mistakes.txt"))
def test_a_run_reports_every_mistake_once_and_nothing_else(text: str) -> None:
    expected = {n: comment for n, line in enumerate(text.split("\n"), 1) if (comment := _EXPECTED.search(line))}
    found = mistakes(text)
    told = render_concise(found)
    assert [d.span.line for d in found] == sorted(expected), told
    for diagnostic in found:
        codes, words = expected[diagnostic.span.line].groups()
        assert diagnostic.code in codes.split("|"), told
        assert words in f"{diagnostic.message}; {diagnostic.help}", told
