"""The registry of codes is the documentation of mistakes, so its examples must be true."""

from __future__ import annotations

import re

import pytest

from grammar.codes import REGISTRY, Code, faults, lints, names, rules, syntax, types
from tests.grammar.examples import mistakes

_GROUPS = {"1": syntax, "2": names, "3": types, "4": rules, "5": lints, "8": faults, "9": faults}


@pytest.mark.parametrize("code", syntax.CODES, ids=lambda c: c.name)
def test_the_bad_example_of_a_code_gives_it_and_the_good_one_gives_nothing(code: Code) -> None:
    assert {d.code for d in mistakes(code.bad)} == {code.code}
    assert mistakes(code.good) == ()


def test_codes_are_unique_and_stand_in_their_group() -> None:
    count = sum(len(group.CODES) for group in (syntax, names, types, rules, lints, faults))
    assert len(REGISTRY) == count
    assert len({code.name for code in REGISTRY.values()}) == count
    for text, code in REGISTRY.items():
        assert re.fullmatch(r"CG[1-9]\d\d", text)
        assert code in _GROUPS[text[2]].CODES
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code.name)
