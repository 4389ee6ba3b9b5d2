"""Tables of sums: a whole number whose set bits are the sums that subsets of some values can have.

Twenty-five cards have 33 million subsets, and one such number of a few hundred bits for all their sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


def sums(values: Iterable[int]) -> int:
    """Return all sums that subsets of the values can have, as set bits."""
    bits = 1
    for value in values:
        bits |= bits << value
    return bits


def bits_equal(bits: int, value: int | None) -> int:
    """Keep the sum that equals a value; no sum equals an absent one."""
    return bits & (1 << value) if value is not None and 0 <= value < bits.bit_length() else 0


def bits_up_to(bits: int, value: int) -> int:
    """Keep the sums up to a value."""
    if value >= bits.bit_length():
        return bits
    return bits & ((1 << (value + 1)) - 1) if value >= 0 else 0


def bits_below(bits: int, value: int) -> int:
    """Keep the sums below a value."""
    return bits_up_to(bits, value - 1)


def bits_from(bits: int, value: int) -> int:
    """Keep the sums from a value on."""
    if value >= bits.bit_length():
        return 0
    return bits & ~((1 << value) - 1) if value > 0 else bits


def bits_above(bits: int, value: int) -> int:
    """Keep the sums above a value."""
    return bits_from(bits, value + 1)


def bits_where(bits: int, test: Callable[[int], bool]) -> int:
    """Keep the sums that pass a test."""
    kept = 0
    rest = bits
    while rest:
        lowest = rest & -rest
        if test(lowest.bit_length() - 1):
            kept |= lowest
        rest ^= lowest
    return kept
