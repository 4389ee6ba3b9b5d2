"""Sites: numbered places, the same in each compilation, that name every statement."""

from __future__ import annotations

import pytest

from grammar.source import Span
from interpreter.analysis import core
from interpreter.loader import bundled_games, load, load_text


@pytest.mark.parametrize("name", bundled_games())
def test_every_statement_and_node_is_a_site(name: str) -> None:
    program = load(name).program
    spans = program.sites.spans
    assert len(set(spans)) == len(spans)
    for stmt in program.rules.statements():
        assert spans[program.sites.number(stmt.span)] == stmt.span
        if isinstance(stmt, core.Choice):
            assert all(spans[program.sites.number(action.span)] == action.span for action in core.all_actions(stmt))
    assert all(spans[program.sites.number(node.span)] == node.span for node in program.nodes)


def test_numbers_follow_from_the_spec_and_an_inner_place_has_that_of_the_statement_around_it() -> None:
    text = load("classics/kuhn_poker").spec_text()
    one, other = (load_text(text).program for _ in range(2))
    assert [(s.start, s.end) for s in one.sites.spans] == [(s.start, s.end) for s in other.sites.spans]
    stmt = next(s for s in one.rules.statements() if isinstance(s, core.Assign))
    inside = Span(stmt.span.source, stmt.span.start, stmt.span.start + 1)
    assert one.sites.number(inside) in (one.sites.number(stmt.span), *(one.sites.number(i.span) for i in stmt.index))
