"""The CPU time that a run of the fuzzer may take."""

from __future__ import annotations

import os

import attrs


def cpu_seconds() -> float:
    """Return the CPU time of this process and of those that it has waited for, as of a C compiler."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


@attrs.frozen
class TimeLimit:
    """The moment, in CPU seconds of this process, at which some work has to end; None: never."""

    end: float | None = None

    @classmethod
    def after(cls, seconds: float | None) -> TimeLimit:
        """Return a limit so many seconds from now."""
        return cls() if seconds is None else cls(cpu_seconds() + seconds)

    @property
    def left(self) -> float | None:
        """How many seconds are left; None without a limit."""
        return None if self.end is None else max(0.0, self.end - cpu_seconds())

    @property
    def over(self) -> bool:
        """Whether the time is used up."""
        return self.end is not None and cpu_seconds() >= self.end

    def part(self, share: float) -> TimeLimit:
        """Return the limit of a share of what is left."""
        left = self.left
        return self if left is None else TimeLimit.after(left * share)
