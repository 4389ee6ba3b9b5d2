"""The registry of codes is the documentation of mistakes, so its examples must be true."""

from __future__ import annotations

import re

import pytest

from grammar.codes import REGISTRY, Code, syntax
from tests.grammar.examples import mistakes


@pytest.mark.parametrize("code", syntax.CODES, ids=lambda c: c.name)
def test_the_bad_example_of_a_code_gives_it_and_the_good_one_gives_nothing(code: Code) -> None:
    assert {d.code for d in mistakes(code.bad)} == {code.code}
    assert mistakes(code.good) == ()


def test_no_code_and_no_name_is_given_twice() -> None:
    assert len({code.name for code in REGISTRY.values()}) == len(REGISTRY)
    assert list(REGISTRY) == [code.code for code in REGISTRY.values()]
    for code in REGISTRY.values():
        assert re.fullmatch(r"CG[1-9]\d\d", code.code)
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code.name)


def test_the_codes_of_syntax_are_one_group() -> None:
    assert [text for text in REGISTRY if text.startswith("CG1")] == [code.code for code in syntax.CODES]
