"""Memoized methods compute once for each object and argument."""

from __future__ import annotations

from interpreter.analysis.memoized import Memoized


class Base:
    def __init__(self) -> None:
        self.computed: list[int] = []

    @Memoized
    def double(self, number: int) -> int:
        """Return twice a number."""
        self.computed.append(number)
        return 2 * number

    @Memoized
    def factorial(self, number: int) -> int:
        self.computed.append(number)
        return number * self.factorial(number - 1) if number else 1


def test_a_result_is_computed_once_for_each_object_and_argument() -> None:
    one, other = Base(), Base()
    assert [one.double(2), one.double(3), one.double(2), other.double(2)] == [4, 6, 4, 4]
    assert (one.computed, other.computed) == ([2, 3], [2])


def test_a_method_may_call_itself() -> None:
    one = Base()
    assert (one.factorial(5), one.factorial(4)) == (120, 24)
    assert one.computed == [5, 4, 3, 2, 1, 0]
