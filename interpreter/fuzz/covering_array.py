"""Covering arrays of strength two: few rows in which every two values of two parameters occur together.

The rows are built greedily, one at a time (as in AETG): a row begins with the value that has the most partners left,
and every other parameter takes the value that meets most new partners in it.  That is not the least number of rows,
but near it, and needs no search.  Partners that a value has not met yet are bits of one number, so that a row of
thousands of parameters is quick too.

Where there are few pairs, rows are then spared by simulated annealing: one row is left out, and single values of the
others change until all pairs occur again, mostly to what loses no pair.  That takes milliseconds, and each row less is
one setting less to be checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from random import Random

from interpreter.analysis.budget import STEP, current, spend

Row = tuple[int, ...]
"""The number of a value for each parameter."""

FEW_PAIRS = 1_000
"""Pairs up to which rows are spared: with more it takes longer than the rows that it spares."""

CHANGES = 15_000
"""Changes of one value that are tried to do without a row."""

COOLING = 0.9995
"""Cooling factor of simulated annealing: of the probability to accept a change that loses a pair; it begins at 1/2."""


def all_pairs(levels: Sequence[int]) -> int:
    """Return how many pairs of values of two parameters there are; of one parameter alone its values count.

    `levels` are the numbers of values of each.
    """
    if len(levels) == 1:
        return levels[0]
    total = sum(levels)
    return sum(level * (total - level) for level in levels) // 2


def covering_array(levels: Sequence[int], first: Sequence[Row]) -> Iterator[tuple[Row, int]]:
    """Yield rows until all pairs have occurred, each with how many pairs are new in it.

    A row has the number of a value for each parameter; `first` are the first rows, at least one.  Of one parameter
    alone every value has a row.
    """
    if len(levels) < 2:
        values = [(value,) for level in levels for value in range(level)]
        yield from ((row, len(row)) for row in dict.fromkeys((*first, *values)))
    elif all_pairs(levels) <= FEW_PAIRS:
        yield from _counted(_spared(levels, [row for row, _ in _greedy(levels, first)], len(first)), len(first))
    else:
        yield from _greedy(levels, first)


def _counted(rows: Sequence[Row], first: int) -> Iterator[tuple[Row, int]]:
    """Yield rows with how many pairs are new in each: so many first ones first, then always one with the most."""
    left = {row: _pairs(row) for row in rows}
    for number in range(len(left)):
        row = rows[number] if number < first else max(left, key=lambda other: len(left[other]))
        new = left.pop(row)
        yield row, len(new)
        for pairs in left.values():
            pairs -= new


def _pairs(row: Row) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    return set(combinations(enumerate(row), 2))


def _spared(levels: Sequence[int], rows: list[Row], first: int) -> list[Row]:
    """Return as few rows as can be found in which the same pairs occur; so many first ones stay."""
    least = first + _least(levels, rows[:first])
    while len(rows) > least:
        fewer = _annealed(levels, rows[:-1], first)
        if fewer is None:
            break
        rows = fewer
    return rows


def _least(levels: Sequence[int], first: Sequence[Row]) -> int:
    """Return a lower bound of how many rows it takes besides the first ones.

    Every pair of two parameters that is left has a row of its own.  A value of one of them without such a pair is in no
    such row, so what is left of its pairs with a third parameter takes further rows.
    """
    left = {
        (one, other): {*product(range(levels[one]), range(levels[other]))} - {(row[one], row[other]) for row in first}
        for one, other in permutations(range(len(levels)), 2)
    }
    bounds = []
    for (one, other), pairs in left.items():
        values = {value for _, value in pairs}
        thirds = (third for third in range(len(levels)) if third not in (one, other))
        more = (sum(value not in values for value, _ in left[other, third]) for third in thirds)
        bounds.append(len(pairs) + max(more, default=0))
    return max(bounds)


def _annealed(levels: Sequence[int], begin: Sequence[Row], first: int) -> list[Row] | None:
    """Return rows in which all pairs occur, made from rows in which some may not; None where none are found."""
    begins = [sum(levels[:parameter]) for parameter in range(len(levels))]
    rows = [[b + value for b, value in zip(begins, row, strict=True)] for row in begin]
    size = sum(levels)
    times = [[0] * size for _ in range(size)]
    for row in rows:
        for value in row:
            for partner in row:
                times[value][partner] += 1
    met = sum(times[one][other] > 0 for one in range(size) for other in range(one))
    missing = all_pairs(levels) - met
    choices = [(r, p) for r in range(first, len(rows)) for p, level in enumerate(levels) if level > 1]
    rng = Random(len(rows))
    chance, work = 0.5, current()
    for _ in range(CHANGES if choices else 0):
        if not missing:
            break
        work.used += STEP
        chance *= COOLING
        number, parameter = choices[int(rng.random() * len(choices))]
        row = rows[number]
        old, new = row[parameter], begins[parameter] + int(rng.random() * levels[parameter])
        if old == new:
            continue
        before, after = times[old], times[new]
        lost = 0
        for partner in row:
            if partner != old:
                lost += (before[partner] == 1) - (after[partner] == 0)
        if lost > 0 and rng.random() >= chance**lost:
            continue
        missing += lost
        row[parameter] = new
        for partner in row:
            if partner != new:
                for value, change in ((old, -1), (new, 1)):
                    times[value][partner] += change
                    times[partner][value] += change
    return None if missing else [tuple(v - b for v, b in zip(row, begins, strict=True)) for row in rows]


def _greedy(levels: Sequence[int], first: Sequence[Row]) -> Iterator[tuple[Row, int]]:
    """Yield the first rows, and then others: each by the value with the most partners left."""
    begins = [sum(levels[:parameter]) for parameter in range(len(levels))]
    owners = [parameter for parameter, level in enumerate(levels) for _ in range(level)]
    everything = (1 << len(owners)) - 1
    left = [everything & ~(((1 << levels[owner]) - 1) << begins[owner]) for owner in owners]

    def rows() -> Iterator[list[int]]:
        for row in first:
            yield [begin + value for begin, value in zip(begins, row, strict=True)]
        while left[lead := max(range(len(left)), key=lambda value: left[value].bit_count())]:
            yield _row(levels, begins, left, lead)

    for row in rows():
        taken = sum(1 << value for value in row)
        new = sum((left[value] & taken).bit_count() for value in row) // 2
        for value in row:
            left[value] &= ~taken
        yield tuple(value - begin for value, begin in zip(row, begins, strict=True)), new
        spend(STEP * len(left) + len(left) * len(left) // 5_000)


def _row(levels: Sequence[int], begins: Sequence[int], left: Sequence[int], lead: int) -> list[int]:
    """Return a row with one value that leads, and of each other parameter what meets most new partners in it."""
    row, met = [], 1 << lead
    for begin, level in zip(begins, levels, strict=True):
        values = range(begin, begin + level)
        best = lead if lead in values else max(
            values, key=lambda value: ((left[value] & met).bit_count(), left[value].bit_count())
        )  # fmt: skip
        row.append(best)
        met |= 1 << best
    return row
