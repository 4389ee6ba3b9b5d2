"""Random numbers that are equal on every machine, from any generator with `random()`."""

from __future__ import annotations

from typing import Protocol


class Rng(Protocol):
    """Anything with `random()`, a float in [0, 1): `random.Random` is one."""

    def random(self) -> float:
        """Return the next number."""
        ...


def below(rng: Rng, count: int) -> int:
    """Return a whole number from 0 up to but not including `count`; the same on every version of Python."""
    return min(int(rng.random() * count), count - 1)


def below_any(rng: Rng, count: int) -> int:
    """Return a whole number below `count`, which may have more digits than a float."""
    if count < 1 << 50:
        return below(rng, count)
    parts = count.bit_length() // 30 + 3
    number = 0
    for _ in range(parts):
        number = number << 30 | int(rng.random() * (1 << 30))
    return number * count >> (30 * parts)


def mix(rng: Rng, items: list[int]) -> None:
    """Put a list in a random order, in place."""
    draw = rng.random
    for place in range(len(items) - 1, 0, -1):
        # A float below 1 times a count this small is below the count.
        other = int(draw() * (place + 1))
        items[place], items[other] = items[other], items[place]
