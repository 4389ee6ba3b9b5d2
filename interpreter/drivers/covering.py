"""Covering arrays of strength two: few rows in which every two values of two parameters occur together.

The rows are built greedily, one at a time (as in AETG): a row begins with the value that has the most partners left,
and every other parameter takes the value that meets most new partners in it.  That is not the least number of rows,
but near it, and needs no search.  Partners that a value has not met yet are bits of one number, so that a row of
thousands of parameters is quick too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.analysis.work import STEP, spend


def all_pairs(levels: Sequence[int]) -> int:
    """Return how many pairs of values of two parameters there are; of one parameter alone its values count.

    `levels` are the numbers of values of each.
    """
    if len(levels) == 1:
        return levels[0]
    total = sum(levels)
    return sum(level * (total - level) for level in levels) // 2


def covering(levels: Sequence[int], first: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield rows until all pairs have occurred, each with how many pairs are new in it.

    A row has the number of a value for each parameter; `first` is the first row.  Of one parameter alone every value
    has a row.
    """
    if len(levels) < 2:
        yield tuple(first), len(first)
        yield from (((value,), 1) for level in levels for value in range(level) if value != first[0])
        return
    begins = [sum(levels[:parameter]) for parameter in range(len(levels))]
    owners = [parameter for parameter, level in enumerate(levels) for _ in range(level)]
    everything = (1 << len(owners)) - 1
    left = [everything & ~(((1 << levels[owner]) - 1) << begins[owner]) for owner in owners]
    row = [begin + value for begin, value in zip(begins, first, strict=True)]
    while True:
        spend(STEP * len(left) + len(left) * len(left) // 500)
        taken = sum(1 << value for value in row)
        new = sum((left[value] & taken).bit_count() for value in row) // 2
        for value in row:
            left[value] &= ~taken
        yield tuple(value - begin for value, begin in zip(row, begins, strict=True)), new
        lead = max(range(len(left)), key=lambda value: left[value].bit_count())
        if not left[lead]:
            return
        met = 1 << lead
        for parameter, level in enumerate(levels):
            if parameter == owners[lead]:
                row[parameter] = lead
                continue
            values = range(begins[parameter], begins[parameter] + level)
            row[parameter] = max(values, key=lambda value: ((left[value] & met).bit_count(), left[value].bit_count()))
            met |= 1 << row[parameter]
