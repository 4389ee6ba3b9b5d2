"""Limits that the analysis proves and that running games obey."""

from __future__ import annotations

from math import comb

CARD_LIMIT = 2_000
"""Cards of a game."""

NUMBER_LIMIT = 10**12
"""The greatest `integer`, and the negative of the least; a result beyond is a fault."""

RESULT_LIMIT = 20_000
"""Results that the measures of a set may have while it is weighed; more are a fault."""

RANGE_LIMIT = 100_000
"""Numbers that a range may have where it is gone through; a longer one is a fault.

One that may be longer is measured by generated code when it is gone through."""

DEEPEST_LEVEL = 50
"""How deep a phase may lead back to itself."""

MOST_COPIED = 2_000
"""Statements in all levels of the phases that lead back to one another."""

TRY_STEPS = 20
"""Steps of trying whether an action can be completed once a set is chosen."""

TEST_STEPS = 10
"""Steps of testing whether a card fits those of a set that are picked already."""

TRIED_LIMIT = 1_000_000
"""Sets of an argument that may have to be tried one by one, if all its cards were there."""

MOST_SETS = 512
"""Groups that a division of cards may have to choose among; more are a fault."""

MOST_RESTS = 4096
"""Unions of groups that a division of cards may reach; more are a fault."""

STEP_LIMIT = 1_000_000
"""Steps between two decisions, as `interpreter.analysis.work` counts them; more are a fault."""

ENDLESS = 10**30
"""Operations of a loop that may never end; greater numbers are not distinguished."""


def number_of_subsets(cards: int, most: int) -> int:
    """Return how many sets of at most so many of some cards there are."""
    total = 0
    for count in range(min(cards, most) + 1):
        total += comb(cards, count)
        if total > ENDLESS:
            return ENDLESS
    return total
