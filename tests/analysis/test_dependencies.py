"""Dependencies of expressions, against their definition: a walk through all that an expression calls."""

from __future__ import annotations

import pytest

from grammar.source import Source, Span
from interpreter.analysis import core
from interpreter.analysis.budget import MOST_WORK, budget
from interpreter.analysis.dependencies import Mentions
from interpreter.analysis.symbols import Family
from tests.bundled import game


def _read(expr: core.Expr) -> frozenset[Family] | None:
    parts = list(core.walk_with_definitions(expr))
    if any(isinstance(part, core.Builtin) and part.function.reads for part in parts):
        return None
    zones = {part.zone for part in parts if isinstance(part, core.ZoneRef)}
    return frozenset(zones | {part.variable for part in parts if isinstance(part, core.VarRef)})


@pytest.mark.parametrize("name", ["arcanity", "classics/tichu"])
def test_an_expression_depends_on_what_it_and_its_definitions_read(name: str) -> None:
    mentions = Mentions()
    exprs = list(game(name).rules.expressions())
    with budget(MOST_WORK, Span(Source(name, ""), 0, 0)) as work:
        for expr in exprs:
            mentions.of(expr)
    once = work.used
    for expr in exprs:
        found = mentions.of(expr)
        assert (None if found.anything else found.families.keys()) == _read(expr)
        assert found.names == core.names_of(expr)
    with budget(MOST_WORK, Span(Source(name, ""), 0, 0)) as work:
        for expr in exprs:
            _read(expr)
    assert once < work.used  # Each definition is walked once, however many expressions call it.
