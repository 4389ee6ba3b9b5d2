"""Every type in every position: each use is refused with a diagnostic, or is the same play in oracle, Python and C."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grammar.diagnostics import SpecError
from interpreter import load_text
from tests.lockstep import DifferenceError, Engines
from tests.program.positions import GROUPS, RESULTS, VALUES, accepted, spec_of

QUICK = frozenset(
    {
        "a number that may be absent",
        "a card that may be absent",
        "unseen cards",
        "nothing",
    }
)
"""Values that `make test` puts in every position; the others are for the soak."""

EVERY_VALUE = [pytest.param(value, marks=[] if value in QUICK else pytest.mark.soak) for value in VALUES]

FEWEST = 1000
"""Uses that the checker takes, at least: fewer are a table that has lost its grip on the language."""

LONG = {(value, "looking") for value in QUICK - {"unseen cards"}}
"""Whole tables of three seconds each, left to the soak."""


def plays(engines: Engines, count: int) -> Iterator[tuple[int, str]]:
    """Play each use with and without what may be absent; give the number of each use that differs, and how."""
    for number in range(count):
        for first in ("give", "withhold"):
            for second in ("raise_flag", "lower_flag"):
                try:
                    engines.play(number, 10, (f"{first} {number}", second))
                except DifferenceError as difference:
                    yield number, f"{first}, {second}: {difference}"


@pytest.mark.parametrize(
    ("value", "group"),
    [
        pytest.param(value, group, marks=[] if value in QUICK and (value, group) not in LONG else pytest.mark.soak)
        for value in VALUES for group in GROUPS
    ],
)  # fmt: skip
def test_a_value_is_refused_in_a_position_or_means_the_same_to_all_engines(value: str, group: str) -> None:
    uses = accepted(value, group)
    if uses:
        engines = Engines.of(load_text(spec_of(uses)))
        found = plays(engines, len(uses))
        assert [f"{uses[number].statements()}\n{difference}" for number, difference in found] == []


@pytest.mark.parametrize("line", RESULTS)
@pytest.mark.parametrize("value", EVERY_VALUE)
def test_a_value_is_refused_in_a_result_or_means_the_same_to_all_engines(value: str, line: str) -> None:
    try:
        game = load_text(spec_of([], RESULTS[line].replace("<x>", VALUES[value])))
    except SpecError:
        return
    assert list(plays(Engines.of(game), 1)) == []


@pytest.mark.soak
def test_every_position_takes_some_value() -> None:
    taken = [use.position for value in VALUES for group in GROUPS for use in accepted(value, group)]
    assert len(taken) >= FEWEST
    assert [position for group in GROUPS.values() for position in group if position not in taken] == []
